// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: messages of attributes, out of line.

#include "object/attribute_messages.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/checked.hpp"
#include "base/make_room.hpp"
#include "format/dataspace_message.hpp"
#include "space/unlimited.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/phase_change.hpp"

namespace pcio {

Result<AttributeView> view_attribute(ObjectTable& objects, const HeaderMessage& message,
                                     HeaderMessage* plain) {
  const HeaderMessage* from = &message;
  if ((message.flags & kMessageShared) != 0) {
    PCIO_ASSIGN(*plain, objects.unshared(message));
    PCIO_TRY(check_not_shared(*plain));
    from = plain;
  }
  ByteReader reader(from->body);
  return view_attribute_message(reader);
}

namespace {

Status enter(ObjectTable& objects, const std::vector<HeaderMessage>& messages, bool dense,
             AttributeIndex* index) {
  HeaderMessage plain;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    if (messages[i].type != kMessageAttribute) continue;
    PCIO_ASSIGN(const AttributeView attribute, view_attribute(objects, messages[i], &plain));
    index->add(std::string(attribute.name), messages[i], {i, dense});
  }
  return Status();
}

}  // namespace

Result<AttributeIndex*> attribute_index(const OpenObject& object) {
  StoredObject& stored = *object.object();
  if (stored.attributes) return stored.attributes.get();
  ObjectTable& objects = object.store().objects();
  PCIO_TRY(objects.load_attributes(object.object()));
  auto index = std::make_unique<AttributeIndex>(stored.header.track_attribute_order);
  PCIO_TRY(enter(objects, stored.header.messages, false, index.get()));
  PCIO_TRY(enter(objects, *stored.dense_attributes, true, index.get()));
  stored.attributes = std::move(index);
  return stored.attributes.get();
}

AttributeMove::AttributeMove(StoredObject& stored, bool dense, HeaderMessage* without)
    : stored_(stored), dense_(dense), without_(without) {
  // Before messages are pointed to.
  make_room(stored.header.messages, 1);
  using Key = std::pair<std::uint16_t, std::string_view>;
  std::map<Key, HeaderMessage*> places;
  const bool tracked = stored.header.track_attribute_order;
  for (const auto& [name, entry] : stored.attributes->by_name()) {
    auto& from = entry.place.dense ? *stored.dense_attributes : stored.header.messages;
    HeaderMessage* const message = &from[entry.place.message];
    if (message != without)
      places.emplace(Key(tracked ? entry.number : std::uint16_t{0}, name), message);
  }
  order_.reserve(places.size());
  for (const auto& [key, message] : places) order_.push_back(message);
  moved_.reserve(order_.size());
  const auto& to = dense ? *stored.dense_attributes : stored.header.messages;
  all_.reserve(to.size() + order_.size() + 1);
}

void AttributeMove::run() noexcept {
  if (without_ != nullptr) *without_ = HeaderMessage();
  for (HeaderMessage* message : order_) moved_.push_back(std::exchange(*message, HeaderMessage()));
  stored_.compact_messages();
  std::erase_if(stored_.header.messages,
                [](const HeaderMessage& m) { return m.type == kMessageNil; });
  stored_.dense_attributes->clear();
  auto& to = dense_ ? *stored_.dense_attributes : stored_.header.messages;
  for (std::vector<HeaderMessage>* part : {&to, &moved_})
    for (HeaderMessage& message : *part) all_.push_back(std::move(message));
  to = std::move(all_);
  stored_.attributes_are_dense = dense_;
  stored_.messages_moved();
}

bool attributes_fit(const StoredObject& stored, const HeaderMessage* without) {
  for (const HeaderMessage& message : *stored.dense_attributes)
    if (&message != without && message.body.size() > kMostAttributeBytes) return false;
  return true;
}

bool are_searched(const StoredObject& stored) {
  constexpr std::size_t kFew = 16;
  return !stored.attributes && stored.header.version == 1 && stored.header.messages.size() <= kFew;
}

