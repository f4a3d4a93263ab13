// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: how the blocks of a commit reach the file.
//
// A definition of the terms: a commit has *blocks* and a *next superblock*. Blocks at addresses that the last
// commit did not name are *new*; the others *overwrite*. The *commit point* is the write after which the
// file is the next commit's. The algorithm is at the head of commit_writer.cpp; why: doc/COMMIT.md.
// Cost: overwriting blocks are written twice, everything else once.

#pragma once

#include <array>

#include "storage/gate/commit_steps.hpp"
#include "storage/gate/file_end.hpp"
#include "storage/gate/file_sync.hpp"

namespace pcio {

/// How the writing of a commit ended, equal on all ranks.
struct CommitOutcome {
  Status status;         ///< its failure
  bool in_file = false;  ///< the commit holds, though it may have to be recovered
};

/// Holds what the file is until the next commit holds: the last superblock, and the journal of a commit
/// that failed behind its commit point. Threads: one thread drives a file.
class CommitWriter {
 public:
  CommitWriter(FileContext& file, FileEnd& end, FileSync& sync);

  // --- of the file as it was opened ---
  /// What find_head() found. Reads see what a cut commit has in its journal. Collective: pure.
  void take_opened(FileHead head);
  [[nodiscard]] CommitState opened_state() const { return opened_state_; }
  /// `seen` is what take_opened() took, as far as the commit goes. Before complete_opened(). Collective: pure.
  [[nodiscard]] bool was_opened_from(const FileHead& seen) const;
  /// Completes the commit that a killed program began. Rank 0 has the writer's lock, and no rank reads
  /// the file in place before this is over. Collective: over the file, one exchange where there is
  /// something to complete.
  Status complete_opened();

  // --- commits ---
  /// All steps of one commit, `next` being its superblock. Past the commit point the commit is in the file
  /// also where it failed, and recover() completes it; before it the last commit is.
  /// Collective: over the file, one exchange at the end, one more where the new blocks were shared out, one
  /// more where it failed.
  CommitOutcome write(const CallName& name, BlockSet& blocks, const CommitTraits& traits,
                      std::vector<std::byte> next);
  /// Brings a file that a failed commit has left half done to the last commit or to the next one:
  /// before that nobody gets space. Collective: over the file, one exchange where there is something
  /// to do.
  Status recover(const CallName& name);
  /// This rank's part of that which comes first there: what its machine keeps back goes to the file system. Independent.
  Status sync_unseen();
  /// Makes all ranks see what any of them has written, where machines have caches of their own
  /// (FileDriver::caches_apart()). Collective: over the file, one exchange. Errors: also late ones of earlier writes.
  Status show_writes(const CallName& name);
  /// The same as the agreement on `local` that ends a call. Collective: over the file, one exchange.
  Status show_with_outcome(const CallName& name, const Status& local);
  /// That where they have and the file can have been written, else nothing.
  Status show_where_apart(const CallName& name) {
    return file_.writable && file_.driver->caches_apart() ? show_writes(name) : Status();
  }
  /// The same in the midst of a call, which may have failed on this rank: there all ranks agree on `local` first.
  /// Elsewhere `local` is the result. Collective: over the file, two exchanges where caches are apart.
  Status show_where_apart(const CallName& name, const Status& local);
  /// A commit is in the file that was not completed: what stands in place is old.
  [[nodiscard]] bool is_in_window() const { return unfinished_reach_ == CommitReach::kWindow; }
  /// recover() has something to do. Equal on all ranks.
  [[nodiscard]] bool needs_recovery() const { return unfinished_reach_ != CommitReach::kPrevious; }
  /// The last commit is not known to be in the storage, as the flush behind it failed on a rank: what lies behind the
  /// end may be the journal that completes it. Without durability no sync tells more: it stays so. Equal on all ranks.
  [[nodiscard]] bool needs_journal() const { return needs_journal_; }
  /// A sync has shown that it is dead, and none has failed. Equal on all ranks.
  void forget_journal() { needs_journal_ = false; }
  /// True where files like this one can have a window but this one is too large: what a commit can
  /// put elsewhere it does not overwrite. The same on all ranks.
  [[nodiscard]] bool overwrites_unsafely() const;

 private:
  [[nodiscard]] CommitSteps split(BlockSet& blocks) const;
  Status reach_alone(const CommitSteps& steps, std::uint64_t least);
  Status write_new_blocks(const CallName& name, CommitSteps& steps, Status* mine);
  Status write_blocks(std::span<DirtyBlock> blocks);
  struct FlushedCommit {
    Status written;
    Status flushed;
  };
  FlushedCommit end_together(const CallName& name, const CommitSteps& steps, const Status& mine,
                             Status flushed);
  [[nodiscard]] std::uint64_t end_of_journal(const CommitSteps& steps) const;
  [[nodiscard]] bool needs_window(const CommitSteps& steps) const;
  Result<std::shared_ptr<Journal>> write_journal(const CommitSteps& steps);
  Status open_window(const SuperblockShape& shape, CommitReach* reach);
  Status pass_commit_point(const CommitSteps& steps, CommitReach* reach);
  Status rewrite_window(const Journal& journal, const Arrow& synced);
  Status recover_here();
  void note_failure(CommitReach reach);
  Status show_here();

  FileContext& file_;
  FileEnd& end_;
  FileSync& sync_;
  CommitState opened_state_ = CommitState::kCommitted;
  std::shared_ptr<const Journal> opened_;      ///< of a file that was opened in a window
  std::vector<std::byte> previous_;            ///< the superblock of the last commit
  std::shared_ptr<const Journal> unfinished_;  ///< rank 0's, of a commit that failed in its window
  CommitReach unfinished_reach_ = CommitReach::kPrevious;
  Durability unfinished_durability_ = Durability::kNone;  ///< of that commit
  std::array<std::uint64_t, 2> session_;                  ///< random
  std::uint64_t sequence_ = 0;                            ///< commits with a journal
  bool needs_journal_ = false;
};

}  // namespace pcio
