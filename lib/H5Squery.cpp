// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5S: questions about selections. Nothing here communicates.

#include <algorithm>
#include <array>

#include "lib/api_entry.hpp"
#include "lib/element_count.hpp"
#include "lib/value_handles.hpp"
#include "space/unlimited.hpp"

using namespace pcio;

namespace {

/// The space behind an id whose selection must be of `kind`.
Result<std::shared_ptr<SpaceObject>> space_with(SelectionKind kind, hid_t id) {
  PCIO_ASSIGN(auto object, get<SpaceObject>(id, "spaceid"));
  if (object->space.selection().kind() == kind) return object;
  return PCIO_ERROR(ARGS, BADTYPE,
                    kind == SelectionKind::kPoints ? "argument spaceid: not a selection of elements"
                                                   : "argument spaceid: not a hyperslab selection");
}

/// A coordinate moved by the selection offset, which may lead below zero.
__int128 moved(std::uint64_t coordinate, std::int64_t offset) {
  return static_cast<__int128>(coordinate) + offset;
}

/// First and last selected coordinate per dimension with the selection offset; all has none.
Status bounds_of(const Dataspace& s, hsize_t* start, hsize_t* end) {
  if (s.selection().kind() == SelectionKind::kAll) {
    // HDF5 answers for an extent of zero, too: the last one is then before the first.
    std::fill(start, start + s.ndims(), hsize_t{0});
    std::transform(s.dims().begin(), s.dims().end(), end, [](std::uint64_t n) { return n - 1; });
    return Status();
  }
  const auto box = s.selection().bounds(s.dims());
  if (!box) return PCIO_ERROR(DATASPACE, BADSELECT, "nothing is selected");
  for (unsigned d = 0; d < s.ndims(); ++d) {
    const std::int64_t offset = s.selection_offset()[d];
    if (moved(box->start[d], offset) < 0)
      return PCIO_ERROR(DATASPACE, BADRANGE, "selection offset moves the selection below zero");
    start[d] = box->start[d] + static_cast<std::uint64_t>(offset);
    end[d] = start[d] + (box->count[d] - 1);
  }
  if (is_unlimited(s.selection())) end[*unlimited_dim(s.selection().regular())] = H5S_UNLIMITED;
  return Status();
}

/// True where an element of [start, end] is selected, the selection offset applied.
/// Errors: as bounds_of, and a block that ends before it starts.
Result<bool> touches(const Dataspace& s, const hsize_t* start, const hsize_t* end) {
  std::array<hsize_t, kMaxNdims> low_bound{};
  std::array<hsize_t, kMaxNdims> high_bound{};
  if (s.selection().kind() != SelectionKind::kNone)
    PCIO_TRY(bounds_of(s, low_bound.data(), high_bound.data()));
  Box box{Dims(s.ndims()), Dims(s.ndims())};
  bool outside = false;
  for (unsigned d = 0; d < s.ndims(); ++d) {
    if (start[d] > end[d]) return PCIO_ERROR(ARGS, BADRANGE, "block ends before it starts");
    const bool all = s.selection().kind() == SelectionKind::kAll;
    const std::int64_t offset = all ? 0 : s.selection_offset()[d];
    // The block is moved instead of the selection.
    const __int128 low = std::max<__int128>(0, static_cast<__int128>(start[d]) - offset);
    const __int128 high = static_cast<__int128>(end[d]) - offset;
    outside = outside || high < low || low >= static_cast<__int128>(kUnlimited);
    box.start[d] = static_cast<std::uint64_t>(low);
    box.count[d] = static_cast<std::uint64_t>(
        std::min<__int128>(high - low + 1, static_cast<__int128>(kUnlimited) - low));
  }
  const SelectionKind kind = s.selection().kind();
  if (s.ndims() == 0) return kind == SelectionKind::kAll;
  return !outside && s.selection().intersects(s.dims(), box);
}

Status check_ends(const Selection& selection) {
  if (!is_unlimited(selection)) return Status();
  return PCIO_ERROR(DATASPACE, UNSUPPORTED, "the blocks of an unlimited hyperslab can't be listed");
}

void copy_out(const Dims& from, hsize_t* to) {
  if (to != nullptr) std::copy(from.begin(), from.end(), to);
}

}  // namespace

H5S_sel_type H5Sget_select_type(hid_t spaceid) {
  return api_value("H5Sget_select_type", H5S_SEL_ERROR, [&]() -> Result<H5S_sel_type> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(spaceid, "spaceid"));
    return static_cast<H5S_sel_type>(object->space.selection().kind());
  });
}

hssize_t H5Sget_select_npoints(hid_t spaceid) {
  return api_value("H5Sget_select_npoints", hssize_t{-1}, [&]() -> Result<hssize_t> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(spaceid, "spaceid"));
    if (is_unlimited(object->space.selection())) return static_cast<hssize_t>(H5S_UNLIMITED);
    return element_count(object->space.selected());
  });
}

