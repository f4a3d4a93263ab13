// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Selections against a list of every element.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "space/place_in_extent.hpp"
#include "space/project.hpp"
#include "space/runs.hpp"
#include "space/space_model.hpp"

namespace pcio::test {
namespace {

constexpr std::uint64_t kHuge = std::uint64_t{1} << 63;

std::vector<std::uint64_t> elements(const Dataspace& space) {
  std::vector<std::uint64_t> out;
  RunCursor runs(space);
  Run run;
  while (runs.next(run))
    for (std::uint64_t i = 0; i < run.length; ++i) out.push_back(run.offset + i);
  return out;
}

RC_GTEST_PROP(SelectionModel, EveryOperatorSelectsWhatItShould, ()) {
  const unsigned ndims = static_cast<unsigned>(pick(1, 4));
  Model model = random_selection(random_dims(ndims, 0, 1000), false);
  for (std::uint64_t n = pick(1, 5); n > 0; --n)
    apply(model, static_cast<SelectOp>(pick(0, 5)), random_slab(model.space.dims()));
  RC_ASSERT(model.space.selected() == model.ordered.size());
  RC_ASSERT(model.space.check_selection().ok());
  RC_ASSERT(elements(model.space) == model.ordered);
}

RC_GTEST_PROP(SelectionModel, CombinesTwoSelections, ()) {
  const Dims dims = random_dims(static_cast<unsigned>(pick(1, 4)), 1, 1000);
  Model a = random_selection(dims, false);
  const Model b = random_selection(dims, false);
  const auto op = static_cast<SelectOp>(pick(0, 5));
  RC_ASSERT(a.space.selection().combine(dims, op, b.space.selection()).ok());
  for (std::size_t i = 0; i < a.bits.size(); ++i)
    a.bits[i] = operate(op, a.bits[i] != 0, b.bits[i] != 0);
  a.from_bits();
  RC_ASSERT(elements(a.space) == a.ordered);
}

RC_GTEST_PROP(SelectionModel, GrowsBlockByBlock, ()) {
  // Patterns built in ascending order take short cuts; a copy must not see what is added later.
  const Dims dims{pick(20, 60), pick(1, 12)};
  Model model = random_selection(dims, false);
  model.space.selection() = Selection::none();
  model.bits.assign(model.bits.size(), 0);
  const std::uint64_t step = pick(1, 3);
  const bool same_columns = pick(0, 1) == 0;
  RegularSlab slab{{0, 0}, {1, 1}, {1, 1}, {pick(1, step), pick(1, dims[1])}};
  model.from_bits();
  Model before = model;
  while (slab.start[0] + slab.block[0] <= dims[0]) {
    apply(model, SelectOp::kOr, slab);
    RC_ASSERT(elements(before.space) == before.ordered);
    if (pick(0, 2) == 0) before = model;
    slab.start[0] += step;
    if (!same_columns) slab.block[1] = pick(1, dims[1]);
  }
  before.from_bits();
  RC_ASSERT(elements(model.space) == model.ordered);
  RC_ASSERT(elements(before.space) == before.ordered);
}

RC_GTEST_PROP(SelectionModel, BoundsAreTight, ()) {
  const Model model = random_model();
  const auto box = model.space.selected_bounds();
  RC_ASSERT(box.has_value() == !model.ordered.empty());
  if (!box) return;
  const Dims& dims = model.space.dims();
  Dims low(dims.size(), kUnlimited);
  Dims high(dims.size(), 0);
  for (std::uint64_t i : model.ordered)
    for (unsigned d = 0; d < dims.size(); ++d) {
      low[d] = std::min(low[d], coords_of(dims, i)[d]);
      high[d] = std::max(high[d], coords_of(dims, i)[d] + 1);
    }
  for (unsigned d = 0; d < dims.size(); ++d) high[d] -= low[d];
  RC_ASSERT(box->start == low);
  RC_ASSERT(box->count == high);
}

RC_GTEST_PROP(SelectionModel, BlockListCoversEveryElementOnce, ()) {
  const Dims dims = random_dims(static_cast<unsigned>(pick(1, 4)), 1, 1000);
  const Model model = random_selection(dims, false);
  const Selection& selection = model.space.selection();
  RC_PRE(selection.kind() == SelectionKind::kHyperslab);
  const unsigned n = dims.size();
  const std::uint64_t blocks = selection.nblocks();
  std::vector<std::uint64_t> list(blocks * 2 * n);
  selection.blocklist(0, blocks, list.data());
  std::vector<char> bits(model.bits.size());
  for (std::uint64_t b = 0; b < blocks; ++b) {
    Box box{Dims::from(&list[b * 2 * n], n), Dims(n)};
    for (unsigned d = 0; d < n; ++d) box.count[d] = list[b * 2 * n + n + d] - box.start[d] + 1;
    for_each_position(box.count, [&](Dims at) {
      for (unsigned d = 0; d < n; ++d) at[d] += box.start[d];
      RC_ASSERT(bits[offset_of(dims, at)]++ == 0);
    });
  }
  RC_ASSERT(bits == model.bits);
  const std::uint64_t first = pick(0, blocks - 1);
  const std::uint64_t count = pick(0, blocks - first);
  std::vector<std::uint64_t> part(count * 2 * n);
  selection.blocklist(first, count, part.data());
  RC_ASSERT(std::equal(part.begin(), part.end(),
                       list.begin() + static_cast<std::ptrdiff_t>(first * 2 * n)));
}

RC_GTEST_PROP(SelectionModel, AdjustMovesEverything, ()) {
  Model model = random_selection(random_dims(static_cast<unsigned>(pick(1, 4)), 1, 1000), true);
  const Dims& dims = model.space.dims();
  RC_PRE(model.space.selection().kind() != SelectionKind::kAll && !model.ordered.empty());
  const Box box = *model.space.selection().bounds(dims);
  std::array<std::int64_t, kMaxNdims> by{};
  Dims moved(dims.size());
  bool below = false;
  for (unsigned d = 0; d < dims.size(); ++d) {
    by[d] = static_cast<std::int64_t>(pick(0, box.start[d] + (pick(0, 5) == 0 ? 1 : 0)));
    below = below || static_cast<std::uint64_t>(by[d]) > box.start[d];
    moved[d] = static_cast<std::uint64_t>(by[d]);
  }
  const std::uint64_t shift = offset_of(dims, moved);
  const bool ok = model.space.selection().adjust(dims, by.data()).ok();
  RC_ASSERT(ok == !below);
  if (ok)
    for (std::uint64_t& i : model.ordered) i -= shift;
  RC_ASSERT(elements(model.space) == model.ordered);
}

RC_GTEST_PROP(SelectionModel, ProjectsAPart, ()) {
  const Dims dims = random_dims(static_cast<unsigned>(pick(1, 4)), 1, 600);
  const Model source = random_selection(dims, true);
  const Model part = random_selection(dims, true);
  Model to = random_selection(random_dims(static_cast<unsigned>(pick(1, 3)), 1, 600), true);
  const bool same_size = source.ordered.size() == to.ordered.size();
  if (!same_size && pick(0, 3) > 0) {
    // A destination that fits: every second element of a line.
    const std::uint64_t n = source.ordered.size();
    to = random_selection({2 * n + 2}, false);
    apply(to, SelectOp::kSet, {{pick(0, 2)}, {2}, {n}, {1}});
  }
  const auto result = project_intersection(source.space, to.space, part.space);
  RC_ASSERT(result.has_value() == (source.ordered.size() == to.ordered.size()));
  if (!result) return;
  std::vector<std::uint64_t> expected;
  for (std::size_t i = 0; i < source.ordered.size(); ++i)
    if (part.bits[source.ordered[i]]) expected.push_back(to.ordered[i]);
  RC_ASSERT(result->same_extent(to.space));
  RC_ASSERT(elements(*result) == expected);
}

RC_GTEST_PROP(SelectionModel, ShapeIsSameAfterAMove, ()) {
  Model a = random_selection(random_dims(static_cast<unsigned>(pick(1, 4)), 1, 600), true);
  RC_PRE(!a.ordered.empty());
  const Dims& dims = a.space.dims();
  // The same selection in a larger extent with a leading dimension, further from the origin.
  const unsigned n = dims.size();
  Dims bigger(n + 1, 3);
  for (unsigned d = 0; d < n; ++d) bigger[d + 1] = dims[d] + 2;
  Dataspace b = *Dataspace::simple(bigger);
  std::vector<std::uint64_t> coords;
  Selection& s = b.selection();
  s = Selection::none();
  for (std::uint64_t i : a.ordered) {
    Dims at(n + 1, 1);
    for (unsigned d = 0; d < n; ++d) at[d + 1] = coords_of(dims, i)[d] + 2;
    coords.insert(coords.end(), at.begin(), at.end());
    const Box one{at, Dims(n + 1, 1)};
    RC_ASSERT(s.select_hyperslab(bigger, SelectOp::kOr, RegularSlab::of_box(one)).ok());
  }
  const bool ordered = std::is_sorted(a.ordered.begin(), a.ordered.end()) &&
                       std::adjacent_find(a.ordered.begin(), a.ordered.end()) == a.ordered.end();
  if (ordered) RC_ASSERT(a.space.shape_same(b) && b.shape_same(a.space));
  RC_ASSERT(s.select_points(bigger, SelectOp::kSet, coords.data(), a.ordered.size()).ok());
  RC_ASSERT(a.space.shape_same(b) && b.shape_same(a.space));
  // One point elsewhere is another shape (unless there is only one).
  coords[0] = 0;
  RC_ASSERT(s.select_points(bigger, SelectOp::kSet, coords.data(), a.ordered.size()).ok());
  RC_ASSERT(a.space.shape_same(b) == (a.ordered.size() == 1));
}

TEST(Selection, RegularStaysRegularAndIsFoundAgain) {
  Selection s;
  const Dims dims{20, 20};
  const RegularSlab left{{0, 0}, {1, 1}, {1, 1}, {4, 2}};
  const RegularSlab right{{0, 2}, {1, 1}, {1, 1}, {4, 3}};
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kSet, left).ok());
  EXPECT_TRUE(s.is_regular());
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kOr, right).ok());
  ASSERT_TRUE(s.is_regular());
  EXPECT_EQ(s.regular().block, (Dims{4, 5}));
  const RegularSlab corner{{0, 0}, {1, 1}, {1, 1}, {1, 1}};
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kNotB, corner).ok());
  EXPECT_FALSE(s.is_regular());
  EXPECT_EQ(s.nblocks(), 2U);
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kOr, corner).ok());
  EXPECT_TRUE(s.is_regular());
}

