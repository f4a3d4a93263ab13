// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: system calls on one descriptor.

#include "driver/posix_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/library_lock.hpp"
#include "base/time_split.hpp"
#include "base/system_text.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

/// Linux moves at most 0x7ffff000 bytes per call; a round number below that.
constexpr std::uint64_t kMaxCall = std::uint64_t{1} << 30;

int open_flags(OpenMode mode) {
  switch (mode) {
    case OpenMode::kReadOnly: return O_RDONLY;
    case OpenMode::kReadWrite: return O_RDWR;
    case OpenMode::kCreateExclusive: return O_RDWR | O_CREAT | O_EXCL;
    case OpenMode::kTruncate: return O_RDWR | O_CREAT;
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

Status system_error(const std::string& what, int error, Minor otherwise) {
  ErrorFrame frame = PCIO_FRAME(FILE, SYSERRSTR, what + ": " + system_text(error));
  frame.minor = error == EEXIST          ? Minor::FILEEXISTS
                : is_out_of_space(error) ? Minor::NOSPACE
                                         : otherwise;
  return Status(std::move(frame));
}

Status short_write_error(std::uint64_t done, std::uint64_t wanted, std::uint64_t offset,
                         int error) {
  Status plain = short_write_error(done, wanted, offset);
  if (error == 0) return plain;
  ErrorFrame frame = PCIO_FRAME(IO, NOSPACE, plain.message() + ": " + system_text(error));
  if (!is_out_of_space(error)) frame.minor = Minor::WRITEERROR;
  return Status(std::move(frame));
}

int open_refusal(const std::string& path, OpenMode mode, PosixFile* opened) {
  const int fd =
      ::open(path.c_str(), (open_flags(mode) & ~(O_CREAT | O_EXCL)) | O_CLOEXEC | O_NONBLOCK);
  if (fd >= 0) {
    PosixFile file;
    *file.address() = fd;
    if (opened != nullptr) *opened = std::move(file);
    return 0;
  }
  if (errno != ENOENT || !is_create(mode)) return errno;
  return ::access(named_folder(path).c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

std::string named_folder(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

bool list_folder(const std::string& path) {
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const std::string folder = named_folder(path);
  const LibraryPause others_go_on;
  DIR* const listed = ::opendir(folder.c_str());
  if (listed == nullptr) return true;
  bool has = false;
  while (const struct dirent* const entry = ::readdir(listed)) has = has || name == entry->d_name;
  (void)::closedir(listed);
  return has;
}

bool look_up_anew(const std::string& path) {
  const std::string folder = named_folder(path);
  if (folder.find_first_not_of("/.") != std::string::npos)
    (void)list_folder(folder.substr(0, folder.find_last_not_of('/') + 1));
  const bool has = list_folder(path);
  std::array<char, PATH_MAX + 1> target;
  const ssize_t length = ::readlink(path.c_str(), target.data(), PATH_MAX);
  if (length <= 0) return has;
  const std::string led(target.data(), static_cast<std::size_t>(length));
  return list_folder(led.front() == '/' || folder == "." ? led : folder + led) && has;
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
  const Spends moves(Spent::kFile);
  const LibraryPause others_go_on;
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
  const Spends moves(Spent::kFile);
  const LibraryPause others_go_on;
  std::uint64_t done = 0;
  while (done < data.size()) {
    ++calls;
    const ssize_t n =
        ::pwrite(fd_, data.data() + done, std::min<std::uint64_t>(kMaxCall, data.size() - done),
                 static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) break;
    if (n < 0 && is_out_of_space(errno))
      return tl::unexpected<Status>(short_write_error(done, data.size(), offset, errno));
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
  const LibraryPause others_go_on;
  while (::ftruncate(fd_, static_cast<off_t>(size)) != 0)
    if (errno != EINTR)
      return system_error("set the size to " + std::to_string(size), errno, Minor::CANTRESIZE);
  return Status();
}

Status PosixFile::empty() const {
  PCIO_ASSIGN(const std::uint64_t bytes, size());
  return bytes == 0 ? Status() : truncate(0);
}

Status PosixFile::sync() const {
  const LibraryPause others_go_on;
  if (::fsync(fd_) == 0) return Status();
  return system_error("fsync", errno, Minor::CANTFLUSH);
}

void PosixFile::forget_cached() const { (void)::posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED); }

namespace {

/// Larger files no client brings with their names (GlusterFS: 64 KiB, at most 1 MiB).
constexpr off_t kMostWhole = off_t{1} << 20;
/// Where no file has a byte that was smaller than that a second ago, and each file system still has offsets.
constexpr off_t kFarBehind = off_t{1} << 43;
/// What was changed longer ago no client has from before, though the clocks of two machines differ. Seconds.
constexpr std::time_t kLongAgo = 600;

bool punch_far_behind(int fd) {
  return ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, kFarBehind, 4096) == 0;
}

/// GlusterFS brings a small file with its name, and goes on with these bytes for a second, whatever is synced, asked or forgotten.
/// A hole that is punched where the file has nothing makes it forget them, and no byte changes. Some file systems give the
/// file a new time for it: who only reads lists the folder instead, which makes it forget them, too.
void forget_whole(int fd) {
  struct stat info {};
  struct statfs place {};
  if (::fstat(fd, &info) != 0 || info.st_size > kMostWhole || ::fstatfs(fd, &place) != 0 ||
      static_cast<std::uint32_t>(place.f_type) != kFuseFileSystem ||
      std::max(info.st_mtim.tv_sec, info.st_ctim.tv_sec) < std::time(nullptr) - kLongAgo ||
      punch_far_behind(fd))
    return;
  char link[32];
  (void)std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  char path[PATH_MAX + 1];
  const ssize_t length = ::readlink(link, path, PATH_MAX);
  if (length <= 0) return;
  static_cast<void>(without_throwing([&] {
    (void)list_folder({path, static_cast<std::size_t>(length)});
    return Status();
  }));
}

}  // namespace

/// GlusterFS was seen to go on with an old size until an fsync brought a new one from the server, and the system
/// with its own until it was made to ask; opening did neither.
Status PosixFile::catch_up() const {
  const LibraryPause others_go_on;
  // Where nothing can be written nothing is lost, nor where a descriptor can't be synced.
  const int error = ::fsync(fd_) == 0 || errno == EROFS ? 0 : errno;
#ifdef AT_STATX_FORCE_SYNC
  struct statx info {};
  (void)::statx(fd_, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_SIZE, &info);
#endif
  forget_whole(fd_);  // by the size that it has now
  forget_cached();
  if (!is_data_loss(error)) return Status();
  return system_error("what this machine wrote to the file before may not be in it: fsync", error,
                      Minor::WRITEERROR);
}

/// Failures don't matter: closing gives locks back too.
void PosixFile::unlock() {
  struct flock all {};
  all.l_type = F_UNLCK;
  all.l_whence = SEEK_SET;
  (void)::fcntl(fd_, F_OFD_SETLK, &all);
  if (std::exchange(has_whole_, false)) (void)::flock(fd_, LOCK_UN);
}

void PosixFile::note_lock() { locked_by_ = ::getpid(); }

Status PosixFile::lock(OpenMode mode, FileLocking locking) {
  locking = effective_locking(locking);
  if (locking == FileLocking::kOff) return Status();
  if (::flock(fd_, (is_writable(mode) ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) {
    note_lock();
    has_whole_ = true;
    return Status();
  }
  if (errno == ENOSYS && locking == FileLocking::kBestEffort) return Status();
  // As GlusterFS says it.
  if (errno == ENOENT || errno == ESTALE)
    return system_error(
        "the file is gone: another machine has removed it, or given it another name", errno,
        Minor::CANTOPENFILE);
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
