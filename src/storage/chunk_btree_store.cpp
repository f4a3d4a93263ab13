// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: reading and writing of chunk B-trees.

#include "storage/chunk_btree_store.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "storage/chunk_tree.hpp"

namespace pcio {

namespace {

/// Nodes encoded in one go: bounds the memory of a commit.
constexpr std::uint64_t kNodesPerBlock = 256;

class ChunkBtree final : public ChunkTree {
 public:
  ChunkBtree(const ChunkBtreeShape& shape, FileAddress root, ChunkForm form)
      : shape_(shape), form_(form) {
    root_.address = root;
  }

 protected:
  [[nodiscard]] std::uint64_t node_size() const override {
    return chunk_btree_node_size(shape_.internal_k, shape_.chunk.size(), shape_.sizes);
  }

  Result<Node> read_node(const Child& child, std::optional<unsigned> level, ByteRange ordinals,
                         ChunkSink& sink) override {
    PCIO_ASSIGN(auto bytes, sink.file().block(child.address, node_size(), "chunk B-tree node"));
    PCIO_ASSIGN(ChunkBtreeNode stored, decode_chunk_btree_node(bytes, shape_.sizes,
                                                               shape_.internal_k,
                                                               shape_.chunk.size()));
    if (level && stored.level != *level)
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree node has the wrong level");
    Node node;
    node.level = stored.level;
    for (std::size_t i = 0; i < stored.children.size(); ++i) {
      if (node.level == 0) {
        PCIO_TRY(add_chunk(stored, i, sink));
      } else {
        node.children.push_back({stored.children[i], 0});
        // The outer keys add nothing to those of the parent, and writers differ in the last one.
        node.bounds.push_back(i == 0 ? ordinals.offset : bound(stored.offset(i), sink));
      }
    }
    if (node.level > 0) node.bounds.push_back(ordinals.end());
    return node;
  }

 private:
  /// Chunks from this key on have at least this ordinal.
  std::uint64_t bound(std::span<const std::uint64_t> offset, const ChunkSink& sink) const {
    Dims coords(shape_.chunk.size());
    for (unsigned d = 0; d < coords.size(); ++d) coords[d] = offset[d] / shape_.chunk[d];
    return first_ordinal_from(sink.index().grid(), coords);
  }

  Status add_chunk(const ChunkBtreeNode& node, std::size_t i, ChunkSink& sink) const {
    Dims coords(shape_.chunk.size());
    auto offset = node.offset(i);
    for (unsigned d = 0; d < coords.size(); ++d) {
      if (offset[d] % shape_.chunk[d] != 0)
        return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk that is off the grid");
      coords[d] = offset[d] / shape_.chunk[d];
    }
    if (form_ == ChunkForm::kPlain && node.bytes[i] != sink.index().chunk_bytes())
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk of the wrong size");
    return sink.add(coords, {node.children[i], node.bytes[i], node.filter_masks[i]});
  }

