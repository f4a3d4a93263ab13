// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/pieces: what a file has of pieces that are going to be written in part.

#pragma once

#include <span>

#include "storage/bytes/byte_target.hpp"
#include "transfer/pieces/file_piece.hpp"

namespace pcio {

/// The bytes of `pieces`, ascending and apart, of elements of `element_size` bytes, one behind the other to `packed`. Pieces with
/// less than a page between them are read by one call, and what lies between is dropped; without memory for that each by one.
/// Collective: independent. Errors: the target's.
Status read_pieces(std::span<const FilePiece> pieces, std::uint64_t element_size, Bytes packed,
                   ByteTarget& target);

}  // namespace pcio
