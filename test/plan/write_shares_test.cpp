// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: bytes that any rank could write have one writer each, and so have units of the file.

#include "plan/write_shares.hpp"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace pcio {
namespace {

TEST(WriteShare, EveryByteHasOneWriterAndEveryUnitToo) {
  std::mt19937_64 random(17);
  int few_units = 0, many_units = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::uint64_t unit = 1 + random() % 50, ranks = 1 + random() % 12;
    const ByteRange range{random() % 1000, random() % 800};
    std::uint64_t bytes = 0, most = 0;
    std::map<std::uint64_t, std::set<std::uint64_t>> writers_of;
    std::set<std::uint64_t> begins;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      const ByteRange mine = write_share(range, unit, rank, ranks);
      bytes += mine.size;
      if (mine.size == 0) continue;
      ASSERT_GE(mine.offset, range.offset);
      ASSERT_LE(mine.end(), range.end());
      ASSERT_TRUE(begins.insert(mine.offset).second);
      for (std::uint64_t u = mine.offset / unit; u <= (mine.end() - 1) / unit; ++u)
        writers_of[u].insert(rank);
      most = std::max(most, mine.size);
    }
    ASSERT_EQ(bytes, range.size) << "round " << round;
    for (const auto& [u, writers] : writers_of) ASSERT_EQ(writers.size(), 1U) << "unit " << u;
    if (range.size == 0) continue;
    ++(writers_of.size() < ranks ? few_units : many_units);
    ASSERT_EQ(begins.size(), std::min<std::uint64_t>(ranks, writers_of.size()));
    // Nobody has more than a unit above an equal share, and the pieces at the ends.
    ASSERT_LE(most, (writers_of.size() / begins.size() + 1) * unit);
    if (begins.size() > 2) {
      ASSERT_GE(most, unit);
    }
  }
  EXPECT_GT(few_units, 1000);
  EXPECT_GT(many_units, 1000);
}

TEST(WriteShare, SmallRangesHaveOneWriterEachAndNotAlwaysTheSame) {
  std::set<std::uint64_t> writers;
  for (std::uint64_t i = 0; i < 8; ++i)
    for (std::uint64_t rank = 0; rank < 4; ++rank)
      if (write_share({i * kWriteUnit + 512, 4096}, kWriteUnit, rank, 4).size == 4096)
        writers.insert(rank);
  EXPECT_EQ(writers.size(), 4U);
}

TEST(WriteShare, LargeNumbersDontOverflow) {
  const ByteRange range{(std::uint64_t{1} << 61) + 5, std::uint64_t{1} << 60};
  std::uint64_t bytes = 0;
  for (std::uint64_t rank = 0; rank < 1000; ++rank)
    bytes += write_share(range, kWriteUnit, rank, 1000).size;
  EXPECT_EQ(bytes, range.size);
}

TEST(BlockWriters, BlocksOfOneUnitHaveOneWriterAndManyBytesHaveMany) {
  std::mt19937_64 random(23);
  int several = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::uint64_t unit = 10 + random() % 100, ranks = 1 + random() % 8;
    std::vector<ByteRange> blocks;
    std::uint64_t at = random() % 1000, bytes = 0;
    for (std::size_t n = 1 + random() % 200; n > 0; --n) {
      const ByteRange block{at + (random() % 4 == 0 ? random() % 50 : 0), 1 + random() % 40};
      blocks.push_back(block);
      at = block.end();
      bytes += block.size;
    }
    BlockWriters writers(bytes, unit, ranks);
    ASSERT_LE(writers.writers(), std::max<std::uint64_t>(1, bytes / unit));
    std::map<std::uint64_t, std::uint64_t> writer_of;
    std::map<std::uint64_t, std::uint64_t> bytes_of;
    std::uint64_t last = 0;
    for (const ByteRange& block : blocks) {
      const std::uint64_t writer = writers.next(block);
      ASSERT_LT(writer, writers.writers());
      ASSERT_GE(writer, last) << "a writer has blocks that follow each other";
      last = writer;
      bytes_of[writer] += block.size;
      ASSERT_EQ(writer_of.emplace(block.offset / unit, writer).first->second, writer);
    }
    if (bytes_of.size() > 1) ++several;
    for (const auto& [writer, mine] : bytes_of)
      // A unit more, as far as blocks that begin in it reach.
      ASSERT_LE(mine, bytes / writers.writers() + unit + 80);
  }
  EXPECT_GT(several, 1000);
}

}  // namespace
}  // namespace pcio
