// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: datasets but for their elements, out of line.

#include "object/object_info.hpp"
#include "object/dataset.hpp"

#include <algorithm>
#include <ctime>

#include "base/checked.hpp"
#include "base/repeat.hpp"
#include "base/without_throwing.hpp"
#include "format/modification_time_message.hpp"
#include "filter/parameters.hpp"
#include "filter/pipeline.hpp"
#include "filter/registry.hpp"
#include "object/fill_values.hpp"
#include "space/unlimited.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/heaps/heap_places.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/message_codec.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// Data of a compact dataset share a header message with 4 bytes of layout; in headers of version 1 those have 65528
/// bytes at the most.
constexpr std::uint64_t kMostCompactBytes = 65524;

/// Of an element in the file: variable-length ones have other sizes there than in memory.
std::size_t element_size(const FileStore& store, const DatasetRequest& request) {
  return request.type.file_form(store.sizes().offset_size).size();
}

Status check_chunked(const FileStore& store, const DatasetRequest& request) {
  const Dataspace& space = request.space;
  const auto& chunk = request.create.chunk_dims;
  if (chunk.empty())
    return PCIO_ERROR(DATASET, BADVALUE, "chunked layout without chunk dimensions (H5Pset_chunk)");
  if (space.cls() != SpaceClass::kSimple || chunk.size() != space.ndims())
    return PCIO_ERROR(DATASET, BADRANGE,
                      "chunks have " + std::to_string(chunk.size()) + " dimensions, the dataset " +
                          std::to_string(space.ndims()));
  PCIO_TRY(check_dimensions(space.dims()));
  // A dimension without elements yet takes chunks of any length, as in libhdf5.
  for (unsigned d = 0; d < space.ndims(); ++d)
    if (space.dims()[d] != 0 && chunk[d] > space.max_dims()[d])
      return PCIO_ERROR(
          DATASET, BADRANGE,
          "chunk dimension " + std::to_string(d) + " is larger than the dataset can ever be");
  auto elements = Dims::from(chunk.data(), static_cast<unsigned>(chunk.size())).volume();
  auto bytes =
      elements ? checked_mul<std::uint64_t>(*elements, element_size(store, request)) : std::nullopt;
  if (!bytes || *bytes > 0xFFFFFFFFU)
    return PCIO_ERROR(DATASET, BADRANGE, "chunks are larger than 4 GiB");
  return Status();
}

/// Files must hold all that the dataset may ever have, which may grow in its first dimension only.
/// Source: HDF5 Reference Manual, H5Pset_external; observed.
Status check_external(const FileStore& store, const DatasetRequest& request) {
  const DatasetCreateProps& create = request.create;
  if (create.layout != Layout::kContiguous)
    return PCIO_ERROR(DATASET, BADVALUE, "external files can be used with contiguous layout only");
  const Dataspace& space = request.space;
  for (unsigned d = 1; d < space.ndims(); ++d)
    if (space.max_dims()[d] != space.dims()[d])
      return PCIO_ERROR(DATASET, BADVALUE,
                        "only the first dimension of a dataset with external files is extendible");
  ExternalFiles files;
  files.files = create.external_files;
  const auto room = files.capacity();
  if (!room) return Status();
  if (space.ndims() > 0 && space.max_dims()[0] == kUnlimited)
    return PCIO_ERROR(DATASET, BADVALUE,
                      "the dataset may grow for ever, and its external files may not");
  std::uint64_t elements = space.npoints();
  if (space.ndims() > 0) elements = space.max_dims().volume().value_or(kUnlimited);
  const auto bytes = checked_mul<std::uint64_t>(elements, element_size(store, request));
  if (bytes && *bytes <= *room) return Status();
  return PCIO_ERROR(DATASET, BADSIZE,
                    "the external files have room for " + std::to_string(*room) +
                        " bytes, which is less than the dataset may have");
}

