// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: all chunks that any rank names, known to every rank.
//
// Ranks merge blocks of intervals pairwise, so a chunk that many of them name travels once, and
// nothing is proportional to ranks x chunks. A block holds the lowest intervals; the next round
// goes on where it ends.

#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "base/communicator.hpp"
#include "base/without_throwing.hpp"
#include "plan/marked_chunks.hpp"

namespace pcio {

/// Words of a block: how many intervals; every chunk below `reach` that somebody names is among
/// them; then pairs (first, end), ascending and apart.
namespace interval_block {
inline constexpr std::size_t kCount = 0;
inline constexpr std::size_t kReach = 1;
inline constexpr std::size_t kHeader = 2;
inline constexpr std::size_t kIntervals = 1024;
inline constexpr std::size_t kWords = kHeader + 2 * kIntervals;
inline constexpr std::uint64_t kEverything = std::numeric_limits<std::uint64_t>::max();
/// A block with the intervals of `mine` (ascending, apart) from chunk `from` on, as many as fit.
void fill(std::span<std::uint64_t> words, std::span<const OrdinalInterval> mine, ChunkOrdinal from);
}  // namespace interval_block

/// Commutative; where blocks are full, how far the result reaches depends on the order of merging.
struct MergeIntervals {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

/// The union of what the ranks bring, ascending and apart, equal on all ranks.
///
/// Collective: over `comm`; two exchanges, and two more for each 1024 intervals of the result. A rank
/// without memory for the result takes part to the end and gets a failure of its own.
template <Communicator C>
Result<std::vector<OrdinalInterval>> gather_union(C& comm, std::span<const OrdinalInterval> mine) {
  namespace block = interval_block;
  std::uint64_t words[block::kWords];
  std::vector<OrdinalInterval> all;
  Status status;
  for (ChunkOrdinal from = 0; from != block::kEverything; from = words[block::kReach]) {
    block::fill(words, mine, from);
    PCIO_TRY(comm.allreduce_merge(std::span(words), MergeIntervals{}));
    // Ranks may have merged in different orders: rank 0's result is everybody's.
    PCIO_TRY(comm.broadcast(std::as_writable_bytes(std::span(words)), 0));
    if (!status.ok()) continue;
    status = without_throwing([&] {
      for (std::size_t i = 0; i < words[block::kCount]; ++i) {
        const std::uint64_t* pair = words + block::kHeader + 2 * i;
        append_interval(all, {pair[0], pair[1] - pair[0]});
      }
      return Status();
    });
  }
  PCIO_TRY(std::move(status));
  return all;
}

}  // namespace pcio
