// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Writers of shared stripes, beside a file of single bytes.

#include "plan/stripe_writers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace pcio {
namespace {

Machine scattered(std::uint64_t ranks, std::uint64_t nodes, std::mt19937_64& random) {
  Machine machine;
  machine.reserve(ranks);
  std::map<std::uint64_t, std::uint32_t> leaders;
  const bool blocks = random() % 2 == 0;
  for (std::uint64_t r = 0; r < ranks; ++r) {
    const std::uint64_t node = blocks ? r * nodes / ranks : random() % nodes;
    machine.leaders()[r] = leaders.try_emplace(node, static_cast<std::uint32_t>(r)).first->second;
  }
  EXPECT_TRUE(machine.settle());
  return machine;
}

using Plans = std::vector<std::vector<HeldBytes>>;

/// Batches of chunks, one behind the other with holes now and then.
Plans random_plans(std::uint64_t ranks, std::uint64_t unit, std::mt19937_64& random) {
  Plans plans(1 + random() % 4);
  FileAddress next = random() % (2 * unit) + 64 * unit;
  FileAddress before = random() % unit;  // what small holes before all others get
  const std::uint64_t largest = random() % 2 == 0 ? unit / 4 + 1 : 3 * unit;
  const unsigned turns = random() % 3;
  std::uint32_t rank = 0;
  for (auto& held : plans) {
    const std::uint64_t count = random() % 40;
    std::vector<HeldBytes> holes;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t size = 1 + random() % largest;
      if (turns == 0) rank = static_cast<std::uint32_t>(i * ranks / count);
      if (turns == 1) rank = static_cast<std::uint32_t>(i % ranks);
      if (turns == 2) rank = static_cast<std::uint32_t>(random() % ranks);
      if (size < unit && random() % 16 == 0 && before + size < 64 * unit) {
        holes.push_back({{before, size}, rank});
        before += size;
        continue;
      }
      held.push_back({{next, size}, rank});
      next += size + (random() % 8 == 0 ? random() % (2 * unit) : 0);
    }
    held.insert(held.begin(), holes.begin(), holes.end());
  }
  return plans;
}

/// The rank that writes each byte of a plan, as each of them tells it.
std::map<FileAddress, std::uint32_t> written(const std::vector<HeldBytes>& held,
                                             const StripeWriters& writers) {
  std::map<FileAddress, std::uint32_t> bytes;
  for (const HeldBytes& one : held)
    for (FileAddress a = one.range.offset; a < one.range.end(); ++a) bytes[a] = one.rank;
  FileAddress before = 0;
  for (const GatheredBytes& one : writers.gathered()) {
    EXPECT_GE(one.range.offset, before);
    before = one.range.end();
    for (FileAddress a = one.range.offset; a < one.range.end(); ++a) {
      EXPECT_TRUE(bytes.contains(a));
      EXPECT_EQ(bytes[a], one.from) << "byte " << a;
      bytes[a] = one.to;
    }
  }
  return bytes;
}

