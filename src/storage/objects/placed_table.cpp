// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: which nodes of a symbol table change, and into what.

#include "storage/objects/placed_table.hpp"

#include <algorithm>

#include "base/checked.hpp"
#include "base/without_throwing.hpp"
#include "format/group_btree.hpp"
#include "format/local_heap.hpp"
#include "format/symbol_table_node.hpp"

namespace pcio {

namespace {

using LinkAt = LinkMap::const_iterator;

std::uint64_t text_bytes(const LinkMessage& link) {
  std::uint64_t bytes = LocalHeapSegment::space_for(link.name);
  if (link.type == kLinkSoft) bytes += LocalHeapSegment::space_for(link.target.text());
  return bytes;
}

Status encode_entries(LinkAt link, std::span<const std::uint64_t> names_at,
                      const SymbolTableShape& shape, ByteWriter& out) {
  SymbolTableNode node;
  for (const std::uint64_t name_at : names_at) {
    PCIO_ASSIGN(SymbolTableEntry entry, symbol_table_entry(*link, name_at));
    node.entries.push_back(entry);
    ++link;
  }
  return encode_symbol_table_node(node, shape.sizes, shape.leaf_k, out);
}

void put_text(std::string_view text, ByteWriter& out) {
  const std::uint64_t bytes = LocalHeapSegment::space_for(text);
  out.text(text);
  out.zeros(bytes - text.size());
}

}  // namespace

PlacedTable::~PlacedTable() = default;

PlacedTable::PlacedTable(const LinkTable& table, const SymbolTableShape& shape,
                         const SymbolTablePlan& plan, FileAddress address)
    : shape_(shape),
      whole_bytes_(plan.total_bytes()),
      heap_(address),
      segment_(address + plan.segment_offset()),
      segment_bytes_(plan.heap_bytes()),
      used_(LocalHeapSegment::space_for("")),
      owned_{{heap_, segment_ - heap_}, {segment_, segment_bytes_}},
      index_bytes_before_(plan.place_at(address).index_bytes) {
  const std::uint64_t per_leaf = 2 * std::uint64_t{shape.leaf_k};
  std::vector<Child> children;
  for (const LinkMessage& link : table.links) {
    if (children.empty() || children.back().names_at.size() == per_leaf) {
      Child& leaf = children.emplace_back();
      leaf.address = address + plan.leaf_offset(children.size() - 1);
      owned_.emplace(leaf.address, symbol_table_node_size(shape.leaf_k, shape.sizes));
      leaf.names_at.reserve(per_leaf);
    }
    Child& leaf = children.back();
    leaf.names_at.push_back(used_);
    leaf.last_at = used_;
    used_ += text_bytes(link);
    if (leaf.names_at.size() == per_leaf || &link == &*table.links.rbegin()) leaf.last = link.name;
  }
  const std::size_t per_node = 2 * std::size_t{shape.internal_k};
  for (unsigned level = 0;; ++level) {
    std::vector<Child> above;
    Node* left = nullptr;
    std::uint64_t first_at = 0;
    for (std::size_t i = 0; i < children.size(); i += per_node) {
      auto node = std::make_unique<Node>();
      node->address = address + plan.node_offset(level, above.size());
      owned_.emplace(node->address, group_btree_node_size(shape.internal_k, shape.sizes));
      node->level = level;
      node->first_at = first_at;
      node->left = left;
      if (left != nullptr) left->right = node.get();
      left = node.get();
      const auto begin = children.begin() + static_cast<std::ptrdiff_t>(i);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(per_node, children.size() - i));
      node->children.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
      Child& child = above.emplace_back();
      child.last = node->children.back().last;
      child.last_at = first_at = node->children.back().last_at;
      child.address = node->address;
      child.node = std::move(node);
    }
    children = std::move(above);
    if (children.size() == 1) break;
  }
  root_ = std::move(children.front().node);
}

/// One plan. What fails, or leads to a table that must be written whole, leaves the nodes as they come.
class PlacedTable::Change {
 public:
  Change(PlacedTable& placed, const LinkTable& table, FileSpace& space, BlockSet* blocks)
      : placed_(placed), table_(table), space_(space), blocks_(blocks) {}

  /// False: the table must be written whole.
  Result<bool> make() {
    PCIO_ASSIGN(bool done, rebuild(*placed_.root_, nullptr, Place::kLast));
    if (!done || !siblings_.empty()) return false;
    write_nodes();
    write_heap();
    return true;
  }
  /// Blocks of nodes that are no longer in the tree.
  [[nodiscard]] const std::vector<ByteRange>& taken_out() const { return taken_out_; }

 private:
  enum class Place : std::uint8_t { kBefore, kLast };  ///< the last child behind which is nothing
  using Siblings = std::vector<Child>;

