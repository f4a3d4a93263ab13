// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: symbol tables that commits change in place. Lives of one group with many links,
// against a model; after each commit the tree in the file is walked by its keys.

#include "storage/objects/placed_table.hpp"

#include <gtest/gtest.h>
#include <random>

#include "format/group_btree.hpp"
#include "format/local_heap.hpp"
#include "format/symbol_table_message.hpp"
#include "format/symbol_table_node.hpp"
#include "support/file_session.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// Walks a tree as a reader does that looks names up, and counts its nodes.
class TreeWalk {
 public:
  TreeWalk(FileBytes& file, const SymbolTableShape& shape) : file_(file), shape_(shape) {}

  void walk(const SymbolTablePlace& place) {
    const auto head = local_heap_header_size(shape_.sizes);
    const auto bytes = must(file_.block(place.heap, head, "heap"));
    const LocalHeapHeader header = must(decode_local_heap_header(bytes, shape_.sizes));
    heap_ = must(file_.block(header.segment_address, header.segment_size, "segment"));
    // The free list is sound, and the names don't lie in free blocks.
    ASSERT_TRUE(LocalHeapSegment::decode(heap_, header.first_free, shape_.sizes).has_value());
    first_free_ = header.first_free;
    node(place.btree, "", std::nullopt, -1);
    for (const auto& level : levels_)
      for (std::size_t i = 0; i < level.size(); ++i) {
        EXPECT_EQ(level[i].left, i == 0 ? kUndefinedAddress : level[i - 1].address);
        EXPECT_EQ(level[i].right, i + 1 == level.size() ? kUndefinedAddress : level[i + 1].address);
      }
  }
  std::map<std::string, std::string> links;  // targets of soft links; "" of hard ones
  std::uint64_t leaves = 0;
  [[nodiscard]] std::uint64_t nodes() const {
    std::uint64_t count = 0;
    for (const auto& level : levels_) count += level.size();
    return count;
  }
  [[nodiscard]] std::size_t depth() const { return levels_.size(); }

 private:
  struct Seen {
    FileAddress address, left, right;
  };
  std::string text(std::uint64_t at) {
    EXPECT_TRUE(at < first_free_ || first_free_ == LocalHeapHeader::kNoFreeBlock);
    return std::string(must(local_heap_name(heap_, at)));
  }
  /// Names are greater than `low` and not greater than `high`.
  void node(FileAddress address, const std::string& low, const std::optional<std::string>& high,
            int level) {
    const auto bytes =
        must(file_.block(address, group_btree_node_size(shape_.internal_k, shape_.sizes), "node"));
    const GroupBtreeNode form =
        must(decode_group_btree_node(bytes, shape_.sizes, shape_.internal_k));
    if (level >= 0) {
      ASSERT_EQ(form.level, static_cast<unsigned>(level));
    }
    if (levels_.size() <= form.level) levels_.resize(form.level + 1);
    levels_[form.level].push_back({address, form.left, form.right});
    ASSERT_EQ(text(form.keys.front()), low);
    if (high) {
      ASSERT_EQ(text(form.keys.back()), *high);
    }
    for (std::size_t i = 0; i < form.children.size(); ++i) {
      const std::string from = text(form.keys[i]), to = text(form.keys[i + 1]);
      ASSERT_LT(from, to);
      if (form.level > 0)
        node(form.children[i], from, to, static_cast<int>(form.level) - 1);
      else
        entries(form.children[i], from, to);
    }
  }
  void entries(FileAddress address, const std::string& from, const std::string& to) {
    ++leaves;
    const auto bytes =
        must(file_.block(address, symbol_table_node_size(shape_.leaf_k, shape_.sizes), "leaf"));
    const SymbolTableNode leaf = must(decode_symbol_table_node(bytes, shape_.sizes, shape_.leaf_k));
    ASSERT_FALSE(leaf.entries.empty());
    for (const SymbolTableEntry& entry : leaf.entries) {
      const std::string name = text(entry.name_offset);
      ASSERT_GT(name, from);
      ASSERT_LE(name, to);
      ASSERT_TRUE(links.empty() || links.rbegin()->first < name);
      links[name] = entry.cache == SymbolCache::kSoftLink ? text(entry.link_offset) : "";
    }
  }

  FileBytes& file_;
  SymbolTableShape shape_;
  std::vector<std::byte> heap_;
  std::uint64_t first_free_ = 0;
  std::vector<std::vector<Seen>> levels_;
};

/// What the lives came through; a bin that stays empty fails.
struct Bins {
  std::uint64_t in_place = 0, whole = 0, split = 0, node_split = 0, taken_out = 0, deeper = 0,
                failed = 0, read_again = 0;
};

