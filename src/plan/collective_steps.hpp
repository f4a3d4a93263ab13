// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: one exchange of a decision step, as data.
//
// A step that communicates is a resumable object: next() takes in the result of the last exchange
// and says which one comes now. run_exchanges() drives it over a real communicator; the tests drive
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

enum class ExchangeKind : std::uint8_t {
  kDone,       ///< no exchange: the step is over
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
struct Exchange {
  ExchangeKind kind = ExchangeKind::kDone;
  std::span<std::uint64_t> words;
  std::span<std::uint64_t> all;  ///< kGather: ranks * words.size(); kSizes: one for each rank
  std::span<const std::uint64_t> counts = {};      ///< kRows: words for each rank
  std::span<const std::uint64_t> all_counts = {};  ///< kRows: words from each rank
};

/// Performs one exchange. Collective: over `comm`, one exchange.
template <Communicator C>
Status perform(C& comm, const Exchange& exchange) {
  switch (exchange.kind) {
    case ExchangeKind::kDone: return Status();
    case ExchangeKind::kSum: return comm.allreduce_sum(exchange.words);
    case ExchangeKind::kMax: return comm.allreduce_max(exchange.words);
    case ExchangeKind::kSummaries: return comm.allreduce_merge(exchange.words, MergeSummaries{});
    case ExchangeKind::kCounts: return comm.allreduce_merge(exchange.words, MergeCounts{});
    case ExchangeKind::kGather:
      return comm.allgather(std::as_bytes(std::span<const std::uint64_t>(exchange.words)),
                            std::as_writable_bytes(exchange.all));
    case ExchangeKind::kBroadcast: return comm.broadcast(std::as_writable_bytes(exchange.words), 0);
    case ExchangeKind::kScan: return comm.exscan_sum(exchange.words);
    case ExchangeKind::kSizes: return comm.alltoall(exchange.words, exchange.all);
    case ExchangeKind::kRows:
      return comm.alltoallv(exchange.words, exchange.counts, exchange.all, exchange.all_counts);
  }
  return Status();
}

/// Drives `steps` to its end. Collective: over `comm`, as many exchanges as the steps ask for.
/// Errors: those of the communicator, after which its ranks no longer agree on anything.
template <Communicator C, class Steps>
Status run_exchanges(C& comm, Steps& steps) {
  for (Exchange e = steps.next(); e.kind != ExchangeKind::kDone; e = steps.next())
    PCIO_TRY(perform(comm, e));
  return Status();
}

}  // namespace pcio
