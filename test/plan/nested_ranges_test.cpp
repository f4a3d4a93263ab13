// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: nested ranges expand to the list that they came from.

#include "plan/nested_ranges.hpp"

#include <gtest/gtest.h>
#include <random>

namespace pcio {
namespace {

std::vector<ByteRange> expand(const NestedRanges& nested) {
  std::vector<ByteRange> ranges{{nested.offset, nested.length}};
  for (const RangeStep& step : nested.steps) {
    const std::vector<ByteRange> inner = ranges;
    for (std::uint64_t i = 1; i < step.count; ++i)
      for (const ByteRange& range : inner)
        ranges.push_back({range.offset + i * step.stride, range.size});
  }
  return ranges;
}

bool equal(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].offset != b[i].offset || a[i].size != b[i].size) return false;
  return true;
}

TEST(NestRanges, FindsWhatIsRegular) {
  std::mt19937_64 random(5);
  int found = 0;
  for (int i = 0; i < 500; ++i) {
    NestedRanges made{random() % 100, 1 + random() % 8, {}};
    std::uint64_t span = made.length;
    for (std::uint64_t level = random() % 4; level > 0; --level) {
      const RangeStep step{2 + random() % 5, span + 1 + random() % 20};
      made.steps.push_back(step);
      span += (step.count - 1) * step.stride;
    }
    const auto ranges = expand(made);
    const auto nested = nest_ranges(ranges, 6);
    // Steps that happen to go on into the next level may hide it: then nothing is found.
    if (!nested) continue;
    ++found;
    ASSERT_TRUE(equal(expand(*nested), ranges));
    ASSERT_LE(nested->steps.size(), made.steps.size());
  }
  EXPECT_GT(found, 400);
}

TEST(NestRanges, FindsNothingInWhatIsNot) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 500; ++i) {
    std::vector<ByteRange> ranges;
    std::uint64_t at = 0;
    for (std::uint64_t n = 1 + random() % 12; n > 0; --n) {
      ranges.push_back({at, 1 + random() % 2});
      at += 3 + random() % 3;
    }
    const auto nested = nest_ranges(ranges, 3);
    if (!nested) continue;
    ASSERT_TRUE(equal(expand(*nested), ranges));
  }
  EXPECT_FALSE(nest_ranges({}, 3).has_value());
  const std::vector<ByteRange> uneven{{0, 4}, {10, 5}};
  EXPECT_FALSE(nest_ranges(uneven, 3).has_value());
  const std::vector<ByteRange> two_levels{{0, 1}, {2, 1}, {10, 1}, {12, 1}};
  EXPECT_FALSE(nest_ranges(two_levels, 1).has_value());
}

TEST(AppendRange, JoinsNeighbours) {
  std::vector<ByteRange> ranges;
  append_range(ranges, {0, 4});
  append_range(ranges, {4, 4});
  append_range(ranges, {9, 1});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].size, 8U);
}

}  // namespace
}  // namespace pcio
