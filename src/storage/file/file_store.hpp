// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: the door to one open file.
//
// Every rank of a parallel file holds one of these and makes the same changes in the same order, so
// all hold the same metadata. Changes live in memory until a commit (storage/commit): addresses are
// decided by arithmetic on every rank, bytes are encoded and written by one.

#pragma once

#include <atomic>
#include <memory>

#include "base/library_lock.hpp"
#include "props/file_props.hpp"
#include "storage/file/attribute_copies.hpp"
#include "storage/file/compact_copies.hpp"
#include "storage/file/report_log.hpp"
#include "storage/file/superblock_store.hpp"
#include "storage/gate/commit_writer.hpp"
#include "storage/heaps/heap_reader.hpp"
#include "storage/objects/dataset_table.hpp"
#include "storage/objects/object_table.hpp"
#include "storage/objects/pending_datasets.hpp"

namespace pcio {

/// Owns the parts of an open file, each of which has its own state and contract, and hands them out.
/// Threads: one thread drives a file.
class FileStore {
 public:
  /// Makes a new file: superblock and empty root group, not yet committed.
  /// Collective: pure after the driver is open.
  /// On failure, memory that runs out included, `opened` is given back, so that the caller can close it.
  static Result<std::unique_ptr<FileStore>> create(OpenedFile& opened,
                                                   const FileCreateProps& create,
                                                   const FileAccessProps& access);
  /// Reads superblock and root group; of an empty file that is opened for writing makes a new one, not yet committed.
  /// Collective: independent.
  /// Errors: not an HDF5 file, truncated, or something in it that is not understood, by name.
  /// On failure `opened` is given back.
  static Result<std::unique_ptr<FileStore>> open(OpenedFile& opened, FileAccess how,
                                                 const FileAccessProps& access);

  /// Another program may be its single writer.
  [[nodiscard]] bool is_beside_writer() const { return context_.beside_writer != 0; }

  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;
  ~FileStore();
  /// A commit of this store begins, or has ended. Collective: independent.
  void note_commit() noexcept;
  /// Of one that this process reads alone: it has committed to the file by MPI since, and what is in memory here may be older than
  /// that. Collective: independent.
  [[nodiscard]] bool may_be_outdated() const noexcept;
  /// All ranks have the file open: from here on every agreement compares their maps of its space.
  void compare_space() { context_.coordinator->watch_space(&context_.space.hash()); }
  /// Completes the commit that a killed program began, and cuts the file to its end of allocation, so
  /// that what follows is fresh. After open() succeeded on all ranks. Collective: over the file,
  /// where it is writable.
  Status prepare_for_writing();
  /// What other programs have made of an object since it was read. A file that is open for writing is this
  /// program's alone: there nothing is newer than what is in memory. Collective: independent.
  Status refresh(StoredObject& object);
  /// Brings a file that a failed commit has left half done to the last commit or to the next one:
  /// before that nobody gets space. Collective: over the file, one exchange where there is something
  /// to do.
  Status recover_commit(const CallName& name);
  /// Closes the driver: close_file() calls it behind the last commit. Collective: over the file.
  Status close_driver();
  /// For whoever closes it, of a file that is not going to be opened: nothing but destruction is possible then.
  [[nodiscard]] std::unique_ptr<FileDriver> give_back_driver() {
    closed_ = true;
    return std::move(context_.driver);
  }
  /// Lets the file go without writing.
  void abandon();
  /// The driver was closed or abandoned: nothing but destruction is possible.
  [[nodiscard]] bool is_closed() const { return closed_; }

  /// A commit is going on. Functions of the program that run in its filters begin no other.
  [[nodiscard]] bool is_in_commit() const { return in_commit_; }
  void set_in_commit(bool in_commit) { in_commit_ = in_commit; }
  /// The lock of the file, which lives as long as the store; null: it was another one once.
  void set_lock(const FileLock* lock) { lock_ = lock; }
  /// Behind the function of the program that runs here a call may go on with what it has of this file.
  [[nodiscard]] bool is_in_midst_of_callers() const {
    return lock_ == nullptr ? any_is_in_midst_of_callers() : pcio::is_in_midst_of_callers(*lock_);
  }

  // --- the parts ---
  [[nodiscard]] ObjectTable& objects() { return objects_; }
  [[nodiscard]] DatasetTable& datasets() { return datasets_; }
  [[nodiscard]] const DatasetTable& datasets() const { return datasets_; }
  [[nodiscard]] HeapStore& heaps() { return heaps_; }
  /// What reads heaps, for one call.
  [[nodiscard]] HeapReader heap_reader() { return {context_, heaps_}; }
  [[nodiscard]] PendingDatasets& pending() { return pending_; }
  [[nodiscard]] const PendingDatasets& pending() const { return pending_; }
  [[nodiscard]] CompactCopies& compact_copies() { return compact_copies_; }
  [[nodiscard]] AttributeCopies& attribute_copies() { return attribute_copies_; }
  [[nodiscard]] SuperblockStore& superblock_store() { return superblock_; }
  [[nodiscard]] FileEnd& end() { return end_; }
  [[nodiscard]] FileSync& sync() { return sync_; }
  [[nodiscard]] CommitWriter& writer() { return writer_; }
  [[nodiscard]] ReportLog& report_log() { return report_log_; }

  // --- what they all work with ---
  [[nodiscard]] const FileContext& context() const { return context_; }
  /// As all ranks have agreed on.
  void set_sharing(std::uint64_t lock_unit, std::uint64_t writers) {
    context_.lock_unit = lock_unit;
    context_.writers = writers;
  }
  [[nodiscard]] FileBytes& bytes() { return *context_.bytes; }
  [[nodiscard]] FileSpace& space() { return context_.space; }
  [[nodiscard]] const FileSpace& space() const { return context_.space; }
  [[nodiscard]] FileDriver& driver() { return *context_.driver; }
  [[nodiscard]] Coordinator& coordinator() { return *context_.coordinator; }
  [[nodiscard]] const std::shared_ptr<Coordinator>& shared_coordinator() const {
    return context_.coordinator;
  }
  [[nodiscard]] const FileSizes& sizes() const { return context_.sizes(); }
  [[nodiscard]] bool writable() const { return context_.writable; }
  [[nodiscard]] bool parallel() const { return context_.parallel(); }

 private:
  FileStore(OpenedFile& opened, const FileAccessProps& access);
  template <class Begin>
  static Result<std::unique_ptr<FileStore>> made_by(OpenedFile& opened,
                                                    const FileAccessProps& access, Begin&& begin);

  FileContext context_;
  ReportLog report_log_;
  FileEnd end_{context_};
  FileSync sync_;
  CommitWriter writer_{context_, end_, sync_};
  ObjectTable objects_{context_};
  DatasetTable datasets_{context_, objects_};
  HeapStore heaps_{context_};
  PendingDatasets pending_;
  CompactCopies compact_copies_{context_, objects_, datasets_};
  AttributeCopies attribute_copies_{context_, objects_};
  SuperblockStore superblock_{context_, end_, writer_, objects_};
  const FileLock* lock_ = nullptr;
  std::atomic<std::uint64_t>& commits_;  ///< of openings of this file by MPI
  std::uint64_t commits_before_;         ///< when nothing was read yet
  bool in_commit_ = false;
  bool closed_ = false;
};

}  // namespace pcio