herr_t H5Sget_select_bounds(hid_t spaceid, hsize_t start[], hsize_t end[]) {
  return api_status("H5Sget_select_bounds", [&]() -> Status {
    PCIO_ASSIGN(auto object, get<SpaceObject>(spaceid, "spaceid"));
    if (start == nullptr || end == nullptr)
      return PCIO_ERROR(ARGS, BADVALUE,
                        std::string("argument ") + (start == nullptr ? "start" : "end") + ": NULL");
    return bounds_of(object->space, start, end);
  });
}

htri_t H5Sselect_valid(hid_t spaceid) {
  return api_int("H5Sselect_valid", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(spaceid, "spaceid"));
    // All of an extent is in it, also where nobody can count how much that is.
    return object->space.selection().kind() == SelectionKind::kAll ||
           object->space.check_selection().ok();
  });
}

htri_t H5Sis_regular_hyperslab(hid_t spaceid) {
  return api_int("H5Sis_regular_hyperslab", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kHyperslab, spaceid));
    return object->space.selection().is_regular();
  });
}

htri_t H5Sget_regular_hyperslab(hid_t spaceid, hsize_t start[], hsize_t stride[], hsize_t count[],
                                hsize_t block[]) {
  return api_int("H5Sget_regular_hyperslab", [&]() -> Result<int> {
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kHyperslab, spaceid));
    if (!object->space.selection().is_regular())
      return PCIO_ERROR(ARGS, BADTYPE, "argument spaceid: not a regular hyperslab");
    const RegularSlab& slab = object->space.selection().regular();
    copy_out(slab.start, start);
    copy_out(slab.stride, stride);
    copy_out(slab.count, count);
    copy_out(slab.block, block);
    return 0;
  });
}

hssize_t H5Sget_select_hyper_nblocks(hid_t spaceid) {
  return api_value("H5Sget_select_hyper_nblocks", hssize_t{-1}, [&]() -> Result<hssize_t> {
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kHyperslab, spaceid));
    PCIO_TRY(check_ends(object->space.selection()));
    return static_cast<hssize_t>(object->space.selection().nblocks());
  });
}

// Blocks beyond the last one are not an error; the list ends early.
herr_t H5Sget_select_hyper_blocklist(hid_t spaceid, hsize_t startblock, hsize_t numblocks,
                                     hsize_t buf[]) {
  return api_status("H5Sget_select_hyper_blocklist", [&]() -> Status {
    if (buf == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument buf: null pointer");
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kHyperslab, spaceid));
    const Selection& selection = object->space.selection();
    PCIO_TRY(check_ends(selection));
    const std::uint64_t first = std::min<std::uint64_t>(startblock, selection.nblocks());
    const std::uint64_t n = std::min<std::uint64_t>(numblocks, selection.nblocks() - first);
    selection.blocklist(first, n, reinterpret_cast<std::uint64_t*>(buf));
    return Status();
  });
}

hssize_t H5Sget_select_elem_npoints(hid_t spaceid) {
  return api_value("H5Sget_select_elem_npoints", hssize_t{-1}, [&]() -> Result<hssize_t> {
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kPoints, spaceid));
    return static_cast<hssize_t>(object->space.selected());
  });
}

// Points beyond the last one are not an error; the list ends early.
herr_t H5Sget_select_elem_pointlist(hid_t spaceid, hsize_t startpoint, hsize_t numpoints,
                                    hsize_t buf[]) {
  return api_status("H5Sget_select_elem_pointlist", [&]() -> Status {
    if (buf == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument buf: null pointer");
    PCIO_ASSIGN(auto object, space_with(SelectionKind::kPoints, spaceid));
    const Dataspace& s = object->space;
    const std::uint64_t first = std::min<std::uint64_t>(startpoint, s.selected());
    const std::uint64_t n = std::min<std::uint64_t>(numpoints, s.selected() - first);
    const std::uint64_t* from = s.selection().points().data() + first * s.ndims();
    std::copy(from, from + n * s.ndims(), buf);
    return Status();
  });
}

htri_t H5Sselect_shape_same(hid_t space1_id, hid_t space2_id) {
  return api_int("H5Sselect_shape_same", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto first, get<SpaceObject>(space1_id, "space1_id"));
    PCIO_ASSIGN(auto second, get<SpaceObject>(space2_id, "space2_id"));
    return first->space.shape_same(second->space);
  });
}

htri_t H5Sselect_intersect_block(hid_t space_id, const hsize_t* start, const hsize_t* end) {
  return api_int("H5Sselect_intersect_block", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    if (start == nullptr || end == nullptr)
      return PCIO_ERROR(ARGS, BADVALUE,
                        std::string("argument ") + (start == nullptr ? "start" : "end") + ": NULL");
    return touches(object->space, start, end);
  });
}
