// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: what one commit writes.

#pragma once

#include <list>
#include <memory>
#include <vector>

#include "format/header_layout.hpp"
#include "storage/commit/commit.hpp"
#include "storage/objects/message_sharing.hpp"

namespace pcio {

/// A header that is not cut again for each of its blocks: it has many pieces, or is not the object's own.
struct CutHeader {
  const FileSizes* sizes;
  const ObjectHeader* header;
  HeaderLayout layout;
  std::shared_ptr<const ObjectHeader> stored;  ///< keeps `header`, where it is not the object's own
  std::vector<FileAddress> addresses;
};

/// A commit as a value: where everything that changed goes, and what can't go. Its blocks are encoded when
/// they are written, by the rank that writes them.
struct CommitPlan {
  BlockSet blocks;
  std::list<CutHeader> cut_headers;   ///< blocks point to them
  std::vector<std::byte> superblock;  ///< the next one
  bool owes_fill = false;             ///< of some dataset something was cut off: DeferredFill
  LeftOut left_out;                   ///< the same on all ranks
};

/// Dense links that go through filters, changed but without places.
struct PreparedDense {
  DenseStorage* storage = nullptr;      ///< null: could not be prepared
  std::unique_ptr<DenseStorage> whole;  ///< where it is written anew
  Status status;                        ///< the same on all ranks, but for its words
};

/// Plans a commit: addresses and sizes for everything that changed.
///
/// It writes nothing, but it is not free of effects: it gives out space and releases what the new structures
/// replace, and header messages say what is planned. None of that needs to be taken back where the commit
/// fails: space that is released stays whole until a commit holds, what was given out stays owned by the
/// object, which stays changed and is planned again, and `in_file` keeps what the file has of it.
/// Collective: pure; the same on all ranks. Threads: one thread drives a file.
class CommitPlanner {
 public:
  explicit CommitPlanner(FileStore& store) : store_(store), sharing_(store.objects()) {}
  /// Before plan(): heaps with filters are changed, rank 0 puts what changed through the filters, and all take the
  /// sizes that it has found. `ready`: this rank's failure so far. The failure is this rank's; `changed`: where it
  /// is of what all ranks change alike. Collective: over the file, where there are such.
  Status filter_heaps(const Status& ready, Status* changed);
  /// After plan(), or in its place: what was prepared and is not in a plan is given back. Collective: pure.
  Status give_back_prepared();
  /// Errors: what can't be left out; no memory.
  Result<CommitPlan> plan(CommitKind kind);
  /// Of a commit of nothing but a superblock: the file has another end.
  Result<CommitPlan> plan_superblock();

 private:
  Status plan_all(CommitKind kind);
  Status plan_types();
  Status plan_types_once();
  Status plan_kept_space(CommitKind kind);
  Status plan_heaps(CommitKind kind);
  Status plan_object(StoredObject& object);
  Status plan_parts(StoredObject& object);
  Status plan_links(StoredObject& object);
  Result<bool> plan_links_in_place(StoredObject& object);
  Status plan_new_style_links(StoredObject& object);
  [[nodiscard]] bool has_filtered_links(const StoredObject& object) const;
  Status prepare_filtered(std::vector<std::uint64_t>* words);
  Status prepare_links(StoredObject& object, PreparedDense* prepared);
  Status filter_prepared(std::span<std::uint64_t> words);
  Result<bool> share_filtered(const Status& local, std::vector<std::uint64_t>* words);
  Status take_filtered(std::span<const std::uint64_t> words);
  Status plan_attributes(StoredObject& object);
  Status give_up_dense(const StoredObject& object, DenseKind kind);
  [[nodiscard]] HeapRoom room_for(const StoredObject& group) const;
  Status plan_dataset(StoredObject& object);
  Result<bool> plan_index_in_place(DatasetState& state);
  Result<bool> plan_index_changes(DatasetState& state);
  Status plan_index(DatasetState& state);
  Status plan_header(StoredObject& object);
  Result<HeaderLayout> place_header(StoredObject& object, const ObjectHeader& header);
  [[nodiscard]] bool shares(const StoredObject& object) const;
  Result<std::shared_ptr<const ObjectHeader>> stored_header(const StoredObject& object);
  Status leave_out(StoredObject& object, const Status& why);
  Status leave_out_data(StoredObject& object, const Status& why);
  void forget_planned_index(DatasetState& state);
  void note_planned(const StoredObject& object);
  [[nodiscard]] const SymbolTablePlace* root_links() const;

  FileStore& store_;
  MessageSharing sharing_;
  CommitPlan plan_;
  CommitKind kind_ = CommitKind::kFlush;
  std::size_t blocks_expected_ = 0;
  std::map<FileAddress, PreparedDense> prepared_;  ///< groups with filters, by address
};

}  // namespace pcio
