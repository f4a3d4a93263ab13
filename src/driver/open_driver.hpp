// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: from settings and a path to an open file and its coordinator.

#pragma once

#include <memory>
#include <string>

#include "agree/coordinator.hpp"
#include "driver/file_driver.hpp"
#include "props/driver_settings.hpp"
#include "props/file_image.hpp"

namespace pcio {

enum class OpenMode : std::uint8_t {
  kReadOnly,
  kReadWrite,
  /// Create; an existing file is an error.
  kCreateExclusive,
  /// Create, or empty an existing file.
  kTruncate
};

[[nodiscard]] constexpr bool is_create(OpenMode mode) { return mode >= OpenMode::kCreateExclusive; }
[[nodiscard]] constexpr bool is_writable(OpenMode mode) { return mode != OpenMode::kReadOnly; }

/// What to do about advisory locks (H5Pset_file_locking); HDF5_USE_FILE_LOCKING overrides it.
enum class FileLocking : std::uint8_t { kOff, kBestEffort, kOn };

struct OpenRequest {
  std::string path;
  OpenMode mode = OpenMode::kReadOnly;
  FileLocking locking = FileLocking::kBestEffort;
  /// Memory driver only; may be null.
  const FileImage* image = nullptr;
  /// What the caller found wrong with its own arguments: fails the open here and, with an MPI
  /// driver, on all ranks.
  Status checked;
};

struct OpenedFile {
  std::unique_ptr<FileDriver> driver;
  /// Serial drivers: a coordinator of one rank that never communicates.
  std::shared_ptr<Coordinator> coordinator;
};

/// Opens or creates a file.
///
/// Collective: over the settings' communicator (MPI drivers); a failure on one rank is an error on
///   all ranks, and those that had opened the file let it go.
/// Errors: CANTOPENFILE, FILEEXISTS, CANTLOCKFILE, MPI not initialized; ranks that pass different
///   modes or file names.
Result<OpenedFile> open_driver(const DriverSettings& settings, const OpenRequest& request);

/// What open_driver(path) would give as identity, if the file exists; local. For finding out
/// whether a file is open already.
FileIdentity identify_file(const std::string& path);

}  // namespace pcio
