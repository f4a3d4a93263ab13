// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: this rank's own pieces between buffer and file, by explicit offsets.
//
// Pieces that follow each other in the file become one call. Reads also bridge small gaps: reading
// a few bytes too many costs less than another call. Writes never do, for the bytes in a gap are
// somebody else's.

#pragma once

#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/convert_buffer.hpp"
#include "transfer/pieces/piece_source.hpp"

namespace pcio {

/// Bytes of the buffer in which small pieces are joined.
inline constexpr std::size_t kStagingBytes = std::size_t{4} << 20;

/// Moves all pieces of `source`. Collective: independent. Memory: one buffer of at most
/// `staging_bytes` (but room for one element), and those of the mover. On failure some pieces may
/// have been moved. Errors: those of source, store and mover.
Status execute_direct(Direction direction, PieceSource& source, ElementMover& mover,
                      ByteTarget& store, std::size_t staging_bytes);

/// The same for pieces that are already a list in ascending order.
Status execute_pieces(Direction direction, std::span<const FilePiece> pieces, ElementMover& mover,
                      ByteTarget& store);

}  // namespace pcio
