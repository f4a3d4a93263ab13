// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The Datatype message against bytes that libhdf5 1.10.8 wrote (default and 1.8 low library bound),
// and against damaged bytes.

#include "format/datatype_message.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "type/convert.hpp"
#include "type/native_types.hpp"

namespace pcio {
namespace {

constexpr ByteOrder kLittle = ByteOrder::kLittle;
constexpr ByteOrder kBig = ByteOrder::kBig;
constexpr SignScheme kSigned = SignScheme::kTwosComplement;
constexpr SignScheme kUnsigned = SignScheme::kUnsigned;

Datatype padded_integer() {
  Datatype type = Datatype::integer(4, kLittle, kSigned);
  EXPECT_TRUE(type.set_precision(17).ok());
  EXPECT_TRUE(type.set_bit_offset(5).ok());
  EXPECT_TRUE(type.set_pads(BitPad::kOne, BitPad::kBackground).ok());
  return type;
}

Datatype one_member() {
  Datatype type = Datatype::compound(4);
  EXPECT_TRUE(type.insert("i", 0, Datatype::integer(4, kLittle, kSigned)).ok());
  return type;
}

Datatype two_members() {
  Datatype type = Datatype::compound(24);
  EXPECT_TRUE(type.insert("a", 0, Datatype::integer(4, kLittle, kSigned)).ok());
  EXPECT_TRUE(type.insert("longname", 8, Datatype::ieee_double(kLittle)).ok());
  return type;
}

Datatype colours() {
  Datatype type = *Datatype::enumeration(Datatype::integer(2, kLittle, kSigned));
  const std::byte three[] = {std::byte{3}, std::byte{0}};
  const std::byte minus_one[] = {std::byte{255}, std::byte{255}};
  EXPECT_TRUE(type.insert_enum("RED", three).ok());
  EXPECT_TRUE(type.insert_enum("LONGGREEN", minus_one).ok());
  return type;
}

Datatype small_array() { return *Datatype::array(Datatype::integer(2, kBig, kSigned), {2, 3}); }

Datatype array_first() {
  Datatype type = Datatype::compound(400);
  EXPECT_TRUE(type.insert("a", 0, small_array()).ok());
  EXPECT_TRUE(type.insert("e", 300, colours()).ok());
  EXPECT_TRUE(type.insert("i", 20, Datatype::integer(4, kLittle, kSigned)).ok());
  return type;
}

Datatype nested() {
  Datatype type = Datatype::compound(400);
  EXPECT_TRUE(type.insert("x", 0, array_first()).ok());
  return type;
}

Datatype array_last() {
  Datatype type = Datatype::compound(40);
  EXPECT_TRUE(type.insert("x", 4, one_member()).ok());
  EXPECT_TRUE(type.insert("e", 8, colours()).ok());
  EXPECT_TRUE(type.insert("arr", 12, small_array()).ok());
  return type;
}

struct Golden {
  const char* name;
  Datatype type;
  std::string earliest;  // default library bounds
  std::string v18;       // low bound 1.8 or later
};

const std::vector<Golden>& golden() {
  static const std::vector<Golden> table = {
      {"i32be", Datatype::integer(4, kBig, kSigned), "100900000400000000002000",
       "100900000400000000002000"},
      {"u16le", Datatype::integer(2, kLittle, kUnsigned), "100000000200000000001000",
       "100000000200000000001000"},
      {"f32le", Datatype::ieee_float(kLittle), "11201f000400000000002000170800177f000000",
       "11201f000400000000002000170800177f000000"},
      {"f64be", Datatype::ieee_double(kBig), "11213f000800000000004000340b0034ff030000",
       "11213f000800000000004000340b0034ff030000"},
      {"vaxf32", native_type(NativeKind::VAX_F32), "31611f0004000000000020001708001781000000",
       "31611f0004000000000020001708001781000000"},
      {"vaxf64", native_type(NativeKind::VAX_F64), "31613f000800000000004000340b003401040000",
       "31613f000800000000004000340b003401040000"},
      {"ldbl", native_type(NativeKind::NATIVE_LDOUBLE), "11004f001000000000005000400f0040ff3f0000",
       "11004f001000000000005000400f0040ff3f0000"},
      {"i17@5", padded_integer(), "100e00000400000005001100", "100e00000400000005001100"},
      {"c_s1", native_type(NativeKind::C_S1), "1300000001000000", "1300000001000000"},
      {"f_s1", native_type(NativeKind::FORTRAN_S1), "1302000001000000", "1302000001000000"},
      {"s11", Datatype::string(11, StringPad::kNullPadded, CharacterSet::kUtf8), "131100000b000000",
       "131100000b000000"},
      {"b16be", Datatype::bitfield(2, kBig), "140100000200000000001000",
       "140100000200000000001000"},
      {"d32", native_type(NativeKind::UNIX_D32LE), "12000000040000002000", "12000000040000002000"},
      {"d64be", native_type(NativeKind::UNIX_D64BE), "12010000080000004000",
       "12010000080000004000"},
      {"opaque", Datatype::opaque(5, "abc tag"), "15080000050000006162632074616700",
       "15080000050000006162632074616700"},
      {"opaque8", Datatype::opaque(5, "12345678"), "15080000050000003132333435363738",
       "15080000050000003132333435363738"},
      {"opaque_notag", Datatype::opaque(5), "1500000005000000", "1500000005000000"},
      {"comp", two_members(),
       "16020000180000006100000000000000000000000000000000000000000000000000000000000000"
       "00000000000000001008000004000000000020006c6f6e676e616d65000000000000000008000000"
       "0000000000000000000000000000000000000000000000000000000011203f000800000000004000"
       "340b0034ff030000",
       "36020000180000006100001008000004000000000020006c6f6e676e616d65000811203f00080000"
       "0000004000340b0034ff030000"},
      {"enum", colours(),
       "180200000200000010080000020000000000100052454400000000004c4f4e47475245454e000000"
       "000000000300ffff",
       "3802000002000000100800000200000000001000524544004c4f4e47475245454e000300ffff"},
      {"array", small_array(),
       "2a0000000c0000000200000002000000030000000000000001000000100900000200000000001000",
       "3a0000000c000000020200000003000000100900000200000000001000"},
      {"comp_arr", array_first(),
       "26030000900100006100000000000000000000002a0000000c000000020000000200000003000000"
       "000000000100000010090000020000000000100065000000000000002c0100001802000002000000"
       "10080000020000000000100052454400000000004c4f4e47475245454e000000000000000300ffff"
       "690000000000000014000000100800000400000000002000",
       "3603000090010000610000003a0000000c0000000202000000030000001009000002000000000010"
       "0065002c013802000002000000100800000200000000001000524544004c4f4e47475245454e0003"
       "00ffff69001400100800000400000000002000"},
      {"comp_nest", nested(),
       "26010000900100007800000000000000000000002603000090010000610000000000000000000000"
       "2a0000000c0000000200000002000000030000000000000001000000100900000200000000001000"
       "65000000000000002c01000028020000020000001008000002000000000010005245440000000000"
       "4c4f4e47475245454e000000000000000300ffff6900000000000000140000001008000004000000"
       "00002000",
       "3601000090010000780000003603000090010000610000003a0000000c0000000202000000030000"
       "0010090000020000000000100065002c013802000002000000100800000200000000001000524544"
       "004c4f4e47475245454e000300ffff69001400100800000400000000002000"},
      {"comp_mixed", array_last(),
       "26030000280000007800000000000000040000002601000004000000690000000000000000000000"
       "10080000040000000000200065000000000000000800000028020000020000001008000002000000"
       "0000100052454400000000004c4f4e47475245454e000000000000000300ffff6172720000000000"
       "0c0000002a0000000c00000002000000020000000300000000000000010000001009000002000000"
       "00001000",
       "36030000280000007800043601000004000000690000100800000400000000002000650008380200"
       "0002000000100800000200000000001000524544004c4f4e47475245454e000300ffff617272000c"
       "3a0000000c000000020200000003000000100900000200000000001000"},
      {"vlen", Datatype::vlen(Datatype::integer(4, kLittle, kSigned)).file_form(8),
       "1900000010000000100800000400000000002000", "1900000010000000100800000400000000002000"},
      {"vstr", Datatype::vlen_string(StringPad::kNullTerminated, CharacterSet::kUtf8).file_form(8),
       "1901010010000000100000000100000000000800", "1901010010000000100000000100000000000800"},
      {"vl_arr", Datatype::vlen(small_array()).file_form(8),
       "29000000100000002a0000000c000000020000000200000003000000000000000100000010090000"
       "0200000000001000",
       "39000000100000003a0000000c000000020200000003000000100900000200000000001000"},
      {"ref", Datatype::reference(ReferenceKind::kObject), "1700000008000000", "1700000008000000"},
      {"reg", Datatype::reference(ReferenceKind::kRegion), "170100000c000000", "170100000c000000"},
      {"vl_comp", Datatype::vlen(one_member()).file_form(8),
       "19000000100000001601000004000000690000000000000000000000000000000000000000000000"
       "00000000000000000000000000000000100800000400000000002000",
       "39000000100000003601000004000000690000100800000400000000002000"},
      {"arr_enum", *Datatype::array(colours(), {2}),
       "2a000000040000000100000002000000000000001802000002000000100800000200000000001000"
       "52454400000000004c4f4e47475245454e000000000000000300ffff",
       "3a0000000400000001020000003802000002000000100800000200000000001000524544004c4f4e"
       "47475245454e000300ffff"},
      {"arr_comp", *Datatype::array(one_member(), {2}),
       "2a000000080000000100000002000000000000001601000004000000690000000000000000000000"
       "00000000000000000000000000000000000000000000000000000000100800000400000000002000",
       "3a0000000800000001020000003601000004000000690000100800000400000000002000"},
  };
  return table;
}

using Data = std::vector<std::byte>;

Data from_hex(const std::string& text) {
  Data data;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    data.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return data;
}

std::string to_hex(ConstBytes data) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte b : data) {
    text += kDigits[static_cast<unsigned>(b) >> 4];
    text += kDigits[static_cast<unsigned>(b) & 15];
  }
  return text;
}

