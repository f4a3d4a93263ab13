// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Pieces of a transfer against a list of every pair of elements.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "plan/transfer_runs.hpp"
#include "space/space_model.hpp"

namespace pcio::test {
namespace {

/// A memory dataspace with as many selected elements: any shape, and anything selected in it.
Model memory_for(std::uint64_t elements) {
  Model memory;
  for (int i = 0; i < 3; ++i) {
    memory = random_model();
    if (memory.ordered.size() == elements) return memory;
  }
  const std::uint64_t stride = pick(1, 3);
  const std::uint64_t block = elements % 2 == 0 && elements > 0 ? pick(1, 2) : 1;
  memory.space = *Dataspace::simple({elements * (stride + 1) + 5});
  memory.bits.assign(memory.space.npoints(), 0);
  if (pick(0, 1) == 0 && elements > 0) {
    std::vector<std::uint64_t> coords(elements);
    for (auto& c : coords) c = pick(0, memory.bits.size() - 1);
    RC_ASSERT(memory.space.selection()
                  .select_points(memory.space.dims(), SelectOp::kSet, coords.data(), elements)
                  .ok());
    memory.ordered = coords;
  } else {
    apply(memory, SelectOp::kSet, {{pick(0, 4)}, {stride * block}, {elements / block}, {block}});
  }
  return memory;
}

RC_GTEST_PROP(PieceCursorModel, PairsEveryElementInOrder, ()) {
  const Model file = random_model(0);
  const Model memory = memory_for(file.ordered.size());
  RC_ASSERT(check_transfer(file.space, memory.space).ok());
  PieceCursor cursor(file.space, memory.space);
  std::size_t i = 0;
  Piece last;
  for (Piece piece; cursor.next(piece);) {
    RC_ASSERT(piece.count > 0);
    RC_ASSERT(last.count == 0 || piece.file_element != last.file_element + last.count ||
              piece.memory_element != last.memory_element + last.count);
    for (std::uint64_t k = 0; k < piece.count; ++k, ++i) {
      RC_ASSERT(i < file.ordered.size());
      RC_ASSERT(piece.file_element + k == file.ordered[i]);
      RC_ASSERT(piece.memory_element + k == memory.ordered[i]);
    }
    last = piece;
  }
  RC_ASSERT(i == file.ordered.size());
}

using Pairs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

RC_GTEST_PROP(ChunkPieceCursorModel, GroupsEveryPairByChunk, ()) {
  const Model file = random_model(0);
  const Model memory = memory_for(file.ordered.size());
  const Dims& dims = file.space.dims();
  const ChunkGrid grid = *ChunkGrid::make(dims, random_chunk(dims));
  std::map<ChunkOrdinal, Pairs> expected;
  for (std::size_t i = 0; i < file.ordered.size(); ++i) {
    Dims at = coords_of(dims, file.ordered[i]);
    Dims chunk = at;
    for (unsigned d = 0; d < dims.size(); ++d) {
      chunk[d] = at[d] / grid.chunk()[d];
      at[d] %= grid.chunk()[d];
    }
    expected[grid.ordinal(chunk)].emplace_back(offset_of(grid.chunk(), at), memory.ordered[i]);
  }
  auto next = expected.begin();
  group_by_chunk(grid, file.space, memory.space, [&](ChunkPieceCursor& cursor) {
    RC_ASSERT(next != expected.end() && cursor.ordinal() == next->first);
    RC_ASSERT(cursor.chunk_selected() == next->second.size());
    if (file.space.selection().kind() != SelectionKind::kPoints)
      RC_ASSERT(cursor.covers_chunk() ==
                (next->second.size() == *grid.box(cursor.coords()).volume()));
    Pairs seen;
    for (Piece piece; cursor.next(piece);)
      for (std::uint64_t k = 0; k < piece.count; ++k)
        seen.emplace_back(piece.file_element + k, piece.memory_element + k);
    RC_ASSERT(seen == next->second);
    ++next;
  });
  RC_ASSERT(next == expected.end());
}

TEST(ChunkPieceCursor, WholeChunkOfWholeRowsIsOnePiece) {
  Dataspace file = *Dataspace::simple({100, 40});
  ASSERT_TRUE(file.select_box({{20, 0}, {20, 40}}).ok());
  const Dataspace memory = *Dataspace::simple({800});
  ChunkPieceCursor cursor(*ChunkGrid::make(file.dims(), {10, 40}), file, memory);
  Piece piece;
  ASSERT_TRUE(cursor.next_chunk());
  EXPECT_EQ(cursor.ordinal(), 2U);
  EXPECT_TRUE(cursor.covers_chunk());
  ASSERT_TRUE(cursor.next(piece));
  EXPECT_EQ(piece, (Piece{0, 0, 400}));
  EXPECT_FALSE(cursor.next(piece));
  ASSERT_TRUE(cursor.next_chunk());
  ASSERT_TRUE(cursor.next(piece));
  EXPECT_EQ(piece, (Piece{0, 400, 400}));
  EXPECT_FALSE(cursor.next_chunk());
}

TEST(ChunkPieceCursor, ChunksMayBeSkipped) {
  const Dataspace file = *Dataspace::simple({6, 6});
  Dataspace memory = *Dataspace::simple({6, 8});
  ASSERT_TRUE(memory.select_box({{0, 1}, {6, 6}}).ok());
  ChunkPieceCursor cursor(*ChunkGrid::make(file.dims(), {4, 4}), file, memory);
  Piece piece;
  ASSERT_TRUE(cursor.next_chunk());
  ASSERT_TRUE(cursor.next(piece));
  ASSERT_TRUE(cursor.next_chunk());
  ASSERT_TRUE(cursor.next_chunk());
  ASSERT_TRUE(cursor.next_chunk());
  EXPECT_TRUE(cursor.covers_chunk()) << "the part inside the extent counts";
  ASSERT_TRUE(cursor.next(piece));
  EXPECT_EQ(piece, (Piece{0, 37, 2}));
  ASSERT_TRUE(cursor.next(piece));
  EXPECT_EQ(piece, (Piece{4, 45, 2}));
  EXPECT_FALSE(cursor.next(piece));
  EXPECT_FALSE(cursor.next_chunk());
}

TEST(CheckTransfer, ComparesNumbersAndExtents) {
  const Dataspace a = *Dataspace::simple({6, 6});
  Dataspace b = *Dataspace::simple({36});
  EXPECT_TRUE(check_transfer(a, b).ok());
  b.selection() = Selection::none();
  EXPECT_FALSE(check_transfer(a, b).ok());
  ASSERT_TRUE(b.select_box({{1}, {36}}).ok());
  EXPECT_FALSE(check_transfer(a, b).ok());
}

}  // namespace
}  // namespace pcio::test