/// Each mapping selects in the dataset that is made. Source: HDF5 Reference Manual, H5Pset_virtual.
Status check_virtual(const DatasetRequest& request) {
  const Dataspace& space = request.space;
  for (const VirtualMapping& mapping : request.create.virtual_mappings) {
    if (mapping.target.ndims() != space.ndims())
      return PCIO_ERROR(DATASET, BADRANGE,
                        "a mapping has another number of dimensions than the virtual dataset");
    if (is_unlimited(mapping.target.selection())) continue;
    const auto bounds = mapping.target.selection().bounds(mapping.target.dims());
    for (unsigned d = 0; bounds && d < space.ndims(); ++d)
      if (bounds->start[d] + bounds->count[d] > space.dims()[d])
        return PCIO_ERROR(DATASET, BADRANGE, "a mapping reaches beyond the virtual dataset");
  }
  return Status();
}

Status check_layout(const FileStore& store, const DatasetRequest& request) {
  const DatasetCreateProps& create = request.create;
  if (!create.external_files.empty()) PCIO_TRY(check_external(store, request));
  if (create.layout == Layout::kChunked) return check_chunked(store, request);
  const auto bytes =
      is_countable(request.space)
          ? checked_mul<std::uint64_t>(request.space.npoints(), element_size(store, request))
          : std::nullopt;
  if (!bytes) return PCIO_ERROR(DATASET, OVERFLOW, "dataset is larger than any file can be");
  switch (create.layout) {
    case Layout::kChunked: break;
    case Layout::kVirtual: return check_virtual(request);
    case Layout::kCompact:
      if (create.effective_alloc_time() != AllocTime::kEarly)
        return PCIO_ERROR(DATASET, BADVALUE,
                          "a compact dataset has its space from the beginning (H5Pset_alloc_time)");
      if (*bytes > kMostCompactBytes)
        return PCIO_ERROR(DATASET, BADSIZE, "a compact dataset can't be larger than 64 KiB");
      break;
    case Layout::kContiguous: break;
  }
  if (request.space.extendible() && create.external_files.empty())
    return PCIO_ERROR(DATASET, BADVALUE, "only a chunked dataset can be extendible");
  return Status();
}

/// Finds out whether there is a way, also for a value without objects, and whether it has some.
Result<StoredFill> stored_fill(const FileStore& store, const DatasetRequest& request,
                               const Datatype& file_type) {
  const FillValue& given = request.create.fill;
  if (request.fill && request.fill->value.size() == file_type.size()) return *request.fill;
  StoredFill fill;
  if (given.state != FillState::kUserDefined) return fill;
  if (!given.type) return PCIO_ERROR(DATASET, BADVALUE, "fill value without a type");
  CountingHeap counted(store.sizes());
  ConvertOptions options;
  options.sequences = {given.sequences.get(), file_type.is_fixed() ? nullptr : &counted, nullptr};
  options.foreign = request.conversions;
  PCIO_ASSIGN(const Conversion way, Conversion::make(*given.type, file_type, options));
  fill.value.resize(file_type.size());
  PCIO_TRY(way.run(given.bytes.data(), fill.value.data(), 1));
  fill.has_objects = refers_to_heap(file_type, fill.value.data());
  if (fill.has_objects) std::fill(fill.value.begin(), fill.value.end(), std::byte{0});
  clear_unused(file_type, fill.value.data());
  return fill;
}

/// `value`: in the type of the file. Heaps get their part of it once the ranks have met: until then it is empty
/// (place_fill_value).
Result<FillValueMessage> make_fill(const DatasetRequest& request, const Datatype& file_type,
                                   StoredFill value) {
  const DatasetCreateProps& create = request.create;
  FillValueMessage fill;
  fill.allocation = create.effective_alloc_time();
  fill.time = create.fill_time;
  fill.state = create.fill.state;
  // What elements refer to is never left to chance. As observed on libhdf5.
  if (!file_type.is_fixed() && fill.time == FillTime::kNever)
    return PCIO_ERROR(DATASET, BADVALUE,
                      "space for variable-length data can't be left unfilled (H5Pset_fill_time)");
  if (!file_type.is_fixed() && fill.state == FillState::kDefault) fill.time = FillTime::kAlloc;
  if (fill.state == FillState::kUndefined && fill.time == FillTime::kAlloc)
    return PCIO_ERROR(
        DATASET, BADVALUE,
        "fill values are to be written at allocation, but the fill value is undefined");
  fill.value = std::move(value.value);
  return fill;
}

/// A fill value that heaps will hold.
Status check_fill_objects(const DatasetCreateProps& create, const StoredFill& fill) {
  if (fill.has_objects && (!create.external_files.empty() || create.layout == Layout::kVirtual))
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "fill values with variable-length data of a dataset whose elements are in "
                      "other files");
  return Status();
}

