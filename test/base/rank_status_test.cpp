// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// RankStatus: the first failure stays, and what is thrown is one.

#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "base/rank_status.hpp"

namespace pcio {
namespace {

Status failure(const char* text) { return PCIO_ERROR(IO, WRITEERROR, text); }

TEST(RankStatus, BeginsWithoutFailure) {
  const RankStatus mine;
  EXPECT_TRUE(mine.ok());
  EXPECT_EQ(mine.word(), 0U);
}

TEST(RankStatus, KeepsTheFirstFailure) {
  RankStatus mine;
  mine.note(Status());
  mine.note(failure("first"));
  mine.note(failure("second"));
  EXPECT_FALSE(mine.even_if_failed([] { return failure("third"); }));
  EXPECT_EQ(mine.word(), 1U);
  ASSERT_EQ(mine.status().frames().size(), 1U);
  EXPECT_EQ(mine.status().frames()[0].text, "first");
}

TEST(RankStatus, WhatWentBeforeCounts) {
  RankStatus mine(failure("before"));
  bool done = false;
  mine.unless_failed([&] {
    done = true;
    return Status();
  });
  EXPECT_FALSE(done);
  EXPECT_TRUE(mine.even_if_failed([&] {
    done = true;
    return Status();
  }));
  EXPECT_TRUE(done);
  EXPECT_FALSE(mine.ok());
}

TEST(RankStatus, WhatIsThrownIsAFailure) {
  RankStatus mine;
  mine.unless_failed([]() -> Status { throw std::bad_alloc(); });
  EXPECT_FALSE(mine.ok());
  RankStatus other;
  EXPECT_FALSE(other.even_if_failed([]() -> Status { throw std::length_error("too long"); }));
  ASSERT_EQ(other.status().frames().size(), 1U);
  EXPECT_NE(std::string(other.status().frames()[0].text).find("too long"), std::string::npos);
}

}  // namespace
}  // namespace pcio
