// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: extensible array, the chunk index of datasets with one unlimited dimension.
// Source: HDF5 File Format Specification, VII.D The Extensible Array Index; the sizes of blocks and
// the order of the bits in the page bitmap as observed in files of libhdf5 1.10.8.

#pragma once

#include <optional>

#include "format/chunk_element.hpp"
#include "format/layout_message.hpp"

namespace pcio {

struct ExtensibleArrayHeader {
  unsigned client = 0;        ///< 0 without filters, 1 with
  unsigned element_size = 8;  ///< bytes
  ExtensibleArrayParameters parameters;
  std::uint64_t secondary_blocks = 0;       ///< created
  std::uint64_t secondary_block_bytes = 0;  ///< of all that were created
  std::uint64_t data_blocks = 0;            ///< created
  std::uint64_t data_block_bytes = 0;       ///< of all that were created
  std::uint64_t max_index_set = 0;          ///< highest index ever set, plus 1
  std::uint64_t elements = 0;               ///< for which there is room in what was created
  FileAddress index_block_address = kUndefinedAddress;
  friend bool operator==(const ExtensibleArrayHeader&, const ExtensibleArrayHeader&) = default;
};
constexpr std::size_t extensible_array_header_size(const FileSizes& sizes) {
  return 16 + 6 * std::size_t{sizes.length_size} + sizes.offset_size;
}
/// Collective: pure. Errors: BADVALUE for a wrong signature, checksum, element size or impossible
/// parameters; VERSION, TRUNCATED.
Result<ExtensibleArrayHeader> decode_extensible_array_header(ConstBytes bytes,
                                                             const ChunkElementFormat& format,
                                                             const FileSizes& sizes);
Status encode_extensible_array_header(const ExtensibleArrayHeader& header, const FileSizes& sizes,
                                      ByteWriter& out);

/// Secondary block number n of the array. The first few exist in thought only: the addresses of
/// their data blocks are in the index block.
struct SecondaryBlockShape {
  std::uint64_t first_element = 0;  ///< counted from the first element behind the index block's
  std::uint64_t first_data_block = 0;
  std::uint64_t data_blocks = 0;
  std::uint64_t block_elements = 0;  ///< elements in each data block
};

/// Where an element is.
struct ExtensibleArrayPlace {
  bool in_index_block = false;
  unsigned secondary = 0;        ///< number of the secondary block
  std::uint64_t data_block = 0;  ///< within the secondary block
  std::uint64_t element = 0;     ///< within the data block, or within the index block
};

/// Where things lie in an extensible array. All sizes and offsets in bytes.
class ExtensibleArrayGeometry {
 public:
  ExtensibleArrayGeometry(const ExtensibleArrayHeader& header, const FileSizes& sizes);
  /// False where the parameters are not possible; then nothing else may be asked.
  [[nodiscard]] bool valid() const { return valid_; }

  [[nodiscard]] unsigned secondary_count() const { return secondary_count_; }
  /// Secondary blocks whose data blocks are in the index block.
  [[nodiscard]] unsigned direct_secondaries() const { return direct_; }
  [[nodiscard]] SecondaryBlockShape shape(unsigned secondary) const;
  /// Nothing beyond the largest index of the array.
  [[nodiscard]] std::optional<ExtensibleArrayPlace> locate(std::uint64_t index) const;

  [[nodiscard]] std::size_t index_data_addresses() const { return index_data_addresses_; }
  [[nodiscard]] std::size_t index_secondary_addresses() const { return secondary_count_ - direct_; }
  [[nodiscard]] std::size_t index_block_size() const;
  [[nodiscard]] std::uint64_t secondary_block_size(unsigned secondary) const;
  /// Bytes of the bitmap in a secondary block; 0 where its data blocks have no pages. The bit of a
  /// page is page_bit(bitmap, data block * pages + page).
  [[nodiscard]] std::uint64_t bitmap_size(unsigned secondary) const;
  /// Pages of each data block of a secondary block; 0 where a block holds its elements itself.
  [[nodiscard]] std::uint64_t page_count(unsigned secondary) const;
  [[nodiscard]] std::uint64_t page_elements() const { return page_elements_; }
  /// Head of a data block; with pages including a checksum.
  [[nodiscard]] std::uint64_t data_block_head(unsigned secondary) const;
  [[nodiscard]] std::uint64_t data_block_size(unsigned secondary) const;
  /// Offset of a page from the start of its data block.
  [[nodiscard]] std::uint64_t page_offset(unsigned secondary, std::uint64_t page) const;
  /// Width in bytes of the "block offset" field.
  [[nodiscard]] unsigned offset_width() const { return offset_width_; }

 private:
  std::uint64_t element_size_;
  std::uint64_t index_elements_;
  std::uint64_t min_elements_;
  std::uint64_t page_elements_ = 0;
  std::size_t offset_size_;
  std::size_t index_data_addresses_ = 0;
  unsigned secondary_count_ = 0;
  unsigned direct_ = 0;
  unsigned offset_width_ = 0;
  bool valid_ = false;
};

struct ExtensibleArrayIndexBlock {
  std::vector<ChunkElement> elements;
  std::vector<FileAddress> data_blocks;
  std::vector<FileAddress> secondary_blocks;
  friend bool operator==(const ExtensibleArrayIndexBlock&,
                         const ExtensibleArrayIndexBlock&) = default;
};
struct ExtensibleArraySecondaryBlock {
  std::vector<std::byte> bitmap;
  std::vector<FileAddress> data_blocks;
  friend bool operator==(const ExtensibleArraySecondaryBlock&,
                         const ExtensibleArraySecondaryBlock&) = default;
};

/// Identifies a block of an array to its decoder and encoder.
struct ExtensibleArrayContext {
  ExtensibleArrayHeader header;
  FileAddress header_address = kUndefinedAddress;
  ChunkElementFormat format;
  FileSizes sizes;
};

/// Decoders of blocks; `bytes` has at least the size that the geometry says (a data block with pages:
/// its head). Collective: pure. Errors: BADVALUE for a wrong signature, client, header address,
/// block offset or checksum; VERSION, TRUNCATED.
Result<ExtensibleArrayIndexBlock> decode_extensible_array_index_block(
    ConstBytes bytes, const ExtensibleArrayContext& context);
Result<ExtensibleArraySecondaryBlock> decode_extensible_array_secondary_block(
    ConstBytes bytes, const ExtensibleArrayContext& context, unsigned secondary);
/// Elements of data block `block` of a secondary block; empty where they are in pages.
Result<std::vector<ChunkElement>> decode_extensible_array_data_block(
    ConstBytes bytes, const ExtensibleArrayContext& context, unsigned secondary,
    std::uint64_t block);

Status encode_extensible_array_index_block(const ExtensibleArrayIndexBlock& block,
                                           const ExtensibleArrayContext& context, ByteWriter& out);
Status encode_extensible_array_secondary_block(const ExtensibleArraySecondaryBlock& block,
                                               const ExtensibleArrayContext& context,
                                               unsigned secondary, ByteWriter& out);
/// With pages, `elements` is empty and the head alone is appended.
Status encode_extensible_array_data_block(std::span<const ChunkElement> elements,
                                          const ExtensibleArrayContext& context, unsigned secondary,
                                          std::uint64_t block, ByteWriter& out);

}  // namespace pcio
