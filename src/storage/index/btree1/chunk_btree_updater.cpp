// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree1: ChunkBtreeUpdater out of line.

#include "storage/index/btree1/chunk_btree_updater.hpp"

#include <algorithm>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Cuts `count` children into nodes of at most `fanout`: the last node of a level is filled, because
/// most of what comes later comes behind it; others are cut evenly. Returns where pieces begin.
std::vector<std::uint64_t> cut_level(std::uint64_t count, std::uint64_t fanout, bool last) {
  const std::uint64_t pieces = ceil_div(count, fanout);
  std::vector<std::uint64_t> starts;
  for (std::uint64_t i = 0; i < pieces; ++i)
    starts.push_back(last ? i * fanout : count / pieces * i + count % pieces * i / pieces);
  return starts;
}

void add_key(const Dims& coords, const FilteredChunk& chunk, const Dims& size,
             ChunkBtreeNode& node) {
  node.bytes.push_back(static_cast<std::uint32_t>(chunk.size));
  node.filter_masks.push_back(chunk.filter_mask);
  for (unsigned d = 0; d < size.size(); ++d) node.offsets.push_back(coords[d] * size[d]);
  node.offsets.push_back(0);
}

}  // namespace

ChunkBtreeUpdater::ChunkBtreeUpdater(const ChunkBtreeShape& shape, std::vector<Level> levels)
    : shape_(shape), levels_(std::move(levels)), marked_(levels_.size()) {}

std::uint64_t ChunkBtreeUpdater::node_bytes() const {
  return chunk_btree_node_size(shape_.internal_k, shape_.chunk.size(), shape_.sizes);
}

/// The node of a level that covers an ordinal.
std::size_t ChunkBtreeUpdater::find(std::size_t level, ChunkOrdinal ordinal) const {
  const Level& nodes = levels_[level];
  auto behind = std::upper_bound(nodes.begin(), nodes.end(), ordinal,
                                 [](ChunkOrdinal n, const Node& node) { return n < node.bound; });
  return static_cast<std::size_t>(behind - nodes.begin()) - 1;
}

ChunkOrdinal ChunkBtreeUpdater::end_of(std::size_t level, std::size_t at) const {
  return at + 1 < levels_[level].size() ? levels_[level][at + 1].bound : ~ChunkOrdinal{0};
}

/// New nodes behind one, with these bounds but for the first, which it has.
void ChunkBtreeUpdater::divide(std::size_t level, std::size_t at,
                               const std::vector<ChunkOrdinal>& bounds) {
  Level& nodes = levels_[level];
  // The neighbour names the one on its left.
  if (at + 1 < nodes.size()) marked_[level].insert(nodes[at + 1].bound);
  Level added;
  for (ChunkOrdinal bound : bounds) {
    marked_[level].insert(bound);
    if (bound != bounds.front()) added.push_back({bound, kUndefinedAddress});
  }
  nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(at) + 1, added.begin(), added.end());
  if (level + 1 < levels_.size())
    marked_[level + 1].insert(levels_[level + 1][find(level + 1, bounds.front())].bound);
}

/// False where the leaf lists no chunk any more.
bool ChunkBtreeUpdater::divide_leaf(const ChunkIndex& index, std::size_t at) {
  const ChunkOrdinal first = levels_[0][at].bound, end = end_of(0, at);
  std::uint64_t count = 0;
  for (ChunkWalk walk(index, first); !walk.at_end() && walk.ordinal() < end;) {
    const std::uint64_t run = std::min(walk.left_in_run(), end - walk.ordinal());
    count += run;
    walk.skip(run);
  }
  if (count <= fanout()) return count > 0;
  std::vector<ChunkOrdinal> bounds;
  ChunkWalk walk(index, first);
  std::uint64_t before = 0;
  for (std::uint64_t start : cut_level(count, fanout(), at + 1 == levels_[0].size())) {
    for (; before < start;) {
      const std::uint64_t run = std::min(walk.left_in_run(), start - before);
      before += run;
      walk.skip(run);
    }
    bounds.push_back(start == 0 ? first : walk.ordinal());
  }
  divide(0, at, bounds);
  return true;
}

/// Nodes of a level that have too many children.
void ChunkBtreeUpdater::divide_nodes(std::size_t level) {
  const std::set<ChunkOrdinal> marked = marked_[level];
  for (ChunkOrdinal bound : marked) {
    const std::size_t at = find(level, bound);
    const ChunkOrdinal end = end_of(level, at);
    const std::size_t first = find(level - 1, bound);
    const std::size_t last = find(level - 1, end - 1);
    const std::uint64_t count = last - first + 1;
    if (count <= fanout()) continue;
    std::vector<ChunkOrdinal> bounds;
    for (std::uint64_t start : cut_level(count, fanout(), at + 1 == levels_[level].size()))
      bounds.push_back(levels_[level - 1][first + static_cast<std::size_t>(start)].bound);
    divide(level, at, bounds);
  }
}

/// Writers differ in the outer keys of a node, so those above a leaf that is the first or the last
/// one below them are written with it; so is the last key of the tree, which bounds all chunks.
void ChunkBtreeUpdater::mark_outer(ChunkOrdinal leaf) {
  ChunkOrdinal bound = leaf, end = end_of(0, find(0, leaf));
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    const std::size_t at = find(level, leaf);
    if (levels_[level][at].bound != bound && end_of(level, at) != end) return;
    bound = levels_[level][at].bound;
    end = end_of(level, at);
    marked_[level].insert(bound);
  }
}

