// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which elements of the file belong to which elements of memory, streamed.
//
// The n-th selected element of the file goes with the n-th of memory. Everything is counted in
// elements, for their sizes in file and memory differ when types are converted.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.hpp"
#include "plan/chunk_grid.hpp"
#include "space/box_selection.hpp"
#include "space/runs.hpp"

namespace pcio {

/// `count` elements that are contiguous on both sides.
struct Piece {
  std::uint64_t file_element = 0;    ///< from the start of the dataset, or of the chunk
  std::uint64_t memory_element = 0;  ///< from the start of the buffer
  std::uint64_t count = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Success where both selections lie in their extents and have the same number of elements.
/// Errors: DATASPACE BADRANGE; ARGS BADVALUE for different numbers.
[[nodiscard]] Status check_transfer(const Dataspace& file, const Dataspace& memory);

/// Pieces of a dataset without chunks, in selection order. Memory: O(ndims).
///
/// The spaces must have passed check_transfer(). Threads: one thread per cursor.
class PieceCursor {
 public:
  PieceCursor(const Dataspace& file, const Dataspace& memory) : file_(file), memory_(memory) {}
  /// False when no piece is left.
  bool next(Piece& piece);

 private:
  RunCursor file_;
  RunCursor memory_;
  Run file_run_;
  Run memory_run_;
};

/// Pieces of a chunked dataset: the touched chunks in ascending order, in each its pieces in
/// selection order. Memory: O(ndims); a number per point where the file selection is of points.
///
///     ChunkPieceCursor cursor(grid, file, memory);
///     while (cursor.next_chunk()) {
///       ... cursor.coords(), cursor.ordinal() ...
///       while (cursor.next(piece)) ...    // piece.file_element counts in the full chunk shape
///     }
///
/// The spaces must have passed check_transfer(); grid.dims() == file.dims().
/// Threads: one thread per cursor.
class ChunkPieceCursor {
 public:
  ChunkPieceCursor(const ChunkGrid& grid, const Dataspace& file, const Dataspace& memory);
  /// Goes to the next touched chunk, whether or not all pieces of the last were taken.
  bool next_chunk();
  /// Goes to any touched chunk by its position; next_chunk() is not to be called afterwards.
  void go_to_chunk(const Dims& coords);
  /// The next piece of the current chunk; false when none is left.
  bool next(Piece& piece);

  [[nodiscard]] const Dims& coords() const { return coords_; }
  [[nodiscard]] ChunkOrdinal ordinal() const { return grid_.ordinal(coords_); }
  /// Selected elements of the current chunk. For points that were selected twice, they count twice.
  [[nodiscard]] std::uint64_t chunk_selected() const;
  /// True where every element of the chunk that lies in the extent is selected.
  [[nodiscard]] bool covers_chunk() const;

 private:
  struct PointOfChunk {
    ChunkOrdinal chunk;
    std::uint64_t sequence;
  };
  void sort_points();
  bool next_points_chunk();
  bool next_file_run();
  void seek_memory(std::uint64_t sequence);

  ChunkGrid grid_;
  Dataspace file_;  // without selection offset
  TouchedChunks chunks_;
  Dims coords_;
  std::optional<RunCursor> file_runs_;
  SequencedRun file_run_;
  RunCursor memory_;
  SequencedRun memory_run_;  // what is left of the memory run that is being used
  std::vector<PointOfChunk> points_;
  std::size_t point_ = 0;        // next one
  std::size_t first_point_ = 0;  // of the current chunk
  std::size_t points_end_ = 0;   // behind the last one of the current chunk
};

/// Calls f(ChunkPieceCursor&) once for every touched chunk, in ascending order.
template <class F>
void group_by_chunk(const ChunkGrid& grid, const Dataspace& file, const Dataspace& memory, F&& f) {
  ChunkPieceCursor cursor(grid, file, memory);
  while (cursor.next_chunk()) f(cursor);
}

}  // namespace pcio
