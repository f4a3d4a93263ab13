// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer: letters that ranks of a node send for each other, on random machines against what must hold of them.

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "transfer/transports/forward_plan.hpp"

namespace pcio {
namespace {

enum class Placing : std::uint8_t { kBlocks, kInTurn, kScattered };

Machine make_machine(std::uint64_t ranks, std::uint64_t nodes, Placing placing,
                     std::mt19937_64& random) {
  std::vector<std::uint64_t> node_of(ranks);
  for (std::uint64_t r = 0; r < ranks; ++r)
    node_of[r] = placing == Placing::kBlocks   ? r * nodes / ranks
                 : placing == Placing::kInTurn ? r % nodes
                                               : random() % nodes;
  Machine machine;
  machine.reserve(ranks);
  std::map<std::uint64_t, std::uint32_t> leaders;
  for (std::uint64_t r = 0; r < ranks; ++r)
    machine.leaders()[r] =
        leaders.try_emplace(node_of[r], static_cast<std::uint32_t>(r)).first->second;
  EXPECT_TRUE(machine.settle());
  return machine;
}

using Outboxes = std::vector<std::vector<OutLetter>>;

/// Letters of a node's ranks to owners elsewhere, as a rank lists them.
Outboxes make_letters(const Machine& machine, std::uint64_t node, std::uint64_t payload,
                      std::mt19937_64& random) {
  Outboxes all(machine.size_of(node));
  for (auto& letters : all) {
    for (std::uint64_t owner = 0; owner < machine.ranks(); ++owner) {
      if (machine.node_of(owner) == node || random() % 3 == 0) continue;
      OutLetter letter;
      letter.owner = static_cast<std::uint32_t>(owner);
      letter.slices = static_cast<std::uint32_t>(1 + random() % 3);
      letter.sections = static_cast<std::uint32_t>(1 + random() % 9);
      letter.payload = random() % payload;
      letters.push_back(letter);
    }
    std::sort(letters.begin(), letters.end(), [&](const OutLetter& a, const OutLetter& b) {
      return std::pair(machine.node_of(a.owner), a.owner) <
             std::pair(machine.node_of(b.owner), b.owner);
    });
    if (random() % 8 == 0) letters.clear();
  }
  return all;
}

struct Seen {
  std::uint64_t bundles = 0, letters = 0, bytes = 0, split = 0;
  bool two_alike = false;  ///< of one sender and one receiver
  bool too_many = false;   ///< more to one node than have senders or receivers of their own
};

/// All letters are in one bundle each, between the right nodes, and as few bundles as these are long enough for.
Seen check_bundles(ForwardPlan& plan, const Machine& machine, std::uint64_t node,
                   const Outboxes& all, const ForwardLimits& limits) {
  Seen seen;
  std::set<const OutLetter*> taken;
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  std::map<std::uint64_t, std::uint64_t> last_bytes;  // by node
  plan.for_bundles(
      [&](std::uint64_t i) { return std::span<const OutLetter>(all[i]); },
      [&](const ForwardPlan::Bundle& bundle, std::uint64_t number, std::uint64_t to_node) {
        ++seen.bundles;
        if (number > 0) ++seen.split;
        EXPECT_EQ(machine.node_of(bundle.from), node);
        EXPECT_EQ(machine.node_of(bundle.to), to_node);
        seen.too_many |= number >= std::max(machine.size_of(node), machine.size_of(to_node));
        seen.two_alike |= !pairs.insert({bundle.from, bundle.to}).second;
        EXPECT_FALSE(bundle.letters.empty());
        EXPECT_LE(bundle.letters.size(), limits.letters);
        std::uint64_t bytes = 0, first = 0;
        for (const auto& one : bundle.letters) {
          EXPECT_EQ(machine.node_of(one.letter->owner), to_node);
          EXPECT_TRUE(taken.insert(one.letter).second);
          const auto& letters = all[one.index];
          EXPECT_TRUE(one.letter >= letters.data() && one.letter < letters.data() + letters.size());
          const std::uint64_t size = one.letter->header() + one.letter->payload;
          if (bytes == 0) first = size;
          bytes += size;
        }
        EXPECT_TRUE(bytes <= limits.bundle || bundle.letters.size() == 1);
        // One is begun only where the one before had no room.
        if (number > 0) {
          EXPECT_TRUE(last_bytes[to_node] + first > limits.bundle || limits.letters < 99);
        }
        last_bytes[to_node] = bytes;
        seen.bytes += bytes;
        seen.letters += bundle.letters.size();
      });
  std::size_t wanted = 0;
  for (const auto& letters : all) wanted += letters.size();
  EXPECT_EQ(taken.size(), wanted);
  return seen;
}

TEST(ForwardPlan, EachLetterGoesOnceBetweenItsNodes) {
  std::mt19937_64 random(17);
  std::uint64_t pays = 0, does_not = 0, split = 0, alike = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t ranks = 2 + random() % 40;
    const Machine machine = make_machine(ranks, 1 + random() % std::min<std::uint64_t>(ranks, 9),
                                         static_cast<Placing>(random() % 3), random);
    const std::uint64_t node = random() % machine.nodes();
    ForwardLimits limits;
    limits.bundle = 512U << random() % 8;
    if (random() % 4 == 0) limits.letters = 1 + random() % 4;
    if (random() % 4 == 0) limits.bundles = 1 + random() % 4;
    const Outboxes all = make_letters(machine, node, 1U << (3 + random() % 9), random);
    ForwardPlan plan;
    plan.begin(machine, node, limits);
    const Seen seen = check_bundles(plan, machine, node, all, limits);
    const bool paid =
        plan.pays([&](std::uint64_t i) { return std::span<const OutLetter>(all[i]); });
    if (paid) {
      EXPECT_FALSE(seen.two_alike);
      EXPECT_LT(seen.bundles, seen.letters);
      EXPECT_LE(seen.bundles, limits.bundles);
      EXPECT_LE(seen.bytes / seen.letters, limits.mean());
      ++pays;
      split += seen.split > 0 ? 1 : 0;
    } else {
      ++does_not;
      EXPECT_TRUE(seen.too_many || seen.bundles >= seen.letters || seen.bundles > limits.bundles ||
                  seen.bytes / std::max<std::uint64_t>(1, seen.letters) > limits.mean());
    }
    EXPECT_TRUE(seen.too_many || !seen.two_alike);
    alike += seen.too_many ? 1 : 0;
  }
  EXPECT_GT(pays, 20U);
  EXPECT_GT(does_not, 20U);
  EXPECT_GT(split, 5U);
  EXPECT_GT(alike, 5U);
}

/// Of two nodes of `ranks` ranks: each of the first has a letter of `payload` bytes for each of the second.
Outboxes one_for_each(std::uint32_t ranks, std::uint64_t payload) {
  Outboxes all(ranks);
  for (auto& letters : all)
    for (std::uint32_t owner = ranks; owner < 2 * ranks; ++owner)
      letters.push_back({0, payload, 0, owner, 1, 1, 0});
  return all;
}

/// The figure that the plan is for: ranks that each have a letter for each rank of another node send one together.
TEST(ForwardPlan, SmallLettersOfAPairOfNodesAreOne) {
  std::mt19937_64 random(1);
  const Machine machine = make_machine(128, 2, Placing::kBlocks, random);
  const Outboxes all = one_for_each(64, 8);
  ForwardPlan plan;
  plan.begin(machine, 0, {});
  EXPECT_TRUE(plan.pays([&](std::uint64_t i) { return std::span<const OutLetter>(all[i]); }));
  const Seen seen = check_bundles(plan, machine, 0, all, {});
  EXPECT_EQ(seen.letters, 4096U);
  EXPECT_EQ(seen.bundles, 1U);
}

/// Reads: what ranks of a node ask of one owner is in one bundle where that is not too long, and goes by bundles, however
/// long it is, where two of them may ask for the same bytes.
TEST(ForwardPlan, WhatRanksAskOfAnOwnerGoesTogether) {
  std::mt19937_64 random(18);
  std::uint64_t together = 0, apart = 0, pays = 0, does_not = 0;
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t ranks = 4 + random() % 30;
    const Machine machine =
        make_machine(ranks, 2 + random() % 3, static_cast<Placing>(random() % 3), random);
    const std::uint64_t node = random() % machine.nodes();
    ForwardLimits limits;
    limits.direction = Direction::kRead;
    limits.bundle = 512U << random() % 8;
    limits.of_owner = limits.bundle * 4;
    const bool overlap = random() % 2 == 0;
    Outboxes all = make_letters(machine, node, 1U << (6 + random() % 9), random);
    std::map<std::uint32_t, std::uint64_t> bytes, letters;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (OutLetter& letter : all[i]) {
        letter.first = place_in_slices(letter.owner, overlap ? 0 : i * 100);
        letter.end = letter.first + 100;
        bytes[letter.owner] += letter.header() + letter.payload;
        ++letters[letter.owner];
      }
    ForwardPlan plan;
    plan.begin(machine, node, limits);
    const auto letters_of = [&](std::uint64_t i) { return std::span<const OutLetter>(all[i]); };
    std::set<const OutLetter*> taken;
    std::map<std::uint32_t, std::set<std::uint64_t>> bundles_of;
    std::uint64_t bundles = 0;
    bool fits = true, shared = false;
    plan.for_bundles(letters_of, [&](const ForwardPlan::Bundle& bundle, std::uint64_t number,
                                     std::uint64_t to_node) {
      ++bundles;
      fits = fits && number < std::max(machine.size_of(node), machine.size_of(to_node));
      std::uint64_t size = 0;
      for (const auto& one : bundle.letters) {
        EXPECT_TRUE(taken.insert(one.letter).second);
        bundles_of[one.letter->owner].insert(bundles);
        size += one.letter->header() + one.letter->payload;
      }
      EXPECT_TRUE(size <= limits.of_owner || bundle.letters.size() == 1);
    });
    for (const auto& [owner, in] : bundles_of) {
      if (bytes[owner] <= limits.of_owner) {
        EXPECT_EQ(in.size(), 1U);
      }
      ++(in.size() == 1 ? together : apart);
      shared = shared || letters[owner] > 1;
    }
    const bool paid = plan.pays(letters_of);
    ++(paid ? pays : does_not);
    if (!fits) {
      EXPECT_FALSE(paid);
    } else if (overlap && shared) {
      EXPECT_TRUE(paid);
    }
  }
  EXPECT_GT(together, 500U);
  EXPECT_GT(apart, 20U);
  EXPECT_GT(pays, 50U);
  EXPECT_GT(does_not, 20U);
}

/// Large ones go by themselves: more ranks keep the network busy.
TEST(ForwardPlan, LargeLettersAreNotForwarded) {
  std::mt19937_64 random(1);
  const Machine machine = make_machine(8, 2, Placing::kBlocks, random);
  const Outboxes all = one_for_each(4, std::uint64_t{1} << 20);
  ForwardPlan plan;
  plan.begin(machine, 0, {});
  EXPECT_FALSE(plan.pays([&](std::uint64_t i) { return std::span<const OutLetter>(all[i]); }));
}

}  // namespace
}  // namespace pcio
