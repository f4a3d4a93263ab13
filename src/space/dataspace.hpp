// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the shape of a dataset, attribute or buffer together with the selection in it.

#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/status.hpp"
#include "space/dims.hpp"
#include "space/selection.hpp"

namespace pcio {

/// Values are those of HDF5's H5S_class_t.
enum class SpaceClass : std::int8_t { kNoClass = -1, kScalar = 0, kSimple = 1, kNull = 2 };

/// Moves the selection inside the extent, per dimension; does not change what is selected in it.
using SelectionOffset = std::array<std::int64_t, kMaxNdims>;

/// Class, current and maximum sizes.
///
/// Threads: a value type.
class Extent {
 public:
  /// No class: an extent yet to be set.
  Extent() = default;
  /// `dims` [ndims], 1 to 32 dimensions (0 gives a scalar); `max`, when given, has as many and is
  /// nowhere smaller; kUnlimited is allowed in `max` only.
  /// More elements than 64 bits can count are as many as they can. Errors: ARGS BADVALUE.
  static Result<Extent> simple(const Dims& dims, const Dims* max = nullptr);
  static Extent scalar() { return Extent(SpaceClass::kScalar, 1); }
  static Extent null() { return Extent(SpaceClass::kNull, 0); }
  /// Simple, with no dimensions yet and no elements: what H5Screate(H5S_SIMPLE) makes.
  static Extent without_extent() { return Extent(SpaceClass::kSimple, 0); }

  [[nodiscard]] SpaceClass cls() const { return cls_; }
  [[nodiscard]] unsigned ndims() const { return dims_.size(); }
  [[nodiscard]] const Dims& dims() const { return dims_; }
  /// Equal to dims() where no maximum was given.
  [[nodiscard]] const Dims& max_dims() const { return max_ ? *max_ : dims_; }
  /// True where a dimension may grow.
  [[nodiscard]] bool extendible() const { return max_ && !(dims_ == *max_); }
  /// Elements of the extent; 0 for null and for no class.
  [[nodiscard]] std::uint64_t npoints() const { return npoints_; }
  /// Same class, current and maximum sizes.
  [[nodiscard]] bool same_extent(const Extent& other) const;

  /// Changes the current size of a simple extent within its maximum; a selection stays (all
  /// stays all). On failure nothing is changed. Errors: DATASPACE BADRANGE; ARGS BADVALUE.
  /// Asks for memory where the extent was as large as it can be.
  Status set_dims(const Dims& dims);

 private:
  Extent(SpaceClass cls, std::uint64_t npoints) : cls_(cls), npoints_(npoints) {}

  SpaceClass cls_ = SpaceClass::kNoClass;
  std::uint64_t npoints_ = 0;
  Dims dims_;
  std::shared_ptr<const Dims> max_;  ///< null: dims_, as most have it
};

/// Extent and selection.
///
/// Threads: a value type.
class Dataspace : public Extent {
 public:
  Dataspace() = default;
  /// Everything is selected.
  Dataspace(const Extent& extent) : Extent(extent) {}  // NOLINT: an extent is a whole dataspace
  /// As of an Extent.
  static Result<Dataspace> simple(const Dims& dims, const Dims* max = nullptr);
  static Dataspace scalar() { return Extent::scalar(); }
  static Dataspace null() { return Extent::null(); }
  static Dataspace without_extent() { return Extent::without_extent(); }
  [[nodiscard]] const Extent& extent() const { return *this; }

  /// Takes over an extent. A selection stays if the number of dimensions does
  /// (all stays all) and becomes all otherwise; the selection offset becomes zero.
  void copy_extent(const Extent& other);

  [[nodiscard]] Selection& selection() { return selection_; }
  [[nodiscard]] const Selection& selection() const { return selection_; }
  [[nodiscard]] const SelectionOffset& selection_offset() const {
    return offset_ ? *offset_ : kNoOffset;
  }
  /// Asks for memory where it is not zero.
  void set_selection_offset(const SelectionOffset& offset);
  /// That of another one, without asking for memory.
  void copy_selection_offset(const Dataspace& other) { offset_ = other.offset_; }
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
  Selection selection_;
  static constexpr SelectionOffset kNoOffset{};
  std::shared_ptr<const SelectionOffset> offset_;  ///< null: zero
};

}  // namespace pcio
