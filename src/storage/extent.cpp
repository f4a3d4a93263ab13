// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: a dataset changes its size.
//
// What is cut off must read as the fill value when the dataset grows again. Whole chunks lose their
// space; in chunks that stay in part the rest is overwritten at once, whatever the fill time says,
// as libhdf5 was seen to do.

#include <algorithm>

#include "base/checked.hpp"
#include "storage/allocation.hpp"
#include "storage/chunk_index_store.hpp"
#include "storage/filtered_resize.hpp"

namespace pcio {

namespace {

/// Coordinates of elements have a sign in places (selection offsets, the C calls' counts).
constexpr std::uint64_t kLargestDimension = (std::uint64_t{1} << 63) - 1;

/// Chunks that keep a part of what the old extent had of them, as disjoint boxes: one for each
/// dimension that becomes shorter inside a chunk.
std::vector<Box> cut_chunks(const Dims& before, const ChunkGrid& after) {
  std::vector<Box> boxes;
  if (after.count() == 0) return boxes;
  Box rest = Box::whole(after.grid());
  for (unsigned d = 0; d < before.size(); ++d) {
    if (after.dims()[d] >= before[d] || after.dims()[d] % after.chunk()[d] == 0) continue;
    Box box = rest;
    box.start[d] = after.grid()[d] - 1;
    box.count[d] = 1;
    boxes.push_back(box);
    --rest.count[d];
  }
  return boxes;
}

/// Chunks that come to a grid, as disjoint boxes.
std::vector<Box> added_chunks(const Dims& before, const Dims& after) {
  std::vector<Box> boxes;
  Box rest = Box::whole(after);
  for (unsigned d = 0; d < before.size(); ++d) {
    if (after[d] <= before[d]) continue;
    Box box = rest;
    box.start[d] = before[d];
    box.count[d] = after[d] - before[d];
    if (!box.empty()) boxes.push_back(box);
    rest.count[d] = before[d];
  }
  return boxes;
}

Status check_room(FileStore& store, const DatasetState& state, const ChunkGrid& grid) {
  auto bytes = checked_mul(grid.count(), state.chunk_bytes());
  auto end = bytes ? checked_add(*bytes, store.space().end_of_allocation()) : std::nullopt;
  if (end && *end <= store.space().settings().max_address) return Status();
  return PCIO_ERROR(DATASET, NOSPACE, "chunks of the dataset need more bytes than a file can have");
}

/// True where the index in the file is not to stay as it is, though no chunk may come or go: its
/// chunks get other numbers, or it lists such as lie outside, which a larger extent must not bring
/// back. Written anew by the next commit it is the same for ranks that had it in memory all the time
/// and for those that read it again later.
bool index_is_outdated(const DatasetState& state, const Dims& before, const Dims& after) {
  if (state.layout.address == kUndefinedAddress || !has_structure(state.layout.index)) return false;
  if (state.index->outside_bytes() != 0) return true;
  return numbered_by(state.layout.index) == NumberedBy::kToday &&
         !std::equal(before.begin() + 1, before.end(), after.begin() + 1);
}

/// Renumbers the index. With an implicit index chunks keep their places, so what the new extent lacks
/// is to be filled, and also what it has more: libhdf5 fills neither what lies outside the extent when
/// it makes a dataset, nor what it cuts off. Otherwise what the new extent lacks is released.
Status resize_index(FileStore& store, const StoredObjectPtr& object, const ChunkGrid& grid,
                    NewSpace* unfilled) {
  DatasetState& state = *object->dataset;
  std::uint64_t before = state.index->allocated_count();
  const Dims old_grid = state.index->grid().grid();
  if (index_is_outdated(state, old_grid, grid.grid())) state.index_dirty = true;
  std::vector<ByteRange> dropped = state.index->resize(grid);
  if (state.layout.index == ChunkIndexKind::kImplicit) {
    unfilled->ranges = std::move(dropped);
    state.index.reset();
    PCIO_TRY(store.load_chunk_index(object));
    for (const Box& box : added_chunks(old_grid, grid.grid()))
      for (const IndexRun& run : state.index->lookup(box)) {
        const ByteRange range{run.address, run.count * state.chunk_bytes()};
        if (must_fill(store, state, range)) unfilled->ranges.push_back(range);
      }
    return Status();
  }
  for (const ByteRange& range : dropped) store.space().release(range);
  if (state.index->allocated_count() != before) state.index_dirty = true;
  return Status();
}

}  // namespace

Status check_dimensions(const Dims& dims) {
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d] > kLargestDimension)
      return PCIO_ERROR(DATASET, BADRANGE,
                        "dimension " + std::to_string(d) + " of " + dims.to_string() +
                            " is 2^63 or more, which no dataset can have");
  return Status();
}

Result<NewSpace> change_extent(FileStore& store, const StoredObjectPtr& object, const Dims& dims) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (!state->chunked())
    return PCIO_ERROR(DATASET, CANTSET, "only a chunked dataset can change its size");
  if (state->extent.dims() == dims) return NewSpace();
  PCIO_TRY(check_dimensions(dims));
  PCIO_TRY(store.load_chunk_index(object));
  Dataspace extent = state->extent;
  PCIO_TRY(extent.set_dims(dims));
  PCIO_ASSIGN(ChunkGrid grid, ChunkGrid::make(dims, state->layout.chunk_dims));
  std::vector<Box> cut = cut_chunks(state->extent.dims(), grid);
  bool early = allocates_at_once(store, *state);
  if (early) PCIO_TRY(check_room(store, *state, grid));
  const ChunkGrid before = state->index->grid();
  FilteredResize filtered(store, object, grid, state->filtered() ? cut : std::vector<Box>());
  FilledChunks filled;
  if (state->filtered()) {
    if (early && !store.parallel()) PCIO_TRY(filled.write(store, object, grid));
    Status prepared = filtered.prepare();
    if (!prepared.ok()) {
      filled.give_up(store);
      return detail::StatusReturn(std::move(prepared));
    }
  }

  state->extent = extent;
  state->messages_dirty = true;
  store.touch(object);
  NewSpace unfilled;
  PCIO_TRY(resize_index(store, object, grid, &unfilled));
  if (state->filtered()) {
    filtered.apply(before);
    filled.enter(store, object);
    return NewSpace();
  }
  if (early) {
    PCIO_ASSIGN(NewSpace added, allocate_all(store, object));
    for (const ByteRange& range : added.ranges) unfilled.ranges.push_back(range);
  }
  if (state->fill.state == FillState::kUndefined) {
    unfilled.ranges.clear();
    return unfilled;
  }
  for (const Box& box : cut)
    if (!state->index->lookup(box).empty()) unfilled.cut_chunks.push_back(box);
  return unfilled;
}

}  // namespace pcio
