// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room driver: locks on ranges, seen through a second opening as another process sees them.

#include "driver/range_locks.hpp"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temp_path.hpp"

namespace pcio {
namespace {

/// What would keep a lock of `kind` on `range` away: F_UNLCK where nothing does.
short in_the_way(const test::TempPath& path, ByteRange range, short kind) {
  const int fd = ::open(path.str().c_str(), O_RDWR);
  struct flock found {};
  found.l_type = kind;
  found.l_whence = SEEK_SET;
  found.l_start = static_cast<off_t>(kLockable + range.offset);
  found.l_len = static_cast<off_t>(range.size);
  EXPECT_EQ(::fcntl(fd, F_OFD_GETLK, &found), 0);
  ::close(fd);
  return found.l_type;
}

class RangeLocksTest : public ::testing::Test {
 protected:
  RangeLocksTest() { std::ofstream(path_.str()) << "x"; }
  test::TempPath path_{"ranges"};
};

TEST_F(RangeLocksTest, WritersAreAloneInTheirRange) {
  Result<RangeLocks> locks = RangeLocks::open(path_.str(), OpenMode::kReadWrite);
  ASSERT_TRUE(locks.has_value());
  ASSERT_TRUE(locks->lock({100, 50}, Direction::kWrite).ok());
  EXPECT_EQ(in_the_way(path_, {149, 1}, F_RDLCK), F_WRLCK);
  EXPECT_EQ(in_the_way(path_, {0, 101}, F_WRLCK), F_WRLCK);
  EXPECT_EQ(in_the_way(path_, {150, 10}, F_WRLCK), F_UNLCK);
  EXPECT_EQ(in_the_way(path_, {0, 100}, F_WRLCK), F_UNLCK);
  locks->unlock();
  EXPECT_EQ(in_the_way(path_, {100, 50}, F_WRLCK), F_UNLCK);
}

TEST_F(RangeLocksTest, ReadersAreBesideEachOther) {
  Result<RangeLocks> locks = RangeLocks::open(path_.str(), OpenMode::kReadOnly);
  ASSERT_TRUE(locks.has_value());
  ASSERT_TRUE(locks->lock({7, 1}, Direction::kRead).ok());
  EXPECT_EQ(in_the_way(path_, {7, 1}, F_RDLCK), F_UNLCK);
  EXPECT_EQ(in_the_way(path_, {7, 1}, F_WRLCK), F_RDLCK);
  // A descriptor for reading can't be alone.
  locks->unlock();
  EXPECT_FALSE(locks->lock({7, 1}, Direction::kWrite).ok());
}

TEST_F(RangeLocksTest, AnyRangeCanBeLocked) {
  Result<RangeLocks> locks = RangeLocks::open(path_.str(), OpenMode::kReadWrite);
  ASSERT_TRUE(locks.has_value());
  constexpr std::uint64_t kMost = ~std::uint64_t{0};
  for (const ByteRange range : {ByteRange{0, 0}, ByteRange{0, kMost}, ByteRange{kMost, kMost},
                                ByteRange{kLockable - 1, 1}, ByteRange{kLockable - 5, 1}}) {
    EXPECT_TRUE(locks->lock(range, Direction::kWrite).ok()) << range.offset;
    locks->unlock();
  }
  EXPECT_EQ(in_the_way(path_, {0, 1000}, F_WRLCK), F_UNLCK);
  EXPECT_FALSE(RangeLocks::open("/dev/null/none", OpenMode::kReadOnly).has_value());
}

}  // namespace
}  // namespace pcio
