// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: what a thread writes is there when it was waited for, its failures are known, and nobody waits for one that is
// not there.

#include "driver/writing_thread.hpp"

#include <array>
#include <csignal>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "driver/file_driver.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

class FileToWrite {
 public:
  FileToWrite() : path_("writing"), fd_(::open(path_.str().c_str(), O_RDWR | O_CREAT, 0600)) {}
  FileToWrite(const FileToWrite&) = delete;
  FileToWrite& operator=(const FileToWrite&) = delete;
  ~FileToWrite() { ::close(fd_); }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::string bytes(std::uint64_t at, std::size_t size) const {
    std::string read(size, '?');
    const ssize_t n = ::pread(fd_, read.data(), size, static_cast<off_t>(at));
    read.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return read;
  }

 private:
  test::TempPath path_;
  int fd_;
};

ConstBytes bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

/// Threads of this process.
std::size_t count_threads() {
  std::size_t count = 0;
  DIR* const tasks = ::opendir("/proc/self/task");
  while (const dirent* const entry = ::readdir(tasks)) count += entry->d_name[0] != '.' ? 1 : 0;
  ::closedir(tasks);
  return count;
}

/// Files grow no further than so far while it lives; nobody is killed for trying.
class LimitedSize {
 public:
  explicit LimitedSize(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  LimitedSize(const LimitedSize&) = delete;
  LimitedSize& operator=(const LimitedSize&) = delete;
  ~LimitedSize() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    static_cast<void>(std::signal(SIGXFSZ, handler_));
  }

 private:
  sighandler_t handler_;
  rlimit before_{};
};

TEST(WritingThread, WritesInTheOrderInWhichItIsHandedThem) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  const std::size_t before = count_threads();
  {
    WritingThread writer;
    EXPECT_FALSE(writer.is_begun());
    ASSERT_TRUE(writer.begin(file.fd(), counts, known));
    EXPECT_FALSE(writer.begin(file.fd(), counts, known)) << "once";
    const std::string first(100'000, 'a'), second(50'000, 'b');
    ASSERT_TRUE(writer.hand_over(10, bytes_of(first)).ok());
    ASSERT_TRUE(writer.hand_over(20, bytes_of(second)).ok());
    EXPECT_EQ(writer.handed_over(), 2U);
    ASSERT_TRUE(writer.wait_for(1).ok());
    EXPECT_EQ(file.bytes(10, 10), std::string(10, 'a'));
    ASSERT_TRUE(writer.finish().ok());
    EXPECT_FALSE(writer.is_begun());
    EXPECT_EQ(count_threads(), before);
    EXPECT_EQ(file.bytes(20, 50'010), second + std::string(10, 'a'));
    EXPECT_EQ(counts.independent_writes, 2U);
    EXPECT_EQ(counts.bytes_written, 150'000U);
  }
}

/// More than may wait, each of them over what the one before has written.
TEST(WritingThread, ManyWaitForTheirTurn) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  WritingThread writer;
  ASSERT_TRUE(writer.begin(file.fd(), counts, known));
  constexpr std::uint64_t kWrites = 5 * WritingThread::kMostWaiting + 3;
  std::vector<std::uint64_t> values(kWrites);
  for (std::uint64_t i = 0; i < kWrites; ++i) {
    values[i] = i;
    ASSERT_TRUE(writer.hand_over(4 * i, std::as_bytes(std::span(&values[i], 1))).ok());
  }
  ASSERT_TRUE(writer.wait_for(writer.handed_over()).ok());
  EXPECT_EQ(counts.independent_writes, kWrites);
  EXPECT_EQ(counts.bytes_written, 8 * kWrites);
  for (std::uint64_t i = 0; i < kWrites; ++i) {
    const std::string low = file.bytes(4 * i, 4);
    std::uint32_t found = 0;
    ASSERT_EQ(low.size(), sizeof found);
    std::memcpy(&found, low.data(), sizeof found);
    ASSERT_EQ(found, i);
  }
}

/// Behind one that fails none is written, and each call says why.
TEST(WritingThread, AFailureEndsIt) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  const std::string text(1000, 'x');
  const LimitedSize limited(4300);
  WritingThread writer;
  ASSERT_TRUE(writer.begin(file.fd(), counts, known));
  ASSERT_TRUE(writer.hand_over(0, bytes_of(text)).ok());
  ASSERT_TRUE(writer.wait_for(1).ok());
  static_cast<void>(writer.hand_over(4000, bytes_of(text)));
  static_cast<void>(writer.hand_over(2000, bytes_of(text)));
  const Status told = writer.wait_for(writer.handed_over());
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.message(),
            "disk full or short write: 300 of 1000 bytes at offset 4000: errno = 27, error message "
            "= 'File too large'");
  EXPECT_EQ(writer.hand_over(0, bytes_of(text)).message(), told.message());
  EXPECT_EQ(writer.finish().message(), told.message());
  EXPECT_EQ(file.bytes(0, 5000), text + std::string(3000, '\0') + std::string(300, 'x'));
  EXPECT_EQ(counts.bytes_written, 1300U);
  EXPECT_EQ(counts.independent_writes, 3U) << "two of them for the one that was cut";
}

