// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: ObjectTable: the links of groups, and types that other objects hold.

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "base/make_room.hpp"
#include "format/attribute_message.hpp"
#include "format/datatype_message.hpp"
#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/shared_message.hpp"
#include "format/symbol_table_message.hpp"
#include "storage/objects/dense_store.hpp"
#include "storage/objects/message_codec.hpp"
#include "storage/objects/message_sharing.hpp"
#include "storage/objects/object_trial.hpp"

namespace pcio {

namespace {

Result<LinkTable> read_link_messages(FileBytes& file, const StoredObject& group,
                                     const FileSizes& sizes) {
  LinkTable table;
  ByteReader info_reader(group.find(kMessageLinkInfo)->body);
  PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(info_reader, sizes));
  if (info.heap_address != kUndefinedAddress) {
    PCIO_ASSIGN(table, read_dense_links(file, sizes, info));
    table.dense = true;
    table.changes.emplace();
    return table;
  }
  table.next_creation_order = info.max_creation_order;
  for (const HeaderMessage& message : group.header.messages) {
    if (message.type != kMessageLink) continue;
    PCIO_TRY(check_not_shared(message));
    ByteReader reader(message.body);
    PCIO_ASSIGN(LinkMessage link, decode_link_message(reader, sizes));
    if (table.links.contains(link.name))
      return PCIO_ERROR(SYM, BADVALUE, "group lists the name \"" + link.name + "\" twice");
    table.links.insert(table.links.end(), std::move(link));
  }
  return table;
}

}  // namespace

Result<LinkNumbers::Listed> links_by_message(const StoredObject& group, const LinkTable& table,
                                             const FileSizes& sizes) {
  LinkNumbers::Listed listed;
  listed.reserve(table.links.size());
  std::set<std::string_view> found;
  for (const HeaderMessage& message : group.header.messages) {
    if (message.type != kMessageLink) continue;
    ByteReader reader(message.body);
    PCIO_ASSIGN(const LinkMessage was, decode_link_message(reader, sizes));
    const auto link = table.links.find(was.name);
    if (link != table.links.end() && found.insert(link->name).second) listed.push_back(link);
  }
  for (auto link = table.links.begin(); link != table.links.end(); ++link)
    if (!found.contains(link->name)) listed.push_back(link);
  return listed;
}

Result<LinkTable*> ObjectTable::links(const StoredObjectPtr& group) {
  if (!group->links) PCIO_TRY(read_links(*group));
  keep_walked(group);
  return &*group->links;
}

Status ObjectTable::read_links(StoredObject& group) {
  if (const HeaderMessage* message = group.find(kMessageSymbolTable)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(SymbolTableMessage place, decode_symbol_table_message(reader, file_.sizes()));
    group.symbol_table = {place.btree_address, place.heap_address, {}, 0, 0};
    PCIO_ASSIGN(group.links,
                read_symbol_table(*file_.bytes, symbol_table_shape(), &group.symbol_table));
    if (placed_tables_.find(group.address) != nullptr) group.links->changes.emplace();
    return Status();
  }
  if (group.find(kMessageLinkInfo) == nullptr) return PCIO_ERROR(SYM, BADTYPE, "not a group");
  PCIO_ASSIGN(group.links, read_link_messages(*file_.bytes, group, file_.sizes()));
  return Status();
}

void ObjectTable::keep_walked(const StoredObjectPtr& group) {
  if (group == root_ || group == walked_.front()) return;
  // Where it is not among them it comes in the place of the last one.
  const auto at = std::find(walked_.begin(), walked_.end() - 1, group);
  std::rotate(walked_.begin(), at, at + 1);
  walked_.front() = group;
}

void ObjectTable::touch_links(const StoredObjectPtr& group) {
  touch(group);
  group->links_dirty_ = true;
}

void ObjectTable::announce_link(const StoredObjectPtr& group, const std::string& name) {
  if (trial_ != nullptr) trial_->note_link(group, name);
}

Status ObjectTable::become_new_style(StoredObject& group) {
  // Before anything changes: who lacks memory for them has the old ones.
  std::vector<HeaderMessage> messages = new_style_messages(file_.sizes());
  const std::vector<ByteRange> old = links_ranges(group);
  if (trial_ != nullptr) trial_->expect_new_style(group);
  make_room(group.header.messages, messages.size());
  file_.space.reserve_changes();
  if (trial_ != nullptr) trial_->note_new_style(group);
  forget_placed(group);
  group.symbol_table = {};
  group.remove_all(kMessageSymbolTable);
  std::move(messages.begin(), messages.end(), std::back_inserter(group.header.messages));
  for (const ByteRange& range : old) file_.space.release(range);
  return Status();
}

Status ObjectTable::load_attributes(const StoredObjectPtr& object) {
  if (object->dense_attributes) return Status();
  std::vector<HeaderMessage> messages;
  bool dense = false;
  if (const HeaderMessage* message = object->find(kMessageAttributeInfo)) {
    ByteReader reader(message->body);
    PCIO_ASSIGN(AttributeInfoMessage info, decode_attribute_info_message(reader, file_.sizes()));
    dense = info.heap_address != kUndefinedAddress;
    if (dense) {
      PCIO_ASSIGN(messages, read_dense_attributes(*file_.bytes, file_.sizes(), info));
      if (shared_.any()) {
        if (!object->shared) object->shared = std::make_unique<SharedRefs>();
        PCIO_TRY(unshare_messages(*this, 2, &messages, &object->shared->dense));
      }
    }
  }
  object->dense_attributes = std::move(messages);
  object->attributes_are_dense = dense;
  if (dense) object->attribute_changes.emplace();
  return Status();
}

