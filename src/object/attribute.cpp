// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: attributes, out of line.

#include "object/attribute.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/checked.hpp"
#include "format/attribute_info_message.hpp"
#include "format/attribute_message.hpp"
#include "format/dataspace_message.hpp"
#include "object/header_room.hpp"
#include "object/heap_values.hpp"
#include "space/unlimited.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/phase_change.hpp"
#include "type/convert.hpp"

namespace pcio {

namespace {

/// No object in a fractal heap is larger; bytes.
constexpr std::uint64_t kMostDenseBytes = (std::uint64_t{64} << 20) - 4096;

/// A message of an attribute taken apart. `plain`: memory for one that lies in the heap of shared messages.
Result<AttributeView> view(ObjectTable& objects, const HeaderMessage& message,
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

Status enter(ObjectTable& objects, const std::vector<HeaderMessage>& messages, bool dense,
             AttributeIndex* index) {
  HeaderMessage plain;
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    if (messages[i].type != kMessageAttribute) continue;
    PCIO_ASSIGN(const AttributeView attribute, view(objects, messages[i], &plain));
    index->add(std::string(attribute.name), messages[i], {i, dense});
  }
  return Status();
}

/// Where the attributes are, in the header and in dense storage.
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

HeaderMessage* message_at(const OpenObject& object, AttributeIndex::Place place) {
  StoredObject& stored = *object.object();
  auto& messages = place.dense ? *stored.dense_attributes : stored.header.messages;
  return &messages[place.message];
}

/// Attributes go to where the phase change of their object wants them, with their numbers. They come by
/// number or by name: who has read them again has them in another order than who made them.
void move_attributes(StoredObject& stored, bool dense) {
  using Key = std::pair<std::uint16_t, std::string_view>;
  std::map<Key, HeaderMessage*> places;
  const bool tracked = stored.header.track_attribute_order;
  for (const auto& [name, entry] : stored.attributes->by_name()) {
    auto& from = entry.place.dense ? *stored.dense_attributes : stored.header.messages;
    places.emplace(Key(tracked ? entry.number : std::uint16_t{0}, name),
                   &from[entry.place.message]);
  }
  std::vector<HeaderMessage> all;
  all.reserve(places.size());
  auto& to = dense ? *stored.dense_attributes : stored.header.messages;
  std::vector<HeaderMessage> room;
  room.reserve(to.size() + places.size());
  // From here on nothing asks for memory: none is lost where it lacks.
  for (const auto& [key, message] : places) all.push_back(std::exchange(*message, HeaderMessage()));
  stored.compact_messages();
  std::erase_if(stored.header.messages,
                [](const HeaderMessage& m) { return m.type == kMessageNil; });
  stored.dense_attributes->clear();
  for (std::vector<HeaderMessage>* part : {&to, &all})
    for (HeaderMessage& message : *part) room.push_back(std::move(message));
  to = std::move(room);
  stored.attributes_are_dense = dense;
  stored.messages_moved();
}

/// True where all attributes can be messages of a header.
bool attributes_fit(const StoredObject& stored) {
  for (const HeaderMessage& message : *stored.dense_attributes)
    if (message.body.size() > kMostAttributeBytes) return false;
  return true;
}

/// A few attributes of a header that doesn't number them are looked at one by one: an index of them takes
/// several times their memory.
bool is_searched(const StoredObject& stored) {
  constexpr std::size_t kFew = 16;
  return !stored.attributes && stored.header.version == 1 && stored.header.messages.size() <= kFew;
}

/// The attribute's message, nullptr where there is none. Errors: those of messages that may be its.
Result<HeaderMessage*> search_messages(const OpenObject& object, const std::string& name) {
  StoredObject& stored = *object.object();
  HeaderMessage plain;
  for (HeaderMessage& message : stored.header.messages) {
    if (message.type != kMessageAttribute) continue;
    const bool is_shared = (message.flags & kMessageShared) != 0;
    if (!is_shared && !may_be_named(message.body, name)) continue;
    PCIO_ASSIGN(const AttributeView attribute, view(object.store().objects(), message, &plain));
    if (attribute.name == name) return &message;
  }
  return nullptr;
}

/// The header message that holds an attribute, or nullptr.
Result<HeaderMessage*> find_message(const OpenObject& object, const std::string& name) {
  if (is_searched(*object.object())) {
    PCIO_TRY(object.store().objects().load_attributes(object.object()));
    return search_messages(object, name);
  }
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

/// Bytes of the value, as type and space say; behind them the message may have padding.
Result<std::size_t> value_bytes(const AttributeView& message, const Attribute& attribute) {
  PCIO_ASSIGN(std::uint64_t bytes, data_bytes(attribute));
  if (bytes > message.data.size())
    return PCIO_ERROR(ATTR, TRUNCATED,
                      "attribute \"" + std::string(message.name) +
                          "\" has less data than its "
                          "type and space say");
  return static_cast<std::size_t>(bytes);
}

/// Larger ones need dense storage, which objects of the earliest format don't have.
Status check_attribute_size(const OpenObject& object, const std::string& name,
                            std::uint64_t bytes) {
  if (bytes <= kMostAttributeBytes) return Status();
  if (object.object()->header.version == 1)
    return PCIO_ERROR(ATTR, UNSUPPORTED,
                      "attribute \"" + name +
                          "\" is larger than 64 KiB, which this file format can't have "
                          "(H5Pset_libver_bounds)");
  if (bytes <= kMostDenseBytes) return Status();
  return PCIO_ERROR(ATTR, BADSIZE, "attribute \"" + name + "\" is larger than 64 MiB");
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
  message.datatype = type.body.vector();
  message.dataspace = space.body.vector();
  message.data = std::move(data);
  PCIO_ASSIGN(HeaderMessage out, make_message(kMessageAttribute, 0, [&](ByteWriter& writer) {
                return encode_attribute_message(message, store.context().format, writer);
              }));
  PCIO_TRY(check_attribute_size(object, attribute.name, out.body.size()));
  return out;
}

/// The number of the next attribute: where their order is tracked none is given twice as long as the object
/// has attributes. As observed on libhdf5 1.10.8.
Result<std::uint16_t> number_for_next(const OpenObject& object) {
  const StoredObject& stored = *object.object();
  if (is_searched(stored)) {
    const auto last =
        std::find_if(stored.header.messages.rbegin(), stored.header.messages.rend(),
                     [](const HeaderMessage& m) { return m.type == kMessageAttribute; });
    if (last == stored.header.messages.rend()) return std::uint16_t{0};
    return static_cast<std::uint16_t>(std::min(last->creation_order + 1, 0xFFFF));
  }
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const HeaderMessage* message = stored.find(kMessageAttributeInfo);
  const std::uint16_t behind = index->next_number();
  if (!stored.header.track_attribute_order || message == nullptr || index->by_name().empty())
    return behind;
  ByteReader reader(message->body);
  PCIO_ASSIGN(const AttributeInfoMessage info,
              decode_attribute_info_message(reader, object.store().sizes()));
  return std::max(behind, info.max_creation_order);
}

/// What no later commit could write is refused now.
Status check_room(const OpenObject& object, std::uint16_t next_number) {
  const StoredObject& stored = *object.object();
  if (!stored.attributes_are_dense && !has_room_for_message(stored))
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
  // Where dense storage is stays as it is until a commit.
  PCIO_ASSIGN(DensePlace place,
              object.store().objects().dense_place(stored, DenseKind::kAttributes));
  AttributeInfoMessage info;
  info.heap_address = place.heap;
  info.name_index_address = place.names;
  info.order_index_address = place.orders;
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

Result<std::uint64_t> attribute_count(const OpenObject& object) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  return std::uint64_t{index->by_name().size()};
}

Result<bool> attribute_exists(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(HeaderMessage * message, find_message(object, name));
  return message != nullptr;
}

namespace {

/// The number of creation as libhdf5 tells it.
Result<std::optional<std::uint32_t>> number_of(const OpenObject& object, const std::string& name) {
  PCIO_ASSIGN(AttributeIndex * index, attribute_index(object));
  const auto entry = index->by_name().find(name);
  if (entry == index->by_name().end()) return std::optional<std::uint32_t>();
  if (object.object()->header.track_attribute_order)
    return std::optional<std::uint32_t>(entry->second.creation.first);
  if (entry->second.place.dense) return std::optional<std::uint32_t>();
  return std::optional<std::uint32_t>(entry->second.creation.second);
}

}  // namespace

namespace {

Result<Dataspace> space_of(ObjectTable& objects, const AttributeView& message) {
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

/// An attribute, and its value where it lies in memory.
struct Found {
  Attribute attribute;  ///< without data
  HeaderMessage* message = nullptr;
  HeaderMessage plain;  ///< what `value` lies in, where that is not the message
  ConstBytes value;
};

Status find(const OpenObject& object, const std::string& name, Found* found) {
  PCIO_ASSIGN(found->message, existing_message(object, name));
  ObjectTable& objects = object.store().objects();
  PCIO_ASSIGN(const AttributeView message, view(objects, *found->message, &found->plain));
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

}  // namespace

Result<Attribute> attribute_without_data(const OpenObject& object, const std::string& name) {
  Found found;
  PCIO_TRY(find(object, name, &found));
  return std::move(found.attribute);
}

Result<Attribute> find_attribute(const OpenObject& object, const std::string& name) {
  Found found;
  PCIO_TRY(find(object, name, &found));
  PCIO_ASSIGN(found.attribute.creation_order, number_of(object, name));
  found.attribute.data.assign(found.value.begin(), found.value.end());
  return std::move(found.attribute);
}

namespace {

/// The new attribute goes into the header or, where there are more than the header is to have, or one is
/// too large for it, all of them into dense storage.
void add_message(StoredObject& stored, const std::string& name, HeaderMessage message) {
  const bool dense =
      stored.header.version > 1 &&
      (stored.attributes_are_dense || message.body.size() > kMostAttributeBytes ||
       stored.attributes->by_name().size() + 1 > attribute_phase_change(stored).max_compact);
  if (dense && !stored.attributes_are_dense) move_attributes(stored, true);
  auto& messages = dense ? *stored.dense_attributes : stored.header.messages;
  messages.push_back(std::move(message));
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kNotThere);
  if (stored.attributes)
    stored.attributes->add(name, messages.back(),
                           {static_cast<std::uint32_t>(messages.size() - 1), dense});
}

/// Another body for an attribute that is there; it may grow out of the header, as by a longer name.
Status replace_message(const OpenObject& object, const std::string& name, HeaderMessage changed) {
  PCIO_ASSIGN(HeaderMessage * message, existing_message(object, name));
  StoredObject& stored = *object.object();
  changed.creation_order = message->creation_order;
  const bool large = changed.body.size() > kMostAttributeBytes;
  // What may lack memory first: who fails keeps the old body.
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kThere);
  object.store().objects().touch_attributes(object.object());
  *message = std::move(changed);
  if (large && !stored.attributes_are_dense) move_attributes(stored, true);
  return Status();
}

}  // namespace

namespace {

Status create_numbered(const OpenObject& object, Attribute* given, std::uint16_t number,
                       std::uint32_t next);

}  // namespace

Status create_attribute(const OpenObject& object, const Attribute& given) {
  Attribute attribute = given;
  return create_attribute(object, &attribute);
}

Status create_attribute(const OpenObject& object, Attribute* given) {
  PCIO_ASSIGN(const std::uint16_t number, number_for_next(object));
  return create_numbered(object, given, number, static_cast<std::uint32_t>(number) + 1);
}

namespace {

/// `number` is the new attribute's, `next` the number of the one that comes after it.
Status create_numbered(const OpenObject& object, Attribute* given, std::uint16_t number,
                       std::uint32_t next) {
  Attribute& attribute = *given;
  attribute.type = attribute.type.file_form(object.store().sizes().offset_size);
  if (attribute.name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  PCIO_ASSIGN(HeaderMessage * old, find_message(object, attribute.name));
  if (old != nullptr)
    return PCIO_ERROR(
        ATTR, EXISTS,
        "\"" + object.path() + "\" has an attribute \"" + attribute.name + "\" already");
  PCIO_TRY(check_room(object, number));
  PCIO_ASSIGN(std::uint64_t bytes, data_bytes(attribute));
  PCIO_TRY(check_attribute_size(object, attribute.name, bytes));
  PCIO_ASSIGN(HeaderMessage message,
              encode(object, attribute, std::vector<std::byte>(static_cast<std::size_t>(bytes))));
  message.creation_order = number;
  FileStore& store = object.store();
  if (attribute.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(StoredObjectPtr holder, store.objects().object(attribute.committed_type));
    store.objects().add_reference(holder);
  }
  add_message(*object.object(), attribute.name, std::move(message));
  store.objects().touch_attributes(object.object());
  return note_attribute_info(object, static_cast<std::uint16_t>(next));
}

}  // namespace

Status create_attribute_copy(const OpenObject& object, Attribute* given, std::uint16_t next) {
  PCIO_ASSIGN(const std::uint16_t behind, number_for_next(object));
  const std::uint32_t own = given->creation_order.value_or(behind);
  const StoredObject& stored = *object.object();
  // Numbers that a file gives twice, or beyond its next one, are not kept.
  const bool kept = stored.header.version > 1 && stored.header.track_attribute_order &&
                    own < next && behind <= next;
  if (!kept) return create_attribute(object, given);
  return create_numbered(object, given, static_cast<std::uint16_t>(own), next);
}

Result<std::uint16_t> next_attribute_number(const OpenObject& object) {
  return number_for_next(object);
}

Status delete_attribute(const OpenObject& object, const std::string& name) {
  PCIO_TRY(detail::to_status(attribute_index(object)));
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
  StoredObject& stored = *object.object();
  FileStore& store = object.store();
  StoredObjectPtr holder;
  if (attribute.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(holder, store.objects().object(attribute.committed_type));
  }
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kThere);
  AttributeIndex& index = *stored.attributes;
  const auto entry = index.by_name().find(name);
  const AttributeIndex::Place place = entry->second.place;
  index.remove(entry);
  const std::size_t left = index.by_name().size();
  if (place.dense)
    (*stored.dense_attributes)[place.message] = HeaderMessage();
  else
    stored.clear_message(place.message);
  const std::size_t few = std::max<std::size_t>(attribute_phase_change(stored).min_dense, 1);
  // Where the header was put together anew there is no index any more: damaged files alone have attributes in both.
  const bool can_move = stored.attributes != nullptr;
  if (can_move && stored.attributes_are_dense && left < few && attributes_fit(stored))
    move_attributes(stored, false);
  else if (can_move && place.dense && stored.dense_attributes->size() > 2 * left + 64)
    move_attributes(stored, true);
  if (left == 0 && stored.header.track_attribute_order) PCIO_TRY(note_attribute_info(object, 0));
  store.objects().touch_attributes(object.object());
  // What is still referred to must not go: this comes last.
  let_go_values(store, attribute.type, attribute.data, {});
  return holder ? store.objects().drop_reference(holder) : Status();
}

Status rename_attribute(const OpenObject& object, const std::string& from, const std::string& to) {
  if (to.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  PCIO_TRY(detail::to_status(attribute_index(object)));
  if (from == to) return detail::to_status(existing_message(object, from));
  PCIO_ASSIGN(HeaderMessage * taken, find_message(object, to));
  if (taken != nullptr)
    return PCIO_ERROR(ATTR, EXISTS,
                      "\"" + object.path() + "\" has an attribute \"" + to + "\" already");
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, from));
  attribute.name = to;
  PCIO_ASSIGN(HeaderMessage renamed, encode(object, attribute, std::move(attribute.data)));
  StoredObject& stored = *object.object();
  AttributeIndex& index = *stored.attributes;
  index.rename(index.by_name().find(from), to);
  if (stored.attribute_changes) {
    stored.attribute_changes->try_emplace(from, LinkBefore::kThere);
    stored.attribute_changes->try_emplace(to, LinkBefore::kNotThere);
  }
  return replace_message(object, to, std::move(renamed));
}

Status prepare_attribute_write(const OpenObject& object, const std::string& name,
                               AttributeWrite* write) {
  Found found;
  PCIO_TRY(find(object, name, &found));
  write->attribute = std::move(found.attribute);
  write->attribute.data.assign(found.value.begin(), found.value.end());
  if (write->attribute.space.npoints() > 0 && write->buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument buf: no buffer given for attribute \"" + name + "\"");
  if (write->owns()) write->before = write->attribute.data;
  return Status();
}

namespace {

/// A value over the old one; false where the message must be made anew. Which of the two it is follows from
/// the message alone: it is the same on all ranks.
Result<bool> overwrite_value(const OpenObject& object, const Attribute& attribute) {
  PCIO_ASSIGN(HeaderMessage * message, existing_message(object, attribute.name));
  if (message->flags != 0) return false;
  ByteReader reader(message->body);
  PCIO_ASSIGN(const AttributeView old, view_attribute_message(reader));
  const unsigned version = attribute_message_version_for(
      object.store().context().format, old.charset, old.datatype_shared || old.dataspace_shared);
  if (old.version != version || old.data.size() != attribute.data.size()) return false;
  StoredObject& stored = *object.object();
  // What may lack memory first: who fails keeps the old value.
  if (stored.attribute_changes)
    stored.attribute_changes->try_emplace(attribute.name, LinkBefore::kThere);
  object.store().objects().touch_attributes(object.object());
  std::copy(attribute.data.begin(), attribute.data.end(),
            message->body.end() - static_cast<std::ptrdiff_t>(attribute.data.size()));
  return true;
}

/// The attribute with its new value takes the place of the old one.
class AttributeKeeper final : public ValueKeeper {
 public:
  AttributeKeeper(const OpenObject& object, const Attribute& attribute)
      : object_(object), attribute_(attribute) {}
  Status keep() override {
    PCIO_ASSIGN(HeaderMessage changed, encode(object_, attribute_, attribute_.data));
    return replace_message(object_, attribute_.name, std::move(changed));
  }

