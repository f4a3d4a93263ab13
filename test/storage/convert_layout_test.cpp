// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: files that are made earlier, and programs that are killed while they do it.

#include <cstdio>
#include <gtest/gtest.h>

#include "object/format_convert.hpp"
#include "storage/dataset/convert_layout.hpp"
#include "support/file_session.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

using namespace test;

class Converted {
 public:
  explicit Converted(FileSpaceStrategy strategy) : path_("converted.h5") {
    with_.path = path_.str();
    with_.access.low_bound = LibraryVersion::kV110;
    with_.create.strategy = strategy;
    with_.create.persist_free_space = true;
    const FilePtr file = must(open_session(PosixSettings(), OpenMode::kTruncate, with_));
    add(file, "/line", {.dims = {90}, .max = {kUnlimited}, .chunk = {2}});
    add(file, "/fixed", {.dims = {90}, .chunk = {4}});
    add(file, "/one", {.dims = {90}, .chunk = {90}});
    add(file, "/plain", {.dims = {90}});
    must(close_session(file));
  }

  /// Commits a conversion whose writes from number `fails` on fail; true where none did.
  bool convert(std::uint64_t fails) {
    const auto plan = std::make_shared<FaultPlan>();
    FilePtr file =
        must(open_session(fault_settings(PosixSettings(), plan), OpenMode::kReadWrite, with_));
    listing_ = must(list_file(file));
    for (const char* name : kNames)
      must(convert_layout(file->store(), must(find(file, name)).object));
    must(convert_file(*file));
    plan->writes = 0;
    plan->fail_from_write = fails;
    const bool whole = close_session(file).ok();
    if (!whole) file->store().abandon();
    return whole;
  }

  /// The same with a disk that is well again when the program closes once more; true where nothing failed.
  bool convert_again(std::uint64_t fails) {
    const auto plan = std::make_shared<FaultPlan>();
    FilePtr file =
        must(open_session(fault_settings(PosixSettings(), plan), OpenMode::kReadWrite, with_));
    listing_ = must(list_file(file));
    for (const char* name : kNames)
      must(convert_layout(file->store(), must(find(file, name)).object));
    must(convert_file(*file));
    plan->writes = 0;
    plan->fail_from_write = fails;
    const bool whole = flush_session(file).ok();
    plan->fail_from_write = 0;
    must(close_session(file));
    return whole;
  }

  /// The version of the superblock; what is in the file has not changed.
  unsigned judge(OpenMode mode) {
    const FilePtr file = must(open_session(PosixSettings(), mode, with_));
    EXPECT_EQ(must(list_file(file)), listing_);
    const unsigned version = file->store().context().superblock.version;
    for (const char* name : kNames) {
      const StoredObjectPtr object = must(find(file, name)).object;
      const LayoutMessage& layout = must(file->store().datasets().state(object))->layout;
      EXPECT_EQ(layout.version, version == 2 ? 3U : 4U) << name;
      EXPECT_TRUE(version != 2 || layout.index == ChunkIndexKind::kBtree1) << name;
    }
    must(close_session(file));
    return version;
  }
  [[nodiscard]] bool cut() const {
    const FilePtr file = must(open_session(PosixSettings(), OpenMode::kReadOnly, with_));
    const bool is_cut = file->store().writer().opened_state() != CommitState::kCommitted;
    must(close_session(file));
    return is_cut;
  }

 private:
  static constexpr const char* kNames[] = {"/line", "/fixed", "/one", "/plain"};
  static void add(const FilePtr& file, const char* name, const DatasetSpec& spec) {
    const Location made = must(add_dataset(file, name, spec));
    must(write_all(made, std::vector<std::int32_t>(90, 11)));
  }
  TempPath path_;
  OpenWith with_;
  Listing listing_;
};

TEST(ConvertLayout, IsTheOldFileOrTheNewOneWhereverItIsKilled) {
  int last = 0, next = 0, window = 0;
  for (const auto strategy :
       {FileSpaceStrategy::kFreeSpaceAggregators, FileSpaceStrategy::kPaged}) {
    bool whole = false;
    for (std::uint64_t fails = 1; !whole && fails < 200; ++fails) {
      Converted file(strategy);
      whole = file.convert(fails);
      if (file.cut()) ++window;
      const unsigned version = file.judge(OpenMode::kReadOnly);
      EXPECT_EQ(file.judge(OpenMode::kReadWrite), version);
      EXPECT_EQ(file.judge(OpenMode::kReadOnly), version);
      ++(version == 2 ? next : last);
      EXPECT_TRUE(!whole || version == 2);
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_TRUE(whole);
  }
  std::printf("conversions cut: old file %d, new %d, in the window %d\n", last, next, window);
  EXPECT_GT(last, 2);
  EXPECT_GT(window, 2);
  EXPECT_GT(next, window);
}

TEST(ConvertLayout, ACommitThatFailedIsMadeByTheNextOne) {
  for (const auto strategy :
       {FileSpaceStrategy::kFreeSpaceAggregators, FileSpaceStrategy::kPaged}) {
    bool whole = false;
    std::uint64_t fails = 1;
    for (; !whole && fails < 200; ++fails) {
      Converted file(strategy);
      whole = file.convert_again(fails);
      EXPECT_EQ(file.judge(OpenMode::kReadOnly), 2U) << fails;
      EXPECT_EQ(file.judge(OpenMode::kReadWrite), 2U) << fails;
      if (::testing::Test::HasFailure()) return;
    }
    EXPECT_TRUE(whole);
    EXPECT_GT(fails, 5U);
  }
}

}  // namespace
}  // namespace pcio
