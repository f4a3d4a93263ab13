// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/file: one open file: its bytes, space, superblock and objects, and the only way in which
// metadata reaches the file.
//
// Every rank of a parallel file holds one of these and makes the same changes in the same order, so
// all hold the same metadata. Changes live in memory until commit(): addresses are decided by
// arithmetic on every rank, bytes are encoded and written by one.

#pragma once

#include <array>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "agree/coordinator.hpp"
#include "driver/open_driver.hpp"
#include "format/format_version.hpp"
#include "format/header_layout.hpp"
#include "format/superblock.hpp"
#include "props/file_props.hpp"
#include "storage/bytes/file_context.hpp"
#include "storage/space/file_space.hpp"
#include "storage/bytes/kept_space.hpp"
#include "storage/gate/commit_writer.hpp"
#include "storage/file/compact_copies.hpp"
#include "storage/objects/dataset_table.hpp"
#include "storage/objects/pending_datasets.hpp"
#include "storage/space/lower_end.hpp"
#include "storage/file/report_log.hpp"
#include "storage/objects/stored_object.hpp"
#include "storage/file/unlinked_objects.hpp"

namespace pcio {

struct UnlinkedFacts;

/// Why a commit happens. Of a file that was just made nobody has anything to read, so it is not
/// flushed, which would cost an fsync; a close also gives back the unused end of the file.
enum class CommitKind : std::uint8_t { kCreate, kFlush, kClose };

/// Threads: one thread drives a file.
class FileStore {
 public:
  /// Makes a new file: superblock and empty root group, not yet committed.
  /// Collective: pure after the driver is open.
  /// On failure, memory that runs out included, `opened` is given back, so that the caller can close it.
  static Result<std::unique_ptr<FileStore>> create(OpenedFile& opened,
                                                   const FileCreateProps& create,
                                                   const FileAccessProps& access);
  /// Reads superblock and root group. Collective: independent.
  /// Errors: not an HDF5 file, truncated, or something in it that is not understood, by name.
  /// On failure `opened` is given back.
  static Result<std::unique_ptr<FileStore>> open(OpenedFile& opened, OpenMode mode,
                                                 const FileAccessProps& access);

  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;
  ~FileStore();
  /// All ranks have the file open: from here on every agreement compares their maps of its space.
  void compare_space() { context_.coordinator->watch_space(&context_.space.hash()); }

  /// Completes the commit that a killed program began, and cuts the file to its end of allocation, so
  /// that what follows is fresh. After open() succeeded on all ranks. Collective: over the file,
  /// where it is writable.
  Status prepare_for_writing();

  // --- objects ---
  [[nodiscard]] ObjectTable& objects() { return objects_; }
  [[nodiscard]] DatasetTable& datasets() { return datasets_; }
  [[nodiscard]] PendingDatasets& pending() { return pending_; }
  [[nodiscard]] const PendingDatasets& pending() const { return pending_; }
  [[nodiscard]] CompactCopies& compact_copies() { return compact_copies_; }
  [[nodiscard]] FileEnd& end() { return end_; }
  [[nodiscard]] const FileContext& context() const { return context_; }
  /// Links and references of others to an object, without those of objects that nobody can reach any
  /// more and a commit will release. Collective: independent; differs where ranks have such open.
  Result<std::uint32_t> references_to(const StoredObjectPtr& object);

