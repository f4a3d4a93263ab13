// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/model: ChunkTree out of line.

#include "storage/index/model/chunk_tree.hpp"

#include <algorithm>

namespace pcio {

namespace {

constexpr ByteRange kAllOrdinals{0, ~std::uint64_t{0}};

ByteRange between(std::uint64_t first, std::uint64_t end) {
  return {first, end > first ? end - first : 0};
}

}  // namespace

std::uint64_t first_ordinal_from(const ChunkGrid& grid, const Dims& coords) {
  std::uint64_t n = 0;
  bool beyond = false;  // the position is behind a row: the first one of the next row follows
  for (unsigned d = 0; d < coords.size(); ++d) {
    const std::uint64_t most = grid.grid()[d];
    n = n * most + (beyond ? 0 : std::min(coords[d], most));
    beyond = beyond || coords[d] >= most;
  }
  return n;
}

Result<std::unique_ptr<ChunkTree::Node>> ChunkTree::read_once(const Child& child,
                                                              std::optional<unsigned> level,
                                                              ByteRange ordinals, ChunkSink& sink) {
  if (!seen_.insert(child.address).second)
    return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree visits a node twice");
  PCIO_TRY(budget_.spend(node_size(), sink.file()));
  PCIO_ASSIGN(Node node, read_node(child, level, ordinals, sink));
  node.below.resize(node.children.size());
  return std::make_unique<Node>(std::move(node));
}

Status ChunkTree::load(std::uint64_t first, std::uint64_t end, ChunkSink& sink) {
  if (root_.address == kUndefinedAddress) return Status();
  if (!top_) {
    PCIO_ASSIGN(top_, read_once(root_, std::nullopt, kAllOrdinals, sink));
    if (top_->level == 0) sink.know(0, ~std::uint64_t{0});
  }
  return descend(*top_, between(first, end), sink);
}

Status ChunkTree::descend(Node& node, ByteRange wanted, ChunkSink& sink) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const ByteRange have = between(node.bounds[i], node.bounds[i + 1]);
    if (have.offset >= wanted.end() || have.end() <= wanted.offset) continue;
    if (!node.below[i]) {
      PCIO_ASSIGN(node.below[i], read_once(node.children[i], node.level - 1, have, sink));
      if (node.level == 1) sink.know(have.offset, have.end());
    }
    if (node.level > 1) PCIO_TRY(descend(*node.below[i], wanted, sink));
  }
  return Status();
}

Status ChunkTree::collect(FileAddress address, Node& node, ChunkSink& sink,
                          std::vector<ByteRange>* blocks) {
  blocks->push_back({address, node_size()});
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Child& child = node.children[i];
    if (node.level == 1) {
      // A leaf that was read or need not be.
      if (child.address != kUndefinedAddress) blocks->push_back({child.address, node_size()});
      continue;
    }
    if (!node.below[i]) {
      const ByteRange have = between(node.bounds[i], node.bounds[i + 1]);
      PCIO_ASSIGN(node.below[i], read_once(child, node.level - 1, have, sink));
    }
    PCIO_TRY(collect(child.address, *node.below[i], sink, blocks));
  }
  return Status();
}

Status ChunkTree::collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) {
  if (root_.address == kUndefinedAddress) return Status();
  PCIO_TRY(load(0, 0, sink));
  return collect(root_.address, *top_, sink, blocks);
}

}  // namespace pcio
