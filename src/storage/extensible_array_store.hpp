// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the extensible array that says where the chunks of a dataset with one unlimited
// dimension lie.
//
// Written whole into one new piece of the file: header, index block, then each secondary block with
// the data blocks that it lists. Blocks and pages that list no chunk don't exist.
// Source: HDF5 File Format Specification VII.D, "The Extensible Array Index".

#pragma once

#include "format/extensible_array.hpp"
#include "storage/chunk_elements.hpp"
#include "storage/stored_index.hpp"

namespace pcio {

/// The array whose header is at `address`. Collective: independent. Errors: a damaged header.
Result<std::unique_ptr<StoredIndex>> open_extensible_array(FileBytes& file,
                                                           const ChunkIndexShape& shape,
                                                           FileAddress address,
                                                           std::uint64_t chunk_bytes);

/// The sizes and places of an array's blocks, before anything is encoded. The index outlives the
/// plan and does not change while blocks are encoded.
class ExtensibleArrayPlan {
 public:
  /// Errors: parameters that are not possible; a chunk beyond the largest index of the array.
  static Result<std::shared_ptr<const ExtensibleArrayPlan>> make(const ChunkIndex& index,
                                                                 const ChunkIndexShape& shape);
  [[nodiscard]] std::uint64_t total_bytes() const { return total_; }
  /// Blocks of the array at `address`, its header first; they keep the plan alive. What is not
  /// covered by one is never read.
  static BlockSet blocks(const std::shared_ptr<const ExtensibleArrayPlan>& plan,
                         FileAddress address);

 private:
  /// A data block; addresses are relative to the array's.
  struct DataBlock {
    std::uint64_t number = 0;  ///< within its secondary block
    std::uint64_t offset = 0;
    IntervalSet pages;         ///< that list a chunk, where the block has pages
  };
  struct Secondary {
    std::uint64_t offset = 0;
    std::map<std::uint64_t, DataBlock> data_blocks;
  };

  ExtensibleArrayPlan(const ChunkIndex& index, const ChunkIndexShape& shape,
                      ChunkNumbering numbering, const ExtensibleArrayHeader& header);
  Status note(std::uint64_t first, std::uint64_t end);
  void place();
  [[nodiscard]] std::uint64_t first_of(unsigned secondary, std::uint64_t block) const;
  [[nodiscard]] ExtensibleArrayContext context(FileAddress address) const;
  Status encode_header(FileAddress address, ByteWriter& out) const;
  Status encode_secondary(FileAddress address, unsigned number, ByteWriter& out) const;
  Status encode_block(FileAddress address, unsigned secondary, const DataBlock& block,
                      ByteWriter& out) const;
  Status encode_pages(unsigned secondary, const DataBlock& block, ByteRange pages,
                      ByteWriter& out) const;
  void add_blocks(const std::shared_ptr<const ExtensibleArrayPlan>& plan, FileAddress address,
                  unsigned secondary, BlockSet* set) const;

  ChunkIndexShape shape_;
  ChunkNumbering numbering_;
  ElementReader reader_;
  ChunkElementFormat elements_;
  ExtensibleArrayHeader header_;
  ExtensibleArrayGeometry geometry_;
  std::map<unsigned, Secondary> secondaries_;
  std::uint64_t total_ = 0;
};

}  // namespace pcio
