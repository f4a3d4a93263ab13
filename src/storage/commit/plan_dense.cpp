// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what a commit writes of links and attributes in dense storage.

#include "storage/commit/plan_dense.hpp"

#include "base/without_throwing.hpp"
#include "format/attribute_info_message.hpp"
#include "format/attribute_message.hpp"
#include "format/link_info_message.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

Result<DenseItem> item_of(const LinkMessage& link, const FileSizes& sizes) {
  DenseItem item;
  item.name = link.name;
  item.order = static_cast<std::uint64_t>(link.creation_order.value_or(0));
  ByteWriter out;
  PCIO_TRY(encode_link_message(link, sizes, out));
  item.body = std::move(out).take();
  return item;
}

Result<std::string> attribute_name(const HeaderMessage& message) {
  ByteReader reader(message.body);
  PCIO_ASSIGN(AttributeMessage attribute, decode_attribute_message(reader));
  return std::move(attribute.name);
}

/// Attributes by name: those that changed are found among all.
struct AttributeContent {
  explicit AttributeContent(const StoredObject& object) : object(object) {}
  Result<DenseItem> item(std::size_t at) const {
    const HeaderMessage& message = (*object.dense_attributes)[at];
    const HeaderMessage& as_stored = stored ? (*stored)[at] : message;
    DenseItem item;
    PCIO_ASSIGN(item.name, attribute_name(message));
    const bool tracked = object.header.track_attribute_order;
    item.order = tracked ? message.creation_order : DenseStorage::kNoOrder;
    item.flags = as_stored.flags;
    item.body = as_stored.body.vector();
    // Of what refers to a shared attribute: the heap id behind version and kind.
    if (stored && (item.flags & kMessageShared) != 0)
      item.body.erase(item.body.begin(), item.body.begin() + 2);
    return item;
  }
  /// What the attribute refers to in heaps of shared messages may have got another place there though its value is
  /// the same: a body by libhdf5 may be in another version of the message.
  Status add_restored(const DenseStorage& storage, LinkChanges* changes) {
    PCIO_TRY(list_names());
    for (const auto& [name, at] : names) {
      PCIO_ASSIGN(const DenseItem one, item(at));
      std::size_t value = 0;
      if ((one.flags & kMessageShared) == 0) {
        ByteReader reader(one.body);
        PCIO_ASSIGN(const AttributeMessage attribute, decode_attribute_message(reader));
        value = attribute.data.size();
      }
      if (!storage.has_alike(one, value)) changes->try_emplace(name);
    }
    return Status();
  }
  /// Nothing where there is none of this name.
  Result<std::optional<std::size_t>> find(const std::string& name) {
    if (object.attributes) {
      const auto found = object.attributes->by_name().find(name);
      // One in the header, which a damaged object may have besides, is none of the storage.
      if (found == object.attributes->by_name().end() || !found->second.place.dense)
        return std::optional<std::size_t>();
      return std::optional<std::size_t>(found->second.place.message);
    }
    // Their index is gone, as where messages of the header moved.
    PCIO_TRY(list_names());
    const auto found = names.find(name);
    if (found == names.end()) return std::optional<std::size_t>();
    return std::optional<std::size_t>(found->second);
  }
  Status list_names() {
    const auto& messages = *object.dense_attributes;
    if (!names.empty()) return Status();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (messages[i].type != kMessageAttribute) continue;
      PCIO_ASSIGN(std::string one, attribute_name(messages[i]));
      names.emplace(std::move(one), i);
    }
    return Status();
  }
  const StoredObject& object;
  std::map<std::string, std::size_t> names;
  /// As the file is to have them; nothing: as they are.
  std::optional<std::vector<HeaderMessage>> stored;
};

