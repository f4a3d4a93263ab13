// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: objects without links: when their space is given back, and that what is still open
// below them is not.

#include <gtest/gtest.h>

#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

Status unlink(const FilePtr& file, const std::string& path) {
  PCIO_ASSIGN(LinkPlace where, place(file, path));
  return remove_link(where);
}

const std::vector<std::int32_t> kSix(600, 6);

TEST(Unlinked, AnOpenDatasetOfADeletedGroupKeepsItsBytes) {
  for (const Dims& chunk : {Dims{}, Dims{100}}) {
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    must(detail::to_status(add_group(file, "/g")));
    must(detail::to_status(add_group(file, "/g/deep")));
    Location data = must(add_dataset(file, "/g/deep/data", {.dims = {600}, .chunk = chunk}));
    must(write_all(data, kSix));
    must(flush_session(file));
    {
      OpenObject held(file, data.object, data.path);
      must(unlink(file, "/g"));
      for (int i = 0; i < 4; ++i) {
        must(flush_session(file));
        Location other = must(add_dataset(file, "/other" + std::to_string(i),
                                          {.dims = {700}, .alloc = AllocTime::kEarly}));
        must(write_all(other, std::vector<std::int32_t>(700, 9)));
        ASSERT_EQ(must(read_all(data)), kSix) << "flush " << i;
        must(write_all(data, kSix));
      }
      for (int i = 0; i < 4; ++i)
        EXPECT_EQ(must(read_all(must(find(file, "/other" + std::to_string(i))))),
                  std::vector<std::int32_t>(700, 9));
    }
    must(close_session(file));
    EXPECT_EQ(must(list_image(*disk)).size(), 4U);
  }
}

TEST(Unlinked, ACloseGivesBackAllThatWasBelow) {
  std::size_t sizes[2] = {0, 0};
  for (int deep : {0, 1}) {
    Disk disk = make_disk();
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    must(flush_session(file));
    if (deep != 0) {
      must(detail::to_status(add_group(file, "/a")));
      must(detail::to_status(add_group(file, "/a/b")));
      must(detail::to_status(add_group(file, "/a/b/c")));
      must(write_all(must(add_dataset(file, "/a/b/c/data", {.dims = {50000}})),
                     std::vector<std::int32_t>(50000, 1)));
      must(flush_session(file));
      must(unlink(file, "/a"));
    }
    must(close_session(file));
    sizes[deep] = disk->size();
  }
  EXPECT_LT(sizes[1], sizes[0] + 4000);
}

TEST(Unlinked, WhatWasNeverLinkedGivesItsSpaceBack) {
  Disk disk = make_disk();
  FilePtr file = must(open_session(disk, OpenMode::kTruncate));
  must(detail::to_status(add_group(file, "/g")));
  must(flush_session(file));
  DatasetRequest request;
  request.type = int32();
  request.space = must(Dataspace::simple({50000}));
  request.create = create_props({.dims = {50000}, .alloc = AllocTime::kEarly});
  NewSpace unfilled;
  Location made = must(make_dataset(file, request, &unfilled));
  {
    OpenObject held(file, made.object, "");
    must(write_all(made, std::vector<std::int32_t>(50000, 3)));
    must(flush_session(file));
    EXPECT_EQ(must(read_all(made)).back(), 3);
  }
  must(detail::to_status(add_group(file, "/g/more")));
  must(flush_session(file));
  EXPECT_GE(file->store().space().reusable_bytes(), 200000U);
  // Linked in time it stays.
  Location kept = must(make_dataset(file, request, &unfilled));
  must(write_all(kept, std::vector<std::int32_t>(50000, 4)));
  must(add_hard_link(must(place(file, "/g/kept")), kept, {}));
  must(close_session(file));
  EXPECT_EQ(must(list_image(*disk)).count("/g/kept"), 1U);
  EXPECT_LT(disk->size(), 300000U);
}

TEST(Unlinked, WhatCannotBeReadKeepsItsSpaceAndTheCommitSucceeds) {
  Disk disk = make_disk();
  auto plan = std::make_shared<FaultPlan>();
  {
    FilePtr file = must(open_session(disk, OpenMode::kTruncate));
    must(detail::to_status(add_group(file, "/g")));
    for (int i = 0; i < 3; ++i)
      must(write_all(
          must(add_dataset(file, "/g/d" + std::to_string(i), {.dims = {600}, .chunk = {7}})),
          kSix));
    must(write_all(must(add_dataset(file, "/stays", {.dims = {600}, .chunk = {7}})), kSix));
    must(close_session(file));
  }
  const DiskImage before = *disk;
  bool failed = true;
  for (std::uint64_t n = 1; failed; ++n) {
    *disk = before;
    FilePtr file =
        must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kReadWrite));
    must(unlink(file, "/g"));
    *plan = FaultPlan();
    plan->fail_read = n;
    failed = false;
    if (!close_session(file).ok()) {
      // A commit reads for its own ends too.
      failed = true;
      must(close_session(file));
    }
    failed = failed || plan->reads >= n;
    Listing left = must(list_image(*disk));
    EXPECT_EQ(left.size(), 1U) << n;
    EXPECT_EQ(left.count("/stays"), 1U) << n;
    ASSERT_LT(n, 1000U);
  }
}

}  // namespace
}  // namespace pcio
