// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection as contiguous runs of elements, streamed in selection order.
//
// Selection order is row-major for all and hyperslabs, list order for points. The number of an
// element in that order is its sequence number: it pairs elements of file and memory.

#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "space/dataspace.hpp"

namespace pcio {

/// Elements [offset, offset + length) of the row-major extent.
struct Run {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Run&, const Run&) = default;
};

/// A run together with the sequence number of its first element.
struct SequencedRun {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t sequence = 0;
};

namespace detail {

/// Runs of a product of regular patterns, each possibly cut to a window of selected indices.
///
/// Dimensions that are whole and contiguous are folded into their slower neighbour.
class RegularWalker {
 public:
  RegularWalker() = default;
  /// Prepares `ndims` patterns; pitch[d] = elements between neighbours in dimension d. `first` and
  /// `last` give the window of selected indices per dimension ([first, last)), null for all.
  void start(unsigned ndims, const SlabDim* slab, const std::uint64_t* sizes,
             const std::uint64_t* first, const std::uint64_t* last);
  bool next(SequencedRun& run);
  /// Goes to element number `sequence` of a walker without window; it must exist.
  void seek(std::uint64_t sequence);

 private:
  struct Axis {
    SlabDim slab;
    std::uint64_t first, last;        // window of selected indices
    std::uint64_t pitch;              // elements of the extent per coordinate
    std::uint64_t sequence_pitch;     // elements of the selection per index
    std::uint64_t index;              // current index
    std::uint64_t in_block;           // index % block
    std::uint64_t offset;             // offset of this axis and all slower ones
    std::uint64_t sequence;           // sequence of this axis and all slower ones
  };
  void place(unsigned d, std::uint64_t index);
  void settle(unsigned d);
  bool advance_outer();

  std::array<Axis, kMaxNdims> axes_;
  unsigned naxes_ = 0;
  bool done_ = true;
};

/// Runs of a span tree.
class TreeWalker {
 public:
  TreeWalker() = default;
  void start(SpanNodePtr tree, const Dims& sizes, const SelectionOffset& offset);
  bool next(SequencedRun& run);
  void seek(std::uint64_t sequence);

 private:
  struct Level {
    const SpanNode* node;
    std::size_t span;
    std::uint64_t at;      // coordinate inside the span
    std::uint64_t base;    // offset of this level and all slower ones at `at`
  };
  void descend(unsigned from);
  [[nodiscard]] std::uint64_t base_at(unsigned d) const;

  SpanNodePtr tree_;
  std::array<Level, kMaxNdims> levels_;
  std::array<std::uint64_t, kMaxNdims> pitch_;
  std::array<std::uint64_t, kMaxNdims> shift_;
  unsigned ndims_ = 0;
  std::uint64_t sequence_ = 0;
  bool done_ = true;
};

}  // namespace detail

/// Streams the selected elements as runs; neighbouring runs are joined. Memory: O(ndims).
///
/// The dataspace must have passed check_selection(); it is not needed after construction.
/// Threads: one thread per cursor.
class RunCursor {
 public:
  explicit RunCursor(const Dataspace& space);
  /// The part of the selection inside `box`, offsets as in an array of box.count; sequence numbers
  /// stay those of the whole selection. Only for hyperslabs, all and none.
  RunCursor(const Dataspace& space, const Box& box);

  /// False when no run is left.
  bool next(Run& run) {
    SequencedRun r;
    if (!next(r)) return false;
    run = {r.offset, r.length};
    return true;
  }
  /// Runs are joined only where offsets and sequence numbers both continue.
  bool next(SequencedRun& run);
  /// Goes to an element by its sequence number (less than selected()); not for a cursor with a box.
  void seek(std::uint64_t sequence);
  /// True where the whole selection is one run, so that offset = sequence + constant.
  [[nodiscard]] bool contiguous() const { return contiguous_; }
  /// Offset of the first element of a contiguous selection.
  [[nodiscard]] std::uint64_t contiguous_offset() const { return contiguous_offset_; }

 private:
  enum class Source : std::uint8_t { kNothing, kRegular, kTree, kPoints };
  void start_regular(const Dataspace& space, const Box* box);
  void start_tree(const Dataspace& space, const Box* box);
  void start_points(const Dataspace& space);
  void find_contiguous(std::uint64_t selected);
  bool raw(SequencedRun& run);
  bool next_point(SequencedRun& run);

  Source source_ = Source::kNothing;
  bool has_pending_ = false;
  bool contiguous_ = false;
  std::uint64_t contiguous_offset_ = 0;
  SequencedRun pending_;
  detail::RegularWalker regular_;
  detail::TreeWalker tree_;
  // In a tree cut to a box, sequence numbers are looked up in the whole tree.
  SpanNodePtr whole_tree_;
  Dims box_start_;
  Dims box_pitch_;
  // Points.
  Selection points_;
  std::array<std::uint64_t, kMaxNdims> pitch_{};
  std::uint64_t shift_ = 0;
  std::uint64_t point_ = 0;
  std::uint64_t npoints_ = 0;
};

/// Elements [offset, offset + length) of a chunk, row-major in the full chunk shape.
struct ChunkRun {
  Dims chunk;  ///< position of the chunk in the grid
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// As RunCursor, cut at chunk boundaries, in selection order.
class ChunkRunCursor {
 public:
  /// `chunk` [ndims], no zero.
  ChunkRunCursor(const Dataspace& space, const Dims& chunk);
  bool next(ChunkRun& run);

 private:
  bool piece();
  void locate();

  RunCursor runs_;
  Dims dims_;
  Dims chunk_;
  Dims at_;                   // coordinates of the next element
  Dims grid_;                 // its chunk
  std::uint64_t row_ = 0;     // offset of its row in the chunk
  std::uint64_t left_ = 0;    // elements left in the current run
  ChunkRun ready_;
  bool has_ready_ = false;
};

}  // namespace pcio
