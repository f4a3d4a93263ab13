// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: a set of chunks as ascending intervals of their numbers.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace pcio {

/// Chunks [first, first + count).
struct OrdinalInterval {
  ChunkOrdinal first = 0;
  std::uint64_t count = 0;
  [[nodiscard]] ChunkOrdinal end() const { return first + count; }
  friend bool operator==(const OrdinalInterval&, const OrdinalInterval&) = default;
};

/// The chunks that are accessed collectively; equal on all ranks. A value type.
class MarkedChunks {
 public:
  /// None.
  MarkedChunks() = default;
  static MarkedChunks all();
  static MarkedChunks none() { return MarkedChunks(); }
  /// `intervals`: ascending, not empty, not touching each other.
  static MarkedChunks of(std::vector<OrdinalInterval> intervals);

  [[nodiscard]] bool is_all() const { return extent_ == Extent::kAll; }
  [[nodiscard]] bool is_none() const { return !is_all() && intervals_.empty(); }
  /// O(log intervals). For chunks in ascending order a Cursor is cheaper.
  [[nodiscard]] bool contains(ChunkOrdinal ordinal) const;
  /// Marked chunks of a grid of `dataset_chunks`.
  [[nodiscard]] std::uint64_t size(std::uint64_t dataset_chunks) const {
    return is_all() ? dataset_chunks : size_;
  }
  /// Ascending; empty for all and none.
  [[nodiscard]] std::span<const OrdinalInterval> intervals() const { return intervals_; }

  /// Asks for ascending chunks, as in a merge.
  class Cursor {
   public:
    explicit Cursor(const MarkedChunks& marked) : marked_(&marked) {}
    /// `ordinal` is nowhere smaller than in the call before.
    [[nodiscard]] bool contains(ChunkOrdinal ordinal) {
      if (marked_->is_all()) return true;
      const auto& list = marked_->intervals_;
      while (at_ < list.size() && list[at_].end() <= ordinal) ++at_;
      return at_ < list.size() && list[at_].first <= ordinal;
    }

   private:
    const MarkedChunks* marked_;
    std::size_t at_ = 0;
  };

  friend bool operator==(const MarkedChunks&, const MarkedChunks&) = default;

 private:
  enum class Extent : std::uint8_t { kListed, kAll };
  Extent extent_ = Extent::kListed;
  std::uint64_t size_ = 0;
  std::vector<OrdinalInterval> intervals_;
};

/// Appends [first, first + count) to ascending intervals, joined with the last one where it follows
/// on.
void append_interval(std::vector<OrdinalInterval>& intervals, OrdinalInterval more);

}  // namespace pcio
