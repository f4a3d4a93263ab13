// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: ChunkIndex against a plain model.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "storage/index/model/chunk_index.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {
namespace {

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
        // As if nothing had been allocated.
        if (*rc::gen::inRange(0, 4) == 0) {
          for (const IndexRun& run : made) {
            index.undo_allocation(run);
            space.release({run.address, run.count * 16});
          }
          check_agrees(index, model);
          continue;
        }
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

/// Boxes of many rows in an index of few chunks, and of few rows in one of many.
TEST(ChunkIndex, LooksUpFewChunksInLargeBoxes) {
  std::mt19937 random(11);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  int sparse = 0, hits = 0;
  for (int step = 0; step < 400; ++step) {
    const unsigned ndims = 1 + static_cast<unsigned>(below(3));
    Dims dims(ndims), chunk(ndims, 1);
    for (auto& n : dims) n = 1 + below(9);
    ChunkIndex index(*ChunkGrid::make(dims, chunk), 16);
    IndexModel model;
    const std::uint64_t chunks = 1 + below(12);
    for (std::uint64_t i = 0; i < chunks; ++i) {
      // Some lie in a row in the file, too.
      const ChunkOrdinal ordinal = below(index.grid().count());
      if (index.add(ordinal, 4096 + ordinal * 16 + below(2) * 100000).ok())
        model.chunks.emplace(key_of(index.grid().coords(ordinal)), index.address_of(ordinal));
    }
    Box box = Box::whole(dims);
    for (unsigned d = 0; d < ndims; ++d)
      if (below(3) == 0) {
        box.start[d] = below(dims[d]);
        box.count[d] = 1 + below(dims[d] - box.start[d]);
      }
    std::set<std::uint64_t> expected, found;
    for (const auto& [key, address] : model.chunks) {
      Dims at(ndims);
      std::copy(key.begin(), key.end(), at.begin());
      if (box.contains(at)) expected.insert(address);
    }
    ChunkOrdinal next = 0;
    for (const IndexRun& run : index.lookup(box)) {
      EXPECT_GE(run.first, next);
      next = run.first + run.count;
      for (std::uint64_t k = 0; k < run.count; ++k) found.insert(run.address + k * 16);
    }
    EXPECT_EQ(found, expected);
    sparse += *box.volume() > 4 * chunks;
    hits += !found.empty() && found.size() < model.chunks.size();
  }
  EXPECT_GT(sparse, 50);
  EXPECT_GT(hits, 50);
}

}  // namespace
}  // namespace pcio