/// The filters with the parameters that the file keeps.
Result<FilterPipeline> complete_filters(const DatasetRequest& request, const Datatype& file_type,
                                        const FillValueMessage& fill) {
  const auto& chunk = request.create.chunk_dims;
  if (request.create.filters.empty()) return FilterPipeline();
  if (ignores_filters(request.type, request.space)) {
    for (const FilterSpec& stage : request.create.filters)
      if ((stage.flags & kFilterOptional) == 0)
        return PCIO_ERROR(
            PLINE, CANTINIT,
            filter_label(stage) + " can't be applied to variable-length data or a single element");
    return request.create.filters;
  }
  const Dims dims = Dims::from(chunk.data(), static_cast<unsigned>(chunk.size()));
  return complete_pipeline(request.create.filters, {file_type, dims, fill.state, fill.value});
}

/// `state`: its extent, chunks, fill and filters.
ChunkIndexKind choose_index(FormatVersion format, const DatasetState& state, AllocTime allocation) {
  // Chunks at the edge without filters are known to version 4 of the layout message only, which
  // libhdf5 then takes whatever the bounds say.
  NewChunks chunks;
  chunks.dims = state.extent.dims();
  chunks.max_dims = state.extent.max_dims();
  chunks.chunk = state.layout.chunk_dims;
  chunks.new_layout = format == FormatVersion::kV110 || state.layout.partial_edge_unfiltered;
  chunks.at_once = allocation == AllocTime::kEarly && state.filters.empty();
  return choose_chunk_index(chunks);
}

void fill_compact(DatasetState* state, std::uint64_t bytes) {
  state->layout.compact_data.resize(bytes);
  repeat_element(state->new_element(), state->layout.compact_data);
}

/// The names of external files get their place in the file; `messages` the message that lists them.
Status add_external(FileStore& store, const std::vector<ExternalFile>& listed, DatasetState* state,
                    std::vector<HeaderMessage>* messages) {
  if (listed.empty()) return Status();
  auto files = std::make_shared<ExternalFiles>();
  files->files = listed;
  messages->reserve(messages->size() + 1);
  state->new_blocks.reserve(1);
  files->heap.reserve(1);
  PCIO_ASSIGN(PlannedExternal planned, plan_external_files(store.space(), store.sizes(), listed));
  files->heap.push_back({planned.heap.address, planned.heap.bytes.size()});
  messages->push_back(std::move(planned.message));
  state->new_blocks.push_back(std::move(planned.heap));
  state->external = std::move(files);
  return Status();
}

/// An index without chunks; none at all, and no way to the data, where the chunks can't be numbered.
/// libhdf5 makes such datasets, too, and can't write them.
void make_index(DatasetState* state) {
  Result<ChunkGrid> grid = state->grid();
  if (!grid) {
    state->unsupported = grid.error();
    return;
  }
  state->index.emplace(std::move(*grid), state->chunk_bytes());
  if (state->filtered()) note_single_chunk(*state);
}

/// The list of mappings gets its place in the file. Collective: by contract.
Status add_virtual(FileStore& store, const std::vector<VirtualMapping>& mappings,
                   DatasetState* state) {
  if (state->layout.cls != LayoutClass::kVirtual) return Status();
  auto data = std::make_shared<VirtualData>();
  data->mappings = mappings;
  data->extent = state->extent.dims();
  state->new_blocks.reserve(1);
  if (!data->mappings.empty()) {
    PCIO_ASSIGN(NewBlock heap,
                plan_virtual_data(store.space(), store.sizes(), data->mappings, &state->layout));
    data->heap = {heap.address, heap.bytes.size()};
    state->new_blocks.push_back(std::move(heap));
  }
  state->virtual_data = std::move(data);
  return Status();
}

/// The dataset came to nothing. Collective: by contract.
void give_back_lists(FileStore& store, const DatasetState& state) {
  if (state.external) store.space().release(state.external->heap.front());
  if (state.virtual_data && state.virtual_data->heap.size > 0)
    store.space().release(state.virtual_data->heap);
}

