// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the file system says of stripes: attributes as Lustre writes them, and such as nobody should.

#include "driver/file_stripes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "support/temp_path.hpp"

namespace pcio {
namespace {

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// A layout with `objects` objects behind it.
std::vector<std::byte> layout(std::uint32_t magic, std::uint32_t stripe, std::uint16_t objects) {
  std::vector<std::byte> bytes;
  put(bytes, 0, magic);
  put<std::uint32_t>(bytes, 4, 1);
  put(bytes, 24, stripe);
  put(bytes, 28, objects);
  bytes.resize((magic == 0x0bd30bd0 ? 48U : 32U) + objects * 24U);
  return bytes;
}

std::vector<std::byte> composite(const std::vector<std::vector<std::byte>>& parts) {
  std::vector<std::byte> bytes;
  put<std::uint32_t>(bytes, 0, 0x0bd60bd0);
  put(bytes, 14, static_cast<std::uint16_t>(parts.size()));
  bytes.resize(32 + parts.size() * 48);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    put(bytes, 32 + i * 48 + 24, static_cast<std::uint32_t>(bytes.size()));
    put(bytes, 32 + i * 48 + 28, static_cast<std::uint32_t>(parts[i].size()));
    bytes.insert(bytes.end(), parts[i].begin(), parts[i].end());
  }
  return bytes;
}

TEST(LustreStripe, IsReadFromEachKindOfLayout) {
  EXPECT_EQ(lustre_stripe(layout(0x0bd10bd0, 1U << 20, 4)), 1U << 20);
  EXPECT_EQ(lustre_stripe(layout(0x0bd30bd0, 4U << 20, 160)), 4U << 20);
  EXPECT_EQ(
      lustre_stripe(composite({layout(0x0bd10bd0, 1U << 20, 1), layout(0x0bd30bd0, 4U << 20, 8),
                               layout(0x0bd10bd0, 2U << 20, 2)})),
      4U << 20);
}

TEST(LustreStripe, ForeignBytesSayNothing) {
  EXPECT_EQ(lustre_stripe({}), 0U);
  EXPECT_EQ(lustre_stripe(layout(0x0bd20bd0, 1U << 20, 4)), 0U);
  const std::vector<std::byte> whole = composite({layout(0x0bd10bd0, 1U << 20, 1)});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::uint64_t stripe = lustre_stripe(ConstBytes(whole.data(), size));
    EXPECT_TRUE(stripe == 0 || stripe == 1U << 20) << size;
  }
  std::mt19937_64 random(3);
  for (int turn = 0; turn < 20'000; ++turn) {
    std::vector<std::byte> bytes = whole;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    static_cast<void>(lustre_stripe(bytes));
  }
}

TEST(UsableLockUnit, IsAMultipleOfAPageThatBuffersHold) {
  EXPECT_EQ(usable_lock_unit(0), 1U);
  EXPECT_EQ(usable_lock_unit(4095), 1U);
  EXPECT_EQ(usable_lock_unit(4096), 4096U);
  EXPECT_EQ(usable_lock_unit(65536 + 512), 1U);
  EXPECT_EQ(usable_lock_unit(3U << 20), 3U << 20);
  EXPECT_EQ(usable_lock_unit(64U << 20), 16U << 20);
  EXPECT_EQ(usable_lock_unit(~std::uint64_t{0}), 1U);
}

TEST(FittingLockUnit, IsAWholePartOfAStripeThatMemoryHolds) {
  constexpr std::uint64_t kPage = kLeastLockUnit;
  EXPECT_EQ(fitting_lock_unit(1, 1U << 20), 1U);
  EXPECT_EQ(fitting_lock_unit(1U << 20, 16U << 20), 1U << 20);
  EXPECT_EQ(fitting_lock_unit(16U << 20, 16U << 20), 2U << 20);
  EXPECT_EQ(fitting_lock_unit(64 * kPage, 0), kPage);
  // Half of an odd number of pages is none.
  EXPECT_EQ(fitting_lock_unit(std::uint64_t{65} << 16, 256U << 10), 1U);
  for (std::uint64_t pages = 1; pages < 600; ++pages)
    for (const std::uint64_t memory : {std::uint64_t{0}, kPage, 64 * kPage, 600 * kPage}) {
      const std::uint64_t unit = fitting_lock_unit(pages * kPage, memory);
      if (unit == 1) continue;
      EXPECT_EQ(unit % kPage, 0U) << pages;
      EXPECT_EQ(pages * kPage % unit, 0U) << pages;
      EXPECT_LE(unit, std::max(memory / 16 * 3, kPage)) << pages;
    }
}

TEST(FindLockUnit, TakesTheHintWhereTheFileSystemSaysNothing) {
  const test::TempPath path("stripes");
  EXPECT_EQ(find_lock_unit(path.str(), 0, {}, {}), 1U);
  EXPECT_EQ(find_lock_unit(path.str(), 0, {}, "65536"), 65536U);
  EXPECT_EQ(find_lock_unit(path.str(), 0, "1048576", "65536"), 1048576U);
  for (const char* text : {"-1", "", "64k", "99999999999999999999999", "4095"})
    EXPECT_EQ(find_lock_unit(path.str(), 0, {}, text), 1U) << text;
}

TEST(FileStripes, HintsOfWriters) {
  EXPECT_EQ(hinted_writers({}, {}, 4), 0U);
  EXPECT_EQ(hinted_writers("3", {}, 4), 3U);
  EXPECT_EQ(hinted_writers({}, "*:2", 4), 8U);
  EXPECT_EQ(hinted_writers("3", "*:2", 4), 3U);
  EXPECT_EQ(hinted_writers("30", "*:2", 4), 8U);
  for (const char* text : {"", "0", "-1", "x", "3x", "99999999999999999999"})
    EXPECT_EQ(hinted_writers(text, {}, 4), 0U) << text;
  for (const char* text : {"", "*", "*:", "*:*", "node1:2,*:1", "*:0", "*:x"})
    EXPECT_EQ(hinted_writers("5", text, 4), 5U) << text;
  EXPECT_EQ(hinted_writers("18446744073709551615", "*:4611686018427387904", 1U << 30),
            std::uint64_t{1} << 31);
}

}  // namespace
}  // namespace pcio
