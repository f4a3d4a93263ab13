// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of the structures of old-style groups. Golden bytes: files written by libhdf5 1.10.8.

#include <gtest/gtest.h>

#include "format/group_btree.hpp"
#include "format/local_heap.hpp"
#include "format/symbol_table_node.hpp"
#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};
constexpr FileSizes kNarrow{4, 4};

constexpr const char* kTree =
    "54 52 45 45 00 00 03 00 ff*8 ff*8 00*8 30 04 00*6 20 00*7 60 54 00*6 70 00*7 de 78 00*6 b8 "
    "00*7";
constexpr const char* kNarrowTree =
    "54 52 45 45 00 01 02 00 ff*8 00*4 28 29 00 00 c8 00 00 00 e4 28 00 00 60 00*35";
constexpr const char* kNode =
    "53 4e 4f 44 01 00 02 00 80 00*7 18 66 00*6 00*24 28 00*7 80 25 00*6 00*24";
constexpr const char* kHeap = "48 45 41 50 00*4 60 01 00*6 c0 00*7 a6 75 00*6";

std::vector<std::byte> padded(const char* golden, std::size_t size) {
  auto bytes = hex(golden);
  bytes.resize(size);
  return bytes;
}

TEST(GroupBtree, DecodesAndEncodesTheSameBytes) {
  const auto golden = padded(kTree, group_btree_node_size(16, kWide));
  EXPECT_EQ(golden.size(), 544U);
  const auto node = decode_group_btree_node(golden, kWide, 16);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->level, 0U);
  EXPECT_EQ(node->left, kUndefinedAddress);
  EXPECT_EQ(node->keys, (std::vector<std::uint64_t>{0, 0x20, 0x70, 0xb8}));
  EXPECT_EQ(node->children, (std::vector<FileAddress>{0x430, 0x5460, 0x78de}));
  ByteWriter out;
  ASSERT_TRUE(encode_group_btree_node(*node, kWide, 16, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(golden));
}

TEST(GroupBtree, DecodesNarrowInternalNode) {
  const auto node = decode_group_btree_node(hex(kNarrowTree), kNarrow, 3);
  ASSERT_TRUE(node);
  EXPECT_EQ(node->level, 1U);
  EXPECT_EQ(node->keys, (std::vector<std::uint64_t>{0, 0xc8, 0x60}));
  ByteWriter out;
  ASSERT_TRUE(encode_group_btree_node(*node, kNarrow, 3, out).ok());
  EXPECT_EQ(out.size(), group_btree_node_size(3, kNarrow));
  EXPECT_EQ(to_hex(out.view()), to_hex(ConstBytes(hex(kNarrowTree)).first(out.size())));
}

TEST(GroupBtree, RefusesTooManyChildrenAndWrongType) {
  auto bytes = padded(kTree, 544);
  EXPECT_FALSE(decode_group_btree_node(bytes, kWide, 1));
  bytes[4] = std::byte{1};
  EXPECT_EQ(decode_group_btree_node(bytes, kWide, 16).error().message(),
            "B-tree node is of type 1 instead of 0");
  GroupBtreeNode node;
  ByteWriter out;
  EXPECT_FALSE(encode_group_btree_node(node, kWide, 16, out).ok());  // no key at all
}

TEST(GroupBtree, SurvivesDamage) {
  test::survive_damage(padded(kTree, 544),
                       [](ConstBytes b) { (void)decode_group_btree_node(b, kWide, 16); });
}

