// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: what can be asked of a selection.

#include <algorithm>

#include "base/never_destroyed.hpp"
#include "space/unlimited.hpp"

namespace pcio {

namespace {

/// Visits the leaf paths of a tree; skips `first_` of them by the counts in the nodes.
class BlockWriter {
 public:
  BlockWriter(std::uint64_t first, std::uint64_t n, std::uint64_t* out, unsigned ndims)
      : first_(first), left_(n), out_(out), ndims_(ndims) {}
  void run(const SpanNode& node, unsigned d) {
    for (const Span& span : node.spans) {
      if (left_ == 0) return;
      const std::uint64_t blocks = span.down ? span.down->blocks : 1;
      if (first_ >= blocks) {
        first_ -= blocks;
        continue;
      }
      low_[d] = span.low;
      high_[d] = span.high - 1;
      if (span.down)
        run(*span.down, d + 1);
      else
        write();
    }
  }

 private:
  void write() {
    out_ = std::copy(low_.data(), low_.data() + ndims_, out_);
    out_ = std::copy(high_.data(), high_.data() + ndims_, out_);
    --left_;
  }
  std::uint64_t first_;
  std::uint64_t left_;
  std::uint64_t* out_;
  unsigned ndims_;
  std::array<std::uint64_t, kMaxNdims> low_{};
  std::array<std::uint64_t, kMaxNdims> high_{};
};

/// Selected indices [first, last) of one dimension that lie in [from, from + count).
struct Window {
  std::uint64_t first;
  std::uint64_t last;
};

Window window_of(const SlabDim& dim, std::uint64_t from, std::uint64_t count) {
  const std::uint64_t end = count > kUnlimited - from ? kUnlimited : from + count;
  return {dim.index_of(from), dim.index_of(end)};
}

/// The pattern cut to a window, relative to `from`; false where no pattern describes it.
bool cut_pattern(const SlabDim& dim, Window w, std::uint64_t from, SlabDim& out) {
  const std::uint64_t n = w.last - w.first;
  const std::uint64_t head = w.first % dim.block;
  const std::uint64_t start = dim.coordinate(w.first) - from;
  if (head + n <= dim.block) {
    out = {start, n, 1, n};
    return true;
  }
  out = {start, dim.stride, n / dim.block, dim.block};
  return head == 0 && n % dim.block == 0;
}

/// The pattern without the blocks outside of the window; blocks at the border stay whole.
SlabDim drop_blocks(const SlabDim& dim, Window w) {
  const std::uint64_t first = w.first / dim.block;
  const std::uint64_t last = (w.last - 1) / dim.block;
  return {dim.start + first * dim.stride, dim.stride, last - first + 1, dim.block};
}

}  // namespace

std::uint64_t Selection::npoints(const Dims& extent) const {
  switch (kind_) {
    case SelectionKind::kAll: return extent.volume().value_or(kUnlimited);
    case SelectionKind::kPoints: return points_->size() / std::max(1U, extent.size());
    case SelectionKind::kHyperslab: break;
    case SelectionKind::kNone: return 0;
  }
  if (tree_) return tree_->elements;
  if (is_unlimited(*this)) return kUnlimited;
  std::uint64_t product = 1;
  for (unsigned d = 0; d < slab_.ndims(); ++d) product *= slab_.count[d] * slab_.block[d];
  return product;
}

std::optional<Box> Selection::bounds(const Dims& extent) const {
  const unsigned n = extent.size();
  if (npoints(extent) == 0) return std::nullopt;
  if (kind_ == SelectionKind::kAll) return Box::whole(extent);
  if (tree_) return span_tree::bounds(tree_, n);
  Box box{Dims(n, kUnlimited), Dims(n)};
  if (kind_ == SelectionKind::kHyperslab) {
    box.start = slab_.start;
    for (unsigned d = 0; d < n; ++d)
      box.count[d] = (unlimited_dim(slab_) == d ? kUnlimited : slab_.dim(d).end()) - slab_.start[d];
    return box;
  }
  Dims high(n);
  for (std::size_t i = 0; i < points_->size(); ++i) {
    const unsigned d = static_cast<unsigned>(i % n);
    box.start[d] = std::min(box.start[d], (*points_)[i]);
    high[d] = std::max(high[d], (*points_)[i]);
  }
  for (unsigned d = 0; d < n; ++d) box.count[d] = high[d] - box.start[d] + 1;
  return box;
}

std::uint64_t Selection::nblocks() const {
  if (kind_ != SelectionKind::kHyperslab) return 0;
  if (tree_) return tree_->blocks;
  return slab_.count.volume().value_or(kUnlimited);
}

void Selection::blocklist(std::uint64_t first, std::uint64_t n, std::uint64_t* out) const {
  if (kind_ != SelectionKind::kHyperslab || n == 0) return;
  if (tree_) {
    // All paths of a tree have the depth of the dataspace.
    unsigned ndims = 0;
    for (const SpanNode* node = tree_.get(); node; node = node->spans.front().down.get()) ++ndims;
    BlockWriter(first, n, out, ndims).run(*tree_, 0);
    return;
  }
  const unsigned ndims = slab_.ndims();
  for (std::uint64_t i = first; i < first + n; ++i, out += 2 * std::size_t{ndims}) {
    std::uint64_t rest = i;
    for (unsigned d = ndims; d-- > 0;) {
      out[d] = slab_.start[d] + rest % slab_.count[d] * slab_.stride[d];
      out[ndims + d] = out[d] + slab_.block[d] - 1;
      rest /= slab_.count[d];
    }
  }
}

const std::vector<std::uint64_t>& Selection::points() const {
  static NeverDestroyed<const std::vector<std::uint64_t>> none;
  return points_ ? *points_ : *none;
}

bool Selection::intersects(const Dims& extent, const Box& box) const {
  if (tree_) return span_tree::intersects(tree_, box);
  if (is_unlimited(*this)) {
    Selection inside;
    if (box.empty() ||
        !inside.select_hyperslab(extent, SelectOp::kSet, RegularSlab::of_box(box)).ok())
      return false;
    return ending_with(extent, *this, inside).intersects(extent, box);
  }
  return count_in(extent, box) > 0;
}

std::uint64_t Selection::count_in(const Dims& extent, const Box& box) const {
  const unsigned n = extent.size();
  if (kind_ == SelectionKind::kNone) return 0;
  if (kind_ == SelectionKind::kAll)
    return Box::whole(extent).intersect(box).volume().value_or(kUnlimited);
  if (tree_) return span_tree::count_in(tree_, box);
  if (kind_ == SelectionKind::kPoints) return clip_points(n, box).npoints(extent);
  std::uint64_t product = 1;
  for (unsigned d = 0; d < n; ++d) {
    const Window w = window_of(slab_.dim(d), box.start[d], box.count[d]);
    product *= w.last - w.first;
  }
  return product;
}

Selection Selection::clip(const Dims& extent, const Box& box) const {
  const unsigned n = extent.size();
  if (kind_ == SelectionKind::kNone || count_in(extent, box) == 0) return none();
  if (n == 0) return *this;
  if (kind_ == SelectionKind::kPoints) return clip_points(n, box);
  if (tree_) return from_tree(span_tree::clip(tree_, box), n);
  std::array<SlabDim, kMaxNdims> cut;
  std::array<SlabDim, kMaxNdims> whole_blocks;
  bool regular = true;
  for (unsigned d = 0; d < n; ++d) {
    const SlabDim dim =
        kind_ == SelectionKind::kAll ? SlabDim{0, extent[d], 1, extent[d]} : slab_.dim(d);
    const Window w = window_of(dim, box.start[d], box.count[d]);
    regular = cut_pattern(dim, w, box.start[d], cut[d]) && regular;
    whole_blocks[d] = drop_blocks(dim, w);
  }
  if (!regular) return from_tree(span_tree::clip(span_tree::build(whole_blocks.data(), n), box), n);
  Selection s;
  s.kind_ = SelectionKind::kHyperslab;
  s.slab_ = RegularSlab{Dims(n), Dims(n), Dims(n), Dims(n)};
  bool everything = true;
  for (unsigned d = 0; d < n; ++d) {
    s.slab_.start[d] = cut[d].start;
    s.slab_.stride[d] = cut[d].stride;
    s.slab_.count[d] = cut[d].count;
    s.slab_.block[d] = cut[d].block;
    everything = everything && cut[d].count == 1 && cut[d].block == box.count[d];
  }
  return everything ? all() : s;
}

Selection Selection::clip_points(unsigned ndims, const Box& box) const {
  Selection s = none();
  auto kept = std::make_shared<std::vector<std::uint64_t>>();
  for (std::size_t i = 0; i < points_->size(); i += ndims) {
    const Dims point = Dims::from(points_->data() + i, ndims);
    if (!box.contains(point)) continue;
    for (unsigned d = 0; d < ndims; ++d) kept->push_back(point[d] - box.start[d]);
  }
  if (kept->empty()) return s;
  s.kind_ = SelectionKind::kPoints;
  s.points_ = std::move(kept);
  return s;
}

}  // namespace pcio
