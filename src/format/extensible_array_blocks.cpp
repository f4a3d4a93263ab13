// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: blocks of an extensible array, decode and encode.

#include "format/extensible_array.hpp"

namespace pcio {

namespace {

/// Signature, version, client and owner of a block, checked; and its checksum over `bytes`.
Status check_head(ByteReader& reader, ConstBytes bytes, const char* signature,
                  const ExtensibleArrayContext& context) {
  if (!reader.expect(signature))
    return PCIO_ERROR(EARRAY, BADVALUE, "wrong signature of an extensible array's block");
  PCIO_TRY(decode_version(reader, 0, 0, "extensible array block"));
  const unsigned client = reader.u8();
  const FileAddress owner = reader.address(context.sizes.offset_size);
  PCIO_TRY(reader.check("extensible array block"));
  PCIO_TRY(verify_checksum(bytes, "extensible array block"));
  if (client != context.header.client || owner != context.header_address)
    return PCIO_ERROR(EARRAY, BADVALUE, "block belongs to another extensible array");
  return Status();
}

void put_head(FieldWriter& fields, const char* signature, const ExtensibleArrayContext& context) {
  fields.text(signature);
  fields.u8(0);
  fields.u8(context.header.client);
  fields.address(context.header_address);
}

/// The first `size` bytes, or nothing where there are fewer.
Result<ConstBytes> cut(ConstBytes bytes, std::uint64_t size) {
  if (size > bytes.size())
    return PCIO_ERROR(EARRAY, TRUNCATED, "truncated block of an extensible array");
  return bytes.first(static_cast<std::size_t>(size));
}

std::vector<FileAddress> read_addresses(ByteReader& reader, std::uint64_t count, unsigned width) {
  std::vector<FileAddress> addresses;
  addresses.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) addresses.push_back(reader.address(width));
  return addresses;
}

Result<ExtensibleArrayGeometry> make_geometry(const ExtensibleArrayContext& context) {
  ExtensibleArrayGeometry geometry(context.header, context.sizes);
  if (!geometry.valid())
    return PCIO_ERROR(EARRAY, BADVALUE, "parameters of an extensible array are not possible");
  return geometry;
}

/// The "block offset" of a data block.
///
/// Where the index block holds the address, libhdf5 multiplies with the number of the data block in
/// the whole array rather than in its secondary block, so that is what files hold.
std::uint64_t data_block_offset(const ExtensibleArrayGeometry& geometry, unsigned secondary,
                                std::uint64_t block) {
  const SecondaryBlockShape shape = geometry.shape(secondary);
  const bool direct = secondary < geometry.direct_secondaries();
  const std::uint64_t number = direct ? shape.first_data_block + block : block;
  return shape.first_element + number * shape.block_elements;
}

}  // namespace

Result<ExtensibleArrayIndexBlock> decode_extensible_array_index_block(
    ConstBytes bytes, const ExtensibleArrayContext& context) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  PCIO_ASSIGN(bytes, cut(bytes, geometry.index_block_size()));
  ByteReader reader(bytes);
  PCIO_TRY(check_head(reader, bytes, "EAIB", context));
  ExtensibleArrayIndexBlock block;
  for (unsigned i = 0; i < context.header.parameters.index_elements; ++i)
    block.elements.push_back(decode_chunk_element(reader, context.format));
  const unsigned width = context.sizes.offset_size;
  block.data_blocks = read_addresses(reader, geometry.index_data_addresses(), width);
  block.secondary_blocks = read_addresses(reader, geometry.index_secondary_addresses(), width);
  PCIO_TRY(reader.check("index block of an extensible array"));
  return block;
}

Result<ExtensibleArraySecondaryBlock> decode_extensible_array_secondary_block(
    ConstBytes bytes, const ExtensibleArrayContext& context, unsigned secondary) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  PCIO_ASSIGN(bytes, cut(bytes, geometry.secondary_block_size(secondary)));
  ByteReader reader(bytes);
  PCIO_TRY(check_head(reader, bytes, "EASB", context));
  const SecondaryBlockShape shape = geometry.shape(secondary);
  if (reader.uint(geometry.offset_width()) != shape.first_element)
    return PCIO_ERROR(EARRAY, BADVALUE, "block of an extensible array is at the wrong place in it");
  ExtensibleArraySecondaryBlock block;
  const ConstBytes bitmap = reader.bytes(static_cast<std::size_t>(geometry.bitmap_size(secondary)));
  block.bitmap.assign(bitmap.begin(), bitmap.end());
  block.data_blocks = read_addresses(reader, shape.data_blocks, context.sizes.offset_size);
  PCIO_TRY(reader.check("secondary block of an extensible array"));
  return block;
}

