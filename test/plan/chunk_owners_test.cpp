// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Owners of filtered chunks on simulated ranks, beside a table of every touch.

#include "plan/chunk_owners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "support/sim_communicator.hpp"

namespace pcio::test {
namespace {

using Touches = std::vector<ChunkTouch>;

struct Planned {
  std::vector<OwnerPlan> plans;
  std::vector<CollectiveKind> kinds;
};

Planned plan_all(const std::vector<Touches>& touched) {
  SimCommunicator sim(touched.size());
  std::vector<ChunkOwners> steps;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    steps.emplace_back(touched[r], touched.size(), r);
  const std::string wrong = sim.run([&](std::uint64_t r) { return steps[r].next(); });
  EXPECT_EQ(wrong, "");
  Planned planned;
  planned.kinds = sim.kinds();
  for (ChunkOwners& step : steps) {
    auto plan = step.finish();
    EXPECT_TRUE(plan);
    planned.plans.push_back(plan ? std::move(*plan) : OwnerPlan());
  }
  return planned;
}

/// Everything that must hold, chunk by chunk. Returns chunks for each owner.
std::map<std::uint64_t, std::uint64_t> check(const std::vector<Touches>& touched,
                                             const std::vector<OwnerPlan>& plans) {
  struct Chunk {
    std::map<std::uint64_t, std::uint64_t> bytes;
    bool whole = false;
    std::set<std::uint64_t> owners;
    std::set<std::uint64_t> numbers;
    std::uint64_t answers = 0;
    bool sole = false;
  };
  std::map<ChunkOrdinal, Chunk> table;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    for (const ChunkTouch& t : touched[r])
      for (ChunkOrdinal c = t.first; c < t.end(); ++c) {
        table[c].bytes[r] = t.bytes;
        table[c].whole |= t.whole;
      }
  for (std::uint64_t r = 0; r < plans.size(); ++r) {
    ChunkOrdinal last = 0;
    for (const ChunkShare& s : plans[r].shares) {
      EXPECT_GE(s.first, last);
      for (std::uint64_t i = 0; i < s.count; ++i) {
        Chunk& chunk = table.at(s.first + i);
        EXPECT_EQ(chunk.bytes.count(r), 1U);
        chunk.owners.insert(s.owner);
        chunk.numbers.insert(s.number + i);
        chunk.sole = s.sole;
        ++chunk.answers;
      }
      last = s.first + s.count;
    }
  }
  std::map<std::uint64_t, std::uint64_t> loads;
  std::uint64_t most = 0;
  for (std::uint64_t r = 0; r < plans.size(); ++r) {
    std::uint64_t number = 0;
    for (const OwnedChunks& o : plans[r].owned)
      for (std::uint64_t i = 0; i < o.count; ++i, ++number) {
        const Chunk& chunk = table.at(o.first + i);
        EXPECT_EQ(chunk.owners, std::set<std::uint64_t>{r});
        EXPECT_EQ(chunk.numbers, std::set<std::uint64_t>{number});
        std::uint64_t bytes = 0;
        for (const auto& [rank, n] : chunk.bytes) bytes += n;
        EXPECT_EQ(o.bytes, bytes);
        EXPECT_EQ(o.whole, chunk.whole);
      }
    most = std::max(most, number);
  }
  for (const auto& [ordinal, chunk] : table) {
    EXPECT_EQ(chunk.owners.size(), 1U);
    EXPECT_EQ(chunk.numbers.size(), 1U);
    EXPECT_EQ(chunk.answers, chunk.bytes.size());
    EXPECT_EQ(chunk.sole, chunk.bytes.size() == 1);
    std::uint64_t largest = 0;
    for (const auto& [rank, n] : chunk.bytes) largest = std::max(largest, n);
    EXPECT_GE(chunk.bytes.at(*chunk.owners.begin()) * 4 + 4, largest * 3);
    ++loads[*chunk.owners.begin()];
  }
  for (const OwnerPlan& plan : plans) EXPECT_EQ(plan.most_owned, most);
  return loads;
}

TEST(ChunkOwners, OneRankAloneKeepsItsChunks) {
  const std::vector<Touches> touched{{{0, 10, 100, true}}, {{10, 10, 100, true}}, {}};
  const Planned planned = plan_all(touched);
  check(touched, planned.plans);
  EXPECT_EQ(planned.plans[1].shares, (std::vector<ChunkShare>{{10, 10, 1, true, 0}}));
  EXPECT_TRUE(planned.plans[2].shares.empty());
  EXPECT_EQ(planned.kinds.front(), CollectiveKind::kGather);
  EXPECT_EQ(planned.kinds.size(), 2U);
}

TEST(ChunkOwners, EqualPartsMakeLongEqualStretches) {
  const std::vector<Touches> touched(4, Touches{{0, 102, 25, false}});
  const Planned planned = plan_all(touched);
  const auto loads = check(touched, planned.plans);
  for (const auto& [rank, load] : loads) EXPECT_TRUE(load == 25 || load == 26) << rank;
  for (const OwnerPlan& plan : planned.plans) EXPECT_EQ(plan.owned.size(), 1U);
}

TEST(ChunkOwners, MostBytesWinUnlessNearlyEqual) {
  const std::vector<Touches> touched{{{0, 8, 10, false}}, {{0, 8, 90, false}}};
  const Planned planned = plan_all(touched);
  EXPECT_EQ(check(touched, planned.plans), (std::map<std::uint64_t, std::uint64_t>{{1, 8}}));
}

TEST(ChunkOwners, BordersGoToWhoHasLess) {
  // Rank 0 has twenty chunks by itself; those it shares go to rank 1.
  const std::vector<Touches> touched{{{0, 20, 100, true}, {20, 4, 50, false}},
                                     {{20, 4, 50, false}}};
  const Planned planned = plan_all(touched);
  EXPECT_EQ(check(touched, planned.plans),
            (std::map<std::uint64_t, std::uint64_t>{{0, 20}, {1, 4}}));
}

TEST(ChunkOwners, NobodyTouchesAnything) {
  const std::vector<Touches> touched(5);
  const Planned planned = plan_all(touched);
  for (const OwnerPlan& plan : planned.plans) EXPECT_EQ(plan.most_owned, 0U);
}

Touches random_touches(std::mt19937& random, std::uint64_t intervals, std::uint64_t chunks) {
  Touches touches;
  ChunkOrdinal at = 0;
  for (std::uint64_t i = 0; i < intervals; ++i) {
    at += random() % (chunks / (intervals + 1) + 1);
    const ChunkTouch touch{at, 1 + random() % 5, 1 + random() % 100, random() % 8 == 0};
    append_touch(touches, touch);
    at = touches.back().end();
  }
  return touches;
}

TEST(ChunkOwners, RandomTouchesBesideATable) {
  std::mt19937 random(20);
  std::uint64_t by_homes = 0, by_gather = 0;
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t ranks = 1 + random() % 40;
    const std::uint64_t chunks = 1 + random() % 3000;
    std::vector<Touches> touched(ranks);
    for (Touches& t : touched)
      if (random() % 5 != 0)
        t = random_touches(random, random() % (round % 3 == 0 ? 8 : 60), chunks);
    const Planned planned = plan_all(touched);
    check(touched, planned.plans);
    const bool homes =
        std::count(planned.kinds.begin(), planned.kinds.end(), CollectiveKind::kRows);
    ++(homes ? by_homes : by_gather);
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(by_homes, 50U);
  EXPECT_GT(by_gather, 50U);
}

/// What a rank gives, and what it gets, stays the same however many ranks there are.
TEST(ChunkOwners, ManyRanksWithManyIntervals) {
  for (const std::uint64_t ranks : {100U, 600U}) {
    std::vector<Touches> touched(ranks);
    // Stripes of a grid: every rank has a chunk in each of 32 rows, and half of its neighbour's.
    for (std::uint64_t r = 0; r < ranks; ++r)
      for (std::uint64_t row = 0; row < 32; ++row)
        touched[r].push_back({row * ranks * 4 + r * 2, 3, 10, false});
    SimCommunicator sim(ranks);
    std::vector<ChunkOwners> steps;
    for (std::uint64_t r = 0; r < ranks; ++r) steps.emplace_back(touched[r], ranks, r);
    ASSERT_EQ(sim.run([&](std::uint64_t r) { return steps[r].next(); }), "");
    std::vector<OwnerPlan> plans;
    for (ChunkOwners& step : steps) plans.push_back(*step.finish());
    const auto loads = check(touched, plans);
    std::uint64_t most = 0;
    for (const auto& [rank, load] : loads) most = std::max(most, load);
    EXPECT_LE(most, 2 * 65U) << ranks;
    std::size_t rows = 0;
    for (const OwnerPlan& plan : plans) rows = std::max(rows, plan.shares.size());
    EXPECT_LE(rows, 32U * 3) << ranks;
  }
}

}  // namespace
}  // namespace pcio::test
