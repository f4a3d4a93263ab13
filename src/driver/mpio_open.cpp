// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: opening through MPI-IO.

#include <string_view>

#include "base/without_throwing.hpp"
#include "driver/file_stripes.hpp"
#include "driver/made_files.hpp"
#include "driver/mpio_driver.hpp"
#include "driver/parallel_open.hpp"
#include "mpi/environment.hpp"

namespace pcio {

namespace {

int access_mode(OpenMode mode) {
  switch (mode) {
    case OpenMode::kReadOnly: return MPI_MODE_RDONLY;
    case OpenMode::kReadWrite: return MPI_MODE_RDWR;
    case OpenMode::kCreateExclusive: return MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL;
    case OpenMode::kTruncate: return MPI_MODE_RDWR | MPI_MODE_CREATE;
  }
  return MPI_MODE_RDONLY;
}

/// What a handle is opened with whose views have gaps: ROMIO must not take their collective writes
/// apart, where no gap between a rank's pieces is safe. It does so by itself where it sees no two
/// neighbours' requests overlap, and sees none across a rank that has nothing; then a rank that sieves
/// (reads, changes and writes what lies between its pieces too) takes back what another wrote there.
/// Who switches collective buffering off gets writes that are not sieved. Other components don't know
/// these keys.
Result<mpi::Info> info_for_views(MPI_Info given) {
  PCIO_ASSIGN(mpi::Info info, mpi::Info::duplicate(given));
  const std::string buffered = info.get("romio_cb_write").value_or("automatic");
  if (buffered == "automatic") PCIO_TRY(info.set("romio_cb_write", "enable"));
  PCIO_TRY(info.set("romio_ds_write", "disable"));
  return info;
}

/// What the component is decides which calls are collective, so nothing is asked that ranks may know differently. Open MPI does
/// not tell which of its two it has taken: its MPI_File_get_info gives back what the program said, and romio_ hints say most
/// programs. Then what both can do is relied on, which is ompio's part. Elsewhere ROMIO shows its own hints under such names.
Result<MpiIoComponent> find_component(const mpi::File& file) {
  if (mpi::is_library("Open MPI")) return MpiIoComponent::kOmpio;
  if (mpi::is_library("MPICH")) return MpiIoComponent::kRomio;
  PCIO_ASSIGN(const mpi::Info info, file.info());
  PCIO_ASSIGN(const bool romio, info.has_key_prefix("romio_"));
  return romio ? MpiIoComponent::kRomio : MpiIoComponent::kUnknown;
}

}  // namespace

/// This rank's driver. The file is the driver's only where that could be made. Independent.
Status MpioDriver::make(const MpioSettings& settings, const OpenRequest& request,
                        OpenedFile* made) {
  PCIO_ASSIGN(const MpiIoComponent component, find_component(made->file));
  const mpi::Info& given =
      component == MpiIoComponent::kOmpio ? settings.opening_info() : settings.info();
  PCIO_ASSIGN(mpi::Info info, info_for_views(given.raw()));
  ViewOpening opening{lasting_path(path_for_mpi(request.path)),
                      is_writable(request.mode) ? MPI_MODE_RDWR : MPI_MODE_RDONLY, std::move(info)};
  std::unique_ptr<MpioDriver> driver(
      new MpioDriver(made->coordinator, request, std::move(opening), component));
  if (made->coordinator->rank() == 0) {
    // No more than hints: a file whose hints MPI can't say is opened all the same.
    const Result<mpi::Info> of_file = made->file.info();
    driver->lock_unit_ = find_lock_unit(strip_prefix(driver->path_), driver->traits_.number,
                                        of_file ? of_file->get(kStripingUnit) : HintText(),
                                        settings.info().get(kStripingUnit));
    driver->hinted_writers_ = pcio::hinted_writers(settings.info().get(kBufferingNodes),
                                                   settings.info().get(kBufferingList),
                                                   made->coordinator->machine().nodes());
  }
  // Rank 0 keeps the lock while the file is open.
  if (is_writable(request.mode) && made->coordinator->rank() == 0)
    PCIO_TRY(driver->take_writer_lock(request));
  // Who leads another node syncs for it (by_one_rank) by a descriptor of its own, from now on: names may go. So
  // does each rank for itself where machines have caches of their own.
  const bool syncs = driver->caches_apart() ||
                     (made->coordinator->leads_machine() && !driver->traits_.defers_errors);
  if (is_writable(request.mode) && made->coordinator->rank() != 0 && syncs)
    PCIO_TRY(driver->take_descriptor());
  // What another machine has closed is seen from the first read on: rank 0 and one rank of each machine read.
  if (!driver->traits_.coherent && made->coordinator->leads_machine() && !is_create(request.mode))
    PCIO_TRY(driver->catch_up());
  driver->seen_ = PosixFile();
  driver->take(std::move(made->file));
  made->driver = std::move(driver);
  return Status();
}

/// Where a lock can't be held there is none, as where the file system has none. Independent.
Status MpioDriver::take_writer_lock(const OpenRequest& request) {
  if (!is_locked_whole()) {
    Result<WriterLock> taken = seen_.is_open()
                                   ? WriterLock::take(std::move(seen_), request.locking)
                                   : WriterLock::take(strip_prefix(request.path), request.locking);
    if (!taken) return keep_if_locked(request, taken.error());
    lock_.emplace(std::move(*taken));
    return Status();
  }
  if (effective_locking(request.locking) == FileLocking::kOn)
    return PCIO_ERROR(FILE, CANTLOCKFILE,
                      "Open MPI locks whole files on NFS, and would wait for the lock of a writer: "
                      "HDF5_USE_FILE_LOCKING=TRUE can't be had there");
  return take_descriptor();
}

/// Through a descriptor of this rank's own. Independent.
Status MpioDriver::catch_up() const {
  if (lock_) return lock_->catch_up();
  if (seen_.is_open()) return seen_.catch_up();
  const Result<PosixFile> file = PosixFile::open(strip_prefix(path_), OpenMode::kReadOnly);
  return file ? file->catch_up() : Status();
}

/// MPI_File_open promises nothing about ranks that fail: whatever could be known before was agreed, and
/// what it says here is agreed next.
Result<OpenedFile> MpioDriver::open(const MpioSettings& settings, const OpenRequest& request) {
  OpenedFile result;
  bool is_made = false;
  SeenFile own;
  SeenFile& seen = request.seen ? *request.seen : own;
  PCIO_ASSIGN(result.coordinator, agree_to_open(settings.lobby(), request, &seen, &is_made));
  // Which rank 0 has made exclusively.
  const OpenMode mode = is_made ? OpenMode::kTruncate : request.mode;
  // Who makes it notes it: where each rank opens it by itself that may be any of them.
  const bool may_make = result.coordinator->rank() == 0 || (!seen.together && !is_made);
  MadeFiles* const made = may_make ? request.made.get() : nullptr;
  if (made != nullptr && !is_made && mode == OpenMode::kTruncate) {
    // Whether it is new is known for certain where it is made by hand. What can't be made so MPI-IO tells. Which stripes a file
    // of a parallel file system has is settled when it is made: by MPI-IO, which knows the hints.
    static_cast<void>(without_throwing([&]() -> Status {
      const FileSystemTraits place = place_of(request);
      if (place.coherent && place.defers_errors) return Status();
      PCIO_ASSIGN(PosixFile file, made->make(strip_prefix(request.path)));
      if (request.seen) request.seen->file = std::move(file);
      return Status();
    }));
  }
  result.local = without_throwing([&]() -> Status {
    // Nothing that can fail on one rank stands between the agreement and this.
    if (is_made && !seen.together) PCIO_TRY(see_made(request, seen.made));
    // ompio makes a file of its own where ranks of several machines open one together, and those for which a machine's
    // cache has that file's name for that of one that is gone fail, while the others wait for them in MPI_File_open.
    const char* const name = seen.name.name_for_mpi(request.path);
    const int access = access_mode(mode);
    const mpi::Info& info = settings.opening_info();
    Result<mpi::File> opened =
        seen.together ? mpi::File::open(*result.coordinator->comm(), name, access, info)
                      : mpi::File::open_alone(name, access, info);
    if (!opened) return why_not_opened(request.path, request.mode, opened.error());
    result.file = std::move(*opened);
    if (made != nullptr && mode == OpenMode::kCreateExclusive)
      PCIO_TRY(made->note(strip_prefix(request.path)));
    PCIO_TRY(make(settings, request, &result));
    static_cast<MpioDriver&>(*result.driver).name_ = std::move(seen.name);
    return Status();
  });
  return result;
}

}  // namespace pcio
