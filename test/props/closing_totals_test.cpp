// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: what ranks bring to the log's lines: rows of datasets, and which chunks are shared, against a model.

#include "props/closing_totals.hpp"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "props/report_json.hpp"

namespace pcio {
namespace {

TransferReport written(std::uint64_t bytes, Direction direction) {
  TransferReport report;
  report.used = report.succeeded = report.verified = true;
  report.direction = direction;
  report.counts.bytes_written = bytes;
  return report;
}

using Model = std::map<std::pair<std::uint64_t, Direction>, std::uint64_t>;  // bytes

/// Of ranks by dataset and direction, in the order of rows: those that moved some of what found no row.
std::array<std::uint64_t, 2> ranks_of_others(
    const std::map<Model::key_type, std::set<int>>& movers) {
  std::array<std::set<int>, 2> ranks;
  std::size_t row = 0;
  for (const auto& [key, some] : movers)
    if (row++ >= ClosingTotals::kRows)
      ranks[key.second == Direction::kWrite ? 1 : 0].insert(some.begin(), some.end());
  return {ranks[0].size(), ranks[1].size()};
}

/// What a line says of how many ranks made the row's transfers.
std::uint64_t told_ranks(const IndependentRow& row, int ranks) {
  return nlohmann::json::parse(
      independent_line({"f", "/d", {}, "t", ranks, {}}, row))["transferring"];
}

/// Ranks that each move some of `datasets` datasets, merged in a random order.
void merge_many(std::size_t datasets, unsigned seed) {
  std::mt19937 random(seed);
  constexpr int kRanks = 5;
  std::vector<std::unique_ptr<ClosingTotals>> ranks;
  Model model;
  std::map<Model::key_type, std::set<int>> movers;
  for (int rank = 0; rank < kRanks; ++rank) {
    ranks.push_back(std::make_unique<ClosingTotals>());
    for (std::size_t i = 0; i < 3 * datasets; ++i) {
      const std::uint64_t address = 96 + 8 * (random() % datasets);
      const Direction direction = random() % 2 == 0 ? Direction::kRead : Direction::kWrite;
      const std::uint64_t bytes = random() % 1000;
      ranks.back()->add(address, "/d" + std::to_string(address), written(bytes, direction), rank);
      model[{address, direction}] += bytes;
      movers[{address, direction}].insert(rank);
    }
    for (const IndependentRow& other : ranks.back()->others) EXPECT_LE(other.ranks, 1U);
  }
  while (ranks.size() > 1) {
    std::shuffle(ranks.begin(), ranks.end(), random);
    MergeClosingTotals()(ranks.front()->words(), ranks.back()->words());
    ranks.pop_back();
  }
  std::size_t found = 0;
  std::uint64_t all = 0;
  auto wanted = model.begin();
  for (const IndependentRow& row : ranks.front()->rows) {
    if (row.key == 0) break;
    ASSERT_NE(wanted, model.end());
    const auto& [key, bytes] = *wanted++;
    EXPECT_EQ(row.path(), "/d" + std::to_string(key.first));
    EXPECT_EQ(row.direction(), key.second);
    EXPECT_EQ(row.totals[Metric::kBytesWritten].sum, bytes);
    EXPECT_EQ(row.ranks, movers[key].size());
    all += bytes;
    ++found;
  }
  EXPECT_EQ(found, std::min<std::size_t>(model.size(), ClosingTotals::kRows));
  for (const IndependentRow& row : ranks.front()->others)
    all += row.totals[Metric::kBytesWritten].sum;
  const std::array<std::uint64_t, 2> least = ranks_of_others(movers);
  for (std::size_t i = 0; i < 2; ++i) {
    const IndependentRow& others = ranks.front()->others[i];
    EXPECT_GE(others.ranks, least[i]);
    EXPECT_EQ(others.ranks == 0, least[i] == 0);
    const std::uint64_t told = told_ranks(others, kRanks);
    EXPECT_TRUE(told >= least[i] && told <= kRanks) << told << " of " << kRanks;
  }
  std::uint64_t expected = 0;
  for (const auto& [key, bytes] : model) expected += bytes;
  EXPECT_EQ(all, expected);
}

TEST(ClosingTotals, MergeAsAModelDoes) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    merge_many(3, seed);
    merge_many(12, seed);   // just as many rows as there are
    merge_many(100, seed);  // others
  }
}

