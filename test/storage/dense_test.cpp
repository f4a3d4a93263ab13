// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: links and attributes in dense storage that commits change in place. Lives of one group
// against a model; after each commit all bytes of the file have one owner.

#include <gtest/gtest.h>
#include <random>

#include "base/checksum.hpp"
#include "support/file_session.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// What the lives came through; a bin that stays empty fails.
struct DenseBins {
  std::uint64_t in_place = 0, whole = 0, compact = 0, huge = 0, failed = 0, read_again = 0;
  std::uint64_t filtered = 0;
};

std::uint64_t sum(const std::vector<ByteRange>& ranges) { return total_bytes(ranges); }

class DenseLife {
 public:
  DenseLife(std::uint32_t seed, DenseBins& bins) : random_(seed), bins_(bins) {
    with_.access.low_bound = LibraryVersion::kV18;
    with_.create.sizeof_address = one_of<unsigned>({4, 8});
    with_.create.sizeof_size = one_of<unsigned>({4, 8});
    most_ = one_of<std::size_t>({15, 60, 400});
    reopen(OpenMode::kTruncate);
    GroupCreateProps props;
    props.link_creation_order = one_of<unsigned>({0, 1, 3});
    props.attr_creation_order = one_of<unsigned>({0, 1, 3});
    props.link_min_dense = one_of<unsigned>({0, 6});
    props.attr_min_dense = one_of<unsigned>({0, 6});
    const FilterSpec deflate{1, 1, {6}, ""}, fletcher{3, 0, {}, ""}, szip{4, 1, {141, 8}, ""};
    props.filters = one_of<FilterPipeline>(
        {{}, {}, {deflate}, {fletcher}, {fletcher, deflate}, {szip, deflate}});
    must(make_group(must(place(file_, "/g")), props, {}));
  }

