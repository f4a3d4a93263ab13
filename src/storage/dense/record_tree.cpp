// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: RecordTree: reading, changing, planning.

#include "storage/dense/record_tree.hpp"

#include <algorithm>

#include "storage/dense/tree_walk.hpp"

namespace pcio {

namespace {

/// Nodes with room for fewer records can't be kept balanced.
constexpr std::uint64_t kLeastRoom = 4;

bool record_less(const TreeRecord& record, const RecordKey& key) { return record.key < key; }

std::size_t place_of(const std::vector<TreeRecord>& records, const RecordKey& key) {
  return static_cast<std::size_t>(
      std::lower_bound(records.begin(), records.end(), key, record_less) - records.begin());
}

bool is_at(const std::vector<TreeRecord>& records, std::size_t at, const RecordKey& key) {
  return at < records.size() && records[at].key == key;
}

template <class T>
void move_tail(std::vector<T>& from, std::size_t first, std::vector<T>& to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  to.insert(to.end(), std::make_move_iterator(begin), std::make_move_iterator(from.end()));
  from.erase(begin, from.end());
}

}  // namespace

/// Reads a tree node by node.
class RecordTree::Reader {
 public:
  Reader(FileBytes& file, RecordTree& tree, const Decode& decode, BlockOwner* owner)
      : file_(file), tree_(tree), decode_(decode), owner_(owner) {}

  Result<NodePtr> node(const Btree2Pointer& pointer, unsigned depth) {
    const Btree2Header& header = tree_.header_;
    if (pointer.count == 0)
      return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree has a node without records");
    PCIO_ASSIGN(auto bytes,
                file_.block(pointer.address, header.node_size, "version 2 B-tree node"));
    PCIO_ASSIGN(Btree2Node stored,
                decode_btree2_node(bytes, header, depth, pointer.count, tree_.sizes_));
    auto node = std::make_unique<Node>();
    node->address = pointer.address;
    node->changed = false;
    PCIO_TRY(adopt(pointer.address));
    node->total = pointer.count;
    for (std::uint64_t i = 0; i <= pointer.count; ++i) {
      if (depth > 0) {
        PCIO_ASSIGN(NodePtr child, this->node(stored.children[i], depth - 1));
        node->total += child->total;
        node->children.push_back(std::move(child));
      }
      if (i == pointer.count) break;
      PCIO_ASSIGN(
          TreeRecord record,
          decode_(ConstBytes(stored.records).subspan(i * header.record_size, header.record_size)));
      if (any_ && !(last_ < record.key))
        return PCIO_ERROR(BTREE, BADVALUE, "records of a version 2 B-tree are not sorted");
      last_ = record.key;
      any_ = true;
      node->records.push_back(std::move(record));
    }
    if (node->total != pointer.total)
      return PCIO_ERROR(BTREE, BADVALUE, "version 2 B-tree counts its records wrongly");
    return node;
  }

  /// A node that was seen already would be no end.
  Status adopt(FileAddress address) {
    if (owner_->adopt({address, tree_.header_.node_size})) return Status();
    return PCIO_ERROR(BTREE, BADVALUE, "nodes of a version 2 B-tree overlap");
  }

