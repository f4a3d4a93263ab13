// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: what there is to copy.

#include "object/comment.hpp"
#include "object/copy.hpp"
#include "object/dataset_io.hpp"
#include "object/dataset_queries.hpp"
#include "object/named_type.hpp"
#include "object/region.hpp"
#include "storage/chunks/chunk_images.hpp"
#include "storage/heaps/heap_reader.hpp"
#include "storage/index/model/chunk_sequence.hpp"

namespace pcio {

Status find_references(const Datatype& type, std::size_t at, std::vector<ReferencePlace>* places) {
  switch (type.type_class()) {
    case TypeClass::kReference: {
      PCIO_ASSIGN(const ReferenceKind kind, type.reference_kind());
      if (type.size() != stored_size(kind))
        return PCIO_ERROR(DATATYPE, BADSIZE,
                          "references of " + std::to_string(type.size()) + " bytes, where " +
                              std::to_string(stored_size(kind)) + " are expected");
      places->push_back({at, kind});
      return Status();
    }
    case TypeClass::kCompound:
      for (const CompoundMember& member : type.members())
        PCIO_TRY(find_references(member.type, at + member.offset, places));
      return Status();
    case TypeClass::kArray: {
      PCIO_ASSIGN(const Datatype base, type.super());
      if (!base.has_vlen_or_reference()) return Status();
      for (std::size_t i = 0; i < type.size(); i += base.size())
        PCIO_TRY(find_references(base, at + i, places));
      return Status();
    }
    case TypeClass::kVlen:
      return PCIO_ERROR(DATATYPE, UNSUPPORTED, "variable-length data can't be copied yet");
    default: return Status();
  }
}

namespace {

/// Elements with references are in memory as a whole.
constexpr std::uint64_t kMostReferenceBytes = std::uint64_t{1} << 31;
/// Collections of regions that are kept for the next reference.
constexpr std::uint64_t kKeptHeapBytes = std::uint64_t{64} << 20;

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
  copied.with_members = with_members;
  objects_.push_back(std::move(copied));
  waiting_.push_back(place->second);
  return place->second;
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
  return Status();
}

void ObjectCopy::put(NamedArguments& out) const {
  out.begin("object that is copied");
  out.u64(request_.source.address());
  out.number("options (H5Pset_copy_object)", request_.props.copy_options);
  out.number("objects to copy", objects_.size());
  out.number("bytes to copy", bytes_);
  out.number("regions that references lead to", regions_.size());
  // What one rank wrote to one independently is its own until a flush.
  out.begin("data of compact datasets");
  out.u64(compact_hash_);
  out.begin("committed datatypes that are there already");
  for (const CopiedObject& object : objects_) out.u64(object.is_there ? object.made.address() : 0);
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
  PCIO_ASSIGN(auto names, attribute_names(open, IndexBy::kName, IterOrder::kNative));
  for (const std::string& name : names) {
    CopiedObject::Value value;
    PCIO_ASSIGN(value.attribute, find_attribute(open, name));
    std::vector<ReferencePlace> places;
    PCIO_TRY(find_references(value.attribute.type, 0, &places));
    if (!places.empty()) {
      PCIO_ASSIGN(value.references, plan_references(number, {value.attribute.data,
                                                             value.attribute.type.size(), places}));
    }
    if (value.attribute.committed_type != kUndefinedAddress) {
      PCIO_ASSIGN(Location type, object_at_address(from.file, value.attribute.committed_type));
      PCIO_ASSIGN(value.type, number_of(type, true));
    }
    bytes_ += value.attribute.data.size();
    objects_[number].attributes.push_back(std::move(value));
  }
  return Status();
}

Status ObjectCopy::plan_group(std::size_t number) {
  if (!objects_[number].with_members) return Status();
  const Location from = objects_[number].from;
  const IndexBy by = tracks_creation_order(from) ? IndexBy::kCreationOrder : IndexBy::kName;
  PCIO_ASSIGN(auto names, ordered_names(from, by, IterOrder::kIncreasing));
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
  PCIO_TRY(find_references(state->type, 0, &objects_[number].reference_places));
  if (state->committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(Location type, object_at_address(from.file, state->committed_type));
    PCIO_ASSIGN(objects_[number].type, number_of(type, true));
  }
  // Within a file references go on meaning what they mean.
  const bool changes = from.file != request_.to || follows();
  // Elements that are in other files stay there.
  const bool elsewhere = state->external || state->virtual_data;
  if (!changes || elsewhere) objects_[number].reference_places.clear();
  if (elsewhere) return Status();
  PCIO_TRY(plan_chunks(number));
  return objects_[number].reference_places.empty() ? Status() : plan_elements(number);
}

Status ObjectCopy::plan_chunks(std::size_t number) {
  const Location from = objects_[number].from;
  FileStore& store = from.file->store();
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(from.object));
  // Now: later the file may have grown by what is to become the copy.
  const auto check_place = [&](FileAddress address, std::uint64_t bytes) -> Status {
    if (store.bytes().holds(address, bytes)) return Status();
    return PCIO_ERROR(DATASET, BADRANGE,
                      std::to_string(bytes) + " bytes of data at address " +
                          std::to_string(address) + " are outside the file");
  };
  if (!state->chunked()) {
    PCIO_ASSIGN(const std::uint64_t bytes, state->data_bytes());
    if (state->layout.cls == LayoutClass::kContiguous && state->layout.address != kUndefinedAddress)
      PCIO_TRY(check_place(state->layout.address, bytes));
    bytes_ += bytes;
    compact_hash_ = hash_bytes(state->layout.compact_data, compact_hash_);
    return Status();
  }
  if (store.parallel()) {
    if (state->chunks && state->chunks->pending.count() > 0)
      return PCIO_ERROR(DATASET, UNSUPPORTED,
                        "chunks of it wait in this rank's memory: flush the file before");
  } else {
    PCIO_TRY(flush_chunks(store, from.object));
  }
  PCIO_TRY(store.datasets().load_chunk_index(from.object));
  const ChunkIndex& index = *state->index;
  CopiedObject& object = objects_[number];
  object.runs = index.runs();
  for (const IndexRun& run : object.runs)
    PCIO_TRY(check_place(run.address, run.count * state->chunk_bytes()));
  if (state->filtered())
    index.filtered_chunks().for_each_in(
        0, index.grid().grid().volume().value_or(0), [&](ChunkOrdinal at, const FilteredChunk& c) {
          object.chunks.push_back({{at, c.size, c.filter_mask}, c.address});
        });
  for (const CopiedObject::Chunk& chunk : object.chunks)
    PCIO_TRY(check_place(chunk.address, chunk.chunk.size));
  bytes_ += index.stored_bytes();
  return Status();
}