  void live(int steps) {
    for (int i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) {
      const std::uint32_t many = below(12) == 0 ? below(200) : 1 + below(6);
      for (std::uint32_t n = 0; n < many; ++n) below(3) == 0 ? change_attribute() : change_link();
      commit();
      if (below(20) == 0) close_and_open();
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

  void change_link() {
    const std::string name = "n" + std::to_string(below(2000));
    const bool grows = below(100) < (links_.size() < most_ ? 75U : 35U);
    if (grows && !links_.contains(name)) {
      const std::size_t bytes = below(20) == 0 ? 4000 + below(2000) : 1 + below(90);
      bins_.huge += bytes > 4096 ? 1 : 0;
      links_[name] = std::string(bytes, static_cast<char>('a' + below(26)));
      must(add_soft_link(must(place(file_, "/g/" + name)), links_[name], {}));
    } else if (!grows && !links_.empty()) {
      auto it = links_.lower_bound(name);
      if (it == links_.end()) it = links_.begin();
      must(remove_link(must(place(file_, "/g/" + it->first))));
      links_.erase(it);
    }
  }
  void change_attribute() {
    const std::string name = "a" + std::to_string(below(60));
    const Location where = group();
    OpenObject object(where.file, where.object, where.path);
    const auto it = attributes_.find(name);
    if (it == attributes_.end()) {
      const std::size_t length = below(12) == 0 ? 1000 + below(300) : 1 + below(120);
      attributes_[name].assign(length, static_cast<std::int32_t>(below(100000)));
      must(add_attribute(where, name, attributes_[name]));
    } else if (below(3) == 0) {
      for (std::int32_t& value : it->second) ++value;
      must(write_attribute(object, name, int32(), it->second.data()));
    } else if (below(4) == 0 && !attributes_.contains(name + "x")) {
      must(rename_attribute(object, name, name + "x"));
      attributes_[name + "x"] = it->second;
      attributes_.erase(name);
    } else {
      must(delete_attribute(object, name));
      attributes_.erase(it);
    }
    for (auto old = attributes_.begin(); old != attributes_.end();) {
      if (old->first.back() != 'x' || below(3) != 0) {
        ++old;
        continue;
      }
      must(delete_attribute(object, old->first));
      old = attributes_.erase(old);
    }
  }

  void commit() {
    const DenseStorage* before = storage(DenseKind::kLinks);
    if (below(10) == 0) {
      plan_->fail_write = plan_->writes + 1 + below(6);
      bins_.failed += flush_session(file_).ok() ? 0 : 1;
      plan_->fail_write = 0;
    }
    must(flush_session(file_));
    const DenseStorage* after = storage(DenseKind::kLinks);
    if (after == nullptr)
      ++bins_.compact;
    else
      ++(after == before ? bins_.in_place : bins_.whole);
    if (after != nullptr && !after->heap().header().filters.empty()) ++bins_.filtered;
    check();
  }

  const DenseStorage* storage(DenseKind kind) {
    return file_->store().objects().dense(kind).find(group().object->address);
  }

  void check() {
    FileStore& store = file_->store();
    const LinkTable* table = must(store.objects().links(group().object));
    std::map<std::string, std::string> links;
    for (const LinkMessage& link : table->links) links[link.name] = link.target.text();
    ASSERT_EQ(links, links_);
    ASSERT_EQ(must(attributes_of(group())), attributes_);
    for (const DenseKind kind : {DenseKind::kLinks, DenseKind::kAttributes}) {
      const DensePlace place = must(store.objects().dense_place(*group().object, kind));
      if (place.heap == kUndefinedAddress) continue;
      // As who reads it again finds it.
      const auto read = store.objects().read_dense(*group().object, kind);
      ASSERT_TRUE(read.has_value()) << read.error().message();
      EXPECT_EQ((*read)->count(), kind == DenseKind::kLinks ? links_.size() : attributes_.size());
      EXPECT_EQ(sum((*read)->ranges()),
                sum(must(store.objects().dense_ranges(*group().object, kind))));
    }
    const auto live = LiveRanges(store).collect();
    ASSERT_TRUE(live.has_value()) << live.error().message();
    // Who opens a file doesn't know what is free in it.
    if (knows_free_) {
      ASSERT_EQ(sum(*live) + store.space().free_bytes() + store.space().reserved_bytes(),
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
  DenseBins& bins_;
  OpenWith with_;
  std::size_t most_ = 0;
  Disk disk_ = make_disk();
  std::shared_ptr<FaultPlan> plan_ = std::make_shared<FaultPlan>();
  FilePtr file_;
  std::optional<Location> group_;
  std::map<std::string, std::string> links_;
  std::map<std::string, std::vector<std::int32_t>> attributes_;
  bool knows_free_ = true;
};

TEST(DenseStorage, LivesLikeItsModel) {
  const std::uint32_t lives = std::getenv("PCIO_LONG") != nullptr ? 1000 : 8;
  DenseBins bins;
  std::uint32_t seed = 1;
  for (; seed <= lives && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    DenseLife(seed, bins).live(60);
  }
  std::printf(
      "seeds 1 to %u: in place %llu, whole %llu, compact %llu, huge %llu, failed %llu, "
      "read again %llu, filtered %llu\n",
      seed - 1, static_cast<unsigned long long>(bins.in_place),
      static_cast<unsigned long long>(bins.whole), static_cast<unsigned long long>(bins.compact),
      static_cast<unsigned long long>(bins.huge), static_cast<unsigned long long>(bins.failed),
      static_cast<unsigned long long>(bins.read_again),
      static_cast<unsigned long long>(bins.filtered));
  EXPECT_TRUE(bins.in_place > 0 && bins.whole > 0 && bins.compact > 0 && bins.huge > 0 &&
              bins.failed > 0 && bins.read_again > 0 && bins.filtered > 0);
}

FilePtr new_style_file(const Disk& disk, OpenMode mode = OpenMode::kTruncate) {
  OpenWith with;
  with.access.low_bound = LibraryVersion::kV18;
  return must(open_session(disk, mode, with));
}

/// Blocks behind blocks behind the root, by more than half a MiB of links; then all of them go.
TEST(DenseStorage, AHeapOfSeveralLevelsGrowsAndShrinks) {
  Disk disk = make_disk();
  FilePtr file = new_style_file(disk);
  const std::string target(600, 't');
  const int many = 1500;
  auto name = [](int i) { return "/link" + std::to_string(i * 7919 % many); };
  for (int i = 0; i < many; ++i) {
    must(add_soft_link(must(place(file, name(i))), target, {}));
    if (i % 100 == 0) must(flush_session(file));
  }
  must(flush_session(file));
  FileStore& store = file->store();
  const auto& dense = store.objects().dense(DenseKind::kLinks);
  const FileAddress root = root_of(file).object->address;
  ASSERT_NE(dense.find(root), nullptr);
  EXPECT_GT(dense.find(root)->heap().header().root_rows, 9);
  EXPECT_GT(dense.find(root)->heap().header().iterator_offset, 524288U);
  for (int i = 0; i < many - 100; ++i) {
    must(remove_link(must(place(file, name(i)))));
    if (i % 100 == 0) must(flush_session(file));
  }
  must(flush_session(file));
  const auto live = must(LiveRanges(store).collect());
  EXPECT_LT(sum(live), 150000U);
  EXPECT_EQ(sum(live) + store.space().free_bytes() + store.space().reserved_bytes(),
            store.space().end_of_allocation());
  must(close_session(file));
  EXPECT_EQ(must(list_image(*disk)).size(), 100U);
}

/// The cost of a flush doesn't grow with the links and attributes that are there already.
TEST(DenseStorage, AFlushWritesWhatChanged) {
  Disk disk = make_disk();
  FilePtr file = new_style_file(disk);
  auto bytes_of_steps = [&](int from) {
    const std::uint64_t before = disk->size();
    for (int i = from; i < from + 10; ++i) {
      must(add_soft_link(must(place(file, "/step" + std::to_string(i))), "/x", {}));
      must(flush_session(file));
    }
    return disk->size() - before;
  };
  for (int i = 0; i < 2000; ++i) {
    must(add_soft_link(must(place(file, "/step" + std::to_string(i))), "/x", {}));
    must(add_attribute(root_of(file), "a" + std::to_string(i), {i}));
    if (i == 1000) must(flush_session(file));
  }
  must(flush_session(file));
  const DenseStorage* links =
      file->store().objects().dense(DenseKind::kLinks).find(root_of(file).object->address);
  // Written whole each time this would be 100 KiB and more a flush.
  EXPECT_LT(bytes_of_steps(2000), 60000U);
  EXPECT_EQ(links,
            file->store().objects().dense(DenseKind::kLinks).find(root_of(file).object->address));
  must(close_session(file));
  EXPECT_EQ(must(list_image(*disk)).size(), 4010U);
}

/// The value of a rank counts, not when it came: attributes of any size.
TEST(DenseStorage, AttributesOfAnySize) {
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV18}) {
    OpenWith with;
    with.access.low_bound = low;
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
    const std::vector<std::int32_t> large(100000, 7), medium(2000, 5);
    const Status made = add_attribute(root_of(file), "large", large);
    EXPECT_EQ(made.ok(), low != LibraryVersion::kEarliest);
    must(add_attribute(root_of(file), "medium", medium));
    must(flush_session(file));
    must(add_attribute(root_of(file), "small", {1}));
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly, with));
    const auto all = must(attributes_of(root_of(file)));
    EXPECT_EQ(all.size(), made.ok() ? 3U : 2U);
    EXPECT_EQ(all.at("medium"), medium);
    if (made.ok()) {
      EXPECT_EQ(all.at("large"), large);
    }
    must(close_session(file));
  }
}

/// Where the checksum is that covers the block: behind the bytes whose sum it is.
std::optional<std::size_t> checksum_of(ConstBytes block) {
  for (std::size_t at = 8; at + 4 <= block.size(); ++at) {
    ByteReader reader(block.subspan(at, 4));
    if (reader.u32() == lookup3(block.first(at))) return at;
  }
  return std::nullopt;
}

void mend_checksum(Bytes block, std::size_t at) {
  ByteWriter sum;
  sum.u32(lookup3(block.first(at)));
  std::copy(sum.view().begin(), sum.view().end(), block.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Blocks of dense storage with other bytes and right checksums: nothing crashes, nothing hangs, and who
/// adds to such a file gets an error or a file that can be read.
TEST(DenseStorage, DamageIsNoMoreThanAnError) {
  Disk whole = make_disk();
  FilePtr file = new_style_file(whole);
  GroupCreateProps props;
  props.link_creation_order = props.attr_creation_order = 3;
  const Location group = must(make_group(must(place(file, "/g")), props, {}));
  for (int i = 0; i < 150; ++i) {
    must(add_soft_link({group, "link" + std::to_string(i)}, std::string(i == 7 ? 5000 : 20, 'x'),
                       {}));
    must(add_attribute(group, "a" + std::to_string(i), {i}));
  }
  must(flush_session(file));
  std::vector<ByteRange> blocks;
  for (const DenseKind kind : {DenseKind::kLinks, DenseKind::kAttributes})
    for (const ByteRange& range : must(file->store().objects().dense_ranges(*group.object, kind)))
      if (range.size < 2000) blocks.push_back(range);
  must(close_session(file));
  std::mt19937 random(5);
  int opened = 0, refused = 0, changed = 0;
  const int rounds = std::getenv("PCIO_LONG") != nullptr ? 20000 : 100;
  for (int round = 0; round < rounds; ++round) {
    Disk disk = make_disk(*whole);
    const ByteRange range = blocks[random() % blocks.size()];
    const Bytes block = Bytes(*disk).subspan(range.offset, range.size);
    const auto sum = checksum_of(block);
    for (auto n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % (sum ? *sum : block.size());
      block[at] = static_cast<std::byte>(random() % 3 == 0 ? 0xFF : random());
    }
    if (sum) mend_checksum(block, *sum);
    file = new_style_file(disk, OpenMode::kReadWrite);
    const Location found = must(find(file, "/g"));
    const auto names = ordered_names(found, IndexBy::kName, IterOrder::kIncreasing);
    const auto attributes = attributes_of(found);
    ++(names && attributes ? opened : refused);
    const bool added = add_soft_link({found, "new"}, "x", {}).ok();
    const bool noted = add_attribute(found, "new", {1}).ok();
    if (flush_session(file).ok() && added && noted && names && attributes) {
      ++changed;
      must(close_session(file));
      file = new_style_file(disk, OpenMode::kReadWrite);
      const auto again =
          ordered_names(must(find(file, "/g")), IndexBy::kName, IterOrder::kIncreasing);
      ASSERT_TRUE(again.has_value()) << "round " << round;
      EXPECT_EQ(again->size(), names->size() + 1) << "round " << round;
    }
    static_cast<void>(close_session(file));
  }
  std::printf("damaged dense storage: %d rounds, read %d, refused %d, changed %d\n", rounds, opened,
              refused, changed);
  EXPECT_TRUE(opened > 0 && refused > 0 && changed > 0);
}

/// A group that nobody reaches any more gives back all that it has.
TEST(DenseStorage, WhatAnUnlinkedGroupHadIsFree) {
  Disk disk = make_disk();
  FilePtr file = new_style_file(disk);
  must(flush_session(file));
  const Location group = must(add_group(file, "/g"));
  for (int i = 0; i < 300; ++i) {
    must(add_soft_link(must(place(file, "/g/" + std::to_string(i))), "/x", {}));
    must(add_attribute(group, "a" + std::to_string(i), {i}));
  }
  must(close_session(file));
  file = new_style_file(disk, OpenMode::kReadWrite);
  must(remove_link(must(place(file, "/g"))));
  must(flush_session(file));
  FileStore& store = file->store();
  EXPECT_GT(store.space().free_bytes(), 30000U);
  EXPECT_LT(sum(must(LiveRanges(store).collect())), 2000U);
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
