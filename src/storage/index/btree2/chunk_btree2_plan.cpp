// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/index/btree2: reading and planning of version 2 B-trees of chunks.

#include "storage/index/btree2/chunk_btree2_plan.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "format/btree2_records.hpp"
#include "format/raw_fields.hpp"
#include "storage/index/model/chunk_tree.hpp"
#include "storage/index/btree2/chunk_btree2_updater.hpp"

namespace pcio {

namespace {

/// A node holds at least this many records, whatever its creator asked for: trees of nodes with one
/// or two can't be kept balanced.
constexpr std::uint64_t kLeastRecords = 8;
/// A damaged file may ask for gigabytes: what is in the tree's header counts, and 2 KiB are usual.
constexpr std::uint64_t kMostNodeSize = 1 << 20;

class ChunkBtree2 final : public ChunkTree {
 public:
  ChunkBtree2(const Btree2Header& header, const ChunkIndexShape& shape, ChunkElementFormat elements)
      : header_(header), shape_(shape), elements_(elements) {
    if (header.root.count > 0 || header.depth > 0) root_ = {header.root.address, header.root.count};
  }
  /// What the header took.
  void set_header_range(ByteRange range) { header_range_ = range; }

  Status collect_blocks(ChunkSink& sink, std::vector<ByteRange>* blocks) override {
    blocks->push_back(header_range_);
    // A tree without records may keep its empty root.
    if (root_.address == kUndefinedAddress && header_.root.address != kUndefinedAddress)
      blocks->push_back({header_.root.address, node_size()});
    return ChunkTree::collect_blocks(sink, blocks);
  }

 protected:
  [[nodiscard]] std::uint64_t node_size() const override { return header_.node_size; }

  Result<Node> read_node(const Child& child, std::optional<unsigned> level, ByteRange ordinals,
                         ChunkSink& sink) override {
    Node node;
    node.level = level.value_or(header_.depth);
    PCIO_ASSIGN(auto bytes, sink.file().block(child.address, node_size(), "version 2 B-tree node"));
    PCIO_ASSIGN(Btree2Node stored,
                decode_btree2_node(bytes, header_, node.level, child.count, shape_.sizes));
    const ChunkGrid& grid = sink.index().grid();
    ByteReader reader(stored.records);
    if (node.level > 0) node.bounds.push_back(ordinals.offset);
    std::uint64_t least = ordinals.offset == 0 ? 0 : ordinals.offset + 1;
    for (std::uint64_t i = 0; i < child.count; ++i) {
      const ChunkRecord record = decode_chunk_record(reader, elements_, grid.grid().size());
      PCIO_TRY(sink.add(record.coords, record.chunk));
      const std::uint64_t ordinal = first_ordinal_from(grid, record.coords);
      if (ordinal < least || ordinal >= ordinals.end()) sorted_ = false;
      least = ordinal + 1;
      if (node.level > 0) node.bounds.push_back(ordinal);
    }
    if (node.level > 0) node.bounds.push_back(ordinals.end());
    for (const Btree2Pointer& below : stored.children)
      node.children.push_back({below.address, below.count});
    return node;
  }

  std::shared_ptr<IndexUpdater> updater(const ChunkNumbering& numbering) override {
    static_cast<void>(numbering);
    if (!sorted_ || top() == nullptr) return nullptr;
    std::vector<ChunkBtree2Updater::Level> levels(top()->level + std::size_t{1});
    levels.back().push_back({0, root_.address, root_.count});
    add_levels(*top(), 0, &levels);
    return std::make_shared<ChunkBtree2Updater>(shape_, elements_, header_, header_range_.offset,
                                                std::move(levels));
  }

 private:
  /// The node's chunks begin with the ordinal `first`.
  static void add_levels(const Node& node, ChunkOrdinal first,
                         std::vector<ChunkBtree2Updater::Level>* levels) {
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const ChunkOrdinal from = i == 0 ? first : node.bounds[i] + 1;
      (*levels)[node.level - 1].push_back({from, node.children[i].address, node.children[i].count});
      if (node.level > 1) add_levels(*node.below[i], from, levels);
    }
  }

  Btree2Header header_;
  ChunkIndexShape shape_;
  ChunkElementFormat elements_;
  ByteRange header_range_;
  bool sorted_ = true;  // records of all nodes ascend, and lie where those above say
};

}  // namespace

