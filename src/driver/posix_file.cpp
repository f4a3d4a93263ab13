// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: system calls on one descriptor.

#include "driver/posix_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <system_error>
#include <unistd.h>

namespace pcio {

namespace {

/// Linux moves at most 0x7ffff000 bytes per call; a round number below that.
constexpr std::uint64_t kMaxCall = std::uint64_t{1} << 30;

bool is_out_of_space(int error) { return error == ENOSPC || error == EDQUOT || error == EFBIG; }

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kReadOnly:
      return O_RDONLY;
    case OpenMode::kReadWrite:
      return O_RDWR;
    case OpenMode::kCreateExclusive:
      return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::kTruncate:
      return O_RDWR | O_CREAT;
  }
  return O_RDONLY;
}

}  // namespace

FileLocking effective_locking(FileLocking wanted) {
  const char* text = std::getenv("HDF5_USE_FILE_LOCKING");
  if (text == nullptr) return wanted;
  const std::string_view value(text);
  if (value == "FALSE" || value == "0") return FileLocking::kOff;
  if (value == "BEST_EFFORT") return FileLocking::kBestEffort;
  if (value == "TRUE" || value == "1") return FileLocking::kOn;
  return wanted;
}

// The words around the number are libhdf5's: programs look for them (h5py makes exceptions of it).
Status system_error(const std::string& what, int error, Minor otherwise) {
  ErrorFrame frame = PCIO_FRAME(FILE, SYSERRSTR,
                                what + ": errno = " + std::to_string(error) +
                                    ", error message = '" +
                                    std::generic_category().message(error) + "'");
  frame.minor = error == EEXIST          ? Minor::FILEEXISTS
                : is_out_of_space(error) ? Minor::NOSPACE
                                         : otherwise;
  return Status(std::move(frame));
}

Result<PosixFile> PosixFile::open(const std::string& path, OpenMode mode) {
  // A fifo or a device would block or mislead: only regular files (and what becomes one) are
  // opened.
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return PCIO_ERROR(FILE, CANTOPENFILE, "open " + path + ": not a regular file");
  PosixFile file;
  do {
    file.fd_ = ::open(path.c_str(), open_flags(mode) | O_CLOEXEC, 0666);
  } while (file.fd_ < 0 && errno == EINTR);
  if (file.fd_ >= 0) return file;
  return tl::unexpected<Status>(
      system_error((is_create(mode) ? "create " : "open ") + path, errno, Minor::CANTOPENFILE));
}

Status PosixFile::close() {
  if (fd_ < 0) return Status();
  if (locked_by_ != 0 && locked_by_ == ::getpid()) unlock();
  locked_by_ = 0;
  // The descriptor is gone even where close reports an error; repeating it could hit another
  // file's.
  if (::close(std::exchange(fd_, -1)) == 0 || errno == EINTR) return Status();
  return system_error("close", errno, Minor::CANTCLOSEFILE);
}

Result<std::uint64_t> PosixFile::read(std::uint64_t offset, Bytes data,
                                      std::uint64_t& calls) const {
  std::uint64_t done = 0;
  while (done < data.size()) {
    ++calls;
    const ssize_t n =
        ::pread(fd_, data.data() + done, std::min<std::uint64_t>(kMaxCall, data.size() - done),
                static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return tl::unexpected<Status>(system_error("read", errno, Minor::READERROR));
    if (n == 0) break;
    done += static_cast<std::uint64_t>(n);
  }
  return done;
}

Result<std::uint64_t> PosixFile::write(std::uint64_t offset, ConstBytes data,
                                       std::uint64_t& calls) const {
  std::uint64_t done = 0;
  while (done < data.size()) {
    ++calls;
    const ssize_t n =
        ::pwrite(fd_, data.data() + done, std::min<std::uint64_t>(kMaxCall, data.size() - done),
                 static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0 || (n < 0 && is_out_of_space(errno))) break;
    if (n < 0) return tl::unexpected<Status>(system_error("write", errno, Minor::WRITEERROR));
    done += static_cast<std::uint64_t>(n);
  }
  return done;
}

Result<std::uint64_t> PosixFile::size() const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0)
    return tl::unexpected<Status>(system_error("fstat", errno, Minor::CANTGETSIZE));
  return static_cast<std::uint64_t>(info.st_size);
}

Status PosixFile::truncate(std::uint64_t size) const {
  while (::ftruncate(fd_, static_cast<off_t>(size)) != 0)
    if (errno != EINTR)
      return system_error("set the size to " + std::to_string(size), errno, Minor::CANTRESIZE);
  return Status();
}

Status PosixFile::sync() const {
  if (::fsync(fd_) == 0) return Status();
  return system_error("fsync", errno, Minor::CANTFLUSH);
}

/// Failures don't matter: closing gives locks back too.
void PosixFile::unlock() const {
  struct flock all {};
  all.l_type = F_UNLCK;
  all.l_whence = SEEK_SET;
  (void)::fcntl(fd_, F_OFD_SETLK, &all);
  (void)::flock(fd_, LOCK_UN);
}

void PosixFile::note_lock() { locked_by_ = ::getpid(); }

Status PosixFile::lock(OpenMode mode, FileLocking locking) {
  locking = effective_locking(locking);
  if (locking == FileLocking::kOff) return Status();
  if (::flock(fd_, (is_writable(mode) ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
    note_lock();
    return Status();
  }
  if (errno == ENOSYS && locking == FileLocking::kBestEffort) return Status();
  return system_error(
      "lock the file (it may be open elsewhere; HDF5_USE_FILE_LOCKING=FALSE turns this off)", errno,
      Minor::CANTLOCKFILE);
}

FileIdentity PosixFile::identity(const std::string& path) const {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return {0, 0, path};
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino), path};
}

}  // namespace pcio