TEST(WritingThread, AFullDiskIsTold) {
  const int full = ::open("/dev/full", O_WRONLY);
  if (full < 0) GTEST_SKIP() << "no /dev/full";
  IoCounters counts;
  WritingThread* known = nullptr;
  WritingThread writer;
  const std::string text(10, 'x');
  ASSERT_TRUE(writer.begin(full, counts, known));
  static_cast<void>(writer.hand_over(77, bytes_of(text)));
  const Status told = writer.finish();
  ASSERT_FALSE(told.ok());
  EXPECT_EQ(told.frames().front().minor, Minor::NOSPACE);
  EXPECT_EQ(told.message(),
            "disk full or short write: 0 of 10 bytes at offset 77: errno = 28, error message = 'No "
            "space left on device'");
  ::close(full);
}

/// Who leaves a transfer by an error leaves no thread.
TEST(WritingThread, IsGoneWhereNobodyWaitedForIt) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  const std::size_t before = count_threads();
  const std::string text(1 << 20, 'x');
  {
    WritingThread writer;
    ASSERT_TRUE(writer.begin(file.fd(), counts, known));
    for (std::uint64_t i = 0; i < 20; ++i)
      ASSERT_TRUE(writer.hand_over(i << 20, bytes_of(text)).ok());
  }
  EXPECT_EQ(count_threads(), before);
  EXPECT_EQ(counts.bytes_written % (1 << 20), 0U) << "what has begun was written";
}

/// Who owns the descriptor closes it while the transfer is on its way, as in a function of the program that ends MPI.
TEST(WritingThread, WhoOwnsTheDescriptorEndsIt) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  const std::size_t before = count_threads();
  const std::string text(1 << 20, 'x');
  WritingThread writer;
  ASSERT_TRUE(writer.begin(file.fd(), counts, known));
  ASSERT_EQ(known, &writer);
  for (std::uint64_t i = 0; i < 20; ++i)
    ASSERT_TRUE(writer.hand_over(i << 20, bytes_of(text)).ok());
  known->stop();
  EXPECT_EQ(known, nullptr);
  EXPECT_FALSE(writer.is_begun());
  EXPECT_EQ(count_threads(), before);
  const std::uint64_t written = counts.bytes_written;
  EXPECT_TRUE(writer.wait_for(20).ok() && writer.finish().ok());
  EXPECT_EQ(counts.bytes_written, written);
}

TEST(WritingThread, IsNotBegunWithoutADescriptor) {
  IoCounters counts;
  WritingThread* known = nullptr;
  WritingThread writer;
  EXPECT_FALSE(writer.was_asked_for());
  EXPECT_FALSE(writer.begin(-1, counts, known));
  EXPECT_TRUE(writer.was_asked_for() && !writer.is_begun());
  EXPECT_TRUE(writer.wait_for(0).ok() && writer.finish().ok());
}

/// The child has the object and not the thread; whoever had its mutex at the fork is not there.
TEST(WritingThread, AChildDoesNotWaitForIt) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  const std::string text(1 << 20, 'x');
  std::optional<WritingThread> writer(std::in_place);
  ASSERT_TRUE(writer->begin(file.fd(), counts, known));
  for (std::uint64_t i = 0; i < 50; ++i)
    ASSERT_TRUE(writer->hand_over(i << 20, bytes_of(text)).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    const bool all_errors = !writer->hand_over(0, bytes_of(text)).ok() &&
                            !writer->wait_for(50).ok() && !writer->finish().ok();
    writer.reset();
    ::_exit(all_errors ? 0 : 1);
  }
  int how = -1;
  ASSERT_EQ(::waitpid(child, &how, 0), child);
  EXPECT_TRUE(WIFEXITED(how) && WEXITSTATUS(how) == 0) << how;
  EXPECT_TRUE(writer->finish().ok());
  EXPECT_EQ(counts.bytes_written, std::uint64_t{50} << 20);
}

volatile std::sig_atomic_t handled = 0;

/// A signal that the program keeps away from its threads does not come to this one.
TEST(WritingThread, SignalsGoToOthers) {
  const FileToWrite file;
  IoCounters counts;
  WritingThread* known = nullptr;
  WritingThread writer;
  ASSERT_TRUE(writer.begin(file.fd(), counts, known));
  handled = 0;
  const auto before = std::signal(SIGUSR1, [](int) { handled = handled + 1; });
  sigset_t one, old, pending;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &one, &old);
  ::kill(::getpid(), SIGUSR1);
  const std::string text(1000, 'x');
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(writer.hand_over(i, bytes_of(text)).ok());
  EXPECT_TRUE(writer.finish().ok());
  EXPECT_EQ(handled, 0);
  ::sigpending(&pending);
  EXPECT_EQ(::sigismember(&pending, SIGUSR1), 1);
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  EXPECT_EQ(handled, 1);
  static_cast<void>(std::signal(SIGUSR1, before));
}

}  // namespace
}  // namespace pcio