/// The elements, to be given other references.
Status ObjectCopy::plan_elements(std::size_t number) {
  const Location from = objects_[number].from;
  PCIO_ASSIGN(DatasetState * state, from.file->store().datasets().state(from.object));
  PCIO_ASSIGN(const std::uint64_t bytes, state->data_bytes());
  if (bytes > kMostReferenceBytes)
    return PCIO_ERROR(DATASET, UNSUPPORTED, "more than 2 GiB of elements with references");
  std::vector<std::byte> elements(static_cast<std::size_t>(bytes));
  TransferRequest read;
  read.direction = Direction::kRead;
  read.memory_type = state->type;
  read.memory_space = read.file_space = state->extent;
  read.buffer = elements.data();
  const std::size_t element_size = state->type.size();
  if (!elements.empty()) {
    const OpenObject open(from.file, from.object, from.path);
    TransferReport report;
    PCIO_TRY(transfer_dataset(open, read, &report, "H5Ocopy", Status()));
  }
  PCIO_ASSIGN(objects_[number].references,
              plan_references(number, {elements, element_size, objects_[number].reference_places}));
  objects_[number].elements = std::move(elements);
  return Status();
}

Result<std::vector<CopiedObject::Reference>> ObjectCopy::plan_references(std::size_t number,
                                                                         const Elements& elements) {
  const FilePtr file = objects_[number].from.file;
  const std::size_t wide = region_reference_size(*file);
  std::vector<CopiedObject::Reference> found;
  HeapReader heaps = file->store().heap_reader();
  // The plan of what is referred to may move objects_, and places with them.
  const std::vector<ReferencePlace> places(elements.places.begin(), elements.places.end());
  for (std::size_t at = 0; at + elements.size <= elements.bytes.size(); at += elements.size)
    for (const ReferencePlace& place : places) {
      const std::size_t width = place.kind == ReferenceKind::kRegion
                                    ? wide
                                    : std::size_t{file->store().sizes().offset_size};
      const ConstBytes bytes = elements.bytes.subspan(at + place.offset, width);
      PCIO_ASSIGN(auto reference, plan_reference(number, place.kind, bytes, heaps));
      found.push_back(reference);
      if (heaps.bytes() > kKeptHeapBytes) heaps.forget();
    }
  return found;
}

/// One that leads nowhere becomes one to nothing, where what is referred to is copied as well.
Result<CopiedObject::Reference> ObjectCopy::plan_reference(std::size_t number, ReferenceKind kind,
                                                           ConstBytes bytes, HeapReader& heaps) {
  const FilePtr file = objects_[number].from.file;
  CopiedObject::Reference reference;
  std::vector<std::byte> region;
  if (kind == ReferenceKind::kObject) {
    ByteReader reader(bytes);
    reference.object = reader.uint(static_cast<unsigned>(bytes.size()));
  } else if (follows()) {
    auto object = load_region(file, bytes, heaps);
    if (object) region = std::move(*object);
    if (object) reference.object = region_target(*file, region);
  }
  if (!follows() || reference.object == 0) return reference;
  auto target = object_at_address(file, reference.object);
  if (!target || is_unlinked(*target)) return CopiedObject::Reference();
  PCIO_ASSIGN(const std::size_t to,
              number_of(*target, (request_.props.copy_options & kCopyShallow) == 0));
  objects_[to].is_referenced = true;
  if (kind == ReferenceKind::kRegion) {
    reference.region = regions_.size();
    regions_.push_back({to, std::move(region)});
  }
  return reference;
}

}  // namespace pcio
