// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Rooms object and driver: agreements by name come out of the merged words as they went in.

#include "object/open_facts.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "driver/driver_facts.hpp"

namespace pcio {
namespace {

/// As the ranks would merge them, in this order.
template <class Facts>
GlobalFacts merged(const std::vector<Facts>& ranks) {
  WireFacts all = to_wire(ranks[0].pack(), {}, LocalOutcome::kGood, 0);
  for (std::size_t r = 1; r < ranks.size(); ++r)
    merge(all, to_wire(ranks[r].pack(), {}, LocalOutcome::kGood, static_cast<int>(r)));
  EXPECT_EQ(judge(all), Verdict::kAgreed);
  return to_global(all);
}

TEST(OpenFacts, GiveTheLeastMemoryAndTheLargestSize) {
  const std::vector<OpenFacts> ranks{{50, 7, 1000}, {20, 7, 900}, {30, 7, 1100}};
  const AgreedOpen agreed = AgreedOpen::unpack(merged(ranks));
  EXPECT_EQ(agreed.pending_memory, 20U);
  EXPECT_EQ(agreed.file_bytes, 1100U);
  EXPECT_TRUE(agreed.same_head);
}

TEST(OpenFacts, TellThatOneRankSeesAnotherSuperblock) {
  for (std::size_t odd = 0; odd < 3; ++odd) {
    std::vector<OpenFacts> ranks(3, OpenFacts{20, 7, 900});
    ranks[odd].head_hash = 8;
    const AgreedOpen agreed = AgreedOpen::unpack(merged(ranks));
    EXPECT_FALSE(agreed.same_head);
    EXPECT_EQ(agreed.pending_memory, 20U);
  }
}

TEST(OpenArgumentFacts, TellValuesApartAndCreatesFromOpens) {
  const OpenArgumentFacts one{OpenMode::kReadWrite, 5}, other{OpenMode::kReadOnly, 6};
  EXPECT_TRUE(OpenArgumentFacts::equal(merged<OpenArgumentFacts>({one, one, one})));
  EXPECT_FALSE(OpenArgumentFacts::equal(merged<OpenArgumentFacts>({one, one, other})));
  EXPECT_EQ(one.pack().call_kind, CallKind::kOpen);
  EXPECT_EQ((OpenArgumentFacts{OpenMode::kTruncate, 5}.pack().call_kind), CallKind::kCreate);
  EXPECT_EQ((OpenArgumentFacts{OpenMode::kCreateExclusive, 5}.pack().call_kind), CallKind::kCreate);
}

TEST(AtomicityFacts, TellsARankThatAsksForTheOther) {
  EXPECT_TRUE(AtomicityFacts::equal(merged<AtomicityFacts>({{true}, {true}})));
  EXPECT_FALSE(AtomicityFacts::equal(merged<AtomicityFacts>({{true}, {false}, {true}})));
}

TEST(CallKinds, ClosingOneIdOfSeveralIsAnotherCallThanClosingTheFile) {
  LocalFacts id, file;
  id.call_kind = CallKind::kCloseId;
  file.call_kind = CallKind::kClose;
  WireFacts all = to_wire(id, {}, LocalOutcome::kGood, 0);
  merge(all, to_wire(file, {}, LocalOutcome::kGood, 1));
  EXPECT_EQ(judge(all), Verdict::kCallsDiffer);
}

}  // namespace
}  // namespace pcio
