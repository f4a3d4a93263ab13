// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: superblock, decode and encode.

#include "format/superblock.hpp"

namespace pcio {

std::optional<std::uint64_t> superblock_position(unsigned n, std::uint64_t file_size) {
  if (n > 54) return std::nullopt;  // 512 << 54 is 2^63, beyond any file
  const std::uint64_t position = n == 0 ? 0 : std::uint64_t{512} << (n - 1);
  if (position >= file_size) return std::nullopt;
  return position;
}

bool has_superblock_signature(ConstBytes bytes) {
  return ByteReader(bytes).expect(kSuperblockSignature);
}

std::size_t superblock_size(unsigned version, const FileSizes& sizes) {
  const std::size_t addresses = 4 * std::size_t{sizes.offset_size};
  if (version >= 2) return 12 + addresses + 4;
  return (version == 1 ? 28 : 24) + addresses + symbol_table_entry_size(sizes);
}

namespace {

/// Versions 0 and 1, from the byte behind the version on.
Result<Superblock> decode_old(ByteReader& reader, unsigned version) {
  Superblock block;
  block.version = version;
  const unsigned free_space_version = reader.u8();
  const unsigned entry_version = reader.u8();
  reader.skip(1);
  const unsigned shared_version = reader.u8();
  block.sizes.offset_size = reader.u8();
  block.sizes.length_size = reader.u8();
  reader.skip(1);
  PCIO_TRY(reader.check("superblock"));
  if (free_space_version != 0 || entry_version != 0 || shared_version != 0)
    return PCIO_ERROR(FILE, VERSION, "superblock names an unknown version of a part of the file");
  PCIO_TRY(check_file_sizes(block.sizes));
  block.group_leaf_k = reader.u16();
  block.group_internal_k = reader.u16();
  block.flags = reader.u32();
  if (version == 1) {
    block.indexed_storage_internal_k = reader.u16();
    reader.skip(2);
  }
  const unsigned width = block.sizes.offset_size;
  block.base_address = reader.address(width);
  block.free_space_address = reader.address(width);
  block.end_of_file = reader.address(width);
  block.driver_info_address = reader.address(width);
  PCIO_TRY(reader.check("superblock"));
  PCIO_ASSIGN(block.root, decode_symbol_table_entry(reader, block.sizes));
  block.root_header = block.root.header_address;
  if (block.group_leaf_k == 0 || block.group_internal_k == 0 ||
      block.indexed_storage_internal_k == 0)
    return PCIO_ERROR(FILE, BADVALUE, "superblock has a B-tree K of 0");
  return block;
}

/// Versions 2 and 3, from the byte behind the version on.
Result<Superblock> decode_new(ByteReader& reader, unsigned version, ConstBytes bytes) {
  Superblock block;
  block.version = version;
  block.sizes.offset_size = reader.u8();
  block.sizes.length_size = reader.u8();
  block.flags = reader.u8();
  PCIO_TRY(reader.check("superblock"));
  PCIO_TRY(check_file_sizes(block.sizes));
  const unsigned width = block.sizes.offset_size;
  block.base_address = reader.address(width);
  block.extension_address = reader.address(width);
  block.end_of_file = reader.address(width);
  block.root_header = reader.address(width);
  reader.skip(4);
  PCIO_TRY(reader.check("superblock"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "superblock"));
  return block;
}

Status encode_old(const Superblock& block, ByteWriter& out) {
  FieldWriter fields(out, block.sizes);
  fields.zeros(4);
  fields.u8(block.sizes.offset_size);
  fields.u8(block.sizes.length_size);
  fields.zeros(1);
  fields.u16(block.group_leaf_k);
  fields.u16(block.group_internal_k);
  fields.u32(block.flags);
  if (block.version == 1) {
    fields.u16(block.indexed_storage_internal_k);
    fields.zeros(2);
  }
  fields.address(block.base_address);
  fields.address(block.free_space_address);
  fields.address(block.end_of_file);
  fields.address(block.driver_info_address);
  PCIO_TRY(fields.check("superblock"));
  return encode_symbol_table_entry(block.root, block.sizes, out);
}

}  // namespace

Result<Superblock> decode_superblock(ConstBytes bytes) {
  if (!has_superblock_signature(bytes)) return PCIO_ERROR(FILE, NOTHDF5, "no HDF5 signature here");
  ByteReader reader(bytes);
  reader.skip(kSuperblockSignature.size());
  PCIO_ASSIGN(const unsigned version, decode_version(reader, 0, 3, "superblock"));
  auto block = version <= 1 ? decode_old(reader, version) : decode_new(reader, version, bytes);
  if (!block) return block;
  if (block->base_address == kUndefinedAddress || block->end_of_file == kUndefinedAddress ||
      block->root_header == kUndefinedAddress)
    return PCIO_ERROR(FILE, BADVALUE, "superblock has an undefined address where one is needed");
  return block;
}

Status encode_superblock(const Superblock& block, ByteWriter& out) {
  if (block.version > 3) return PCIO_ERROR(FILE, VERSION, "superblock version beyond 3");
  PCIO_TRY(check_file_sizes(block.sizes));
  const std::size_t start = out.size();
  out.text(kSuperblockSignature);
  out.u8(block.version);
  if (block.version <= 1) return encode_old(block, out);
  FieldWriter fields(out, block.sizes);
  fields.u8(block.sizes.offset_size);
  fields.u8(block.sizes.length_size);
  fields.u8(block.flags);
  fields.address(block.base_address);
  fields.address(block.extension_address);
  fields.address(block.end_of_file);
  fields.address(block.root_header);
  append_checksum(out, start);
  return fields.check("superblock");
}

Result<std::uint64_t> driver_info_block_size(ConstBytes prefix) {
  ByteReader reader(prefix);
  PCIO_TRY(decode_version(reader, 0, 0, "driver information block"));
  reader.skip(3);
  const std::uint64_t size = reader.u32();
  PCIO_TRY(reader.check("driver information block"));
  return kDriverInfoPrefixSize + size;
}

Result<DriverInfoBlock> decode_driver_info_block(ConstBytes bytes) {
  PCIO_ASSIGN(const std::uint64_t size, driver_info_block_size(bytes));
  ByteReader reader(bytes);
  reader.skip(8);
  const ConstBytes name = reader.bytes(8);
  const ConstBytes info = reader.bytes(static_cast<std::size_t>(size) - kDriverInfoPrefixSize);
  PCIO_TRY(reader.check("driver information block"));
  DriverInfoBlock block;
  block.driver.assign(reinterpret_cast<const char*>(name.data()), name.size());
  block.info.assign(info.begin(), info.end());
  return block;
}

Status encode_driver_info_block(const DriverInfoBlock& block, ByteWriter& out) {
  if (block.driver.size() != 8)
    return PCIO_ERROR(FILE, BADVALUE, "the name of a driver in a file has 8 characters");
  if (block.info.size() > 0xFFFFFFFFU)
    return PCIO_ERROR(FILE, OVERFLOW, "a driver information block of 4 GiB");
  out.u8(0);  // version
  out.zeros(3);
  out.u32(static_cast<std::uint32_t>(block.info.size()));
  out.bytes(std::as_bytes(std::span(block.driver)));
  out.bytes(block.info);
  return Status();
}

}  // namespace pcio
