// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: opening datasets, and what can be asked of them, out of line.

#include "object/dataset_queries.hpp"

#include <algorithm>

#include "object/fill_values.hpp"
#include "object/object_info.hpp"
#include "storage/chunks/chunk_images.hpp"

namespace pcio {

namespace {

Result<DatasetState*> state_of(const OpenObject& dataset) {
  return dataset.store().datasets().state(dataset.object());
}

ChunkCacheSettings cache_settings(const File& file, const DatasetAccessProps& access) {
  const FileAccessProps& of_file = file.access();
  ChunkCacheSettings settings{of_file.chunk_cache_slots, of_file.chunk_cache_bytes,
                              of_file.chunk_cache_preemption};
  if (access.chunk_cache_slots != kChunkCacheFromFile) settings.slots = access.chunk_cache_slots;
  if (access.chunk_cache_bytes != kChunkCacheFromFile) settings.bytes = access.chunk_cache_bytes;
  if (access.chunk_cache_preemption >= 0) settings.preemption = access.chunk_cache_preemption;
  return settings;
}

}  // namespace

Status allocate_late(const Location& dataset) {
  FileStore& store = dataset.file->store();
  PCIO_TRY(detail::to_status(store.datasets().state(dataset.object)));
  store.datasets().allocate_late(dataset.object);
  return Status();
}

Status begin_use(const Location& dataset, const DatasetAccessProps& access) {
  FileStore& store = dataset.file->store();
  PCIO_ASSIGN(const DatasetState* state, store.datasets().state(dataset.object));
  if (dataset.object->open_count == 0 && state->chunked())
    set_chunk_cache(store, dataset.object, cache_settings(*dataset.file, access));
  return Status();
}

DatasetAccessProps dataset_access_props(const OpenObject& dataset,
                                        const DatasetAccessProps& access) {
  const StoredObjectPtr& object = dataset.object();
  ChunkCacheSettings settings = cache_settings(dataset.file(), DatasetAccessProps());
  if (object->dataset && object->dataset->chunked())
    settings = chunks_of(dataset.store(), object).cache.settings();
  DatasetAccessProps props = access;
  props.chunk_cache_slots = settings.slots;
  props.chunk_cache_bytes = settings.bytes;
  props.chunk_cache_preemption = settings.preemption;
  return props;
}

Result<DatasetCreateProps> dataset_create_props(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  const StoredObject& object = *dataset.object();
  DatasetCreateProps props;
  static_cast<ObjectCreateProps&>(props) = object_create_props(object);
  if (object.header.version == 1)
    props.track_times = object.find(kMessageModificationTime) != nullptr ||
                        object.find(kMessageModificationTimeOld) != nullptr;
  props.layout = static_cast<Layout>(state->layout.cls);
  props.chunk_dims.assign(state->layout.chunk_dims.begin(), state->layout.chunk_dims.end());
  if (state->layout.partial_edge_unfiltered) props.chunk_opts = kDontFilterPartialChunks;
  props.fill.state = state->fill.state;
  if (state->fill.state == FillState::kUserDefined) {
    PCIO_ASSIGN(props.fill, load_fill_value(dataset.store(), state->type, state->fill.value));
  }
  props.fill_time = state->fill.time;
  props.alloc_time = state->fill.allocation;
  props.filters = state->filters;
  return props;
}

Status check_readable(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return state->unsupported.ok() ? state->undecodable : state->unsupported;
}

Result<Dataspace> dataset_extent(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return state->extent;
}

Result<Dataspace> dataset_space(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  const Dims& most = state->extent.max_dims();
  if (state->layout.cls == LayoutClass::kVirtual &&
      std::find(most.begin(), most.end(), kUnlimited) != most.end())
    PCIO_TRY(Status(state->unsupported));
  return state->extent;
}

Result<StoredType> dataset_type(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return StoredType{state->type, state->committed_type};
}

bool allocates_late(const OpenObject& dataset) {
  return dataset.object()->dataset && dataset.object()->dataset->late_allocation;
}

Result<AllocationState> dataset_allocation(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  PCIO_ASSIGN(AllocationState space, allocation_state(dataset.store(), dataset.object()));
  if (space != AllocationState::kAll || !state->chunked() || !state->filtered()) return space;
  PCIO_ASSIGN(std::uint64_t bytes, stored_bytes(dataset.store(), dataset.object()));
  PCIO_ASSIGN(ChunkGrid grid, state->grid());
  return bytes == grid.count() * state->chunk_bytes() ? space : AllocationState::kPart;
}

Result<std::uint64_t> dataset_bytes(const OpenObject& dataset) {
  PCIO_TRY(state_of(dataset));
  return stored_bytes(dataset.store(), dataset.object());
}

Result<std::optional<std::uint64_t>> dataset_offset(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  const LayoutMessage& layout = state->layout;
  if (layout.cls != LayoutClass::kContiguous || layout.address == kUndefinedAddress)
    return std::optional<std::uint64_t>();
  return std::optional(layout.address + dataset.store().context().superblock.base_address);
}

}  // namespace pcio
