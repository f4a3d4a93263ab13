// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection that was made in one extent, in another, out of line.

#include "space/place_in_extent.hpp"

#include <string>

namespace pcio {

Result<Dataspace> place_in_extent(const Dataspace& given, const Extent& extent, const char* what) {
  if (given.same_extent(extent)) return given;
  Dataspace space = extent;
  if (given.selected() == 0) {
    space.selection() = Selection::none();
    return space;
  }
  const bool all = given.selection().kind() == SelectionKind::kAll;
  if (given.ndims() != extent.ndims()) {
    if (all && given.npoints() == extent.npoints()) return space;
    return PCIO_ERROR(ARGS, BADVALUE,
                      std::string(what) + " has " + std::to_string(given.ndims()) +
                          " dimensions, the dataset has " + std::to_string(extent.ndims()));
  }
  if (given.cls() != SpaceClass::kSimple || extent.cls() != SpaceClass::kSimple)
    return PCIO_ERROR(ARGS, BADVALUE, std::string(what) + ": not of the dataset's class");
  if (all) {
    PCIO_TRY(space.select_box(Box::whole(given.dims())));
    return space;
  }
  space.selection() = given.selection();
  space.copy_selection_offset(given);
  return space;
}

}  // namespace pcio