Result<std::unique_ptr<IndexReader>> open_chunk_btree2(FileBytes& file,
                                                       const ChunkIndexShape& shape,
                                                       FileAddress address,
                                                       std::uint64_t chunk_bytes) {
  const std::size_t size = btree2_header_size(shape.sizes);
  PCIO_ASSIGN(auto bytes, file.block(address, size, "version 2 B-tree"));
  PCIO_ASSIGN(Btree2Header header, decode_btree2_header(bytes, shape.sizes));
  const ChunkElementFormat elements = shape.elements(chunk_bytes);
  const bool filtered = shape.form == ChunkForm::kFiltered;
  if (header.type != (filtered ? kBtree2ChunkFiltered : kBtree2Chunk) ||
      header.record_size != chunk_record_size(elements, shape.layout.chunk_dims.size()))
    return PCIO_ERROR(BTREE, BADVALUE, "records of a version 2 B-tree do not match its dataset");
  auto tree = std::make_unique<ChunkBtree2>(header, shape, elements);
  tree->set_header_range({address, size});
  return std::unique_ptr<IndexReader>(std::move(tree));
}

ChunkBtree2Plan::ChunkBtree2Plan(const ChunkIndex& index, const ChunkIndexShape& shape)
    : shape_(shape), index_(index), chunks_(index), elements_(shape.elements(index.chunk_bytes())) {
  const Btree2Parameters& asked = shape.layout.btree2;
  const auto record = chunk_record_size(elements_, shape.layout.chunk_dims.size());
  header_.type = shape.form == ChunkForm::kFiltered ? kBtree2ChunkFiltered : kBtree2Chunk;
  header_.record_size = static_cast<std::uint16_t>(record);
  // A pointer takes at most 24 bytes.
  header_.node_size = static_cast<std::uint32_t>(std::max(
      std::min<std::uint64_t>(asked.node_size, kMostNodeSize), 34 + kLeastRecords * (record + 24)));
  header_.split_percent = static_cast<std::uint8_t>(asked.split_percent);
  header_.merge_percent = static_cast<std::uint8_t>(asked.merge_percent);
  grow();
  node_counts_.assign(header_.depth + std::size_t{1}, 1);
  levels_.resize(header_.depth);
  if (header_.depth > 0) levels_.back().push_back({0, chunks_.count(), 0, 0});
  for (unsigned level = header_.depth; level > 0; --level) plan_level(level);
}

/// As many levels as it takes to hold all records.
void ChunkBtree2Plan::grow() {
  for (header_.depth = 0;; ++header_.depth) {
    const std::uint64_t most = Btree2Geometry(header_, shape_.sizes).max_records(header_.depth);
    cumulative_.push_back(header_.depth == 0 ? most : (most + 1) * cumulative_.back() + most);
    if (cumulative_.back() >= chunks_.count()) return;
  }
}

void ChunkBtree2Plan::plan_level(unsigned level) {
  std::uint64_t below = 0;
  for (Node& node : levels_[level - 1]) {
    node.children =
        std::max<std::uint64_t>(2, ceil_div(node.total + 1, cumulative_[level - 1] + 1));
    node.first_child = below;
    below += node.children;
    for (std::uint64_t child = 0; level > 1 && child < node.children; ++child)
      levels_[level - 2].push_back({first_below(node, child), records_below(node, child), 0, 0});
  }
  node_counts_[level - 1] = below;
}

std::uint64_t ChunkBtree2Plan::records_below(const Node& node, std::uint64_t child) const {
  const std::uint64_t shared = node.total - (node.children - 1);
  return shared / node.children + (child < shared % node.children ? 1 : 0);
}

std::uint64_t ChunkBtree2Plan::first_below(const Node& node, std::uint64_t child) const {
  const std::uint64_t shared = node.total - (node.children - 1);
  return node.first + child * (shared / node.children + 1) +
         std::min(child, shared % node.children);
}

/// Records in a node itself that has `total` with those below.
std::uint64_t ChunkBtree2Plan::records_in(unsigned level, std::uint64_t total) const {
  if (level == 0) return total;
  return std::max<std::uint64_t>(2, ceil_div(total + 1, cumulative_[level - 1] + 1)) - 1;
}

FileAddress ChunkBtree2Plan::node_at(FileAddress address, unsigned level,
                                     std::uint64_t number) const {
  for (unsigned i = 0; i < level; ++i) number += node_counts_[i];
  return address + btree2_header_size(shape_.sizes) + number * header_.node_size;
}

std::uint64_t ChunkBtree2Plan::bytes() const { return node_at(0, header_.depth, 1); }

Status ChunkBtree2Plan::encode_header(FileAddress address, ByteWriter& out) const {
  Btree2Header header = header_;
  header.root = {node_at(address, header.depth, 0), records_in(header.depth, chunks_.count()),
                 chunks_.count()};
  return encode_btree2_header(header, shape_.sizes, out);
}

