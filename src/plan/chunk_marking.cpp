// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the choice between the ways of marking.

#include "plan/chunk_marking.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

std::uint64_t collective_limit(std::uint64_t ranks, unsigned percent) {
  __extension__ using Wide = unsigned __int128;
  const Wide share = static_cast<Wide>(ranks) * percent / 100;
  // More than all ranks is as good as all ranks, which no chunk passes.
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::min<Wide>(share, ranks)));
}

ChunkMarking::ChunkMarking(std::span<const OrdinalInterval> touched, unsigned percent,
                           const ChunkCensus& census, std::uint64_t mpi_rank)
    : task_{touched,           mpi_rank,
            census.ranks,      collective_limit(census.ranks, percent),
            census.sum_chunks, census.dataset_chunks},
      way_(choose_way(task_, percent, census)) {}

ChunkMarking::Way ChunkMarking::choose_way(const marking::Task& task, unsigned percent,
                                           const ChunkCensus& census) {
  if (percent == 0) return marking::Known(MarkedChunks::all());
  const std::uint64_t most = marking::Summaries::counters_needed(task);
  if (task.limit >= census.ranks_with_data || most == 0)
    return marking::Known(MarkedChunks::none());
  const std::uint64_t counter_words =
      ceil_div(task.dataset_chunks, std::uint64_t{marking::CounterShape(task.ranks).per_word});
  if (counter_words < marking::kInlineWords) return marking::Counters(task);
  if (task.ranks <= marking::kFewRanks) return marking::Intervals(task);
  // Words of a summary and of its counts against words of counters for everything.
  if (most <= counter_words / 3) return marking::Summaries(task);
  return marking::Counters(task);
}

Collective ChunkMarking::next() {
  const Collective wanted = std::visit([](auto& way) { return way.next(); }, way_);
  if (wanted.kind != CollectiveKind::kDone) return wanted;
  // Both reasons to change the way are known to all ranks.
  if (const auto* gathered = std::get_if<marking::Intervals>(&way_);
      gathered != nullptr && gathered->prefers_counters()) {
    const marking::OrdinalRange range = gathered->range();
    return way_.emplace<marking::Counters>(task_, range).next();
  }
  if (const auto* summed = std::get_if<marking::Summaries>(&way_);
      summed != nullptr && summed->prefers_counters())
    return way_.emplace<marking::Counters>(task_).next();
  return wanted;
}

Result<MarkedChunks> ChunkMarking::finish() {
  return std::visit([](auto& way) { return way.finish(); }, way_);
}

}  // namespace pcio