TEST(StripeWriters, NoStripeHasTwoNodesAndNobodyGathersTooMuch) {
  const std::uint64_t seed = 20260101;
  std::mt19937_64 random(seed);
  std::map<std::string, int> bins{
      {"alone", 0}, {"shared", 0}, {"goes on", 0}, {"no room", 0}, {"with base", 0}};
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t ranks = 1 + random() % 9, unit = 8 << random() % 5;
    const Machine machine = scattered(ranks, 1 + random() % ranks, random);
    StripeLimits limits{unit, random() % 3 == 0 ? random() % (3 * unit) : 0,
                        random() % 4 == 0 ? unit * (random() % 3) : 1 << 20};
    if (limits.base > 0) ++bins["with base"];
    StripeWriters writers;
    std::map<std::uint64_t, std::set<std::uint64_t>> nodes_before;
    for (const auto& held : random_plans(ranks, unit, random)) {
      writers.plan(held, machine, limits);
      std::map<std::uint32_t, std::uint64_t> loads;
      for (const GatheredBytes& one : writers.gathered()) loads[one.to] += one.range.size;
      for (const auto& [rank, load] : loads) EXPECT_LE(load, limits.most);
      std::map<std::uint64_t, std::set<std::uint64_t>> nodes, had;
      for (const auto& [address, rank] : written(held, writers))
        nodes[(limits.base + address) / unit].insert(machine.node_of(rank));
      for (const HeldBytes& one : held)
        for (FileAddress a = one.range.offset; a < one.range.end(); ++a)
          had[(limits.base + a) / unit].insert(machine.node_of(one.rank));
      for (const auto& [stripe, of] : nodes) {
        std::set<std::uint64_t> all = of;
        const auto before = nodes_before.find(stripe);
        if (before != nodes_before.end()) {
          all.insert(before->second.begin(), before->second.end());
          ++bins["goes on"];
        }
        ++bins[had[stripe].size() == 1 ? "alone" : "shared"];
        if (limits.most < 1 << 20)
          bins["no room"] += all.size() > 1 ? 1 : 0;
        else
          EXPECT_EQ(all.size(), 1U) << "seed " << seed << " case " << i << " stripe " << stripe;
      }
      // What is whole on its node already stays with the ranks that have it.
      for (const GatheredBytes& one : writers.gathered()) {
        const std::uint64_t stripe = (limits.base + one.range.offset) / unit;
        const auto before = nodes_before.find(stripe);
        std::set<std::uint64_t> all = had[stripe];
        if (before != nodes_before.end()) all.insert(before->second.begin(), before->second.end());
        EXPECT_GT(all.size(), 1U);
      }
      for (const auto& [stripe, of] : nodes) nodes_before[stripe] = of;
    }
  }
  std::printf("stripe writers: seed %llu, 2000 cases", static_cast<unsigned long long>(seed));
  for (const auto& [bin, count] : bins) {
    std::printf(" | %s:%d", bin.c_str(), count);
    EXPECT_GT(count, 0) << bin;
  }
  std::printf("\n");
}

/// Chunks dealt to four ranks of two nodes in turn: what is gathered is dealt, too.
TEST(StripeWriters, WhatIsGatheredIsShared) {
  std::mt19937_64 random(1);
  Machine machine;
  machine.reserve(4);
  for (std::uint32_t r = 0; r < 4; ++r) machine.leaders()[r] = r / 2 * 2;
  ASSERT_TRUE(machine.settle());
  std::vector<HeldBytes> held;
  for (std::uint32_t i = 0; i < 4096; ++i) held.push_back({{i * 64, 64}, i % 4});
  StripeWriters writers;
  writers.plan(held, machine, {4096, 0, 1 << 20});
  std::map<std::uint32_t, std::uint64_t> loads;
  for (const GatheredBytes& one : writers.gathered()) loads[one.to] += one.range.size;
  ASSERT_EQ(loads.size(), 4U);
  for (const auto& [rank, load] : loads) EXPECT_EQ(load, 4096U * 16);
}

/// The rank that would gather least has no room any more, another one has.
TEST(StripeWriters, WhoHasRoomGathers) {
  Machine machine;
  machine.reserve(2);
  machine.leaders()[0] = 0;
  machine.leaders()[1] = 1;
  ASSERT_TRUE(machine.settle());
  const std::vector<HeldBytes> held{{{0, 50}, 0},   {{50, 50}, 1},  {{100, 1}, 0},
                                    {{101, 19}, 1}, {{200, 95}, 0}, {{295, 5}, 1}};
  StripeWriters writers;
  writers.plan(held, machine, {100, 0, 150});
  EXPECT_EQ(writers.gathered().size(), 6U);
}

TEST(StripeWriters, WhatNobodyWroteIsForgotten) {
  Machine machine;
  machine.reserve(2);
  machine.leaders()[0] = 0;
  machine.leaders()[1] = 1;
  ASSERT_TRUE(machine.settle());
  const std::vector<HeldBytes> first{{{0, 100}, 0}}, second{{{100, 100}, 1}};
  const StripeLimits limits{4096, 0, 1 << 20};
  StripeWriters writers;
  writers.plan(first, machine, limits);
  EXPECT_TRUE(writers.gathered().empty());
  writers.plan(second, machine, limits);
  ASSERT_EQ(writers.gathered().size(), 1U);
  EXPECT_EQ(writers.gathered()[0].to, 0U);
  writers.plan(first, machine, limits);
  writers.forget();
  EXPECT_TRUE(writers.gathered().empty());
  writers.plan(second, machine, limits);
  EXPECT_TRUE(writers.gathered().empty());
}

}  // namespace
}  // namespace pcio
