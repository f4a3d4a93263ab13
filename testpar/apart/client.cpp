// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A client of a distributed file system, played in each process: this program's own pread, pwrite and their kin stand
// before the real ones. What it has read it remembers, also where another process has written since; what it writes
// waits until a sync, a new size or a close; the file's size it remembers as well. So do GlusterFS, and NFS.
// Regular files only. Room: testpar.
//
// PCIO_APART=0 switches it off. PCIO_APART=pages: NFS, whose client writes whole pages, and reads a page before it writes a
// part of it, so that of two clients that write one page the later one undoes the other; unless they lock: who gets a lock
// looks anew, who has one writes bytes, and who gives one back has written.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

#include "client.hpp"

ClientCalls client_calls;

namespace {

constexpr off_t kPage = 4096;
/// Locks from here on are no file's bytes.
constexpr off_t kFarLocks = off_t{1} << 62;
constexpr long kFuse = 0x65735546, kNfs = 0x6969;  // statfs(2)

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t real_pread(int fd, void* data, std::size_t n, off_t at) {
  static const auto call = next<ssize_t (*)(int, void*, std::size_t, off_t)>("pread64");
  return call(fd, data, n, at);
}
ssize_t real_pwrite(int fd, const void* data, std::size_t n, off_t at) {
  static const auto call = next<ssize_t (*)(int, const void*, std::size_t, off_t)>("pwrite64");
  return call(fd, data, n, at);
}
int real_fstat(int fd, struct stat* out) {
  static const auto call = next<int (*)(int, struct stat*)>("fstat64");
  return call(fd, out);
}

enum class Keeps : std::uint8_t { kNothing, kBytes, kPages };
Keeps keeps() {
  static const Keeps what = [] {
    const char* const text = std::getenv("PCIO_APART");
    if (text == nullptr) return Keeps::kBytes;
    if (std::strcmp(text, "0") == 0) return Keeps::kNothing;
    return std::strcmp(text, "pages") == 0 ? Keeps::kPages : Keeps::kBytes;
  }();
  return what;
}
bool is_on() { return keeps() != Keeps::kNothing; }

/// What this client has of a file.
struct Known {
  struct Write {
    off_t at;
    std::vector<char> bytes;
  };
  std::map<off_t, std::array<char, kPage>> pages;
  std::vector<Write> waiting;
  std::set<off_t> changed;  ///< pages that wait as a whole
  bool is_locked = false;
  int writes_by = -1;  ///< a descriptor for what waits
  off_t size = 0;

