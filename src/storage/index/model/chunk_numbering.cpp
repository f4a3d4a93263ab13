// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ChunkNumbering out of line.

#include "storage/index/model/chunk_numbering.hpp"

#include "base/checked.hpp"

namespace pcio {

Result<ChunkNumbering> ChunkNumbering::row_major(const Dims& most) { return with_first(most, 0); }

Result<ChunkNumbering> ChunkNumbering::with_first(const Dims& most, unsigned first) {
  ChunkNumbering n;
  n.most_ = most;
  n.step_ = Dims(most.size());
  n.order_.push_back(first);
  for (unsigned d = 0; d < most.size(); ++d)
    if (d != first) n.order_.push_back(d);
  std::uint64_t step = 1;
  for (unsigned place = most.size(); place-- > 0;) {
    const unsigned d = n.dimension(place);
    n.step_[d] = step;
    // An empty dimension has no chunks to number.
    const auto next = checked_mul(step, most[d]);
    if (!next) return PCIO_ERROR(DATASPACE, OVERFLOW, "a chunk index has more than 2^64 places");
    if (place > 0 && *next == 0) {
      n.step_ = Dims(most.size());
      step = 0;
      break;
    }
    step = *next;
  }
  n.count_ = step;
  return n;
}

Dims ChunkNumbering::coords(std::uint64_t number) const {
  Dims at(ndims());
  for (unsigned place = 0; place < ndims(); ++place) {
    const unsigned d = dimension(place);
    if (step_[d] == 0) return at;
    at[d] = number / step_[d];
    number %= step_[d];
  }
  return at;
}

bool ChunkNumbering::counts_as(const ChunkGrid& grid) const {
  std::uint64_t step = 1;
  for (unsigned d = ndims(); d-- > 0;) {
    if (step_[d] != step && grid.grid()[d] > 1) return false;
    step *= grid.grid()[d];
  }
  return true;
}

}  // namespace pcio
