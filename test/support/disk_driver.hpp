// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: a disk in memory that outlives the files on it, so that a test can look at the
// bytes at any moment, copy them, damage them and open them again.

#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "driver/custom_settings.hpp"
#include "driver/file_driver.hpp"
#include "driver/open_driver.hpp"
#include "storage/bytes/file_bytes.hpp"

namespace pcio::test {

/// The bytes of one file.
using DiskImage = std::vector<std::byte>;
using Disk = std::shared_ptr<DiskImage>;

class DiskDriver final : public FileDriver {
 public:
  DiskDriver(Disk disk, std::string path) : disk_(std::move(disk)), path_(std::move(path)) {}

  Result<std::uint64_t> size() override { return std::uint64_t{disk_->size()}; }
  Status truncate(std::uint64_t size) override {
    disk_->resize(static_cast<std::size_t>(size));
    return Status();
  }
  Status flush() override { return Status(); }
  Status sync() override { return Status(); }
  Status sync_independent() override { return Status(); }
  Status close() override { return Status(); }
  void abandon() override {}
  [[nodiscard]] DriverCapabilities capabilities() const override { return {}; }
  [[nodiscard]] FileIdentity identity() const override { return {0, 0, path_}; }
  [[nodiscard]] void* raw_handle() override { return nullptr; }

 protected:
  Result<std::uint64_t> do_read(std::uint64_t offset, Bytes data) override {
    if (offset >= disk_->size()) return std::uint64_t{0};
    std::size_t n = std::min<std::size_t>(data.size(), disk_->size() - offset);
    if (n > 0) std::memcpy(data.data(), disk_->data() + offset, n);
    return std::uint64_t{n};
  }
  Result<std::uint64_t> do_write(std::uint64_t offset, ConstBytes data) override {
    if (disk_->size() < offset + data.size()) disk_->resize(offset + data.size());
    if (!data.empty()) std::memcpy(disk_->data() + offset, data.data(), data.size());
    return std::uint64_t{data.size()};
  }

 private:
  Disk disk_;
  std::string path_;
};

inline Disk make_disk(DiskImage image = {}) {
  return std::make_shared<DiskImage>(std::move(image));
}

/// Settings that open the file on `disk`; a create empties it.
inline CustomSettings disk_settings(Disk disk) {
  return CustomSettings([disk](const OpenRequest& request) -> Result<OpenedFile> {
    PCIO_TRY(Status(request.checked));
    if (is_create(request.mode)) disk->clear();
    return OpenedFile{std::make_unique<DiskDriver>(disk, request.path), Coordinator::serial()};
  });
}

/// Bytes of a file with nothing around them, for structures that are written and read alone.
struct LooseFile {
  Disk disk = make_disk();
  DiskDriver driver{disk, "loose"};
  FileSpace space;
  FileBytes bytes{driver, space, 0};

  void resize(std::uint64_t size) {
    disk->resize(static_cast<std::size_t>(size));
    space = FileSpace(size);
  }
};

}  // namespace pcio::test
