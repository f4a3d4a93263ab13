// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: FileSpace and ChunkIndex against plain models.

#include <gtest/gtest.h>
#include <map>
#include <rapidcheck.h>
#include <set>

#include "storage/chunk_index.hpp"
#include "storage/file_space.hpp"

namespace pcio {
namespace {

/// Random allocations, releases and commits; a model knows the owner and history of every byte.
void check_space(const SpaceSettings& settings) {
  FileSpace space(0, settings);
  std::map<FileAddress, std::uint64_t> live;  // allocated, by start
  std::vector<ByteRange> waiting;             // released, not yet committed
  std::set<FileAddress> committed;            // starts that the last commit covers
  std::set<FileAddress> ever_used;            // bytes that were handed out before
  int steps = *rc::gen::inRange(1, 120);
  for (int i = 0; i < steps; ++i) {
    int what = *rc::gen::inRange(0, 10);
    if (what < 6) {
      auto size = *rc::gen::inRange<std::uint64_t>(1, 300);
      auto use =
          *rc::gen::element(SpaceUse::kMetadata, SpaceUse::kRawData, SpaceUse::kRawDataFresh);
      FileAddress at = *space.allocate(size, use);
      RC_ASSERT(at + size <= space.end_of_allocation());
      if (size >= settings.alignment_threshold) RC_ASSERT(at % settings.alignment == 0);
      for (auto [start, length] : live) RC_ASSERT(at + size <= start || start + length <= at);
      for (const ByteRange& range : waiting)
        RC_ASSERT(at + size <= range.offset || range.end() <= at);
      bool used = false;
      for (FileAddress b = at; b < at + size; ++b) used = !ever_used.insert(b).second || used;
      if (use == SpaceUse::kRawDataFresh) RC_ASSERT(!used);
      if (space.is_fresh(at)) RC_ASSERT(!used);
      RC_ASSERT(space.is_uncommitted(at));
      live[at] = size;
    } else if (what < 9 && !live.empty()) {
      auto it = std::next(live.begin(), *rc::gen::inRange<std::ptrdiff_t>(
                                            0, static_cast<std::ptrdiff_t>(live.size())));
      if (committed.contains(it->first)) waiting.push_back({it->first, it->second});
      committed.erase(it->first);
      space.release({it->first, it->second});
      live.erase(it);
    } else {
      space.committed();
      waiting.clear();
      for (auto [start, length] : live) committed.insert(start);
    }
  }
  space.committed();
  space.trim_end();
  FileAddress last = 0;
  for (auto [start, length] : live) last = std::max(last, start + length);
  RC_ASSERT(space.end_of_allocation() == last);
}

TEST(FileSpace, NeverHandsOutBytesTwice) {
  EXPECT_TRUE(rc::check([] { check_space({}); }));
  EXPECT_TRUE(rc::check([] { check_space({64, 64, 512}); }));
  EXPECT_TRUE(rc::check([] { check_space({1, 1, 0}); }));
}

TEST(FileSpace, RefusesWhatDoesNotFit) {
  FileSpace space(0, {1, 1, 0, 1000});
  EXPECT_TRUE(space.allocate(1000, SpaceUse::kRawData));
  EXPECT_FALSE(space.allocate(1, SpaceUse::kRawData));
  EXPECT_FALSE(space.allocate(0, SpaceUse::kRawData));
}

TEST(ChunkIndex, KeepsOneRunForAWholeGrid) {
  FileSpace space;
  ChunkGrid grid = *ChunkGrid::make({1000, 1000}, {10, 10});
  ChunkIndex index(grid, 800);
  auto runs = *index.allocate(Box::whole(grid.grid()), space, SpaceUse::kRawData);
  EXPECT_EQ(runs.size(), 1U);
  EXPECT_EQ(index.runs().size(), 1U);
  EXPECT_EQ(index.allocated_count(), 10000U);
  EXPECT_TRUE(index.allocate(Box::whole(grid.grid()), space, SpaceUse::kRawData)->empty());
}

struct IndexModel {
  std::map<std::vector<std::uint64_t>, FileAddress> chunks;
};

std::vector<std::uint64_t> key_of(const Dims& coords) { return {coords.begin(), coords.end()}; }

void check_agrees(const ChunkIndex& index, const IndexModel& model) {
  RC_ASSERT(index.allocated_count() == model.chunks.size());
  for_each_position(index.grid().grid(), [&](const Dims& at) {
    auto it = model.chunks.find(key_of(at));
    FileAddress want = it == model.chunks.end() ? kUndefinedAddress : it->second;
    RC_ASSERT(index.address_of(index.grid().ordinal(at)) == want);
  });
}

Box random_box(const Dims& grid) {
  Box box{Dims(grid.size()), Dims(grid.size())};
  for (unsigned d = 0; d < grid.size(); ++d) {
    box.start[d] = *rc::gen::inRange<std::uint64_t>(0, grid[d] + 1);
    box.count[d] = *rc::gen::inRange<std::uint64_t>(0, grid[d] - box.start[d] + 1);
  }
  return box;
}

TEST(ChunkIndex, AllocatesLooksUpAndRenumbersLikeAMap) {
  EXPECT_TRUE(rc::check([] {
    auto ndims = *rc::gen::inRange(1U, 4U);
    Dims chunk(ndims, 1);
    Dims dims(ndims);
    for (auto& n : dims) n = *rc::gen::inRange<std::uint64_t>(1, 6);
    FileSpace space;
    ChunkIndex index(*ChunkGrid::make(dims, chunk), 16);
    IndexModel model;
    int steps = *rc::gen::inRange(1, 12);
    for (int i = 0; i < steps; ++i) {
      if (*rc::gen::inRange(0, 4) > 0) {
        Box box = random_box(dims);
        auto made = *index.allocate(box, space, SpaceUse::kRawData);
        for (const IndexRun& run : made)
          for (std::uint64_t k = 0; k < run.count; ++k) {
            Dims at = index.grid().coords(run.first + k);
            RC_ASSERT(box.contains(at));
            RC_ASSERT(model.chunks.emplace(key_of(at), run.address + k * 16).second);
          }
        std::uint64_t found = 0;
        for (const IndexRun& run : index.lookup(box)) found += run.count;
        RC_ASSERT(found == *box.volume());
      } else {
        for (auto& n : dims) n = *rc::gen::inRange<std::uint64_t>(1, 6);
        std::uint64_t before = model.chunks.size() * 16;
        std::erase_if(model.chunks, [&](const auto& entry) {
          for (unsigned d = 0; d < ndims; ++d)
            if (entry.first[d] >= dims[d]) return true;
          return false;
        });
        std::uint64_t dropped = 0;
        for (const ByteRange& range : index.resize(*ChunkGrid::make(dims, chunk)))
          dropped += range.size;
        RC_ASSERT(before - dropped == model.chunks.size() * 16);
      }
      check_agrees(index, model);
    }
  }));
}

}  // namespace
}  // namespace pcio
