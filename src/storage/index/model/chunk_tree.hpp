// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: what the B-trees of chunks have in common when they are read: a descent to where
// the keys say that wanted chunks are.
//
// Internal nodes stay in memory, leaves don't. A node is read once, by one parent, one level below
// it: a damaged tree can't make the reader go in circles.

#pragma once

#include <set>

#include "storage/index/model/index_reader.hpp"

namespace pcio {

class ChunkTree : public IndexReader {
 public:
  Status load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) override;
  Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) override;

 protected:
  struct Child {
    FileAddress address = kUndefinedAddress;
    std::uint64_t count = 0;  ///< records, for trees whose nodes don't say it themselves
  };
  /// An internal node; of a leaf the level alone.
  struct Node {
    unsigned level = 0;
    std::vector<Child> children;
    /// [children + 1] The chunks below child i have ordinals in [bounds[i], bounds[i + 1]).
    std::vector<std::uint64_t> bounds;
    std::vector<std::unique_ptr<Node>> below;  ///< [children] as far as they were read
  };
  /// Decodes a node with the ordinals [first, end) below it, and adds the chunks that are in the
  /// node itself. `level`: what it must be; nothing for the root.
  virtual Result<Node> read_node(const Child& child, std::optional<unsigned> level,
                                 ByteRange ordinals, ChunkSink& sink) = 0;
  /// Bytes of each node.
  [[nodiscard]] virtual std::uint64_t node_size() const = 0;

  /// The root with all internal nodes, after everything was loaded; null where there is none.
  [[nodiscard]] const Node* top() const { return top_.get(); }

  Child root_;

 private:
  Result<std::unique_ptr<Node>> read_once(const Child& child, std::optional<unsigned> level,
                                          ByteRange ordinals, ChunkSink& sink);
  Status descend(Node& node, ByteRange wanted, ChunkSink& sink);
  Status collect(FileAddress address, Node& node, ChunkSink& sink, std::vector<ByteRange>* blocks);

  std::unique_ptr<Node> top_;
  std::set<FileAddress> seen_;
  BlockBudget budget_;
};

/// The smallest ordinal of a position in `grid` that is not before `coords` in row-major order;
/// grid.count() where there is none.
std::uint64_t first_ordinal_from(const ChunkGrid& grid, const Dims& coords);

}  // namespace pcio
