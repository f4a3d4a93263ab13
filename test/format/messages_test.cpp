// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of header messages: golden bytes of libhdf5 1.10.8 under each low bound, decoded and
// encoded again; round trips at other widths; damage. Version 1 bodies lack their padding here.

#include <gtest/gtest.h>

#include "format/attribute_info_message.hpp"
#include "format/attribute_message.hpp"
#include "format/btree_k_message.hpp"
#include "format/comment_message.hpp"
#include "format/dataspace_message.hpp"
#include "format/extension_messages.hpp"
#include "format/external_files_message.hpp"
#include "format/fill_value_message.hpp"
#include "format/filter_pipeline_message.hpp"
#include "format/group_info_message.hpp"
#include "format/link_info_message.hpp"
#include "format/link_message.hpp"
#include "format/modification_time_message.hpp"
#include "format/reference_count_message.hpp"
#include "format/shared_message.hpp"
#include "format/symbol_table_message.hpp"
#include "format/test_bytes.hpp"

namespace pcio {
namespace {

using test::hex;
using test::to_hex;

constexpr FileSizes kWide{8, 8};

/// Decodes golden bytes, checks with `look`, encodes again, compares; then damages them.
template <class Decode, class Encode, class Look>
void check_golden(const char* golden, Decode&& decode, Encode&& encode, Look&& look) {
  SCOPED_TRACE(golden);
  const auto bytes = hex(golden);
  ByteReader reader(bytes);
  const auto message = decode(reader);
  ASSERT_TRUE(message) << message.error().message();
  look(*message);
  ByteWriter out;
  ASSERT_TRUE(encode(*message, out).ok());
  EXPECT_EQ(to_hex(out.view()), to_hex(bytes));
  test::survive_damage(bytes, [&](ConstBytes damaged) {
    ByteReader r(damaged);
    (void)decode(r);
  });
}

TEST(DataspaceMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_dataspace_message(r, kWide); };
  auto encode = [](FormatVersion v) {
    return
        [v](const Dataspace& s, ByteWriter& w) { return encode_dataspace_message(s, v, kWide, w); };
  };
  check_golden("01 02 01 00*5 04 00*7 06 00*7 ff*8 06 00*7", decode,
               encode(FormatVersion::kEarliest), [](const Dataspace& s) {
                 EXPECT_EQ(s.dims(), (Dims{4, 6}));
                 EXPECT_EQ(s.max_dims(), (Dims{kUnlimited, 6}));
               });
  check_golden("02 02 01 01 04 00*7 06 00*7 08 00*7 0c 00*7", decode, encode(FormatVersion::kV18),
               [](const Dataspace& s) {
                 EXPECT_EQ(s.max_dims(), (Dims{8, 12}));
               });
  check_golden("01 00*7", decode, encode(FormatVersion::kEarliest),
               [](const Dataspace& s) { EXPECT_EQ(s.cls(), SpaceClass::kScalar); });
  check_golden("02 00 00 00", decode, encode(FormatVersion::kV110),
               [](const Dataspace& s) { EXPECT_EQ(s.cls(), SpaceClass::kScalar); });
  for (FormatVersion v : {FormatVersion::kEarliest, FormatVersion::kV110})
    check_golden("02 00 00 02", decode, encode(v),
                 [](const Dataspace& s) { EXPECT_EQ(s.cls(), SpaceClass::kNull); });
}

TEST(DataspaceMessage, UnlimitedSurvivesNarrowLengths) {
  const Dims dims{3, 5};
  const Dims maximum{kUnlimited, 9};
  const auto space = Dataspace::simple(dims, &maximum);
  ASSERT_TRUE(space);
  for (unsigned width : {2U, 4U, 8U}) {
    ByteWriter out;
    ASSERT_TRUE(
        encode_dataspace_message(*space, FormatVersion::kV18, FileSizes{8, width}, out).ok());
    ByteReader reader(out.view());
    const auto again = decode_dataspace_message(reader, FileSizes{8, width});
    ASSERT_TRUE(again);
    EXPECT_TRUE(space->same_extent(*again));
  }
  const Dims wide{70000};
  ByteWriter out;
  EXPECT_FALSE(encode_dataspace_message(Dataspace::simple(wide).value(), FormatVersion::kV18,
                                        FileSizes{8, 2}, out)
                   .ok());
}

TEST(DataspaceMessage, MaximumMayBeMissing) {
  const auto bytes = hex("02 01 00 01 05 00*7");
  ByteReader reader(bytes);
  const auto space = decode_dataspace_message(reader, kWide);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->max_dims(), (Dims{5}));
}

