// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5P: the serial drivers of a file access list. The MPI ones are in H5Pmpio.cpp.

#include "lib/driver_ids.hpp"
#include "lib/object_handles.hpp"
#include "lib/property_access.hpp"
#include "props/composed_drivers.hpp"

using namespace pcio;

hid_t H5Pget_driver(hid_t plist_id) {
  return api_id("H5Pget_driver", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(auto props, props_of<FileAccessProps>(plist_id, "plist_id"));
    return driver_id(props->driver.value());
  });
}

namespace {

/// The settings of one of the library's own drivers that programs can name without more.
std::unique_ptr<DriverSettings> plain_settings(DriverKind kind) {
  switch (kind) {
    case DriverKind::kPosix: return std::make_unique<PosixSettings>();
    case DriverKind::kStdio: return std::make_unique<StdioSettings>();
    case DriverKind::kLog: return std::make_unique<LogSettings>();
    case DriverKind::kFamily: return std::make_unique<FamilySettings>();
    case DriverKind::kMulti: return std::make_unique<MultiSettings>();
    case DriverKind::kMemory:
      return std::make_unique<MemorySettings>(0, MemorySettings::BackingStore::kNone);
    default: return nullptr;
  }
}

/// `info` of an own driver came from H5Pget_driver_info.
Result<std::unique_ptr<DriverSettings>> named_driver(const DriverObjectPtr& driver,
                                                     const void* info) {
  if (driver->kind == DriverKind::kProgram) {
    PCIO_ASSIGN(auto settings, ProgramSettings::make(driver, info));
    return std::unique_ptr<DriverSettings>(std::move(settings));
  }
  if (info != nullptr) {
    const auto* given = static_cast<const DriverSettings*>(info);
    if (given->kind() != driver->kind)
      return PCIO_ERROR(ARGS, BADVALUE, "argument driver_info is of another driver");
    return given->clone();
  }
  auto settings = plain_settings(driver->kind);
  if (settings == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument driver_info: this driver needs settings (H5Pset_fapl_mpio)");
  return settings;
}

}  // namespace

herr_t H5Pset_driver(hid_t plist_id, hid_t driver_id, const void* driver_info) {
  return set_props<FileAccessProps>(
      "H5Pset_driver", plist_id, [&](FileAccessProps& props) -> Status {
        PCIO_ASSIGN(auto driver, get<DriverObject>(driver_id, "driver_id"));
        PCIO_ASSIGN(auto settings, named_driver(driver, driver_info));
        props.driver = DriverChoice(std::move(settings));
        return Status();
      });
}

const void* H5Pget_driver_info(hid_t plist_id) {
  return api_value(
      "H5Pget_driver_info", static_cast<const void*>(nullptr), [&]() -> Result<const void*> {
        PCIO_ASSIGN(auto props, props_of<FileAccessProps>(plist_id, "plist_id"));
        const DriverSettings& settings = props->driver.value();
        if (const auto* program = dynamic_cast<const ProgramSettings*>(&settings))
          return program->info();
        const bool none =
            settings.kind() == DriverKind::kPosix || settings.kind() == DriverKind::kStdio;
        return none ? nullptr : static_cast<const void*>(&settings);
      });
}

herr_t H5Pset_multi_type(hid_t fapl_id, H5FD_mem_t type) {
  return set_props<FileAccessProps>(
      "H5Pset_multi_type", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if (type < H5FD_MEM_DEFAULT || type >= H5FD_MEM_NTYPES)
          return PCIO_ERROR(ARGS, BADRANGE, "argument type: no kind of data");
        props.multi_type = type;
        return Status();
      });
}

herr_t H5Pget_multi_type(hid_t fapl_id, H5FD_mem_t* type) {
  return get_props<FileAccessProps>("H5Pget_multi_type", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(type, props.multi_type); });
}

herr_t H5Pset_fapl_sec2(hid_t fapl_id) {
  return set_props<FileAccessProps>("H5Pset_fapl_sec2", {fapl_id, "fapl_id"}, [&](auto& props) {
    props.driver = DriverChoice(std::make_unique<PosixSettings>());
  });
}

herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store) {
  return set_props<FileAccessProps>("H5Pset_fapl_core", {fapl_id, "fapl_id"}, [&](auto& props) {
    using Backing = MemorySettings::BackingStore;
    props.driver = DriverChoice(std::make_unique<MemorySettings>(
        increment, backing_store ? Backing::kWriteAtClose : Backing::kNone));
  });
}

herr_t H5Pget_fapl_core(hid_t fapl_id, size_t* increment, hbool_t* backing_store) {
  return get_props<FileAccessProps>(
      "H5Pget_fapl_core", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        const auto* core = dynamic_cast<const MemorySettings*>(&props.driver.value());
        if (core == nullptr) return PCIO_ERROR(PLIST, BADVALUE, "the list asks for another driver");
        store(increment, core->increment());
        store(backing_store, core->backing_store() == MemorySettings::BackingStore::kWriteAtClose);
        return Status();
      });
}

herr_t H5Pset_core_write_tracking(hid_t fapl_id, hbool_t is_enabled, size_t page_size) {
  return set_props<FileAccessProps>(
      "H5Pset_core_write_tracking", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        if (page_size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument page_size is zero");
        props.core_write_tracking = is_enabled;
        props.core_write_page = page_size;
        return Status();
      });
}

herr_t H5Pget_core_write_tracking(hid_t fapl_id, hbool_t* is_enabled, size_t* page_size) {
  return get_props<FileAccessProps>("H5Pget_core_write_tracking", {fapl_id, "fapl_id"},
                                    [&](auto& props) {
                                      store(is_enabled, props.core_write_tracking);
                                      store(page_size, props.core_write_page);
                                    });
}

herr_t H5Pset_fapl_stdio(hid_t fapl_id) {
  return set_props<FileAccessProps>("H5Pset_fapl_stdio", {fapl_id, "fapl_id"}, [&](auto& props) {
    props.driver = DriverChoice(std::make_unique<StdioSettings>());
  });
}

herr_t H5Pset_fapl_log(hid_t fapl_id, const char* logfile, unsigned long long flags,
                       size_t buf_size) {
  return set_props<FileAccessProps>("H5Pset_fapl_log", {fapl_id, "fapl_id"}, [&](auto& props) {
    auto settings = std::make_unique<LogSettings>();
    if (logfile != nullptr) settings->log_file = logfile;
    settings->flags = flags;
    settings->buffer_size = buf_size;
    props.driver = DriverChoice(std::move(settings));
  });
}

herr_t H5Pset_fapl_family(hid_t fapl_id, hsize_t memb_size, hid_t memb_fapl_id) {
  return set_props<FileAccessProps>(
      "H5Pset_fapl_family", {fapl_id, "fapl_id"}, [&](FileAccessProps& props) -> Status {
        PCIO_ASSIGN(auto member, props_or_default<FileAccessProps>(memb_fapl_id, "memb_fapl_id"));
        auto settings = std::make_unique<FamilySettings>();
        settings->member_size = memb_size;
        settings->member = member->driver;
        props.driver = DriverChoice(std::move(settings));
        return Status();
      });
}

herr_t H5Pget_fapl_family(hid_t fapl_id, hsize_t* memb_size, hid_t* memb_fapl_id) {
  return get_props<FileAccessProps>(
      "H5Pget_fapl_family", {fapl_id, "fapl_id"}, [&](auto& props) -> Status {
        const auto* family = dynamic_cast<const FamilySettings*>(&props.driver.value());
        if (family == nullptr)
          return PCIO_ERROR(PLIST, BADVALUE, "the list asks for another driver");
        if (memb_fapl_id != nullptr) {
          FileAccessProps member;
          member.driver = family->member;
          PCIO_ASSIGN(*memb_fapl_id, property_list_id_for(member));
        }
        store(memb_size, family->member_size);
        return Status();
      });
}

herr_t H5Pset_family_offset(hid_t fapl_id, hsize_t offset) {
  return set_props<FileAccessProps>("H5Pset_family_offset", {fapl_id, "fapl_id"},
                                    [&](auto& props) { props.family_offset = offset; });
}

herr_t H5Pget_family_offset(hid_t fapl_id, hsize_t* offset) {
  return get_props<FileAccessProps>("H5Pget_family_offset", {fapl_id, "fapl_id"},
                                    [&](auto& props) { store(offset, props.family_offset); });
}
