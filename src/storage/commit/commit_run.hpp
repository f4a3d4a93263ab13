// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: one commit from its agreement to its end.

#pragma once

#include "storage/commit/commit.hpp"
#include "storage/commit/commit_plan.hpp"

namespace pcio {

/// Lives for one call of commit_file(). What outlives a commit is with the parts of the store. Threads: one
/// thread drives a file.
class CommitRun {
 public:
  CommitRun(FileStore& store, CommitKind kind, const CallName& name,
            PendingWork pending = PendingWork())
      : store_(store), kind_(kind), name_(name), pending_(std::move(pending)) {}
  /// Collective: over the file.
  Status run(const Status& local, CommitBeginning beginning = CommitBeginning());
  Status run_first(const CommitTraits& traits, const Status& local);
  /// After run(): success, or which chunks the file lacks because they can't be encoded. Collective: over the file
  /// where there are such; one exchange.
  [[nodiscard]] Status report_chunks(LastClose last = LastClose::kYes);
  /// After report_chunks() of a close: chunks only lack memory, and whoever closes the file once more may have some. The
  /// same on all ranks.
  [[nodiscard]] bool stays_open(LastClose last) const;

 private:
  [[nodiscard]] CallKind call_kind() const {
    return closes() ? CallKind::kClose : CallKind::kFlush;
  }
  [[nodiscard]] bool closes() const { return kind_ == CommitKind::kClose; }
  Status commit(const Status& local, CommitBeginning beginning);
  Status make_ready(const Status& local, CommitBeginning beginning);
  Status go_on(CommitBeginning beginning);
  Status write_changes(const Status& ready);
  Status write_deferred_fill(const CommitPlan& plan);
  [[nodiscard]] bool syncs_before_plan() const;
  Status reserve_marks();
  Status apply(CommitPlan plan);
  void mark_committed();
  Status end_lower();
  Status commit_lower_end();
  Status sync_last();
  [[nodiscard]] Status report_left_out() const;

  FileStore& store_;
  const CommitKind kind_;
  const CallName name_;
  PendingWork pending_;
  CommitTraits traits_;
  bool is_trimmed_ = false;   ///< nothing was given up, or back, since the last trim
  bool any_changed_ = false;  ///< on any rank: CommitFacts::changed
  bool has_flushed_ = false;
  bool has_written_ = false;
  bool has_written_pending_ = false;
  FileSpace::CommitReserve reserve_;  ///< for the marks
  Status ready_;      ///< of run_first: this rank's failure before, that changed nothing
  LeftOut chunks_;    ///< datasets with chunks that could not be encoded, the same on all ranks
  LeftOut left_out_;  ///< of the last plan that was written; still among the changed objects
};

}  // namespace pcio
