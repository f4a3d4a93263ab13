// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: places of filtered chunks.

#include "storage/chunks/filtered_chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "support/file_session.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// A file with a dataset of `chunks` chunks of 100 elements that has filters.
class FilteredChunks : public ::testing::Test {
 protected:
  void make(std::uint64_t chunks, LibraryVersion format = LibraryVersion::kEarliest) {
    OpenWith with;
    with.access.low_bound = format;
    file_ = must(open_session(disk_, OpenMode::kTruncate, with));
    dataset_ = must(add_dataset(file_, "d", {.dims = {chunks * 100}, .chunk = {100}}));
    state_ = must(store().datasets().state(dataset_.object));
    state_->filters.push_back({.id = 1, .flags = 0, .values = {6}, .name = ""});
    must(store().datasets().load_chunk_index(dataset_.object));
  }
  void TearDown() override {
    if (file_) must(close_session(file_));
  }
  FileStore& store() { return file_->store(); }
  std::vector<FileAddress> place(const std::vector<SizedChunk>& chunks) {
    return must(place_filtered_chunks(store(), dataset_.object, chunks));
  }
  std::uint64_t end() { return store().space().end_of_allocation(); }

  Disk disk_ = make_disk();
  FilePtr file_;
  Location dataset_;
  DatasetState* state_ = nullptr;
};

TEST_F(FilteredChunks, LieOneBehindTheOtherInNewSpace) {
  make(3);
  auto at = place({{0, 50, 0}, {1, 70, 1}, {2, 30, 0}});
  EXPECT_EQ(at[1], at[0] + 50);
  EXPECT_EQ(at[2], at[1] + 70);
  const auto one = state_->index->filtered(1);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->address, at[1]);
  EXPECT_EQ(one->size, 70U);
  EXPECT_EQ(one->filter_mask, 1U);
  EXPECT_TRUE(state_->index_changed());
}

TEST_F(FilteredChunks, StayWhereTheyAreUntilACommitNamesThem) {
  make(2);
  // Larger than any hole that metadata leave.
  constexpr std::uint64_t kSize = 50000;
  auto first = place({{0, kSize, 0}, {1, kSize + 9, 0}});
  EXPECT_EQ(place({{0, kSize - 9, 0}})[0], first[0]);
  EXPECT_EQ(place({{0, kSize, 0}})[0], first[0]);
  must(flush_session(file_));
  auto second = place({{0, kSize, 0}, {1, kSize + 9, 0}});
  EXPECT_GE(second[0], first[1] + kSize + 9);
  must(flush_session(file_));
  EXPECT_EQ(place({{0, kSize, 0}})[0], first[0]);
}

TEST_F(FilteredChunks, NeverTradePlacesThatAreFreeAtOnce) {
  make(3);
  const auto first = place({{0, 500, 0}, {1, 700, 0}});
  const std::uint64_t free = store().space().free_bytes(), before = end();
  const std::vector<SizedChunk> again{{0, 700, 0}, {1, 500, 0}};
  const auto refused = place_filtered_chunks(store(), dataset_.object, again);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().frames().front().major, Major::INTERNAL);
  EXPECT_EQ(store().space().free_bytes(), free);
  EXPECT_EQ(end(), before);
  EXPECT_EQ(state_->index->filtered(0)->address, first[0]);
  EXPECT_EQ(state_->index->filtered(1)->address, first[1]);
  // One at a time, or beside others that have none.
  EXPECT_EQ(place({{1, 600, 0}})[0], first[1]);
  EXPECT_FALSE(
      place_filtered_chunks(store(), dataset_.object, std::vector<SizedChunk>{{1, 5, 0}, {2, 5, 0}})
          .has_value());
}

TEST_F(FilteredChunks, ChangeNothingWhereNobodyGetsSpace) {
  make(2);
  const auto first = place({{0, 500, 0}});
  must(flush_session(file_));
  const std::uint64_t free = store().space().free_bytes();
  const SizedChunk again{0, 400, 0};
  store().space().forbid_allocation();
  EXPECT_FALSE(place_filtered_chunks(store(), dataset_.object, std::span(&again, 1)).has_value());
  store().space().allow_allocation();
  EXPECT_EQ(store().space().free_bytes(), free);
  EXPECT_EQ(state_->index->filtered(0)->address, first[0]);
}

