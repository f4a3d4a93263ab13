// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: chunk_map.

#include "map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "failure.hpp"

namespace pcio_explain {

namespace {

std::uint64_t parts_of(std::uint64_t number, std::uint64_t each) { return (number - 1) / each + 1; }

/// Chunks that are drawn as one: 1, 2 or 5 times a power of ten, so that figures at the axes are round.
std::uint64_t round_parts_of(std::uint64_t number, std::uint64_t cells) {
  const std::uint64_t least = parts_of(number, cells);
  for (std::uint64_t power = 1;; power *= 10)
    for (const std::uint64_t factor : {1, 2, 5})
      if (factor * power >= least) return factor * power;
}

void add_chunk(const ChunkUse& use, std::vector<std::uint64_t>* bytes_of, Cell* cell) {
  ++cell->chunks;
  if (use.ranks == 0) return;
  if (cell->touched > 0 && use.owner != cell->rank) cell->one_rank = false;
  if (use.ranks > 1) cell->one_rank = false;
  ++cell->touched;
  cell->shared += use.ranks > 1 ? 1 : 0;
  cell->most_ranks = std::max(cell->most_ranks, use.ranks);
  cell->independent += use.collective ? 0 : 1;
  bytes_of->push_back(use.owner);
}

/// The rank that has most of the chunks.
std::uint32_t most_frequent(std::vector<std::uint64_t>* ranks) {
  std::sort(ranks->begin(), ranks->end());
  std::size_t best = 0, length = 0;
  for (std::size_t i = 0, from = 0; i < ranks->size(); ++i) {
    if ((*ranks)[i] != (*ranks)[from]) from = i;
    if (i - from + 1 > length) {
      length = i - from + 1;
      best = i;
    }
  }
  return ranks->empty() ? 0 : static_cast<std::uint32_t>((*ranks)[best]);
}

class Drawing {
 public:
  Drawing(const Plan& plan, const std::vector<ChunkUse>& uses, ChunkMap* map)
      : uses_(uses), map_(*map), ranks_(plan.ranks.size()) {}

  void draw_slice(std::uint64_t number) {
    Slice slice;
    std::uint64_t rest = number;
    const std::size_t leading = map_.wrapped ? 0 : map_.grid.size() - 2;
    slice.leading.resize(leading);
    for (std::size_t d = leading; d > 0; --d) {
      slice.leading[d - 1] = rest % map_.grid[d - 1];
      rest /= map_.grid[d - 1];
    }
    for (std::uint64_t row = 0; row < map_.rows; ++row)
      for (std::uint64_t column = 0; column < map_.columns; ++column)
        slice.cells.push_back(map_.wrapped ? line_cell(row * map_.columns + column)
                                           : plane_cell(slice.leading, number, row, column));
    map_.slices.push_back(std::move(slice));
  }

  /// A colour that no neighbour has, where there is one.
  void choose_colours() {
    std::vector<std::set<std::uint32_t>> beside(ranks_);
    for (const Slice& slice : map_.slices)
      for (std::size_t i = 0; i < slice.cells.size(); ++i) {
        const Cell& cell = slice.cells[i];
        for (const std::size_t step : {std::size_t{1}, static_cast<std::size_t>(map_.columns)})
          if (i + step < slice.cells.size() && cell.touched > 0 &&
              slice.cells[i + step].touched > 0 && slice.cells[i + step].rank != cell.rank) {
            beside[cell.rank].insert(slice.cells[i + step].rank);
            beside[slice.cells[i + step].rank].insert(cell.rank);
          }
      }
    map_.colours.assign(ranks_, 0);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      std::array<bool, kColours> taken{};
      for (const std::uint32_t other : beside[rank])
        if (other < rank) taken[map_.colours[other]] = true;
      std::size_t colour = rank % kColours;
      for (std::size_t i = 0; i < kColours && taken[colour]; ++i) colour = (colour + 1) % kColours;
      map_.colours[rank] = static_cast<std::uint8_t>(colour);
    }
  }

 private:
  Cell line_cell(std::uint64_t number) {
    Cell cell;
    std::vector<std::uint64_t> owners;
    const std::uint64_t from = number * map_.per_column, all = map_.grid[0];
    for (std::uint64_t c = from; c < std::min(all, from + map_.per_column); ++c)
      add_chunk(uses_[static_cast<std::size_t>(c)], &owners, &cell);
    cell.rank = most_frequent(&owners);
    cell.first = {from};
    cell.last = {std::min(all, from + map_.per_column) - 1};
    return cell;
  }

  Cell plane_cell(const Numbers& leading, std::uint64_t slice, std::uint64_t row,
                  std::uint64_t column) {
    Cell cell;
    std::vector<std::uint64_t> owners;
    const std::uint64_t high = map_.grid[map_.grid.size() - 2], wide = map_.grid.back();
    const std::uint64_t top = row * map_.per_row, left = column * map_.per_column;
    const std::uint64_t bottom = std::min(high, top + map_.per_row);
    const std::uint64_t right = std::min(wide, left + map_.per_column);
    for (std::uint64_t y = top; y < bottom; ++y)
      for (std::uint64_t x = left; x < right; ++x)
        add_chunk(uses_[static_cast<std::size_t>((slice * high + y) * wide + x)], &owners, &cell);
    cell.rank = most_frequent(&owners);
    cell.first = cell.last = leading;
    cell.first.insert(cell.first.end(), {top, left});
    cell.last.insert(cell.last.end(), {bottom - 1, right - 1});
    return cell;
  }

  const std::vector<ChunkUse>& uses_;
  ChunkMap& map_;
  std::size_t ranks_;
};

}  // namespace

ChunkMap chunk_map(const Plan& plan, const std::vector<ChunkUse>& uses, std::uint64_t most_rows,
                   std::uint64_t most_columns, std::uint64_t most_slices) {
  const Subject& subject = plan.subject;
  if (uses.empty())
    throw Failure(subject.chunk.empty()
                      ? "there is no map of a dataset without chunks"
                      : fmt::format("there is no map of {} chunks: {} are the most",
                                    subject.chunks(), kMostChunks));
  ChunkMap map;
  for (std::size_t d = 0; d < subject.dims.size(); ++d)
    map.grid.push_back(parts_of(subject.dims[d], subject.chunk[d]));
  map.wrapped = map.grid.size() == 1;
  map.all_slices = 1;
  if (map.wrapped) {
    map.per_column = round_parts_of(map.grid[0], most_rows * most_columns);
    const std::uint64_t cells = parts_of(map.grid[0], map.per_column);
    map.columns = std::min(most_columns, cells);
    map.rows = parts_of(cells, map.columns);
  } else {
    for (std::size_t d = 0; d + 2 < map.grid.size(); ++d) map.all_slices *= map.grid[d];
    const std::uint64_t high = map.grid[map.grid.size() - 2], wide = map.grid.back();
    map.per_row = round_parts_of(high, most_rows);
    map.per_column = round_parts_of(wide, most_columns);
    map.rows = parts_of(high, map.per_row);
    map.columns = parts_of(wide, map.per_column);
  }
  Drawing drawing(plan, uses, &map);
  const std::uint64_t shown = std::min(most_slices, map.all_slices);
  for (std::uint64_t i = 0; i < shown; ++i) drawing.draw_slice(i * map.all_slices / shown);
  drawing.choose_colours();
  return map;
}

}  // namespace pcio_explain
