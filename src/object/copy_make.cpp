// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: the copies, but for their data.

#include "base/without_throwing.hpp"
#include "object/comment.hpp"
#include "object/copy.hpp"
#include "object/dataset.hpp"
#include "object/dataset_queries.hpp"
#include "object/named_type.hpp"
#include "object/object_info.hpp"
#include "object/region.hpp"

namespace pcio {

Status ObjectCopy::make(Coordinator& ranks, const CallName& name) {
  Status made = without_throwing([&] { return make_objects(); });
  // The ranks store regions together: before that each says whether it comes.
  if (meets_in_making()) {
    has_met_ = true;
    made = ranks.outcome(name, made);
  }
  PCIO_TRY(std::move(made));
  PCIO_TRY(store_regions(name));
  for (CopiedObject& object : objects_) {
    if (object.is_there) continue;
    if (!object.comment.empty()) PCIO_TRY(set_comment(object.made, object.comment));
    PCIO_TRY(make_attributes(object));
    PCIO_TRY(make_links(object));
  }
  return link_referenced();
}

Status ObjectCopy::make_objects() {
  // Types first: what has one wants its address.
  for (CopiedObject& object : objects_)
    if (object.from.kind() == ObjectKind::kNamedType && !object.is_there)
      PCIO_TRY(make_object(object));
  for (CopiedObject& object : objects_)
    if (object.from.kind() != ObjectKind::kNamedType) PCIO_TRY(make_object(object));
  return prepare_regions();
}

namespace {

/// As the source was made. A version 1 header tracks times where it has one.
ObjectCreateProps create_props_of(const StoredObject& object) {
  ObjectCreateProps props = object_create_props(object);
  if (!object.header.times)
    props.track_times = object.find(kMessageModificationTime) != nullptr ||
                        object.find(kMessageModificationTimeOld) != nullptr;
  return props;
}

}  // namespace

Status ObjectCopy::make_object(CopiedObject& object) {
  const Location& from = object.from;
  switch (from.kind()) {
    case ObjectKind::kGroup: {
      PCIO_ASSIGN(GroupCreateProps props, group_create_props(from));
      props.track_times = create_props_of(*from.object).track_times;
      PCIO_ASSIGN(object.made, make_anonymous_group(request_.to, props, from.object.get()));
      return Status();
    }
    case ObjectKind::kNamedType: {
      PCIO_ASSIGN(const Datatype type, named_type(from));
      PCIO_ASSIGN(object.made, make_named_type(request_.to, type, create_props_of(*from.object),
                                               from.object.get()));
      return Status();
    }
    default: return make_dataset_of(object);
  }
}

Status ObjectCopy::make_dataset_of(CopiedObject& object) {
  const Location& from = object.from;
  PCIO_ASSIGN(const DatasetState* state, from.file->store().datasets().state(from.object));
  const FileAddress type =
      object.type == CopiedObject::kNone ? kUndefinedAddress : objects_[object.type].made.address();
  PCIO_ASSIGN(object.made, make_dataset_like(request_.to, *state, type, *from.object));
  return allocate(object);
}

/// Space for what has some in the source, and for what a parallel file gives space to at once.
Status ObjectCopy::allocate(CopiedObject& object) {
  FileStore& store = request_.to->store();
  PCIO_ASSIGN(DatasetState * state, store.datasets().state(object.made.object));
  PCIO_ASSIGN(const DatasetState* source,
              object.from.file->store().datasets().state(object.from.object));
  const bool has_data = !state->chunked() && source->layout.address != kUndefinedAddress;
  if (allocates_at_once(store, *state) || has_data) {
    NewSpace unfilled;
    PCIO_ASSIGN(unfilled, allocate_all(store, object.made.object));
    const bool covered = has_data && !object.by_elements;
    if (!unfilled.empty() && !covered)
      unfilled_.emplace_back(static_cast<std::size_t>(&object - objects_.data()),
                             std::move(unfilled));
  }
  // The others are written through the dataset.
  if (object.by_elements) return Status();
  if (!object.chunks.empty()) {
    std::vector<SizedChunk> chunks;
    chunks.reserve(object.chunks.size());
    for (const CopiedObject::Chunk& chunk : object.chunks) chunks.push_back(chunk.chunk);
    return detail::to_status(place_filtered_chunks(store, object.made.object, chunks));
  }
  if (object.runs.empty() || allocates_at_once(store, *state)) return Status();
  std::vector<OrdinalInterval> wanted;
  wanted.reserve(object.runs.size());
  for (const IndexRun& run : object.runs) wanted.push_back({run.first, run.count});
  return detail::to_status(allocate_listed(store, object.made.object, wanted));
}

/// Regions that were followed, as they are of the copies of their datasets.
Status ObjectCopy::prepare_regions() {
  const unsigned width = request_.to->store().sizes().offset_size;
  region_ids_.resize(regions_.size() * region_reference_size(*request_.to));
  for (Region& region : regions_) {
    const CopiedObject& dataset = objects_[region.object];
    // The address, and what is selected.
    ByteWriter copied;
    copied.uint(dataset.made.address(), width);
    copied.bytes(
        ConstBytes(region.content).subspan(dataset.from.file->store().sizes().offset_size));
    region.content.assign(copied.view().begin(), copied.view().end());
  }
  return Status();
}

/// In the same order on all ranks.
Status ObjectCopy::store_regions(const CallName& name) {
  const std::size_t size = region_reference_size(*request_.to);
  for (std::size_t i = 0; i < regions_.size(); ++i)
    PCIO_TRY(store_region(*request_.to, name, regions_[i].content,
                          Bytes(region_ids_).subspan(i * size, size)));
  return Status();
}

/// References become those to copies or, in another file, none.
Status ObjectCopy::translate(const ReferenceMap& map, File* from, HeldElements* elements) const {
  return map.visit(elements->data(), elements->size(), [&](ReferenceKind kind, Bytes reference) {
    if (kind == ReferenceKind::kNewer) {
      // In another file its bytes would mean something else.
      if (from != request_.to.get()) std::fill(reference.begin(), reference.end(), std::byte{0});
    } else if (kind == ReferenceKind::kRegion)
      translate_region(from, reference);
    else
      translate_object(from, reference);
    return Status();
  });
}

void ObjectCopy::translate_object(File* from, Bytes reference) const {
  const unsigned width = request_.to->store().sizes().offset_size;
  ByteReader reader(reference);
  const FileAddress address = reader.uint(from->store().sizes().offset_size);
  const auto known = numbers_.find({from, address});
  // What led nowhere, or nobody follows: in another file it would mean something else.
  const bool has_copy = follows() && known != numbers_.end();
  const FileAddress copied = has_copy ? objects_[known->second].made.address() : 0;
  for (unsigned i = 0; i < reference.size(); ++i)
    reference[i] = i < width ? static_cast<std::byte>(copied >> (8 * i)) : std::byte{0};
}

void ObjectCopy::translate_region(File* from, Bytes reference) const {
  const auto id = reference.first(region_reference_size(*from));
  const auto known = region_numbers_.find({from, {id.begin(), id.end()}});
  std::fill(reference.begin(), reference.end(), std::byte{0});
  if (known == region_numbers_.end()) return;
  const std::size_t size = region_reference_size(*request_.to);
  std::copy_n(region_ids_.data() + known->second * size, size, reference.data());
}

Status ObjectCopy::make_attributes(CopiedObject& object) {
  if (object.attributes.empty()) return Status();
  const OpenObject open(object.made.file, object.made.object, object.from.path);
  for (const CopiedObject::Value& value : object.attributes) {
    Attribute attribute = value.attribute;
    attribute.committed_type =
        value.type == CopiedObject::kNone ? kUndefinedAddress : objects_[value.type].made.address();
    PCIO_TRY(create_attribute_copy(open, &attribute, object.next_attribute));
    if (value.elements || attribute.data.empty()) continue;
    PCIO_TRY(write_attribute(open, attribute.name, attribute.type, attribute.data.data()));
  }
  return Status();
}

/// They keep their numbers, which the file of the source says rise from 0.
Status ObjectCopy::make_links(CopiedObject& object) {
  if (object.links.empty()) return Status();
  PCIO_ASSIGN(LinkTable * table, object.made.file->store().objects().links(object.made.object));
  for (const CopiedObject::Link& copied : object.links) {
    const std::int64_t number = copied.link.creation_order.value_or(0);
    if (number > table->next_creation_order && number < object.next_link)
      table->next_creation_order = number;
    LinkCreateProps props;
    props.char_encoding = static_cast<int>(copied.link.charset);
    LinkMessage link = copied.link;
    if (copied.object != CopiedObject::kNone) {
      link = LinkMessage();
      link.address = objects_[copied.object].made.address();
    }
    PCIO_TRY(add_link({object.made, copied.link.name}, std::move(link), props));
  }
  table->next_creation_order = std::max(table->next_creation_order, object.next_link);
  return Status();
}

/// What only references lead to gets a link in the root group, so that it stays.
Status ObjectCopy::link_referenced() {
  for (const CopiedObject& object : objects_) {
    if (!object.is_referenced || object.is_linked || object.is_there) continue;
    const LinkPlace place{root_of(request_.to),
                          "~obj_pointed_by_" + std::to_string(object.made.address())};
    PCIO_TRY(add_hard_link(place, object.made, LinkCreateProps()));
  }
  return Status();
}

}  // namespace pcio
