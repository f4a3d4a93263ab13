// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: what every driver must do, on one rank or many.
//
// Written without GoogleTest, because the MPI drivers' run of it is a parallel program: a check
// that fails is a line of text.

#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "driver/open_driver.hpp"

namespace pcio::test {

/// Collects failures: `check(condition, "what was expected")`.
class Checks {
 public:
  void operator()(bool good, const std::string& what) {
    if (!good) failures_.push_back(what);
  }
  void operator()(const Status& status, const std::string& what) {
    if (!status.ok()) failures_.push_back(what + ": " + status.message());
  }
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }

 private:
  std::vector<std::string> failures_;
};

inline std::vector<std::byte> pattern(std::size_t size, unsigned seed) {
  std::vector<std::byte> data(size);
  for (std::size_t i = 0; i < size; ++i)
    data[i] = static_cast<std::byte>((i * 131 + i / 251 + seed * 7919) & 0xFF);
  return data;
}

inline OpenRequest request(const std::string& path, OpenMode mode,
                           FileLocking locking = FileLocking::kBestEffort,
                           const FileImage* image = nullptr) {
  OpenRequest made;
  made.path = path;
  made.mode = mode;
  made.locking = locking;
  made.image = image;
  return made;
}

inline bool all_zero(ConstBytes data) {
  for (std::byte b : data)
    if (b != std::byte{0}) return false;
  return true;
}

/// Each rank writes its own block, then reads its right neighbour's; sizes, holes, ends, reopening.
/// `keeps` is false for a file that ends with its close.
class DriverSuite {
 public:
  DriverSuite(const DriverSettings& settings, std::string path, bool keeps)
      : settings_(settings), path_(std::move(path)), keeps_(keeps) {}

  Checks run() {
    create_and_fill();
    if (keeps_) {
      reopen_for_reading();
      reopen_for_writing();
      refuse_what_is_there();
    }
    return std::move(check_);
  }

 private:
  static constexpr std::size_t kBlock = 100'003;

  bool open(OpenMode mode, OpenedFile& file, const char* what) {
    Result<OpenedFile> opened = open_driver(settings_, request(path_, mode));
    check_(opened ? Status() : opened.error(), what);
    if (opened) file = std::move(*opened);
    return file.driver != nullptr;
  }

  void check_blocks(OpenedFile& file, const std::string& when) {
    const auto ranks = static_cast<std::size_t>(file.coordinator->size());
    const std::size_t other = (static_cast<std::size_t>(file.coordinator->rank()) + 1) % ranks;
    std::vector<std::byte> back(kBlock);
    check_(file.driver->read(other * kBlock, back), "read " + when);
    check_(back == pattern(kBlock, static_cast<unsigned>(other)), "neighbour's data " + when);
  }

  void create_and_fill() {
    OpenedFile file;
    if (!open(OpenMode::kTruncate, file, "create")) return;
    FileDriver& driver = *file.driver;
    const auto rank = static_cast<std::size_t>(file.coordinator->rank());
    const auto ranks = static_cast<std::size_t>(file.coordinator->size());
    check_(driver.size().value_or(1) == 0, "a new file is empty");
    check_(file.coordinator->barrier(), "barrier");
    check_(driver.write(rank * kBlock, pattern(kBlock, static_cast<unsigned>(rank))), "write");
    check_(driver.write(0, {}), "an empty write");
    check_(driver.flush(), "flush");
    check_(driver.size().value_or(0) == ranks * kBlock, "size after writing");
    check_blocks(file, "after flush");
    ends_and_holes(file, ranks * kBlock);
    check_(driver.counters().bytes_written >= kBlock && driver.counters().independent_writes >= 1,
           "writes are counted");
    check_(driver.counters().bytes_read >= kBlock, "reads are counted");
    check_(driver.sync(), "sync");
    check_(driver.close(), "close");
  }

  void ends_and_holes(OpenedFile& file, std::size_t end) {
    FileDriver& driver = *file.driver;
    std::vector<std::byte> back(100, std::byte{1});
    check_(!driver.read(end - 50, back).ok(), "a read over the end is an error");
    check_(driver.read_some(end - 50, back).value_or(0) == 50, "read_some stops at the end");
    check_(driver.read_some(end + 1000, back).value_or(1) == 0,
           "read_some behind the end gives nothing");
    check_(!driver.write(std::uint64_t{1} << 63, back).ok(), "an offset out of range is an error");
    check_(file.coordinator->barrier(), "barrier");
    check_(driver.truncate(end + 5000), "truncate grows");
    check_(driver.size().value_or(0) == end + 5000, "size after growing");
    check_(driver.read(end, back), "read in the hole");
    check_(all_zero(back), "a hole reads as zero");
    check_(file.coordinator->barrier(), "barrier");
    check_(driver.truncate(end), "truncate cuts");
    check_(driver.size().value_or(0) == end, "size after cutting");
  }

  void reopen_for_reading() {
    OpenedFile file;
    if (!open(OpenMode::kReadOnly, file, "open for reading")) return;
    check_blocks(file, "after reopening");
    const auto byte = pattern(1, 3);
    check_(!file.driver->write(0, byte).ok(), "writing to a file opened for reading is an error");
    check_(file.driver->close(), "close after reading");
  }

  void reopen_for_writing() {
    OpenedFile file;
    if (!open(OpenMode::kReadWrite, file, "open for writing")) return;
    check_blocks(file, "in the file opened for writing");
    check_(file.coordinator->barrier(), "barrier");
    if (file.coordinator->rank() == 0) check_(file.driver->write(10, pattern(5, 9)), "overwrite");
    check_(file.driver->flush(), "flush");
    std::vector<std::byte> back(5);
    check_(file.driver->read(10, back), "read what rank 0 wrote");
    check_(back == pattern(5, 9), "every rank sees rank 0's bytes");
    check_(file.driver->close(), "close after writing");
  }

  void refuse_what_is_there() {
    auto refused = [&](const std::string& path, OpenMode mode, const char* what) {
      Result<OpenedFile> opened = open_driver(settings_, request(path, mode));
      check_(!opened, what);
      if (opened) check_(opened->driver->close(), "close");
    };
    refused(path_, OpenMode::kCreateExclusive, "exclusive create of an existing file");
    refused(path_ + ".missing", OpenMode::kReadOnly, "open of a missing file");
    refused(path_ + ".missing", OpenMode::kReadWrite, "open for writing of a missing file");
    refused(path_ + ".missing/x", OpenMode::kTruncate, "create in a missing folder");
    refused("/tmp", OpenMode::kReadOnly, "open of a folder");
    refused("", OpenMode::kTruncate, "create without a name");
  }

  const DriverSettings& settings_;
  std::string path_;
  bool keeps_;
  Checks check_;
};

}  // namespace pcio::test
