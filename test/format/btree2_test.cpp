// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of version 2 B-trees and their records. Golden bytes: files written by libhdf5 1.10.8.

#include "format/btree2.hpp"

#include <gtest/gtest.h>

#include "format/btree2_records.hpp"
#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};

// A tree of four chunks.
constexpr const char* kTreeHeader =
    "42 54 48 44 00 0a 00 08 00 00 18 00*3 64 28 42 11 00*6 04 00 04 00*7 dd cd fc 8a";
constexpr const char* kLeaf =
    "42 54 4c 46 00 0a 20 09 00*22 38 09 00*14 01 00*7 50 09 00*6 01 00*15 68 09 00*6 01 "
    "00*7 01 00*7 fa b2 6d bb";
// 1999 names of links in a tree of three levels, and its root.
constexpr const char* kDeepHeader =
    "42 54 48 44 00 05 00 02 00 00 0b 00 02 00 64 28 f2 a9 29 00*5 01 00 cf 07 00*6 0c 09 29 "
    "87";
constexpr const char* kDeepRoot =
    "42 54 49 4e 00 05 c3 ab 7b 7e 00 15 79 00 00 30 00 f2 77 29 00*5 18 ca 03 f2 ab 29 00*5 "
    "17 04 04 32 67 6f 51";

TEST(Btree2, DecodesAndEncodesTheSameBytes) {
  const auto header = decode_btree2_header(hex(kTreeHeader), kWide);
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->type, kBtree2Chunk);
  EXPECT_EQ(header->root.count, 4U);
  ByteWriter out;
  ASSERT_TRUE(encode_btree2_header(*header, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kTreeHeader)));
  EXPECT_EQ(out.size(), btree2_header_size(kWide));

  const auto leaf = decode_btree2_node(hex(kLeaf), *header, 0, 4, kWide);
  ASSERT_TRUE(leaf) << leaf.error().message();
  ByteReader reader(leaf->records);
  const auto format = ChunkElementFormat::unfiltered(kWide);
  for (unsigned i = 0; i < 4; ++i) {
    const ChunkRecord record = decode_chunk_record(reader, format, 2);
    EXPECT_EQ(record.chunk.address, 0x920U + 24 * i);
    EXPECT_EQ(record.coords, (Dims{i / 2, i % 2}));
  }
  ByteWriter node;
  ASSERT_TRUE(encode_btree2_node(*leaf, *header, 0, kWide, node).ok());
  EXPECT_EQ(node.size(), 2048U);
  EXPECT_EQ(to_hex(node.view().first(hex(kLeaf).size())), to_hex(hex(kLeaf)));
}

TEST(Btree2, DecodesInternalNodes) {
  const auto header = decode_btree2_header(hex(kDeepHeader), kWide);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->depth, 2U);
  EXPECT_EQ(header->root.total, 1999U);
  const auto root = decode_btree2_node(hex(kDeepRoot), *header, 2, 1, kWide);
  ASSERT_TRUE(root) << root.error().message();
  ASSERT_EQ(root->children.size(), 2U);
  EXPECT_EQ(root->children[0], (Btree2Pointer{0x2977f2, 24, 970}));
  EXPECT_EQ(root->children[0].total + root->children[1].total + 1, header->root.total);
  ByteReader reader(root->records);
  EXPECT_EQ(decode_link_record(reader, kBtree2LinkName).hash, 0x7e7babc3U);
  ByteWriter node;
  ASSERT_TRUE(encode_btree2_node(*root, *header, 2, kWide, node).ok());
  EXPECT_EQ(to_hex(node.view().first(hex(kDeepRoot).size())), to_hex(hex(kDeepRoot)));
}

TEST(Btree2, RefusesWrongCountsAndTypes) {
  auto header = decode_btree2_header(hex(kTreeHeader), kWide).value();
  EXPECT_FALSE(decode_btree2_node(hex(kLeaf), header, 0, 5, kWide));
  EXPECT_FALSE(decode_btree2_node(hex(kLeaf), header, 0, 100000, kWide));
  EXPECT_FALSE(decode_btree2_node(hex(kLeaf), header, 1, 4, kWide));
  header.type = kBtree2ChunkFiltered;
  EXPECT_FALSE(decode_btree2_node(hex(kLeaf), header, 0, 4, kWide));
  Btree2Header tiny;
  tiny.node_size = 30;
  tiny.record_size = 24;
  EXPECT_FALSE(Btree2Geometry(tiny, kWide).valid());
  tiny.record_size = 0;
  EXPECT_FALSE(Btree2Geometry(tiny, kWide).valid());
}