Result<std::vector<ChunkElement>> decode_extensible_array_data_block(
    ConstBytes bytes, const ExtensibleArrayContext& context, unsigned secondary,
    std::uint64_t block) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  const bool paged = geometry.page_count(secondary) > 0;
  PCIO_ASSIGN(bytes, cut(bytes, paged ? geometry.data_block_head(secondary)
                                      : geometry.data_block_size(secondary)));
  ByteReader reader(bytes);
  PCIO_TRY(check_head(reader, bytes, "EADB", context));
  const std::uint64_t offset = reader.uint(geometry.offset_width());
  const SecondaryBlockShape shape = geometry.shape(secondary);
  // Other writers may take the specification at its word.
  if (offset != data_block_offset(geometry, secondary, block) &&
      offset != shape.first_element + block * shape.block_elements)
    return PCIO_ERROR(EARRAY, BADVALUE, "block of an extensible array is at the wrong place in it");
  std::vector<ChunkElement> elements;
  if (paged) return elements;
  const std::uint64_t count = shape.block_elements;
  elements.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i)
    elements.push_back(decode_chunk_element(reader, context.format));
  PCIO_TRY(reader.check("data block of an extensible array"));
  return elements;
}

Status encode_extensible_array_index_block(const ExtensibleArrayIndexBlock& block,
                                           const ExtensibleArrayContext& context, ByteWriter& out) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  if (block.elements.size() != context.header.parameters.index_elements ||
      block.data_blocks.size() != geometry.index_data_addresses() ||
      block.secondary_blocks.size() != geometry.index_secondary_addresses())
    return PCIO_ERROR(EARRAY, BADVALUE, "wrong number of entries of an index block");
  const std::size_t start = out.size();
  FieldWriter fields(out, context.sizes);
  put_head(fields, "EAIB", context);
  for (const ChunkElement& element : block.elements)
    encode_chunk_element(element, context.format, fields);
  for (FileAddress address : block.data_blocks) fields.address(address);
  for (FileAddress address : block.secondary_blocks) fields.address(address);
  append_checksum(out, start);
  return fields.check("index block of an extensible array");
}

Status encode_extensible_array_secondary_block(const ExtensibleArraySecondaryBlock& block,
                                               const ExtensibleArrayContext& context,
                                               unsigned secondary, ByteWriter& out) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  const SecondaryBlockShape shape = geometry.shape(secondary);
  if (block.bitmap.size() != geometry.bitmap_size(secondary) ||
      block.data_blocks.size() != shape.data_blocks)
    return PCIO_ERROR(EARRAY, BADVALUE, "wrong number of entries of a secondary block");
  const std::size_t start = out.size();
  FieldWriter fields(out, context.sizes);
  put_head(fields, "EASB", context);
  fields.uint(shape.first_element, geometry.offset_width());
  fields.bytes(block.bitmap);
  for (FileAddress address : block.data_blocks) fields.address(address);
  append_checksum(out, start);
  return fields.check("secondary block of an extensible array");
}

Status encode_extensible_array_data_block(std::span<const ChunkElement> elements,
                                          const ExtensibleArrayContext& context, unsigned secondary,
                                          std::uint64_t block, ByteWriter& out) {
  PCIO_ASSIGN(const ExtensibleArrayGeometry geometry, make_geometry(context));
  const bool paged = geometry.page_count(secondary) > 0;
  if (elements.size() != (paged ? 0 : geometry.shape(secondary).block_elements))
    return PCIO_ERROR(EARRAY, BADVALUE, "wrong number of elements of a data block");
  const std::size_t start = out.size();
  FieldWriter fields(out, context.sizes);
  put_head(fields, "EADB", context);
  fields.uint(data_block_offset(geometry, secondary, block), geometry.offset_width());
  for (const ChunkElement& element : elements)
    encode_chunk_element(element, context.format, fields);
  append_checksum(out, start);
  return fields.check("data block of an extensible array");
}

}  // namespace pcio
