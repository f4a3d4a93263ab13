// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: a version 1 B-tree of chunks in the file, changed node by node.
//
// A leaf covers the chunks from its bound to the next leaf's, and keeps doing so: what comes in
// between is written into it or divides it. A tree of which a leaf becomes empty is written anew.
// Memory: two numbers a node.
// Source: HDF5 File Format Specification III.A.1, "B-link trees, version 1", node type 1.

#pragma once

#include <set>

#include "storage/index/btree1/chunk_btree_plan.hpp"
#include "storage/index/model/index_updater.hpp"

namespace pcio {

class ChunkBtreeUpdater final : public IndexUpdater,
                                public std::enable_shared_from_this<ChunkBtreeUpdater> {
 public:
  struct Node {
    ChunkOrdinal bound = 0;  ///< of the first chunk that can be below; the level's first has 0
    FileAddress address = kUndefinedAddress;
  };
  /// By ascending bound, apart.
  using Level = std::vector<Node>;

  /// A tree that is in the file; leaves first, one root.
  ChunkBtreeUpdater(const ChunkBtreeShape& shape, std::vector<Level> levels);

  /// `numbers` are ordinals of the index. A cost beyond all bounds where a leaf would be empty.
  Result<Cost> mark(const ChunkIndex& index, const IntervalSet& numbers) override;
  void place(FileAddress address) override;
  [[nodiscard]] BlockSet blocks(const ChunkIndex& index) const override;
  void mark_committed() override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] FileAddress root() const override { return levels_.back().front().address; }

 private:
  [[nodiscard]] std::uint64_t fanout() const { return 2 * std::uint64_t{shape_.internal_k}; }
  [[nodiscard]] std::uint64_t node_bytes() const;
  [[nodiscard]] std::size_t find(std::size_t level, ChunkOrdinal ordinal) const;
  [[nodiscard]] ChunkOrdinal end_of(std::size_t level, std::size_t at) const;
  void mark_outer(ChunkOrdinal leaf);
  bool divide_leaf(const ChunkIndex& index, std::size_t at);
  void divide_nodes(std::size_t level);
  void divide(std::size_t level, std::size_t at, const std::vector<ChunkOrdinal>& bounds);
  Status encode(const ChunkIndex& index, std::size_t level, std::size_t at, ByteWriter& out) const;
  void add_chunks(const ChunkIndex& index, std::size_t at, ChunkBtreeNode& node) const;
  void add_children(const ChunkIndex& index, std::size_t level, std::size_t at,
                    ChunkBtreeNode& node) const;
  void add_last_key(const ChunkIndex& index, std::size_t level, std::size_t at,
                    ChunkBtreeNode& node) const;

  ChunkBtreeShape shape_;
  std::vector<Level> levels_;
  std::vector<std::set<ChunkOrdinal>> marked_;  // bounds, by level
};

}  // namespace pcio
