// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the shape test of two selections.

#include <algorithm>

#include "space/dataspace.hpp"
#include "space/runs.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

/// Streams the coordinates of selected elements relative to the bounds, slow `skip` ones left out.
class ShapeCursor {
 public:
  ShapeCursor(const Dataspace& space, const Dims& low, unsigned skip)
      : runs_(space), dims_(space.dims()), low_(low), skip_(skip) {}
  bool next(Dims& at) {
    if (run_.length == 0 && !runs_.next(run_)) return false;
    at = Dims(dims_.size() - skip_);
    std::uint64_t rest = run_.offset;
    for (unsigned d = dims_.size(); d > skip_; --d) {
      at[d - 1 - skip_] = rest % dims_[d - 1] - low_[d - 1];
      rest /= dims_[d - 1];
    }
    ++run_.offset;
    --run_.length;
    return true;
  }

 private:
  RunCursor runs_;
  Run run_;
  Dims dims_;
  Dims low_;
  unsigned skip_;
};

bool same_order(ShapeCursor a, ShapeCursor b) {
  Dims p;
  Dims q;
  while (a.next(p))
    if (!b.next(q) || !(p == q)) return false;
  return true;
}

SlabDim pattern(const Dataspace& space, unsigned d) {
  if (space.selection().kind() == SelectionKind::kAll) return {0, 1, 1, space.dims()[d]};
  const RegularSlab& slab = space.selection().regular();
  // Blocks without end that touch are one block without end.
  if (slab.count[d] == kUnlimited && slab.stride[d] == slab.block[d])
    return {slab.start[d], 1, 1, kUnlimited};
  return slab.dim(d);
}

bool same_patterns(const Dataspace& a, unsigned skip_a, const Dataspace& b, unsigned skip_b) {
  for (unsigned i = 0; i + skip_a < a.ndims(); ++i) {
    const SlabDim p = pattern(a, i + skip_a);
    const SlabDim q = pattern(b, i + skip_b);
    if (p.count != q.count || p.block != q.block) return false;
    if (p.count > 1 && p.stride != q.stride) return false;
  }
  return true;
}

bool leading_ones(const Box& bounds, unsigned skip) {
  for (unsigned d = 0; d < skip; ++d)
    if (bounds.count[d] != 1) return false;
  return true;
}

const SpanNodePtr* below(const SpanNodePtr& tree, unsigned levels) {
  const SpanNodePtr* node = &tree;
  for (unsigned d = 0; d < levels; ++d) node = &(*node)->spans.front().down;
  return node;
}

}  // namespace

bool Dataspace::shape_same(const Dataspace& other) const {
  if (selected() != other.selected()) return false;
  if (selected() == 0) return true;
  Dataspace a = *this;
  Dataspace b = other;
  a.set_selection_offset({});
  b.set_selection_offset({});
  const unsigned common = std::min(a.ndims(), b.ndims());
  const unsigned skip_a = a.ndims() - common;
  const unsigned skip_b = b.ndims() - common;
  const Box box_a = *a.selection_.bounds(a.dims());
  const Box box_b = *b.selection_.bounds(b.dims());
  if (!leading_ones(box_a, skip_a) || !leading_ones(box_b, skip_b)) return false;
  const bool points = a.selection_.kind() == SelectionKind::kPoints ||
                      b.selection_.kind() == SelectionKind::kPoints;
  if (points) {
    if (!a.check_selection().ok() || !b.check_selection().ok()) return false;
    return same_order(ShapeCursor(a, box_a.start, skip_a), ShapeCursor(b, box_b.start, skip_b));
  }
  // What has a regular description is always held as such, so an irregular one differs from it.
  const SpanNodePtr& tree_a = a.selection_.tree();
  const SpanNodePtr& tree_b = b.selection_.tree();
  if (!tree_a != !tree_b) return false;
  if (!tree_a) return same_patterns(a, skip_a, b, skip_b);
  return span_tree::equal_moved(*below(tree_a, skip_a), *below(tree_b, skip_b),
                                box_a.start.data() + skip_a, box_b.start.data() + skip_b);
}

}  // namespace pcio
