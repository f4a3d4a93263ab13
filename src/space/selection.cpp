// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: how a selection changes: operators, points, moves.

#include "space/selection.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

/// Where a slab holds nothing, everywhere or nowhere is left of an operator.
bool is_empty(const RegularSlab& slab) {
  for (unsigned d = 0; d < slab.ndims(); ++d)
    if (slab.count[d] == 0 || slab.block[d] == 0) return true;
  return false;
}

/// Coordinate behind the last selected one, or nothing where it does not fit.
std::optional<std::uint64_t> checked_end(const RegularSlab& slab, unsigned d) {
  const auto steps = checked_mul(slab.stride[d], slab.count[d] - 1);
  if (!steps) return std::nullopt;
  const auto last = checked_add(*steps, slab.start[d]);
  return last ? checked_add(*last, slab.block[d]) : std::nullopt;
}

Status check_slab(const Dims& extent, const RegularSlab& slab) {
  if (slab.ndims() != extent.size())
    return PCIO_ERROR(ARGS, BADVALUE, "hyperslab and dataspace differ in dimensions");
  for (unsigned d = 0; d < slab.ndims(); ++d) {
    if (slab.stride[d] == 0) return PCIO_ERROR(ARGS, BADVALUE, "invalid stride of 0");
  }
  PCIO_TRY(check_unlimited(slab));
  if (is_empty(slab)) return Status();
  const std::optional<unsigned> endless = unlimited_dim(slab);
  std::optional<std::uint64_t> total = 1;
  for (unsigned d = 0; d < slab.ndims(); ++d) {
    if (slab.count[d] > 1 && slab.stride[d] < slab.block[d])
      return PCIO_ERROR(ARGS, BADVALUE, "hyperslab blocks overlap");
    if (endless == d) continue;
    if (!checked_end(slab, d))
      return PCIO_ERROR(ARGS, OVERFLOW, "hyperslab reaches beyond 64-bit coordinates");
    // The end fits, and count * block <= end, so this product fits as well.
    total = checked_mul(*total, slab.count[d] * slab.block[d]);
    if (!total) return PCIO_ERROR(ARGS, OVERFLOW, "hyperslab has too many elements");
  }
  return Status();
}

std::optional<SetRule> rule_of(SelectOp op) {
  switch (op) {
    case SelectOp::kOr: return SetRule{true, true, true};
    case SelectOp::kAnd: return SetRule{false, false, true};
    case SelectOp::kXor: return SetRule{true, true, false};
    case SelectOp::kNotB: return SetRule{true, false, false};
    case SelectOp::kNotA: return SetRule{false, true, false};
    default: return std::nullopt;
  }
}

/// A single block has stride 1, whatever its length: the form in which HDF5 reports results.
void set_dim(RegularSlab& slab, unsigned d, const SlabDim& dim) {
  slab.start[d] = dim.start;
  slab.stride[d] = dim.count > 1 ? dim.stride : 1;
  slab.count[d] = dim.count;
  slab.block[d] = dim.block;
}

/// True where the number of elements stays below 2^64 with `indices` more in dimension d.
bool more_fits(const RegularSlab& slab, unsigned d, std::uint64_t indices) {
  std::optional<std::uint64_t> total = 1;
  for (unsigned i = 0; i < slab.ndims() && total; ++i)
    total = checked_mul(*total, slab.dim(i).selected() + (i == d ? indices : 0));
  return total.has_value();
}

}  // namespace

RegularSlab RegularSlab::of_box(const Box& box) {
  const Dims ones(box.ndims(), 1);
  return RegularSlab{box.start, ones, ones, box.count};
}

Selection Selection::none() {
  Selection s;
  s.kind_ = SelectionKind::kNone;
  return s;
}

Selection Selection::from_tree(SpanNodePtr tree, unsigned ndims) {
  if (!tree) return none();
  Selection s;
  s.kind_ = SelectionKind::kHyperslab;
  std::array<SlabDim, kMaxNdims> dims;
  if (!span_tree::find_regular(tree, dims.data(), ndims)) {
    s.tree_ = std::move(tree);
    return s;
  }
  s.slab_ = RegularSlab{Dims(ndims), Dims(ndims), Dims(ndims), Dims(ndims)};
  for (unsigned d = 0; d < ndims; ++d) set_dim(s.slab_, d, dims[d]);
  return s;
}

