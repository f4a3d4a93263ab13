// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: SharedMemory.

#include "mpi/shared_memory.hpp"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <limits>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pcio::mpi {

namespace {

/// A descriptor that is closed with it.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  void set(int number) { number_ = number; }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_ = -1;
};

/// What rank 0 tells the others of its memory.
enum Word : std::size_t { kProcess, kDescriptor, kDevice, kInode, kWords };
constexpr std::uint64_t kNone = ~std::uint64_t{0};

Status no_memory(const char* call) {
  return PCIO_ERROR(RESOURCE, NOSPACE, std::string(call) + ": no memory to share");
}

/// A file of memory of `bytes` bytes. Room is taken from the machine when a page is written first.
Status create(std::uint64_t bytes, Descriptor& made) {
  // Behind this limit the call below would end the process by a signal.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || bytes > limit.rlim_cur) return no_memory("getrlimit");
  made.set(memfd_create("libpcio", MFD_CLOEXEC));
  if (made.number() < 0) return no_memory("memfd_create");
  if (ftruncate(made.number(), static_cast<off_t>(bytes)) != 0) return no_memory("ftruncate");
  return Status();
}

Status describe(const Descriptor& memory, std::uint64_t (&words)[kWords]) {
  struct stat found {};
  if (fstat(memory.number(), &found) != 0) return no_memory("fstat");
  words[kProcess] = static_cast<std::uint64_t>(getpid());
  words[kDescriptor] = static_cast<std::uint64_t>(memory.number());
  words[kDevice] = found.st_dev;
  words[kInode] = found.st_ino;
  return Status();
}

/// Rank 0's memory. A process that has its number in another container is not taken for it; nor does a
/// pipe there make this rank wait.
Status open(const std::uint64_t (&words)[kWords], Descriptor& opened) {
  if (words[kDescriptor] == kNone) return no_memory("rank 0");
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%llu/fd/%llu",
                static_cast<unsigned long long>(words[kProcess]),
                static_cast<unsigned long long>(words[kDescriptor]));
  opened.set(::open(name, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat found {};
  if (opened.number() < 0 || fstat(opened.number(), &found) != 0) return no_memory(name);
  if (found.st_dev != words[kDevice] || found.st_ino != words[kInode]) return no_memory(name);
  return Status();
}

}  // namespace

Status SharedMemory::map(int descriptor, std::uint64_t bytes) {
  void* const start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (start == MAP_FAILED) return no_memory("mmap");
  start_ = static_cast<std::byte*>(start);
  mapped_ = bytes;
  return Status();
}

Result<SharedMemory> SharedMemory::allocate(Comm& node, Comm& all, std::uint64_t bytes) {
  const auto ranks = static_cast<std::uint64_t>(node.size());
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (bytes == 0) return SharedMemory();
  SharedMemory made;
  made.bytes_ = bytes;

  // A rank without memory takes part to the end, and so does a node that has too many ranks for it.
  Descriptor memory;
  Status usable = bytes > kMost / ranks - page ? no_memory("too much") : Status();
  made.stride_ = usable.ok() ? (bytes + page - 1) / page * page : 0;
  const std::uint64_t of_node = ranks * made.stride_;
  std::uint64_t words[kWords] = {kNone, kNone, kNone, kNone};
  if (node.rank() == 0) {
    if (usable.ok()) usable = create(of_node, memory);
    if (usable.ok()) usable = describe(memory, words);
  }
  PCIO_TRY(node.broadcast(Bytes(reinterpret_cast<std::byte*>(words), sizeof words), 0));
  if (node.rank() != 0 && usable.ok()) usable = open(words, memory);
  if (usable.ok()) usable = made.map(memory.number(), of_node);
  std::uint64_t all_can_use = usable.ok() ? 1 : 0;
  PCIO_TRY(all.allreduce_min(std::span(&all_can_use, 1)));
  if (all_can_use == 0) return SharedMemory();
  return made;
}

void SharedMemory::free() noexcept {
  if (start_ != nullptr) munmap(start_, mapped_);
  start_ = nullptr;
  bytes_ = 0;
}

void SharedMemory::fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace pcio::mpi
