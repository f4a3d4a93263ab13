// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the library's own serial drivers as H5FD calls and drivers of programs see them.

#include <atomic>
#include <cstring>

#include "driver/open_driver.hpp"
#include "driver/posix_file.hpp"
#include "lib/driver_ids.hpp"
#include "lib/object_handles.hpp"
#include "lib/property_access.hpp"

namespace pcio {

namespace {

constexpr haddr_t kLargestAddress = 0x7fffffffffffffffU;

/// A file of a driver of the library's own that H5FDopen has opened.
struct OwnFile : H5FD_t {
  std::unique_ptr<FileDriver> driver;
  haddr_t eoa = 0;
};

OwnFile& own(H5FD_t* file) { return *static_cast<OwnFile*>(file); }
const OwnFile& own(const H5FD_t* file) { return *static_cast<const OwnFile*>(file); }

Result<OpenMode> mode_of(unsigned flags) {
  const bool writes = (flags & H5F_ACC_RDWR) != 0;
  if ((flags & H5F_ACC_CREAT) != 0) {
    if (!writes) return PCIO_ERROR(ARGS, BADVALUE, "argument flags: creating needs H5F_ACC_RDWR");
    if ((flags & H5F_ACC_EXCL) != 0) return OpenMode::kCreateExclusive;
    return (flags & H5F_ACC_TRUNC) != 0 ? OpenMode::kTruncate : OpenMode::kReadWrite;
  }
  return writes ? OpenMode::kReadWrite : OpenMode::kReadOnly;
}

Result<std::unique_ptr<FileDriver>> open_own(const std::string& name, unsigned flags,
                                             const FileAccessProps& access) {
  PCIO_ASSIGN(OpenMode mode, mode_of(flags));
  // To create without emptying is to open, where there is something.
  if ((flags & H5F_ACC_CREAT) != 0 && mode == OpenMode::kReadWrite &&
      identify_file(name).inode == 0)
    mode = OpenMode::kTruncate;
  OpenRequest request;
  request.path = name;
  request.mode = mode;
  request.locking = FileLocking::kOff;  // H5FDlock does it
  request.access = &access;
  PCIO_ASSIGN(OpenedFile opened, open_driver(access.driver.value(), request));
  if ((flags & H5F_ACC_TRUNC) != 0 && !is_create(mode)) PCIO_TRY(opened.driver->truncate(0));
  return std::move(opened.driver);
}

herr_t own_close(H5FD_t* file) {
  const std::unique_ptr<OwnFile> gone(&own(file));
  return gone->driver->close().ok() ? 0 : -1;
}

int own_cmp(const H5FD_t* a, const H5FD_t* b) {
  const FileIdentity x = own(a).driver->identity(), y = own(b).driver->identity();
  if (x == y || a == b) return 0;
  if (x.device != y.device) return x.device < y.device ? -1 : 1;
  if (x.inode != y.inode) return x.inode < y.inode ? -1 : 1;
  const int order = x.path.compare(y.path);
  return order != 0 ? order : (a < b ? -1 : 1);
}

/// What 1.10.8's drivers of these names tell of themselves. Source: observed.
unsigned long features_of(DriverKind kind) {
  switch (kind) {
    case DriverKind::kPosix:
    case DriverKind::kLog: return 0x909f;
    case DriverKind::kMemory: return 0x0c1f;
    case DriverKind::kStdio: return 0x801f;
    case DriverKind::kFamily: return 0x001f;
    case DriverKind::kMulti: return 0x6018;
    case DriverKind::kMpio:
    case DriverKind::kMpiposix: return 0x8311;
    default: return 0;
  }
}

template <DriverKind kind>
herr_t own_query(const H5FD_t*, unsigned long* flags) {
  if (flags != nullptr) *flags = features_of(kind);
  return 0;
}

haddr_t own_get_eoa(const H5FD_t* file, H5FD_mem_t) { return own(file).eoa; }
herr_t own_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t eoa) {
  own(file).eoa = eoa;
  return 0;
}
haddr_t own_get_eof(const H5FD_t* file, H5FD_mem_t) {
  const auto size = own(file).driver->size();
  return size ? *size : HADDR_UNDEF;
}
herr_t own_get_handle(H5FD_t* file, hid_t fapl, void** handle) {
  auto list = props_or_default<FileAccessProps>(fapl, "fapl");
  if (!list) return -1;
  *handle = own(file).driver->raw_handle_for((*list)->multi_type);
  if (*handle == nullptr) *handle = own(file).driver->raw_handle_at((*list)->family_offset);
  return *handle != nullptr ? 0 : -1;
}
bool in_given_space(const OwnFile& file, haddr_t addr, size_t size) {
  return addr <= file.eoa && size <= file.eoa - addr;
}
herr_t own_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t addr, size_t size, void* buffer) {
  if (!in_given_space(own(file), addr, size)) return -1;
  const Bytes into(static_cast<std::byte*>(buffer), size);
  const auto have = own(file).driver->read_some(addr, into);
  if (!have) return -1;
  if (*have < size) std::memset(into.data() + *have, 0, size - *have);
  return 0;
}
herr_t own_write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t addr, size_t size, const void* buffer) {
  if (!in_given_space(own(file), addr, size)) return -1;
  const ConstBytes from(static_cast<const std::byte*>(buffer), size);
  return own(file).driver->write(addr, from).ok() ? 0 : -1;
}
herr_t own_flush(H5FD_t* file, hid_t, hbool_t) { return own(file).driver->flush().ok() ? 0 : -1; }
herr_t own_truncate(H5FD_t* file, hid_t, hbool_t) {
  const auto size = own(file).driver->size();
  if (size && *size == own(file).eoa) return 0;
  return own(file).driver->truncate(own(file).eoa).ok() ? 0 : -1;
}
herr_t own_lock(H5FD_t*, hbool_t) { return 0; }
herr_t own_unlock(H5FD_t*) { return 0; }

