// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Rooms object and driver: agreements by name come out of the merged words as they went in.

#include "object/open_facts.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "driver/driver_facts.hpp"
#include "driver/open_driver.hpp"

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

OpenFacts facts_of(std::uint64_t memory, std::uint64_t bytes) {
  OpenFacts facts;
  facts.pending_memory = memory;
  facts.file_bytes = bytes;
  facts.file_number = 7;
  return facts;
}

TEST(OpenFacts, GiveTheLeastMemoryAndTheLargestSize) {
  const std::vector<OpenFacts> ranks{facts_of(50, 1000), facts_of(20, 900), facts_of(30, 1100)};
  const AgreedOpen agreed = AgreedOpen::unpack(merged(ranks));
  EXPECT_EQ(agreed.pending_memory, 20U);
  EXPECT_EQ(agreed.file_bytes, 1100U);
  EXPECT_TRUE(agreed.same_file);
  EXPECT_EQ(agreed.asked, Durability::kNone);
  EXPECT_EQ(agreed.by_all, 0U);
  EXPECT_FALSE(agreed.holes_unknown);
}

TEST(OpenFacts, TellThatARankHasAnotherFile) {
  for (std::size_t odd = 0; odd < 3; ++odd) {
    std::vector<OpenFacts> ranks(3, facts_of(20, 900));
    ranks[odd].file_number = 8;
    EXPECT_FALSE(AgreedOpen::unpack(merged(ranks)).same_file);
    // A rank whose file system has no numbers that mean something says nothing about any.
    ranks[(odd + 1) % 3].file_number = 0;
    EXPECT_TRUE(AgreedOpen::unpack(merged(ranks)).same_file);
  }
}

TEST(OpenFacts, TellWhatOneRankAloneKnows) {
  for (std::size_t odd = 0; odd < 3; ++odd) {
    std::vector<OpenFacts> ranks(3, facts_of(20, 900));
    ranks[odd].asked = Durability::kChecked;
    ranks[odd].by_all = kSyncsByAllFlag;
    ranks[(odd + 1) % 3].by_all = kIncoherentFlag;
    AgreedOpen agreed = AgreedOpen::unpack(merged(ranks));
    EXPECT_EQ(agreed.asked, Durability::kChecked);
    EXPECT_EQ(agreed.by_all, kIncoherentFlag | kSyncsByAllFlag);
    EXPECT_FALSE(agreed.holes_unknown);
    ranks[odd].holes_unknown = true;
    ranks[(odd + 2) % 3].asked = Durability::kPowerLoss;
    agreed = AgreedOpen::unpack(merged(ranks));
    EXPECT_EQ(agreed.asked, Durability::kPowerLoss);
    EXPECT_TRUE(agreed.holes_unknown);
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

/// Files of two file systems may have equal numbers in them.
TEST(OpenFacts, FilesOfTwoFileSystemsOfAMachineAreTwo) {
  const FileIdentity here{1, 7, "a"}, there{2, 7, "b"}, same{1, 7, "c"};
  DriverCapabilities local;
  const auto number = [&](const FileIdentity& file, SeenBy by = SeenBy::kOneMachine,
                          bool writes = true) { return number_of_file(file, local, by, writes); };
  EXPECT_NE(number(here), 0U);
  EXPECT_NE(number(here), number(there));
  EXPECT_EQ(number(here), number(same));
  EXPECT_NE(number(here, SeenBy::kOneMachine, false), number(there, SeenBy::kOneMachine, false));
  // Another machine may have another number for the device.
  EXPECT_EQ(number(here, SeenBy::kSeveral), number(there, SeenBy::kSeveral));
  EXPECT_EQ(number({0, 0, "a"}), 0U);
}

TEST(OpenFacts, AFileBehindANetworkIsOneWhereItIsCoherent) {
  const FileIdentity here{1, 7, "a"}, again{2, 7, "a"};
  DriverCapabilities network;
  network.defers_errors = true;
  const auto number = [&](const FileIdentity& file, SeenBy by, bool writes) {
    return number_of_file(file, network, by, writes);
  };
  EXPECT_EQ(number(here, SeenBy::kOneMachine, true), number(again, SeenBy::kOneMachine, true));
  EXPECT_EQ(number(here, SeenBy::kSeveral, true), 0U);
  network.coherent = false;
  EXPECT_NE(number(here, SeenBy::kOneMachine, true), number(again, SeenBy::kOneMachine, true));
  EXPECT_EQ(number(here, SeenBy::kOneMachine, false), 0U);
}

}  // namespace
}  // namespace pcio
