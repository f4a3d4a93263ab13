// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: opening and closing the library as a whole.

#pragma once

#include <atomic>

#include "base/status.hpp"

namespace pcio {

namespace detail {
extern std::atomic<bool> library_open;
Status open_library_slowly();
}  // namespace detail

/// Makes ids and defaults ready; cheap when they are.
///
/// Collective: no; legal before MPI_Init and after MPI_Finalize (makes no MPI call).
inline Status open_library() {
  if (detail::library_open.load(std::memory_order_acquire)) return Status();
  return detail::open_library_slowly();
}

/// Something to do when the library closes (H5close, or process exit unless H5dont_atexit),
/// before ids are dropped; the last one registered runs first. Registering twice does nothing.
void at_library_close(void (*hook)());

/// This process is one that closes what it has open when it ends: it opens a file. (A child of fork
/// that opens none is not.)
void note_use_of_library();

/// H5dont_atexit.
void keep_library_open_at_exit();

/// Closes everything that is open and drops all ids; the next call opens the library again.
void close_library();

}  // namespace pcio
