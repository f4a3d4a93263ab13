// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the block of a metadata cache image. Its entries are metadata that are newer than what lies at
// their own addresses, which may be nothing.
// Source: HDF5 File Format Specification, IV.A.2.y Metadata Cache Image Message; files of libhdf5 1.10.8.

#pragma once

#include <span>
#include <vector>

#include "format/file_sizes.hpp"

namespace pcio {

/// What was in a writer's metadata cache when it closed the file.
class CacheImage {
 public:
  /// Where an entry belongs, and where its bytes are in the block.
  struct Entry {
    ByteRange range;
    std::size_t at = 0;
  };

  /// `bytes`: the whole block. `end`: of the file; entries lie before it.
  ///
  /// Collective: pure. Errors: BADVALUE for a wrong signature, size, checksum, or entries that are outside
  /// the file or overlap; VERSION; TRUNCATED.
  static Result<CacheImage> decode(std::vector<std::byte> bytes, const FileSizes& sizes,
                                   FileAddress end);

  /// Copies what the entries have of [address, address + into.size()) over `into`.
  void overlay(FileAddress address, Bytes into) const;

  /// By ascending address, apart from each other.
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] ConstBytes bytes_of(const Entry& entry) const {
    return ConstBytes(block_).subspan(entry.at, static_cast<std::size_t>(entry.range.size));
  }

 private:
  std::vector<std::byte> block_;
  std::vector<Entry> entries_;
};

}  // namespace pcio
