// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: map_blocks.

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "map.hpp"

namespace pcio_explain {

namespace {

/// Of the 256 colours of a terminal, dark enough for white letters.
constexpr std::array<int, kColours> kBackground = {25, 130, 28, 125, 100, 60,
                                                   30, 124, 64, 90,  60,  94};
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// A letter for a rank, a digit for so many ranks.
char mark_of(const Cell& cell) {
  if (cell.touched == 0) return '.';
  if (cell.shared == 0 && cell.one_rank) return kLetters[cell.rank % kLetters.size()];
  if (cell.shared == 0) return '~';
  return cell.most_ranks > 9 ? '+' : static_cast<char>('0' + cell.most_ranks);
}

}  // namespace

std::string map_blocks(const Plan& plan, const ChunkMap& map, bool colour) {
  std::string out;
  bool mixed = false;
  for (const Slice& slice : map.slices) {
    out += '\n';
    for (std::size_t d = 0; d < slice.leading.size(); ++d)
      out += fmt::format("{}dimension {}: chunk {}{}", d == 0 ? "" : ", ", d, slice.leading[d],
                         d + 1 == slice.leading.size() ? "\n" : "");
    for (std::uint64_t row = 0; row < map.rows; ++row) {
      out +=
          fmt::format("{:>8} ", row * (map.wrapped ? map.columns * map.per_column : map.per_row));
      for (std::uint64_t column = 0; column < map.columns; ++column) {
        const Cell& cell = slice.cells[static_cast<std::size_t>(row * map.columns + column)];
        if (cell.chunks == 0) continue;
        const char mark = mark_of(cell);
        mixed = mixed || mark == '~';
        if (colour && cell.touched > 0)
          out += fmt::format("\x1b[48;5;{};97m{}{}\x1b[0m", kBackground[map.colours[cell.rank]],
                             mark, cell.shared > 0 ? '/' : ' ');
        else
          out += fmt::format("{} ", mark);
      }
      out += '\n';
    }
  }
  out += fmt::format(
      "\nA letter is a rank (a is 0{}), a digit so many ranks of one chunk (+: more than 9), . "
      "none{}.\n",
      plan.ranks.size() > kLetters.size() ? "; they repeat" : "",
      mixed ? ", ~ chunks of several ranks" : "");
  if (map.per_row * map.per_column > 1)
    out += map.wrapped ? fmt::format("A place is {} chunks.\n", map.per_column)
                       : fmt::format("A place is {} x {} chunks.\n", map.per_row, map.per_column);
  if (map.slices.size() < map.all_slices)
    out += fmt::format("{} of {} slices are drawn.\n", map.slices.size(), map.all_slices);
  return out;
}

}  // namespace pcio_explain
