// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: RangeLocks.

#include "driver/range_locks.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

#include "base/library_lock.hpp"

namespace pcio {

namespace {

/// Between two tries: short at first, for accesses are.
std::chrono::microseconds pause_after(unsigned tries) {
  return std::chrono::microseconds(20U << std::min(tries, 6U));
}

}  // namespace

Result<RangeLocks> RangeLocks::open(const std::string& path, OpenMode mode, double hang_seconds) {
  RangeLocks locks;
  PCIO_ASSIGN(locks.file_, PosixFile::open(path, mode));
  locks.hang_seconds_ = hang_seconds;
  // Whether there are locks at all.
  PCIO_TRY(detail::to_status(locks.set({0, 1}, F_RDLCK)));
  static_cast<void>(locks.set({0, 1}, F_UNLCK));
  return locks;
}

/// Tried again and again, not waited for in the system: nobody could tell of that wait.
Status RangeLocks::lock(ByteRange range, Direction direction) {
  if (held_.size != 0)
    return PCIO_ERROR(
        FILE, CANTLOCKFILE,
        "in atomic mode a transfer can't begin in the middle of another one of the file");
  const short kind = direction == Direction::kWrite ? F_WRLCK : F_RDLCK;
  const auto began = std::chrono::steady_clock::now();
  double told = hang_seconds_;
  for (unsigned tries = 0;; ++tries) {
    PCIO_ASSIGN(const bool got, set(range, kind));
    if (got) break;
    {
      const LibraryPause others_go_on;
      std::this_thread::sleep_for(pause_after(tries));
    }
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - began;
    if (hang_seconds_ <= 0 || waited.count() < told) continue;
    std::fprintf(
        stderr,
        "libpcio: process %ld has waited %.0f s for a process that is in the middle of a transfer "
        "in atomic mode, or of a write on NFS\n",
        static_cast<long>(::getpid()), waited.count());
    told += hang_seconds_;
  }
  held_ = {range.offset, std::max<std::uint64_t>(range.size, 1)};
  file_.note_lock();
  return Status();
}

void RangeLocks::unlock() {
  if (held_.size == 0) return;
  static_cast<void>(set(held_, F_UNLCK));
  held_ = ByteRange();
}

Result<bool> RangeLocks::set(ByteRange range, short kind) {
  // The last byte of all is the writer's lock.
  const std::uint64_t start = std::min(range.offset, kLockable - 4);
  const std::uint64_t size = std::clamp<std::uint64_t>(range.size, 1, kLockable - 3 - start);
  struct flock bytes {};
  bytes.l_type = kind;
  bytes.l_whence = SEEK_SET;
  bytes.l_start = static_cast<off_t>(kLockable + start);
  bytes.l_len = static_cast<off_t>(size);
  while (::fcntl(*file_.address(), F_OFD_SETLK, &bytes) != 0) {
    if (errno == EAGAIN || errno == EACCES) return false;
    if (errno != EINTR)
      return detail::StatusReturn(
          system_error("no lock on a range of the file", errno, Minor::CANTLOCKFILE));
  }
  return true;
}

}  // namespace pcio