  Result<StoredObjectPtr> object(FileAddress address) { return objects_.object(address); }
  Result<StoredObjectPtr> create_object(std::vector<HeaderMessage> messages,
                                        const ObjectCreateProps& props) {
    return objects_.create(std::move(messages), props);
  }
  void touch(const StoredObjectPtr& object) { objects_.touch(object); }
  void add_reference(const StoredObjectPtr& object) { objects_.add_reference(object); }
  Status drop_reference(const StoredObjectPtr& object) { return objects_.drop_reference(object); }
  [[nodiscard]] const StoredObjectPtr& root() const { return objects_.root(); }
  Result<LinkTable*> links(const StoredObjectPtr& group) { return objects_.links(group); }
  void touch_links(const StoredObjectPtr& group) { objects_.touch_links(group); }
  Result<Datatype> resolve_type(const HeaderMessage& message, FileAddress* committed_at) {
    return objects_.resolve_type(message, committed_at);
  }
  void touch_compact(const StoredObjectPtr& object, std::string_view path) {
    compact_copies_.note_written(object, path);
  }
  [[nodiscard]] std::uint64_t waiting_memory() const { return pending_.limit(); }
  void set_waiting_memory(std::uint64_t bytes) { pending_.set_limit(bytes); }
  [[nodiscard]] const ObjectsByAddress& unwritten() const { return pending_.datasets(); }
  Result<DatasetState*> dataset(const StoredObjectPtr& object) { return datasets_.state(object); }
  void forget_decoded(StoredObject& object) const { datasets_.forget_decoded(object); }
  void allocate_late(const StoredObjectPtr& object) { datasets_.allocate_late(object); }
  Status load_chunk_index(const StoredObjectPtr& object) {
    return datasets_.load_chunk_index(object);
  }
  Status load_chunks(const StoredObjectPtr& object, const Box& box) {
    return datasets_.load_chunks(object, box);
  }
  Status load_counted_chunks(const StoredObjectPtr& object, std::uint64_t first,
                             std::uint64_t end) {
    return datasets_.load_counted_chunks(object, first, end);
  }
  static void forget_loaded_part(DatasetState& state) { state.forget_loaded_part(); }
  [[nodiscard]] ChunkIndexShape chunk_index_shape(const DatasetState& state) const {
    return datasets_.chunk_index_shape(state);
  }

  // --- the gate ---
  /// Writes everything that changed, in the steps of commit_steps.cpp. A dataset whose changes can't be
  /// written is left out, with what it was in the file; the commit is made and then fails, naming it. A program that is killed at
  /// any moment leaves a file that opens as the last commit or as this one. When this fails, the last
  /// commit is what everybody reads, or, past the commit point, this one is what this library reads
  /// and others refuse; the next commit completes it.
  ///
  /// Collective: over the file; begins with an agreement and ends with one.
  Status commit(CommitKind kind, const CallName& name, const Status& local);
  /// Brings a file that a failed commit has left half done to the last commit or to the next one:
  /// before that nobody gets space. Collective: over the file, one exchange where there is something
  /// to do.
  Status recover_commit(const CallName& name);
  Status mend(const CallName& name) { return recover_commit(name); }
  /// Makes the file as long as what is allocated in it. Collective: over the file where it is
  /// shorter, else local.
  Status extend_to_allocated() { return end_.extend_to_allocated(); }
  /// Commits (where writable) and closes the driver. The store can only be destroyed afterwards.
  /// Collective: over the file.
  Status close(const CallName& name, const Status& local);
  /// Lets the file go without writing.
  void abandon();
  /// How the file stood when it was opened. A file in a window that is only read stays in it.
  [[nodiscard]] CommitState opened_state() const { return writer_.opened_state(); }
  /// Of the superblock that open() found, and whether its commit was cut; must be equal on all ranks.
  [[nodiscard]] std::uint64_t hash_of_head() const { return writer_.hash_of_head(); }
  /// Bytes in the file as open() saw it on this rank; until the ranks have agreed on one number.
  [[nodiscard]] std::uint64_t size_in_file() const { return end_.size(); }
  void set_size_in_file(std::uint64_t agreed) { end_.set_size(agreed); }
  /// The driver was closed or given up: nothing but destruction is possible.
  [[nodiscard]] bool is_closed() const { return closed_; }

  [[nodiscard]] FileBytes& bytes() { return *context_.bytes; }
  [[nodiscard]] FileSpace& space() { return context_.space; }
  [[nodiscard]] const FileSpace& space() const { return context_.space; }
  [[nodiscard]] FileDriver& driver() { return *context_.driver; }
  [[nodiscard]] Coordinator& coordinator() { return *context_.coordinator; }
  [[nodiscard]] ReportLog& report_log() { return report_log_; }
  [[nodiscard]] const Superblock& superblock() const { return context_.superblock; }
  [[nodiscard]] const FileSizes& sizes() const { return context_.superblock.sizes; }
  [[nodiscard]] FormatVersion format() const { return context_.format; }
  void set_format(FormatVersion format) { context_.format = format; }
  [[nodiscard]] bool writable() const { return context_.writable; }
  /// Allows writing after a second open of the same file asked for it.
  [[nodiscard]] bool parallel() const { return context_.coordinator->is_parallel(); }
  [[nodiscard]] unsigned chunk_internal_k() const {
    return context_.superblock.indexed_storage_internal_k;
  }
  [[nodiscard]] bool anything_dirty() const {
    return !objects_.changed().empty() || superblock_dirty_;
  }
  /// Bytes that were never written read as zero, as far as was tried.
  [[nodiscard]] bool holes_read_zero() const { return end_.holes_read_zero(); }
  /// Tries it, where that has not been done. Collective: over the file, where it is writable.
  Status try_holes(const CallName& name) { return end_.try_holes(name); }
  /// Strategy of file space, and whether free space is kept in the file.
  [[nodiscard]] const FileSpaceInfoMessage& space_info() const { return kept_.info; }

