// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: attributes, out of line.

#include "object/attribute.hpp"

#include <cstring>
#include <type_traits>

#include "base/checked.hpp"
#include "format/attribute_info_message.hpp"
#include "format/attribute_message.hpp"
#include "format/dataspace_message.hpp"
#include "object/header_room.hpp"
#include "object/heap_values.hpp"
#include "storage/objects/dense_store.hpp"
#include "space/unlimited.hpp"
#include "storage/objects/message_codec.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// A header message can't be longer; bytes.
constexpr std::size_t kMostAttributeBytes = 65520;

Result<AttributeInfoMessage> attribute_info(const FileStore& store, const StoredObject& object) {
  const HeaderMessage* message = object.find(kMessageAttributeInfo);
  if (message == nullptr) return AttributeInfoMessage();
  ByteReader reader(message->body);
  return decode_attribute_info_message(reader, store.sizes());
}

Result<AttributeMessage> decode(const HeaderMessage& message) {
  PCIO_TRY(check_not_shared(message));
  ByteReader reader(message.body);
  return decode_attribute_message(reader);
}

Status enter(const std::vector<HeaderMessage>& messages, bool dense, AttributeIndex* index) {
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    if (messages[i].type != kMessageAttribute) continue;
    PCIO_ASSIGN(AttributeMessage attribute, decode(messages[i]));
    index->add(attribute.name, messages[i], {i, dense});
  }
  return Status();
}

/// Where the attributes are, in the header and in dense storage.
Result<AttributeIndex*> attribute_index(const OpenObject& object) {
  StoredObject& stored = *object.object();
  if (stored.attributes) return stored.attributes.get();
  PCIO_TRY(load_dense_attributes(object.store(), object.object()));
  auto index = std::make_unique<AttributeIndex>(stored.header.track_attribute_order);
  PCIO_TRY(enter(stored.header.messages, false, index.get()));
  PCIO_TRY(enter(*stored.dense_attributes, true, index.get()));
  stored.attributes = std::move(index);
  return stored.attributes.get();
}

HeaderMessage* message_at(const OpenObject& object, AttributeIndex::Place place) {
  StoredObject& stored = *object.object();
  auto& messages = place.dense ? *stored.dense_attributes : stored.header.messages;
  return &messages[place.message];
}

/// Before a change: attributes go from dense storage into the header, where they can be written.
Status make_compact(const OpenObject& object) {
  StoredObject& stored = *object.object();
  PCIO_TRY(load_dense_attributes(object.store(), object.object()));
  PCIO_ASSIGN(AttributeInfoMessage info, attribute_info(object.store(), stored));
  if (info.heap_address == kUndefinedAddress) return Status();
  for (const HeaderMessage& message : *stored.dense_attributes)
    if (message.body.size() > kMostAttributeBytes)
      return PCIO_ERROR(ATTR, UNSUPPORTED,
                        "\"" + object.path() +
                            "\" has an attribute larger than 64 KiB; its "
                            "attributes can't be changed yet");
  info.heap_address = info.name_index_address = info.order_index_address = kUndefinedAddress;
  PCIO_ASSIGN(HeaderMessage changed,
              make_message(kMessageAttributeInfo, kMessageNotShareable, [&](ByteWriter& out) {
                return encode_attribute_info_message(info, object.store().sizes(), out);
              }));
  stored.put(std::move(changed));
  for (HeaderMessage& message : *stored.dense_attributes)
    stored.header.messages.push_back(std::move(message));
  stored.dense_attributes->clear();
  stored.messages_moved();
  return Status();
}

/// The header message that holds an attribute, or nullptr.
Result<HeaderMessage*> find_message(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  auto found = index->by_name().find(name);
  return found == index->by_name().end() ? nullptr : message_at(object, found->second.place);
}

Result<HeaderMessage*> existing_message(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * message, find_message(object, name));
  if (message == nullptr)
    return PCIO_ERROR(ATTR, NOTFOUND,
                      "\"" + object.path() + "\" has no attribute \"" + name + "\"");
  return message;
}

