// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: FactsBoard out of line.

#include "agree/facts_board.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace pcio {

/// Two sets of facts take turns, a half of the words each: a rank that is through with a round may pin those of the next
/// while others still read, but it gets no further, because the next round needs everybody.
/// With a leader one set is enough: a rank pins its next words when it has the leader's answer, who had read all
/// words by then; and the leader answers when all have pinned their next ones, so they have its last answer.
struct alignas(64) FactsBoard::Slot {
  std::atomic<std::uint64_t> round;
  std::atomic<std::uint64_t> failed;  ///< the first round without an answer; 0: none
  alignas(64) std::uint64_t words[kMostWords];

  [[nodiscard]] std::byte* facts_of(std::uint64_t number) {
    return reinterpret_cast<std::byte*>(words + number % 2 * (kMostWords / 2));
  }
};

FactsBoard::Slot& FactsBoard::slot(int rank) const {
  return *std::launder(reinterpret_cast<Slot*>(memory_.segment(rank)));
}

Status FactsBoard::make(mpi::Comm& node, mpi::Comm& all) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static_assert(alignof(Slot) <= mpi::SharedMemory::kAlignment && sizeof(Slot) == 4096);
  PCIO_ASSIGN(memory_, mpi::SharedMemory::allocate(node, all, sizeof(Slot)));
  if (memory_.is_null()) return Status();
  new (memory_.segment(node.rank())) Slot{};
  mpi::SharedMemory::fence();
  return Status();
}

Status FactsBoard::merge_all(mpi::Comm& comm, std::span<WireFacts> facts) {
  const std::uint64_t round = ++round_;
  Slot& mine = slot(comm.rank());
  std::memcpy(mine.facts_of(round), facts.data(), facts.size_bytes());
  mine.round.store(round, std::memory_order_release);
  int next = 0;
  auto all_are_there = [&] {
    while (next < comm.size() && slot(next).round.load(std::memory_order_acquire) >= round) ++next;
    return next == comm.size();
  };
  // By reference: others wait for this rank already, so no memory may be asked for.
  PCIO_TRY(comm.wait_until(std::ref(all_are_there)));
  for (int rank = 0; rank < comm.size(); ++rank) {
    const std::byte* theirs = slot(rank).facts_of(round);
    for (WireFacts& all : facts) {
      WireFacts one{};
      std::memcpy(&one, theirs, sizeof one);
      if (rank != comm.rank()) merge(all, one);
      theirs += sizeof one;
    }
  }
  return Status();
}

const std::uint64_t* FactsBoard::pinned_by(int rank, std::uint64_t round) const noexcept {
  const Slot& theirs = slot(rank);
  return theirs.round.load(std::memory_order_acquire) >= round ? theirs.words : nullptr;
}

Status FactsBoard::ask(mpi::Comm& watched, int rank_of_node, Words words, Words answer) {
  const std::uint64_t round = ++round_;
  Slot& mine = slot(rank_of_node);
  const Slot& leader = slot(0);
  std::copy(words.begin(), words.end(), mine.words);
  mine.round.store(round, std::memory_order_release);
  auto is_answered = [&] { return leader.round.load(std::memory_order_acquire) >= round; };
  PCIO_TRY(watched.wait_until(std::ref(is_answered)));
  PCIO_TRY(was_told());
  std::copy_n(leader.words, answer.size(), answer.begin());
  return Status();
}

void FactsBoard::answer(Words words, bool good) noexcept {
  Slot& leader = slot(0);
  // Others may still read the last answer where not all have come.
  if (good) std::copy(words.begin(), words.end(), leader.words);
  note(good);
  leader.round.store(round_, std::memory_order_release);
}

void FactsBoard::tell(bool good) noexcept {
  ++round_;
  note(good);
}

void FactsBoard::note(bool good) noexcept {
  Slot& leader = slot(0);
  if (!good && leader.failed.load(std::memory_order_relaxed) == 0)
    leader.failed.store(round_, std::memory_order_release);
}

Status FactsBoard::was_told() const {
  // Not of a later round, which this rank has not come to.
  const std::uint64_t failed = slot(0).failed.load(std::memory_order_acquire);
  return failed == 0 || failed > round_ ? Status() : no_answer();
}

Status FactsBoard::no_answer() {
  return PCIO_ERROR(INTERNAL, MPI, "the rank that leads this node could not reach the others");
}

}  // namespace pcio
