// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: what a killed program leaves behind that would stop the next one.

#include "mpi/left_semaphore.hpp"

#include <climits>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

namespace pcio::mpi {

namespace {

constexpr int kTries = 100;
constexpr useconds_t kPause = 10'000;  // microseconds: a second in all

/// False where there is none, or somebody gave it back.
bool is_held_for_long(const char* name) {
  for (int i = 0; i < kTries; ++i) {
    // Opened anew each time: it may be another one by now.
    sem_t* const semaphore = sem_open(name, 0);
    if (semaphore == SEM_FAILED) return false;
    int value = 0;
    const bool held = sem_getvalue(semaphore, &value) == 0 && value <= 0;
    sem_close(semaphore);
    if (!held) return false;
    usleep(kPause);
  }
  return true;
}

}  // namespace

void remove_left_semaphore(const char* path) noexcept {
  const char* const slash = std::strrchr(path, '/');
  char name[NAME_MAX + 1];
  const int length =
      std::snprintf(name, sizeof name, "/OMPIO_%s", slash == nullptr ? path : slash + 1);
  if (length < 0 || length >= static_cast<int>(sizeof name)) return;
  if (is_held_for_long(name)) sem_unlink(name);
}

}  // namespace pcio::mpi
