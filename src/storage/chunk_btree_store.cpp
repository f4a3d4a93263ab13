// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: reading and writing of chunk B-trees.

#include "storage/chunk_btree_store.hpp"

#include <algorithm>
#include <set>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Nodes encoded in one go: bounds the memory of a commit.
constexpr std::uint64_t kNodesPerBlock = 256;

class TreeReader {
 public:
  TreeReader(FileBytes& file, const ChunkBtreeShape& shape, ChunkForm form, ChunkIndex* index,
             std::vector<ByteRange>* owned)
      : file_(file), shape_(shape), form_(form), index_(index), owned_(owned) {}

  Status read_node(FileAddress address, int level) {
    if (!seen_.insert(address).second)
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree visits a node twice");
    unsigned ndims = shape_.chunk.size();
    std::size_t size = chunk_btree_node_size(shape_.internal_k, ndims, shape_.sizes);
    // Nodes of a sound file don't overlap, which bounds the memory that a damaged one can ask for.
    if (!fits_inside(total_, size, file_.end()))
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree has more nodes than the file has room for");
    total_ += size;
    PCIO_ASSIGN(auto bytes, file_.block(address, size, "chunk B-tree node"));
    PCIO_ASSIGN(ChunkBtreeNode node,
                decode_chunk_btree_node(bytes, shape_.sizes, shape_.internal_k, ndims));
    if (level >= 0 && node.level != static_cast<unsigned>(level))
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree node has the wrong level");
    owned_->push_back({address, size});
    for (std::size_t i = 0; i < node.children.size(); ++i)
      PCIO_TRY(node.level > 0 ? read_node(node.children[i], static_cast<int>(node.level) - 1)
                              : add_chunk(node, i));
    return Status();
  }

 private:
  Status add_chunk(const ChunkBtreeNode& node, std::size_t i) {
    const Dims& grid = index_->grid().grid();
    Dims coords(grid.size());
    auto offset = node.offset(i);
    for (unsigned d = 0; d < grid.size(); ++d) {
      if (offset[d] % shape_.chunk[d] != 0)
        return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk that is off the grid");
      coords[d] = offset[d] / shape_.chunk[d];
      if (coords[d] >= grid[d]) return Status();
    }
    ChunkOrdinal ordinal = index_->grid().ordinal(coords);
    if (!fits_inside(node.children[i], node.bytes[i], file_.end()))
      return PCIO_ERROR(BTREE, TRUNCATED, "chunk B-tree lists a chunk that lies outside the file");
    if (form_ == ChunkForm::kFiltered)
      return index_->add_filtered(ordinal, {node.children[i], node.bytes[i], node.filter_masks[i]});
    if (node.bytes[i] != index_->chunk_bytes())
      return PCIO_ERROR(BTREE, BADVALUE, "chunk B-tree lists a chunk of the wrong size");
    return index_->add(ordinal, node.children[i]);
  }

  FileBytes& file_;
  const ChunkBtreeShape& shape_;
  ChunkForm form_;
  ChunkIndex* index_;
  std::vector<ByteRange>* owned_;
  std::set<FileAddress> seen_;
  std::uint64_t total_ = 0;  // bytes of nodes so far
};

}  // namespace

Status read_chunk_btree(FileBytes& file, const ChunkBtreeShape& shape, FileAddress root,
                        ChunkForm form, ChunkIndex* index, std::vector<ByteRange>* owned) {
  return TreeReader(file, shape, form, index, owned).read_node(root, -1);
}

ChunkBtreePlan::ChunkBtreePlan(const ChunkIndex& index, const ChunkBtreeShape& shape)
    : shape_(shape), grid_(index.grid()), chunk_bytes_(index.chunk_bytes()), runs_(index.runs()) {
  before_.reserve(runs_.size());
  for (const IndexRun& run : runs_) {
    before_.push_back(chunks_);
    chunks_ += run.count;
  }
  filtered_.reserve(index.filtered_chunks().size());
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
