// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: memory that the ranks of one machine share.
//
// Source: MPI 3.1, chapter 11, "Window That Allocates Shared Memory" and "Unified memory model".

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <mpi.h>

#include "base/status.hpp"
#include "base/types.hpp"
#include "mpi/comm.hpp"

namespace pcio::mpi {

/// One segment for each rank, seen by all. Move-only; null by default. A segment begins at a multiple
/// of kAlignment, on every rank at the same byte of the memory, wherever MPI maps it.
///
/// Threads: one thread uses it at a time on each rank; ranks see each other's stores after fence(), a
/// collective, and fence() again.
class SharedMemory {
 public:
  static constexpr std::uint64_t kAlignment = 64;

  SharedMemory() = default;
  /// `bytes` for each rank, equal on all; null on all ranks where one of them can't have it.
  /// Collective: over `comm`, whose ranks share one machine. Errors: MPI's in a collective.
  static Result<SharedMemory> allocate(Comm& comm, std::uint64_t bytes);

  SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(window_, other.window_);
    std::swap(segments_, other.segments_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  /// Freeing is collective, so the destructor leaves the memory to MPI.
  ~SharedMemory() = default;
  /// Collective: over the communicator of allocate().
  Status free();

  [[nodiscard]] bool is_null() const { return window_ == MPI_WIN_NULL; }
  /// Bytes of each segment.
  [[nodiscard]] std::uint64_t size() const { return bytes_; }
  [[nodiscard]] std::byte* segment(int rank) const {
    return segments_[static_cast<std::size_t>(rank)];
  }
  /// Stores before it are seen before stores behind it. Local.
  Status fence() const;

 private:
  Status make_window(const Comm& comm, std::uint64_t bytes);
  Status find_segments(std::uint64_t bytes);

  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::byte*> segments_;
  std::uint64_t bytes_ = 0;
};

}  // namespace pcio::mpi