TEST(Selection, EmptyResultIsNone) {
  Selection s;
  const Dims dims{5};
  const RegularSlab a{{0}, {1}, {1}, {2}};
  const RegularSlab b{{2}, {1}, {1}, {2}};
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kSet, a).ok());
  ASSERT_TRUE(s.select_hyperslab(dims, SelectOp::kAnd, b).ok());
  EXPECT_EQ(s.kind(), SelectionKind::kNone);
}

TEST(Selection, RefusesWhatCannotBe) {
  const Dims dims{100};
  Selection s;
  const auto refuses = [&](std::uint64_t start, std::uint64_t stride, std::uint64_t count,
                           std::uint64_t block) {
    return !s.select_hyperslab(dims, SelectOp::kSet, {{start}, {stride}, {count}, {block}}).ok() &&
           s.kind() == SelectionKind::kAll;
  };
  EXPECT_TRUE(refuses(0, 0, 1, 1));
  EXPECT_TRUE(refuses(0, 1, 2, 2)) << "overlap";
  EXPECT_TRUE(refuses(0, 1, kUnlimited, kUnlimited));
  EXPECT_TRUE(refuses(0, 1, 2, kUnlimited)) << "a block behind one without end";
  EXPECT_TRUE(refuses(0, kHuge, 3, 1)) << "stride * (count - 1) wraps";
  EXPECT_TRUE(refuses(kUnlimited, 1, 1, 1)) << "start + block wraps";
  EXPECT_TRUE(refuses(kHuge, kHuge, 2, 1));
  EXPECT_FALSE(refuses(0, 5, 20, 5));
  const Dims square{10, 10};
  Selection t;
  const RegularSlab many{{0, 0}, {1, 1}, {1, 1}, {kHuge, kHuge}};
  EXPECT_FALSE(t.select_hyperslab(square, SelectOp::kSet, many).ok());
  const RegularSlab half{{0, 0}, {1, 1}, {1, 1}, {kHuge, 1}};
  const RegularSlab other{{0, 1}, {1, 1}, {1, 1}, {kHuge, 1}};
  ASSERT_TRUE(t.select_hyperslab(square, SelectOp::kSet, half).ok());
  EXPECT_FALSE(t.select_hyperslab(square, SelectOp::kOr, other).ok()) << "2^64 elements";
}

