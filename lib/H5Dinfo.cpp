// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5D: questions about datasets. Those about chunks are in H5Dchunk.cpp.

#include "lib/api_entry.hpp"
#include "lib/object_handles.hpp"
#include "object/dataset_queries.hpp"

using namespace pcio;

namespace {

/// Runs `ask(OpenObject) -> Result<T>` on an open dataset.
template <class Ask>
auto ask_dataset(hid_t dset_id, Ask&& ask) -> decltype(ask(std::declval<const OpenObject&>())) {
  PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
  return ask(*dataset->open);
}

}  // namespace

hid_t H5Dget_space(hid_t dset_id) {
  return api_id("H5Dget_space", [&] {
    return ask_dataset(dset_id, [](const OpenObject& open) -> Result<hid_t> {
      PCIO_ASSIGN(Dataspace space, dataset_space(open));
      return make_id<SpaceObject>(std::move(space));
    });
  });
}

herr_t H5Dget_space_status(hid_t dset_id, H5D_space_status_t* allocation) {
  return api_status("H5Dget_space_status", [&]() -> Status {
    return ask_dataset(dset_id, [&](const OpenObject& open) -> Status {
      PCIO_ASSIGN(const AllocationState state, dataset_allocation(open));
      if (allocation != nullptr) *allocation = static_cast<H5D_space_status_t>(state);
      return Status();
    });
  });
}

hid_t H5Dget_type(hid_t dset_id) {
  return api_id("H5Dget_type", [&] {
    return ask_dataset(dset_id, [](const OpenObject& open) -> Result<hid_t> {
      PCIO_ASSIGN(const StoredType stored, dataset_type(open));
      return type_id_for(open.file_ptr(), stored);
    });
  });
}

hid_t H5Dget_create_plist(hid_t dset_id) {
  return api_id("H5Dget_create_plist", [&] {
    return ask_dataset(dset_id, [](const OpenObject& open) -> Result<hid_t> {
      PCIO_ASSIGN(const DatasetCreateProps create, dataset_create_props(open));
      return property_list_id_for(create);
    });
  });
}

hid_t H5Dget_access_plist(hid_t dset_id) {
  return api_id("H5Dget_access_plist", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto dataset, get_member<DatasetObject>(dset_id, "dset_id"));
    return property_list_id_for(dataset_access_props(*dataset->open, dataset->access()));
  });
}

// 0 is also the answer on failure, as in HDF5.
hsize_t H5Dget_storage_size(hid_t dset_id) {
  return api_value("H5Dget_storage_size", hsize_t{0},
                   [&] { return ask_dataset(dset_id, &dataset_bytes); });
}

// Only contiguous data has one place; it is told as an offset in the file, user block included.
haddr_t H5Dget_offset(hid_t dset_id) {
  return api_value("H5Dget_offset", haddr_t{HADDR_UNDEF}, [&] {
    return ask_dataset(dset_id, [](const OpenObject& open) -> Result<haddr_t> {
      PCIO_ASSIGN(const auto offset, dataset_offset(open));
      return offset.value_or(HADDR_UNDEF);
    });
  });
}
