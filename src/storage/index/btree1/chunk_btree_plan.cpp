// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: reading and writing of chunk B-trees.

#include "storage/index/btree1/chunk_btree_plan.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "storage/index/model/chunk_tree.hpp"
#include "storage/index/btree1/chunk_btree_updater.hpp"

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
    PCIO_ASSIGN(
        ChunkBtreeNode stored,
        decode_chunk_btree_node(bytes, shape_.sizes, shape_.internal_k, shape_.chunk.size()));
    if (level && stored.level != *level)
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree node has the wrong level");
    Node node;
    node.level = stored.level;
    for (std::size_t i = 0; i < stored.children.size(); ++i) {
      if (node.level == 0) {
        PCIO_TRY(add_chunk(stored, i, ordinals, sink));
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

  Status add_chunk(const ChunkBtreeNode& node, std::size_t i, ByteRange ordinals, ChunkSink& sink) {
    Dims coords(shape_.chunk.size());
    auto offset = node.offset(i);
    for (unsigned d = 0; d < coords.size(); ++d) {
      if (offset[d] % shape_.chunk[d] != 0)
        return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk that is off the grid");
      coords[d] = offset[d] / shape_.chunk[d];
    }
    const std::uint64_t ordinal = first_ordinal_from(sink.index().grid(), coords);
    if (ordinal < ordinals.offset || ordinal >= ordinals.end()) sorted_ = false;
    if (form_ == ChunkForm::kPlain && node.bytes[i] != sink.index().chunk_bytes())
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk of the wrong size");
    return sink.add(coords, {node.children[i], node.bytes[i], node.filter_masks[i]});
  }

  /// Every node covers an interval of its own, and lists what lies in it.
  std::shared_ptr<IndexUpdater> updater(const ChunkNumbering& numbering) override {
    std::vector<ChunkBtreeUpdater::Level> levels;
    if (!sorted_ || top() == nullptr) return nullptr;
    levels.resize(top()->level + 1);
    levels.back().push_back({0, root_.address});
    add_levels(*top(), &levels);
    for (const ChunkBtreeUpdater::Level& level : levels)
      for (std::size_t i = 1; i < level.size(); ++i)
        if (level[i].bound <= level[i - 1].bound || level[i].bound >= numbering.count())
          return nullptr;
    return std::make_shared<ChunkBtreeUpdater>(shape_, std::move(levels));
  }

  static void add_levels(const Node& node, std::vector<ChunkBtreeUpdater::Level>* levels) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      (*levels)[node.level - 1].push_back({node.bounds[i], node.children[i].address});
      if (node.level > 1) add_levels(*node.below[i], levels);
    }
  }

  ChunkBtreeShape shape_;
  ChunkForm form_;
  bool sorted_ = true;
};

}  // namespace

ChunkBtreeShape btree_shape(const ChunkIndexShape& shape) {
  return {shape.sizes, shape.internal_k, shape.layout.chunk_dims, shape.layout.element_size};
}

std::unique_ptr<IndexReader> open_chunk_btree(const ChunkBtreeShape& shape, FileAddress root,
                                              ChunkForm form) {
  return std::make_unique<ChunkBtree>(shape, root, form);
}

ChunkBtreePlan::ChunkBtreePlan(const ChunkIndex& index, const ChunkBtreeShape& shape)
    : shape_(shape), index_(index), chunks_(index) {
  if (chunks_.count() == 0) return;
  const std::uint64_t fanout = 2 * std::uint64_t{shape_.internal_k};
  std::uint64_t below = chunks_.count();
  std::uint64_t chunks_per_child = 1;
  do {
    std::uint64_t nodes = ceil_div(below, fanout);
    levels_.push_back({nodes_, nodes, chunks_per_child});
    nodes_ += nodes;
    below = nodes;
    chunks_per_child *= fanout;
  } while (below > 1);
}

std::uint64_t ChunkBtreePlan::node_bytes() const {
  return chunk_btree_node_size(shape_.internal_k, shape_.chunk.size(), shape_.sizes);
}

FileAddress ChunkBtreePlan::root_at(FileAddress address) const {
  return address + (nodes_ - 1) * node_bytes();
}

namespace {

/// Appends the key of the chunk where `walk` is.
void add_key(const ChunkWalk& walk, const Dims& coords, const Dims& chunk, ChunkBtreeNode& node) {
  const FilteredChunk stored = walk.chunk();
  node.bytes.push_back(static_cast<std::uint32_t>(stored.size));
  node.filter_masks.push_back(stored.filter_mask);
  for (unsigned d = 0; d < chunk.size(); ++d) node.offsets.push_back(coords[d] * chunk[d]);
  node.offsets.push_back(0);
}

}  // namespace