class Life {
 public:
  Life(std::uint32_t seed, Bins& bins) : random_(seed), bins_(bins) {
    with_.create.symbol_leaf_k = one_of<unsigned>({1, 2, 4});
    with_.create.sizeof_address = one_of<unsigned>({4, 8});
    with_.create.sizeof_size = one_of<unsigned>({4, 8});
    with_.create.symbol_internal_k = one_of<unsigned>({2, 3, 16});
    reopen(OpenMode::kTruncate);
    must(add_group(file_, "/g"));
  }

  void live(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
      change();
      commit();
      if (below(30) == 0) close_and_open();
    }
    close_and_open();
  }

 private:
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<std::uint32_t>(all.size()))];
  }

  void reopen(OpenMode mode) {
    file_ = must(open_session(fault_settings(disk_settings(disk_), plan_), mode, with_));
    group_.reset();
  }
  Location group() {
    if (!group_) group_ = must(find(file_, "/g"));
    return *group_;
  }

  std::string new_name() {
    // Steps in a row, or anywhere, of many lengths.
    if (rising_) {
      char text[32];
      std::snprintf(text, sizeof text, "step%06u", next_++);
      return text;
    }
    return "n" + std::to_string(below(1000000)) + std::string(below(8) == 0 ? below(60) : 0, 'x');
  }
  void add() {
    const std::string name = new_name();
    if (model_.count(name) > 0) return;
    const LinkPlace where = must(place(file_, "/g/" + name));
    if (below(3) == 0) {
      must(add_hard_link(where, root_of(file_), {}));
      model_[name] = "";
    } else {
      model_[name] = "/target" + std::to_string(below(1000));
      must(add_soft_link(where, model_[name], {}));
    }
  }
  void remove(std::map<std::string, std::string>::iterator it) {
    must(remove_link(must(place(file_, "/g/" + it->first))));
    model_.erase(it);
  }
  auto any() {
    auto it = model_.lower_bound("n" + std::to_string(below(1000000)));
    return it == model_.end() ? model_.begin() : it;
  }
  void change() {
    switch (below(model_.size() < 80 ? 2 : 10)) {
      case 0: rising_ = !rising_; [[fallthrough]];
      case 1:
        for (std::uint32_t n = 1 + below(model_.size() < 80 ? 90 : 20); n > 0; --n) add();
        break;
      case 2:
        for (std::uint32_t n = 1 + below(10); n > 0 && !model_.empty(); --n) remove(any());
        break;
      case 3:  // neighbours, so that nodes become empty
        for (std::uint32_t n = 1 + below(12); n > 0 && model_.size() > 1; --n) {
          auto it = any();
          remove(it == model_.begin() ? std::prev(model_.end()) : std::prev(it));
        }
        break;
      case 4:  // the last ones
        for (std::uint32_t n = 1 + below(12); n > 0 && !model_.empty(); --n)
          remove(std::prev(model_.end()));
        break;
      case 5: {  // another link under a name that was there
        if (model_.empty()) break;
        auto it = any();
        const std::string name = it->first;
        remove(it);
        must(add_soft_link(must(place(file_, "/g/" + name)), "/again", {}));
        model_[name] = "/again";
        break;
      }
      default: add();
    }
  }

  void commit() {
    const SymbolTablePlace before = group().object->symbol_table;
    const std::uint64_t leaves = leaves_, nodes = nodes_;
    const std::size_t depth = depth_;
    if (below(10) == 0) {
      plan_->fail_write = plan_->writes + 1 + below(6);
      const bool failed = !flush_session(file_).ok();
      bins_.failed += failed ? 1 : 0;
      plan_->fail_write = 0;
    }
    must(flush_session(file_));
    check();
    if (::testing::Test::HasFatalFailure()) return;
    const bool whole = group().object->symbol_table.heap != before.heap;
    ++(whole ? bins_.whole : bins_.in_place);
    if (whole) {
      bins_.deeper += depth_ > depth ? 1 : 0;
      return;
    }
    bins_.split += leaves_ > leaves ? 1 : 0;
    bins_.node_split += nodes_ > nodes ? 1 : 0;
    bins_.taken_out += leaves_ < leaves ? 1 : 0;
  }

  void check() {
    FileStore& store = file_->store();
    must(detail::to_status(store.objects().links(group().object)));
    TreeWalk walk(store.bytes(), store.objects().symbol_table_shape());
    walk.walk(group().object->symbol_table);
    ASSERT_EQ(walk.links, model_);
    leaves_ = walk.leaves;
    nodes_ = walk.nodes();
    depth_ = walk.depth();
    // Bytes of the links as who writes and who reads them again counts them.
    SymbolTablePlace read{
        group().object->symbol_table.btree, group().object->symbol_table.heap, {}};
    must(detail::to_status(
        read_symbol_table(store.bytes(), store.objects().symbol_table_shape(), &read)));
    EXPECT_EQ(read.index_bytes, group().object->symbol_table.index_bytes);
    EXPECT_EQ(read.heap_bytes, group().object->symbol_table.heap_bytes);
    auto sum = [](const std::vector<ByteRange>& ranges) {
      std::uint64_t bytes = 0;
      for (const ByteRange& range : ranges) bytes += range.size;
      return bytes;
    };
    EXPECT_EQ(sum(read.owned), sum(store.objects().links_ranges(*group().object)));
    const auto live = LiveRanges(store).collect();
    ASSERT_TRUE(live.has_value());
    // Who opens a file doesn't know what is free in it.
    if (knows_free_) {
      EXPECT_EQ(sum(*live) + store.space().free_bytes() + store.space().reserved_bytes(),
                store.space().end_of_allocation());
    }
  }

  void close_and_open() {
    group_.reset();
    must(close_session(file_));
    file_.reset();
    knows_free_ = false;
    reopen(OpenMode::kReadWrite);
    check();
    ++bins_.read_again;
  }

  std::mt19937 random_;
  Bins& bins_;
  OpenWith with_;
  Disk disk_ = make_disk();
  std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  FilePtr file_;
  std::optional<Location> group_;
  std::map<std::string, std::string> model_;
  bool rising_ = true;
  bool knows_free_ = true;
  unsigned next_ = 0;
  std::uint64_t leaves_ = 0, nodes_ = 0;
  std::size_t depth_ = 0;
};

