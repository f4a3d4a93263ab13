// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: chunk elements, decode and encode.

#include "format/chunk_element.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/checksum.hpp"
#include "format/raw_fields.hpp"

namespace pcio {

ChunkElementFormat ChunkElementFormat::filtered(const FileSizes& sizes, std::uint64_t chunk_bytes) {
  return ChunkElementFormat{sizes.offset_size, std::min(bytes_needed(chunk_bytes) + 1, 8U)};
}

ChunkElement decode_chunk_element(ByteReader& reader, const ChunkElementFormat& format) {
  ChunkElement element;
  element.address = reader.address(format.offset_size);
  if (format.size_width != 0) {
    element.size = reader.uint(format.size_width);
    element.filter_mask = reader.u32();
  }
  return element;
}

void encode_chunk_element(const ChunkElement& element, const ChunkElementFormat& format,
                          FieldWriter& fields) {
  fields.address(element.address);
  if (format.size_width != 0) {
    fields.uint(element.size, format.size_width);
    fields.u32(element.filter_mask);
  }
}

Result<std::vector<ChunkElement>> decode_chunk_page(ConstBytes bytes, std::uint64_t count,
                                                    const ChunkElementFormat& format) {
  if (count > bytes.size() / format.size())
    return PCIO_ERROR(DATASET, TRUNCATED, "truncated page of a chunk index");
  const std::size_t size = chunk_page_size(count, format);
  if (size > bytes.size()) return PCIO_ERROR(DATASET, TRUNCATED, "truncated page of a chunk index");
  PCIO_TRY(verify_checksum(bytes.first(size), "page of a chunk index"));
  ByteReader reader(bytes);
  std::vector<ChunkElement> elements;
  elements.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i)
    elements.push_back(decode_chunk_element(reader, format));
  return elements;
}

Status encode_chunk_page(std::span<const ChunkElement> elements, const ChunkElementFormat& format,
                         ByteWriter& out) {
  RawFields fields(chunk_page_size(elements.size(), format), format.offset_size);
  for (const ChunkElement& element : elements) {
    fields.address(element.address);
    if (format.size_width == 0) continue;
    fields.uint(element.size, format.size_width);
    fields.uint(element.filter_mask, 4);
  }
  fields.uint(lookup3(fields.written()), 4);
  out.bytes(fields.all());
  return fields.check("page of a chunk index");
}

bool page_bit(ConstBytes bitmap, std::uint64_t n) {
  const std::uint64_t at = n / 8;
  if (at >= bitmap.size()) return false;
  const std::byte mask = std::byte{0x80} >> static_cast<int>(n % 8);
  return (bitmap[static_cast<std::size_t>(at)] & mask) != std::byte{0};
}

void set_page_bit(Bytes bitmap, std::uint64_t n) {
  bitmap[static_cast<std::size_t>(n / 8)] |= std::byte{0x80} >> static_cast<int>(n % 8);
}

}  // namespace pcio
