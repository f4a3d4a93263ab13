// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: from settings and a path to an open file and its coordinator.

#pragma once

#include <memory>
#include <string>

#include "agree/coordinator.hpp"
#include "driver/file_driver.hpp"
#include "mpi/file.hpp"
#include "props/compared_props.hpp"
#include "props/driver_settings.hpp"
#include "props/file_image.hpp"

namespace pcio {

struct SeenFile;
class MadeFiles;

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
  /// It is only read, and another program may write it meanwhile: a lock is tried, and given back.
  bool beside_writer = false;
  /// Memory driver only; may be null.
  const FileImage* image = nullptr;
  /// The whole access list, for drivers that other drivers or programs stand behind; may be null.
  const FileAccessProps* access = nullptr;
  /// What the caller found wrong with its own arguments: fails the open here and, with an MPI
  /// driver, on all ranks.
  Status checked;
  /// What must be equal on all ranks beside mode and name: compared before anything is opened.
  NamedValues compared;
  /// Where begin_open has run already: what it gave. Else null.
  std::shared_ptr<Coordinator> coordinator;
  /// Where a parallel opening leaves what it sees before it opens the file, for what needs that later; null: nowhere.
  std::shared_ptr<SeenFile> seen;
  /// Where a create notes which files it has made, for what fails later; null: nowhere.
  std::shared_ptr<MadeFiles> made;
};

struct OpenedFile {
  std::unique_ptr<FileDriver> driver;
  /// Serial drivers: a coordinator of one rank that never communicates.
  std::shared_ptr<Coordinator> coordinator;
  /// Of open_on_ranks: why this rank's part failed, which the others don't know yet.
  Status local = Status();
  /// What MPI opened for a rank that has no memory for a driver.
  mpi::File file = mpi::File();

  /// This rank can take part in closing it.
  [[nodiscard]] bool can_close() const { return driver || !file.is_null(); }
};

/// The agreement with which opening begins: a coordinator of ranks that want to open the same file in
/// the same way, and see nothing against it. For `request.coordinator`; nullptr with serial drivers.
/// Collective: over the settings' communicator. Errors: as open_driver, which else does the same.
Result<std::shared_ptr<Coordinator>> begin_open(const DriverSettings& settings,
                                                const OpenRequest& request);

/// Opens or creates a file.
///
/// Collective: over the settings' communicator (MPI drivers); a failure on one rank is an error on
///   all ranks, and those that had opened the file let it go.
/// Errors: CANTOPENFILE, FILEEXISTS, CANTLOCKFILE, MPI not initialized; ranks that pass different
///   modes, file names or values of `compared`.
Result<OpenedFile> open_driver(const DriverSettings& settings, const OpenRequest& request);

/// The same for a caller that agrees on OpenedFile::local by itself, and before anything else: MPI's part
/// of the work is done, but nothing has become of a file that is to be emptied (FileDriver::empty_here), whatever the driver.
/// Collective: over the settings' communicator. Errors: those that are equal on all ranks.
Result<OpenedFile> open_on_ranks(const DriverSettings& settings, const OpenRequest& request);

/// What one rank brings to an agreement behind open_on_ranks for FileDriver::set_by_one: bits that hold for all
/// ranks where one has them. Collective: independent.
inline constexpr std::uint64_t kIncoherentFlag = 1;
inline constexpr std::uint64_t kSyncsByAllFlag = 2;
inline constexpr std::uint64_t kUnknownMpiIoFlag = 4;
[[nodiscard]] std::uint64_t by_all_flags(const FileDriver& driver);
/// What all ranks make of these bits. Collective: pure.
[[nodiscard]] ByOneRank by_one_rank(std::uint64_t all_flags, const Coordinator& coordinator);

/// Lets go of what open_on_ranks gave. `all_can_close`: every rank can (OpenedFile::can_close).
/// Collective: over the file, whose ranks have just agreed on that.
void let_go_of(OpenedFile& opened, bool all_can_close);

/// What open_driver(path) would give as identity, if the file exists; local. For finding out
/// whether a file is open already.
FileIdentity identify_file(const std::string& path);

/// Success where `path` names the file that `opened` was, as far as file systems tell. Independent.
/// For files that are opened a second time, later. Errors: CANTOPENFILE.
Status check_same_file(const std::string& path, const FileIdentity& opened);

}  // namespace pcio
