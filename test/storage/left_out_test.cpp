// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: commits that leave out what they can't write: the file stays sound, and loses nothing.

#include <gtest/gtest.h>

#include "support/failed_scene.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

/// No program can make such an index any more; should one be there all the same, the rest is written.
TEST(LeftOut, ACommitLeavesOutAnIndexThatCantBeWritten) {
  for (const bool committed : {false, true}) {
    Scene scene(newest());
    const DatasetSpec spec{.dims = {20}, .max = {40}, .chunk = {4}};
    Location bad = must(add_dataset(scene.file, "/bad", spec));
    Values old(20, 0);
    if (committed) {
      old = Values(20, 3);
      must(write_all(bad, old));
      must(flush_session(scene.file));
      // All chunks get other places, and the index is written anew.
      must(set_extent(bad, {0}));
      must(set_extent(bad, {20}));
    }
    unsigned& bits =
        must(scene.file->store().datasets().state(bad.object))->layout.fixed_array.page_bits;
    const unsigned right = bits;
    bits = 40;
    if (committed) must(scene.file->store().datasets().state(bad.object))->placed.reset();
    must(write_all(bad, Values(20, 5)));
    const Location good = must(add_dataset(scene.file, "/good", {.dims = {30}, .chunk = {7}}));
    must(write_all(good, Values(30, 6)));
    must(add_attribute(bad, "told", {1, 2}));
    for (int again = 0; again < 2; ++again) {
      const Status flushed = again == 0 ? flush_session(scene.file) : close_session(scene.file);
      ASSERT_FALSE(flushed.ok());
      EXPECT_NE(flushed.frames().back().text.find("/bad"), std::string::npos)
          << flushed.frames().back().text;
      FilePtr seen = must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
      EXPECT_EQ(must(read_all(must(find(seen, "/good")))), Values(30, 6));
      EXPECT_EQ(must(attributes_of(must(find(seen, "/bad")))).count("told"), 1U);
      EXPECT_EQ(must(read_all(must(find(seen, "/bad")))), old);
      must(close_session(seen));
      // What the file still names is not given to others.
      const std::string name = "/more" + std::to_string(again);
      must(write_all(must(add_dataset(scene.file, name, {.dims = {200}})), Values(200, 8)));
    }
    EXPECT_EQ(must(read_all(bad)), Values(20, 5));
    bits = right;
    must(flush_session(scene.file));
    scene.reopen();
    EXPECT_EQ(must(read_all(must(find(scene.file, "/bad")))), Values(20, 5));
  }
}

/// What is left out of a commit keeps in the file what it was, also what the smaller extent cuts off,
/// and is what the failure tells of.
TEST(LeftOut, WhatIsLeftOutOfACommitIsNotCutInTheFile) {
  for (const bool fill_fails : {false, true}) {
    Scene scene(newest());
    const Location bad =
        must(add_dataset(scene.file, "/bad", {.dims = {20}, .max = {40}, .chunk = {4}, .fill = 7}));
    const Location cut = must(add_dataset(
        scene.file, "/cut", {.dims = {20}, .max = {kUnlimited}, .chunk = {8}, .fill = 7}));
    must(write_all(bad, Values(20, 3)));
    must(write_all(cut, Values(20, 4)));
    must(flush_session(scene.file));
    must(set_extent(bad, {6}));
    must(set_extent(cut, {10}));
    DatasetState& state = *must(scene.file->store().datasets().state(bad.object));
    const unsigned right = state.layout.fixed_array.page_bits;
    state.layout.fixed_array.page_bits = 40;
    state.placed.reset();
    if (fill_fails) scene.fail_next();
    const Status flushed = flush_session(scene.file);
    scene.heal();
    ASSERT_FALSE(flushed.ok());
    if (!fill_fails) {
      EXPECT_NE(flushed.frames().back().text.find("/bad"), std::string::npos)
          << flushed.frames().back().text;
    }
    FilePtr seen = must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
    EXPECT_EQ(must(read_all(must(find(seen, "/bad")))), Values(20, 3));
    must(close_session(seen));
    state.layout.fixed_array.page_bits = right;
    must(set_extent(bad, {20}));
    must(set_extent(cut, {20}));
    must(flush_session(scene.file));
    scene.reopen();
    Values wanted(20, 7);
    std::fill_n(wanted.begin(), 6, 3);
    EXPECT_EQ(must(read_all(must(find(scene.file, "/bad")))), wanted);
    std::fill_n(wanted.begin(), 20, 7);
    std::fill_n(wanted.begin(), 10, 4);
    EXPECT_EQ(must(read_all(must(find(scene.file, "/cut")))), wanted);
  }
}