Result<std::uint64_t> data_bytes(const Attribute& attribute) {
  const auto bytes =
      is_countable(attribute.space)
          ? checked_mul<std::uint64_t>(attribute.space.npoints(), attribute.type.size())
          : std::nullopt;
  if (!bytes) return PCIO_ERROR(ATTR, OVERFLOW, "attribute is larger than any file can be");
  return *bytes;
}

/// The value with as many bytes as type and space say; padding of the message is cut off.
Status take_data(const AttributeMessage& message, Attribute* attribute) {
  PCIO_ASSIGN(std::uint64_t bytes, data_bytes(*attribute));
  if (bytes > message.data.size())
    return PCIO_ERROR(ATTR, TRUNCATED,
                      "attribute \"" + message.name +
                          "\" has less data than its "
                          "type and space say");
  attribute->data.assign(message.data.begin(),
                         message.data.begin() + static_cast<std::ptrdiff_t>(bytes));
  return Status();
}

Result<HeaderMessage> encode(const OpenObject& object, const Attribute& attribute,
                             std::vector<std::byte> data) {
  FileStore& store = object.store();
  PCIO_ASSIGN(HeaderMessage type,
              encode_type(store.context(), attribute.type, attribute.committed_type));
  PCIO_ASSIGN(HeaderMessage space, encode_space(store.context(), attribute.space));
  AttributeMessage message;
  message.name = attribute.name;
  message.charset =
      attribute.cset == CharacterSet::kUtf8 ? NameCharset::kUtf8 : NameCharset::kAscii;
  message.datatype_shared = (type.flags & kMessageShared) != 0;
  message.datatype = std::move(type.body);
  message.dataspace = std::move(space.body);
  message.data = std::move(data);
  PCIO_ASSIGN(HeaderMessage out, make_message(kMessageAttribute, 0, [&](ByteWriter& writer) {
                return encode_attribute_message(message, store.context().format, writer);
              }));
  if (out.body.size() > kMostAttributeBytes)
    return PCIO_ERROR(ATTR, UNSUPPORTED,
                      "attribute \"" + attribute.name +
                          "\" is larger than 64 KiB; that needs dense attribute storage, which "
                          "can't be written yet");
  return out;
}

/// What no later commit could write is refused now.
Status check_room(const OpenObject& object, std::uint16_t next_number) {
  const StoredObject& stored = *object.object();
  if (!has_room_for_message(stored))
    return PCIO_ERROR(ATTR, BADRANGE,
                      "\"" + object.path() +
                          "\" can't have more attributes in this file format "
                          "(H5Pset_libver_bounds)");
  // The header keeps the next number, too, in 16 bits.
  if (stored.header.track_attribute_order && next_number == 0xFFFF)
    return PCIO_ERROR(
        ATTR, BADRANGE,
        "\"" + object.path() + "\" has no number left for the order of its attributes");
  return Status();
}

/// Version 2 headers that track the order of attributes say so in a message of its own.
Status note_attribute_info(const OpenObject& object, std::uint16_t next_number) {
  StoredObject& stored = *object.object();
  if (stored.header.version < 2) return Status();
  AttributeInfoMessage info;
  info.track_order = stored.header.track_attribute_order;
  info.index_order = stored.header.index_attribute_order;
  info.max_creation_order = next_number;
  PCIO_ASSIGN(HeaderMessage message,
              make_message(kMessageAttributeInfo, kMessageNotShareable, [&](ByteWriter& out) {
                return encode_attribute_info_message(info, object.store().sizes(), out);
              }));
  stored.put(std::move(message));
  return Status();
}

}  // namespace

namespace {

/// Names go by the order of creation, or of the messages, where that of names isn't asked for.
bool goes_by_name(IndexBy by, IterOrder order) {
  return by == IndexBy::kName && order != IterOrder::kNative;
}

template <class Entries>
std::vector<AttributeName> named(const Entries& entries) {
  std::vector<AttributeName> names;
  names.reserve(entries.size());
  for (const auto& entry : entries) {
    if constexpr (std::is_same_v<std::decay_t<decltype(entry->second)>, AttributeIndex::Entry>)
      names.push_back({entry->first, entry->second.creation});
    else
      names.push_back({entry->second->first, entry->first});
  }
  return names;
}

}  // namespace