TEST(FillValueMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_fill_value_message(r); };
  auto encode = [](FormatVersion v) {
    return [v](const FillValueMessage& m, ByteWriter& w) {
      return encode_fill_value_message(m, v, w);
    };
  };
  const auto old = encode(FormatVersion::kEarliest);
  const auto now = encode(FormatVersion::kV18);
  check_golden("02 02 02 01 00 00 00 00", decode, old,
               [](const FillValueMessage& m) { EXPECT_EQ(m, FillValueMessage()); });
  check_golden("02 03 02 00", decode, old, [](const FillValueMessage& m) {
    EXPECT_EQ(m.state, FillState::kUndefined);
    EXPECT_EQ(m.allocation, AllocTime::kIncremental);
  });
  check_golden("02 01 02 01 04 00 00 00 07 00 00 00", decode, old, [](const FillValueMessage& m) {
    EXPECT_EQ(m.state, FillState::kUserDefined);
    EXPECT_EQ(m.value.size(), 4U);
  });
  check_golden("02 01 01 01 00 00 00 00", decode, old,
               [](const FillValueMessage& m) { EXPECT_EQ(m.time, FillTime::kNever); });
  check_golden("03 0a", decode, now,
               [](const FillValueMessage& m) { EXPECT_EQ(m, FillValueMessage()); });
  check_golden("03 1a", decode, now,
               [](const FillValueMessage& m) { EXPECT_EQ(m.state, FillState::kUndefined); });
  check_golden("03 29 04 00 00 00 07 00 00 00", decode, now, [](const FillValueMessage& m) {
    EXPECT_EQ(m.allocation, AllocTime::kEarly);
    EXPECT_EQ(m.value, hex("07 00 00 00"));
  });
  check_golden("03 05", decode, now, [](const FillValueMessage& m) {
    EXPECT_EQ(m.time, FillTime::kNever);
    EXPECT_EQ(m.state, FillState::kDefault);
  });
}

TEST(FillValueMessage, ReadsVersion1AndTheOldMessage) {
  const auto bytes = hex("01 02 00 01 02 00 00 00 ab cd");
  ByteReader reader(bytes);
  EXPECT_EQ(decode_fill_value_message(reader)->value, hex("ab cd"));
  check_golden(
      "04 00 00 00 07 00 00 00", [](ByteReader& r) { return decode_old_fill_value_message(r); },
      [](const std::vector<std::byte>& v, ByteWriter& w) {
        return encode_old_fill_value_message(v, w);
      },
      [](const std::vector<std::byte>& v) { EXPECT_EQ(v.size(), 4U); });
}

TEST(LinkMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_link_message(r, kWide); };
  auto encode = [](const LinkMessage& m, ByteWriter& w) {
    return encode_link_message(m, kWide, w);
  };
  check_golden("01 00 04 68 61 72 64 20 03 00*6", decode, encode, [](const LinkMessage& m) {
    EXPECT_EQ(m.name, "hard");
    EXPECT_EQ(m.address, 800U);
  });
  check_golden("01 08 01 04 73 6f 66 74 07 00 2f 63 6f 6e 74 69 67", decode, encode,
               [](const LinkMessage& m) {
                 EXPECT_EQ(m.type, kLinkSoft);
                 EXPECT_EQ(m.target, "/contig");
               });
  check_golden("01 08 40 03 65 78 74 0d 00 00 6f 74 68 65 72 2e 68 35 00 2f 78 00", decode, encode,
               [](const LinkMessage& m) {
                 EXPECT_EQ(m.type, kLinkExternal);
                 EXPECT_EQ(m.file, "other.h5");
                 EXPECT_EQ(m.target, "/x");
               });
  check_golden("01 0c 01 00*8 05 73 6f 66 74 32 07 00 2f 63 6f 6e 74 69 67", decode, encode,
               [](const LinkMessage& m) { EXPECT_EQ(m.creation_order, 0); });
  check_golden("01 10 01 02 c3 a4 cc 00*7", decode, encode, [](const LinkMessage& m) {
    EXPECT_EQ(m.charset, NameCharset::kUtf8);
    EXPECT_EQ(m.name, "\xc3\xa4");
  });
}

