// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of the layout message. Golden bytes: files written by libhdf5 1.10.8.

#include "format/layout_message.hpp"

#include <gtest/gtest.h>

#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};

Result<LayoutMessage> decode(const char* golden) {
  const auto bytes = hex(golden);
  ByteReader reader(bytes);
  return decode_layout_message(reader, kWide);
}

TEST(LayoutMessage, EncodesTheSameBytes) {
  struct Case {
    const char* golden;
    FormatVersion version;
  };
  const Case cases[] = {
      {"03 01 00 08 00*6 60 00*7", FormatVersion::kEarliest},
      {"03 01 ff*8 c0 00*7", FormatVersion::kV18},
      {"04 01 ff*8 c0 00*7", FormatVersion::kV110},
      {"03 00 04 00 01 02 03 04", FormatVersion::kEarliest},
      {"04 00 04 00 01 02 03 04", FormatVersion::kV110},
      {"03 02 03 00 10 00*6 02 00 00 00 03 00 00 00 04 00 00 00", FormatVersion::kEarliest},
      // An existing chunk index keeps the version of the message that it needs.
      {"03 02 03 00 10 00*6 02 00 00 00 03 00 00 00 04 00 00 00", FormatVersion::kV110},
      {"04 02 00 03 01 02 03 04 02 80 09 00*6", FormatVersion::kV110},
      {"04 02 00 03 01 02 03 04 03 0a 77 04 00*6", FormatVersion::kV110},
      {"04 02 00 03 01 02 03 04 04 20 04 04 10 0a 41 06 00*6", FormatVersion::kV110},
      {"04 02 00 03 01 02 03 04 05 00 08 00 00 64 28 1c 11 00*6", FormatVersion::kV110},
      {"04 02 02 03 01 04 06 04 01 27 00*7 00*4 e0 09 00*6", FormatVersion::kV110},
      {"04 02 00 03 01 04 06 04 01 e0 09 00*6", FormatVersion::kV110},
      {"04 02 01 02 02 00 01 04 00 03 0a 77 04 00*6", FormatVersion::kV110},
      {"04 03 10 00*7 01 00 00 00", FormatVersion::kV110},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.golden);
    const auto layout = decode(c.golden);
    ASSERT_TRUE(layout) << layout.error().message();
    ByteWriter out;
    ASSERT_TRUE(encode_layout_message(*layout, c.version, kWide, out).ok());
    EXPECT_EQ(to_hex(out.view()), to_hex(hex(c.golden)));
    test::survive_damage(hex(c.golden), [](ConstBytes b) {
      ByteReader reader(b);
      (void)decode_layout_message(reader, kWide);
    });
  }
}

TEST(LayoutMessage, DecodesIndexParameters) {
  const auto single = decode("04 02 02 03 01 04 06 04 01 27 00*7 01 00 00 00 e0 09 00*6");
  ASSERT_TRUE(single);
  EXPECT_EQ(single->index, ChunkIndexKind::kSingleChunk);
  EXPECT_EQ(single->chunk_dims, (Dims{4, 6}));
  EXPECT_EQ(single->element_size, 4U);
  EXPECT_EQ(single->single_filter, (SingleChunkFilter{39, 1}));
  EXPECT_EQ(single->address, 0x9e0U);
  const auto array = decode("04 02 01 03 01 02 03 04 04 20 04 04 10 0a 41 06 00*6");
  ASSERT_TRUE(array);
  EXPECT_EQ(array->extensible_array, ExtensibleArrayParameters());
  EXPECT_TRUE(array->partial_edge_unfiltered);
  const auto tree = decode("04 02 00 03 01 02 03 04 05 00 08 00 00 64 28 1c 11 00*6");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->btree2, Btree2Parameters());
}

TEST(LayoutMessage, DecodesOldVersions) {
  const auto contiguous = decode("01 02 01 00*5 00 08 00*6 04 00 00 00 06 00 00 00");
  ASSERT_TRUE(contiguous);
  EXPECT_EQ(contiguous->cls, LayoutClass::kContiguous);
  EXPECT_EQ(contiguous->address, 0x800U);
  EXPECT_EQ(contiguous->size, std::nullopt);
  EXPECT_EQ(contiguous->old_dims, (std::vector<std::uint64_t>{4, 6}));
  const auto chunked = decode("02 03 02 00*5 00 08 00*6 02 00 00 00 03 00 00 00 04 00 00 00");
  ASSERT_TRUE(chunked);
  EXPECT_EQ(chunked->chunk_dims, (Dims{2, 3}));
  EXPECT_EQ(chunked->element_size, 4U);
  const auto compact = decode("02 01 00 00*5 02 00 00 00 02 00 00 00 aa bb");
  ASSERT_TRUE(compact);
  EXPECT_EQ(compact->compact_data, hex("aa bb"));
}

TEST(LayoutMessage, RefusesBadOnes) {
  for (const char* bad : {
           "05 01 00 08 00*6 60 00*7",                          // later version
           "03 03 10 00*7 01 00 00 00",                         // virtual before version 4
           "03 02 01 00 10 00*6 04 00 00 00",                   // no dimension
           "03 02 03 00 10 00*6 02 00 00 00 00*4 04 00 00 00",  // chunk of 0
           "04 02 00 03 01 02 03 04 06 00*8",                   // unknown index
           "04 02 00 03 09 02 03 04 02 00*8 00*40",             // numbers of 9 bytes
           "03 02 03 00 10 00*6 ff*4 ff*4 ff*4",                // more than 64 bits of bytes
           "03 00 ff ff 01",                                    // compact data missing
           "02 00 01 00*5 00 08 00*6 0a 00 00 00 04 00 00 00",  // an old one without dimensions
       }) {
    EXPECT_FALSE(decode(bad)) << bad;
  }
}

TEST(LayoutMessage, CompactDataMustFit) {
  LayoutMessage layout;
  layout.cls = LayoutClass::kCompact;
  layout.compact_data.resize(65536);
  ByteWriter out;
  EXPECT_FALSE(encode_layout_message(layout, FormatVersion::kEarliest, kWide, out).ok());
}

}  // namespace
}  // namespace pcio
