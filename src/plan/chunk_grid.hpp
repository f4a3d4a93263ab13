// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: the grid of chunks that covers a dataset's current dimensions.

#pragma once

#include <cstdint>

#include "base/status.hpp"
#include "base/types.hpp"
#include "space/dims.hpp"

namespace pcio {

/// Numbers, positions and boxes of chunks. A value type.
class ChunkGrid {
 public:
  /// `dims` and `chunk` in elements, [ndims], at least one dimension; `chunk` nowhere zero.
  /// Errors: ARGS BADVALUE; DATASPACE OVERFLOW where elements of the dataset or of a chunk do not
  /// fit in 64 bits.
  static Result<ChunkGrid> make(const Dims& dims, const Dims& chunk);

  [[nodiscard]] const Dims& dims() const { return dims_; }
  [[nodiscard]] const Dims& chunk() const { return chunk_; }
  /// Chunks per dimension; a chunk that sticks out of the extent counts.
  [[nodiscard]] const Dims& grid() const { return grid_; }
  /// Number of chunks; 0 for an extent without elements.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Elements of one chunk in its full shape.
  [[nodiscard]] std::uint64_t chunk_elements() const { return chunk_elements_; }

  /// Row-major number of a position inside the grid.
  [[nodiscard]] ChunkOrdinal ordinal(const Dims& coords) const;
  /// Position of a number less than count().
  [[nodiscard]] Dims coords(ChunkOrdinal ordinal) const;
  /// The chunk's elements that lie in the extent.
  [[nodiscard]] Box box(const Dims& coords) const;
  /// The chunk in its full shape; it may stick out of the extent.
  [[nodiscard]] Box full_box(const Dims& coords) const;

 private:
  ChunkGrid() = default;
  Dims dims_;
  Dims chunk_;
  Dims grid_;
  std::uint64_t count_ = 0;
  std::uint64_t chunk_elements_ = 0;
};

}  // namespace pcio
