// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of fixed and extensible arrays. Golden bytes: files written by libhdf5 1.10.8.

#include <gtest/gtest.h>

#include "format/extensible_array.hpp"
#include "format/fixed_array.hpp"
#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};
constexpr ChunkElementFormat kPlain{8, 0};

// 4 x 4 chunks, 2 x 2 of them written.
constexpr const char* kFixedHeader = "46 41 48 44 00 00 08 0a 10 00*7 93 04 00*6 49 14 9e 99";
constexpr const char* kFixedBlock =
    "46 41 44 42 00 00 77 04 00*6 60 08 00*6 78 08 00*6 ff*16 90 08 00*6 a8 08 00*6 ff*80 1a "
    "48 0d 74";
// The same with filters; the whole chunk has 24 bytes.
constexpr const char* kFilteredHeader = "46 41 48 44 00 01 0e 0a 04 00*7 16 1d 00*6 98 5d 90 28";
constexpr const char* kFilteredBlock =
    "46 41 44 42 00 01 fa 1c 00*6 07 0a 00*6 14 00*5 1b 0a 00*6 14 00*5 2f 0a 00*6 14 00*5 "
    "43 0a 00*6 14 00*5 9e ac 1f 90";
// 30000 chunks, of which 1500, 9221 and 29999 were written.
constexpr const char* kPagedHeader = "46 41 48 44 00 00 08 0a 30 75 00*7 10 00*6 e3 05 6e 07";
constexpr const char* kPagedHead = "46 41 44 42 00 00 df 01 00*6 40 40 00 04 61 2c e3 7c";
// 3000 chunks of 4 bytes along an unlimited dimension.
constexpr const char* kArrayHeader =
    "45 41 48 44 00 00 08 20 04 10 04 0a 04 00*7 18 01 00*6 1a 00*7 bc 61 00*6 b8 0b 00*6 f4 "
    "0b 00*6 97 04 00*6 54 da c7 1b";
constexpr const char* kIndexBlock =
    "45 41 49 42 00 00 4f 04 00*6 d6 6f 01 00*5 da 6f 01 00*5 de 6f 01 00*5 e2 6f 01 00*5 c1 "
    "05 00*6 57 06 00*6 aa 70 01 00*5 c0 71 01 00*5 d6 72 01 00*5 ec 74 01 00*5 6d 07 00*6 "
    "a3 07 00*6 02 77 01 00*5 58 77 01 00*5 ff*168 57 d3 da ca";
constexpr const char* kSecondaryBlock =
    "45 41 53 42 00 00 4f 04 00*6 f0 00*3 aa 80 01 00*5 c0 82 01 00*5 d6 84 01 00*5 ec 86 01 "
    "00*5 05 44 35 fb";
constexpr const char* kDataBlock =
    "45 41 44 42 00 00 4f 04 00*10 e6 6f 01 00*5 ea 6f 01 00*5 ee 6f 01 00*5 f2 6f 01 00*5 "
    "f6 6f 01 00*5 fa 6f 01 00*5 fe 6f 01 00*5 02 70 01 00*5 06 70 01 00*5 0a 70 01 00*5 0e "
    "70 01 00*5 12 70 01 00*5 16 70 01 00*5 1a 70 01 00*5 1e 70 01 00*5 22 70 01 00*5 d2 5e "
    "bf 45";
constexpr const char* kDataBlock1Head = "45 41 44 42 00 00 4f 04 00*6 30 00*3";

