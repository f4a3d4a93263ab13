// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room space: selections that are one box, out of line.

#include "space/one_run.hpp"

#include "base/checked.hpp"

namespace pcio {

std::optional<Box> selected_box(const Dataspace& space) {
  const Selection& selection = space.selection();
  const Dims& dims = space.dims();
  if (space.npoints() == 0 || space.has_selection_offset()) return std::nullopt;
  if (selection.kind() == SelectionKind::kAll) return Box::whole(dims);
  if (!selection.is_regular()) return std::nullopt;
  const RegularSlab& slab = selection.regular();
  std::optional<Box> box(std::in_place);
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (slab.count[d] == kUnlimited || slab.block[d] == kUnlimited) return std::nullopt;
    const SlabDim line = slab.dim(d);
    if (line.count != 1 || line.block == 0 || !fits_inside(line.start, line.block, dims[d]))
      return std::nullopt;
    box->start.push_back(line.start);
    box->count.push_back(line.block);
  }
  return box;
}

std::optional<ElementRun> run_of_box(const Box& box, const Dims& dims) {
  ElementRun run{0, 1};
  bool goes_on = false;  // a slower dimension has several: faster ones are wanted whole
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (goes_on && box.count[d] != dims[d]) return std::nullopt;
    goes_on = goes_on || box.count[d] > 1;
    const auto row = checked_mul<std::uint64_t>(run.first, dims[d]);
    const auto first = row ? checked_add<std::uint64_t>(*row, box.start[d]) : std::nullopt;
    const auto count = checked_mul<std::uint64_t>(run.count, box.count[d]);
    if (!first || !count) return std::nullopt;
    run = {*first, *count};
  }
  return run;
}

}  // namespace pcio