H5FD_t* own_open(const char* name, unsigned flags, hid_t fapl, haddr_t) {
  auto list = props_or_default<FileAccessProps>(fapl, "fapl_id");
  if (!list) return nullptr;
  auto opened = open_own(name, flags, **list);
  if (!opened) return nullptr;
  auto file = std::make_unique<OwnFile>();
  file->driver = std::move(*opened);
  return file.release();
}

template <DriverKind kind>
H5FD_class_t make_class(const char* name) {
  H5FD_class_t cls{};
  cls.name = name;
  cls.maxaddr = kLargestAddress;
  cls.fc_degree = H5F_CLOSE_WEAK;
  cls.open = own_open;
  cls.close = own_close;
  cls.cmp = own_cmp;
  cls.query = own_query<kind>;
  cls.get_eoa = own_get_eoa;
  cls.set_eoa = own_set_eoa;
  cls.get_eof = own_get_eof;
  cls.get_handle = own_get_handle;
  cls.read = own_read;
  cls.write = own_write;
  cls.flush = own_flush;
  cls.truncate = own_truncate;
  cls.lock = own_lock;
  cls.unlock = own_unlock;
  return cls;
}

/// What a file of any driver begins with.
void fill_public_part(H5FD_t& file, const FileAccessProps& access, unsigned flags,
                      haddr_t maxaddr) {
  static std::atomic<unsigned long> opened{0};
  file.fileno = ++opened;
  file.access_flags = flags;
  file.feature_flags = 0;
  file.maxaddr = maxaddr;
  file.base_addr = 0;
  file.threshold = access.alignment_threshold;
  file.alignment = access.alignment;
  file.paged_aggr = 0;
  if (file.cls->query != nullptr) static_cast<void>(file.cls->query(&file, &file.feature_flags));
}

}  // namespace

const H5FD_class_t& own_driver_class(DriverKind kind) {
  static const H5FD_class_t posix = make_class<DriverKind::kPosix>("sec2");
  static const H5FD_class_t memory = make_class<DriverKind::kMemory>("core");
  static const H5FD_class_t stdio = make_class<DriverKind::kStdio>("stdio");
  static const H5FD_class_t log = make_class<DriverKind::kLog>("log");
  static const H5FD_class_t family = make_class<DriverKind::kFamily>("family");
  static const H5FD_class_t multi = make_class<DriverKind::kMulti>("multi");
  static const H5FD_class_t mpio = make_class<DriverKind::kMpio>("mpio");
  switch (kind) {
    case DriverKind::kMemory: return memory;
    case DriverKind::kStdio: return stdio;
    case DriverKind::kLog: return log;
    case DriverKind::kFamily: return family;
    case DriverKind::kMulti: return multi;
    case DriverKind::kMpio:
    case DriverKind::kMpiposix: return mpio;
    default: return posix;
  }
}

Result<H5FD_t*> open_driver_file(const char* name, unsigned flags, hid_t fapl_id, haddr_t maxaddr) {
  PCIO_ASSIGN(auto access, props_or_default<FileAccessProps>(fapl_id, "fapl_id"));
  const DriverSettings& settings = access->driver.value();
  if (settings.is_parallel())
    return PCIO_ERROR(VFL, UNSUPPORTED,
                      "files of the MPI drivers can't be opened without HDF5 (H5FDopen)");
  const auto* program = dynamic_cast<const ProgramSettings*>(&settings);
  const H5FD_class_t& cls =
      program != nullptr ? program->driver()->cls : own_driver_class(settings.kind());
  if (maxaddr == HADDR_UNDEF) maxaddr = cls.maxaddr;
  // Of an own driver the reason is known.
  H5FD_t* file = nullptr;
  if (program != nullptr) {
    file = cls.open(name, flags, fapl_id, maxaddr);
    if (file == nullptr)
      return PCIO_ERROR(
          VFL, CANTOPENFILE,
          std::string("the program's driver \"") + cls.name + "\" can't open \"" + name + "\"");
  } else {
    auto made = std::make_unique<OwnFile>();
    PCIO_ASSIGN(made->driver, open_own(name, flags, *access));
    file = made.release();
  }
  file->cls = &cls;
  fill_public_part(*file, *access, flags, maxaddr);
  auto id = driver_id(settings);
  file->driver_id = id ? *id : kInvalidHandle;
  return file;
}

}  // namespace pcio
