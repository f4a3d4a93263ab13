// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: local heap, the names of an old-style group.
// Source: HDF5 File Format Specification, III.D Local Heaps.

#pragma once

#include <optional>

#include "format/file_sizes.hpp"

namespace pcio {

/// The head block of a local heap.
struct LocalHeapHeader {
  /// The value that ends a free list (and marks an empty one).
  static constexpr std::uint64_t kNoFreeBlock = 1;
  std::uint64_t segment_size = 0;           ///< bytes
  std::uint64_t first_free = kNoFreeBlock;  ///< offset into the segment
  FileAddress segment_address = kUndefinedAddress;
  friend bool operator==(const LocalHeapHeader&, const LocalHeapHeader&) = default;
};

constexpr std::size_t local_heap_header_size(const FileSizes& sizes) {
  return 8 + 2 * std::size_t{sizes.length_size} + sizes.offset_size;
}
/// Smallest free block of a segment, in bytes: room for its two lengths.
constexpr std::size_t local_heap_slack(std::size_t length_size) {
  return (2 * length_size + 7) / 8 * 8;
}
Result<LocalHeapHeader> decode_local_heap_header(ConstBytes bytes, const FileSizes& sizes);
Status encode_local_heap_header(const LocalHeapHeader& header, const FileSizes& sizes,
                                ByteWriter& out);

/// The data segment of a local heap, with its list of free blocks.
///
/// Names are NUL-terminated and begin at multiples of 8; offset 0 holds the empty string.
class LocalHeapSegment {
 public:
  /// A segment of `size` bytes (a multiple of 8, at least 8) that holds just the empty name.
  LocalHeapSegment(std::size_t size, const FileSizes& sizes);

  /// Takes over bytes of a file and checks the free list: blocks inside, disjoint, no cycle.
  /// Errors: BADVALUE.
  static Result<LocalHeapSegment> decode(ConstBytes segment, std::uint64_t first_free,
                                         const FileSizes& sizes);
  /// Bytes of the segment with the free list written into its free blocks.
  [[nodiscard]] std::vector<std::byte> encode() const;

  [[nodiscard]] std::size_t size() const { return data_.size(); }
  /// Offset of the first free block, or LocalHeapHeader::kNoFreeBlock.
  [[nodiscard]] std::uint64_t first_free() const;
  /// The name at `offset`. Errors: BADRANGE, TRUNCATED without a terminating NUL.
  [[nodiscard]] Result<std::string_view> name(std::uint64_t offset) const;
  /// Places `name` in the first free block that fits; nothing if there is none (then `grow`).
  std::optional<std::uint64_t> insert(std::string_view name);
  /// Gives back the space of the name at `offset`. Errors: as name().
  Status remove(std::uint64_t offset);
  /// Makes the segment at least `size` bytes long; the new bytes are free. Shrinks never.
  void grow(std::size_t size);
  /// Bytes that insert() needs for a name.
  static std::size_t space_for(std::string_view name) { return (name.size() + 8) / 8 * 8; }

 private:
  struct FreeBlock {
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  explicit LocalHeapSegment(const FileSizes& sizes) : length_size_(sizes.length_size) {}
  /// A free block must hold the offset of the next one and its own size.
  [[nodiscard]] std::size_t smallest_free() const { return local_heap_slack(length_size_); }
  void add_free(FreeBlock block);

  std::size_t length_size_;
  std::vector<std::byte> data_;
  std::vector<FreeBlock> free_;  ///< ascending offsets
};

/// The name at `offset` of a heap segment. Errors: BADRANGE, TRUNCATED.
Result<std::string_view> local_heap_name(ConstBytes segment, std::uint64_t offset);

}  // namespace pcio
