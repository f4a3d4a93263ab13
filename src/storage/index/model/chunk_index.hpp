// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: which chunk of a dataset lies where.
//
// Chunks whose addresses follow each other are one run, so a dataset that was allocated in one go
// costs one entry however many chunks it has: no node and no insert per chunk. Filtered chunks have
// sizes of their own, four bytes each.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/chunk_grid.hpp"
#include "plan/marked_chunks.hpp"
#include "space/dims.hpp"
#include "storage/space/file_space.hpp"
#include "storage/index/model/filtered_runs.hpp"
#include "storage/index/model/index_changes.hpp"

namespace pcio {

/// Chunks first .. first + count - 1 at address, address + chunk bytes, and so on.
struct IndexRun {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  FileAddress address = 0;
  friend bool operator==(const IndexRun&, const IndexRun&) = default;
};

/// Addresses of the chunks of one dataset, in memory.
///
/// Ordinals are row-major in the grid of the current dimensions; `resize` renumbers.
class ChunkIndex {
 public:
  struct Extent {
    std::uint64_t count;
    FileAddress address;
  };

  /// `grid`: chunks of the current extent; `chunk_bytes`: size of a chunk's image (> 0).
  ChunkIndex(ChunkGrid grid, std::uint64_t chunk_bytes)
      : grid_(std::move(grid)), chunk_bytes_(chunk_bytes) {}

  /// Gives every unallocated chunk of `box` (chunk coordinates) an address, new ones in one piece,
  /// in ordinal order. Collective: pure; the same calls give the same addresses on all ranks.
  /// Returns the new runs only. On failure nothing has changed. Errors: NOSPACE.
  Result<std::vector<IndexRun>> allocate(const Box& box, FileSpace& space, SpaceUse use);

  /// The same for chunks given by their numbers, ascending and apart.
  Result<std::vector<IndexRun>> allocate_listed(std::span<const OrdinalInterval> chunks,
                                                FileSpace& space, SpaceUse use);
  /// Undoes an allocation, for one of the runs that it returned; the bytes are the caller's. Where memory runs
  /// out it is undone or not.
  void undo_allocation(const IndexRun& run);
  /// Those of `chunks` (ascending, apart) that have no address.
  [[nodiscard]] std::vector<OrdinalInterval> missing(std::span<const OrdinalInterval> chunks) const;

  [[nodiscard]] std::vector<OrdinalInterval> missing(const Box& box) const;

  /// Runs of `box` that have an address, by ascending ordinal, cut to the box. Cost: the lesser of the rows of
  /// the box, of which there may be any number, and the chunks that have one.
  [[nodiscard]] std::vector<IndexRun> lookup(const Box& box) const;
  /// Address of one chunk, or kUndefinedAddress.
  [[nodiscard]] FileAddress address_of(ChunkOrdinal ordinal) const;

  /// True where the addresses of the chunks from `first` to `last` that have one ascend with their
  /// numbers. Cost: one step per run.
  [[nodiscard]] bool ascends(ChunkOrdinal first, ChunkOrdinal last) const;

  /// Notes a chunk found in the file. Errors: a chunk listed twice.
  Status add(ChunkOrdinal ordinal, FileAddress address);
  /// `count` chunks in a row whose addresses follow each other; none of them is known yet.
  void add_run(const IndexRun& run) { insert(run); }
  /// Errors: as add(); a chunk of 4 GiB or more.
  Status add_filtered(ChunkOrdinal ordinal, const FilteredChunk& chunk);
  [[nodiscard]] std::optional<FilteredChunk> filtered(ChunkOrdinal ordinal) const {
    return filtered_.find(ordinal);
  }
  /// Sets or replaces; `ordinal` is on the grid, the chunk below 4 GiB.
  void put_filtered(ChunkOrdinal ordinal, const FilteredChunk& chunk);
  void remove_filtered(ChunkOrdinal ordinal);
  /// Another number after each change of a chunk with filters, or of the extent; no index has had it before. What
  /// was read of such a chunk is what the file has as long as it is the same.
  [[nodiscard]] std::uint64_t version() const { return version_; }

  /// Renumbers for a new extent; chunks outside are dropped and their bytes returned. Where memory runs out
  /// nothing has changed.
  std::vector<ByteRange> resize(const ChunkGrid& grid);
  /// Chunks have the same numbers on both, as far as they are on both.
  [[nodiscard]] static bool keeps_numbers(const ChunkGrid& from, const ChunkGrid& to);

  /// From here on it is noted which chunks change, by their numbers in the file's index. What add()
  /// and its like find in the file is no change.
  void follow(const ChunkNumbering& numbering, NumberedBy by) { changes_.emplace(numbering, by); }
  void unfollow() { changes_.reset(); }
  /// Nothing where nobody follows, or nobody could any more.
  [[nodiscard]] const std::optional<IndexChanges>& changes() const { return changes_; }
  /// What was done since is undone: what is noted is what it was.
  void restore_changes(std::optional<IndexChanges> noted) noexcept { changes_ = std::move(noted); }
  /// The file has them all.
  void clear_changes() {
    if (changes_) changes_->clear();
  }

  [[nodiscard]] const ChunkGrid& grid() const { return grid_; }
  [[nodiscard]] std::uint64_t chunk_bytes() const { return chunk_bytes_; }
  [[nodiscard]] std::uint64_t allocated_count() const { return plain_ + filtered_.count(); }
  [[nodiscard]] std::uint64_t stored_bytes() const {
    return plain_ * chunk_bytes_ + filtered_.stored_bytes() + outside_;
  }
  /// Notes bytes of a chunk that the index in the file lists outside the extent: nobody can reach
  /// it, but it is stored. Forgotten when the index is written anew.
  void add_outside(std::uint64_t bytes) { outside_ += bytes; }
  void forget_outside() { outside_ = 0; }
  [[nodiscard]] std::uint64_t outside_bytes() const { return outside_; }
  /// All runs by ascending ordinal; filtered chunks are not among them.
  [[nodiscard]] std::vector<IndexRun> runs() const;
  /// The same without a copy.
  [[nodiscard]] const std::map<ChunkOrdinal, Extent>& plain_chunks() const { return runs_; }
  [[nodiscard]] const FilteredRuns& filtered_chunks() const { return filtered_; }

 private:
  using Interval = OrdinalInterval;
  template <class F>
  void for_each_interval(const Box& box, F&& visit) const;
  [[nodiscard]] bool has_fewer_chunks(const Box& box) const;
  [[nodiscard]] std::vector<IndexRun> lookup_by_chunks(const Box& box) const;
  [[nodiscard]] bool has_any_from(ChunkOrdinal first) const;
  void missing_in(Interval interval, std::vector<Interval>* missing) const;
  void insert(IndexRun run);
  using Runs = std::map<ChunkOrdinal, Extent>;
  void insert(IndexRun run, Runs::node_type node) noexcept;
  void note(const ChunkGrid& grid, ChunkOrdinal first, std::uint64_t count) {
    if (!changes_) return;
    try {
      changes_->note(grid, first, count);
    } catch (...) {
      // What isn't known to have changed would not be written: now all is.
      changes_.reset();
      throw;
    }
  }

  ChunkGrid grid_;
  std::uint64_t chunk_bytes_;
  Runs runs_;
  std::uint64_t plain_ = 0;  ///< chunks in runs_
  FilteredRuns filtered_;
  std::uint64_t outside_ = 0;  ///< bytes
  std::optional<IndexChanges> changes_;
  static std::uint64_t next_version() noexcept;
  std::uint64_t version_ = next_version();
};

}  // namespace pcio