/// The file's addresses end where its end is now; the other limit is what it was.
void set_largest_address(const FilePtr& file, std::uint64_t address) {
  SpaceSettings settings = file->store().space().settings();
  settings.max_address = address;
  file->store().space().set_settings(settings);
}

/// Groups and headers that the file has no room for stay in it as they were; all others are written.
TEST(LeftOut, ACommitLeavesOutWhatTheFileHasNoRoomFor) {
  int without_links = 0;
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    OpenWith with;
    with.access.low_bound = low;
    Scene scene(with);
    const Location old = must(add_dataset(scene.file, "/old", {.dims = {20}}));
    const Location grown = must(
        add_dataset(scene.file, "/grown", {.dims = {2000}, .max = {kUnlimited}, .chunk = {3}}));
    must(write_all(old, Values(20, 3)));
    must(write_box(grown, {{0}, {900}}, 4));
    must(add_attribute(old, "a", {1}));
    must(flush_session(scene.file));
    // Its index changes, and its header gets longer.
    must(write_box(grown, {{900}, {900}}, 5));
    const std::uint64_t largest = scene.file->store().space().settings().max_address;
    must(add_attribute(grown, "large", std::vector<std::int32_t>(3000, 6)));
    must(add_attribute(old, "a2", {7}));
    for (int i = 0; i < 200; ++i)
      must(add_soft_link(must(place(scene.file, "/soft" + std::to_string(i))), "target", {}));
    set_largest_address(scene.file, scene.file->store().space().end_of_allocation());
    for (int again = 0; again < 2; ++again) {
      const Status flushed = again == 0 ? flush_session(scene.file) : close_session(scene.file);
      ASSERT_FALSE(flushed.ok());
      const std::string told = flushed.frames().back().text;
      EXPECT_NE(told.find("/grown"), std::string::npos) << told;
      // Links may have found room in what was free.
      const bool no_links = told.find(" /,") != std::string::npos;
      without_links += no_links ? 1 : 0;
      FilePtr seen = must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
      EXPECT_EQ(must(ordered_names(root_of(seen), IndexBy::kName, IterOrder::kIncreasing)).size(),
                no_links ? 2U : 202U);
      EXPECT_EQ(must(attributes_of(must(find(seen, "/old")))).size(), 2U);
      EXPECT_EQ(must(attributes_of(must(find(seen, "/grown")))).size(), 0U);
      Values wanted(2000, 0);
      std::fill_n(wanted.begin(), 900, 4);
      EXPECT_EQ(must(read_all(must(find(seen, "/grown")))), wanted);
      must(close_session(seen));
    }
    set_largest_address(scene.file, largest);
    must(write_box(grown, {{1}, {1}}, 9));
    must(flush_session(scene.file));
    // In place from here on.
    must(write_box(grown, {{1900}, {1}}, 8));
    scene.reopen();
    EXPECT_EQ(
        must(ordered_names(root_of(scene.file), IndexBy::kName, IterOrder::kIncreasing)).size(),
        202U);
    EXPECT_EQ(must(attributes_of(must(find(scene.file, "/grown"))))["large"].size(), 3000U);
    Values wanted(2000, 0);
    std::fill_n(wanted.begin(), 900, 4);
    std::fill_n(wanted.begin() + 900, 900, 5);
    wanted[1] = 9;
    wanted[1900] = 8;
    EXPECT_EQ(must(read_all(must(find(scene.file, "/grown")))), wanted);
  }
  EXPECT_GT(without_links, 0);
}

/// From here on the file has `room` bytes more, at its end, and nothing else.
void leave_room(const FilePtr& file, std::uint64_t room) {
  FileSpace& space = file->store().space();
  set_largest_address(file, space.end_of_allocation());
  for (std::uint64_t size = std::uint64_t{1} << 20; size > 0; size /= 2)
    while (space.allocate(size, SpaceUse::kMetadata)) continue;
  set_largest_address(file, space.end_of_allocation() + room);
}

void give_room(const FilePtr& file) { set_largest_address(file, std::uint64_t{1} << 40); }

