// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: the commit gate on disks that fail: at every write, at every size, at every close.

#include <gtest/gtest.h>

#include "support/file_session.hpp"
#include "support/live_ranges.hpp"

namespace pcio {
namespace {

using namespace test;

Status first_part(const FilePtr& file) {
  PCIO_TRY(detail::to_status(add_group(file, "/a")));
  PCIO_TRY(detail::to_status(add_group(file, "/a/b")));
  PCIO_ASSIGN(Location data, add_dataset(file, "/a/data", {.dims = {10, 10}}));
  PCIO_TRY(write_all(data, std::vector<std::int32_t>(100, 5)));
  return add_attribute(data, "units", {1, 2, 3});
}

Status second_part(const FilePtr& file) {
  for (int i = 0; i < 12; ++i)
    PCIO_TRY(detail::to_status(add_group(file, "/a/b/group" + std::to_string(i))));
  PCIO_ASSIGN(Location data,
              add_dataset(file, "/a/b/chunked", {.dims = {20, 20}, .chunk = {3, 3}, .fill = 9}));
  PCIO_TRY(write_all(data, std::vector<std::int32_t>(400, 6)));
  PCIO_TRY(add_attribute(root_of(file), "title", {4, 5}));
  return add_attribute(must(find(file, "/a/data")), "more", {7});
}

struct Scene {
  Disk disk = make_disk();
  std::shared_ptr<FaultPlan> plan = std::make_shared<FaultPlan>();
  FilePtr file;
  DiskImage before;
  Listing first;
  std::vector<ByteRange> live;

  explicit Scene(Status (*part)(const FilePtr&) = first_part) {
    file = must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate));
    must(part(file));
    must(flush_session(file));
    before = *disk;
    first = must(list_image(before));
    live = must(LiveRanges(file->store()).collect());
  }
  /// Nothing that the last commit refers to has changed.
  [[nodiscard]] bool old_bytes_untouched() const {
    if (disk->size() < before.size()) return false;
    return std::all_of(live.begin(), live.end(), [&](const ByteRange& range) {
      return std::equal(before.begin() + static_cast<std::ptrdiff_t>(range.offset),
                        before.begin() + static_cast<std::ptrdiff_t>(range.end()),
                        disk->begin() + static_cast<std::ptrdiff_t>(range.offset));
    });
  }
  void heal() { *plan = FaultPlan(); }
};

Listing listing_of_both() {
  Scene scene;
  must(second_part(scene.file));
  must(close_session(scene.file));
  return must(list_image(*scene.disk));
}

/// `inject` breaks the disk for the n-th time; the commit must fail, leave the last commit alone as
/// long as nothing was overwritten, and succeed once the disk is well again.
template <class Inject, class Commit>
unsigned break_every_write(Inject&& inject, Commit&& commit) {
  Listing both = listing_of_both();
  unsigned untouched = 0;
  for (unsigned n = 1;; ++n) {
    Scene scene;
    must(second_part(scene.file));
    scene.heal();
    inject(*scene.plan, n);
    Status status = commit(scene.file);
    if (status.ok()) {
      EXPECT_GT(n, 4U);
      must(scene.file->is_open() ? close_session(scene.file) : Status());
      return untouched;
    }
    EXPECT_FALSE(status.message().empty());
    EXPECT_TRUE(scene.file->is_open());
    if (scene.old_bytes_untouched()) {
      ++untouched;
      auto seen = list_image(*scene.disk);
      EXPECT_TRUE(seen && *seen == scene.first) << "write " << n;
    } else {
      auto seen = list_image(*scene.disk);
      EXPECT_TRUE(seen && (*seen == scene.first || *seen == both)) << "write " << n;
    }
    scene.heal();
    EXPECT_TRUE(commit(scene.file).ok()) << "retry after write " << n;
    EXPECT_TRUE(!scene.file->is_open() || close_session(scene.file).ok());
    auto healed = list_image(*scene.disk);
    EXPECT_TRUE(healed && *healed == both) << "after the retry, write " << n;
  }
}

TEST(CommitGate, FlushSurvivesAFailureOfAnyWrite) {
  unsigned untouched =
      break_every_write([](FaultPlan& plan, unsigned n) { plan.fail_write = n; }, flush_session);
  // New blocks go first: most failures happen before anything was overwritten.
  EXPECT_GT(untouched, 4U);
}

/// All writes of the second part's flush from the n-th on fail, the later ones don't; false where it has not so many.
bool flush_breaks(Scene& scene, unsigned n) {
  must(second_part(scene.file));
  scene.heal();
  scene.plan->fail_from_write = n;
  const bool breaks = !flush_session(scene.file).ok();
  if (!breaks) must(close_session(scene.file));
  scene.heal();
  return breaks;
}

TEST(CommitGate, AFailureBehindTheCommitPointIsMendedByTheNextCommit) {
  const Listing both = listing_of_both();
  unsigned frozen = 0;
  for (unsigned n = 1;; ++n) {
    Scene scene;
    if (!flush_breaks(scene, n)) break;
    auto seen = list_image(*scene.disk);
    ASSERT_TRUE(seen && (*seen == scene.first || *seen == both)) << n;
    // Headers that stand in place as they were are not read again.
    EXPECT_EQ(must(list_file(scene.file)), both) << n;
    // Until the file is mended nothing may grow into the journal.
    if (!add_group(scene.file, "/late")) {
      ++frozen;
      EXPECT_TRUE(flush_session(scene.file).ok());
      EXPECT_EQ(must(list_image(*scene.disk)), both);
      must(detail::to_status(add_group(scene.file, "/late")));
    }
    must(close_session(scene.file));
    EXPECT_EQ(must(list_image(*scene.disk)).count("/late"), 1U);
  }
  EXPECT_GT(frozen, 1U);
}

