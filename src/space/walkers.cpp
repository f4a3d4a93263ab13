// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: the two machines behind the run cursors: odometers over patterns and over span trees.

#include "space/walkers.hpp"

#include <algorithm>

namespace pcio::detail {

void RegularWalker::start(const SlabDim* slab, const Dims& sizes, const IndexWindow* window) {
  naxes_ = 0;
  base_offset_ = 0;
  base_sequence_ = 0;
  done_ = false;
  std::uint64_t pitch = 1;
  std::uint64_t sequence_pitch = 1;
  for (unsigned d = sizes.size(); d-- > 0;) {
    Axis axis{};
    axis.slab = slab[d];
    axis.first = window ? window->first[d] : 0;
    axis.last = window ? window->last[d] : slab[d].selected();
    if (axis.first >= axis.last) {
      done_ = true;
      return;
    }
    axis.size = sizes[d];
    axis.pitch = pitch;
    axis.sequence_pitch = sequence_pitch;
    pitch *= sizes[d];
    sequence_pitch *= slab[d].selected();
    add_axis(axis);
  }
  for (unsigned k = naxes_; k-- > 0;) {
    place(k, axes_[k].first);
    rewind_level(k);
  }
}

void RegularWalker::add_axis(const Axis& axis) {
  if (naxes_ == 0) {
    axes_[naxes_++] = axis;
    return;
  }
  Axis& top = axes_[naxes_ - 1];
  const bool whole = top.slab.count == 1 && top.slab.start == 0 && top.slab.block == top.size &&
                     top.first == 0 && top.last == top.size;
  if (whole) {
    const std::uint64_t n = top.size;
    top.slab = {axis.slab.start * n, axis.slab.stride * n, axis.slab.count, axis.slab.block * n};
    top.first = axis.first * n;
    top.last = axis.last * n;
    top.size = axis.size * n;
  } else if (axis.last - axis.first == 1) {
    base_offset_ += axis.slab.coordinate(axis.first) * axis.pitch;
    base_sequence_ += axis.first * axis.sequence_pitch;
  } else if (naxes_ > 1 || !join_evenly(axis)) {
    axes_[naxes_++] = axis;
  }
}

/// Makes one pattern of the fastest axis and of the one behind it, where their runs lie at even distances: the
/// blocks of one column of a table, or of every fourth element of whole rows. Turning that wheel is an addition.
bool RegularWalker::join_evenly(const Axis& axis) {
  Axis& top = axes_[0];
  // All of it, so that the numbers of elements go on as well.
  if (top.first != 0 || top.last != axis.sequence_pitch || top.last != top.slab.selected())
    return false;
  const SlabDim& next = axis.slab;
  SlabDim joined{next.start * axis.pitch + top.slab.start, 0, 0, top.slab.block};
  if (top.slab.count == 1 && next.count == 1) {
    joined.stride = axis.pitch;
    joined.count = next.block;
  } else if (top.slab.count == 1 && next.block == 1) {
    joined.stride = next.stride * axis.pitch;
    joined.count = next.count;
  } else if (next.count == 1 && top.slab.stride * top.slab.count == axis.pitch) {
    joined.stride = top.slab.stride;
    joined.count = top.slab.count * next.block;
  } else {
    return false;
  }
  if (joined.count > kUnlimited / joined.block) return false;
  top.slab = joined;
  top.first = axis.first * axis.sequence_pitch;
  top.last = axis.last * axis.sequence_pitch;
  top.size = axis.size * axis.pitch;
  return true;
}

void RegularWalker::place(unsigned k, std::uint64_t index) {
  Axis& a = axes_[k];
  a.index = index;
  if (a.slab.count == 1) {  // a box: no division
    a.in_block = index;
    a.coordinate = a.slab.start + index;
    return;
  }
  const std::uint64_t block = index / a.slab.block;
  a.in_block = index - block * a.slab.block;
  a.coordinate = a.slab.start + block * a.slab.stride + a.in_block;
}

void RegularWalker::rewind_level(unsigned k) {
  Axis& a = axes_[k];
  const bool slowest = k + 1 == naxes_;
  a.offset = (slowest ? base_offset_ : axes_[k + 1].offset) + a.coordinate * a.pitch;
  a.sequence = (slowest ? base_sequence_ : axes_[k + 1].sequence) + a.index * a.sequence_pitch;
}

bool RegularWalker::turn_slower() {
  unsigned k = 1;
  for (; k < naxes_; ++k) {
    Axis& a = axes_[k];
    if (++a.index == a.last) continue;
    ++a.coordinate;
    if (++a.in_block == a.slab.block) {
      a.in_block = 0;
      a.coordinate += a.slab.stride - a.slab.block;
    }
    rewind_level(k);
    break;
  }
  if (k >= naxes_) return false;
  while (k-- > 0) {
    place(k, axes_[k].first);
    rewind_level(k);
  }
  return true;
}

void RegularWalker::seek(std::uint64_t sequence) {
  done_ = false;
  for (unsigned k = naxes_; k-- > 0;) {
    const std::uint64_t pitch = axes_[k].sequence_pitch;
    const std::uint64_t index = pitch == 1 ? sequence : sequence / pitch;
    sequence -= index * pitch;
    place(k, index);
    rewind_level(k);
  }
}

void TreeWalker::start(SpanNodePtr tree, const Dims& sizes, SpanNodePtr whole,
                       const std::uint64_t* shift) {
  tree_ = std::move(tree);
  whole_ = std::move(whole);
  ndims_ = sizes.size();
  std::copy(shift, shift + ndims_, shift_.begin());
  sequence_ = 0;
  done_ = !tree_;
  std::uint64_t pitch = 1;
  for (unsigned d = ndims_; d-- > 0;) {
    pitch_[d] = pitch;
    pitch *= sizes[d];
  }
  if (done_) return;
  enter(0, tree_.get(), whole_.get());
  descend(0);
}

void TreeWalker::enter(unsigned d, const SpanNode* node, const SpanNode* whole) {
  levels_[d].node = node;
  levels_[d].whole = whole;
  levels_[d].span = 0;
  levels_[d].at = node->spans.front().low;
}

/// Offset, and sequence number in the whole tree, of the position of level d.
void TreeWalker::rewind_level(unsigned d) {
  Level& level = levels_[d];
  level.offset = (d == 0 ? 0 : levels_[d - 1].offset) + level.at * pitch_[d];
  if (!whole_) return;
  const std::uint64_t x = level.at + shift_[d];
  const Span& span = level.whole->spans[level.whole->first_ending_after(x)];
  level.sequence =
      (d == 0 ? 0 : levels_[d - 1].sequence) + span.before + (x - span.low) * SpanNode::below(span);
  if (d + 1 < ndims_) levels_[d + 1].whole = span.down.get();
}

/// Settles level d and goes to the first position below it.
void TreeWalker::descend(unsigned d) {
  rewind_level(d);
  for (; d + 1 < ndims_; ++d) {
    const Level& level = levels_[d];
    enter(d + 1, level.node->spans[level.span].down.get(), levels_[d + 1].whole);
    rewind_level(d + 1);
  }
}

bool TreeWalker::next(SequencedRun& run) {
  if (done_) return false;
  unsigned d = ndims_ - 1;
  Level& leaf = levels_[d];
  const std::uint64_t n = leaf.node->spans[leaf.span].high - leaf.at;
  run = {leaf.offset, n, whole_ ? leaf.sequence : sequence_};
  sequence_ += n;
  if (++leaf.span < leaf.node->spans.size()) {
    leaf.at = leaf.node->spans[leaf.span].low;
    rewind_level(d);
    return true;
  }
  while (d-- > 0) {
    Level& level = levels_[d];
    if (++level.at == level.node->spans[level.span].high) {
      if (++level.span == level.node->spans.size()) continue;
      level.at = level.node->spans[level.span].low;
    }
    descend(d);
    return true;
  }
  done_ = true;
  return true;
}

void TreeWalker::seek(std::uint64_t sequence) {
  done_ = false;
  sequence_ = sequence;
  const SpanNode* node = tree_.get();
  for (unsigned d = 0; d < ndims_; ++d) {
    const auto behind =
        std::upper_bound(node->spans.begin(), node->spans.end(), sequence,
                         [](std::uint64_t v, const Span& s) { return v < s.before; });
    const Span& span = *(behind - 1);
    const std::uint64_t below = SpanNode::below(span);
    sequence -= span.before;
    levels_[d].node = node;
    levels_[d].span = static_cast<std::size_t>(behind - 1 - node->spans.begin());
    levels_[d].at = span.low + sequence / below;
    rewind_level(d);
    sequence %= below;
    node = span.down.get();
  }
}

}  // namespace pcio::detail
