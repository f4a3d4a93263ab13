// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: shared object header messages through commits that fail or leave something out, and in files
// whose indexes are wrong.

#include <gtest/gtest.h>

#include "format/shared_message.hpp"
#include "format/shared_table.hpp"
#include "object/named_type.hpp"
#include "storage/objects/message_sharing.hpp"
#include "support/failed_scene.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr unsigned kSpaces = 1U << kMessageDataspace, kTypes = 1U << kMessageDatatype,
                   kAttributes = 1U << kMessageAttribute;

/// `indexes`: types and least bytes.
OpenWith sharing(const std::vector<SharedMessageIndex>& indexes, bool is_new = false) {
  OpenWith with;
  if (is_new) with.access.low_bound = LibraryVersion::kV110;
  with.create.shared_message_indexes = static_cast<unsigned>(indexes.size());
  std::copy(indexes.begin(), indexes.end(), with.create.shared_messages.begin());
  return with;
}

void leave_no_room(const FilePtr& file) {
  FileSpace& space = file->store().space();
  SpaceSettings settings = space.settings();
  settings.max_address = space.end_of_allocation();
  space.set_settings(settings);
  for (std::uint64_t size = std::uint64_t{1} << 20; size > 0; size /= 2)
    while (space.allocate(size, SpaceUse::kMetadata)) continue;
}

void give_room(const FilePtr& file) {
  SpaceSettings settings = file->store().space().settings();
  settings.max_address = std::uint64_t{1} << 40;
  file->store().space().set_settings(settings);
}

FilePtr look(const Scene& scene) {
  return must(open_session(make_disk(*scene.disk), OpenMode::kReadOnly, other_file()));
}

/// Records of an index as the disk has them; its form is a list.
std::vector<SharedMessageRecord> records_in(const FilePtr& file, std::size_t number) {
  FileStore& store = file->store();
  const SharedMessageIndexHeader& index = store.objects().shared().indexes()[number];
  if (index.index_address == kUndefinedAddress) return {};
  const auto bytes = must(store.bytes().block(
      index.index_address, shared_list_size(index.list_max, store.sizes()), "list"));
  return must(decode_shared_list(bytes, index, store.sizes()));
}
void set_records(const FilePtr& file, std::size_t number,
                 const std::vector<SharedMessageRecord>& records) {
  FileStore& store = file->store();
  const SharedMessageIndexHeader& index = store.objects().shared().indexes()[number];
  ByteWriter out;
  must(encode_shared_list(records, index.list_max, store.sizes(), out));
  must(store.bytes().write(index.index_address, out.view()));
}

OpenObject open(const Scene& scene, const std::string& path) {
  const Location at = must(find(scene.file, path));
  return {scene.file, at.object, path};
}

FilePtr open_again(Scene* scene) {
  scene->heal();
  must(close_session(scene->file));
  scene->file = must(
      open_session(fault_settings(disk_settings(scene->disk), scene->plan), OpenMode::kReadWrite));
  return scene->file;
}

/// What was unlinked is in the file as long as the group is that named it, and so what it refers to.
TEST(SharedMessages, StayWhileACommitLeavesOutWhoNamedTheirObject) {
  Scene scene(sharing({{kSpaces | kTypes, 0}}));
  must(add_group(scene.file, "/g"));
  must(write_all(must(add_dataset(scene.file, "/g/d", {.dims = {33}})), Values(33, 6)));
  must(flush_session(scene.file));
  ASSERT_EQ(records_in(scene.file, 0).size(), 2U);
  must(remove_link(must(place(scene.file, "/g/d"))));
  for (int i = 0; i < 200; ++i)
    must(add_soft_link(must(place(scene.file, "/g/soft" + std::to_string(i))), "target", {}));
  leave_no_room(scene.file);
  for (int again = 0; again < 3; ++again) {
    ASSERT_FALSE(flush_session(scene.file).ok());
    FilePtr seen = look(scene);
    const auto at = find(seen, "/g/d");
    ASSERT_TRUE(at) << at.error().message();
    const auto values = read_all(*at);
    ASSERT_TRUE(values) << values.error().message();
    EXPECT_EQ(*values, Values(33, 6));
    must(close_session(seen));
  }
  give_room(scene.file);
  must(flush_session(scene.file));
  EXPECT_EQ(scene.file->store().objects().shared().indexes()[0].count, 0);
  scene.reopen();
}

