// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: ChunkSelection.

#include "transfer/pieces/chunk_selection.hpp"

#include <limits>

#include "transfer/pieces/piece_source.hpp"

namespace pcio {

ChunkSelection::ChunkSelection(const ChunkGrid& grid, const Dataspace& file,
                               const Dataspace& memory, std::uint64_t element_size,
                               Direction direction)
    : grid_(grid),
      file_(file),
      memory_(memory),
      element_size_(element_size),
      direction_(direction),
      points_(file.selection().kind() == SelectionKind::kPoints),
      cursor_(grid, file, memory) {}

std::vector<ChunkTouch> ChunkSelection::touched(
    const std::function<bool(ChunkOrdinal)>& takes) const {
  std::vector<ChunkTouch> touches;
  if (file_.selected() == 0) return touches;
  ChunkPieceCursor cursor(grid_, file_, memory_);
  while (cursor.next_chunk()) {
    const ChunkOrdinal ordinal = cursor.ordinal();
    if (!takes(ordinal)) continue;
    append_touch(touches,
                 {ordinal, 1, cursor.chunk_selected() * element_size_, cursor.covers_chunk()});
  }
  return touches;
}

void ChunkSelection::take_some() {
  pieces_.clear();
  // Points come in any order and more than once, so all of a chunk are looked at together.
  const std::size_t limit = points_ ? std::numeric_limits<std::size_t>::max() : kPiecesAtOnce;
  for (Piece piece; pieces_.size() < limit && cursor_.next(piece);)
    pieces_.push_back({piece.file_element * element_size_, piece.memory_element, piece.count});
  if (points_) order_pieces(pieces_, element_size_, direction_);
}

}  // namespace pcio
