// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5FD: files as drivers see them.

#include "base/checked.hpp"
#include "lib/api_entry.hpp"
#include "lib/driver_ids.hpp"
#include "lib/property_access.hpp"

using namespace pcio;

namespace {

Status check_file(const H5FD_t* file) {
  if (file != nullptr && file->cls != nullptr) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument file: no file of a driver");
}

Status check_use(H5FD_mem_t type) {
  if (type >= H5FD_MEM_DEFAULT && type < H5FD_MEM_NTYPES) return Status();
  return PCIO_ERROR(ARGS, BADRANGE, "argument type: no use of a file's space");
}

Status check_list(hid_t dxpl_id) {
  return detail::to_status(props_or_default<TransferProps>(dxpl_id, "dxpl_id"));
}

Status done(herr_t answer, const H5FD_t* file, const char* what) {
  if (answer >= 0) return Status();
  return PCIO_ERROR(VFL, CALLBACK,
                    std::string("the driver \"") + (file->cls->name ? file->cls->name : "") +
                        "\" could not " + what);
}

bool is_of_program(const H5FD_t* file) {
  const auto driver = get<DriverObject>(file->driver_id, "file");
  return driver && (*driver)->kind == DriverKind::kProgram;
}

/// Addresses of calls count from the file's base.
Result<haddr_t> based(const H5FD_t* file, haddr_t addr) {
  const auto sum = checked_add<std::uint64_t>(addr, file->base_addr);
  if (addr == HADDR_UNDEF || !sum)
    return PCIO_ERROR(ARGS, BADRANGE, "argument addr: no address in a file");
  return haddr_t{*sum};
}

/// Behind everything that was given, at a multiple of the alignment.
Result<haddr_t> extend(H5FD_t* file, H5FD_mem_t type, hsize_t size) {
  const haddr_t end = file->cls->get_eoa(file, type);
  if (end == HADDR_UNDEF)
    return PCIO_ERROR(VFL, CANTGET, "the driver does not say where space ends");
  const bool aligns = file->alignment > 1 && size >= file->threshold;
  const haddr_t start = aligns && end <= file->maxaddr - file->alignment
                            ? round_up<std::uint64_t>(end, file->alignment)
                            : end;
  const auto next = checked_add<std::uint64_t>(start, size);
  if (!next || *next > file->maxaddr)
    return PCIO_ERROR(VFL, NOSPACE, "the file would be larger than its driver can have it");
  PCIO_TRY(done(file->cls->set_eoa(file, type, *next), file, "give space"));
  return start;
}

}  // namespace

H5FD_t* H5FDopen(const char* name, unsigned flags, hid_t fapl_id, haddr_t maxaddr) {
  return api_value("H5FDopen", static_cast<H5FD_t*>(nullptr), [&]() -> Result<H5FD_t*> {
    PCIO_ASSIGN(const std::string path, text_argument(name, "name"));
    if (maxaddr == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument maxaddr is zero");
    PCIO_ASSIGN(H5FD_t * file, open_driver_file(path.c_str(), flags, fapl_id, maxaddr));
    // A driver of a program stays while a file of it is open.
    if (is_of_program(file)) static_cast<void>(handles().increment(file->driver_id));
    return file;
  });
}

herr_t H5FDclose(H5FD_t* file) {
  return api_status("H5FDclose", [&]() -> Status {
    PCIO_TRY(check_file(file));
    const auto driver = get<DriverObject>(file->driver_id, "file");
    const hid_t id = is_of_program(file) ? file->driver_id : H5I_INVALID_HID;
    const bool closed = file->cls->close(file) >= 0;
    if (id >= 0) PCIO_TRY(detail::to_status(release_id(id, "file")));
    if (closed) return Status();
    return PCIO_ERROR(VFL, CANTCLOSEFILE, "the driver could not close the file");
  });
}

int H5FDcmp(const H5FD_t* f1, const H5FD_t* f2) {
  const bool one = f1 != nullptr && f1->cls != nullptr;
  const bool two = f2 != nullptr && f2->cls != nullptr;
  if (!one || !two) return one == two ? 0 : (one ? 1 : -1);
  if (f1->cls != f2->cls) return f1->cls < f2->cls ? -1 : 1;
  if (f1->cls->cmp != nullptr) return f1->cls->cmp(f1, f2);
  return f1 == f2 ? 0 : (f1 < f2 ? -1 : 1);
}

int H5FDquery(const H5FD_t* f, unsigned long* flags) {
  return api_status("H5FDquery", [&]() -> Status {
    PCIO_TRY(check_file(f));
    PCIO_TRY(need_pointer(flags, "flags"));
    *flags = 0;
    return f->cls->query == nullptr ? Status() : done(f->cls->query(f, flags), f, "be asked");
  });
}

haddr_t H5FDalloc(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, hsize_t size) {
  return api_value("H5FDalloc", haddr_t{HADDR_UNDEF}, [&]() -> Result<haddr_t> {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_use(type));
    if (size == 0) return PCIO_ERROR(ARGS, BADVALUE, "argument size is zero");
    PCIO_TRY(check_list(dxpl_id));
    if (file->cls->alloc == nullptr) return extend(file, type, size);
    const haddr_t start = file->cls->alloc(file, type, dxpl_id, size);
    if (start == HADDR_UNDEF) PCIO_TRY(done(-1, file, "give space"));
    return start;
  });
}

