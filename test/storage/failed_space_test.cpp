// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: space, fills and extents on disks that fail: what failed has changed nothing.

#include <gtest/gtest.h>

#include "support/failed_scene.hpp"
#include "support/trace_driver.hpp"

namespace pcio {
namespace {

using namespace test;

TEST(FailedSpace, AFillThatFailsLeavesNoSpace) {
  const std::vector<DatasetSpec> specs = {{.dims = {kOld}},
                                          {.dims = {kOld}, .max = {kUnlimited}, .chunk = {kOld}},
                                          {.dims = {kOld}, .chunk = {100}, .fill = 7},
                                          {.dims = {kOld}, .fill = 7}};
  for (const DatasetSpec& spec : specs) {
    Scene scene;
    const Location at = must(add_dataset(scene.file, "/b", spec));
    const Box one{{5}, {1}};
    scene.fail_next();
    EXPECT_FALSE(write_box(at, one, 1).ok());
    EXPECT_EQ(must(allocation_state(scene.file->store(), at.object)), AllocationState::kNone);
    scene.heal();
    must(write_box(at, one, 1));
    Values wanted(kOld, spec.fill.value_or(0));
    wanted[5] = 1;
    EXPECT_EQ(must(read_all(at)), wanted);
    EXPECT_EQ(must(read_all(must(find(scene.reopen(), "/b")))), wanted);
  }
}

TEST(FailedSpace, DataThatWereToCoverEverythingAndFailLeaveTheFillValue) {
  for (const DatasetSpec& spec :
       {DatasetSpec{.dims = {kOld}}, DatasetSpec{.dims = {kOld}, .chunk = {250}, .fill = 7}}) {
    for (std::uint64_t n = 1; n <= 2; ++n) {
      Scene scene;
      const Location at = must(add_dataset(scene.file, "/b", spec));
      scene.heal();
      (n == 1 ? scene.plan->fail_write : scene.plan->short_write) = 1;
      EXPECT_FALSE(write_all(at, Values(kOld, 1)).ok());
      EXPECT_EQ(must(read_all(at)), Values(kOld, spec.fill.value_or(0)));
      EXPECT_EQ(must(read_all(must(find(scene.reopen(), "/b")))),
                Values(kOld, spec.fill.value_or(0)));
    }
  }
}

/// What a dataset with early allocation is, before and after changes of its extent.
Values table(const Dims& dims, const Dims& written, std::int32_t fill) {
  Values values;
  for_each_position(dims, [&](const Dims& at) {
    bool inside = true;
    for (unsigned d = 0; d < at.size(); ++d) inside = inside && at[d] < written[d];
    values.push_back(inside ? static_cast<std::int32_t>(100 * at[0] + at[1]) : fill);
  });
  return values;
}

TEST(FailedSpace, AnExtentThatFailsIsTheOldOne) {
  const Dims old{10, 10}, none{0, 0};
  for (const LibraryVersion format : {LibraryVersion::kEarliest, LibraryVersion::kV110})
    for (const Dims& after : {Dims{25, 10}, Dims{10, 25}, Dims{4, 25}, Dims{25, 4}, Dims{25, 25}})
      for (const Dims& most : {Dims{kUnlimited, kUnlimited}, Dims{30, 30}}) {
        OpenWith with;
        with.access.low_bound = format;
        Scene scene(with);
        // The fixed one has an implicit index in the newest format.
        const DatasetSpec spec{
            .dims = old, .max = most, .chunk = {3, 4}, .alloc = AllocTime::kEarly, .fill = 7};
        const Location at = must(add_dataset(scene.file, "/d", spec));
        const Values before = table(old, old, 7);
        must(write_all(at, before));
        for (int cut = 0; cut < 2; ++cut) {
          scene.fail_next();
          const Status changed = set_extent(at, after);
          EXPECT_FALSE(changed.ok());
          scene.heal();
          EXPECT_EQ(must(scene.file->store().datasets().state(at.object))->extent.dims(), old);
          EXPECT_EQ(must(read_all(at)), before);
          must(flush_session(scene.file));
        }
        must(set_extent(at, after));
        must(set_extent(at, old));
        Dims both = old;
        for (unsigned d = 0; d < 2; ++d) both[d] = std::min(old[d], after[d]);
        EXPECT_EQ(must(read_all(at)), table(old, both, 7));
        EXPECT_EQ(must(read_all(must(find(scene.reopen(), "/d")))), table(old, both, 7));
      }
}

TEST(FailedSpace, WhatWasCutOffIsPaidBeforeTheDatasetGrowsOrACommit) {
  for (const bool commits : {false, true}) {
    Scene scene;
    const Dims old{10, 10}, small{5, 7};
    const Location at = must(
        add_dataset(scene.file, "/d",
                    {.dims = old, .max = {kUnlimited, kUnlimited}, .chunk = {3, 4}, .fill = 7}));
    must(write_all(at, table(old, old, 7)));
    must(flush_session(scene.file));
    scene.fail_next();
    // Nothing is written yet.
    must(set_extent(at, small));
    EXPECT_EQ(must(read_all(at)), table(small, old, 7));
    scene.fail_next();
    EXPECT_FALSE((commits ? flush_session(scene.file) : set_extent(at, old)).ok());
    EXPECT_EQ(must(read_all(at)), table(small, old, 7));
    scene.heal();
    if (commits) must(flush_session(scene.file));
    must(set_extent(at, old));
    EXPECT_EQ(must(read_all(at)), table(old, small, 7));
    EXPECT_EQ(must(read_all(must(find(scene.reopen(), "/d")))), table(old, small, 7));
  }
}

/// A commit that failed behind its commit point keeps all space until it is completed.
TEST(FailedSpace, WhileACommitWaitsNothingChangesHalfway) {
  int waited = 0;
  for (std::uint64_t n = 1; n < 12; ++n) {
    Scene scene;
    const Dims old{10, 10};
    const Location early = must(add_dataset(scene.file, "/early",
                                            {.dims = old,
                                             .max = {kUnlimited, kUnlimited},
                                             .chunk = {3, 4},
                                             .alloc = AllocTime::kEarly}));
    const Location empty = must(add_dataset(scene.file, "/empty", {.dims = {kOld}, .fill = 7}));
    must(write_all(early, table(old, old, 0)));
    must(flush_session(scene.file));
    must(add_attribute(early, "a", {1}));
    scene.heal();
    scene.plan->fail_from_write = n;
    if (flush_session(scene.file).ok()) break;
    scene.heal();
    bool written = false;
    if (scene.file->store().space().allocation_forbidden()) {
      ++waited;
      EXPECT_FALSE(set_extent(early, {4, 25}).ok());
      EXPECT_FALSE(set_extent(early, {25, 25}).ok());
      EXPECT_EQ(must(scene.file->store().datasets().state(early.object))->extent.dims(), old);
      // While nothing can be written the commit can't be completed either.
      scene.plan->fail_from_write = 1;
      EXPECT_FALSE(write_box(empty, {{5}, {1}}, 1).ok());
      EXPECT_TRUE(scene.file->store().space().allocation_forbidden());
      scene.heal();
      EXPECT_EQ(must(read_all(empty)), Values(kOld, 7));
      must(set_extent(early, {10, 5}));
      EXPECT_EQ(must(read_all(early)), table({10, 5}, old, 0));
      // What needs space completes it.
      written = n % 2 == 0;
      if (written) must(write_box(empty, {{5}, {1}}, 1));
      EXPECT_EQ(scene.file->store().space().allocation_forbidden(), !written);
    } else {
      must(set_extent(early, {10, 5}));
    }
    if (!written) {
      EXPECT_EQ(must(read_all(empty)), Values(kOld, 7));
    }
    must(flush_session(scene.file));
    must(set_extent(early, {4, 25}));
    must(write_box(empty, {{5}, {1}}, 1));
    scene.reopen();
    EXPECT_EQ(must(read_all(must(find(scene.file, "/early")))), table({4, 25}, {4, 5}, 0));
    EXPECT_EQ(must(read_all(must(find(scene.file, "/empty"))))[6], 7);
  }
  EXPECT_GT(waited, 0);
}

TEST(FailedSpace, WhatNoIndexCanListIsRefused) {
  Scene scene(newest());
  const std::uint64_t many = std::uint64_t{1} << 50, most = std::uint64_t{1} << 62;
  EXPECT_FALSE(add_dataset(scene.file, "/fixed", {.dims = {10}, .max = {many}, .chunk = {1}}));
  EXPECT_FALSE(
      add_dataset(scene.file, "/square", {.dims = {1, 1}, .max = {many, many}, .chunk = {1, 1}}));
  EXPECT_FALSE(add_dataset(scene.file, "/wide",
                           {.dims = {10, 10}, .max = {kUnlimited, most}, .chunk = {1, 1}}));
  const std::uint64_t large = (std::uint64_t{1} << 33) + 10;
  EXPECT_FALSE(
      add_dataset(scene.file, "/long", {.dims = {large}, .max = {kUnlimited}, .chunk = {1}}));
  const Location grows =
      must(add_dataset(scene.file, "/grows", {.dims = {10}, .max = {kUnlimited}, .chunk = {1}}));
  EXPECT_FALSE(set_extent(grows, {large}).ok());
  must(set_extent(grows, {large / 4}));
  must(write_box(grows, {{large / 4 - 1}, {1}}, 42));
  must(flush_session(scene.file));
  scene.reopen();
  EXPECT_FALSE(find(scene.file, "/fixed"));
  const Location there = must(find(scene.file, "/grows"));
  EXPECT_EQ(must(scene.file->store().datasets().state(there.object))->extent.dims(),
            Dims{large / 4});
}

TEST(FailedSpace, ExtentsThatTheFilesFieldsDoNotHoldAreRefused) {
  OpenWith with;
  with.create.sizeof_size = 4;
  Scene scene(with);
  const Location at =
      must(add_dataset(scene.file, "/d", {.dims = {10}, .max = {kUnlimited}, .chunk = {1000}}));
  EXPECT_FALSE(set_extent(at, {std::uint64_t{1} << 33}).ok());
  must(set_extent(at, {50}));
  scene.reopen();
  EXPECT_EQ(must(read_all(must(find(scene.file, "/d")))), Values(50, 0));
}

TEST(FailedSpace, ASyncThatFailedIsToldUntilTheClose) {
  for (const Durability level : {Durability::kNone, Durability::kChecked, Durability::kPowerLoss}) {
    OpenWith with;
    with.access.durability = level;
    Scene scene(with);
    const Location at = must(add_dataset(scene.file, "/d", {.dims = {kOld}}));
    must(write_all(at, Values(kOld, 5)));
    scene.plan->fail_flush = true;
    EXPECT_FALSE(flush_session(scene.file).ok());
    scene.heal();
    const bool asked = level != Durability::kNone;
    for (int i = 0; i < 2; ++i) {
      const Status flushed = flush_session(scene.file);
      EXPECT_EQ(flushed.ok(), !asked);
      if (!flushed.ok()) {
        EXPECT_NE(flushed.message().find("sync"), std::string::npos) << flushed.message();
      }
    }
    const Status closed = close_session(scene.file);
    EXPECT_EQ(closed.ok(), !asked);
    EXPECT_FALSE(scene.file->is_open());
    FilePtr seen = must(open_session(scene.disk, OpenMode::kReadOnly));
    EXPECT_EQ(must(read_all(must(find(seen, "/d")))), Values(kOld, 5));
    must(close_session(seen));
  }
}

/// Nobody knows what the storage has of a dead program's journal.
TEST(FailedSpace, AReplaySyncsBeforeEachStep) {
  Disk disk = make_disk();
  auto plan = std::make_shared<FaultPlan>();
  FilePtr file = must(open_session(fault_settings(disk_settings(disk), plan), OpenMode::kTruncate));
  const Location at = must(add_dataset(file, "/d", {.dims = {10}}));
  must(flush_session(file));
  must(add_attribute(at, "a", {1}));
  *plan = FaultPlan();
  // The journal and the window are written, what follows is not.
  plan->fail_from_write = 3;
  EXPECT_FALSE(flush_session(file).ok());
  for (const bool writer : {true, false}) {
    auto trace = std::make_shared<Trace>();
    trace->window = true;
    const CustomSettings settings = trace_settings(make_disk(*disk), trace);
    if (writer) {
      must(close_session(must(open_session(settings, OpenMode::kReadWrite, other_file()))));
    } else {
      OpenRequest request;
      request.path = "replayed.h5";
      request.mode = OpenMode::kReadWrite;
      auto opened = must(open_driver(settings, request));
      must(detail::to_status(complete_commit(*opened.driver)));
    }
    ASSERT_GE(trace->ops.size(), 3U);
    for (std::size_t i = 0; i < trace->ops.size(); ++i) {
      if (i > 0 && trace->ops[i].step == trace->ops[i - 1].step) continue;
      EXPECT_GT(std::count(trace->syncs.begin(), trace->syncs.end(), i), 0)
          << kTraceStepNames[static_cast<int>(trace->ops[i].step)];
      if (trace->ops[i].step == TraceStep::kCut) break;
    }
  }
  plan->fail_from_write = 0;
  must(close_session(file));
}

}  // namespace
}  // namespace pcio
