// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/heaps: one global heap collection in memory, as it lies in a file.

#pragma once

#include <span>
#include <vector>

#include "format/global_heap.hpp"

namespace pcio {

/// Why an object is not there, or not all of it.
Result<ConstBytes> no_heap_object(std::uint32_t index);
Result<ConstBytes> short_heap_object(std::uint32_t index, std::uint64_t size, std::uint64_t least);

/// The bytes of a collection and where its objects are. Threads: thread-compatible.
class CollectionImage {
 public:
  /// An empty collection of `size` bytes, a multiple of 8 and not less than kGlobalHeapMinSize.
  static CollectionImage make(std::uint64_t size, const FileSizes& sizes);
  /// `bytes` begins with the whole collection. Errors: BADVALUE, TRUNCATED, VERSION.
  static Result<CollectionImage> parse(std::vector<std::byte> bytes, const FileSizes& sizes);

  /// Data of an object, at least `least` bytes of it. Errors: HEAP NOTFOUND; BADSIZE.
  [[nodiscard]] Result<ConstBytes> object(std::uint32_t index, std::uint64_t least) const;
  [[nodiscard]] std::size_t objects() const { return entries_.size(); }
  /// Bytes of the whole collection.
  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }
  /// Bytes behind the last object.
  [[nodiscard]] std::uint64_t room() const { return bytes_.size() - used_; }
  /// Room for an object of `size` bytes, and an index for it.
  [[nodiscard]] bool has_room(std::uint64_t size) const;
  /// Adds an object, for which there is room, and returns its index.
  std::uint32_t add(ConstBytes data);
  /// Takes objects away that are there and nobody else counts on; what is left moves up. How many
  /// went.
  std::size_t remove(std::span<const std::uint32_t> indexes);
  /// Makes the collection shorter: no less than it needs, nor than any must have.
  void shrink_to(std::uint64_t size);
  /// All of it, the free space with its head.
  [[nodiscard]] ConstBytes bytes();

 private:
  CollectionImage(std::vector<std::byte> bytes, const FileSizes& sizes)
      : sizes_(sizes), bytes_(std::move(bytes)) {}
  [[nodiscard]] const GlobalHeapEntry* find(std::uint32_t index) const;
  [[nodiscard]] std::uint32_t free_index() const;
  void write_object_head(std::size_t at, const GlobalHeapEntry& entry);

  FileSizes sizes_;
  std::vector<std::byte> bytes_;
  std::vector<GlobalHeapEntry> entries_;  ///< in the order of their bytes
  std::vector<std::uint32_t> by_index_;   ///< places in entries_, where they are not in order
  std::size_t used_ = 0;                  ///< bytes up to the end of the last object
};

}  // namespace pcio
