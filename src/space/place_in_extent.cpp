// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection that was made in one extent, in another, out of line.

#include "space/place_in_extent.hpp"

#include <optional>
#include <string>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// All that is selected lies before element number `end` of a line.
bool ends_before(const Dataspace& given, std::uint64_t end) {
  const std::optional<Box> box = given.selected_bounds();
  if (!given.check_selection().ok() || !box) return false;
  // An extent may have more elements than 64 bits can count.
  std::uint64_t last = 0;
  for (unsigned d = 0; d < given.ndims(); ++d) {
    const auto row = checked_mul<std::uint64_t>(last, given.dims()[d]);
    const std::uint64_t in_row = box->start[d] + box->count[d] - 1;
    if (!row || *row >= end || in_row >= end - *row) return false;
    last = *row + in_row;
  }
  return last < end;
}

}  // namespace

Result<Dataspace> place_in_extent(const Dataspace& given, const Extent& extent, Elements elements,
                                  const char* what) {
  if (given.same_extent(extent)) return given;
  Dataspace space = extent;
  if (given.selected() == 0) {
    space.selection() = Selection::none();
    return space;
  }
  const bool all = given.selection().kind() == SelectionKind::kAll;
  const bool same_dims = given.ndims() == extent.ndims() && given.dims() == extent.dims();
  if (all && !same_dims && given.npoints() == extent.npoints()) return space;
  if (elements == Elements::kInLine && !same_dims) {
    if (ends_before(given, extent.npoints())) return given;
    return PCIO_ERROR(ARGS, BADRANGE,
                      std::string(what) + ": the selection does not end before the " +
                          std::to_string(extent.npoints()) + " elements of the dataset do");
  }
  if (given.ndims() != extent.ndims()) {
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
