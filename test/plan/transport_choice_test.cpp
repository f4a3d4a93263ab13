// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The choice of a transport, at, below and above its thresholds.

#include "plan/transport_choice.hpp"

#include <gtest/gtest.h>

namespace pcio {
namespace {

TransportFacts facts(Direction direction, std::uint64_t bytes, std::uint64_t runs) {
  TransportFacts f;
  f.direction = direction;
  f.ranks = 4;
  f.ranks_with_data = 4;
  f.sum_bytes = bytes;
  f.sum_runs = runs;
  f.max_bytes = bytes / 4;
  return f;
}

Transport choose(const TransportFacts& f) {
  const Result<ChosenTransport> chosen = choose_transport(f);
  EXPECT_TRUE(chosen.has_value());
  if (!chosen) return Transport::kNone;
  EXPECT_FALSE(chosen->why.empty());
  return chosen->transport;
}

TEST(ChooseTransport, LongRunsGoDirectly) {
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    const std::uint64_t run = d == Direction::kRead ? kDirectReadRunBytes : kDirectWriteRunBytes;
    EXPECT_EQ(choose(facts(d, 100 * run - 1, 100)), Transport::kExchange);
    EXPECT_EQ(choose(facts(d, 100 * run, 100)), Transport::kDirect);
    EXPECT_EQ(choose(facts(d, 100 * run + 1, 100)), Transport::kDirect);
  }
}

TEST(ChooseTransport, NothingAndOneRankGoDirectly) {
  EXPECT_EQ(choose(facts(Direction::kWrite, 0, 0)), Transport::kDirect);
  TransportFacts f = facts(Direction::kWrite, 1000, 1000);
  f.ranks = 1;
  EXPECT_EQ(choose(f), Transport::kDirect);
}

TEST(ChooseTransport, EqualSmallReadsAreBroadcast) {
  TransportFacts f = facts(Direction::kRead, 4 * kBroadcastBytes, 4);
  f.equal_requests = true;
  for (const std::uint64_t max : {kBroadcastBytes - 1, kBroadcastBytes, kBroadcastBytes + 1}) {
    f.max_bytes = max;
    EXPECT_EQ(choose(f) == Transport::kBroadcast, max <= kBroadcastBytes);
  }
  f.max_bytes = 100;
  f.equal_requests = false;
  EXPECT_NE(choose(f), Transport::kBroadcast);
  f.equal_requests = true;
  f.direction = Direction::kWrite;
  EXPECT_NE(choose(f), Transport::kBroadcast);
  f.direction = Direction::kRead;
  f.ranks = 1;
  EXPECT_NE(choose(f), Transport::kBroadcast);
}

TEST(ChooseTransport, ForcedWins) {
  TransportFacts f = facts(Direction::kWrite, 1 << 30, 1);
  for (const Transport t : {Transport::kDirect, Transport::kView, Transport::kExchange}) {
    f.forced = t;
    EXPECT_EQ(choose(f), t);
  }
}

TEST(ChooseTransport, WhatIsNotPossibleIsRefused) {
  TransportFacts f = facts(Direction::kWrite, 1000, 10);
  f.view_possible = false;
  f.forced = Transport::kView;
  const auto view = choose_transport(f);
  ASSERT_FALSE(view.has_value());
  EXPECT_NE(view.error().message().find("configure"), std::string::npos);
  f.forced = Transport::kExchange;
  EXPECT_EQ(choose(f), Transport::kExchange);
  f.forced = Transport::kBroadcast;
  EXPECT_FALSE(choose_transport(f).has_value());
  f.direction = Direction::kRead;
  f.equal_requests = true;
  f.max_bytes = kBroadcastBytes;
  EXPECT_EQ(choose(f), Transport::kBroadcast);
  f.max_bytes = kBroadcastBytes + 1;
  EXPECT_FALSE(choose_transport(f).has_value());
}

TEST(ChooseTransport, TheViewIsNeverChosenForWriting) {
  for (std::uint64_t runs = 1; runs < 100'000; runs = runs * 3 + 1)
    for (std::uint64_t bytes = 0; bytes < 10'000'000'000; bytes = bytes * 5 + 1)
      EXPECT_NE(choose(facts(Direction::kWrite, bytes, runs)), Transport::kView);
}

}  // namespace
}  // namespace pcio
