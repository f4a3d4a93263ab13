// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the posix driver, which writes down what it does (HDF5's "log").

#pragma once

#include <array>
#include <cstdio>
#include <vector>

#include "driver/open_driver.hpp"
#include "props/composed_drivers.hpp"

namespace pcio {

/// What the flags of H5Pset_fapl_log ask for; values are those of H5FD_LOG_...
struct LogFlag {
  static constexpr unsigned long long kTruncate = 0x1, kLocRead = 0x2, kLocWrite = 0x4,
                                      kFileRead = 0x10, kFileWrite = 0x20, kNumRead = 0x80,
                                      kNumWrite = 0x100, kNumSeek = 0x200, kNumTruncate = 0x400,
                                      kTimeOpen = 0x800, kTimeStat = 0x1000, kTimeRead = 0x2000,
                                      kTimeWrite = 0x4000, kTimeSeek = 0x8000,
                                      kTimeTruncate = 0x10000, kTimeClose = 0x20000;
};

/// A line for each operation, and sums at the close. Nothing is known here of what bytes are for, so that
/// no kinds of memory are told; there are no seeks. Threads: one thread drives a file.
class LogDriver final : public FileDriver {
 public:
  static Result<std::unique_ptr<FileDriver>> open(const LogSettings& settings,
                                                  const OpenRequest& request);
  ~LogDriver() override;

  Result<std::uint64_t> size() override { return file_->size(); }
  Status truncate(std::uint64_t size) override;
  Status empty_here() override { return file_->empty_here(); }
  Status flush() override { return file_->flush(); }
  Status sync() override { return file_->sync(); }
  Status sync_independent() override { return file_->sync_independent(); }
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override { return file_->capabilities(); }
  [[nodiscard]] FileIdentity identity() const override { return file_->identity(); }
  [[nodiscard]] void* raw_handle() override { return file_->raw_handle(); }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  struct Sums {
    unsigned long long calls = 0;
    double seconds = 0;
  };
  explicit LogDriver(const LogSettings& settings) : settings_(settings) {}
  [[nodiscard]] bool wants(unsigned long long flags) const {
    return (settings_.flags & flags) != 0;
  }
  Status open_log();
  void tell_took(const char* what, unsigned long long flag, double seconds) const;
  void tell_moved(const char* what, unsigned long long flag, std::uint64_t offset,
                  std::uint64_t bytes, double seconds) const;
  void tell_sums() const;
  void tell_counts(const char* what, const std::vector<unsigned char>& counts) const;
  void note(std::vector<unsigned char>& counts, std::uint64_t offset, std::uint64_t bytes) const;
  void close_log();

  LogSettings settings_;
  std::unique_ptr<FileDriver> file_;
  std::FILE* log_ = nullptr;
  Sums reads_, writes_, truncates_;
  std::vector<unsigned char> read_counts_, write_counts_;  ///< a number for each byte, at most 255
  std::uint64_t end_ = 0;                                  ///< of what was touched
};

}  // namespace pcio