namespace {

HeaderMessage* message_at(const OpenObject& object, AttributeIndex::Place place) {
  StoredObject& stored = *object.object();
  auto& messages = place.dense ? *stored.dense_attributes : stored.header.messages;
  return &messages[place.message];
}

/// Without a message where there is none of that name. Errors: those of messages that may be its.
Status search_messages(const OpenObject& object, const std::string& name, AttributeParts* parts) {
  ObjectTable& objects = object.store().objects();
  PCIO_TRY(objects.load_attributes(object.object()));
  for (HeaderMessage& message : object.object()->header.messages) {
    if (message.type != kMessageAttribute) continue;
    const bool is_shared = (message.flags & kMessageShared) != 0;
    if (!is_shared && !may_be_named(message.body, name)) continue;
    PCIO_ASSIGN(parts->view, view_attribute(objects, message, &parts->plain));
    if (parts->view.name != name) continue;
    parts->message = &message;
    return Status();
  }
  return Status();
}

Status not_there(const OpenObject& object, const std::string& name) {
  return PCIO_ERROR(ATTR, NOTFOUND, "\"" + object.path() + "\" has no attribute \"" + name + "\"");
}

}  // namespace

Result<HeaderMessage*> attribute_message(const OpenObject& object, const std::string& name) {
  if (are_searched(*object.object())) {
    AttributeParts parts;
    PCIO_TRY(search_messages(object, name, &parts));
    return parts.message;
  }
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  auto found = index->by_name().find(name);
  return found == index->by_name().end() ? nullptr : message_at(object, found->second.place);
}

Result<HeaderMessage*> existing_attribute_message(const OpenObject& object,
                                                  const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * message, attribute_message(object, name));
  if (message == nullptr) return detail::StatusReturn(not_there(object, name));
  return message;
}

Status find_parts(const OpenObject& object, const std::string& name, AttributeParts* parts) {
  if (are_searched(*object.object())) {
    PCIO_TRY(search_messages(object, name, parts));
    return parts->message != nullptr ? Status() : not_there(object, name);
  }
  PCIO_ASSIGN(parts->message, existing_attribute_message(object, name));
  PCIO_ASSIGN(parts->view,
              view_attribute(object.store().objects(), *parts->message, &parts->plain));
  return Status();
}

Result<std::uint64_t> attribute_bytes(const Attribute& attribute) {
  const auto bytes =
      is_countable(attribute.space)
          ? checked_mul<std::uint64_t>(attribute.space.npoints(), attribute.type.size())
          : std::nullopt;
  if (!bytes) return PCIO_ERROR(ATTR, OVERFLOW, "attribute is larger than any file can be");
  return *bytes;
}

namespace {

/// Bytes of the value, as type and space say; behind them the message may have padding.
Result<std::size_t> value_bytes(const AttributeView& message, const Attribute& attribute) {
  PCIO_ASSIGN(std::uint64_t bytes, attribute_bytes(attribute));
  if (bytes > message.data.size())
    return PCIO_ERROR(ATTR, TRUNCATED,
                      "attribute \"" + std::string(message.name) +
                          "\" has less data than its "
                          "type and space say");
  return static_cast<std::size_t>(bytes);
}

Result<Extent> space_of(ObjectTable& objects, const AttributeView& message) {
  const FileSizes& sizes = objects.file().sizes();
  ByteReader direct(message.dataspace);
  if (!message.dataspace_shared) return decode_dataspace_message(direct, sizes);
  HeaderMessage space;
  space.type = kMessageDataspace;
  space.flags = kMessageShared;
  space.body = message.dataspace;
  PCIO_ASSIGN(space, objects.unshared(space));
  PCIO_TRY(check_not_shared(space));
  ByteReader reader(space.body);
  return decode_dataspace_message(reader, sizes);
}

ObjectTable::EncodedType encoded_type(const AttributeView& message) {
  ObjectTable::EncodedType type{0, message.datatype};
  if (message.datatype_shared) type.flags = kMessageShared;
  return type;
}

}  // namespace

Status find_attribute(const OpenObject& object, const std::string& name, FoundAttribute* found) {
  PCIO_TRY(find_parts(object, name, &found->parts));
  ObjectTable& objects = object.store().objects();
  const AttributeView& message = found->parts.view;
  Attribute& attribute = found->attribute;
  attribute.name = message.name;
  attribute.cset =
      message.charset == NameCharset::kUtf8 ? CharacterSet::kUtf8 : CharacterSet::kAscii;
  PCIO_ASSIGN(attribute.type,
              objects.resolve_type(encoded_type(message), &attribute.committed_type));
  PCIO_ASSIGN(attribute.space, space_of(objects, message));
  PCIO_ASSIGN(const std::size_t bytes, value_bytes(message, attribute));
  found->value = message.data.first(bytes);
  return Status();
}

}  // namespace pcio