TEST(Selection, PointsDoNotMixWithHyperslabs) {
  const Dims dims{4, 4};
  Selection s;
  const std::uint64_t points[] = {1, 1, 3, 3};
  ASSERT_TRUE(s.select_points(dims, SelectOp::kSet, points, 2).ok());
  const RegularSlab slab{{0, 0}, {1, 1}, {1, 1}, {2, 2}};
  EXPECT_FALSE(s.select_hyperslab(dims, SelectOp::kOr, slab).ok());
  EXPECT_EQ(s.npoints(dims), 2U);
  const std::uint64_t outside[] = {4, kUnlimited};
  EXPECT_FALSE(s.select_points(dims, SelectOp::kAppend, outside, 1).ok());
  EXPECT_FALSE(s.select_points(dims, SelectOp::kOr, points, 1).ok());
  EXPECT_TRUE(s.select_hyperslab(dims, SelectOp::kSet, slab).ok());
  EXPECT_EQ(s.npoints(dims), 4U);
}

TEST(Selection, CopiesOfPointsAreIndependent) {
  const Dims dims{9};
  Selection a;
  const std::uint64_t points[] = {1, 2};
  ASSERT_TRUE(a.select_points(dims, SelectOp::kSet, points, 2).ok());
  Selection b = a;
  ASSERT_TRUE(b.select_points(dims, SelectOp::kAppend, points, 1).ok());
  EXPECT_EQ(a.points(), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(b.points(), (std::vector<std::uint64_t>{1, 2, 1}));
}

TEST(Dataspace, ChecksSizes) {
  const Dims max{10, kUnlimited};
  const Dims less{4, 4};
  EXPECT_TRUE(Dataspace::simple({10, 5}, &max));
  EXPECT_FALSE(Dataspace::simple({11, 5}, &max));
  EXPECT_FALSE(Dataspace::simple({kUnlimited}));
  EXPECT_FALSE(Dataspace::simple({4}, &less));
  EXPECT_EQ(Dataspace::simple({kHuge, 2})->npoints(), kUnlimited) << "more than can be counted";
  EXPECT_FALSE(Dataspace::simple({kHuge, 2})->check_selection().ok());
  EXPECT_TRUE(Dataspace::simple({kHuge, 0, kHuge}));
  Dataspace space = *Dataspace::simple({10, 5}, &max);
  EXPECT_TRUE(space.set_dims({3, 500}).ok());
  EXPECT_FALSE(space.set_dims({11, 5}).ok());
  EXPECT_FALSE(space.set_dims({3}).ok());
  EXPECT_EQ(space.selected(), 1500U);
}

TEST(Dataspace, ScalarAndNull) {
  EXPECT_EQ(Dataspace::scalar().selected(), 1U);
  EXPECT_EQ(Dataspace::null().selected(), 0U);
  EXPECT_EQ(Dataspace().selected(), 0U);
  EXPECT_EQ(elements(Dataspace::scalar()), (std::vector<std::uint64_t>{0}));
  EXPECT_TRUE(elements(Dataspace::null()).empty());
  Dataspace one = *Dataspace::simple({1, 1});
  EXPECT_TRUE(one.shape_same(Dataspace::scalar()));
  EXPECT_FALSE(one.same_extent(Dataspace::scalar()));
}

TEST(Dataspace, SelectionOutsideOfTheExtentIsFound) {
  Dataspace space = *Dataspace::simple({10, 10});
  ASSERT_TRUE(space.select_box({{8, 8}, {2, 2}}).ok());
  EXPECT_TRUE(space.check_selection().ok());
  SelectionOffset offset{1};
  space.set_selection_offset(offset);
  EXPECT_FALSE(space.check_selection().ok());
  offset = {-8, -9};
  space.set_selection_offset(offset);
  EXPECT_FALSE(space.check_selection().ok());
  offset = {-8, -8};
  space.set_selection_offset(offset);
  EXPECT_TRUE(space.check_selection().ok());
  EXPECT_EQ(elements(space), (std::vector<std::uint64_t>{0, 1, 10, 11}));
  space.set_selection_offset({});
  ASSERT_TRUE(space.select_box({{8, 8}, {2, 3}}).ok());
  EXPECT_FALSE(space.check_selection().ok());
  ASSERT_TRUE(space.select_box({{0, kHuge}, {1, kHuge - 1}}).ok());
  EXPECT_FALSE(space.check_selection().ok());
  const std::uint64_t points[] = {9, 9, 0, 10};
  ASSERT_TRUE(space.selection().select_points(space.dims(), SelectOp::kSet, points, 1).ok());
  EXPECT_TRUE(space.check_selection().ok());
  ASSERT_TRUE(space.selection().select_points(space.dims(), SelectOp::kSet, points, 2).ok());
  EXPECT_FALSE(space.check_selection().ok());
  ASSERT_TRUE(space.select_box({{8, 8}, {0, 3}}).ok());
  EXPECT_EQ(space.selected(), 0U);
  EXPECT_TRUE(space.check_selection().ok());
}

TEST(Dataspace, SelectionIsPlacedInAnotherExtent) {
  const Dataspace now = *Dataspace::simple({6, 8});
  Dataspace before = *Dataspace::simple({4, 8});
  const auto placed = [&](const Dataspace& given) {
    return *place_in_extent(given, now, Elements::kInGrid, "given");
  };
  // All of the smaller extent is a box in the larger one.
  EXPECT_TRUE(placed(before).same_extent(now));
  EXPECT_EQ(placed(before).selected(), 32U);
  EXPECT_EQ(elements(placed(before)).back(), 31U);
  ASSERT_TRUE(before.select_box({{1, 2}, {2, 3}}).ok());
  before.set_selection_offset({1, 0});
  EXPECT_EQ(elements(placed(before)), (std::vector<std::uint64_t>{18, 19, 20, 26, 27, 28}));
  before.selection() = Selection::none();
  EXPECT_EQ(placed(before).selected(), 0U);
  // Everything in any number of dimensions; a part of something else is nowhere.
  Dataspace line = *Dataspace::simple({48});
  EXPECT_EQ(placed(line).selected(), 48U);
  ASSERT_TRUE(line.select_box({{0}, {48}}).ok());
  EXPECT_FALSE(place_in_extent(line, now, Elements::kInGrid, "given").has_value());
  EXPECT_FALSE(place_in_extent(Dataspace::scalar(), now, Elements::kInGrid, "given").has_value());
  // Nothing selected is nothing, of whatever class.
  EXPECT_EQ(placed(Dataspace::null()).selected(), 0U);
}

TEST(Box, IntersectsWithoutWrapping) {
  const Box a{{2, kUnlimited - 1}, {4, 1}};
  const Box b{{0, kHuge}, {3, kHuge}};
  EXPECT_EQ(a.intersect(b).count, (Dims{1, 1}));
  EXPECT_TRUE(Box({{0}, {5}}).intersect({{5}, {5}}).empty());
  EXPECT_TRUE(Box({{0}, {5}}).contains(Box{{4}, {1}}));
  EXPECT_FALSE(Box({{0}, {5}}).contains(Box{{4}, {kUnlimited}}));
}

}  // namespace
}  // namespace pcio::test
