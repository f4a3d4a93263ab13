// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: nest_ranges.

#include "plan/nested_ranges.hpp"

namespace pcio {

namespace {

/// Length of the first stretch of equal steps in `starts`, in elements.
std::size_t first_stretch(const std::vector<std::uint64_t>& starts) {
  std::size_t n = 2;
  while (n < starts.size() && starts[n] - starts[n - 1] == starts[1] - starts[0]) ++n;
  return n;
}

/// True where `starts` is made of stretches of `n` elements, `stride` apart.
bool is_made_of(const std::vector<std::uint64_t>& starts, std::size_t n, std::uint64_t stride) {
  if (starts.size() % n != 0) return false;
  for (std::size_t i = 0; i < starts.size(); ++i)
    if (i % n != 0 && starts[i] - starts[i - 1] != stride) return false;
  return true;
}

}  // namespace

std::optional<NestedRanges> nest_ranges(std::span<const ByteRange> ranges, std::size_t depth) {
  if (ranges.empty()) return std::nullopt;
  NestedRanges nested{ranges.front().offset, ranges.front().size, {}};
  std::vector<std::uint64_t> starts;
  starts.reserve(ranges.size());
  for (const ByteRange& range : ranges) {
    if (range.size != nested.length) return std::nullopt;
    starts.push_back(range.offset);
  }
  while (starts.size() > 1) {
    if (nested.steps.size() == depth) return std::nullopt;
    const std::uint64_t stride = starts[1] - starts[0];
    std::size_t n = first_stretch(starts);
    // The last stretch of a row may happen to go on into the next row: then no prefix repeats.
    if (!is_made_of(starts, n, stride)) return std::nullopt;
    nested.steps.push_back({n, stride});
    std::vector<std::uint64_t> outer;
    outer.reserve(starts.size() / n);
    for (std::size_t i = 0; i < starts.size(); i += n) outer.push_back(starts[i]);
    starts = std::move(outer);
  }
  return nested;
}

void append_range(std::vector<ByteRange>& ranges, const ByteRange& range) {
  if (!ranges.empty() && ranges.back().offset + ranges.back().size == range.offset)
    ranges.back().size += range.size;
  else
    ranges.push_back(range);
}

}  // namespace pcio
