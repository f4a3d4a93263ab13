// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the two machines behind the run cursors: odometers over patterns and over span trees.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "space/selection.hpp"

namespace pcio {

/// Elements [offset, offset + length) of an extent together with the sequence number of the first.
struct SequencedRun {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t sequence = 0;
};

namespace detail {

/// Selected indices [first, last) of each dimension that are walked.
struct IndexWindow {
  std::array<std::uint64_t, kMaxNdims> first;
  std::array<std::uint64_t, kMaxNdims> last;
};

/// Runs of a product of regular patterns, each possibly cut to a window of selected indices.
///
/// Dimensions that are whole and contiguous are folded into their slower neighbour, those with a
/// single index into a constant, two fastest ones whose runs lie at even distances into one pattern, so that the
/// odometer has as few wheels as possible.
/// Offsets are computed modulo 2^64: a pattern may start below the array that the window lies in.
class RegularWalker {
 public:
  /// `slab` [sizes.size()]; `sizes`: the array in which offsets are counted; `window` null for all.
  void start(const SlabDim* slab, const Dims& sizes, const IndexWindow* window);
  bool next(SequencedRun& run);
  /// Goes to element number `sequence`, which must exist; only without a window.
  void seek(std::uint64_t sequence);
  /// True where everything is one run.
  [[nodiscard]] bool single() const { return naxes_ == 1 && axes_[0].slab.count == 1; }
  /// True where all runs lie at even distances, and none touches the next one.
  [[nodiscard]] bool apart() const {
    return naxes_ == 1 && axes_[0].slab.block < axes_[0].slab.stride;
  }

 private:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): as axes_.
  struct Axis {
    SlabDim slab;
    std::uint64_t first;  // window of selected indices
    std::uint64_t last;
    std::uint64_t size;            // of the array in this axis
    std::uint64_t pitch;           // elements of the array per coordinate
    std::uint64_t sequence_pitch;  // elements of the selection per index
    // Position.
    std::uint64_t index;
    std::uint64_t in_block;    // index % block
    std::uint64_t coordinate;  // of index
    std::uint64_t offset;      // of this axis and all slower ones
    std::uint64_t sequence;    // of this axis and all slower ones
  };
  void add_axis(const Axis& axis);
  bool join_evenly(const Axis& axis);
  void place(unsigned k, std::uint64_t index);
  void rewind_level(unsigned k);
  bool turn_slower();

  // Fastest first. Not initialised beyond naxes_: a cursor is made for every chunk.
  std::array<Axis, kMaxNdims> axes_;
  unsigned naxes_ = 0;
  std::uint64_t base_offset_ = 0;
  std::uint64_t base_sequence_ = 0;
  bool done_ = true;
};

// In the header: of fine interleaves this is called once an element.
inline bool RegularWalker::next(SequencedRun& run) {
  if (done_) return false;
  if (naxes_ == 0) {  // no dimensions: one element
    run = {0, 1, 0};
    done_ = true;
    return true;
  }
  Axis& a = axes_[0];
  const std::uint64_t n = std::min(a.slab.block - a.in_block, a.last - a.index);
  run = {a.offset, n, a.sequence};
  a.index += n;
  if (a.index == a.last) {
    done_ = !turn_slower();
    return true;
  }
  // Not at the end, so a whole block was left behind. The fastest axis has pitch 1.
  const std::uint64_t step = a.slab.stride - a.in_block;
  a.in_block = 0;
  a.coordinate += step;
  a.offset += step;
  a.sequence += n;
  return true;
}

/// Runs of a span tree.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): as RegularWalker.
class TreeWalker {
 public:
  /// `sizes`: the array in which offsets are counted. Where `whole` is given, sequence numbers are
  /// those of that tree, in which the coordinates of `tree` lie `shift` [ndims] further.
  void start(SpanNodePtr tree, const Dims& sizes, SpanNodePtr whole, const std::uint64_t* shift);
  bool next(SequencedRun& run);
  /// Goes to element number `sequence`, which must exist; only without a whole tree.
  void seek(std::uint64_t sequence);

 private:
  struct Level {
    const SpanNode* node;
    std::size_t span;
    std::uint64_t at;      // coordinate inside the span
    std::uint64_t offset;  // of this level and all slower ones
    // The same position in the whole tree.
    const SpanNode* whole;
    std::uint64_t sequence;
  };
  void enter(unsigned d, const SpanNode* node, const SpanNode* whole);
  void rewind_level(unsigned d);
  void descend(unsigned d);

  SpanNodePtr tree_;
  SpanNodePtr whole_;
  std::array<Level, kMaxNdims> levels_;
  std::array<std::uint64_t, kMaxNdims> pitch_;
  std::array<std::uint64_t, kMaxNdims> shift_;
  unsigned ndims_ = 0;
  std::uint64_t sequence_ = 0;
  bool done_ = true;
};

}  // namespace detail

}  // namespace pcio
