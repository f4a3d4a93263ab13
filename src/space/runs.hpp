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
#include <vector>

#include "space/dataspace.hpp"
#include "space/walkers.hpp"

namespace pcio {

/// Elements [offset, offset + length) of the row-major extent.
struct Run {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Run&, const Run&) = default;
};

/// Streams the selected elements as runs; neighbouring runs are joined. Memory: O(ndims), and a copy
/// of the tree where one has a selection offset.
///
/// The dataspace must have passed check_selection(); it is not needed after construction.
/// Threads: one thread per cursor.
class RunCursor {
 public:
  explicit RunCursor(const Dataspace& space);
  /// The part of the selection inside `box`, with offsets in an array of box.count; sequence numbers
  /// stay those of the whole selection.
  RunCursor(const Dataspace& space, const Box& box);

  /// False when no run is left.
  bool next(Run& run) {
    SequencedRun r;
    if (!next(r)) return false;
    run = {r.offset, r.length};
    return true;
  }
  /// Runs are joined only where offsets and sequence numbers both continue.
  bool next(SequencedRun& run) { return apart_ ? regular_.next(run) : next_joined(run); }
  /// As next(), without looking whether the next run continues this one: for callers that seek often.
  /// Not to be mixed with next() unless a seek comes between.
  bool next_unjoined(SequencedRun& run) { return raw(run); }
  /// Goes to an element by its sequence number (less than selected()); not for a cursor with a box.
  void seek(std::uint64_t sequence);
  /// True where the whole selection is one run, so that offset = sequence + contiguous_offset().
  [[nodiscard]] bool contiguous() const { return contiguous_; }
  [[nodiscard]] std::uint64_t contiguous_offset() const { return contiguous_offset_; }

 private:
  enum class Source : std::uint8_t { kNothing, kRegular, kTree, kPoints };
  void start(const Dataspace& space, const Box* box);
  void start(const Selection& selection, const Dims& extent, const Box* box);
  void start_regular(const Selection& selection, const Dims& extent, const Box* box);
  void start_points(const Dims& extent, const Box* box);
  bool raw(SequencedRun& run);
  bool next_joined(SequencedRun& run);
  bool next_point(SequencedRun& run);

  Source source_ = Source::kNothing;
  bool has_next_ = false;
  bool contiguous_ = false;
  bool apart_ = false;  // a regular selection none of whose runs touch
  std::uint64_t contiguous_offset_ = 0;
  SequencedRun next_;
  detail::RegularWalker regular_;
  detail::TreeWalker tree_;
  // Points: the list, the window they must lie in, and the number of the next one.
  std::shared_ptr<const std::vector<std::uint64_t>> points_;
  unsigned ndims_ = 0;
  std::array<std::uint64_t, kMaxNdims> window_start_;
  std::array<std::uint64_t, kMaxNdims> window_count_;
  std::uint64_t point_ = 0;
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
  /// `chunk` [ndims], nowhere zero.
  ChunkRunCursor(const Dataspace& space, const Dims& chunk);
  bool next(ChunkRun& run);

 private:
  bool piece(ChunkRun& run);
  void locate(std::uint64_t offset);
  void advance(std::uint64_t n);
  void enter_row();

  RunCursor runs_;
  Dims dims_;
  Dims chunk_;
  Dims at_;                 // coordinates of the next element
  Dims grid_;               // chunk coordinates of its row; the fastest one is left to piece()
  std::uint64_t row_ = 0;   // offset of its row in the chunk
  std::uint64_t left_ = 0;  // elements left in the current run
  ChunkRun ready_;
  bool has_ready_ = false;
};

}  // namespace pcio
