// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the writer's lock, and what is known about file systems.

#include "driver/writer_lock.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <limits>
#include <sys/vfs.h>
#include <unistd.h>

namespace pcio {

namespace {

bool is_without_locks(int error) {
  return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP || error == EINVAL;
}

/// Numbers of statfs(2) for file systems behind a network, or behind a program (FUSE).
struct KnownFileSystem {
  std::uint32_t number;
  bool coherent;
};
constexpr std::uint32_t kNfs = 0x6969;
constexpr std::array<KnownFileSystem, 11> kDeferring = {{{kNfs, false},
                                                         {0x0bd00bd0, true},   // Lustre
                                                         {0x47504653, true},   // GPFS
                                                         {0x19830326, true},   // BeeGFS
                                                         {0x00c36400, true},   // Ceph
                                                         {0xaad7aaea, true},   // PanFS
                                                         {0xff534d42, false},  // CIFS
                                                         {0xfe534d42, false},  // SMB2
                                                         {0x5346414f, false},  // AFS
                                                         {kOrangeFileSystem, true},
                                                         {kFuseFileSystem, false}}};
/// Those that one machine has for itself.
constexpr std::array<std::uint32_t, 8> kLocal = {0x01021994,   // tmpfs
                                                 0x858458f6,   // ramfs
                                                 0xef53,       // ext2 to ext4
                                                 0x58465342,   // XFS
                                                 0x9123683e,   // Btrfs
                                                 0x2fc12fc1,   // ZFS
                                                 0xf2f52010,   // F2FS
                                                 0x794c7630};  // overlayfs

}  // namespace

Status lock_writer(PosixFile& file, FileLocking locking) {
  locking = effective_locking(locking);
  if (locking == FileLocking::kOff) return Status();
  struct flock byte {};
  byte.l_type = F_WRLCK;
  byte.l_whence = SEEK_SET;
  byte.l_start = std::numeric_limits<off_t>::max() - 1;
  byte.l_len = 1;
  if (::fcntl(*file.address(), F_OFD_SETLK, &byte) == 0) {
    file.note_lock();
    return Status();
  }
  if (is_without_locks(errno) && locking == FileLocking::kBestEffort) return Status();
  return system_error(
      "another program has the file open for writing (HDF5_USE_FILE_LOCKING=FALSE turns this off)",
      errno, Minor::CANTLOCKFILE);
}

Result<WriterLock> WriterLock::take(const std::string& path, FileLocking locking) {
  PCIO_ASSIGN(PosixFile file, PosixFile::open(path, OpenMode::kReadWrite));
  return take(std::move(file), locking);
}

Result<WriterLock> WriterLock::take(PosixFile file, FileLocking locking) {
  PCIO_TRY(lock_writer(file, locking));
  return of(std::move(file));
}

WriterLock WriterLock::of(PosixFile file) {
  WriterLock lock;
  lock.file_ = std::move(file);
  return lock;
}

Result<WriterLock> WriterLock::open(const std::string& path) {
  PCIO_ASSIGN(PosixFile file, PosixFile::open(path, OpenMode::kReadWrite));
  return of(std::move(file));
}

Status WriterLock::sync() { return file_.is_open() ? file_.sync() : Status(); }

FileSystemTraits find_file_system(const std::string& path) {
  struct statfs info {};
  if (::statfs(path.c_str(), &info) != 0) return {};
  const auto number = static_cast<std::uint32_t>(info.f_type);
  for (const KnownFileSystem& known : kDeferring)
    if (known.number == number) return {true, known.coherent, number == kNfs, false, number};
  const bool local = std::find(kLocal.begin(), kLocal.end(), number) != kLocal.end();
  return {false, true, false, local, number};
}

Status sync_directory(const std::string& path) {
  const std::string directory = named_folder(path);
  const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return system_error("open " + directory, errno, Minor::CANTFLUSH);
  Status synced;
  // Some file systems keep no directories that could be synced; the name is then as safe as can be.
  if (::fsync(fd) != 0 && errno != EINVAL) synced = system_error("fsync", errno, Minor::CANTFLUSH);
  ::close(fd);
  return synced;
}

}  // namespace pcio
