// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: many ranks in one process, in lockstep, with counters.
//
// A decision step is a resumable object (src/plan/collective_steps.hpp). Each simulated rank has one;
// all are asked for their next exchange, which must be of one kind and length on all ranks (that is
// what keeps real ranks from waiting for ever), and get its result. Values are those of a real
// communicator. Rounds, messages and bytes are those of the usual algorithms: recursive doubling
// with folding for reductions (Rabenseifner 2004), Bruck's for a gather, a binomial tree for a
// broadcast.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/collective_steps.hpp"

namespace pcio::test {

/// What one rank did.
struct SimCounters {
  std::uint64_t calls = 0;          ///< collective calls, as MPI would count them
  std::uint64_t payload_bytes = 0;  ///< length of what this rank gave to them
  std::uint64_t rounds = 0;         ///< message latencies one after another
  std::uint64_t messages = 0;       ///< sent
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
};

/// kTree: all ranks merge in one order. kPerRank: every rank in an order of its own, as the MPI
/// standard permits for operations that are not exactly associative.
enum class MergeOrder : std::uint8_t { kTree, kPerRank };

class SimCommunicator {
 public:
  explicit SimCommunicator(std::uint64_t ranks, MergeOrder order = MergeOrder::kTree)
      : order_(order), counters_(ranks), wanted_(ranks) {}

  /// Runs the ranks' steps to their end. next(r) is rank r's next exchange.
  /// Returns what went wrong: ranks that want different exchanges, a step without end; empty where
  /// nothing did.
  std::string run(const std::function<Collective(std::uint64_t)>& next);

  [[nodiscard]] std::uint64_t size() const { return counters_.size(); }
  [[nodiscard]] const std::vector<SimCounters>& counters() const { return counters_; }
  /// The maximum over the ranks of each counter by itself.
  [[nodiscard]] SimCounters worst() const;
  /// Kinds of the exchanges of the last run, in order.
  [[nodiscard]] const std::vector<CollectiveKind>& kinds() const { return kinds_; }

 private:
  [[nodiscard]] std::string difference() const;
  [[nodiscard]] bool fits_rows(const Collective& e, std::uint64_t from) const;
  void exchange_rows();
  void exchange_sizes();
  void scan();
  void perform();
  void reduce(void (*merge)(std::span<std::uint64_t>, std::span<const std::uint64_t>));
  void reduce_per_rank(void (*merge)(std::span<std::uint64_t>, std::span<const std::uint64_t>));
  void count_reduction(std::uint64_t bytes);
  void count_gather(std::uint64_t bytes);
  void count_broadcast(std::uint64_t bytes);

  MergeOrder order_;
  std::vector<SimCounters> counters_;
  std::vector<Collective> wanted_;
  std::vector<CollectiveKind> kinds_;
};

}  // namespace pcio::test
