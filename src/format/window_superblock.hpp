// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the window superblock: a superblock that says "this file is being changed in place".
//
// It is the superblock of the last commit with one bit more in its end-of-file field (2^62 where
// addresses have 8 bytes) and, in versions 2 and 3, a checksum that fits. Every reader of HDF5
// compares the field with the size of the file and refuses the file as truncated. In versions 0 and
// 1, which have no checksum, the change is one byte, so no cut write can leave half of it.
// Source: HDF5 File Format Specification, II.A (the fields); doc/COMMIT.md (the use).

#pragma once

#include <optional>
#include <vector>

#include "format/superblock.hpp"

namespace pcio {

/// Where things are in the bytes of one superblock.
struct SuperblockShape {
  unsigned version = 0;
  FileSizes sizes;
  std::size_t size = 0;         ///< bytes, checksum included
  std::size_t end_of_file = 0;  ///< position of the field
  /// Position of the byte that has the window bit; the highest one of the field's lowest 8 bytes.
  [[nodiscard]] std::size_t window_byte() const;
  /// The bit in the field.
  [[nodiscard]] std::uint64_t window_bit() const;
  /// Versions 0 and 1 have no checksum.
  [[nodiscard]] bool has_checksum() const { return version >= 2; }
};

/// Reads the shape off the first bytes; needs signature, version and widths only, so a torn
/// superblock has one too. Errors: not a superblock, VERSION, UNSUPPORTED widths, TRUNCATED.
Result<SuperblockShape> superblock_shape(ConstBytes bytes);

/// True where the bit is set. `bytes` hold the whole superblock.
bool is_window(const SuperblockShape& shape, ConstBytes bytes);
/// True where the checksum fits, or there is none.
bool checksum_fits(const SuperblockShape& shape, ConstBytes bytes);
/// True where files of this size can have a window: the bit is above all their addresses.
bool can_open_window(const SuperblockShape& shape, std::uint64_t file_size);
/// The window superblock of a committed one.
std::vector<std::byte> make_window(const SuperblockShape& shape, ConstBytes committed);

/// What the bytes on the disk are, beside those of the last commit, its window and the next commit.
enum class SuperblockMatch : std::uint8_t {
  kPrevious,  ///< the last commit's, whole: the next one was not reached
  kWindow,    ///< the window's, whole
  kTorn,      ///< each byte is that of one of the three: left by writes that were cut
  kNext,      ///< the next commit's, whole
  kOther      ///< somebody else's
};
SuperblockMatch match_superblock(const SuperblockShape& shape, ConstBytes disk, ConstBytes previous,
                                 ConstBytes next);

}  // namespace pcio
