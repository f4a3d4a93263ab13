// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: what no commit could write is refused when it is asked for; after that everything
// else goes on.

#include <algorithm>
#include <gtest/gtest.h>

#include "format/attribute_message.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

/// The file commits, and the group at `path` then has `links`.
void expect_whole(const Disk& disk, const FilePtr& file, const std::string& path,
                  std::size_t links) {
  EXPECT_TRUE(flush_session(file).ok());
  must(close_session(file));
  FilePtr copy = must(open_session(disk, OpenMode::kReadOnly));
  Location group = must(find(copy, path));
  EXPECT_EQ(must(ordered_names(group, IndexBy::kName, IterOrder::kIncreasing)).size(), links);
  must(close_session(copy));
}

TEST(Limits, NoSpaceBehindWhatAddressesCanSay) {
  struct Case {
    std::uint8_t width;
    std::uint64_t userblock, elements;
  };
  for (const Case& one : {Case{2, 0, 20000}, Case{2, 512, 16200}, Case{4, 0, 1U << 30},
                          Case{4, 1024, (1U << 30) - 300}}) {
    for (LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
      OpenWith with;
      with.create.sizeof_address = one.width;
      with.create.userblock = one.userblock;
      with.access.low_bound = low;
      Disk disk = make_disk();
      FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
      for (int round = 0; round < 2; ++round) {
        DatasetRequest request;
        request.type = int32();
        request.space = must(Dataspace::simple({one.elements}));
        request.create = create_props({.dims = {one.elements}, .alloc = AllocTime::kEarly});
        NewSpace unfilled;
        EXPECT_FALSE(make_dataset(file, request, &unfilled).has_value())
            << int{one.width} << " " << one.userblock;
        must(detail::to_status(add_group(file, "/g" + std::to_string(round))));
        EXPECT_TRUE(flush_session(file).ok());
        // The same of a file that is opened.
        must(close_session(file));
        file = must(open_session(disk, OpenMode::kReadWrite, with));
      }
      expect_whole(disk, file, "/", 2);
    }
  }
}

/// The bit that says that a file is being changed in place is one of the end of a file that is so large.
TEST(Limits, FilesAsLargeAsTheWindowBit) {
  for (const LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    OpenWith with;
    with.create.sizeof_address = with.create.sizeof_size = 2;
    with.access.low_bound = low;
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
    DatasetRequest request;
    request.type = int32();
    request.space = must(Dataspace::simple({4500}));
    request.create = create_props({.dims = {4500}, .alloc = AllocTime::kEarly});
    NewSpace unfilled;
    const Location made = must(make_dataset(file, request, &unfilled));
    must(add_hard_link(must(place(file, "/data")), made, {}));
    must(close_session(file));
    ASSERT_GT(disk->size(), 16384U);
    ASSERT_LT(disk->size(), 32768U);
    file = must(open_session(disk, OpenMode::kReadWrite, with));
    must(add_group(file, "/more"));
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly, with));
    EXPECT_EQ(must(ordered_names(root_of(file), IndexBy::kName, IterOrder::kIncreasing)).size(),
              2U);
    must(close_session(file));
  }
}

TEST(Limits, LinksThatNoHeaderCanHold) {
  const std::string large(65536, 'x'), most(65530, 'y');
  GroupCreateProps ordered;
  ordered.link_creation_order = kCreationOrderTracked;
  LinkCreateProps utf8;
  utf8.char_encoding = 1;
  for (LibraryVersion low : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
    OpenWith with;
    with.access.low_bound = low;
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
    must(detail::to_status(make_group(must(place(file, "/new")), ordered, {})));
    EXPECT_FALSE(add_soft_link(must(place(file, "/new/soft")), large, {}).ok());
    EXPECT_FALSE(add_soft_link(must(place(file, "/soft")), large, utf8).ok());
    EXPECT_FALSE(add_external_link(must(place(file, "/external")), "file", large, {}).ok());
    EXPECT_FALSE(add_external_link(must(place(file, "/external")), large, "path", {}).ok());
    EXPECT_TRUE(flush_session(file).ok());
    // Dense storage has room for what no header message can hold.
    must(detail::to_status(add_group(file, "/new/" + large)));
    EXPECT_TRUE(must(find(file, "/new")).object->links->dense);
    must(remove_link(must(place(file, "/new/" + large))));
    EXPECT_FALSE(must(find(file, "/new")).object->links->dense);
    must(add_soft_link(must(place(file, "/new/soft")), most, {}));
    must(add_external_link(must(place(file, "/new/external")), most.substr(100), "path", {}));
    must(detail::to_status(add_group(file, "/new/" + most)));
    expect_whole(disk, file, "/new", 3);
  }
}

/// A layout that lists one chunk, in a dataset that says it may grow: no library writes that, a file may have it.
TEST(Limits, ALayoutOfOneChunkGetsNoSecondOne) {
  for (const bool filtered : {false, true}) {
    OpenWith with;
    with.access.low_bound = LibraryVersion::kV110;
    const Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
    DatasetSpec spec{.dims = {4}, .chunk = {4}};
    if (filtered) spec.filters = {{1, 0, {6}, "deflate"}};
    Location one = must(add_dataset(file, "/one", spec));
    must(write_all(one, {1, 2, 3, 4}));
    DatasetState& state = *must(file->store().datasets().state(one.object));
    ASSERT_EQ(state.layout.index, ChunkIndexKind::kSingleChunk);
    const Dims most{40};
    state.extent = must(Dataspace::simple({4}, &most));
    state.mark_messages_changed();
    file->store().objects().touch(one.object);
    one = Location();
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadWrite, with));
    one = must(find(file, "/one"));
    EXPECT_FALSE(set_extent(one, {8}).ok());
    must(set_extent(one, {3}));
    must(set_extent(one, {4}));
    one = Location();
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly));
    EXPECT_EQ(must(read_all(must(find(file, "/one")))), (std::vector<std::int32_t>{1, 2, 3, 0}));
    must(close_session(file));
  }
}

