// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: FactsBoard out of line.

#include "agree/facts_board.hpp"

#include <algorithm>
#include <atomic>
#include <new>

namespace pcio {

/// Two sets of facts take turns: a rank that is through with a round may pin those of the next while
/// others still read, but it gets no further, because the next round needs everybody.
/// With a leader one set is enough: a rank pins its next words when it has the leader's answer, who had read all
/// words by then; and the leader answers when all have pinned their next ones, so they have its last answer.
struct alignas(64) FactsBoard::Slot {
  std::atomic<std::uint64_t> round;
  std::atomic<std::uint64_t> failed;  ///< the first round without an answer; 0: none
  alignas(64) WireFacts facts[2];
  alignas(64) std::uint64_t words[kMostWords];
};

FactsBoard::Slot& FactsBoard::slot(int rank) const {
  return *std::launder(reinterpret_cast<Slot*>(memory_.segment(rank)));
}

Status FactsBoard::make(mpi::Comm& node, mpi::Comm& all) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static_assert(alignof(Slot) <= mpi::SharedMemory::kAlignment);
  PCIO_ASSIGN(memory_, mpi::SharedMemory::allocate(node, all, sizeof(Slot)));
  if (memory_.is_null()) return Status();
  new (memory_.segment(node.rank())) Slot{};
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

const std::uint64_t* FactsBoard::pinned_by(int rank, std::uint64_t round) const noexcept {
  const Slot& theirs = slot(rank);
  return theirs.round.load(std::memory_order_acquire) >= round ? theirs.words : nullptr;
}

Status FactsBoard::ask(mpi::Comm& watched, int rank_of_node, Words words) {
  const std::uint64_t round = ++round_;
  Slot& mine = slot(rank_of_node);
  const Slot& leader = slot(0);
  std::copy(words.begin(), words.end(), mine.words);
  mine.round.store(round, std::memory_order_release);
  auto is_answered = [&] { return leader.round.load(std::memory_order_acquire) >= round; };
  PCIO_TRY(watched.wait_until(std::ref(is_answered)));
  // Not of a later round, which this rank has not come to.
  const std::uint64_t failed = leader.failed.load(std::memory_order_acquire);
  if (failed != 0 && failed <= round)
    return PCIO_ERROR(INTERNAL, MPI, "the rank that leads this node could not reach the others");
  std::copy_n(leader.words, words.size(), words.begin());
  return Status();
}

void FactsBoard::answer(Words words, bool good) noexcept {
  Slot& leader = slot(0);
  // Others may still read the last answer where not all have come.
  if (good) std::copy(words.begin(), words.end(), leader.words);
  if (!good && leader.failed.load(std::memory_order_relaxed) == 0)
    leader.failed.store(round_, std::memory_order_release);
  leader.round.store(round_, std::memory_order_release);
}

}  // namespace pcio