TEST(SymbolTableNode, DecodesAndEncodesTheSameBytes) {
  const auto golden = padded(kNode, symbol_table_node_size(4, kWide));
  EXPECT_EQ(golden.size(), 328U);
  const auto node = decode_symbol_table_node(golden, kWide, 4);
  ASSERT_TRUE(node);
  ASSERT_EQ(node->entries.size(), 2U);
  EXPECT_EQ(node->entries[0].name_offset, 0x80U);
  EXPECT_EQ(node->entries[0].header_address, 0x6618U);
  EXPECT_EQ(node->entries[1].name_offset, 0x28U);
  ByteWriter out;
  ASSERT_TRUE(encode_symbol_table_node(*node, kWide, 4, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(golden));
}

TEST(SymbolTableNode, RoundTripsAllCacheTypes) {
  for (const FileSizes sizes : {FileSizes{2, 2}, FileSizes{4, 8}, FileSizes{8, 4}}) {
    SymbolTableNode node;
    node.entries.resize(3);
    node.entries[0].name_offset = 8;
    node.entries[0].cache = SymbolCache::kSoftLink;
    node.entries[0].link_offset = 24;
    node.entries[1].header_address = 800;
    node.entries[1].cache = SymbolCache::kGroup;
    node.entries[1].btree_address = 1;
    node.entries[1].heap_address = 2;
    node.entries[2].header_address = 900;
    ByteWriter out;
    ASSERT_TRUE(encode_symbol_table_node(node, sizes, 2, out).ok());
    EXPECT_EQ(out.size(), symbol_table_node_size(2, sizes));
    EXPECT_EQ(decode_symbol_table_node(out.view(), sizes, 2).value(), node);
    EXPECT_FALSE(encode_symbol_table_node(node, sizes, 1, out).ok());
  }
}

TEST(SymbolTableNode, SurvivesDamage) {
  test::survive_damage(padded(kNode, 328),
                       [](ConstBytes b) { (void)decode_symbol_table_node(b, kWide, 4); });
}

TEST(LocalHeap, HeaderRoundTrips) {
  const auto header = decode_local_heap_header(hex(kHeap), kWide);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->segment_size, 352U);
  EXPECT_EQ(header->first_free, 192U);
  EXPECT_EQ(header->segment_address, 0x75a6U);
  ByteWriter out;
  ASSERT_TRUE(encode_local_heap_header(*header, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kHeap)));
  EXPECT_EQ(out.size(), local_heap_header_size(kWide));
  test::survive_damage(hex(kHeap), [](ConstBytes b) { (void)decode_local_heap_header(b, kWide); });
}

// The segment of a group with "contig", "compact", "fixed", then one free block.
constexpr const char* kSegment =
    "00*8 63 6f 6e 74 69 67 00 00 63 6f 6d 70 61 63 74 00 66 69 78 65 64 00 00 00 01 00*7 38 00*7 "
    "00*40";

TEST(LocalHeap, BuildsTheBytesOfLibhdf5) {
  LocalHeapSegment heap(88, kWide);
  EXPECT_EQ(heap.insert("contig"), 8U);
  EXPECT_EQ(heap.insert("compact"), 16U);
  EXPECT_EQ(heap.insert("fixed"), 24U);
  EXPECT_EQ(heap.first_free(), 32U);
  EXPECT_EQ(to_hex(heap.encode()), to_hex(hex(kSegment)));
  const auto again = LocalHeapSegment::decode(hex(kSegment), 32, kWide);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->name(16).value(), "compact");
  EXPECT_EQ(again->name(0).value(), "");
  EXPECT_FALSE(again->name(88));
}

TEST(LocalHeap, RejectsCyclesAndOverlaps) {
  auto bytes = hex(kSegment);
  bytes[32] = std::byte{32};  // a block that is its own successor
  EXPECT_FALSE(LocalHeapSegment::decode(bytes, 32, kWide));
  bytes = hex(kSegment);
  bytes[32] = std::byte{40};
  bytes[40] = std::byte{16};
  bytes[48] = std::byte{8};
  EXPECT_FALSE(LocalHeapSegment::decode(bytes, 32, kWide));
  EXPECT_FALSE(LocalHeapSegment::decode(hex(kSegment), 88, kWide));
  test::survive_damage(hex(kSegment), [](ConstBytes b) {
    auto heap = LocalHeapSegment::decode(b, 32, kWide);
    if (!heap) return;
    (void)heap->insert("a name of some length");
    (void)heap->remove(16);
    (void)heap->encode();
  });
}

TEST(LocalHeap, KeepsNamesThroughInsertAndRemove) {
  // Against a plain map: names stay what they were, blocks never overlap, decode(encode) is equal.
  std::mt19937 random(5);
  for (const FileSizes sizes : {kWide, kNarrow, FileSizes{2, 2}}) {
    LocalHeapSegment heap(8, sizes);
    std::vector<std::pair<std::uint64_t, std::string>> model;
    for (int step = 0; step < 400; ++step) {
      if (model.empty() || random() % 3 != 0) {
        std::string name(1 + random() % 30, static_cast<char>('a' + random() % 26));
        auto at = heap.insert(name);
        if (!at) {
          heap.grow(heap.size() + LocalHeapSegment::space_for(name));
          at = heap.insert(name);
        }
        ASSERT_TRUE(at);
        EXPECT_EQ(*at % 8, 0U);
        model.emplace_back(*at, name);
      } else {
        const std::size_t i = random() % model.size();
        ASSERT_TRUE(heap.remove(model[i].first).ok());
        model.erase(model.begin() + static_cast<std::ptrdiff_t>(i));
      }
      const auto bytes = heap.encode();
      const auto again = LocalHeapSegment::decode(bytes, heap.first_free(), sizes);
      ASSERT_TRUE(again);
      for (const auto& [at, name] : model) {
        EXPECT_EQ(heap.name(at).value(), name);
        EXPECT_EQ(again->name(at).value(), name);
      }
    }
  }
}

}  // namespace
}  // namespace pcio
