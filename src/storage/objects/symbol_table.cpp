// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: reading and writing of version 1 symbol tables.

#include "storage/objects/symbol_table.hpp"

#include <algorithm>
#include <set>

#include "base/checked.hpp"
#include "format/group_btree.hpp"
#include "format/local_heap.hpp"
#include "format/symbol_table_node.hpp"
#include "storage/space/range_set.hpp"

namespace pcio {

namespace {

/// Bytes of a heap's header where its segment, which is aligned, comes next.
std::uint64_t padded_heap_header(const FileSizes& sizes) {
  return round_up<std::uint64_t>(local_heap_header_size(sizes), 8);
}

/// Walks one tree. Every node is visited once, so a damaged file costs at most its own size.
class TableReader {
 public:
  TableReader(FileBytes& file, const SymbolTableShape& shape, SymbolTablePlace* place)
      : file_(file), shape_(shape), place_(place) {}

  Result<LinkTable> read() {
    PCIO_TRY(read_heap());
    PCIO_TRY(read_node(place_->btree, -1));
    place_->links = table_.links.size();
    // As who wrote them has them: given back as a whole.
    join_ranges(&place_->owned);
    return std::move(table_);
  }

 private:
  Status read_heap() {
    std::size_t head = local_heap_header_size(shape_.sizes);
    PCIO_ASSIGN(auto bytes, file_.block(place_->heap, head, "local heap"));
    PCIO_ASSIGN(LocalHeapHeader header, decode_local_heap_header(bytes, shape_.sizes));
    // What lies between a header and a segment that was made with it belongs to the table.
    const std::uint64_t padded = padded_heap_header(shape_.sizes);
    const bool together = header.segment_address == place_->heap + padded;
    place_->owned.push_back({place_->heap, together ? padded : head});
    PCIO_ASSIGN(heap_,
                file_.block(header.segment_address, header.segment_size, "local heap segment"));
    place_->owned.push_back({header.segment_address, header.segment_size});
    place_->heap_bytes = head + header.segment_size;
    return Status();
  }

  Status read_node(FileAddress address, int level) {
    if (!seen_.insert(address).second)
      return PCIO_ERROR(BTREE, BADVALUE, "group B-tree visits a node twice");
    std::size_t size = group_btree_node_size(shape_.internal_k, shape_.sizes);
    PCIO_TRY(count(size));
    PCIO_ASSIGN(auto bytes, file_.block(address, size, "group B-tree node"));
    PCIO_ASSIGN(GroupBtreeNode node,
                decode_group_btree_node(bytes, shape_.sizes, shape_.internal_k));
    if (level >= 0 && node.level != static_cast<unsigned>(level))
      return PCIO_ERROR(BTREE, BADVALUE, "group B-tree node has the wrong level");
    place_->owned.push_back({address, size});
    for (FileAddress child : node.children)
      PCIO_TRY(node.level > 0 ? read_node(child, static_cast<int>(node.level) - 1)
                              : read_leaf(child));
    return Status();
  }

  Status read_leaf(FileAddress address) {
    if (!seen_.insert(address).second)
      return PCIO_ERROR(SYM, BADVALUE, "group B-tree visits a symbol table node twice");
    std::size_t size = symbol_table_node_size(shape_.leaf_k, shape_.sizes);
    PCIO_TRY(count(size));
    PCIO_ASSIGN(auto bytes, file_.block(address, size, "symbol table node"));
    PCIO_ASSIGN(SymbolTableNode node, decode_symbol_table_node(bytes, shape_.sizes, shape_.leaf_k));
    place_->owned.push_back({address, size});
    for (const SymbolTableEntry& entry : node.entries) PCIO_TRY(add(entry));
    return Status();
  }

  /// Nodes of a sound file don't overlap, which bounds what a damaged one can ask for.
  Status count(std::size_t node_bytes) {
    if (!fits_inside(node_bytes_, node_bytes, file_.all_bytes()))
      return PCIO_ERROR(BTREE, BADVALUE, "group B-tree has more nodes than the file has room for");
    node_bytes_ += node_bytes;
    place_->index_bytes = node_bytes_;
    return Status();
  }

  /// Nor do the names in a heap.
  Status count_name(std::string_view name) {
    if (!fits_inside(name_bytes_, name.size() + 1, heap_.size()))
      return PCIO_ERROR(SYM, BADVALUE, "names of a group are longer than its local heap");
    name_bytes_ += name.size() + 1;
    return Status();
  }

