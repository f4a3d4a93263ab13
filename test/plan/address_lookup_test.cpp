// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The 30 % / 10,000 rule at its edges, and the index as runs.

#include "plan/address_lookup.hpp"

#include <gtest/gtest.h>
#include <random>

namespace pcio {
namespace {

/// `most`: chunks of one rank.
AddressLookup choose(std::uint64_t ranks, std::uint64_t sum, std::uint64_t most,
                     std::uint64_t chunks) {
  return choose_address_lookup({ranks, sum, 0, most, ranks, chunks});
}

TEST(ChooseAddressLookup, MoreThanTenThousandPerRankOnAverage) {
  for (const std::uint64_t ranks : {1U, 2U, 3U, 7U, 1000U}) {
    const std::uint64_t edge = 10'000 * ranks;
    EXPECT_EQ(choose(ranks, edge - 1, 20'000, 20'000), AddressLookup::kOwn);
    EXPECT_EQ(choose(ranks, edge, 20'000, 20'000), AddressLookup::kOwn);
    EXPECT_EQ(choose(ranks, edge + 1, 20'000, 20'000), AddressLookup::kBroadcastIndex);
  }
}

TEST(ChooseAddressLookup, MoreThanThirtyPercentOnOneRank) {
  for (const std::uint64_t ranks : {1U, 2U, 3U, 7U, 1000U}) {
    const std::uint64_t sum = 20'000 * ranks;
    EXPECT_EQ(choose(ranks, sum, 29'999, 100'000), AddressLookup::kOwn);
    EXPECT_EQ(choose(ranks, sum, 30'000, 100'000), AddressLookup::kOwn);
    EXPECT_EQ(choose(ranks, sum, 30'001, 100'000), AddressLookup::kBroadcastIndex);
  }
}

TEST(ChooseAddressLookup, HoldsForEveryRemainder) {
  // Around the edge for numbers that 100 does not divide.
  for (std::uint64_t chunks = 40'000; chunks < 40'100; ++chunks)
    for (std::uint64_t most = chunks * 3 / 10 - 3; most <= chunks * 3 / 10 + 3; ++most)
      EXPECT_EQ(choose(3, 3 * most, most, chunks) == AddressLookup::kBroadcastIndex,
                10 * most > 3 * chunks);
}

TEST(ChooseAddressLookup, LargeNumbersDoNotWrap) {
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 62;
  EXPECT_EQ(choose(1, kLarge, kLarge, kLarge), AddressLookup::kBroadcastIndex);
  EXPECT_EQ(choose(4, kLarge, kLarge / 4, kLarge), AddressLookup::kOwn);
}

/// Sixteen bytes a chunk, and one of `every` numbers has a chunk.
void check_parts(std::uint64_t count, std::uint64_t every) {
  LookupParts parts(count);
  std::uint64_t behind = 0, rounds = 0;
  for (; !parts.done(); ++rounds) {
    ASSERT_EQ(parts.first(), behind);
    ASSERT_GT(parts.end(), behind);
    const std::uint64_t bytes = (parts.end() - behind) / every * 16;
    EXPECT_LE(bytes, 2 * kLargeLookupPart);
    behind = parts.end();
    parts.next(bytes);
  }
  EXPECT_EQ(behind, count);
  EXPECT_LE(rounds, 64 + kMostLookupParts + count / every * 16 / (kSmallLookupPart / 2));
}

TEST(LookupParts, AreFewAndSmallHoweverManyChunksThereAre) {
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, kFirstLookupPart - 1, kFirstLookupPart,
        kFirstLookupPart + 1, std::uint64_t{1} << 27, std::uint64_t{1} << 62, ~std::uint64_t{0}})
    for (const std::uint64_t every :
         {std::uint64_t{1}, std::uint64_t{1000}, std::uint64_t{1} << 45})
      if (count / every < (std::uint64_t{1} << 30)) check_parts(count, every);
}

/// Chunks lie close together in one place, far from the beginning.
TEST(LookupParts, GetShorterWhereChunksAreClose) {
  constexpr std::uint64_t kCount = std::uint64_t{1} << 40;
  LookupParts parts(kCount);
  while (parts.first() < kCount / 4) parts.next(0);
  EXPECT_LE(parts.end() - parts.first(), 2 * kCount / kMostLookupParts);
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t length = parts.end() - parts.first();
    parts.next(length * 16);
    EXPECT_LE(parts.end() - parts.first(), std::max(length / 2, kLargeLookupPart / 16));
  }
  EXPECT_LE((parts.end() - parts.first()) * 16, kLargeLookupPart);
}

TEST(AddressRuns, ChunksThatFollowAreOneRun) {
  std::vector<AddressRun> runs;
  for (ChunkOrdinal c = 0; c < 1'000'000; ++c) append_chunk(runs, c, 2048 + c * 512, 512);
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_LE(encode_runs(runs).size(), 8U);
  EXPECT_EQ(address_in(runs, 999'999, 512), 2048U + 999'999 * 512);
  EXPECT_EQ(address_in(runs, 1'000'000, 512), kUndefinedAddress);
}

TEST(AddressRuns, EveryChunkIsFoundAgain) {
  std::mt19937_64 random(3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    const std::uint64_t bytes = 1 + random() % 5000;
    std::vector<FileAddress> address(300);
    std::vector<AddressRun> runs;
    FileAddress next = random() % 10'000;
    for (ChunkOrdinal c = 0; c < address.size(); ++c) {
      const std::uint64_t turn = random() % 8;
      if (turn == 0) next = random();
      address[c] = turn == 1 ? kUndefinedAddress : next;
      if (turn == 2) continue;  // not in the index
      append_chunk(runs, c, address[c], bytes);
      next += bytes;
    }
    const Result<std::vector<AddressRun>> decoded = decode_runs(encode_runs(runs));
    ASSERT_TRUE(decoded.has_value());
    ASSERT_EQ(*decoded, runs);
    std::size_t at = 0;
    for (ChunkOrdinal c = 0; c < address.size(); ++c) {
      while (at < runs.size() && runs[at].first + runs[at].count <= c) ++at;
      const bool listed = at < runs.size() && runs[at].first <= c;
      ASSERT_EQ(address_in(*decoded, c, bytes), listed ? address[c] : kUndefinedAddress);
    }
  }
}

TEST(AddressRuns, DamagedBytesAreRefusedOrHarmless) {
  std::vector<AddressRun> runs{{5, 10, 4096}, {40, 1, kUndefinedAddress}, {50, 7, 100}};
  const std::vector<std::byte> good = encode_runs(runs);
  // Cut anywhere but behind a run, it is refused.
  for (std::size_t n = 0; n < good.size(); ++n) {
    const auto cut = decode_runs(ConstBytes(good).first(n));
    EXPECT_TRUE(!cut || cut->size() < runs.size());
  }
  std::mt19937_64 random(5);
  for (int repeat = 0; repeat < 5000; ++repeat) {
    std::vector<std::byte> bad(random() % 40);
    for (std::byte& b : bad) b = static_cast<std::byte>(random());
    const auto decoded = decode_runs(bad);
    if (!decoded) continue;
    ChunkOrdinal behind = 0;
    for (const AddressRun& run : *decoded) {
      EXPECT_GE(run.first, behind);
      EXPECT_GT(run.count, 0U);
      behind = run.first + run.count;
      EXPECT_GT(behind, run.first);
    }
  }
}

}  // namespace
}  // namespace pcio
