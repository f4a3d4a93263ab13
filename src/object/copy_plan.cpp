// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: what there is to copy.

#include "object/comment.hpp"
#include "object/copy.hpp"
#include "object/dataset_io.hpp"
#include "object/dataset_queries.hpp"
#include "object/fill_values.hpp"
#include "object/named_type.hpp"
#include "object/region.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/index/model/chunk_sequence.hpp"

namespace pcio {

namespace {

/// Collections of regions that are kept for the next reference.
constexpr std::uint64_t kKeptHeapBytes = std::uint64_t{64} << 20;

/// What of variable-length data can't be had.
Status check_sequences(const DatasetState& state, const FilePtr& from, const FilePtr& to) {
  if (state.type.is_fixed()) return Status();
  if (state.fill_has_objects() && to->parallel() && (state.filtered() || state.external))
    return PCIO_ERROR(
        DATASET, UNSUPPORTED,
        "fill values with variable-length data of chunks with filters can't be copied "
        "into a file of several ranks");
  if (state.external && from != to)
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "its elements in external files refer to heaps of its own file");
  return Status();
}

/// In a file of several ranks: what this rank has of the dataset is in the file.
Status check_none_waits(const DatasetState& state) {
  if (!state.chunks || state.chunks->pending.count() == 0) return Status();
  for (const ChunkInMemory* chunk : state.chunks->pending.chunks())
    if (chunk->left_in != 0)
      return cant_encode(state, chunk->ordinal,
                         PCIO_ERROR(DATASET, CANTENCODE,
                                    "it waits in this rank's memory since a flush left it out"));
  return PCIO_ERROR(DATASET, UNSUPPORTED,
                    "chunks of it wait in this rank's memory: flush the file before");
}

Status named(Status failed, const Location& object) {
  if (!failed.ok())
    failed.push(PCIO_FRAME(
        OHDR, CANTCOPY,
        "\"" + object.path + "\" of file \"" + object.file->path() + "\" can't be copied"));
  return failed;
}

}  // namespace

Result<std::size_t> ObjectCopy::number_of(const Location& object, bool with_members) {
  const Key key{object.file.get(), object.address()};
  const auto [place, is_new] = numbers_.try_emplace(key, objects_.size());
  if (!is_new) return place->second;
  CopiedObject copied;
  copied.from = object;
  copied.in_transfer = std::make_unique<DatasetInTransfer>(object.object);
  copied.with_members = with_members;
  objects_.push_back(std::move(copied));
  waiting_.push_back(place->second);
  return place->second;
}

/// Types are made before what has one: nothing else may stand in for one.
Result<std::size_t> ObjectCopy::number_of_type(const FilePtr& file, FileAddress address) {
  PCIO_ASSIGN(const Location type, object_at_address(file, address));
  if (type.kind() != ObjectKind::kNamedType)
    return PCIO_ERROR(DATATYPE, BADTYPE,
                      "its committed datatype is, at address " + std::to_string(address) +
                          ", an object of another kind");
  return number_of(type, true);
}

Status ObjectCopy::plan(CopyRequest request) {
  request_ = std::move(request);
  PCIO_ASSIGN(const std::size_t first, number_of(request_.source, true));
  objects_[first].is_linked = true;
  while (!waiting_.empty()) {
    const std::size_t number = waiting_.back();
    waiting_.pop_back();
    const Location from = objects_[number].from;  // planning moves what stands in objects_
    PCIO_TRY(named(plan_object(number), from));
  }
  if (!request_.to->parallel()) return Status();
  for (const CopiedObject& object : objects_)
    if (!object.is_there) PCIO_TRY(named(shape_.add_object(object), object.from));
  return Status();
}

Status ObjectCopy::plan_object(std::size_t number) {
  const Location from = objects_[number].from;
  switch (from.kind()) {
    case ObjectKind::kGroup: PCIO_TRY(plan_group(number)); break;
    case ObjectKind::kDataset: PCIO_TRY(plan_dataset(number)); break;
    case ObjectKind::kNamedType: PCIO_TRY(plan_type(number)); break;
    default: return PCIO_ERROR(OHDR, BADTYPE, "an object of unknown kind");
  }
  if (objects_[number].is_there) return Status();
  PCIO_ASSIGN(objects_[number].comment, comment_of(from));
  return plan_attributes(number);
}

