// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: a set of chunks as ascending intervals.

#include "plan/marked_chunks.hpp"

#include <algorithm>

namespace pcio {

MarkedChunks MarkedChunks::all() {
  MarkedChunks marks;
  marks.extent_ = Extent::kAll;
  return marks;
}

MarkedChunks MarkedChunks::of(std::vector<OrdinalInterval> intervals) {
  MarkedChunks marks;
  for (const OrdinalInterval& interval : intervals) marks.size_ += interval.count;
  marks.intervals_ = std::move(intervals);
  return marks;
}

bool MarkedChunks::contains(ChunkOrdinal ordinal) const {
  if (is_all()) return true;
  const auto behind = std::upper_bound(
      intervals_.begin(), intervals_.end(), ordinal,
      [](ChunkOrdinal wanted, const OrdinalInterval& i) { return wanted < i.first; });
  return behind != intervals_.begin() && ordinal < std::prev(behind)->end();
}

void append_interval(std::vector<OrdinalInterval>& intervals, OrdinalInterval more) {
  if (more.count == 0) return;
  if (!intervals.empty() && intervals.back().end() == more.first)
    intervals.back().count += more.count;
  else
    intervals.push_back(more);
}

}  // namespace pcio
