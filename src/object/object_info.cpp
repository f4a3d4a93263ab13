// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: facts about any object, out of line.

#include "object/object_info.hpp"

#include "format/header_layout.hpp"
#include "format/modification_time_message.hpp"
#include "object/attribute.hpp"
#include "storage/commit/unlinked_objects.hpp"

namespace pcio {

namespace {

void take_times(const StoredObject& object, ObjectInfo* info) {
  if (object.header.times) {
    info->access_time = object.header.times->access;
    info->modification_time = object.header.times->modification;
    info->change_time = object.header.times->change;
    info->birth_time = object.header.times->birth;
  }
  if (const HeaderMessage* message = object.find(kMessageModificationTime)) {
    ByteReader reader(message->body);
    if (auto seconds = decode_modification_time_message(reader))
      info->change_time = static_cast<std::int64_t>(*seconds);
  } else if (const HeaderMessage* old = object.find(kMessageModificationTimeOld)) {
    ByteReader reader(old->body);
    if (auto seconds = decode_old_modification_time_message(reader))
      info->change_time = static_cast<std::int64_t>(*seconds);
  }
}

void take_header(const StoredObject& object, ObjectInfo* info) {
  const ObjectHeader& header = object.header;
  info->header_version = header.version;
  info->header_chunks = static_cast<unsigned>(object.chunks.size());
  info->header_messages = static_cast<unsigned>(object.message_count());
  for (const HeaderMessage& message : header.messages) {
    if (message.type == kMessageNil) continue;
    if (message.type < 64) info->messages_present |= std::uint64_t{1} << message.type;
    if (message.type < 64 && (message.flags & kMessageShared) != 0)
      info->messages_shared |= std::uint64_t{1} << message.type;
    if (message.type == kMessageAttribute) ++info->attributes;
    info->header_messages_bytes += message.body.size();
  }
  if (object.shared)
    for (const SharedRef& ref : object.shared->header)
      if (ref.heap_id && ref.type < 64) info->messages_shared |= std::uint64_t{1} << ref.type;
  for (std::size_t i = 0; i < object.chunks.size(); ++i) {
    info->header_total += object.chunks[i].size;
    info->header_meta +=
        object.chunks[i].size - header_piece_capacity(header, i, object.chunks[i].size);
  }
  info->header_meta += header_messages_size(header) - info->header_messages_bytes;
}

/// Every piece but the last ends in a message that says where the next one is; all that room is `meta`.
void take_continuations(const Location& at, ObjectInfo* info) {
  if (info->header_chunks < 2) return;
  const unsigned count = info->header_chunks - 1;
  info->header_messages += count;
  info->messages_present |= std::uint64_t{1} << kMessageContinuation;
  info->header_meta +=
      count * header_continuation_size(at.object->header, at.file->store().sizes());
}

/// What is left is a message that says nothing, where it has room for the head of one.
void take_free(const ObjectHeader& header, ObjectInfo* info) {
  const std::uint64_t spent = info->header_meta + info->header_messages_bytes;
  info->header_free = info->header_total > spent ? info->header_total - spent : 0;
  if (info->header_free < header_message_size(header, HeaderMessage{})) return;
  ++info->header_messages;
  info->messages_present |= 1;
}

/// The flags of a version 2 header; those of version 1, which has none, say that times are stored.
unsigned header_flags(const StoredObject& object) {
  const ObjectHeader& header = object.header;
  unsigned flags = header.version == 1 || header.times ? 0x20 : 0;
  if (header.version == 1) return flags;
  if (header.track_attribute_order) flags |= 0x04;
  if (header.index_attribute_order) flags |= 0x08;
  if (header.attribute_phase_change) flags |= 0x10;
  if (object.chunks.empty()) return flags;
  const std::uint64_t room = header_piece_capacity(header, 0, object.chunks[0].size);
  return flags | (room > 0xffffffff ? 3 : room > 0xffff ? 2 : room > 0xff ? 1 : 0);
}

}  // namespace

ObjectCreateProps object_create_props(const StoredObject& object) {
  const ObjectHeader& header = object.header;
  ObjectCreateProps props;
  props.track_times = header.version == 1 || header.times.has_value();
  if (header.track_attribute_order) props.attr_creation_order |= kCreationOrderTracked;
  if (header.index_attribute_order) props.attr_creation_order |= kCreationOrderIndexed;
  if (header.attribute_phase_change) {
    props.attr_max_compact = header.attribute_phase_change->max_compact;
    props.attr_min_dense = header.attribute_phase_change->min_dense;
  }
  return props;
}

Result<ObjectInfo> object_info(const Location& object) {
  object.object->compact_messages();
  ObjectInfo info;
  info.file_number = object.file->number();
  info.address = object.object->address;
  info.kind = object.object->kind();
  PCIO_ASSIGN(info.references, references_to(object.file->store(), object.object));
  PCIO_TRY(object.file->store().objects().load_attributes(object.object));
  for (const HeaderMessage& message : *object.object->dense_attributes)
    if (message.type == kMessageAttribute) ++info.attributes;
  take_times(*object.object, &info);
  take_header(*object.object, &info);
  take_continuations(object, &info);
  take_free(object.object->header, &info);
  info.header_flags = header_flags(*object.object);
  return info;
}

}  // namespace pcio
