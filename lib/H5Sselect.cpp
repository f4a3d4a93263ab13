// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5S: making selections. Nothing here communicates.

#include <algorithm>

#include "lib/api_entry.hpp"
#include "lib/text_argument.hpp"
#include "lib/value_handles.hpp"
#include "space/project.hpp"

using namespace pcio;

namespace {

/// The four lists of a hyperslab call; stride and block may be null.
struct SlabArguments {
  const hsize_t* start;
  const hsize_t* stride;
  const hsize_t* count;
  const hsize_t* block;
};

Dims numbers(const hsize_t* values, unsigned n) {
  return values != nullptr ? Dims::from(reinterpret_cast<const std::uint64_t*>(values), n)
                           : Dims(n, 1);
}

/// `space` with the hyperslab combined into its selection; `space` itself on failure unchanged.
Status select_slab(Dataspace& space, H5S_seloper_t op, const SlabArguments& slab) {
  if (slab.start == nullptr || slab.count == nullptr)
    return PCIO_ERROR(
        ARGS, BADVALUE,
        std::string("argument ") + (slab.start == nullptr ? "start" : "count") + ": NULL");
  if (op < H5S_SELECT_SET || op > H5S_SELECT_NOTA)
    return PCIO_ERROR(ARGS, UNSUPPORTED, "argument op: not an operator of hyperslabs");
  if (space.ndims() == 0)
    return PCIO_ERROR(ARGS, BADTYPE,
                      "no hyperslab can be selected in a dataspace without dimensions");
  const unsigned n = space.ndims();
  return space.selection().select_hyperslab(
      space.dims(), static_cast<SelectOp>(op),
      RegularSlab{numbers(slab.start, n), numbers(slab.stride, n), numbers(slab.count, n),
                  numbers(slab.block, n)});
}

/// Combines the hyperslab selected in `other` into the one selected in `space`.
Status combine_slabs(Dataspace& space, H5S_seloper_t op, const Dataspace& other) {
  if (op < H5S_SELECT_OR || op > H5S_SELECT_NOTA)
    return PCIO_ERROR(ARGS, UNSUPPORTED, "argument op: not an operator on two hyperslabs");
  if (space.ndims() != other.ndims())
    return PCIO_ERROR(ARGS, BADVALUE, "dataspaces differ in dimensions");
  const Selection& selection = other.selection();
  if (space.selection().kind() != SelectionKind::kHyperslab ||
      selection.kind() != SelectionKind::kHyperslab)
    return PCIO_ERROR(ARGS, BADVALUE, "both selections must be hyperslabs");
  return space.selection().combine(space.dims(), static_cast<SelectOp>(op), selection);
}

/// HDF5 moves a selection against its bounds, so what has none can't be moved, and all, which
/// starts at zero, can be moved up only, which does nothing.
Status adjust(Dataspace& space, const hssize_t* offset) {
  const SelectionKind kind = space.selection().kind();
  if (kind == SelectionKind::kNone)
    return PCIO_ERROR(DATASPACE, BADSELECT, "nothing is selected that could be moved");
  if (kind == SelectionKind::kAll) {
    if (std::all_of(offset, offset + space.ndims(), [](hssize_t o) { return o <= 0; }))
      return Status();
    return PCIO_ERROR(ARGS, BADRANGE, "argument offset: moves the selection below zero");
  }
  return space.selection().adjust(space.dims(), reinterpret_cast<const std::int64_t*>(offset));
}

/// A copied selection has as many coordinates as its new dataspace has dimensions, or none.
Status copy_selection(Dataspace& to, const Dataspace& from) {
  const SelectionKind kind = from.selection().kind();
  const bool placed = kind == SelectionKind::kHyperslab || kind == SelectionKind::kPoints;
  if (placed && to.ndims() != from.ndims())
    return PCIO_ERROR(ARGS, BADVALUE, "dataspaces differ in dimensions");
  to.selection() = from.selection();
  to.copy_selection_offset(from);
  return Status();
}

}  // namespace

herr_t H5Sselect_all(hid_t spaceid) {
  return api_status("H5Sselect_all", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(spaceid, "spaceid"));
    object->space.selection() = Selection::all();
    return Status();
  });
}