std::string encoded(const Datatype& type, DatatypePolicy policy) {
  ByteWriter writer;
  EXPECT_TRUE(encode_datatype(type, writer, policy).ok());
  return to_hex(writer.view());
}

Result<Datatype> decoded(const Data& data) {
  ByteReader reader(data);
  return decode_datatype(reader);
}

/// A background pad has no code in the file and is read as ones.
Datatype as_stored(const Datatype& type) {
  if (type.node().msb_pad != BitPad::kBackground) return type;
  Datatype stored = type;
  EXPECT_TRUE(stored.set_pads(type.node().lsb_pad, BitPad::kOne).ok());
  return stored;
}

TEST(DatatypeMessage, EncodesAsLibhdf5) {
  for (const Golden& g : golden()) {
    EXPECT_EQ(encoded(g.type, DatatypePolicy::kEarliest), g.earliest) << g.name;
    EXPECT_EQ(encoded(g.type, DatatypePolicy::kV18), g.v18) << g.name;
  }
}

TEST(DatatypeMessage, DecodesWhatLibhdf5Wrote) {
  for (const Golden& g : golden()) {
    for (const std::string& text : {g.earliest, g.v18}) {
      const auto type = decoded(from_hex(text));
      ASSERT_TRUE(type) << g.name << ": " << type.error().message();
      EXPECT_TRUE(*type == as_stored(g.type)) << g.name;
      // What was read is written again in the version it had.
      EXPECT_EQ(encoded(*type, DatatypePolicy::kEarliest), text) << g.name;
    }
  }
}

