// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The state of the faults, and those below MPI: memory and disk. Room: testpar.

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <execinfo.h>
#include <new>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inject_state.hpp"

namespace inject {

namespace detail {

State state;
Slowness slowness;

void nap(unsigned microseconds) {
  if (microseconds == 0) return;
  if (slowness.delay.random) {
    std::atomic_ref<unsigned long long> random(slowness.random);
    const unsigned long long next = random * 6364136223846793005ULL + 1442695040888963407ULL;
    random = next;
    const unsigned draw = static_cast<unsigned>(next >> 33);
    if (draw % 4 != 0) return;
    microseconds = draw / 4 % microseconds;
  }
  const timespec pause{microseconds / 1000000, static_cast<long>(microseconds % 1000000) * 1000};
  nanosleep(&pause, nullptr);
}

bool strikes(Fault fault) {
  if (state.fault != fault) return false;
  // Memory comes back, so that errors can be told; a broken file stays broken.
  const bool of_memory =
      fault == Fault::kNoMemory || fault == Fault::kNoPlacingMemory || fault == Fault::kNoBlock;
  if (state.struck) return !of_memory;
  if (state.chances++ < state.left) return false;
  state.struck = true;
  if (std::getenv("PCIO_FAULTS_TRACE") != nullptr) {
    void* callers[40];
    backtrace_symbols_fd(callers, backtrace(callers, 40), 2);
  }
  return true;
}

namespace {

bool is_armed_file(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && info.st_dev == state.device && info.st_ino == state.inode;
}

/// True where the disk under `fd` is bad; errno says so then.
bool refused(int fd) {
  if (state.fault != Fault::kBadDisk || !is_armed_file(fd)) return false;
  state.struck = true;
  errno = static_cast<int>(state.left.load());
  return true;
}

/// Bytes that still fit where `fd` leads, at most `wanted`; -1: everything fits, it is another file.
ssize_t room(int fd, std::size_t wanted) {
  if (state.fault != Fault::kDiskFull || !is_armed_file(fd)) return -1;
  const std::size_t fits = std::min<std::size_t>(wanted, state.left);
  state.left -= fits;
  if (fits < wanted) state.struck = true;
  return static_cast<ssize_t>(fits);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

ssize_t full() {
  errno = ENOSPC;
  return -1;
}

ssize_t limited_pwrite(const char* name, int fd, const void* data, std::size_t n, off_t offset) {
  using Function = ssize_t (*)(int, const void*, std::size_t, off_t);
  if (refused(fd)) return -1;
  const ssize_t fits = room(fd, n);
  if (fits == 0 && n > 0) return full();
  return next<Function>(name)(fd, data, fits < 0 ? n : static_cast<std::size_t>(fits), offset);
}

ssize_t limited_write(int fd, const void* data, std::size_t n) {
  using Function = ssize_t (*)(int, const void*, std::size_t);
  if (refused(fd)) return -1;
  const ssize_t fits = room(fd, n);
  if (fits == 0 && n > 0) return full();
  return next<Function>("write")(fd, data, fits < 0 ? n : static_cast<std::size_t>(fits));
}

/// Writes of several buffers, one after another: as one, they could not be cut.
ssize_t limited_vector(int fd, const iovec* parts, int count, off_t offset, bool has_offset) {
  ssize_t done = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t n = has_offset ? limited_pwrite("pwrite", fd, parts[i].iov_base, parts[i].iov_len,
                                                  offset + done)
                                 : limited_write(fd, parts[i].iov_base, parts[i].iov_len);
    if (n < 0) return done > 0 ? done : n;
    done += n;
    if (static_cast<std::size_t>(n) < parts[i].iov_len) break;
  }
  return done;
}

/// The library writes by a thread of its own; MPI's calls, which have their faults in inject_mpi.cpp, are made by the first one.
bool is_beside() { return syscall(SYS_gettid) != getpid(); }
std::atomic<std::uint64_t> beside{0};

ssize_t write_beside(const char* name, int fd, const void* data, std::size_t n, off_t offset) {
  if (!is_beside() || (state.fault != Fault::kNone && !is_armed_file(fd)))
    return limited_pwrite(name, fd, data, n, offset);
  ++beside;
  nap(slowness.delay.before_write);
  if (strikes(Fault::kWriteError)) {
    errno = EIO;
    return -1;
  }
  ssize_t done = 0;
  const bool is_short = strikes(Fault::kShortWrite);
  if (!is_short || n > 1) done = limited_pwrite(name, fd, data, is_short ? n / 2 : n, offset);
  nap(slowness.delay.after_write);
  return done;
}

bool is_limited(int fd) { return state.fault == Fault::kDiskFull && room(fd, 0) == 0; }

}  // namespace
}  // namespace detail

void arm(Fault fault, std::uint64_t position, const std::string& path) {
  static_cast<void>(disarm());
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    detail::state.device = info.st_dev;
    detail::state.inode = info.st_ino;
  }
  detail::state.left = position;
  detail::state.fault = fault;
}

