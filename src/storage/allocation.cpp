// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: allocation and fill.
//
// On a parallel file every unfiltered chunk gets its address at create and extend, by arithmetic, so
// that independent writes always work; bytes that were never used are holes that read as zero, so a
// zero fill value costs nothing.

#include "storage/allocation.hpp"

#include <algorithm>
#include <cstring>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Bytes of fill written in one call.
constexpr std::uint64_t kFillBufferBytes = 1 << 20;

/// Parallel files never reuse bytes for raw data, so that every allocation is a hole.
SpaceUse raw_use(const FileStore& store) {
  return store.parallel() ? SpaceUse::kRawDataFresh : SpaceUse::kRawData;
}

Result<NewSpace> allocate_contiguous(FileStore& store, const StoredObjectPtr& object) {
  DatasetState& state = *object->dataset;
  PCIO_ASSIGN(std::uint64_t bytes, state.data_bytes());
  if (state.layout.address != kUndefinedAddress || bytes == 0) return NewSpace();
  PCIO_ASSIGN(state.layout.address, store.space().allocate(bytes, raw_use(store)));
  state.layout.size = bytes;
  state.messages_dirty = true;
  store.touch(object);
  ByteRange range{state.layout.address, bytes};
  return must_fill(store, state, range) ? NewSpace{range} : NewSpace();
}

Status check_writable_index(const DatasetState& state) {
  switch (state.layout.index) {
    case ChunkIndexKind::kBtree1:
    case ChunkIndexKind::kSingleChunk:
    case ChunkIndexKind::kImplicit:
      return Status();
    default:
      return PCIO_ERROR(DATASET, UNSUPPORTED,
                        std::string("chunks indexed by a ") + chunk_index_name(state.layout.index) +
                            " can't be allocated");
  }
}

/// In which dimensions a chunk is cut by an extent that was larger in all of `before`.
/// `grid`: the new one; `coords`: a chunk of it.
bool is_cut(const ChunkGrid& grid, const Dims& before, const Dims& coords, unsigned dim) {
  return grid.dims()[dim] < before[dim] && grid.dims()[dim] % grid.chunk()[dim] != 0 &&
         coords[dim] == grid.grid()[dim] - 1;
}

/// Places in a chunk of what lies behind the extent in dimension `dim`, as whole elements.
void add_behind(const DatasetState& state, const ChunkGrid& grid, FileAddress address,
                unsigned dim, NewSpace& space) {
  std::uint64_t outer = 1, inner = state.element_size();
  for (unsigned d = 0; d < dim; ++d) outer *= grid.chunk()[d];
  for (unsigned d = dim + 1; d < grid.chunk().size(); ++d) inner *= grid.chunk()[d];
  std::uint64_t row = grid.chunk()[dim] * inner;
  std::uint64_t kept = grid.dims()[dim] % grid.chunk()[dim] * inner;
  for (std::uint64_t i = 0; i < outer; ++i)
    space.push_back({address + i * row + kept, row - kept});
}

/// What was data before the extent became smaller and still lies in a chunk: it must be the fill
/// value should the dataset grow again. The index is that of the new extent.
NewSpace cut_off(const DatasetState& state, const Dims& before) {
  NewSpace space;
  const ChunkGrid& grid = state.index->grid();
  if (!state.wants_fill()) return space;
  for (const IndexRun& run : state.index->runs())
    for (std::uint64_t i = 0; i < run.count; ++i) {
      Dims coords = grid.coords(run.first + i);
      for (unsigned d = 0; d < coords.size(); ++d)
        if (is_cut(grid, before, coords, d))
          add_behind(state, grid, run.address + i * state.chunk_bytes(), d, space);
    }
  return space;
}

/// A filtered chunk would have to be written again to lose its end.
Status check_no_filtered_cut(const DatasetState& state, const ChunkGrid& grid) {
  const ChunkGrid& old = state.index->grid();
  for (const auto& [ordinal, chunk] : state.index->filtered_chunks()) {
    Dims coords = old.coords(ordinal);
    for (unsigned d = 0; d < coords.size(); ++d)
      if (is_cut(grid, old.dims(), coords, d))
        return PCIO_ERROR(PLINE, UNSUPPORTED,
                          "making a dataset with filters smaller within a chunk is not supported "
                          "yet");
  }
  return Status();
}

}  // namespace

bool must_fill(FileStore& store, const DatasetState& state, ByteRange range) {
  if (!state.wants_fill()) return false;
  return !state.fill_is_zero() || !store.space().is_fresh(range.offset);
}

Result<AllocationState> allocation_state(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (state->layout.cls == LayoutClass::kCompact) return AllocationState::kAll;
  if (!state->chunked())
    return state->layout.address == kUndefinedAddress ? AllocationState::kNone
                                                      : AllocationState::kAll;
  PCIO_TRY(store.load_chunk_index(object));
  std::uint64_t have = state->index->allocated_count();
  if (have == 0) return AllocationState::kNone;
  return have == state->index->grid().count() ? AllocationState::kAll : AllocationState::kPart;
}

