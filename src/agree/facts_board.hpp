// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: a board in the memory of one machine on which ranks pin their facts.
//
// An agreement through MPI costs several messages one after the other; here each rank stores its
// facts, counts up, and reads those of the others: a third of the time where ranks outnumber
// cores, which is most of what a small transfer costs.
//
// On several machines each has a board. The leader of a node reads what its ranks have pinned, merges it with what the
// leaders of other nodes have by a reduction among them, and pins the answer for its node.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "agree/agreement.hpp"
#include "base/status.hpp"
#include "mpi/comm.hpp"
#include "mpi/shared_memory.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class FactsBoard {
 public:
  /// Of more ranks not each one reads all, but their leader.
  static constexpr int kMostRanks = 64;
  /// More ranks of a node than that agree through MPI.
  static constexpr int kMostOfNode = 512;
  static constexpr std::size_t kWordsOfFacts = sizeof(WireFacts) / sizeof(std::uint64_t);
  /// What a rank has room for, which is a page: words, and facts of two rounds.
  static constexpr std::size_t kMostWords = (4096 - 64) / sizeof(std::uint64_t);
  static constexpr std::size_t kMostFacts = kMostWords / 2 / kWordsOfFacts;

  /// Collective: over `node`, whose ranks share one machine, then over `all`, of which they are a part (or the whole).
  /// Where they can't have one, no rank of `all` has one afterwards. Errors: MPI's, maybe on this rank alone.
  Status make(mpi::Comm& node, mpi::Comm& all);
  [[nodiscard]] bool is_made() const { return !memory_.is_null(); }
  /// Merges the facts of all ranks, one by one: at most kMostFacts, equally many on all. Collective: over `comm`, one
  /// exchange.
  Status merge_all(mpi::Comm& comm, std::span<WireFacts> facts);

  // By a leader, rank 0 of the `node` with which the board was made, and of facts or other words, at most kMostWords,
  // equally many on all ranks. The others ask; the leader collects and then answers, also where it can't: they wait for
  // it. `watched`: on which MPI goes on meanwhile, and who is told how long it takes.
  using Words = std::span<std::uint64_t>;
  /// Pins this rank's words and waits for the answer, which may be longer or shorter. Errors: the leader had none, MPI's.
  Status ask(mpi::Comm& watched, int rank_of_node, Words mine, Words answer);
  /// Merges what the node's ranks have pinned, one by one in their order; merge(into, from) throws nothing. Errors: MPI's.
  template <class Merge>
  Status collect(mpi::Comm& watched, int ranks_of_node, Words words, Merge merge) {
    const std::uint64_t round = ++round_;
    int next = 1;
    auto all_are_there = [&] {
      for (; next < ranks_of_node; ++next) {
        const std::uint64_t* const theirs = pinned_by(next, round);
        if (theirs == nullptr) return false;
        merge(words, std::span(theirs, words.size()));
      }
      return true;
    };
    return watched.wait_until(std::ref(all_are_there));
  }
  /// Local: behind collect(), whatever that said.
  void answer(Words words, bool good) noexcept;
  /// An answer that reaches the ranks of the node as a message: each calls tell() before it and was_told() behind it; what
  /// the leader says of it counts. Local.
  void tell(bool good) noexcept;
  /// Errors: it was not `good`.
  [[nodiscard]] Status was_told() const;
  static Status no_answer();

  /// Local: others go on with what was written here.
  void free() noexcept { memory_.free(); }

 private:
  struct Slot;
  [[nodiscard]] Slot& slot(int rank) const;
  void note(bool good) noexcept;
  /// Words that a rank has pinned in this round; nullptr: not yet.
  [[nodiscard]] const std::uint64_t* pinned_by(int rank, std::uint64_t round) const noexcept;

  mpi::SharedMemory memory_;
  std::uint64_t round_ = 0;
};

}  // namespace pcio