  /// What waits goes to the file. Errors show as on a sync.
  bool flush() {
    bool good = true;
    for (const Write& write : waiting)
      good = real_pwrite(writes_by, write.bytes.data(), write.bytes.size(), write.at) ==
                 static_cast<ssize_t>(write.bytes.size()) &&
             good;
    waiting.clear();
    for (const off_t page : changed) {
      const auto n = static_cast<std::size_t>(std::min(kPage, size - page));
      good = real_pwrite(writes_by, pages[page].data(), n, page) == static_cast<ssize_t>(n) && good;
    }
    changed.clear();
    if (writes_by >= 0) next<int (*)(int)>("close")(writes_by);
    writes_by = -1;
    return good;
  }
  /// What waits stays.
  void forget() {
    for (auto page = pages.begin(); page != pages.end();)
      page = changed.count(page->first) > 0 ? std::next(page) : pages.erase(page);
  }
};

/// Inode and time of birth: the number of a file that is gone may be another's.
using Number = std::array<std::uint64_t, 3>;
std::recursive_mutex& lock() {
  static auto& one =
      *new std::
          recursive_mutex;  // never destroyed: files are closed at the end of the program, too
  return one;
}
std::map<Number, Known>& files() {
  static auto& all = *new std::map<Number, Known>;
  return all;
}

/// None of what is no regular file.
Known* known(int fd) {
  struct stat info {};
  if (!is_on() || real_fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) return nullptr;
  struct statx more {};
  static_cast<void>(statx(fd, "", AT_EMPTY_PATH, STATX_BTIME, &more));
  const auto born =
      static_cast<std::uint64_t>(more.stx_btime.tv_sec) * 1000000000U + more.stx_btime.tv_nsec;
  const auto [at, is_new] = files().try_emplace(Number{info.st_dev, info.st_ino, born});
  if (is_new) at->second.size = info.st_size;
  return &at->second;
}

/// Null where it can't be read.
std::array<char, kPage>* page_of(int fd, Known& file, off_t page) {
  auto have = file.pages.find(page);
  if (have == file.pages.end()) {
    std::array<char, kPage> bytes{};
    if (real_pread(fd, bytes.data(), bytes.size(), page) < 0) return nullptr;
    have = file.pages.emplace(page, bytes).first;
  }
  return &have->second;
}

ssize_t read_known(int fd, Known& file, char* data, std::size_t n, off_t at) {
  static_cast<void>(file.flush());
  if (at >= file.size) return 0;
  n = std::min(n, static_cast<std::size_t>(file.size - at));
  for (std::size_t done = 0; done < n;) {
    const off_t place = at + static_cast<off_t>(done), page = place / kPage * kPage;
    const auto* const have = page_of(fd, file, page);
    if (have == nullptr) return done > 0 ? static_cast<ssize_t>(done) : -1;
    const auto skip = static_cast<std::size_t>(place - page);
    const std::size_t take = std::min(n - done, kPage - skip);
    std::memcpy(data + done, have->data() + skip, take);
    done += take;
  }
  return static_cast<ssize_t>(n);
}

ssize_t write_known(int fd, Known& file, const char* data, std::size_t n, off_t at) {
  if (n == 0) return 0;
  if (file.writes_by < 0) file.writes_by = ::dup(fd);
  const off_t end = at + static_cast<off_t>(n);
  if (keeps() == Keeps::kPages && !file.is_locked) {
    // A descriptor that was opened for writing only reads nothing, as the client then does.
    for (off_t page = at / kPage * kPage; page < end; page += kPage) {
      if (page_of(fd, file, page) == nullptr) file.pages[page] = {};
      file.changed.insert(page);
    }
  } else {
    file.waiting.push_back({at, std::vector<char>(data, data + n)});
  }
  file.size = std::max(file.size, end);
  for (auto& [page, bytes] : file.pages) {
    const off_t first = std::max(at, page), last = std::min(end, page + kPage);
    if (first < last)
      std::memcpy(bytes.data() + (first - page), data + (first - at),
                  static_cast<std::size_t>(last - first));
  }
  return static_cast<ssize_t>(n);
}

/// The answer of the file system is newer than what is remembered.
void learn_size(int fd, Known& file) {
  struct stat info {};
  if (real_fstat(fd, &info) == 0) file.size = info.st_size;
}

int sync_known(int fd, const char* name) {
  const std::scoped_lock one(lock());
  ++client_calls.syncs;
  Known* const file = known(fd);
  if (file != nullptr && !file->flush()) {
    errno = EIO;
    return -1;
  }
  const int done = next<int (*)(int)>(name)(fd);
  if (file != nullptr) learn_size(fd, *file);
  if (file == nullptr || !client_calls.next_sync_tells_loss) return done;
  client_calls.next_sync_tells_loss = false;
  errno = ENOSPC;
  return -1;
}

template <class Move>
ssize_t each_part(const iovec* parts, int count, off_t at, Move move) {
  ssize_t done = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t n = move(parts[i].iov_base, parts[i].iov_len, at + done);
    if (n < 0) return done > 0 ? done : n;
    done += n;
    if (static_cast<std::size_t>(n) < parts[i].iov_len) break;
  }
  return done;
}

}  // namespace

