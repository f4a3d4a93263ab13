// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: which chunks a cache keeps, and that none is lost.

#include "storage/chunks/chunk_cache.hpp"

#include <gtest/gtest.h>

#include <set>

#include "storage/chunks/chunk_images.hpp"
#include "storage/objects/message_codec.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

/// A cache whose write-backs are noted.
class Cache {
 public:
  explicit Cache(const ChunkCacheSettings& settings) : cache(settings) {}
  ChunkInMemory& add(ChunkOrdinal ordinal, std::size_t bytes = 10) {
    EXPECT_TRUE(cache.make_room(bytes, writer()).ok());
    return cache.add(ordinal, std::vector<std::byte>(bytes));
  }
  ChunkCache::WriteBack writer() {
    return [this](ChunkInMemory& chunk) -> Status {
      if (failing.count(chunk.ordinal) > 0) return PCIO_ERROR(IO, WRITEERROR, "full disk");
      written.push_back(chunk.ordinal);
      chunk.dirty = false;
      return Status();
    };
  }
  std::vector<ChunkOrdinal> kept() {
    std::vector<ChunkOrdinal> all;
    for (ChunkInMemory* chunk : cache.chunks()) all.push_back(chunk->ordinal);
    return all;
  }

  ChunkCache cache;
  std::vector<ChunkOrdinal> written;
  std::set<ChunkOrdinal> failing;
};
using Ordinals = std::vector<ChunkOrdinal>;

TEST(ChunkCache, LetsTheOldestGo) {
  Cache c({.slots = 10, .bytes = 30, .preemption = 0});
  for (ChunkOrdinal i : {1U, 2U, 3U}) c.add(i);
  EXPECT_NE(c.cache.find(1), nullptr);
  c.add(4);
  EXPECT_EQ(c.kept(), (Ordinals{1, 3, 4}));
  EXPECT_EQ(c.cache.bytes(), 30U);
}

TEST(ChunkCache, CountsSlots) {
  Cache c({.slots = 2, .bytes = 1000, .preemption = 0});
  for (ChunkOrdinal i : {1U, 2U, 3U}) c.add(i);
  EXPECT_EQ(c.kept(), (Ordinals{2, 3}));
}

TEST(ChunkCache, PrefersChunksThatWereUsedWhole) {
  Cache c({.slots = 10, .bytes = 40, .preemption = 1});
  for (ChunkOrdinal i : {1U, 2U, 3U, 4U}) c.add(i);
  c.cache.find(3)->touched = 10;
  c.add(5);
  EXPECT_EQ(c.kept(), (Ordinals{1, 2, 4, 5}));
}

TEST(ChunkCache, LooksAtTheOldestShareOnly) {
  Cache c({.slots = 10, .bytes = 40, .preemption = 0.5});
  for (ChunkOrdinal i : {1U, 2U, 3U, 4U}) c.add(i);
  // Number 4 was used whole but is among the two newest.
  c.cache.find(4)->touched = 10;
  c.add(5);
  EXPECT_EQ(c.kept(), (Ordinals{2, 3, 4, 5}));
}

TEST(ChunkCache, WritesDirtyChunksThatGo) {
  Cache c({.slots = 1, .bytes = 100, .preemption = 0});
  c.add(7).dirty = true;
  c.add(8);
  EXPECT_EQ(c.written, (Ordinals{7}));
}

TEST(ChunkCache, KeepsWhatCanNotBeWritten) {
  Cache c({.slots = 1, .bytes = 100, .preemption = 0});
  c.failing = {7};
  c.add(7).dirty = true;
  EXPECT_FALSE(c.cache.make_room(10, c.writer()).ok());
  EXPECT_EQ(c.kept(), (Ordinals{7}));
  EXPECT_TRUE(c.cache.has_dirty());
  c.failing.clear();
  EXPECT_TRUE(c.cache.flush(c.writer()).ok());
  EXPECT_FALSE(c.cache.has_dirty());
}

TEST(ChunkCache, LargeChunksDoNotStay) {
  Cache c({.slots = 10, .bytes = 30, .preemption = 0});
  c.add(1);
  ChunkInMemory& large = c.add(2, 31);
  large.dirty = true;
  EXPECT_TRUE(c.cache.release(large, c.writer()).ok());
  EXPECT_EQ(c.written, (Ordinals{2}));
  EXPECT_EQ(c.kept(), (Ordinals{1}));
  ChunkInMemory& lost = c.add(3, 31);
  lost.dirty = true;
  c.failing = {3};
  EXPECT_FALSE(c.cache.release(lost, c.writer()).ok());
  EXPECT_EQ(c.kept(), (Ordinals{1, 3}));
}

