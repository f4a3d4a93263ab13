// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: this_process.

#include "mpi/this_process.hpp"

#include <atomic>
#include <pthread.h>
#include <unistd.h>

namespace pcio {

namespace {

/// 0: to be asked for.
std::atomic<pid_t> known{0};

void forget_in_child() { known.store(0, std::memory_order_relaxed); }

const bool kIsToldOfFork = pthread_atfork(nullptr, nullptr, forget_in_child) == 0;

}  // namespace

pid_t this_process() noexcept {
  const pid_t before = known.load(std::memory_order_relaxed);
  if (before != 0) return before;
  const pid_t now = ::getpid();
  if (kIsToldOfFork) known.store(now, std::memory_order_relaxed);
  return now;
}

}  // namespace pcio