Result<std::vector<AttributeName>> attribute_names_from(const OpenObject& object, NameRange range) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const bool falling = range.order == IterOrder::kDecreasing;
  if (goes_by_name(range.by, range.order))
    return named(entries_from(index->by_name(), index->names(), range.first, range.most, falling));
  return named(
      entries_from(index->by_creation(), index->creations(), range.first, range.most, falling));
}

Result<std::vector<AttributeName>> attribute_names_behind(const OpenObject& object, IndexBy by,
                                                          IterOrder order,
                                                          const AttributeName& last) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const bool falling = order == IterOrder::kDecreasing;
  if (goes_by_name(by, order)) return named(entries_behind(index->by_name(), last.name, falling));
  return named(entries_behind(index->by_creation(), last.creation, falling));
}

Result<std::vector<std::string>> attribute_names(const OpenObject& object, IndexBy by,
                                                 IterOrder order) {
  PCIO_ASSIGN(auto entries, attribute_names_from(object, {by, order}));
  std::vector<std::string> names;
  for (AttributeName& entry : entries) names.push_back(std::move(entry.name));
  return names;
}

Status load_dense_attributes(FileStore& store, const StoredObjectPtr& object) {
  if (object->dense_attributes) return Status();
  PCIO_ASSIGN(AttributeInfoMessage info, attribute_info(store, *object));
  std::vector<HeaderMessage> messages;
  if (info.heap_address != kUndefinedAddress) {
    PCIO_ASSIGN(messages, read_dense_attributes(store.bytes(), store.sizes(), info));
  }
  object->dense_attributes = std::move(messages);
  return Status();
}

Result<std::uint64_t> attribute_count(const OpenObject& object) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  return std::uint64_t{index->by_name().size()};
}

Result<bool> attribute_exists(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * message, find_message(object, name));
  return message != nullptr;
}

Result<Attribute> find_attribute(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * header_message, existing_message(object, name));
  PCIO_ASSIGN(AttributeMessage message, decode(*header_message));
  Attribute attribute;
  attribute.name = message.name;
  attribute.cset =
      message.charset == NameCharset::kUtf8 ? CharacterSet::kUtf8 : CharacterSet::kAscii;
  attribute.creation_order = header_message->creation_order;
  HeaderMessage type;
  type.type = kMessageDatatype;
  type.flags = message.datatype_shared ? kMessageShared : 0;
  type.body = std::move(message.datatype);
  PCIO_ASSIGN(attribute.type,
              object.store().objects().resolve_type(type, &attribute.committed_type));
  if (message.dataspace_shared)
    return PCIO_ERROR(ATTR, UNSUPPORTED,
                      "dataspace of attribute \"" + name + "\" is in the shared message table");
  ByteReader reader(message.dataspace);
  PCIO_ASSIGN(attribute.space, decode_dataspace_message(reader, object.store().sizes()));
  PCIO_TRY(take_data(message, &attribute));
  return attribute;
}

