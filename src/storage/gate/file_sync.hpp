// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/gate: syncs of a file, and whether one has failed.

#pragma once

#include "props/file_props.hpp"
#include "driver/file_driver.hpp"
#include "storage/bytes/journal_store.hpp"

namespace pcio {

/// The system tells once that it lost bytes, so a sync that failed is remembered until a commit has told
/// it. Threads: one thread drives a file.
class FileSync {
 public:
  /// The most that list, environment and file system ask for on this rank.
  FileSync(FileDriver& driver, const FileAccessProps& access);

  [[nodiscard]] Durability asked() const { return asked_; }
  /// A sync failed where durability was asked for: what was written before it may be lost. This rank's
  /// until the next commit, then all ranks'.
  [[nodiscard]] bool failed() const { return failed_; }
  void set_failed(bool agreed) { failed_ = agreed; }

  /// Collective: over the file.
  Status sync_all() { return note(driver_.sync()); }
  /// This rank's part of it (FileDriver::sync_here).
  Status sync_here() { return note(driver_.sync_here()); }
  /// This rank's. Collective: independent.
  Status sync_independent() { return note(driver_.sync_independent()); }
  /// This rank's (FileDriver::catch_up_here). Collective: independent.
  Status catch_up_here() { return note(driver_.catch_up_here()); }
  /// What comes between two steps of rank 0. It refers to this.
  [[nodiscard]] Arrow arrow(Durability durability);
  /// The failure to be told where a sync has failed. Metadata are written again by the next commit; raw
  /// data are nowhere else.
  [[nodiscard]] Status lost() const;

 private:
  Status note(Status synced);

  FileDriver& driver_;
  Durability asked_;
  bool failed_ = false;
};

}  // namespace pcio
