// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: a file on a disk that fails on demand.

#pragma once

#include "support/file_session.hpp"

namespace pcio::test {

using Values = std::vector<std::int32_t>;
constexpr std::uint64_t kOld = 1000;
constexpr std::int32_t kSecret = 1234567;

/// A file with free space in which a deleted dataset's bytes lie.
struct Scene {
  Disk disk = make_disk();
  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  FilePtr file;

  explicit Scene(OpenWith with = {}) {
    file = must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate, with));
    const Location old = must(add_dataset(file, "/old", {.dims = {4 * kOld}}));
    must(write_all(old, Values(4 * kOld, kSecret)));
    must(flush_session(file));
    must(remove_link(must(place(file, "/old"))));
    must(flush_session(file));
  }
  void fail_next() {
    *plan = FaultPlan();
    plan->fail_write = 1;
  }
  void heal() { *plan = FaultPlan(); }
  /// Closes, and opens what is on the disk.
  FilePtr reopen() {
    heal();
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly));
    return file;
  }
};

/// A file of its own, beside the one that is open.
inline OpenWith other_file() {
  OpenWith with;
  with.path = "other.h5";
  return with;
}

inline Status write_box(const Location& at, const Box& box, std::int32_t value) {
  Values values(static_cast<std::size_t>(*box.count.volume()), value);
  return move_elements(at, Direction::kWrite, &box, values.data());
}

inline OpenWith newest() {
  OpenWith with;
  with.access.low_bound = LibraryVersion::kV110;
  return with;
}

}  // namespace pcio::test
