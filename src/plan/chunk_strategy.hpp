// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which of the chunk optimizations a transfer uses.
//
// Source: HDF Group, "Collective Chunk I/O" flow (H5Pset_dxpl_mpio_chunk_opt and _num), RFC "Actual
// I/O Mode" (2013). Where they contradict each other: the comment at the rule.

#pragma once

#include <cstdint>

#include "plan/cause_facts.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// What the transfer list says; equal on all ranks (the agreement compares it).
struct ChunkOptHints {
  ChunkOpt request = ChunkOpt::kDefault;
  CollectiveOpt opt = CollectiveOpt::kCollectiveIo;
  std::uint64_t link_threshold = 0;  ///< chunks per rank from which chunks are linked
  unsigned ratio_percent = 60;       ///< of the ranks, above which a chunk is collective
};

/// What the agreement says about touched chunks; equal on all ranks.
struct ChunkCensus {
  std::uint64_t ranks = 1;
  std::uint64_t sum_chunks = 0;  ///< over ranks, a chunk counts once per rank that touches it
  std::uint64_t min_chunks = 0;
  std::uint64_t max_chunks = 0;
  std::uint64_t ranks_with_data = 0;
  std::uint64_t dataset_chunks = 0;  ///< chunks of the whole grid
};

/// How the chunks of one transfer are treated.
enum class Strategy : std::uint8_t {
  kContiguous,      ///< no chunks: one block
  kLinked,          ///< all chunks in one collective step
  kMulti,           ///< marked chunks one by one, the rest independently
  kMultiNoOpt,      ///< as many chunks as every rank has, one by one; the rest independently
  kAtOnce,          ///< all marked chunks in one collective step, the rest independently
  kAllIndependent,  ///< asked for: every rank for itself
  kNoCollective,    ///< a cause forbids collective I/O
};

/// Chooses from facts that all ranks share, so all choose alike.
/// Collective: pure. `global` is the OR of the ranks' causes. The census needs to be right in
/// ranks, sum_chunks and dataset_chunks only, and there only where the request is kDefault
/// (dataset_chunks: always).
[[nodiscard]] Strategy choose_strategy(CauseBits global, StorageForm form,
                                       const ChunkOptHints& hints, const ChunkCensus& census);

/// True where chunks with filters are moved by owners: one rank gathers a chunk's pieces, filters and
/// writes it, or decodes it for all. Written chunks always are, because none can be written in parts by
/// ranks for themselves; what is reported is the strategy all the same. Collective: pure.
[[nodiscard]] constexpr bool moves_by_owners(Strategy strategy, CauseBits global,
                                             Direction direction) {
  if (direction == Direction::kWrite || global == cause::kMpiposix) return true;
  return strategy != Strategy::kNoCollective && strategy != Strategy::kAllIndependent;
}

/// True where the ranks touch at least `threshold` chunks on average: sum >= threshold * ranks.
/// Collective: pure. Source: the flow's pseudo-code (">="); its prose says "greater".
[[nodiscard]] bool average_reaches(const ChunkCensus& census, std::uint64_t threshold);

/// True where the strategy needs chunks marked by ratio.
[[nodiscard]] constexpr bool needs_marks(Strategy strategy) {
  return strategy == Strategy::kMulti || strategy == Strategy::kAtOnce;
}

/// "linked chunks" ...
[[nodiscard]] const char* strategy_name(Strategy strategy);

}  // namespace pcio
