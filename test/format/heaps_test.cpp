// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of heaps, free-space managers and shared message tables. Golden bytes: files written by
// libhdf5 1.10.8.

#include <algorithm>
#include <gtest/gtest.h>

#include "base/checksum.hpp"
#include "format/dataspace_message.hpp"
#include "format/fractal_heap.hpp"
#include "format/free_space.hpp"
#include "format/global_heap.hpp"
#include "format/shared_table.hpp"
#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};

// A collection with two strings and an empty one.
constexpr const char* kCollection =
    "47 43 4f 4c 01 00*4 10 00*6 01 00*7 18 00*7 61 20 6c 6f 6e 67 65 72 20 73 74 72 69 6e "
    "67 20 6f 66 20 62 79 74 65 73 02 00*15 03 00*7 05 00*7 68 65 6c 6c 6f 00*11 a0 0f "
    "00*3990";
// The same with lengths of 4 bytes, of a file with "abcdefghij".
constexpr const char* kNarrowCollection =
    "47 43 4f 4c 01 00*4 10 00*6 01 00*7 0a 00*7 61 62 63 64 65 66 67 68 69 6a 00*14 d0 0f 00*4038";
// A heap of shared messages at 1248 with its only direct block.
constexpr const char* kHeap =
    "46 52 48 50 00 08 00*3 02 00 10 00*10 ff*8 46 03 00*6 ba 06 00*7 04 00*7 04 00*14 08 "
    "00*39 04 00 00 04 00*8 01 00*5 28 00 01 00 9f 1c 00*8 f4 c4 43 c8";
constexpr const char* kDirect =
    "46 48 44 42 00 e0 04 00*11 d2 c1 f7 e7 10 08 00 00 04 00*5 20 00 01 00*7 01*3 00*5 05 "
    "00*7 05 00*7 01*3 00*5 06 00*7 06 00*7 01*3 00*5 07 00*7 07 00*7 01*3 00*5 08 00*7 08 "
    "00*7 01*3 00*5 09 00*7 09 00*7 01*3 00*5 0a 00*7 0a 00*845";
// A heap of links with an indirect root.
constexpr const char* kHeapHeader =
    "46 52 48 50 00 07 00*3 02 00 10 00*10 ff*8 b7 00*7 34 1f 00*7 02 00*7 02 00*14 13 00*39 "
    "04 00 00 02 00*8 01 00*5 20 00 01 00 99 4e 00*8 b2 1d a0 d7";
// Free space of a heap at 2717088.
constexpr const char* kSpaceHeader =
    "46 53 48 44 00 00 94 03 00*6 1b 00*7 1b 00*15 04 00 50 00 78 00 20 00*3 01 00*5 30 33 "
    "2b 00*5 c0 00*7 c0 00*7 a8 d3 c1 cc";
constexpr const char* kSpaceList =
    "46 53 53 45 00 a0 75 29 00*5 01 06 00 00 fa bf 00*3 05 0b 00 00 f5 27 00*3 f5 2f 00*3 "
    "f5 37 00*3 f5 3f 00*3 f5 9f 00*3 01 0f 00 00 f1 13 00*3 07 15 00 00 eb 03 00*3 eb 05 "
    "00*3 eb 07 00*3 eb 09 00*3 eb 0b 00*3 eb 0d 00*3 eb 0f 00*3 01 1f 00 00 e1 01 00*3 02 "
    "25 00 00 db df 00*3 db ff 00*3 07 2b 00 00 d5 17 00*3 d5 1b 00*3 d5 1f 00*3 d5 4f 00*3 "
    "d5 5f 00*3 d5 6f 00*3 d5 7f 00*3 01 2e 00 00 d2 3f 01 00 00 01 30 00 00 a5 60 00*3 01 "
    "c1 00 00 3f 7f 01 00 00 34 38 ad c9";
// A table of two indexes, and the list of the second.
constexpr const char* kTable =
    "53 4d 54 42 00 01 0a 00 01 00*3 05 00 03 00 08 00 f5 0e 00*6 e0 04 00*9 10 01 00*3 05 "
    "00 03 00 04 00 0c 07 00*6 69 07 00*6 ee 72 1d 06";
