// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/commit: one commit from its agreement to its end.

#pragma once

#include "storage/commit/commit_plan.hpp"

namespace pcio {

/// Lives for one call of commit_file(). What outlives a commit is with the parts of the store. Threads: one
/// thread drives a file.
class CommitRun {
 public:
  CommitRun(FileStore& store, CommitKind kind, const CallName& name)
      : store_(store), kind_(kind), name_(name) {}
  /// Collective: over the file.
  Status run(const Status& local);

 private:
  [[nodiscard]] CallKind call_kind() const {
    return closes() ? CallKind::kClose : CallKind::kFlush;
  }
  [[nodiscard]] bool closes() const { return kind_ == CommitKind::kClose; }
  [[nodiscard]] bool anything_to_write() const;
  Status make_ready(const Status& local);
  Status write_changes(const Status& ready);
  Status write_deferred_fill(const LeftOut& left_out);
  Status apply(CommitPlan plan);
  void mark_committed();
  Status end_lower();
  Status commit_lower_end();
  Status sync_last();
  [[nodiscard]] Status report_left_out() const;

  FileStore& store_;
  const CommitKind kind_;
  const CallName name_;
  CommitTraits traits_;
  LeftOut left_out_;  ///< of the last plan that was written; still among the changed objects
};

}  // namespace pcio