Result<std::unique_ptr<DatasetState>> make_state(const FileStore& store,
                                                 const DatasetRequest& request) {
  auto state = std::make_unique<DatasetState>();
  state->type = request.type.file_form(store.sizes().offset_size);
  state->committed_type = request.committed_type;
  state->late_allocation = request.late_allocation;
  state->extent = request.space.extent();
  PCIO_ASSIGN(StoredFill value, stored_fill(store, request, state->type));
  PCIO_ASSIGN(state->fill, make_fill(request, state->type, std::move(value)));
  LayoutMessage& layout = state->layout;
  layout.cls = static_cast<LayoutClass>(request.create.layout);
  if (layout.cls == LayoutClass::kChunked) {
    const auto& chunk = request.create.chunk_dims;
    layout.chunk_dims = Dims::from(chunk.data(), static_cast<unsigned>(chunk.size()));
    layout.element_size = static_cast<std::uint32_t>(state->type.size());
    layout.partial_edge_unfiltered = (request.create.chunk_opts & kDontFilterPartialChunks) != 0;
    PCIO_ASSIGN(state->filters, complete_filters(request, state->type, state->fill));
    layout.index = choose_index(store.context().format, *state, request.create.alloc_time);
    make_index(state.get());
    if (state->index)
      PCIO_TRY(check_extent_writable(store, *state, state->extent, state->index->grid()));
    if (allocates_at_once(store, *state)) PCIO_TRY(Status(state->unsupported));
  } else {
    PCIO_ASSIGN(state->filters, complete_filters(request, state->type, state->fill));
    PCIO_ASSIGN(std::uint64_t bytes, state->data_bytes());
    if (layout.cls != LayoutClass::kVirtual) layout.size = bytes;
    if (layout.cls == LayoutClass::kCompact) fill_compact(state.get(), bytes);
  }
  return state;
}

Result<std::vector<HeaderMessage>> make_messages(const FileStore& store, const DatasetState& state,
                                                 const ObjectCreateProps& create,
                                                 unsigned source = 0) {
  std::vector<HeaderMessage> messages;
  messages.reserve(state.filters.empty() ? 5 : 6);
  PCIO_ASSIGN(HeaderMessage space, encode_space(store.context(), state.extent));
  messages.push_back(std::move(space));
  PCIO_ASSIGN(HeaderMessage type, encode_type(store.context(), state.type, state.committed_type));
  messages.push_back(std::move(type));
  PCIO_ASSIGN(HeaderMessage fill, encode_fill(store.context(), state.fill));
  messages.push_back(std::move(fill));
  PCIO_ASSIGN(HeaderMessage layout, encode_layout(store.context(), state.layout));
  messages.push_back(std::move(layout));
  if (!state.filters.empty()) {
    PCIO_ASSIGN(HeaderMessage filters, encode_filters(store.context(), state.filters));
    messages.push_back(std::move(filters));
  }
  if (create.track_times && has_modification_time_message(copied_header_version(
                                store.context().format, create.attr_creation_order, source))) {
    auto now = static_cast<std::uint32_t>(std::time(nullptr));
    PCIO_ASSIGN(HeaderMessage time, make_message(kMessageModificationTime, 0, [&](ByteWriter& out) {
                  return encode_modification_time_message(now, out);
                }));
    messages.push_back(std::move(time));
  }
  return messages;
}

/// The object of the dataset, whose mappings have their place. Where it fails what was given to lists is given back.
Result<StoredObjectPtr> make_header(FileStore& store, DatasetState* state,
                                    const ObjectCreateProps& create,
                                    const std::vector<ExternalFile>& external,
                                    unsigned source = 0) {
  StoredObjectPtr object;
  Status made = without_throwing([&]() -> Status {
    PCIO_ASSIGN(auto messages, make_messages(store, *state, create, source));
    PCIO_TRY(add_external(store, external, state, &messages));
    PCIO_ASSIGN(object, store.objects().create(std::move(messages), create, source));
    return Status();
  });
  if (made.ok()) return object;
  give_back_lists(store, *state);
  return detail::StatusReturn(std::move(made));
}

}  // namespace

Status check_dataset_can_be_made(File& file, const DatasetRequest& request) {
  PCIO_ASSIGN(auto state, make_state(file.store(), request));
  PCIO_ASSIGN(auto messages, make_messages(file.store(), *state, request.create));
  if (request.committed_type == kUndefinedAddress) return Status();
  return detail::to_status(file.store().objects().object(request.committed_type));
}