void ObjectTable::touch_attributes(const StoredObjectPtr& object) {
  touch(object);
  object->attributes_dirty_ = true;
}

void ObjectTable::touch_attributes(ObjectsByAddress* objects) noexcept {
  for (const auto& [address, object] : *objects) object->dirty_ = object->attributes_dirty_ = true;
  changed_.merge(*objects);
  objects->clear();
}

Result<DensePlace> ObjectTable::dense_place(const StoredObject& object, DenseKind kind) const {
  const bool links = kind == DenseKind::kLinks;
  const HeaderMessage* message = object.find(links ? kMessageLinkInfo : kMessageAttributeInfo);
  if (message == nullptr) return DensePlace();
  ByteReader reader(message->body);
  if (links) {
    PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, file_.sizes()));
    return DensePlace{info.heap_address, info.name_index_address, info.order_index_address};
  }
  PCIO_ASSIGN(AttributeInfoMessage info, decode_attribute_info_message(reader, file_.sizes()));
  return DensePlace{info.heap_address, info.name_index_address, info.order_index_address};
}

Result<std::unique_ptr<DenseStorage>> ObjectTable::read_dense(const StoredObject& object,
                                                              DenseKind kind) {
  PCIO_ASSIGN(DensePlace place, dense_place(object, kind));
  const FileSizes& sizes = file_.sizes();
  const DenseStorage::Shape shape{kind, place.orders != kUndefinedAddress, sizes};
  auto shared = [&](ConstBytes id) {
    return shared_.body(*file_.bytes, sizes, kMessageAttribute, id);
  };
  return DenseStorage::read(
      *file_.bytes, shape, place, shared, [&](ConstBytes body, DenseItem* item) -> Status {
        ByteReader reader(body);
        if (kind == DenseKind::kAttributes) {
          PCIO_ASSIGN(AttributeMessage attribute, decode_attribute_message(reader));
          item->name = std::move(attribute.name);
          return Status();
        }
        PCIO_ASSIGN(LinkMessage link, decode_link_message(reader, sizes));
        item->order = static_cast<std::uint64_t>(link.creation_order.value_or(0));
        item->name = std::move(link.name);
        return Status();
      });
}

Result<std::vector<ByteRange>> ObjectTable::dense_ranges(const StoredObject& object,
                                                         DenseKind kind) {
  if (const DenseStorage* storage = dense(kind).find(object.address)) return storage->ranges();
  PCIO_ASSIGN(DensePlace place, dense_place(object, kind));
  if (place.heap == kUndefinedAddress) return std::vector<ByteRange>();
  PCIO_ASSIGN(auto storage, read_dense(object, kind));
  return storage->ranges();
}

Result<HeaderMessage> ObjectTable::unshared(const HeaderMessage& message) {
  if ((message.flags & kMessageShared) == 0) return message;
  ByteReader reader(message.body);
  PCIO_ASSIGN(SharedMessage place, decode_shared_message(reader, file_.sizes()));
  if (place.place != SharedPlace::kSharedHeap) return message;
  HeaderMessage plain = message;
  plain.flags &= static_cast<std::uint8_t>(~kMessageShared);
  PCIO_ASSIGN(plain.body, shared_.body(*file_.bytes, file_.sizes(), message.type, place.heap_id));
  return plain;
}

Result<Datatype> ObjectTable::decode_type(ConstBytes body) {
  constexpr std::size_t kMost = 128;
  for (const KnownType& known : known_types_)
    if (!known.body.empty() && known.body.size() == body.size() &&
        std::memcmp(known.body.data(), body.data(), body.size()) == 0)
      return known.type;
  ByteReader reader(body);
  PCIO_ASSIGN(Datatype type, decode_datatype(reader));
  if (body.size() > kMost) return type;
  KnownType& known = known_types_[next_known_++ % known_types_.size()];
  // Without memory for the bytes there is nothing known.
  known.body.clear();
  known.type = type;
  known.body.assign(body.begin(), body.end());
  return type;
}

Result<Datatype> ObjectTable::resolve_type(EncodedType message, FileAddress* committed_at) {
  *committed_at = kUndefinedAddress;
  if ((message.flags & kMessageShared) == 0) return decode_type(message.body);
  HeaderMessage encoded;
  encoded.type = kMessageDatatype;
  encoded.flags = message.flags;
  encoded.body = message.body;
  PCIO_ASSIGN(const HeaderMessage plain, unshared(encoded));
  if ((plain.flags & kMessageShared) == 0) return decode_type(plain.body);
  ByteReader reader(plain.body);
  PCIO_ASSIGN(SharedMessage shared, decode_shared_message(reader, file_.sizes()));
  PCIO_ASSIGN(FileAddress address, committed_address(shared));
  PCIO_ASSIGN(StoredObjectPtr holder, object(address));
  const HeaderMessage* type = holder->find(kMessageDatatype);
  if (type == nullptr || (type->flags & kMessageShared) != 0)
    return PCIO_ERROR(DATATYPE, BADTYPE, "a type refers to an object that is not a committed type");
  *committed_at = address;
  return decode_type(type->body);
}

}  // namespace pcio