TEST(PlacedTable, LivesLikeItsModel) {
  const bool more = std::getenv("PCIO_LONG") != nullptr;
  const std::uint32_t lives = more ? 2000 : 40;
  Bins bins;
  std::uint32_t seed = 1;
  for (; seed <= lives && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Life(seed, bins).live(60);
  }
  std::printf(
      "seeds 1 to %u: in place %llu, whole %llu, split %llu, node split %llu, taken out "
      "%llu, deeper %llu, failed %llu, read again %llu\n",
      seed - 1, static_cast<unsigned long long>(bins.in_place),
      static_cast<unsigned long long>(bins.whole), static_cast<unsigned long long>(bins.split),
      static_cast<unsigned long long>(bins.node_split),
      static_cast<unsigned long long>(bins.taken_out), static_cast<unsigned long long>(bins.deeper),
      static_cast<unsigned long long>(bins.failed),
      static_cast<unsigned long long>(bins.read_again));
  EXPECT_TRUE(bins.in_place > 0 && bins.whole > 0 && bins.split > 0 && bins.node_split > 0 &&
              bins.taken_out > 0 && bins.deeper > 0 && bins.failed > 0 && bins.read_again > 0);
}

/// The cost of a flush doesn't grow with the links that are there already.
TEST(PlacedTable, AFlushWritesWhatChanged) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  auto step = [&](int i) {
    must(add_soft_link(must(place(file, "/step" + std::to_string(1000000 + i))), "/x", {}));
    must(flush_session(file));
  };
  std::uint64_t after_1000 = 0;
  for (int i = 0; i < 4000; ++i) {
    step(i);
    if (i == 1000) after_1000 = disk->size();
  }
  // Anew each time the table would be 4 MB by now, with room for two.
  EXPECT_LT(disk->size(), 8 * after_1000);
  const auto& place = file->store().objects().root()->symbol_table;
  const FileAddress heap = place.heap;
  step(4000);
  step(4001);
  EXPECT_EQ(place.heap, heap);
  must(close_session(file));
  EXPECT_EQ(must(list_image(*disk)).size(), 4002U);
}

/// Lengths of two bytes can't say how long a heap with as much room again would be, and addresses of two
/// bytes have no space for one.
TEST(PlacedTable, WhatHasNoRoomToGrowIsWrittenWhole) {
  for (const unsigned address : {8U, 2U}) {
    OpenWith with;
    with.create.sizeof_address = address;
    with.create.sizeof_size = 2;
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
    const int links = address == 2 ? 450 : 2500;
    for (int i = 0; i < links; ++i) {
      must(add_hard_link(must(place(file, "/link" + std::to_string(1000 + i))), root_of(file), {}));
      if (i == 100 || i == links / 2) must(flush_session(file));
    }
    must(flush_session(file));
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly, with));
    EXPECT_EQ(must(file->store().objects().links(root_of(file).object))->links.size(),
              static_cast<std::size_t>(links));
    must(close_session(file));
  }
}

/// Room is for what comes: a file that is made and closed has none.
TEST(PlacedTable, AGroupThatIsWrittenOnceHasNoRoom) {
  auto bytes = [](int flushes) {
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    for (int i = 0; i < 1000; ++i)
      must(add_soft_link(must(place(file, "/link" + std::to_string(1000 + i))), "/x", {}));
    for (int i = 0; i < flushes; ++i) must(flush_session(file));
    must(close_session(file));
    return disk->size();
  };
  // Names and targets take 24 bytes; with room for as many again the file would have 24,000 more.
  EXPECT_LT(bytes(0), 80000U);
  EXPECT_LT(bytes(1), 80000U);
}

}  // namespace
}  // namespace pcio