TEST(ChunkCache, FlushWritesAllItCanInOrder) {
  Cache c({.slots = 10, .bytes = 100, .preemption = 0});
  for (ChunkOrdinal i : {5U, 1U, 3U, 2U}) c.add(i).dirty = i != 2;
  c.failing = {3};
  EXPECT_FALSE(c.cache.flush(c.writer()).ok());
  EXPECT_EQ(c.written, (Ordinals{1, 5}));
  c.cache.drop_clean();
  EXPECT_EQ(c.kept(), (Ordinals{3}));
}

TEST(ChunkCache, FollowsTheExtent) {
  Cache c({.slots = 100, .bytes = 1000, .preemption = 0});
  const ChunkGrid from = *ChunkGrid::make(Dims{4, 6}, Dims{2, 2});  // 2 x 3 chunks
  const ChunkGrid to = *ChunkGrid::make(Dims{8, 4}, Dims{2, 2});    // 4 x 2
  for (ChunkOrdinal i : {0U, 1U, 2U, 3U, 4U, 5U}) c.add(i).image[0] = static_cast<std::byte>(i);
  c.cache.renumber(from, to);
  EXPECT_EQ(c.kept(), (Ordinals{0, 1, 2, 3}));
  EXPECT_EQ(c.cache.find(2)->image[0], std::byte{3});
  EXPECT_EQ(c.cache.bytes(), 40U);
}

/// A filtered dataset on a disk that can fill up.
class CachedDataset : public ::testing::Test {
 protected:
  void SetUp() override {
    file_ = must(open_session(disk_, OpenMode::kTruncate));
    dataset_ = must(add_dataset(file_, "d", {.dims = {100}, .chunk = {10}}));
    state_ = must(file_->store().datasets().state(dataset_.object));
    state_->filters.push_back({.id = 1, .flags = 0, .values = {6}, .name = ""});
    must(flush_session(file_));
  }
  Disk disk_ = make_disk();
  FilePtr file_;
  Location dataset_;
  DatasetState* state_ = nullptr;
};

TEST_F(CachedDataset, DirtyChunksReachTheFileAtFlushAndNotBefore) {
  must(write_all(dataset_, std::vector<std::int32_t>(100, 5)));
  EXPECT_EQ(state_->index->allocated_count(), 0U);
  EXPECT_EQ(state_->chunks->cache.count(), 10U);
  must(flush_session(file_));
  EXPECT_EQ(state_->index->allocated_count(), 10U);
  EXPECT_FALSE(state_->chunks->cache.has_dirty());
  must(close_session(file_));
}

TEST_F(CachedDataset, ChunksOfADeletedDatasetAreForgotten) {
  must(write_all(dataset_, std::vector<std::int32_t>(100, 5)));
  const std::uint64_t end = file_->store().space().end_of_allocation();
  must(remove_link(must(place(file_, "d"))));
  must(flush_session(file_));
  EXPECT_LE(file_->store().space().end_of_allocation(), end + 2048);
  must(close_session(file_));
}

/// Each write of the file fails once: an error is told, and then nothing is lost.
TEST(FailingDisk, LosesNoChunk) {
  unsigned failures = 0;
  for (const std::size_t slots : {0U, 2U, 521U}) {
    for (unsigned n = 1; n < 60; ++n) {
      Disk disk = make_disk();
      auto plan = std::make_shared<FaultPlan>();
      FilePtr file =
          must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate));
      Location dataset = must(add_dataset(file, "d", {.dims = {95}, .chunk = {10}}));
      DatasetState* state = must(file->store().datasets().state(dataset.object));
      state->filters.push_back({.id = 1, .flags = 0, .values = {6}, .name = ""});
      dataset.object->put(must(encode_filters(file->store().context(), state->filters)));
      set_chunk_cache(file->store(), dataset.object, {slots, 1 << 20, 0.5});
      must(write_all(dataset, std::vector<std::int32_t>(95, 1)));
      must(flush_session(file));

      *plan = FaultPlan();
      plan->fail_write = n;
      Status written = write_all(dataset, std::vector<std::int32_t>(95, 2));
      Status flushed = flush_session(file);
      *plan = FaultPlan();
      must(flush_session(file));
      must(close_session(file));
      file = must(open_session(disk, OpenMode::kReadOnly));
      const auto values = must(read_all(must(find(file, "d"))));
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_TRUE(values[i] == 2 || (!written.ok() && values[i] == 1)) << n << " at " << i;
        EXPECT_EQ(values[i], values[i / 10 * 10]);
      }
      must(close_session(file));
      if (written.ok() && flushed.ok()) break;
      ++failures;
    }
  }
  EXPECT_GT(failures, 30U);
}

}  // namespace
}  // namespace pcio
