// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The union of intervals over ranks that merge in any order, against a set.

#include "plan/interval_union.hpp"

#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

namespace pcio {
namespace {

namespace block = interval_block;

/// One rank whose collectives stand for all: the others' blocks are merged in a random order.
class ShuffledRanks {
 public:
  ShuffledRanks(std::vector<std::vector<OrdinalInterval>> ranks, std::uint64_t seed)
      : ranks_(std::move(ranks)), random_(seed) {}

  [[nodiscard]] int rank() const { return 0; }
  [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
  template <class Merge>
  Status allreduce_merge(std::span<std::uint64_t> words, Merge merge) {
    std::vector<std::vector<std::uint64_t>> blocks(ranks_.size());
    blocks[0].assign(words.begin(), words.end());
    for (std::size_t r = 1; r < ranks_.size(); ++r) {
      blocks[r].resize(words.size());
      block::fill(blocks[r], ranks_[r], from_);
    }
    while (blocks.size() > 1) {
      std::shuffle(blocks.begin(), blocks.end(), random_);
      merge(std::span(blocks[0]), std::span<const std::uint64_t>(blocks.back()));
      blocks.pop_back();
    }
    std::copy(blocks[0].begin(), blocks[0].end(), words.begin());
    from_ = words[block::kReach];
    ++rounds;
    return Status();
  }
  Status broadcast(Bytes, int) { return Status(); }
  Status allreduce_max(std::span<std::uint64_t>) { return Status(); }
  Status allreduce_sum(std::span<std::uint64_t>) { return Status(); }
  Status allgather(ConstBytes, Bytes) { return Status(); }
  Status exscan_sum(std::span<std::uint64_t>) { return Status(); }
  Status alltoall(std::span<const std::uint64_t>, std::span<std::uint64_t>) { return Status(); }
  Status alltoallv(std::span<const std::uint64_t>, std::span<const std::uint64_t>,
                   std::span<std::uint64_t>, std::span<const std::uint64_t>) {
    return Status();
  }
  int rounds = 0;

 private:
  std::vector<std::vector<OrdinalInterval>> ranks_;
  std::mt19937_64 random_;
  ChunkOrdinal from_ = 0;
};

std::vector<OrdinalInterval> intervals_of(const std::set<ChunkOrdinal>& chunks) {
  std::vector<OrdinalInterval> all;
  for (ChunkOrdinal chunk : chunks) append_interval(all, {chunk, 1});
  return all;
}

TEST(GatherUnion, IsTheUnionInAnyOrder) {
  int many_rounds = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const std::size_t ranks = 1 + random() % 7;
    const std::uint64_t range = seed % 3 == 0 ? 60 : seed % 3 == 1 ? 3000 : 20000;
    std::set<ChunkOrdinal> all;
    std::vector<std::vector<OrdinalInterval>> mine;
    for (std::size_t r = 0; r < ranks; ++r) {
      std::set<ChunkOrdinal> chunks;
      const std::uint64_t n = random() % (range / 2 + 1);
      for (std::uint64_t i = 0; i < n; ++i) chunks.insert(random() % range);
      all.insert(chunks.begin(), chunks.end());
      mine.push_back(intervals_of(chunks));
    }
    ShuffledRanks comm(mine, seed);
    auto found = gather_union(comm, mine[0]);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, intervals_of(all)) << "seed " << seed;
    many_rounds += comm.rounds > 2 ? 1 : 0;
  }
  EXPECT_GT(many_rounds, 5);
}

TEST(GatherUnion, OneRoundForFewIntervals) {
  std::vector<std::vector<OrdinalInterval>> mine(1000, {{5, 10}, {100, 1000000}});
  ShuffledRanks comm(mine, 1);
  EXPECT_EQ(*gather_union(comm, mine[0]), mine[0]);
  EXPECT_EQ(comm.rounds, 1);
  std::vector<std::vector<OrdinalInterval>> nothing(4);
  ShuffledRanks idle(nothing, 1);
  EXPECT_TRUE(gather_union(idle, nothing[0])->empty());
}

}  // namespace
}  // namespace pcio
