// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: FileStore: making, opening and keeping objects.

#include "storage/file/file_store.hpp"

#include <algorithm>

#include "base/without_throwing.hpp"
#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/symbol_table_message.hpp"
#include "storage/objects/message_codec.hpp"

namespace pcio {

namespace {

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
      pending_(access.waiting_memory) {
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
  PCIO_ASSIGN(StoredObjectPtr root, objects_.create(group_messages(context_, create), create));
  objects_.add_reference(root);
  root->links.emplace();
  objects_.touch_links(root);
  objects_.set_root(std::move(root));
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
  PCIO_ASSIGN(StoredObjectPtr root, objects_.object(context_.superblock.root_header));
  objects_.set_root(root);
  if (root->kind() != ObjectKind::kGroup)
    return PCIO_ERROR(FILE, NOTHDF5, "the file's root object is not a group");
  return Status();
}

void FileStore::abandon() {
  if (context_.driver && !closed_) context_.driver->abandon();
  closed_ = true;
}

}  // namespace pcio
