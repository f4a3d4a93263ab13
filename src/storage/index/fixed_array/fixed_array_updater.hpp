// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/fixed_array: a fixed array in the file: written anew, and then page by page as chunks change.
//
// Of an array in pages, only pages that listed a chunk once are in the file, because the array's
// bitmap tells which they are.
// Source: HDF5 File Format Specification VII.C, "The Fixed Array Index".

#pragma once

#include "format/fixed_array.hpp"
#include "storage/index/model/chunk_elements.hpp"
#include "storage/index/model/index_updater.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// The bitmap of pages is kept in memory. Bytes.
inline constexpr std::uint64_t kLargestFixedArrayHead = 1 << 30;

class FixedArrayUpdater final : public IndexUpdater,
                                public std::enable_shared_from_this<FixedArrayUpdater> {
 public:
  /// An array that has no place yet, and as many elements as the dataset can have chunks; all chunks
  /// of `index` are marked. Errors: an array larger than a file can be.
  static Result<std::shared_ptr<FixedArrayUpdater>> make(const ChunkIndex& index,
                                                         const ChunkIndexShape& shape,
                                                         ChunkNumbering numbering);
  /// The array whose header is at `address`; `bitmap`: of its block.
  FixedArrayUpdater(const ChunkIndexShape& shape, ChunkNumbering numbering,
                    const ChunkElementFormat& elements, const FixedArrayHeader& header,
                    FileAddress address, std::vector<std::byte> bitmap);

  Result<Cost> mark(const ChunkIndex& index, const IntervalSet& numbers) override;
  void place(FileAddress address) override;
  [[nodiscard]] BlockSet blocks(const ChunkIndex& index) const override;
  void mark_committed() override;
  [[nodiscard]] FileAddress root() const override { return address_; }
  [[nodiscard]] std::uint64_t bytes() const override;

 private:
  void note(std::uint64_t first, std::uint64_t end);
  [[nodiscard]] Cost cost() const;
  [[nodiscard]] std::uint64_t page_bytes(std::uint64_t page) const;
  Status encode_head(const ElementReader& reader, ByteWriter& out) const;
  Status encode_pages(const ElementReader& reader, std::uint64_t first, std::uint64_t count,
                      ByteWriter& out) const;
  void add_pages(const std::shared_ptr<const ElementReader>& reader, BlockSet* set) const;

  FileSizes sizes_;
  ChunkNumbering numbering_;
  ChunkElementFormat elements_;
  FixedArrayHeader header_;
  FixedArrayGeometry geometry_;
  FileAddress address_;            // of the header
  std::vector<std::byte> bitmap_;  // pages in the file, or about to be
  std::uint64_t pages_ = 0;        // bits set in it
  // Marks.
  bool whole_ = false;  // the header too
  bool head_ = false;   // with all elements where there are no pages
  IntervalSet changed_pages_;
};

}  // namespace pcio
