// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: the version 1 B-tree that says where the chunks of a dataset lie.
//
// A tree is written bottom-up into one new piece of the file from the runs of a ChunkIndex; a node
// exists only while it is being encoded, so any rank can encode any part of the tree.
// Source: HDF5 File Format Specification III.A.1, "B-link trees, version 1", node type 1.

#pragma once

#include <memory>

#include "format/chunk_btree.hpp"
#include "storage/index/model/chunk_sequence.hpp"
#include "storage/index/model/index_plan.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

/// What the nodes of one dataset's tree look like.
struct ChunkBtreeShape {
  FileSizes sizes;
  unsigned internal_k = 32;
  Dims chunk;                      ///< elements
  std::uint32_t element_size = 1;  ///< bytes
};
ChunkBtreeShape btree_shape(const ChunkIndexShape& shape);

/// The tree at `root`. Chunks outside the extent are skipped. Collective: pure.
std::unique_ptr<IndexReader> open_chunk_btree(const ChunkBtreeShape& shape, FileAddress root,
                                              ChunkForm form);

/// The sizes of a tree's levels, before anything is encoded.
class ChunkBtreePlan final : public IndexPlan, public std::enable_shared_from_this<ChunkBtreePlan> {
 public:
  ChunkBtreePlan(const ChunkIndex& index, const ChunkBtreeShape& shape);
  /// 0 where no chunk is allocated: then there is no tree.
  [[nodiscard]] std::uint64_t bytes() const override { return nodes_ * node_bytes(); }
  [[nodiscard]] FileAddress root_at(FileAddress address) const override;
  BlockSet blocks(FileAddress address) override;
  std::shared_ptr<IndexUpdater> updater_at(FileAddress address) override;

 private:
  struct Level {
    std::uint64_t first_node = 0;
    std::uint64_t nodes = 0;
    std::uint64_t chunks_per_child = 1;
  };
  [[nodiscard]] std::uint64_t node_bytes() const;
  Status encode_nodes(FileAddress address, std::uint64_t first, std::uint64_t count,
                      ByteWriter& out) const;
  void fill_node(FileAddress address, unsigned level, std::uint64_t number,
                 ChunkBtreeNode& node) const;
  void add_chunks(std::uint64_t first, std::uint64_t count, ChunkBtreeNode& node) const;
  void add_children(FileAddress address, unsigned level, std::uint64_t first, std::uint64_t count,
                    ChunkBtreeNode& node) const;
  void add_last_key(std::uint64_t chunk_number, ChunkBtreeNode& node) const;

  ChunkBtreeShape shape_;
  const ChunkIndex& index_;
  ChunkSequence chunks_;
  std::uint64_t nodes_ = 0;
  std::vector<Level> levels_;  // leaves first
};

}  // namespace pcio
