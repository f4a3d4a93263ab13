// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: opening datasets, and what can be asked of them, out of line.

#include "object/dataset_queries.hpp"

#include <algorithm>
#include <cstdlib>

#include "object/fill_values.hpp"
#include "object/object_info.hpp"
#include "object/virtual_dataset.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/dataset/external_data.hpp"

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

std::string external_prefix(const File& file, const DatasetAccessProps& access) {
  return effective_prefix(std::getenv("HDF5_EXTFILE_PREFIX"), access.external_prefix,
                          file.folder());
}

/// Of all that have a dataset open the prefix is one.
Status use_prefix(const Location& dataset, ExternalFiles& files, const DatasetAccessProps& access) {
  std::string wanted = external_prefix(*dataset.file, access);
  if (dataset.object->open_count > 0 && wanted != files.prefix)
    return PCIO_ERROR(DATASET, CANTOPENOBJ,
                      "the dataset is open with the prefix \"" + files.prefix +
                          "\" of its external files, not \"" + wanted + "\"");
  files.prefix = std::move(wanted);
  return Status();
}

std::string virtual_prefix(const File& file, const DatasetAccessProps& access) {
  return effective_prefix(std::getenv("HDF5_VDS_PREFIX"), access.virtual_prefix, file.folder());
}

/// Who opens a virtual dataset first decides how it is seen.
Status use_virtual(const Location& dataset, VirtualData& data, const DatasetAccessProps& access) {
  if (dataset.object->open_count > 0) return Status();
  data.view = static_cast<VirtualView>(access.virtual_view);
  data.printf_gap = access.virtual_printf_gap;
  data.prefix = virtual_prefix(*dataset.file, access);
  return Status();
}

Location place_of(const OpenObject& dataset) {
  return {dataset.file_ptr(), dataset.object(), dataset.path()};
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
  if (state->virtual_data) return use_virtual(dataset, *state->virtual_data, access);
  if (state->external) return use_prefix(dataset, *state->external, access);
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
  props.external_prefix = external_prefix(dataset.file(), access);
  props.virtual_prefix = virtual_prefix(dataset.file(), access);
  if (object->dataset && object->dataset->virtual_data) {
    props.virtual_view = static_cast<int>(object->dataset->virtual_data->view);
    props.virtual_printf_gap = object->dataset->virtual_data->printf_gap;
  }
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
  // A layout's own time is kept as its default, so that a list that gets another layout gets that one's time.
  if (props.effective_alloc_time() != state->fill.allocation)
    props.alloc_time = state->fill.allocation;
  props.filters = state->filters;
  if (state->external) props.external_files = state->external->files;
  if (!state->virtual_data) return props;
  props.virtual_mappings = state->virtual_data->mappings;
  for (VirtualMapping& mapping : props.virtual_mappings) {
    const Selection selection = mapping.target.selection();
    mapping.target = state->extent;
    mapping.target.selection() = selection;
  }
  return props;
}

Status check_readable(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return state->unsupported;
}

Result<Dataspace> dataset_extent(const OpenObject& dataset) {
  PCIO_TRY(follow_sources(place_of(dataset)));
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return state->extent;
}

Result<Elements> dataset_elements(const OpenObject& dataset) {
  PCIO_ASSIGN(const DatasetState* state, state_of(dataset));
  return state->elements();
}

Result<Dataspace> dataset_space(const OpenObject& dataset) { return dataset_extent(dataset); }

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