DenseContent content_of(AttributeContent& attributes) {
  const StoredObject& object = attributes.object;
  DenseContent content;
  content.kind = DenseKind::kAttributes;
  content.by_order = object.header.index_attribute_order;
  content.changes = object.attribute_changes ? &*object.attribute_changes : nullptr;
  for (const HeaderMessage& message : *object.dense_attributes)
    if (message.type == kMessageAttribute) ++content.count;
  if (attributes.stored)
    content.add_restored = [&](const DenseStorage& storage, LinkChanges* changes) {
      return attributes.add_restored(storage, changes);
    };
  content.find = [&](const std::string& name) -> Result<std::optional<DenseItem>> {
    PCIO_ASSIGN(const std::optional<std::size_t> at, attributes.find(name));
    if (!at) return std::optional<DenseItem>();
    PCIO_ASSIGN(DenseItem item, attributes.item(*at));
    return std::optional<DenseItem>(std::move(item));
  };
  // By name: who has read them again has them in another order than who made them.
  content.for_each = [&](const std::function<Status(const DenseItem&)>& visit) -> Status {
    PCIO_TRY(attributes.list_names());
    for (const auto& [name, at] : attributes.names) {
      PCIO_ASSIGN(DenseItem item, attributes.item(at));
      PCIO_TRY(visit(item));
    }
    return Status();
  };
  return content;
}

/// What a storage was given goes back.
void take_back(FileStore& store, DenseStorage* storage) {
  static_cast<void>(without_throwing([&] {
    storage->withdraw(store.space());
    return Status();
  }));
}

/// A storage that is no object's yet, and whose bytes have no other owner.
class NewStorage {
 public:
  NewStorage(FileStore& store, std::unique_ptr<DenseStorage> storage)
      : store_(store), storage_(std::move(storage)) {}
  NewStorage(const NewStorage&) = delete;
  NewStorage& operator=(const NewStorage&) = delete;
  ~NewStorage() {
    if (storage_) take_back(store_, storage_.get());
  }
  DenseStorage& operator*() { return *storage_; }
  /// Somebody may keep it.
  std::unique_ptr<DenseStorage>& held() { return storage_; }

 private:
  FileStore& store_;
  std::unique_ptr<DenseStorage> storage_;
};

/// What goes first, then what comes: numbers of creation may be used again.
Status change_storage(const DenseContent& content, const LinkChanges& changes,
                      DenseStorage* storage, FileSpace& space) {
  std::vector<DenseItem> items;
  for (const auto& [name, before] : changes) {
    PCIO_ASSIGN(std::optional<DenseItem> item, content.find(name));
    const std::optional<std::uint64_t> order = storage->order_of(name);
    if (order && (!item || item->order != *order)) PCIO_TRY(storage->remove(name));
    if (item) items.push_back(std::move(*item));
  }
  for (const DenseItem& item : items) PCIO_TRY(storage->put(item, space));
  if (storage->count() == content.count) return Status();
  return PCIO_ERROR(INTERNAL, BADVALUE, "dense storage has another count than what was followed");
}

}  // namespace

DenseContent content_of(const LinkTable& table, const LinkInfoMessage& info,
                        const FileSizes& sizes) {
  DenseContent content;
  content.by_order = info.index_order;
  content.count = table.links.size();
  content.changes = table.changes ? &*table.changes : nullptr;
  content.find = [&](const std::string& name) -> Result<std::optional<DenseItem>> {
    const auto link = table.links.find(name);
    if (link == table.links.end()) return std::optional<DenseItem>();
    PCIO_ASSIGN(DenseItem item, item_of(*link, sizes));
    return std::optional<DenseItem>(std::move(item));
  };
  content.for_each = [&](const std::function<Status(const DenseItem&)>& visit) -> Status {
    for (const LinkMessage& link : table.links) {
      PCIO_ASSIGN(DenseItem item, item_of(link, sizes));
      PCIO_TRY(visit(item));
    }
    return Status();
  };
  return content;
}

