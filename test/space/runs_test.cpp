// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Runs, chunk runs and parts of selections against a list of every element.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "space/box_selection.hpp"
#include "space/runs.hpp"
#include "space/space_model.hpp"

namespace pcio::test {
namespace {

using Runs = std::vector<Run>;

Runs runs_of(RunCursor& cursor) {
  Runs out;
  for (Run run; cursor.next(run);) out.push_back(run);
  return out;
}

RC_GTEST_PROP(RunCursorModel, RunsAreOrderedJoinedAndComplete, ()) {
  const Model model = random_model(0);
  RunCursor cursor(model.space);
  std::vector<std::uint64_t> seen;
  SequencedRun last;
  SequencedRun run;
  while (cursor.next(run)) {
    RC_ASSERT(run.length > 0 && run.sequence == seen.size());
    RC_ASSERT(last.length == 0 || run.offset != last.offset + last.length);
    for (std::uint64_t i = 0; i < run.length; ++i) seen.push_back(run.offset + i);
    last = run;
  }
  RC_ASSERT(!cursor.next(run));
  RC_ASSERT(seen == model.ordered);
  RC_ASSERT(!cursor.contiguous() ||
            (last.sequence == 0 && last.offset == cursor.contiguous_offset()));
}

RC_GTEST_PROP(RunCursorModel, SeeksAnywhere, ()) {
  const Model model = random_model();
  RC_PRE(!model.ordered.empty());
  RunCursor cursor(model.space);
  for (int n = 0; n < 5; ++n) {
    const std::uint64_t to = pick(0, model.ordered.size() - 1);
    cursor.seek(to);
    std::vector<std::uint64_t> seen;
    for (SequencedRun run; cursor.next(run);) {
      RC_ASSERT(run.sequence == to + seen.size());
      for (std::uint64_t i = 0; i < run.length; ++i) seen.push_back(run.offset + i);
    }
    RC_ASSERT(std::equal(seen.begin(), seen.end(),
                         model.ordered.begin() + static_cast<std::ptrdiff_t>(to),
                         model.ordered.end()));
  }
}

Box random_box(const Dims& dims) {
  Box box{Dims(dims.size()), Dims(dims.size())};
  for (unsigned d = 0; d < dims.size(); ++d) {
    box.start[d] = pick(0, dims[d]);
    box.count[d] = pick(0, dims[d] - box.start[d] + 2);
  }
  return box;
}

/// (offset in the box, sequence number) of the selected elements inside a box, in order.
std::vector<std::pair<std::uint64_t, std::uint64_t>> inside(const Model& model, const Box& box) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (std::size_t i = 0; i < model.ordered.size(); ++i) {
    Dims at = coords_of(model.space.dims(), model.ordered[i]);
    if (!box.contains(at)) continue;
    for (unsigned d = 0; d < at.size(); ++d) at[d] -= box.start[d];
    out.emplace_back(offset_of(box.count, at), i);
  }
  return out;
}

RC_GTEST_PROP(BoxSelectionModel, PartInABox, ()) {
  const Model model = random_model();
  const Box box = random_box(model.space.dims());
  const auto expected = inside(model, box);
  RC_ASSERT(selected_in(model.space, box) == expected.size());
  RunCursor in_box(model.space, box);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (SequencedRun run; in_box.next(run);)
    for (std::uint64_t i = 0; i < run.length; ++i)
      seen.emplace_back(run.offset + i, run.sequence + i);
  RC_ASSERT(seen == expected);

  const auto part = clip(model.space, box);
  RC_ASSERT(part.has_value() && part->dims() == box.count);
  RC_ASSERT(part->selected() == expected.size());
  RC_ASSERT(part->check_selection().ok());
  RunCursor runs(*part);
  std::size_t i = 0;
  for (const Run& run : runs_of(runs))
    for (std::uint64_t k = 0; k < run.length; ++k) RC_ASSERT(run.offset + k == expected[i++].first);
  RC_ASSERT(i == expected.size());
  const Selection placed = model.space.placed_selection();
  RC_ASSERT(placed.intersects(model.space.dims(), box) == !expected.empty());
}

RC_GTEST_PROP(BoxSelectionModel, TouchedChunksInOrder, ()) {
  const Model model = random_model(0);
  const Dims& dims = model.space.dims();
  const Dims chunk = random_chunk(dims);
  std::set<std::vector<std::uint64_t>> expected;
  for (std::uint64_t i : model.ordered) {
    const Dims at = coords_of(dims, i);
    std::vector<std::uint64_t> c;
    for (unsigned d = 0; d < dims.size(); ++d) c.push_back(at[d] / chunk[d]);
    expected.insert(c);
  }
  std::vector<std::vector<std::uint64_t>> seen;
  for_each_chunk(model.space, chunk, [&](const Dims& c) { seen.emplace_back(c.begin(), c.end()); });
  RC_ASSERT(seen == std::vector<std::vector<std::uint64_t>>(expected.begin(), expected.end()));
  RC_ASSERT(count_touched_chunks(model.space, chunk) == seen.size());
}

RC_GTEST_PROP(ChunkRunCursorModel, CutsAtChunkBoundaries, ()) {
  const Model model = random_model(0);
  const Dims& dims = model.space.dims();
  const Dims chunk = random_chunk(dims);
  ChunkRunCursor cursor(model.space, chunk);
  std::size_t i = 0;
  ChunkRun last;
  ChunkRun run;
  while (cursor.next(run)) {
    RC_ASSERT(last.length == 0 || !(last.chunk == run.chunk) ||
              run.offset != last.offset + last.length);
    for (std::uint64_t k = 0; k < run.length; ++k) {
      Dims at = coords_of(chunk, run.offset + k);
      for (unsigned d = 0; d < dims.size(); ++d) at[d] += run.chunk[d] * chunk[d];
      RC_ASSERT(i < model.ordered.size() && offset_of(dims, at) == model.ordered[i]);
      ++i;
    }
    last = run;
  }
  RC_ASSERT(i == model.ordered.size());
}

TEST(RunCursor, FullRowsMakeOneRun) {
  Dataspace space = *Dataspace::simple({100, 20, 30});
  ASSERT_TRUE(space.select_box({{10, 0, 0}, {50, 20, 30}}).ok());
  RunCursor cursor(space);
  EXPECT_TRUE(cursor.contiguous());
  EXPECT_EQ(runs_of(cursor), (Runs{{6000, 30000}}));
  ASSERT_TRUE(space.select_box({{10, 3, 0}, {2, 5, 30}}).ok());
  RunCursor two(space);
  EXPECT_FALSE(two.contiguous());
  EXPECT_EQ(runs_of(two), (Runs{{6090, 150}, {6690, 150}}));
}

/// A dimension's patterns: boxes at either end and whole, every second, every third, pairs at even distances.
struct Pattern {
  std::uint64_t start, stride, count, block;
};
std::vector<Pattern> patterns(std::uint64_t size) {
  std::vector<Pattern> all{
      {0, 1, 1, size}, {0, 1, 1, 1}, {size - 1, 1, 1, 1}, {1, 1, 1, 2}, {0, 2, size / 2, 1}};
  all.push_back({size % 2, 2, size / 2, 1});
  if (size % 3 == 0)
    all.insert(all.end(), {{0, 3, size / 3, 2}, {1, 3, size / 3, 1}, {1, 3, size / 3, 2}});
  return all;
}

/// Elements and their numbers that the cursor gives.
std::vector<std::pair<std::uint64_t, std::uint64_t>> elements_of(RunCursor& cursor) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (SequencedRun run; cursor.next(run);)
    for (std::uint64_t i = 0; i < run.length; ++i)
      seen.emplace_back(run.offset + i, run.sequence + i);
  return seen;
}

