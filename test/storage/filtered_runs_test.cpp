// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: FilteredRuns against a plain map.

#include "storage/index/model/filtered_runs.hpp"

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>

#include "support/pick.hpp"

namespace pcio {
namespace {

using Model = std::map<ChunkOrdinal, FilteredChunk>;

void check_agrees(const FilteredRuns& runs, const Model& model, ChunkOrdinal most) {
  std::uint64_t bytes = 0;
  for (const auto& [ordinal, chunk] : model) bytes += chunk.size;
  RC_ASSERT(runs.count() == model.size());
  RC_ASSERT(runs.stored_bytes() == bytes);
  for (ChunkOrdinal i = 0; i < most; ++i) {
    auto it = model.find(i);
    RC_ASSERT(runs.find(i) == (it == model.end() ? std::nullopt : std::optional(it->second)));
  }
  auto first = test::pick<ChunkOrdinal>(0, most);
  auto last = test::pick<ChunkOrdinal>(first, most + 1);
  auto it = model.lower_bound(first);
  runs.for_each_in(first, last, [&](ChunkOrdinal ordinal, const FilteredChunk& chunk) {
    RC_ASSERT(it != model.end() && it->first == ordinal && it->second == chunk);
    ++it;
  });
  RC_ASSERT(it == model.lower_bound(last));
}

TEST(FilteredRuns, IsAMap) {
  EXPECT_TRUE(rc::check([] {
    const ChunkOrdinal most = *rc::gen::element<ChunkOrdinal>(12, 700);
    FilteredRuns runs;
    Model model;
    FileAddress end = 96;
    const int steps = test::pick(1, 30);
    for (int step = 0; step < steps; ++step) {
      auto first = test::pick<ChunkOrdinal>(0, most);
      auto last = test::pick<ChunkOrdinal>(first, most) + 1;
      const bool erases = test::pick(0, 3) == 0;
      const bool masked = test::pick(0, 3) == 0;
      const bool apart = test::pick(0, 3) == 0;
      const bool puts = test::pick(0, 3) == 0;
      for (ChunkOrdinal i = first; i < last; ++i) {
        if (erases) {
          RC_ASSERT(runs.erase(i) == (model.erase(i) > 0));
          continue;
        }
        FilteredChunk chunk{end, 1 + (i * 37 + end) % 90,
                            masked && i % 3 == 0 ? std::uint32_t{5} : 0};
        end += chunk.size + (apart ? 1 : 0);
        if (puts) {
          model.insert_or_assign(i, chunk);
          RC_ASSERT(runs.put(i, chunk));
          continue;
        }
        RC_ASSERT(runs.add(i, chunk) == model.emplace(i, chunk).second);
      }
    }
    check_agrees(runs, model, most);
  }));
}

TEST(FilteredRuns, AreFewForChunksThatFollowEachOther) {
  FilteredRuns runs;
  FileAddress end = 0;
  for (ChunkOrdinal i = 0; i < 100000; ++i) {
    ASSERT_TRUE(runs.add(i, {end, 1 + i % 5, 0}));
    end += 1 + i % 5;
  }
  EXPECT_EQ(runs.runs().size(), 100000 / FilteredRuns::kRunLimit + 1);
  EXPECT_TRUE(runs.runs().begin()->second.masks.empty());
}

TEST(FilteredRuns, JoinWhenTheGapIsFilled) {
  FilteredRuns runs;
  ASSERT_TRUE(runs.add(0, {0, 5, 0}));
  ASSERT_TRUE(runs.add(2, {9, 6, 1}));
  EXPECT_EQ(runs.runs().size(), 2U);
  ASSERT_TRUE(runs.add(1, {5, 4, 0}));
  EXPECT_EQ(runs.runs().size(), 1U);
  EXPECT_EQ(runs.find(2), (FilteredChunk{9, 6, 1}));
  EXPECT_FALSE(runs.add(1, {50, 4, 0}));
  EXPECT_FALSE(runs.add(3, {15, std::uint64_t{1} << 32, 0}));
}

}  // namespace
}  // namespace pcio
