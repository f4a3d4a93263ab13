// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the shape of a dataset, attribute or buffer together with the selection in it.

#pragma once

#include <array>
#include <cstdint>

#include "base/status.hpp"
#include "space/dims.hpp"
#include "space/selection.hpp"

namespace pcio {

/// Values are those of HDF5's H5S_class_t.
enum class SpaceClass : std::int8_t { kNoClass = -1, kScalar = 0, kSimple = 1, kNull = 2 };

/// Moves the selection inside the extent, per dimension; does not change what is selected in it.
using SelectionOffset = std::array<std::int64_t, kMaxNdims>;

/// Extent and selection.
///
/// Threads: a value type.
class Dataspace {
 public:
  /// No class: an extent yet to be set.
  Dataspace() = default;
  /// `dims` [ndims], 1 to 32 dimensions (0 gives a scalar); `max`, when given, has as many and is
  /// nowhere smaller; kUnlimited is allowed in `max` only.
  /// More elements than 64 bits can count are as many as they can. Errors: ARGS BADVALUE.
  static Result<Dataspace> simple(const Dims& dims, const Dims* max = nullptr);
  static Dataspace scalar();
  static Dataspace null();
  /// Simple, with no dimensions yet and no elements: what H5Screate(H5S_SIMPLE) makes.
  static Dataspace without_extent();

  [[nodiscard]] SpaceClass cls() const { return cls_; }
  [[nodiscard]] unsigned ndims() const { return dims_.size(); }
  [[nodiscard]] const Dims& dims() const { return dims_; }
  /// Equal to dims() where no maximum was given.
  [[nodiscard]] const Dims& max_dims() const { return max_; }
  /// True where a dimension may grow.
  [[nodiscard]] bool extendible() const { return !(dims_ == max_); }
  /// Elements of the extent; 0 for null and for no class.
  [[nodiscard]] std::uint64_t npoints() const { return npoints_; }

  /// Changes the current size of a simple dataspace within its maximum; the selection stays (all
  /// stays all). On failure nothing is changed. Errors: DATASPACE BADRANGE; ARGS BADVALUE.
  Status set_dims(const Dims& dims);
  /// Takes over the extent of another dataspace. A selection stays if the number of dimensions does
  /// (all stays all) and becomes all otherwise; the selection offset becomes zero.
  void copy_extent(const Dataspace& other);
  /// Same class, current and maximum sizes.
  [[nodiscard]] bool same_extent(const Dataspace& other) const;

  [[nodiscard]] Selection& selection() { return selection_; }
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] const SelectionOffset& selection_offset() const { return offset_; }
  void set_selection_offset(const SelectionOffset& offset) { offset_ = offset; }
  [[nodiscard]] bool has_selection_offset() const;

  /// Selects a box; the operators and patterns are in selection().select_hyperslab(dims(), ...).
  Status select_box(const Box& box);
  /// Number of elements selected.
  [[nodiscard]] std::uint64_t selected() const;
  /// Success where every selected element, moved by the selection offset, lies in the extent.
  /// A cursor may be made only of a dataspace that passes. Errors: DATASPACE BADRANGE.
  [[nodiscard]] Status check_selection() const;
  /// Bounds of the selection with the offset added; nothing where nothing is selected.
  /// Only after check_selection().
  [[nodiscard]] std::optional<Box> selected_bounds() const;
  /// The selection with the offset applied. Only after check_selection().
  [[nodiscard]] Selection placed_selection() const;

  /// True where the selections have the same shape: equal after moving one and dropping leading
  /// dimensions of size 1.
  [[nodiscard]] bool shape_same(const Dataspace& other) const;

 private:
  SpaceClass cls_ = SpaceClass::kNoClass;
  Dims dims_;
  Dims max_;
  std::uint64_t npoints_ = 0;
  Selection selection_;
  SelectionOffset offset_{};
};

}  // namespace pcio
