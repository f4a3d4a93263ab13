// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: one process, pread and pwrite (HDF5's "sec2").

#pragma once

#include "driver/writer_lock.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class PosixDriver final : public FileDriver {
 public:
  static Result<std::unique_ptr<FileDriver>> open(const OpenRequest& request);

  Result<std::uint64_t> size() override { return file_.size(); }
  Status truncate(std::uint64_t size) override { return file_.truncate(size); }
  Status empty_here() override { return file_.empty(); }
  Status flush() override { return Status(); }
  Status sync() override { return file_.sync(); }
  Status sync_independent() override { return file_.sync(); }
  Status close() override { return file_.close(); }
  void abandon() override { file_ = PosixFile(); }
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override { return file_.identity(path_); }
  [[nodiscard]] void* raw_handle() override { return file_.address(); }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    return file_.read(offset, data, counters_.independent_reads);
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override {
    return file_.write(offset, data, counters_.independent_writes);
  }

 private:
  PosixDriver(PosixFile file, std::string path, const FileSystemTraits& traits)
      : file_(std::move(file)), path_(std::move(path)), traits_(traits) {}
  PosixFile file_;
  std::string path_;
  FileSystemTraits traits_;
};

}  // namespace pcio
