// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of the superblock. Golden bytes: files written by libhdf5 1.10.8.

#include "format/superblock.hpp"

#include <gtest/gtest.h>

#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr const char* kVersion0 =
    "89 48 44 46 0d 0a 1a 0a 00 00 00 00 00 08 08 00 04 00 10 00 00 00 00 00 00 00 00 00 00 00 00 "
    "00 ff*8 96 96 00 00 00 00 00 00 ff*8 00*8 60 00*7 01 00*7 88 00*7 a8 02 00*6";
constexpr const char* kVersion1 =
    "89 48 44 46 0d 0a 1a 0a 01 00 00 00 00 04 04 00 05 00 03 00 00 00 00 00 07 00 00 00 00 02 00 "
    "00 ff*4 c4 4b 00 00 ff*4 00*4 4c 00 00 00 01 00*7 74 00 00 00 b8 00 00 00 00*8";
constexpr const char* kVersion2 =
    "89 48 44 46 0d 0a 1a 0a 02 08 08 00 00*8 ff*8 02 8c 00*6 30 00*7 c1 e9 4e 06";
constexpr const char* kVersion2Narrow =
    "89 48 44 46 0d 0a 1a 0a 02 04 04 00 00 02 00 00 20 00 00 00 5f 05 00 00 51 00 00 00 c1 e0 6d "
    "db";
constexpr const char* kVersion3 =
    "89 48 44 46 0d 0a 1a 0a 03 08 08 00 00*8 ff*8 99 50 00*6 30 00*7 47 de 8b 8b";

TEST(Superblock, DecodesVersion0) {
  const auto block = decode_superblock(hex(kVersion0));
  ASSERT_TRUE(block);
  EXPECT_EQ(block->version, 0U);
  EXPECT_EQ(block->sizes, FileSizes{});
  EXPECT_EQ(block->group_leaf_k, 4U);
  EXPECT_EQ(block->group_internal_k, 16U);
  EXPECT_EQ(block->indexed_storage_internal_k, 32U);
  EXPECT_EQ(block->base_address, 0U);
  EXPECT_EQ(block->end_of_file, 0x9696U);
  EXPECT_EQ(block->driver_info_address, kUndefinedAddress);
  EXPECT_EQ(block->root.cache, SymbolCache::kGroup);
  EXPECT_EQ(block->root.btree_address, 0x88U);
  EXPECT_EQ(block->root.heap_address, 0x2a8U);
  EXPECT_EQ(block->root_header, 0x60U);
}

TEST(Superblock, DecodesVersion1WithNarrowSizesAndUserBlock) {
  const auto block = decode_superblock(hex(kVersion1));
  ASSERT_TRUE(block);
  EXPECT_EQ(block->sizes, (FileSizes{4, 4}));
  EXPECT_EQ(block->group_leaf_k, 5U);
  EXPECT_EQ(block->group_internal_k, 3U);
  EXPECT_EQ(block->indexed_storage_internal_k, 7U);
  EXPECT_EQ(block->base_address, 0x200U);
  EXPECT_EQ(block->end_of_file, 0x4bc4U);
  EXPECT_EQ(block->free_space_address, kUndefinedAddress);
  EXPECT_EQ(block->root_header, 0x4cU);
}

TEST(Superblock, DecodesVersions2And3) {
  const auto two = decode_superblock(hex(kVersion2Narrow));
  ASSERT_TRUE(two);
  EXPECT_EQ(two->base_address, 0x200U);
  EXPECT_EQ(two->extension_address, 0x20U);
  EXPECT_EQ(two->end_of_file, 0x55fU);
  EXPECT_EQ(two->root_header, 0x51U);
  const auto three = decode_superblock(hex(kVersion3));
  ASSERT_TRUE(three);
  EXPECT_EQ(three->version, 3U);
  EXPECT_EQ(three->extension_address, kUndefinedAddress);
}

TEST(Superblock, EncodesTheSameBytes) {
  for (const char* golden : {kVersion0, kVersion1, kVersion2, kVersion2Narrow, kVersion3}) {
    const auto block = decode_superblock(hex(golden));
    ASSERT_TRUE(block);
    ByteWriter out;
    out.u8(7);  // the checksum must begin at the superblock, not at the buffer
    ASSERT_TRUE(encode_superblock(*block, out).ok());
    EXPECT_EQ(to_hex(out.view().subspan(1)), to_hex(hex(golden)));
    EXPECT_EQ(out.size() - 1, superblock_size(block->version, block->sizes));
  }
}

TEST(Superblock, RefusesByName) {
  auto bytes = hex(kVersion2);
  bytes[40] = std::byte{0x31};
  EXPECT_EQ(decode_superblock(bytes).error().message(), "wrong checksum of the superblock");
  bytes = hex(kVersion2);
  bytes[8] = std::byte{4};
  EXPECT_EQ(decode_superblock(bytes).error().message(),
            "version 4 of the superblock is not supported");
  bytes = hex(kVersion0);
  bytes[13] = std::byte{16};
  EXPECT_NE(decode_superblock(bytes).error().message().find("128-bit"), std::string::npos);
  bytes[13] = std::byte{3};
  EXPECT_FALSE(decode_superblock(bytes));
  bytes = hex(kVersion0);
  bytes[16] = std::byte{0};
  EXPECT_FALSE(decode_superblock(bytes));
  EXPECT_EQ(decode_superblock({}).error().frames()[0].minor, Minor::NOTHDF5);
}

TEST(Superblock, RefusesToWriteWhatDoesNotFit) {
  Superblock block;
  block.version = 2;
  block.sizes = {4, 4};
  block.root_header = 48;
  block.end_of_file = std::uint64_t{1} << 32;
  ByteWriter out;
  EXPECT_FALSE(encode_superblock(block, out).ok());
  block.end_of_file = 0xFFFFFFFE;
  EXPECT_TRUE(encode_superblock(block, out).ok());
  block.end_of_file = 0xFFFFFFFF;  // that would say "undefined"
  EXPECT_FALSE(encode_superblock(block, out).ok());
}

TEST(Superblock, SearchPositionsDouble) {
  EXPECT_EQ(superblock_position(0, 1), 0U);
  EXPECT_EQ(superblock_position(1, 513), 512U);
  EXPECT_EQ(superblock_position(2, 5000), 1024U);
  EXPECT_EQ(superblock_position(3, 5000), 2048U);
  EXPECT_EQ(superblock_position(3, 2048), std::nullopt);
  EXPECT_EQ(superblock_position(0, 0), std::nullopt);
  EXPECT_EQ(superblock_position(200, ~std::uint64_t{0}), std::nullopt);
}

TEST(Superblock, SurvivesDamage) {
  for (const char* golden : {kVersion0, kVersion1, kVersion2, kVersion3})
    test::survive_damage(hex(golden), [](ConstBytes b) { (void)decode_superblock(b); });
}

TEST(DriverInfoBlock, DecodesAndMeasures) {
  const auto bytes = hex("00 00 00 00 03 00 00 00 4e 43 53 41 66 61 6d 69 01 02 03");
  EXPECT_EQ(driver_info_block_size(bytes).value(), 19U);
  const auto block = decode_driver_info_block(bytes);
  ASSERT_TRUE(block);
  EXPECT_EQ(block->driver, "NCSAfami");
  EXPECT_EQ(block->info.size(), 3U);
  test::survive_damage(bytes, [](ConstBytes b) { (void)decode_driver_info_block(b); });
}

}  // namespace
}  // namespace pcio