Status check_dataset_request(File& file, const DatasetRequest& request) {
  if (request.space.cls() == SpaceClass::kNoClass)
    return PCIO_ERROR(DATASET, BADVALUE, "the dataspace has no extent");
  const DatasetCreateProps& create = request.create;
  if (!create.filters.empty()) {
    if (create.layout != Layout::kChunked && !ignores_filters(request.type, request.space))
      return PCIO_ERROR(DATASET, BADVALUE, "filters can be used with chunked layout only");
    PCIO_TRY(check_encodable(create.filters));
  }
  PCIO_TRY(check_layout(file.store(), request));
  const Datatype file_type = request.type.file_form(file.store().sizes().offset_size);
  PCIO_ASSIGN(StoredFill value, stored_fill(file.store(), request, file_type));
  PCIO_TRY(check_fill_objects(create, value));
  PCIO_ASSIGN(FillValueMessage fill, make_fill(request, file_type, std::move(value)));
  return detail::to_status(complete_filters(request, file_type, fill));
}

Status convert_fill_value(File& file, DatasetRequest* request) {
  FileStore& store = file.store();
  PCIO_ASSIGN(request->fill,
              stored_fill(store, *request, request->type.file_form(store.sizes().offset_size)));
  return Status();
}

Result<Location> make_dataset(const FilePtr& file, const DatasetRequest& request,
                              NewSpace* unfilled) {
  PCIO_TRY(check_dataset_request(*file, request));
  FileStore& store = file->store();
  PCIO_ASSIGN(auto state, make_state(store, request));
  PCIO_TRY(add_virtual(store, request.create.virtual_mappings, state.get()));
  PCIO_ASSIGN(StoredObjectPtr object,
              make_header(store, state.get(), request.create, request.create.external_files));
  object->dataset = std::move(state);
  if (request.late_allocation) store.datasets().allocate_late(object);
  if (request.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(StoredObjectPtr holder, store.objects().object(request.committed_type));
    store.objects().add_reference(holder);
  }
  if (allocates_at_once(store, *object->dataset)) {
    PCIO_ASSIGN(*unfilled, allocate_all(store, object));
  }
  if (object->dataset->filtered() && !store.parallel() &&
      object->dataset->fill.allocation == AllocTime::kEarly)
    PCIO_TRY(allocate_filtered_chunks(store, object));
  return Location{file, std::move(object), ""};
}

namespace {

/// A fill value without objects in the form of another file.
Status copy_plain_fill(const DatasetState& like, DatasetState* state) {
  StoredSequences none;
  ConvertOptions options;
  options.sequences = {&none, &none, nullptr};
  PCIO_ASSIGN(const Conversion way, Conversion::make(like.type, state->type, options));
  return way.run(like.fill.value.data(), state->fill.value.data(), 1);
}

/// Elements of variable length may have another size in another file. What they refer to is not theirs: they, and
/// a fill value with objects, are null until they are written.
Status copy_sizes(const DatasetState& like, DatasetState* state) {
  LayoutMessage& layout = state->layout;
  const std::size_t size = state->type.size();
  if (like.type.is_fixed()) {
    layout.size = like.layout.size;
    layout.compact_data = like.layout.compact_data;
    return Status();
  }
  PCIO_ASSIGN(const std::uint64_t bytes, state->data_bytes());
  if (like.layout.size) layout.size = bytes;
  if (layout.cls == LayoutClass::kCompact)
    layout.compact_data.resize(static_cast<std::size_t>(bytes));
  if (like.fill.value.empty()) return Status();
  state->fill.value.assign(size, std::byte{0});
  const bool plain = like.fill.value.size() == like.type.size() && !like.fill_has_objects();
  return plain ? copy_plain_fill(like, state) : Status();
}

}  // namespace