herr_t H5Sselect_none(hid_t spaceid) {
  return api_status("H5Sselect_none", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(spaceid, "spaceid"));
    object->space.selection() = Selection::none();
    return Status();
  });
}

herr_t H5Sselect_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                           const hsize_t stride[], const hsize_t count[], const hsize_t block[]) {
  return api_status("H5Sselect_hyperslab", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(space_id, "space_id"));
    return select_slab(object->space, op, {start, stride, count, block});
  });
}

herr_t H5Sselect_elements(hid_t space_id, H5S_seloper_t op, size_t num_elem, const hsize_t* coord) {
  return api_status("H5Sselect_elements", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(space_id, "space_id"));
    if (num_elem == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument num_elem: no elements");
    PCIO_TRY(need_pointer(coord, "coord"));
    if (op != H5S_SELECT_SET && op != H5S_SELECT_APPEND && op != H5S_SELECT_PREPEND)
      return PCIO_ERROR(ARGS, UNSUPPORTED, "argument op: not an operator of elements");
    Dataspace& s = object->space;
    return s.selection().select_points(s.dims(), static_cast<SelectOp>(op),
                                       reinterpret_cast<const std::uint64_t*>(coord), num_elem);
  });
}

hid_t H5Scombine_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                           const hsize_t stride[], const hsize_t count[], const hsize_t block[]) {
  return api_id("H5Scombine_hyperslab", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    Dataspace combined = object->space;
    PCIO_TRY(select_slab(combined, op, {start, stride, count, block}));
    return make_id<SpaceObject>(std::move(combined));
  });
}

hid_t H5Scombine_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id) {
  return api_id("H5Scombine_select", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto first, get<SpaceObject>(space1_id, "space1_id"));
    PCIO_ASSIGN(auto second, get<SpaceObject>(space2_id, "space2_id"));
    Dataspace combined = first->space;
    PCIO_TRY(combine_slabs(combined, op, second->space));
    return make_id<SpaceObject>(std::move(combined));
  });
}

herr_t H5Smodify_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id) {
  return api_status("H5Smodify_select", [&]() -> Status {
    PCIO_ASSIGN(auto first, get_to_change<SpaceObject>(space1_id, "space1_id"));
    PCIO_ASSIGN(auto second, get<SpaceObject>(space2_id, "space2_id"));
    return combine_slabs(first->space, op, second->space);
  });
}

herr_t H5Sselect_copy(hid_t dst_id, hid_t src_id) {
  return api_status("H5Sselect_copy", [&]() -> Status {
    PCIO_ASSIGN(auto source, get<SpaceObject>(src_id, "src_id"));
    PCIO_ASSIGN(auto destination, get_to_change<SpaceObject>(dst_id, "dst_id"));
    return copy_selection(destination->space, source->space);
  });
}

herr_t H5Sselect_adjust(hid_t spaceid, const hssize_t* offset) {
  return api_status("H5Sselect_adjust", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(spaceid, "spaceid"));
    if (offset == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument offset: null pointer");
    return adjust(object->space, offset);
  });
}

herr_t H5Soffset_simple(hid_t space_id, const hssize_t* offset) {
  return api_status("H5Soffset_simple", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(space_id, "space_id"));
    if (object->space.ndims() == 0)
      return PCIO_ERROR(ARGS, BADTYPE, "a dataspace without dimensions has no offset");
    if (offset == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument offset: null pointer");
    SelectionOffset values{};
    std::copy(offset, offset + object->space.ndims(), values.begin());
    object->space.set_selection_offset(values);
    return Status();
  });
}

hid_t H5Sselect_project_intersection(hid_t src_space_id, hid_t dst_space_id,
                                     hid_t src_intersect_space_id) {
  return api_id("H5Sselect_project_intersection", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto source, get<SpaceObject>(src_space_id, "src_space_id"));
    PCIO_ASSIGN(auto destination, get<SpaceObject>(dst_space_id, "dst_space_id"));
    PCIO_ASSIGN(auto part, get<SpaceObject>(src_intersect_space_id, "src_intersect_space_id"));
    PCIO_ASSIGN(Dataspace projected,
                project_intersection(source->space, destination->space, part->space));
    return make_id<SpaceObject>(std::move(projected));
  });
}
