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

/// Nodes of ranks that follow each other, as equal as can be.
Machine machine_of(std::uint64_t ranks, std::uint64_t nodes) {
  Machine machine;
  machine.reserve(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r) {
    std::uint64_t leader = r;
    while (leader > 0 && (leader - 1) * nodes / ranks == r * nodes / ranks) --leader;
    machine.leaders()[r] = static_cast<std::uint32_t>(leader);
  }
  EXPECT_TRUE(machine.settle());
  return machine;
}

Planned plan_all(const std::vector<Touches>& touched, const Machine& machine,
                 OwnerScope scope = OwnerScope::kFile) {
  SimCommunicator sim(touched.size());
  std::vector<ChunkOwners> steps;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    steps.emplace_back(touched[r], machine, r, scope);
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

Planned plan_all(const std::vector<Touches>& touched) {
  return plan_all(touched, machine_of(touched.size(), 1));
}

/// Everything that must hold on one node, chunk by chunk. Returns chunks for each owner.
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
    const std::vector<OwnerPlan> plans = plan_all(touched).plans;
    const auto loads = check(touched, plans);
    std::uint64_t most = 0;
    for (const auto& [rank, load] : loads) most = std::max(most, load);
    EXPECT_LE(most, 2 * 65U) << ranks;
    std::size_t rows = 0;
    for (const OwnerPlan& plan : plans) rows = std::max(rows, plan.shares.size());
    EXPECT_LE(rows, 32U * 3) << ranks;
  }
}

/// What is known of one chunk on several nodes.
struct NodeTable {
  std::map<std::uint64_t, std::uint64_t> bytes;         ///< by node
  std::map<std::uint64_t, std::set<std::uint64_t>> in;  ///< ranks, by node
};
std::map<ChunkOrdinal, NodeTable> table_of(const std::vector<Touches>& touched,
                                           const Machine& machine) {
  std::map<ChunkOrdinal, NodeTable> table;
  for (std::uint64_t r = 0; r < touched.size(); ++r)
    for (const ChunkTouch& t : touched[r])
      for (ChunkOrdinal c = t.first; c < t.end(); ++c) {
        table[c].bytes[machine.node_of(r)] += t.bytes;
        table[c].in[machine.node_of(r)].insert(r);
      }
  return table;
}

