// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/extensible_array: an extensible array in the file: written anew, and then block by block as chunks
// come and change.
//
// New blocks lie one behind the other: header, index block, then each secondary block with the data
// blocks that it lists. Blocks and pages that never listed a chunk don't exist.
// Source: HDF5 File Format Specification VII.D, "The Extensible Array Index".

#pragma once

#include <map>
#include <set>

#include "format/extensible_array.hpp"
#include "storage/index/model/chunk_elements.hpp"
#include "storage/index/model/index_updater.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// Addresses of the blocks of an array.
struct ExtensibleArrayBlocks {
  struct Secondary {
    FileAddress address = kUndefinedAddress;
    ExtensibleArraySecondaryBlock block;
  };
  ExtensibleArrayIndexBlock index_block;      ///< without elements
  std::map<unsigned, Secondary> secondaries;  ///< those that exist
};

class ExtensibleArrayUpdater final : public IndexUpdater,
                                     public std::enable_shared_from_this<ExtensibleArrayUpdater> {
 public:
  /// An array that has no place yet; all chunks of `index` are marked. Errors: parameters that are
  /// not possible; a chunk beyond the largest index of the array.
  static Result<std::shared_ptr<ExtensibleArrayUpdater>> make(const ChunkIndex& index,
                                                              const ChunkIndexShape& shape,
                                                              ChunkNumbering numbering);
  /// The array of `context`, which has a valid header, with all its blocks.
  ExtensibleArrayUpdater(ExtensibleArrayContext context, ChunkNumbering numbering,
                         ExtensibleArrayBlocks blocks);

  Result<Cost> mark(const ChunkIndex& index, const IntervalSet& numbers) override;
  void place(FileAddress address) override;
  [[nodiscard]] BlockSet blocks(const ChunkIndex& index) const override;
  void mark_committed() override;
  [[nodiscard]] FileAddress root() const override { return context_.header_address; }
  [[nodiscard]] std::uint64_t bytes() const override;

 private:
  struct DataBlock {
    bool head = false;  ///< with all elements where there are no pages
    IntervalSet pages;
  };
  using Reader = std::shared_ptr<const ElementReader>;
  using BlockKey = std::pair<unsigned, std::uint64_t>;  // secondary, number within it

  Status note(std::uint64_t first, std::uint64_t end);
  void note_block(const ExtensibleArrayPlace& at, std::uint64_t count);
  void note_secondary(unsigned number);
  [[nodiscard]] bool direct(unsigned secondary) const {
    return secondary < geometry_.direct_secondaries();
  }
  /// Where the address of a data block is kept; its secondary block exists.
  FileAddress& address_of(const BlockKey& key);
  [[nodiscard]] FileAddress address_of(const BlockKey& key) const {
    return const_cast<ExtensibleArrayUpdater*>(this)->address_of(key);
  }
  [[nodiscard]] Cost cost() const;
  [[nodiscard]] std::uint64_t marked_bytes(const BlockKey& key, const DataBlock& block) const;
  [[nodiscard]] std::uint64_t first_of(const BlockKey& key) const;
  void place_block(const BlockKey& key, FileAddress* at);
  Status encode_index_block(const ElementReader& reader, ByteWriter& out) const;
  Status encode_block(const ElementReader& reader, const BlockKey& key, ByteWriter& out) const;
  Status encode_pages(const ElementReader& reader, const BlockKey& key, ByteRange pages,
                      ByteWriter& out) const;
  void add_blocks(const Reader& reader, const BlockKey& key, const DataBlock& data,
                  BlockSet* set) const;

  ExtensibleArrayContext context_;
  ChunkNumbering numbering_;
  ExtensibleArrayGeometry geometry_;
  ExtensibleArrayBlocks blocks_;
  // Marks.
  bool header_ = false;
  bool index_block_ = false;
  std::set<unsigned> secondaries_;
  std::map<BlockKey, DataBlock> data_blocks_;
};

}  // namespace pcio