TEST(DatatypeMessage, StopsBehindTheType) {
  Data data = from_hex(golden().front().earliest);
  const std::size_t length = data.size();
  data.resize(length + 4);
  ByteReader reader(data);
  ASSERT_TRUE(decode_datatype(reader));
  EXPECT_EQ(reader.position(), length);
}

TEST(DatatypeMessage, EveryCutIsRefused) {
  for (const Golden& g : golden()) {
    const Data whole = from_hex(g.earliest);
    for (std::size_t n = 0; n < whole.size(); ++n)
      EXPECT_FALSE(decoded(Data(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n))))
          << g.name << " cut to " << n;
  }
}

TEST(DatatypeMessage, DamageNeverHurts) {
  std::mt19937 random(7);
  for (const Golden& g : golden()) {
    for (int round = 0; round < 2000; ++round) {
      Data data = from_hex(round % 2 != 0 ? g.earliest : g.v18);
      for (unsigned i = 0; i < 1 + random() % 3; ++i)
        data[random() % data.size()] = static_cast<std::byte>(random());
      const auto type = decoded(data);
      if (!type) continue;
      // Whatever was accepted is consistent: inside its size, and can be written again.
      ByteWriter writer;
      EXPECT_GT(type->size(), 0U);
      EXPECT_TRUE(encode_datatype(*type, writer).ok()) << g.name;
    }
  }
}

