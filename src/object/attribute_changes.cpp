// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: attributes, out of line: what changes them. What may lack memory comes before what changes: a
// call that fails in a serial file has changed nothing.

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/make_room.hpp"
#include "base/without_throwing.hpp"
#include "format/attribute_info_message.hpp"
#include "object/attribute_messages.hpp"
#include "object/header_room.hpp"
#include "object/heap_values.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/phase_change.hpp"

namespace pcio {

namespace {

/// No object in a fractal heap is larger; bytes.
constexpr std::uint64_t kMostDenseBytes = (std::uint64_t{64} << 20) - 4096;

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

/// The message of an attribute with `data`, and behind them so many zeros.
Result<HeaderMessage> encode(const OpenObject& object, const Attribute& attribute, ConstBytes data,
                             std::size_t zeros = 0) {
  FileStore& store = object.store();
  PCIO_ASSIGN(HeaderMessage type,
              encode_type(store.context(), attribute.type, attribute.committed_type));
  PCIO_ASSIGN(HeaderMessage space, encode_space(store.context(), attribute.space));
  AttributeView message;
  message.name = attribute.name;
  message.charset =
      attribute.cset == CharacterSet::kUtf8 ? NameCharset::kUtf8 : NameCharset::kAscii;
  message.datatype_shared = (type.flags & kMessageShared) != 0;
  message.datatype = type.body;
  message.dataspace = space.body;
  message.data = data;
  PCIO_ASSIGN(HeaderMessage out,
              make_message(kMessageAttribute, 0, [&](ByteWriter& writer) -> Status {
                PCIO_TRY(encode_attribute_message(message, store.context().format, writer));
                writer.zeros(zeros);
                return Status();
              }));
  PCIO_TRY(check_attribute_size(object, attribute.name, out.body.size()));
  return out;
}

/// The number of the next attribute: where their order is tracked none is given twice as long as the object
/// has attributes. As observed on libhdf5 1.10.8.
Result<std::uint16_t> number_for_next(const OpenObject& object) {
  const StoredObject& stored = *object.object();
  if (are_searched(stored)) {
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

/// Version 2 headers that track the order of attributes say so in a message of its own; others have none.
Result<std::optional<HeaderMessage>> info_message(const OpenObject& object,
                                                  std::uint16_t next_number) {
  const StoredObject& stored = *object.object();
  if (stored.header.version < 2) return std::optional<HeaderMessage>();
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
  return std::optional<HeaderMessage>(std::move(message));
}

/// Room for a new attribute and for what the header says of all.
void make_room_for_one(StoredObject& stored, bool dense) {
  make_room(stored.header.messages, 2);
  if (dense) make_room(*stored.dense_attributes, 1);
}

/// The index of attributes follows a change; where there is no memory for that it is made anew when somebody asks.
template <class Change>
void follow_in_index(StoredObject& stored, Change&& change) noexcept {
  if (!stored.attributes) return;
  const Status followed = without_throwing([&] {
    change(*stored.attributes);
    return Status();
  });
  if (!followed.ok()) stored.attributes.reset();
}

/// The new attribute goes into the header or, where there are more than the header is to have, or one is
/// too large for it, all of them into dense storage. `info`: what the header then says of all.
void add_message(const OpenObject& object, const std::string& name, HeaderMessage message,
                 std::optional<HeaderMessage> info) {
  StoredObject& stored = *object.object();
  const bool dense =
      stored.header.version > 1 &&
      (stored.attributes_are_dense || message.body.size() > kMostAttributeBytes ||
       stored.attributes->by_name().size() + 1 > attribute_phase_change(stored).max_compact);
  make_room_for_one(stored, dense);
  std::optional<AttributeMove> move;
  if (dense && !stored.attributes_are_dense) move.emplace(stored, true, nullptr);
  object.store().objects().touch_attributes(object.object());
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kNotThere);
  // From here on nothing asks for memory.
  if (move) move->run();
  auto& messages = dense ? *stored.dense_attributes : stored.header.messages;
  messages.push_back(std::move(message));
  follow_in_index(stored, [&](AttributeIndex& index) {
    index.add(name, messages.back(), {static_cast<std::uint32_t>(messages.size() - 1), dense});
  });
  if (info) stored.put(std::move(*info));
}

/// Another body for an attribute that is there; it may grow out of the header, as by a longer name.
Status replace_message(const OpenObject& object, const std::string& name, HeaderMessage changed) {
  // What a move to dense storage puts beside it, while the message is held here.
  make_room(object.object()->header.messages, 1);
  PCIO_ASSIGN(HeaderMessage * message, existing_attribute_message(object, name));
  StoredObject& stored = *object.object();
  changed.creation_order = message->creation_order;
  changed.written_here = message->written_here;
  std::optional<AttributeMove> move;
  if (changed.body.size() > kMostAttributeBytes && !stored.attributes_are_dense) {
    PCIO_TRY(detail::to_status(attribute_index(object)));
    move.emplace(stored, true, nullptr);
  }
  // What may lack memory first: who fails keeps the old body.
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kThere);
  object.store().objects().touch_attributes(object.object());
  *message = std::move(changed);
  if (move) move->run();
  return Status();
}

/// `number` is the new attribute's, `next` the number of the one that comes after it.
Status create_numbered(const OpenObject& object, Attribute* given, std::uint16_t number,
                       std::uint32_t next) {
  Attribute& attribute = *given;
  attribute.type = attribute.type.file_form(object.store().sizes().offset_size);
  if (attribute.name.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  PCIO_ASSIGN(HeaderMessage * old, attribute_message(object, attribute.name));
  if (old != nullptr)
    return PCIO_ERROR(
        ATTR, EXISTS,
        "\"" + object.path() + "\" has an attribute \"" + attribute.name + "\" already");
  PCIO_TRY(check_room(object, number));
  PCIO_ASSIGN(std::uint64_t bytes, attribute_bytes(attribute));
  PCIO_TRY(check_attribute_size(object, attribute.name, bytes));
  PCIO_ASSIGN(HeaderMessage message,
              encode(object, attribute, {}, static_cast<std::size_t>(bytes)));
  message.creation_order = number;
  PCIO_ASSIGN(auto info, info_message(object, static_cast<std::uint16_t>(next)));
  ObjectTable& objects = object.store().objects();
  StoredObjectPtr holder;
  if (attribute.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(holder, objects.object(attribute.committed_type));
    objects.touch(holder);
  }
  add_message(object, attribute.name, std::move(message), std::move(info));
  if (holder) objects.add_reference(holder);
  return Status();
}

}  // namespace

Status create_attribute(const OpenObject& object, const Attribute& given) {
  Attribute attribute = given;
  return create_attribute(object, &attribute);
}

Status create_attribute(const OpenObject& object, Attribute* given) {
  PCIO_ASSIGN(const std::uint16_t number, number_for_next(object));
  return create_numbered(object, given, number, static_cast<std::uint32_t>(number) + 1);
}

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

namespace {

/// Where the attributes go once one of them has gone, if they go anywhere.
std::optional<AttributeMove> move_without(StoredObject& stored, AttributeIndex::Place place) {
  // Damaged files alone have attributes in both places.
  if (!stored.attributes_are_dense || !place.dense) return std::nullopt;
  HeaderMessage* const message = &(*stored.dense_attributes)[place.message];
  const std::size_t left = stored.attributes->by_name().size() - 1;
  const std::size_t few = std::max<std::size_t>(attribute_phase_change(stored).min_dense, 1);
  if (left < few && attributes_fit(stored, message))
    return std::optional<AttributeMove>(std::in_place, stored, false, message);
  if (stored.dense_attributes->size() > 2 * left + 64)
    return std::optional<AttributeMove>(std::in_place, stored, true, message);
  return std::nullopt;
}

void remove_message(StoredObject& stored, const std::string& name, AttributeIndex::Place place) {
  stored.attributes->remove(stored.attributes->by_name().find(name));
  if (place.dense)
    (*stored.dense_attributes)[place.message] = HeaderMessage();
  else
    stored.clear_message(place.message);
}

}  // namespace

Status delete_attribute(const OpenObject& object, const std::string& name) {
  PCIO_TRY(detail::to_status(attribute_index(object)));
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, name));
  StoredObject& stored = *object.object();
  FileStore& store = object.store();
  StoredObjectPtr holder;
  if (attribute.committed_type != kUndefinedAddress) {
    PCIO_ASSIGN(holder, store.objects().object(attribute.committed_type));
    PCIO_TRY(ObjectTable::check_referenced(*holder));
  }
  const AttributeIndex::Place place = stored.attributes->by_name().find(name)->second.place;
  std::optional<HeaderMessage> info;
  if (stored.attributes->by_name().size() == 1 && stored.header.track_attribute_order) {
    PCIO_ASSIGN(info, info_message(object, 0));
  }
  make_room_for_one(stored, false);
  std::optional<AttributeMove> move = move_without(stored, place);
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(name, LinkBefore::kThere);
  store.objects().touch_attributes(object.object());
  if (holder) PCIO_TRY(store.objects().drop_reference(holder));
  // From here on nothing asks for memory, or fails for want of it.
  if (move)
    move->run();
  else
    remove_message(stored, name, place);
  if (info) stored.put(std::move(*info));
  let_go_values(store, attribute.type, attribute.data, {});
  return Status();
}