  ChunkBtreeShape shape_;
  ChunkForm form_;
};

}  // namespace

ChunkBtreeShape btree_shape(const ChunkIndexShape& shape) {
  return {shape.sizes, shape.internal_k, shape.layout.chunk_dims, shape.layout.element_size};
}

std::unique_ptr<StoredIndex> open_chunk_btree(const ChunkBtreeShape& shape, FileAddress root,
                                              ChunkForm form) {
  return std::make_unique<ChunkBtree>(shape, root, form);
}

ChunkBtreePlan::ChunkBtreePlan(const ChunkIndex& index, const ChunkBtreeShape& shape)
    : shape_(shape), grid_(index.grid()), chunk_bytes_(index.chunk_bytes()), runs_(index.runs()) {
  before_.reserve(runs_.size());
  for (const IndexRun& run : runs_) {
    before_.push_back(chunks_);
    chunks_ += run.count;
  }
  filtered_.reserve(index.filtered_chunks().count());
  for (const auto& [ordinal, chunk] : index.filtered_chunks())
    filtered_.push_back({ordinal, chunk});
  chunks_ += filtered_.size();
  if (chunks_ == 0) return;
  std::uint64_t below = chunks_;
  do {
    std::uint64_t nodes = ceil_div<std::uint64_t>(below, 2 * std::uint64_t{shape_.internal_k});
    levels_.push_back({nodes_, nodes});
    nodes_ += nodes;
    below = nodes;
  } while (below > 1);
}

std::uint64_t ChunkBtreePlan::node_bytes() const {
  return chunk_btree_node_size(shape_.internal_k, shape_.chunk.size(), shape_.sizes);
}

FileAddress ChunkBtreePlan::root_at(FileAddress address) const {
  return address + (nodes_ - 1) * node_bytes();
}

ChunkBtreePlan::Chunk ChunkBtreePlan::chunk_at(std::uint64_t number) const {
  if (!filtered_.empty()) return filtered_[number];
  auto it = std::upper_bound(before_.begin(), before_.end(), number) - 1;
  const IndexRun& run = runs_[static_cast<std::size_t>(it - before_.begin())];
  std::uint64_t skip = number - *it;
  return {run.first + skip, {run.address + skip * chunk_bytes_, chunk_bytes_, 0}};
}

void ChunkBtreePlan::add_key(ChunkBtreeNode& node, std::uint64_t chunk_number) const {
  unsigned ndims = shape_.chunk.size();
  bool beyond = chunk_number >= chunks_;
  Chunk chunk = chunk_at(beyond ? chunks_ - 1 : chunk_number);
  Dims coords = grid_.coords(chunk.ordinal);
  std::vector<std::uint64_t> offset(ndims + 1, 0);
  for (unsigned d = 0; d < ndims; ++d) offset[d] = coords[d] * shape_.chunk[d];
  if (beyond) {
    // Any place behind the last chunk in row-major order bounds the tree on the right.
    offset[ndims - 1] += shape_.chunk[ndims - 1];
    offset[ndims] = shape_.element_size;
    node.add_key(0, 0, offset);
  } else {
    node.add_key(static_cast<std::uint32_t>(chunk.stored.size), chunk.stored.filter_mask, offset);
  }
}

Status ChunkBtreePlan::encode_node(FileAddress address, unsigned level, std::uint64_t number,
                                   ByteWriter& out) const {
  ChunkBtreeNode node;
  node.ndims = shape_.chunk.size();
  node.level = level;
  std::uint64_t fanout = 2 * std::uint64_t{shape_.internal_k};
  std::uint64_t below = level == 0 ? chunks_ : levels_[level - 1].nodes;
  std::uint64_t chunks_per_child = 1;
  for (unsigned i = 0; i < level; ++i) chunks_per_child *= fanout;
  FileAddress here = address + (levels_[level].first_node + number) * node_bytes();
  if (number > 0) node.left = here - node_bytes();
  if (number + 1 < levels_[level].nodes) node.right = here + node_bytes();
  std::uint64_t first = number * fanout;
  std::uint64_t last = std::min(first + fanout, below);
  for (std::uint64_t child = first; child < last; ++child) {
    add_key(node, child * chunks_per_child);
    node.children.push_back(level == 0
                                ? chunk_at(child).stored.address
                                : address + (levels_[level - 1].first_node + child) * node_bytes());
  }
  add_key(node, last * chunks_per_child);
  return encode_chunk_btree_node(node, shape_.sizes, shape_.internal_k, out);
}

Status ChunkBtreePlan::encode_nodes(FileAddress address, std::uint64_t first, std::uint64_t count,
                                    ByteWriter& out) const {
  unsigned level = 0;
  for (std::uint64_t n = first; n < first + count; ++n) {
    while (n >= levels_[level].first_node + levels_[level].nodes) ++level;
    PCIO_TRY(encode_node(address, level, n - levels_[level].first_node, out));
  }
  return Status();
}

BlockSet ChunkBtreePlan::blocks(const std::shared_ptr<const ChunkBtreePlan>& plan,
                                FileAddress address) {
  BlockSet set;
  std::uint64_t bytes = plan->node_bytes();
  for (std::uint64_t first = 0; first < plan->nodes_; first += kNodesPerBlock) {
    std::uint64_t count = std::min(kNodesPerBlock, plan->nodes_ - first);
    set.push_back(
        {{address + first * bytes, count * bytes}, [plan, address, first, count](ByteWriter& out) {
           return plan->encode_nodes(address, first, count, out);
         }});
  }
  return set;
}

}  // namespace pcio