std::string compound_with(const char* first_offset, const char* second_offset) {
  const std::string i32 = "100800000400000000002000";
  return std::string("3602000008000000") + "6100" + first_offset + i32 + "6200" + second_offset +
         i32;
}

TEST(DatatypeMessage, MembersMustFitAndNotOverlap) {
  EXPECT_TRUE(decoded(from_hex(compound_with("00", "04"))));
  EXPECT_TRUE(decoded(from_hex(compound_with("04", "00"))));
  EXPECT_FALSE(decoded(from_hex(compound_with("00", "05"))));
  EXPECT_FALSE(decoded(from_hex(compound_with("00", "ff"))));
  EXPECT_FALSE(decoded(from_hex(compound_with("00", "03"))));
  EXPECT_FALSE(decoded(from_hex(compound_with("04", "04"))));
}

TEST(DatatypeMessage, RefusesWhatIsNoType) {
  EXPECT_FALSE(decoded(from_hex("100800000000000000002000")));  // size 0
  EXPECT_FALSE(decoded(from_hex("100800000400000001002000")));  // bits beyond the size
  EXPECT_FALSE(decoded(from_hex("000800000400000000002000")));  // version 0
  EXPECT_FALSE(decoded(from_hex("500800000400000000002000")));  // version 5
  EXPECT_FALSE(decoded(from_hex("1b0800000400000000002000")));  // class 11
  EXPECT_FALSE(decoded(from_hex("1a00000004000000")));          // array in version 1
  EXPECT_FALSE(decoded(from_hex("3a0000000400000000")));        // array without dimensions
  EXPECT_FALSE(decoded(from_hex("1300000000000000")));          // string of size 0
}

/// References of HDF5 1.12 and later are bytes: kept as the file says them, and equal to no other kind.
TEST(DatatypeMessage, ReferencesOfLaterKindsAreKept) {
  const auto later = decoded(from_hex("4712000012000000")),
             other = decoded(from_hex("4713000012000000")),
             region = decoded(from_hex("1701000012000000"));
  ASSERT_TRUE(later && other && region);
  EXPECT_EQ(later->size(), 18U);
  EXPECT_FALSE(*later == *other);
  EXPECT_FALSE(*later == *region);
  EXPECT_EQ(later->memory_form().size(), 18U);
  EXPECT_TRUE(Conversion::make(*later, *later));
  EXPECT_FALSE(Conversion::make(*later, *other));
  ByteWriter writer;
  ASSERT_TRUE(encode_datatype(*later, writer).ok());
  EXPECT_EQ(writer.view()[1], std::byte{0x12});
}

TEST(DatatypeMessage, ArraySizeMustBeTheProduct) {
  const std::string i16 = "100800000200000000001000";
  EXPECT_TRUE(
      decoded(from_hex("3a0000000600000001"
                       "03000000" +
                       i16)));
  EXPECT_FALSE(
      decoded(from_hex("3a0000000800000001"
                       "03000000" +
                       i16)));
  EXPECT_FALSE(
      decoded(from_hex("3a0000000600000001"
                       "00000000" +
                       i16)));
  EXPECT_FALSE(
      decoded(from_hex("3a0000000600000002"
                       "ffffffff"
                       "ffffffff" +
                       i16)));
}