/// The same on all ranks.
Result<DenseStorage*> change_dense(FileStore& store, const StoredObject& object,
                                   const DenseContent& content) {
  DenseStorages& storages = store.objects().dense(content.kind);
  DenseStorage* storage = storages.find(object.address);
  if (storage == nullptr) {
    auto read = store.objects().read_dense(object, content.kind);
    if (!read && (was_not_read(read.error()) || lacks_memory(read.error())))
      return tl::unexpected(std::move(read.error()));
    // What is damaged is written anew from what could be read of it; its bytes are lost.
    if (!read) return nullptr;
    storages.put(object.address, std::move(*read));
    storage = storages.find(object.address);
  }
  if (storage->is_planned() || content.changes == nullptr ||
      !storage->has_filters(content.filters) || store.writer().overwrites_unsafely())
    return nullptr;
  LinkChanges with_restored;
  const LinkChanges* changes = content.changes;
  if (content.add_restored) {
    with_restored = *changes;
    PCIO_TRY(content.add_restored(*storage, &with_restored));
    changes = &with_restored;
  }
  if (changes->size() > content.count / 2 + 1) return nullptr;
  try {
    if (change_storage(content, *changes, storage, store.space()).ok()) return storage;
  } catch (...) {
    // Changed half: a second try has it as the file does. What it was given meanwhile has no other owner.
    take_back(store, storage);
    storages.erase(object.address);
    throw;
  }
  // Where the trouble is the heap or the index, writing it whole is the way out.
  storage->withdraw(store.space());
  return nullptr;
}

Result<std::unique_ptr<DenseStorage>> make_dense(FileStore& store, const DenseContent& content) {
  const DenseStorage::Shape shape{content.kind, content.by_order, store.sizes(), content.filters};
  NewStorage made(store, std::make_unique<DenseStorage>(shape));
  PCIO_TRY((*made).set_filters());
  PCIO_TRY(
      content.for_each([&](const DenseItem& item) { return (*made).put(item, store.space()); }));
  return std::move(made.held());
}

namespace {

Status plan_storage(FileStore& store, DenseStorage& storage, BlockSet* blocks) {
  const std::size_t before = blocks->size();
  Status planned = storage.plan(store.space(), blocks);
  if (planned.ok()) return planned;
  blocks->resize(before);
  storage.withdraw(store.space());
  return planned;
}

/// From here on it is the one that the object has. Where memory runs out before that, it stays the caller's.
DensePlace put_whole(FileStore& store, const StoredObject& object, DenseKind kind,
                     std::unique_ptr<DenseStorage>&& storage) {
  DenseStorages& storages = store.objects().dense(kind);
  if (const DenseStorage* gone = storages.find(object.address)) storage->replace(*gone);
  storages.put(object.address, std::move(storage));
  DenseStorage* const whole = storages.find(object.address);
  whole->release_gone(store.space());
  return whole->place();
}

Result<DensePlace> plan_content(FileStore& store, const StoredObject& object,
                                const DenseContent& content, BlockSet* blocks) {
  PCIO_ASSIGN(const DensePlace old, store.objects().dense_place(object, content.kind));
  if (old.heap != kUndefinedAddress) {
    PCIO_ASSIGN(DenseStorage * changed, change_dense(store, object, content));
    if (changed != nullptr && plan_storage(store, *changed, blocks).ok()) return changed->place();
  }
  PCIO_ASSIGN(auto made, make_dense(store, content));
  NewStorage storage(store, std::move(made));
  PCIO_TRY(plan_storage(store, *storage, blocks));
  return put_whole(store, object, content.kind, std::move(storage.held()));
}

Result<DensePlace> plan_prepared(FileStore& store, const StoredObject& object,
                                 PreparedDense& prepared, BlockSet* blocks) {
  PCIO_TRY(Status(prepared.status));
  PCIO_TRY(plan_storage(store, *prepared.storage, blocks));
  if (!prepared.whole) return prepared.storage->place();
  return put_whole(store, object, DenseKind::kLinks, std::move(prepared.whole));
}

}  // namespace

