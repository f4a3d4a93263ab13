// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// disk.hpp. Room: testpar.

#include "testpar/failing/disk.hpp"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <random>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

namespace disk {

namespace {

constexpr std::size_t kElement = sizeof(int);
dev_t device = 0;
ino_t inode = 0;
unsigned every = 0;
std::mutex one_at_a_time;  // the library writes by a thread of its own, too
std::mt19937_64 chances;
Struck counts;

bool fails(int fd) {
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  struct stat info;
  if (every == 0 || fstat(fd, &info) != 0 || info.st_dev != device || info.st_ino != inode)
    return false;
  return chances() % every == 0;
}

ssize_t to_file(int fd, const void* data, std::size_t n, off_t offset) {
  return syscall(SYS_pwrite64, fd, data, n, offset);
}

/// What the program is told of a write of `n` bytes that fails.
ssize_t strike(int fd, const void* data, std::size_t n, off_t offset) {
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  // No element is cut: what is in it then is neither old nor new.
  const std::size_t elements = n / kElement;
  if (elements > 1 && chances() % 2 == 0) {
    ++counts.part_written;
    static_cast<void>(to_file(fd, data, kElement * (1 + chances() % (elements - 1)), offset));
  } else {
    ++counts.nothing_written;
  }
  const bool full = chances() % 2 == 0;
  ++(full ? counts.full : counts.broken);
  errno = full ? ENOSPC : EIO;
  return -1;
}

ssize_t write_one(int fd, const void* data, std::size_t n, off_t offset) {
  return fails(fd) ? strike(fd, data, n, offset) : to_file(fd, data, n, offset);
}

ssize_t write_many(int fd, const iovec* parts, int count, off_t offset) {
  if (every > 0 && count > 0 && fails(fd))
    return strike(fd, parts[0].iov_base, parts[0].iov_len, offset);
  return syscall(SYS_pwritev, fd, parts, count, static_cast<unsigned long>(offset), 0UL);
}

}  // namespace

void watch(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return;
  device = info.st_dev;
  inode = info.st_ino;
}

void set_rate(unsigned rate, std::uint64_t seed) {
  every = rate;
  chances.seed(seed);
}

const Struck& struck() { return counts; }

}  // namespace disk

extern "C" {
ssize_t pwrite(int fd, const void* data, std::size_t n, off_t offset) {
  return disk::write_one(fd, data, n, offset);
}
ssize_t pwrite64(int fd, const void* data, std::size_t n, off_t offset) {
  return disk::write_one(fd, data, n, offset);
}
ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  return disk::write_many(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const iovec* parts, int count, off_t offset) {
  return disk::write_many(fd, parts, count, offset);
}
}
