// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Serial drivers: the suite that all drivers pass, and what is special about each.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/stat.h>

#include "driver/memory_driver.hpp"
#include "driver/open_driver.hpp"
#include "support/driver_suite.hpp"
#include "support/fault_driver.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

using test::all_zero;
using test::FaultPlan;
using test::pattern;
using test::TempPath;
using BackingStore = MemorySettings::BackingStore;

void expect_suite_passes(const DriverSettings& settings, bool keeps) {
  TempPath path("suite");
  const test::Checks checks = test::DriverSuite(settings, path.str(), keeps).run();
  for (const std::string& failure : checks.failures()) ADD_FAILURE() << failure;
}

OpenedFile open_or_die(const DriverSettings& settings, const std::string& path, OpenMode mode,
                       const FileImage* image = nullptr) {
  Result<OpenedFile> opened =
      open_driver(settings, test::request(path, mode, FileLocking::kOn, image));
  if (!opened) {
    ADD_FAILURE() << opened.error().message();
    std::abort();
  }
  return std::move(*opened);
}

std::vector<std::byte> contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> raw((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<std::byte> data(raw.size());
  std::transform(raw.begin(), raw.end(), data.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  return data;
}

TEST(PosixDriver, PassesTheSuite) { expect_suite_passes(PosixSettings(), true); }

TEST(MemoryDriver, PassesTheSuiteWithBackingStore) {
  expect_suite_passes(MemorySettings(4096, BackingStore::kWriteAtClose), true);
}

TEST(MemoryDriver, PassesTheSuiteWithoutBackingStore) {
  expect_suite_passes(MemorySettings(0, BackingStore::kNone), false);
}

TEST(FaultDriver, PassesTheSuiteWhenNothingFails) {
  expect_suite_passes(test::fault_settings(PosixSettings(), std::make_shared<FaultPlan>()), true);
}

TEST(PosixDriver, CreateLeavesAFileThatIsOpenElsewhereAlone) {
  TempPath path("lock");
  OpenedFile first = open_or_die(PosixSettings(), path.str(), OpenMode::kTruncate);
  ASSERT_TRUE(first.driver->write(0, pattern(100, 1)).ok());
  Result<OpenedFile> second = open_driver(
      PosixSettings(), test::request(path.str(), OpenMode::kTruncate, FileLocking::kOn));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().frames().front().minor, Minor::CANTLOCKFILE);
  EXPECT_EQ(first.driver->size().value(), 100U);
  ASSERT_TRUE(first.driver->close().ok());
}

TEST(PosixDriver, TwoReadersShareTheLock) {
  TempPath path("readers");
  ASSERT_TRUE(open_or_die(PosixSettings(), path.str(), OpenMode::kTruncate).driver->close().ok());
  OpenedFile first = open_or_die(PosixSettings(), path.str(), OpenMode::kReadOnly);
  OpenedFile second = open_or_die(PosixSettings(), path.str(), OpenMode::kReadOnly);
  EXPECT_EQ(first.driver->identity(), second.driver->identity());
  EXPECT_EQ(first.driver->identity(), identify_file(path.str()));
}

TEST(PosixDriver, EnvironmentTurnsLockingOff) {
  TempPath path("nolock");
  OpenedFile first = open_or_die(PosixSettings(), path.str(), OpenMode::kTruncate);
  ASSERT_EQ(setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1), 0);
  EXPECT_TRUE(open_driver(PosixSettings(),
                          test::request(path.str(), OpenMode::kReadWrite, FileLocking::kOn)));
  ASSERT_EQ(unsetenv("HDF5_USE_FILE_LOCKING"), 0);
}

TEST(PosixDriver, RefusesAFifoInsteadOfWaiting) {
  TempPath path("fifo");
  ASSERT_EQ(mkfifo(path.str().c_str(), 0600), 0);
  EXPECT_FALSE(open_driver(PosixSettings(),
                           test::request(path.str(), OpenMode::kReadOnly, FileLocking::kOn)));
}

TEST(MemoryDriver, BackingStoreGetsOnlyWhatCloseLeaves) {
  TempPath path("store");
  const MemorySettings settings(64, BackingStore::kWriteAtClose);
  OpenedFile file = open_or_die(settings, path.str(), OpenMode::kTruncate);
  ASSERT_TRUE(file.driver->write(0, pattern(1000, 1)).ok());
  ASSERT_TRUE(file.driver->flush().ok());
  EXPECT_EQ(contents(path.str()), pattern(1000, 1));
  ASSERT_TRUE(file.driver->truncate(300).ok());
  ASSERT_TRUE(file.driver->truncate(400).ok());
  ASSERT_TRUE(file.driver->close().ok());
  std::vector<std::byte> expected = pattern(1000, 1);
  expected.resize(300);
  expected.resize(400);
  EXPECT_EQ(contents(path.str()), expected);
}

