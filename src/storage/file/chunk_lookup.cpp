// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: load_selected_chunks.

#include "storage/file/chunk_lookup.hpp"

#include <algorithm>

#include "plan/transfer_runs.hpp"
#include "space/box_selection.hpp"

namespace pcio {

namespace {

/// Of an index whose every n-th chunk is wanted all are loaded: one walk costs less than as many
/// searches.
constexpr std::uint64_t kAllWithin = 16;

/// Chunks that the bounds of the selection touch.
std::optional<Box> touched_bounds(const Dataspace& file, const ChunkGrid& grid) {
  const auto bounds = file.selected_bounds();
  if (!bounds) return std::nullopt;
  Box box{Dims(grid.grid().size()), Dims(grid.grid().size())};
  for (unsigned d = 0; d < box.ndims(); ++d) {
    box.start[d] = bounds->start[d] / grid.chunk()[d];
    box.count[d] = (bounds->start[d] + bounds->count[d] - 1) / grid.chunk()[d] - box.start[d] + 1;
  }
  return box;
}

}  // namespace

Status load_selected_chunks(FileStore& store, const StoredObjectPtr& object,
                            const Dataspace& file) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->index_is_whole()) return Status();
  PCIO_ASSIGN(ChunkGrid grid, state->grid());
  const auto box = touched_bounds(file, grid);
  if (!box)
    return store.datasets().load_chunks(object,
                                        {Dims(grid.grid().size()), Dims(grid.grid().size())});
  const std::uint64_t touched = count_touched_chunks(file, grid.chunk());
  if (touched >= grid.count() / kAllWithin && touched > 1)
    return store.datasets().load_chunk_index(object);
  if (box->volume() == touched) return store.datasets().load_chunks(object, *box);
  Status status;
  Box one{Dims(), Dims(grid.grid().size(), 1)};
  for_each_chunk(file, grid.chunk(), [&](const Dims& at) {
    if (!status.ok()) return;
    one.start = at;
    status = store.datasets().load_chunks(object, one);
  });
  return status;
}

Result<bool> selected_chunks_exist(FileStore& store, const StoredObjectPtr& object,
                                   const Dataspace& file) {
  PCIO_TRY(load_selected_chunks(store, object, file));
  const DatasetState& state = *object->dataset;
  const ChunkIndex& index = *state.index;
  if (index.allocated_count() == index.grid().count()) return true;
  bool all = true;
  for_each_chunk(file, index.grid().chunk(), [&](const Dims& at) {
    const ChunkOrdinal ordinal = index.grid().ordinal(at);
    all = all && (state.filtered() ? index.filtered(ordinal).has_value()
                                   : index.address_of(ordinal) != kUndefinedAddress);
  });
  return all;
}

}  // namespace pcio
