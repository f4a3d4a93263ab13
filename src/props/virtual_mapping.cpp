// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: mappings compared.

#include "props/virtual_mapping.hpp"

#include "space/unlimited.hpp"

namespace pcio {

namespace {

/// One may be a pattern and the other a list of the same blocks, as what was encoded is.
bool same_elements(const Dims& extent, const Selection& a, const Selection& b) {
  if (is_unlimited(a) || is_unlimited(b)) return false;
  Selection differs = a;
  return differs.combine(extent, SelectOp::kXor, b).ok() &&
         differs.count_in(extent, Box::whole(extent)) == 0;
}

bool same_slabs(const Dims& extent, const Selection& a, const Selection& b) {
  const bool regular = a.is_regular() && b.is_regular();
  if (regular && a.regular().start == b.regular().start &&
      a.regular().stride == b.regular().stride && a.regular().count == b.regular().count &&
      a.regular().block == b.regular().block)
    return true;
  if (!a.is_regular() && !b.is_regular() && a.tree() == b.tree()) return true;
  return same_elements(extent, a, b);
}

}  // namespace

bool same_selection(const Dataspace& a, const Dataspace& b) {
  if (!a.same_extent(b) || a.selection().kind() != b.selection().kind() ||
      a.selection_offset() != b.selection_offset())
    return false;
  switch (a.selection().kind()) {
    case SelectionKind::kPoints: return a.selection().points() == b.selection().points();
    case SelectionKind::kHyperslab: return same_slabs(a.dims(), a.selection(), b.selection());
    default: return true;
  }
}

bool is_possible(const VirtualMapping& mapping) {
  if (is_unlimited(mapping.target.selection())) return true;
  return !is_unlimited(mapping.source.selection()) &&
         mapping.source.selected() == mapping.target.selected();
}

bool operator==(const VirtualMapping& a, const VirtualMapping& b) {
  return a.file == b.file && a.dataset == b.dataset && same_selection(a.source, b.source) &&
         same_selection(a.target, b.target);
}

}  // namespace pcio
