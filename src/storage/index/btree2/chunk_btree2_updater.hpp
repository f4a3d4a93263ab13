// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: a version 2 B-tree of chunks in the file, changed node by node.
//
// A node covers the chunks between two records of nodes above it, its separators, and keeps doing so:
// what comes in between is written into it or divides it. Where a separator goes away or a leaf has
// too few records the tree is written anew. Counts change up to the header.
// Source: HDF5 File Format Specification III.A.2, "Version 2 B-trees", record types 10 and 11.

#pragma once

#include <set>

#include "format/btree2.hpp"
#include "storage/index/model/chunk_sequence.hpp"
#include "storage/index/model/index_updater.hpp"
#include "storage/index/model/index_reader.hpp"

namespace pcio {

class ChunkBtree2Updater final : public IndexUpdater,
                                 public std::enable_shared_from_this<ChunkBtree2Updater> {
 public:
  struct Node {
    ChunkOrdinal first = 0;  ///< behind its left separator; 0 for the first node of a level
    FileAddress address = kUndefinedAddress;
    std::uint64_t total = 0;  ///< records in it and below
  };
  /// By ascending `first`, apart.
  using Level = std::vector<Node>;

  /// A tree that is in the file, its header at `address`; leaves first, one root. Totals are known of
  /// leaves.
  ChunkBtree2Updater(const ChunkIndexShape& shape, const ChunkElementFormat& elements,
                     const Btree2Header& header, FileAddress address, std::vector<Level> levels);

  /// `numbers` are ordinals of the index.
  Result<Cost> mark(const ChunkIndex& index, const IntervalSet& numbers) override;
  void place(FileAddress address) override;
  [[nodiscard]] BlockSet blocks(const ChunkIndex& index) const override;
  void mark_committed() override;
  [[nodiscard]] std::uint64_t bytes() const override;
  [[nodiscard]] FileAddress root() const override { return address_; }

 private:
  [[nodiscard]] std::size_t find(std::size_t level, ChunkOrdinal ordinal) const;
  [[nodiscard]] ChunkOrdinal end_of(std::size_t level, std::size_t at) const;
  [[nodiscard]] ByteRange children_of(std::size_t level, std::size_t at) const;
  [[nodiscard]] std::uint64_t count_of(std::size_t level, std::size_t at) const;
  bool mark_changed(const ChunkIndex& index, const IntervalSet& numbers);
  bool mark_leaf(const ChunkIndex& index, ChunkOrdinal first);
  void mark_above(ChunkOrdinal ordinal);
  void divide_leaf(const ChunkIndex& index, std::size_t at);
  void divide_nodes(std::size_t level);
  void divide(std::size_t level, std::size_t at, const std::vector<ChunkOrdinal>& firsts);
  void grow();
  void add_up();
  [[nodiscard]] Cost cost() const;
  Status encode_header(ByteWriter& out) const;
  Status encode(const ChunkIndex& index, std::size_t level, std::size_t at, ByteWriter& out) const;
  Status encode_record(const ChunkIndex& index, const ChunkWalk& walk, ByteWriter& out) const;

  ChunkIndexShape shape_;
  ChunkElementFormat elements_;
  Btree2Header header_;  // root and depth follow from levels_
  FileAddress address_;
  std::vector<Level> levels_;
  // Marks.
  bool header_changed_ = false;
  std::vector<std::set<ChunkOrdinal>> marked_;  // Node::first, by level
};

}  // namespace pcio
