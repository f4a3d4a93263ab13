// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: lists of steps for each strategy.

#include "plan/schedule.hpp"

namespace pcio {

namespace {

constexpr Step kBarrierStep{StepKind::kBarrier, StepChunks::kNone, StepForm::kOneOperation, 0, 1};
constexpr Step kAllIndependentStep{StepKind::kIndependent, StepChunks::kAll,
                                   StepForm::kOneOperation, 0, 0};

Step collective(StepChunks chunks, StepForm form, std::uint64_t rounds) {
  return {StepKind::kCollective, chunks, form, 0, form == StepForm::kOneOperation ? 1 : rounds};
}

/// Marked chunks together, the others after them. Chunks that no rank touches are in no mark, so
/// an empty independent step is known where all are marked.
Schedule by_marks(StepForm form, const MarkedChunks& marked, const ChunkCensus& census) {
  if (marked.is_all()) return {{collective(StepChunks::kAll, form, census.dataset_chunks)}};
  if (marked.is_none()) return {{kAllIndependentStep}};
  return {{collective(StepChunks::kMarked, form, marked.size(census.dataset_chunks)),
           kBarrierStep,
           {StepKind::kIndependent, StepChunks::kUnmarked, StepForm::kOneOperation, 0, 0}}};
}

/// The flow's form without marking: the n-th chunk of every rank together, as long as all have one.
Schedule without_marks(const ChunkCensus& census) {
  const std::uint64_t common = census.min_chunks;
  if (common == 0) return {{kAllIndependentStep}};
  Schedule schedule;
  schedule.steps.push_back(
      {StepKind::kCollective, StepChunks::kFirst, StepForm::kPerChunk, common, common});
  if (census.max_chunks > common) {
    schedule.steps.push_back(kBarrierStep);
    schedule.steps.push_back(
        {StepKind::kIndependent, StepChunks::kRest, StepForm::kOneOperation, common, 0});
  }
  return schedule;
}

}  // namespace

Schedule make_schedule(Strategy strategy, const MarkedChunks& marked, const ChunkCensus& census) {
  switch (strategy) {
    case Strategy::kContiguous:
    case Strategy::kLinked: return {{collective(StepChunks::kAll, StepForm::kOneOperation, 1)}};
    case Strategy::kMulti: return by_marks(StepForm::kPerChunk, marked, census);
    case Strategy::kAtOnce: return by_marks(StepForm::kOneOperation, marked, census);
    case Strategy::kMultiNoOpt: return without_marks(census);
    case Strategy::kAllIndependent:
    case Strategy::kNoCollective: break;
  }
  return {{kAllIndependentStep}};
}

bool in_step(const Step& step, const MarkedChunks& marked, ChunkOrdinal ordinal,
             std::uint64_t position) {
  switch (step.chunks) {
    case StepChunks::kNone: return false;
    case StepChunks::kAll: return true;
    case StepChunks::kMarked: return marked.contains(ordinal);
    case StepChunks::kUnmarked: return !marked.contains(ordinal);
    case StepChunks::kFirst: return position < step.limit;
    case StepChunks::kRest: return position >= step.limit;
  }
  return false;
}

}  // namespace pcio
