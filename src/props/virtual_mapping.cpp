// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: mappings compared.

#include "props/virtual_mapping.hpp"

#include <vector>

namespace pcio {

namespace {

bool same_slabs(const Selection& a, const Selection& b) {
  if (a.is_regular() != b.is_regular()) return false;
  if (a.is_regular())
    return a.regular().start == b.regular().start && a.regular().stride == b.regular().stride &&
           a.regular().count == b.regular().count && a.regular().block == b.regular().block;
  if (a.tree() == b.tree()) return true;
  const std::uint64_t blocks = a.nblocks();
  if (blocks != b.nblocks()) return false;
  std::vector<std::uint64_t> of_a(blocks * 2 * kMaxNdims), of_b(of_a.size());
  a.blocklist(0, blocks, of_a.data());
  b.blocklist(0, blocks, of_b.data());
  return of_a == of_b;
}

}  // namespace

bool same_selection(const Dataspace& a, const Dataspace& b) {
  if (!a.same_extent(b) || a.selection().kind() != b.selection().kind() ||
      a.selection_offset() != b.selection_offset())
    return false;
  switch (a.selection().kind()) {
    case SelectionKind::kPoints: return a.selection().points() == b.selection().points();
    case SelectionKind::kHyperslab: return same_slabs(a.selection(), b.selection());
    default: return true;
  }
}

bool operator==(const VirtualMapping& a, const VirtualMapping& b) {
  return a.file == b.file && a.dataset == b.dataset && same_selection(a.source, b.source) &&
         same_selection(a.target, b.target);
}

}  // namespace pcio