/// A dataset whose data is left out has its header written: what that refers to is what the next commit goes by.
TEST(SharedMessages, AreCountedOnceWhereOnlyDataIsLeftOut) {
  Scene scene(sharing({{kSpaces, 0}}, true));
  const DatasetSpec spec{.dims = {20}, .max = {40}, .chunk = {4}};
  const Location bad = must(add_dataset(scene.file, "/bad", spec));
  const Location other = must(add_dataset(scene.file, "/other", {.dims = {5}}));
  const Values seven(7, 7);
  must(add_attribute(bad, "a", seven));
  must(add_attribute(other, "a", seven));
  must(write_all(bad, Values(20, 3)));
  must(flush_session(scene.file));
  must(set_extent(bad, {0}));
  must(set_extent(bad, {20}));
  DatasetState& state = *must(scene.file->store().datasets().state(bad.object));
  const unsigned right = state.layout.fixed_array.page_bits;
  state.layout.fixed_array.page_bits = 40;
  state.placed.reset();
  must(write_all(bad, Values(20, 9)));
  must(delete_attribute(open(scene, "/bad"), "a"));
  for (int again = 0; again < 3; ++again) {
    ASSERT_FALSE(flush_session(scene.file).ok());
    FilePtr seen = look(scene);
    const auto attributes = attributes_of(must(find(seen, "/other")));
    ASSERT_TRUE(attributes) << attributes.error().message();
    EXPECT_EQ(attributes->at("a"), seven);
    EXPECT_EQ(records_in(seen, 0).size(), 3U);
    EXPECT_EQ(must(attributes_of(must(find(seen, "/bad")))).size(), 0U);
    must(close_session(seen));
  }
  state.layout.fixed_array.page_bits = right;
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_EQ(must(attributes_of(must(find(scene.file, "/other"))))["a"], seven);
}

/// An index that counts too few: what goes by way of an attribute and by itself goes once.
TEST(SharedMessages, ThatAreCountedTooLowGoOnce) {
  Scene scene(sharing({{kSpaces | kTypes, 0}, {kAttributes, 100}}));
  must(add_group(scene.file, "/g"));
  for (const std::string name : {"a", "b"}) {
    const OpenObject group = open(scene, "/g");
    must(add_attribute({scene.file, group.object(), "/g"}, name + " of 40", Values(40, 4)));
    must(add_attribute({scene.file, group.object(), "/g"}, name + " of 1", Values(1, 4)));
  }
  must(flush_session(scene.file));
  auto records = records_in(scene.file, 0);
  ASSERT_EQ(records.size(), 3U);
  for (SharedMessageRecord& record : records) record.reference_count = 1;
  set_records(scene.file, 0, records);
  open_again(&scene);
  for (const std::string name : {"a of 40", "a of 1", "b of 1", "b of 40"})
    must(delete_attribute(open(scene, "/g"), name));
  must(flush_session(scene.file));
  EXPECT_EQ(scene.file->store().objects().shared().indexes()[0].count, 0);
  EXPECT_EQ(scene.file->store().objects().shared().indexes()[1].count, 0);
  must(add_attribute(must(find(scene.file, "/g")), "c", Values(40, 9)));
  scene.reopen();
  EXPECT_EQ(must(attributes_of(must(find(scene.file, "/g"))))["c"], Values(40, 9));
}

