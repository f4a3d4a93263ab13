// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the choice between the chunk optimizations.

#include "plan/chunk_strategy.hpp"

#include "base/checked.hpp"

namespace pcio {

bool average_reaches(const ChunkCensus& census, std::uint64_t threshold) {
  const auto needed = checked_mul(threshold, census.ranks);
  // A product beyond 64 bits is more than any sum.
  return needed && census.sum_chunks >= *needed;
}

Strategy choose_strategy(CauseBits global, StorageForm form, const ChunkOptHints& hints,
                         const ChunkCensus& census) {
  const bool chunked = form == StorageForm::kChunked;
  if (global != cause::kCollective) {
    // Individual I/O is the user's own choice of an optimization; it wins over any chunk option.
    const bool chosen =
        global == cause::kSetIndependent && hints.opt == CollectiveOpt::kIndividualIo;
    return chosen && chunked ? Strategy::kAllIndependent : Strategy::kNoCollective;
  }
  if (!chunked) return Strategy::kContiguous;
  if (hints.request == ChunkOpt::kAllIndependent) return Strategy::kAllIndependent;
  // The only chunk is a block like that of contiguous storage.
  if (census.dataset_chunks == 1) return Strategy::kLinked;
  switch (hints.request) {
    case ChunkOpt::kOneIo: return Strategy::kLinked;
    // The flow's prose sends a request for multi-chunk I/O to the form without ratio; the RFC,
    // which is later, marks by ratio.
    case ChunkOpt::kMultiIo: return Strategy::kMulti;
    case ChunkOpt::kAtOnce: return Strategy::kAtOnce;
    case ChunkOpt::kMultiNoOpt: return Strategy::kMultiNoOpt;
    case ChunkOpt::kAllIndependent:
    case ChunkOpt::kDefault: break;
  }
  return average_reaches(census, hints.link_threshold) ? Strategy::kLinked : Strategy::kMulti;
}

const char* strategy_name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kContiguous: return "contiguous";
    case Strategy::kLinked: return "linked chunks";
    case Strategy::kMulti: return "chunk by chunk";
    case Strategy::kMultiNoOpt: return "chunk by chunk without marking";
    case Strategy::kAtOnce: return "marked chunks at once";
    case Strategy::kAllIndependent: return "all chunks independent";
    case Strategy::kNoCollective: return "not collective";
  }
  return "unknown";
}

}  // namespace pcio
