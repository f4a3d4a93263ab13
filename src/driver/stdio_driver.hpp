// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: one process, the C library's streams (HDF5's "stdio").

#pragma once

#include <cstdio>

#include "driver/posix_file.hpp"

namespace pcio {

/// The stream has no buffer: what is written is in the file in the order in which it was written.
/// Threads: one thread drives a file.
class StdioDriver final : public FileDriver {
 public:
  static Result<std::unique_ptr<FileDriver>> open(const OpenRequest& request);
  ~StdioDriver() override;

  Result<std::uint64_t> size() override { return file_.size(); }
  Status truncate(std::uint64_t size) override { return file_.truncate(size); }
  Status empty_here() override { return file_.empty(); }
  Status flush() override { return Status(); }
  Status sync() override { return file_.sync(); }
  Status sync_independent() override { return file_.sync(); }
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override { return {}; }
  [[nodiscard]] FileIdentity identity() const override { return file_.identity(path_); }
  [[nodiscard]] void* raw_handle() override { return &stream_; }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  StdioDriver(PosixFile file, std::FILE* stream, std::string path)
      : file_(std::move(file)), stream_(stream), path_(std::move(path)) {}
  Status seek(std::uint64_t offset);

  PosixFile file_;  ///< locks, sizes and syncs
  std::FILE* stream_;
  std::string path_;
};

}  // namespace pcio
