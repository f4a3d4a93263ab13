// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: questions about files, open or not, and settings of open ones. But for set_atomicity nothing here
// communicates.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "object/file.hpp"

namespace pcio {

/// True where the file has the signature of HDF5 at a place where it may be. Independent, with the default
/// driver. Errors: those of the driver.
Result<bool> has_signature(const std::string& path);

/// Where what is allocated ends, in bytes from the start of the file, a user block included.
std::uint64_t allocated_end(File& file);
/// Bytes in the file; of one that is written those that are allocated: what lies behind is the dead tail of a
/// commit and goes at the close. Errors: those of the driver.
Result<std::uint64_t> file_size(File& file);

/// Facts behind H5Fget_info; bytes.
struct FileInfo {
  unsigned superblock_version = 0;
  std::uint64_t superblock_size = 0;
  std::uint64_t extension_size = 0;  ///< the superblock's extension, an object header of its own
  std::uint64_t free_bytes = 0;      ///< after the next commit
  std::uint64_t free_metadata_bytes = 0;  ///< of what the file has to say what is free
  /// Of shared messages, as the last commit has them.
  std::uint64_t shared_table_bytes = 0, shared_index_bytes = 0, shared_heap_bytes = 0;
};
/// Errors: an extension, or indexes of shared messages, that can't be read.
Result<FileInfo> file_info(const FilePtr& file);

/// A stretch of free space, and what it may be used for.
struct FreeStretch {
  enum class Use : std::uint8_t { kMetadata, kRawData };
  ByteRange range;
  Use use = Use::kMetadata;
};
std::vector<FreeStretch> free_stretches(File& file);
/// Bytes in them, and in what is set aside for small pieces.
std::uint64_t free_space(File& file);

/// Makes what is allocated end `increment` bytes later; nothing is written there. A metadata call.
Status increase_size(File& file, std::uint64_t increment);

/// Commits a serial file that is written, and tells the size of its image in bytes. `name`: of the call.
/// Errors: a file on many ranks; those of the commit.
Result<std::uint64_t> prepare_image(File& file, const CallName& name);
/// What is committed; zeros behind the end of the file.
Status read_image(File& file, Bytes out);

/// What the driver has for programs; see FileDriver::raw_handle_for and raw_handle_at. Null where it has
/// nothing there.
void* raw_handle(File& file, std::uint64_t offset, int use);

/// Whether atomicity, a setting of MPI-IO, is one of this file.
bool uses_mpi_io(File& file);
/// Of a file that uses MPI-IO. Collective: over the file.
Status set_atomicity(File& file, bool atomic);
[[nodiscard]] bool atomicity(File& file);

}  // namespace pcio
