// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the lock that says "a program is writing this file", held by one rank of each
// program that has the file open for writing; and that rank's own descriptor, for syncing alone, and for what a
// thread writes.
//
// An open file description lock (fcntl, F_OFD_SETLK) on one byte behind everything that a file can
// hold. It is not the flock that serial HDF5 programs take, so readers such as h5dump can look at
// a file that a parallel program writes, as they could before; it keeps a second writer away, who
// would replay or cut under the first one's feet. The system gives it back when the process ends,
// however it ends. A file system without locks is none (HDF5_USE_FILE_LOCKING=TRUE: an error).

#pragma once

#include "driver/posix_file.hpp"

namespace pcio {

/// Move-only. Threads: thread-compatible.
class WriterLock {
 public:
  /// Opens `path` a second time and locks it. For files opened for writing. Independent.
  /// Errors: CANTLOCKFILE where somebody else has it.
  static Result<WriterLock> take(const std::string& path, FileLocking locking);
  /// That descriptor without a lock, whatever the environment says. Independent.
  static Result<WriterLock> open(const std::string& path);
  /// The same of a descriptor that is there already, for writing; with the lock. Independent.
  static Result<WriterLock> take(PosixFile file, FileLocking locking);
  static WriterLock of(PosixFile file);

  /// fsync of the file, through the own descriptor. Independent.
  Status sync();
  /// Through that descriptor. Independent.
  Status truncate(std::uint64_t size) { return file_.truncate(size); }
  // As PosixFile's. Independent.
  [[nodiscard]] Result<std::uint64_t> size() const { return file_.size(); }
  [[nodiscard]] FileIdentity identity(const std::string& path) const {
    return file_.identity(path);
  }
  [[nodiscard]] int descriptor() { return *file_.address(); }
  void forget_cached() const { file_.forget_cached(); }
  [[nodiscard]] Status catch_up() const { return file_.catch_up(); }
  /// Gives the lock back.
  void release() { file_ = PosixFile(); }

 private:
  PosixFile file_;
};

/// Takes the lock on a descriptor that is there already, for as long as it is open.
Status lock_writer(PosixFile& file, FileLocking locking);

/// Number of statfs(2).
constexpr std::uint32_t kOrangeFileSystem = 0x20030528;

/// What the file system of `path` is known for; see DriverCapabilities.
struct FileSystemTraits {
  bool defers_errors = false;
  bool coherent = true;
  bool is_nfs = false;
  bool local = false;        ///< known to be of one machine
  std::uint32_t number = 0;  ///< of statfs(2); 0: unknown
};
FileSystemTraits find_file_system(const std::string& path);

/// fsync of the directory of `path`, so that a new name survives a power loss.
Status sync_directory(const std::string& path);

}  // namespace pcio
