// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: what the indexes of layout version 4 store for a chunk.
// Source: HDF5 File Format Specification, VII.C to VII.E, "Data Block Element".

#pragma once

#include <span>

#include "format/file_sizes.hpp"

namespace pcio {

/// A chunk's place; size and mask count only where the dataset has filters.
struct ChunkElement {
  FileAddress address = kUndefinedAddress;  ///< undefined: no such chunk
  std::uint64_t size = 0;                   ///< bytes stored
  std::uint32_t filter_mask = 0;            ///< bit i set: filter i was skipped
  friend bool operator==(const ChunkElement&, const ChunkElement&) = default;
};

/// Widths of an element's fields.
struct ChunkElementFormat {
  unsigned offset_size = 8;  ///< bytes
  unsigned size_width = 0;   ///< bytes; 0: no filters, so neither size nor mask is stored

  [[nodiscard]] constexpr std::size_t size() const {
    return offset_size + (size_width == 0 ? 0 : std::size_t{size_width} + 4);
  }
  /// Client id of the arrays: 0 without filters, 1 with.
  [[nodiscard]] unsigned client() const { return size_width == 0 ? 0 : 1; }
  static ChunkElementFormat unfiltered(const FileSizes& sizes) {
    return ChunkElementFormat{sizes.offset_size, 0};
  }
  /// One byte more than the size of an unfiltered chunk (bytes) needs, but at most 8.
  static ChunkElementFormat filtered(const FileSizes& sizes, std::uint64_t chunk_bytes);
  friend bool operator==(const ChunkElementFormat&, const ChunkElementFormat&) = default;
};

ChunkElement decode_chunk_element(ByteReader& reader, const ChunkElementFormat& format);
void encode_chunk_element(const ChunkElement& element, const ChunkElementFormat& format,
                          FieldWriter& fields);

/// `count` elements and their checksum: a page of an array, or the end of a block without pages.
constexpr std::size_t chunk_page_size(std::uint64_t count, const ChunkElementFormat& format) {
  return static_cast<std::size_t>(count) * format.size() + 4;
}
/// Decodes a page; `bytes` may be longer. Errors: TRUNCATED, BADVALUE for a wrong checksum.
Result<std::vector<ChunkElement>> decode_chunk_page(ConstBytes bytes, std::uint64_t count,
                                                    const ChunkElementFormat& format);
/// Appends a page with its checksum. Errors: OVERFLOW.
Status encode_chunk_page(std::span<const ChunkElement> elements, const ChunkElementFormat& format,
                         ByteWriter& out);

/// Bit `n` of a bitmap of pages: the most significant bit of a byte comes first.
bool page_bit(ConstBytes bitmap, std::uint64_t n);
void set_page_bit(Bytes bitmap, std::uint64_t n);

}  // namespace pcio
