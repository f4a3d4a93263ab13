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

/// What lies between the pieces of a view may be read and written back, and its handle may never open.
TEST(ChooseTransport, ThereAreNoViewsWhereMachinesHaveCachesOfTheirOwn) {
  TransportFacts f = facts(Direction::kWrite, 1000, 10);
  f.forced = Transport::kView;
  f.view_possible = f.caches_apart = true;
  auto chosen = choose_transport(f);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->transport, Transport::kExchange);
  f.direction = Direction::kRead;
  chosen = choose_transport(f);
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->transport, Transport::kExchange);
}

/// There each call of a rank's own crosses the network.
TEST(ChooseTransport, ReadsOfShortRunsAreExchangedWhereMachinesHaveCachesOfTheirOwn) {
  TransportFacts f = facts(Direction::kRead, 4096 * 10, 10);
  EXPECT_EQ(choose(f), Transport::kDirect);
  f.caches_apart = true;
  EXPECT_EQ(choose(f), Transport::kExchange);
  f = facts(Direction::kRead, kDirectReadRunApart * 10, 10);
  f.caches_apart = true;
  EXPECT_EQ(choose(f), Transport::kDirect);
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

/// Every kind that might be asked for, and none.
constexpr Transport kAsked[] = {Transport::kNone, Transport::kDirect, Transport::kView,
                                Transport::kExchange, Transport::kBroadcast};

TEST(ChooseTransport, ChunksWithFiltersHaveOwnersWhateverIsAskedFor) {
  for (const Direction d : {Direction::kRead, Direction::kWrite}) {
    for (const Transport asked : kAsked) {
      TransportFacts f = facts(d, 100, 1);
      f.filtered = true;
      f.forced = asked;
      f.view_possible = false;
      f.element_bytes = 2 * kLargestShared;
      for (const std::uint64_t ranks : {1, 4}) {
        f.ranks = ranks;
        EXPECT_EQ(choose(f), Transport::kExchange);
      }
      f.sum_bytes = 0;
      EXPECT_EQ(choose(f), Transport::kDirect);
      f.collective = false;
      EXPECT_EQ(choose_transport(f)->why, "no bytes to move");
      f.sum_bytes = 100;
      EXPECT_EQ(choose(f), Transport::kDirect);
    }
  }
}

TEST(ChooseTransport, IndependentTransfersGoDirectlyAndSayWhy) {
  for (const Transport asked : kAsked) {
    TransportFacts f = facts(Direction::kWrite, 1000, 1000);
    f.collective = false;
    f.forced = asked;
    f.view_possible = false;
    EXPECT_EQ(choose(f), Transport::kDirect);
    EXPECT_EQ(choose_transport(f)->why, "independent I/O was asked for");
    f.causes = cause::kMpiposix;
    EXPECT_EQ(choose(f), Transport::kDirect);
    EXPECT_EQ(choose_transport(f)->why, "a cause forbids collective I/O");
  }
}

TEST(ChooseTransport, LargeElementsAreNotGathered) {
  for (const Transport asked : kAsked) {
    TransportFacts f = facts(Direction::kRead, 4 * kBroadcastBytes, 100'000);
    f.max_bytes = kBroadcastBytes;
    f.equal_requests = true;
    f.forced = asked;
    f.element_bytes = kLargestShared;
    EXPECT_EQ(choose(f), asked == Transport::kNone ? Transport::kBroadcast : asked);
    f.element_bytes = kLargestShared + 1;
    EXPECT_EQ(choose(f), Transport::kDirect);
    EXPECT_EQ(choose_transport(f)->why, "large elements");
  }
  // What can't be is refused all the same.
  TransportFacts f = facts(Direction::kWrite, 1000, 1000);
  f.element_bytes = kLargestShared + 1;
  f.forced = Transport::kBroadcast;
  EXPECT_FALSE(choose_transport(f).has_value());
}

TEST(ChooseTransport, OnlyCollectiveStepsHaveIt) {
  const Step collective{StepKind::kCollective, StepChunks::kAll, StepForm::kOneOperation, 0, 1};
  const Step barrier{StepKind::kBarrier, StepChunks::kNone, StepForm::kOneOperation, 0, 1};
  const Step rest{StepKind::kIndependent, StepChunks::kRest, StepForm::kOneOperation, 0, 0};
  const ChosenTransport exchange{Transport::kExchange, "short"};
  const ChosenTransport direct{Transport::kDirect, "long"};
  EXPECT_EQ(transport_of_steps(exchange, {{collective, barrier, rest}}).why, "short");
  EXPECT_EQ(transport_of_steps(exchange, {{rest}}).transport, Transport::kDirect);
  EXPECT_EQ(transport_of_steps(exchange, {{rest}}).why, "no chunk is collective");
  EXPECT_EQ(transport_of_steps(direct, {{rest}}).why, "long");
}

TEST(ChooseTransport, TheViewIsNeverChosenForWriting) {
  for (std::uint64_t runs = 1; runs < 100'000; runs = runs * 3 + 1)
    for (std::uint64_t bytes = 0; bytes < 10'000'000'000; bytes = bytes * 5 + 1)
      EXPECT_NE(choose(facts(Direction::kWrite, bytes, runs)), Transport::kView);
}

TEST(ChooseTransport, AtomicModeIsDirectWhateverWasAskedFor) {
  for (const Transport forced : {Transport::kNone, Transport::kExchange, Transport::kView}) {
    TransportFacts f = facts(Direction::kWrite, 1 << 20, 1 << 14);
    f.atomic = true;
    f.forced = forced;
    EXPECT_EQ(choose(f), Transport::kDirect);
  }
}

/// Two nodes don't write one stripe, unless most stripes are a rank's own.
TEST(ChooseTransport, NodesDontShareStripes) {
  constexpr std::uint64_t kStripe = 1 << 20;
  TransportFacts f = facts(Direction::kWrite, 100 * (kStripe - 1), 100);
  EXPECT_EQ(choose(f), Transport::kDirect) << "nothing is known of stripes";
  f.lock_unit = kStripe;
  EXPECT_EQ(choose(f), Transport::kExchange);
  EXPECT_EQ(choose_transport(f)->why, "runs shorter than a stripe");
  f.one_machine = true;
  EXPECT_EQ(choose(f), Transport::kDirect) << "one node has the lock";
  f.one_machine = false;
  f.sum_bytes = 100 * kStripe;
  EXPECT_EQ(choose(f), Transport::kDirect);
  f.sum_bytes = 100 * (kStripe - 1);
  f.direction = Direction::kRead;
  EXPECT_EQ(choose(f), Transport::kDirect) << "readers share a lock";
  f = facts(Direction::kWrite, 100, 100);
  f.lock_unit = kStripe;
  EXPECT_EQ(choose_transport(f)->why, "short contiguous runs");
}

}  // namespace
}  // namespace pcio
