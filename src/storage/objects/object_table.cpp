// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: ObjectTable: loading, making and keeping objects.

#include "storage/objects/object_table.hpp"

#include <algorithm>
#include <ctime>

#include "storage/objects/message_codec.hpp"
#include "storage/objects/message_sharing.hpp"
#include "storage/objects/object_trial.hpp"
#include "storage/space/taken_space.hpp"

namespace pcio {

namespace {

/// Bytes read in one go in the hope that they hold a whole header.
constexpr std::uint64_t kHeaderGuess = 512;

}  // namespace

SymbolTableShape ObjectTable::symbol_table_shape() const {
  return {file_.sizes(), file_.superblock.group_leaf_k, file_.superblock.group_internal_k};
}

Result<StoredObjectPtr> ObjectTable::object(FileAddress address) {
  if (StoredObjectPtr found = loaded_.find(address)) return found;
  PCIO_ASSIGN(StoredObjectPtr object, load(address));
  loaded_.add(object);
  return object;
}

Result<StoredObjectPtr> ObjectTable::load(FileAddress address) {
  return file_.read_settled([&] { return load_once(address); });
}

Result<StoredObjectPtr> ObjectTable::load_once(FileAddress address) {
  HeaderDecoder decoder(file_.sizes(),
                        file_.writable ? HeaderAccess::kReadWrite : HeaderAccess::kReadOnly);
  PCIO_ASSIGN(auto guess, file_.bytes->block_up_to(address, 16, kHeaderGuess, "object header"));
  PCIO_ASSIGN(ByteRange piece, decoder.begin(address, guess));
  const StoredObjectPtr object = loaded_.make();
  object->address = address;
  for (std::optional<ByteRange> next = piece; next; next = decoder.next()) {
    object->chunks.push_back(*next);
    if (next->offset == address && next->size <= guess.size()) {
      PCIO_TRY(decoder.add(ConstBytes(guess).first(next->size)));
    } else {
      PCIO_ASSIGN(auto more, file_.bytes->block(next->offset, next->size, "object header"));
      PCIO_TRY(decoder.add(more));
    }
  }
  PCIO_ASSIGN(object->header, std::move(decoder).finish());
  object->links_to = object->header.reference_count;
  object->committed = true;
  if (!shared_.any()) return object;
  object->shared = std::make_unique<SharedRefs>();
  PCIO_TRY(unshare_messages(*this, object->header.version, &object->header.messages,
                            &object->shared->header));
  if (!file_.writable || !shared_.shares(kMessageAttribute) ||
      object->kind() != ObjectKind::kNamedType)
    return object;
  PCIO_ASSIGN(const std::uint32_t more, uncounted_references_to(address));
  object->links_to += more;
  return object;
}

Result<std::uint32_t> ObjectTable::uncounted_references_to(FileAddress type) {
  if (!uncounted_) {
    TypeReferences all;
    PCIO_TRY(shared_.visit_committed(*file_.bytes, file_.sizes(), kMessageAttribute,
                                     [&](const SharedIndex& index) -> Status {
                                       PCIO_ASSIGN(all, uncounted_references(index, file_));
                                       return Status();
                                     }));
    uncounted_ = std::move(all);
  }
  const auto found = uncounted_->find(type);
  return found == uncounted_->end() ? 0 : found->second;
}

Status ObjectTable::reload(StoredObject& object) {
  PCIO_ASSIGN(const StoredObjectPtr fresh, load(object.address));
  object.header = std::move(fresh->header);
  object.chunks = std::move(fresh->chunks);
  object.links_to = fresh->links_to;
  object.links.reset();
  object.link_numbers.reset();
  object.symbol_table = SymbolTablePlace();
  object.dense_attributes.reset();
  object.dataset.reset();
  object.shared = std::move(fresh->shared);
  object.messages_moved();
  return Status();
}

Result<StoredObjectPtr> ObjectTable::create(std::vector<HeaderMessage> messages,
                                            const ObjectCreateProps& props, unsigned source) {
  const StoredObjectPtr object = loaded_.make();
  ObjectHeader& header = object->header;
  header.version = copied_header_version(file_.format, props.attr_creation_order, source);
  // As libhdf5 has it: where attributes are shared, headers say in which order they were made.
  const bool numbered = shared_.shares(kMessageAttribute);
  if (numbered) header.version = std::max(header.version, 2U);
  header.messages = std::move(messages);
  auto now = static_cast<std::uint32_t>(std::time(nullptr));
  if (header.version >= 2) {
    if (props.track_times) header.times = ObjectTimes{now, now, now, now};
    header.track_attribute_order =
        numbered || (props.attr_creation_order & kCreationOrderTracked) != 0;
    header.index_attribute_order = (props.attr_creation_order & kCreationOrderIndexed) != 0;
    if (props.attr_max_compact != 8 || props.attr_min_dense != 6)
      header.attribute_phase_change =
          AttributePhaseChange{static_cast<std::uint16_t>(props.attr_max_compact),
                               static_cast<std::uint16_t>(props.attr_min_dense)};
  }
  object->links_to = 0;
  if (trial_ != nullptr) trial_->expect_object();
  PCIO_ASSIGN(std::uint64_t size, first_chunk_size(header, file_.sizes()));
  PCIO_ASSIGN(object->address, file_.space.allocate(size, SpaceUse::kHeaders));
  TakenSpace taken(file_.space, {object->address, size});
  object->chunks = {{object->address, size}};
  // What takes memory before anybody knows of it: its bytes may go back as long as nobody does.
  ObjectsByAddress unlinked, changed;
  unlinked.emplace(object->address, object);
  changed.emplace(object->address, object);
  loaded_.add(object);
  shared_.note_made(object->address);
  unlinked_.erase(object->address);
  changed_.erase(object->address);
  unlinked_.merge(unlinked);
  changed_.merge(changed);
  object->dirty_ = true;
  taken.keep();
  if (trial_ != nullptr) trial_->note_made(object);
  return object;
}

void ObjectTable::touch(const StoredObjectPtr& object) {
  if (trial_ != nullptr) trial_->note_touch(object);
  ++object->touches_;
  if (object->dirty_) return;
  // What is new is behind all others, as a rule.
  changed_.insert_or_assign(changed_.end(), object->address, object);
  object->dirty_ = true;
}

void ObjectTable::untouch(StoredObject& object) noexcept {
  if (!object.dirty_) return;
  changed_.erase(object.address);
  object.dirty_ = false;
}

FirstTouch::FirstTouch(ObjectTable& objects, const StoredObjectPtr& object)
    : objects_(objects), object_(object), keeps_(object->is_dirty()) {
  objects_.touch(object_);
  touches_ = object_->touches_;
}

FirstTouch::~FirstTouch() {
  if (!keeps_ && object_->touches_ == touches_) objects_.untouch(*object_);
}

void ObjectTable::add_reference(const StoredObjectPtr& object) {
  touch(object);
  // A file may say any number; from the largest one on nobody counts any more.
  if (object->links_to != UINT32_MAX) ++object->links_to;
  unlinked_.erase(object->address);
}

Status ObjectTable::check_referenced(const StoredObject& object) {
  if (object.links_to > 0) return Status();
  return PCIO_ERROR(OHDR, LINKCOUNT, "an object has fewer links than its header says");
}

Status ObjectTable::drop_reference(const StoredObjectPtr& object) {
  PCIO_TRY(check_referenced(*object));
  touch(object);
  if (object->links_to == 1) unlinked_[object->address] = object;
  if (object->links_to != UINT32_MAX) --object->links_to;
  return Status();
}

void ObjectTable::remove(FileAddress address) {
  if (const auto changed = changed_.find(address); changed != changed_.end()) {
    changed->second->dirty_ = false;
    changed_.erase(changed);
  }
  forget_places(address);
  shared_.note_removed(address);
}

void ObjectTable::forget_places(FileAddress address) noexcept {
  loaded_.remove(address);
  for (StoredObjectPtr& group : walked_)
    if (group && group->address == address) group.reset();
  placed_tables_.erase(address);
  for (DenseStorages& storages : dense_) storages.erase(address);
}

void ObjectTable::mark_committed(const LeftOut& left_out, CommittedIn where) {
  shared_.mark_committed();
  uncounted_.reset();
  ObjectsByAddress still_changed;
  for (auto& [address, object] : changed_) {
    const bool stays = left_out.contains(address);
    if (stays) still_changed.emplace(address, object);
    object->dirty_ = stays;
    object->links_dirty_ = stays && object->links_dirty_;
    object->attributes_dirty_ = stays && object->attributes_dirty_;
    object->committed = true;
    // Of one whose data alone stays the header is in the file.
    if (object->shared) object->shared->mark_committed();
    if (stays) continue;
    object->in_file.reset();
    if (object->dataset) object->dataset->mark_committed();
    if (PlacedTable* placed = placed_tables_.find(address)) {
      placed->mark_committed();
      if (object->links) object->links->changes.emplace();
    }
    if (DenseStorage* storage = dense(DenseKind::kLinks).find(address)) {
      storage->mark_committed();
      if (object->links) object->links->changes.emplace();
    }
    if (DenseStorage* storage = dense(DenseKind::kAttributes).find(address)) {
      storage->mark_committed();
      if (object->dense_attributes) object->attribute_changes.emplace();
    }
  }
  if (where == CommittedIn::kJournal) unrecovered_ = std::move(changed_);
  changed_ = std::move(still_changed);
}

}  // namespace pcio
