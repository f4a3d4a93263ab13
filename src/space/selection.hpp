// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: which elements of a dataspace take part in a transfer.

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/status.hpp"
#include "space/dims.hpp"
#include "space/span_tree.hpp"

namespace pcio {

/// Values are those of HDF5's H5S_sel_type.
enum class SelectionKind : std::int8_t { kNone = 0, kPoints = 1, kHyperslab = 2, kAll = 3 };

/// Values are those of HDF5's H5S_seloper_t.
enum class SelectOp : std::int8_t {
  kSet = 0,
  kOr,
  kAnd,
  kXor,
  kNotB,  ///< in the current selection and not in the new one
  kNotA,  ///< in the new one and not in the current selection
  kAppend,
  kPrepend,
};

/// A regular hyperslab: in each dimension `count` blocks of `block` elements, `stride` apart.
/// All four have the same size.
struct RegularSlab {
  Dims start;
  Dims stride;
  Dims count;
  Dims block;
  [[nodiscard]] unsigned ndims() const { return start.size(); }
  /// The pattern of one dimension with blocks that touch joined into one.
  [[nodiscard]] SlabDim dim(unsigned d) const {
    if (count[d] != 1 && stride[d] != block[d]) return {start[d], stride[d], count[d], block[d]};
    return {start[d], count[d] * block[d], 1, count[d] * block[d]};
  }
  /// A single block.
  static RegularSlab of_box(const Box& box);
};

/// A selection in an extent that its Dataspace holds.
///
/// Threads: a value type; copies share immutable parts.
class Selection {
 public:
  /// Everything.
  Selection() = default;
  static Selection all() { return Selection(); }
  static Selection none();

  [[nodiscard]] SelectionKind kind() const { return kind_; }
  /// Number of selected elements; kAll counts `extent`.
  [[nodiscard]] std::uint64_t npoints(const Dims& extent) const;
  /// Smallest box around the selection, without offset; nothing where it is empty.
  [[nodiscard]] std::optional<Box> bounds(const Dims& extent) const;

  /// Combines the selection with a regular hyperslab.
  /// On failure the selection is unchanged. Errors: ARGS BADVALUE (zero stride, overlapping blocks,
  /// unlimited count or block, coordinates beyond 64 bits); DATASPACE UNSUPPORTED (points).
  Status select_hyperslab(const Dims& extent, SelectOp op, const RegularSlab& slab);
  /// Sets, appends or prepends `npoints` points, coordinates as [npoints][ndims]. They may lie outside
  /// of `extent`, as hyperslabs may: check_selection() finds out. On failure the selection is
  /// unchanged. Errors: ARGS BADVALUE / UNSUPPORTED; ARGS OVERFLOW for the coordinate 2^64 - 1.
  Status select_points(const Dims& extent, SelectOp op, const std::uint64_t* coords,
                       std::uint64_t npoints);
  /// Combines with another hyperslab, all or none selection of the same extent.
  Status combine(const Dims& extent, SelectOp op, const Selection& other);
  /// Moves a hyperslab or point selection by -offset. On failure (below zero) it is unchanged.
  Status adjust(const Dims& extent, const std::int64_t* offset);

  /// True for a hyperslab that one start, stride, count, block describes.
  [[nodiscard]] bool is_regular() const { return kind_ == SelectionKind::kHyperslab && !tree_; }
  /// The regular description; only where is_regular().
  [[nodiscard]] const RegularSlab& regular() const { return slab_; }
  /// The span tree; null where the hyperslab is regular.
  [[nodiscard]] const SpanNodePtr& tree() const { return tree_; }
  /// The selection as a span tree, whatever hyperslab, all or none it is; null for nothing.
  [[nodiscard]] SpanNodePtr as_tree(const Dims& extent) const;

  /// Number of blocks in the block list of a hyperslab.
  [[nodiscard]] std::uint64_t nblocks() const;
  /// Blocks [first, first + n) in row-major order of their starts, each as 2 * ndims numbers: the
  /// first and the last coordinate. The caller has checked the range and gives 2 * ndims * n places.
  void blocklist(std::uint64_t first, std::uint64_t n, std::uint64_t* out) const;

  /// Coordinates [npoints][ndims] in list order; empty for other kinds.
  [[nodiscard]] const std::vector<std::uint64_t>& points() const;
  /// The same, kept alive for a cursor; null for other kinds.
  [[nodiscard]] std::shared_ptr<const std::vector<std::uint64_t>> shared_points() const {
    return points_;
  }
  /// True where an element inside the box is selected.
  [[nodiscard]] bool intersects(const Dims& extent, const Box& box) const;
  /// Number of selected elements inside the box.
  [[nodiscard]] std::uint64_t count_in(const Dims& extent, const Box& box) const;
  /// The part inside `box` with coordinates relative to box.start; `extent` is the one selected in.
  [[nodiscard]] Selection clip(const Dims& extent, const Box& box) const;

  /// The selection moved by `offset`; all is not moved. Coordinates must stay within 64 bits.
  [[nodiscard]] Selection moved(const std::int64_t* offset, unsigned ndims) const;
  /// Takes over a tree; a regular description is found where there is one.
  static Selection from_tree(SpanNodePtr tree, unsigned ndims);

 private:
  Status apply(const Dims& extent, SelectOp op, const Selection& other);
  bool extend_regular(const RegularSlab& more);
  [[nodiscard]] Selection clip_points(unsigned ndims, const Box& box) const;

  SelectionKind kind_ = SelectionKind::kAll;
  RegularSlab slab_;
  SpanNodePtr tree_;
  /// Shared between copies; copied before a change when not alone.
  std::shared_ptr<std::vector<std::uint64_t>> points_;
};

}  // namespace pcio