Status ObjectCopy::plan_attributes(std::size_t number) {
  if ((request_.props.copy_options & kCopyWithoutAttributes) != 0) return Status();
  const Location from = objects_[number].from;
  const OpenObject open(from.file, from.object, from.path);
  // Ranks make them in one order. Where nobody tracks it that in memory is another on a rank that has read them anew.
  const bool tracked = from.object->header.track_attribute_order;
  PCIO_ASSIGN(auto names,
              request_.to->parallel()
                  ? attribute_names(open, tracked ? IndexBy::kCreationOrder : IndexBy::kName,
                                    IterOrder::kIncreasing)
                  : attribute_names(open, IndexBy::kCreationOrder, IterOrder::kIncreasing));
  if (!names.empty()) {
    PCIO_ASSIGN(objects_[number].next_attribute, next_attribute_number(open));
  }
  for (const std::string& name : names) {
    CopiedObject::Value value;
    PCIO_ASSIGN(value.attribute, find_attribute(open, name));
    PCIO_TRY(plan_value(number, &value));
    if (value.attribute.committed_type != kUndefinedAddress) {
      PCIO_ASSIGN(value.type, number_of_type(from.file, value.attribute.committed_type));
    }
    bytes_ += value.attribute.data.size();
    objects_[number].attributes.push_back(std::move(value));
  }
  return Status();
}

/// A value that can't be copied byte by byte is read.
Status ObjectCopy::plan_value(std::size_t number, CopiedObject::Value* value) {
  const Attribute& attribute = value->attribute;
  const Datatype memory_type = attribute.type.memory_form();
  PCIO_ASSIGN(ReferenceMap map, ReferenceMap::make(memory_type));
  if (changes_references(objects_[number])) value->references = std::move(map);
  const std::uint64_t n = attribute.space.npoints();
  if (n == 0 || (attribute.type.is_fixed() && value->references.empty())) return Status();
  value->elements = std::make_shared<HeldElements>(memory_type, static_cast<std::size_t>(n));
  const Location from = objects_[number].from;
  const OpenObject open(from.file, from.object, from.path);
  PCIO_TRY(read_attribute(open, attribute.name, memory_type, value->elements->data()));
  ++waiting_values_;
  return plan_references(number, value->references, *value->elements);
}

Status ObjectCopy::plan_group(std::size_t number) {
  if (!objects_[number].with_members) return Status();
  const Location from = objects_[number].from;
  const IndexBy by = tracks_creation_order(from) ? IndexBy::kCreationOrder : IndexBy::kName;
  PCIO_ASSIGN(auto names, ordered_names(from, by, IterOrder::kIncreasing));
  PCIO_ASSIGN(const LinkTable* table, from.file->store().objects().links(from.object));
  objects_[number].next_link = table->next_creation_order;
  for (std::string& name : names) {
    const LinkPlace place{from, std::move(name)};
    PCIO_ASSIGN(const LinkMessage* found, find_link(place));
    const LinkMessage link = *found;
    PCIO_TRY(plan_link(number, place, link));
  }
  return Status();
}

Status ObjectCopy::plan_link(std::size_t number, const LinkPlace& place, const LinkMessage& link) {
  const unsigned options = request_.props.copy_options;
  CopiedObject::Link copied{link, CopiedObject::kNone};
  const bool expands = (link.type == kLinkSoft && (options & kCopySoftTargets) != 0) ||
                       (link.type == kLinkExternal && (options & kCopyExternalTargets) != 0);
  if (link.type == kLinkHard || expands) {
    // What is mounted on a member is no part of the group.
    auto target = link.type == kLinkHard ? object_at_address(place.group.file, link.address)
                                         : find_object(place.group, place.name);
    if (target) {
      if (link.type == kLinkHard) {
        target->path = place.path();
        target->hold = place.group.hold;
      }
      PCIO_ASSIGN(copied.object, number_of(*target, (options & kCopyShallow) == 0));
      objects_[copied.object].is_linked = true;
    } else if (link.type == kLinkHard) {
      return std::move(target.error());
    }
  }
  objects_[number].links.push_back(std::move(copied));
  return Status();
}

