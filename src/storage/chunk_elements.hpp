// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the elements that the arrays keep, made from a ChunkIndex.

#pragma once

#include <vector>

#include "format/chunk_element.hpp"
#include "storage/chunk_index.hpp"
#include "storage/chunk_numbering.hpp"
#include "storage/interval_set.hpp"

namespace pcio {

/// Calls visit(first, end) for intervals of numbers whose chunks have an address. Where numbers are
/// not ordinals, an interval is one row or one chunk; their order is that of ordinals.
template <class F>
void for_each_numbered(const ChunkIndex& index, const ChunkNumbering& numbering, F&& visit) {
  const ChunkGrid& grid = index.grid();
  const bool direct = numbering.counts_as(grid);
  const unsigned last = grid.grid().size() - 1;
  auto run = [&](ChunkOrdinal first, std::uint64_t count) {
    if (direct) return static_cast<void>(visit(first, first + count));
    while (count > 0) {
      const Dims at = grid.coords(first);
      const std::uint64_t row = std::min(count, grid.grid()[last] - at[last]);
      const std::uint64_t number = numbering.number(at);
      const std::uint64_t step = numbering.step(last);
      if (step == 1)
        visit(number, number + row);
      else
        for (std::uint64_t i = 0; i < row; ++i) visit(number + i * step, number + i * step + 1);
      first += row;
      count -= row;
    }
  };
  for (const auto& [first, extent] : index.plain_chunks()) run(first, extent.count);
  for (const auto& [first, filtered] : index.filtered_chunks().runs())
    run(first, filtered.sizes.size());
}

/// Elements of the numbers `first` and so on, undefined ones for chunks without an address.
class ElementReader {
 public:
  ElementReader(const ChunkIndex& index, const ChunkNumbering& numbering)
      : index_(index), numbering_(numbering), direct_(numbering.counts_as(index.grid())) {}
  void read(std::uint64_t first, std::span<ChunkElement> into) const;

 private:
  void read_row(ChunkOrdinal first, std::span<ChunkElement> into) const;
  void read_rows(std::uint64_t first, std::span<ChunkElement> into) const;

  const ChunkIndex& index_;
  const ChunkNumbering& numbering_;
  bool direct_;
};

}  // namespace pcio
