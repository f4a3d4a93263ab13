// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: FileStore.

#include "storage/file/file_store.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "base/without_throwing.hpp"

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

/// Commits of this process to files that it has open by MPI; several files may share a count.
std::array<std::atomic<std::uint64_t>, 1024> parallel_commits{};

std::atomic<std::uint64_t>& commits_of(const FileDriver& driver) {
  const FileIdentity file = driver.identity();
  return parallel_commits[(file.inode ^ file.device * 31) % parallel_commits.size()];
}

}  // namespace

void FileStore::note_commit() noexcept {
  if (parallel()) ++commits_;
}

bool FileStore::may_be_outdated() const noexcept {
  return !parallel() && !writable() && !is_beside_writer() && commits_ != commits_before_;
}

/// Where there is no memory for it `opened` still has everything.
FileStore::FileStore(OpenedFile& opened, const FileAccessProps& access)
    : context_(space_settings(access), format_of(access.low_bound)),
      report_log_(opened.coordinator, opened.driver->identity().path),
      sync_(*opened.driver, access),
      pending_(access.pending_memory),
      commits_(commits_of(*opened.driver)),
      commits_before_(commits_) {
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
    return store.superblock_.make(create);
  });
}

Result<std::unique_ptr<FileStore>> FileStore::open(OpenedFile& opened, FileAccess how,
                                                   const FileAccessProps& access) {
  return made_by(opened, access, [&](FileStore& store) -> Status {
    store.context_.writable = how == FileAccess::kReadWrite;
    if (how == FileAccess::kBesideWriter)
      store.context_.beside_writer =
          access.metadata_read_attempts != 0 ? access.metadata_read_attempts : kReadsBesideWriter;
    Status read = store.superblock_.read(access);
    const bool is_none = !read.ok() && read.frames().front().minor == Minor::NOTHDF5;
    if (how != FileAccess::kReadWrite || !is_none) return read;
    // As libhdf5 does: an empty file that is opened for writing is a new one.
    PCIO_ASSIGN(const std::uint64_t bytes, store.driver().told_size());
    return bytes > 0 ? std::move(read) : store.superblock_.make(FileCreateProps());
  });
}

Status FileStore::prepare_for_writing() {
  if (!context_.writable) return Status();
  PCIO_TRY(writer_.complete_opened());
  return end_.cut_to_superblock();
}

Status FileStore::refresh(StoredObject& object) {
  if (context_.writable) return Status();
  if (object.transfers > 0)
    return PCIO_ERROR(OHDR, CANTLOAD, "a transfer of its elements is going on");
  PCIO_TRY(context_.follow_end());
  return objects_.reload(object);
}

Status FileStore::recover_commit(const CallName& name) {
  PCIO_TRY(writer_.recover(name));
  superblock_.forget_unrecovered();
  objects_.forget_unrecovered();
  heaps_.forget_unrecovered();
  return Status();
}

Status FileStore::close_driver() {
  closed_ = true;
  report_log_.log_closing();
  // Whether it can be given back changes nothing about the file.
  static_cast<void>(context_.coordinator->release_shared_memory());
  return context_.driver->close();
}

void FileStore::abandon() {
  if (context_.driver && !closed_) context_.driver->abandon();
  closed_ = true;
}

}  // namespace pcio
