// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: hyperslabs that go on for ever in one dimension, and extents that can't be counted.
//
// Both can be made and asked for; no cursor is ever made of them (Dataspace::check_selection).

#pragma once

#include <optional>

#include "space/dataspace.hpp"

namespace pcio {

/// The dimension in which a slab goes on for ever: its count is kUnlimited, or its one block is of
/// that length.
[[nodiscard]] std::optional<unsigned> unlimited_dim(const RegularSlab& slab);
[[nodiscard]] bool is_unlimited(const Selection& selection);

/// Errors: ARGS BADVALUE where two dimensions, or count and block of one, are unlimited, or a block of
/// unlimited length is to be followed by another.
Status check_unlimited(const RegularSlab& slab);

/// Of `unlimited`, the blocks that start before the end of `other`: enough of it for what both have,
/// and for what the other one has alone.
Selection ending_with(const Dims& extent, const Selection& unlimited, const Selection& other);

/// `mine` combined with `other`, at least one of them unlimited.
/// Errors: DATASPACE UNSUPPORTED where the result would neither end nor be one regular hyperslab.
Result<Selection> combine_unlimited(const Dims& extent, SelectOp op, const Selection& mine,
                                    const Selection& other);

/// False where the elements of the extent don't fit in 64 bits; npoints() is kUnlimited then.
[[nodiscard]] inline bool is_countable(const Extent& space) {
  return space.npoints() != kUnlimited;
}

/// True for a dataspace whose dimensions were never set: no object and no transfer can have it.
[[nodiscard]] inline bool lacks_extent(const Extent& space) {
  return space.cls() == SpaceClass::kNoClass ||
         (space.cls() == SpaceClass::kSimple && space.ndims() == 0);
}

}  // namespace pcio
