// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: which elements each rank has.

#include "deal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "failure.hpp"
#include "words.hpp"

namespace pcio_explain {

namespace {

constexpr std::size_t kMostDims = 32;

/// "4x3": numbers from `least` on, none beyond 2^63 - 1.
Numbers parse_numbers(std::string_view text, std::uint64_t least, const std::string& what) {
  Numbers out;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    std::uint64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < least ||
        number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
        (next != end && *next != 'x') || out.size() == kMostDims)
      throw UsageFailure(
          fmt::format("{} \"{}\": numbers from {} on with x between them, as in 64x64", what,
                      pcio_report::printable(std::string(text)), least));
    out.push_back(number);
    if (next == end) return out;
    at = next + 1;
  }
}

void check_grid(const Numbers& dims, const Numbers& grid, const char* what) {
  if (grid.size() != dims.size())
    throw UsageFailure(fmt::format("{} {} has {}, the dataset has {}", what, shape_text(grid),
                                   pcio_report::counted(grid.size(), "dimension"), dims.size()));
}

/// Calls f(position) for each rank, row-major.
template <class F>
void for_each_rank(const Numbers& grid, F&& f) {
  Numbers at(grid.size(), 0);
  for (;;) {
    f(at);
    std::size_t d = grid.size();
    while (d > 0 && ++at[d - 1] == grid[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

/// Words of a line, without its comment.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line.substr(0, line.find('#')) + ' ') {
    if (c != ' ' && c != '\t' && c != '\r') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(word);
      word.clear();
    }
  }
  return words;
}

/// The last element of dimension d lies in the extent, and blocks don't overlap; no number is too large.
void check_slab(const Slab& slab, const Numbers& dims, const std::string& where) {
  for (const Numbers* part : {&slab.start, &slab.stride, &slab.count, &slab.block})
    if (part->size() != dims.size())
      throw Failure(fmt::format("{}: {} has {}, the dataset has {}", where, shape_text(*part),
                                pcio_report::counted(part->size(), "dimension"), dims.size()));
  for (std::size_t d = 0; d < dims.size(); ++d)
    if (slab.count[d] == 0 || slab.block[d] == 0) return;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::uint64_t stride = slab.stride[d], count = slab.count[d], block = slab.block[d];
    if (stride == 0 || (count > 1 && stride < block))
      throw Failure(fmt::format("{}: dimension {}: stride {} is less than block {}: blocks overlap",
                                where, d, stride, block));
    const std::uint64_t dim = dims[d], start = slab.start[d];
    if (block > dim || start > dim - block ||
        (count > 1 && (dim - block - start) / stride < count - 1))
      throw Failure(
          fmt::format("{}: dimension {}: start {}, stride {}, count {}, block {} leave the "
                      "dataset, which has {}",
                      where, d, start, stride, count, block, dim));
  }
}

}  // namespace

std::uint64_t Slab::elements() const {
  std::uint64_t product = 1;
  for (std::size_t d = 0; d < count.size(); ++d) product *= count[d] * block[d];
  return product;
}

Numbers parse_shape(const std::string& text, const std::string& what) {
  return parse_numbers(text, 1, what);
}

std::string shape_text(const Numbers& shape) {
  std::string text;
  for (const std::uint64_t dim : shape) text += (text.empty() ? "" : "x") + std::to_string(dim);
  return text;
}

Deal deal_blocks(const Numbers& dims, const Numbers& grid) {
  check_grid(dims, grid, "--ranks");
  Deal deal;
  for_each_rank(grid, [&](const Numbers& at) {
    Slab slab;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::uint64_t least = dims[d] / grid[d], more = dims[d] % grid[d];
      slab.start.push_back(at[d] * least + std::min(at[d], more));
      slab.block.push_back(least + (at[d] < more ? 1 : 0));
      slab.stride.push_back(std::max<std::uint64_t>(1, slab.block.back()));
      slab.count.push_back(1);
    }
    deal.push_back(std::move(slab));
  });
  return deal;
}

Deal deal_cyclic(const Numbers& dims, const Numbers& grid) {
  check_grid(dims, grid, "--ranks");
  Deal deal;
  for_each_rank(grid, [&](const Numbers& at) {
    Slab slab;
    for (std::size_t d = 0; d < dims.size(); ++d) {
      slab.start.push_back(at[d]);
      slab.stride.push_back(grid[d]);
      slab.count.push_back(at[d] < dims[d] ? (dims[d] - at[d] - 1) / grid[d] + 1 : 0);
      slab.block.push_back(1);
    }
    deal.push_back(std::move(slab));
  });
  return deal;
}

Deal read_slabs(std::istream& in, const std::string& name, const Numbers& dims) {
  Deal deal;
  std::string line;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    const std::string where = fmt::format("{}, line {}", name, number);
    Slab slab;
    if (words.size() == 1 && words[0] == "none") {
      slab = {Numbers(dims.size(), 0), Numbers(dims.size(), 1), Numbers(dims.size(), 0),
              Numbers(dims.size(), 1)};
    } else if (words.size() == 2) {
      slab.start = parse_numbers(words[0], 0, where);
      slab.block = parse_numbers(words[1], 0, where);
      slab.stride.assign(slab.start.size(), 1);
      slab.count.assign(slab.start.size(), 1);
      for (std::size_t d = 0; d < std::min(slab.block.size(), slab.stride.size()); ++d)
        slab.stride[d] = std::max<std::uint64_t>(1, slab.block[d]);
    } else if (words.size() == 4) {
      slab = {parse_numbers(words[0], 0, where), parse_numbers(words[1], 0, where),
              parse_numbers(words[2], 0, where), parse_numbers(words[3], 0, where)};
    } else {
      throw Failure(fmt::format("{}: {}: a line is START STRIDE COUNT BLOCK, START SHAPE or none",
                                where, pcio_report::counted(words.size(), "word")));
    }
    check_slab(slab, dims, where);
    deal.push_back(std::move(slab));
  }
  if (deal.empty()) throw Failure(fmt::format("{}: there is no line for a rank", name));
  return deal;
}

}  // namespace pcio_explain
