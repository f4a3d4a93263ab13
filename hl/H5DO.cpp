// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Appending to datasets.
#include "H5DOpublic.h"

#include <hdf5.h>

#include <limits>
#include <exception>
#include <vector>

#include "all_ranks.hpp"
#include "support.hpp"

namespace pcio::hl {
namespace {

constexpr const char* kAppend = "H5DOappend";

struct Growth {
  unsigned axis;
  std::vector<hsize_t> before, after;
};

/// What the access list wants done where a boundary is passed.
struct Boundary {
  bool passed = false;
  H5D_append_cb_t function = nullptr;
  void* data = nullptr;
  std::vector<hsize_t> now;  ///< the sizes, for the function
};

/// A step of this rank.
bool look_for_boundary(hid_t dataset, const Growth& growth, Boundary* found) {
  const OwnedId access(H5Dget_access_plist(dataset));
  const auto ndims = static_cast<unsigned>(growth.after.size());
  std::vector<hsize_t> boundary(ndims);
  if (!access ||
      H5Pget_append_flush(access.get(), ndims, boundary.data(), &found->function, &found->data) < 0)
    return false;
  const hsize_t step = boundary[growth.axis];
  found->now = growth.after;
  found->passed =
      step != 0 && growth.before[growth.axis] / step != growth.after[growth.axis] / step;
  return true;
}

/// All ranks flush, or none: the writes may have been independent ones, and the function is each rank's own.
herr_t flush_at_boundary(hid_t dataset, Boundary& boundary, bool written) {
  const Ranks ranks = ranks_of(dataset);
  if (!all_have(kAppend, dataset, ranks, written, {})) return -1;
  const bool called = boundary.function == nullptr ||
                      boundary.function(dataset, boundary.now.data(), boundary.data) >= 0 ||
                      refuse(kAppend, "dset_id", "the function of its access list failed") == 0;
  if (!all_have(kAppend, dataset, ranks, called, {})) return -1;
  return H5Dflush(dataset) < 0 ? -1 : 0;
}

struct Elements {
  hid_t dataset, list;
  unsigned axis;
  size_t extension;
  hid_t type;
  const void* values;
};

bool check(const Elements& what) {
  if (what.list != H5P_DEFAULT && H5Pisa_class(what.list, H5P_DATASET_XFER) <= 0)
    return refuse(kAppend, "dxpl_id", "not a transfer list") == 0;
  return what.extension == 0 || what.values != nullptr || refuse(kAppend, "buf", "it is null") == 0;
}

/// The sizes before and after.
bool plan(const Elements& what, Growth* growth) {
  const OwnedId space(H5Dget_space(what.dataset));
  const int ndims = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (ndims < 0) return false;
  if (what.axis >= static_cast<unsigned>(ndims))
    return refuse(kAppend, "axis", "no such dimension") == 0;
  *growth = {what.axis, std::vector<hsize_t>(static_cast<size_t>(ndims)), {}};
  H5Sget_simple_extent_dims(space.get(), growth->before.data(), nullptr);
  growth->after = growth->before;
  if (what.extension > std::numeric_limits<hsize_t>::max() - growth->before[what.axis])
    return refuse(kAppend, "extension", "the dimension can't be that large") == 0;
  growth->after[what.axis] += what.extension;
  return true;
}

/// In the grown dataset; invalid where there is no memory.
OwnedId new_elements(hid_t dataset, const Growth& growth) {
  OwnedId space(H5Dget_space(dataset));
  std::vector<hsize_t> start(growth.after.size()), count = growth.after;
  start[growth.axis] = growth.before[growth.axis];
  count[growth.axis] -= start[growth.axis];
  if (!space || H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr,
                                    count.data(), nullptr) < 0)
    return OwnedId(H5I_INVALID_HID);
  return space;
}

/// The dataset grows on all ranks, or none, before any of them writes.
herr_t append(const Elements& what) {
  Growth growth{};
  Boundary boundary;
  const bool planned = all_take(kAppend, what.dataset, {what.axis, what.extension}, [&] {
    return check(what) && plan(what, &growth) && look_for_boundary(what.dataset, growth, &boundary);
  });
  if (!planned) return -1;
  if (what.extension == 0) return 0;
  OwnedId grown(H5I_INVALID_HID), row(H5I_INVALID_HID);
  const bool ready = all_take(kAppend, what.dataset, {boundary.passed ? 1U : 0U}, [&] {
    if (H5Dset_extent(what.dataset, growth.after.data()) < 0) return false;
    grown = new_elements(what.dataset, growth);
    const auto elements =
        grown ? static_cast<hsize_t>(H5Sget_select_npoints(grown.get())) : hsize_t{0};
    row = OwnedId(H5Screate_simple(1, &elements, nullptr));
    return grown && row;
  });
  if (!ready) {
    const ErrorsKept kept;
    H5Dset_extent(what.dataset, growth.before.data());
    return -1;
  }
  const bool written =
      H5Dwrite(what.dataset, what.type, row.get(), grown.get(), what.list, what.values) >= 0;
  if (boundary.passed) return flush_at_boundary(what.dataset, boundary, written);
  return written ? 0 : -1;
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5DOappend(hid_t dset_id, hid_t dxpl_id, unsigned axis, size_t extension, hid_t memtype,
                  const void* buf) {
  if (H5Iget_type(dset_id) != H5I_DATASET) return refuse(kAppend, "dset_id", "not a dataset");
  try {
    return append({dset_id, dxpl_id, axis, extension, memtype, buf});
  } catch (const std::exception&) {
    return refuse(kAppend, "dset_id", "out of memory");
  }
}

herr_t H5DOwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t* offset,
                       size_t data_size, const void* buf) {
  return H5Dwrite_chunk(dset_id, dxpl_id, filters, offset, data_size, buf);
}

herr_t H5DOread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t* offset, uint32_t* filters,
                      void* buf) {
  return H5Dread_chunk(dset_id, dxpl_id, offset, filters, buf);
}
