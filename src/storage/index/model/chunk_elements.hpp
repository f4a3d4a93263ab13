// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: the elements that the arrays keep, made from a ChunkIndex.

#pragma once

#include <vector>

#include "format/chunk_element.hpp"
#include "storage/index/model/chunk_index.hpp"
#include "storage/index/model/chunk_numbering.hpp"
#include "storage/space/interval_set.hpp"

namespace pcio {

/// Calls visit(first, end) for intervals of numbers whose chunks have an address. Where numbers are
/// not ordinals, an interval is one row or one chunk; their order is that of ordinals.
template <class F>
void for_each_numbered(const ChunkIndex& index, const ChunkNumbering& numbering, F&& visit) {
  const ChunkGrid& grid = index.grid();
  for (const auto& [first, extent] : index.plain_chunks())
    numbering.for_each_in_run(grid, first, extent.count, visit);
  for (const auto& [first, filtered] : index.filtered_chunks().runs())
    numbering.for_each_in_run(grid, first, filtered.sizes.size(), visit);
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