TEST(FixedArray, DecodesAndEncodesTheSameBytes) {
  const auto header = decode_fixed_array_header(hex(kFixedHeader), kPlain, kWide);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->count, 16U);
  const auto bytes = hex(kFixedBlock);
  const FixedArrayGeometry geometry(*header, kWide);
  EXPECT_FALSE(geometry.paged());
  EXPECT_EQ(geometry.block_size(), bytes.size());
  const auto block = decode_fixed_array_block(bytes, *header, 1143, kPlain, kWide);
  ASSERT_TRUE(block) << block.error().message();
  EXPECT_EQ(block->elements[0].address, 0x860U);
  EXPECT_EQ(block->elements[2].address, kUndefinedAddress);
  EXPECT_EQ(block->elements[5].address, 0x8a8U);
  ByteWriter out;
  ASSERT_TRUE(encode_fixed_array_header(*header, kWide, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kFixedHeader)));
  EXPECT_EQ(out.size(), fixed_array_header_size(kWide));
  ByteWriter again;
  ASSERT_TRUE(encode_fixed_array_block(*block, *header, 1143, kPlain, again).ok());
  EXPECT_EQ(to_hex(again.view()), to_hex(bytes));
  EXPECT_FALSE(decode_fixed_array_block(bytes, *header, 1144, kPlain, kWide));
}

TEST(FixedArray, FilteredElementsHoldSizes) {
  const auto format = ChunkElementFormat::filtered(kWide, 24);
  EXPECT_EQ(format.size(), 14U);
  EXPECT_EQ(ChunkElementFormat::filtered(kWide, 255).size_width, 2U);
  EXPECT_EQ(ChunkElementFormat::filtered(kWide, 256).size_width, 3U);
  EXPECT_EQ(ChunkElementFormat::filtered(kWide, ~std::uint64_t{0}).size_width, 8U);
  const auto header = decode_fixed_array_header(hex(kFilteredHeader), format, kWide);
  ASSERT_TRUE(header);
  EXPECT_FALSE(decode_fixed_array_header(hex(kFilteredHeader), kPlain, kWide));
  const auto block = decode_fixed_array_block(hex(kFilteredBlock), *header, 7418, format, kWide);
  ASSERT_TRUE(block) << block.error().message();
  EXPECT_EQ(block->elements[1], (ChunkElement{0xa1b, 20, 0}));
}

TEST(FixedArray, PagesAreFoundByBitmap) {
  const auto header = decode_fixed_array_header(hex(kPagedHeader), kPlain, kWide);
  ASSERT_TRUE(header);
  const FixedArrayGeometry geometry(*header, kWide);
  EXPECT_EQ(geometry.page_count(), 30U);
  EXPECT_EQ(geometry.elements_in_page(29), 30000U - 29 * 1024);
  EXPECT_EQ(geometry.block_size(), 22U + 30000 * 8 + 30 * 4);
  const auto block = decode_fixed_array_block(hex(kPagedHead), *header, 479, kPlain, kWide);
  ASSERT_TRUE(block) << block.error().message();
  for (std::uint64_t page = 0; page < 32; ++page)
    EXPECT_EQ(page_bit(block->bitmap, page), page == 1 || page == 9 || page == 29);
  std::vector<std::byte> bitmap(4);
  for (std::uint64_t page : {1U, 9U, 29U}) set_page_bit(bitmap, page);
  EXPECT_EQ(bitmap, block->bitmap);
  ByteWriter out;
  ASSERT_TRUE(encode_fixed_array_block(*block, *header, 479, kPlain, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kPagedHead)));
}

TEST(FixedArray, RefusesImpossibleCounts) {
  FixedArrayHeader header;
  header.count = ~std::uint64_t{0} / 4;
  ByteWriter out;
  ASSERT_TRUE(encode_fixed_array_header(header, kWide, out).ok());
  EXPECT_FALSE(decode_fixed_array_header(out.view(), kPlain, kWide));
}

TEST(ChunkPage, RoundTrips) {
  const auto format = ChunkElementFormat::filtered(kWide, 1000);
  const std::vector<ChunkElement> elements = {{8, 999, 1}, {}, {kUndefinedAddress - 1, 65535, 0}};
  ByteWriter out;
  ASSERT_TRUE(encode_chunk_page(elements, format, out).ok());
  EXPECT_EQ(out.size(), chunk_page_size(3, format));
  EXPECT_EQ(decode_chunk_page(out.view(), 3, format).value(), elements);
  EXPECT_FALSE(decode_chunk_page(out.view(), 2, format));
  EXPECT_FALSE(decode_chunk_page(out.view(), ~std::uint64_t{0}, format));
}