Result<Location> make_dataset_like(const FilePtr& file, const DatasetState& like,
                                   FileAddress committed_type, const StoredObject& source) {
  FileStore& store = file->store();
  const ObjectCreateProps create = object_create_props(source);
  const unsigned version = source.header.version;
  auto state = std::make_unique<DatasetState>();
  state->type = like.type.file_form(store.sizes().offset_size);
  state->committed_type = committed_type;
  state->extent = like.extent;
  if (like.virtual_data) PCIO_TRY(state->extent.set_dims(like.virtual_data->extent));
  state->fill = like.fill;
  state->filters = like.filters;
  LayoutMessage& layout = state->layout;
  layout.cls = like.layout.cls;
  PCIO_TRY(copy_sizes(like, state.get()));
  if (like.chunked()) {
    layout.chunk_dims = like.layout.chunk_dims;
    layout.element_size = static_cast<std::uint32_t>(state->type.size());
    layout.partial_edge_unfiltered = like.layout.partial_edge_unfiltered;
    layout.index = choose_index(store.context().format, *state, like.fill.allocation);
    make_index(state.get());
    PCIO_TRY(Status(state->unsupported));
    PCIO_TRY(check_extent_writable(store, *state, state->extent, state->index->grid()));
  }
  if (like.virtual_data) PCIO_TRY(add_virtual(store, like.virtual_data->mappings, state.get()));
  const auto files = like.external ? like.external->files : decltype(like.external->files)();
  PCIO_ASSIGN(StoredObjectPtr object, make_header(store, state.get(), create, files, version));
  object->dataset = std::move(state);
  if (committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(StoredObjectPtr holder, store.objects().object(committed_type));
    store.objects().add_reference(holder);
  }
  return Location{file, std::move(object), ""};
}

namespace {

/// As far as can be said before it is converted.
bool is_zero(const FillValue& fill) {
  if (fill.state != FillState::kUserDefined) return true;
  if (!fill.type) return false;
  const TypeClass cls = fill.type->type_class();
  return (cls == TypeClass::kInteger || cls == TypeClass::kFloat) &&
         std::all_of(fill.bytes.begin(), fill.bytes.begin() + used_bytes(*fill.type),
                     [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

bool fill_may_have_objects(const DatasetCreateProps& create, const Datatype* type) {
  const FillValue& fill = create.fill;
  return fill.state == FillState::kUserDefined && fill.sequences != nullptr &&
         !fill.sequences->objects().empty() && (type == nullptr || !type->is_fixed());
}

bool ignores_filters(const Datatype& type, const Dataspace& space) {
  return type.type_class() == TypeClass::kVlen || type.is_variable_string() ||
         space.cls() != SpaceClass::kSimple;
}

bool create_may_need_fill(File& file, const DatasetCreateProps& create,
                          const DatasetAccessProps* access, const Datatype* type) {
  FileStore& store = file.store();
  if (store.parallel() && fill_may_have_objects(create, type)) return true;
  if (!store.parallel() || (!create.filters.empty() && create.layout == Layout::kChunked))
    return false;
  DatasetState state;
  if (type != nullptr) state.type = *type;
  state.fill.allocation = create.effective_alloc_time();
  state.fill.time = create.fill_time;
  state.fill.state =
      create.fill.state == FillState::kUndefined ? FillState::kUndefined : FillState::kDefault;
  state.layout.cls = static_cast<LayoutClass>(create.layout);
  state.late_allocation = access != nullptr && access->late_allocation;
  if (!allocates_at_once(store, state) || state.layout.cls == LayoutClass::kCompact) return false;
  return may_need_fill(store, state) || (state.wants_fill() && !is_zero(create.fill));
}

Status finish_fill(File& file, const StoredObjectPtr& object, const NewSpace& unfilled,
                   const CallName& name, const Status& local) {
  LocalFacts facts;
  facts.call_kind = CallKind::kMetadata;
  PCIO_TRY(detail::to_status(file.coordinator().agree(name, facts, local)));
  return fill_made(file, object, unfilled, name);
}

Status fill_made(File& file, const StoredObjectPtr& object, const NewSpace& unfilled,
                 const CallName& name) {
  if (unfilled.empty()) return Status();
  Status written =
      without_throwing([&] { return write_fill(file.store(), *object->dataset, unfilled); });
  return file.coordinator().outcome(name, written);
}

Status place_fill_value(const Location& dataset, const DatasetRequest& request,
                        const CallName& name) {
  FileStore& store = dataset.file->store();
  ConvertOptions options;
  options.foreign = request.conversions;
  PCIO_TRY(store_fill_value(store, dataset.object, {request.create.fill, options}, name));
  return fill_new_elements(store, dataset.object, name);
}

}  // namespace pcio
