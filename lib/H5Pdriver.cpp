// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: the serial drivers of a file access list. The MPI ones are in H5Pmpio.cpp.

#include "lib/driver_ids.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

hid_t H5Pget_driver(hid_t plist_id) {
  return api_id("H5Pget_driver", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto props, props_of<FileAccessProps>(plist_id, "plist_id"));
    return driver_id(props->driver.value().kind());
  });
}

herr_t H5Pset_fapl_sec2(hid_t fapl_id) {
  return set_props<FileAccessProps>("H5Pset_fapl_sec2", fapl_id, [&](auto& props) {
    props.driver = DriverChoice(std::make_unique<PosixSettings>());
  });
}

herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store) {
  return set_props<FileAccessProps>("H5Pset_fapl_core", fapl_id, [&](auto& props) {
    using Backing = MemorySettings::BackingStore;
    props.driver = DriverChoice(std::make_unique<MemorySettings>(
        increment, backing_store ? Backing::kWriteAtClose : Backing::kNone));
  });
}

herr_t H5Pget_fapl_core(hid_t fapl_id, size_t* increment, hbool_t* backing_store) {
  return get_props<FileAccessProps>("H5Pget_fapl_core", fapl_id, [&](auto& props) -> Status {
    const auto* core = dynamic_cast<const MemorySettings*>(&props.driver.value());
    if (core == nullptr) return PCIO_ERROR(PLIST, BADVALUE, "the list asks for another driver");
    store(increment, core->increment());
    store(backing_store, core->backing_store() == MemorySettings::BackingStore::kWriteAtClose);
    return Status();
  });
}

herr_t H5Pset_core_write_tracking(hid_t fapl_id, hbool_t is_enabled, size_t page_size) {
  return set_props<FileAccessProps>(
      "H5Pset_core_write_tracking", fapl_id, [&](auto& props) -> Status {
        if (page_size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument page_size is zero");
        props.core_write_tracking = is_enabled;
        props.core_write_page = page_size;
        return Status();
      });
}

herr_t H5Pget_core_write_tracking(hid_t fapl_id, hbool_t* is_enabled, size_t* page_size) {
  return get_props<FileAccessProps>("H5Pget_core_write_tracking", fapl_id, [&](auto& props) {
    store(is_enabled, props.core_write_tracking);
    store(page_size, props.core_write_page);
  });
}
