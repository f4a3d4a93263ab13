// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dataset: allocation.
//
// On a parallel file every unfiltered chunk gets its address at create and extend, by arithmetic,
// so that independent writes always work; bytes that were never used are holes that read as zero,
// so a zero fill value costs nothing. Datasets that allocate late get space for what the ranks write
// together, as they write it (transfer/late_allocation).

#include "storage/dataset/allocation.hpp"

#include <utility>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

namespace {

/// In parallel files space of deleted data is reused only after a commit: until then another rank may
/// still be writing there. Where a hole saves writing zeros new space is better, unless a quarter
/// of the file lies idle already.
SpaceUse raw_use(FileStore& store, const DatasetState& state) {
  if (!store.parallel()) return SpaceUse::kRawData;
  const bool hole = state.wants_fill() && state.fill_is_zero() && store.end().holes_read_zero();
  const FileSpace& space = store.space();
  const bool idle = space.reusable_bytes() > space.end_of_allocation() / 4;
  return hole && !idle ? SpaceUse::kRawDataFresh : SpaceUse::kRawDataFreeAtCommit;
}

/// All that a dataset without chunks, or with an implicit index, has. `made`: with room for a range.
void note_block(FileStore& store, const DatasetState& state, const ByteRange& range,
                NewSpace* made) {
  made->given.block = true;
  if (must_fill(store, state, range)) made->ranges.push_back(range);
}

/// Memory for what is told of new space, before there is any.
NewSpace room_for_ranges(std::size_t n) {
  NewSpace made;
  made.ranges.reserve(n);
  return made;
}

Result<NewSpace> allocate_contiguous(FileStore& store, const StoredObjectPtr& object) {
  DatasetState& state = *object->dataset;
  PCIO_ASSIGN(std::uint64_t bytes, state.data_bytes());
  if (state.external || state.virtual_data) return NewSpace();
  if (state.layout.address != kUndefinedAddress || bytes == 0) return NewSpace();
  // Who lacks memory has no space either: a second try begins anew.
  store.objects().touch(object);
  NewSpace made = room_for_ranges(1);
  PCIO_ASSIGN(const FileAddress address, store.space().allocate(bytes, raw_use(store, state)));
  note_block(store, state, {address, bytes}, &made);
  state.layout.address = address;
  state.layout.size = bytes;
  state.mark_messages_changed();
  return made;
}

/// An implicit index has no structure: all chunks that the maximum dimensions allow lie in a row.
Result<std::uint64_t> implicit_bytes(const DatasetState& state) {
  PCIO_ASSIGN(ChunkGrid most, ChunkGrid::make(state.extent.max_dims(), state.layout.chunk_dims));
  auto bytes = checked_mul(most.count(), state.chunk_bytes());
  if (!bytes) return PCIO_ERROR(DATASET, NOSPACE, "dataset is larger than any file can be");
  return *bytes;
}

Result<NewSpace> allocate_implicit(FileStore& store, const StoredObjectPtr& object) {
  DatasetState& state = *object->dataset;
  PCIO_ASSIGN(std::uint64_t bytes, implicit_bytes(state));
  if (state.layout.address != kUndefinedAddress || bytes == 0) return NewSpace();
  store.objects().touch(object);
  NewSpace made = room_for_ranges(1);
  PCIO_ASSIGN(const FileAddress address, store.space().allocate(bytes, raw_use(store, state)));
  TakenSpace taken(store.space(), {address, bytes});
  note_block(store, state, {address, bytes}, &made);
  state.layout.address = address;
  state.index.reset();
  if (Status loaded = without_throwing([&] { return store.datasets().load_chunk_index(object); });
      !loaded.ok()) {
    state.layout.address = kUndefinedAddress;
    return detail::StatusReturn(std::move(loaded));
  }
  taken.keep();
  state.mark_messages_changed();
  return made;
}

/// Without a look at the index, which there isn't of a dataset with more chunks than can be numbered.
bool has_no_chunks(const DatasetState& state) {
  return !state.index && state.layout.address == kUndefinedAddress;
}

}  // namespace

bool may_need_fill(FileStore& store, const DatasetState& state) {
  if (state.layout.cls == LayoutClass::kCompact || state.external || state.virtual_data ||
      state.filtered() || !state.wants_fill())
    return false;
  // In paged files also a fresh piece may share its page with what was there before.
  return raw_use(store, state) != SpaceUse::kRawDataFresh || store.space().paged();
}

namespace {

/// Nothing leads to it any more when its bytes go back.
void take_back_block(FileStore& store, DatasetState& state) {
  const auto bytes = state.chunked() ? implicit_bytes(state) : state.data_bytes();
  const FileAddress address = std::exchange(state.layout.address, kUndefinedAddress);
  if (bytes) release_or_tell(store, {address, *bytes});
  state.mark_messages_changed();
  if (!state.chunked()) return;
  state.deferred = DeferredFill();
  // Empty again: nothing is read for it, and the grid was made before.
  if (auto grid = state.grid()) state.index.emplace(std::move(*grid), state.chunk_bytes());
}

}  // namespace

void undo_allocation(FileStore& store, const StoredObjectPtr& object, const GivenSpace& given) {
  DatasetState& state = *object->dataset;
  for (const IndexRun& run : given.runs) {
    undo_or_tell(store, [&] { state.index->undo_allocation(run); });
    release_or_tell(store, {run.address, run.count * state.chunk_bytes()});
  }
  if (given.block) undo_or_tell(store, [&] { take_back_block(store, state); });
}

bool must_fill(FileStore& store, const DatasetState& state, ByteRange range) {
  if (!state.wants_fill()) return false;
  return !state.fill_is_zero() || !store.end().holes_read_zero() ||
         !store.space().is_fresh(range.offset);
}

