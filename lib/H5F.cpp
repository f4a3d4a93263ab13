// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5F: the life of a file. Questions are in H5Finfo.cpp.
//
// Create, open, flush and close communicate. Once the access list is known, whatever else is wrong
// with the arguments goes along as `checked`, so that the other ranks learn of it.

#include <mpi.h>

#include "base/without_throwing.hpp"
#include "lib/api_entry.hpp"
#include "lib/call_arguments.hpp"
#include "lib/enum_argument.hpp"
#include "lib/library.hpp"
#include "lib/object_handles.hpp"
#include "lib/text_argument.hpp"
#include "mpi/environment.hpp"
#include "object/mount.hpp"

using namespace pcio;

namespace {

/// Files must be closed while MPI works, and while their ids exist.
void register_hooks(const OpenFileRequest& request) {
  static bool at_finalize = false;
  note_use_of_library();
  at_library_close(&File::close_all);
  if (at_finalize || !request.driver->is_parallel()) return;
  mpi::at_finalize(&File::close_all);
  at_finalize = true;
}

constexpr unsigned kSwmr = H5F_ACC_SWMR_WRITE | H5F_ACC_SWMR_READ;

/// Of H5Fcreate, and of H5Fopen where it is to write.
Status refuse_single_writer(unsigned flags) {
  if ((flags & kSwmr) == 0) return Status();
  return PCIO_ERROR(
      ARGS, UNSUPPORTED,
      "argument flags: single-writer access (SWMR) is not written: a commit gives readers a "
      "whole file at each H5Fflush, and they open it again");
}

Status prepare_create(const char* filename, unsigned flags, hid_t fcpl_id,
                      OpenFileRequest* request) {
  PCIO_ASSIGN(request->path, text_argument(filename, "filename"));
  PCIO_TRY(refuse_single_writer(flags));
  constexpr unsigned kKnown = H5F_ACC_EXCL | H5F_ACC_TRUNC | H5F_ACC_DEBUG;
  if ((flags & ~kKnown) != 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument flags: not H5F_ACC_TRUNC or H5F_ACC_EXCL");
  if ((flags & H5F_ACC_TRUNC) != 0 && (flags & H5F_ACC_EXCL) != 0)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument flags: H5F_ACC_TRUNC and H5F_ACC_EXCL exclude each other");
  PCIO_ASSIGN(auto create, props_or_default<FileCreateProps>(fcpl_id, "fcpl_id"));
  request->create = *create;
  return Status();
}

Status prepare_open(const char* filename, unsigned flags, OpenFileRequest* request) {
  PCIO_ASSIGN(request->path, text_argument(filename, "filename"));
  if ((flags & (H5F_ACC_TRUNC | H5F_ACC_EXCL)) != 0)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument flags: H5F_ACC_TRUNC and H5F_ACC_EXCL are for H5Fcreate");
  constexpr unsigned kKnown = H5F_ACC_RDWR | H5F_ACC_DEBUG | kSwmr;
  if ((flags & ~kKnown) != 0)
    return PCIO_ERROR(ARGS, BADVALUE, "argument flags: bits that mean nothing");
  const bool writes = (flags & H5F_ACC_RDWR) != 0;
  if ((flags & H5F_ACC_SWMR_WRITE) != 0 && !writes)
    return PCIO_ERROR(ARGS, BADVALUE, "argument flags: H5F_ACC_SWMR_WRITE without H5F_ACC_RDWR");
  if ((flags & H5F_ACC_SWMR_READ) != 0 && writes)
    return PCIO_ERROR(ARGS, BADVALUE, "argument flags: H5F_ACC_SWMR_READ with H5F_ACC_RDWR");
  if (writes) return refuse_single_writer(flags);
  request->beside_writer = (flags & H5F_ACC_SWMR_READ) != 0;
  if (request->beside_writer && request->driver->is_parallel())
    return PCIO_ERROR(ARGS, UNSUPPORTED,
                      "argument flags: H5F_ACC_SWMR_READ is for files that one process opens");
  return Status();
}

/// On several ranks the likeliest reason why one of them can't have a file is that the access list
/// names no communicator: each has opened the file alone, in the way of the others.
Status explain_serial_open(const OpenFileRequest& request, Status failure) {
  if (request.driver->is_parallel() || !mpi::is_active()) return failure;
  int ranks = 1;
  if (MPI_Comm_size(MPI_COMM_WORLD, &ranks) != MPI_SUCCESS || ranks == 1) return failure;
  failure.push(PCIO_FRAME(FILE, CANTOPENFILE,
                          "this rank opens the file alone: the file access list names no "
                          "communicator (H5Pset_fapl_mpio), and the program runs on " +
                              std::to_string(ranks) + " ranks"));
  return failure;
}

/// What H5Fcreate and H5Fopen have in common. Once the access list is found, whatever fails on this rank,
/// memory that runs out included, goes along to the others.
/// `prepare(OpenFileRequest*) -> Status`; `open(request) -> Result<FilePtr>`.
template <class Prepare, class Open>
Result<hid_t> open_file(hid_t fapl_id, OpenMode mode, Prepare&& prepare, Open&& open) {
  PCIO_ASSIGN(const auto access, props_or_default<FileAccessProps>(fapl_id, "fapl_id"));
  NewFileId id;
  OpenFileRequest request;
  request.driver = &access->driver.value();
  request.mode = mode;
  request.checked = without_throwing([&]() -> Status {
    request.access = *access;
    if (request.access.file_image) request.image = &request.access.file_image->image;
    register_hooks(request);
    PCIO_TRY(id.prepare());
    return prepare(&request);
  });
  Result<FilePtr> file = open(request);
  if (!file) return detail::StatusReturn(explain_serial_open(request, std::move(file.error())));
  return id.give(std::move(*file));
}

}  // namespace

hid_t H5Fcreate(const char* filename, unsigned flags, hid_t fcpl_id, hid_t fapl_id) {
  return api_id("H5Fcreate", [&]() -> Result<hid_t> {
    return open_file(
        fapl_id, (flags & H5F_ACC_TRUNC) != 0 ? OpenMode::kTruncate : OpenMode::kCreateExclusive,
        [&](OpenFileRequest* request) { return prepare_create(filename, flags, fcpl_id, request); },
        &File::create);
  });
}

hid_t H5Fopen(const char* filename, unsigned flags, hid_t fapl_id) {
  return api_id("H5Fopen", [&]() -> Result<hid_t> {
    return open_file(
        fapl_id, (flags & H5F_ACC_RDWR) != 0 ? OpenMode::kReadWrite : OpenMode::kReadOnly,
        [&](OpenFileRequest* request) { return prepare_open(filename, flags, request); },
        &File::open);
  });
}

// One more opening of the same open file: nothing is read, nothing is communicated.
hid_t H5Freopen(hid_t file_id) {
  return api_id("H5Freopen", [&]() -> Result<hid_t> {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return file_id_for(another_opening(file), file->path_of(file));
  });
}

herr_t H5Fclear_elink_file_cache(hid_t file_id) {
  return api_status("H5Fclear_elink_file_cache", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, get_file(file_id, "file_id"));
    return file->forget_children();
  });
}