TEST(LinkMessage, RoundTripsLongNamesAndUserDefinedLinks) {
  for (std::size_t length : {255U, 256U, 65535U, 65536U}) {
    LinkMessage link;
    link.name.assign(length, 'n');
    link.type = 200;
    link.user_data = hex("01 02 03");
    ByteWriter out;
    ASSERT_TRUE(encode_link_message(link, kWide, out).ok());
    ByteReader reader(out.view());
    EXPECT_EQ(decode_link_message(reader, kWide).value(), link);
  }
}

TEST(LinkMessage, RefusesBadOnes) {
  for (const char* bad :
       {"01 00 00 20 03 00*6", "01 08 05 01 61 00 00", "01 20 01 61 20 00*7", "02 00 01 61 20 00*7",
        "01 03 01 ff*7 61", "01 00 01 61 ff*8", "01 08 40 01 61 05 00 10 61 00 62 00"}) {
    const auto bytes = hex(bad);
    ByteReader reader(bytes);
    EXPECT_FALSE(decode_link_message(reader, kWide)) << bad;
  }
}

TEST(LinkInfoMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_link_info_message(r, kWide); };
  auto encode = [](const LinkInfoMessage& m, ByteWriter& w) {
    return encode_link_info_message(m, kWide, w);
  };
  check_golden("00 00 ff*8 ff*8", decode, encode,
               [](const LinkInfoMessage& m) { EXPECT_EQ(m, LinkInfoMessage()); });
  check_golden("00 03 14 00*7 2e 6e 00*6 c0 6e 00*6 e6 6e 00*6", decode, encode,
               [](const LinkInfoMessage& m) {
                 EXPECT_TRUE(m.track_order && m.index_order);
                 EXPECT_EQ(m.max_creation_order, 20);
                 EXPECT_EQ(m.heap_address, 0x6e2eU);
                 EXPECT_EQ(m.order_index_address, 0x6ee6U);
               });
}

TEST(GroupInfoMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_group_info_message(r); };
  auto encode = [](const GroupInfoMessage& m, ByteWriter& w) {
    return encode_group_info_message(m, w);
  };
  check_golden("00 00", decode, encode,
               [](const GroupInfoMessage& m) { EXPECT_EQ(m, GroupInfoMessage()); });
  check_golden("00 01 05 00 03 00", decode, encode, [](const GroupInfoMessage& m) {
    EXPECT_EQ(m.phase_change->max_compact, 5);
    EXPECT_EQ(m.phase_change->min_dense, 3);
  });
  check_golden("00 03 05 00 03 00 10 00 20 00", decode, encode,
               [](const GroupInfoMessage& m) { EXPECT_EQ(m.estimate->name_length, 32); });
}

TEST(AttributeInfoMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_attribute_info_message(r, kWide); };
  auto encode = [](const AttributeInfoMessage& m, ByteWriter& w) {
    return encode_attribute_info_message(m, kWide, w);
  };
  check_golden("00 00 ff*8 ff*8", decode, encode,
               [](const AttributeInfoMessage& m) { EXPECT_EQ(m, AttributeInfoMessage()); });
  check_golden("00 03 15 00 fe 68 00*6 90 69 00*6 b6 69 00*6", decode, encode,
               [](const AttributeInfoMessage& m) {
                 EXPECT_EQ(m.max_creation_order, 21);
                 EXPECT_EQ(m.name_index_address, 0x6990U);
               });
}

TEST(SymbolTableMessage, Golden) {
  check_golden(
      "88 00*7 a8 02 00*6", [](ByteReader& r) { return decode_symbol_table_message(r, kWide); },
      [](const SymbolTableMessage& m, ByteWriter& w) {
        return encode_symbol_table_message(m, kWide, w);
      },
      [](const SymbolTableMessage& m) { EXPECT_EQ(m.heap_address, 0x2a8U); });
}

