// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: fractal heap, where dense links and attributes and shared messages live.
// Source: HDF5 File Format Specification, III.G Fractal Heap.

#pragma once

#include <optional>
#include <span>

#include "format/file_sizes.hpp"
#include "format/filter_pipeline_message.hpp"

namespace pcio {

/// The head block of a fractal heap. Sizes in bytes.
struct FractalHeapHeader {
  std::uint16_t id_length = 8;
  bool ids_wrapped = false;
  bool checksum_direct_blocks = true;
  std::uint32_t max_managed_size = 4096;
  std::uint64_t next_huge_id = 0;
  FileAddress huge_index_address = kUndefinedAddress;
  std::uint64_t free_space = 0;  ///< in managed blocks
  FileAddress free_space_address = kUndefinedAddress;
  std::uint64_t managed_space = 0;
  std::uint64_t allocated_space = 0;
  std::uint64_t iterator_offset = 0;
  std::uint64_t managed_objects = 0;
  std::uint64_t huge_size = 0;
  std::uint64_t huge_objects = 0;
  std::uint64_t tiny_size = 0;
  std::uint64_t tiny_objects = 0;
  std::uint16_t table_width = 4;  ///< columns of the doubling table
  std::uint64_t start_block_size = 512;
  std::uint64_t max_direct_size = 65536;
  std::uint16_t max_heap_bits = 32;  ///< log2 of the heap's address space
  std::uint16_t start_root_rows = 1;
  FileAddress root_address = kUndefinedAddress;
  std::uint16_t root_rows = 0;  ///< 0: the root is a direct block
  /// With filters: what is stored of a direct root, and the pipeline.
  std::uint64_t filtered_root_size = 0;
  std::uint32_t filtered_root_mask = 0;
  std::vector<FilterDescription> filters;
  std::vector<std::byte> filter_message;  ///< the same as it lies in the file
  friend bool operator==(const FractalHeapHeader&, const FractalHeapHeader&) = default;
};
/// Bytes of a header without filters.
constexpr std::size_t fractal_heap_header_size(const FileSizes& sizes) {
  return 26 + 12 * std::size_t{sizes.length_size} + 3 * std::size_t{sizes.offset_size};
}
/// Bytes of this header.
std::size_t fractal_heap_header_size(const FractalHeapHeader& header, const FileSizes& sizes);
/// Bytes of a header, from its first 9.
Result<std::size_t> fractal_heap_header_size(ConstBytes first, const FileSizes& sizes);
/// Collective: pure. Errors: BADVALUE for a wrong signature, checksum or impossible parameters,
/// VERSION, TRUNCATED.
Result<FractalHeapHeader> decode_fractal_heap_header(ConstBytes bytes, const FileSizes& sizes);
/// Errors: OVERFLOW.
Status encode_fractal_heap_header(const FractalHeapHeader& header, const FileSizes& sizes,
                                  ByteWriter& out);

/// Entry of an indirect block.
struct FractalHeapChild {
  FileAddress address = kUndefinedAddress;  ///< undefined: no block there yet
  std::uint64_t filtered_size = 0;          ///< bytes; direct blocks of heaps with filters
  std::uint32_t filter_mask = 0;
  friend bool operator==(const FractalHeapChild&, const FractalHeapChild&) = default;
};

/// Position of a block in an indirect block.
struct FractalHeapPlace {
  unsigned row = 0;
  unsigned column = 0;
  std::uint64_t block_offset = 0;  ///< of the block, in the heap's address space
  std::uint64_t block_size = 0;    ///< bytes of address space that the block covers
};

/// The doubling table: how the heap's address space is cut into blocks. Sizes in bytes.
///
/// Rows 0 and 1 have blocks of the starting size, each further row doubles it. From a certain size on
/// a block is an indirect block, cut in the same way.
class FractalHeapGeometry {
 public:
  FractalHeapGeometry(const FractalHeapHeader& header, const FileSizes& sizes);
  [[nodiscard]] bool valid() const { return valid_; }
  [[nodiscard]] unsigned width() const { return width_; }
  /// Rows of direct blocks in an indirect block.
  [[nodiscard]] unsigned direct_rows() const { return direct_rows_; }
  /// Rows that an indirect block which covers the whole address space would have.
  [[nodiscard]] unsigned max_rows() const { return max_rows_; }
  [[nodiscard]] std::uint64_t block_size(unsigned row) const;
  /// Offset of a row from the start of its indirect block.
  [[nodiscard]] std::uint64_t row_offset(unsigned row) const;
  /// Rows of the indirect block at `row` of its parent.
  [[nodiscard]] unsigned rows_of_child(unsigned row) const;
  /// The block that holds `offset` (from the start of the heap), in an indirect block of `rows` rows
  /// that begins at `base`; nothing outside of it.
  [[nodiscard]] std::optional<FractalHeapPlace> locate(std::uint64_t offset, std::uint64_t base,
                                                       unsigned rows) const;
  /// Bytes in the file.
  [[nodiscard]] std::size_t indirect_block_size(unsigned rows) const;
  /// Bytes in front of the objects of a direct block.
  [[nodiscard]] std::size_t direct_head_size() const;
  /// Width in bytes of offsets in the heap, and of lengths in ids of managed objects.
  [[nodiscard]] unsigned offset_width() const { return offset_width_; }
  [[nodiscard]] unsigned length_width() const { return length_width_; }

