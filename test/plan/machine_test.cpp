// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which ranks share a node, beside a map of them.

#include "plan/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace pcio {
namespace {

using Place = std::function<std::uint64_t(std::uint64_t rank)>;

/// Ranks by node, and nodes by their lowest ranks.
std::vector<std::vector<std::uint64_t>> nodes_of(std::uint64_t ranks, const Place& place) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> on;
  for (std::uint64_t r = 0; r < ranks; ++r) on[place(r)].push_back(r);
  std::vector<std::vector<std::uint64_t>> nodes;
  nodes.reserve(on.size());
  for (const auto& [name, members] : on) nodes.push_back(members);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

/// Compares every answer with a map's.
void check(const Machine& machine, std::uint64_t ranks, const Place& place) {
  const std::vector<std::vector<std::uint64_t>> nodes = nodes_of(ranks, place);
  EXPECT_EQ(machine.ranks(), ranks);
  EXPECT_EQ(machine.nodes(), nodes.size());
  for (std::uint64_t n = 0; n < nodes.size(); ++n) {
    EXPECT_EQ(machine.size_of(n), nodes[n].size());
    EXPECT_EQ(machine.leader_of(n), nodes[n].front());
    for (std::uint64_t i = 0; i < nodes[n].size(); ++i) {
      EXPECT_EQ(machine.rank_on(n, i), nodes[n][i]);
      EXPECT_EQ(machine.node_of(nodes[n][i]), n);
      EXPECT_EQ(machine.index_of(nodes[n][i]), i);
    }
  }
}

/// Settles `ranks` ranks on the nodes that `place` says.
Machine settled(std::uint64_t ranks, const Place& place) {
  Machine machine;
  machine.reserve(ranks);
  for (const auto& node : nodes_of(ranks, place))
    for (const std::uint64_t r : node) machine.leaders()[r] = static_cast<std::uint32_t>(node[0]);
  EXPECT_TRUE(machine.settle());
  check(machine, ranks, place);
  return machine;
}

TEST(Machine, BeginsWithOneRank) {
  const Machine machine;
  EXPECT_EQ(machine.ranks(), 1U);
  EXPECT_EQ(machine.nodes(), 1U);
  EXPECT_TRUE(machine.same_node(0, 0));
  EXPECT_EQ(machine.table_bytes(), 0U);
}

TEST(Machine, OneNodeAndBlocksAndTurnsNeedNoTableOfRanks) {
  constexpr std::uint64_t kRanks = 1000;
  EXPECT_EQ(settled(kRanks, [](std::uint64_t) { return 7; }).table_bytes(), 0U);
  EXPECT_EQ(settled(kRanks, [](std::uint64_t r) { return r / 16; }).table_bytes(), 0U);
  EXPECT_EQ(settled(kRanks, [](std::uint64_t r) { return r / 20; }).table_bytes(), 0U);
  EXPECT_EQ(settled(kRanks, [](std::uint64_t r) { return r; }).table_bytes(), 0U);
  // Blocks that differ: the first, one in the middle, the last is longer.
  for (const std::uint64_t longer : {0, 30, 61}) {
    const auto place = [&](std::uint64_t r) { return r / 16 - (r / 16 > longer ? 1 : 0); };
    const std::uint64_t bytes = settled(kRanks, place).table_bytes();
    EXPECT_GT(bytes, 0U);
    EXPECT_LE(bytes, 4 * 64U);
  }
  EXPECT_EQ(settled(kRanks, [](std::uint64_t r) { return r % 16; }).table_bytes(), 0U);
  EXPECT_LE(settled(kRanks, [](std::uint64_t r) { return r * r % 13; }).table_bytes(),
            8 * kRanks + 4 * 14);
}

TEST(Machine, AnswersAsAMapDoesForRandomPlaces) {
  std::mt19937_64 random(11);
  for (int turn = 0; turn < 300; ++turn) {
    const std::uint64_t ranks = 1 + random() % 40;
    const std::uint64_t nodes = 1 + random() % ranks;
    std::vector<std::uint64_t> place(ranks);
    for (auto& node : place) node = random() % nodes;
    if (turn % 3 == 0) std::sort(place.begin(), place.end());
    settled(ranks, [&](std::uint64_t r) { return place[r]; });
  }
}

TEST(Machine, IsDividedWhereItsRanksAreCut) {
  std::mt19937_64 random(12);
  for (int turn = 0; turn < 300; ++turn) {
    const std::uint64_t ranks = 1 + random() % 40;
    const std::uint64_t nodes = turn % 3 == 0 ? 1 : 1 + random() % ranks;
    const std::uint64_t blocks = random() % (ranks + 3);
    const std::uint64_t runs = std::min(ranks, std::max<std::uint64_t>(1, blocks));
    std::vector<std::uint64_t> on(ranks);
    for (auto& node : on) node = random() % nodes;
    const Machine whole = settled(ranks, [&](std::uint64_t r) { return on[r]; });
    Machine parts;
    parts.reserve(ranks);
    parts.divide(whole, blocks);
    check(parts, ranks, [&](std::uint64_t r) { return on[r] * runs + r * runs / ranks; });
  }
}

TEST(Machine, LeadersThatCannotBeAreOneNode) {
  for (const std::vector<std::uint32_t>& leaders :
       {std::vector<std::uint32_t>{1, 1}, {0, 0, 1}, {9}, {0, 1, 1, 2}}) {
    Machine machine;
    machine.reserve(leaders.size());
    std::copy(leaders.begin(), leaders.end(), machine.leaders().begin());
    EXPECT_FALSE(machine.settle());
    EXPECT_EQ(machine.nodes(), 1U);
    EXPECT_TRUE(machine.same_node(0, leaders.size() - 1));
  }
}

}  // namespace
}  // namespace pcio