Result<AllocationState> allocation_state(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->layout.cls == LayoutClass::kCompact) return AllocationState::kAll;
  if (state->external || state->virtual_data) return AllocationState::kAll;
  if (!state->chunked())
    return state->layout.address == kUndefinedAddress ? AllocationState::kNone
                                                      : AllocationState::kAll;
  PCIO_TRY(store.datasets().load_chunk_index(object));
  PCIO_TRY(flush_chunks(store, object));
  std::uint64_t have = state->index->allocated_count();
  if (have == 0) return AllocationState::kNone;
  return have == state->index->grid().count() ? AllocationState::kAll : AllocationState::kPart;
}

Result<std::uint64_t> stored_bytes(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->layout.cls == LayoutClass::kCompact)
    return std::uint64_t{state->layout.compact_data.size()};
  // What it had when it was made, as in HDF5.
  if (state->external) return state->layout.size.value_or(0);
  if (!state->chunked()) {
    if (state->layout.address == kUndefinedAddress) return std::uint64_t{0};
    return state->data_bytes();
  }
  if (has_no_chunks(*state)) return std::uint64_t{0};
  PCIO_TRY(store.datasets().load_chunk_index(object));
  PCIO_TRY(flush_chunks(store, object));
  return state->index->stored_bytes();
}

namespace {

/// Chunks that have none get space. Who lacks memory for it has none, and a second try begins anew.
Result<std::vector<IndexRun>> give_space(FileStore& store, const StoredObjectPtr& object,
                                         const std::vector<OrdinalInterval>& missing) {
  if (missing.empty()) return std::vector<IndexRun>();
  DatasetState& state = *object->dataset;
  store.objects().touch(object);
  PCIO_ASSIGN(auto runs,
              state.index->allocate_listed(missing, store.space(), raw_use(store, state)));
  state.mark_index_changed();
  return runs;
}

}  // namespace

Result<std::vector<IndexRun>> allocate_chunks(FileStore& store, const StoredObjectPtr& object,
                                              const Box& box) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  if (state.index_class().all_chunks_or_none) {
    PCIO_ASSIGN(NewSpace unfilled, allocate_implicit(store, object));
    Status filled = without_throwing([&] { return write_fill(store, state, unfilled); });
    if (!filled.ok()) {
      undo_allocation(store, object, unfilled.given);
      return detail::StatusReturn(std::move(filled));
    }
    return state.index->lookup(box);
  }
  return give_space(store, object, state.index->missing(box));
}

bool allocates_at_once(const FileStore& store, const DatasetState& state) {
  if (state.fill.allocation == AllocTime::kEarly) return true;
  return store.parallel() && !state.allocates_late();
}

Result<std::vector<IndexRun>> allocate_listed(FileStore& store, const StoredObjectPtr& object,
                                              std::span<const OrdinalInterval> chunks) {
  PCIO_TRY(store.datasets().load_chunk_index(object));
  DatasetState& state = *object->dataset;
  return give_space(store, object, state.index->missing(chunks));
}

Result<NewSpace> allocate_all(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  if (state->layout.cls == LayoutClass::kCompact) return NewSpace();
  if (!state->chunked()) return allocate_contiguous(store, object);
  if (state->filtered()) return NewSpace();
  if (state->index_class().all_chunks_or_none) return allocate_implicit(store, object);
  PCIO_TRY(store.datasets().load_chunk_index(object));
  const auto missing = state->index->missing(Box::whole(state->index->grid().grid()));
  NewSpace space = room_for_ranges(missing.size());
  PCIO_ASSIGN(space.given.runs, give_space(store, object, missing));
  for (const IndexRun& run : space.given.runs) {
    ByteRange range{run.address, run.count * state->chunk_bytes()};
    if (must_fill(store, *state, range)) space.ranges.push_back(range);
  }
  return space;
}

Result<DataRanges> data_ranges_by_use(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object));
  DataRanges ranges;
  if (state->external) ranges.heap = state->external->heap;
  if (state->virtual_data && state->virtual_data->heap.size > 0)
    ranges.heap.push_back(state->virtual_data->heap);
  if (state->layout.cls == LayoutClass::kContiguous && state->layout.address != kUndefinedAddress) {
    PCIO_ASSIGN(std::uint64_t bytes, state->data_bytes());
    ranges.data.push_back({state->layout.address, bytes});
  }
  if (!state->chunked() || has_no_chunks(*state)) return ranges;
  PCIO_TRY(store.datasets().load_chunk_index(object));
  if (state->index_class().all_chunks_or_none) {
    PCIO_ASSIGN(std::uint64_t bytes, implicit_bytes(*state));
    ranges.data.push_back({state->layout.address, bytes});
    return ranges;
  }
  for (const IndexRun& run : state->index->runs())
    ranges.data.push_back({run.address, run.count * state->chunk_bytes()});
  for (const auto& [ordinal, run] : state->index->filtered_chunks().runs())
    ranges.data.push_back({run.address, run.bytes});
  ranges.index = state->index_blocks;
  return ranges;
}

Result<std::vector<ByteRange>> data_ranges(FileStore& store, const StoredObjectPtr& object) {
  PCIO_ASSIGN(DataRanges by_use, data_ranges_by_use(store, object));
  std::vector<ByteRange> ranges = std::move(by_use.heap);
  ranges.insert(ranges.end(), by_use.data.begin(), by_use.data.end());
  ranges.insert(ranges.end(), by_use.index.begin(), by_use.index.end());
  return ranges;
}

}  // namespace pcio