/// A symbol table can hold longer targets than a header; then it has to remain one.
TEST(Limits, AnOldGroupWithALongTargetStaysOld) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  must(add_soft_link(must(place(file, "/long")), std::string(70000, 'z'), {}));
  EXPECT_FALSE(add_external_link(must(place(file, "/external")), "file", "path", {}).ok());
  must(add_soft_link(must(place(file, "/short")), "z", {}));
  expect_whole(disk, file, "/", 2);
}

TEST(Limits, MoreLinksThanAVersion1HeaderCounts) {
  for (const bool converted : {false, true}) {
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    GroupCreateProps ordered;
    ordered.link_max_compact = 65535;
    if (!converted) ordered.link_creation_order = kCreationOrderTracked;
    LinkCreateProps utf8;
    if (converted) utf8.char_encoding = 1;
    Location group = must(make_group(must(place(file, "/g")), ordered, {}));
    std::size_t made = 0;
    // They go into dense storage before there are too many.
    while (made < 65600 && add_soft_link({group, "n" + std::to_string(made)}, "t", utf8).ok())
      ++made;
    EXPECT_EQ(made, 65600U);
    expect_whole(disk, file, "/g", made);
  }
}

/// Attributes of an object, so many that the header is nearly full, without a call for each.
void add_attributes(const Location& where, std::size_t many) {
  must(add_attribute(where, "a0", {1}));
  auto& messages = where.object->header.messages;
  const auto like = std::find_if(messages.begin(), messages.end(), [](const HeaderMessage& m) {
    return m.type == kMessageAttribute;
  });
  const HeaderMessage model = *like;
  ByteReader reader(model.body);
  AttributeMessage attribute = must(decode_attribute_message(reader));
  messages.reserve(messages.size() + many);
  for (std::size_t i = 1; i < many; ++i) {
    HeaderMessage more = model;
    attribute.name = "a" + std::to_string(i);
    ByteWriter out;
    must(encode_attribute_message(attribute, where.file->store().context().format, out));
    more.body = out.view();
    more.creation_order = static_cast<std::uint16_t>(i);
    messages.push_back(std::move(more));
  }
  where.object->messages_moved();
}

TEST(Limits, MoreAttributesThanAHeaderCounts) {
  for (const bool links : {false, true}) {
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    GroupCreateProps ordered;
    ordered.link_creation_order = kCreationOrderTracked;
    Location group = must(make_group(must(place(file, "/g")), ordered, {}));
    ordered.link_max_compact = 65535;
    group = must(make_group(must(place(file, "/h")), ordered, {}));
    // Links are among the messages of such a group.
    if (links)
      for (int i = 0; i < 30; ++i) must(add_soft_link({group, "n" + std::to_string(i)}, "t", {}));
    add_attributes(group, 65430);
    std::size_t made = 65430;
    while (made < 65600 && add_attribute(group, "b" + std::to_string(made), {2}).ok()) ++made;
    EXPECT_LT(made, links ? 65450U : 65480U);
    EXPECT_GT(made, links ? 65430U : 65460U);
    // What the header can't count goes into dense storage.
    must(add_soft_link({group, "one"}, "t", {}));
    EXPECT_TRUE(group.object->links->dense);
    must(flush_session(file));
    must(close_session(file));
    file = must(open_session(disk, OpenMode::kReadOnly));
    group = must(find(file, "/h"));
    {
      OpenObject open(file, group.object, group.path);
      EXPECT_EQ(must(attribute_count(open)), made);
    }
    EXPECT_EQ(must(ordered_names(group, IndexBy::kName, IterOrder::kIncreasing)).size(),
              links ? 31U : 1U);
    must(close_session(file));
  }
}

TEST(Limits, MoreAttributesThanTheirOrderCounts) {
  OpenWith with;
  with.access.low_bound = LibraryVersion::kV110;
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, with));
  GroupCreateProps ordered;
  ordered.attr_creation_order = kCreationOrderTracked;
  Location group = must(make_group(must(place(file, "/g")), ordered, {}));
  add_attributes(group, 65533);
  must(add_attribute(group, "x", {2}));
  must(add_attribute(group, "y", {3}));
  EXPECT_FALSE(add_attribute(group, "z", {4}).ok());
  must(flush_session(file));
  must(close_session(file));
  file = must(open_session(disk, OpenMode::kReadOnly, with));
  group = must(find(file, "/g"));
  {
    OpenObject open(file, group.object, group.path);
    const auto names = must(attribute_names(open, IndexBy::kCreationOrder, IterOrder::kDecreasing));
    ASSERT_EQ(names.size(), 65535U);
    EXPECT_EQ(names[0], "y");
    EXPECT_EQ(names[2], "a65532");
  }
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
