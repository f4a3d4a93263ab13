// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: RangeLocks.

#include "driver/range_locks.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>

#include "base/library_lock.hpp"

namespace pcio {

Result<RangeLocks> RangeLocks::open(const std::string& path, OpenMode mode) {
  RangeLocks locks;
  PCIO_ASSIGN(locks.file_, PosixFile::open(path, mode));
  PCIO_TRY(locks.lock({0, 1}, Direction::kRead));
  locks.unlock();
  return locks;
}

Status RangeLocks::lock(ByteRange range, Direction direction) {
  PCIO_TRY(set(range, direction == Direction::kWrite ? F_WRLCK : F_RDLCK));
  held_ = range;
  file_.note_lock();
  return Status();
}

void RangeLocks::unlock() {
  if (held_.size == 0) return;
  static_cast<void>(set(held_, F_UNLCK));
  held_ = ByteRange();
}

Status RangeLocks::set(ByteRange range, short kind) {
  // The last byte of all is the writer's lock.
  const std::uint64_t start = std::min(range.offset, kLockable - 4);
  const std::uint64_t size = std::clamp<std::uint64_t>(range.size, 1, kLockable - 3 - start);
  struct flock bytes {};
  bytes.l_type = kind;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = static_cast<off_t>(kLockable + start);
  bytes.l_len = static_cast<off_t>(size);
  const LibraryPause others_go_on;
  while (::fcntl(*file_.address(), F_OFD_SETLKW, &bytes) != 0)
    if (errno != EINTR)
      return system_error("no lock on a range of the file", errno, Minor::CANTLOCKFILE);
  return Status();
}

}  // namespace pcio
