// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: moving planned pieces between a buffer and bytes at addresses, either direction.
//
// Read and write share the plan (a list of pieces, ascending by address) and the batching below;
// only the innermost step differs. Memory: two staging buffers of at most `staging_bytes`.

#pragma once

#include <span>

#include "base/status.hpp"
#include "base/types.hpp"
#include "storage/piece_store.hpp"
#include "type/convert.hpp"

namespace pcio {

/// `count` elements: at `address` in the file form, at element `memory_element` of the buffer.
struct FilePiece {
  FileAddress address = 0;
  std::uint64_t memory_element = 0;
  std::uint64_t count = 0;
};

/// Element sizes in bytes and the way between them. `conversion` runs in the direction of the
/// transfer and may be null or a no-op: then both sizes are equal.
struct ElementForm {
  std::size_t file_size = 1;
  std::size_t memory_size = 1;
  const Conversion* conversion = nullptr;
  std::size_t staging_bytes = std::size_t{4} << 20;
  [[nodiscard]] bool converts() const { return conversion != nullptr && !conversion->is_noop(); }
};

/// Moves the pieces. `pieces` ascend by address and do not overlap in the file; `buffer` is the
/// application's: read only for Direction::kWrite.
///
/// Collective: independent. On failure some pieces may have been moved.
/// Errors: those of the store and of the conversion.
Status execute_pieces(Direction direction, std::span<const FilePiece> pieces,
                      const ElementForm& form, std::byte* buffer, PieceStore& store);

/// Puts `element` (memory_size bytes) at every element of the pieces.
void fill_pieces(std::span<const FilePiece> pieces, ConstBytes element, std::byte* buffer);

}  // namespace pcio
