// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which chunks are collective, by the number of ranks that touch them.
//
// Counting ranks per chunk in a table would cost ranks x chunks on one rank, as the original flow
// does. Only chunks touched by more than the limit matter, so they are found as heavy hitters:
// summaries in one reduction, exact counts of the candidates in a second. Few ranks send their
// intervals, or small counters over the touched range. Every way gives the exact result.
// Source: HDF Group, "Collective Chunk I/O" flow; Agarwal et al., "Mergeable summaries" (2013).

#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/chunk_strategy.hpp"
#include "plan/collective_steps.hpp"
#include "plan/marked_chunks.hpp"
#include "plan/marking_methods.hpp"

namespace pcio {

/// A chunk is collective where more ranks than this touch it: max(1, floor(ranks * percent / 100)).
/// With percent 0 all chunks are, whatever this says.
/// Collective: pure.
[[nodiscard]] std::uint64_t collective_limit(std::uint64_t ranks, unsigned percent);

/// Marks chunks, as a resumable step; see collective_steps.hpp. Its exchanges depend on `percent` and
/// the census (equal on all ranks) and on what was exchanged, never on this rank alone. A rank that
/// runs out of memory goes on with the same exchanges, and all ranks fail together. Threads: one
/// thread per object.
class ChunkMarking {
 public:
  /// `touched`: this rank's chunks, ascending, no chunk twice; it must outlive the object. percent
  /// of the ranks.
  ChunkMarking(std::span<const OrdinalInterval> touched, unsigned percent,
               const ChunkCensus& census, std::uint64_t mpi_rank);
  // Exchanges point into the object.
  ChunkMarking(const ChunkMarking&) = delete;
  ChunkMarking& operator=(const ChunkMarking&) = delete;

  Collective next();
  /// After next() has given kDone. Errors: RESOURCE NOSPACE, on all ranks.
  Result<MarkedChunks> finish();

 private:
  using Way =
      std::variant<marking::Known, marking::Counters, marking::Intervals, marking::Summaries>;
  static Way choose_way(const marking::Task& task, unsigned percent, const ChunkCensus& census);

  marking::Task task_;
  Way way_;
};

/// Marks the chunks that more than collective_limit() ranks touch.
/// Collective: over `comm`; none with percent 0 or a limit that no chunk can pass, two exchanges
/// for many ranks with few chunks, else a number that grows with the touched chunks, in bounded
/// buffers. On failure all ranks fail. Errors: RESOURCE NOSPACE; those of the communicator.
template <Communicator C>
Result<MarkedChunks> mark_chunks(C& comm, std::span<const OrdinalInterval> touched,
                                 unsigned percent, const ChunkCensus& census) {
  ChunkMarking marking(touched, percent, census, static_cast<std::uint64_t>(comm.rank()));
  PCIO_TRY(run_collectives(comm, marking));
  return marking.finish();
}

}  // namespace pcio
