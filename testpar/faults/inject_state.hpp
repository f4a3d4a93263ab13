// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the injecting files share. Room: testpar.

#ifndef PCIO_TESTPAR_FAULTS_INJECT_STATE_HPP
#define PCIO_TESTPAR_FAULTS_INJECT_STATE_HPP

#include <atomic>
#include <sys/types.h>

#include "inject.hpp"

namespace inject::detail {

struct State {
  // Other threads come here, too: the library's, and MPI's.
  std::atomic<Fault> fault{Fault::kNone};
  std::atomic<std::uint64_t> left{0};  // chances that pass, or bytes of room
  std::atomic<std::uint64_t> chances{0};
  std::atomic<bool> struck{false};
  std::atomic<bool> placing{false};  // this process has gathered sizes of chunks since arm()
  std::atomic<dev_t> device{0};      // the file whose disk is full
  std::atomic<ino_t> inode{0};
};
extern State state;

/// A chance for `fault`: true if it strikes now.
bool strikes(Fault fault);

/// Slowness lasts whatever is armed.
struct Slowness {
  Delay delay;
  unsigned long long random = 1;
};
extern Slowness slowness;
/// Sleeps for so long, or for a random part of it.
void nap(unsigned microseconds);

}  // namespace inject::detail

#endif
