// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: messages of a superblock extension that say how the file came about: driver info
// (0x0014), shared message table (0x000F), file space info (0x0017), cache image (0x0018).
// Source: HDF5 File Format Specification, IV.A.2.p, IV.A.2.u, IV.A.2.x, IV.A.2.y.

#pragma once

#include <array>

#include "format/file_sizes.hpp"
#include "props/file_props.hpp"

namespace pcio {

/// Which driver wrote the file, and its settings.
struct DriverInfoMessage {
  std::string driver;  ///< 8 characters such as "NCSAfami"
  std::vector<std::byte> info;
  friend bool operator==(const DriverInfoMessage&, const DriverInfoMessage&) = default;
};
/// Collective: pure. Errors: VERSION, TRUNCATED.
Result<DriverInfoMessage> decode_driver_info_message(ByteReader& reader);
/// Errors: BADVALUE for a driver name that has not 8 characters.
Status encode_driver_info_message(const DriverInfoMessage& driver, ByteWriter& out);

/// Where the table of shared object header messages is.
struct SharedTableMessage {
  FileAddress table_address = kUndefinedAddress;
  unsigned index_count = 0;
  friend bool operator==(const SharedTableMessage&, const SharedTableMessage&) = default;
};
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for more than 8 indexes.
Result<SharedTableMessage> decode_shared_table_message(ByteReader& reader, const FileSizes& sizes);
Status encode_shared_table_message(const SharedTableMessage& table, const FileSizes& sizes,
                                   ByteWriter& out);

struct FileSpaceInfoMessage {
  FileSpaceStrategy strategy = FileSpaceStrategy::kFreeSpaceAggregators;
  bool persist = false;            ///< free space is kept in the file
  std::uint64_t threshold = 1;     ///< bytes; smaller free sections are forgotten
  std::uint64_t page_size = 4096;  ///< bytes
  std::uint16_t page_end_threshold = 0;
  FileAddress end_of_allocation = kUndefinedAddress;
  /// Of free-space managers: 6 kinds of small, then 6 kinds of large sections. Version 0: the
  /// first 6 only. Present in version 1 only where persist is set.
  std::array<FileAddress, 12> managers;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled.
  FileSpaceInfoMessage() { managers.fill(kUndefinedAddress); }
  friend bool operator==(const FileSpaceInfoMessage&, const FileSpaceInfoMessage&) = default;
};
/// Reads version 0 (translated into today's strategies) and 1.
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for an unknown strategy.
Result<FileSpaceInfoMessage> decode_file_space_info_message(ByteReader& reader,
                                                            const FileSizes& sizes);
/// Writes version 1.
Status encode_file_space_info_message(const FileSpaceInfoMessage& info, const FileSizes& sizes,
                                      ByteWriter& out);

/// A metadata cache image: a copy of metadata that may be read in one piece.
///
/// It is not a mere hint: while it is there its entries may be newer than the file's own.
struct CacheImageMessage {
  FileAddress address = kUndefinedAddress;
  std::uint64_t size = 0;  ///< bytes
  friend bool operator==(const CacheImageMessage&, const CacheImageMessage&) = default;
};
/// Collective: pure. Errors: VERSION, TRUNCATED.
Result<CacheImageMessage> decode_cache_image_message(ByteReader& reader, const FileSizes& sizes);
Status encode_cache_image_message(const CacheImageMessage& image, const FileSizes& sizes,
                                  ByteWriter& out);

}  // namespace pcio
