// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: a program that is killed while it commits into a set of files. From each write on nothing
// reaches any of the files; what is there must open as the last commit or as the next one.

#include <cstdio>
#include <gtest/gtest.h>

#include "driver/multi_driver.hpp"
#include "props/composed_drivers.hpp"
#include "support/file_session.hpp"
#include "support/temp_path.hpp"

namespace pcio {
namespace {

using namespace test;

struct Counts {
  int last = 0, next = 0, window = 0, cases = 0;
};

MultiSettings split_in_two() {
  MultiSettings settings;
  settings.map.fill(MultiSettings::kSuper);
  settings.map[MultiSettings::kDraw] = settings.map[MultiSettings::kGheap] = MultiSettings::kDraw;
  settings.addresses[MultiSettings::kDraw] = UINT64_MAX / 2;
  return settings;
}

/// A set of files in which all writes can fail from one on.
class FileSet {
 public:
  FileSet(const MultiSettings& sound, LibraryVersion format)
      : path_("split"), sound_(sound), failing_(sound), plan_(std::make_shared<FaultPlan>()) {
    with_.path = path_.str();
    with_.access.low_bound = format;
    for (auto& member : failing_.members)
      member = DriverChoice(fault_settings(PosixSettings(), plan_).clone());
  }
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  ~FileSet() {
    for (const std::string& name : sound_.names)
      std::remove(multi_member_name(name, path_.str()).c_str());
  }

  /// The changes of one commit, of which the writes from number `fails` on fail; true where none did.
  bool commit(std::uint64_t fails, Counts* counts) {
    FilePtr file = begin();
    const Listing before = must(list_file(file));
    change(file);
    const Listing after = must(list_file(file));
    plan_->writes = 0;
    plan_->fail_from_write = fails;
    const bool whole = flush_session(file).ok();
    const bool closed = whole && close_session(file).ok();
    if (!closed) file->store().abandon();
    file.reset();
    plan_->fail_from_write = 0;
    judge(before, after, whole, counts);
    return closed;
  }

  /// The same with a disk that is well again when the program tries once more; true where nothing failed.
  bool commit_again(std::uint64_t fails) {
    FilePtr file = begin();
    change(file);
    const Listing after = must(list_file(file));
    plan_->writes = 0;
    plan_->fail_from_write = fails;
    const bool whole = flush_session(file).ok() && flush_session(file).ok();
    plan_->fail_from_write = 0;
    must(close_session(file));
    file = must(open_session(sound_, OpenMode::kReadOnly, with_));
    EXPECT_EQ(must(list_file(file)), after);
    must(close_session(file));
    return whole;
  }

 private:
  FilePtr begin() {
    FilePtr file = must(open_session(failing_, OpenMode::kTruncate, with_));
    must(detail::to_status(add_group(file, "/old")));
    Location keep = must(add_dataset(file, "/keep", {.dims = {50}}));
    must(write_all(keep, std::vector<std::int32_t>(50, 7)));
    Location chunks =
        must(add_dataset(file, "/chunks", {.dims = {40}, .max = {kUnlimited}, .chunk = {2}}));
    must(write_all(chunks, std::vector<std::int32_t>(40, 8)));
    must(flush_session(file));
    return file;
  }
  static void change(const FilePtr& file) {
    must(add_attribute(must(find(file, "/old")), "new", {1, 2, 3}));
    must(detail::to_status(add_group(file, "/old/deep")));
    must(remove_link(must(place(file, "/keep"))));
    Location chunks = must(find(file, "/chunks"));
    must(set_extent(chunks, {60}));
    const Box box{{40}, {20}};
    std::vector<std::int32_t> values(20, 9);
    must(move_elements(chunks, Direction::kWrite, &box, values.data()));
    Location more = must(add_dataset(file, "/more", {.dims = {300}}));
    must(write_all(more, std::vector<std::int32_t>(300, 10)));
  }
  void judge(const Listing& before, const Listing& after, bool whole, Counts* counts) {
    ++counts->cases;
    auto file = open_session(sound_, OpenMode::kReadOnly, with_);
    ASSERT_TRUE(file) << file.error().message();
    const Listing seen = must(list_file(*file));
    const bool is_last = seen == before, is_next = seen == after;
    EXPECT_TRUE(is_last || is_next);
    EXPECT_TRUE(!whole || is_next);
    ++(is_last ? counts->last : counts->next);
    const bool cut = (*file)->store().writer().opened_state() != CommitState::kCommitted;
    must(close_session(*file));
    if (cut) expect_set_is_needed();
    if (cut) ++counts->window;
    file = open_session(sound_, OpenMode::kReadWrite, with_);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(must(list_file(*file)), seen);
    must(detail::to_status(add_group(*file, "/afterwards")));
    must(close_session(*file));
    file = open_session(sound_, OpenMode::kReadOnly, with_);
    ASSERT_TRUE(file) << file.error().message();
    Listing later = must(list_file(*file));
    EXPECT_EQ(later.erase("/afterwards"), 1U);
    EXPECT_EQ(later, seen);
    must(close_session(*file));
  }

  /// Who has the first file alone can't complete the commit, and is told.
  void expect_set_is_needed() {
    OpenWith alone = with_;
    alone.path = multi_member_name(sound_.names[MultiSettings::kSuper], path_.str());
    const auto file = open_session(PosixSettings(), OpenMode::kReadWrite, alone);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message().find("set of files"), std::string::npos)
        << file.error().message();
  }

  TempPath path_;
  MultiSettings sound_, failing_;
  std::shared_ptr<FaultPlan> plan_;
  OpenWith with_;
};

TEST(SplitFiles, AreTheLastOrTheNextCommitWhereverAWriterIsKilled) {
  Counts counts;
  for (const MultiSettings& settings : {split_in_two(), MultiSettings()})
    for (const LibraryVersion format : {LibraryVersion::kEarliest, LibraryVersion::kV110}) {
      bool whole = false;
      for (std::uint64_t fails = 1; !whole && fails < 200; ++fails) {
        FileSet files(settings, format);
        whole = files.commit(fails, &counts);
        if (HasFatalFailure()) return;
      }
      EXPECT_TRUE(whole);
    }
  std::printf("split kills: %d cases, last commit %d, next %d, in the window %d\n", counts.cases,
              counts.last, counts.next, counts.window);
  EXPECT_GT(counts.last, 0);
  EXPECT_GT(counts.window, 0);
  EXPECT_GT(counts.next, counts.window);
}

TEST(SplitFiles, ACommitThatFailedIsMadeByTheNextOne) {
  for (const MultiSettings& settings : {split_in_two(), MultiSettings()}) {
    bool whole = false;
    std::uint64_t fails = 1;
    for (; !whole && fails < 200; ++fails) {
      FileSet files(settings, LibraryVersion::kEarliest);
      whole = files.commit_again(fails);
      ASSERT_FALSE(HasFailure()) << fails;
    }
    EXPECT_TRUE(whole);
    EXPECT_GT(fails, 5U);
  }
}

TEST(SplitFiles, HaveNamesMadeOfTheOneThatIsOpened) {
  EXPECT_EQ(multi_member_name("%s%%-%s%d", "x"), "x%-%s%d");
  EXPECT_EQ(multi_member_name("plain", "x"), "plain");
}

}  // namespace
}  // namespace pcio
