// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection that was made in one extent, in another.

#pragma once

#include "space/dataspace.hpp"

namespace pcio {

/// Whether the elements of a dataset are a line, whatever dimensions they are counted in: contiguous and compact ones.
enum class Elements : std::uint8_t { kInGrid, kInLine };

/// The selection of `given`, with its offset, in `extent`: a program's dataspace may be of an earlier extent
/// of the dataset, whose "all" is a box in today's. Everything is everything, however many dimensions it
/// is written in: a single value, say. In a line a selection in another extent means the elements at its places in that,
/// which the result has then, as in libhdf5. Whether it lies inside is not looked at (check_selection).
/// `what`: what messages call `given`. Collective: pure.
/// Errors: another number of dimensions, in a grid; the end of the line; another class.
Result<Dataspace> place_in_extent(const Dataspace& given, const Extent& extent, Elements elements,
                                  const char* what);

}  // namespace pcio
