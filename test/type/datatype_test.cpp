// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datatypes as values: factories, queries, setters (results as libhdf5 1.10.8 was seen to give),
// members, forms, native equivalents.

#include "type/datatype.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "type/native_types.hpp"

namespace pcio {
namespace {

constexpr ByteOrder kLittle = ByteOrder::kLittle;
constexpr ByteOrder kBig = ByteOrder::kBig;
constexpr SignScheme kSigned = SignScheme::kTwosComplement;

Datatype int32() { return Datatype::integer(4, kLittle, kSigned); }
Datatype int16(ByteOrder order = kLittle) { return Datatype::integer(2, order, kSigned); }

/// Size, precision and bit offset in one, to compare at once.
struct Bits {
  std::size_t size;
  std::size_t precision;
  unsigned offset;
  friend bool operator==(const Bits&, const Bits&) = default;
};
Bits bits(const Datatype& t) { return {t.size(), *t.precision(), *t.bit_offset()}; }

TEST(Datatype, CopiesAreIndependent) {
  const Datatype a = int32();
  Datatype b = a;
  ASSERT_TRUE(b.set_order(kBig).ok());
  EXPECT_EQ(*a.order(), kLittle);
  EXPECT_EQ(*b.order(), kBig);
  EXPECT_FALSE(a == b);
  ASSERT_TRUE(b.set_order(kLittle).ok());
  EXPECT_TRUE(a == b);
}

TEST(Datatype, DefaultIsOneOpaqueByte) {
  EXPECT_EQ(Datatype().type_class(), TypeClass::kOpaque);
  EXPECT_EQ(Datatype().size(), 1U);
  EXPECT_TRUE(Datatype() == native_type(NativeKind::NATIVE_OPAQUE));
}

TEST(DatatypeSetters, SizeAndPrecisionPushTheNumberDown) {
  Datatype t = int32();
  EXPECT_FALSE(t.set_size(0).ok());
  ASSERT_TRUE(t.set_precision(8).ok());
  ASSERT_TRUE(t.set_bit_offset(28).ok());
  EXPECT_EQ(bits(t), (Bits{5, 8, 28}));
  ASSERT_TRUE(t.set_precision(4).ok());
  ASSERT_TRUE(t.set_size(2).ok());
  EXPECT_EQ(bits(t), (Bits{2, 4, 12}));
  ASSERT_TRUE(t.set_size(1).ok());
  EXPECT_EQ(bits(t), (Bits{1, 4, 4}));
  ASSERT_TRUE(t.set_precision(20).ok());
  EXPECT_EQ(bits(t), (Bits{3, 20, 0}));
  ASSERT_TRUE(t.set_bit_offset(30).ok());
  EXPECT_EQ(bits(t), (Bits{7, 20, 30}));
  EXPECT_FALSE(t.set_precision(0).ok());
}

TEST(DatatypeSetters, GrowingKeepsThePrecision) {
  Datatype t = int32();
  ASSERT_TRUE(t.set_size(12).ok());
  EXPECT_EQ(bits(t), (Bits{12, 32, 0}));
  t = int32();
  ASSERT_TRUE(t.set_size(3).ok());
  EXPECT_EQ(bits(t), (Bits{3, 24, 0}));
  ASSERT_TRUE(t.set_precision(100).ok());
  EXPECT_EQ(bits(t), (Bits{13, 100, 0}));
}

TEST(DatatypeSetters, FloatFieldsMustStayInside) {
  Datatype t = Datatype::ieee_float(kLittle);
  EXPECT_FALSE(t.set_precision(31).ok());
  EXPECT_FALSE(t.set_size(3).ok());
  EXPECT_TRUE(t == Datatype::ieee_float(kLittle));
  ASSERT_TRUE(t.set_size(8).ok());
  ASSERT_TRUE(t.set_bit_offset(10).ok());
  ASSERT_TRUE(t.set_precision(60).ok());
  EXPECT_EQ(bits(t), (Bits{8, 60, 4}));
  FloatFields f{45, 30, 10, 0, 30, 0, Normalization::kNone, BitPad::kOne};
  ASSERT_TRUE(t.set_fields(f).ok());
  EXPECT_EQ(t.fields()->exponent_bias, 127U);
  EXPECT_EQ(t.fields()->norm, Normalization::kImplied);
  ASSERT_TRUE(t.set_bit_offset(0).ok());
  EXPECT_FALSE(t.set_precision(45).ok());
  EXPECT_TRUE(t.set_precision(46).ok());
  f.mantissa_size = 31;
  EXPECT_FALSE(t.set_fields(f).ok());
}

TEST(DatatypeSetters, OrdersThatTypesCanHave) {
  for (const int order : {0, 1, 2, 3, 4}) {
    const auto wanted = static_cast<ByteOrder>(order);
    const auto accepts = [wanted](Datatype t) { return t.set_order(wanted).ok(); };
    EXPECT_EQ(accepts(int32()), order <= 2);
    EXPECT_EQ(accepts(Datatype::string(3)), order != 3);
    EXPECT_EQ(accepts(Datatype::reference(ReferenceKind::kObject)), order != 3);
    EXPECT_EQ(accepts(Datatype::opaque(3)), order != 3);
    Datatype symbols = *Datatype::enumeration(int16());
    EXPECT_EQ(accepts(symbols), order <= 2) << "no symbol has a value yet";
    const std::byte one[2] = {std::byte{1}, std::byte{0}};
    ASSERT_TRUE(symbols.insert_enum("ONE", one).ok());
    EXPECT_FALSE(accepts(symbols));
    EXPECT_EQ(accepts(*Datatype::array(int32(), {2})), order <= 2);
    EXPECT_EQ(accepts(Datatype::vlen(int32())), order <= 2);
  }
}

TEST(DatatypeSetters, ArraysAndSequencesChangeTheirBase) {
  Datatype array = *Datatype::array(int32(), {3});
  ASSERT_TRUE(array.set_size(5).ok());
  EXPECT_EQ(array.size(), 15U);
  EXPECT_EQ(array.super()->size(), 5U);
  Datatype vlen = Datatype::vlen(int16());
  ASSERT_TRUE(vlen.set_precision(30).ok());
  EXPECT_EQ(vlen.size(), 16U);
  EXPECT_EQ(*vlen.precision(), 30U);
}

TEST(DatatypeSetters, Strings) {
  Datatype t = Datatype::string(1);
  ASSERT_TRUE(t.set_size(12).ok());
  EXPECT_EQ(*t.precision(), 96U);
  EXPECT_FALSE(t.set_precision(8).ok());
  ASSERT_TRUE(t.set_string_pad(StringPad::kSpacePadded).ok());
  ASSERT_TRUE(t.set_variable_size().ok());
  EXPECT_TRUE(t.is_variable_string());
  EXPECT_EQ(t.size(), 8U);
  EXPECT_EQ(*t.string_pad(), StringPad::kSpacePadded);
  EXPECT_EQ(t.reported_class(), TypeClass::kString);
  EXPECT_TRUE(t.contains_class(TypeClass::kString));
  EXPECT_FALSE(t.contains_class(TypeClass::kVlen));
  EXPECT_FALSE(int32().string_pad());
  EXPECT_TRUE(Datatype::array(Datatype::string(4), {2})->string_pad());
}

TEST(DatatypeCompound, MembersAreChecked) {
  Datatype t = Datatype::compound(8);
  EXPECT_TRUE(t.insert("a", 0, int32()).ok());
  EXPECT_FALSE(t.insert("a", 4, int32()).ok());
  EXPECT_FALSE(t.insert("b", 2, int32()).ok());
  EXPECT_FALSE(t.insert("b", 6, int32()).ok());
  EXPECT_FALSE(t.insert("b", static_cast<std::size_t>(-2), int32()).ok());
  EXPECT_FALSE(t.insert("", 4, int32()).ok());
  EXPECT_TRUE(t.insert("b", 4, int32()).ok());
  EXPECT_EQ(t.members().size(), 2U);
  EXPECT_EQ(t.member_index("b"), 1U);
  EXPECT_FALSE(t.member_index("c"));
}

TEST(DatatypeCompound, SizeOrderAndPacking) {
  Datatype t = Datatype::compound(16);
  ASSERT_TRUE(t.insert("b", 8, Datatype::integer(4, kLittle, kSigned)).ok());
  ASSERT_TRUE(t.insert("a", 2, Datatype::integer(4, kBig, kSigned)).ok());
  EXPECT_EQ(*t.order(), ByteOrder::kMixed);
  EXPECT_FALSE(t.set_size(11).ok());
  EXPECT_TRUE(t.set_size(12).ok());
  ASSERT_TRUE(t.pack().ok());
  EXPECT_EQ(t.size(), 8U);
  EXPECT_EQ(t.members()[0].name, "a") << "numbered by their places";
  EXPECT_EQ(t.members()[0].offset, 0U);
  EXPECT_EQ(t.members()[1].offset, 4U);
  ASSERT_TRUE(t.set_order(kLittle).ok());
  EXPECT_EQ(*t.members()[1].type.order(), kLittle);
  EXPECT_EQ(*Datatype::compound(4).order(), ByteOrder::kNone);
}

TEST(DatatypeCompound, EqualWhateverTheOrderOfInsertion) {
  Datatype a = Datatype::compound(8);
  Datatype b = Datatype::compound(8);
  ASSERT_TRUE(a.insert("x", 0, int32()).ok());
  ASSERT_TRUE(a.insert("y", 4, int32()).ok());
  ASSERT_TRUE(b.insert("y", 4, int32()).ok());
  ASSERT_TRUE(b.insert("x", 0, int32()).ok());
  EXPECT_TRUE(a == b);
}

TEST(DatatypeEnum, NamesAndValues) {
  Datatype t = *Datatype::enumeration(int16());
  const std::byte one[] = {std::byte{1}, std::byte{0}};
  const std::byte two[] = {std::byte{2}, std::byte{0}};
  EXPECT_TRUE(t.insert_enum("A", one).ok());
  EXPECT_FALSE(t.insert_enum("B", one).ok());
  EXPECT_FALSE(t.insert_enum("A", two).ok());
  EXPECT_FALSE(t.insert_enum("", two).ok());
  EXPECT_TRUE(t.insert_enum("B", two).ok());
  EXPECT_EQ(*t.enum_name(two), "B");
  const std::byte three[] = {std::byte{3}, std::byte{0}};
  EXPECT_FALSE(t.enum_name(three));
  EXPECT_FALSE(t.set_size(4).ok());
  EXPECT_FALSE(Datatype::enumeration(Datatype::ieee_float(kLittle)));
}

TEST(DatatypeForms, CompoundMembersMoveWithTheirSizes) {
  Datatype t = Datatype::compound(40);
  ASSERT_TRUE(t.insert("i", 0, int32()).ok());
  ASSERT_TRUE(t.insert("s", 8, Datatype::vlen_string()).ok());
  ASSERT_TRUE(t.insert("j", 20, int32()).ok());
  ASSERT_TRUE(t.insert("r", 24, Datatype::reference(ReferenceKind::kObject)).ok());
  const Datatype file = t.file_form(8);
  EXPECT_EQ(file.size(), 48U);
  EXPECT_EQ(file.members()[1].type.size(), 16U);
  EXPECT_EQ(file.members()[2].offset, 28U);
  EXPECT_TRUE(file.memory_form() == t);
  const Datatype narrow = t.file_form(4);
  EXPECT_EQ(narrow.members()[1].type.size(), 12U);
  EXPECT_EQ(narrow.members()[3].type.size(), 8U);  // as libhdf5 has it
  EXPECT_TRUE(narrow.memory_form() == t);
  EXPECT_TRUE(t.has_vlen_or_reference());
  EXPECT_FALSE(t.is_fixed());
}

TEST(NativeTypes, TableIsComplete) {
  EXPECT_EQ(predefined_types().size(), 85U);
  unsigned index = 0;
  for (const PredefinedType& p : predefined_types())
    EXPECT_EQ(static_cast<unsigned>(p.kind), index++) << p.name;
  EXPECT_STREQ(predefined_types()[0].name, "H5T_IEEE_F32BE");
  EXPECT_TRUE(native_type(NativeKind::NATIVE_INT) == int32());
  EXPECT_EQ(native_type(NativeKind::NATIVE_LONG).size(), sizeof(long));
  EXPECT_EQ(native_type(NativeKind::NATIVE_LDOUBLE).size(), sizeof(long double));
  EXPECT_EQ(native_type(NativeKind::NATIVE_HBOOL).size(), 1U);
  EXPECT_STREQ(predefined_name(Datatype::ieee_double(kBig)), "H5T_IEEE_F64BE");
  EXPECT_EQ(predefined_name(Datatype::opaque(77)), nullptr);
}

Datatype native(const Datatype& t) {
  const auto result = native_equivalent(t, SearchDirection::kDefault);
  EXPECT_TRUE(result);
  return result.value_or(Datatype());
}

TEST(NativeEquivalent, IntegersByPrecision) {
  const std::pair<std::size_t, std::size_t> cases[] = {{1, 1},  {8, 1},  {9, 2},  {16, 2}, {22, 4},
                                                       {32, 4}, {33, 8}, {64, 8}, {86, 8}};
  for (const auto& [precision, size] : cases) {
    Datatype t = Datatype::integer(1, kBig, kSigned);
    ASSERT_TRUE(t.set_precision(precision).ok());
    EXPECT_TRUE(native(t) == Datatype::integer(size, kLittle, kSigned)) << precision;
  }
}

/// Few bits may have a wide exponent.
TEST(NativeEquivalent, FloatsBySize) {
  Datatype t = Datatype::ieee_double(kLittle);
  ASSERT_TRUE(t.set_fields({31, 20, 11, 0, 20, 1023}).ok());
  ASSERT_TRUE(t.set_precision(32).ok());
  EXPECT_EQ(native(t).size(), sizeof(double));
  EXPECT_EQ(native(Datatype::ieee_float(kBig)).size(), sizeof(float));
}

/// What belongs to no value is cleared, and nothing else.
TEST(ClearUnused, ByClass) {
  const auto cleared = [](const Datatype& type) {
    std::vector<std::byte> element(type.size(), std::byte{0x5a});
    if (type.type_class() == TypeClass::kString) element[2] = std::byte{0};
    clear_unused(type, element.data());
    std::string bytes;
    for (const std::byte b : element) bytes += b == std::byte{0} ? '.' : 'x';
    return bytes;
  };
  EXPECT_EQ(cleared(native_type(NativeKind::NATIVE_LDOUBLE)), "xxxxxxxxxx......");
  EXPECT_EQ(cleared(*Datatype::integer(4, ByteOrder::kBig, SignScheme::kUnsigned, 9, 8)), "xxxx");
  EXPECT_EQ(cleared(Datatype::opaque(3)), "xxx");
  EXPECT_EQ(cleared(Datatype::string(5)), "xx...");
  EXPECT_EQ(cleared(Datatype::string(5, StringPad::kSpacePadded)), "xx.xx");
  Datatype pair = Datatype::compound(8);
  ASSERT_TRUE(pair.insert("a", 1, Datatype::opaque(1)).ok());
  ASSERT_TRUE(
      pair.insert("b", 4, Datatype::integer(2, ByteOrder::kLittle, SignScheme::kTwosComplement))
          .ok());
  EXPECT_EQ(cleared(pair), ".x..xx..");
  EXPECT_EQ(cleared(*Datatype::array(pair, {2})), ".x..xx...x..xx..");
}

TEST(NativeEquivalent, CompoundIsLaidOutAsTheCompilerDoes) {
  struct Mixed {
    signed char c;
    double d;
    short s;
    char str[1];
    int l;
  };
  Datatype t = Datatype::compound(100);
  ASSERT_TRUE(t.insert("c", 50, Datatype::integer(1, kBig, kSigned)).ok());
  ASSERT_TRUE(t.insert("d", 10, Datatype::ieee_double(kBig)).ok());
  ASSERT_TRUE(t.insert("s", 30, int16(kBig)).ok());
  ASSERT_TRUE(t.insert("str", 60, Datatype::string(1)).ok());
  ASSERT_TRUE(t.insert("l", 80, int32()).ok());
  const Datatype n = native(t);
  EXPECT_EQ(n.size(), sizeof(Mixed));
  EXPECT_EQ(n.members()[1].offset, offsetof(Mixed, d));
  EXPECT_EQ(n.members()[3].offset, offsetof(Mixed, str));
  EXPECT_EQ(n.members()[4].offset, offsetof(Mixed, l));
  EXPECT_EQ(*n.order(), kLittle);
}

TEST(NativeEquivalent, EnumValuesAreConverted) {
  Datatype t = *Datatype::enumeration(int16(kBig));
  const std::byte value[] = {std::byte{1}, std::byte{2}};
  ASSERT_TRUE(t.insert_enum("A", value).ok());
  const Datatype n = native(t);
  EXPECT_TRUE(*n.super() == int16());
  EXPECT_EQ(n.enum_members()[0].value, (std::vector<std::byte>{std::byte{2}, std::byte{1}}));
  EXPECT_FALSE(native_equivalent(Datatype::time(4, kLittle), SearchDirection::kDefault));
}

/// Members in an order that is not that of their offsets, every third of two bytes.
struct ManyMembers {
  static constexpr unsigned kCount = 700;
  static std::string name(unsigned i) { return "m" + std::to_string(i); }
  static std::size_t offset(unsigned i) { return 4 * (std::size_t{i} * 101 % kCount); }
  static Datatype compound() {
    Datatype t = Datatype::compound(4 * kCount);
    for (unsigned i = 0; i < kCount; ++i)
      EXPECT_TRUE(t.insert(name(i), offset(i), i % 3 == 0 ? int16() : int32()).ok());
    return t;
  }
};

TEST(Datatype, ManyMembersAreFoundByName) {
  const Datatype t = ManyMembers::compound();
  for (unsigned i = 0; i < ManyMembers::kCount; ++i)
    EXPECT_EQ(t.member_index(ManyMembers::name(i)), i);
  EXPECT_EQ(t.member_index("m"), std::nullopt);
  Datatype packed = t;
  ASSERT_TRUE(packed.pack().ok());
  for (unsigned i = 0; i < ManyMembers::kCount; ++i)
    EXPECT_EQ(packed.member_index(packed.members()[i].name), i);
  EXPECT_EQ(t.member_index("m1"), 1U) << "of a copy only the copy is packed";
}

TEST(Datatype, ManyMembersMayNotOverlap) {
  Datatype t = ManyMembers::compound();
  const std::size_t free = ManyMembers::offset(3) + 2;  // behind two bytes
  for (std::size_t at = 0; at + 2 <= t.size(); ++at) {
    Datatype trial = t;
    const auto in = [at](const CompoundMember& m) {
      return m.offset < at + 2 && at < m.offset + m.type.size();
    };
    const bool taken = std::any_of(t.members().begin(), t.members().end(), in);
    EXPECT_EQ(trial.insert("new", at, int16()).ok(), !taken) << at;
  }
  EXPECT_FALSE(t.insert("m5", free, int16()).ok()) << "the name is taken";
  ASSERT_TRUE(t.insert("new", free, int16()).ok());
  EXPECT_EQ(t.member_index("new"), ManyMembers::kCount);
  EXPECT_FALSE(t.insert("newer", free, int16()).ok());
}

TEST(Datatype, ManySymbolsAreFoundByNameAndValue) {
  const auto bytes_of = [](int i) {
    return std::array<std::byte, 2>{static_cast<std::byte>(i), static_cast<std::byte>(i >> 8)};
  };
  Datatype t = *Datatype::enumeration(int16());
  Datatype half = t;
  for (int i = 0; i < 700; ++i) {
    ASSERT_TRUE(t.insert_enum("s" + std::to_string(i), bytes_of(3 * i).data()).ok());
    EXPECT_FALSE(t.insert_enum("s" + std::to_string(i / 2), bytes_of(3 * i + 1).data()).ok());
    EXPECT_FALSE(t.insert_enum("other", bytes_of(3 * (i / 2)).data()).ok());
    if (i == 349) half = t;
  }
  for (unsigned i = 0; i < 700; ++i) {
    const std::string name = "s" + std::to_string(i);
    EXPECT_EQ(t.member_index(name), i);
    EXPECT_EQ(half.member_index(name).has_value(), i < 350);
    EXPECT_EQ(*t.enum_name(bytes_of(static_cast<int>(3 * i)).data()), name);
    EXPECT_FALSE(t.enum_name(bytes_of(static_cast<int>(3 * i + 2)).data()));
  }
}

}  // namespace
}  // namespace pcio
