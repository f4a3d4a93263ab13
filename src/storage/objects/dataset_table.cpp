// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: DatasetTable: datasets: their messages decoded, their chunk index loaded.

#include "base/checked.hpp"
#include "format/dataspace_message.hpp"
#include "format/datatype_message.hpp"
#include "format/shared_message.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/objects/dataset_table.hpp"
#include "filter/pipeline.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

/// `layout` decides what the allocation time of files without any message is.
Result<FillValueMessage> read_fill(ObjectTable& objects, const StoredObject& object,
                                   const Datatype& type, LayoutClass layout) {
  FillValueMessage fill;
  fill.state = FillState::kUndefined;
  if (layout == LayoutClass::kChunked) fill.allocation = AllocTime::kIncremental;
  if (layout == LayoutClass::kCompact) fill.allocation = AllocTime::kEarly;
  if (const HeaderMessage* message = object.find(kMessageFillValue)) {
    PCIO_ASSIGN(const HeaderMessage plain, objects.unshared(*message));
    PCIO_TRY(check_not_shared(plain));
    ByteReader reader(plain.body);
    PCIO_ASSIGN(fill, decode_fill_value_message(reader));
  } else if (const HeaderMessage* old = object.find(kMessageFillValueOld)) {
    PCIO_ASSIGN(const HeaderMessage plain, objects.unshared(*old));
    PCIO_TRY(check_not_shared(plain));
    ByteReader reader(plain.body);
    PCIO_ASSIGN(fill.value, decode_old_fill_value_message(reader));
    fill.state = fill.value.empty() ? FillState::kDefault : FillState::kUserDefined;
  }
  if (fill.state == FillState::kUserDefined && fill.value.empty()) fill.state = FillState::kDefault;
  if (fill.state == FillState::kUserDefined && fill.value.size() != type.size())
    return PCIO_ERROR(DATASET, BADSIZE, "fill value has another size than the dataset's elements");
  return fill;
}

Status check_chunks(const DatasetState& state) {
  const LayoutMessage& layout = state.layout;
  if (layout.chunk_dims.size() != state.extent.ndims() || state.extent.ndims() == 0)
    return PCIO_ERROR(DATASET, BADVALUE,
                      "chunks have another number of dimensions than the dataset");
  if (layout.element_size != state.type.size())
    return PCIO_ERROR(DATASET, BADVALUE, "chunks have another element size than the dataset");
  auto volume = layout.chunk_dims.volume();
  if (!volume || !checked_mul<std::uint64_t>(*volume, state.type.size()))
    return PCIO_ERROR(DATASET, OVERFLOW, "chunks are larger than any file can be");
  if (*volume == 0) return PCIO_ERROR(DATASET, BADVALUE, "chunk dimension of size 0");
  return Status();
}

Status check_contiguous(const DatasetState& state) {
  PCIO_ASSIGN(std::uint64_t bytes, state.data_bytes());
  if (state.layout.size && *state.layout.size < bytes && state.layout.address != kUndefinedAddress)
    return PCIO_ERROR(DATASET, BADSIZE, "contiguous data are shorter than the dataset's extent");
  return Status();
}

/// Why data can't be reached, decided once.
Status find_unsupported(const DatasetState& state) {
  if (state.chunked()) PCIO_TRY(detail::to_status(state.grid()));
  return Status();
}

}  // namespace

Result<DatasetState*> DatasetTable::state(const StoredObjectPtr& object) {
  if (file_.coordinator->has_lost_undo()) PCIO_TRY(file_.coordinator->health());
  if (object->dataset) return object->dataset.get();
  const HeaderMessage* space = object->find(kMessageDataspace);
  const HeaderMessage* type = object->find(kMessageDatatype);
  const HeaderMessage* layout = object->find(kMessageLayout);
  if (space == nullptr || type == nullptr || layout == nullptr)
    return PCIO_ERROR(DATASET, BADTYPE, "object is not a dataset");
  auto state = std::make_unique<DatasetState>();
  PCIO_ASSIGN(const HeaderMessage plain_space, objects_.unshared(*space));
  PCIO_TRY(check_not_shared(plain_space));
  ByteReader space_reader(plain_space.body);
  PCIO_ASSIGN(state->extent, decode_dataspace_message(space_reader, file_.sizes()));
  PCIO_ASSIGN(state->type, objects_.resolve_type(*type, &state->committed_type));
  ByteReader layout_reader(layout->body);
  PCIO_ASSIGN(state->layout, decode_layout_message(layout_reader, file_.sizes()));
  PCIO_ASSIGN(state->fill, read_fill(objects_, *object, state->type, state->layout.cls));
  if (const HeaderMessage* filters = object->find(kMessageFilterPipeline)) {
    PCIO_ASSIGN(const HeaderMessage plain, objects_.unshared(*filters));
    PCIO_ASSIGN(state->filters, decode_filters(plain));
  }
  if (state->chunked()) PCIO_TRY(check_chunks(*state));
  // Where H5Dset_extent leaves no element libhdf5 1.10.8 frees the one chunk, and the message still has its place:
  // perhaps somebody else's by now, or behind the end of the file.
  if (state->chunked() && state->index_class().single_chunk && state->extent.dims().volume() == 0U)
    state->layout.address = kUndefinedAddress;
  if (state->layout.cls == LayoutClass::kContiguous) PCIO_TRY(check_contiguous(*state));
  state->late_allocation = late_.contains(object->address);
  state->unsupported = find_unsupported(*state);
  if (state->layout.cls == LayoutClass::kVirtual) {
    auto data = read_virtual_data(file_, state->layout);
    if (!data)
      state->unsupported = std::move(data.error());
    else
      state->virtual_data = std::make_shared<VirtualData>(std::move(*data));
    if (state->virtual_data) state->virtual_data->extent = state->extent.dims();
  }
  if (const HeaderMessage* external = object->find(kMessageExternalFiles)) {
    auto files = read_external_files(file_, *external);
    if (!files)
      state->unsupported = std::move(files.error());
    else if (state->layout.cls != LayoutClass::kContiguous)
      state->unsupported =
          PCIO_ERROR(EFL, BADVALUE, "external files are listed of data that are not contiguous");
    else if (!files->files.empty())
      state->external = std::make_shared<ExternalFiles>(std::move(*files));
  }
  object->dataset = std::move(state);
  return object->dataset.get();
}

