// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: one writer at a time, and readers beside it.

#include "driver/writer_lock.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>

#include "driver/posix_driver.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

Status open_posix(const std::string& path, OpenMode mode, FileLocking locking) {
  OpenRequest request;
  request.path = path;
  request.mode = mode;
  request.locking = locking;
  PCIO_ASSIGN(auto driver, PosixDriver::open(request));
  return driver->close();
}

TEST(WriterLock, KeepsASecondWriterAwayAndNobodyElse) {
  const test::TempPath path("lock");
  ASSERT_TRUE(open_posix(path.str(), OpenMode::kTruncate, FileLocking::kBestEffort).ok());
  auto lock = WriterLock::take(path.str(), FileLocking::kBestEffort);
  ASSERT_TRUE(lock.has_value());
  EXPECT_FALSE(WriterLock::take(path.str(), FileLocking::kBestEffort).has_value());
  EXPECT_FALSE(open_posix(path.str(), OpenMode::kReadWrite, FileLocking::kBestEffort).ok());
  EXPECT_FALSE(open_posix(path.str(), OpenMode::kTruncate, FileLocking::kBestEffort).ok());
  EXPECT_TRUE(open_posix(path.str(), OpenMode::kReadOnly, FileLocking::kBestEffort).ok());
  EXPECT_TRUE(open_posix(path.str(), OpenMode::kReadWrite, FileLocking::kOff).ok());
  EXPECT_TRUE(lock->sync().ok());
  lock->release();
  EXPECT_TRUE(open_posix(path.str(), OpenMode::kReadWrite, FileLocking::kBestEffort).ok());
}

TEST(WriterLock, LocalFileSystemsTellErrorsAtOnce) {
  EXPECT_FALSE(find_file_system("/proc/self").defers_errors);
  EXPECT_TRUE(find_file_system("/proc/self").coherent);
  EXPECT_TRUE(sync_directory("/tmp/no-such-file-but-a-directory").ok());
}

}  // namespace
}  // namespace pcio
