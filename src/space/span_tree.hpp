// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: irregular hyperslabs, as trees of intervals with shared sub-trees.
//
// A node holds the sorted disjoint intervals that are selected in one dimension; below each hangs
// the node of the next dimension. Equal neighbours are joined, so that equal sets have equal trees.
// Trees are immutable and shared between copies of a dataspace.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "space/dims.hpp"

namespace pcio {

struct SpanNode;
using SpanNodePtr = std::shared_ptr<const SpanNode>;

/// The selected coordinates [low, high) of one dimension, all with the same selection below.
struct Span {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  /// Null in the fastest dimension.
  SpanNodePtr down;
  /// Elements selected below the spans that precede this one in its node.
  std::uint64_t before = 0;
};

struct SpanNode {
  std::vector<Span> spans;
  /// Elements selected below this node.
  std::uint64_t elements = 0;
  /// Leaf paths (rectangular blocks) below this node.
  std::uint64_t blocks = 0;

  /// Elements below one coordinate of `span`.
  [[nodiscard]] static std::uint64_t below(const Span& span) {
    return span.down ? span.down->elements : 1;
  }
  /// Index of the first span with high > x; spans.size() where there is none.
  [[nodiscard]] std::size_t first_ending_after(std::uint64_t x) const;
};

/// Regular pattern of one dimension: `count` blocks of `block` elements, `stride` apart.
struct SlabDim {
  std::uint64_t start = 0;
  std::uint64_t stride = 1;
  std::uint64_t count = 1;
  std::uint64_t block = 1;
  /// Coordinate behind the last selected one; count and block must not be zero.
  [[nodiscard]] std::uint64_t end() const { return start + stride * (count - 1) + block; }
  [[nodiscard]] std::uint64_t selected() const { return count * block; }
  /// Number of selected coordinates below x.
  [[nodiscard]] std::uint64_t index_of(std::uint64_t x) const {
    if (x <= start) return 0;
    const std::uint64_t q = (x - start) / stride;
    if (q >= count) return count * block;
    const std::uint64_t r = (x - start) % stride;
    return q * block + (r < block ? r : block);
  }
  /// Coordinate of the selected element number `index`.
  [[nodiscard]] std::uint64_t coordinate(std::uint64_t index) const {
    return start + index / block * stride + index % block;
  }
};

/// Which elements of (in a only, in b only, in both) survive an operator.
struct SetRule {
  bool only_a;
  bool only_b;
  bool both;
};

namespace span_tree {

/// Tree of a product of regular patterns; null where `ndims` is 0 or a pattern is empty.
[[nodiscard]] SpanNodePtr build(const SlabDim* dims, unsigned ndims);
/// Contiguous elements of one row: row-major offset of the first in the extent.
struct RowPart {
  std::uint64_t offset;
  std::uint64_t length;
};
/// Tree of row parts that ascend and don't overlap, none of which crosses the end of its row.
[[nodiscard]] SpanNodePtr build(const std::vector<RowPart>& parts, const Dims& extent);
/// Set operation on trees of the same depth; null stands for the empty set in and out.
[[nodiscard]] SpanNodePtr combine(const SpanNodePtr& a, const SpanNodePtr& b, SetRule rule);
/// The same for trees made of bytes that may be hostile, whose union can be as large as the product of their
/// sizes. `steps`: spans that may be looked at, less those that were. False where they did not suffice.
[[nodiscard]] bool combine_within(const SpanNodePtr& a, const SpanNodePtr& b, SetRule rule,
                                  std::uint64_t* steps, SpanNodePtr* out);
/// Adds `more`, all of it behind `tree` in the slowest dimension, without copying `tree`.
/// False, and nothing done, where that is not so or others share the tree.
[[nodiscard]] bool append(const SpanNodePtr& tree, const SpanNodePtr& more);
/// The part inside `box`, moved by -box.start; null where nothing is left.
[[nodiscard]] SpanNodePtr clip(const SpanNodePtr& tree, const Box& box);
/// The tree moved by `delta` (modulo 2^64) in each dimension.
[[nodiscard]] SpanNodePtr shift(const SpanNodePtr& tree, const std::int64_t* delta);
/// Smallest box around the tree.
[[nodiscard]] Box bounds(const SpanNodePtr& tree, unsigned ndims);
/// Elements of the tree in the box.
[[nodiscard]] std::uint64_t count_in(const SpanNodePtr& tree, const Box& box);
/// True where the tree and the box share an element.
[[nodiscard]] bool intersects(const SpanNodePtr& tree, const Box& box);
[[nodiscard]] bool equal(const SpanNodePtr& a, const SpanNodePtr& b);
/// True where b is a moved by start_b - start_a per dimension (`from_a`, `from_b`: the bounds' starts).
[[nodiscard]] bool equal_moved(const SpanNodePtr& a, const SpanNodePtr& b,
                               const std::uint64_t* from_a, const std::uint64_t* from_b);
/// The regular description of the tree, if it has one; false otherwise.
[[nodiscard]] bool find_regular(const SpanNodePtr& tree, SlabDim* dims, unsigned ndims);

}  // namespace span_tree

}  // namespace pcio