ExtensibleArrayContext context() {
  return {decode_extensible_array_header(hex(kArrayHeader), kPlain, kWide).value(), 1103, kPlain,
          kWide};
}

TEST(ExtensibleArray, DecodesAndEncodesTheSameBytes) {
  const ExtensibleArrayContext array = context();
  EXPECT_EQ(array.header.parameters, ExtensibleArrayParameters());
  EXPECT_EQ(array.header.max_index_set, 3000U);
  ByteWriter header;
  ASSERT_TRUE(encode_extensible_array_header(array.header, kWide, header).ok());
  EXPECT_EQ(to_hex(header.view()), to_hex(hex(kArrayHeader)));

  const auto index = decode_extensible_array_index_block(hex(kIndexBlock), array);
  ASSERT_TRUE(index) << index.error().message();
  EXPECT_EQ(index->elements[3].address, 0x16fe2U);
  EXPECT_EQ(index->data_blocks.size(), 6U);
  EXPECT_EQ(index->secondary_blocks.size(), 25U);
  EXPECT_EQ(index->secondary_blocks[0], 0x76dU);
  ByteWriter out;
  ASSERT_TRUE(encode_extensible_array_index_block(*index, array, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(hex(kIndexBlock)));

  const auto secondary = decode_extensible_array_secondary_block(hex(kSecondaryBlock), array, 4);
  ASSERT_TRUE(secondary) << secondary.error().message();
  EXPECT_EQ(secondary->data_blocks[3], 0x186ecU);
  EXPECT_FALSE(decode_extensible_array_secondary_block(hex(kSecondaryBlock), array, 5));
  ByteWriter second;
  ASSERT_TRUE(encode_extensible_array_secondary_block(*secondary, array, 4, second).ok());
  EXPECT_EQ(to_hex(second.view()), to_hex(hex(kSecondaryBlock)));

  const auto data = decode_extensible_array_data_block(hex(kDataBlock), array, 0, 0);
  ASSERT_TRUE(data) << data.error().message();
  EXPECT_EQ(data->size(), 16U);
  ByteWriter third;
  ASSERT_TRUE(encode_extensible_array_data_block(*data, array, 0, 0, third).ok());
  EXPECT_EQ(to_hex(third.view()), to_hex(hex(kDataBlock)));
  // The second data block, whose offset libhdf5 takes from its number in the whole array.
  ByteWriter fourth;
  const std::vector<ChunkElement> empty(32);
  ASSERT_TRUE(encode_extensible_array_data_block(empty, array, 1, 0, fourth).ok());
  EXPECT_EQ(to_hex(fourth.view().first(18)), to_hex(hex(kDataBlock1Head)));
}

TEST(ExtensibleArray, StatisticsFollowFromTheShape) {
  // What libhdf5 counted after 3000 chunks.
  const ExtensibleArrayContext array = context();
  const ExtensibleArrayGeometry geometry(array.header, kWide);
  const auto last = geometry.locate(2999);
  ASSERT_TRUE(last);
  std::uint64_t secondary_bytes = 0, data_blocks = 0, data_bytes = 0, elements = 4;
  for (unsigned u = 0; u <= last->secondary; ++u) {
    const SecondaryBlockShape shape = geometry.shape(u);
    if (u >= geometry.direct_secondaries()) secondary_bytes += geometry.secondary_block_size(u);
    const std::uint64_t used = u < last->secondary ? shape.data_blocks : last->data_block + 1;
    data_blocks += used;
    data_bytes += used * geometry.data_block_size(u);
    elements += used * shape.block_elements;
  }
  EXPECT_EQ(last->secondary - geometry.direct_secondaries() + 1, array.header.secondary_blocks);
  EXPECT_EQ(secondary_bytes, array.header.secondary_block_bytes);
  EXPECT_EQ(data_blocks, array.header.data_blocks);
  EXPECT_EQ(data_bytes, array.header.data_block_bytes);
  EXPECT_EQ(elements, array.header.elements);
}

TEST(ExtensibleArray, LocatesEveryElementOnce) {
  // Against counting: walk all blocks in order and number their elements.
  for (const ExtensibleArrayParameters parameters :
       {ExtensibleArrayParameters(), ExtensibleArrayParameters{20, 1, 2, 1, 3},
        ExtensibleArrayParameters{12, 0, 8, 4, 10}}) {
    ExtensibleArrayHeader header;
    header.parameters = parameters;
    const ExtensibleArrayGeometry geometry(header, kWide);
    ASSERT_TRUE(geometry.valid());
    std::uint64_t index = 0;
    for (; index < parameters.index_elements; ++index)
      EXPECT_TRUE(geometry.locate(index)->in_index_block);
    std::uint64_t data_blocks = 0;
    for (unsigned u = 0; u < geometry.secondary_count() && index < 3000; ++u) {
      const SecondaryBlockShape shape = geometry.shape(u);
      EXPECT_EQ(shape.first_element, index - parameters.index_elements);
      EXPECT_EQ(shape.first_data_block, data_blocks);
      data_blocks += shape.data_blocks;
      if (u + 1 == geometry.direct_secondaries()) {
        EXPECT_EQ(data_blocks, geometry.index_data_addresses());
      }
      for (std::uint64_t block = 0; block < shape.data_blocks; ++block) {
        for (std::uint64_t e = 0; e < shape.block_elements; ++e, ++index) {
          const auto place = geometry.locate(index);
          ASSERT_TRUE(place);
          EXPECT_FALSE(place->in_index_block);
          EXPECT_EQ(place->secondary, u);
          EXPECT_EQ(place->data_block, block);
          EXPECT_EQ(place->element, e);
        }
      }
    }
  }
}

TEST(ExtensibleArray, PagesBeginAbove1024Elements) {
  const ExtensibleArrayGeometry geometry(context().header, kWide);
  EXPECT_EQ(geometry.page_count(12), 0U);
  EXPECT_EQ(geometry.page_count(13), 2U);
  EXPECT_EQ(geometry.bitmap_size(13), 64U);
  EXPECT_EQ(geometry.shape(13).first_element + 4, 131060U);
  EXPECT_EQ(geometry.data_block_head(13), 22U);
  EXPECT_EQ(geometry.page_offset(13, 1), 22U + 8196);
  EXPECT_FALSE(geometry.locate(~std::uint64_t{0}).has_value());
}

TEST(ChunkArrays, SurviveDamage) {
  auto resum = [](ConstBytes damaged) {
    // With a right checksum, so that damage goes further.
    ByteWriter out;
    out.bytes(damaged.first(damaged.size() < 4 ? 0 : damaged.size() - 4));
    append_checksum(out);
    return std::move(out).take();
  };
  const ExtensibleArrayContext array = context();
  const auto fixed = decode_fixed_array_header(hex(kFixedHeader), kPlain, kWide).value();
  test::survive_damage(hex(kFixedHeader), [&](ConstBytes b) {
    (void)decode_fixed_array_header(resum(b), kPlain, kWide);
  });
  test::survive_damage(hex(kFixedBlock), [&](ConstBytes b) {
    (void)decode_fixed_array_block(resum(b), fixed, 1143, kPlain, kWide);
  });
  test::survive_damage(hex(kArrayHeader), [&](ConstBytes b) {
    const auto bytes = resum(b);
    auto header = decode_extensible_array_header(bytes, kPlain, kWide);
    if (!header) return;
    const ExtensibleArrayContext other{*header, 1103, kPlain, kWide};
    (void)decode_extensible_array_index_block(hex(kIndexBlock), other);
    const ExtensibleArrayGeometry geometry(*header, kWide);
    (void)geometry.locate(12345678);
    for (unsigned u = 0; u < geometry.secondary_count(); ++u) {
      (void)decode_extensible_array_secondary_block(hex(kSecondaryBlock), other, u);
      (void)decode_extensible_array_data_block(hex(kDataBlock), other, u, 0);
    }
  });
  test::survive_damage(hex(kIndexBlock), [&](ConstBytes b) {
    (void)decode_extensible_array_index_block(resum(b), array);
  });
}

}  // namespace
}  // namespace pcio