TEST(FilterPipelineMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_filter_pipeline_message(r); };
  using Filters = std::vector<FilterDescription>;
  auto encode = [](FormatVersion v) {
    return [v](const Filters& f, ByteWriter& w) { return encode_filter_pipeline_message(f, v, w); };
  };
  check_golden(
      "01 03 00*6 02 00 08 00 01 00 01 00 73 68 75 66 66 6c 65 00 04 00*7 01 00 08 00 01 00 01 00 "
      "64 65 66 6c 61 74 65 00 06 00*7 03 00 10 00 00 00 00 00 66 6c 65 74 63 68 65 72 33 32 00*6",
      decode, encode(FormatVersion::kEarliest), [](const Filters& f) {
        ASSERT_EQ(f.size(), 3U);
        EXPECT_EQ(f[0].name, "shuffle");
        EXPECT_EQ(f[0].client_data, (std::vector<std::uint32_t>{4}));
        EXPECT_EQ(f[1].id, 1);
        EXPECT_EQ(f[2].name, "fletcher32");
      });
  check_golden("02 03 02 00 01 00 01 00 04 00 00 00 01 00 01 00 01 00 06 00 00 00 03 00*5", decode,
               encode(FormatVersion::kV110), [](const Filters& f) {
                 ASSERT_EQ(f.size(), 3U);
                 EXPECT_EQ(f[1].flags, 1);
                 EXPECT_EQ(f[1].client_data, (std::vector<std::uint32_t>{6}));
                 EXPECT_EQ(f[2].name, "");
               });
  for (FormatVersion v : {FormatVersion::kEarliest, FormatVersion::kV18}) {
    const Filters filters = {{32000, 0, "lzf", {4, 261, 96}}, {305, 1, "", {}}};
    ByteWriter out;
    ASSERT_TRUE(encode_filter_pipeline_message(filters, v, out).ok());
    ByteReader reader(out.view());
    EXPECT_EQ(decode_filter_pipeline_message(reader).value(), filters);
  }
}

TEST(AttributeMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_attribute_message(r); };
  auto encode = [](FormatVersion v) {
    return
        [v](const AttributeMessage& m, ByteWriter& w) { return encode_attribute_message(m, v, w); };
  };
  check_golden(
      "01 00 06 00 0c 00 08 00 75 6e 69 74 73 00 00 00 10 08 00 00 02 00 00 00 00 00 10 00 00*4 01 "
      "00*7 07 00",
      decode, encode(FormatVersion::kEarliest), [](const AttributeMessage& m) {
        EXPECT_EQ(m.name, "units");
        EXPECT_EQ(m.datatype.size(), 12U);
        EXPECT_EQ(m.dataspace.size(), 8U);
        EXPECT_EQ(m.data, hex("07 00"));
      });
  check_golden("02 01 04 00 0a 00 08 00 63 74 61 00 02 02 5e 73 00*6 01 00*7 00*7 01", decode,
               encode(FormatVersion::kEarliest), [](const AttributeMessage& m) {
                 EXPECT_TRUE(m.datatype_shared);
                 EXPECT_EQ(m.data.size(), 8U);
               });
  check_golden(
      "03 00 06 00 0c 00 04 00 00 75 6e 69 74 73 00 10 08 00 00 02 00 00 00 00 00 10 00 "
      "02 00 00 00 07 00",
      decode, encode(FormatVersion::kV18),
      [](const AttributeMessage& m) { EXPECT_EQ(m.dataspace, hex("02 00 00 00")); });
  check_golden("03 00 03 00 02 00 02 00 01 c3 b6 00 aa bb cc dd", decode,
               encode(FormatVersion::kEarliest), [](const AttributeMessage& m) {
                 EXPECT_EQ(m.charset, NameCharset::kUtf8);
                 EXPECT_TRUE(m.data.empty());
               });
}

// What a search leaves out is another attribute's, whatever a message's bytes say.
TEST(AttributeMessage, MayBeNamedLeavesOutWhatHasAnotherName) {
  const std::vector<std::byte> golden[] = {
      hex("01 00 06 00 0c 00 08 00 75 6e 69 74 73 00 00 00 10 08 00 00 02 00 00 00 00 00 10 00 "
          "00*4 01 "
          "00*7 07 00"),
      hex("02 01 05 00 0a 00 08 00 75 6e 69 74 73 02 02 5e 73 00*6 01 00*7 00*7 01"),
      hex("03 00 06 00 0c 00 04 00 00 75 6e 69 74 73 00 10 08 00 00 02 00 00 00 00 00 10 00 "
          "02 00 00 00 07 00")};
  std::size_t other = 0, same = 0;
  for (const auto& good : golden)
    for (std::size_t size = good.size() + 1; size-- > 0;)
      for (std::size_t at = 0; at < std::max<std::size_t>(size, 1); ++at)
        for (const unsigned change : {0U, 1U, 2U, 4U, 8U, 0x75U, 0xffU}) {
          std::vector<std::byte> bytes(good.begin(),
                                       good.begin() + static_cast<std::ptrdiff_t>(size));
          if (size > 0) bytes[at] ^= static_cast<std::byte>(change);
          ByteReader reader(bytes);
          const auto view = view_attribute_message(reader);
          for (const char* name : {"units", "unit", "u", "unitss", "other", "tnits"}) {
            const bool may_be = may_be_named(bytes, name);
            if (!view) continue;
            EXPECT_EQ(may_be, view->name == name) << name;
            ++(view->name == name ? same : other);
          }
        }
  EXPECT_GT(same, 1000U);
  EXPECT_GT(other, 1000U);
}

