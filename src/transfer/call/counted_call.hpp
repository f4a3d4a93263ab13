// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/call: which call's report has what a file's driver moves.

#pragma once

#include <cstdint>
#include <optional>

#include "base/time_split.hpp"
#include "storage/file/file_store.hpp"

namespace pcio {

/// Counters of the driver, or those of a dry run, as a report has them. Collective: pure.
[[nodiscard]] IoCounts counts_of(const FileDriver& driver, const IoCounters& made);

/// What the file's driver has moved so far, but for what is in reports of calls that are over. Collective: local.
[[nodiscard]] IoCounters moved_here(FileStore& store);

/// One transfer of the program, for as long as it lives: what is moved meanwhile is in its report, and not in that of a
/// transfer in whose conversion or filter it was called. Threads: one thread.
class CountedCall {
 public:
  explicit CountedCall(FileStore& store) : store_(store), before_(moved_here(store)) {}
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() {
    // That of calls within this one is part of it.
    store_.report_log().in_reports() = store_.driver().counters() - before_;
  }

 private:
  FileStore& store_;
  IoCounters before_;
};

/// What a transfer of variable-length elements moves and spends beside that of the elements themselves, from its making
/// on: objects in heaps, what elements were before, fill, a commit. Threads: one thread.
class BesideElements {
 public:
  explicit BesideElements(FileStore& store)
      : store_(store), before_(moved_here(store)), start_(nanoseconds_now()) {
    if (store.report_log().is_on()) kept_.emplace(&spent_);
  }
  /// `move` has a report of its own that tells all it does.
  template <class Move>
  Status leave_out(Move&& move) {
    const IoCounters before = moved_here(store_);
    Status moved = move();
    elements_ += moved_here(store_) - before;
    return moved;
  }
  /// What another report has, and belongs here.
  void add(const TransferReport& report) {
    counts_ += report.counts;
    spent_ += report.spent;
  }
  /// Completes the report of the elements. Once.
  void finish(TransferReport* report);

 private:
  FileStore& store_;
  IoCounters before_, elements_;
  IoCounts counts_;
  std::uint64_t start_;  ///< nanoseconds of a clock
  Spending spent_;
  std::optional<TimeKept> kept_;
};

}  // namespace pcio
