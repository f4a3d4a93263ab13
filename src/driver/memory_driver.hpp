// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: the file lives in memory (HDF5's "core"), with an optional backing store.
//
// Source: H5Pset_fapl_core, H5Pset_file_image, H5Pset_file_image_callbacks.

#pragma once

#include "driver/posix_file.hpp"

namespace pcio {

/// Threads: one thread drives a file.
class MemoryDriver final : public FileDriver {
 public:
  /// An existing file is read whole. With a backing store the file is created at once, and what
  /// changed is written at flush and close. An initial image stands for a
  /// file that must not exist.
  static Result<std::unique_ptr<FileDriver>> open(const MemorySettings& settings,
                                                  const OpenRequest& request);
  ~MemoryDriver() override;

  Result<std::uint64_t> size() override { return size_; }
  Status truncate(std::uint64_t size) override;
  Status empty_here() override;
  Status flush() override;
  Status sync() override;
  Status sync_independent() override { return Status(); }
  Status close() override;
  void abandon() override;
  [[nodiscard]] DriverCapabilities capabilities() const override;
  [[nodiscard]] FileIdentity identity() const override;
  [[nodiscard]] void* raw_handle() override { return &image_; }

  /// The whole file; valid until the next write or truncate.
  [[nodiscard]] ConstBytes image() const { return {static_cast<const std::byte*>(image_), size_}; }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override;
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override;

 private:
  enum class FileKept : std::uint8_t { kNo, kYes };
  MemoryDriver(const MemorySettings& settings, ImageCallbacks callbacks)
      : settings_(settings), callbacks_(std::move(callbacks)) {}
  Status start(const OpenRequest& request);
  Status start_from_image(const OpenRequest& request, FileKept kept);
  Status start_from_file(const OpenRequest& request, OpenMode mode);
  Status load_image(ConstBytes bytes);
  Status load_file(const PosixFile& file);
  Status reserve(std::uint64_t size, ImageOp op);
  void release();
  void mark_dirty(std::uint64_t begin, std::uint64_t end);
  [[nodiscard]] std::byte* at(std::uint64_t offset) {
    return static_cast<std::byte*>(image_) + offset;
  }

  MemorySettings settings_;
  ImageCallbacks callbacks_;
  void* image_ = nullptr;
  std::uint64_t size_ = 0;
  std::uint64_t capacity_ = 0;
  /// Open while there is a backing store to write.
  PosixFile store_;
  /// Bytes that the backing store does not have yet: [dirty_begin_, dirty_end_).
  std::uint64_t dirty_begin_ = 0;
  std::uint64_t dirty_end_ = 0;
  bool size_changed_ = false;
  /// Without a file on disk nothing else can be the same.
  FileIdentity identity_;
  bool writable_ = false;
};

}  // namespace pcio
