// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: an owned file descriptor with whole transfers.
//
// Source: POSIX.1-2017 open, pread, pwrite, ftruncate; flock(2).

#pragma once

#include <string>
#include <sys/stat.h>
#include <utility>

#include "driver/file_driver.hpp"
#include <sys/types.h>

#include "driver/open_driver.hpp"

namespace pcio {

/// Move-only; closes on destruction. Threads: thread-compatible.
class PosixFile {
 public:
  PosixFile() = default;
  /// Never empties an existing file: kTruncate opens or creates, the caller cuts after locking.
  static Result<PosixFile> open(const std::string& path, OpenMode mode);

  PosixFile(PosixFile&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        locked_by_(other.locked_by_),
        has_whole_(other.has_whole_) {}
  PosixFile& operator=(PosixFile&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(locked_by_, other.locked_by_);
    std::swap(has_whole_, other.has_whole_);
    return *this;
  }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;
  ~PosixFile() { (void)close(); }
  Status close();

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }
  [[nodiscard]] int* address() { return &fd_; }

  /// Bytes read, fewer only at the end of the file. `calls` is increased by the system calls made.
  Result<std::uint64_t> read(std::uint64_t offset, Bytes data, std::uint64_t& calls) const;
  /// Bytes written, fewer only where the system takes no more and does not say why.
  Result<std::uint64_t> write(std::uint64_t offset, ConstBytes data, std::uint64_t& calls) const;
  [[nodiscard]] Result<std::uint64_t> size() const;
  Status truncate(std::uint64_t size) const;
  /// Cut to nothing, where there is something.
  [[nodiscard]] Status empty() const;
  Status sync() const;
  /// Lets go of the system's clean copies of the file's bytes: what is read next comes from the file system.
  /// A hint to the system, which can't fail.
  void forget_cached() const;
  /// For file systems whose clients remember what other machines have changed since (FileSystemTraits): this one
  /// asks anew for size and bytes. Errors: one that tells that bytes written before are lost, which a file system may tell
  /// once only; others don't matter: it is then as it was.
  [[nodiscard]] Status catch_up() const;
  /// Shared for reading, exclusive for writing; never waits. HDF5_USE_FILE_LOCKING overrides
  /// `locking`: FALSE or 0 is off, BEST_EFFORT ignores file systems without locks, TRUE or 1 is on.
  Status lock(OpenMode mode, FileLocking locking);
  /// This process has a lock on the descriptor: closing gives it back, also where a child of fork has the
  /// descriptor too. (A child that closes its copy leaves the lock alone.)
  void note_lock();
  /// Gives locks of this descriptor back.
  void unlock();
  [[nodiscard]] FileIdentity identity(const std::string& path) const;

 private:
  int fd_ = -1;
  pid_t locked_by_ = 0;
  bool has_whole_ = false;  ///< a lock of the file as a whole (flock)
};

/// `wanted`, or what HDF5_USE_FILE_LOCKING says instead.
FileLocking effective_locking(FileLocking wanted);

/// "what path: text of errno", with a minor number that fits errno.
Status system_error(const std::string& what, int error, Minor otherwise);

/// The error of a write that reached the file only in part, and the errno that says why; 0: none.
Status short_write_error(std::uint64_t done, std::uint64_t wanted, std::uint64_t offset, int error);

/// FUSE in statfs(2).
inline constexpr std::uint32_t kFuseFileSystem = 0x65735546;

/// The folder in which a file of that name is, with its last slash; "." where the name says none.
std::string named_folder(const std::string& path);

/// Lists the folder in which the file is: a machine that goes on with names for files that have others by now looks those in it up
/// anew. False where the name is not among them: what it leads to may be a file that has another one. Other threads go on.
/// Collective: independent.
bool list_folder(const std::string& path);
/// The same of the folder's own name, and of what the name leads to where it is a link.
bool look_up_anew(const std::string& path);

/// Why the system would not open the file, as errno; 0 where it would, or where that can't be known
/// without creating it. Components of MPI-IO tell less. `opened`: gets what was opened for that, if not null; nothing where
/// a file would have to be created. Collective: independent.
int open_refusal(const std::string& path, OpenMode mode, PosixFile* opened = nullptr);

}  // namespace pcio
