// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: time that is kept by what it went to.

#include "base/time_split.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace pcio {
namespace {

/// Until the clock has moved on.
void spend() {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() <= begin + std::chrono::microseconds(1)) {
  }
}

std::uint64_t spent(const Spending& split, Spent what) { return split[what]; }

TEST(TimeSplit, TheInnermostHasTheTime) {
  Spending split;
  std::uint64_t file_before = 0;
  {
    const TimeKept kept(&split);
    spend();
    const Spends outer(Spent::kFilters);
    spend();
    {
      const Spends inner(Spent::kFile);
      spend();
    }
    file_before = spent(split, Spent::kFile);
    spend();
  }
  EXPECT_GT(file_before, 0U);
  EXPECT_EQ(spent(split, Spent::kFile), file_before);
  EXPECT_GE(spent(split, Spent::kFilters), 2000U);
  EXPECT_EQ(spent(split, Spent::kAgreement), 0U);
}

TEST(TimeSplit, AgreementsOfAnExchangeAreTheExchanges) {
  Spending split;
  {
    const TimeKept kept(&split);
    const Spends exchange(Spent::kExchange);
    const Spends agreement(Spent::kAgreement);
    spend();
  }
  EXPECT_EQ(spent(split, Spent::kAgreement), 0U);
  EXPECT_GT(spent(split, Spent::kExchange), 0U);
}

TEST(TimeSplit, NothingIsKeptForNobody) {
  Spending split;
  {
    const TimeKept nobody(nullptr);
    const Spends file(Spent::kFile);
    spend();
    EXPECT_EQ(TimeKept::current(), nullptr);
  }
  EXPECT_EQ(split, Spending());
}

TEST(TimeSplit, OneWithinAnotherHasTheTimeAlone) {
  Spending outer, inner{};
  {
    const TimeKept first(&outer);
    {
      const TimeKept second(&inner);
      const Spends file(Spent::kFile);
      spend();
    }
    EXPECT_GT(spent(inner, Spent::kFile), 0U);
    EXPECT_EQ(spent(outer, Spent::kFile), 0U);
    {
      const Spends file(Spent::kFile);
      spend();
    }
  }
  EXPECT_GT(spent(outer, Spent::kFile), 0U);
}

TEST(TimeSplit, TheyMayEndInAnyOrder) {
  Spending outer, middle, inner;
  std::optional<TimeKept> first, second, third;
  first.emplace(&outer);
  second.emplace(&middle);
  third.emplace(&inner);
  second.reset();
  EXPECT_EQ(TimeKept::current(), &*third);
  count_amount(Amount::kFilled, 1);
  third.reset();
  ASSERT_EQ(TimeKept::current(), &*first) << "not the one that is gone";
  count_amount(Amount::kFilled, 2);
  second.emplace(&middle);
  first.reset();
  EXPECT_EQ(TimeKept::current(), &*second);
  second.reset();
  EXPECT_EQ(TimeKept::current(), nullptr);
  EXPECT_EQ(inner[Amount::kFilled], 1U);
  EXPECT_EQ(outer[Amount::kFilled], 2U);
  EXPECT_EQ(middle[Amount::kFilled], 0U);
}

TEST(TimeSplit, WhatIsUnderWayWhenOneIsStoppedHurtsNobody) {
  Spending outer, inner;
  const TimeKept first(&outer);
  TimeKept second(&inner);
  {
    const Spends file(Spent::kFile);
    second.stop();
    second.stop();
    EXPECT_EQ(TimeKept::current(), &first);
  }
  EXPECT_EQ(TimeKept::current(), &first);
  EXPECT_EQ(outer, Spending());
}

}  // namespace
}  // namespace pcio