 private:
  const OpenObject& object_;
  const Attribute& attribute_;
};

}  // namespace

Status write_attribute(const OpenObject& object, const CallName& call, AttributeWrite& write) {
  Attribute& attribute = write.attribute;
  const std::uint64_t n = attribute.space.npoints();
  AttributeKeeper keeper(object, attribute);
  if (write.owns()) {
    PCIO_TRY(store_values(object.store(), call,
                          {attribute.type, write.memory_type, n, write.options},
                          {write.buffer, &attribute.data, keeper}));
    let_go_values(object.store(), attribute.type, write.before, attribute.data);
    return Status();
  }
  // Without elements no conversion is asked for: any type will do.
  if (n > 0) {
    PCIO_ASSIGN(Conversion way, Conversion::make(write.memory_type, attribute.type, write.options));
    PCIO_TRY(way.run(static_cast<const std::byte*>(write.buffer), attribute.data.data(), n));
  }
  PCIO_ASSIGN(const bool written, overwrite_value(object, attribute));
  return written ? Status() : keeper.keep();
}

Status write_attribute(const OpenObject& object, const std::string& name,
                       const Datatype& memory_type, const void* buffer,
                       const ConvertOptions& options) {
  AttributeWrite write;
  write.memory_type = memory_type;
  write.buffer = buffer;
  write.options = options;
  PCIO_TRY(prepare_attribute_write(object, name, &write));
  return write_attribute(object, {"H5Awrite", object.path()}, write);
}

Status check_same_size(const std::string& name, const Dataspace& opened, const Dataspace& now) {
  if (opened.npoints() == now.npoints()) return Status();
  return PCIO_ERROR(ATTR, BADVALUE,
                    "attribute \"" + name + "\" was replaced by one of another size");
}

Status read_attribute(const OpenObject& object, const std::string& name,
                      const Datatype& memory_type, void* buffer, const ConvertOptions& options,
                      const Dataspace* opened) {
  Found found;
  PCIO_TRY(find(object, name, &found));
  if (opened != nullptr) PCIO_TRY(check_same_size(name, *opened, found.attribute.space));
  const Attribute& attribute = found.attribute;
  const std::uint64_t n = attribute.space.npoints();
  // Without elements no conversion is asked for: any type will do.
  if (n == 0) return Status();
  if (buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument buf: no buffer given for attribute \"" + name + "\"");
  if (!attribute.type.is_fixed())
    return load_values(object.store(), {attribute.type, memory_type, n, options},
                       {found.value.begin(), found.value.end()}, buffer);
  PCIO_ASSIGN(Conversion way, Conversion::make(attribute.type, memory_type, options));
  return way.run(found.value.data(), static_cast<std::byte*>(buffer), n);
}

}  // namespace pcio