TEST_F(FilteredChunks, RefuseWhatCanNotBeAndChangeNothing) {
  make(3);
  place({{1, 70, 0}});
  const std::uint64_t before = end();
  using List = std::vector<SizedChunk>;
  for (const List& bad : {List{{1, 5, 0}, {1, 5, 0}}, List{{2, 5, 0}, {0, 5, 0}}, List{{3, 5, 0}},
                          List{{0, 5, 0}, {1, 0, 0}}, List{{0, std::uint64_t{1} << 62, 0}},
                          List{{0, ~std::uint64_t{0}, 0}, {1, 5, 0}}}) {
    EXPECT_FALSE(place_filtered_chunks(store(), dataset_.object, bad).has_value());
    EXPECT_EQ(end(), before);
    EXPECT_EQ(state_->index->filtered(1)->size, 70U);
    EXPECT_FALSE(state_->index->filtered(0).has_value());
  }
}

TEST_F(FilteredChunks, DroppedOnesGiveTheirSpaceBack) {
  make(2);
  auto at = place({{0, 50, 0}, {1, 70, 0}});
  must(drop_filtered_chunk(store(), dataset_.object, 0));
  must(drop_filtered_chunk(store(), dataset_.object, 0));
  EXPECT_FALSE(state_->index->filtered(0).has_value());
  EXPECT_EQ(place({{0, 50, 0}})[0], at[0]);
}

/// Sizes as a compressor gives them: around half a chunk, some far off.
std::vector<SizedChunk> random_sizes(std::uint64_t chunks, std::mt19937_64& random) {
  std::vector<SizedChunk> sizes;
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const std::uint64_t spread = random() % 10 == 0 ? 4000 : 1000;
    sizes.push_back({i, 4000 - spread / 2 + random() % spread, 0});
  }
  return sizes;
}

TEST_F(FilteredChunks, TenRewritesOneByOneTakeLittleMore) {
  constexpr std::uint64_t kChunks = 500;
  make(kChunks);
  std::mt19937_64 random(8);
  const std::uint64_t before = end();
  std::uint64_t first = 0;
  for (int i = 0; i < 11; ++i) {
    auto sizes = random_sizes(kChunks, random);
    if (i % 3 == 2) std::shuffle(sizes.begin(), sizes.end(), random);
    for (const SizedChunk& one : sizes) place({one});
    if (i == 0) first = end() - before;
  }
  EXPECT_LE(end() - before, first * 12 / 10);
  EXPECT_TRUE(LiveRanges(store()).collect().has_value());
}

TEST_F(FilteredChunks, OneCommitEachNeedsTwiceTheSpace) {
  constexpr std::uint64_t kChunks = 500;
  make(kChunks);
  std::mt19937_64 random(9);
  const std::uint64_t before = end();
  std::uint64_t first = 0;
  for (int i = 0; i < 11; ++i) {
    place(random_sizes(kChunks, random));
    must(flush_session(file_));
    if (i == 0) first = end() - before;
  }
  EXPECT_LE(end() - before, first * 22 / 10);
  EXPECT_TRUE(LiveRanges(store()).collect().has_value());
}

TEST_F(FilteredChunks, ASingleChunkIsNamedByTheLayout) {
  make(1, LibraryVersion::kV110);
  ASSERT_EQ(state_->layout.index, ChunkIndexKind::kSingleChunk);
  auto at = place({{0, 123, 2}});
  ASSERT_TRUE(state_->layout.single_filter.has_value());
  EXPECT_EQ(*state_->layout.single_filter, (SingleChunkFilter{123, 2}));
  must(flush_session(file_));
  EXPECT_EQ(state_->layout.address, at[0]);
  place({{0, 100, 0}});
  EXPECT_EQ(*state_->layout.single_filter, (SingleChunkFilter{100, 0}));
}

}  // namespace
}  // namespace pcio
