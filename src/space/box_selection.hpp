// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection seen through boxes: the chunks it touches, and its part inside one.

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "space/dataspace.hpp"

namespace pcio {

/// Enumerates the chunks that a selection touches, row-major, without visiting others.
///
/// Memory: O(ndims) for regular selections; for span trees the nodes on the current path; for
/// points one number per touched chunk. The dataspace must have passed check_selection().
class TouchedChunks {
 public:
  /// `chunk` [ndims], nowhere zero.
  TouchedChunks(const Dataspace& space, const Dims& chunk);
  /// The next chunk's position in the grid; false when none is left.
  bool next(Dims& chunk_coords);

 private:
  enum class Source : std::uint8_t { kNothing, kRegular, kTree, kPoints };
  bool first_at(unsigned d, std::uint64_t from);
  [[nodiscard]] std::uint64_t first_touched(unsigned d, std::uint64_t x) const;
  void collect_below(unsigned d);
  void collect_points(const Selection& selection, const Dims& dims);
  bool next_point(Dims& chunk_coords);

  Source source_ = Source::kNothing;
  bool started_ = false;
  Dims chunk_;
  Dims at_;  // current chunk
  std::array<SlabDim, kMaxNdims> slab_;
  SpanNodePtr tree_;
  std::vector<std::vector<const SpanNode*>> nodes_;  // per dimension, under the slower chunks
  Dims grid_;
  std::vector<std::uint64_t> ordinals_;  // points: touched chunks, ascending
  std::size_t ordinal_ = 0;
};

/// Calls f(const Dims& chunk_coords) for every chunk that the selection touches, row-major.
template <class F>
void for_each_chunk(const Dataspace& space, const Dims& chunk, F&& f) {
  TouchedChunks chunks(space, chunk);
  Dims at;
  while (chunks.next(at)) f(static_cast<const Dims&>(at));
}

/// Number of chunks that the selection touches.
[[nodiscard]] std::uint64_t count_touched_chunks(const Dataspace& space, const Dims& chunk);

/// The part of the selection (offset applied) inside `box`, as a dataspace of box.count with
/// coordinates relative to box.start. The box may reach beyond the extent.
/// Errors: DATASPACE BADRANGE where box and space differ in ndims; as Dataspace::simple.
[[nodiscard]] Result<Dataspace> clip(const Dataspace& space, const Box& box);

/// Number of selected elements (offset applied) inside `box`.
[[nodiscard]] std::uint64_t selected_in(const Dataspace& space, const Box& box);

}  // namespace pcio
