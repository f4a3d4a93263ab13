// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: which elements each rank has.

#ifndef PCIO_TOOLS_EXPLAIN_DEAL_HPP
#define PCIO_TOOLS_EXPLAIN_DEAL_HPP

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace pcio_explain {

using Numbers = std::vector<std::uint64_t>;

/// A regular hyperslab: in each dimension `count` blocks of `block` elements, `stride` apart.
struct Slab {
  Numbers start, stride, count, block;
  /// Nothing is selected.
  [[nodiscard]] bool empty() const { return elements() == 0; }
  [[nodiscard]] std::uint64_t elements() const;
};

/// A slab for each rank.
using Deal = std::vector<Slab>;

/// "512x512x64" as numbers, each at least 1. Throws Failure that begins with `what`.
Numbers parse_shape(const std::string& text, const std::string& what);
std::string shape_text(const Numbers& shape);

/// Blocks: `grid` [ndims] ranks, row-major. What does not divide evenly goes, an element each, to the
/// first ranks of a dimension. Throws Failure.
Deal deal_blocks(const Numbers& dims, const Numbers& grid);
/// Rows dealt in turn along each dimension: of dimension d, rank position p has p, p + grid[d], ...
Deal deal_cyclic(const Numbers& dims, const Numbers& grid);
/// A line for each rank: START STRIDE COUNT BLOCK, each as 0x0x0, or "none"; # begins a comment.
/// START COUNT stands for a single box. Throws Failure that names `name` and the line.
Deal read_slabs(std::istream& in, const std::string& name, const Numbers& dims);

}  // namespace pcio_explain

#endif