  Result<FileAddress> allocate(std::uint64_t bytes) {
    placed_.new_.emplace_back();
    PCIO_ASSIGN(FileAddress address, space_.allocate(bytes, SpaceUse::kMetadata));
    placed_.new_.back() = {address, bytes};
    return address;
  }
  void touch(Node* node) {
    if (node == nullptr || node->changed) return;
    node->changed = true;
    changed_.push_back(node);
  }
  [[nodiscard]] std::uint64_t leaf_bytes() const {
    return symbol_table_node_size(placed_.shape_.leaf_k, placed_.shape_.sizes);
  }
  [[nodiscard]] std::uint64_t node_bytes() const {
    return group_btree_node_size(placed_.shape_.internal_k, placed_.shape_.sizes);
  }

  /// Everything below `node` as the table has it now; `lower`: its names are greater (null: none is
  /// not). What it can't hold are new nodes in siblings_. False: the table must be written whole.
  Result<bool> rebuild(Node& node, const std::string* lower, Place place) {
    std::vector<Child> before = std::move(node.children);
    std::vector<Child> after;
    std::string bound;  // of the child before, as it was
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Place here = place == Place::kLast && i + 1 == before.size() ? place : Place::kBefore;
      Child& child = before[i];
      std::string next = child.last;
      if (child.changes) {
        child.changes = false;
        PCIO_ASSIGN(bool done, node.level == 0 ? rebuild_leaf(child, lower, here, node, &after)
                                               : rebuild_below(child, lower, here, node, &after));
        if (!done) return false;
      } else {
        after.push_back(std::move(child));
      }
      bound = std::move(next);
      lower = &bound;
    }
    node.children = std::move(after);
    if (node.children.empty()) return false;
    return split(node);
  }

  Result<bool> rebuild_below(Child& child, const std::string* lower, Place place, Node& above,
                             std::vector<Child>* after) {
    const std::string last = child.last;
    const std::uint64_t last_at = child.last_at;
    PCIO_ASSIGN(bool done, rebuild(*child.node, lower, place));
    if (!done) return false;
    std::vector<Child> siblings = std::move(siblings_);
    siblings_.clear();
    const std::size_t first = after->size();
    after->push_back(std::move(child));
    for (Child& sibling : siblings) after->push_back(std::move(sibling));
    for (std::size_t i = first; i < after->size(); ++i) {
      Child& one = (*after)[i];
      const bool keeps = i + 1 == after->size() && place == Place::kBefore;
      one.last = keeps ? last : one.node->children.back().last;
      one.last_at = keeps ? last_at : one.node->children.back().last_at;
    }
    if (!siblings.empty() || after->back().last_at != last_at) touch(&above);
    return true;
  }

  /// Where the texts of new links go, in the order in which this is called.
  std::uint64_t place_texts(const LinkMessage& link) {
    const std::uint64_t at = placed_.used_;
    placed_.used_ += text_bytes(link);
    texts_.push_back(&link);
    return at;
  }

  /// Where the names from `link` to `end` are in the heap; false where what was followed doesn't fit to
  /// what is there. `old`: of the names as they were, less or equal to `last`.
  bool find_names(LinkAt link, LinkAt end, std::span<const std::uint64_t> old,
                  LinkChanges::const_iterator change, std::vector<std::uint64_t>* names_at) {
    const LinkChanges& changes = *table_.changes;
    std::size_t next = 0;
    auto take_old = [&] { return next < old.size() ? old[next++] : kUndefinedAddress; };
    for (; link != end; ++link) {
      for (; change != changes.end() && change->first < link->name; ++change)
        if (change->second == LinkBefore::kThere) take_old();
      if (change != changes.end() && change->first == link->name) {
        if (change->second == LinkBefore::kThere) take_old();
        names_at->push_back(place_texts(*link));
        ++change;
      } else {
        names_at->push_back(take_old());
        if (names_at->back() == kUndefinedAddress) return false;
      }
    }
    // Behind the last one that is left.
    for (; next < old.size() && change != changes.end(); ++change)
      if (change->second == LinkBefore::kThere) ++next;
    return next == old.size();
  }

  Result<bool> rebuild_leaf(Child& leaf, const std::string* lower, Place place, Node& above,
                            std::vector<Child>* after) {
    const LinkMap& links = table_.links;
    const auto begin = lower == nullptr ? links.begin() : links.upper_bound(*lower);
    const auto end = place == Place::kLast ? links.end() : links.upper_bound(leaf.last);
    const LinkChanges& changes = *table_.changes;
    const auto change = lower == nullptr ? changes.begin() : changes.upper_bound(*lower);
    std::vector<std::uint64_t> names_at;
    if (!find_names(begin, end, leaf.names_at, change, &names_at)) return false;
    if (names_at.empty()) {
      take_out(leaf, above, after);
      return true;
    }
    const std::size_t most = 2 * std::size_t{placed_.shape_.leaf_k};
    const std::size_t pieces = ceil_div(names_at.size(), most);
    // Names that only ever grow would leave nodes half empty that are cut in the middle.
    const std::size_t each = place == Place::kLast ? most : ceil_div(names_at.size(), pieces);
    auto link = begin;
    for (std::size_t from = 0; from < names_at.size(); from += each) {
      const std::size_t to = std::min(from + each, names_at.size());
      Child piece;
      piece.address = leaf.address;
      if (from > 0) {
        PCIO_ASSIGN(piece.address, allocate(leaf_bytes()));
      }
      piece.names_at.assign(names_at.begin() + static_cast<std::ptrdiff_t>(from),
                            names_at.begin() + static_cast<std::ptrdiff_t>(to));
      write_leaf(piece, link);
      auto last = link;
      std::advance(last, to - from - 1);
      const bool keeps = to == names_at.size() && place == Place::kBefore;
      piece.last = keeps ? leaf.last : last->name;
      piece.last_at = keeps ? leaf.last_at : piece.names_at.back();
      link = std::next(last);
      after->push_back(std::move(piece));
    }
    if (names_at.size() > each || after->back().last_at != leaf.last_at) touch(&above);
    return true;
  }

  /// What lay between the neighbours' names is the one's before, where there is one.
  void take_out(const Child& leaf, Node& above, std::vector<Child>* after) {
    taken_out_.push_back({leaf.address, leaf_bytes()});
    if (!after->empty()) {
      after->back().last = leaf.last;
      after->back().last_at = leaf.last_at;
    }
    touch(&above);
  }

  void write_leaf(const Child& leaf, LinkAt first) {
    blocks_->push_back({{leaf.address, leaf_bytes()},
                        [first, names_at = leaf.names_at, shape = placed_.shape_](ByteWriter& out) {
                          return encode_entries(first, names_at, shape, out);
                        }});
  }

  /// Children that are too many go into new nodes behind this one, evenly.
  Result<bool> split(Node& node) {
    const std::size_t most = 2 * std::size_t{placed_.shape_.internal_k};
    const std::size_t all = node.children.size();
    if (all <= most) return true;
    if (&node == placed_.root_.get()) return false;
    const std::size_t each = ceil_div(all, ceil_div(all, most));
    std::vector<Child> children = std::move(node.children);
    auto part = [&](std::size_t from) {
      const auto begin = children.begin() + static_cast<std::ptrdiff_t>(from);
      const auto end = begin + static_cast<std::ptrdiff_t>(std::min(each, all - from));
      return std::vector<Child>(std::make_move_iterator(begin), std::make_move_iterator(end));
    };
    node.children = part(0);
    touch(&node);
    Node* left = &node;
    for (std::size_t from = each; from < all; from += each) {
      auto made = std::make_unique<Node>();
      PCIO_ASSIGN(made->address, allocate(node_bytes()));
      made->level = node.level;
      made->left = left;
      made->right = left->right;
      if (left->right != nullptr) left->right->left = made.get();
      touch(left->right);
      left->right = made.get();
      made->first_at = left->children.back().last_at;
      made->children = part(from);
      touch(made.get());
      left = made.get();
      Child& sibling = siblings_.emplace_back();
      sibling.address = made->address;
      sibling.node = std::move(made);
    }
    return true;
  }

  void write_nodes() {
    for (Node* node : changed_) {
      node->changed = false;
      GroupBtreeNode form;
      form.level = node->level;
      if (node->left != nullptr) form.left = node->left->address;
      if (node->right != nullptr) form.right = node->right->address;
      form.keys.push_back(node->first_at);
      for (const Child& child : node->children) {
        form.children.push_back(child.address);
        form.keys.push_back(child.last_at);
      }
      blocks_->push_back({{node->address, node_bytes()},
                          [form = std::move(form), shape = placed_.shape_](ByteWriter& out) {
                            return encode_group_btree_node(form, shape.sizes, shape.internal_k,
                                                           out);
                          }});
    }
  }

  /// The new names, the free rest behind them, and where that begins.
  void write_heap() {
    if (texts_.empty()) return;
    const FileSizes sizes = placed_.shape_.sizes;
    std::uint64_t bytes = 0;
    for (const LinkMessage* link : texts_) bytes += text_bytes(*link);
    const std::uint64_t rest = placed_.segment_bytes_ - placed_.used_;
    const std::uint64_t first_free = placed_.used_;
    blocks_->push_back(
        {{placed_.segment_ + first_free - bytes, bytes + local_heap_slack(sizes.length_size)},
         [texts = std::move(texts_), rest, sizes](ByteWriter& out) {
           for (const LinkMessage* link : texts) {
             put_text(link->name, out);
             if (link->type == kLinkSoft) put_text(link->target.text(), out);
           }
           const std::size_t start = out.size();
           out.uint(LocalHeapHeader::kNoFreeBlock, sizes.length_size);
           out.uint(rest, sizes.length_size);
           out.zeros(local_heap_slack(sizes.length_size) - (out.size() - start));
           return Status();
         }});
    const LocalHeapHeader header{placed_.segment_bytes_, first_free, placed_.segment_};
    blocks_->push_back(
        {{placed_.heap_, local_heap_header_size(sizes)}, [header, sizes](ByteWriter& out) {
           return encode_local_heap_header(header, sizes, out);
         }});
  }

  PlacedTable& placed_;
  const LinkTable& table_;
  FileSpace& space_;
  BlockSet* blocks_;
  Siblings siblings_;
  std::vector<Node*> changed_;
  std::vector<const LinkMessage*> texts_;
  std::vector<ByteRange> taken_out_;
};