Status ObjectCopy::plan_type(std::size_t number) {
  if ((request_.props.copy_options & kCopyMergeTypes) == 0) return Status();
  if (!types_there_) types_there_.emplace(request_.to);
  PCIO_ASSIGN(auto match, find_equal_type(request_.to, objects_[number].from, request_.props,
                                          request_.ask, *types_there_));
  if (!match) return Status();
  objects_[number].is_there = true;
  objects_[number].made = std::move(*match);
  return Status();
}

Status ObjectCopy::plan_dataset(std::size_t number) {
  const Location from = objects_[number].from;
  FileStore& store = from.file->store();
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(from.object));
  PCIO_TRY(Status(state->unsupported));
  if (!state->deferred.empty())
    return PCIO_ERROR(DATASET, UNSUPPORTED,
                      "its extent was made smaller since the last flush: flush the file before");
  if (state->committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(objects_[number].type, number_of_type(from.file, state->committed_type));
  }
  PCIO_ASSIGN(ReferenceMap map, ReferenceMap::make(state->type.memory_form()));
  PCIO_TRY(check_sequences(*state, from.file, request_.to));
  if (state->fill_has_objects()) {
    PCIO_ASSIGN(FillValue fill, load_fill_value(store, state->type, state->fill_element()));
    objects_[number].fill = std::make_shared<FillValue>(std::move(fill));
    ++fills_;
  }
  // Elements that are in other files stay there.
  if (state->external || state->virtual_data) return Status();
  CopiedObject& object = objects_[number];
  if (changes_references(object)) object.references = std::move(map);
  object.by_elements = !state->type.is_fixed() || !object.references.empty();
  PCIO_TRY(plan_chunks(number));
  if (!object.by_elements) return Status();
  PCIO_ASSIGN(const ElementBatches batches, batches_of(object));
  batches_ += batches.count();
  return follows() && !object.references.empty() ? plan_elements(number) : Status();
}

namespace {

Status check_place(FileStore& store, FileAddress address, std::uint64_t bytes) {
  if (store.bytes().holds(address, bytes)) return Status();
  return PCIO_ERROR(DATASET, BADRANGE,
                    std::to_string(bytes) + " bytes of data at address " + std::to_string(address) +
                        " are outside the file");
}

/// Where the chunks are that the index has now. Checked here: later the file may have grown by what is to become the
/// copy.
Status take_places(CopiedObject& object) {
  FileStore& store = object.from.file->store();
  PCIO_ASSIGN(const DatasetState* state, store.datasets().state(object.from.object));
  const ChunkIndex& index = *state->index;
  object.runs = index.runs();
  object.chunks.clear();
  for (const IndexRun& run : object.runs)
    PCIO_TRY(check_place(store, run.address, run.count * state->chunk_bytes()));
  if (state->filtered())
    index.filtered_chunks().for_each_in(
        0, index.grid().grid().volume().value_or(0), [&](ChunkOrdinal at, const FilteredChunk& c) {
          object.chunks.push_back({{at, c.size, c.filter_mask}, c.address});
        });
  for (const CopiedObject::Chunk& chunk : object.chunks)
    PCIO_TRY(check_place(store, chunk.address, chunk.chunk.size));
  return Status();
}

}  // namespace

/// Behind the last function of the program that runs before the data are moved: one may have written what is copied and
/// flushed it, and what was planned has other bytes since then.
Status ObjectCopy::take_places_again() {
  // What such a function has left in memory is as new as what it has flushed; filters are functions, too.
  for (const CopiedObject& object : objects_) {
    FileStore& store = object.from.file->store();
    if (object.chunked && !store.parallel())
      PCIO_TRY(named(flush_chunks(store, object.from.object), object.from));
  }
  SourceShape now;
  for (CopiedObject& object : objects_) {
    if (object.from.kind() != ObjectKind::kDataset) continue;
    FileStore& store = object.from.file->store();
    if (object.chunked) {
      PCIO_TRY(store.datasets().load_chunk_index(object.from.object));
      PCIO_TRY(named(take_places(object), object.from));
    }
    PCIO_ASSIGN(const DatasetState* state, store.datasets().state(object.from.object));
    now.add_places(object, *state);
  }
  places_hash_ = now.hash_of_places();
  return Status();
}