/// Opens what is on the disk now, which must be sound.
FilePtr look(const Scene& scene) {
  FilePtr seen = must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
  const auto live = LiveRanges(seen->store()).collect();
  EXPECT_TRUE(live) << live.error().message();
  // What the superblock repeats of the root group is what that says itself.
  const SymbolTableEntry& root = seen->store().context().superblock.root;
  if (root.cache == SymbolCache::kGroup) {
    EXPECT_EQ(root.btree_address, seen->store().objects().root()->symbol_table.btree);
    EXPECT_EQ(root.heap_address, seen->store().objects().root()->symbol_table.heap);
  }
  return seen;
}

void expect_seen(const Scene& scene, const std::string& path, const Values& wanted) {
  FilePtr seen = look(scene);
  const auto values = read_all(must(find(seen, path)));
  ASSERT_TRUE(values) << path << ": " << values.error().message();
  EXPECT_EQ(*values, wanted) << path;
  must(close_session(seen));
}

/// An index that was planned by a commit that failed, or whose header had no room, is not in the file,
/// however many commits come after it.
TEST(LeftOut, NoCommitNamesAnIndexThatWasNotWritten) {
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110})
    for (const bool header_fails : {false, true})
      for (const bool committed : {true, false}) {
        SCOPED_TRACE(testing::Message() << header_fails << committed);
        OpenWith with;
        with.access.low_bound = low;
        Scene scene(with);
        const DatasetSpec spec{.dims = {2000}, .max = {kUnlimited}, .chunk = {3}};
        const Location other = must(add_dataset(scene.file, "/other", {.dims = {5}}));
        const Location grown = must(add_dataset(scene.file, "/grown", spec));
        // Of one that nobody has seen the extent of the commit that failed is as good.
        Values old(committed ? 2000 : 2400, 0), wanted(2400, 0);
        if (committed) {
          must(write_box(grown, {{0}, {900}}, 4));
          std::fill_n(old.begin(), 900, 4);
          must(flush_session(scene.file));
          // Written anew.
          must(scene.file->store().datasets().state(grown.object))->placed.reset();
        } else if (header_fails) {
          continue;  // then the whole commit fails
        }
        must(set_extent(grown, {2400}));
        must(write_box(grown, {{900}, {1200}}, 5));
        std::copy_n(old.begin(), 900, wanted.begin());
        std::fill_n(wanted.begin() + 900, 1200, 5);
        if (header_fails) {
          must(add_attribute(grown, "large", Values(15000, 6)));
          leave_room(scene.file, 59000);
        } else {
          scene.fail_next();
        }
        ASSERT_FALSE(flush_session(scene.file).ok());
        scene.heal();
        if (header_fails) must(delete_attribute(OpenObject(scene.file, grown.object, ""), "large"));
        for (int again = 0; again < 3; ++again) {
          SCOPED_TRACE(again);
          // For the link of the one that is new.
          leave_room(scene.file, committed || again > 0 ? 0 : 4000);
          must(add_attribute(other, "a" + std::to_string(again), {1}));
          const Status flushed = flush_session(scene.file);
          ASSERT_FALSE(flushed.ok());
          EXPECT_NE(flushed.frames().back().text.find("/grown"), std::string::npos);
          expect_seen(scene, "/grown", old);
        }
        give_room(scene.file);
        for (int again = 0; again < 2; ++again) {
          must(flush_session(scene.file));
          expect_seen(scene, "/grown", wanted);
          // In place from here on.
          must(write_box(grown, {{2200 + std::uint64_t(again)}, {1}}, 8));
          wanted[2200 + std::size_t(again)] = 8;
        }
        scene.reopen();
        EXPECT_EQ(must(read_all(must(find(scene.file, "/grown")))), wanted);
      }
}

void add_soft_links(const FilePtr& file, const std::string& prefix, int count) {
  for (int i = 0; i < count; ++i)
    must(add_soft_link(must(place(file, prefix + std::to_string(i))), "target", {}));
}

std::size_t links_seen(const Scene& scene, const std::string& path) {
  FilePtr seen = look(scene);
  const Location group = path == "/" ? root_of(seen) : must(find(seen, path));
  const std::size_t count =
      must(ordered_names(group, IndexBy::kName, IterOrder::kIncreasing)).size();
  must(close_session(seen));
  return count;
}