SpanNodePtr Selection::as_tree(const Dims& extent) const {
  if (kind_ == SelectionKind::kHyperslab && tree_) return tree_;
  if (kind_ != SelectionKind::kHyperslab && kind_ != SelectionKind::kAll) return nullptr;
  std::array<SlabDim, kMaxNdims> dims;
  for (unsigned d = 0; d < extent.size(); ++d)
    dims[d] = kind_ == SelectionKind::kAll ? SlabDim{0, 1, 1, extent[d]} : slab_.dim(d);
  return span_tree::build(dims.data(), extent.size());
}

Status Selection::select_hyperslab(const Dims& extent, SelectOp op, const RegularSlab& slab) {
  if (op != SelectOp::kSet && !rule_of(op))
    return PCIO_ERROR(ARGS, UNSUPPORTED, "invalid selection operator for a hyperslab");
  PCIO_TRY(check_slab(extent, slab));
  Selection other = none();
  if (!is_empty(slab)) {
    other.kind_ = SelectionKind::kHyperslab;
    other.slab_ = slab;
  }
  return apply(extent, op, other);
}

Status Selection::combine(const Dims& extent, SelectOp op, const Selection& other) {
  if (op != SelectOp::kSet && !rule_of(op))
    return PCIO_ERROR(ARGS, UNSUPPORTED, "invalid selection operator");
  if (other.kind_ == SelectionKind::kPoints)
    return PCIO_ERROR(DATASPACE, UNSUPPORTED, "points can't be combined with hyperslabs");
  return apply(extent, op, Selection(other));
}

Status Selection::apply(const Dims& extent, SelectOp op, const Selection& other) {
  const SelectionKind mine = kind_;
  if (op != SelectOp::kSet && mine == SelectionKind::kPoints)
    return PCIO_ERROR(DATASPACE, UNSUPPORTED, "a hyperslab can't be combined with points");
  // The answers that need no tree: most programs only ever get here.
  const bool keeps_new = op == SelectOp::kSet ||
                         (op == SelectOp::kAnd && mine == SelectionKind::kAll) ||
                         (mine == SelectionKind::kNone &&
                          (op == SelectOp::kOr || op == SelectOp::kXor || op == SelectOp::kNotA));
  if (keeps_new) {
    *this = other;
    return Status();
  }
  if (is_unlimited(*this) || is_unlimited(other)) {
    PCIO_ASSIGN(*this, combine_unlimited(extent, op, *this, other));
    return Status();
  }
  if (op == SelectOp::kOr && (mine == SelectionKind::kAll || other.kind_ == SelectionKind::kNone))
    return Status();
  if (op == SelectOp::kNotA && mine == SelectionKind::kAll) {
    *this = none();  // also where the hyperslab reaches beyond the extent
    return Status();
  }
  if (op == SelectOp::kOr && other.kind_ == SelectionKind::kAll) {
    *this = all();
    return Status();
  }
  if (op == SelectOp::kOr && is_regular() && other.is_regular() && extend_regular(other.slab_))
    return Status();
  const SpanNodePtr theirs = other.as_tree(extent);
  SpanNodePtr result;
  if (op == SelectOp::kOr && span_tree::append(tree_, theirs)) {
    result = std::move(tree_);
  } else {
    const SpanNodePtr ours = as_tree(extent);
    result = span_tree::combine(ours, theirs, *rule_of(op));
    // What adds nothing leaves the description that the user gave, as in HDF5.
    if (op == SelectOp::kOr && span_tree::equal(ours, result)) return Status();
  }
  if (result && result->elements == ~std::uint64_t{0})
    return PCIO_ERROR(DATASPACE, OVERFLOW, "selection has too many elements");
  *this = from_tree(std::move(result), extent.size());
  return Status();
}

