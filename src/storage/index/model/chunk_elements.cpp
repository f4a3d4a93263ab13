// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ElementReader out of line.

#include "storage/index/model/chunk_elements.hpp"

#include <algorithm>

#include "storage/index/model/chunk_sequence.hpp"

namespace pcio {

void ElementReader::read(std::uint64_t first, std::span<ChunkElement> into) const {
  std::fill(into.begin(), into.end(), ChunkElement());
  if (!direct_) return read_rows(first, into);
  const std::uint64_t count = index_.grid().count();
  if (first < count)
    read_row(first, into.first(std::min<std::uint64_t>(into.size(), count - first)));
}

/// Chunks with ordinals in a row.
void ElementReader::read_row(ChunkOrdinal first, std::span<ChunkElement> into) const {
  const ChunkOrdinal end = first + into.size();
  ChunkWalk walk(index_, first);
  while (!walk.at_end() && walk.ordinal() < end) {
    for (std::uint64_t n = std::min(walk.left_in_run(), end - walk.ordinal()); n > 0; --n) {
      const FilteredChunk chunk = walk.chunk();
      into[walk.ordinal() - first] = {chunk.address, chunk.size, chunk.filter_mask};
      walk.next();
    }
  }
}

/// A row of the fastest dimension of the numbering is one of ordinals too, or one chunk of it after
/// the other lies a row of ordinals further.
void ElementReader::read_rows(std::uint64_t first, std::span<ChunkElement> into) const {
  const ChunkGrid& grid = index_.grid();
  const unsigned fastest = numbering_.dimension(numbering_.ndims() - 1);
  const bool in_a_row = fastest + 1 == numbering_.ndims();
  std::uint64_t step = 1;
  for (unsigned d = fastest + 1; d < numbering_.ndims(); ++d) step *= grid.grid()[d];
  for (std::size_t at = 0; at < into.size();) {
    const Dims coords = numbering_.coords(first + at);
    const auto row = static_cast<std::size_t>(std::min<std::uint64_t>(
        into.size() - at,
        std::max<std::uint64_t>(numbering_.row(), coords[fastest] + 1) - coords[fastest]));
    bool inside = true;
    for (unsigned d = 0; d < coords.size(); ++d)
      inside = inside && (d == fastest || coords[d] < grid.grid()[d]);
    std::size_t length = row;
    if (!inside || coords[fastest] >= grid.grid()[fastest])
      length = 0;
    else
      length = static_cast<std::size_t>(
          std::min<std::uint64_t>(row, grid.grid()[fastest] - coords[fastest]));
    if (length > 0 && in_a_row) {
      read_row(grid.ordinal(coords), into.subspan(at, length));
    } else if (length > 0) {
      const ChunkOrdinal from = grid.ordinal(coords);
      for (std::size_t i = 0; i < length; ++i) read_row(from + i * step, into.subspan(at + i, 1));
    }
    at += row;
  }
}

}  // namespace pcio