 private:
  std::uint64_t start_;
  FileSizes sizes_;
  unsigned width_;
  unsigned direct_rows_ = 0;
  unsigned max_rows_ = 0;
  unsigned offset_width_ = 0;
  unsigned length_width_ = 0;
  bool checksum_;
  bool filtered_;
  bool valid_ = false;
};

/// Identifies a block of a heap to its decoder and encoder.
struct FractalHeapContext {
  FractalHeapHeader header;
  FileAddress header_address = kUndefinedAddress;
  FileSizes sizes;
};

/// Checks the head of a direct block whose (unfiltered) bytes are all given. Objects are found by
/// their offsets in the heap: offset - block_offset from the start of the block, head included.
/// Collective: pure. Errors: BADVALUE, VERSION, TRUNCATED.
Status check_fractal_direct_block(ConstBytes bytes, const FractalHeapContext& context,
                                  std::uint64_t block_offset);
/// Fills in the head of a direct block: `block` has its full size and room for the head.
Status finish_fractal_direct_block(Bytes block, const FractalHeapContext& context,
                                   std::uint64_t block_offset);

/// Children of an indirect block in row-major order, direct ones first.
/// Collective: pure. Errors: BADVALUE, VERSION, TRUNCATED.
Result<std::vector<FractalHeapChild>> decode_fractal_indirect_block(
    ConstBytes bytes, const FractalHeapContext& context, std::uint64_t block_offset, unsigned rows);
/// Errors: BADVALUE for a wrong number of children.
Status encode_fractal_indirect_block(std::span<const FractalHeapChild> children,
                                     const FractalHeapContext& context, std::uint64_t block_offset,
                                     ByteWriter& out);

enum class FractalIdKind : std::uint8_t { kManaged = 0, kHuge = 1, kTiny = 2 };

/// A decoded heap id.
struct FractalHeapId {
  FractalIdKind kind = FractalIdKind::kManaged;
  std::uint64_t offset = 0;  ///< managed: bytes from the start of the heap
  std::uint64_t length = 0;  ///< managed: bytes
  /// Huge: where the object is, if the id has room for that; else the key in the index of them.
  FileAddress address = kUndefinedAddress;
  std::uint64_t file_size = 0;  ///< bytes
  std::uint32_t filter_mask = 0;
  std::uint64_t memory_size = 0;  ///< bytes without filters
  std::uint64_t key = 0;
  std::vector<std::byte> tiny;  ///< tiny: the object itself
};
/// True where ids of huge objects hold an address rather than a key.
bool fractal_ids_are_direct(const FractalHeapHeader& header, const FileSizes& sizes);
/// Collective: pure. Errors: VERSION, TRUNCATED, BADVALUE for an unknown kind.
Result<FractalHeapId> decode_fractal_heap_id(ConstBytes raw, const FractalHeapHeader& header,
                                             const FileSizes& sizes);
/// Bytes of the largest tiny object: one that an id itself holds.
std::size_t fractal_tiny_most(const FractalHeapHeader& header);
/// Ids of tiny objects, of at most fractal_tiny_most() bytes.
Status encode_tiny_heap_id(ConstBytes object, const FractalHeapHeader& header, ByteWriter& out);
/// Ids of huge objects: `key`, or where fractal_ids_are_direct() the place.
/// Errors: OVERFLOW.
Status encode_huge_heap_id(const FractalHeapId& id, const FractalHeapHeader& header,
                           const FileSizes& sizes, ByteWriter& out);
/// Managed ids only. Errors: OVERFLOW.
Status encode_fractal_heap_id(std::uint64_t offset, std::uint64_t length,
                              const FractalHeapHeader& header, const FileSizes& sizes,
                              ByteWriter& out);

}  // namespace pcio