constexpr const char* kList =
    "53 4d 4c 49 00 a0 82 a6 6c 03 00*4 16 00*4 25 00 00 7a 57 30 f7 03 00*4 3b 00*4 25 00 "
    "00 e0 c3 9e b3 03 00*4 60 00*4 25 00 00 15 20 b9 dc 03 00*4 85 00*4 25 00 17 a3 a6 7a";

TEST(GlobalHeap, DecodesAndEncodesTheSameBytes) {
  const auto bytes = hex(kCollection);
  EXPECT_EQ(global_heap_collection_size(bytes, kWide).value(), 4096U);
  const auto heap = decode_global_heap_collection(bytes, kWide);
  ASSERT_TRUE(heap) << heap.error().message();
  ASSERT_EQ(heap->objects.size(), 3U);
  EXPECT_EQ(heap->find(1)->data.size(), 24U);
  EXPECT_TRUE(heap->find(2)->data.empty());
  EXPECT_EQ(heap->find(3)->data, hex("68 65 6c 6c 6f"));
  EXPECT_EQ(heap->find(4), nullptr);
  ByteWriter out;
  ASSERT_TRUE(encode_global_heap_collection(*heap, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(bytes));
}

TEST(GlobalHeap, NarrowLengthsArePadded) {
  constexpr FileSizes kNarrow{4, 4};
  const auto bytes = hex(kNarrowCollection);
  ASSERT_EQ(bytes.size(), 4096U);
  const auto heap = decode_global_heap_collection(bytes, kNarrow);
  ASSERT_TRUE(heap) << heap.error().message();
  ASSERT_EQ(heap->objects.size(), 1U);
  EXPECT_EQ(heap->find(1)->data, hex("61 62 63 64 65 66 67 68 69 6a"));
  ByteWriter out;
  ASSERT_TRUE(encode_global_heap_collection(*heap, kNarrow, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(bytes));
}
TEST(GlobalHeap, FullCollectionsHaveNoFreeObject) {
  for (std::size_t size : {4096U - 16 - 16, 4096U - 16 - 24, 4096U - 16 - 32}) {
    GlobalHeapCollection heap;
    heap.size = 4096;
    heap.objects.push_back({1, 1, std::vector<std::byte>(size)});
    ByteWriter out;
    ASSERT_TRUE(encode_global_heap_collection(heap, kWide, out).ok());
    EXPECT_EQ(out.size(), 4096U);
    EXPECT_EQ(decode_global_heap_collection(out.view(), kWide).value(), heap);
    heap.objects.push_back({2, 1, std::vector<std::byte>(17)});
    ByteWriter full;
    EXPECT_FALSE(encode_global_heap_collection(heap, kWide, full).ok());
  }
}

TEST(GlobalHeap, SurvivesDamage) {
  const auto bytes = hex(kCollection);
  auto small = std::vector<std::byte>(bytes.begin(), bytes.begin() + 120);
  small[8] = std::byte{120};
  small[9] = std::byte{0};
  test::survive_damage(small, [](ConstBytes b) { (void)decode_global_heap_collection(b, kWide); });
}

FractalHeapContext heap() {
  return {decode_fractal_heap_header(hex(kHeap), kWide).value(), 1248, kWide};
}

TEST(FractalHeap, DecodesAndEncodesTheSameBytes) {
  for (const char* golden : {kHeap, kHeapHeader}) {
    const auto header = decode_fractal_heap_header(hex(golden), kWide);
    ASSERT_TRUE(header) << header.error().message();
    EXPECT_EQ(fractal_heap_header_size(hex(golden), kWide).value(), hex(golden).size());
    ByteWriter out;
    ASSERT_TRUE(encode_fractal_heap_header(*header, kWide, out).ok());
    EXPECT_EQ(to_hex(out.view()), to_hex(hex(golden)));
  }
  const FractalHeapContext context = heap();
  EXPECT_EQ(context.header.start_block_size, 1024U);
  EXPECT_EQ(context.header.managed_objects, 8U);
  auto block = hex(kDirect);
  EXPECT_TRUE(check_fractal_direct_block(block, context, 0).ok());
  EXPECT_FALSE(check_fractal_direct_block(block, context, 1024).ok());
  const FractalHeapGeometry geometry(context.header, kWide);
  EXPECT_EQ(geometry.direct_head_size(), 22U);
  std::fill_n(block.begin(), 22, std::byte{0});
  ASSERT_TRUE(finish_fractal_direct_block(block, context, 0).ok());
  EXPECT_EQ(to_hex(block), to_hex(hex(kDirect)));
  block[500] = std::byte{1};
  EXPECT_FALSE(check_fractal_direct_block(block, context, 0).ok());
}

TEST(FractalHeap, IdsFindObjects) {
  const FractalHeapContext context = heap();
  const auto id = decode_fractal_heap_id(hex("00 16 00*4 25 00"), context.header, kWide);
  // The list of shared attribute messages has this id; the block of types begins the same way.
  ASSERT_TRUE(id);
  EXPECT_EQ(id->kind, FractalIdKind::kManaged);
  EXPECT_EQ(id->offset, 22U);
  EXPECT_EQ(id->length, 37U);
  ByteWriter out;
  ASSERT_TRUE(encode_fractal_heap_id(22, 37, context.header, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), "00 16 00 00 00 00 25 00 ");
  EXPECT_FALSE(encode_fractal_heap_id(std::uint64_t{1} << 40, 1, context.header, kWide, out).ok());

  const auto tiny = decode_fractal_heap_id(hex("22 aa bb cc 00*4"), context.header, kWide);
  ASSERT_TRUE(tiny);
  EXPECT_EQ(tiny->tiny, hex("aa bb cc"));
  const auto huge = decode_fractal_heap_id(hex("10 05 00*6"), context.header, kWide);
  ASSERT_TRUE(huge);
  EXPECT_EQ(huge->key, 5U);
  EXPECT_FALSE(fractal_ids_are_direct(context.header, kWide));
  FractalHeapHeader wide = context.header;
  wide.id_length = 17;
  EXPECT_TRUE(fractal_ids_are_direct(wide, kWide));
  EXPECT_EQ(decode_fractal_heap_id(hex("10 08 00*7 20 00*7"), wide, kWide)->file_size, 32U);
  EXPECT_FALSE(decode_fractal_heap_id(hex("30 00*7"), wide, kWide));
  EXPECT_FALSE(decode_fractal_heap_id(hex("40 00*7"), wide, kWide));
}

TEST(FractalHeap, TableCoversTheAddressSpaceOnce) {
  // Against counting: blocks of an indirect block in row-major order are contiguous.
  FractalHeapHeader header;
  header.table_width = 4;
  header.start_block_size = 512;
  header.max_direct_size = 4096;
  header.max_heap_bits = 20;
  const FractalHeapGeometry geometry(header, kWide);
  ASSERT_TRUE(geometry.valid());
  EXPECT_EQ(geometry.direct_rows(), 5U);
  std::uint64_t offset = 0;
  for (unsigned row = 0; row < geometry.max_rows(); ++row) {
    EXPECT_EQ(geometry.row_offset(row), offset);
    for (unsigned column = 0; column < 4; ++column) {
      for (std::uint64_t inside : {std::uint64_t{0}, geometry.block_size(row) - 1}) {
        const auto place = geometry.locate(7000000 + offset + inside, 7000000, geometry.max_rows());
        ASSERT_TRUE(place);
        EXPECT_EQ(place->row, row);
        EXPECT_EQ(place->column, column);
        EXPECT_EQ(place->block_offset, 7000000 + offset);
      }
      offset += geometry.block_size(row);
    }
    if (row >= geometry.direct_rows()) {
      // A child covers exactly its own rows.
      const unsigned rows = geometry.rows_of_child(row);
      EXPECT_EQ(geometry.row_offset(rows), geometry.block_size(row));
    }
  }
  EXPECT_EQ(offset, std::uint64_t{1} << 20);
  EXPECT_FALSE(geometry.locate(offset, 0, geometry.max_rows()).has_value());
  EXPECT_FALSE(geometry.locate(0, 1, 1).has_value());
}

TEST(FractalHeap, IndirectBlocksRoundTrip) {
  FractalHeapContext context = heap();
  context.header.max_direct_size = 4096;
  const FractalHeapGeometry geometry(context.header, kWide);
  for (unsigned rows = 1; rows <= 8; ++rows) {
    std::vector<FractalHeapChild> children(rows * 4);
    for (std::size_t i = 0; i < children.size(); i += 2) children[i].address = 100 * i;
    ByteWriter out;
    ASSERT_TRUE(encode_fractal_indirect_block(children, context, 8192, out).ok());
    EXPECT_EQ(out.size(), geometry.indirect_block_size(rows));
    EXPECT_EQ(decode_fractal_indirect_block(out.view(), context, 8192, rows).value(), children);
    EXPECT_FALSE(decode_fractal_indirect_block(out.view(), context, 0, rows));
    EXPECT_FALSE(decode_fractal_indirect_block(out.view(), context, 8192, rows + 1));
  }
}

TEST(FreeSpace, DecodesLists) {
  const auto header = decode_free_space_header(hex(kSpaceHeader), kWide);
  ASSERT_TRUE(header) << header.error().message();
  EXPECT_EQ(header->total_sections, 27U);
  ByteWriter out;
  ASSERT_TRUE(encode_free_space_header(*header, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kSpaceHeader)));
  auto list = hex(kSpaceList);
  FreeSpaceHeader other = *header;
  const FileAddress owner = 0x2975a0;
  const auto sections = decode_free_space_list(list, other, owner, kWide);
  ASSERT_TRUE(sections) << sections.error().message();
  std::uint64_t total = 0;
  for (const FreeSection& section : *sections) total += section.size;
  EXPECT_EQ(total, header->total_space);
  EXPECT_FALSE(decode_free_space_list(list, other, owner + 1, kWide));
}

// A paged file with lengths of 4 bytes: the largest size of a section, 2^63 - 1, is cut in the header, and
// sizes are 8 bytes wide in the list.
TEST(FreeSpace, DecodesSizesWiderThanLengths) {
  constexpr FileSizes narrow{4, 4};
  const auto header =
      decode_free_space_header(hex("46 53 48 44 00 01 a3 01 00 00 06 00 00 00 06 00 00 00 00 00 00 "
                                   "00 03 00 50 00 78 00 3f 00 "
                                   "ff*4 00 12 00 00 79 00 00 00 79 00 00 00 9c a6 c9 fb"),
                               narrow);
  ASSERT_TRUE(header) << header.error().message();
  const auto sections = decode_free_space_list(hex("46 53 53 45 00 00 10 00 00 01 03 00*7 fd 01 "
                                                   "00*6 01 01 08 00*7 f8 07 00*6 01 01 0f 00*7 f1 "
                                                   "05 00*6 01 01 13 00*7 ed 03 00*6 01 01 86 00*7 "
                                                   "7a 09 00*6 01 01 f0 00*7 10 0f 00*6 01 4b e6 "
                                                   "e9 34"),
                                               *header, 0x1000, narrow);
  ASSERT_TRUE(sections) << sections.error().message();
  std::uint64_t total = 0;
  for (const FreeSection& section : *sections) total += section.size;
  EXPECT_EQ(total, header->total_space);
  EXPECT_EQ(sections->back().offset, 0xf10U);
  // What is written anew is as wide as the header says, and read by it.
  FreeSpaceHeader again = *header;
  again.list_used = free_space_list_size(*sections, again, narrow);
  ByteWriter out;
  ASSERT_TRUE(encode_free_space_list(*sections, again, 0x1000, narrow, out).ok());
  ASSERT_EQ(out.size(), again.list_used);
  const auto same = decode_free_space_list(out.view(), again, 0x1000, narrow);
  ASSERT_TRUE(same) << same.error().message();
  EXPECT_EQ(same->back().offset, 0xf10U);
}

// The largest section is one of 65536 bytes, for which three bytes are needed, and sizes have two.
TEST(FreeSpace, DecodesSizesOfEarlyReleases) {
  const auto header = decode_free_space_header(
      hex("46534844 0000 3001000000000000 0200000000000000 0200000000000000 0000000000000000 0400 "
          "5000 7800 2000 0000010000000000 b217000000000000 2100000000000000 4000000000000000 "
          "ced6a38e"),
      kWide);
  ASSERT_TRUE(header) << header.error().message();
  const auto bytes =
      hex("46535345 00 6017000000000000 01 1200 ba000000 00 01 1e01 e2000000 00 127987e3");
  const auto sections = decode_free_space_list(bytes, *header, 0x1760, kWide);
  ASSERT_TRUE(sections) << sections.error().message();
  ASSERT_EQ(sections->size(), 2U);
  EXPECT_EQ(sections->at(0).size + sections->at(1).size, header->total_space);
  EXPECT_EQ(sections->at(1).offset, 0xe2U);
  FreeSpaceHeader other = *header;
  other.max_section_size -= 1;  // fits into two
  EXPECT_TRUE(decode_free_space_list(bytes, other, 0x1760, kWide));
  other.max_section_size += 2;
  EXPECT_FALSE(decode_free_space_list(bytes, other, 0x1760, kWide));
}

TEST(SharedTable, DecodesTableAndList) {
  const auto table = decode_shared_table(hex(kTable), 2, kWide);
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_TRUE((*table)[0].is_tree);
  EXPECT_EQ((*table)[0].message_types, 1U << 1 | 1U << 3);
  EXPECT_EQ((*table)[1].message_types, 1U << 12);
  EXPECT_EQ((*table)[1].count, 4U);
  const auto list = decode_shared_list(hex(kList), (*table)[1], kWide);
  ASSERT_TRUE(list) << list.error().message();
  ASSERT_EQ(list->size(), 4U);
  EXPECT_TRUE((*list)[0].in_heap);
  EXPECT_EQ((*list)[0].reference_count, 3U);
  ByteWriter table_again, list_again;
  ASSERT_TRUE(encode_shared_table(*table, kWide, table_again).ok());
  EXPECT_TRUE(std::ranges::equal(table_again.view(), hex(kTable)));
  ASSERT_TRUE(encode_shared_list(*list, (*table)[1].list_max, kWide, list_again).ok());
  ASSERT_EQ(list_again.size(), shared_list_size((*table)[1].list_max, kWide));
  const auto written = hex(kList);
  EXPECT_TRUE(std::ranges::equal(ConstBytes(list_again.view()).first(8 + 17 * list->size()),
                                 ConstBytes(written).first(8 + 17 * list->size())));
  const auto record = decode_shared_record(hex("01 01 02 03 04 00 0c 02 00 20 00*7"), kWide);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->message_type, 12U);
  EXPECT_EQ(record->header_address, 32U);
}

