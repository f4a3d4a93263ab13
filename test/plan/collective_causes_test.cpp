// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which facts are causes, and which no longer are.

#include "plan/collective_causes.hpp"

#include "plan/chunk_strategy.hpp"

#include <gtest/gtest.h>

namespace pcio {
namespace {

TEST(LocalCauses, NothingForAPlainTransfer) {
  EXPECT_EQ(local_causes(CauseFacts{}), cause::kCollective);
}

TEST(LocalCauses, WhatIsDoneCollectivelySetsNothing) {
  CauseFacts f;
  f.storage = StorageForm::kChunked;
  f.converts = true;
  f.transforms = true;
  f.file_selection = SelectionKind::kPoints;
  f.memory_selection = SelectionKind::kHyperslab;
  f.file_regular = false;
  f.memory_regular = false;
  f.file_space = SpaceClass::kNull;
  f.memory_space = SpaceClass::kScalar;
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    f.direction = d;
    EXPECT_EQ(local_causes(f), cause::kCollective);
  }
}

TEST(LocalCauses, EachConditionHasItsBit) {
  const auto with = [](auto&& change) {
    CauseFacts f;
    change(f);
    return local_causes(f);
  };
  EXPECT_EQ(with([](auto& f) { f.requested = TransferMode::kIndependent; }),
            cause::kSetIndependent);
  EXPECT_EQ(with([](auto& f) { f.collective_opt = CollectiveOpt::kIndividualIo; }),
            cause::kSetIndependent);
  EXPECT_EQ(with([](auto& f) { f.mpiposix = true; }), cause::kMpiposix);
  EXPECT_EQ(with([](auto& f) { f.storage = StorageForm::kOther; }), cause::kNotContiguousOrChunked);
  EXPECT_EQ(with([](auto& f) { f.derived_types_disabled = true; }), cause::kOptTypesDisabled);
  EXPECT_EQ(with([](auto& f) { f.error_while_checking = true; }), cause::kErrorWhileChecking);
}

TEST(LocalCauses, FiltersForceNothing) {
  CauseFacts f;
  f.filtered = true;
  EXPECT_EQ(local_causes(f), cause::kCollective);
  // Owners need no derived types.
  f.derived_types_disabled = true;
  EXPECT_EQ(local_causes(f), cause::kCollective);
}

TEST(LocalCauses, FiltersHideNothing) {
  for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
    CauseFacts f;
    f.filtered = true;
    f.direction = direction;
    f.mpiposix = true;
    EXPECT_EQ(local_causes(f), cause::kMpiposix);
    f.collective_opt = CollectiveOpt::kIndividualIo;
    EXPECT_EQ(local_causes(f), cause::kMpiposix | cause::kSetIndependent);
  }
}

TEST(MovesByOwners, WhatIsWrittenAlways) {
  for (const Strategy strategy :
       {Strategy::kAllIndependent, Strategy::kNoCollective, Strategy::kMulti})
    EXPECT_TRUE(moves_by_owners(strategy, cause::kSetIndependent, Direction::kWrite));
  EXPECT_TRUE(moves_by_owners(Strategy::kLinked, cause::kCollective, Direction::kRead));
  EXPECT_TRUE(moves_by_owners(Strategy::kNoCollective, cause::kMpiposix, Direction::kRead));
  EXPECT_FALSE(moves_by_owners(Strategy::kAllIndependent, cause::kCollective, Direction::kRead));
  EXPECT_FALSE(moves_by_owners(Strategy::kNoCollective, cause::kMpiposix | cause::kSetIndependent,
                               Direction::kRead));
}

TEST(LocalCauses, AForcedTransportNeedsNoDerivedTypes) {
  CauseFacts f;
  f.derived_types_disabled = true;
  f.transport_forced = true;
  EXPECT_EQ(local_causes(f), cause::kCollective);
}

TEST(LocalCauses, CausesAddUp) {
  CauseFacts f;
  f.collective_opt = CollectiveOpt::kIndividualIo;
  f.storage = StorageForm::kOther;
  f.mpiposix = true;
  EXPECT_EQ(local_causes(f),
            cause::kSetIndependent | cause::kNotContiguousOrChunked | cause::kMpiposix);
}

TEST(CauseRules, HaveNamesAndKnownBits) {
  for (const CauseRule& rule : cause_rules()) {
    EXPECT_FALSE(rule.name.empty());
    EXPECT_EQ(cause_text(rule.bit).find("unknown"), std::string::npos);
    EXPECT_FALSE(rule.holds(CauseFacts{}));
  }
}

}  // namespace
}  // namespace pcio
