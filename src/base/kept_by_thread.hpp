// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: something large that each thread makes once and keeps.
//
// Files that are open while the process ends are closed by a handler of exit, and the thread that
// ends it has destroyed its thread_local objects by then. So a plain thread_local object is none
// that anything reachable from a closing may use, and nothing else in this library is one.

#pragma once

#include <new>

namespace pcio {

/// The calling thread's T, made (default-initialized) where there is none yet; destroyed when the
/// thread ends. Asked for later than that, while the process ends, it is made once more and left to the
/// system. Null where there is no memory. Threads: any.
template <class T>
T* kept_by_thread() {
  thread_local T* kept = nullptr;  // nothing destroys a pointer: it can be asked at any time
  if (kept == nullptr) {
    struct Reaper {
      T** at;
      ~Reaper() {
        delete *at;
        *at = nullptr;
      }
    };
    // Destroyed once and never made again.
    thread_local const Reaper reaper{&kept};
    (void)reaper;
    kept = new (std::nothrow) T;
  }
  return kept;
}

}  // namespace pcio
