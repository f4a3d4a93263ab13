// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: the chunks of an index one after the other, from anywhere.

#pragma once

#include <vector>

#include "storage/index/model/chunk_index.hpp"

namespace pcio {

/// Walks the chunks that have an address, by ascending ordinal. Chunks without filters have mask 0.
///
/// The index outlives the walk and does not change meanwhile.
class ChunkWalk {
 public:
  /// Begins with the first chunk whose ordinal is not less than `from`.
  ChunkWalk(const ChunkIndex& index, ChunkOrdinal from);
  [[nodiscard]] bool at_end() const { return left_ == 0; }
  [[nodiscard]] ChunkOrdinal ordinal() const { return ordinal_; }
  [[nodiscard]] FilteredChunk chunk() const {
    if (sizes_ == nullptr) return {address_, chunk_bytes_, 0};
    return {address_, sizes_[0], masks_ == nullptr ? 0 : masks_[0]};
  }
  /// Chunks from here whose ordinals follow each other; without filters their addresses too.
  [[nodiscard]] std::uint64_t left_in_run() const { return left_; }
  void next() {
    ++ordinal_;
    address_ += sizes_ == nullptr ? chunk_bytes_ : *sizes_++;
    if (masks_ != nullptr) ++masks_;
    if (--left_ == 0) next_run();
  }
  void skip(std::uint64_t count);

 private:
  void next_run();
  void enter_plain();
  void enter_filtered();

  const ChunkIndex& index_;
  std::uint64_t chunk_bytes_;
  std::map<ChunkOrdinal, ChunkIndex::Extent>::const_iterator plain_;
  FilteredRuns::Map::const_iterator filtered_;
  ChunkOrdinal ordinal_ = 0;
  FileAddress address_ = 0;
  std::uint64_t left_ = 0;
  const std::uint32_t* sizes_ = nullptr;
  const std::uint32_t* masks_ = nullptr;
};

/// Finds the n-th chunk of an index that has an address. Memory: a few bytes for a thousand chunks.
class ChunkSequence {
 public:
  explicit ChunkSequence(const ChunkIndex& index);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// A walk that begins with chunk number `n`, counted from 0, less than count().
  [[nodiscard]] ChunkWalk walk_from(std::uint64_t n) const;

 private:
  static constexpr std::uint64_t kStep = 1024;
  const ChunkIndex& index_;
  std::uint64_t count_;
  std::vector<ChunkOrdinal> every_;  // ordinals of chunks number 0, kStep, 2 * kStep ...
};

}  // namespace pcio