Status create_attribute(const OpenObject& object, const Attribute& given) {
  Attribute attribute = given;
  attribute.type = given.type.file_form(object.store().sizes().offset_size);
  PCIO_TRY(make_compact(object));
  if (attribute.name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  PCIO_ASSIGN(HeaderMessage * old, find_message(object, attribute.name));
  if (old != nullptr)
    return PCIO_ERROR(
        ATTR, EXISTS,
        "\"" + object.path() + "\" has an attribute \"" + attribute.name + "\" already");
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const std::uint16_t number = index->next_number();
  PCIO_TRY(check_room(object, number));
  PCIO_ASSIGN(std::uint64_t bytes, data_bytes(attribute));
  if (bytes > kMostAttributeBytes)
    return PCIO_ERROR(ATTR, UNSUPPORTED,
                      "attribute \"" + attribute.name +
                          "\" is larger than 64 KiB; that needs dense attribute storage, which "
                          "can't be written yet");
  PCIO_ASSIGN(HeaderMessage message,
              encode(object, attribute, std::vector<std::byte>(static_cast<std::size_t>(bytes))));
  message.creation_order = number;
  FileStore& store = object.store();
  if (attribute.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(StoredObjectPtr holder, store.objects().object(attribute.committed_type));
    store.objects().add_reference(holder);
  }
  auto& messages = object.object()->header.messages;
  messages.push_back(std::move(message));
  index->add(attribute.name, messages.back(),
             {static_cast<std::uint32_t>(messages.size() - 1), false});
  store.objects().touch(object.object());
  return note_attribute_info(object, index->next_number());
}

Status delete_attribute(const OpenObject& object, const std::string& name) {
  PCIO_TRY(make_compact(object));
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
  AttributeIndex& index = *object.object()->attributes;
  PCIO_TRY(let_go_values(object.store(), attribute.type, attribute.data));
  const auto entry = index.by_name().find(name);
  const std::uint32_t place = entry->second.place.message;
  index.remove(entry);
  object.object()->clear_message(place);
  FileStore& store = object.store();
  store.objects().touch(object.object());
  if (attribute.committed_type == kUndefinedAddress) return Status();
  PCIO_ASSIGN(StoredObjectPtr holder, store.objects().object(attribute.committed_type));
  return store.objects().drop_reference(holder);
}

Status rename_attribute(const OpenObject& object, const std::string& from, const std::string& to) {
  PCIO_TRY(make_compact(object));
  if (to.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  if (from == to) return detail::to_status(existing_message(object, from));
  PCIO_ASSIGN(HeaderMessage * taken, find_message(object, to));
  if (taken != nullptr)
    return PCIO_ERROR(ATTR, EXISTS,
                      "\"" + object.path() + "\" has an attribute \"" + to + "\" already");
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, from));
  PCIO_ASSIGN(HeaderMessage * message, existing_message(object, from));
  attribute.name = to;
  PCIO_ASSIGN(HeaderMessage renamed, encode(object, attribute, std::move(attribute.data)));
  renamed.creation_order = message->creation_order;
  *message = std::move(renamed);
  AttributeIndex& index = *object.object()->attributes;
  index.rename(index.by_name().find(from), to);
  object.store().objects().touch(object.object());
  return Status();
}

bool write_needs_meeting(const OpenObject& object, const std::string& name) {
  if (object.store().coordinator().size() == 1) return false;
  const auto attribute = find_attribute(object, name);
  return attribute && !attribute->type.is_fixed() && attribute->space.npoints() > 0;
}

Status write_attribute(const OpenObject& object, const std::string& name,
                       const Datatype& memory_type, const void* buffer,
                       const ConvertOptions& options) {
  PCIO_TRY(make_compact(object));
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
  const std::uint64_t n = attribute.space.npoints();
  if (n > 0 && buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "no buffer given for attribute \"" + name + "\"");
  // Without elements no conversion is asked for: any type will do.
  if (n > 0 && !attribute.type.is_fixed()) {
    const CallName name_of_call{"H5Awrite", object.path()};
    PCIO_TRY(store_values(object.store(), name_of_call, {attribute.type, memory_type, n, options},
                          buffer, &attribute.data));
  } else if (n > 0) {
    PCIO_ASSIGN(Conversion way, Conversion::make(memory_type, attribute.type, options));
    PCIO_TRY(way.run(static_cast<const std::byte*>(buffer), attribute.data.data(), n));
  }
  PCIO_ASSIGN(HeaderMessage * message, existing_message(object, name));
  PCIO_ASSIGN(HeaderMessage changed, encode(object, attribute, std::move(attribute.data)));
  changed.creation_order = message->creation_order;
  *message = std::move(changed);
  object.store().objects().touch(object.object());
  return Status();
}

Status read_attribute(const OpenObject& object, const std::string& name,
                      const Datatype& memory_type, void* buffer, const ConvertOptions& options) {
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
  const std::uint64_t n = attribute.space.npoints();
  // Without elements no conversion is asked for: any type will do.
  if (n == 0) return Status();
  if (buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE, "no buffer given for attribute \"" + name + "\"");
  if (!attribute.type.is_fixed())
    return load_values(object.store(), {attribute.type, memory_type, n, options}, attribute.data,
                       buffer);
  PCIO_ASSIGN(Conversion way, Conversion::make(attribute.type, memory_type, options));
  return way.run(attribute.data.data(), static_cast<std::byte*>(buffer), n);
}

}  // namespace pcio
