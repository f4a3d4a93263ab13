// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5FD: the ids of file drivers. Programs compare them with H5Pget_driver.

#include <mutex>

#include "lib/api_entry.hpp"
#include "lib/driver_ids.hpp"

using namespace pcio;

Result<HandleId> pcio::driver_id(DriverKind kind) {
  static std::mutex mutex;
  static HandleId ids[kDriverKinds] = {};
  std::lock_guard lock(mutex);
  HandleId& id = ids[static_cast<unsigned>(kind)];
  // After H5close the old id is stale and a new one is made.
  if (!get<DriverObject>(id, "driver")) {
    auto driver = std::make_shared<DriverObject>(kind);
    driver->predefined = true;
    PCIO_ASSIGN(id, register_object(std::move(driver)));
  }
  return id;
}

hid_t H5FD_sec2_init(void) {
  return api_id("H5FD_sec2_init", []() { return driver_id(DriverKind::kPosix); });
}

hid_t H5FD_core_init(void) {
  return api_id("H5FD_core_init", []() { return driver_id(DriverKind::kMemory); });
}

hid_t H5FD_mpio_init(void) {
  return api_id("H5FD_mpio_init", []() { return driver_id(DriverKind::kMpio); });
}

hid_t H5FD_mpiposix_init(void) {
  return api_id("H5FD_mpiposix_init", []() { return driver_id(DriverKind::kMpiposix); });
}