namespace {

Status check_scope(const H5F_scope_t& scope) {
  if (is_between(scope, H5F_SCOPE_LOCAL, H5F_SCOPE_GLOBAL)) return Status();
  return PCIO_ERROR(ARGS, BADVALUE, "argument scope: neither local nor global");
}

}  // namespace

herr_t H5Fflush(hid_t object_id, H5F_scope_t scope) {
  return api_status("H5Fflush", [&]() -> Status {
    PCIO_ASSIGN(FilePtr file, file_of(object_id, "object_id"));
    Status flushed = file->flush({"H5Fflush", file->path()}, check_scope(scope));
    if (scope != H5F_SCOPE_GLOBAL || !has_mounts(file)) return flushed;
    for (const FilePtr& other : mounted_together(file)) {
      if (other == file) continue;
      Status done = other->flush({"H5Fflush", other->path()});
      if (flushed.ok()) flushed = std::move(done);
    }
    return flushed;
  });
}

// ---- mounts ------------------------------------------------------------------------------------

herr_t H5Fmount(hid_t loc, const char* name, hid_t child, hid_t plist) {
  return api_status("H5Fmount", [&]() -> Status {
    PCIO_TRY(take_files_of({loc, child}));
    PCIO_ASSIGN(Location at, location_of(loc, "loc"));
    Location group;
    FilePtr mounted;
    return contract_call(
        *at.file, {"H5Fmount", full_name(at, name)},
        [&](NamedArguments& out) -> Status {
          PCIO_ASSIGN(group, object_in(at, name, LinkAccessProps()));
          PCIO_ASSIGN(mounted, get_file(child, "child"));
          PCIO_TRY(props_or_default<FileMountProps>(plist, "plist"));
          if (mounted->parallel() != group.file->parallel())
            return PCIO_ERROR(FILE, MOUNT,
                              "of a file and the one that is mounted in it both or none must be "
                              "open in parallel");
          out.begin("group");
          out.u64(group.address());
          out.begin("file that is mounted (argument child)");
          put_argument(out, last_part(mounted->path()));
          return Status();
        },
        [&] { return mount_file(group, mounted); });
  });
}

/// In a parallel file all ranks meet: what the mount alone kept open they close together, or none does.
herr_t H5Funmount(hid_t loc, const char* name) {
  return api_status("H5Funmount", [&]() -> Status {
    // Once the file is known the other ranks are on their way: whatever fails from here on goes along.
    PCIO_ASSIGN(const FilePtr file, located_file(loc, "loc"));
    Location at, point;
    Meeting meeting = file->parallel() ? Meeting::kWanted : Meeting::kNone;
    std::string object;
    const Status ready = without_throwing([&]() -> Status {
      PCIO_ASSIGN(at, location_of(loc, "loc"));
      object = full_name(at, name);
      return Status();
    });
    const CallName call{"H5Funmount", object};
    return contract_call(
        *file, call,
        [&](NamedArguments& out) -> Status {
          PCIO_TRY(Status(ready));
          PCIO_ASSIGN(const Location found, object_in(at, name, LinkAccessProps()));
          PCIO_ASSIGN(point, mount_point_of(found));
          out.begin("group");
          out.u64(point.address());
          PCIO_ASSIGN(const std::size_t closed, files_closed_by_unmount(point));
          out.number("files that nothing but the mount keeps open", closed);
          return Status();
        },
        [&]() -> Status {
          // Here ranks with other arguments part.
          if (meeting == Meeting::kHeld) PCIO_TRY(file->coordinator().outcome(call, Status()));
          return unmount_file(point);
        },
        &meeting);
  });
}

herr_t H5Fclose(hid_t file_id) {
  return api_status("H5Fclose",
                    [&]() -> Status { return close_id(file_id, IdType::kFile, "file_id"); });
}
