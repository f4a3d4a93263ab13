// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: BroadcastTransport.

#include "transfer/transports/broadcast_transport.hpp"

#include <vector>

#include "base/without_throwing.hpp"
#include "transfer/transports/execute.hpp"

namespace pcio {

namespace {

Status take_all(PieceSource& source, std::vector<FilePiece>& pieces) {
  for (;;) {
    const std::size_t before = pieces.size();
    PCIO_TRY(source.next(pieces, kPiecesAtOnce));
    if (pieces.size() == before) return Status();
  }
}

}  // namespace

/// The same bytes on all ranks, so the same exchange.
Status BroadcastTransport::move(PieceSource& source) {
  Bytes packed = work_.job.broadcast_buffer();
  std::vector<FilePiece> pieces;
  Status local = without_throwing([&] { return take_all(source, pieces); });
  std::uint64_t bytes = 0;
  for (const FilePiece& piece : pieces) bytes += work_.mover.file_bytes(piece);
  const bool reads = coordinator().rank() == 0;
  if (reads && local.ok())
    local = without_throwing([&] { return read_packed(pieces, packed.first(bytes)); });
  ++work_.counts.rounds;
  (reads ? work_.counts.bytes_sent : work_.counts.bytes_received) += packed.size();
  count_crossing(packed.size());
  if (dry()) return local;
  PCIO_TRY(coordinator().broadcast(packed, 0));
  PCIO_TRY(std::move(local));
  return work_.mover.unpack(packed.first(bytes), pieces);
}

/// To each other node once, said by the rank that read it; little of it may cross more often, in a tree of MPI's.
void BroadcastTransport::count_crossing(std::uint64_t bytes) {
  if (coordinator().rank() == 0)
    work_.counts.bytes_between_nodes += (coordinator().machine().nodes() - 1) * bytes;
}

/// The pieces in file form, one behind the other.
Status BroadcastTransport::read_packed(std::span<const FilePiece> pieces, Bytes packed) {
  ElementForm raw;
  raw.file_size = raw.memory_size = work_.mover.form().file_size;
  MoverByEffort mover(work_.job.effort(), raw, packed.data());
  std::vector<FilePiece> dense(pieces.begin(), pieces.end());
  std::uint64_t element = 0;
  for (FilePiece& piece : dense) {
    piece.memory_element = element;
    element += piece.count;
  }
  return execute_pieces(Direction::kRead, dense, mover.get(), work_.target);
}

}  // namespace pcio