  Status add(const SymbolTableEntry& entry) {
    PCIO_ASSIGN(std::string_view name, local_heap_name(heap_, entry.name_offset));
    PCIO_TRY(count_name(name));
    LinkMessage link;
    link.name = name;
    if (entry.cache == SymbolCache::kSoftLink) {
      link.type = kLinkSoft;
      PCIO_ASSIGN(std::string_view target, local_heap_name(heap_, entry.link_offset));
      PCIO_TRY(count_name(target));
      link.target = target;
    } else {
      link.address = entry.header_address;
    }
    if (!table_.links.insert(std::move(link)).second)
      return PCIO_ERROR(SYM, BADVALUE, "group lists the name \"" + std::string(name) + "\" twice");
    return Status();
  }

  FileBytes& file_;
  const SymbolTableShape& shape_;
  SymbolTablePlace* place_;
  std::vector<std::byte> heap_;
  std::set<FileAddress> seen_;
  std::uint64_t node_bytes_ = 0;  // so far
  std::uint64_t name_bytes_ = 0;
  LinkTable table_;
};

}  // namespace

bool fits_symbol_table(const LinkMessage& link) {
  return link.type <= kLinkSoft && link.charset == NameCharset::kAscii;
}

bool fits_symbol_table(const LinkTable& table) {
  return std::all_of(table.links.begin(), table.links.end(),
                     [](const LinkMessage& link) { return fits_symbol_table(link); });
}

Result<LinkTable> read_symbol_table(FileBytes& file, const SymbolTableShape& shape,
                                    SymbolTablePlace* place) {
  return TableReader(file, shape, place).read();
}

Result<SymbolTableEntry> symbol_table_entry(const LinkMessage& link, std::uint64_t name_at) {
  SymbolTableEntry entry;
  entry.name_offset = name_at;
  if (link.type != kLinkSoft) {
    entry.header_address = link.address;
    return entry;
  }
  const std::uint64_t target_at = name_at + LocalHeapSegment::space_for(link.name);
  if (target_at > 0xFFFFFFFFU)
    return PCIO_ERROR(SYM, OVERFLOW, "too many bytes of names in a group with soft links");
  entry.cache = SymbolCache::kSoftLink;
  entry.link_offset = static_cast<std::uint32_t>(target_at);
  return entry;
}

SymbolTablePlan::SymbolTablePlan(const LinkTable& table, const SymbolTableShape& shape,
                                 HeapRoom room)
    : shape_(shape), links_(table.links.size()) {
  std::uint64_t name_offset = LocalHeapSegment::space_for("");
  std::uint64_t in_leaf = 0;
  std::uint64_t per_leaf = 2 * std::uint64_t{shape.leaf_k};
  for (const LinkMessage& link : table.links) {
    if (in_leaf == 0) last_name_of_leaf_.push_back(0);
    last_name_of_leaf_.back() = name_offset;
    in_leaf = (in_leaf + 1) % per_leaf;
    name_offset += LocalHeapSegment::space_for(link.name);
    if (link.type == kLinkSoft) name_offset += LocalHeapSegment::space_for(link.target.text());
  }
  heap_bytes_ = name_offset + local_heap_slack(shape.sizes.length_size);
  if (room == HeapRoom::kDouble && fits_width(heap_bytes_ + name_offset, shape.sizes.length_size))
    heap_bytes_ += name_offset;
  leaf_offset_ = padded_heap_header(shape.sizes) + heap_bytes_;
  leaves_ = last_name_of_leaf_.size();
  total_ = leaf_offset_ + leaves_ * symbol_table_node_size(shape.leaf_k, shape.sizes);
  std::uint64_t below = leaves_;
  do {
    std::uint64_t nodes = std::max<std::uint64_t>(
        1, ceil_div<std::uint64_t>(below, 2 * std::uint64_t{shape.internal_k}));
    levels_.push_back({nodes, total_});
    total_ += nodes * group_btree_node_size(shape.internal_k, shape.sizes);
    below = nodes;
  } while (below > 1);
}

std::uint64_t SymbolTablePlan::leaf_offset(std::uint64_t leaf) const {
  return leaf_offset_ + leaf * symbol_table_node_size(shape_.leaf_k, shape_.sizes);
}

std::uint64_t SymbolTablePlan::node_offset(std::size_t level, std::uint64_t node) const {
  return levels_[level].offset + node * group_btree_node_size(shape_.internal_k, shape_.sizes);
}

SymbolTablePlace SymbolTablePlan::place_at(FileAddress address) const {
  return {address + root_offset(),
          address,
          {{address, total_}},
          total_ - leaf_offset_,
          local_heap_header_size(shape_.sizes) + heap_bytes_,
          links_};
}

Status SymbolTablePlan::encode_heap(const LinkTable& table, FileAddress address,
                                    ByteWriter& out) const {
  LocalHeapSegment segment(heap_bytes_, shape_.sizes);
  for (const LinkMessage& link : table.links) {
    segment.insert(link.name);
    if (link.type == kLinkSoft) segment.insert(link.target.text());
  }
  LocalHeapHeader header;
  header.segment_size = heap_bytes_;
  header.first_free = segment.first_free();
  std::uint64_t head = padded_heap_header(shape_.sizes);
  header.segment_address = address + head;
  std::size_t start = out.size();
  PCIO_TRY(encode_local_heap_header(header, shape_.sizes, out));
  out.zeros(head - (out.size() - start));
  out.bytes(segment.encode());
  return Status();
}

Status SymbolTablePlan::encode_leaves(const LinkTable& table, ByteWriter& out) const {
  SymbolTableNode node;
  std::uint64_t offset = LocalHeapSegment::space_for("");
  std::size_t left = table.links.size();
  for (const LinkMessage& link : table.links) {
    PCIO_ASSIGN(SymbolTableEntry entry, symbol_table_entry(link, offset));
    offset += LocalHeapSegment::space_for(link.name);
    if (link.type == kLinkSoft) offset += LocalHeapSegment::space_for(link.target.text());
    node.entries.push_back(entry);
    if (--left > 0 && node.entries.size() < 2 * std::size_t{shape_.leaf_k}) continue;
    PCIO_TRY(encode_symbol_table_node(node, shape_.sizes, shape_.leaf_k, out));
    node.entries.clear();
  }
  return Status();
}

Status SymbolTablePlan::encode_level(std::size_t level, FileAddress address,
                                     ByteWriter& out) const {
  std::uint64_t node_bytes = group_btree_node_size(shape_.internal_k, shape_.sizes);
  std::uint64_t per_node = 2 * std::uint64_t{shape_.internal_k};
  std::uint64_t child_bytes =
      level == 0 ? symbol_table_node_size(shape_.leaf_k, shape_.sizes) : node_bytes;
  std::uint64_t child_start = address + (level == 0 ? leaf_offset_ : levels_[level - 1].offset);
  std::uint64_t children = level == 0 ? leaves_ : levels_[level - 1].nodes;
  std::uint64_t leaves_per_child = 1;
  for (std::size_t i = 0; i < level; ++i) leaves_per_child *= per_node;
  // The key behind a child is the last name below it.
  auto key_behind = [&](std::uint64_t child) {
    std::uint64_t leaf = std::min((child + 1) * leaves_per_child, leaves_);
    return last_name_of_leaf_[leaf - 1];
  };
  for (std::uint64_t n = 0; n < levels_[level].nodes; ++n) {
    GroupBtreeNode node;
    node.level = static_cast<unsigned>(level);
    FileAddress here = address + levels_[level].offset + n * node_bytes;
    if (n > 0) node.left = here - node_bytes;
    if (n + 1 < levels_[level].nodes) node.right = here + node_bytes;
    std::uint64_t first = n * per_node;
    std::uint64_t last = std::min(first + per_node, children);
    node.keys.push_back(first == 0 ? 0 : key_behind(first - 1));
    for (std::uint64_t child = first; child < last; ++child) {
      node.children.push_back(child_start + child * child_bytes);
      node.keys.push_back(key_behind(child));
    }
    PCIO_TRY(encode_group_btree_node(node, shape_.sizes, shape_.internal_k, out));
  }
  return Status();
}

Status SymbolTablePlan::encode(const LinkTable& table, FileAddress address, ByteWriter& out) const {
  PCIO_TRY(encode_heap(table, address, out));
  PCIO_TRY(encode_leaves(table, out));
  for (std::size_t level = 0; level < levels_.size(); ++level)
    PCIO_TRY(encode_level(level, address, out));
  return Status();
}

}  // namespace pcio
