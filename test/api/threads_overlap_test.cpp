// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What threads do at the same time: in two files filters, reads and writes; in one file nothing.
//
// The functions that do the work are this program's: a thread waits in its first one until another thread is in
// one, too. Where something is held meanwhile they never meet, and the test hangs, which is the failure.

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <dlfcn.h>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <thread>
#include <utility>
#include <vector>

#include "api/threads_fixture.hpp"

namespace {

enum class Work { kNone, kCompress, kDecompress, kRead, kWrite };

std::atomic<Work> watched{Work::kNone};
/// Only threads of the test take part.
thread_local bool takes_part = false;

/// Where threads meet that do the watched work.
class MeetingPlace {
 public:
  /// `together`: how many threads wait for each other in their first piece of work.
  void open(Work work, unsigned together) {
    wanted_ = together;
    came_ = inside_ = most_inside_ = pieces_ = 0;
    watched = work;
  }
  void close() { watched = Work::kNone; }
  [[nodiscard]] unsigned most_inside() const { return most_inside_; }
  [[nodiscard]] unsigned pieces() const { return pieces_; }

  void enter(bool* first) {
    std::unique_lock lock(mutex_);
    ++pieces_;
    most_inside_ = std::max(most_inside_, ++inside_);
    if (!std::exchange(*first, false)) return;
    ++came_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return came_ >= wanted_; });
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --inside_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned wanted_ = 0, came_ = 0, inside_ = 0, most_inside_ = 0, pieces_ = 0;
};

MeetingPlace place;
thread_local bool is_first = true;

/// A piece of work, from its begin to its end.
class Piece {
 public:
  explicit Piece(Work work) : counts_(takes_part && watched == work) {
    if (counts_) place.enter(&is_first);
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() {
    if (!counts_) return;
    std::this_thread::yield();  // who else may come in has the chance
    place.leave();
  }

 private:
  bool counts_;
};

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// The library's calls come here.
extern "C" {

std::size_t libdeflate_zlib_compress(void* codec, const void* in, std::size_t in_bytes, void* out,
                                     std::size_t out_bytes) {
  static auto* const real = next<decltype(libdeflate_zlib_compress)>("libdeflate_zlib_compress");
  const Piece piece(Work::kCompress);
  return real(codec, in, in_bytes, out, out_bytes);
}

int libdeflate_zlib_decompress(void* codec, const void* in, std::size_t in_bytes, void* out,
                               std::size_t out_bytes, std::size_t* actual) {
  static auto* const real =
      next<decltype(libdeflate_zlib_decompress)>("libdeflate_zlib_decompress");
  const Piece piece(Work::kDecompress);
  return real(codec, in, in_bytes, out, out_bytes, actual);
}

ssize_t pread(int fd, void* into, std::size_t bytes, off_t offset) {
  static auto* const real = next<decltype(pread)>("pread");
  const Piece piece(Work::kRead);
  return real(fd, into, bytes, offset);
}

ssize_t pwrite(int fd, const void* from, std::size_t bytes, off_t offset) {
  static auto* const real = next<decltype(pwrite)>("pwrite");
  const Piece piece(Work::kWrite);
  return real(fd, from, bytes, offset);
}

}  // extern "C"

namespace {

constexpr hsize_t kValues = 4000, kChunk = 1000;

class ThreadsAtTheSameTime : public Threads {
 protected:
  void SetUp() override {
    Threads::SetUp();
    for (hid_t at : {file, other})
      for (const char* name : {"packed0", "packed1"}) make_packed(at, name);
  }

  static void make_packed(hid_t at, const char* name) {
    const hid_t space = H5Screate_simple(1, &kValues, nullptr);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &kChunk);
    H5Pset_deflate(list, 6);
    const hid_t data = H5Dcreate2(at, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_GT(data, 0);
    H5Dclose(data);
    H5Pclose(list);
    H5Sclose(space);
  }

  static void write(hid_t at, const std::string& name, int value) {
    const std::vector<int> values(kValues, value);
    const hid_t data = H5Dopen2(at, name.c_str(), H5P_DEFAULT);
    EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    EXPECT_EQ(H5Dclose(data), 0);
    EXPECT_EQ(H5Fflush(at, H5F_SCOPE_LOCAL), 0);
  }
  static void read(hid_t at, const std::string& name, int value) {
    std::vector<int> values(kValues, -1);
    const hid_t data = H5Dopen2(at, name.c_str(), H5P_DEFAULT);
    EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    EXPECT_EQ(H5Dclose(data), 0);
    EXPECT_EQ(values, std::vector<int>(kValues, value));
  }
  /// Closes both files, so that the next thread to read them reads from storage.
  void open_again() {
    reopen();
    ASSERT_EQ(H5Fclose(other), 0);
    other = H5Fopen(other_.str().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(other, 0);
  }

  /// Two threads write and read, each its own dataset: in a file of its own, or both in one.
  void work(const std::array<hid_t, 2>& files, Work what, unsigned together) {
    place.open(what, together);
    in_threads(2, [&](unsigned n) {
      takes_part = is_first = true;
      const std::string name = "packed" + std::to_string(n);
      const int value = static_cast<int>(n) + 7;
      if (what == Work::kCompress || what == Work::kWrite)
        write(files[n], name, value);
      else
        read(files[n], name, value);
      takes_part = false;
    });
    place.close();
  }
};

}  // namespace

TEST_F(ThreadsAtTheSameTime, AreInTheFiltersOfTwoFiles) {
  work({file, other}, Work::kCompress, 2);
  EXPECT_EQ(place.most_inside(), 2U);
  EXPECT_EQ(place.pieces(), 2 * kValues / kChunk);
  open_again();
  work({file, other}, Work::kDecompress, 2);
  EXPECT_EQ(place.most_inside(), 2U);
  EXPECT_EQ(place.pieces(), 2 * kValues / kChunk);
}

TEST_F(ThreadsAtTheSameTime, AreInTheStorageOfTwoFiles) {
  work({file, other}, Work::kWrite, 2);
  EXPECT_EQ(place.most_inside(), 2U);
  open_again();
  work({file, other}, Work::kRead, 2);
  EXPECT_EQ(place.most_inside(), 2U);
}

TEST_F(ThreadsAtTheSameTime, ComeOneByOneToOneFile) {
  for (const Work what : {Work::kCompress, Work::kWrite, Work::kDecompress, Work::kRead}) {
    if (what == Work::kDecompress) open_again();
    work({file, file}, what, 1);
    EXPECT_EQ(place.most_inside(), 1U);
    EXPECT_GT(place.pieces(), 0U);
  }
}