TEST(MemoryDriver, WithoutBackingStoreTheFileOnDiskStays) {
  TempPath path("untouched");
  OpenedFile made = open_or_die(PosixSettings(), path.str(), OpenMode::kTruncate);
  ASSERT_TRUE(made.driver->write(0, pattern(500, 2)).ok());
  ASSERT_TRUE(made.driver->close().ok());
  OpenedFile file =
      open_or_die(MemorySettings(64, BackingStore::kNone), path.str(), OpenMode::kReadWrite);
  ASSERT_TRUE(file.driver->write(0, pattern(500, 3)).ok());
  std::vector<std::byte> back(500);
  ASSERT_TRUE(file.driver->read(0, back).ok());
  EXPECT_EQ(back, pattern(500, 3));
  ASSERT_TRUE(file.driver->close().ok());
  EXPECT_EQ(contents(path.str()), pattern(500, 2));
}

TEST(MemoryDriver, AnImageStandsForTheFile) {
  const std::vector<std::byte> bytes = pattern(777, 4);
  FileImage image{bytes, {}};
  OpenedFile file = open_or_die(MemorySettings(64, BackingStore::kNone), "/nonexistent/image",
                                OpenMode::kReadWrite, &image);
  std::vector<std::byte> back(777);
  ASSERT_TRUE(file.driver->read(0, back).ok());
  EXPECT_EQ(back, bytes);
  EXPECT_EQ(file.driver->size().value(), 777U);
  const auto* held = *static_cast<std::byte**>(file.driver->raw_handle());
  EXPECT_EQ(std::vector<std::byte>(held, held + 777), bytes);
}

TEST(MemoryDriver, AnImageNeverReplacesAFile) {
  TempPath path("image");
  const std::vector<std::byte> bytes = pattern(777, 4);
  const FileImage image{bytes, {}};
  const MemorySettings settings(64, BackingStore::kWriteAtClose);
  OpenedFile file = open_or_die(settings, path.str(), OpenMode::kReadWrite, &image);
  ASSERT_TRUE(file.driver->close().ok());
  EXPECT_EQ(contents(path.str()), bytes);
  EXPECT_FALSE(open_driver(
      settings, test::request(path.str(), OpenMode::kReadWrite, FileLocking::kOn, &image)));
  // Creating has no use for the image.
  OpenedFile made = open_or_die(settings, path.str(), OpenMode::kTruncate, &image);
  EXPECT_EQ(made.driver->size().value(), 0U);
}

TEST(MemoryDriver, CallbacksOwnTheImage) {
  int allocated = 0, copied = 0, grown = 0, released = 0;
  const std::vector<std::byte> bytes = pattern(100, 5);
  FileImage image{bytes, {}};
  image.callbacks.allocate = [&](std::size_t n, ImageOp op) {
    EXPECT_EQ(op, ImageOp::kFileOpen);
    ++allocated;
    return std::malloc(n);
  };
  image.callbacks.copy = [&](void* to, const void* from, std::size_t n, ImageOp) {
    ++copied;
    return std::memcpy(to, from, n);
  };
  image.callbacks.reallocate = [&](void* old, std::size_t n, ImageOp op) {
    EXPECT_EQ(op, ImageOp::kFileResize);
    ++grown;
    return std::realloc(old, n);
  };
  image.callbacks.release = [&](void* old, ImageOp op) {
    EXPECT_EQ(op, ImageOp::kFileClose);
    ++released;
    std::free(old);
    return true;
  };
  {
    OpenedFile file =
        open_or_die(MemorySettings(16, BackingStore::kNone), "x", OpenMode::kReadWrite, &image);
    ASSERT_TRUE(file.driver->write(1000, pattern(10, 1)).ok());
    std::vector<std::byte> gap(900, std::byte{1});
    ASSERT_TRUE(file.driver->read(100, gap).ok());
    EXPECT_TRUE(all_zero(gap));
    ASSERT_TRUE(file.driver->close().ok());
  }
  EXPECT_EQ(allocated, 1);
  EXPECT_EQ(copied, 1);
  EXPECT_EQ(grown, 1);
  EXPECT_EQ(released, 1);
}

TEST(FaultDriver, AShortWriteIsAnError) {
  TempPath path("short");
  auto plan = std::make_shared<FaultPlan>();
  OpenedFile file =
      open_or_die(test::fault_settings(PosixSettings(), plan), path.str(), OpenMode::kTruncate);
  plan->short_write = 2;
  ASSERT_TRUE(file.driver->write(0, pattern(100, 1)).ok());
  Status failed = file.driver->write(100, pattern(100, 1));
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.message().find("disk full or short write: 50 of 100 bytes"), std::string::npos);
  EXPECT_EQ(failed.frames().front().minor, Minor::NOSPACE);
  plan->capacity = 100;
  EXPECT_FALSE(file.driver->write(50, pattern(100, 1)).ok());
  EXPECT_TRUE(file.driver->write(0, pattern(100, 1)).ok());
  plan->fail_read = plan->reads + 1;
  std::vector<std::byte> back(10);
  EXPECT_FALSE(file.driver->read(0, back).ok());
  EXPECT_TRUE(file.driver->read(0, back).ok());
}

TEST(OpenDriver, AnMpiDriverWithoutMpiIsAnError) {
  // This program never calls MPI_Init.
  EXPECT_FALSE(mpi::Comm::duplicate(MPI_COMM_WORLD, {}));
}

}  // namespace
}  // namespace pcio