bool disarm() {
  const bool struck = detail::state.struck;
  detail::State& state = detail::state;
  state.fault = Fault::kNone;
  state.left = state.chances = 0;
  state.struck = state.placing = false;
  state.device = 0;
  state.inode = 0;
  return struck;
}

void slow_down(const Delay& delay, unsigned seed) { detail::slowness = {delay, seed}; }

std::uint64_t writes_beside() { return detail::beside; }

}  // namespace inject

using namespace inject::detail;

extern "C" {
ssize_t pwrite(int fd, const void* data, std::size_t n, off_t offset) {
  return write_beside("pwrite", fd, data, n, offset);
}
ssize_t pwrite64(int fd, const void* data, std::size_t n, off_t offset) {
  return write_beside("pwrite64", fd, data, n, offset);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*),
                   void* with) noexcept {
  using Function = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  if (strikes(inject::Fault::kNoThread)) return EAGAIN;
  return next<Function>("pthread_create")(thread, how, body, with);
}
ssize_t write(int fd, const void* data, std::size_t n) { return limited_write(fd, data, n); }
ssize_t pwritev(int fd, const iovec* parts, int count, off_t offset) {
  using Function = ssize_t (*)(int, const iovec*, int, off_t);
  if (refused(fd)) return -1;
  return is_limited(fd) ? limited_vector(fd, parts, count, offset, true)
                        : next<Function>("pwritev")(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const iovec* parts, int count, off_t offset) {
  return pwritev(fd, parts, count, offset);
}
ssize_t writev(int fd, const iovec* parts, int count) {
  using Function = ssize_t (*)(int, const iovec*, int);
  if (refused(fd)) return -1;
  return is_limited(fd) ? limited_vector(fd, parts, count, 0, false)
                        : next<Function>("writev")(fd, parts, count);
}

ssize_t pread(int fd, void* data, std::size_t n, off_t offset) {
  using Function = ssize_t (*)(int, void*, std::size_t, off_t);
  return refused(fd) ? -1 : next<Function>("pread")(fd, data, n, offset);
}
ssize_t pread64(int fd, void* data, std::size_t n, off_t offset) {
  return pread(fd, data, n, offset);
}
ssize_t read(int fd, void* data, std::size_t n) {
  using Function = ssize_t (*)(int, void*, std::size_t);
  return refused(fd) ? -1 : next<Function>("read")(fd, data, n);
}
ssize_t preadv(int fd, const iovec* parts, int count, off_t offset) {
  using Function = ssize_t (*)(int, const iovec*, int, off_t);
  return refused(fd) ? -1 : next<Function>("preadv")(fd, parts, count, offset);
}
ssize_t preadv64(int fd, const iovec* parts, int count, off_t offset) {
  return preadv(fd, parts, count, offset);
}
ssize_t readv(int fd, const iovec* parts, int count) {
  using Function = ssize_t (*)(int, const iovec*, int);
  return refused(fd) ? -1 : next<Function>("readv")(fd, parts, count);
}
int fsync(int fd) {
  using Function = int (*)(int);
  if (refused(fd)) return -1;
  const int result = next<Function>("fsync")(fd);
  if (state.fault != inject::Fault::kSyncError || !is_armed_file(fd) ||
      !strikes(inject::Fault::kSyncError))
    return result;
  errno = EIO;
  return -1;
}
int fdatasync(int fd) {
  using Function = int (*)(int);
  return refused(fd) ? -1 : next<Function>("fdatasync")(fd);
}
int ftruncate(int fd, off_t size) noexcept {
  using Function = int (*)(int, off_t);
  return refused(fd) ? -1 : next<Function>("ftruncate")(fd, size);
}
int ftruncate64(int fd, off_t size) noexcept { return ftruncate(fd, size); }
}

void* operator new(std::size_t size) {
  if (size >= inject::kSmallest && strikes(inject::Fault::kNoMemory)) throw std::bad_alloc();
  if (state.placing && strikes(inject::Fault::kNoPlacingMemory)) throw std::bad_alloc();
  if (strikes(inject::Fault::kNoBlock)) throw std::bad_alloc();
  if (strikes(inject::Fault::kNoBlocks)) throw std::bad_alloc();
  void* const memory = std::malloc(size > 0 ? size : 1);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// As the library's own: where the sanitizers have one, it does not come here.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (...) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
