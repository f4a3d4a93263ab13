// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5S: dataspaces and their extents. Selections are in H5Sselect.cpp and
// H5Squery.cpp. Nothing here communicates.

#include <algorithm>

#include "lib/api_entry.hpp"
#include "lib/element_count.hpp"
#include "lib/value_handles.hpp"

using namespace pcio;

namespace {

Result<Dataspace> simple_of(int rank, const hsize_t* dims, const hsize_t* max) {
  if (rank < 0 || rank > H5S_MAX_RANK)
    return PCIO_ERROR(ARGS, BADVALUE, "argument rank: not between 0 and 32");
  if (rank > 0 && dims == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "argument dims: no dimensions given");
  const auto ndims = static_cast<unsigned>(rank);
  const Dims sizes =
      rank > 0 ? Dims::from(reinterpret_cast<const std::uint64_t*>(dims), ndims) : Dims();
  if (max == nullptr || rank == 0) return Dataspace::simple(sizes);
  const Dims limits = Dims::from(reinterpret_cast<const std::uint64_t*>(max), ndims);
  return Dataspace::simple(sizes, &limits);
}

Result<Dataspace> space_of_class(H5S_class_t type) {
  switch (type) {
    case H5S_SCALAR: return Dataspace::scalar();
    case H5S_SIMPLE: return Dataspace::without_extent();
    case H5S_NULL: return Dataspace::null();
    case H5S_NO_CLASS: break;
  }
  return PCIO_ERROR(ARGS, BADVALUE, "argument type: no class of dataspaces");
}

}  // namespace

hid_t H5Screate(H5S_class_t type) {
  return api_id("H5Screate", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Dataspace made, space_of_class(type));
    return make_id<SpaceObject>(std::move(made));
  });
}

hid_t H5Screate_simple(int rank, const hsize_t dims[], const hsize_t maxdims[]) {
  return api_id("H5Screate_simple", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(Dataspace made, simple_of(rank, dims, maxdims));
    return make_id<SpaceObject>(std::move(made));
  });
}

hid_t H5Scopy(hid_t space_id) {
  return api_id("H5Scopy", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    return make_id<SpaceObject>(object->space);
  });
}

herr_t H5Sclose(hid_t space_id) {
  return api_status("H5Sclose",
                    [&]() -> Status { return close_id(space_id, IdType::kDataspace, "space_id"); });
}

herr_t H5Sset_extent_simple(hid_t space_id, int rank, const hsize_t dims[], const hsize_t max[]) {
  return api_status("H5Sset_extent_simple", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(space_id, "space_id"));
    PCIO_ASSIGN(const Dataspace extent, simple_of(rank, dims, max));
    object->space.copy_extent(extent);
    return Status();
  });
}

// Since HDF5 1.10.7 this leaves a null dataspace, not one without a class.
herr_t H5Sset_extent_none(hid_t space_id) {
  return api_status("H5Sset_extent_none", [&]() -> Status {
    PCIO_ASSIGN(auto object, get_to_change<SpaceObject>(space_id, "space_id"));
    object->space.copy_extent(Dataspace::null());
    return Status();
  });
}

herr_t H5Sextent_copy(hid_t dst_id, hid_t src_id) {
  return api_status("H5Sextent_copy", [&]() -> Status {
    PCIO_ASSIGN(auto source, get<SpaceObject>(src_id, "src_id"));
    PCIO_ASSIGN(auto destination, get_to_change<SpaceObject>(dst_id, "dst_id"));
    destination->space.copy_extent(source->space);
    return Status();
  });
}

htri_t H5Sextent_equal(hid_t space1_id, hid_t space2_id) {
  return api_int("H5Sextent_equal", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto first, get<SpaceObject>(space1_id, "space1_id"));
    PCIO_ASSIGN(auto second, get<SpaceObject>(space2_id, "space2_id"));
    return first->space.same_extent(second->space);
  });
}

// A scalar counts as simple.
htri_t H5Sis_simple(hid_t space_id) {
  return api_int("H5Sis_simple", [&]() -> Result<bool> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    const SpaceClass cls = object->space.cls();
    return cls == SpaceClass::kSimple || cls == SpaceClass::kScalar;
  });
}

int H5Sget_simple_extent_ndims(hid_t space_id) {
  return api_int("H5Sget_simple_extent_ndims", [&]() -> Result<int> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    return static_cast<int>(object->space.ndims());
  });
}

int H5Sget_simple_extent_dims(hid_t space_id, hsize_t dims[], hsize_t maxdims[]) {
  return api_int("H5Sget_simple_extent_dims", [&]() -> Result<int> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    const Dataspace& s = object->space;
    if (dims != nullptr) std::copy(s.dims().begin(), s.dims().end(), dims);
    if (maxdims != nullptr) std::copy(s.max_dims().begin(), s.max_dims().end(), maxdims);
    return static_cast<int>(s.ndims());
  });
}

hssize_t H5Sget_simple_extent_npoints(hid_t space_id) {
  return api_value("H5Sget_simple_extent_npoints", hssize_t{-1}, [&]() -> Result<hssize_t> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    return element_count(object->space.npoints());
  });
}

H5S_class_t H5Sget_simple_extent_type(hid_t space_id) {
  return api_value("H5Sget_simple_extent_type", H5S_NO_CLASS, [&]() -> Result<H5S_class_t> {
    PCIO_ASSIGN(auto object, get<SpaceObject>(space_id, "space_id"));
    return static_cast<H5S_class_t>(object->space.cls());
  });
}