herr_t H5FDfree(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, hsize_t size) {
  return api_status("H5FDfree", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_use(type));
    PCIO_TRY(check_list(dxpl_id));
    PCIO_ASSIGN(const haddr_t at, based(file, addr));
    if (file->cls->free == nullptr) return Status();
    return done(file->cls->free(file, type, dxpl_id, at, size), file, "take space back");
  });
}

haddr_t H5FDget_eoa(H5FD_t* file, H5FD_mem_t type) {
  return api_value("H5FDget_eoa", haddr_t{HADDR_UNDEF}, [&]() -> Result<haddr_t> {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_use(type));
    const haddr_t end = file->cls->get_eoa(file, type);
    if (end == HADDR_UNDEF) PCIO_TRY(done(-1, file, "say where space ends"));
    return end - file->base_addr;
  });
}

herr_t H5FDset_eoa(H5FD_t* file, H5FD_mem_t type, haddr_t eoa) {
  return api_status("H5FDset_eoa", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_use(type));
    if (eoa == HADDR_UNDEF || eoa > file->maxaddr)
      return PCIO_ERROR(ARGS, BADRANGE, "argument eoa: behind the largest address of the file");
    PCIO_ASSIGN(const haddr_t end, based(file, eoa));
    return done(file->cls->set_eoa(file, type, end), file, "give space");
  });
}

haddr_t H5FDget_eof(H5FD_t* file, H5FD_mem_t type) {
  return api_value("H5FDget_eof", haddr_t{HADDR_UNDEF}, [&]() -> Result<haddr_t> {
    PCIO_TRY(check_file(file));
    const haddr_t end = file->cls->get_eof(file, type);
    if (end == HADDR_UNDEF) PCIO_TRY(done(-1, file, "say how long the file is"));
    return end - file->base_addr;
  });
}

herr_t H5FDget_vfd_handle(H5FD_t* file, hid_t fapl, void** file_handle) {
  return api_status("H5FDget_vfd_handle", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(need_pointer(file_handle, "file_handle"));
    PCIO_TRY(detail::to_status(props_or_default<FileAccessProps>(fapl, "fapl")));
    if (file->cls->get_handle == nullptr)
      return PCIO_ERROR(VFL, UNSUPPORTED, "the driver has no handle to give");
    return done(file->cls->get_handle(file, fapl, file_handle), file, "give its handle");
  });
}

herr_t H5FDread(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size,
                void* buf) {
  return api_status("H5FDread", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_list(dxpl_id));
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_ASSIGN(const haddr_t at, based(file, addr));
    return done(file->cls->read(file, type, dxpl_id, at, size, buf), file, "read");
  });
}

herr_t H5FDwrite(H5FD_t* file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size,
                 const void* buf) {
  return api_status("H5FDwrite", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_list(dxpl_id));
    PCIO_TRY(need_pointer(buf, "buf"));
    PCIO_ASSIGN(const haddr_t at, based(file, addr));
    return done(file->cls->write(file, type, dxpl_id, at, size, buf), file, "write");
  });
}

herr_t H5FDflush(H5FD_t* file, hid_t dxpl_id, hbool_t closing) {
  return api_status("H5FDflush", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_list(dxpl_id));
    if (file->cls->flush == nullptr) return Status();
    return done(file->cls->flush(file, dxpl_id, closing), file, "flush");
  });
}

herr_t H5FDtruncate(H5FD_t* file, hid_t dxpl_id, hbool_t closing) {
  return api_status("H5FDtruncate", [&]() -> Status {
    PCIO_TRY(check_file(file));
    PCIO_TRY(check_list(dxpl_id));
    if (file->cls->truncate == nullptr) return Status();
    return done(file->cls->truncate(file, dxpl_id, closing), file, "truncate");
  });
}

herr_t H5FDlock(H5FD_t* file, hbool_t rw) {
  return api_status("H5FDlock", [&]() -> Status {
    PCIO_TRY(check_file(file));
    return file->cls->lock == nullptr ? Status() : done(file->cls->lock(file, rw), file, "lock");
  });
}

herr_t H5FDunlock(H5FD_t* file) {
  return api_status("H5FDunlock", [&]() -> Status {
    PCIO_TRY(check_file(file));
    return file->cls->unlock == nullptr ? Status() : done(file->cls->unlock(file), file, "unlock");
  });
}