Status ObjectCopy::plan_chunks(std::size_t number) {
  const Location from = objects_[number].from;
  FileStore& store = from.file->store();
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(from.object));
  if (!state->chunked()) {
    PCIO_ASSIGN(const std::uint64_t bytes, state->data_bytes());
    if (state->layout.cls == LayoutClass::kContiguous && state->layout.address != kUndefinedAddress)
      PCIO_TRY(check_place(store, state->layout.address, bytes));
    bytes_ += bytes;
    // Of elements that refer to others rank 0 reads all.
    if (!objects_[number].by_elements)
      compact_hash_ = hash_bytes(state->layout.compact_data, compact_hash_);
    return Status();
  }
  if (!store.parallel()) PCIO_TRY(flush_chunks(store, from.object));
  PCIO_TRY(store.datasets().load_chunk_index(from.object));
  if (store.parallel()) PCIO_TRY(check_none_waits(*state));
  PCIO_TRY(take_places(objects_[number]));
  objects_[number].chunked = true;
  bytes_ += state->index->stored_bytes();
  return Status();
}

/// Looks for what the elements refer to.
Status ObjectCopy::plan_elements(std::size_t number) {
  const Location from = objects_[number].from;
  const OpenObject open(from.file, from.object, from.path);
  const ReferenceMap map = objects_[number].references;  // the list of objects may move
  PCIO_ASSIGN(const ElementBatches batches, batches_of(objects_[number]));
  for (std::uint64_t i = 0; i < batches.count(); ++i) {
    PCIO_ASSIGN(const Dataspace part, batches.batch(i));
    HeldElements elements;
    PCIO_TRY(read_batch(open, part, &elements));
    PCIO_TRY(plan_references(number, map, elements));
  }
  return Status();
}

Status ObjectCopy::plan_references(std::size_t number, const ReferenceMap& map,
                                   HeldElements& elements) {
  if (!follows()) return Status();
  const FilePtr file = objects_[number].from.file;
  HeapReader heaps = file->store().heap_reader();
  return map.visit(elements.data(), elements.size(), [&](ReferenceKind kind, ConstBytes bytes) {
    if (kind == ReferenceKind::kNewer) return Status();
    if (heaps.bytes() > kKeptHeapBytes) heaps.forget();
    return kind == ReferenceKind::kRegion ? plan_region_reference(file, bytes, heaps)
                                          : plan_object_reference(file, bytes);
  });
}

/// None for what leads nowhere: it becomes a reference to nothing.
Result<std::optional<std::size_t>> ObjectCopy::plan_target(const FilePtr& file,
                                                           FileAddress address) {
  if (address == 0) return std::optional<std::size_t>();
  auto target = object_at_address(file, address);
  if (!target || is_unlinked(*target)) return std::optional<std::size_t>();
  PCIO_ASSIGN(const std::size_t number,
              number_of(*target, (request_.props.copy_options & kCopyShallow) == 0));
  objects_[number].is_referenced = true;
  return std::optional<std::size_t>(number);
}

Status ObjectCopy::plan_object_reference(const FilePtr& file, ConstBytes reference) {
  ByteReader reader(reference);
  return detail::to_status(plan_target(file, reader.uint(file->store().sizes().offset_size)));
}

Status ObjectCopy::plan_region_reference(const FilePtr& file, ConstBytes reference,
                                         HeapReader& heaps) {
  const ConstBytes id = reference.first(region_reference_size(*file));
  std::pair<File*, std::vector<std::byte>> key(file.get(), {id.begin(), id.end()});
  if (region_numbers_.contains(key)) return Status();
  auto region = load_region(file, id, heaps);
  if (!region) return Status();
  PCIO_ASSIGN(const auto target, plan_target(file, region_target(*file, *region)));
  if (!target) return Status();
  region_numbers_.emplace(std::move(key), regions_.size());
  regions_.push_back({*target, std::move(*region)});
  return Status();
}

}  // namespace pcio
