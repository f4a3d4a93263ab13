// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/bytes: what every part of an open file works with.

#pragma once

#include <memory>

#include "agree/coordinator.hpp"
#include "driver/open_driver.hpp"
#include "format/format_version.hpp"
#include "format/superblock.hpp"
#include "storage/bytes/file_bytes.hpp"
#include "storage/space/file_space.hpp"

namespace pcio {

/// One per open file, owned by its FileStore; the parts of a file hold a reference and never outlive it.
///
/// Equal on all ranks but for the driver, the coordinator and what `bytes` has recorded. Threads: one
/// thread drives a file.
struct FileContext {
  FileContext(SpaceSettings settings, FormatVersion version)
      : space(0, settings), format(version) {}
  FileContext(const FileContext&) = delete;
  FileContext& operator=(const FileContext&) = delete;

  std::unique_ptr<FileDriver> driver;
  std::shared_ptr<Coordinator> coordinator;
  FileSpace space;
  std::unique_ptr<FileBytes> bytes;  ///< none before the superblock is known
  Superblock superblock;             ///< of the last commit, or of a new file
  FormatVersion format;              ///< of what is made new
  bool writable = false;

  [[nodiscard]] const FileSizes& sizes() const { return superblock.sizes; }
  /// Of a file of several parts; for its driver.
  [[nodiscard]] std::vector<std::uint64_t> absolute_part_ends() const {
    std::vector<std::uint64_t> ends = space.part_ends();
    for (std::uint64_t& end : ends) end += superblock.base_address;
    return ends;
  }
  [[nodiscard]] bool parallel() const { return coordinator->is_parallel(); }
  [[nodiscard]] unsigned chunk_internal_k() const { return superblock.indexed_storage_internal_k; }
};

}  // namespace pcio