TEST(SharedTable, HashBeginsWithTheMessageType) {
  // The first object of the heap is a datatype message of 12 bytes; its record in the tree of
  // the table's first index holds this hash.
  const auto block = hex(kDirect);
  const auto message = ConstBytes(block).subspan(22, 12);
  EXPECT_EQ(lookup3(message, 3), 0xf029338bU);
}

TEST(Heaps, SurviveDamage) {
  auto resum = [](ConstBytes damaged) {
    ByteWriter out;
    out.bytes(damaged.first(damaged.size() < 4 ? 0 : damaged.size() - 4));
    append_checksum(out);
    return std::move(out).take();
  };
  test::survive_damage(hex(kHeapHeader), [&](ConstBytes b) {
    const auto bytes = resum(b);
    const auto header = decode_fractal_heap_header(bytes, kWide);
    if (!header) return;
    const FractalHeapContext context{*header, 1248, kWide};
    (void)check_fractal_direct_block(hex(kDirect), context, 0);
    (void)decode_fractal_indirect_block(hex(kDirect), context, 0, header->root_rows);
    (void)decode_fractal_heap_id(hex("00 16 00*4 25 00"), *header, kWide);
    (void)FractalHeapGeometry(*header, kWide).locate(123456, 0, header->root_rows);
  });
  test::survive_damage(hex("00 16 00*4 25 00"), [&](ConstBytes b) {
    (void)decode_fractal_heap_id(b, heap().header, kWide);
  });
  const auto space = decode_free_space_header(hex(kSpaceHeader), kWide).value();
  test::survive_damage(hex(kSpaceHeader), [&](ConstBytes b) {
    const auto header = decode_free_space_header(resum(b), kWide);
    if (header) (void)decode_free_space_list(hex(kSpaceList), *header, 0x2975a0, kWide);
  });
  test::survive_damage(hex(kSpaceList), [&](ConstBytes b) {
    (void)decode_free_space_list(resum(b), space, 0x2975a0, kWide);
  });
  test::survive_damage(hex(kTable), [&](ConstBytes b) {
    const auto table = decode_shared_table(resum(b), 2, kWide);
    if (table) (void)decode_shared_list(hex(kList), (*table)[1], kWide);
  });
}

}  // namespace
}  // namespace pcio
