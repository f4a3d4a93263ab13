// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: where atomic transfers lock.

#include "transfer/call/atomic_access.hpp"

#include <gtest/gtest.h>
#include <random>

namespace pcio {
namespace {

Dataspace selecting(const Dims& dims, const Box& box) {
  Dataspace space = Dataspace::simple(dims).value();
  EXPECT_TRUE(space.select_box(box).ok());
  return space;
}

bool meet(const ByteRange& a, const ByteRange& b) {
  return a.offset < b.end() && b.offset < a.end();
}

TEST(AtomicRange, ContiguousDataAreLockedFromTheirFirstToTheirLastByte) {
  DatasetState state;
  state.layout.cls = LayoutClass::kContiguous;
  state.layout.address = 1000;
  const Dims dims{10, 20};
  EXPECT_EQ(atomic_range(state, 5, selecting(dims, {{0, 0}, {10, 20}}), 4), (ByteRange{1000, 800}));
  EXPECT_EQ(atomic_range(state, 5, selecting(dims, {{2, 3}, {2, 4}}), 8),
            (ByteRange{1000 + 43 * 8, (66 - 43 + 1) * 8}));
}

TEST(AtomicRange, ChunksAreLockedByRowsWhateverTheExtent) {
  DatasetState state;
  state.layout.cls = LayoutClass::kChunked;
  state.layout.chunk_dims = Dims{4, 4};
  const Box box{{5, 0}, {4, 2}};
  EXPECT_EQ(atomic_range(state, 100, selecting({12, 8}, box), 4), (ByteRange{101, 2}));
  EXPECT_EQ(atomic_range(state, 100, selecting({12, 800}, box), 4), (ByteRange{101, 2}));
}

TEST(AtomicRange, SelectionsThatMeetHaveABytesInCommon) {
  std::mt19937_64 random(7);
  DatasetState state;
  state.layout.address = 4096;
  state.layout.chunk_dims = Dims{3, 2, 4};
  const Dims dims{9, 8, 7};
  int met = 0;
  int apart = 0;
  for (int i = 0; i < 4000; ++i) {
    state.layout.cls = i % 2 == 0 ? LayoutClass::kContiguous : LayoutClass::kChunked;
    Box boxes[2];
    for (Box& box : boxes)
      for (unsigned d = 0; d < 3; ++d) {
        box.start.push_back(random() % dims[d]);
        box.count.push_back(1 + random() % (dims[d] - box.start[d]));
      }
    const bool locks_meet = meet(atomic_range(state, 77, selecting(dims, boxes[0]), 8),
                                 atomic_range(state, 77, selecting(dims, boxes[1]), 8));
    if (!boxes[0].intersect(boxes[1]).empty()) {
      EXPECT_TRUE(locks_meet);
    }
    ++(locks_meet ? met : apart);
  }
  EXPECT_GT(met, 100);
  EXPECT_GT(apart, 100);
}

}  // namespace
}  // namespace pcio
