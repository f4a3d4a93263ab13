// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: locks of this process on ranges of a file, which processes of all nodes see.
//
// Open file description locks (fcntl, F_OFD_SETLKW) far behind everything that a file can hold: MPI-IO
// implementations lock the bytes themselves, for reasons of their own, and would wait for us.

#pragma once

#include "base/types.hpp"
#include "driver/posix_file.hpp"

namespace pcio {

/// Where a range may be locked: [0, kLockable).
inline constexpr std::uint64_t kLockable = std::uint64_t{1} << 62;

/// One lock at a time is held, so that nobody can wait in a ring. Move-only. Threads: thread-compatible.
class RangeLocks {
 public:
  /// Opens `path` once more, as the file itself is opened. Independent.
  /// Errors: CANTLOCKFILE where the file system has no locks.
  static Result<RangeLocks> open(const std::string& path, OpenMode mode);

  /// Waits until no other process has a lock on any of `range` that this one can't be beside. What
  /// writes wants to be alone. Independent; whoever has a lock waits for nobody.
  Status lock(ByteRange range, Direction direction);
  /// Gives back the last one.
  void unlock();

 private:
  Status set(ByteRange range, short kind);

  PosixFile file_;
  ByteRange held_;
};

}  // namespace pcio
