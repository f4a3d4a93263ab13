// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fixed array, decode and encode.

#include "format/fixed_array.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

Result<FixedArrayHeader> decode_fixed_array_header(ConstBytes bytes,
                                                   const ChunkElementFormat& format,
                                                   const FileSizes& sizes) {
  ByteReader reader(bytes);
  if (!reader.expect("FAHD"))
    return PCIO_ERROR(FARRAY, BADVALUE, "wrong signature of a fixed array");
  PCIO_TRY(decode_version(reader, 0, 0, "fixed array"));
  FixedArrayHeader header;
  header.client = reader.u8();
  header.element_size = reader.u8();
  header.page_bits = reader.u8();
  header.count = reader.uint(sizes.length_size);
  header.block_address = reader.address(sizes.offset_size);
  reader.skip(4);
  PCIO_TRY(reader.check("fixed array"));
  PCIO_TRY(verify_checksum(bytes.first(reader.position()), "fixed array"));
  if (header.client != format.client() || header.element_size != format.size())
    return PCIO_ERROR(FARRAY, BADVALUE, "elements of a fixed array do not match its dataset");
  if (header.page_bits == 0 || header.page_bits > 32 ||
      !FixedArrayGeometry(header, sizes).block_size())
    return PCIO_ERROR(FARRAY, BADVALUE, "sizes of a fixed array are not possible");
  return header;
}

Status encode_fixed_array_header(const FixedArrayHeader& header, const FileSizes& sizes,
                                 ByteWriter& out) {
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("FAHD");
  fields.u8(0);
  fields.u8(header.client);
  fields.u8(header.element_size);
  fields.u8(header.page_bits);
  fields.length(header.count);
  fields.address(header.block_address);
  append_checksum(out, start);
  return fields.check("fixed array");
}

FixedArrayGeometry::FixedArrayGeometry(const FixedArrayHeader& header, const FileSizes& sizes)
    : count_(header.count),
      element_size_(header.element_size),
      page_elements_(std::uint64_t{1} << header.page_bits),
      head_size_(6 + sizes.offset_size) {
  std::uint64_t checksums = 1;
  if (count_ > page_elements_) {
    pages_ = ceil_div(count_, page_elements_);
    head_size_ += bitmap_size() + 4;
    checksums = pages_;
  }
  const auto elements = checked_mul(count_, element_size_);
  const auto sums = checked_mul(checksums, std::uint64_t{4});
  const auto body = elements && sums ? checked_add(*elements, *sums) : std::nullopt;
  block_size_ = body ? checked_add(*body, head_size_) : std::nullopt;
}

std::uint64_t FixedArrayGeometry::elements_in_page(std::uint64_t page) const {
  return std::min(page_elements_, count_ - page * page_elements_);
}

std::uint64_t FixedArrayGeometry::page_offset(std::uint64_t page) const {
  return head_size_ + page * (page_elements_ * element_size_ + 4);
}

Result<FixedArrayBlock> decode_fixed_array_block(ConstBytes bytes, const FixedArrayHeader& header,
                                                 FileAddress header_address,
                                                 const ChunkElementFormat& format,
                                                 const FileSizes& sizes) {
  const FixedArrayGeometry geometry(header, sizes);
  const std::uint64_t whole =
      geometry.paged() ? geometry.head_size() : geometry.block_size().value_or(~std::uint64_t{0});
  if (bytes.size() < whole)
    return PCIO_ERROR(FARRAY, TRUNCATED, "truncated data block of a fixed array");
  bytes = bytes.first(static_cast<std::size_t>(whole));
  ByteReader reader(bytes);
  if (!reader.expect("FADB"))
    return PCIO_ERROR(FARRAY, BADVALUE, "wrong signature of a fixed array's data block");
  PCIO_TRY(decode_version(reader, 0, 0, "fixed array data block"));
  const unsigned client = reader.u8();
  const FileAddress owner = reader.address(sizes.offset_size);
  PCIO_TRY(verify_checksum(bytes, "fixed array data block"));
  if (client != header.client || owner != header_address)
    return PCIO_ERROR(FARRAY, BADVALUE, "data block belongs to another fixed array");
  FixedArrayBlock block;
  if (geometry.paged()) {
    const ConstBytes bitmap = reader.bytes(static_cast<std::size_t>(geometry.bitmap_size()));
    block.bitmap.assign(bitmap.begin(), bitmap.end());
  } else {
    block.elements.reserve(static_cast<std::size_t>(header.count));
    for (std::uint64_t i = 0; i < header.count; ++i)
      block.elements.push_back(decode_chunk_element(reader, format));
  }
  PCIO_TRY(reader.check("fixed array data block"));
  return block;
}

Status encode_fixed_array_block(const FixedArrayBlock& block, const FixedArrayHeader& header,
                                FileAddress header_address, const ChunkElementFormat& format,
                                ByteWriter& out) {
  const FileSizes sizes{format.offset_size, 8};
  const FixedArrayGeometry geometry(header, sizes);
  if (geometry.paged() ? block.bitmap.size() != geometry.bitmap_size()
                       : block.elements.size() != header.count)
    return PCIO_ERROR(FARRAY, BADVALUE, "wrong number of elements of a fixed array");
  const std::size_t start = out.size();
  FieldWriter fields(out, sizes);
  fields.text("FADB");
  fields.u8(0);
  fields.u8(header.client);
  fields.address(header_address);
  fields.bytes(block.bitmap);
  for (const ChunkElement& element : block.elements) encode_chunk_element(element, format, fields);
  append_checksum(out, start);
  return fields.check("fixed array data block");
}

}  // namespace pcio