TEST(SharedMessage, Golden) {
  auto decode = [](ByteReader& r) { return decode_shared_message(r, kWide); };
  auto encode = [](const SharedMessage& m, ByteWriter& w) {
    return encode_shared_message(m, kWide, w);
  };
  check_golden("02 02 5e 73 00*6", decode, encode,
               [](const SharedMessage& m) { EXPECT_EQ(committed_address(m).value(), 0x735eU); });
  check_golden("03 01 01 02 03 04 05 06 07 08", decode, encode, [](const SharedMessage& m) {
    EXPECT_EQ(m.place, SharedPlace::kSharedHeap);
    EXPECT_FALSE(committed_address(m));
  });
  for (const char* other :
       {"01 00 00*6 5e 73 00*6", "03 02 5e 73 00*6", "01 00 00*6 10 00*7 5e 73 00*6 00*24"}) {
    const auto bytes = hex(other);
    ByteReader reader(bytes);
    EXPECT_EQ(decode(reader)->address, 0x735eU);
  }
}

TEST(ModificationTimeMessage, GoldenAndOldForm) {
  check_golden(
      "01 00 00 00 32 db ff 6a", [](ByteReader& r) { return decode_modification_time_message(r); },
      [](std::uint32_t t, ByteWriter& w) { return encode_modification_time_message(t, w); },
      [](std::uint32_t t) { EXPECT_EQ(t, 0x6affdb32U); });
  auto old = [](std::string_view text) {
    ByteWriter out;
    out.text(text);
    out.zeros(2);
    ByteReader reader(out.view());
    return decode_old_modification_time_message(reader);
  };
  EXPECT_EQ(old("19700101000000").value(), 0U);
  EXPECT_EQ(old("20000229123456").value(), 951827696U);
  EXPECT_EQ(old("19991231235959").value(), 946684799U);
  EXPECT_FALSE(old("1999123123595x"));
  EXPECT_FALSE(old("19991331235959"));
  EXPECT_FALSE(old("30000101000000"));
}

TEST(SmallMessages, Golden) {
  check_golden(
      "61 20 63 6f 6d 6d 65 6e 74 00", [](ByteReader& r) { return decode_comment_message(r); },
      [](const std::string& c, ByteWriter& w) { return encode_comment_message(c, w); },
      [](const std::string& c) { EXPECT_EQ(c, "a comment"); });
  check_golden(
      "00 07 00 03 00 05 00", [](ByteReader& r) { return decode_btree_k_message(r); },
      [](const BtreeKMessage& k, ByteWriter& w) { return encode_btree_k_message(k, w); },
      [](const BtreeKMessage& k) {
        EXPECT_EQ(k, (BtreeKMessage{7, 3, 5}));
      });
  check_golden(
      "00 02 00 00 00", [](ByteReader& r) { return decode_reference_count_message(r); },
      [](std::uint32_t n, ByteWriter& w) { return encode_reference_count_message(n, w); },
      [](std::uint32_t n) { EXPECT_EQ(n, 2U); });
  check_golden(
      "01 00 00 00 01 00 01 00 9e 78 00*6 08 00*7 00*8 60 00*7",
      [](ByteReader& r) { return decode_external_files_message(r, kWide); },
      [](const ExternalFilesMessage& m, ByteWriter& w) {
        return encode_external_files_message(m, kWide, w);
      },
      [](const ExternalFilesMessage& m) {
        ASSERT_EQ(m.slots.size(), 1U);
        EXPECT_EQ(m.slots[0].name_offset, 8U);
        EXPECT_EQ(m.slots[0].size, 96U);
      });
}

