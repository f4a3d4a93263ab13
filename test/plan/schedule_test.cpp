// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Schedules, the order of chunks, and reported pairs.

#include "plan/schedule.hpp"

#include <gtest/gtest.h>
#include <random>

#include "plan/actual_io.hpp"
#include "plan/chunk_order.hpp"

namespace pcio {
namespace {

std::vector<StepKind> kinds(const Schedule& schedule) {
  std::vector<StepKind> list;
  for (const Step& step : schedule.steps) list.push_back(step.kind);
  return list;
}

const std::vector<StepKind> kBoth{StepKind::kCollective, StepKind::kBarrier,
                                  StepKind::kIndependent};
const std::vector<StepKind> kOnlyCollective{StepKind::kCollective};
const std::vector<StepKind> kOnlyIndependent{StepKind::kIndependent};
const ChunkCensus kCensus{4, 20, 3, 8, 4, 12};

TEST(MakeSchedule, LinkedIsOneCollectiveStep) {
  for (const Strategy s : {Strategy::kLinked, Strategy::kContiguous}) {
    const Schedule schedule = make_schedule(s, {}, kCensus);
    ASSERT_EQ(kinds(schedule), kOnlyCollective);
    EXPECT_EQ(schedule.steps[0].chunks, StepChunks::kAll);
    EXPECT_EQ(schedule.steps[0].rounds, 1U);
  }
}

TEST(MakeSchedule, MarkedChunksComeFirst) {
  const MarkedChunks marks = MarkedChunks::of({{2, 3}});
  const Schedule multi = make_schedule(Strategy::kMulti, marks, kCensus);
  ASSERT_EQ(kinds(multi), kBoth);
  EXPECT_EQ(multi.steps[0].form, StepForm::kPerChunk);
  EXPECT_EQ(multi.steps[0].rounds, 3U);
  EXPECT_EQ(multi.steps[2].chunks, StepChunks::kUnmarked);
  const Schedule once = make_schedule(Strategy::kAtOnce, marks, kCensus);
  ASSERT_EQ(kinds(once), kBoth);
  EXPECT_EQ(once.steps[0].form, StepForm::kOneOperation);
  EXPECT_EQ(once.steps[0].rounds, 1U);
}

TEST(MakeSchedule, StepsWithNothingToDoAreLeftOut) {
  for (const Strategy s : {Strategy::kMulti, Strategy::kAtOnce}) {
    EXPECT_EQ(kinds(make_schedule(s, MarkedChunks::all(), kCensus)), kOnlyCollective);
    EXPECT_EQ(kinds(make_schedule(s, MarkedChunks::none(), kCensus)), kOnlyIndependent);
  }
  EXPECT_EQ(make_schedule(Strategy::kMulti, MarkedChunks::all(), kCensus).steps[0].rounds, 12U);
}

TEST(MakeSchedule, WithoutMarkingAsManyAsEveryRankHas) {
  const Schedule some = make_schedule(Strategy::kMultiNoOpt, {}, kCensus);
  ASSERT_EQ(kinds(some), kBoth);
  EXPECT_EQ(some.steps[0].limit, 3U);
  EXPECT_EQ(some.steps[0].rounds, 3U);
  EXPECT_FALSE(in_step(some.steps[0], {}, 100, 3));
  EXPECT_TRUE(in_step(some.steps[0], {}, 100, 2));
  EXPECT_TRUE(in_step(some.steps[2], {}, 100, 3));
  EXPECT_EQ(kinds(make_schedule(Strategy::kMultiNoOpt, {}, {4, 20, 0, 8, 3, 12})),
            kOnlyIndependent);
  EXPECT_EQ(kinds(make_schedule(Strategy::kMultiNoOpt, {}, {4, 20, 5, 5, 4, 12})), kOnlyCollective);
}

TEST(MakeSchedule, IndependentStrategiesHaveNoCollectiveStep) {
  for (const Strategy s : {Strategy::kAllIndependent, Strategy::kNoCollective})
    EXPECT_EQ(kinds(make_schedule(s, MarkedChunks::all(), kCensus)), kOnlyIndependent);
}

TEST(OrderByAddress, SortsAndNoticesOrder) {
  std::mt19937_64 random(1);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<PlacedChunk> chunks;
    for (std::uint64_t i = random() % 50; i > 0; --i)
      chunks.push_back({i, random() % 3 == 0 ? kUndefinedAddress : random() % 100});
    std::vector<PlacedChunk> sorted = chunks;
    // Selection sort: nothing in common with what is tested.
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (std::size_t j = i + 1; j < sorted.size(); ++j)
        if (sorted[j].address < sorted[i].address ||
            (sorted[j].address == sorted[i].address && sorted[j].ordinal < sorted[i].ordinal))
          std::swap(sorted[i], sorted[j]);
    const bool was = chunks == sorted;
    EXPECT_EQ(order_by_address(chunks) == WasOrdered::kYes, was);
    EXPECT_EQ(chunks, sorted);
    EXPECT_EQ(order_by_address(chunks), WasOrdered::kYes);
  }
}

TEST(ActualIo, PairsAreThoseOfTheTable) {
  using Mode = ActualIoMode;
  using Opt = ActualChunkOpt;
  const auto is = [](Strategy s, ExecutedChunks e, Opt opt, Mode mode) {
    EXPECT_EQ(actual_io(s, e), (ActualIo{opt, mode})) << strategy_name(s);
    EXPECT_TRUE(is_legal(actual_io(s, e)));
  };
  is(Strategy::kContiguous, {}, Opt::kNone, Mode::kContiguousCollective);
  is(Strategy::kNoCollective, {0, 4}, Opt::kNone, Mode::kNoCollective);
  is(Strategy::kLinked, {4, 0}, Opt::kLinkChunk, Mode::kChunkCollective);
  is(Strategy::kLinked, {0, 0}, Opt::kLinkChunk, Mode::kChunkCollective);
  is(Strategy::kAllIndependent, {0, 0}, Opt::kAllIndependent, Mode::kChunkIndependent);
  const std::pair<Strategy, Opt> mixing[] = {{Strategy::kMulti, Opt::kMultiChunk},
                                             {Strategy::kAtOnce, Opt::kAtOnce},
                                             {Strategy::kMultiNoOpt, Opt::kMultiChunkNoOpt}};
  for (const auto& [s, opt] : mixing) {
    is(s, {0, 0}, opt, Mode::kNoCollective);
    is(s, {3, 0}, opt, Mode::kChunkCollective);
    is(s, {0, 2}, opt, Mode::kChunkIndependent);
    is(s, {3, 2}, opt, Mode::kChunkMixed);
  }
}

TEST(ActualIo, OtherPairsAreNotLegal) {
  int legal = 0;
  for (std::int8_t opt = 0; opt <= 5; ++opt)
    for (std::int8_t mode = 0; mode <= 4; ++mode)
      legal +=
          is_legal({static_cast<ActualChunkOpt>(opt), static_cast<ActualIoMode>(mode)}) ? 1 : 0;
  EXPECT_EQ(legal, 2 + 1 + 3 * 4 + 1);
  EXPECT_FALSE(is_legal({ActualChunkOpt::kLinkChunk, ActualIoMode::kChunkMixed}));
  EXPECT_FALSE(is_legal({ActualChunkOpt::kNone, ActualIoMode::kChunkCollective}));
}

}  // namespace
}  // namespace pcio
