// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the facts of a commit and of the probe of holes, over the wire and back.

#include "storage/commit/commit_facts.hpp"

#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "storage/bytes/probe_facts.hpp"

namespace pcio {
namespace {

/// What all ranks know when each has brought one of `facts`.
template <class Facts>
GlobalFacts agreed_on(const std::vector<Facts>& facts) {
  WireFacts wire{};
  for (std::size_t i = 0; i < facts.size(); ++i) {
    LocalFacts local;
    put_facts(facts[i], &local);
    const WireFacts one = to_wire(local, {}, LocalOutcome::kGood, static_cast<int>(i));
    if (i == 0)
      wire = one;
    else
      merge(wire, one);
  }
  return to_global(wire);
}

CommitFacts random_facts(std::mt19937& random) {
  const auto coin = [&] { return random() % 3 == 0; };
  CommitFacts facts;
  facts.compact_written = coin();
  facts.asked = static_cast<Durability>(random() % 3);
  facts.incoherent = coin();
  facts.sync_failed = coin();
  facts.let_go = coin();
  facts.pending = coin();
  facts.changed = coin();
  facts.unlinked = {coin(), coin(), coin()};
  facts.copies_hash = random() % 2;
  return facts;
}

TEST(CommitFacts, MergedEachIsThatOfAnyRank) {
  std::mt19937 random(11);
  int differ = 0, equal = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<CommitFacts> ranks(1 + random() % 4);
    CommitFacts want;
    bool same = true;
    for (CommitFacts& rank : ranks) {
      rank = random_facts(random);
      want.compact_written |= rank.compact_written;
      want.asked = std::max(want.asked, rank.asked);
      want.incoherent |= rank.incoherent;
      want.sync_failed |= rank.sync_failed;
      want.let_go |= rank.let_go;
      want.pending |= rank.pending;
      want.changed |= rank.changed;
      want.unlinked.any |= rank.unlinked.any;
      want.unlinked.open |= rank.unlinked.open;
      want.unlinked.unread |= rank.unlinked.unread;
      same = same && rank.copies_hash == ranks[0].copies_hash;
    }
    CommitFacts got = commit_facts(agreed_on(ranks));
    EXPECT_EQ(got.copies_hash == 0, same);
    ++(same ? equal : differ);
    got.copies_hash = 0;
    ASSERT_EQ(got, want) << "round " << round;
  }
  EXPECT_GT(equal, 100);
  EXPECT_GT(differ, 100);
}

TEST(CommitFacts, RanksThatHaveNothingToTellTellNothing) {
  LocalFacts local;
  put_facts(CommitFacts(), &local);
  EXPECT_EQ(local.any_flags, 0U);
  EXPECT_EQ(commit_facts(agreed_on<CommitFacts>({{}, {}})), CommitFacts());
}

TEST(ProbeFacts, MergedEachIsThatOfAnyRank) {
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < 4; ++b) {
      const ProbeFacts one{(a & 1) != 0, (a & 2) != 0}, two{(b & 1) != 0, (b & 2) != 0};
      const ProbeFacts both{one.not_tried || two.not_tried, one.not_zero || two.not_zero};
      EXPECT_EQ(probe_facts(agreed_on<ProbeFacts>({one, two})), both);
    }
}

}  // namespace
}  // namespace pcio