TEST(DatatypeMessage, DepthIsLimited) {
  const auto nested_arrays = [](unsigned levels) {
    std::string text;
    for (unsigned i = 0; i < levels; ++i)
      text +=
          "3a0000000200000001"
          "01000000";
    return text + "100800000200000000001000";
  };
  EXPECT_TRUE(decoded(from_hex(nested_arrays(kMaxDatatypeDepth - 1))));
  EXPECT_FALSE(decoded(from_hex(nested_arrays(kMaxDatatypeDepth))));
  EXPECT_FALSE(decoded(from_hex(nested_arrays(100000))));
}

/// What could not be read again is not written.
TEST(DatatypeMessage, WhatIsNestedTooDeeplyIsNotEncoded) {
  Datatype type = Datatype::integer(1, kLittle, kSigned);
  for (unsigned depth = 1; depth <= kMaxDatatypeDepth + 1; ++depth) {
    ByteWriter writer;
    const bool good = encode_datatype(type, writer, DatatypePolicy::kEarliest).ok();
    EXPECT_EQ(good, depth <= kMaxDatatypeDepth) << depth;
    if (good) {
      EXPECT_TRUE(decoded(from_hex(to_hex(writer.view())))) << depth;
    }
    Datatype outer = Datatype::compound(type.size());
    ASSERT_TRUE(outer.insert("m", 0, type).ok());
    type = outer;
  }
}

TEST(DatatypeMessage, DimensionsOfAVersion1MemberBecomeAnArray) {
  const std::string i16 = "100800000200000000001000";
  const std::string member = std::string("6100000000000000") + "00000000" + "02000000" +
                             "00000000" + "00000000" + "02000000" + "03000000" + "00000000" +
                             "00000000" + i16;
  const auto type = decoded(from_hex("160100000c000000" + member));
  ASSERT_TRUE(type) << type.error().message();
  ASSERT_EQ(type->members().size(), 1U);
  EXPECT_TRUE(type->members()[0].type ==
              *Datatype::array(Datatype::integer(2, kLittle, kSigned), {2, 3}));
  ByteWriter writer;
  EXPECT_TRUE(encode_datatype(*type, writer).ok());
  EXPECT_TRUE(*decoded(Data(std::move(writer).take())) == *type);
}

TEST(DatatypeMessage, RefusesVariableLengthTypesOfOtherSizesThanElementsHave) {
  const Datatype sequence = Datatype::vlen(Datatype::integer(4, kLittle, kSigned)).file_form(8);
  const Datatype text =
      Datatype::vlen_string(StringPad::kNullTerminated, CharacterSet::kUtf8).file_form(8);
  for (const Datatype& type : {sequence, text}) {
    ByteWriter writer;
    ASSERT_TRUE(encode_datatype(type, writer).ok());
    const Data bytes = std::move(writer).take();
    ASSERT_TRUE(decoded(bytes));
    for (unsigned size = 0; size < 40; ++size) {
      Data other = bytes;
      other[4] = static_cast<std::byte>(size);
      const bool possible = size == 8 || size == 10 || size == 12 || size == 16;
      EXPECT_EQ(decoded(other).has_value(), possible) << size;
    }
  }
  // The characters of a string are bytes.
  ByteWriter writer;
  ASSERT_TRUE(encode_datatype(text, writer).ok());
  Data wide = std::move(writer).take();
  wide[8 + 4] = std::byte{64};
  EXPECT_FALSE(decoded(wide));
}

TEST(DatatypeMessage, RefusesNumbersThatDoNotFitTheFields) {
  ByteWriter writer;
  EXPECT_FALSE(encode_datatype(Datatype::opaque(5, std::string(249, 'x')), writer).ok());
  EXPECT_FALSE(encode_datatype(Datatype::compound(4), writer).ok());
  const auto big = Datatype::array(Datatype::integer(8, kLittle, kSigned), {1U << 31, 2});
  ASSERT_TRUE(big);
  EXPECT_FALSE(encode_datatype(*big, writer).ok());
}

}  // namespace
}  // namespace pcio