/// Before anybody has written anything that would be lost.
TEST(SharedMessages, WithADamagedIndexAreToldWhenTheFileIsOpenedForWriting) {
  Scene scene(sharing({{kSpaces | kTypes, 0}}));
  must(add_dataset(scene.file, "/d", {.dims = {33}}));
  must(flush_session(scene.file));
  const FileAddress at = scene.file->store().objects().shared().indexes()[0].index_address;
  must(scene.file->store().bytes().write(at, std::vector<std::byte>(30, std::byte{7})));
  must(close_session(scene.file));
  const auto opened = open_session(scene.disk, OpenMode::kReadWrite);
  EXPECT_FALSE(opened);
  if (opened) static_cast<void>(close_session(*opened));
  scene.file = must(open_session(scene.disk, OpenMode::kReadOnly));
  EXPECT_EQ(must(read_all(must(find(scene.file, "/d")))), Values(33, 0));
}

/// An index says of a message that it is in the header of an object that there isn't: it is not shared.
TEST(SharedMessages, OfAnObjectThatCantBeReadAreNotShared) {
  Scene scene(sharing({{kSpaces, 0}}, true));
  must(add_dataset(scene.file, "/first", {.dims = {33}}));
  must(flush_session(scene.file));
  auto records = records_in(scene.file, 0);
  ASSERT_EQ(records.size(), 1U);
  SharedMessageRecord gone;
  gone.hash = records[0].hash;
  gone.message_type = kMessageDataspace;
  gone.header_address = 1;
  set_records(scene.file, 0, {gone});
  open_again(&scene);
  ASSERT_FALSE(records_in(scene.file, 0).at(0).in_heap);
  const Location second = must(add_dataset(scene.file, "/second", {.dims = {33}}));
  must(write_all(second, Values(33, 5)));
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_EQ(must(read_all(must(find(scene.file, "/second")))), Values(33, 5));
}

Attribute of_type(const Location& type, const std::string& name) {
  Attribute attribute;
  attribute.name = name;
  attribute.type = int32();
  attribute.committed_type = type.object->address;
  attribute.space = must(Dataspace::simple({40}));
  return attribute;
}

Location add_type(const FilePtr& file, const std::string& path) {
  Location type = must(make_named_type(file, int32(), {}));
  must(add_hard_link(must(place(file, path)), type, {}));
  type.path = path;
  return type;
}

/// Attributes of committed types on committed types, in any order of their addresses.
TEST(SharedMessages, OfTypesThatHaveAttributesOfTypesAreCountedRight) {
  for (const bool last : {false, true}) {
    Scene scene(sharing({{kAttributes, 20}}));
    const Location one = add_type(scene.file, "/one"), two = add_type(scene.file, "/two");
    ASSERT_LT(one.object->address, two.object->address);
    const Location type = last ? two : one, holder = last ? one : two;
    must(add_group(scene.file, "/g"));
    must(create_attribute(open(scene, "/g"), of_type(type, "a")));
    must(create_attribute(open(scene, holder.path), of_type(type, "a")));
    must(flush_session(scene.file));
    open_again(&scene);
    EXPECT_EQ(open(scene, type.path).object()->links_to, 3U);
    must(delete_attribute(open(scene, holder.path), "a"));
    must(flush_session(scene.file));
    open_again(&scene);
    EXPECT_EQ(open(scene, type.path).object()->links_to, 2U);
    must(create_attribute(open(scene, holder.path), of_type(type, "a")));
    must(flush_session(scene.file));
    open_again(&scene);
    EXPECT_EQ(open(scene, type.path).object()->links_to, 3U);
    scene.reopen();
  }
}

/// Opening many committed types reads the index of attributes no more than once.
TEST(SharedMessages, AreReadOnceForAllTypes) {
  constexpr int kCount = 30;
  Scene scene(sharing({{kAttributes, 20}}));
  for (int i = 0; i < kCount; ++i) {
    const Location type = add_type(scene.file, "/type" + std::to_string(i));
    must(create_attribute({scene.file, type.object, ""}, of_type(type, "a" + std::to_string(i))));
  }
  open_again(&scene);
  must(find(scene.file, "/type0"));
  const std::uint64_t before = scene.plan->reads;
  for (int i = 1; i < kCount; ++i) must(find(scene.file, "/type" + std::to_string(i)));
  EXPECT_LE(scene.plan->reads - before, 5U * kCount);
  scene.reopen();
}

