// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what all ranks do behind a meeting is tried, and undone on all of them where one can't.

#pragma once

#include "object/file.hpp"
#include "storage/dataset/allocation.hpp"
#include "storage/objects/object_trial.hpp"

namespace pcio {

/// Made right before the ranks meet, when whoever lacks memory still fails with nothing changed. Between the meeting and
/// agree() they change objects, links and space of the file; who fails comes to agree(), too. Where it fails, or what
/// they do together behind it, all of them undo(): the file is what it was when they met, wherever in between each has
/// failed, and goes on.
///
/// Costs a copy of the map of the file's free space.
class CallTrial {
 public:
  /// Collective: local. May throw bad_alloc.
  explicit CallTrial(File& file);
  CallTrial(const CallTrial&) = delete;
  CallTrial& operator=(const CallTrial&) = delete;
  ~CallTrial() { end(); }
  /// All ranks could, or one could not: from here on they have the same. Collective: over the file, one exchange.
  /// Errors: `local`; another rank's.
  Status agree(const CallName& name, const NewSpace& unfilled, const Status& local);
  /// Behind that, of the same space: fill_made(). What it has written before it failed nobody takes for a hole.
  /// Collective: over the file, one exchange where some rank has something to fill.
  Status fill(const StoredObjectPtr& object, const NewSpace& unfilled, const CallName& name);
  /// Nothing is to be undone any more. Collective: by contract.
  void end() noexcept;
  /// On all ranks, when nobody holds what was made. Asks for no memory. Collective: by contract.
  void undo() noexcept;

 private:
  File& file_;
  FileSpace space_;
  ObjectTrial objects_;
  bool fills_ = false;       ///< some rank does
  FileAddress written_ = 0;  ///< below it a fill may have written; the same on all ranks
};

}  // namespace pcio
