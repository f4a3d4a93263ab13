// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: SharedMemory.

#include "mpi/shared_memory.hpp"

#include <atomic>
#include <cstdint>

#include "base/library_lock.hpp"
#include "base/without_throwing.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "mpi/info.hpp"

namespace pcio::mpi {

namespace {

/// From `start` to the next place that is aligned.
std::uint64_t bytes_to_aligned(const void* start) {
  return -reinterpret_cast<std::uintptr_t>(start) % SharedMemory::kAlignment;
}

/// What all ranks must say alike, or be able to.
enum Said : std::size_t { kHasWindow, kCanUse, kOffsets, kOffsetsNegated, kWordsSaid };

}  // namespace

Status SharedMemory::make_window(const Comm& comm, std::uint64_t bytes) {
  const LibraryPause others_go_on;
  MPI_Info info = MPI_INFO_NULL;
  // Each segment on pages of its own; it is only a hint, so a rank without it takes part.
  if (MPI_Info_create(&info) == MPI_SUCCESS) MPI_Info_set(info, "alloc_shared_noncontig", "true");
  void* mine = nullptr;
  Status allocated = check(
      MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, comm.raw(), &mine, &window_),
      "MPI_Win_allocate_shared");
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  if (!allocated.ok())
    window_ = MPI_WIN_NULL;
  else
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  return allocated;
}

/// `bytes`: of each segment, before its beginning is moved to an aligned place.
Status SharedMemory::find_segments(std::uint64_t bytes) {
  PCIO_TRY(check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all"));
  for (std::size_t rank = 0; rank < segments_.size(); ++rank) {
    MPI_Aint size = 0;
    int unit = 0;
    void* start = nullptr;
    PCIO_TRY(check(MPI_Win_shared_query(window_, static_cast<int>(rank), &size, &unit, &start),
                   "MPI_Win_shared_query"));
    if (start == nullptr || static_cast<std::uint64_t>(size) < bytes)
      return PCIO_ERROR(RESOURCE, NOSPACE, "a shared segment is smaller than asked for");
    segments_[rank] = static_cast<std::byte*>(start);
  }
  return Status();
}

Result<SharedMemory> SharedMemory::allocate(Comm& comm, std::uint64_t bytes) {
  SharedMemory made;
  const std::uint64_t asked = bytes + kAlignment - 1;
  // A rank without memory takes part to the end.
  Status usable = without_throwing([&] {
    made.segments_.resize(static_cast<std::size_t>(comm.size()));
    return Status();
  });
  if (Status window = made.make_window(comm, asked); usable.ok()) usable = std::move(window);
  if (usable.ok()) usable = made.find_segments(asked);
  // Where a segment begins follows from where this process sees it. Mappings begin at pages, so all
  // see the same byte; where they don't, the memory is of no use.
  std::uint64_t offsets = 0;
  for (std::byte*& segment : made.segments_) {
    const std::uint64_t offset = bytes_to_aligned(segment);
    segment += offset;
    offsets = offsets * (kAlignment + 3) + offset;
  }
  std::uint64_t said[kWordsSaid];
  said[kHasWindow] = made.is_null() ? 0 : 1;
  said[kCanUse] = usable.ok() ? 1 : 0;
  said[kOffsets] = offsets;
  said[kOffsetsNegated] = ~offsets;
  PCIO_TRY(comm.allreduce_min(said));
  made.bytes_ = bytes;
  if (said[kCanUse] != 0 && said[kOffsets] == ~said[kOffsetsNegated]) return made;
  // Where only some have a window they can't free it, which takes all: it is left to MPI.
  if (said[kHasWindow] != 0) PCIO_TRY(made.free());
  return SharedMemory();
}

Status SharedMemory::free() {
  if (window_ == MPI_WIN_NULL || !is_active()) return Status();
  const LibraryPause others_go_on;
  // Where it was not locked, that failed.
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
