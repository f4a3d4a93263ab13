// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: symbol tables written and read again, and damaged ones refused.

#include "storage/objects/symbol_table.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "format/group_btree.hpp"
#include "format/local_heap.hpp"
#include "format/symbol_table_node.hpp"
#include "support/disk_driver.hpp"
#include "support/pick.hpp"

namespace pcio {
namespace {

using namespace test;

std::string random_name() {
  auto length = *rc::gen::element(1, 3, 7, 8, 9, 40, 300);
  std::string name;
  for (int i = 0; i < length; ++i) name += test::pick('!', '~');
  return name;
}

LinkTable random_table(int most) {
  LinkTable table;
  int n = test::pick(0, most);
  for (int i = 0; i < n; ++i) {
    LinkMessage link;
    link.name = test::pick(0, 4) == 0 ? random_name() : "name" + std::to_string(i);
    if (test::pick(0, 4) == 0) {
      link.type = kLinkSoft;
      link.target = std::string_view("/" + random_name());
    } else {
      link.address = test::pick<std::uint64_t>(1, 1U << 30);
    }
    if (table.links.contains(link.name)) table.links.erase(table.links.find(link.name));
    table.links.insert(link);
  }
  return table;
}

/// Writes `table` at `address`; the plan says how long it is.
SymbolTablePlace write_table(LooseFile& file, const LinkTable& table, const SymbolTableShape& shape,
                             FileAddress address) {
  SymbolTablePlan plan(table, shape);
  ByteWriter out;
  Status encoded = plan.encode(table, address, out);
  EXPECT_TRUE(encoded.ok()) << encoded.message();
  EXPECT_EQ(out.size(), plan.total_bytes());
  file.resize(address + plan.total_bytes());
  EXPECT_TRUE(file.bytes.write(address, out.view()).ok());
  return plan.place_at(address);
}

std::uint64_t sum(const std::vector<ByteRange>& ranges) {
  std::uint64_t total = 0;
  for (const ByteRange& range : ranges) total += range.size;
  return total;
}

TEST(SymbolTable, ReadsWhatWasWritten) {
  EXPECT_TRUE(rc::check([] {
    SymbolTableShape shape{{8, 8}, *rc::gen::element(1U, 4U, 32U), *rc::gen::element(1U, 2U, 16U)};
    shape.sizes = *rc::gen::element(FileSizes{8, 8}, FileSizes{4, 4}, FileSizes{8, 4},
                                    FileSizes{4, 8}, FileSizes{4, 2});
    const bool narrow = shape.sizes.length_size < 4;
    LinkTable table = random_table(narrow ? 3 : *rc::gen::element(3, 40, 2000));
    LooseFile file;
    auto address = *rc::gen::element<std::uint64_t>(0, 800, 12345);
    SymbolTablePlace place = write_table(file, table, shape, address);
    SymbolTablePlace found{place.btree, place.heap, {}};
    auto read = read_symbol_table(file.bytes, shape, &found);
    RC_ASSERT(read.has_value());
    RC_ASSERT(read->links == table.links);
    // Who reads a table knows of the same bytes as who wrote it, padding included: else ranks that
    // kept it and ranks that read it again would give back different ones.
    RC_ASSERT(sum(found.owned) == sum(place.owned));
  }));
}

/// A reader that looks names up goes by the keys: child i holds the names behind key i, up to and
/// with key i + 1. Source: HDF5 File Format Specification III.A.1.
TEST(SymbolTable, KeysBoundTheNamesBelow) {
  SymbolTableShape shape{{8, 8}, 1, 2};
  LinkTable table;
  for (int i = 0; i < 500; ++i) {
    LinkMessage link;
    link.name = "n" + std::to_string(i);
    link.address = 8;
    table.links.insert(link);
  }
  LooseFile file;
  SymbolTablePlace place = write_table(file, table, shape, 64);
  std::size_t head = local_heap_header_size(shape.sizes);
  auto header = *decode_local_heap_header(*file.bytes.block(place.heap, head, "heap"), shape.sizes);
  auto heap = *file.bytes.block(header.segment_address, header.segment_size, "segment");
  std::function<void(FileAddress, std::string, std::string)> walk =
      [&](FileAddress address, const std::string& low, const std::string& high) {
        auto bytes = *file.bytes.block(address, group_btree_node_size(2, shape.sizes), "node");
        GroupBtreeNode node = *decode_group_btree_node(bytes, shape.sizes, 2);
        for (std::size_t i = 0; i < node.children.size(); ++i) {
          std::string from(*local_heap_name(heap, node.keys[i]));
          std::string to(*local_heap_name(heap, node.keys[i + 1]));
          ASSERT_LT(from, to);
          ASSERT_GE(from, low);
          ASSERT_LE(to, high);
          if (node.level > 0) {
            walk(node.children[i], from, to);
            continue;
          }
          auto leaf = *decode_symbol_table_node(
              *file.bytes.block(node.children[i], symbol_table_node_size(1, shape.sizes), "leaf"),
              shape.sizes, 1);
          for (const SymbolTableEntry& entry : leaf.entries) {
            std::string name(*local_heap_name(heap, entry.name_offset));
            ASSERT_GT(name, from);
            ASSERT_LE(name, to);
          }
        }
      };
  walk(place.btree, "", "~");
}

TEST(SymbolTable, DamagedBytesAreErrorsAndCostLittle) {
  LinkTable table;
  for (int i = 0; i < 60; ++i) {
    LinkMessage link;
    link.name = "name" + std::to_string(i);
    link.address = 8;
    table.links.insert(link);
  }
  SymbolTableShape shape{{8, 8}, 2, 2};
  EXPECT_TRUE(rc::check([&] {
    LooseFile file;
    SymbolTablePlace place = write_table(file, table, shape, 0);
    int hits = test::pick(1, 6);
    for (int i = 0; i < hits; ++i)
      (*file.disk)[test::pick<std::size_t>(0, file.disk->size())] =
          *rc::gen::element(std::byte{0}, std::byte{1}, std::byte{0x7F}, std::byte{0xFF});
    SymbolTablePlace found{place.btree, place.heap, {}};
    auto read = read_symbol_table(file.bytes, shape, &found);
    if (read) RC_ASSERT(read->links.size() <= 60U);
  }));
}

TEST(SymbolTable, NamesThatShareTheHeapAreRefused) {
  // Entries may point anywhere into one long name, which would cost the square of the file's size.
  SymbolTableShape shape{{8, 8}, 32, 16};
  LinkTable table;
  LinkMessage link;
  link.address = 8;
  link.name = std::string(4000, 'x');
  table.links.insert(link);
  for (int i = 0; i < 60; ++i) {
    link.name = "a" + std::to_string(i);
    table.links.insert(link);
  }
  LooseFile file;
  SymbolTablePlace place = write_table(file, table, shape, 0);
  auto heap = *decode_local_heap_header(
      *file.bytes.block(place.heap, local_heap_header_size(shape.sizes), "heap"), shape.sizes);
  std::size_t leaf = heap.segment_address + heap.segment_size;
  auto node = *decode_symbol_table_node(
      *file.bytes.block(leaf, symbol_table_node_size(32, shape.sizes), "leaf"), shape.sizes, 32);
  std::uint64_t longest = node.entries.back().name_offset;
  for (std::size_t i = 0; i + 1 < node.entries.size(); ++i)
    node.entries[i].name_offset = longest + i + 1;
  ByteWriter out;
  ASSERT_TRUE(encode_symbol_table_node(node, shape.sizes, 32, out).ok());
  ASSERT_TRUE(file.bytes.write(leaf, out.view()).ok());
  EXPECT_FALSE(read_symbol_table(file.bytes, shape, &place).has_value());
}

}  // namespace
}  // namespace pcio