/// Takes in a slab that continues this one in a single dimension, as programs do that build a pattern
/// block by block; false, and nothing done, where the union is something else.
bool Selection::extend_regular(const RegularSlab& more) {
  const unsigned n = slab_.ndims();
  unsigned along = n;
  for (unsigned d = 0; d < n; ++d) {
    const SlabDim a = slab_.dim(d);
    const SlabDim b = more.dim(d);
    const bool same = a.start == b.start && a.count == b.count && a.block == b.block &&
                      (a.count == 1 || a.stride == b.stride);
    if (same) continue;
    if (along != n) return false;
    along = d;
  }
  if (along == n) return true;  // the same elements again
  const SlabDim a = slab_.dim(along);
  const SlabDim b = more.dim(along);
  if (b.start < a.end() || !more_fits(slab_, along, b.selected())) return false;
  SlabDim both{a.start, 1, 1, a.block + b.block};
  if (a.count > 1 || b.count > 1 || b.start != a.end()) {
    const std::uint64_t stride = a.count > 1 ? a.stride : b.start - a.start;
    if (a.block != b.block || b.start - a.start != stride * a.count) return false;
    if (b.count > 1 && b.stride != stride) return false;
    both = {a.start, stride, a.count + b.count, a.block};
  }
  for (unsigned d = 0; d < n; ++d) set_dim(slab_, d, d == along ? both : slab_.dim(d));
  return true;
}

Status Selection::select_points(const Dims& extent, SelectOp op, const std::uint64_t* coords,
                                std::uint64_t npoints) {
  if (op != SelectOp::kSet && op != SelectOp::kAppend && op != SelectOp::kPrepend)
    return PCIO_ERROR(ARGS, UNSUPPORTED, "points can be set, appended or prepended only");
  const unsigned n = extent.size();
  const auto numbers = checked_mul(npoints, std::uint64_t{n});
  if (npoints == 0 || n == 0 || !numbers)
    return PCIO_ERROR(ARGS, BADVALUE, "no points, or points in a dataspace without dimensions");
  for (std::uint64_t i = 0; i < *numbers; ++i)
    if (coords[i] == kUnlimited)
      return PCIO_ERROR(ARGS, OVERFLOW,
                        "point " + std::to_string(i / n) + " lies beyond 64-bit coordinates");
  auto fresh = std::make_shared<std::vector<std::uint64_t>>();
  const bool adds = op != SelectOp::kSet && kind_ == SelectionKind::kPoints;
  if (adds && op == SelectOp::kAppend && points_.use_count() == 1) {
    points_->insert(points_->end(), coords, coords + *numbers);
    return Status();
  }
  if (adds && op == SelectOp::kAppend) *fresh = *points_;
  fresh->insert(fresh->end(), coords, coords + *numbers);
  if (adds && op == SelectOp::kPrepend)
    fresh->insert(fresh->end(), points_->begin(), points_->end());
  *this = none();
  kind_ = SelectionKind::kPoints;
  points_ = std::move(fresh);
  return Status();
}

Selection Selection::moved(const std::int64_t* offset, unsigned ndims) const {
  Selection s = *this;
  if (std::all_of(offset, offset + ndims, [](std::int64_t o) { return o == 0; })) return s;
  if (kind_ == SelectionKind::kHyperslab && !tree_)
    for (unsigned d = 0; d < ndims; ++d) s.slab_.start[d] += static_cast<std::uint64_t>(offset[d]);
  if (tree_) s.tree_ = span_tree::shift(tree_, offset);
  if (points_) {
    s.points_ = std::make_shared<std::vector<std::uint64_t>>(*points_);
    for (std::size_t i = 0; i < points_->size(); ++i)
      (*s.points_)[i] += static_cast<std::uint64_t>(offset[i % ndims]);
  }
  return s;
}

Status Selection::adjust(const Dims& extent, const std::int64_t* offset) {
  if (kind_ == SelectionKind::kAll || kind_ == SelectionKind::kNone) return Status();
  Box box = bounds(extent).value_or(Box{});
  std::array<std::int64_t, kMaxNdims> delta{};
  for (unsigned d = 0; d < extent.size(); ++d) {
    // Done in unsigned numbers: -INT64_MIN has no signed value.
    const auto minus = std::uint64_t{0} - static_cast<std::uint64_t>(offset[d]);
    if (offset[d] > 0 && static_cast<std::uint64_t>(offset[d]) > box.start[d])
      return PCIO_ERROR(DATASPACE, BADRANGE, "adjustment moves the selection below zero");
    if (is_unlimited(*this) && unlimited_dim(slab_) == d) box.count[d] = 1;
    if (offset[d] <= 0 && !checked_add(box.start[d] + box.count[d], minus))
      return PCIO_ERROR(DATASPACE, OVERFLOW, "adjustment moves the selection beyond 64 bits");
    delta[d] = static_cast<std::int64_t>(minus);
  }
  *this = moved(delta.data(), extent.size());
  return Status();
}

}  // namespace pcio