/// The other datasets of a rank, and of two that have the same ones, are each rank's once.
TEST(ClosingTotals, CountRanksOfOthersOnce) {
  std::array<std::unique_ptr<ClosingTotals>, 2> ranks;
  for (int rank = 0; rank < 2; ++rank) {
    auto& mine = ranks[static_cast<std::size_t>(rank)] = std::make_unique<ClosingTotals>();
    for (std::uint64_t i = 40; i > 0; --i)
      mine->add(8 * i, "/d", written(1, Direction::kRead), rank);
    EXPECT_EQ(mine->others[0].ranks, 1U);
    EXPECT_EQ(mine->others[0].totals[Metric::kTransfers].sum, 16U);
  }
  MergeClosingTotals()(ranks[0]->words(), ranks[1]->words());
  EXPECT_EQ(ranks[0]->others[0].ranks, 2U);
  EXPECT_EQ(told_ranks(ranks[0]->others[0], 2), 2U);
}

TEST(ClosingTotals, CutALongPathInFront) {
  auto totals = std::make_unique<ClosingTotals>();
  const std::string path = "/" + std::string(200, 'a') + "/end";
  totals->add(96, path, written(1, Direction::kWrite), 0);
  const std::string_view kept = totals->rows[0].path();
  EXPECT_EQ(kept.size(), IndependentRow::kNameBytes);
  EXPECT_EQ(kept.substr(0, 3), "...");
  EXPECT_EQ(kept.substr(kept.size() - 4), "/end");
}

TEST(MetadataKinds, AreFoundByNames) {
  EXPECT_EQ(metadata_kind("H5Dcreate2"), MetadataKind::kCreate);
  EXPECT_EQ(metadata_kind("H5Dset_extent"), MetadataKind::kExtend);
  EXPECT_EQ(metadata_kind("H5Fflush"), MetadataKind::kFlush);
  EXPECT_EQ(metadata_kind("MPI_Finalize"), MetadataKind::kClose);
  EXPECT_EQ(metadata_kind("H5Awrite"), MetadataKind::kElse);
}

void compare_sketch(std::uint64_t chunks, unsigned seed) {
  std::mt19937_64 random(seed);
  std::map<std::uint64_t, unsigned> touched;
  ChunkSketch all(chunks);
  for (int rank = 0; rank < 4; ++rank) {
    ChunkSketch mine(chunks);
    const std::uint64_t begin = random() % chunks, count = random() % (chunks - begin) + 1;
    for (std::uint64_t chunk = begin; chunk < begin + count; ++chunk) {
      mine.touch(chunk);
      ++touched[chunk];
    }
    all.merge(mine);
  }
  std::uint64_t shared = 0;
  for (const auto& [chunk, ranks] : touched) shared += ranks > 1 ? 1 : 0;
  const auto near = [&](std::uint64_t have, std::uint64_t want) {
    const std::uint64_t allowed = all.stride() == 1 ? 0 : 8 * all.stride();
    return have <= want + allowed && want <= have + allowed;
  };
  EXPECT_PRED2(near, all.distinct(), touched.size()) << chunks << " chunks, seed " << seed;
  EXPECT_PRED2(near, all.shared(), shared) << chunks << " chunks, seed " << seed;
}

TEST(ChunkSketch, CountsAsAModelDoes) {
  for (unsigned seed = 0; seed < 10; ++seed)
    for (const std::uint64_t chunks : {1U, 7U, 64U, 4096U, 4097U, 100000U})
      compare_sketch(chunks, seed);
}

TEST(ChunkSketch, WhereARankKnowsNothingNobodyDoes) {
  ChunkSketch all(10), other;
  all.touch(3);
  EXPECT_TRUE(all.is_known());
  all.merge(other);
  EXPECT_FALSE(all.is_known());
  all.merge(ChunkSketch(10));
  EXPECT_FALSE(all.is_known());
}

}  // namespace
}  // namespace pcio
