// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the table of objects by itself: who is loaded, who differs from the file, who has no
// link left; and what a dataset keeps when it is closed.

#include <algorithm>
#include <gtest/gtest.h>

#include "base/checksum.hpp"
#include "format/layout_message.hpp"
#include "storage/objects/dataset_table.hpp"
#include "storage/objects/message_codec.hpp"
#include "support/failed_scene.hpp"

namespace pcio {
namespace {

using namespace test;

/// A table over a file without anything in it. Nothing is written but by hand.
struct Table {
  Disk disk = std::make_shared<DiskImage>();
  FileContext file{{}, FormatVersion::kEarliest};
  std::unique_ptr<ObjectTable> objects;

  Table() {
    file.driver = std::make_unique<DiskDriver>(disk, "table");
    file.coordinator = Coordinator::serial();
    file.writable = true;
    file.bytes = std::make_unique<FileBytes>(*file.driver, file.space, 0);
    EXPECT_TRUE(file.space.allocate(96, SpaceUse::kMetadata));
    objects = std::make_unique<ObjectTable>(file);
  }
  StoredObjectPtr make_group() {
    return must(
        objects->create(must(group_messages(file, GroupCreateProps())), GroupCreateProps()));
  }
  [[nodiscard]] bool differs(const StoredObjectPtr& object) const {
    EXPECT_EQ(object->is_dirty(), objects->changed().contains(object->address));
    return object->is_dirty();
  }
  void commit(const LeftOut& left_out = {}, CommittedIn where = CommittedIn::kPlace) {
    objects->mark_committed(left_out, where);
  }
};

TEST(ObjectTable, ANewObjectHasAnAddressAndNoLink) {
  Table table;
  const StoredObjectPtr one = table.make_group(), other = table.make_group();
  EXPECT_NE(one->address, other->address);
  EXPECT_EQ(table.objects->find(one->address), one);
  EXPECT_EQ(must(table.objects->object(other->address)), other);
  EXPECT_TRUE(table.differs(one) && table.differs(other));
  EXPECT_FALSE(one->committed);
  EXPECT_EQ(one->links_to, 0U);
  EXPECT_EQ(table.objects->unlinked().size(), 2U);
}

TEST(ObjectTable, WhatHasALinkIsNotReleased) {
  Table table;
  const StoredObjectPtr group = table.make_group();
  table.objects->add_reference(group);
  table.objects->add_reference(group);
  EXPECT_TRUE(table.objects->unlinked().empty());
  must(table.objects->drop_reference(group));
  EXPECT_TRUE(table.objects->unlinked().empty());
  must(table.objects->drop_reference(group));
  ASSERT_EQ(table.objects->unlinked().count(group->address), 1U);
  // No file has an object with fewer than no links.
  EXPECT_FALSE(ObjectTable::check_referenced(*group).ok());
  EXPECT_FALSE(table.objects->drop_reference(group).ok());
  EXPECT_EQ(group->links_to, 0U);
  table.objects->add_reference(group);
  EXPECT_TRUE(table.objects->unlinked().empty());
}

/// A drop that can't be has marked nothing: ranks that have the object open would plan what others don't.
TEST(ObjectTable, ADropThatFailsMarksNothing) {
  Table table;
  const StoredObjectPtr group = table.make_group();
  table.commit();
  ASSERT_FALSE(table.differs(group));
  EXPECT_FALSE(table.objects->drop_reference(group).ok());
  EXPECT_FALSE(table.differs(group));
}

TEST(ObjectTable, WhatDiffersStaysInMemoryUntilItIsCommitted) {
  Table table;
  std::weak_ptr<StoredObject> kept;
  FileAddress address = 0;
  {
    const StoredObjectPtr group = table.make_group();
    table.objects->add_reference(group);
    group->links.emplace();
    table.objects->touch_links(group);
    EXPECT_TRUE(group->links_dirty());
    kept = group;
    address = group->address;
  }
  ASSERT_FALSE(kept.expired());
  table.commit();
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(table.objects->find(address), nullptr);
}

TEST(ObjectTable, WhatACommitLeavesOutStaysChanged) {
  Table table;
  const StoredObjectPtr good = table.make_group(), bad = table.make_group();
  for (const StoredObjectPtr& one : {good, bad}) {
    one->links.emplace();
    table.objects->touch_links(one);
  }
  table.commit({{bad->address, PCIO_ERROR(SYM, NOSPACE, "no room")}});
  EXPECT_FALSE(table.differs(good) || good->links_dirty());
  EXPECT_TRUE(table.differs(bad) && bad->links_dirty());
  table.commit();
  EXPECT_FALSE(table.differs(bad) || bad->links_dirty());
}

/// Until a journal is in its place, who read the file would see the commit before.
TEST(ObjectTable, WhatOnlyTheJournalHasStaysInMemory) {
  Table table;
  const FileAddress address = table.make_group()->address;
  while (!table.objects->unlinked().empty())
    table.objects->forget_unlinked(table.objects->unlinked().begin()->first);
  table.commit({}, CommittedIn::kJournal);
  ASSERT_NE(table.objects->find(address), nullptr);
  EXPECT_TRUE(table.objects->changed().empty());
  table.objects->forget_unrecovered();
  EXPECT_EQ(table.objects->find(address), nullptr);
}

TEST(ObjectTable, NobodyFindsWhatWasRemoved) {
  Table table;
  const StoredObjectPtr group = table.make_group();
  const FileAddress address = group->address;
  table.objects->remove(address);
  EXPECT_EQ(table.objects->find(address), nullptr);
  EXPECT_TRUE(table.objects->changed().empty());
}

/// Who opens one object after the other by paths holds no group, and shall not read all links for each.
TEST(ObjectTable, GroupsThatWereWalkedThroughStay) {
  constexpr int kOthers = 20;
  Table table;
  std::vector<FileAddress> addresses;
  auto walk = [&](FileAddress address) {
    ASSERT_TRUE(table.objects->links(must(table.objects->object(address))));
  };
  for (int i = 0; i < kOthers; ++i) {
    const StoredObjectPtr group = table.make_group();
    table.objects->add_reference(group);
    group->links.emplace();
    addresses.push_back(group->address);
    walk(group->address);
  }
  table.commit();
  // No more than a few of them: one that is used again and again is among those.
  EXPECT_EQ(table.objects->find(addresses.front()), nullptr);
  for (int i = kOthers - 4; i < kOthers; ++i) {
    EXPECT_NE(table.objects->find(addresses[i]), nullptr) << i;
    walk(addresses[i]);
  }
  table.objects->remove(addresses.back());
  EXPECT_EQ(table.objects->find(addresses.back()), nullptr);
  EXPECT_NE(table.objects->find(addresses[kOthers - 4]), nullptr);
}

TEST(ObjectTable, LinksAreOfGroupsOnly) {
  Table table;
  ByteWriter comment;
  comment.text("no group");
  comment.zeros(1);
  HeaderMessage message;
  message.type = kMessageComment;
  message.body = comment.view();
  const StoredObjectPtr object = must(table.objects->create({message}, GroupCreateProps()));
  EXPECT_FALSE(table.objects->links(object));
  EXPECT_FALSE(table.objects->object(1 << 20)) << "an address outside the file";
}

/// The state of a dataset of `scene` that nobody has decoded.
DatasetState& state_of(Scene& scene, const Location& at) {
  return *must(scene.file->store().datasets().state(at.object));
}

TEST(DatasetTable, DecodesOnceAndOnlyDatasets) {
  Scene scene;
  const Location group = must(add_group(scene.file, "/g"));
  EXPECT_FALSE(scene.file->store().datasets().state(group.object));
  const Location data = must(add_dataset(scene.file, "/d", {.dims = {7}, .chunk = {3}, .fill = 4}));
  EXPECT_EQ(&state_of(scene, data), &state_of(scene, data));
}

/// What is not in the messages, or in the file behind them, outlives a close; all else is read again.
TEST(DatasetTable, ForgetsWhatTheMessagesSay) {
  Scene scene;
  FileStore& store = scene.file->store();
  const Location plain = must(add_dataset(scene.file, "/plain", {.dims = {7}, .fill = 4}));
  const Location chunked = must(add_dataset(scene.file, "/chunked", {.dims = {7}, .chunk = {3}}));
  const Location compact = must(add_dataset(
      scene.file, "/compact", {.dims = {7}, .compact = true, .alloc = AllocTime::kEarly}));
  must(write_all(plain, Values(7, 1)));
  must(write_all(chunked, Values(7, 2)));
  must(write_all(compact, Values(7, 3)));
  for (const Location* one : {&plain, &chunked, &compact}) {
    state_of(scene, *one);
    store.datasets().forget_decoded(*one->object);
  }
  // Its extent and address are in its messages now.
  EXPECT_EQ(plain.object->dataset, nullptr);
  EXPECT_NE(chunked.object->dataset, nullptr) << "its index is in memory only";
  EXPECT_NE(compact.object->dataset, nullptr) << "its data are";
  EXPECT_EQ(must(read_all(plain)), Values(7, 1));
  must(flush_session(scene.file));
  EXPECT_EQ(must(read_all(chunked)), Values(7, 2));
  scene.reopen();
  EXPECT_EQ(must(read_all(must(find(scene.file, "/plain")))), Values(7, 1));
  EXPECT_EQ(must(read_all(must(find(scene.file, "/chunked")))), Values(7, 2));
  EXPECT_EQ(must(read_all(must(find(scene.file, "/compact")))), Values(7, 3));
}

TEST(DatasetTable, LateAllocationOutlivesACloseOfTheDataset) {
  Scene scene;
  FileStore& store = scene.file->store();
  const Location data = must(add_dataset(scene.file, "/d", {.dims = {7}}));
  store.datasets().allocate_late(data.object);
  EXPECT_TRUE(state_of(scene, data).late_allocation);
  store.datasets().forget_decoded(*data.object);
  ASSERT_EQ(data.object->dataset, nullptr);
  EXPECT_TRUE(state_of(scene, data).late_allocation);
  store.datasets().note_replaced(data.object);
  EXPECT_EQ(store.datasets().replaced().count(data.object->address), 1U);
  store.datasets().remove(data.object->address);
  EXPECT_TRUE(store.datasets().replaced().empty());
  data.object->dataset.reset();
  EXPECT_FALSE(state_of(scene, data).late_allocation);
}

/// An index is read as far as is asked for, and read anew where that failed.
TEST(DatasetTable, LoadsNoMoreOfAnIndexThanIsAskedFor) {
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    OpenWith with;
    with.access.low_bound = low;
    Scene scene(with);
    const Location made =
        must(add_dataset(scene.file, "/d", {.dims = {40000}, .max = {80000}, .chunk = {2}}));
    must(write_all(made, Values(40000, 9)));
    must(close_session(scene.file));
    scene.file = must(
        open_session(fault_settings(disk_settings(scene.disk), scene.plan), OpenMode::kReadOnly));
    const Location data = must(find(scene.file, "/d"));
    DatasetTable& datasets = scene.file->store().datasets();
    must(datasets.load_chunks(data.object, {{100}, {3}}));
    DatasetState& state = state_of(scene, data);
    EXPECT_FALSE(state.index_is_whole());
    EXPECT_NE(state.index->address_of(101), kUndefinedAddress);
    EXPECT_LT(state.index->allocated_count(), 20000U);
    *scene.plan = FaultPlan();
    scene.plan->fail_read = 1;
    EXPECT_FALSE(datasets.load_chunk_index(data.object).ok());
    scene.heal();
    must(datasets.load_chunk_index(data.object));
    EXPECT_TRUE(state.index_is_whole());
    EXPECT_EQ(state.index->allocated_count(), 20000U);
  }
}

/// libhdf5 frees the one chunk of a dataset that has no elements any more, and the layout message still has its place,
/// here behind the end of the file and within the superblock.
TEST(DatasetTable, PlacesOfChunksOfNoElementsAreNobodys) {
  for (const FileAddress stale : {FileAddress{1} << 40, FileAddress{8}}) {
    OpenWith with;
    with.access.low_bound = LibraryVersion::kV110;
    Scene scene(with);
    const DatasetSpec spec{.dims = {8}, .max = {8}, .chunk = {8}, .fill = 4};
    Location data = must(add_dataset(scene.file, "/d", spec));
    must(write_all(data, Values(8, 9)));
    ASSERT_EQ(state_of(scene, data).layout.index, ChunkIndexKind::kSingleChunk);
    must(set_extent(data, {0}));
    must(flush_session(scene.file));
    LayoutMessage layout = state_of(scene, data).layout;
    const ByteRange header = data.object->chunks[0];
    const FileSizes sizes = scene.file->store().sizes();
    must(close_session(scene.file));
    ByteWriter before, after;
    must(encode_layout_message(layout, FormatVersion::kV110, sizes, before));
    layout.address = stale;
    must(encode_layout_message(layout, FormatVersion::kV110, sizes, after));
    const auto begin = scene.disk->begin() + static_cast<std::ptrdiff_t>(header.offset);
    const auto end = begin + static_cast<std::ptrdiff_t>(header.size);
    const auto message = std::search(begin, end, before.view().begin(), before.view().end());
    ASSERT_NE(message, end);
    std::copy(after.view().begin(), after.view().end(), message);
    ByteWriter sum;
    sum.u32(lookup3(ConstBytes(&*begin, static_cast<std::size_t>(header.size) - 4)));
    std::copy(sum.view().begin(), sum.view().end(), end - 4);
    scene.file = must(open_session(scene.disk, OpenMode::kReadWrite));
    data = must(find(scene.file, "/d"));
    EXPECT_EQ(must(read_all(data)), Values());
    must(set_extent(data, {8}));
    EXPECT_EQ(must(read_all(data)), Values(8, 4));
    must(flush_session(scene.file));
    scene.reopen();
    data = must(find(scene.file, "/d"));
    EXPECT_EQ(must(read_all(data)), Values(8, 4));
    must(close_session(scene.file));
    scene.file = must(open_session(scene.disk, OpenMode::kReadWrite));
    must(write_all(must(find(scene.file, "/d")), Values(8, 5)));
    scene.reopen();
    EXPECT_EQ(must(read_all(must(find(scene.file, "/d")))), Values(8, 5));
  }
}

}  // namespace
}  // namespace pcio