void DatasetTable::forget_decoded(StoredObject& object) const {
  if (!object.dataset || object.dataset->layout.cls == LayoutClass::kCompact) return;
  DatasetState& state = *object.dataset;
  // What is not in the messages, or in the file behind them, must stay.
  if (!state.new_blocks.empty() || state.index || state.loader || state.placed || state.chunks ||
      state.index_changed() || (state.chunked() && state.messages_changed()))
    return;
  if (state.messages_changed()) {
    auto space = encode_space_again(file_, object, state.extent);
    auto layout = encode_layout_again(file_, object, state.layout);
    if (!space || !layout) return;
    if (object.is_dirty()) object.keep_committed();
    object.put(std::move(*space));
    object.put(std::move(*layout));
  }
  object.dataset.reset();
}

void DatasetTable::allocate_late(const StoredObjectPtr& object) {
  late_.insert(object->address);
  if (object->dataset) object->dataset->late_allocation = true;
}

ChunkIndexShape DatasetTable::chunk_index_shape(const DatasetState& state) const {
  return {file_.sizes(), file_.chunk_internal_k(), state.extent.max_dims(), state.layout,
          state.filtered() ? ChunkForm::kFiltered : ChunkForm::kPlain};
}

Status DatasetTable::open_index(const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, this->state(object));
  // What could not be read whole is read anew: the failure may have been one of the moment.
  if (state->loader && !state->loader->usable()) {
    state->loader.reset();
    state->index.reset();
  }
  if (state->index) return Status();
  PCIO_TRY(Status(state->unsupported));
  PCIO_ASSIGN(ChunkGrid grid, state->grid());
  if (state->index_class().single_chunk && grid.count() > 1)
    return PCIO_ERROR(DATASET, BADVALUE,
                      "the layout says that there is one chunk, and the extent has " +
                          std::to_string(grid.count()));
  ChunkIndex index(std::move(grid), state->chunk_bytes());
  if (const FileAddress address = state->layout.address; address != kUndefinedAddress) {
    PCIO_ASSIGN(state->loader,
                open_chunk_index(*file_.bytes, chunk_index_shape(*state), address, &index));
  }
  state->index = std::move(index);
  return Status();
}

Status DatasetTable::load_chunk_index(const StoredObjectPtr& object) {
  return file_.read_settled([&] { return load_whole_index(object); });
}

Status DatasetTable::load_whole_index(const StoredObjectPtr& object) {
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  if (!state.loader) return Status();
  std::vector<ByteRange> blocks;
  PCIO_TRY(state.loader->load_all(*file_.bytes, &*state.index, &blocks));
  state.index_blocks = std::move(blocks);
  state.placed = state.loader->place(&*state.index);
  state.loader.reset();
  return Status();
}

Status DatasetTable::load_chunks(const StoredObjectPtr& object, const Box& box) {
  // What is read in parts would be of different times.
  if (file_.beside_writer != 0) return load_chunk_index(object);
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  return state.loader ? state.loader->load(*file_.bytes, box, &*state.index) : Status();
}

Status DatasetTable::load_counted_chunks(const StoredObjectPtr& object, std::uint64_t first,
                                         std::uint64_t end) {
  if (file_.beside_writer != 0) return load_chunk_index(object);
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  return state.loader ? state.loader->load_counted(*file_.bytes, first, end, &*state.index)
                      : Status();
}

void DatasetTable::remove(FileAddress address) {
  late_.erase(address);
  replaced_.erase(address);
}

}  // namespace pcio