 private:
  FileBytes& file_;
  RecordTree& tree_;
  const Decode& decode_;
  BlockOwner* owner_;
  RecordKey last_;
  bool any_ = false;
};

Result<RecordTree> RecordTree::read(FileBytes& file, const Btree2Header& shape,
                                    const FileSizes& sizes, FileAddress address,
                                    const Decode& decode, BlockOwner* owner) {
  PCIO_ASSIGN(Btree2Header header, read_btree2_header(file, sizes, address));
  if (header.type != shape.type || header.record_size != shape.record_size)
    return PCIO_ERROR(BTREE, BADTYPE, "version 2 B-tree holds records of another kind");
  RecordTree tree(header, sizes);
  tree.header_.depth = header.depth;
  tree.measure();
  if (!tree.can_change())
    return PCIO_ERROR(BTREE, UNSUPPORTED, "version 2 B-tree has nodes too small to be changed");
  tree.address_ = address;
  tree.changed_ = false;
  if (!owner->adopt({address, btree2_header_size(sizes)}))
    return PCIO_ERROR(BTREE, BADVALUE, "header of a version 2 B-tree overlaps something else");
  if (header.root.address == kUndefinedAddress) return tree;
  Reader reader(file, tree, decode, owner);
  if (header.root.count == 0) {
    // An empty root may be left over; the tree begins without one.
    PCIO_TRY(reader.adopt(header.root.address));
    owner->drop({header.root.address, header.node_size});
    tree.header_.depth = 0;
    tree.measure();
    tree.changed_ = true;
    return tree;
  }
  PCIO_ASSIGN(tree.root_, reader.node(header.root, header.depth));
  tree.header_.root.total = tree.root_->total;
  return tree;
}

void RecordTree::measure() { geometry_ = Btree2Geometry(header_, sizes_); }

bool RecordTree::can_change() const {
  if (!geometry_.valid() || header_.record_size > sizeof(TreeRecord::bytes) ||
      header_.merge_percent > 45)
    return false;
  // One level more than there is, which the tree may get.
  Btree2Header deeper = header_;
  ++deeper.depth;
  const Btree2Geometry geometry(deeper, sizes_);
  if (!geometry.valid()) return false;
  for (unsigned depth = 0; depth <= deeper.depth; ++depth)
    if (geometry.max_records(depth) < kLeastRoom) return false;
  return true;
}

const TreeRecord* RecordTree::find(const RecordKey& key) const {
  for (const Node* node = root_.get(); node != nullptr;) {
    const std::size_t at = place_of(node->records, key);
    if (is_at(node->records, at, key)) return &node->records[at];
    node = node->children.empty() ? nullptr : node->children[at].get();
  }
  return nullptr;
}

void RecordTree::put(TreeRecord record) {
  if (!root_) root_ = std::make_unique<Node>();
  put_below(*root_, header_.depth, record);
  if (root_->records.size() > most(header_.depth)) {
    auto above = std::make_unique<Node>();
    above->total = root_->total;
    above->children.push_back(std::move(root_));
    root_ = std::move(above);
    ++header_.depth;
    measure();
    split_child(*root_, header_.depth, 0);
  }
  header_.root.total = root_->total;
  changed_ = true;
}

/// True where there is one record more.
bool RecordTree::put_below(Node& node, unsigned depth, TreeRecord& record) {
  node.changed = true;
  const std::size_t at = place_of(node.records, record.key);
  if (is_at(node.records, at, record.key)) {
    node.records[at] = std::move(record);
    return false;
  }
  if (depth == 0) {
    node.records.insert(node.records.begin() + static_cast<std::ptrdiff_t>(at), std::move(record));
    ++node.total;
    return true;
  }
  const bool more = put_below(*node.children[at], depth - 1, record);
  if (more) ++node.total;
  if (node.children[at]->records.size() > most(depth - 1)) split_child(node, depth, at);
  return more;
}

/// A child with one record too many becomes two. The last one keeps more than half: records that only
/// ever grow would leave nodes half empty.
void RecordTree::split_child(Node& node, unsigned depth, std::size_t at) {
  Node& left = *node.children[at];
  const std::size_t count = left.records.size();
  const bool last = at + 1 == node.children.size();
  const auto other = static_cast<std::size_t>(least(depth - 1));
  std::size_t middle = count / 2;
  if (last && count > other + 1) middle = std::max(middle, count - other - 1);
  auto right = std::make_unique<Node>();
  move_tail(left.records, middle + 1, right->records);
  TreeRecord between = std::move(left.records.back());
  left.records.pop_back();
  if (!left.children.empty()) move_tail(left.children, middle + 1, right->children);
  right->total = right->records.size();
  for (const NodePtr& child : right->children) right->total += child->total;
  left.total -= right->total + 1;
  left.changed = node.changed = true;
  const auto where = static_cast<std::ptrdiff_t>(at);
  node.records.insert(node.records.begin() + where, std::move(between));
  node.children.insert(node.children.begin() + where + 1, std::move(right));
}

bool RecordTree::erase(const RecordKey& key, BlockOwner* owner) {
  if (find(key) == nullptr) return false;
  erase_below(*root_, header_.depth, key, owner);
  if (root_->records.empty()) {
    if (root_->address != kUndefinedAddress) owner->drop({root_->address, header_.node_size});
    if (root_->children.empty()) {
      root_.reset();
    } else {
      NodePtr below = std::move(root_->children.front());
      root_ = std::move(below);
      --header_.depth;
      measure();
    }
  }
  header_.root.total = root_ ? root_->total : 0;
  changed_ = true;
  return true;
}

/// There is one with this key.
bool RecordTree::erase_below(Node& node, unsigned depth, const RecordKey& key, BlockOwner* owner) {
  node.changed = true;
  --node.total;
  const std::size_t at = place_of(node.records, key);
  const bool here = is_at(node.records, at, key);
  if (depth == 0) {
    node.records.erase(node.records.begin() + static_cast<std::ptrdiff_t>(at));
    return here;
  }
  if (here)
    node.records[at] = take_last(*node.children[at], depth - 1, owner);
  else
    erase_below(*node.children[at], depth - 1, key, owner);
  fill_child(node, depth, at, owner);
  return true;
}

TreeRecord RecordTree::take_last(Node& node, unsigned depth, BlockOwner* owner) {
  node.changed = true;
  --node.total;
  if (depth == 0) {
    TreeRecord last = std::move(node.records.back());
    node.records.pop_back();
    return last;
  }
  TreeRecord last = take_last(*node.children.back(), depth - 1, owner);
  fill_child(node, depth, node.children.size() - 1, owner);
  return last;
}

/// A child that has become too empty shares with its neighbour, or becomes one with it.
void RecordTree::fill_child(Node& node, unsigned depth, std::size_t at, BlockOwner* owner) {
  if (node.children[at]->records.size() >= least(depth - 1)) return;
  const std::size_t first = at == 0 ? 0 : at - 1;
  Node& left = *node.children[first];
  Node& right = *node.children[first + 1];
  left.changed = right.changed = true;
  left.records.push_back(std::move(node.records[first]));
  move_tail(right.records, 0, left.records);
  move_tail(right.children, 0, left.children);
  left.total += right.total + 1;
  const auto where = static_cast<std::ptrdiff_t>(first);
  node.records.erase(node.records.begin() + where);
  NodePtr spare = std::move(node.children[first + 1]);
  node.children.erase(node.children.begin() + where + 1);
  if (left.records.size() <= most(depth - 1)) {
    if (spare->address != kUndefinedAddress) owner->drop({spare->address, header_.node_size});
    return;
  }
  // Half of them go back, into the node that is there already.
  const std::size_t middle = left.records.size() / 2;
  move_tail(left.records, middle + 1, spare->records);
  TreeRecord between = std::move(left.records.back());
  left.records.pop_back();
  if (!left.children.empty()) move_tail(left.children, middle + 1, spare->children);
  spare->total = spare->records.size();
  for (const NodePtr& child : spare->children) spare->total += child->total;
  left.total -= spare->total + 1;
  node.records.insert(node.records.begin() + where, std::move(between));
  node.children.insert(node.children.begin() + where + 1, std::move(spare));
}

void RecordTree::for_each(const std::function<void(const TreeRecord&)>& visit) const {
  const std::function<void(const Node&)> walk = [&](const Node& node) {
    for (std::size_t i = 0; i <= node.records.size(); ++i) {
      if (!node.children.empty()) walk(*node.children[i]);
      if (i < node.records.size()) visit(node.records[i]);
    }
  };
  if (root_) walk(*root_);
}

Status RecordTree::place_node(Node& node, BlockOwner* owner, FileSpace& space) {
  // Whoever has something new below is changed itself.
  if (!node.changed) return Status();
  if (node.address == kUndefinedAddress) {
    PCIO_ASSIGN(node.address, owner->take(header_.node_size, space));
  }
  for (const NodePtr& child : node.children) PCIO_TRY(place_node(*child, owner, space));
  return Status();
}

Status RecordTree::place(BlockOwner* owner, FileSpace& space) {
  if (address_ == kUndefinedAddress) {
    PCIO_ASSIGN(address_, owner->take(btree2_header_size(sizes_), space));
  }
  return root_ ? place_node(*root_, owner, space) : Status();
}

Status RecordTree::encode_node(const Node& node, unsigned depth, ByteWriter& out) const {
  Btree2Node form;
  form.records.reserve(node.records.size() * header_.record_size);
  for (const TreeRecord& record : node.records)
    form.records.insert(form.records.end(), record.bytes.begin(),
                        record.bytes.begin() + header_.record_size);
  for (const NodePtr& child : node.children)
    form.children.push_back({child->address, child->records.size(), child->total});
  return encode_btree2_node(form, header_, depth, sizes_, out);
}

void RecordTree::add_node(const Node& node, unsigned depth, BlockSet* blocks) const {
  if (!node.changed) return;
  blocks->push_back({{node.address, header_.node_size}, [this, &node, depth](ByteWriter& out) {
                       return encode_node(node, depth, out);
                     }});
  for (const NodePtr& child : node.children) add_node(*child, depth - 1, blocks);
}

void RecordTree::add_blocks(BlockSet* blocks) const {
  if (!changed_) return;
  blocks->push_back({{address_, btree2_header_size(sizes_)}, [this](ByteWriter& out) {
                       Btree2Header header = header_;
                       if (root_)
                         header.root = {root_->address, root_->records.size(), root_->total};
                       else
                         header.root = {kUndefinedAddress, 0, 0};
                       return encode_btree2_header(header, sizes_, out);
                     }});
  if (root_) add_node(*root_, header_.depth, blocks);
}

void RecordTree::mark_committed() {
  changed_ = false;
  const std::function<void(Node&)> clear = [&](Node& node) {
    if (!node.changed) return;
    node.changed = false;
    for (const NodePtr& child : node.children) clear(*child);
  };
  if (root_) clear(*root_);
}

void RecordTree::drop_node(const Node& node, BlockOwner* owner) const {
  if (node.address != kUndefinedAddress) owner->drop({node.address, header_.node_size});
  for (const NodePtr& child : node.children) drop_node(*child, owner);
}

void RecordTree::drop(BlockOwner* owner) {
  if (root_) drop_node(*root_, owner);
  root_.reset();
  if (address_ != kUndefinedAddress) owner->drop({address_, btree2_header_size(sizes_)});
  address_ = kUndefinedAddress;
  header_.root = {};
  header_.depth = 0;
  measure();
  changed_ = true;
}

}  // namespace pcio
