// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of chunk B-tree nodes. Golden bytes: files written by libhdf5 1.10.8.

#include "format/chunk_btree.hpp"

#include <gtest/gtest.h>

#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};
// A dataset of 4 x 6 four-byte elements in chunks of 2 x 3.
constexpr const char* kNode =
    "54 52 45 45 01 00 04 00 ff*8 ff*8 "
    "18 00*7 00*8 00*8 00*8 60 08 00*6 "
    "18 00*7 00*8 03 00*7 00*8 78 08 00*6 "
    "18 00*7 02 00*7 00*8 00*8 90 08 00*6 "
    "18 00*7 02 00*7 03 00*7 00*8 a8 08 00*6 "
    "00*8 02 00*7 03 00*7 04 00*7";

std::vector<std::byte> golden() {
  auto bytes = hex(kNode);
  bytes.resize(chunk_btree_node_size(32, 2, kWide));
  return bytes;
}

TEST(ChunkBtree, DecodesAndEncodesTheSameBytes) {
  EXPECT_EQ(golden().size(), 24U + 64 * 40 + 32);
  const auto node = decode_chunk_btree_node(golden(), kWide, 32, 2);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->children, (std::vector<FileAddress>{0x860, 0x878, 0x890, 0x8a8}));
  EXPECT_EQ(node->bytes, (std::vector<std::uint32_t>{24, 24, 24, 24, 0}));
  EXPECT_EQ(node->offset(3)[0], 2U);
  EXPECT_EQ(node->offset(3)[1], 3U);
  EXPECT_EQ(node->offset(4)[2], 4U);
  ByteWriter out;
  ASSERT_TRUE(encode_chunk_btree_node(*node, kWide, 32, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(golden()));
}

TEST(ChunkBtree, IsBuiltKeyByKey) {
  ChunkBtreeNode node;
  node.ndims = 2;
  const std::uint64_t corners[4][2] = {{0, 0}, {0, 3}, {2, 0}, {2, 3}};
  for (unsigned i = 0; i < 4; ++i) {
    node.add_key(24, 0, corners[i]);
    node.children.push_back(0x860 + 24 * i);
  }
  const std::uint64_t last[3] = {2, 3, 4};
  node.add_key(0, 0, last);
  ByteWriter out;
  ASSERT_TRUE(encode_chunk_btree_node(node, kWide, 32, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(golden()));
}

TEST(ChunkBtree, RefusesWrongCounts) {
  EXPECT_FALSE(decode_chunk_btree_node(golden(), kWide, 1, 2));
  EXPECT_FALSE(decode_chunk_btree_node(golden(), kWide, 32, 33));
  EXPECT_FALSE(decode_chunk_btree_node(ConstBytes(golden()).first(200), kWide, 32, 2));
  ChunkBtreeNode node;
  ByteWriter out;
  EXPECT_FALSE(encode_chunk_btree_node(node, kWide, 32, out).ok());
}

TEST(ChunkBtree, SurvivesDamage) {
  test::survive_damage(golden(), [](ConstBytes b) {
    for (unsigned ndims : {0U, 2U, 32U}) (void)decode_chunk_btree_node(b, kWide, 32, ndims);
  });
}

}  // namespace
}  // namespace pcio