/// The storage is no longer needed: its bytes are given back. Errors: what could not be read.
Status CommitPlanner::give_up_dense(const StoredObject& object, DenseKind kind) {
  if (DenseStorage* storage = store_.objects().dense(kind).find(object.address)) {
    storage->give_up(store_.space());
    store_.objects().dense(kind).erase(object.address);
    return Status();
  }
  auto ranges = store_.objects().dense_ranges(object, kind);
  if (!ranges && (was_not_read(ranges.error()) || lacks_memory(ranges.error())))
    return std::move(ranges.error());
  // What is damaged is lost: better some bytes than a commit that fails.
  if (ranges)
    for (const ByteRange& range : *ranges) store_.space().release(range);
  return Status();
}

Status CommitPlanner::plan_new_style_links(StoredObject& object) {
  LinkTable& table = *object.links;
  ByteReader reader(object.find(kMessageLinkInfo)->body);
  PCIO_ASSIGN(LinkInfoMessage info, decode_link_info_message(reader, store_.sizes()));
  DensePlace place;
  if (table.dense) {
    const auto prepared = prepared_.find(object.address);
    PCIO_ASSIGN(place, prepared == prepared_.end()
                           ? plan_content(store_, object, content_of(table, info, store_.sizes()),
                                          &plan_.blocks)
                           : plan_prepared(store_, object, prepared->second, &plan_.blocks));
  } else {
    if (info.heap_address != kUndefinedAddress) PCIO_TRY(give_up_dense(object, DenseKind::kLinks));
    table.changes.reset();
  }
  LinkNumbers::Listed listed;
  if (!table.dense) {
    PCIO_ASSIGN(listed, links_by_message(object, table, store_.sizes()));
  }
  object.remove_all(kMessageLink);
  info.max_creation_order = table.next_creation_order;
  info.heap_address = place.heap;
  info.name_index_address = place.names;
  info.order_index_address = place.orders;
  PCIO_ASSIGN(HeaderMessage info_message, make_message(kMessageLinkInfo, 0, [&](ByteWriter& out) {
                return encode_link_info_message(info, store_.sizes(), out);
              }));
  object.put(std::move(info_message));
  for (const auto& link : listed) {
    PCIO_ASSIGN(HeaderMessage message, make_message(kMessageLink, 0, [&](ByteWriter& out) {
                  return encode_link_message(*link, store_.sizes(), out);
                }));
    object.header.messages.push_back(std::move(message));
  }
  return Status();
}

/// Attributes in the header are written with it.
Status CommitPlanner::plan_attributes(StoredObject& object) {
  if (!object.attributes_dirty()) return Status();
  PCIO_ASSIGN(DensePlace place, store_.objects().dense_place(object, DenseKind::kAttributes));
  if (!object.attributes_are_dense && place.heap == kUndefinedAddress) return Status();
  if (object.attributes_are_dense) {
    AttributeContent attributes(object);
    if (shares(object)) {
      PCIO_ASSIGN(attributes.stored,
                  sharing_.stored_all(*object.dense_attributes, SharedPart::kDense));
    }
    PCIO_ASSIGN(place, plan_content(store_, object, content_of(attributes), &plan_.blocks));
  } else {
    PCIO_TRY(give_up_dense(object, DenseKind::kAttributes));
    if (shares(object)) sharing_.no_dense_attributes();
    object.attribute_changes.reset();
    place = DensePlace();
  }
  const HeaderMessage* const message = object.find(kMessageAttributeInfo);
  if (message == nullptr)
    return PCIO_ERROR(INTERNAL, BADVALUE, "an object with dense attributes does not say so");
  ByteReader reader(message->body);
  PCIO_ASSIGN(AttributeInfoMessage info, decode_attribute_info_message(reader, store_.sizes()));
  info.heap_address = place.heap;
  info.name_index_address = place.names;
  info.order_index_address = place.orders;
  PCIO_ASSIGN(HeaderMessage changed,
              make_message(kMessageAttributeInfo, message->flags, [&](ByteWriter& out) {
                return encode_attribute_info_message(info, store_.sizes(), out);
              }));
  object.put(std::move(changed));
  return Status();
}

}  // namespace pcio
