// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What simulations do with files, each thing by itself. Room: tools, public headers only.

#ifndef PCIO_TOOLS_BENCH_WORKLOADS_HPP
#define PCIO_TOOLS_BENCH_WORKLOADS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "library.hpp"

namespace bench {

/// What is measured once.
struct Job {
  const Library* library = nullptr;
  int rank = 0, ranks = 1;
  std::string file;
  std::uint64_t bytes = 0;  ///< of a rank, about
};

/// Seconds between two barriers, the same on all ranks, from the file's creation or opening to its close.
struct Seconds {
  double write = 0, read = 0;
  std::uint64_t bytes = 0;  ///< of all ranks
};

struct Workload {
  const char* name;
  const char* what;
  /// Writes the file and reads it again, each rank what the next one has written. Throws Failure where a call fails
  /// or what was read is not what was written. Collective: all ranks.
  Seconds (*run)(const Job& job);
};

/// All of them, in the order in which they are told.
const std::vector<Workload>& workloads();

}  // namespace bench

#endif
