// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: hyperslabs that go on for ever in one dimension. What can be combined was observed on
// libhdf5 1.10.8.

#include "space/unlimited.hpp"

#include "base/checked.hpp"

namespace pcio {

std::optional<unsigned> unlimited_dim(const RegularSlab& slab) {
  for (unsigned d = 0; d < slab.ndims(); ++d)
    if (slab.count[d] == kUnlimited || slab.block[d] == kUnlimited) return d;
  return std::nullopt;
}

bool is_unlimited(const Selection& selection) {
  return selection.is_regular() && unlimited_dim(selection.regular()).has_value();
}

Status check_unlimited(const RegularSlab& slab) {
  unsigned found = 0;
  for (unsigned d = 0; d < slab.ndims(); ++d) {
    const bool blocks = slab.count[d] == kUnlimited;
    const bool elements = slab.block[d] == kUnlimited;
    if (blocks && elements)
      return PCIO_ERROR(ARGS, BADVALUE, "count and block can't both be unlimited");
    if (elements && slab.count[d] > 1)
      return PCIO_ERROR(ARGS, BADVALUE, "a block of unlimited length can't be followed by another");
    if (blocks || elements) ++found;
  }
  if (found > 1)
    return PCIO_ERROR(ARGS, BADVALUE, "a hyperslab can be unlimited in one dimension only");
  return Status();
}

Selection ending_with(const Dims& extent, const Selection& unlimited, const Selection& other) {
  RegularSlab slab = unlimited.regular();
  const auto along = unlimited_dim(slab);
  const auto box = other.bounds(extent);
  if (!along || !box) return Selection::none();
  const unsigned d = *along;
  const std::uint64_t end = box->start[d] + box->count[d];
  if (end <= slab.start[d]) return Selection::none();
  const std::uint64_t length = end - slab.start[d];
  if (slab.block[d] == kUnlimited)
    slab.block[d] = length;
  else
    slab.count[d] = ceil_div(length, slab.stride[d]);
  // Fails where the last block reaches beyond 64 bits, where nothing can be.
  Selection ending;
  if (!ending.select_hyperslab(extent, SelectOp::kSet, slab).ok()) return Selection::none();
  return ending;
}

Result<Selection> combine_unlimited(const Dims& extent, SelectOp op, const Selection& mine,
                                    const Selection& other) {
  const bool first = is_unlimited(mine);
  const bool second = is_unlimited(other);
  const bool drops_mine = op == SelectOp::kAnd || op == SelectOp::kNotA;
  if (first && other.kind() == SelectionKind::kNone) return drops_mine ? Selection::none() : mine;
  // What would leave the other one alone was answered by the caller.
  if (mine.kind() == SelectionKind::kNone) return mine;
  if (mine.kind() == SelectionKind::kAll && op == SelectOp::kOr) return mine;
  if (mine.kind() == SelectionKind::kAll && op == SelectOp::kNotA) return Selection::none();
  const bool ends =
      op == SelectOp::kAnd || (op == SelectOp::kNotB && second) || (op == SelectOp::kNotA && first);
  if (!ends || (first && second))
    return PCIO_ERROR(DATASPACE, UNSUPPORTED,
                      "an unlimited hyperslab can't be combined so that the result has no end");
  Selection result = first ? ending_with(extent, mine, other) : mine;
  const Selection with = second ? ending_with(extent, other, mine) : other;
  PCIO_TRY(result.combine(extent, op, with));
  return result;
}

}  // namespace pcio
