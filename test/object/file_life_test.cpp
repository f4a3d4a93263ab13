// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: files that are opened twice, closed around open objects, or gone while something of
// them is still held.

#include <gtest/gtest.h>

#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

OpenObjectPtr hold(const Location& where) {
  return std::make_shared<OpenObject>(where.file, where.object, where.path);
}

OpenWith closing(CloseDegree degree) {
  OpenWith with;
  with.access.close_degree = degree;
  return with;
}

TEST(FileLife, ASecondOpenIsTheSameFile) {
  Disk disk = make_disk();
  FilePtr first = must(open_session(disk, OpenMode::kTruncate));
  FilePtr second = must(open_session(disk, OpenMode::kReadWrite));
  EXPECT_EQ(first, second);
  must(detail::to_status(add_group(second, "/g")));
  must(close_session(second));
  EXPECT_TRUE(first->is_open());
  EXPECT_TRUE(find(first, "/g").has_value());
  must(close_session(first));
  EXPECT_FALSE(first->is_open());
}

TEST(FileLife, AnOpenFileIsNotCreatedAnew) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  must(detail::to_status(add_group(file, "/g")));
  must(flush_session(file));
  DiskImage before = *disk;
  EXPECT_FALSE(open_session(disk, OpenMode::kTruncate).has_value());
  EXPECT_FALSE(open_session(disk, OpenMode::kCreateExclusive).has_value());
  EXPECT_EQ(*disk, before);
  must(close_session(file));
}

TEST(FileLife, AReaderDoesNotBecomeAWriter) {
  Disk disk = make_disk();
  must(close_session(must(open_session(disk, OpenMode::kTruncate))));
  FilePtr reader = must(open_session(disk, OpenMode::kReadOnly));
  EXPECT_FALSE(open_session(disk, OpenMode::kReadWrite).has_value());
  EXPECT_FALSE(check_writable(*reader).ok());
  must(close_session(reader));
}

TEST(FileLife, WeakWaitsForTheLastObject) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, closing(CloseDegree::kWeak)));
  OpenObjectPtr group = hold(must(add_group(file, "/g")));
  must(close_session(file));
  EXPECT_TRUE(file->is_open());
  must(add_attribute({file, group->object(), "/g"}, "late", {1}));
  must(group->close());
  EXPECT_FALSE(file->is_open());
  EXPECT_EQ(must(list_image(*disk)).at("/g"), "@late=1 group of 1");
}

TEST(FileLife, TheLastObjectIsClosedAgainWhereTheFileCouldNotBe) {
  for (const bool let_go : {false, true}) {
    Disk disk = make_disk();
    auto plan = std::make_shared<FaultPlan>();
    FilePtr file = must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate,
                                     closing(CloseDegree::kWeak)));
    OpenObjectPtr group = hold(must(add_group(file, "/g")));
    must(close_session(file));
    plan->fail_from_write = plan->writes + 1;
    EXPECT_FALSE(group->close().ok());
    EXPECT_TRUE(file->is_open());
    EXPECT_FALSE(group->close().ok()) << "the disk is as full as before";
    plan->fail_from_write = 0;
    if (let_go)
      group.reset();
    else
      must(group->close());
    EXPECT_FALSE(file->is_open());
    EXPECT_EQ(must(list_image(*disk)).count("/g"), 1U);
    if (!let_go) must(group->close());
  }
}

/// Where memory runs out while the chunks are written, the object is closed all the same: its file does not
/// count it for ever, and has the chunks when it is closed.
TEST(FileLife, AnObjectWhoseChunksCannotBeWrittenIsNotCounted) {
  for (const CloseDegree degree : {CloseDegree::kWeak, CloseDegree::kSemi}) {
    Disk disk = make_disk();
    auto plan = std::make_shared<FaultPlan>();
    FilePtr file = must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate,
                                     closing(degree)));
    const FilterPipeline deflate{FilterSpec{1, 0, {6}, ""}};
    Location data = must(add_dataset(file, "/d", {.dims = {4}, .chunk = {4}, .filters = deflate}));
    OpenObjectPtr open = hold(data);
    must(write_all(data, {1, 2, 3, 4}));
    plan->no_memory = true;
    Status closed;
    EXPECT_NO_THROW(closed = open->close());
    plan->no_memory = false;
    EXPECT_FALSE(closed.ok());
    must(open->close());
    data = Location();
    open.reset();
    must(close_session(file));
    EXPECT_FALSE(file->is_open());
    EXPECT_EQ(must(list_image(*disk)).at("/d"), "dataset 4 : 1 2 3 4 ");
  }
}

TEST(FileLife, SemiNamesWhatIsOpen) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, closing(CloseDegree::kSemi)));
  OpenObjectPtr group = hold(must(add_group(file, "/g")));
  Status refused = file->release_file_id(file, "group /g");
  EXPECT_NE(refused.message().find("group /g"), std::string::npos);
  EXPECT_TRUE(file->is_open());
  must(group->close());
  EXPECT_TRUE(file->is_open());
  must(close_session(file));
  EXPECT_FALSE(file->is_open());
}

TEST(FileLife, StrongLeavesObjectsThatDoNothing) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate, closing(CloseDegree::kStrong)));
  OpenObjectPtr group = hold(must(add_group(file, "/g")));
  must(close_session(file));
  EXPECT_FALSE(file->is_open());
  EXPECT_TRUE(group->close().ok());
  EXPECT_TRUE(group->close().ok());
}

TEST(FileLife, ObjectsOutliveAFileThatWasClosedForThem) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  OpenObjectPtr group = hold(must(add_group(file, "/g")));
  Location data = must(add_dataset(file, "/d", {.dims = {4}}));
  must(write_all(data, {1, 2, 3, 4}));
  File::close_all();
  EXPECT_FALSE(file->is_open());
  EXPECT_FALSE(check_writable(*file).ok());
  EXPECT_TRUE(close_session(file).ok());
  group.reset();
  data = Location();
  file.reset();
  EXPECT_EQ(must(list_image(*disk)).at("/d"), "dataset 4 : 1 2 3 4 ");
}

TEST(FileLife, AFileWithoutIdsIsLetGo) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  must(detail::to_status(add_group(file, "/kept")));
  must(flush_session(file));
  must(detail::to_status(add_group(file, "/lost")));
  file.reset();  // never closed
  EXPECT_EQ(must(list_image(*disk)).size(), 1U);
  must(close_session(must(open_session(disk, OpenMode::kReadWrite))));
}

TEST(FileLife, AnUnlinkedObjectLivesWhileItIsOpen) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  Location data = must(add_dataset(file, "/d", {.dims = {4}}));
  must(write_all(data, {1, 2, 3, 4}));
  must(flush_session(file));
  OpenObjectPtr open = hold(data);
  must(remove_link(must(place(file, "/d"))));
  must(flush_session(file));
  Location other = must(add_dataset(file, "/other", {.dims = {4}}));
  must(write_all(other, {5, 6, 7, 8}));
  EXPECT_EQ(must(read_all(data)), (std::vector<std::int32_t>{1, 2, 3, 4}));
  must(add_hard_link(must(place(file, "/again")), data, {}));
  must(open->close());
  must(close_session(file));
  Listing lines = must(list_image(*disk));
  EXPECT_EQ(lines.at("/again"), "dataset 4 : 1 2 3 4 ");
  EXPECT_EQ(lines.at("/other"), "dataset 4 : 5 6 7 8 ");
}

}  // namespace
}  // namespace pcio
