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
#include "storage/objects/loaded_objects.hpp"
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
  /// The object at `address`, loaded once. Collective: independent.
  Result<StoredObjectPtr> object(FileAddress address);
  /// A new object with these messages; gets its address now, its bytes at the next commit.
  /// `links_to` starts at 0: who never links it has it released. Collective: pure.
  Result<StoredObjectPtr> create_object(std::vector<HeaderMessage> messages,
                                        const ObjectCreateProps& props);
  /// Marks as changed; the object stays in memory until the next commit.
  void touch(const StoredObjectPtr& object);
  /// One link more or fewer; at none the object is released at a commit when nobody has it open.
  void add_reference(const StoredObjectPtr& object);
  Status drop_reference(const StoredObjectPtr& object);
  /// Links and references of others to an object, without those of objects that nobody can reach any
  /// more and a commit will release. Collective: independent; differs where ranks have such open.
  Result<std::uint32_t> references_to(const StoredObjectPtr& object);
  [[nodiscard]] const StoredObjectPtr& root() const { return root_; }

  /// Links of a group, loaded at first use. Errors: not a group, dense storage (by name).
  Result<LinkTable*> links(const StoredObjectPtr& group);
  /// Marks the links as changed.
  void touch_links(const StoredObjectPtr& group);

  /// Notes that a transfer changed the data of a compact dataset. In a parallel file that may be
  /// this rank's copy alone; the next commit settles whose data reach the file. `path`: what the
  /// user calls it, for the message.
  void touch_compact(const StoredObjectPtr& object, std::string_view path);

  /// The dataset has chunks in memory that the file does not have: it stays until they are written,
  /// at the next commit at the latest.
  void keep_unwritten(const StoredObjectPtr& object);
  /// Writes them all. On failure the rest stays. Collective: independent; serial files.
  Status write_cached_chunks();
  /// Most bytes of chunks with filters that wait in this rank's memory; equal on all ranks.
  [[nodiscard]] std::uint64_t waiting_memory() const { return waiting_memory_; }
  void set_waiting_memory(std::uint64_t bytes) { waiting_memory_ = bytes; }
  /// Datasets that have some.
  [[nodiscard]] const std::map<FileAddress, StoredObjectPtr>& unwritten() const {
    return unwritten_;
  }
  /// Committed or not, chunks of the dataset have left their places for others.
  void note_replaced(const StoredObjectPtr& object) { replaced_.insert(object->address); }
  /// They will never be wanted.
  void forget_unwritten(const StoredObjectPtr& object);

  /// Decoded state of a dataset, loaded at first use. The chunk index is loaded by its own calls.
  Result<DatasetState*> dataset(const StoredObjectPtr& object);
  /// The dataset is closed here: what its messages say as well need not stay decoded, though the object
  /// waits for a commit. What a commit will write doesn't change by it. Collective: independent.
  void forget_decoded(StoredObject& object) const;
  /// From here on the dataset allocates late, whoever closes it on some ranks and opens it again, until
  /// the file is closed. Collective: by contract, as what opens and creates it.
  void allocate_late(const StoredObjectPtr& object);
  /// All chunks: needed before the index changes. Collective: independent.
  Status load_chunk_index(const StoredObjectPtr& object);
  /// The chunks of `box` (chunk coordinates, inside the grid), reading no more of the index than
  /// that takes: enough to look up their addresses. Collective: independent.
  Status load_chunks(const StoredObjectPtr& object, const Box& box);
  /// The chunks that the index in the file counts from `first` to before `end`, as load_chunks().
  Status load_counted_chunks(const StoredObjectPtr& object, std::uint64_t first, std::uint64_t end);
  /// What was loaded of an index that is not whole is read again when it is needed.
  static void forget_loaded_part(DatasetState& state);
  [[nodiscard]] ChunkIndexShape chunk_index_shape(const DatasetState& state) const;
  /// The type of a Datatype message, following a reference to a committed type.
  Result<Datatype> resolve_type(const HeaderMessage& message, FileAddress* committed_at);

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
  [[nodiscard]] SymbolTableShape symbol_table_shape() const;
  [[nodiscard]] bool anything_dirty() const { return !dirty_.empty() || superblock_dirty_; }
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
  Result<StoredObjectPtr> load(FileAddress address);

  Status plan_object(StoredObject& object, BlockSet* blocks);
  Status plan_parts(StoredObject& object, BlockSet* blocks);
  void note_planned(const StoredObject& object);
  Status plan_links(StoredObject& object, BlockSet* blocks);
  Status open_index(const StoredObjectPtr& object);
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

  enum class CompactCopies : std::uint8_t { kEqual, kDiffer };
  struct WrittenCompact {
    StoredObjectPtr object;
    std::string path;
  };
  [[nodiscard]] std::uint64_t hash_written_compact() const;
  Status agree_compact(const CallName& name, CompactCopies copies);
  struct LostCompact;
  Status share_compact(const CallName& name, FileAddress address, LostCompact* lost);
  Status give_up();
  [[nodiscard]] bool unlinked_object_is_open() const;

  FileContext context_;
  ReportLog report_log_;
  FileEnd end_{context_};
  FileSync sync_;
  CommitWriter writer_{context_, end_, sync_};
  bool superblock_dirty_ = false;
  bool closed_ = false;
  bool tells_space_ = false;  ///< a file-space message that counts was read
  std::uint64_t waiting_memory_ = 0;
  StoredObjectPtr root_;
  StoredObjectPtr extension_;
  KeptSpace kept_;
  LoadedObjects objects_;
  std::map<FileAddress, StoredObjectPtr> dirty_;  ///< by address: the same order on all ranks
  /// Written by a commit that failed in its window: what stands in place is old until it is mended.
  std::map<FileAddress, StoredObjectPtr> unmended_;
  /// Objects whose changes the last commit could not plan; still among dirty_. Equal on all ranks.
  std::map<FileAddress, Status> left_out_;
  std::map<FileAddress, StoredObjectPtr> unlinked_;   ///< no link left; released at a commit
  std::map<FileAddress, StoredObjectPtr> unwritten_;  ///< datasets with chunks in memory only
  std::set<FileAddress> late_;      ///< datasets that allocate late; equal on all ranks
  std::set<FileAddress> replaced_;  ///< datasets whose chunks got other places in this session
  std::map<FileAddress, WrittenCompact> written_compact_;  ///< on this rank, since the last commit
};

}  // namespace pcio
