// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The choice of a chunk optimization, at, below and above the threshold.

#include "plan/chunk_strategy.hpp"

#include <gtest/gtest.h>

namespace pcio {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

ChunkOptHints asking(ChunkOpt request, std::uint64_t threshold = 0) {
  ChunkOptHints hints;
  hints.request = request;
  hints.link_threshold = threshold;
  return hints;
}

Strategy choose(const ChunkOptHints& hints, const ChunkCensus& census, CauseBits causes = 0) {
  return choose_strategy(causes, StorageForm::kChunked, hints, census);
}

TEST(ChooseStrategy, LinksWhenTheAverageEqualsTheThreshold) {
  for (std::uint64_t ranks = 1; ranks <= 64; ++ranks)
    for (std::uint64_t threshold = 0; threshold <= 20; ++threshold)
      for (std::uint64_t sum = 0; sum <= 21 * ranks; sum += 1 + sum % 7) {
        const ChunkCensus census{ranks, sum, 0, 0, ranks, 1000};
        // The average with its fraction: sum / ranks >= threshold.
        const bool links = static_cast<long double>(sum) / static_cast<long double>(ranks) >=
                           static_cast<long double>(threshold);
        EXPECT_EQ(choose(asking(ChunkOpt::kDefault, threshold), census),
                  links ? Strategy::kLinked : Strategy::kMulti)
            << ranks << " ranks, sum " << sum << ", threshold " << threshold;
      }
}

TEST(ChooseStrategy, OneChunkDecidesAtTheThreshold) {
  const auto with_sum = [](std::uint64_t sum) { return ChunkCensus{8, sum, 0, 0, 8, 1000}; };
  const ChunkOptHints hints = asking(ChunkOpt::kDefault, 5);
  EXPECT_EQ(choose(hints, with_sum(39)), Strategy::kMulti);
  EXPECT_EQ(choose(hints, with_sum(40)), Strategy::kLinked);
  EXPECT_EQ(choose(hints, with_sum(41)), Strategy::kLinked);
}

TEST(ChooseStrategy, ThresholdsBeyondAnySumAreNotReached) {
  // 2^63 * 2 is 0 in 64 bits; it must not be.
  EXPECT_EQ(choose(asking(ChunkOpt::kDefault, std::uint64_t{1} << 63), {2, 7, 0, 0, 2, 9}),
            Strategy::kMulti);
  EXPECT_EQ(choose(asking(ChunkOpt::kDefault, kMost), {3, kMost, 0, 0, 3, kMost}),
            Strategy::kMulti);
  EXPECT_EQ(choose(asking(ChunkOpt::kDefault, kMost), {1, kMost, 0, 0, 1, kMost}),
            Strategy::kLinked);
}

TEST(ChooseStrategy, WhatWasAskedForNeedsNoCensus) {
  const ChunkCensus unknown{4, 0, 0, 0, 0, 10};
  const ChunkOptHints many = asking(ChunkOpt::kMultiIo, 0);
  EXPECT_EQ(choose(asking(ChunkOpt::kOneIo, kMost), unknown), Strategy::kLinked);
  EXPECT_EQ(choose(many, unknown), Strategy::kMulti);
  EXPECT_EQ(choose(asking(ChunkOpt::kAtOnce), unknown), Strategy::kAtOnce);
  EXPECT_EQ(choose(asking(ChunkOpt::kMultiNoOpt), unknown), Strategy::kMultiNoOpt);
  EXPECT_EQ(choose(asking(ChunkOpt::kAllIndependent), unknown), Strategy::kAllIndependent);
}

TEST(ChooseStrategy, ASingleChunkIsABlock) {
  const ChunkCensus single{4, 4, 1, 1, 4, 1};
  for (const ChunkOpt request : {ChunkOpt::kDefault, ChunkOpt::kOneIo, ChunkOpt::kMultiIo,
                                 ChunkOpt::kAtOnce, ChunkOpt::kMultiNoOpt})
    EXPECT_EQ(choose(asking(request, 1000), single), Strategy::kLinked);
  EXPECT_EQ(choose(asking(ChunkOpt::kAllIndependent), single), Strategy::kAllIndependent);
}

TEST(ChooseStrategy, IndividualIoWinsOverAnyRequest) {
  for (const ChunkOpt request : {ChunkOpt::kDefault, ChunkOpt::kOneIo, ChunkOpt::kMultiIo}) {
    ChunkOptHints hints = asking(request);
    hints.opt = CollectiveOpt::kIndividualIo;
    const ChunkCensus census{4, 8, 2, 2, 4, 8};
    EXPECT_EQ(choose(hints, census, cause::kSetIndependent), Strategy::kAllIndependent);
    EXPECT_EQ(choose_strategy(cause::kSetIndependent, StorageForm::kContiguous, hints, census),
              Strategy::kNoCollective);
    EXPECT_EQ(choose(hints, census, cause::kSetIndependent | cause::kMpiposix),
              Strategy::kNoCollective);
  }
}

TEST(ChooseStrategy, OtherCausesForbidEverything) {
  const ChunkCensus census{4, 8, 2, 2, 4, 8};
  for (const CauseBits bit : {cause::kSetIndependent, cause::kOptTypesDisabled, cause::kMpiposix,
                              cause::kFilters, cause::kErrorWhileChecking})
    for (const ChunkOpt request : {ChunkOpt::kDefault, ChunkOpt::kOneIo, ChunkOpt::kAllIndependent})
      EXPECT_EQ(choose(asking(request), census, bit), Strategy::kNoCollective);
}

TEST(ChooseStrategy, WithoutChunksThereIsOneBlock) {
  EXPECT_EQ(choose_strategy(0, StorageForm::kContiguous, asking(ChunkOpt::kMultiIo), {}),
            Strategy::kContiguous);
}

}  // namespace
}  // namespace pcio