/// Withdraws a plan that has not come to its end, also where memory ran out in it.
class PlacedTable::Withdrawal {
 public:
  Withdrawal(PlacedTable& placed, FileSpace& space, SymbolTablePlace* place)
      : placed_(&placed), space_(space), place_(place) {}
  Withdrawal(const Withdrawal&) = delete;
  Withdrawal& operator=(const Withdrawal&) = delete;
  ~Withdrawal() {
    if (placed_ == nullptr) return;
    static_cast<void>(without_throwing([&] {
      placed_->withdraw(space_, place_);
      return Status();
    }));
  }
  void forget() { placed_ = nullptr; }

 private:
  PlacedTable* placed_;
  FileSpace& space_;
  SymbolTablePlace* place_;
};

/// The nodes on the way to where the name is or would be.
void PlacedTable::mark(const std::string& name) {
  for (Node* node = root_.get(); node != nullptr;) {
    auto child = std::lower_bound(
        node->children.begin(), node->children.end(), name,
        [](const Child& one, const std::string& wanted) { return one.last < wanted; });
    if (child == node->children.end()) --child;
    child->changes = true;
    node = child->node.get();
  }
}

Result<PlacedTable::Outcome> PlacedTable::plan(const LinkTable& table, FileSpace& space,
                                               SymbolTablePlace* place, BlockSet* blocks) {
  // What a commit planned that failed is not in the file, or not all of it.
  if (planned_ || !table.changes) return Outcome::kWriteWhole;
  planned_ = true;
  new_.clear();
  index_bytes_before_ = place->index_bytes;
  std::uint64_t added = 0;
  for (const auto& [name, before] : *table.changes) {
    if (before == LinkBefore::kThere) waste_ += LocalHeapSegment::space_for(name);
    const auto link = table.links.find(name);
    if (link != table.links.end()) {
      if (!fits_symbol_table(*link)) return Outcome::kWriteWhole;
      added += text_bytes(*link);
    }
    mark(name);
  }
  const std::uint64_t leaf_bytes = symbol_table_node_size(shape_.leaf_k, shape_.sizes);
  if (table.links.size() < kLeastLinks || waste_ > used_ / 2 ||
      !fits_inside(used_, added + local_heap_slack(shape_.sizes.length_size), segment_bytes_) ||
      table.changes->size() * leaf_bytes > whole_bytes_ / 2)
    return Outcome::kWriteWhole;
  const std::size_t planned = blocks->size();
  Withdrawal what_is_not_planned(*this, space, place);
  Change change(*this, table, space, blocks);
  Result<bool> done = change.make();
  if (!done || !*done) {
    blocks->resize(planned);
    if (!done) return tl::unexpected(std::move(done.error()));
    return Outcome::kWriteWhole;
  }
  for (const ByteRange& range : new_) {
    owned_.emplace(range.offset, range.size);
    place->index_bytes += range.size;
  }
  for (const ByteRange& range : change.taken_out()) {
    owned_.erase(range.offset);
    place->index_bytes -= range.size;
    space.release(range);
  }
  place->links = table.links.size();
  what_is_not_planned.forget();
  return Outcome::kPlanned;
}

void PlacedTable::mark_committed() {
  planned_ = false;
  new_.clear();
}

void PlacedTable::withdraw(FileSpace& space, SymbolTablePlace* place) {
  if (planned_) place->index_bytes = index_bytes_before_;
  for (const ByteRange& range : new_) {
    owned_.erase(range.offset);
    space.release(range);
  }
  new_.clear();
}

std::vector<ByteRange> PlacedTable::ranges() const {
  std::vector<ByteRange> ranges;
  ranges.reserve(owned_.size());
  for (const auto& [address, bytes] : owned_) ranges.push_back({address, bytes});
  join_ranges(&ranges);
  return ranges;
}

}  // namespace pcio