TEST(ExtensionMessages, PagesThatNoFileHasAreRefusedWhereThereArePages) {
  for (const FileSpaceStrategy strategy :
       {FileSpaceStrategy::kPaged, FileSpaceStrategy::kAggregators}) {
    FileSpaceInfoMessage info;
    info.strategy = strategy;
    for (const std::uint64_t page : {std::uint64_t{0}, std::uint64_t{511}, std::uint64_t{512},
                                     std::uint64_t{1} << 30, std::uint64_t{1} << 33}) {
      info.page_size = page;
      ByteWriter out;
      ASSERT_TRUE(encode_file_space_info_message(info, kWide, out).ok());
      ByteReader reader(out.view());
      const bool fits =
          strategy != FileSpaceStrategy::kPaged || (page >= 512 && page <= std::uint64_t{1} << 30);
      EXPECT_EQ(decode_file_space_info_message(reader, kWide).has_value(), fits) << page;
    }
  }
}

TEST(ExtensionMessages, Golden) {
  check_golden(
      "01 01 00 01 00*7 00 10 00*6 00 00 ff*8",
      [](ByteReader& r) { return decode_file_space_info_message(r, kWide); },
      [](const FileSpaceInfoMessage& m, ByteWriter& w) {
        return encode_file_space_info_message(m, kWide, w);
      },
      [](const FileSpaceInfoMessage& m) {
        EXPECT_EQ(m.strategy, FileSpaceStrategy::kPaged);
        EXPECT_EQ(m.page_size, 4096U);
        EXPECT_FALSE(m.persist);
      });
  check_golden(
      "01 01 01 01 00*7 00 10 00*6 00 00 00 20 00*6 00 20 00*6 ff*8 e0 05 00*6 ff*72",
      [](ByteReader& r) { return decode_file_space_info_message(r, kWide); },
      [](const FileSpaceInfoMessage& m, ByteWriter& w) {
        return encode_file_space_info_message(m, kWide, w);
      },
      [](const FileSpaceInfoMessage& m) {
        EXPECT_EQ(m.end_of_allocation, 0x2000U);
        EXPECT_EQ(m.managers[2], 0x5e0U);
      });
  check_golden(
      "00 10 00*7 20 00*7", [](ByteReader& r) { return decode_cache_image_message(r, kWide); },
      [](const CacheImageMessage& m, ByteWriter& w) {
        return encode_cache_image_message(m, kWide, w);
      },
      [](const CacheImageMessage& m) { EXPECT_EQ(m.size, 32U); });
  check_golden(
      "00 10 00*7 02", [](ByteReader& r) { return decode_shared_table_message(r, kWide); },
      [](const SharedTableMessage& m, ByteWriter& w) {
        return encode_shared_table_message(m, kWide, w);
      },
      [](const SharedTableMessage& m) { EXPECT_EQ(m.index_count, 2U); });
  check_golden(
      "00 4e 43 53 41 66 61 6d 69 08 00 00 00 00 40 00*4",
      [](ByteReader& r) { return decode_driver_info_message(r); },
      [](const DriverInfoMessage& m, ByteWriter& w) { return encode_driver_info_message(m, w); },
      [](const DriverInfoMessage& m) { EXPECT_EQ(m.driver, "NCSAfami"); });
}

TEST(ExtensionMessages, OldStrategiesAreTranslated) {
  const char* kept = "01 00*7 ff*40 20 00*7";
  const char* lost = "01 00*7";
  for (const auto& [number, strategy, persist] :
       {std::tuple{"01", FileSpaceStrategy::kFreeSpaceAggregators, true},
        std::tuple{"02", FileSpaceStrategy::kFreeSpaceAggregators, false},
        std::tuple{"03", FileSpaceStrategy::kAggregators, false},
        std::tuple{"04", FileSpaceStrategy::kNone, false}}) {
    const auto bytes = hex(std::string("00 ") + number + (persist ? kept : lost));
    ByteReader reader(bytes);
    const auto info = decode_file_space_info_message(reader, kWide);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->strategy, strategy);
    EXPECT_EQ(info->persist, persist);
    EXPECT_EQ(info->managers[5], persist ? 32 : kUndefinedAddress);
  }
}

}  // namespace
}  // namespace pcio
