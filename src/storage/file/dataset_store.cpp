// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: datasets: their messages decoded, their chunk index loaded and planned.

#include "base/checked.hpp"
#include "format/dataspace_message.hpp"
#include "format/datatype_message.hpp"
#include "format/shared_message.hpp"
#include "storage/index/chunk_index_store.hpp"
#include "storage/file/file_store.hpp"
#include "filter/pipeline.hpp"
#include "storage/file/message_codec.hpp"

namespace pcio {

namespace {

/// `layout` decides what the allocation time of files without any message is.
Result<FillValueMessage> read_fill(const StoredObject& object, const Datatype& type,
                                   LayoutClass layout) {
  FillValueMessage fill;
  fill.state = FillState::kUndefined;
  if (layout == LayoutClass::kChunked) fill.allocation = AllocTime::kIncremental;
  if (layout == LayoutClass::kCompact) fill.allocation = AllocTime::kEarly;
  if (const HeaderMessage* message = object.find(kMessageFillValue)) {
    PCIO_TRY(check_not_shared(*message));
    ByteReader reader(message->body);
    PCIO_ASSIGN(fill, decode_fill_value_message(reader));
  } else if (const HeaderMessage* old = object.find(kMessageFillValueOld)) {
    PCIO_TRY(check_not_shared(*old));
    ByteReader reader(old->body);
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
Status find_unsupported(const StoredObject& object, const DatasetState& state) {
  if (object.find(kMessageExternalFiles) != nullptr)
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "data are in external files, which is not supported yet");
  if (state.layout.cls == LayoutClass::kVirtual)
    return PCIO_ERROR(DATASET, UNSUPPORTED, "virtual datasets are not supported yet");
  if (state.chunked()) PCIO_TRY(detail::to_status(state.grid()));
  return Status();
}

}  // namespace

Result<Datatype> FileStore::resolve_type(const HeaderMessage& message, FileAddress* committed_at) {
  *committed_at = kUndefinedAddress;
  ByteReader reader(message.body);
  if ((message.flags & kMessageShared) == 0) return decode_datatype(reader);
  PCIO_ASSIGN(SharedMessage shared, decode_shared_message(reader, context_.superblock.sizes));
  PCIO_ASSIGN(FileAddress address, committed_address(shared));
  PCIO_ASSIGN(StoredObjectPtr holder, object(address));
  const HeaderMessage* type = holder->find(kMessageDatatype);
  if (type == nullptr || (type->flags & kMessageShared) != 0)
    return PCIO_ERROR(DATATYPE, BADTYPE, "a type refers to an object that is not a committed type");
  *committed_at = address;
  ByteReader type_reader(type->body);
  return decode_datatype(type_reader);
}

Result<DatasetState*> FileStore::dataset(const StoredObjectPtr& object) {
  if (object->dataset) return object->dataset.get();
  const HeaderMessage* space = object->find(kMessageDataspace);
  const HeaderMessage* type = object->find(kMessageDatatype);
  const HeaderMessage* layout = object->find(kMessageLayout);
  if (space == nullptr || type == nullptr || layout == nullptr)
    return PCIO_ERROR(DATASET, BADTYPE, "object is not a dataset");
  auto state = std::make_unique<DatasetState>();
  PCIO_TRY(check_not_shared(*space));
  ByteReader space_reader(space->body);
  PCIO_ASSIGN(state->extent, decode_dataspace_message(space_reader, context_.superblock.sizes));
  PCIO_ASSIGN(state->type, resolve_type(*type, &state->committed_type));
  ByteReader layout_reader(layout->body);
  PCIO_ASSIGN(state->layout, decode_layout_message(layout_reader, context_.superblock.sizes));
  PCIO_ASSIGN(state->fill, read_fill(*object, state->type, state->layout.cls));
  if (const HeaderMessage* filters = object->find(kMessageFilterPipeline)) {
    PCIO_ASSIGN(state->filters, decode_filters(*filters));
  }
  if (state->chunked()) PCIO_TRY(check_chunks(*state));
  if (state->layout.cls == LayoutClass::kContiguous) PCIO_TRY(check_contiguous(*state));
  state->late_allocation = late_.count(object->address) > 0;
  state->unsupported = find_unsupported(*object, *state);
  if (state->chunked()) state->undecodable = check_decodable(state->filters);
  object->dataset = std::move(state);
  return object->dataset.get();
}

void FileStore::forget_decoded(StoredObject& object) const {
  if (!object.dataset || object.dataset->layout.cls == LayoutClass::kCompact) return;
  DatasetState& state = *object.dataset;
  // What is not in the messages, or in the file behind them, must stay.
  if (state.index || state.loader || state.placed || state.chunks || state.index_dirty ||
      (state.chunked() && state.messages_dirty))
    return;
  if (state.messages_dirty) {
    auto space = encode_space_again(*this, object, state.extent);
    auto layout = encode_layout_again(*this, object, state.layout);
    if (!space || !layout) return;
    if (object.dirty) object.keep_committed();
    object.put(std::move(*space));
    object.put(std::move(*layout));
  }
  object.dataset.reset();
}

void FileStore::allocate_late(const StoredObjectPtr& object) {
  late_.insert(object->address);
  if (object->dataset) object->dataset->late_allocation = true;
}

ChunkIndexShape FileStore::chunk_index_shape(const DatasetState& state) const {
  return {sizes(), chunk_internal_k(), state.extent.max_dims(), state.layout,
          state.filtered() ? ChunkForm::kFiltered : ChunkForm::kPlain};
}

Status FileStore::open_index(const StoredObjectPtr& object) {
  PCIO_ASSIGN(DatasetState * state, dataset(object));
  // What could not be read whole is read anew: the failure may have been one of the moment.
  if (state->loader && !state->loader->usable()) {
    state->loader.reset();
    state->index.reset();
  }
  if (state->index) return Status();
  PCIO_TRY(Status(state->unsupported));
  PCIO_ASSIGN(ChunkGrid grid, state->grid());
  ChunkIndex index(std::move(grid), state->chunk_bytes());
  if (const FileAddress address = state->layout.address; address != kUndefinedAddress) {
    PCIO_ASSIGN(state->loader,
                open_chunk_index(*context_.bytes, chunk_index_shape(*state), address, &index));
  }
  state->index = std::move(index);
  return Status();
}

Status FileStore::load_chunk_index(const StoredObjectPtr& object) {
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  if (!state.loader) return Status();
  std::vector<ByteRange> blocks;
  PCIO_TRY(state.loader->load_all(*context_.bytes, &*state.index, &blocks));
  state.index_blocks = std::move(blocks);
  state.placed = state.loader->place(&*state.index);
  state.loader.reset();
  return Status();
}

Status FileStore::load_chunks(const StoredObjectPtr& object, const Box& box) {
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  return state.loader ? state.loader->load(*context_.bytes, box, &*state.index) : Status();
}

Status FileStore::load_counted_chunks(const StoredObjectPtr& object, std::uint64_t first,
                                      std::uint64_t end) {
  PCIO_TRY(open_index(object));
  DatasetState& state = *object->dataset;
  return state.loader ? state.loader->load_counted(*context_.bytes, first, end, &*state.index)
                      : Status();
}

void FileStore::forget_loaded_part(DatasetState& state) {
  if (!state.loader) return;
  state.loader.reset();
  state.index.reset();
}

namespace {

/// Blocks that are overwritten are written twice, to the journal and in place; an index that is
/// written anew is written once.
bool cheaper_in_place(const PlacedIndex::Cost& cost, const PlacedIndex& placed) {
  return cost.changed <= placed.bytes() / 2;
}

}  // namespace

/// Plans the blocks of the index that changed, where that is all there is to write: true. The same
/// on all ranks.
Result<bool> FileStore::plan_index_in_place(DatasetState& state, BlockSet* blocks) {
  const ChunkIndex& index = *state.index;
  if (!state.placed || !index.changes() || !index.changes()->countable() ||
      index.allocated_count() == 0 || writer_.overwrites_unsafely())
    return false;
  // Written anew by a commit that failed: its blocks are not in the file.
  if (context_.space.is_uncommitted(state.layout.address)) return false;
  PCIO_ASSIGN(PlacedIndex::Cost cost, state.placed->mark(index, index.changes()->numbers()));
  if (!cheaper_in_place(cost, *state.placed)) return false;
  if (cost.added > 0) {
    PCIO_ASSIGN(FileAddress address, context_.space.allocate(cost.added, SpaceUse::kMetadata));
    state.placed->place(address);
    state.index_blocks.push_back({address, cost.added});
    // As who reads the index again would have them: how they are cut decides what a close moves.
    join_ranges(&state.index_blocks);
  }
  state.layout.address = state.placed->root();
  for (DirtyBlock& block : state.placed->blocks(index)) blocks->push_back(std::move(block));
  return true;
}

Status FileStore::plan_index(DatasetState& state, BlockSet* blocks) {
  PCIO_ASSIGN(bool in_place, plan_index_in_place(state, blocks));
  if (in_place) return Status();
  // Before the old one is given up: where there can be none, it stays as it is.
  PlannedIndex plan;
  FileAddress address = kUndefinedAddress;
  if (has_structure(state.layout.index)) {
    PCIO_ASSIGN(plan, plan_chunk_index(*state.index, chunk_index_shape(state)));
    if (plan.bytes > 0) {
      PCIO_ASSIGN(address, context_.space.allocate(plan.bytes, SpaceUse::kMetadata));
    }
  }
  state.placed.reset();
  state.index->unfollow();
  for (const ByteRange& range : state.index_blocks) context_.space.release(range);
  state.index->forget_outside();
  state.index_blocks.clear();
  state.layout.address = kUndefinedAddress;
  if (plan.bytes > 0) {
    state.index_blocks = {{address, plan.bytes}};
    state.layout.address = plan.root_at(address);
    for (DirtyBlock& block : plan.blocks(address)) blocks->push_back(std::move(block));
    state.placed = plan.placed_at(address);
    if (state.placed) {
      PCIO_ASSIGN(ChunkNumbering numbering,
                  chunk_index_shape(state).numbering(state.index->grid()));
      state.index->follow(numbering, numbered_by(state.layout.index));
    }
  }
  if (has_structure(state.layout.index)) return Status();
  if (auto runs = state.index->runs(); !runs.empty()) {
    state.layout.address = runs.front().address;
  } else if (auto one = state.index->filtered(0)) {
    state.layout.address = one->address;
  }
  return Status();
}

Status FileStore::plan_dataset(StoredObject& object, BlockSet* blocks) {
  DatasetState& state = *object.dataset;
  if (!state.index_dirty && !state.messages_dirty) return Status();
  PCIO_ASSIGN(HeaderMessage space, encode_space_again(*this, object, state.extent));
  if (state.index_dirty) PCIO_TRY(plan_index(state, blocks));
  PCIO_ASSIGN(HeaderMessage layout, encode_layout_again(*this, object, state.layout));
  object.put(std::move(space));
  object.put(std::move(layout));
  return Status();
}

}  // namespace pcio