Status rename_attribute(const OpenObject& object, const std::string& from, const std::string& to) {
  if (to.empty()) return PCIO_ERROR(ARGS, BADVALUE, "attribute without a name");
  PCIO_TRY(detail::to_status(attribute_index(object)));
  if (from == to) return detail::to_status(existing_attribute_message(object, from));
  PCIO_ASSIGN(HeaderMessage * taken, attribute_message(object, to));
  if (taken != nullptr)
    return PCIO_ERROR(ATTR, EXISTS,
                      "\"" + object.path() + "\" has an attribute \"" + to + "\" already");
  PCIO_ASSIGN(Attribute attribute, find_attribute(object, from));
  attribute.name = to;
  PCIO_ASSIGN(HeaderMessage renamed, encode(object, attribute, attribute.data));
  StoredObject& stored = *object.object();
  std::string name = to;
  if (stored.attribute_changes) stored.attribute_changes->try_emplace(to, LinkBefore::kNotThere);
  PCIO_TRY(replace_message(object, from, std::move(renamed)));
  follow_in_index(stored, [&](AttributeIndex& index) {
    index.rename(index.by_name().find(from), std::move(name));
  });
  return Status();
}

namespace {

/// A value of so many bytes can be written over the old one; else, where several objects share the message, it must be
/// made anew. Which of the two it is follows from the message alone: it is the same on all ranks.
bool is_replaceable(const AttributeParts& parts, std::size_t bytes) {
  // Read from a file the value may have padding behind it.
  const std::size_t room = parts.view.data.size();
  return (parts.message->flags & kMessageShared) == 0 && room >= bytes &&
         room - bytes <= kMostValuePadding;
}

}  // namespace

