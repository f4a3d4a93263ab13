// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: FileStore: making, opening and keeping objects.

#include "storage/file/file_store.hpp"

#include <algorithm>
#include <ctime>

#include "base/without_throwing.hpp"
#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/symbol_table_message.hpp"
#include "storage/file/message_codec.hpp"

namespace pcio {

namespace {

/// Bytes read in one go in the hope that they hold a whole header.
constexpr std::uint64_t kHeaderGuess = 512;

SpaceSettings space_settings(const FileAccessProps& access) {
  SpaceSettings settings;
  settings.alignment_threshold = access.alignment_threshold;
  settings.alignment = access.alignment;
  settings.metadata_block = access.meta_block_size;
  settings.small_data_block = access.small_data_block_size;
  return settings;
}

FormatVersion format_of(LibraryVersion low) {
  switch (low) {
    case LibraryVersion::kEarliest: return FormatVersion::kEarliest;
    case LibraryVersion::kV18: return FormatVersion::kV18;
    default: return FormatVersion::kV110;
  }
}

}  // namespace

/// Where there is no memory for it `opened` still has everything.
FileStore::FileStore(OpenedFile& opened, const FileAccessProps& access)
    : context_(space_settings(access), format_of(access.low_bound)),
      report_log_(opened.coordinator, opened.driver->identity().path),
      sync_(*opened.driver, access),
      waiting_memory_(access.waiting_memory) {
  context_.driver = std::move(opened.driver);
  context_.coordinator = std::move(opened.coordinator);
}

template <class Begin>
Result<std::unique_ptr<FileStore>> FileStore::made_by(OpenedFile& opened,
                                                      const FileAccessProps& access,
                                                      Begin&& begin) {
  std::unique_ptr<FileStore> store;
  Status made = without_throwing([&] {
    store.reset(new FileStore(opened, access));
    return begin(*store);
  });
  if (made.ok()) return store;
  if (store) opened = {std::move(store->context_.driver), std::move(store->context_.coordinator)};
  return detail::StatusReturn(std::move(made));
}

FileStore::~FileStore() {
  // Others may have it for longer, or it was given back to whoever opened the driver.
  if (context_.coordinator) context_.coordinator->watch_space(nullptr);
}

Result<std::unique_ptr<FileStore>> FileStore::create(OpenedFile& opened,
                                                     const FileCreateProps& create,
                                                     const FileAccessProps& access) {
  return made_by(opened, access, [&](FileStore& store) -> Status {
    store.context_.writable = true;
    PCIO_TRY(store.make_superblock(create));
    return store.make_root(create);
  });
}

Status FileStore::make_root(const FileCreateProps& create) {
  PCIO_ASSIGN(root_, create_object(group_messages(*this, create), create));
  add_reference(root_);
  root_->links.emplace();
  root_->links_dirty = true;
  return Status();
}

Result<std::unique_ptr<FileStore>> FileStore::open(OpenedFile& opened, OpenMode mode,
                                                   const FileAccessProps& access) {
  return made_by(opened, access, [&](FileStore& store) -> Status {
    store.context_.writable = is_writable(mode);
    PCIO_TRY(store.find_superblock());
    PCIO_TRY(store.read_extension());
    PCIO_TRY(store.take_bounds(access));
    return store.find_root();
  });
}

Status FileStore::find_root() {
  PCIO_ASSIGN(root_, object(context_.superblock.root_header));
  if (root_->kind() != ObjectKind::kGroup)
    return PCIO_ERROR(FILE, NOTHDF5, "the file's root object is not a group");
  return Status();
}

SymbolTableShape FileStore::symbol_table_shape() const {
  return {context_.superblock.sizes, context_.superblock.group_leaf_k,
          context_.superblock.group_internal_k};
}

Result<StoredObjectPtr> FileStore::object(FileAddress address) {
  if (StoredObjectPtr found = objects_.find(address)) return found;
  PCIO_ASSIGN(StoredObjectPtr object, load(address));
  objects_.add(object);
  return object;
}

Result<StoredObjectPtr> FileStore::load(FileAddress address) {
  HeaderDecoder decoder(context_.superblock.sizes,
                        context_.writable ? HeaderAccess::kReadWrite : HeaderAccess::kReadOnly);
  PCIO_ASSIGN(auto guess, context_.bytes->block_up_to(address, 16, kHeaderGuess, "object header"));
  PCIO_ASSIGN(ByteRange piece, decoder.begin(address, guess));
  const StoredObjectPtr object = objects_.make();
  object->address = address;
  for (std::optional<ByteRange> next = piece; next; next = decoder.next()) {
    object->chunks.push_back(*next);
    if (next->offset == address && next->size <= guess.size()) {
      PCIO_TRY(decoder.add(ConstBytes(guess).first(next->size)));
    } else {
      PCIO_ASSIGN(auto more, context_.bytes->block(next->offset, next->size, "object header"));
      PCIO_TRY(decoder.add(more));
    }
  }
  PCIO_ASSIGN(object->header, std::move(decoder).finish());
  object->links_to = object->header.reference_count;
  object->committed = true;
  return object;
}

Result<StoredObjectPtr> FileStore::create_object(std::vector<HeaderMessage> messages,
                                                 const ObjectCreateProps& props) {
  const StoredObjectPtr object = objects_.make();
  ObjectHeader& header = object->header;
  header.version = object_header_version(context_.format, props.attr_creation_order);
  header.messages = std::move(messages);
  auto now = static_cast<std::uint32_t>(std::time(nullptr));
  if (header.version >= 2) {
    if (props.track_times) header.times = ObjectTimes{now, now, now, now};
    header.track_attribute_order = (props.attr_creation_order & kCreationOrderTracked) != 0;
    header.index_attribute_order = (props.attr_creation_order & kCreationOrderIndexed) != 0;
    if (props.attr_max_compact != 8 || props.attr_min_dense != 6)
      header.attribute_phase_change =
          AttributePhaseChange{static_cast<std::uint16_t>(props.attr_max_compact),
                               static_cast<std::uint16_t>(props.attr_min_dense)};
  }
  object->links_to = 0;
  PCIO_ASSIGN(std::uint64_t size, first_chunk_size(header, context_.superblock.sizes));
  PCIO_ASSIGN(object->address, context_.space.allocate(size, SpaceUse::kMetadata));
  object->chunks = {{object->address, size}};
  objects_.add(object);
  unlinked_[object->address] = object;
  touch(object);
  return object;
}

void FileStore::touch(const StoredObjectPtr& object) {
  object->dirty = true;
  dirty_[object->address] = object;
}

void FileStore::add_reference(const StoredObjectPtr& object) {
  ++object->links_to;
  unlinked_.erase(object->address);
  touch(object);
}

Status FileStore::drop_reference(const StoredObjectPtr& object) {
  if (object->links_to == 0)
    return PCIO_ERROR(OHDR, LINKCOUNT, "an object has fewer links than its header says");
  if (--object->links_to == 0) unlinked_[object->address] = object;
  touch(object);
  return Status();
}

void FileStore::abandon() {
  if (context_.driver && !closed_) context_.driver->abandon();
  closed_ = true;
}

}  // namespace pcio
