// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: memory that simulated ranks share, of which a rank may be made to lack some.

#include <mpi.h>

#if defined(OPEN_MPI)

#include <cerrno>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sim/sim_state.hpp"

using namespace pcio::sim;

extern "C" {

/// Memory that ranks share is the machine's own; a rank may be made to lack it.
void* mmap(void* at, std::size_t bytes, int protection, int flags, int fd, off_t offset) noexcept {
  const bool shared = (flags & MAP_SHARED) != 0 && fd >= 0 && sim_world() != nullptr;
  if (shared && sim_enter("mmap", bytes) != SimFault::kNone) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, fd, offset));
}

}  // extern "C"

#endif