Result<IndexUpdater::Cost> ChunkBtreeUpdater::mark(const ChunkIndex& index,
                                                   const IntervalSet& numbers) {
  std::set<ChunkOrdinal> leaves;
  for (const auto& [first, end] : numbers.intervals())
    for (std::size_t at = find(0, first); at < levels_[0].size() && levels_[0][at].bound < end;
         ++at)
      leaves.insert(levels_[0][at].bound);
  for (ChunkOrdinal bound : leaves) {
    marked_[0].insert(bound);
    mark_outer(bound);
    if (!divide_leaf(index, find(0, bound))) return Cost::anew();
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) divide_nodes(level);
  while (levels_.back().size() > 1) {
    levels_.push_back(Level{Node{0, kUndefinedAddress}});
    marked_.emplace_back().insert(0);
    divide_nodes(levels_.size() - 1);
  }
  Cost cost;
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal bound : marked_[level]) {
      const bool placed = levels_[level][find(level, bound)].address != kUndefinedAddress;
      (placed ? cost.changed : cost.added) += node_bytes();
    }
  return cost;
}

std::uint64_t ChunkBtreeUpdater::bytes() const {
  std::uint64_t nodes = 0;
  for (const Level& level : levels_) nodes += level.size();
  return nodes * node_bytes();
}

void ChunkBtreeUpdater::place(FileAddress address) {
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal bound : marked_[level]) {
      Node& node = levels_[level][find(level, bound)];
      if (node.address != kUndefinedAddress) continue;
      node.address = address;
      address += node_bytes();
    }
}

void ChunkBtreeUpdater::mark_committed() {
  for (std::set<ChunkOrdinal>& bounds : marked_) bounds.clear();
}

void ChunkBtreeUpdater::add_chunks(const ChunkIndex& index, std::size_t at,
                                   ChunkBtreeNode& node) const {
  const ChunkOrdinal end = end_of(0, at);
  for (ChunkWalk walk(index, levels_[0][at].bound); !walk.at_end() && walk.ordinal() < end;
       walk.next()) {
    add_key(index.grid().coords(walk.ordinal()), walk.chunk(), shape_.chunk, node);
    node.children.push_back(walk.chunk().address);
  }
}

/// The key of a child is its bound: no chunk below lies before it.
void ChunkBtreeUpdater::add_children(const ChunkIndex& index, std::size_t level, std::size_t at,
                                     ChunkBtreeNode& node) const {
  const ChunkOrdinal end = end_of(level, at);
  const Level& below = levels_[level - 1];
  for (std::size_t i = find(level - 1, levels_[level][at].bound);
       i < below.size() && below[i].bound < end; ++i) {
    add_key(index.grid().coords(below[i].bound), FilteredChunk{0, index.chunk_bytes(), 0},
            shape_.chunk, node);
    node.children.push_back(below[i].address);
  }
}

/// The next node's bound, or a key that bounds the whole tree.
void ChunkBtreeUpdater::add_last_key(const ChunkIndex& index, std::size_t level, std::size_t at,
                                     ChunkBtreeNode& node) const {
  if (at + 1 < levels_[level].size())
    return add_key(index.grid().coords(end_of(level, at)), FilteredChunk{0, index.chunk_bytes(), 0},
                   shape_.chunk, node);
  ChunkOrdinal last = 0;
  for (ChunkWalk walk(index, levels_[0].back().bound); !walk.at_end();) {
    const std::uint64_t run = walk.left_in_run();
    last = walk.ordinal() + run - 1;
    walk.skip(run);
  }
  add_key(index.grid().coords(last), FilteredChunk{0, 0, 0}, shape_.chunk, node);
  // Any place behind the last chunk in row-major order bounds the tree on the right.
  const unsigned fastest = shape_.chunk.size() - 1;
  const std::size_t key = node.offsets.size() - shape_.chunk.size() - 1;
  node.offsets[key + fastest] += shape_.chunk[fastest];
  node.offsets[key + fastest + 1] = shape_.element_size;
}

Status ChunkBtreeUpdater::encode(const ChunkIndex& index, std::size_t level, std::size_t at,
                                 ByteWriter& out) const {
  const Level& nodes = levels_[level];
  ChunkBtreeNode node;
  node.ndims = shape_.chunk.size();
  node.level = static_cast<unsigned>(level);
  node.left = at > 0 ? nodes[at - 1].address : kUndefinedAddress;
  node.right = at + 1 < nodes.size() ? nodes[at + 1].address : kUndefinedAddress;
  if (level == 0)
    add_chunks(index, at, node);
  else
    add_children(index, level, at, node);
  add_last_key(index, level, at, node);
  return encode_chunk_btree_node(node, shape_.sizes, shape_.internal_k, out);
}

BlockSet ChunkBtreeUpdater::blocks(const ChunkIndex& index) const {
  BlockSet set;
  for (std::size_t level = 0; level < levels_.size(); ++level)
    for (ChunkOrdinal bound : marked_[level]) {
      const std::size_t at = find(level, bound);
      set.push_back({{levels_[level][at].address, node_bytes()},
                     [self = shared_from_this(), &index, level, at](ByteWriter& out) {
                       return self->encode(index, level, at, out);
                     }});
    }
  return set;
}

}  // namespace pcio
