// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/chunks: telling stored chunks.

#include "storage/chunks/stored_chunks.hpp"

#include <algorithm>
#include <iterator>

#include "storage/chunks/chunk_images.hpp"
#include "storage/index/model/chunk_sequence.hpp"

namespace pcio {

namespace {

Result<DatasetState*> flushed_state(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  PCIO_TRY(store.datasets().load_chunk_index(object));
  PCIO_TRY(flush_chunks(store, object));
  return state;
}

Dims first_element(const ChunkGrid& grid, ChunkOrdinal ordinal) {
  return grid.full_box(grid.coords(ordinal)).start;
}

StoredChunk describe(const ChunkIndex& index, ChunkOrdinal ordinal, const FilteredChunk& chunk) {
  return {first_element(index.grid(), ordinal), chunk.address, chunk.size, chunk.filter_mask};
}

StoredChunk describe(const ChunkIndex& index, ChunkOrdinal ordinal, FileAddress address) {
  return {first_element(index.grid(), ordinal), address, index.chunk_bytes(), 0};
}

}  // namespace

Result<std::uint64_t> count_stored_chunks(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, flushed_state(store, object));
  return state->index->allocated_count();
}

Result<std::optional<StoredChunk>> stored_chunk(FileStore& store, const StoredObjectPtr& object,
                                                std::uint64_t number) {
  PCIO_ASSIGN(DatasetState * state, flushed_state(store, object));
  const ChunkIndex& index = *state->index;
  if (number >= index.allocated_count()) return std::optional<StoredChunk>();
  ChunkWalk walk(index, 0);
  walk.skip(number);
  return std::optional(state->filtered() ? describe(index, walk.ordinal(), walk.chunk())
                                         : describe(index, walk.ordinal(), walk.chunk().address));
}

Result<std::optional<StoredChunk>> stored_chunk_at(FileStore& store, const StoredObjectPtr& object,
                                                   const Dims& point) {
  PCIO_ASSIGN(DatasetState * state, flushed_state(store, object));
  const ChunkIndex& index = *state->index;
  Dims coords = point;
  for (unsigned d = 0; d < point.size(); ++d) {
    coords[d] = point[d] / index.grid().chunk()[d];
    if (coords[d] >= index.grid().grid()[d]) return std::optional<StoredChunk>();
  }
  const ChunkOrdinal ordinal = index.grid().ordinal(coords);
  if (state->filtered()) {
    const ChunkInMemory* const waits =
        state->chunks ? state->chunks->pending.peek(ordinal) : nullptr;
    if (waits != nullptr && waits->stored_mask)
      return std::optional(
          describe(index, ordinal, {kUndefinedAddress, waits->image.size(), *waits->stored_mask}));
    const auto chunk = index.filtered(ordinal);
    return !chunk ? std::nullopt : std::optional(describe(index, ordinal, *chunk));
  }
  const FileAddress address = index.address_of(ordinal);
  return address == kUndefinedAddress ? std::nullopt
                                      : std::optional(describe(index, ordinal, address));
}

Status visit_stored_chunks(FileStore& store, const StoredObjectPtr& object,
                           const std::function<bool(const StoredChunk&)>& visit) {
  PCIO_ASSIGN(DatasetState * state, flushed_state(store, object));
  // The function may write chunks, and close the dataset: by number, since an index that changes moves what
  // is in it.
  const DatasetInTransfer stays(object);
  const ChunkIndex& index = *state->index;
  const FilteredRuns& chunks = index.filtered_chunks();
  std::vector<FilteredChunk> some;
  for (ChunkOrdinal next = 0;;) {
    const auto run = chunks.run_from(next);
    if (run == chunks.runs().end()) break;
    next = std::max(next, run->first);
    // A run at a time, as long as nothing changes in it.
    some.clear();
    chunks.for_each_in(next, run->first + run->second.sizes.size(),
                       [&](ChunkOrdinal, const FilteredChunk& chunk) { some.push_back(chunk); });
    const std::uint64_t known = chunks.changes();
    for (std::size_t i = 0; i < some.size() && chunks.changes() == known; ++i, ++next)
      if (!visit(describe(index, next, some[i]))) return Status();
  }
  for (const IndexRun& run : index.runs())
    for (std::uint64_t i = 0; i < run.count; ++i)
      if (!visit(describe(index, run.first + i, run.address + i * index.chunk_bytes())))
        return Status();
  return Status();
}

}  // namespace pcio
