// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Owners of slices beside all the owners there could be, and how stretches are cut into slices.

#include "plan/slice_owners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "plan/slice_grid.hpp"

namespace pcio {
namespace {

/// [slice][node] bytes.
using Held = std::vector<std::vector<std::uint64_t>>;

Machine blocks(std::uint64_t ranks, std::uint64_t nodes) {
  Machine machine;
  machine.reserve(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r) {
    std::uint64_t leader = r;
    while (leader > 0 && (leader - 1) * nodes / ranks == r * nodes / ranks) --leader;
    machine.leaders()[r] = static_cast<std::uint32_t>(leader);
  }
  EXPECT_TRUE(machine.settle());
  EXPECT_EQ(machine.nodes(), nodes);
  return machine;
}

/// Each node with as many ranks as it happens to have.
Machine uneven(std::uint64_t nodes, std::mt19937_64& random) {
  std::vector<std::uint32_t> leaders;
  for (std::uint64_t n = 0; n < nodes; ++n)
    leaders.insert(leaders.end(), 1 + random() % 4, static_cast<std::uint32_t>(leaders.size()));
  Machine machine;
  machine.reserve(leaders.size());
  std::copy(leaders.begin(), leaders.end(), machine.leaders().begin());
  EXPECT_TRUE(machine.settle());
  return machine;
}

/// As the ranks merge them, in an order of their own.
std::vector<std::uint64_t> merged(const CutStretch& cut, const Held& held,
                                  std::mt19937_64& random) {
  std::vector<std::uint64_t> all(held.size() * kHoldingWords, 0);
  std::vector<std::uint64_t> order(held.front().size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  for (const std::uint64_t node : order) {
    std::vector<std::uint64_t> mine;
    for (std::uint64_t s = 0; s < held.size(); ++s) {
      const SliceHolding holding =
          holding_of(turn_of_slice(cut, held[s].size(), s), node, held[s][node]);
      mine.insert(mine.end(), {holding.most, holding.second, holding.third, holding.total});
    }
    MergeHoldings{}(all, mine);
  }
  return all;
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

Held random_held(std::uint64_t slices, std::uint64_t nodes, std::mt19937_64& random) {
  Held held(slices, std::vector<std::uint64_t>(nodes, 0));
  const std::uint64_t kind = random() % 4;
  for (std::uint64_t s = 0; s < slices; ++s)
    for (std::uint64_t n = 0; n < nodes; ++n) {
      switch (kind) {
        case 0: held[s][n] = random() % 1000; break;
        case 1:
          held[s][n] = s * nodes / slices == n ? 1000 : random() % 2 * (random() % 300);
          break;
        case 2: held[s][n] = s % nodes == n ? 1000 : 0; break;
        default: held[s][n] = random() % 3 == 0 ? 0 : random() % 1000; break;
      }
    }
  return held;
}

/// Bytes that cross with the best owners of all whose nodes own at most `most`; nothing where there are none.
std::uint64_t best_crossing(const Held& held, std::uint64_t most) {
  const std::uint64_t nodes = held.front().size();
  std::uint64_t ways = 1;
  for (std::size_t s = 0; s < held.size(); ++s) ways *= nodes;
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t way = 0; way < ways; ++way) {
    std::vector<std::uint64_t> owned(nodes, 0);
    std::uint64_t crossing = 0;
    std::uint64_t left = way;
    for (const auto& slice : held) {
      owned[left % nodes] += sum(slice);
      crossing += sum(slice) - slice[left % nodes];
      left /= nodes;
    }
    if (*std::max_element(owned.begin(), owned.end()) <= most) best = std::min(best, crossing);
  }
  return best;
}

TEST(SliceOwners, CrossLittleMoreThanTheBestThereIs) {
  std::mt19937_64 random(5);
  std::uint64_t crossing = 0, best = 0, judged = 0, worse = 0;
  for (int turn = 0; turn < 1500; ++turn) {
    const std::uint64_t nodes = 1 + random() % 5;
    const Machine machine = blocks(nodes * (1 + random() % 3), nodes);
    const std::uint64_t slices = 1 + random() % (nodes == 5 ? 5 : 7);
    const Held held = random_held(slices, nodes, random);
    std::uint64_t total = 0;
    for (const auto& slice : held) total += sum(slice);
    SliceOwners owners;
    owners.begin(machine, slices, {total, 1});
    const CutStretch cut{0, 100 * slices, 100};
    ASSERT_EQ(owners.assign(cut, merged(cut, held, random), slices), slices);
    const std::uint64_t least = best_crossing(held, owners.most_bytes());
    if (least == std::numeric_limits<std::uint64_t>::max()) continue;
    std::uint64_t mine = 0;
    for (std::uint64_t s = 0; s < slices; ++s)
      if (sum(held[s]) > 0) mine += sum(held[s]) - held[s][machine.node_of(owners.owner_of(s))];
    ++judged;
    crossing += mine;
    best += least;
    worse += mine * 10 > least * 11 ? 1 : 0;
    for (std::uint64_t n = 0; n < nodes; ++n)
      EXPECT_LE(owners.owned_by(n), owners.most_bytes()) << "turn " << turn;
  }
  EXPECT_GT(judged, 1000U);
  EXPECT_LE(crossing * 1000, best * 1002) << "all together";
  EXPECT_EQ(worse, 0U) << "single ones that cross more than 1.1 of the best";
}

/// Or the links of some nodes would be busy while those of others are not, and a stretch would end where the slots of few
/// are full.
TEST(SliceOwners, NodesThatHaveEquallyMuchOwnEquallyManySlicesOfAStretch) {
  std::mt19937_64 random(8);
  for (std::uint64_t nodes = 2; nodes <= 9; ++nodes) {
    const Machine machine = blocks(2 * nodes, nodes);
    constexpr std::uint64_t kSlots = 4;
    const std::uint64_t slices = 2 * nodes * kSlots;
    SliceOwners owners;
    owners.begin(machine, slices, {10 * slices * nodes * 100, 1});
    const Held held(slices, std::vector<std::uint64_t>(nodes, 100));
    for (std::uint64_t turn = 1; turn <= 3; ++turn) {
      const std::uint64_t start = turn * slices * nodes * 100;
      const CutStretch cut{start, start + slices * nodes * 100, nodes * 100};
      ASSERT_EQ(owners.assign(cut, merged(cut, held, random), kSlots), slices);
      for (std::uint64_t n = 0; n < nodes; ++n)
        EXPECT_EQ(owners.owned_by(n), turn * slices * 100) << "node " << n << " of " << nodes;
    }
  }
}

/// Also where every n-th slice has data, as of datasets that grew by turns.
TEST(SliceOwners, NodesThatHaveEquallyMuchOwnAboutEquallyManyOfScatteredSlices) {
  std::mt19937_64 random(9);
  constexpr std::uint64_t kSlots = 4;
  for (std::uint64_t nodes = 2; nodes <= 4; ++nodes)
    for (std::uint64_t stride = 1; stride <= 4; ++stride) {
      const Machine machine = blocks(4 * nodes, nodes);
      const std::uint64_t slices = 2 * nodes * kSlots * stride, size = nodes * 100;
      SliceOwners owners;
      owners.begin(machine, slices, {slices * size, 1});
      Held held(slices, std::vector<std::uint64_t>(nodes, 0));
      for (std::uint64_t s = 0; s < slices; s += stride) held[s].assign(nodes, 100);
      const CutStretch cut{0, slices * size, size};
      ASSERT_EQ(owners.assign(cut, merged(cut, held, random), kSlots), slices);
      for (std::uint64_t n = 0; n < nodes; ++n)
        EXPECT_LE(2 * nodes * owners.owned_by(n), 3 * (slices / stride) * size)
            << "node " << n << " of " << nodes << ", every " << stride;
    }
}

/// A file system takes a MiB in one piece sooner than in sixteen, and a rank writes what it owns side by side at once.
TEST(SliceOwners, WhatNodesHaveEquallyMuchOfIsDealtInTurnsOfAMebibyte) {
  std::mt19937_64 random(10);
  constexpr std::uint64_t kSlice = std::uint64_t{64} << 10;
  for (std::uint64_t nodes = 2; nodes <= 6; ++nodes) {
    const Machine machine = blocks(2 * nodes, nodes);
    const std::uint64_t slices = 64 * nodes;  // 4 MiB a node, of which each rank may own 3
    SliceOwners owners;
    owners.begin(machine, slices, {slices * kSlice, 1});
    Held held(slices, std::vector<std::uint64_t>(nodes, kSlice / nodes));
    // An element more or less, as of columns, is no reason to change. Of each slice three nodes are known.
    if (nodes <= 3)
      for (std::uint64_t s = 0; s < slices; ++s) held[s][s % nodes] += 8;
    const CutStretch cut{0, slices * kSlice, kSlice};
    ASSERT_EQ(owners.assign(cut, merged(cut, held, random), 48), slices);
    std::uint64_t of_nodes = 1, of_ranks = 1;
    for (std::uint64_t s = 1; s < slices; ++s) {
      const std::uint64_t before = owners.owner_of(s - 1), now = owners.owner_of(s);
      of_nodes += machine.same_node(before, now) ? 0 : 1;
      of_ranks += before != now ? 1 : 0;
      if (before == now) {
        EXPECT_EQ(owners.slot_of(s), owners.slot_of(s - 1) + 1);
      }
    }
    EXPECT_EQ(of_nodes, 4 * nodes) << "of " << nodes;
    EXPECT_EQ(of_ranks, 4 * nodes) << "of " << nodes;
    for (std::uint64_t n = 0; n < nodes; ++n)
      EXPECT_EQ(owners.owned_by(n), 64 * (kSlice / nodes * nodes + (nodes <= 3 ? 8 : 0)));
  }
}

/// What one node has stays there, as long as it is its share.
TEST(SliceOwners, NothingCrossesWhereNothingHasTo) {
  std::mt19937_64 random(6);
  const Machine machine = blocks(8, 4);
  SliceOwners owners;
  owners.begin(machine, 64, {4 * 8 * 1000, 1});
  for (std::uint64_t turn = 0; turn < 4; ++turn) {
    Held held(8, std::vector<std::uint64_t>(4, 0));
    for (auto& slice : held) slice[turn] = 1000;
    const CutStretch cut{turn * 800, turn * 800 + 800, 100};
    ASSERT_EQ(owners.assign(cut, merged(cut, held, random), 4), 8U);
    for (std::uint64_t s = 0; s < 8; ++s) EXPECT_EQ(machine.node_of(owners.owner_of(s)), turn) << s;
  }
}

/// One node has all: it keeps one and a half shares.
TEST(SliceOwners, ANodeOwnsAtMostOneAndAHalfShares) {
  std::mt19937_64 random(7);
  const Machine machine = blocks(4, 4);
  SliceOwners owners;
  owners.begin(machine, 64, {1000 * 100, 1});
  EXPECT_EQ(owners.most_bytes(), 37500U);
  Held held(10, {1000, 0, 0, 0});
  for (std::uint64_t at = 0; at < 100; at += 10) {
    const CutStretch cut{at * 100, at * 100 + 1000, 100};
    ASSERT_EQ(owners.assign(cut, merged(cut, held, random), 64), 10U);
  }
  EXPECT_EQ(owners.owned_by(0), 37000U);
  for (std::uint64_t n = 1; n < 4; ++n) EXPECT_LE(owners.owned_by(n), 22000U);
}

/// Random machines, stretches and places: each slice that holds something has one owner, each owner's slices
/// have slots of their own, and no unit has two nodes.
TEST(SliceOwners, EverySliceHasOneOwnerAndEveryUnitOneNode) {
  std::mt19937_64 random(8);
  std::uint64_t cut_short = 0, went_on = 0, within = 0;
  for (int turn = 0; turn < 400; ++turn) {
    const std::uint64_t nodes = 1 + random() % 6;
    const Machine machine = blocks(nodes * (1 + random() % 4), nodes);
    const std::uint64_t unit = 64 * (1 + random() % 3);
    SliceGrid grid;
    grid.unit = unit;
    grid.largest = unit * (1 + random() % 4);
    grid.slices = 1 + random() % 20;
    if (turn % 2 == 0) {
      grid.period = unit * (1 + random() % 9) / (1 + random() % 2);
      grid.origin = random() % 1000;
      grid.largest = unit * (4 + random() % 30);
    }
    SliceOwners owners;
    owners.begin(machine, grid.slices, {20'000, unit});
    std::map<std::uint64_t, std::uint64_t> node_of_unit;
    FileAddress first = random() % 1000;
    for (int stretch = 0; stretch < 6; ++stretch) {
      const CutStretch cut = cut_stretch(grid, first, first + 1 + random() % 4000);
      ASSERT_LE(cut.count(), grid.slices);
      const Held held = random_held(cut.count(), nodes, random);
      const std::uint64_t slots = 1 + random() % 3;
      const std::uint64_t owned = owners.assign(cut, merged(cut, held, random), slots);
      ASSERT_GE(owned, 1U);
      ASSERT_LE(owned, cut.count());
      cut_short += owned < cut.count() ? 1 : 0;
      std::map<std::pair<std::uint64_t, std::uint64_t>, int> slots_of;
      std::uint64_t listed = 0;
      for (std::uint64_t rank = 0; rank < machine.ranks(); ++rank)
        owners.for_each_of(rank, [&](std::uint64_t number, std::uint64_t slot) {
          ++listed;
          EXPECT_LT(slot, slots);
          EXPECT_EQ(owners.owner_of(number), rank);
          EXPECT_EQ(++slots_of[std::pair(rank, slot)], 1);
          // Bytes before `first` were written by the stretches before.
          const std::uint64_t begin = std::max(cut.start + number * cut.slice, first) / unit;
          const std::uint64_t end =
              (std::min(cut.end, cut.start + (number + 1) * cut.slice) - 1) / unit;
          for (std::uint64_t u = begin; u <= end; ++u) {
            const auto [it, fresh] = node_of_unit.try_emplace(u, machine.node_of(rank));
            went_on += fresh ? 0 : 1;
            EXPECT_EQ(it->second, machine.node_of(rank)) << "unit " << u << ", turn " << turn;
          }
        });
      std::uint64_t holding = 0;
      for (std::uint64_t s = 0; s < owned; ++s) holding += sum(held[s]) > 0 ? 1 : 0;
      EXPECT_EQ(listed, holding);
      // As a stretch ends: where its last slice does, or within it.
      within += grid.period > 0 && cut.slice % grid.period == 0 && cut.end % unit != 0 ? 1 : 0;
      first = std::min(cut.start + owned * cut.slice, cut.end);
    }
  }
  EXPECT_GT(cut_short, 20U);
  EXPECT_GT(went_on, 20U);
  EXPECT_GT(within, 20U);
}

/// Hints may allow fewer owners than ranks, and than nodes: no more own anything, and those about equally much.
TEST(SliceOwners, OwnAsManyAsAreAllowed) {
  std::mt19937_64 random(11);
  std::uint64_t few = 0, some = 0, all = 0, shared = 0;
  for (int turn = 0; turn < 600; ++turn) {
    const std::uint64_t nodes = 1 + random() % 6;
    const Machine machine = uneven(nodes, random);
    const std::uint64_t allowed = 1 + random() % (machine.ranks() + 2);
    ++(allowed < nodes ? few : allowed < machine.ranks() ? some : all);
    const std::uint64_t unit = 64 * (1 + random() % 3), slices = 1 + random() % 20;
    SliceOwners owners;
    owners.begin(machine, slices, {20'000, unit, allowed});
    std::uint64_t may = 0;
    for (std::uint64_t n = 0; n < nodes; ++n) {
      may += owners.owners_on(n);
      EXPECT_LE(owners.owners_on(n), (allowed + nodes - 1) / nodes);
    }
    EXPECT_LE(may, allowed);
    EXPECT_GE(may, std::min(allowed, nodes));
    std::set<std::uint64_t> seen;
    FileAddress at = 0;
    for (int stretch = 0; stretch < 6; ++stretch) {
      const CutStretch cut{at, at + slices * unit, unit};
      const Held held = random_held(slices, nodes, random);
      const std::uint64_t slots = 1 + random() % 3;
      const std::uint64_t owned = owners.assign(cut, merged(cut, held, random), slots);
      ASSERT_GE(owned, 1U);
      std::map<std::pair<std::uint64_t, std::uint64_t>, int> slots_of;
      for (std::uint64_t s = 0; s < owned; ++s) {
        if (sum(held[s]) == 0) continue;
        const std::uint64_t rank = owners.owner_of(s);
        seen.insert(rank);
        EXPECT_LT(machine.index_of(rank), owners.owners_on(machine.node_of(rank)));
        EXPECT_LT(owners.slot_of(s), slots);
        EXPECT_EQ(++slots_of[std::pair(rank, owners.slot_of(s))], 1);
      }
      at += owned * unit;
    }
    EXPECT_LE(seen.size(), allowed);
    shared += seen.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(std::min({few, some, all, shared}), 50U);
}

TEST(SliceGrid, CutsAtChunksOrUnitsOrBlocks) {
  std::mt19937_64 random(9);
  std::uint64_t whole = 0, parts = 0, units = 0, plain = 0, in_units = 0;
  for (int turn = 0; turn < 5000; ++turn) {
    SliceGrid grid;
    grid.unit = random() % 3 == 0 ? std::uint64_t{4096} << random() % 8 : 1;
    grid.block = 4096;
    grid.period = random() % 3 == 0 ? 0 : (1 + random() % 4096) * (random() % 2 == 0 ? 4096 : 24);
    grid.origin = random() % 1'000'000;
    grid.largest = round_up<std::uint64_t>(1 + random() % 4'000'000,
                                           std::max<std::uint64_t>(grid.unit, grid.block));
    grid.slices = 1 + random() % 64;
    grid.plain_slices = 1 + random() % grid.slices;
    const FileAddress first = 1'000'000 + random() % 100'000'000;
    const bool open = random() % 4 == 0;
    const FileAddress safe_end =
        open ? ~FileAddress{0} : first + 1 + random() % (std::uint64_t{1} << random() % 30);
    const CutStretch cut = cut_stretch(grid, first, safe_end);
    ASSERT_LE(cut.start, first);
    ASSERT_GT(cut.end, first);
    ASSERT_LE(cut.end, safe_end);
    ASSERT_LE(cut.count(), grid.slices);
    ASSERT_LE(cut.slice, grid.largest);
    ASSERT_LT(first - cut.start, cut.slice);
    const std::uint64_t base = grid.origin - grid.origin % grid.unit;
    if (grid.unit > 1) {
      ++units;
      ASSERT_EQ(cut.slice % grid.unit, 0U);
      ASSERT_EQ(cut.start % grid.unit, 0U);
    }
    if (grid.period > 0 && cut.slice % grid.period == 0) {
      ++whole;
      in_units += grid.unit > 1 ? 1 : 0;
      ASSERT_EQ((cut.start + grid.period - base % grid.period) % grid.period, 0U);
    } else if (grid.period > 0 && grid.period % cut.slice == 0) {
      ++parts;
      in_units += grid.unit > 1 ? 1 : 0;
      ASSERT_EQ((cut.start + cut.slice - base % cut.slice) % cut.slice, 0U);
    } else {
      ++plain;
      ASSERT_EQ(cut.slice % (grid.unit > 1 ? grid.unit : grid.block), 0U);
    }
  }
  EXPECT_GT(std::min({whole, parts, units, plain, in_units}), 100U);
}

}  // namespace
}  // namespace pcio
