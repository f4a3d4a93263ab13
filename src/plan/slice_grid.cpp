// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: slice_grid.

#include "plan/slice_grid.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Parts of a chunk that are tried.
constexpr std::uint64_t kMostParts = 4096;

/// Of chunks: as many whole ones, or the largest equal part of one, as `wanted` bytes hold, and nearly that
/// where none is equal; 0: nothing fits that is a multiple of the unit.
std::uint64_t chunk_slice(const SliceGrid& grid, std::uint64_t wanted) {
  if (grid.period == 0) return 0;
  if (wanted >= grid.period) {
    const std::uint64_t units = grid.unit / std::gcd(grid.unit, grid.period);
    if (units > wanted / grid.period) return 0;
    return wanted / (grid.period * units) * (grid.period * units);
  }
  const std::uint64_t fewest = ceil_div(grid.period, wanted);
  for (std::uint64_t parts = fewest; parts < fewest + kMostParts; ++parts) {
    const std::uint64_t slice = grid.period / parts;
    if (slice < std::min(wanted, kLeastSlice / 2)) return 0;
    if (grid.period % parts == 0 && slice % grid.unit == 0) return slice;
  }
  return 0;
}

}  // namespace

CutStretch cut_stretch(const SliceGrid& grid, FileAddress first, FileAddress safe_end) {
  constexpr auto kMost = std::numeric_limits<FileAddress>::max();
  const std::uint64_t room =
      grid.largest > kMost / grid.slices ? kMost : grid.largest * grid.slices;
  const std::uint64_t reach = room > kMost - first ? kMost : first + room;
  const std::uint64_t extent = std::max<std::uint64_t>(1, std::min(safe_end, reach) - first);
  const std::uint64_t block = grid.unit > 1 ? grid.unit : grid.block;
  const auto wanted = [&](std::uint64_t slices) {
    return std::clamp(ceil_div(extent, slices), std::min(kLeastSlice, grid.largest), grid.largest);
  };
  CutStretch cut;
  cut.slice = chunk_slice(grid, wanted(grid.slices));
  if (cut.slice > 0) {
    // The unit in which a chunk begins.
    const std::uint64_t base = (grid.origin - grid.origin % grid.unit) % cut.slice;
    cut.start = first < base ? 0 : first - (first - base) % cut.slice;
  } else {
    cut.slice = std::min(ceil_div(wanted(grid.plain_slices), block) * block, grid.largest);
    cut.start = first - first % block;
  }
  const std::uint64_t span = cut.slice * grid.slices;
  cut.end = std::min(safe_end, span > kMost - cut.start ? kMost : cut.start + span);
  return cut;
}

}  // namespace pcio
