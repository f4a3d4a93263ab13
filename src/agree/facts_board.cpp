// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: FactsBoard out of line.

#include "agree/facts_board.hpp"

#include <atomic>
#include <functional>
#include <new>

namespace pcio {

/// Two sets of facts take turns: a rank that is through with a round may pin those of the next while
/// others still read, but it gets no further, because the next round needs everybody.
struct alignas(64) FactsBoard::Slot {
  std::atomic<std::uint64_t> round;
  alignas(64) WireFacts facts[2];
};

FactsBoard::Slot& FactsBoard::slot(int rank) const {
  return *std::launder(reinterpret_cast<Slot*>(memory_.segment(rank)));
}

Status FactsBoard::make(mpi::Comm& comm) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static_assert(alignof(Slot) <= mpi::SharedMemory::kAlignment);
  PCIO_ASSIGN(memory_, mpi::SharedMemory::allocate(comm, sizeof(Slot)));
  if (memory_.is_null()) return Status();
  new (memory_.segment(comm.rank())) Slot{};
  mpi::SharedMemory::fence();
  return Status();
}

Status FactsBoard::merge_all(mpi::Comm& comm, WireFacts& wire) {
  const std::uint64_t round = ++round_;
  Slot& mine = slot(comm.rank());
  mine.facts[round % 2] = wire;
  mine.round.store(round, std::memory_order_release);
  int next = 0;
  auto all_are_there = [&] {
    while (next < comm.size() && slot(next).round.load(std::memory_order_acquire) >= round) ++next;
    return next == comm.size();
  };
  // By reference: others wait for this rank already, so no memory may be asked for.
  PCIO_TRY(comm.wait_until(std::ref(all_are_there)));
  for (int rank = 0; rank < comm.size(); ++rank)
    if (rank != comm.rank()) merge(wire, slot(rank).facts[round % 2]);
  return Status();
}

}  // namespace pcio
