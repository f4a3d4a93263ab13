// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: free-space manager: header and list of sections.
// Source: HDF5 File Format Specification, III.H Free-space Manager.

#pragma once

#include <span>

#include "format/file_sizes.hpp"

namespace pcio {

/// Who uses a free-space manager.
enum FreeSpaceClient : std::uint8_t { kFreeSpaceOfHeap = 0, kFreeSpaceOfFile = 1 };

/// Sizes in bytes.
struct FreeSpaceHeader {
  std::uint8_t client = kFreeSpaceOfFile;
  std::uint64_t total_space = 0;
  std::uint64_t total_sections = 0;
  std::uint64_t serialized_sections = 0;
  std::uint64_t ghost_sections = 0;  ///< known to the client, not in the list
  std::uint16_t section_classes = 0;
  std::uint16_t shrink_percent = 80;
  std::uint16_t expand_percent = 120;
  std::uint16_t address_bits = 64;  ///< log2 of the address space
  std::uint64_t max_section_size = 0;
  FileAddress list_address = kUndefinedAddress;
  std::uint64_t list_used = 0;
  std::uint64_t list_allocated = 0;
  friend bool operator==(const FreeSpaceHeader&, const FreeSpaceHeader&) = default;
};
constexpr std::size_t free_space_header_size(const FileSizes& sizes) {
  return 18 + 7 * std::size_t{sizes.length_size} + sizes.offset_size;
}
/// Collective: pure. Errors: BADVALUE, VERSION, TRUNCATED.
Result<FreeSpaceHeader> decode_free_space_header(ConstBytes bytes, const FileSizes& sizes);
Status encode_free_space_header(const FreeSpaceHeader& header, const FileSizes& sizes,
                                ByteWriter& out);

/// Free bytes in a file or a heap.
struct FreeSection {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  /// 0: plain. In a file 1: within a page, 2: whole pages. In a heap 1 to 3: rows and blocks that
  /// were never made.
  std::uint8_t type = 0;
  friend bool operator==(const FreeSection&, const FreeSection&) = default;
};
/// Decodes the list; `bytes` has at least header.list_used bytes. Of heaps' rows and blocks only size,
/// offset and type are kept.
///
/// Collective: pure. Errors: BADVALUE for a wrong signature, owner, checksum or count, TRUNCATED.
Result<std::vector<FreeSection>> decode_free_space_list(ConstBytes bytes,
                                                        const FreeSpaceHeader& header,
                                                        FileAddress header_address,
                                                        const FileSizes& sizes);
/// Bytes of the list of these sections (of a file: plain, small and large ones).
std::size_t free_space_list_size(std::span<const FreeSection> sections,
                                 const FreeSpaceHeader& header, const FileSizes& sizes);
/// Sections are written by size, then address. The header's counts and widths must be theirs.
///
/// Collective: pure. Errors: BADVALUE for sections of heaps' rows and blocks; OVERFLOW.
Status encode_free_space_list(std::vector<FreeSection> sections, const FreeSpaceHeader& header,
                              FileAddress header_address, const FileSizes& sizes, ByteWriter& out);

}  // namespace pcio
