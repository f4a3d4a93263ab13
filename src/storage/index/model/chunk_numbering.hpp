// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: the order in which an index of the file counts chunks.
//
// In memory chunks are numbered row-major in the grid of the current dimensions (ordinals). A
// B-tree keeps them in that order; the arrays count in the grid of the largest dimensions, an
// extensible array with the unlimited dimension in front of all others, as observed in files of
// libhdf5 1.10.8.

#pragma once

#include <algorithm>
#include <optional>

#include "plan/chunk_grid.hpp"
#include "space/dims.hpp"

namespace pcio {

/// Numbers of chunks in the order of an index. A value type.
class ChunkNumbering {
 public:
  /// Row-major in `most`, chunks in each dimension. Errors: OVERFLOW.
  static Result<ChunkNumbering> row_major(const Dims& most);
  /// As row_major, with dimension `first` slowest; its entry in `most` is how far it reaches today.
  static Result<ChunkNumbering> with_first(const Dims& most, unsigned first);

  [[nodiscard]] std::uint64_t number(const Dims& coords) const {
    std::uint64_t n = 0;
    for (unsigned d = 0; d < step_.size(); ++d) n += coords[d] * step_[d];
    return n;
  }
  [[nodiscard]] Dims coords(std::uint64_t number) const;
  /// Difference between the numbers of neighbours in a dimension.
  [[nodiscard]] std::uint64_t step(unsigned d) const { return step_[d]; }
  /// Dimensions from the slowest to the fastest.
  [[nodiscard]] unsigned dimension(unsigned place) const {
    return static_cast<unsigned>(order_[place]);
  }
  [[nodiscard]] unsigned ndims() const { return step_.size(); }
  /// Chunks in a row of the fastest dimension.
  [[nodiscard]] std::uint64_t row() const { return most_[dimension(ndims() - 1)]; }
  /// True where numbers are ordinals of `grid`.
  [[nodiscard]] bool counts_as(const ChunkGrid& grid) const;
  /// All numbers are less, those of chunks that may come with a larger slowest dimension aside.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  /// Calls visit(first, end) for intervals of numbers that are the `count` chunks of `grid` from the
  /// ordinal `first` on. Where numbers are not ordinals, an interval is one row or one chunk.
  template <class F>
  void for_each_in_run(const ChunkGrid& grid, ChunkOrdinal first, std::uint64_t count,
                       F&& visit) const {
    if (counts_as(grid)) return static_cast<void>(visit(first, first + count));
    const unsigned last = ndims() - 1;
    while (count > 0) {
      const Dims at = grid.coords(first);
      const std::uint64_t row = std::min(count, grid.grid()[last] - at[last]);
      const std::uint64_t from = number(at);
      if (step_[last] == 1)
        visit(from, from + row);
      else
        for (std::uint64_t i = 0; i < row; ++i)
          visit(from + i * step_[last], from + i * step_[last] + 1);
      first += row;
      count -= row;
    }
  }

  /// Calls visit(first, end) for intervals of numbers that are the chunks of `box`, ascending;
  /// dimensions that the box spans whole are merged.
  template <class F>
  void for_each_interval(const Box& box, F&& visit) const {
    for (std::uint64_t n : box.count)
      if (n == 0) return;
    unsigned inner = ndims();
    std::uint64_t length = 1;
    while (inner > 0) {
      const unsigned d = dimension(--inner);
      length *= box.count[d];
      if (box.count[d] != most_[d]) break;
    }
    std::uint64_t first = number(box.start);
    Dims at(ndims());
    for (;;) {
      visit(first, first + length);
      unsigned place = inner;
      for (;;) {
        if (place == 0) return;
        const unsigned d = dimension(--place);
        first += step_[d];
        if (++at[d] < box.count[d]) break;
        first -= box.count[d] * step_[d];
        at[d] = 0;
      }
    }
  }

 private:
  ChunkNumbering() = default;
  Dims most_;
  Dims step_;
  Dims order_;
  std::uint64_t count_ = 0;
};

}  // namespace pcio
