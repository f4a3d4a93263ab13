// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: SharedMemory.

#include "mpi/shared_memory.hpp"

#include <atomic>

#include "base/without_throwing.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/info.hpp"

namespace pcio::mpi {

Result<SharedMemory> SharedMemory::allocate(const Comm& comm, std::uint64_t bytes) {
  SharedMemory made;
  // A rank without memory takes part to the end, and fails then.
  Status ready = without_throwing([&] {
    made.segments_.resize(static_cast<std::size_t>(comm.size()));
    return Status();
  });
  MPI_Info info = MPI_INFO_NULL;
  PCIO_TRY(check(MPI_Info_create(&info), "MPI_Info_create"));
  // Each segment on pages of its own.
  MPI_Info_set(info, "alloc_shared_noncontig", "true");
  void* mine = nullptr;
  Status allocated = check(MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info,
                                                   comm.raw(), &mine, &made.window_),
                           "MPI_Win_allocate_shared");
  MPI_Info_free(&info);
  PCIO_TRY(std::move(allocated));
  made.bytes_ = bytes;
  MPI_Win_set_errhandler(made.window_, MPI_ERRORS_RETURN);
  PCIO_TRY(check(MPI_Win_lock_all(MPI_MODE_NOCHECK, made.window_), "MPI_Win_lock_all"));
  PCIO_TRY(std::move(ready));
  for (int rank = 0; rank < comm.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* start = nullptr;
    PCIO_TRY(check(MPI_Win_shared_query(made.window_, rank, &size, &unit, &start),
                   "MPI_Win_shared_query"));
    if (start == nullptr || static_cast<std::uint64_t>(size) < bytes)
      return PCIO_ERROR(RESOURCE, NOSPACE, "a shared segment is smaller than asked for");
    made.segments_[static_cast<std::size_t>(rank)] = static_cast<std::byte*>(start);
  }
  return made;
}

Status SharedMemory::free() {
  if (window_ == MPI_WIN_NULL || !is_active()) return Status();
  MPI_Win_unlock_all(window_);
  bytes_ = 0;
  segments_.clear();
  return check(MPI_Win_free(&window_), "MPI_Win_free");
}

Status SharedMemory::fence() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return check(MPI_Win_sync(window_), "MPI_Win_sync");
}

}  // namespace pcio::mpi
