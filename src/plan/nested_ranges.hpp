// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: a list of byte ranges as nested regular steps, where it is one.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace pcio {

/// `count` repetitions, each `stride` bytes behind the one before.
struct RangeStep {
  std::uint64_t count = 1;
  std::uint64_t stride = 0;
  friend bool operator==(const RangeStep&, const RangeStep&) = default;
};

/// Ranges of `length` bytes: the innermost step comes first and repeats a range, the next one repeats
/// all of that, and so on. The first range begins at `offset`.
struct NestedRanges {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::vector<RangeStep> steps;
};

/// Finds the steps that describe all of `ranges`, which ascend, in at most `depth` levels; nothing
/// where there are none. Collective: pure. Cost: O(ranges).
[[nodiscard]] std::optional<NestedRanges> nest_ranges(std::span<const ByteRange> ranges,
                                                      std::size_t depth);

/// Adds a range, joined to the last one where it follows on.
void append_range(std::vector<ByteRange>& ranges, const ByteRange& range);

}  // namespace pcio