Result<std::uint64_t> stored_bytes(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (state->layout.cls == LayoutClass::kCompact)
    return std::uint64_t{state->layout.compact_data.size()};
  if (!state->chunked()) {
    if (state->layout.address == kUndefinedAddress) return std::uint64_t{0};
    return state->data_bytes();
  }
  PCIO_TRY(store.load_chunk_index(object));
  return state->index->stored_bytes();
}

Result<std::vector<IndexRun>> allocate_chunks(FileStore& store, const StoredObjectPtr& object,
                                              const Box& box) {
  PCIO_TRY(store.load_chunk_index(object));
  DatasetState& state = *object->dataset;
  PCIO_TRY(check_writable_index(state));
  PCIO_ASSIGN(auto runs, state.index->allocate(box, store.space(), raw_use(store)));
  if (!runs.empty()) {
    state.index_dirty = true;
    store.touch(object);
  }
  return runs;
}

Result<NewSpace> allocate_all(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (state->layout.cls == LayoutClass::kCompact) return NewSpace();
  if (!state->chunked()) return allocate_contiguous(store, object);
  if (state->filtered()) return NewSpace();
  PCIO_TRY(store.load_chunk_index(object));
  PCIO_ASSIGN(auto runs,
              allocate_chunks(store, object, Box::whole(state->index->grid().grid())));
  NewSpace space;
  for (const IndexRun& run : runs) {
    ByteRange range{run.address, run.count * state->chunk_bytes()};
    if (must_fill(store, *state, range)) space.push_back(range);
  }
  return space;
}

Status write_fill(FileStore& store, const DatasetState& state, const NewSpace& space) {
  if (space.empty()) return Status();
  std::vector<std::byte> element = state.fill_element();
  std::uint64_t per_buffer = std::max<std::uint64_t>(1, kFillBufferBytes / element.size());
  std::vector<std::byte> buffer(per_buffer * element.size());
  for (std::uint64_t i = 0; i < per_buffer; ++i)
    std::memcpy(buffer.data() + i * element.size(), element.data(), element.size());
  auto rank = static_cast<std::uint64_t>(store.coordinator().rank());
  auto ranks = static_cast<std::uint64_t>(store.coordinator().size());
  for (const ByteRange& range : space) {
    // Each rank takes one stretch of whole elements.
    std::uint64_t elements = range.size / element.size();
    std::uint64_t share = ceil_div(elements, ranks);
    std::uint64_t first = std::min(elements, rank * share);
    std::uint64_t last = std::min(elements, first + share);
    for (std::uint64_t at = first; at < last; at += per_buffer) {
      std::uint64_t n = std::min(per_buffer, last - at);
      PCIO_TRY(store.bytes().write(range.offset + at * element.size(),
                                   ConstBytes(buffer).first(n * element.size())));
    }
  }
  return Status();
}

Result<NewSpace> change_extent(FileStore& store, const StoredObjectPtr& object,
                               const Dims& dims) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (!state->chunked())
    return PCIO_ERROR(DATASET, CANTSET, "only a chunked dataset can change its size");
  if (state->extent.dims() == dims) return NewSpace();
  PCIO_TRY(store.load_chunk_index(object));
  Dataspace extent = state->extent;
  PCIO_TRY(extent.set_dims(dims));
  PCIO_ASSIGN(ChunkGrid grid, ChunkGrid::make(dims, state->layout.chunk_dims));
  PCIO_TRY(check_no_filtered_cut(*state, grid));
  bool early = store.parallel() || state->fill.allocation == AllocTime::kEarly;
  Dims old_dims = state->extent.dims();
  auto before = state->index->allocated_count();
  for (const ByteRange& dropped : state->index->resize(grid)) store.space().release(dropped);
  if (state->index->allocated_count() != before) state->index_dirty = true;
  state->extent = extent;
  state->messages_dirty = true;
  store.touch(object);
  NewSpace unfilled = cut_off(*state, old_dims);
  if (!early) return unfilled;
  PCIO_ASSIGN(NewSpace added, allocate_all(store, object));
  unfilled.insert(unfilled.end(), added.begin(), added.end());
  return unfilled;
}

Status release_data(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.dataset(object));
  if (state->layout.cls == LayoutClass::kContiguous && state->layout.address != kUndefinedAddress) {
    PCIO_ASSIGN(std::uint64_t bytes, state->data_bytes());
    store.space().release({state->layout.address, bytes});
  }
  if (!state->chunked()) return Status();
  PCIO_TRY(store.load_chunk_index(object));
  for (const IndexRun& run : state->index->runs())
    store.space().release({run.address, run.count * state->chunk_bytes()});
  for (const auto& [ordinal, chunk] : state->index->filtered_chunks())
    store.space().release({chunk.address, chunk.size});
  for (const ByteRange& range : state->index_blocks) store.space().release(range);
  return Status();
}

}  // namespace pcio
