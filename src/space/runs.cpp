// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: a selection as contiguous runs of elements, streamed in selection order.

#include "space/runs.hpp"

#include <algorithm>

namespace pcio {

// A cursor is made for every chunk: arrays are written as far as they are read.
// NOLINTBEGIN(cppcoreguidelines-pro-type-member-init)
RunCursor::RunCursor(const Dataspace& space) { start(space, nullptr); }
RunCursor::RunCursor(const Dataspace& space, const Box& box) { start(space, &box); }
// NOLINTEND(cppcoreguidelines-pro-type-member-init)

void RunCursor::start(const Dataspace& space, const Box* box) {
  if (space.selected() == 0) return;
  // A cursor is made for every chunk: the selection is copied only where it has to be moved.
  if (space.has_selection_offset())
    start(space.placed_selection(), space.dims(), box);
  else
    start(space.selection(), space.dims(), box);
}

void RunCursor::start(const Selection& selection, const Dims& extent, const Box* box) {
  if (selection.kind() == SelectionKind::kPoints) {
    points_ = selection.shared_points();
    start_points(extent, box);
  } else if (!selection.tree()) {
    start_regular(selection, extent, box);
  } else if (!box) {
    source_ = Source::kTree;
    tree_.start(selection.tree(), extent, nullptr, extent.data());
  } else {
    source_ = Source::kTree;
    tree_.start(span_tree::clip(selection.tree(), *box), box->count, selection.tree(),
                box->start.data());
  }
}

void RunCursor::start_regular(const Selection& selection, const Dims& extent, const Box* box) {
  source_ = Source::kRegular;
  const bool all = selection.kind() == SelectionKind::kAll;
  std::array<SlabDim, kMaxNdims> slab;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written as far as it is read.
  detail::IndexWindow window;
  for (unsigned d = 0; d < extent.size(); ++d) {
    slab[d] = all ? SlabDim{0, extent[d], 1, extent[d]} : selection.regular().dim(d);
    if (!box) continue;
    const std::uint64_t from = box->start[d];
    const std::uint64_t end = box->count[d] > kUnlimited - from ? kUnlimited : from + box->count[d];
    window.first[d] = slab[d].index_of(from);
    window.last[d] = slab[d].index_of(end);
    slab[d].start -= from;
  }
  regular_.start(slab.data(), box ? box->count : extent, box ? &window : nullptr);
  apart_ = regular_.apart();
  if (box || !(extent.empty() || regular_.single())) return;
  contiguous_ = true;
  std::uint64_t pitch = 1;
  for (unsigned d = extent.size(); d-- > 0;) {
    contiguous_offset_ += slab[d].start * pitch;
    pitch *= extent[d];
  }
}

void RunCursor::start_points(const Dims& extent, const Box* box) {
  source_ = Source::kPoints;
  ndims_ = extent.size();
  for (unsigned d = 0; d < ndims_; ++d) {
    window_start_[d] = box ? box->start[d] : 0;
    window_count_[d] = box ? box->count[d] : extent[d];
  }
}

bool RunCursor::next_point(SequencedRun& run) {
  for (; point_ < points_->size() / ndims_; ++point_) {
    const std::uint64_t* point = points_->data() + point_ * ndims_;
    std::uint64_t offset = 0;
    bool inside = true;
    for (unsigned d = 0; d < ndims_; ++d) {
      const std::uint64_t x = point[d] - window_start_[d];
      inside = inside && point[d] >= window_start_[d] && x < window_count_[d];
      offset = offset * window_count_[d] + x;
    }
    if (!inside) continue;
    run = {offset, 1, point_++};
    return true;
  }
  return false;
}

bool RunCursor::raw(SequencedRun& run) {
  switch (source_) {
    case Source::kRegular: return regular_.next(run);
    case Source::kTree: return tree_.next(run);
    case Source::kPoints: return next_point(run);
    case Source::kNothing: break;
  }
  return false;
}

bool RunCursor::next_joined(SequencedRun& run) {
  if (has_next_)
    run = next_;
  else if (!raw(run))
    return false;
  has_next_ = false;
  while (raw(next_)) {
    const bool continues =
        next_.offset == run.offset + run.length && next_.sequence == run.sequence + run.length;
    if (!continues) {
      has_next_ = true;
      break;
    }
    run.length += next_.length;
  }
  return true;
}

void RunCursor::seek(std::uint64_t sequence) {
  has_next_ = false;
  if (source_ == Source::kRegular)
    regular_.seek(sequence);
  else if (source_ == Source::kTree)
    tree_.seek(sequence);
  else
    point_ = sequence;
}

ChunkRunCursor::ChunkRunCursor(const Dataspace& space, const Dims& chunk)
    : runs_(space), dims_(space.dims()), chunk_(chunk), at_(dims_.size()), grid_(dims_.size()) {}

/// Coordinates of an offset; once per run, all further steps are additions.
void ChunkRunCursor::locate(std::uint64_t offset) {
  for (unsigned d = dims_.size(); d-- > 0;) {
    at_[d] = offset % dims_[d];
    offset /= dims_[d];
  }
  enter_row();
}

void ChunkRunCursor::enter_row() {
  row_ = 0;
  for (unsigned d = 0; d + 1 < dims_.size(); ++d) {
    grid_[d] = at_[d] / chunk_[d];
    row_ = (row_ + at_[d] - grid_[d] * chunk_[d]) * chunk_[d + 1];
  }
}

void ChunkRunCursor::advance(std::uint64_t n) {
  unsigned d = dims_.size() - 1;
  at_[d] += n;
  if (at_[d] < dims_[d]) return;
  while (d > 0 && at_[d] == dims_[d]) {
    at_[d] = 0;
    ++at_[--d];
  }
  enter_row();
}

/// The next part of the current run that lies in one row of one chunk.
bool ChunkRunCursor::piece(ChunkRun& run) {
  if (left_ == 0) {
    Run next;
    if (!runs_.next(next)) return false;
    left_ = next.length;
    locate(next.offset);
  }
  if (dims_.empty()) {
    run = {Dims(), 0, 1};
    left_ = 0;
    return true;
  }
  const unsigned last = dims_.size() - 1;
  const std::uint64_t index = at_[last] / chunk_[last];
  const std::uint64_t within = at_[last] - index * chunk_[last];
  const std::uint64_t n = std::min({left_, chunk_[last] - within, dims_[last] - at_[last]});
  grid_[last] = index;
  run.chunk = grid_;
  run.offset = row_ + within;
  run.length = n;
  left_ -= n;
  if (left_ > 0) advance(n);
  return true;
}

bool ChunkRunCursor::next(ChunkRun& run) {
  if (has_ready_)
    run = ready_;
  else if (!piece(run))
    return false;
  has_ready_ = false;
  while (piece(ready_)) {
    if (ready_.offset != run.offset + run.length || !(ready_.chunk == run.chunk)) {
      has_ready_ = true;
      break;
    }
    run.length += ready_.length;
  }
  return true;
}

}  // namespace pcio
