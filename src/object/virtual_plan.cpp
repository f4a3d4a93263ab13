// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: VirtualPlan.

#include "object/virtual_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "plan/transfer_runs.hpp"
#include "space/project.hpp"

namespace pcio {

namespace {

/// `space`'s selection in `extent`; all of it where everything is selected.
Result<Dataspace> within(const Dataspace& space, const Extent& extent, const char* what) {
  Dataspace placed = extent;
  placed.selection() = space.selection();
  if (space.selection().kind() == SelectionKind::kAll ||
      space.selection().kind() == SelectionKind::kNone)
    return placed;
  if (space.ndims() != extent.ndims() || !placed.check_selection().ok())
    return PCIO_ERROR(DATASET, BADRANGE,
                      std::string("the selection in ") + what + " of a virtual dataset leaves it");
  return placed;
}

Dataspace placed(const Dataspace& space) {
  Dataspace out = space;
  out.selection() = space.placed_selection();
  out.set_selection_offset({});
  return out;
}
/// `selected`'s selection in the extent of `space`.
Dataspace selected_in(const Dataspace& space, const Dataspace& selected) {
  Dataspace out = space;
  out.selection() = selected.selection();
  return out;
}

/// Adds the coordinates of a space's only selected element.
Status append_point(const Dataspace& space, std::vector<std::uint64_t>* out) {
  const auto bounds = space.selection().bounds(space.dims());
  if (!bounds) return PCIO_ERROR(DATASPACE, BADRANGE, "a point of a virtual dataset is nowhere");
  for (unsigned d = 0; d < space.ndims(); ++d) out->push_back(bounds->start[d]);
  return Status();
}

/// Selects the points in `space`; a scalar one has but one.
Status select_points(const std::vector<std::uint64_t>& points, Dataspace* space) {
  if (space->ndims() == 0) return Status();
  return space->selection().select_points(space->dims(), SelectOp::kSet, points.data(),
                                          points.size() / space->ndims());
}

}  // namespace

Status VirtualPlan::make(Sources& sources) {
  Dataspace wanted = request_.file_space;
  wanted.selection() = wanted.placed_selection();
  wanted.set_selection_offset({});
  PCIO_ASSIGN(const std::vector<Part> parts,
              parts_of(sources, *state_.virtual_data, state_.extent.dims(), wanted));
  // In the order of a list of points neither source nor target is walked: they go one by one.
  if (wanted.selection().kind() == SelectionKind::kPoints) {
    PCIO_TRY(plan_points(sources, wanted, parts));
  } else {
    for (const Part& part : parts) PCIO_TRY(plan(sources, wanted, request_.memory_space, part));
  }
  std::uint64_t covered = 0;
  for (const VirtualMove& move : moves_) covered += move.from.selected();
  whole_ = moves_.size() == 1 && covered == wanted.selected();
  if (request_.direction == Direction::kWrite && covered < wanted.selected())
    return PCIO_ERROR(DATASET, WRITEERROR,
                      "what is written has no source in the virtual dataset, or the source is "
                      "not there");
  return Status();
}

Status VirtualPlan::plan_points(Sources& sources, const Dataspace& wanted,
                                const std::vector<Part>& parts) {
  const std::vector<std::uint64_t>& points = wanted.selection().points();
  const unsigned ndims = wanted.ndims();
  for (std::size_t i = 0; i * ndims < points.size(); ++i) {
    Dataspace one = wanted;
    PCIO_TRY(one.selection().select_points(wanted.dims(), SelectOp::kSet, &points[i * ndims], 1));
    PCIO_ASSIGN(Dataspace memory, memory_element(i));
    for (const Part& part : parts) PCIO_TRY(plan(sources, one, memory, part));
  }
  return Status();
}

Result<Dataspace> VirtualPlan::memory_element(std::uint64_t i) {
  if (memory_elements_.empty()) {
    PCIO_ASSIGN(Dataspace row, Dataspace::simple(Dims(1, request_.memory_space.selected())));
    PieceCursor cursor(row, request_.memory_space);
    for (Piece piece; cursor.next(piece);)
      for (std::uint64_t n = 0; n < piece.count; ++n)
        memory_elements_.push_back(piece.memory_element + n);
  }
  const Dims& dims = request_.memory_space.dims();
  std::vector<std::uint64_t> at(std::max(1U, dims.size()));
  std::uint64_t left = memory_elements_[i];
  for (unsigned d = dims.size(); d-- > 0;) {
    at[d] = left % dims[d];
    left /= dims[d];
  }
  Dataspace memory = request_.memory_space;
  memory.set_selection_offset({});
  if (dims.empty()) return memory;
  PCIO_TRY(memory.selection().select_points(dims, SelectOp::kSet, at.data(), 1));
  return memory;
}

Status VirtualPlan::plan(Sources& sources, const Dataspace& wanted, const Dataspace& to,
                         const Part& part) {
  PCIO_ASSIGN(const Dataspace target, within(part.target, state_.extent, "the target"));
  PCIO_ASSIGN(Dataspace memory,
              project_intersection(wanted, placed(to), selected_in(wanted, target)));
  if (memory.selected() == 0) return Status();
  PCIO_ASSIGN(Location source, sources.find(part.file, part.dataset));
  if (!source.object) return Status();
  PCIO_ASSIGN(const Extent* extent, extent_of(source));
  PCIO_ASSIGN(const Dataspace from, within(part.source, *extent, "the source"));
  PCIO_ASSIGN(Dataspace selected, project_intersection(selected_in(wanted, target), from, wanted));
  moves_.push_back({part.key, std::move(source), std::move(selected), std::move(memory)});
  return Status();
}

Status VirtualPlan::unite() {
  std::stable_sort(moves_.begin(), moves_.end(),
                   [](const VirtualMove& a, const VirtualMove& b) { return a.key < b.key; });
  std::vector<VirtualMove> united;
  for (std::size_t i = 0, end = 0; i < moves_.size(); i = end) {
    for (end = i; end < moves_.size() && moves_[end].key == moves_[i].key;) ++end;
    VirtualMove& one = united.emplace_back(std::move(moves_[i]));
    one.source = Location();
    if (end == i + 1) continue;
    // Single elements, of a list of points.
    std::vector<std::uint64_t> from, memory;
    for (std::size_t k = i; k < end; ++k) {
      const VirtualMove& move = k == i ? one : moves_[k];
      PCIO_TRY(append_point(move.from, &from));
      PCIO_TRY(append_point(move.memory, &memory));
    }
    // An element that is written several times has the last value.
    if (one.from.ndims() == 0) memory.erase(memory.begin(), memory.end() - one.memory.ndims());
    PCIO_TRY(select_points(from, &one.from));
    PCIO_TRY(select_points(memory, &one.memory));
  }
  moves_ = std::move(united);
  return Status();
}

}  // namespace pcio
