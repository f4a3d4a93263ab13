// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The grid of chunks.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "plan/chunk_grid.hpp"
#include "space/space_model.hpp"

namespace pcio::test {
namespace {

RC_GTEST_PROP(ChunkGridModel, BoxesTileTheExtent, ()) {
  const Dims dims = random_dims(static_cast<unsigned>(pick(1, 4)), 0, 500);
  const ChunkGrid grid = *ChunkGrid::make(dims, random_chunk(dims));
  std::uint64_t elements = 0;
  for (ChunkOrdinal n = 0; n < grid.count(); ++n) {
    const Dims at = grid.coords(n);
    RC_ASSERT(grid.ordinal(at) == n);
    const Box box = grid.box(at);
    RC_ASSERT(!box.empty() && Box::whole(dims).contains(box));
    RC_ASSERT(grid.full_box(at).contains(box));
    elements += *box.volume();
  }
  RC_ASSERT(elements == *dims.volume());
}

TEST(ChunkGrid, RefusesWhatDoesNotFit) {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  EXPECT_FALSE(ChunkGrid::make({10}, {0}));
  EXPECT_FALSE(ChunkGrid::make({10}, {1, 1}));
  EXPECT_FALSE(ChunkGrid::make({}, {}));
  EXPECT_FALSE(ChunkGrid::make({huge, huge}, {1, 1}));
  EXPECT_FALSE(ChunkGrid::make({10, 10}, {huge, huge}));
  EXPECT_EQ(ChunkGrid::make({0, 10}, {4, 4})->count(), 0U);
  EXPECT_EQ(ChunkGrid::make({9, 10}, {4, 4})->grid(), (Dims{3, 3}));
}

}  // namespace
}  // namespace pcio::test
