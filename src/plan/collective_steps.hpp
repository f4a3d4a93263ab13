// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: one collective of a decision step, as data.
//
// A step that communicates is a resumable object: next() takes in the result of the last collective
// and says which one comes now. run_collectives() drives it over a real communicator; the tests drive
// 10^5 of them in lockstep in one process. The source of the decision is the same.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/communicator.hpp"
#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/word_merge.hpp"

namespace pcio {

enum class CollectiveKind : std::uint8_t {
  kDone,       ///< no collective: the step is over
  kSum,        ///< words become sums over the ranks
  kMax,        ///< words become maxima over the ranks
  kSummaries,  ///< MergeSummaries
  kCounts,     ///< MergeCounts
  kGather,     ///< every rank's words, in rank order, into `all`
  kBroadcast,  ///< rank 0's words
  kScan,       ///< words become sums over lower ranks
  kSizes,      ///< word r goes to rank r; `all` gets a word from each
  kRows,       ///< row r, of counts[r] words, goes to rank r; `all` gets rows of all_counts
};

/// What all ranks do together: equal in kind and (but for kRows) number of words on every rank, in
/// the same order.
/// The words belong to the step and stay valid until the next call of next().
struct Collective {
  CollectiveKind kind = CollectiveKind::kDone;
  std::span<std::uint64_t> words;
  std::span<std::uint64_t> all;  ///< kGather: ranks * words.size(); kSizes: one for each rank
  std::span<const std::uint64_t> counts = {};      ///< kRows: words for each rank
  std::span<const std::uint64_t> all_counts = {};  ///< kRows: words from each rank
};

/// Performs one. Collective: over `comm`, one exchange.
template <Communicator C>
Status perform(C& comm, const Collective& collective) {
  switch (collective.kind) {
    case CollectiveKind::kDone: return Status();
    case CollectiveKind::kSum: return comm.allreduce_sum(collective.words);
    case CollectiveKind::kMax: return comm.allreduce_max(collective.words);
    case CollectiveKind::kSummaries:
      return comm.allreduce_merge(collective.words, MergeSummaries{});
    case CollectiveKind::kCounts: return comm.allreduce_merge(collective.words, MergeCounts{});
    case CollectiveKind::kGather:
      return comm.allgather(std::as_bytes(std::span<const std::uint64_t>(collective.words)),
                            std::as_writable_bytes(collective.all));
    case CollectiveKind::kBroadcast:
      return comm.broadcast(std::as_writable_bytes(collective.words), 0);
    case CollectiveKind::kScan: return comm.exscan_sum(collective.words);
    case CollectiveKind::kSizes: return comm.alltoall(collective.words, collective.all);
    case CollectiveKind::kRows:
      return comm.alltoallv(collective.words, collective.counts, collective.all,
                            collective.all_counts);
  }
  return Status();
}

/// Drives `steps` to its end. Collective: over `comm`, as many exchanges as the steps ask for.
/// Errors: those of the communicator, after which its ranks no longer agree on anything.
template <Communicator C, class Steps>
Status run_collectives(C& comm, Steps& steps) {
  for (Collective e = steps.next(); e.kind != CollectiveKind::kDone; e = steps.next())
    PCIO_TRY(perform(comm, e));
  return Status();
}

}  // namespace pcio
