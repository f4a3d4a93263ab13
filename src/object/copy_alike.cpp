// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: ObjectCopy: what the ranks of a file must have alike of the source, which each may have opened in a file
// of its own.
//
// What is made follows from it, and each rank moves a share of what it says is there. Where in the source that lies may
// differ from rank to rank, as may values of attributes, of which rank 0's are taken.

#include <array>

#include "agree/call_log.hpp"
#include "format/datatype_message.hpp"
#include "object/copy.hpp"
#include "object/group.hpp"
#include "object/named_type.hpp"
#include "object/object_info.hpp"

namespace pcio {

namespace {

void put_text(ByteWriter& out, std::string_view text) {
  out.u64(text.size());
  out.text(text);
}

void put_bytes(ByteWriter& out, ConstBytes bytes) {
  out.u64(bytes.size());
  out.bytes(bytes);
}

Status put_type(ByteWriter& out, const Datatype& type) {
  // In one version, whichever a rank has made it or read it in.
  return encode_datatype(type.file_form(sizeof(FileAddress)), out, DatatypePolicy::kV18);
}

void put_dims(ByteWriter& out, const Dims& dims) {
  out.u8(static_cast<std::uint8_t>(dims.size()));
  for (const std::uint64_t n : dims) out.u64(n);
}

template <class Space>
void put_extent(ByteWriter& out, const Space& space) {
  out.u8(static_cast<std::uint8_t>(space.cls()));
  put_dims(out, space.dims());
  put_dims(out, space.max_dims());
}

void put_filters(ByteWriter& out, const FilterPipeline& filters) {
  out.u64(filters.size());
  for (const FilterSpec& filter : filters) {
    out.u64(static_cast<std::uint64_t>(filter.id));
    out.u64(filter.flags);
    out.u64(filter.values.size());
    for (const unsigned value : filter.values) out.u32(value);
  }
}

void put_header(ByteWriter& out, const CopiedObject& object) {
  const StoredObject& stored = *object.from.object;
  const ObjectCreateProps props = object_create_props(stored);
  out.u8(static_cast<std::uint8_t>(object.from.kind()));
  out.u8(static_cast<std::uint8_t>(stored.header.version));
  out.u8(stored.header.times.has_value() ? 1 : 0);
  out.u8(stored.find(kMessageModificationTime) != nullptr ? 1 : 0);
  out.u8(stored.find(kMessageModificationTimeOld) != nullptr ? 1 : 0);
  out.u32(props.attr_max_compact);
  out.u32(props.attr_min_dense);
  out.u32(props.attr_creation_order);
  put_text(out, object.comment);
}

Status put_links(ByteWriter& out, const CopiedObject& object) {
  PCIO_ASSIGN(const GroupCreateProps props, group_create_props(object.from));
  out.u64(props.local_heap_size_hint);
  for (const unsigned value : {props.link_max_compact, props.link_min_dense, props.est_num_entries,
                               props.est_name_length, props.link_creation_order})
    out.u32(value);
  put_filters(out, props.filters);
  out.u64(static_cast<std::uint64_t>(object.next_link));
  out.u64(object.links.size());
  for (const CopiedObject::Link& copied : object.links) {
    const LinkMessage& link = copied.link;
    put_text(out, link.name);
    out.u8(link.type);
    out.u8(static_cast<std::uint8_t>(link.charset));
    out.u64(static_cast<std::uint64_t>(link.creation_order.value_or(-1)));
    out.u64(copied.object);
    for (const CompactBytes* part : {&link.target, &link.file, &link.user_data})
      put_bytes(out, part->bytes());
  }
  return Status();
}

/// Numbers of an order that nobody tracks may differ: plan_attributes.
Status put_attributes(ByteWriter& out, const CopiedObject& object) {
  const bool ordered = object.from.object->header.track_attribute_order;
  out.u64(ordered ? object.next_attribute : 0);
  out.u64(object.attributes.size());
  for (const CopiedObject::Value& value : object.attributes) {
    const Attribute& attribute = value.attribute;
    put_text(out, attribute.name);
    out.u8(static_cast<std::uint8_t>(attribute.cset));
    if (ordered) out.u64(attribute.creation_order.value_or(0));
    out.u64(value.type);
    put_extent(out, attribute.space);
    PCIO_TRY(put_type(out, attribute.type));
  }
  return Status();
}

Status put_dataset(ByteWriter& out, const CopiedObject& object, const DatasetState& state) {
  PCIO_TRY(put_type(out, state.type));
  out.u64(object.type);
  // A virtual one's extent is what this rank sees of the sources today.
  if (!state.virtual_data) put_extent(out, state.extent);
  put_filters(out, state.filters);
  out.u8(static_cast<std::uint8_t>(state.layout.cls));
  put_dims(out, state.layout.chunk_dims);
  out.u8(state.layout.partial_edge_unfiltered ? 1 : 0);
  out.u8(static_cast<std::uint8_t>(state.fill.allocation));
  out.u8(static_cast<std::uint8_t>(state.fill.time));
  out.u8(static_cast<std::uint8_t>(state.fill.state));
  out.u64(state.fill.value.size());
  // Of variable length it says where in its file it is.
  if (state.type.is_fixed()) out.bytes(state.fill.value);
  out.u64(object.fill != nullptr ? 1 : 0);
  if (state.external)
    for (const ExternalFile& file : state.external->files) {
      put_text(out, file.name);
      out.u64(static_cast<std::uint64_t>(file.offset));
      out.u64(file.size);
    }
  if (state.virtual_data) {
    put_dims(out, state.virtual_data->extent);
    for (const VirtualMapping& mapping : state.virtual_data->mappings) {
      put_text(out, mapping.file);
      put_text(out, mapping.dataset);
      out.u64(mapping.source.selected());
      out.u64(mapping.target.selected());
    }
  }
  return Status();
}

void add(std::uint64_t* hash, const ByteWriter& bytes) { *hash = hash_bytes(bytes.view(), *hash); }
void add(std::uint64_t* hash, std::uint64_t word) {
  *hash = hash_bytes(std::as_bytes(std::span(&word, 1)), *hash);
}

}  // namespace

/// Runs are put as intervals of numbers: where a run ends in the file is another matter.
void SourceShape::add_places(const CopiedObject& object, const DatasetState& state) {
  if (!state.chunked()) {
    add(&space, state.layout.address != kUndefinedAddress ? 1 : 0);
    return;
  }
  for (const CopiedObject::Chunk& chunk : object.chunks) {
    add(&chunks, chunk.chunk.ordinal);
    add(&sizes, chunk.chunk.size);
    add(&sizes, chunk.chunk.mask);
  }
  if (object.chunks.empty())
    for (std::size_t i = 0; i < object.runs.size();) {
      const std::uint64_t first = object.runs[i].first;
      std::uint64_t end = first;
      for (; i < object.runs.size() && object.runs[i].first == end; ++i)
        end += object.runs[i].count;
      add(&chunks, first);
      add(&chunks, end);
    }
  add(&chunks, kUndefinedAddress);
}

std::uint64_t SourceShape::hash_of_places() const {
  std::uint64_t all = space;
  add(&all, chunks);
  add(&all, sizes);
  return all;
}

Status SourceShape::add_object(const CopiedObject& object) {
  ByteWriter header, own, values;
  put_header(header, object);
  switch (object.from.kind()) {
    case ObjectKind::kGroup:
      PCIO_TRY(put_links(own, object));
      add(&links, own);
      break;
    case ObjectKind::kDataset: {
      PCIO_ASSIGN(const DatasetState* state,
                  object.from.file->store().datasets().state(object.from.object));
      PCIO_TRY(put_dataset(own, object, *state));
      add(&datasets, own);
      add_places(object, *state);
      break;
    }
    default: {
      PCIO_ASSIGN(const Datatype type, named_type(object.from));
      PCIO_TRY(put_type(own, type));
      add(&types, own);
    }
  }
  PCIO_TRY(put_attributes(values, object));
  add(&headers, header);
  add(&attributes, values);
  return Status();
}

void ObjectCopy::put(NamedArguments& out) const {
  out.begin("object that is copied");
  out.u64(request_.one_file ? request_.source.address() : hash_text(request_.source.path, 0));
  out.number("options (H5Pset_copy_object)", request_.props.copy_options);
}

std::uint64_t ObjectCopy::hash_of_rest() const {
  std::uint64_t rest = shape_.headers;
  for (const std::uint64_t word :
       {shape_.types, std::uint64_t{objects_.size()}, bytes_, std::uint64_t{regions_.size()},
        waiting_values_, fills_, batches_})
    add(&rest, word);
  for (const CopiedObject& object : objects_)
    add(&rest, object.is_there ? object.made.address() : 0);
  return rest;
}

Status ObjectCopy::agree_on_source(Coordinator& ranks, const CallName& name,
                                   const Status& local) const {
  const std::array<const char*, 8> parts = {
      "the links of groups differ",
      "type, extent, layout, fill value or filters of a dataset differ",
      "the attributes differ, other than in their values", "other datasets have space in the file",
      "other chunks of datasets are in the file", "filtered chunks have other sizes",
      // What one rank wrote to one independently is its own until a flush.
      "compact datasets have different data",
      "headers or committed datatypes of objects differ, or how many objects or references there "
      "are"};
  LocalFacts facts;
  facts.call_kind = CallKind::kCopySource;
  if (local.ok())
    facts.same = {shape_.links,  shape_.datasets, shape_.attributes, shape_.space,
                  shape_.chunks, shape_.sizes,    compact_hash_,     hash_of_rest()};
  facts.any_flags = facts.all_flags = request_.props.copy_options;
  PCIO_ASSIGN(const GlobalFacts all, ranks.agree(name, facts, local));
  if (all.any_flags != all.all_flags)
    return PCIO_ERROR(
        OHDR, CANTCOPY,
        "what the ranks would copy is not alike: the options differ (H5Pset_copy_object)");
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!all.same[i].equal())
      return PCIO_ERROR(OHDR, CANTCOPY,
                        std::string("what the ranks would copy is not alike: ") + parts[i]);
  return Status();
}

}  // namespace pcio