/// As a program's driver that can only write.
TEST(CommitGate, AFailureBehindTheCommitPointIsMendedWithoutReading) {
  const Listing both = listing_of_both();
  unsigned mended = 0;
  for (unsigned n = 1;; ++n) {
    Scene scene;
    if (!flush_breaks(scene, n)) break;
    scene.plan->fail_reads = true;
    const Status again = flush_session(scene.file);
    EXPECT_TRUE(again.ok()) << "write " << n << ": " << again.message();
    EXPECT_EQ(must(list_image(*scene.disk)), both) << n;
    scene.heal();
    must(close_session(scene.file));
    ++mended;
  }
  EXPECT_GT(mended, 4U);
}

TEST(CommitGate, TheJournalOfAFailedCommitIsNoHole) {
  unsigned given = 0;
  for (unsigned n = 1;; ++n) {
    Scene scene;
    must(second_part(scene.file));
    scene.heal();
    scene.plan->fail_write = n;
    if (flush_session(scene.file).ok()) {
      must(close_session(scene.file));
      break;
    }
    scene.heal();
    for (std::uint64_t size : {100U, 6000U}) {
      auto late =
          add_dataset(scene.file, "/late" + std::to_string(size),
                      {.dims = {size}, .fill_time = FillTime::kAlloc, .alloc = AllocTime::kEarly});
      if (!late) continue;
      ++given;
      EXPECT_EQ(must(read_all(*late)), std::vector<std::int32_t>(size, 0)) << n;
    }
    must(close_session(scene.file));
  }
  EXPECT_GT(given, 4U);
}

TEST(CommitGate, FlushSurvivesAShortWrite) {
  break_every_write([](FaultPlan& plan, unsigned n) { plan.short_write = n; }, flush_session);
}

TEST(CommitGate, CloseSurvivesADiskThatDies) {
  break_every_write([](FaultPlan& plan, unsigned n) { plan.fail_from_write = n; }, close_session);
}

TEST(CommitGate, AFullDiskLeavesTheLastCommit) {
  Listing both = listing_of_both();
  std::size_t most = 0;
  {
    Scene scene;
    must(second_part(scene.file));
    must(close_session(scene.file));
    most = scene.disk->size();
  }
  std::size_t least = Scene().before.size();
  for (std::size_t room = least; room < most; room += 911) {
    Scene scene;
    must(second_part(scene.file));
    scene.plan->capacity = room;
    EXPECT_FALSE(flush_session(scene.file).ok());
    EXPECT_TRUE(scene.old_bytes_untouched());
    auto seen = list_image(*scene.disk);
    EXPECT_TRUE(seen && *seen == scene.first);
    EXPECT_FALSE(close_session(scene.file).ok());
    EXPECT_TRUE(scene.file->is_open());
    scene.heal();
    EXPECT_TRUE(close_session(scene.file).ok());
    auto healed = list_image(*scene.disk);
    EXPECT_TRUE(healed && *healed == both);
  }
}

TEST(CommitGate, AFullDiskAtCreateIsAnError) {
  std::size_t most = 0;
  {
    Scene scene([](const FilePtr&) { return Status(); });
    most = scene.before.size();
  }
  for (std::size_t room = 0; room < most; room += 13) {
    auto plan = std::make_shared<FaultPlan>();
    plan->capacity = room;
    auto made = open_session(fault_settings(disk_settings(make_disk()), plan), OpenMode::kTruncate);
    EXPECT_FALSE(made.has_value()) << room;
  }
}

TEST(CommitGate, AFailedSuperblockIsWrittenAgainEvenIfNothingElseChanged) {
  // A close that only gives back the end of the file changes the superblock alone.
  OpenWith setup;
  setup.access.meta_block_size = 100000;
  Disk disk = make_disk();
  auto plan = std::make_shared<FaultPlan>();
  FilePtr file =
      must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate, setup));
  must(detail::to_status(add_group(file, "/a")));
  must(flush_session(file));
  DiskImage before = *disk;
  plan->fail_from_write = plan->writes + 1;
  EXPECT_FALSE(close_session(file).ok());
  EXPECT_EQ(disk->size(), before.size()) << "the file was cut before its superblock said so";
  EXPECT_TRUE(list_image(*disk).has_value());
  *plan = FaultPlan();
  EXPECT_TRUE(close_session(file).ok());
  EXPECT_LT(disk->size(), before.size());
  EXPECT_EQ(must(list_image(*disk)), must(list_image(before)));
}

TEST(CommitGate, FailuresOfFlushAndCloseAreReported) {
  Scene scene;
  must(second_part(scene.file));
  scene.plan->fail_flush = true;
  EXPECT_FALSE(flush_session(scene.file).ok());
  scene.plan->fail_flush = false;
  EXPECT_TRUE(flush_session(scene.file).ok());
  scene.plan->fail_close = true;
  EXPECT_FALSE(close_session(scene.file).ok());
}

TEST(CommitGate, AFailedTransferIsTheTransfersError) {
  Scene scene;
  Location data = must(find(scene.file, "/a/data"));
  scene.plan->fail_write = scene.plan->writes + 1;
  EXPECT_FALSE(write_all(data, std::vector<std::int32_t>(100, 8)).ok());
  scene.heal();
  scene.plan->short_write = 1;
  EXPECT_FALSE(write_all(data, std::vector<std::int32_t>(100, 8)).ok());
  scene.heal();
  EXPECT_TRUE(write_all(data, std::vector<std::int32_t>(100, 8)).ok());
  must(close_session(scene.file));
}

}  // namespace
}  // namespace pcio
