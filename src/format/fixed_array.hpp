// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fixed array, the chunk index of datasets that can't grow beyond a limit.
// Source: HDF5 File Format Specification, VII.C The Fixed Array Index; order of the bits in the page
// bitmap as observed in files of libhdf5 1.10.8.

#pragma once

#include <optional>

#include "format/chunk_element.hpp"

namespace pcio {

struct FixedArrayHeader {
  unsigned client = 0;        ///< 0 without filters, 1 with
  unsigned element_size = 8;  ///< bytes
  unsigned page_bits = 10;    ///< log2 of the elements in a page
  std::uint64_t count = 0;    ///< elements: chunks of the dataset's maximum dimensions
  FileAddress block_address = kUndefinedAddress;
  friend bool operator==(const FixedArrayHeader&, const FixedArrayHeader&) = default;
};
constexpr std::size_t fixed_array_header_size(const FileSizes& sizes) {
  return 12 + std::size_t{sizes.length_size} + sizes.offset_size;
}
/// Collective: pure. Errors: BADVALUE for a wrong signature, checksum or an element size that is not
/// `format`'s; VERSION, TRUNCATED.
Result<FixedArrayHeader> decode_fixed_array_header(ConstBytes bytes,
                                                   const ChunkElementFormat& format,
                                                   const FileSizes& sizes);
Status encode_fixed_array_header(const FixedArrayHeader& header, const FileSizes& sizes,
                                 ByteWriter& out);

/// Where things lie in the data block of a fixed array. All sizes and offsets in bytes.
///
/// A block of up to one page of elements holds them itself; a longer one is a head with a bitmap of
/// the pages that were ever written, and then the pages.
class FixedArrayGeometry {
 public:
  FixedArrayGeometry(const FixedArrayHeader& header, const FileSizes& sizes);
  [[nodiscard]] bool paged() const { return pages_ > 0; }
  [[nodiscard]] std::uint64_t page_count() const { return pages_; }
  [[nodiscard]] std::uint64_t page_elements() const { return page_elements_; }
  /// Elements of page `page`; the last one may be short.
  [[nodiscard]] std::uint64_t elements_in_page(std::uint64_t page) const;
  [[nodiscard]] std::uint64_t bitmap_size() const { return (pages_ + 7) / 8; }
  /// Bytes of the head with its checksum; without pages all but the elements and the checksum.
  [[nodiscard]] std::uint64_t head_size() const { return head_size_; }
  /// Offset of a page from the start of the block.
  [[nodiscard]] std::uint64_t page_offset(std::uint64_t page) const;
  /// Bytes of the whole block, or nothing where that is beyond 64 bits.
  [[nodiscard]] std::optional<std::uint64_t> block_size() const { return block_size_; }

 private:
  std::uint64_t count_;
  std::uint64_t element_size_;
  std::uint64_t page_elements_;
  std::uint64_t pages_ = 0;
  std::uint64_t head_size_ = 0;
  std::optional<std::uint64_t> block_size_;
};

/// Data block: all elements where there are no pages, else the bitmap alone.
struct FixedArrayBlock {
  std::vector<ChunkElement> elements;
  std::vector<std::byte> bitmap;  ///< see page_bit()
  friend bool operator==(const FixedArrayBlock&, const FixedArrayBlock&) = default;
};
/// Decodes a block; `bytes` has at least block_size() (paged: head_size()) bytes.
///
/// Collective: pure. Errors: BADVALUE for a wrong signature, client, header address or checksum,
/// VERSION, TRUNCATED.
Result<FixedArrayBlock> decode_fixed_array_block(ConstBytes bytes, const FixedArrayHeader& header,
                                                 FileAddress header_address,
                                                 const ChunkElementFormat& format,
                                                 const FileSizes& sizes);
/// Appends the block (paged: its head; pages are written with encode_chunk_page()).
Status encode_fixed_array_block(const FixedArrayBlock& block, const FixedArrayHeader& header,
                                FileAddress header_address, const ChunkElementFormat& format,
                                ByteWriter& out);

}  // namespace pcio
