// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: memory that the ranks of one machine share.
//
// Made here, not by MPI_Win_allocate_shared: where one rank can't have such a window (a full /dev/shm, a limit
// of file sizes) Open MPI returns an error there and leaves the other ranks waiting for ever.
//
// Source: Linux, memfd_create(2), proc(5) on /proc/PID/fd.

#pragma once

#include <cstdint>
#include <utility>

#include "base/status.hpp"
#include "base/types.hpp"
#include "mpi/comm.hpp"

namespace pcio::mpi {

/// One segment for each rank, seen by all. Move-only; null by default. A segment begins at a page of its own,
/// so at a multiple of kAlignment, and holds zeros at first.
///
/// Threads: one thread uses it at a time on each rank; ranks see each other's stores after fence(), a
/// collective, and fence() again.
class SharedMemory {
 public:
  static constexpr std::uint64_t kAlignment = 64;

  SharedMemory() = default;
  /// `bytes` for each rank, equal on all; null on all ranks where one of them can't have it.
  /// Collective: over `comm`, whose ranks share one machine. Errors: MPI's in a collective.
  static Result<SharedMemory> allocate(Comm& comm, std::uint64_t bytes) {
    return allocate(comm, comm, bytes);
  }
  /// The same on several machines: `node`, whose ranks share one, is a part of `all`, whose ranks have all of them
  /// such memory behind it or none has. Collective: over `node`, then over `all`.
  static Result<SharedMemory> allocate(Comm& node, Comm& all, std::uint64_t bytes);

  SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(start_, other.start_);
    std::swap(mapped_, other.mapped_);
    std::swap(stride_, other.stride_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { free(); }
  /// This rank sees it no longer; other ranks go on with theirs. Local.
  void free() noexcept;

  [[nodiscard]] bool is_null() const { return start_ == nullptr; }
  /// Bytes of each segment.
  [[nodiscard]] std::uint64_t size() const { return bytes_; }
  [[nodiscard]] std::byte* segment(int rank) const {
    return start_ + static_cast<std::uint64_t>(rank) * stride_;
  }
  /// Stores before it are seen before stores behind it. Local.
  static void fence();

 private:
  Status map(int descriptor, std::uint64_t bytes);

  std::byte* start_ = nullptr;
  std::uint64_t mapped_ = 0;  ///< bytes of all segments
  std::uint64_t stride_ = 0;  ///< from segment to segment
  std::uint64_t bytes_ = 0;
};

}  // namespace pcio::mpi