TEST(Btree2, NodesOfAllDepthsRoundTrip) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    const FileSizes sizes = {2U << random() % 3, 2U << random() % 3};
    Btree2Header header;
    header.type = kBtree2LinkName;
    header.record_size = 11;
    header.node_size = static_cast<std::uint32_t>(100 + random() % 2000);
    header.depth = static_cast<std::uint16_t>(random() % 5);
    const Btree2Geometry geometry(header, sizes);
    ASSERT_TRUE(geometry.valid());
    const auto depth = static_cast<unsigned>(random() % (header.depth + 1U));
    const std::uint64_t count = random() % (geometry.max_records(depth) + 1);
    Btree2Node node;
    node.records.resize(static_cast<std::size_t>(count) * 11, std::byte{0x5A});
    for (std::uint64_t i = 0; depth > 0 && i <= count; ++i) {
      Btree2Pointer child;
      child.address = random() % 60000;
      child.count = random() % (geometry.max_records(depth - 1) + 1);
      child.total = depth > 1 ? child.count + random() % 3 : child.count;
      node.children.push_back(child);
    }
    ByteWriter out;
    ASSERT_TRUE(encode_btree2_node(node, header, depth, sizes, out).ok());
    EXPECT_EQ(out.size(), header.node_size);
    EXPECT_EQ(decode_btree2_node(out.view(), header, depth, count, sizes).value(), node);
  }
}

TEST(Btree2Records, RoundTripAndHaveTheirSizes) {
  for (unsigned type = kBtree2HugeIndirect; type <= kBtree2HugeDirectFiltered; ++type) {
    HugeObjectRecord record;
    record.address = 100;
    record.size = 200;
    if (type == 2 || type == 4) record.filter_mask = 3, record.memory_size = 300;
    if (type <= 2) record.id = 7;
    ByteWriter out;
    FieldWriter fields(out, kWide);
    encode_huge_object_record(record, type, fields);
    EXPECT_EQ(out.size(), btree2_record_size(type, kWide));
    ByteReader reader(out.view());
    EXPECT_EQ(decode_huge_object_record(reader, type, kWide), record);
  }
  for (unsigned type : {kBtree2LinkName, kBtree2LinkOrder}) {
    LinkRecord record;
    (type == kBtree2LinkName ? record.hash = 77 : record.creation_order = 5);
    record.heap_id[6] = std::byte{9};
    ByteWriter out;
    FieldWriter fields(out);
    encode_link_record(record, type, fields);
    EXPECT_EQ(out.size(), btree2_record_size(type, kWide));
    ByteReader reader(out.view());
    EXPECT_EQ(decode_link_record(reader, type), record);
  }
  for (unsigned type : {kBtree2AttributeName, kBtree2AttributeOrder}) {
    AttributeRecord record;
    record.message_flags = 2;
    record.creation_order = 4;
    if (type == kBtree2AttributeName) record.hash = 99;
    ByteWriter out;
    FieldWriter fields(out);
    encode_attribute_record(record, type, fields);
    EXPECT_EQ(out.size(), btree2_record_size(type, kWide));
    ByteReader reader(out.view());
    EXPECT_EQ(decode_attribute_record(reader, type), record);
  }
  const auto format = ChunkElementFormat::filtered(kWide, 4);
  ChunkRecord record{{64, 5, 1}, Dims{3, 4, 5}};
  ByteWriter out;
  FieldWriter fields(out, kWide);
  encode_chunk_record(record, format, fields);
  EXPECT_EQ(out.size(), chunk_record_size(format, 3));
  ByteReader reader(out.view());
  EXPECT_EQ(decode_chunk_record(reader, format, 3), record);
}

TEST(Btree2, SurvivesDamage) {
  auto resum = [](ConstBytes damaged) {
    ByteWriter out;
    out.bytes(damaged.first(damaged.size() < 4 ? 0 : damaged.size() - 4));
    append_checksum(out);
    return std::move(out).take();
  };
  const auto deep = decode_btree2_header(hex(kDeepHeader), kWide).value();
  test::survive_damage(hex(kDeepHeader), [&](ConstBytes b) {
    const auto bytes = resum(b);
    const auto header = decode_btree2_header(bytes, kWide);
    if (header) (void)decode_btree2_node(hex(kDeepRoot), *header, header->depth, 1, kWide);
  });
  test::survive_damage(hex(kDeepRoot), [&](ConstBytes b) {
    const auto bytes = resum(b);
    for (unsigned depth = 0; depth <= 2; ++depth)
      (void)decode_btree2_node(bytes, deep, depth, 1, kWide);
  });
}

}  // namespace
}  // namespace pcio