/// What can't be read now is not damaged: nothing is given up, and the next commit has it all.
TEST(SharedMessages, AndDenseAttributesOutliveAReadThatFails) {
  for (const bool shared : {false, true}) {
    SCOPED_TRACE(shared);
    Scene scene(shared ? sharing({{kAttributes, 20}}, true) : newest());
    must(add_group(scene.file, "/g"));
    for (int i = 0; i < 20; ++i)
      must(add_attribute(must(find(scene.file, "/g")), "a" + std::to_string(i), Values(10, i)));
    open_again(&scene);
    for (std::uint64_t read = 1; read < 40; ++read) {
      SCOPED_TRACE(read);
      open_again(&scene);
      const auto number = static_cast<std::int32_t>(read);
      must(write_attribute(open(scene, "/g"), "a3", int32(), Values(10, number).data()));
      scene.heal();
      scene.plan->fail_read = read;
      const Status flushed = flush_session(scene.file);
      const bool failed = scene.plan->reads >= read;
      EXPECT_EQ(flushed.ok(), !failed);
      if (!flushed.ok()) {
        EXPECT_EQ(flushed.frames().back().text.find("everything is written but"), std::string::npos)
            << flushed.frames().back().text;
      }
      scene.heal();
      must(flush_session(scene.file));
      EXPECT_EQ(must(attributes_of(must(find(look(scene), "/g"))))["a3"], Values(10, number));
      if (!failed) break;
    }
    scene.reopen();
  }
}

/// An attribute that nobody can decode is written as it was.
TEST(SharedMessages, BesideAnAttributeThatCantBeDecodedAreWritten) {
  Scene scene(sharing({{kAttributes, 20}}));
  const Location group = must(add_group(scene.file, "/g"));
  must(flush_session(scene.file));
  HeaderMessage bad;
  bad.type = kMessageAttribute;
  bad.body = std::vector<std::byte>(40, std::byte{77});
  group.object->header.messages.push_back(bad);
  group.object->messages_moved();
  scene.file->store().objects().touch(group.object);
  must(flush_session(scene.file));
  scene.reopen();
}

/// Ten bytes of a header stand for a message of any length: a small header could ask for more than memory has.
TEST(SharedMessages, OfOneObjectAreNoLargerThanTheFile) {
  Scene scene(sharing({{kAttributes, 0}}, true));
  must(add_attribute(must(add_dataset(scene.file, "/d", {.dims = {5}})), "a", Values(500, 7)));
  must(flush_session(scene.file));
  const auto records = records_in(scene.file, 0);
  ASSERT_EQ(records.size(), 1U);
  const FilePtr seen = look(scene);
  for (const FilePtr& file : {scene.file, seen}) {
    FileStore& store = file->store();
    ByteWriter reference;
    must(encode_shared_message({.place = SharedPlace::kSharedHeap, .heap_id = records[0].heap_id},
                               store.sizes(), reference));
    HeaderMessage message;
    message.type = kMessageAttribute;
    message.flags = kMessageShared;
    message.body = reference.view();
    std::vector<HeaderMessage> messages{message};
    std::vector<SharedRef> refs;
    must(unshare_messages(store.objects(), 2, &messages, &refs));
    const std::uint64_t one = messages[0].body.size(), all = store.bytes().all_bytes();
    ASSERT_GT(one, 500U);
    messages.assign(static_cast<std::size_t>(20 * all / one), message);
    const std::uint64_t before = store.driver().counters().bytes_read;
    const Status taken = unshare_messages(store.objects(), 2, &messages, &refs);
    // A reader has what there is room for, and the others as they are.
    EXPECT_EQ(taken.ok(), file == seen);
    if (file != seen) {
      EXPECT_NE(taken.message().find("refers to shared messages"), std::string::npos);
    }
    std::uint64_t sum = 0;
    for (const HeaderMessage& each : messages) sum += each.body.size() == one ? one : 0;
    EXPECT_GT(sum, 0U);
    EXPECT_LE(sum, all);
    EXPECT_LT(store.driver().counters().bytes_read - before, 20 * all);
  }
  must(close_session(seen));
}

}  // namespace
}  // namespace pcio