Status ChunkBtree2Plan::encode_records(std::uint64_t first, std::uint64_t count,
                                       ByteWriter& out) const {
  RawFields fields(static_cast<std::size_t>(count) * header_.record_size, shape_.sizes.offset_size);
  const Dims& grid = index_.grid().grid();
  const unsigned last = grid.size() - 1;
  ChunkWalk walk = chunks_.walk_from(first);
  ChunkOrdinal next = 0;  // the chunk behind the last one, where that is in its row
  Dims coords;
  for (std::uint64_t i = 0; i < count; ++i, walk.next()) {
    if (i > 0 && walk.ordinal() == next && coords[last] + 1 < grid[last])
      ++coords[last];
    else
      coords = index_.grid().coords(walk.ordinal());
    next = walk.ordinal() + 1;
    const FilteredChunk chunk = walk.chunk();
    fields.address(chunk.address);
    if (elements_.size_width != 0) {
      fields.uint(chunk.size, elements_.size_width);
      fields.uint(chunk.filter_mask, 4);
    }
    for (unsigned d = 0; d <= last; ++d) fields.uint(coords[d], 8);
  }
  out.bytes(fields.all());
  return fields.check("version 2 B-tree node");
}

Status ChunkBtree2Plan::encode_leaves(std::uint64_t first, std::uint64_t count,
                                      ByteWriter& out) const {
  std::size_t parent = 0;
  if (header_.depth > 0)
    parent = static_cast<std::size_t>(
        std::upper_bound(levels_[0].begin(), levels_[0].end(), first,
                         [](std::uint64_t n, const Node& node) { return n < node.first_child; }) -
        levels_[0].begin() - 1);
  for (std::uint64_t n = first; n < first + count; ++n) {
    std::uint64_t from = 0;
    std::uint64_t records = chunks_.count();
    if (header_.depth > 0) {
      while (n >= levels_[0][parent].first_child + levels_[0][parent].children) ++parent;
      const Node& node = levels_[0][parent];
      from = first_below(node, n - node.first_child);
      records = records_below(node, n - node.first_child);
    }
    ByteWriter stored;
    PCIO_TRY(encode_records(from, records, stored));
    Btree2Node leaf;
    leaf.records = std::move(stored).take();
    PCIO_TRY(encode_btree2_node(leaf, header_, 0, shape_.sizes, out));
  }
  return Status();
}

Status ChunkBtree2Plan::encode_internal(FileAddress address, unsigned level, const Node& node,
                                        ByteWriter& out) const {
  Btree2Node internal;
  ByteWriter stored;
  for (std::uint64_t child = 0; child < node.children; ++child) {
    const std::uint64_t total = records_below(node, child);
    internal.children.push_back({node_at(address, level - 1, node.first_child + child),
                                 records_in(level - 1, total), total});
    if (child + 1 < node.children)
      PCIO_TRY(encode_records(first_below(node, child) + total, 1, stored));
  }
  internal.records = std::move(stored).take();
  return encode_btree2_node(internal, header_, level, shape_.sizes, out);
}

std::shared_ptr<IndexUpdater> ChunkBtree2Plan::updater_at(FileAddress address) {
  auto behind = [&](std::uint64_t record) {
    return record == 0 ? 0 : chunks_.walk_from(record - 1).ordinal() + 1;
  };
  std::vector<ChunkBtree2Updater::Level> levels(header_.depth + std::size_t{1});
  levels.back().push_back({0, node_at(address, header_.depth, 0), chunks_.count()});
  for (unsigned level = header_.depth; level > 0; --level)
    for (const Node& node : levels_[level - 1])
      for (std::uint64_t child = 0; child < node.children; ++child)
        levels[level - 1].push_back({behind(first_below(node, child)),
                                     node_at(address, level - 1, node.first_child + child),
                                     records_below(node, child)});
  return std::make_shared<ChunkBtree2Updater>(shape_, elements_, header_, address,
                                              std::move(levels));
}

BlockSet ChunkBtree2Plan::blocks(FileAddress address) {
  const std::shared_ptr<const ChunkBtree2Plan> plan = shared_from_this();
  BlockSet set;
  const std::uint64_t size = plan->header_.node_size;
  const std::uint64_t most = std::max<std::uint64_t>(1, kIndexBytesAtOnce / size);
  set.push_back({{address, btree2_header_size(plan->shape_.sizes)},
                 [plan, address](ByteWriter& out) { return plan->encode_header(address, out); }});
  for (std::uint64_t first = 0; first < plan->node_counts_[0]; first += most) {
    const std::uint64_t count = std::min(most, plan->node_counts_[0] - first);
    set.push_back(
        {{plan->node_at(address, 0, first), count * size},
         [plan, first, count](ByteWriter& out) { return plan->encode_leaves(first, count, out); }});
  }
  for (unsigned level = 1; level <= plan->header_.depth; ++level) {
    const std::vector<Node>& nodes = plan->levels_[level - 1];
    for (std::size_t n = 0; n < nodes.size(); ++n)
      set.push_back({{plan->node_at(address, level, n), size},
                     [plan, address, level, &node = nodes[n]](ByteWriter& out) {
                       return plan->encode_internal(address, level, node, out);
                     }});
  }
  return set;
}

}  // namespace pcio
