// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: a thread that writes while its rank does something else.
//
// It lives within one transfer, and ends before its descriptor is closed: there is none at a close, and in MPI_Finalize or at an
// exit only where a function of the program calls these in the midst of the transfer. It makes system calls only: it speaks to
// no MPI, asks for no memory and throws nothing; signals are others'. doc/decisions/0035-overlap.md tells why it isn't MPI's
// nonblocking writes.
//
// Source: POSIX.1-2017 pwrite, pthread_create, pthread_sigmask.

#pragma once

#include <cstdint>
#include <memory>
#include <pthread.h>
#include <sys/types.h>

#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio {

struct IoCounters;

/// Writes bytes to one descriptor, in the order in which they are handed over; behind one that fails none any more.
///
/// Threads: one thread hands over and waits. In a child of fork, which has no such thread, every call is an error, and nothing
/// waits.
class WritingThread {
 public:
  /// Writes that may wait for their turn.
  static constexpr std::uint64_t kMostWaiting = 256;

  WritingThread();
  WritingThread(const WritingThread&) = delete;
  WritingThread& operator=(const WritingThread&) = delete;
  /// Leaves out what has not begun, waits for what has.
  ~WritingThread();

  /// Begins the thread, once, on a descriptor that stays open as long as it lives; -1: there is none. Its calls and bytes are
  /// added to `counters` as they are waited for, and `known` says that there is one. Both live as long. False where the system has
  /// no thread or no memory for it.
  bool begin(int fd, IoCounters& counters, WritingThread*& known) noexcept;
  [[nodiscard]] bool is_begun() const { return state_ != nullptr; }
  /// It was asked for.
  [[nodiscard]] bool was_asked_for() const { return was_asked_for_; }

  /// `data` is to be at `offset`, and stays as it is until wait_for(handed_over()). Waits where too many wait for their turn.
  /// Errors: that of an earlier one, as of a failed write: "disk full or short write: N of M bytes at offset ...: why".
  Status hand_over(std::uint64_t offset, ConstBytes data);
  /// Writes so far.
  [[nodiscard]] std::uint64_t handed_over() const { return handed_over_; }
  /// The first `count` of them are over. Errors: that of the first one that failed of all that are over.
  Status wait_for(std::uint64_t count);
  /// All are over, and there is no thread any more. Errors: as wait_for().
  Status finish();
  /// Leaves out what has not begun, waits for what has; there is no thread any more. What was left out nobody tells.
  void stop() noexcept;

 private:
  struct State;
  [[nodiscard]] bool is_here() const;
  [[nodiscard]] bool is_full();
  void count();
  Status outcome();

  std::unique_ptr<State> state_;  ///< what the two share
  pthread_t thread_{};
  pid_t process_ = 0;
  IoCounters* counters_ = nullptr;
  WritingThread** known_ = nullptr;
  std::uint64_t handed_over_ = 0;
  bool was_asked_for_ = false;
};

}  // namespace pcio
