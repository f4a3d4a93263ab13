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
#include "storage/file/commit_steps.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/space/file_space.hpp"
#include "storage/bytes/kept_space.hpp"
#include "storage/objects/loaded_objects.hpp"
#include "storage/space/lower_end.hpp"
#include "storage/file/report_log.hpp"
#include "storage/objects/placed_table.hpp"
#include "storage/objects/stored_object.hpp"
#include "storage/file/unlinked_objects.hpp"

namespace pcio {

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
  void compare_space() { coordinator_->watch_space(&space_.hash()); }

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
  /// Symbol tables that commits change in place.
  [[nodiscard]] PlacedTables& placed_tables() { return placed_tables_; }

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
  Status mend(const CallName& name);
  /// Makes the file as long as what is allocated in it. Collective: over the file where it is
  /// shorter, else local.
  Status extend_to_allocated();
  /// Commits (where writable) and closes the driver. The store can only be destroyed afterwards.
  /// Collective: over the file.
  Status close(const CallName& name, const Status& local);
  /// Lets the file go without writing.
  void abandon();
  /// How the file stood when it was opened. A file in a window that is only read stays in it.
  [[nodiscard]] CommitState opened_state() const { return opened_state_; }
  /// Of the superblock that open() found, and whether its commit was cut; must be equal on all ranks.
  [[nodiscard]] std::uint64_t hash_of_head() const;
  /// Bytes in the file as open() saw it on this rank; until the ranks have agreed on one number.
  [[nodiscard]] std::uint64_t size_in_file() const { return size_in_file_; }
  void set_size_in_file(std::uint64_t agreed) { size_in_file_ = agreed; }
  /// The driver was closed or given up: nothing but destruction is possible.
  [[nodiscard]] bool is_closed() const { return closed_; }

  [[nodiscard]] FileBytes& bytes() { return *bytes_; }
  [[nodiscard]] FileSpace& space() { return space_; }
  [[nodiscard]] const FileSpace& space() const { return space_; }
  [[nodiscard]] FileDriver& driver() { return *driver_; }
  [[nodiscard]] Coordinator& coordinator() { return *coordinator_; }
  [[nodiscard]] ReportLog& report_log() { return report_log_; }
  [[nodiscard]] const Superblock& superblock() const { return superblock_; }
  [[nodiscard]] const FileSizes& sizes() const { return superblock_.sizes; }
  [[nodiscard]] FormatVersion format() const { return format_; }
  void set_format(FormatVersion format) { format_ = format; }
  [[nodiscard]] bool writable() const { return writable_; }
  /// Allows writing after a second open of the same file asked for it.
  [[nodiscard]] bool parallel() const { return coordinator_->is_parallel(); }
  [[nodiscard]] unsigned chunk_internal_k() const { return superblock_.indexed_storage_internal_k; }
  [[nodiscard]] SymbolTableShape symbol_table_shape() const;
  [[nodiscard]] bool anything_dirty() const { return !dirty_.empty() || superblock_dirty_; }
  /// Bytes that were never written read as zero, as far as was tried.
  [[nodiscard]] bool holes_read_zero() const { return holes_read_zero_; }
  /// Tries it, where that has not been done. Collective: over the file, where it is writable.
  Status try_holes(const CallName& name);
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
  Result<bool> plan_links_in_place(StoredObject& object, BlockSet* blocks);
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
  [[nodiscard]] std::uint64_t unlinked_flags(const Remains& remains) const;
  Status release_remains(const Remains& remains);
  Status release_unlinked(const CallName& name, CommitKind kind, std::uint64_t flags,
                          Remains remains);
  Status pay_owed_fill(const CallName& name);
  Status leave_out_data(StoredObject& object, const Status& why);
  Status leave_out(StoredObject& object, const Status& why);
  void forget_planned_index(DatasetState& state);
  [[nodiscard]] Status report_left_out() const;
  [[nodiscard]] std::string path_of(FileAddress address) const;
  Status note_sync(Status synced);
  Status sync_all() { return note_sync(driver_->sync()); }
  [[nodiscard]] Arrow arrow(Durability durability);
  [[nodiscard]] Status lost_by_sync() const;
  Status rewrite_window(const Journal& journal, const Arrow& synced);
  Result<HeaderMessage> space_info_message() const;
  Status take_space_info(const HeaderMessage& message);
  Status plan_kept_space(CommitKind kind, BlockSet* blocks);
  Status write_changes(const CallName& name, CommitKind kind, const CommitTraits& traits,
                       const Status& ready);
  Status plan_everything(CommitKind kind, BlockSet* blocks);
  [[nodiscard]] CommitTraits agreed_traits(std::uint64_t flags) const;
  Status write_everything(const CallName& name, BlockSet& blocks, const CommitTraits& traits,
                          std::vector<std::byte> next);
  [[nodiscard]] CommitSteps split_commit(BlockSet& blocks) const;
  Status write_new_blocks(const CallName& name, CommitSteps& steps, Status* mine);
  Status write_blocks(std::span<DirtyBlock> blocks);
  [[nodiscard]] std::uint64_t end_of_journal(const CommitSteps& steps) const;
  [[nodiscard]] bool needs_window(const CommitSteps& steps) const;
  [[nodiscard]] bool overwrites_unsafely() const;
  Result<std::shared_ptr<Journal>> write_journal(const CommitSteps& steps);
  Status open_window(const SuperblockShape& shape, CommitReach* reach);
  Status pass_commit_point(const CommitSteps& steps, CommitReach* reach);
  void note_failure(CommitReach reach);
  Status replay_opened();
  Status last_sync(CommitKind kind, Durability durability);
  [[nodiscard]] Result<std::vector<std::byte>> next_superblock() const;
  Status cut_file(const CallName& name);
  Status find_movable(std::vector<StoredObjectPtr>* objects, std::vector<MovableBytes>* movable);
  void apply_moves(const LowerEnd& plan, const std::vector<StoredObjectPtr>& objects);
  Status lower_end(const CallName& name, const CommitTraits& traits);
  Status give_back_end(const CallName& name, const CommitTraits& traits);
  void trim();
  Status trim_alike(const CallName& name);
  void settle();
  [[nodiscard]] std::uint64_t end_in_file() const;
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

