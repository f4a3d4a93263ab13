// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One random collective transfer on a chunked dataset, as every rank sees it.

#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "plan/chunk_grid.hpp"
#include "plan/chunk_strategy.hpp"
#include "plan/marked_chunks.hpp"
#include "plan/cause_facts.hpp"
#include "space/dataspace.hpp"

namespace pcio::test {

/// Numbers that are the same everywhere, unlike those of the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  /// In [low, high].
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + engine_() % (high - low + 1);
  }
  bool chance(unsigned percent) { return engine_() % 100 < percent; }

 private:
  std::mt19937_64 engine_;
};

/// How the ranks' selections are related.
enum class Pattern : std::uint8_t {
  kUnrelated,
  kPartition,      ///< blocks side by side
  kHalo,           ///< blocks that overlap their neighbours
  kCyclic,         ///< rows dealt out
  kEverybody,      ///< all ranks everything
  kOneRank,        ///< one rank has all, the others nothing
  kHot,            ///< a shared block and a little of one's own
  kManyChunks,     ///< more than 10,000 chunks for each of few ranks
  kSparse,         ///< a few of very many chunks, some of them shared by many ranks
  kManyIntervals,  ///< few ranks with every n-th of many chunks
  kManyCounters,   ///< many ranks, a low ratio, more candidates than one block of counters
  kDense,          ///< many ranks, most of some thousand chunks
  kCount
};
[[nodiscard]] const char* pattern_name(Pattern pattern);

enum class AddressOrder : std::uint8_t { kAscending, kDescending, kScattered, kCount };

struct RankCase {
  Dataspace file;
  Dataspace memory;
  CauseFacts facts;
  /// How often each element of the dataset is selected; empty where the dataset is large.
  std::vector<std::uint32_t> expected;
};

struct PlanCase {
  Pattern pattern = Pattern::kUnrelated;
  std::optional<ChunkGrid> grid;
  ChunkOptHints hints;
  StorageForm form = StorageForm::kChunked;
  AddressOrder order = AddressOrder::kAscending;
  std::vector<RankCase> ranks;

  [[nodiscard]] FileAddress address(ChunkOrdinal ordinal) const;
};

/// Case number `number` of a campaign; rare patterns come at fixed numbers.
PlanCase make_plan_case(std::uint64_t seed, std::uint64_t number);

/// The chunks that a selection touches, ascending.
std::vector<ChunkOrdinal> touched_chunks(const ChunkGrid& grid, const Dataspace& file);
/// The same as intervals.
std::vector<OrdinalInterval> as_intervals(const std::vector<ChunkOrdinal>& ordinals);

}  // namespace pcio::test