/// Chunks number `first` and so on, as children of a leaf.
void ChunkBtreePlan::add_chunks(std::uint64_t first, std::uint64_t count,
                                ChunkBtreeNode& node) const {
  const Dims& grid = index_.grid().grid();
  const unsigned last = grid.size() - 1;
  ChunkWalk walk = chunks_.walk_from(first);
  Dims coords;
  ChunkOrdinal next = 0;  // the chunk behind the last one, where that is in its row
  for (std::uint64_t i = 0; i < count; ++i, walk.next()) {
    if (i > 0 && walk.ordinal() == next && coords[last] + 1 < grid[last])
      ++coords[last];
    else
      coords = index_.grid().coords(walk.ordinal());
    next = walk.ordinal() + 1;
    add_key(walk, coords, shape_.chunk, node);
    node.children.push_back(walk.chunk().address);
  }
}

/// Nodes number `first` and so on of the level below.
void ChunkBtreePlan::add_children(FileAddress address, unsigned level, std::uint64_t first,
                                  std::uint64_t count, ChunkBtreeNode& node) const {
  for (std::uint64_t child = first; child < first + count; ++child) {
    const ChunkWalk walk = chunks_.walk_from(child * levels_[level].chunks_per_child);
    add_key(walk, index_.grid().coords(walk.ordinal()), shape_.chunk, node);
    node.children.push_back(address + (levels_[level - 1].first_node + child) * node_bytes());
  }
}

/// The key of the next node's first chunk, or one that bounds the whole tree.
void ChunkBtreePlan::add_last_key(std::uint64_t chunk_number, ChunkBtreeNode& node) const {
  const bool beyond = chunk_number >= chunks_.count();
  const ChunkWalk walk = chunks_.walk_from(beyond ? chunks_.count() - 1 : chunk_number);
  const Dims coords = index_.grid().coords(walk.ordinal());
  add_key(walk, coords, shape_.chunk, node);
  if (!beyond) return;
  // Any place behind the last chunk in row-major order bounds the tree on the right.
  const unsigned last = shape_.chunk.size() - 1;
  const std::size_t key = node.offsets.size() - shape_.chunk.size() - 1;
  node.offsets[key + last] += shape_.chunk[last];
  node.offsets[key + last + 1] = shape_.element_size;
  node.bytes.back() = 0;
  node.filter_masks.back() = 0;
}

void ChunkBtreePlan::fill_node(FileAddress address, unsigned level, std::uint64_t number,
                               ChunkBtreeNode& node) const {
  node.ndims = shape_.chunk.size();
  node.level = level;
  node.bytes.clear();
  node.filter_masks.clear();
  node.offsets.clear();
  node.children.clear();
  const std::uint64_t fanout = 2 * std::uint64_t{shape_.internal_k};
  const std::uint64_t below = level == 0 ? chunks_.count() : levels_[level - 1].nodes;
  const FileAddress here = address + (levels_[level].first_node + number) * node_bytes();
  node.left = number > 0 ? here - node_bytes() : kUndefinedAddress;
  node.right = number + 1 < levels_[level].nodes ? here + node_bytes() : kUndefinedAddress;
  const std::uint64_t first = number * fanout;
  const std::uint64_t count = std::min(fanout, below - first);
  if (level == 0)
    add_chunks(first, count, node);
  else
    add_children(address, level, first, count, node);
  add_last_key((first + count) * levels_[level].chunks_per_child, node);
}

Status ChunkBtreePlan::encode_nodes(FileAddress address, std::uint64_t first, std::uint64_t count,
                                    ByteWriter& out) const {
  ChunkBtreeNode node;
  unsigned level = 0;
  for (std::uint64_t n = first; n < first + count; ++n) {
    while (n >= levels_[level].first_node + levels_[level].nodes) ++level;
    fill_node(address, level, n - levels_[level].first_node, node);
    PCIO_TRY(encode_chunk_btree_node(node, shape_.sizes, shape_.internal_k, out));
  }
  return Status();
}

std::shared_ptr<IndexUpdater> ChunkBtreePlan::updater_at(FileAddress address) {
  std::vector<ChunkBtreeUpdater::Level> levels;
  for (const Level& level : levels_) {
    ChunkBtreeUpdater::Level nodes;
    const std::uint64_t chunks = level.chunks_per_child * 2 * shape_.internal_k;
    for (std::uint64_t n = 0; n < level.nodes; ++n)
      nodes.push_back({n == 0 ? 0 : chunks_.walk_from(n * chunks).ordinal(),
                       address + (level.first_node + n) * node_bytes()});
    levels.push_back(std::move(nodes));
  }
  return std::make_shared<ChunkBtreeUpdater>(shape_, std::move(levels));
}

BlockSet ChunkBtreePlan::blocks(FileAddress address) {
  const std::shared_ptr<const ChunkBtreePlan> plan = shared_from_this();
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
