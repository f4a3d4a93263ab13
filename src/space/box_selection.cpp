// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection seen through boxes: the chunks it touches, and its part inside one.

#include "space/box_selection.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/radix_sort.hpp"

namespace pcio {

TouchedChunks::TouchedChunks(const Dataspace& space, const Dims& chunk) : chunk_(chunk) {
  if (space.selected() == 0) return;
  const Dims& dims = space.dims();
  at_ = Dims(dims.size());
  const Selection selection = space.placed_selection();
  if (selection.kind() == SelectionKind::kPoints) {
    source_ = Source::kPoints;
    collect_points(selection, dims);
    return;
  }
  if (selection.tree()) {
    source_ = Source::kTree;
    tree_ = selection.tree();
    nodes_.resize(dims.size());
    nodes_[0].push_back(tree_.get());
    return;
  }
  source_ = Source::kRegular;
  const bool all = selection.kind() == SelectionKind::kAll;
  for (unsigned d = 0; d < dims.size(); ++d)
    slab_[d] = all ? SlabDim{0, dims[d], 1, dims[d]} : selection.regular().dim(d);
}

/// Smallest selected coordinate >= x of dimension d, kUnlimited where there is none.
std::uint64_t TouchedChunks::first_touched(unsigned d, std::uint64_t x) const {
  if (source_ == Source::kRegular) {
    const std::uint64_t index = slab_[d].index_of(x);
    return index < slab_[d].selected() ? slab_[d].coordinate(index) : kUnlimited;
  }
  std::uint64_t first = kUnlimited;
  for (const SpanNode* node : nodes_[d]) {
    const std::size_t i = node->first_ending_after(x);
    if (i < node->spans.size()) first = std::min(first, std::max(x, node->spans[i].low));
  }
  return first;
}

/// Goes to the first touched chunk index >= from in dimension d, under the slower ones.
bool TouchedChunks::first_at(unsigned d, std::uint64_t from) {
  const auto x = checked_mul(from, chunk_[d]);
  if (!x) return false;
  const std::uint64_t first = first_touched(d, *x);
  if (first == kUnlimited) return false;
  at_[d] = first / chunk_[d];
  if (source_ == Source::kTree && d + 1 < at_.size()) collect_below(d);
  return true;
}

/// The nodes of dimension d + 1 that hang below the current chunk index of dimension d.
void TouchedChunks::collect_below(unsigned d) {
  std::vector<const SpanNode*>& below = nodes_[d + 1];
  below.clear();
  const std::uint64_t from = at_[d] * chunk_[d];
  for (const SpanNode* node : nodes_[d])
    for (std::size_t i = node->first_ending_after(from); i < node->spans.size(); ++i) {
      const Span& span = node->spans[i];
      if (span.low > from && span.low - from >= chunk_[d]) break;
      below.push_back(span.down.get());
    }
  std::sort(below.begin(), below.end());
  below.erase(std::unique(below.begin(), below.end()), below.end());
}

bool TouchedChunks::next(Dims& chunk_coords) {
  if (source_ == Source::kNothing) return false;
  if (source_ == Source::kPoints) return next_point(chunk_coords);
  const unsigned n = at_.size();
  unsigned d = 0;
  if (started_) {
    for (d = n; d > 0; --d)
      if (first_at(d - 1, at_[d - 1] + 1)) break;
    if (d == 0) {
      source_ = Source::kNothing;
      return false;
    }
  }
  started_ = true;
  for (; d < n; ++d) (void)first_at(d, 0);  // below a touched chunk there always is one
  chunk_coords = at_;
  return true;
}

void TouchedChunks::collect_points(const Selection& selection, const Dims& dims) {
  // The grid has at most as many chunks as the extent has elements: ordinals fit in 64 bits.
  grid_ = dims;
  for (unsigned d = 0; d < dims.size(); ++d) grid_[d] = ceil_div(dims[d], chunk_[d]);
  const std::vector<std::uint64_t>& points = selection.points();
  ordinals_.reserve(points.size() / dims.size());
  for (std::size_t i = 0; i < points.size(); i += dims.size()) {
    std::uint64_t ordinal = 0;
    for (unsigned d = 0; d < dims.size(); ++d)
      ordinal = ordinal * grid_[d] + points[i + d] / chunk_[d];
    ordinals_.push_back(ordinal);
  }
  radix_sort(ordinals_, [](std::uint64_t ordinal) { return ordinal; });
  ordinals_.erase(std::unique(ordinals_.begin(), ordinals_.end()), ordinals_.end());
}

bool TouchedChunks::next_point(Dims& chunk_coords) {
  if (ordinal_ == ordinals_.size()) return false;
  std::uint64_t rest = ordinals_[ordinal_++];
  for (unsigned d = grid_.size(); d-- > 0;) {
    at_[d] = rest % grid_[d];
    rest /= grid_[d];
  }
  chunk_coords = at_;
  return true;
}

std::uint64_t count_touched_chunks(const Dataspace& space, const Dims& chunk) {
  const Selection& selection = space.selection();
  const bool boxes = selection.kind() == SelectionKind::kAll ||
                     (selection.is_regular() && selection.regular().count == Dims(chunk.size(), 1));
  std::uint64_t product = 1;
  if (const auto bounds = boxes ? space.selected_bounds() : std::nullopt) {
    for (unsigned d = 0; d < chunk.size(); ++d) {
      const std::uint64_t last = bounds->start[d] + bounds->count[d] - 1;
      product *= last / chunk[d] - bounds->start[d] / chunk[d] + 1;
    }
    return product;
  }
  std::uint64_t n = 0;
  for_each_chunk(space, chunk, [&n](const Dims&) { ++n; });
  return n;
}

Result<Dataspace> clip(const Dataspace& space, const Box& box) {
  if (box.ndims() != space.ndims())
    return PCIO_ERROR(DATASPACE, BADRANGE, "box and dataspace differ in dimensions");
  PCIO_ASSIGN(Dataspace part, Dataspace::simple(box.count));
  if (space.selected() == 0)
    part.selection() = Selection::none();
  else
    part.selection() = space.placed_selection().clip(space.dims(), box);
  return part;
}

std::uint64_t selected_in(const Dataspace& space, const Box& box) {
  if (space.selected() == 0) return 0;
  return space.placed_selection().count_in(space.dims(), box);
}

}  // namespace pcio