/// The same of the links of a group, and of what the superblock repeats of them.
TEST(LeftOut, NoCommitNamesLinksThatWereNotWritten) {
  for (const std::string group : {"/", "/group"}) {
    SCOPED_TRACE(group);
    Scene scene;
    if (group != "/") must(add_group(scene.file, group));
    const Location other = must(add_dataset(scene.file, "/other", {.dims = {5}}));
    must(flush_session(scene.file));
    const std::size_t before = links_seen(scene, group);
    add_soft_links(scene.file, group + "/soft", 100);
    scene.fail_next();
    ASSERT_FALSE(flush_session(scene.file).ok());
    scene.heal();
    for (int again = 0; again < 3; ++again) {
      leave_room(scene.file, 0);
      add_soft_links(scene.file, group + "/more" + std::to_string(again), 1);
      must(add_attribute(other, "a" + std::to_string(again), {1}));
      ASSERT_FALSE(flush_session(scene.file).ok());
      EXPECT_EQ(links_seen(scene, group), before);
    }
    give_room(scene.file);
    must(flush_session(scene.file));
    EXPECT_EQ(links_seen(scene, group), before + 103);
    must(write_all(must(add_dataset(scene.file, "/last", {.dims = {9000}})), Values(9000, 5)));
    must(flush_session(scene.file));
    EXPECT_EQ(links_seen(scene, group), before + 103 + (group == "/" ? 1 : 0));
    scene.reopen();
  }
}

/// A place that was planned for links is given back once.
TEST(LeftOut, PlacesOfLinksThatAreLeftOutAreGivenBackOnce) {
  Scene scene;
  const Location first = must(add_group(scene.file, "/first"));
  must(add_group(scene.file, "/second"));
  must(flush_session(scene.file));
  leave_room(scene.file, 1 << 20);
  add_soft_links(scene.file, "/first/soft", 100);
  scene.fail_next();
  ASSERT_FALSE(flush_session(scene.file).ok());
  scene.heal();
  add_soft_links(scene.file, "/second/soft", 100);
  must(add_attribute(first, "large", Values(15000, 6)));
  // Enough for the links once more.
  const std::uint64_t table = first.object->symbol_table.owned[0].size;
  leave_room(scene.file, table);
  ASSERT_FALSE(flush_session(scene.file).ok());
  EXPECT_EQ(links_seen(scene, "/first"), 0U);
  give_room(scene.file);
  for (int again = 0; again < 3; ++again) {
    must(flush_session(scene.file));
    EXPECT_EQ(links_seen(scene, "/first"), 100U);
    EXPECT_EQ(links_seen(scene, "/second"), 100U);
    const std::string name = "/data" + std::to_string(again);
    must(write_all(must(add_dataset(scene.file, name, {.dims = {table / 8}})),
                   Values(table / 8, -1)));
  }
  scene.reopen();
  EXPECT_TRUE(LiveRanges(scene.file->store()).collect());
}

/// A group that is left out while its links turn into messages does not give its table back again.
TEST(LeftOut, AGroupThatWasToChangeItsStyleIsLeftOut) {
  Scene scene;
  const Location group = must(add_group(scene.file, "/group"));
  add_soft_links(scene.file, "/group/soft", 100);
  must(flush_session(scene.file));
  const std::uint64_t table = group.object->symbol_table.owned[0].size;
  LinkCreateProps utf8;
  utf8.char_encoding = 1;
  must(add_soft_link(must(place(scene.file, "/group/other")), "target", utf8));
  leave_room(scene.file, 0);
  ASSERT_FALSE(flush_session(scene.file).ok());
  EXPECT_EQ(links_seen(scene, "/group"), 100U);
  give_room(scene.file);
  must(flush_session(scene.file));
  EXPECT_EQ(links_seen(scene, "/group"), 101U);
  // What was the table's belongs to others now.
  const Location data = must(add_dataset(scene.file, "/data", {.dims = {table / 4}}));
  must(write_all(data, Values(table / 4, 7)));
  must(flush_session(scene.file));
  must(remove_link(must(place(scene.file, "/group"))));
  must(flush_session(scene.file));
  for (int i = 0; i < 5; ++i)
    must(
        write_all(must(add_dataset(scene.file, "/more" + std::to_string(i), {.dims = {table / 4}})),
                  Values(table / 4, 8)));
  must(flush_session(scene.file));
  expect_seen(scene, "/data", Values(table / 4, 7));
  scene.reopen();
}