/// Of a read: each node has one owner of its own for what its ranks touch, whatever other nodes do.
TEST(ChunkOwners, EachNodeReadsForItself) {
  std::mt19937 random(21);
  std::uint64_t by_homes = 0, shared = 0;
  for (int round = 0; round < 70; ++round) {
    const std::uint64_t ranks = 2 + random() % 24;
    const Machine machine = machine_of(ranks, 2 + random() % (ranks - 1));
    std::vector<Touches> touched(ranks);
    for (Touches& t : touched)
      if (random() % 5 != 0) t = random_touches(random, random() % (round % 3 == 0 ? 8 : 60), 400);
    const Planned planned = plan_all(touched, machine, OwnerScope::kNode);
    by_homes +=
        std::count(planned.kinds.begin(), planned.kinds.end(), CollectiveKind::kRows) > 0 ? 1 : 0;
    const auto table = table_of(touched, machine);
    std::map<std::pair<ChunkOrdinal, std::uint64_t>, std::set<std::uint64_t>> owners, numbers;
    std::uint64_t most = 0, answers = 0, touches = 0;
    for (std::uint64_t r = 0; r < ranks; ++r) {
      for (const ChunkShare& s : planned.plans[r].shares)
        for (std::uint64_t i = 0; i < s.count; ++i, ++answers) {
          const std::uint64_t node = machine.node_of(r);
          owners[{s.first + i, node}].insert(s.owner);
          numbers[{s.first + i, node}].insert(s.number + i);
          EXPECT_EQ(s.sole, table.at(s.first + i).in.at(node).size() == 1);
        }
      std::uint64_t number = 0;
      for (const OwnedChunks& o : planned.plans[r].owned)
        for (std::uint64_t i = 0; i < o.count; ++i, ++number, ++shared) {
          const auto key = std::pair(o.first + i, machine.node_of(r));
          EXPECT_EQ(owners[key], std::set<std::uint64_t>{r});
          EXPECT_EQ(numbers[key], std::set<std::uint64_t>{number});
        }
      most = std::max(most, number);
    }
    for (const Touches& of_rank : touched)
      for (const ChunkTouch& t : of_rank) touches += t.count;
    EXPECT_EQ(answers, touches);
    for (const auto& [ordinal, chunk] : table)
      for (const auto& [node, in] : chunk.in) {
        EXPECT_EQ((owners[{ordinal, node}].size()), 1U);
        EXPECT_EQ(in.count(*owners[{ordinal, node}].begin()), 1U);
      }
    for (const OwnerPlan& plan : planned.plans) EXPECT_EQ(plan.most_owned, most);
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(by_homes, 10U);
  EXPECT_GT(shared, 1000U);
}

/// A node of few ranks owns few chunks, though it is one of two.
TEST(ChunkOwners, UnequalNodesShareByTheirRanks) {
  for (const std::vector<std::uint64_t>& sizes :
       {std::vector<std::uint64_t>{64, 2}, {1, 65}, {3, 1}, {16, 1, 16}}) {
    Machine machine;
    std::uint64_t ranks = 0;
    for (const std::uint64_t size : sizes) ranks += size;
    machine.reserve(ranks);
    std::uint64_t next = 0;
    for (const std::uint64_t size : sizes) {
      const std::uint64_t leader = next;
      for (std::uint64_t i = 0; i < size; ++i)
        machine.leaders()[next++] = static_cast<std::uint32_t>(leader);
    }
    ASSERT_TRUE(machine.settle());
    constexpr std::uint64_t kChunks = 660;
    const Planned planned =
        plan_all(std::vector<Touches>(ranks, Touches{{0, kChunks, 100, false}}), machine);
    std::uint64_t all = 0, most = 0;
    for (const OwnerPlan& plan : planned.plans) {
      std::uint64_t own = 0;
      for (const OwnedChunks& owned : plan.owned) own += owned.count;
      most = std::max(most, own);
      all += own;
    }
    EXPECT_EQ(all, kChunks);
    EXPECT_LE(most, 2 * kChunks / ranks + 1) << ranks;
  }
}

/// Whether pieces of any rank leave its node is known to all, by either way of finding owners.
TEST(ChunkOwners, AllRanksKnowWhetherAnythingCrosses) {
  std::mt19937 random(23);
  std::map<bool, std::uint64_t> crossing;
  std::uint64_t by_homes = 0;
  for (int round = 0; round < 60; ++round) {
    const std::uint64_t ranks = 2 + random() % 24;
    const Machine machine = machine_of(ranks, 1 + random() % ranks);
    std::vector<Touches> touched(ranks);
    // In every other round each node has chunks of its own.
    for (std::uint64_t r = 0; r < ranks; ++r) {
      touched[r] = random_touches(random, random() % 40, 100);
      if (round % 2 == 0)
        for (ChunkTouch& t : touched[r]) t.first += machine.node_of(r) * 100'000;
    }
    for (const OwnerScope scope : {OwnerScope::kFile, OwnerScope::kNode}) {
      const Planned planned = plan_all(touched, machine, scope);
      by_homes +=
          std::count(planned.kinds.begin(), planned.kinds.end(), CollectiveKind::kRows) > 0 ? 1 : 0;
      bool crosses = false;
      for (std::uint64_t r = 0; r < ranks; ++r)
        for (const ChunkShare& s : planned.plans[r].shares)
          crosses = crosses || !machine.same_node(r, s.owner);
      for (const OwnerPlan& plan : planned.plans) EXPECT_EQ(plan.crosses, crosses);
      ++crossing[crosses];
      if (round % 2 == 0 || scope == OwnerScope::kNode) {
        EXPECT_FALSE(crosses);
      }
    }
  }
  EXPECT_GT(crossing[true], 20U);
  EXPECT_GT(crossing[false], 60U);
  EXPECT_GT(by_homes, 10U);
}

/// Of a write: what one node has alone stays there; of the others a node with nearly the most bytes is the owner's,
/// as long as it has not one and a half shares. Where all is decided at once.
TEST(ChunkOwners, WritesAreOwnedWhereMostBytesAre) {
  std::mt19937 random(22);
  std::uint64_t alone = 0, near = 0, elsewhere = 0;
  for (int round = 0; round < 80; ++round) {
    const std::uint64_t ranks = 2 + random() % 24;
    const Machine machine = machine_of(ranks, 2 + random() % (ranks - 1));
    std::vector<Touches> touched(ranks);
    for (Touches& t : touched) t = random_touches(random, random() % 12, 100);
    const Planned planned = plan_all(touched, machine);
    if (std::count(planned.kinds.begin(), planned.kinds.end(), CollectiveKind::kRows) > 0) continue;
    const auto table = table_of(touched, machine);
    std::map<std::uint64_t, std::uint64_t> loads;
    std::map<std::uint64_t, std::set<std::uint64_t>> of_node;
    std::set<std::uint64_t> all;
    for (const auto& [ordinal, chunk] : table)
      for (const auto& [node, in] : chunk.in) {
        of_node[node].insert(in.begin(), in.end());
        all.insert(in.begin(), in.end());
      }
    std::map<ChunkOrdinal, std::uint64_t> owners;
    for (const OwnerPlan& plan : planned.plans)
      for (const ChunkShare& s : plan.shares)
        for (std::uint64_t i = 0; i < s.count; ++i) {
          const auto put = owners.emplace(s.first + i, s.owner);
          EXPECT_EQ(put.first->second, s.owner);
          if (put.second) ++loads[machine.node_of(s.owner)];
        }
    // Three times that of a rank.
    const std::uint64_t each =
        all.empty() ? 0
                    : table.size() / all.size() * 3 + table.size() % all.size() * 3 / all.size();
    for (const auto& [ordinal, chunk] : table) {
      const std::uint64_t node = machine.node_of(owners.at(ordinal));
      ASSERT_EQ(chunk.in.count(node), 1U);
      EXPECT_EQ(chunk.in.at(node).count(owners.at(ordinal)), 1U);
      std::uint64_t largest = 0;
      for (const auto& [other, bytes] : chunk.bytes) largest = std::max(largest, bytes);
      if (chunk.bytes.size() == 1) {
        ++alone;
      } else if (chunk.bytes.at(node) * 10 + 10 >= largest * 9) {
        ++near;
      } else {
        // All nodes with clearly more have their share.
        ++elsewhere;
        for (const auto& [other, bytes] : chunk.bytes)
          if (bytes * 9 > chunk.bytes.at(node) * 10 + 10) {
            EXPECT_GE(loads[other], each * of_node.at(other).size() / 2) << ordinal;
          }
      }
    }
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(alone, 200U);
  EXPECT_GT(near, 200U);
  EXPECT_GT(elsewhere, 20U);
}

/// One node has a little more of everything: it does not filter everything.
TEST(ChunkOwners, ANodeWithALittleMoreOwnsNotAll) {
  std::vector<Touches> touched(4, Touches{{0, 80, 30, false}});
  touched[2].front().bytes = touched[3].front().bytes = 20;
  const Planned planned = plan_all(touched, machine_of(4, 2));
  std::map<std::uint64_t, std::uint64_t> loads;
  for (std::uint64_t r = 0; r < 4; ++r)
    for (const OwnedChunks& o : planned.plans[r].owned) loads[r / 2] += o.count;
  EXPECT_EQ(loads[0], 61U);
  EXPECT_EQ(loads[1], 19U);
}

}  // namespace
}  // namespace pcio::test
