// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the grid of chunks that covers a dataset's current dimensions.

#include "plan/chunk_grid.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

Result<ChunkGrid> ChunkGrid::make(const Dims& dims, const Dims& chunk) {
  if (dims.empty() || dims.size() != chunk.size())
    return PCIO_ERROR(ARGS, BADVALUE, "chunk and dataset differ in dimensions");
  ChunkGrid g;
  g.dims_ = dims;
  g.chunk_ = chunk;
  g.grid_ = Dims(dims.size());
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (chunk[d] == 0) return PCIO_ERROR(ARGS, BADVALUE, "chunk dimension of size 0");
    g.grid_[d] = ceil_div(dims[d], chunk[d]);
  }
  const auto elements = chunk.volume();
  const auto count = g.grid_.volume();
  if (!elements || !count || !dims.volume())
    return PCIO_ERROR(DATASPACE, OVERFLOW,
                      "chunks " + chunk.to_string() + " of " + dims.to_string() + " are too many");
  g.chunk_elements_ = *elements;
  g.count_ = *count;
  return g;
}

ChunkOrdinal ChunkGrid::ordinal(const Dims& coords) const {
  ChunkOrdinal n = 0;
  for (unsigned d = 0; d < grid_.size(); ++d) n = n * grid_[d] + coords[d];
  return n;
}

Dims ChunkGrid::coords(ChunkOrdinal ordinal) const {
  Dims at(grid_.size());
  for (unsigned d = grid_.size(); d-- > 0;) {
    at[d] = ordinal % grid_[d];
    ordinal /= grid_[d];
  }
  return at;
}

Box ChunkGrid::full_box(const Dims& coords) const {
  Box box{coords, chunk_};
  for (unsigned d = 0; d < grid_.size(); ++d) box.start[d] *= chunk_[d];
  return box;
}

Box ChunkGrid::box(const Dims& coords) const {
  Box box = full_box(coords);
  for (unsigned d = 0; d < grid_.size(); ++d)
    box.count[d] = std::min(chunk_[d], dims_[d] - box.start[d]);
  return box;
}

}  // namespace pcio
