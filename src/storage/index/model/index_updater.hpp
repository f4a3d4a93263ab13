// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: a chunk index in the file, as far as a commit must know it to write nothing but the
// blocks that changed.
//
// A commit marks what changed, gives a place to the blocks that are new, and encodes. Marks stay
// until the commit is complete, so a commit that failed is repeated by the same calls.

#pragma once

#include <memory>

#include "storage/index/model/chunk_index.hpp"
#include "storage/bytes/file_bytes.hpp"

namespace pcio {

/// Bytes of an index that are encoded or read in one go: bounds the memory of a commit.
inline constexpr std::uint64_t kIndexBytesAtOnce = 1 << 20;

/// Everything follows from the calls: it is the same on all ranks. Threads: one thread drives a file.
class IndexUpdater {
 public:
  /// Bytes of marked blocks.
  struct Cost {
    std::uint64_t changed = 0;  ///< of blocks that are in the file
    std::uint64_t added = 0;    ///< of blocks that have no place yet

    /// Beyond all bounds: it must be written anew.
    static constexpr Cost anew() { return {~std::uint64_t{0}, 0}; }
  };
  IndexUpdater() = default;
  IndexUpdater(const IndexUpdater&) = delete;
  IndexUpdater& operator=(const IndexUpdater&) = delete;
  virtual ~IndexUpdater() = default;

  /// Marks the blocks that list the chunks whose numbers are in `numbers`, and what lists those.
  /// A cost beyond all bounds: it must be written anew, and this object is of no use any more.
  /// Collective: pure. Errors: a chunk beyond what the index can list; afterwards of no use.
  virtual Result<Cost> mark(const ChunkIndex& index, const IntervalSet& numbers) = 0;
  /// Places the added blocks one behind the other from `address` on.
  virtual void place(FileAddress address) = 0;
  /// All marked blocks, none of them without a place. `index` does not change while they are
  /// encoded; they keep this object alive.
  [[nodiscard]] virtual BlockSet blocks(const ChunkIndex& index) const = 0;
  /// What was marked is in the file.
  virtual void mark_committed() = 0;
  /// What the layout message names. All placed.
  [[nodiscard]] virtual FileAddress root() const = 0;
  /// Bytes that writing the index anew would take.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

}  // namespace pcio
