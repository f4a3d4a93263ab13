// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5FD: the ids of file drivers. Programs compare them with H5Pget_driver.

#include <mutex>

#include "lib/api_entry.hpp"
#include "lib/driver_ids.hpp"
#include "lib/text_argument.hpp"

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

Result<HandleId> pcio::driver_id(const DriverSettings& settings) {
  if (const auto* program = dynamic_cast<const ProgramSettings*>(&settings))
    return program->driver()->id;
  return driver_id(settings.kind());
}

namespace {

Status check_class(const H5FD_class_t* cls) {
  PCIO_TRY(need_pointer(cls, "cls"));
  if (cls->name == nullptr) return PCIO_ERROR(ARGS, BADVALUE, "argument cls: no name");
  if (cls->open == nullptr || cls->close == nullptr)
    return PCIO_ERROR(ARGS, UNINITIALIZED, "argument cls: \"open\" or \"close\" is missing");
  if (cls->get_eoa == nullptr || cls->set_eoa == nullptr || cls->get_eof == nullptr)
    return PCIO_ERROR(ARGS, UNINITIALIZED,
                      "argument cls: \"get_eoa\", \"set_eoa\" or \"get_eof\" is missing");
  if (cls->read == nullptr || cls->write == nullptr)
    return PCIO_ERROR(ARGS, UNINITIALIZED, "argument cls: \"read\" or \"write\" is missing");
  for (H5FD_mem_t use : cls->fl_map)
    if (use < H5FD_MEM_NOLIST || use >= H5FD_MEM_NTYPES)
      return PCIO_ERROR(ARGS, BADRANGE,
                        "argument cls: fl_map has a number that is no use of space");
  return Status();
}

}  // namespace

hid_t H5FDregister(const H5FD_class_t* cls) {
  return api_id("H5FDregister", [&]() -> Result<hid_t> {
    PCIO_TRY(check_class(cls));
    auto driver = std::make_shared<DriverObject>(DriverKind::kProgram, *cls);
    PCIO_ASSIGN(const HandleId id, register_object(driver));
    driver->id = id;
    return id;
  });
}

herr_t H5FDunregister(hid_t driver_id) {
  return api_status("H5FDunregister",
                    [&]() -> Status { return close_id(driver_id, IdType::kDriver, "driver_id"); });
}

herr_t H5FDdriver_query(hid_t driver_id, unsigned long* flags) {
  return api_status("H5FDdriver_query", [&]() -> Status {
    PCIO_ASSIGN(auto driver, get<DriverObject>(driver_id, "driver_id"));
    PCIO_TRY(need_pointer(flags, "flags"));
    *flags = 0;
    const H5FD_class_t& cls =
        driver->kind == DriverKind::kProgram ? driver->cls : own_driver_class(driver->kind);
    if (cls.query == nullptr || cls.query(nullptr, flags) >= 0) return Status();
    return PCIO_ERROR(VFL, CALLBACK, "the driver does not say what it is like");
  });
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

hid_t H5FD_stdio_init(void) {
  return api_id("H5FD_stdio_init", []() { return driver_id(DriverKind::kStdio); });
}

hid_t H5FD_log_init(void) {
  return api_id("H5FD_log_init", []() { return driver_id(DriverKind::kLog); });
}

hid_t H5FD_family_init(void) {
  return api_id("H5FD_family_init", []() { return driver_id(DriverKind::kFamily); });
}

hid_t H5FD_multi_init(void) {
  return api_id("H5FD_multi_init", []() { return driver_id(DriverKind::kMulti); });
}
