// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the shape of a dataset, attribute or buffer together with the selection in it.

#include "space/dataspace.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

Status check_sizes(const Dims& dims, const Dims& max) {
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (dims[d] == kUnlimited)
      return PCIO_ERROR(ARGS, BADVALUE, "current dimension must have a specific size");
    if (max[d] < dims[d])
      return PCIO_ERROR(
          ARGS, BADVALUE,
          "current dimension " + dims.to_string() + " exceeds the maximum " + max.to_string());
  }
  return Status();
}

}  // namespace

Result<Extent> Extent::simple(const Dims& dims, const Dims* max) {
  if (max && max->size() != dims.size())
    return PCIO_ERROR(ARGS, BADVALUE, "current and maximum dimensions differ in number");
  if (dims.empty()) return scalar();
  PCIO_TRY(check_sizes(dims, max ? *max : dims));
  Extent extent(SpaceClass::kSimple, dims.volume().value_or(kUnlimited));
  extent.dims_ = dims;
  if (max && !(*max == dims)) extent.max_ = std::make_shared<const Dims>(*max);
  return extent;
}

Result<Dataspace> Dataspace::simple(const Dims& dims, const Dims* max) {
  PCIO_ASSIGN(const Extent extent, Extent::simple(dims, max));
  return Dataspace(extent);
}

Status Extent::set_dims(const Dims& dims) {
  if (cls_ != SpaceClass::kSimple || dims.size() != ndims())
    return PCIO_ERROR(DATASPACE, BADRANGE, "new dimensions differ in number");
  PCIO_TRY(check_sizes(dims, max_dims()));
  if (!max_ && !(dims == dims_)) max_ = std::make_shared<const Dims>(dims_);
  dims_ = dims;
  npoints_ = dims.volume().value_or(kUnlimited);
  return Status();
}

void Dataspace::copy_extent(const Extent& other) {
  // A list of coordinates of another length would be read as nonsense.
  const bool placed =
      selection_.kind() == SelectionKind::kHyperslab || selection_.kind() == SelectionKind::kPoints;
  if (placed && ndims() != other.ndims()) selection_ = Selection::all();
  static_cast<Extent&>(*this) = other;
  offset_.reset();
}

bool Extent::same_extent(const Extent& other) const {
  return cls_ == other.cls_ && dims_ == other.dims_ && max_dims() == other.max_dims();
}

Status Dataspace::select_box(const Box& box) {
  return selection_.select_hyperslab(dims(), SelectOp::kSet, RegularSlab::of_box(box));
}

std::uint64_t Dataspace::selected() const {
  if (cls() == SpaceClass::kNull || cls() == SpaceClass::kNoClass) return 0;
  // The sizes were multiplied once already: transfers ask this often.
  return selection_.kind() == SelectionKind::kAll ? npoints() : selection_.npoints(dims());
}

Status Dataspace::check_selection() const {
  if (selected() == 0) return Status();
  if (is_unlimited(selection_))
    return PCIO_ERROR(DATASPACE, BADRANGE, "the selection goes on for ever, beyond any extent");
  if (selected() == kUnlimited)
    return PCIO_ERROR(DATASPACE, OVERFLOW, "more elements are selected than 64 bits can count");
  if (selection_.kind() == SelectionKind::kAll) return Status();
  const Box box = selection_.bounds(dims()).value_or(Box{});
  for (unsigned d = 0; d < ndims(); ++d) {
    const std::int64_t offset = selection_offset()[d];
    const std::uint64_t start = box.start[d] + static_cast<std::uint64_t>(offset);
    const bool below = offset < 0 && start > box.start[d];
    const bool wraps = offset > 0 && start < box.start[d];
    if (below || wraps || !fits_inside(start, box.count[d], dims()[d]))
      return PCIO_ERROR(DATASPACE, BADRANGE,
                        "selection lies outside of the extent " + dims().to_string() +
                            " in dimension " + std::to_string(d));
  }
  return Status();
}

std::optional<Box> Dataspace::selected_bounds() const {
  if (selected() == 0) return std::nullopt;
  return placed_selection().bounds(dims());
}

void Dataspace::set_selection_offset(const SelectionOffset& offset) {
  if (offset == kNoOffset)
    offset_.reset();
  else
    offset_ = std::make_shared<const SelectionOffset>(offset);
}

bool Dataspace::has_selection_offset() const {
  const SelectionOffset& offset = selection_offset();
  return std::any_of(offset.begin(), offset.begin() + ndims(),
                     [](std::int64_t o) { return o != 0; });
}

Selection Dataspace::placed_selection() const {
  return selection_.moved(selection_offset().data(), ndims());
}

}  // namespace pcio