Status prepare_attribute_write(const OpenObject& object, const std::string& name,
                               AttributeWrite* write) {
  FoundAttribute found;
  PCIO_TRY(find_attribute(object, name, &found));
  write->in_place =
      found.attribute.type.is_fixed() && is_replaceable(found.parts, found.value.size());
  write->attribute = std::move(found.attribute);
  // What a conversion leaves as it is; elements that are only copied need none of the old value.
  if (!write->is_copied()) write->attribute.data.assign(found.value.begin(), found.value.end());
  if (write->attribute.space.npoints() > 0 && write->buffer == nullptr)
    return PCIO_ERROR(ARGS, BADVALUE,
                      "argument buf: no buffer given for attribute \"" + name + "\"");
  if (write->owns()) write->before = write->attribute.data;
  return Status();
}

namespace {

/// A value over the old one; false where the message must be made anew.
Result<bool> overwrite_value(const OpenObject& object, const Attribute& attribute,
                             ConstBytes value) {
  AttributeParts parts;
  PCIO_TRY(find_parts(object, attribute.name, &parts));
  if (!is_replaceable(parts, value.size())) return false;
  ShortBytes& body = parts.message->body;
  const auto place = parts.view.data.data() - ConstBytes(body).data();
  StoredObject& stored = *object.object();
  // What may lack memory first: who fails keeps the old value.
  if (object.store().coordinator().size() > 1) {
    PCIO_TRY(object.store().attribute_copies().note_written(object.object(), parts.message));
  } else {
    if (stored.attribute_changes)
      stored.attribute_changes->try_emplace(attribute.name, LinkBefore::kThere);
    object.store().objects().touch_attributes(object.object());
  }
  std::copy(value.begin(), value.end(), Bytes(body).begin() + place);
  return true;
}

/// The attribute with its new value takes the place of the old one.
Status keep_value(const OpenObject& object, const Attribute& attribute, ConstBytes value) {
  PCIO_ASSIGN(HeaderMessage changed, encode(object, attribute, value));
  return replace_message(object, attribute.name, std::move(changed));
}

class AttributeKeeper final : public ValueKeeper {
 public:
  /// `before`: the value that it is to take the place of, where it owns objects.
  AttributeKeeper(const OpenObject& object, const Attribute& attribute, ConstBytes before)
      : object_(object), attribute_(attribute), before_(before) {}
  Status keep() override {
    if (!before_.empty()) PCIO_TRY(compare());
    return keep_value(object_, attribute_, attribute_.data);
  }

