// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Appending to datasets.
#include "H5DOpublic.h"

#include <hdf5.h>

#include <limits>
#include <exception>
#include <vector>

#include "support.hpp"

namespace pcio::hl {
namespace {

struct Growth {
  unsigned axis;
  std::vector<hsize_t> before, after;
};

/// A boundary of the access list was passed.
herr_t flush_at_boundary(hid_t dataset, const Growth& growth) {
  const OwnedId access(H5Dget_access_plist(dataset));
  const auto ndims = static_cast<unsigned>(growth.after.size());
  std::vector<hsize_t> boundary(ndims);
  H5D_append_cb_t function = nullptr;
  void* data = nullptr;
  if (!access || H5Pget_append_flush(access.get(), ndims, boundary.data(), &function, &data) < 0)
    return -1;
  const hsize_t step = boundary[growth.axis];
  if (step == 0 || growth.before[growth.axis] / step == growth.after[growth.axis] / step) return 0;
  std::vector<hsize_t> now = growth.after;
  if (function != nullptr && function(dataset, now.data(), data) < 0)
    return refuse("H5DOappend", "dset_id", "the function of its access list failed");
  return H5Dflush(dataset) < 0 ? -1 : 0;
}

herr_t append(hid_t dataset, hid_t list, unsigned axis, size_t extension, hid_t type,
              const void* buffer) {
  constexpr const char* kFunction = "H5DOappend";
  const OwnedId space(H5Dget_space(dataset));
  const int ndims = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  if (ndims < 0) return -1;
  if (axis >= static_cast<unsigned>(ndims)) return refuse(kFunction, "axis", "no such dimension");
  Growth growth{axis, std::vector<hsize_t>(static_cast<size_t>(ndims)), {}};
  H5Sget_simple_extent_dims(space.get(), growth.before.data(), nullptr);
  growth.after = growth.before;
  if (extension > std::numeric_limits<hsize_t>::max() - growth.before[axis])
    return refuse(kFunction, "extension", "the dimension can't be that large");
  growth.after[axis] += extension;
  if (H5Dset_extent(dataset, growth.after.data()) < 0) return -1;
  const OwnedId grown(H5Dget_space(dataset));
  std::vector<hsize_t> start(static_cast<size_t>(ndims)), count = growth.after;
  start[axis] = growth.before[axis];
  count[axis] = extension;
  if (!grown || H5Sselect_hyperslab(grown.get(), H5S_SELECT_SET, start.data(), nullptr,
                                    count.data(), nullptr) < 0)
    return -1;
  const auto elements = static_cast<hsize_t>(H5Sget_select_npoints(grown.get()));
  const OwnedId row(H5Screate_simple(1, &elements, nullptr));
  if (!row || H5Dwrite(dataset, type, row.get(), grown.get(), list, buffer) < 0) return -1;
  return flush_at_boundary(dataset, growth);
}

}  // namespace
}  // namespace pcio::hl

using namespace pcio::hl;

herr_t H5DOappend(hid_t dset_id, hid_t dxpl_id, unsigned axis, size_t extension, hid_t memtype,
                  const void* buf) {
  constexpr const char* kFunction = "H5DOappend";
  if (H5Iget_type(dset_id) != H5I_DATASET) return refuse(kFunction, "dset_id", "not a dataset");
  if (dxpl_id != H5P_DEFAULT && H5Pisa_class(dxpl_id, H5P_DATASET_XFER) <= 0)
    return refuse(kFunction, "dxpl_id", "not a transfer list");
  if (extension == 0) return 0;
  if (buf == nullptr) return refuse(kFunction, "buf", "it is null");
  try {
    return append(dset_id, dxpl_id, axis, extension, memtype, buf);
  } catch (const std::exception&) {
    return refuse(kFunction, "dset_id", "out of memory");
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
