// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: chunks in the order of their addresses.
//
// File views need displacements that do not decrease (MPI 4.0, chapter I/O, "File Views"), and
// ascending addresses let neighbours be joined.

#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace pcio {

struct PlacedChunk {
  ChunkOrdinal ordinal = 0;
  FileAddress address = 0;
  friend bool operator==(const PlacedChunk&, const PlacedChunk&) = default;
};

enum class WasOrdered : std::uint8_t { kNo, kYes };

/// Sorts by address, chunks at the same address (those without space) by number. Where nothing is
/// to be done, as for space given in order of numbers, it takes one pass. Collective: pure. Returns
/// whether the chunks were in order already.
WasOrdered order_by_address(std::span<PlacedChunk> chunks);

}  // namespace pcio
