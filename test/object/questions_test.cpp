// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room object: what is asked of open files and datasets, without ids: places in a file that has a user
// block, answers about objects of another kind, and the size of files.

#include <cstring>
#include <gtest/gtest.h>
#include <numeric>

#include "object/dataset_chunks.hpp"
#include "object/dataset_queries.hpp"
#include "object/file_info.hpp"
#include "object/filter_use.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

constexpr std::uint64_t kUserBlock = 1024;

/// A file with a user block, a contiguous and a chunked dataset of 16 elements, 100, 101, ...
class Questions : public ::testing::Test {
 protected:
  void SetUp() override {
    OpenWith with;
    with.create.userblock = kUserBlock;
    file_ = must(open_session(disk_, OpenMode::kTruncate, with));
    std::vector<std::int32_t> data(16);
    std::iota(data.begin(), data.end(), 100);
    for (const DatasetSpec& spec :
         {DatasetSpec{.dims = {16}}, DatasetSpec{.dims = {16}, .chunk = {4}}}) {
      made_.push_back(must(add_dataset(file_, spec.chunk.size() > 0 ? "/cut" : "/whole", spec)));
      must(write_all(made_.back(), data));
    }
    must(flush_session(file_));
  }
  /// The element that lies at a place of the file.
  [[nodiscard]] std::int32_t element_at(std::uint64_t position) const {
    std::int32_t element = 0;
    std::memcpy(&element, disk_->data() + position, sizeof element);
    return element;
  }

  Disk disk_ = make_disk();
  FilePtr file_;
  std::vector<Location> made_;
};

TEST_F(Questions, OffsetsCountTheUserBlock) {
  const OpenObject whole(file_, made_[0].object, "/whole");
  const OpenObject cut(file_, made_[1].object, "/cut");
  const auto offset = must(dataset_offset(whole));
  ASSERT_TRUE(offset.has_value());
  EXPECT_EQ(element_at(*offset), 100);
  EXPECT_FALSE(must(dataset_offset(cut)).has_value());
  for (std::uint64_t n = 0; n < 4; ++n) {
    const auto chunk = must(chunk_by_number(cut, n));
    ASSERT_TRUE(chunk && chunk->position);
    EXPECT_EQ(element_at(*chunk->position), 100 + static_cast<std::int32_t>(4 * n));
    EXPECT_EQ(must(chunk_at(cut, {4 * n + 3}))->position, chunk->position);
  }
  EXPECT_FALSE(must(chunk_by_number(cut, 4)).has_value());
  std::vector<std::int32_t> firsts;
  must(visit_chunks(cut, [&](const ChunkFacts& chunk) {
    firsts.push_back(element_at(*chunk.position));
    return firsts.size() < 3;
  }));
  EXPECT_EQ(firsts, (std::vector<std::int32_t>{100, 104, 108}));
}

TEST_F(Questions, OfAnotherKindOfObjectAreErrors) {
  const OpenObject root(file_, root_of(file_).object, "/");
  EXPECT_FALSE(dataset_extent(root).has_value());
  EXPECT_FALSE(dataset_bytes(root).has_value());
  EXPECT_FALSE(chunk_index_kind(root).has_value());
  EXPECT_FALSE(check_readable(root).ok());
  EXPECT_FALSE(uses_filter(root, 1));
  const OpenObject whole(file_, made_[0].object, "/whole");
  EXPECT_FALSE(must(chunk_index_kind(whole)).has_value());
  EXPECT_FALSE(object_at_address(file_, made_[0].address() + 1).has_value());
}

TEST_F(Questions, SizeOfAFileIsWhatIsAllocated) {
  const std::uint64_t allocated = allocated_end(*file_);
  EXPECT_GT(allocated, kUserBlock + 2 * 16 * 4);
  // Behind that a file which is written has the dead end of a commit.
  disk_->resize(disk_->size() + 5000);
  EXPECT_EQ(must(file_size(*file_)), allocated);
  EXPECT_EQ(must(prepare_image(*file_, {"test", "/"})), allocated);
  must(close_session(file_));
  disk_->resize(disk_->size() + 5000);
  file_ = must(open_session(disk_, OpenMode::kReadOnly));
  EXPECT_EQ(must(file_size(*file_)), disk_->size());
  EXPECT_EQ(must(file_info(file_)).superblock_version, 0U);
}

}  // namespace
}  // namespace pcio
