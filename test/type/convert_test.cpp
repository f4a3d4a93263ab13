// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Conversion against models in plain arithmetic; agreement with libhdf5 is the business of
// convert_oracle.c and replay.cpp.

#include "type/convert.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "type/bits.hpp"
#include "type/native_types.hpp"

namespace pcio {
namespace {

constexpr ByteOrder kLittle = ByteOrder::kLittle;
constexpr ByteOrder kBig = ByteOrder::kBig;
constexpr SignScheme kSigned = SignScheme::kTwosComplement;
constexpr SignScheme kUnsigned = SignScheme::kUnsigned;

using Data = std::vector<std::byte>;

std::mt19937_64& random_bits() {
  static std::mt19937_64 engine(20240229);
  return engine;
}

Data random_data(std::size_t n) {
  Data data(n);
  const auto kind = random_bits()() % 4;
  for (std::byte& b : data)
    b = kind == 0   ? std::byte{0}
        : kind == 1 ? std::byte{255}
                    : static_cast<std::byte>(random_bits()());
  if (kind < 2) data[random_bits()() % n] = static_cast<std::byte>(random_bits()());
  return data;
}

Data converted(const Datatype& from, const Datatype& to, const Data& in, Data out) {
  const auto conversion = Conversion::make(from, to);
  EXPECT_TRUE(conversion) << conversion.error().message();
  if (!conversion) return out;
  EXPECT_TRUE(conversion->run(in.data(), out.data(), in.size() / from.size()).ok());
  return out;
}

template <class S, class D>
D convert_one(const Datatype& from, const Datatype& to, S value) {
  Data in(sizeof(S));
  std::memcpy(in.data(), &value, sizeof(S));
  const Data out = converted(from, to, in, Data(sizeof(D)));
  D result;
  std::memcpy(&result, out.data(), sizeof(D));
  return result;
}

// ---- integers against 128-bit arithmetic, bit by bit ----

Datatype random_integer() {
  const std::size_t size = 1 + random_bits()() % 12;
  const auto precision = static_cast<unsigned>(1 + random_bits()() % (8 * size));
  const auto offset = static_cast<unsigned>(random_bits()() % (8 * size - precision + 1));
  Datatype t = *Datatype::integer(size, random_bits()() % 2 ? kBig : kLittle,
                                  random_bits()() % 2 ? kSigned : kUnsigned, precision, offset);
  EXPECT_TRUE(
      t.set_pads(static_cast<BitPad>(random_bits()() % 3), static_cast<BitPad>(random_bits()() % 3))
          .ok());
  return t;
}

bool bit_of(const Datatype& t, const std::byte* element, std::size_t bit) {
  const std::size_t at = *t.order() == kBig ? t.size() - 1 - bit / 8 : bit / 8;
  return (static_cast<unsigned>(element[at]) >> (bit % 8) & 1) != 0;
}

__extension__ using Int128 = __int128;

Int128 value_of(const Datatype& t, const std::byte* element) {
  Int128 value = 0;
  const std::size_t width = *t.precision();
  for (std::size_t i = 0; i < width; ++i)
    if (bit_of(t, element, *t.bit_offset() + i)) value |= Int128{1} << i;
  if (*t.sign() == kSigned && bit_of(t, element, *t.bit_offset() + width - 1))
    value -= Int128{1} << width;
  return value;
}

Int128 clamped(const Datatype& t, Int128 value) {
  const std::size_t width = *t.precision();
  const bool is_signed = *t.sign() == kSigned;
  const Int128 high = (Int128{1} << (is_signed ? width - 1 : width)) - 1;
  const Int128 low = is_signed ? -(Int128{1} << (width - 1)) : 0;
  return value > high ? high : value < low ? low : value;
}

/// What is to stay as it was becomes zero, as libhdf5 has it: an element is made anew.
void expect_padding(const Datatype& t, const std::byte* element) {
  for (std::size_t bit = 0; bit < 8 * t.size(); ++bit) {
    const bool low = bit < *t.bit_offset();
    if (!low && bit < *t.bit_offset() + *t.precision()) continue;
    const BitPad pad = low ? *t.lsb_pad() : *t.msb_pad();
    EXPECT_EQ(bit_of(t, element, bit), pad == BitPad::kOne) << "bit " << bit;
  }
}

TEST(ConvertIntegers, AnyLayoutClampsAndPads) {
  for (int round = 0; round < 20000; ++round) {
    const Datatype from = random_integer();
    const Datatype to = random_integer();
    // Equal sizes in foreign orders are only swapped, see the next test.
    if (from.size() == to.size() && *from.order() != *to.order() && *from.bit_offset() == 0 &&
        *to.bit_offset() == 0)
      continue;
    if (from == to) continue;
    const Data in = random_data(from.size());
    const Data before = random_data(to.size());
    const Data out = converted(from, to, in, before);
    EXPECT_TRUE(value_of(to, out.data()) == clamped(to, value_of(from, in.data()))) << round;
    expect_padding(to, out.data());
  }
}

TEST(ConvertIntegers, EqualSizesInForeignOrderAreSwapped) {
  const Datatype from = Datatype::integer(4, kLittle, kSigned);
  EXPECT_EQ(
      (convert_one<std::int32_t, std::uint32_t>(from, Datatype::integer(4, kBig, kUnsigned), -2)),
      0xfeffffffU);
  EXPECT_EQ((convert_one<std::int32_t, std::uint32_t>(
                from, Datatype::integer(4, kLittle, kUnsigned), -2)),
            0U);
}

TEST(ConvertBits, PaddingIsSetAlsoInEqualOrder) {
  const Datatype from = Datatype::bitfield(2, kBig);
  Datatype to = from;
  ASSERT_TRUE(to.set_precision(6).ok());
  ASSERT_TRUE(to.set_pads(BitPad::kZero, BitPad::kOne).ok());
  const Data out = converted(from, to, {std::byte{0x12}, std::byte{0x34}}, Data(2));
  EXPECT_EQ(out, (Data{std::byte{0xff}, std::byte{0xf4}}));
  Datatype padded = from;
  ASSERT_TRUE(padded.set_pads(BitPad::kOne, BitPad::kOne).ok());
  EXPECT_EQ(converted(from, padded, {std::byte{0x12}, std::byte{0x34}}, Data(2)),
            (Data{std::byte{0x12}, std::byte{0x34}}));
}

template <class S, class D>
void check_native_integers(NativeKind from, NativeKind to) {
  const S values[] = {std::numeric_limits<S>::min(),
                      std::numeric_limits<S>::max(),
                      S(0),
                      S(1),
                      S(-1),
                      S(127),
                      S(128),
                      S(255),
                      S(-128),
                      S(32767),
                      S(-32768)};
  for (const S v : values) {
    const D expected =
        std::cmp_greater(v, std::numeric_limits<D>::max()) ? std::numeric_limits<D>::max()
        : std::cmp_less(v, std::numeric_limits<D>::min())  ? std::numeric_limits<D>::min()
                                                           : static_cast<D>(v);
    EXPECT_EQ((convert_one<S, D>(native_type(from), native_type(to), v)), expected);
  }
}

TEST(ConvertIntegers, NativePairs) {
  check_native_integers<std::int32_t, std::int8_t>(NativeKind::NATIVE_INT32,
                                                   NativeKind::NATIVE_INT8);
  check_native_integers<std::int8_t, std::uint64_t>(NativeKind::NATIVE_INT8,
                                                    NativeKind::NATIVE_UINT64);
  check_native_integers<std::uint64_t, std::int16_t>(NativeKind::NATIVE_UINT64,
                                                     NativeKind::NATIVE_INT16);
  check_native_integers<std::int64_t, std::uint32_t>(NativeKind::NATIVE_INT64,
                                                     NativeKind::NATIVE_UINT32);
}

// ---- floating-point numbers ----

TEST(ConvertFloats, NativeAndForeignOrder) {
  const Datatype f32 = Datatype::ieee_float(kLittle);
  const Datatype f64 = Datatype::ieee_double(kLittle);
  EXPECT_EQ((convert_one<double, float>(f64, f32, 0.1)), 0.1F);
  EXPECT_EQ((convert_one<double, float>(f64, f32, 1e300)), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(convert_one<double, float>(f64, f32, std::nan(""))));
  for (int i = 0; i < 10000; ++i) {
    const auto v = static_cast<double>(static_cast<std::int64_t>(random_bits()())) *
                   std::ldexp(1.0, static_cast<int>(random_bits()() % 200) - 160);
    const double swapped = convert_one<double, double>(f64, Datatype::ieee_double(kBig), v);
    EXPECT_EQ((convert_one<double, double>(Datatype::ieee_double(kBig), f64, swapped)), v);
    // Through the general rules and through the machine: the same but for ties.
    const float general = convert_one<double, float>(Datatype::ieee_double(kBig), f32, swapped);
    if (v - static_cast<double>(general) != static_cast<double>(general) - v) {
      EXPECT_LE(std::abs(general - static_cast<float>(v)),
                std::abs(static_cast<float>(v)) * std::numeric_limits<float>::epsilon());
    }
  }
}

TEST(ConvertFloats, RoundTripThroughWiderLayout) {
  // 100 bits: sign, 20 exponent bits, 70 mantissa bits, some padding.
  const FloatFields wide{90, 70, 20, 0, 70, (1U << 19) - 1, Normalization::kImplied, BitPad::kZero};
  const Datatype odd = *Datatype::floating(16, kBig, wide, 91, 0);
  const Datatype f64 = Datatype::ieee_double(kLittle);
  for (int i = 0; i < 5000; ++i) {
    Data in = random_data(8);
    const Data back = converted(odd, f64, converted(f64, odd, in, Data(16)), Data(8));
    double a, b;
    std::memcpy(&a, in.data(), 8);
    std::memcpy(&b, back.data(), 8);
    EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
  }
}

TEST(ConvertFloats, HalfPrecision) {
  const FloatFields half{15, 10, 5, 0, 10, 15, Normalization::kImplied, BitPad::kZero};
  const Datatype f16 = *Datatype::floating(2, kLittle, half, 16, 0);
  const Datatype f32 = Datatype::ieee_float(kLittle);
  const std::pair<float, std::uint16_t> cases[] = {
      {1.0F, 0x3c00}, {-2.0F, 0xc000},         {65504.0F, 0x7bff},      {65536.0F, 0x7c00},
      {0.0F, 0x0000}, {5.9604645e-8F, 0x0001}, {6.1035156e-5F, 0x0400}, {0.333251953125F, 0x3555}};
  for (const auto& [value, code] : cases) {
    EXPECT_EQ((convert_one<float, std::uint16_t>(f32, f16, value)), code) << value;
    if (code == 0x7c00) continue;  // 65536 has become infinity
    EXPECT_EQ((convert_one<std::uint16_t, float>(f16, f32, code)), value);
  }
}

TEST(ConvertFloats, ToIntegers) {
  const Datatype f64 = Datatype::ieee_double(kLittle);
  const Datatype i32 = native_type(NativeKind::NATIVE_INT32);
  const Datatype u8 = native_type(NativeKind::NATIVE_UINT8);
  EXPECT_EQ((convert_one<double, std::int32_t>(f64, i32, 2.9)), 2);
  EXPECT_EQ((convert_one<double, std::int32_t>(f64, i32, -2.9)), -2);
  EXPECT_EQ((convert_one<double, std::int32_t>(f64, i32, 1e20)), 2147483647);
  EXPECT_EQ((convert_one<double, std::int32_t>(f64, i32, -INFINITY)), -2147483647 - 1);
  EXPECT_EQ((convert_one<double, std::uint8_t>(f64, u8, -3.0)), 0);
  EXPECT_EQ((convert_one<double, std::uint8_t>(f64, u8, 255.9)), 255);
  // 2^31 is a number above the range, also where the range rounds up to it.
  const Datatype f32 = Datatype::ieee_float(kLittle);
  EXPECT_EQ((convert_one<float, std::int32_t>(f32, i32, 2147483648.0F)), 2147483647);
}

TEST(ConvertFloats, LongDoubleAndX87) {
  if (sizeof(long double) != 16 || std::numeric_limits<long double>::digits != 64) GTEST_SKIP();
  const Datatype ld = native_type(NativeKind::NATIVE_LDOUBLE);
  const Datatype big = Datatype::ieee_double(kBig);
  for (const double v : {0.0, 1.0, -1.5, 1e-310, 3.14159, 1e300}) {
    const Datatype f64 = Datatype::ieee_double(kLittle);
    EXPECT_EQ((convert_one<double, long double>(f64, ld, v)), static_cast<long double>(v));
    const double swapped = convert_one<double, double>(f64, big, v);
    EXPECT_EQ((convert_one<double, long double>(big, ld, swapped)), static_cast<long double>(v));
    EXPECT_EQ((convert_one<long double, double>(ld, big, static_cast<long double>(v))), swapped);
  }
}

/// What is behind the 80 bits goes into files.
TEST(ConvertFloats, LongDoublesHaveNoBytesOfTheStack) {
  if (sizeof(long double) != 16 || std::numeric_limits<long double>::digits != 64) GTEST_SKIP();
  const Datatype ld = native_type(NativeKind::NATIVE_LDOUBLE), f64 = Datatype::ieee_double(kLittle),
                 i32 = Datatype::integer(4, kLittle, kSigned);
  for (const std::size_t n : {1U, 70U}) {
    for (const Datatype& from : {f64, i32}) {
      const Data in(n * from.size(), std::byte{0x3f});
      const Data out = converted(from, ld, in, Data(n * 16, std::byte{0xee}));
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t b = 10; b < 16; ++b) EXPECT_EQ(out[i * 16 + b], std::byte{0}) << i;
    }
  }
}

// ---- text, enumerations, arrays, compounds ----

Data text(const std::string& s) {
  Data data(s.size());
  std::memcpy(data.data(), s.data(), s.size());
  return data;
}

TEST(ConvertText, Padding) {
  using namespace std::string_literals;
  const auto convert = [](StringPad from, const std::string& s, StringPad to, std::size_t size) {
    const Data out = converted(Datatype::string(s.size(), from), Datatype::string(size, to),
                               text(s), Data(size, std::byte{'?'}));
    return std::string(reinterpret_cast<const char*>(out.data()), out.size());
  };
  constexpr auto kTerm = StringPad::kNullTerminated;
  constexpr auto kNull = StringPad::kNullPadded;
  constexpr auto kSpace = StringPad::kSpacePadded;
  EXPECT_EQ(convert(kTerm, "abc\0x"s, kSpace, 6), "abc   "s);
  EXPECT_EQ(convert(kSpace, "a b  "s, kTerm, 5), "a b\0\0"s);
  EXPECT_EQ(convert(kTerm, "abcde"s, kTerm, 3), "ab\0"s);
  EXPECT_EQ(convert(kTerm, "abcde"s, kNull, 3), "abc"s);
  EXPECT_EQ(convert(kSpace, "     "s, kNull, 3), "\0\0\0"s);
}

TEST(ConvertText, CharacterSetsDoNotMix) {
  EXPECT_FALSE(Conversion::make(Datatype::string(3),
                                Datatype::string(4, StringPad::kNullPadded, CharacterSet::kUtf8)));
}

TEST(ConvertEnum, ByNameAndToNumbers) {
  const auto value = [](int v) { return static_cast<std::byte>(v); };
  Datatype from = *Datatype::enumeration(Datatype::integer(1, kLittle, kSigned));
  Datatype to = *Datatype::enumeration(Datatype::integer(2, kBig, kSigned));
  const std::byte red[] = {value(5)}, green[] = {value(-3)};
  const std::byte red2[] = {value(0), value(1)}, green2[] = {value(0), value(2)};
  ASSERT_TRUE(from.insert_enum("red", red).ok());
  ASSERT_TRUE(from.insert_enum("green", green).ok());
  ASSERT_TRUE(to.insert_enum("red", red2).ok());
  EXPECT_FALSE(Conversion::make(from, to));  // green is missing
  ASSERT_TRUE(to.insert_enum("green", green2).ok());
  const Data in = {value(5), value(-3), value(9)};
  const Data expected = {value(0), value(1), value(0), value(2), value(255), value(255)};
  EXPECT_EQ(converted(from, to, in, Data(6)), expected);
  const Data number = converted(from, Datatype::integer(2, kLittle, kSigned), in, Data(6));
  EXPECT_EQ(number, (Data{value(5), value(0), value(-3), value(-1), value(9), value(0)}));
  EXPECT_FALSE(Conversion::make(Datatype::integer(1, kLittle, kSigned), from));
}

/// An older program that lacks the last ones by name reads the others.
TEST(ConvertEnum, LacksSymbolsBehindItsOwn) {
  const Datatype base = Datatype::integer(1, kLittle, kSigned);
  const auto value = [](int v) { return static_cast<std::byte>(v); };
  Datatype from = *Datatype::enumeration(base), to = *Datatype::enumeration(base);
  for (const char* name : {"a", "b", "z", "zz"}) {
    const std::byte number[] = {value(name[0] - 'a' + static_cast<int>(std::strlen(name)))};
    ASSERT_TRUE(from.insert_enum(name, number).ok());
    if (name[0] != 'z') {
      ASSERT_TRUE(to.insert_enum(name, number).ok());
    }
  }
  const Data in = {value(1), value(2), value(26), value(27), value(77)};
  const Data expected = {value(1), value(2), value(255), value(255), value(255)};
  EXPECT_EQ(converted(from, to, in, Data(5)), expected);
  const std::byte other[] = {value(100)};
  ASSERT_TRUE(to.insert_enum("zy", other).ok());
  EXPECT_FALSE(Conversion::make(from, to));  // "z" is before it
}

TEST(ConvertCompound, MembersByNameKeepBackground) {
  Datatype from = Datatype::compound(12);
  ASSERT_TRUE(from.insert("b", 0, Datatype::integer(4, kBig, kSigned)).ok());
  ASSERT_TRUE(from.insert("a", 4, Datatype::integer(2, kLittle, kSigned)).ok());
  ASSERT_TRUE(from.insert("c", 8, Datatype::integer(4, kBig, kSigned)).ok());
  Datatype to = Datatype::compound(9);
  ASSERT_TRUE(to.insert("a", 0, Datatype::integer(1, kLittle, kSigned)).ok());
  ASSERT_TRUE(to.insert("new", 1, Datatype::integer(2, kLittle, kSigned)).ok());
  ASSERT_TRUE(to.insert("b", 4, Datatype::integer(4, kLittle, kSigned)).ok());
  const auto conversion = Conversion::make(from, to);
  ASSERT_TRUE(conversion);
  EXPECT_TRUE(conversion->needs_background());
  EXPECT_FALSE(conversion->is_noop());
  constexpr std::size_t kElements = 1000;
  Data in(12 * kElements), out(9 * kElements, std::byte{0x77});
  for (std::size_t i = 0; i < kElements; ++i) {
    in[12 * i + 3] = static_cast<std::byte>(i);
    in[12 * i + 4] = static_cast<std::byte>(i % 100);
  }
  ASSERT_TRUE(conversion->run(in.data(), out.data(), kElements).ok());
  for (std::size_t i = 0; i < kElements; ++i) {
    EXPECT_EQ(out[9 * i], static_cast<std::byte>(i % 100));
    EXPECT_EQ(out[9 * i + 1], std::byte{0x77});
    EXPECT_EQ(out[9 * i + 3], std::byte{0x77});
    EXPECT_EQ(out[9 * i + 4], static_cast<std::byte>(i));
    EXPECT_EQ(out[9 * i + 8], std::byte{0x77});
  }
}

TEST(ConvertArray, ElementByElement) {
  const Datatype from = *Datatype::array(Datatype::integer(2, kBig, kSigned), {2, 2});
  const Datatype to = *Datatype::array(Datatype::integer(4, kLittle, kSigned), {2, 2});
  Data in(16);
  for (std::size_t i = 0; i < 8; ++i) in[2 * i + 1] = static_cast<std::byte>(i);
  const Data out = converted(from, to, in, Data(32));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(out[4 * i], static_cast<std::byte>(i));
  EXPECT_FALSE(
      Conversion::make(from, *Datatype::array(Datatype::integer(4, kLittle, kSigned), {4})));
}

TEST(Conversion, KnowsWhenNothingIsToBeDone) {
  const auto noop = [](const Datatype& a, const Datatype& b) {
    const auto conversion = Conversion::make(a, b);
    return conversion && conversion->is_noop();
  };
  EXPECT_TRUE(noop(native_type(NativeKind::NATIVE_LONG), native_type(NativeKind::NATIVE_LLONG)));
  EXPECT_TRUE(noop(native_type(NativeKind::STD_I8BE), native_type(NativeKind::STD_I8LE)));
  EXPECT_TRUE(noop(Datatype::reference(ReferenceKind::kObject),
                   Datatype::reference(ReferenceKind::kObject)));
  EXPECT_TRUE(noop(Datatype::opaque(5, "x"), Datatype::opaque(5, "x")));
  EXPECT_FALSE(noop(native_type(NativeKind::STD_I16BE), native_type(NativeKind::STD_I16LE)));
  EXPECT_FALSE(noop(native_type(NativeKind::STD_I16LE), native_type(NativeKind::STD_U16LE)));
}

TEST(Conversion, RefusesWhatHasNoWay) {
  const Datatype i32 = Datatype::integer(4, kLittle, kSigned);
  EXPECT_FALSE(Conversion::make(i32, Datatype::string(4)));
  EXPECT_FALSE(Conversion::make(Datatype::opaque(4, "a"), Datatype::opaque(4, "b")));
  EXPECT_FALSE(Conversion::make(i32, Datatype::bitfield(4, kLittle)));
  EXPECT_FALSE(Conversion::make(Datatype::time(4, kLittle), i32));
  const auto vlen = Conversion::make(Datatype::vlen(i32), Datatype::vlen(i32));
  ASSERT_FALSE(vlen);
  EXPECT_NE(vlen.error().message().find("variable-length"), std::string::npos);
  Datatype huge = i32;
  ASSERT_TRUE(huge.set_size(1000).ok());
  EXPECT_FALSE(Conversion::make(huge, i32));
}

// ---- the exception hook ----

struct Seen {
  std::vector<ConvertException> what;
  ExceptionAnswer answer = ExceptionAnswer::kUnhandled;
  [[nodiscard]] ConvertOptions options() {
    ConvertOptions o;
    o.on_exception = [this](ConvertException e, const Datatype&, const Datatype& to, const void*,
                            void* value) {
      what.push_back(e);
      if (answer == ExceptionAnswer::kHandled) std::memset(value, 0x2a, to.size());
      return answer;
    };
    return o;
  }
};

TEST(ConvertHook, SeesEveryKindOnBothPaths) {
  using E = ConvertException;
  const double values[] = {1.0, 1.5, 1e10, -1e10, INFINITY, -INFINITY, std::nan("")};
  const std::vector<E> expected = {E::kTruncate,     E::kRangeHigh,     E::kRangeLow,
                                   E::kPlusInfinity, E::kMinusInfinity, E::kNotANumber};
  Data little(sizeof values);
  std::memcpy(little.data(), values, sizeof values);
  const Data big = converted(Datatype::ieee_double(kLittle), Datatype::ieee_double(kBig), little,
                             Data(sizeof values));
  const Datatype i16 = Datatype::integer(2, kLittle, kSigned);
  for (const ByteOrder order : {kLittle, kBig}) {
    Seen seen;
    const auto conversion = Conversion::make(Datatype::ieee_double(order), i16, seen.options());
    ASSERT_TRUE(conversion);
    Data out(14);
    ASSERT_TRUE(conversion->run((order == kLittle ? little : big).data(), out.data(), 7).ok());
    EXPECT_EQ(seen.what, expected);
  }
}

TEST(ConvertHook, AnswersCount) {
  const std::int32_t values[] = {1, 1000, -1000};
  Data in(sizeof values);
  std::memcpy(in.data(), values, sizeof values);
  for (const std::size_t size : {std::size_t{4}, std::size_t{5}}) {
    Datatype from = Datatype::integer(4, kLittle, kSigned);
    Data source = in;
    if (size == 5) {  // an odd size takes the general path
      ASSERT_TRUE(from.set_size(5).ok());
      source = converted(Datatype::integer(4, kLittle, kSigned), from, in, Data(15));
    }
    const Datatype i8 = Datatype::integer(1, kLittle, kSigned);
    Seen seen;
    seen.answer = ExceptionAnswer::kHandled;
    Data out(3);
    ASSERT_TRUE(Conversion::make(from, i8, seen.options())->run(source.data(), out.data(), 3).ok());
    EXPECT_EQ(out, (Data{std::byte{1}, std::byte{0x2a}, std::byte{0x2a}}));
    EXPECT_EQ(seen.what.size(), 2U);
    seen.answer = ExceptionAnswer::kAbort;
    EXPECT_FALSE(
        Conversion::make(from, i8, seen.options())->run(source.data(), out.data(), 3).ok());
  }
}

// ---- integers of more than 128 bits ----

Datatype wide_integer(ByteOrder order, SignScheme sign) {
  return *Datatype::integer(32, order, sign, 200, 30);
}

// Compared with libhdf5 in conversion_matrix.sh; it has no way to floating-point numbers that works.
TEST(ConvertWideIntegers, ComeBackFromFloatingPointNumbers) {
  for (const ByteOrder order : {kLittle, kBig}) {
    const Datatype wide = wide_integer(order, kSigned), to = Datatype::ieee_double(kLittle);
    for (int round = 0; round < 2000; ++round) {
      const auto bits = static_cast<std::int64_t>(random_bits()());
      const double value =
          std::ldexp(static_cast<double>(bits), static_cast<int>(random_bits()() % 130));
      Data in(sizeof value), out(sizeof value);
      std::memcpy(in.data(), &value, sizeof value);
      const Data middle = converted(to, wide, in, Data(32));
      EXPECT_EQ(converted(wide, to, middle, out), in) << value;
    }
    const double infinite = std::numeric_limits<double>::infinity();
    EXPECT_EQ((convert_one<double, std::array<std::byte, 32>>(to, wide, -infinite)),
              (convert_one<double, std::array<std::byte, 32>>(to, wide, -std::ldexp(1.0, 199))));
    EXPECT_EQ((convert_one<double, std::array<std::byte, 32>>(to, wide, std::nan(""))),
              (convert_one<double, std::array<std::byte, 32>>(to, wide, 0.25)));
  }
}

TEST(ConvertWideIntegers, AreRoundedToTheNearestNumber) {
  const Datatype wide = *Datatype::integer(32, kLittle, kUnsigned, 256, 0);
  const auto number = [](std::initializer_list<unsigned> ones) {
    std::array<std::uint64_t, 4> words{};
    for (const unsigned bit : ones) words[bit / 64] |= std::uint64_t{1} << (bit % 64);
    return words;
  };
  const auto rounded = [&](std::initializer_list<unsigned> ones) {
    return convert_one<std::array<std::uint64_t, 4>, double>(wide, Datatype::ieee_double(kLittle),
                                                             number(ones));
  };
  EXPECT_EQ(rounded({200}), std::ldexp(1.0, 200));
  EXPECT_EQ(rounded({200, 147}), std::ldexp(1.0, 200));  // between two: the even one
  EXPECT_EQ(rounded({200, 147, 0}), std::ldexp(1.0, 200) + std::ldexp(1.0, 148));
  EXPECT_EQ(rounded({200, 148, 147}), std::ldexp(1.0, 200) + std::ldexp(1.0, 149));
  EXPECT_EQ((convert_one<std::array<std::uint64_t, 4>, float>(wide, Datatype::ieee_float(kLittle),
                                                              number({200}))),
            std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace pcio