  std::unique_ptr<FileDriver> driver_;
  std::shared_ptr<Coordinator> coordinator_;
  ReportLog report_log_;
  FileSpace space_;
  std::unique_ptr<FileBytes> bytes_;
  Superblock superblock_;
  FormatVersion format_ = FormatVersion::kEarliest;
  bool writable_ = false;
  bool superblock_dirty_ = false;
  bool closed_ = false;
  bool tells_space_ = false;  ///< a file-space message that counts was read
  bool holes_read_zero_ = false;
  std::uint64_t size_in_file_ = 0;             ///< of the file, as far as this store has set it
  bool size_unsure_ = false;                   ///< size_in_file_ is the most it can be
  Durability durability_ = Durability::kNone;  ///< asked for on this rank
  std::uint64_t waiting_memory_ = 0;
  CommitState opened_state_ = CommitState::kCommitted;
  std::vector<std::byte> previous_;            ///< the superblock of the last commit
  std::shared_ptr<const Journal> opened_;      ///< of a file that was opened in a window
  std::shared_ptr<const Journal> unfinished_;  ///< rank 0's, of a commit that failed in its window
  CommitReach unfinished_reach_ = CommitReach::kPrevious;
  Durability unfinished_durability_ = Durability::kNone;  ///< of that commit
  /// A sync failed where durability was asked for: what was written before it may be lost, and the
  /// system tells that once. This rank's until the next commit, then all ranks'.
  bool sync_failed_ = false;
  std::array<std::uint64_t, 2> session_{};  ///< random
  std::uint64_t sequence_ = 0;              ///< commits with a journal
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
  PlacedTables placed_tables_;
  std::set<FileAddress> late_;      ///< datasets that allocate late; equal on all ranks
  std::set<FileAddress> replaced_;  ///< datasets whose chunks got other places in this session
  std::map<FileAddress, WrittenCompact> written_compact_;  ///< on this rank, since the last commit
};

}  // namespace pcio
