// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: this rank's selection chunk by chunk, in any order.

#pragma once

#include <functional>
#include <span>
#include <vector>

#include "plan/chunk_owners.hpp"
#include "plan/transfer_runs.hpp"
#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// Pieces have addresses from the start of their chunk. The spaces have passed check_transfer() and
/// outlive this. Threads: one thread.
class ChunkSelection {
 public:
  ChunkSelection(const ChunkGrid& grid, const Dataspace& file, const Dataspace& memory,
                 std::uint64_t element_size, Direction direction);

  /// Touched chunks for which `takes` is true, ascending.
  std::vector<ChunkTouch> touched(const std::function<bool(ChunkOrdinal)>& takes) const;

  /// Calls f(pieces) -> Status until it fails, for one touched chunk. Pieces of a write don't
  /// overlap.
  template <class F>
  Status for_pieces(ChunkOrdinal ordinal, F&& f) {
    if (file_.selected() == 0) return Status();
    cursor_.go_to_chunk(grid_.coords(ordinal));
    for (;;) {
      take_some();
      if (pieces_.empty()) return Status();
      PCIO_TRY(f(std::span<const FilePiece>(pieces_)));
    }
  }

 private:
  void take_some();

  const ChunkGrid& grid_;
  const Dataspace& file_;
  const Dataspace& memory_;
  std::uint64_t element_size_;
  Direction direction_;
  bool points_;
  ChunkPieceCursor cursor_;
  std::vector<FilePiece> pieces_;
};

}  // namespace pcio
