// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: the superblock, versions 0 to 3.
// Source: HDF5 File Format Specification, II.A Disk Format Level 0A.

#pragma once

#include <optional>

#include "format/symbol_table_entry.hpp"

namespace pcio {

/// Bits of Superblock::flags (version 3).
inline constexpr unsigned kSuperblockWriteAccess = 0x01;
inline constexpr unsigned kSuperblockSwmrWriteAccess = 0x04;

/// Where a file's structures begin and how wide its numbers are.
struct Superblock {
  unsigned version = 0;  ///< 0 to 3
  FileSizes sizes;
  unsigned group_leaf_k = 4;                            ///< versions 0 and 1
  unsigned group_internal_k = 16;                       ///< versions 0 and 1
  unsigned indexed_storage_internal_k = 32;             ///< stored in version 1 only
  std::uint32_t flags = 0;                              ///< "file consistency flags"
  FileAddress base_address = 0;                         ///< absolute, as all of this file is to it
  FileAddress free_space_address = kUndefinedAddress;   ///< versions 0 and 1
  FileAddress end_of_file = 0;                          ///< absolute: includes a user block
  FileAddress driver_info_address = kUndefinedAddress;  ///< versions 0 and 1
  FileAddress extension_address = kUndefinedAddress;    ///< versions 2 and 3
  SymbolTableEntry root;                                ///< versions 0 and 1
  FileAddress root_header = kUndefinedAddress;  ///< of any version; in 0 and 1 root's own address
  friend bool operator==(const Superblock&, const Superblock&) = default;
};

inline constexpr std::string_view kSuperblockSignature{"\x89HDF\r\n\x1a\n", 8};
/// More bytes than any supported superblock needs; a shorter file may give fewer.
inline constexpr std::size_t kSuperblockMaxSize = 112;

/// The n-th place where a superblock may start, or nothing at or beyond `file_size`.
///
/// 0, then 512 doubled each time. Collective: pure. Source: II.A.
std::optional<std::uint64_t> superblock_position(unsigned n, std::uint64_t file_size);

/// True where `bytes` begins with the signature.
bool has_superblock_signature(ConstBytes bytes);

/// Bytes of a superblock of this version and these widths, checksum included.
std::size_t superblock_size(unsigned version, const FileSizes& sizes);

/// Decodes the superblock at the start of `bytes` (kSuperblockMaxSize or up to the end of the file).
///
/// Collective: pure. Errors: NOTHDF5 without a signature, VERSION, UNSUPPORTED widths, TRUNCATED, BADVALUE for
/// a wrong checksum or K = 0.
Result<Superblock> decode_superblock(ConstBytes bytes);
/// Appends the superblock with its checksum. Errors: VERSION, OVERFLOW.
Status encode_superblock(const Superblock& superblock, ByteWriter& out);

/// The block behind Superblock::driver_info_address: which driver wrote the file, and its settings.
/// Source: II.B File Driver Info.
struct DriverInfoBlock {
  std::string driver;  ///< 8 characters such as "NCSAfami"
  std::vector<std::byte> info;
  friend bool operator==(const DriverInfoBlock&, const DriverInfoBlock&) = default;
};
inline constexpr std::size_t kDriverInfoPrefixSize = 16;
/// Whole size in bytes of the block whose first kDriverInfoPrefixSize bytes are given.
Result<std::uint64_t> driver_info_block_size(ConstBytes prefix);
Result<DriverInfoBlock> decode_driver_info_block(ConstBytes bytes);
/// Errors: BADVALUE for a driver name that has not 8 characters; OVERFLOW.
Status encode_driver_info_block(const DriverInfoBlock& block, ByteWriter& out);

}  // namespace pcio
