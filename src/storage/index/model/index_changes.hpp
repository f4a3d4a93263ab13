// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: which chunks of an index are not as the file has them.

#pragma once

#include "storage/index/model/chunk_numbering.hpp"
#include "storage/space/interval_set.hpp"

namespace pcio {

/// What decides the numbers of chunks: the largest dimensions, so that they never change, or the
/// dimensions of today, so that they do unless only the slowest one grows or shrinks.
enum class NumberedBy : std::uint8_t { kLargest, kToday };

/// Chunks by their numbers in the file's index.
class IndexChanges {
 public:
  /// So many separate intervals are no few changes any more, and cost memory.
  static constexpr std::size_t kMost = 1 << 16;

  IndexChanges(ChunkNumbering numbering, NumberedBy by)
      : numbering_(std::move(numbering)), by_(by) {}
  /// Chunks `first` and so on of `grid`.
  void note(const ChunkGrid& grid, ChunkOrdinal first, std::uint64_t count) {
    if (!countable()) return;
    numbering_.for_each_in_run(grid, first, count, [&](std::uint64_t from, std::uint64_t end) {
      numbers_.add(from, end);
    });
  }
  /// The dataset gets another grid. False where numbers don't mean the same any more.
  [[nodiscard]] bool survives(const ChunkGrid& before, const ChunkGrid& after) const {
    const Dims &a = before.grid(), &b = after.grid();
    return by_ == NumberedBy::kLargest || std::equal(a.begin() + 1, a.end(), b.begin() + 1);
  }
  [[nodiscard]] const IntervalSet& numbers() const { return numbers_; }
  /// False where there were too many to remember them.
  [[nodiscard]] bool countable() const { return numbers_.intervals().size() <= kMost; }
  void clear() { numbers_.clear(); }

 private:
  ChunkNumbering numbering_;
  NumberedBy by_;
  IntervalSet numbers_;
};

}  // namespace pcio