extern "C" {

ssize_t pread(int fd, void* data, std::size_t n, off_t at) {
  const std::scoped_lock one(lock());
  Known* const file = known(fd);
  return file != nullptr ? read_known(fd, *file, static_cast<char*>(data), n, at)
                         : real_pread(fd, data, n, at);
}
ssize_t pread64(int fd, void* data, std::size_t n, off_t at) { return pread(fd, data, n, at); }
ssize_t preadv(int fd, const iovec* parts, int count, off_t at) {
  return each_part(parts, count, at, [fd](void* data, std::size_t n, off_t place) {
    return pread(fd, data, n, place);
  });
}
ssize_t preadv64(int fd, const iovec* parts, int count, off_t at) {
  return preadv(fd, parts, count, at);
}
ssize_t pwrite(int fd, const void* data, std::size_t n, off_t at) {
  const std::scoped_lock one(lock());
  Known* const file = known(fd);
  return file != nullptr ? write_known(fd, *file, static_cast<const char*>(data), n, at)
                         : real_pwrite(fd, data, n, at);
}
ssize_t pwrite64(int fd, const void* data, std::size_t n, off_t at) {
  return pwrite(fd, data, n, at);
}
ssize_t pwritev(int fd, const iovec* parts, int count, off_t at) {
  return each_part(parts, count, at, [fd](const void* data, std::size_t n, off_t place) {
    return pwrite(fd, data, n, place);
  });
}
ssize_t pwritev64(int fd, const iovec* parts, int count, off_t at) {
  return pwritev(fd, parts, count, at);
}

int fsync(int fd) { return sync_known(fd, "fsync"); }
int fdatasync(int fd) { return sync_known(fd, "fdatasync"); }

int ftruncate(int fd, off_t size) noexcept {
  if (client_calls.late_microseconds > 0) usleep(client_calls.late_microseconds);
  const std::scoped_lock one(lock());
  ++client_calls.new_sizes;
  if (size == 0) ++client_calls.emptied;
  client_calls.last_size = size;
  Known* const file = known(fd);
  if (file != nullptr) {
    static_cast<void>(file->flush());
    if (size != file->size) file->pages.clear();
  }
  static const auto call = next<int (*)(int, off_t)>("ftruncate64");
  const int done = call(fd, size);
  if (file != nullptr) learn_size(fd, *file);
  if (file != nullptr && size > 0 && client_calls.next_is_overtaken) {
    file->size = 0;
    client_calls.next_is_overtaken = false;
  }
  return done;
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }

int posix_fadvise(int fd, off_t at, off_t n, int advice) noexcept {
  const std::scoped_lock one(lock());
  Known* const file = known(fd);
  if (file != nullptr && advice == POSIX_FADV_DONTNEED) file->forget();
  static const auto call = next<int (*)(int, off_t, off_t, int)>("posix_fadvise64");
  return call(fd, at, n, advice);
}
int posix_fadvise64(int fd, off_t at, off_t n, int advice) noexcept {
  return posix_fadvise(fd, at, n, advice);
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static const auto call = next<int (*)(const char*, int, mode_t)>("open64");
  const std::string_view name(path);
  if (name.size() > 3 && name.substr(name.size() - 3) == ".h5") ++client_calls.opens;
  return call(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  return open(path, flags, mode);
}
int close(int fd) {
  {
    const std::scoped_lock one(lock());
    Known* const file = known(fd);
    if (file != nullptr) static_cast<void>(file->flush());
  }
  return next<int (*)(int)>("close")(fd);
}

// A size that is asked for is that of what this client has written.
int fstat(int fd, struct stat* out) noexcept {
  const std::scoped_lock one(lock());
  Known* const file = known(fd);
  if (file != nullptr) static_cast<void>(file->flush());
  return real_fstat(fd, out);
}
off_t lseek(int fd, off_t at, int whence) noexcept {
  const std::scoped_lock one(lock());
  Known* const file = whence == SEEK_END ? known(fd) : nullptr;
  if (file != nullptr) static_cast<void>(file->flush());
  static const auto call = next<off_t (*)(int, off_t, int)>("lseek64");
  return call(fd, at, whence);
}
off_t lseek64(int fd, off_t at, int whence) noexcept { return lseek(fd, at, whence); }

// Locks, and whatever else.
int fcntl(int fd, int command, ...) {
  std::va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  static const auto call = next<int (*)(int, int, void*)>("fcntl64");
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
                     command == F_OFD_SETLKW;
  if (!locks || keeps() != Keeps::kPages) return call(fd, command, argument);
  const auto& range = *static_cast<const struct flock*>(argument);
  const bool gives = range.l_type == F_UNLCK;
  const auto flush = [&] {
    const std::scoped_lock one(lock());
    Known* const file = known(fd);
    if (file == nullptr) return;
    static_cast<void>(file->flush());
    if (range.l_start < kFarLocks) file->is_locked = !gives;
    if (gives) return;
    file->forget();
    learn_size(fd, *file);
  };
  if (gives) flush();
  const int done = call(fd, command, argument);
  if (!gives && done == 0) flush();
  return done;
}
int fcntl64(int fd, int command, ...) {
  std::va_list rest;
  va_start(rest, command);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return fcntl(fd, command, argument);
}

int statfs(const char* path, struct statfs* out) noexcept {
  static const auto call = next<int (*)(const char*, struct statfs*)>("statfs");
  const int done = call(path, out);
  if (done == 0 && is_on() && !client_calls.is_server)
    out->f_type = keeps() == Keeps::kPages ? kNfs : kFuse;
  return done;
}
}
