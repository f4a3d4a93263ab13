// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: which rank has which chunk, as a picture.

#ifndef PCIO_TOOLS_EXPLAIN_MAP_HPP
#define PCIO_TOOLS_EXPLAIN_MAP_HPP

#include <string>
#include <vector>

#include "plan.hpp"

namespace pcio_explain {

/// One or several chunks that are drawn as one.
struct Cell {
  std::uint64_t chunks = 0, touched = 0, shared = 0;
  std::uint32_t most_ranks = 0;  ///< of a chunk
  std::uint32_t rank = 0;        ///< of most of its bytes, or the owner
  bool one_rank = true;          ///< all of its touched chunks are that rank's alone
  std::uint64_t independent = 0;
  Numbers first, last;  ///< positions in the grid of chunks
};

/// A plane of the grid. A grid of one dimension is drawn in lines.
struct Slice {
  Numbers leading;  ///< position in the dimensions before the last two; empty where there are none
  std::vector<Cell> cells;  ///< [rows * columns]
};

struct ChunkMap {
  Numbers grid;  ///< chunks in each dimension
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t per_row = 1, per_column = 1;  ///< chunks that a cell is high and wide
  std::vector<Slice> slices;
  std::uint64_t all_slices = 0;  ///< those that there are
  bool wrapped = false;          ///< one dimension, line after line
  std::vector<std::uint8_t>
      colours;  ///< [ranks] below kColours; neighbours differ where that can be
};
inline constexpr std::size_t kColours = 12;

/// A picture of no more than so many cells and slices. Throws Failure where there are no chunks, or more than
/// kMostChunks.
ChunkMap chunk_map(const Plan& plan, const std::vector<ChunkUse>& uses, std::uint64_t most_rows,
                   std::uint64_t most_columns, std::uint64_t most_slices);

/// A picture of its own, without network, light and dark.
std::string map_svg(const Plan& plan, const Figures& figures, const ChunkMap& map,
                    const std::string& deal);
/// Blocks for a terminal.
std::string map_blocks(const Plan& plan, const ChunkMap& map, bool colour);

}  // namespace pcio_explain

#endif