 private:
  FileStore(OpenedFile& opened, const FileAccessProps& access);
  template <class Begin>
  static Result<std::unique_ptr<FileStore>> made_by(OpenedFile& opened,
                                                    const FileAccessProps& access, Begin&& begin);
  Status make_root(const FileCreateProps& create);
  Status find_root();
  Status make_superblock(const FileCreateProps& create);
  Status make_extension(const FileCreateProps& create);
  Status find_superblock();
  Status read_extension();
  Status take_bounds(const FileAccessProps& access);

  Status plan_object(StoredObject& object, BlockSet* blocks);
  Status plan_parts(StoredObject& object, BlockSet* blocks);
  void note_planned(const StoredObject& object);
  Status plan_links(StoredObject& object, BlockSet* blocks);
  Status plan_dataset(StoredObject& object, BlockSet* blocks);
  Result<bool> plan_index_in_place(DatasetState& state, BlockSet* blocks);
  Status plan_index(DatasetState& state, BlockSet* blocks);
  Result<HeaderLayout> place_header(StoredObject& object);
  Status plan_header(StoredObject& object, BlockSet* blocks);
  Status encode_only_piece(const StoredObject& object, ByteWriter& out) const;
  Status find_remains_of(ObjectRemains* remains);
  Result<std::vector<StoredObjectPtr>> children_of(const StoredObjectPtr& object);
  Status find_remains(Remains* remains);
  [[nodiscard]] UnlinkedFacts unlinked_facts(const Remains& remains) const;
  Status release_remains(const Remains& remains);
  Status release_unlinked(const CallName& name, CommitKind kind, UnlinkedFacts agreed,
                          Remains remains);
  Status pay_owed_fill(const CallName& name);
  Status leave_out_data(StoredObject& object, const Status& why);
  Status leave_out(StoredObject& object, const Status& why);
  void forget_planned_index(DatasetState& state);
  [[nodiscard]] Status report_left_out() const;
  [[nodiscard]] std::string path_of(FileAddress address) const;
  Result<HeaderMessage> space_info_message() const;
  Status take_space_info(const HeaderMessage& message);
  Status plan_kept_space(CommitKind kind, BlockSet* blocks);
  Status write_changes(const CallName& name, CommitKind kind, const CommitTraits& traits,
                       const Status& ready);
  Status plan_everything(CommitKind kind, BlockSet* blocks);
  Status write_everything(const CallName& name, BlockSet& blocks, const CommitTraits& traits,
                          std::vector<std::byte> next);
  Status last_sync(CommitKind kind, Durability durability);
  [[nodiscard]] Result<std::vector<std::byte>> next_superblock() const;
  Status find_movable(std::vector<StoredObjectPtr>* objects, std::vector<MovableBytes>* movable);
  void apply_moves(const LowerEnd& plan, const std::vector<StoredObjectPtr>& objects);
  Status lower_end(const CallName& name, const CommitTraits& traits);
  Status give_back_end(const CallName& name, const CommitTraits& traits);
  void mark_committed();
  [[nodiscard]] bool anything_to_write() const;

  Status give_up();
  [[nodiscard]] bool unlinked_object_is_open() const;

  FileContext context_;
  ReportLog report_log_;
  FileEnd end_{context_};
  FileSync sync_;
  CommitWriter writer_{context_, end_, sync_};
  ObjectTable objects_{context_};
  DatasetTable datasets_{context_, objects_};
  PendingDatasets pending_;
  CompactCopies compact_copies_{context_, objects_, datasets_};
  bool superblock_dirty_ = false;
  bool closed_ = false;
  bool tells_space_ = false;  ///< a file-space message that counts was read
  StoredObjectPtr extension_;
  KeptSpace kept_;
  /// Objects whose changes the last commit could not plan; still among dirty_. Equal on all ranks.
  LeftOut left_out_;
};

}  // namespace pcio
