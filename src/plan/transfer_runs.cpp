// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which elements of the file belong to which elements of memory, streamed.

#include "plan/transfer_runs.hpp"

#include <algorithm>

#include "base/radix_sort.hpp"

namespace pcio {

namespace {

Dataspace without_offset(const Dataspace& space) {
  Dataspace placed = space;
  placed.selection() = space.placed_selection();
  placed.set_selection_offset({});
  return placed;
}

}  // namespace

Status check_transfer(const Dataspace& file, const Dataspace& memory) {
  if (file.selected() != memory.selected())
    return PCIO_ERROR(ARGS, BADVALUE,
                      "file selection has " + std::to_string(file.selected()) +
                          " elements, memory selection " + std::to_string(memory.selected()));
  PCIO_TRY(file.check_selection());
  return memory.check_selection();
}

bool PieceCursor::next(Piece& piece) {
  if (file_run_.length == 0 && !file_.next(file_run_)) return false;
  if (memory_run_.length == 0 && !memory_.next(memory_run_)) return false;
  const std::uint64_t n = std::min(file_run_.length, memory_run_.length);
  piece = {file_run_.offset, memory_run_.offset, n};
  file_run_ = {file_run_.offset + n, file_run_.length - n};
  memory_run_ = {memory_run_.offset + n, memory_run_.length - n};
  return true;
}

ChunkPieceCursor::ChunkPieceCursor(const ChunkGrid& grid, const Dataspace& file,
                                   const Dataspace& memory)
    : grid_(grid), file_(without_offset(file)), chunks_(file_, grid.chunk()), memory_(memory) {
  if (file_.selection().kind() == SelectionKind::kPoints) sort_points();
}

/// Points come in any order: their numbers are sorted by chunk, once.
void ChunkPieceCursor::sort_points() {
  const std::vector<std::uint64_t>& list = file_.selection().points();
  const unsigned n = file_.ndims();
  points_.reserve(list.size() / n);
  for (std::size_t i = 0; i < list.size(); i += n) {
    ChunkOrdinal chunk = 0;
    for (unsigned d = 0; d < n; ++d)
      chunk = chunk * grid_.grid()[d] + list[i + d] / grid_.chunk()[d];
    points_.push_back({chunk, i / n});
  }
  // They are numbered in the order of the selection, which a stable sort keeps.
  radix_sort(points_, [](const PointOfChunk& point) { return point.chunk; });
}

bool ChunkPieceCursor::next_points_chunk() {
  first_point_ = points_end_;
  point_ = first_point_;
  if (point_ == points_.size()) return false;
  coords_ = grid_.coords(points_[point_].chunk);
  while (points_end_ < points_.size() && points_[points_end_].chunk == points_[point_].chunk)
    ++points_end_;
  return true;
}

bool ChunkPieceCursor::next_chunk() {
  file_run_ = {};
  if (!points_.empty()) return next_points_chunk();
  if (!chunks_.next(coords_)) return false;
  file_runs_.emplace(file_, grid_.full_box(coords_));
  return true;
}

void ChunkPieceCursor::go_to_chunk(const Dims& coords) {
  file_run_ = {};
  coords_ = coords;
  if (!points_.empty()) {
    const auto range = std::equal_range(
        points_.begin(), points_.end(), PointOfChunk{grid_.ordinal(coords), 0},
        [](const PointOfChunk& a, const PointOfChunk& b) { return a.chunk < b.chunk; });
    first_point_ = point_ = static_cast<std::size_t>(range.first - points_.begin());
    points_end_ = static_cast<std::size_t>(range.second - points_.begin());
    return;
  }
  file_runs_.emplace(file_, grid_.full_box(coords_));
}

bool ChunkPieceCursor::next_file_run() {
  if (points_.empty()) return file_runs_ && file_runs_->next(file_run_);
  if (point_ == points_end_) return false;
  const unsigned n = file_.ndims();
  const std::uint64_t sequence = points_[point_++].sequence;
  const std::uint64_t* at = file_.selection().points().data() + sequence * n;
  std::uint64_t offset = 0;
  for (unsigned d = 0; d < n; ++d) offset = offset * grid_.chunk()[d] + at[d] % grid_.chunk()[d];
  file_run_ = {offset, 1, sequence};
  return true;
}

/// Makes memory_run_ start at element number `sequence`.
void ChunkPieceCursor::seek_memory(std::uint64_t sequence) {
  if (memory_run_.length > 0 && memory_run_.sequence == sequence) return;
  // What lies a little ahead in the same run, as the next row of a chunk often does, needs no search.
  const std::uint64_t ahead = sequence - memory_run_.sequence;
  if (sequence > memory_run_.sequence && ahead < memory_run_.length) {
    memory_run_ = {memory_run_.offset + ahead, memory_run_.length - ahead, sequence};
    return;
  }
  // Where a run ended, the cursor stands at the element that follows it.
  if (memory_run_.length > 0 || memory_run_.sequence != sequence) memory_.seek(sequence);
  memory_.next_unjoined(memory_run_);
}

bool ChunkPieceCursor::next(Piece& piece) {
  if (file_run_.length == 0 && !next_file_run()) return false;
  if (memory_.contiguous()) {
    piece = {file_run_.offset, memory_.contiguous_offset() + file_run_.sequence, file_run_.length};
    file_run_.length = 0;
    return true;
  }
  seek_memory(file_run_.sequence);
  const std::uint64_t n = std::min(file_run_.length, memory_run_.length);
  piece = {file_run_.offset, memory_run_.offset, n};
  file_run_ = {file_run_.offset + n, file_run_.length - n, file_run_.sequence + n};
  memory_run_ = {memory_run_.offset + n, memory_run_.length - n, memory_run_.sequence + n};
  return true;
}

std::uint64_t ChunkPieceCursor::chunk_selected() const {
  if (!points_.empty()) return points_end_ - first_point_;
  return selected_in(file_, grid_.full_box(coords_));
}

bool ChunkPieceCursor::covers_chunk() const {
  // Points may repeat, so their number proves nothing.
  if (!points_.empty()) return false;
  return chunk_selected() == grid_.box(coords_).volume();
}

}  // namespace pcio