  /// A function of the program has written it meanwhile.
  [[nodiscard]] bool was_written() const { return was_written_; }

 private:
  Status compare() {
    FoundAttribute found;
    PCIO_TRY(find_attribute(object_, attribute_.name, &found));
    was_written_ =
        !std::equal(found.value.begin(), found.value.end(), before_.begin(), before_.end());
    if (!was_written_) return Status();
    // What was to stay as it was refers to what may be gone.
    PCIO_ASSIGN(const bool keeps,
                share_objects(object_.store(), attribute_.type, before_, attribute_.data));
    if (!keeps) return Status();
    return PCIO_ERROR(ATTR, WRITEERROR,
                      "a function of the program has written members of \"" + attribute_.name +
                          "\" that were to stay as they were");
  }

  const OpenObject& object_;
  const Attribute& attribute_;
  ConstBytes before_;
  bool was_written_ = false;
};

}  // namespace

Status write_attribute(const OpenObject& object, const CallName& call, AttributeWrite& write) {
  Attribute& attribute = write.attribute;
  const std::uint64_t n = attribute.space.npoints();
  if (write.owns()) {
    AttributeKeeper keeper(object, attribute, write.before);
    PCIO_TRY(store_values(object.store(), call,
                          {attribute.type, write.memory_type, n, write.options},
                          {write.buffer, &attribute.data, keeper}));
    // Its objects were let go by who wrote it.
    if (!keeper.was_written())
      let_go_values(object.store(), attribute.type, write.before, attribute.data);
    return Status();
  }
  const auto* const elements = static_cast<const std::byte*>(write.buffer);
  ConstBytes value(attribute.data);
  // Without elements no conversion is asked for: any type will do.
  if (n > 0 && write.is_copied()) {
    value = {elements, static_cast<std::size_t>(n) * attribute.type.size()};
  } else if (n > 0) {
    PCIO_ASSIGN(Conversion way, Conversion::make(write.memory_type, attribute.type, write.options));
    PCIO_TRY(way.run(elements, attribute.data.data(), n));
  }
  PCIO_ASSIGN(const bool written, overwrite_value(object, attribute, value));
  return written ? Status() : keep_value(object, attribute, value);
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

}  // namespace pcio