TEST(RunCursor, EvenlySpacedRunsOfThreeDimensions) {
  const Dims dims{3, 4, 6};
  const std::vector<Box> boxes{{{0, 0, 0}, {3, 4, 6}},
                               {{1, 0, 0}, {2, 4, 6}},
                               {{0, 1, 0}, {3, 2, 6}},
                               {{0, 0, 2}, {3, 4, 3}},
                               {{1, 1, 1}, {1, 3, 4}}};
  int cases = 0, one_pattern = 0;
  for (const Pattern& a : patterns(3))
    for (const Pattern& b : patterns(4))
      for (const Pattern& c : patterns(6)) {
        Model model;
        model.space = *Dataspace::simple(dims);
        model.bits.assign(72, 0);
        apply(model, SelectOp::kSet,
              {{a.start, b.start, c.start},
               {a.stride, b.stride, c.stride},
               {a.count, b.count, c.count},
               {a.block, b.block, c.block}});
        const Box all{{0, 0, 0}, dims};
        RunCursor whole(model.space);
        ASSERT_EQ(elements_of(whole), inside(model, all));
        for (std::uint64_t to = 0; to < model.ordered.size(); to += 3) {
          whole.seek(to);
          const auto expected = inside(model, all);
          ASSERT_EQ(elements_of(whole),
                    decltype(inside(model, all))(expected.begin() + static_cast<std::ptrdiff_t>(to),
                                                 expected.end()));
        }
        for (const Box& box : boxes) {
          RunCursor part(model.space, box);
          ASSERT_EQ(elements_of(part), inside(model, box));
        }
        ++cases;
        detail::RegularWalker walker;
        const SlabDim slab[] = {{a.start, a.stride, a.count, a.block},
                                {b.start, b.stride, b.count, b.block},
                                {c.start, c.stride, c.count, c.block}};
        walker.start(slab, dims, nullptr);
        one_pattern += walker.apart() ? 1 : 0;
      }
  EXPECT_GT(cases, 400);
  // Nearly all selections that are one pattern of runs are taken as one.
  EXPECT_GT(one_pattern, 100);
}

TEST(RunCursor, HugeExtentsAreStreamed) {
  const std::uint64_t n = std::uint64_t{1} << 31;
  Dataspace space = *Dataspace::simple({n, n});
  RunCursor all(space);
  EXPECT_EQ(runs_of(all), (Runs{{0, n * n}}));
  const RegularSlab columns{{0, n - 1}, {1, 1}, {n, 1}, {1, 1}};
  ASSERT_TRUE(space.selection().select_hyperslab(space.dims(), SelectOp::kSet, columns).ok());
  RunCursor cursor(space);
  cursor.seek(n - 2);
  EXPECT_EQ(runs_of(cursor), (Runs{{n * (n - 1) - 1, 1}, {n * n - 1, 1}}));
  EXPECT_EQ(count_touched_chunks(space, {n / 4, n / 4}), 4U);
  EXPECT_EQ(selected_in(space, {{0, n - 4}, {1000, 4}}), 1000U);
}

TEST(TouchedChunks, SkipsWhatLiesBetween) {
  const std::uint64_t n = std::uint64_t{1} << 40;
  Dataspace space = *Dataspace::simple({n});
  const RegularSlab ends{{5}, {n - 10}, {2}, {1}};
  ASSERT_TRUE(space.selection().select_hyperslab(space.dims(), SelectOp::kSet, ends).ok());
  std::vector<std::uint64_t> seen;
  for_each_chunk(space, {1}, [&](const Dims& c) { seen.push_back(c[0]); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{5, n - 5}));
}

}  // namespace
}  // namespace pcio::test
