// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: the version 2 B-tree that says where the chunks of a dataset lie, where more than
// one dimension is unlimited.
//
// As with version 1, a tree is written bottom-up into one new piece of the file, and a node exists
// only while it is being encoded.
// Source: HDF5 File Format Specification III.A.2, "Version 2 B-trees", record types 10 and 11.

#pragma once

#include "format/btree2.hpp"
#include "storage/index/model/chunk_sequence.hpp"
#include "storage/index/model/index_plan.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// The tree whose header is at `address`. Collective: independent. Errors: a damaged header.
Result<std::unique_ptr<IndexReader>> open_chunk_btree2(FileBytes& file,
                                                       const ChunkIndexShape& shape,
                                                       FileAddress address,
                                                       std::uint64_t chunk_bytes);

/// The sizes of a tree's nodes, before anything is encoded.
class ChunkBtree2Plan final : public IndexPlan,
                              public std::enable_shared_from_this<ChunkBtree2Plan> {
 public:
  /// `index` has at least one chunk.
  ChunkBtree2Plan(const ChunkIndex& index, const ChunkIndexShape& shape);
  [[nodiscard]] std::uint64_t bytes() const override;
  BlockSet blocks(FileAddress address) override;
  std::shared_ptr<IndexUpdater> updater_at(FileAddress address) override;

 private:
  /// Internal nodes hold the records between their children's: child, record, child ... All
  /// children of a node are of the same size, or one record larger.
  struct Node {
    std::uint64_t first = 0;  ///< record, counted over the tree
    std::uint64_t total = 0;  ///< records in it and below
    std::uint64_t children = 0;
    std::uint64_t first_child = 0;  ///< number within the level below
  };
  [[nodiscard]] std::uint64_t records_below(const Node& node, std::uint64_t child) const;
  [[nodiscard]] std::uint64_t first_below(const Node& node, std::uint64_t child) const;
  [[nodiscard]] std::uint64_t records_in(unsigned level, std::uint64_t total) const;
  [[nodiscard]] FileAddress node_at(FileAddress address, unsigned level,
                                    std::uint64_t number) const;
  void grow();
  void plan_level(unsigned level);
  Status encode_header(FileAddress address, ByteWriter& out) const;
  Status encode_internal(FileAddress address, unsigned level, const Node& node,
                         ByteWriter& out) const;
  Status encode_leaves(std::uint64_t first, std::uint64_t count, ByteWriter& out) const;
  Status encode_records(std::uint64_t first, std::uint64_t count, ByteWriter& out) const;

  ChunkIndexShape shape_;
  const ChunkIndex& index_;
  ChunkSequence chunks_;
  ChunkElementFormat elements_;
  Btree2Header header_;
  std::vector<std::uint64_t> cumulative_;   ///< [depth + 1] most records in and below a node
  std::vector<std::uint64_t> node_counts_;  ///< [depth + 1] leaves first
  std::vector<std::vector<Node>> levels_;   ///< [depth] of internal nodes, lowest first
};

}  // namespace pcio
