// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the external files of a dataset: the message that lists them and the heap with
// their names.
// Source: HDF5 File Format Specification, IV.A.2.h The Data Storage - External Data Files Message.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/object_header.hpp"
#include "props/dataset_props.hpp"
#include "storage/bytes/file_context.hpp"

namespace pcio {

/// Offsets in files have a sign.
inline constexpr std::uint64_t kLargestFileOffset = (std::uint64_t{1} << 63) - 1;

/// Files that hold a dataset's raw data, one behind the other.
struct ExternalFiles {
  std::vector<ExternalFile> files;
  std::vector<ByteRange> heap;  ///< bytes of the HDF5 file that hold the names
  /// Stands before names that are not absolute; of the first open. This rank's.
  std::string prefix;

  /// Bytes for data; nothing where the last file may grow for ever.
  [[nodiscard]] std::optional<std::uint64_t> capacity() const;
};

/// A block that is written as it is by the next commit.
struct NewBlock {
  FileAddress address = kUndefinedAddress;
  std::vector<std::byte> bytes;
};

/// Reads message and heap. Collective: independent.
/// Errors: damaged message or heap; names without an end; sizes or offsets that no file can have.
Result<ExternalFiles> read_external_files(FileContext& file, const HeaderMessage& message);

/// What a new dataset with external files has in the file.
struct PlannedExternal {
  HeaderMessage message;
  NewBlock heap;
};
/// Gives the heap its space. Collective: pure; the same on all ranks. Errors: NOSPACE.
Result<PlannedExternal> plan_external_files(FileSpace& space, const FileSizes& sizes,
                                            const std::vector<ExternalFile>& files);

}  // namespace pcio
