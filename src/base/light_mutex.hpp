// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: a mutex for headers that everybody includes: <mutex> brings clocks and streams along.

#pragma once

#include <pthread.h>

namespace pcio {

/// As std::mutex, for std::lock_guard. Threads: any.
class LightMutex {
 public:
  LightMutex() = default;
  LightMutex(const LightMutex&) = delete;
  LightMutex& operator=(const LightMutex&) = delete;
  ~LightMutex() = default;
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

}  // namespace pcio
