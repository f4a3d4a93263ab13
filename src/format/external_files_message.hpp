// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: external files message (0x0007): raw data in other files.
// Source: HDF5 File Format Specification, IV.A.2.h The External Data Files Message.

#pragma once

#include "format/file_sizes.hpp"

namespace pcio {

struct ExternalFilesMessage {
  struct Slot {
    std::uint64_t name_offset = 0;  ///< in the local heap
    std::uint64_t file_offset = 0;  ///< bytes
    std::uint64_t size = 0;         ///< bytes; kUnlimitedSize where it may grow for ever
    friend bool operator==(const Slot&, const Slot&) = default;
  };
  static constexpr std::uint64_t kUnlimitedSize = ~std::uint64_t{0};
  FileAddress heap_address = kUndefinedAddress;
  std::vector<Slot> slots;
  friend bool operator==(const ExternalFilesMessage&, const ExternalFilesMessage&) = default;
};

/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for more used than allocated slots.
Result<ExternalFilesMessage> decode_external_files_message(ByteReader& reader,
                                                           const FileSizes& sizes);
Status encode_external_files_message(const ExternalFilesMessage& files, const FileSizes& sizes,
                                     ByteWriter& out);

}  // namespace pcio
