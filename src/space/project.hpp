// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: what a part of one selection means in another one of the same size.

#pragma once

#include "space/dataspace.hpp"

namespace pcio {

/// The elements of `destination` that pair with those elements of `source` that `part` selects too.
///
/// The n-th selected element of source goes with the n-th of destination. Selection offsets are
/// ignored. The result has the extent of destination, and is of points where source or destination
/// is. Memory: a number per run of part and per row of the result.
/// Errors: DATASPACE BADRANGE where a selection leaves its extent, source and part differ in
/// extent, or source and destination in number of selected elements.
[[nodiscard]] Result<Dataspace> project_intersection(const Dataspace& source,
                                                     const Dataspace& destination,
                                                     const Dataspace& part);

}  // namespace pcio