/// A header that found no longer second piece still has the one that it had.
TEST(LeftOut, AHeaderWithoutRoomKeepsItsPieces) {
  Scene scene;
  const Location at = must(add_dataset(scene.file, "/d", {.dims = {5}}));
  must(add_attribute(at, "a", Values(500, 1)));
  must(flush_session(scene.file));
  ASSERT_EQ(at.object->chunks.size(), 2U);
  must(add_attribute(at, "b", Values(500, 2)));
  leave_room(scene.file, 0);
  ASSERT_FALSE(flush_session(scene.file).ok());
  must(delete_attribute(OpenObject(scene.file, at.object, ""), "b"));
  must(write_attribute(OpenObject(scene.file, at.object, ""), "a", int32(), Values(500, 3).data()));
  must(flush_session(scene.file));
  EXPECT_EQ(must(attributes_of(must(find(look(scene), "/d"))))["a"], Values(500, 3));
  scene.reopen();
}

/// More bytes of names than the file's lengths can say: the group stays as it was, all else is written.
TEST(LeftOut, ACommitLeavesOutNamesThatAreTooLongTogether) {
  OpenWith with;
  with.create.sizeof_size = 2;
  Scene scene(with);
  must(detail::to_status(add_group(scene.file, "/g")));
  must(detail::to_status(add_group(scene.file, "/g/kept")));
  must(flush_session(scene.file));
  const std::string name(20000, 'n');
  for (const char end : {'a', 'b', 'c', 'd'})
    must(add_soft_link(must(place(scene.file, "/g/" + name + end)), "x", {}));
  must(write_all(must(add_dataset(scene.file, "/good", {.dims = {30}})), Values(30, 6)));
  for (int again = 0; again < 2; ++again) {
    const Status flushed = flush_session(scene.file);
    ASSERT_FALSE(flushed.ok());
    EXPECT_NE(flushed.frames().back().text.find("/g"), std::string::npos);
    FilePtr seen = must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
    EXPECT_EQ(must(link_count(must(find(seen, "/g")))), 1U);
    EXPECT_EQ(must(read_all(must(find(seen, "/good")))), Values(30, 6));
    must(close_session(seen));
  }
  must(remove_link(must(place(scene.file, "/g/" + name + 'a'))));
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_EQ(must(link_count(must(find(scene.file, "/g")))), 4U);
}

/// The file must not go on saying that space is free which is in use.
TEST(LeftOut, NoCommitLeavesOutWhereFreeSpaceIsListed) {
  OpenWith with;
  with.create.persist_free_space = true;
  Scene scene(with);
  const Location last = must(add_dataset(scene.file, "/last", {.dims = {5 * kOld}}));
  must(write_all(last, Values(5 * kOld, 1)));
  must(close_session(scene.file));
  scene.file = must(
      open_session(fault_settings(disk_settings(scene.disk), scene.plan), OpenMode::kReadWrite));
  FileStore& store = scene.file->store();
  ASSERT_GT(store.space().free_bytes(), 4 * kOld);
  const auto before = must(list_image(*scene.disk));
  must(write_all(must(add_dataset(scene.file, "/new", {.dims = {kOld}})), Values(kOld, 2)));
  // As if the message had become larger.
  const StoredObjectPtr extension =
      must(store.objects().object(store.context().superblock.extension_address));
  constexpr std::uint16_t kComment = 0x0D;
  extension->put({.type = kComment, .body = std::vector<std::byte>(3000)});
  leave_room(scene.file, 0);
  for (int again = 0; again < 2; ++again) {
    EXPECT_FALSE(flush_session(scene.file).ok());
    EXPECT_EQ(must(list_image(*scene.disk)), before);
  }
  give_room(scene.file);
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_EQ(must(read_all(must(find(scene.file, "/new")))), Values(kOld, 2));
}

/// What was left out and is gone by now is no failure of the next commit.
TEST(LeftOut, WhatWasLeftOutIsToldByThatCommitOnly) {
  Scene scene;
  const Location bad = must(add_dataset(scene.file, "/bad", {.dims = {5}}));
  must(flush_session(scene.file));
  must(add_attribute(bad, "a", Values(5000, 1)));
  ++bad.object->open_count;
  must(remove_link(must(place(scene.file, "/bad"))));
  leave_room(scene.file, 5000);
  ASSERT_FALSE(flush_session(scene.file).ok());
  --bad.object->open_count;
  must(flush_session(scene.file));
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_FALSE(find(scene.file, "/bad"));
}

}  // namespace
}  // namespace pcio
