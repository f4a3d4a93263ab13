// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: a board in the memory of one machine on which ranks pin their facts.
//
// An agreement through MPI costs several messages one after the other; here each rank stores its
// facts, counts up, and reads those of the others: a third of the time where ranks outnumber
// cores, which is most of what a small transfer costs.

#pragma once

#include <cstdint>

#include "agree/agreement.hpp"
#include "base/status.hpp"
#include "mpi/comm.hpp"
#include "mpi/shared_memory.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class FactsBoard {
 public:
  /// More ranks than that agree through MPI: each one reads all.
  static constexpr int kMostRanks = 64;

  /// Collective: over `comm`, whose ranks share one machine. Where they can't have one, none has one
  /// afterwards. Errors: MPI's, maybe on this rank alone.
  Status make(mpi::Comm& comm);
  [[nodiscard]] bool is_made() const { return !memory_.is_null(); }
  /// Merges the facts of all ranks. Collective: over `comm`, one exchange.
  Status merge_all(mpi::Comm& comm, WireFacts& wire);
  /// Local: others go on with what was written here.
  void free() noexcept { memory_.free(); }

 private:
  struct Slot;
  [[nodiscard]] Slot& slot(int rank) const;

  mpi::SharedMemory memory_;
  std::uint64_t round_ = 0;
};

}  // namespace pcio
