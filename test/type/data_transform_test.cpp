// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Data transforms: what libhdf5 1.10.8 was seen to do, value by value, and what is refused.

#include "type/data_transform.hpp"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "type/native_types.hpp"

namespace pcio {
namespace {

template <class T>
Datatype type_of() {
  if constexpr (std::is_same_v<T, float>) return native_type(NativeKind::NATIVE_FLOAT);
  if constexpr (std::is_same_v<T, double>) return native_type(NativeKind::NATIVE_DOUBLE);
  if constexpr (std::is_same_v<T, long double>) return native_type(NativeKind::NATIVE_LDOUBLE);
  return Datatype::integer(
      sizeof(T), ByteOrder::kLittle,
      std::is_signed_v<T> ? SignScheme::kTwosComplement : SignScheme::kUnsigned);
}

template <class T>
std::vector<T> applied(const std::string& text, std::vector<T> values) {
  Result<DataTransform> transform = DataTransform::parse(text);
  EXPECT_TRUE(transform) << text;
  if (!transform) return {};
  // One byte off any alignment.
  std::vector<std::byte> bytes(values.size() * sizeof(T) + 1);
  std::memcpy(bytes.data() + 1, values.data(), values.size() * sizeof(T));
  Status status = transform->apply(bytes.data() + 1, values.size(), type_of<T>());
  EXPECT_TRUE(status.ok()) << text << ": " << status.message();
  std::memcpy(values.data(), bytes.data() + 1, values.size() * sizeof(T));
  return values;
}

template <class T>
struct Golden {
  const char* text;
  std::vector<T> results;
};

template <class T>
void check(const std::vector<T>& inputs, const std::vector<Golden<T>>& goldens) {
  for (const Golden<T>& golden : goldens)
    EXPECT_EQ(applied<T>(golden.text, inputs), golden.results) << golden.text;
}

TEST(DataTransform, IntegersAreStoredAfterEachOperator) {
  check<std::int32_t>({7, -8, 3}, {{"x", {7, -8, 3}},
                                   {"(9/5.0)*x + 32", {44, 18, 37}},
                                   {"1-x", {-6, 9, -2}},
                                   {"x/2", {3, -4, 1}},
                                   {"2/x", {0, 0, 0}},
                                   {"-x", {-7, 8, -3}},
                                   {"2--x", {9, -6, 5}},
                                   {"2-x-x", {-12, 18, -4}},
                                   {"x/2/2", {1, -2, 0}},
                                   {"x*x+x", {56, 56, 12}},
                                   {"7/2*x", {21, -24, 9}},
                                   {"x*7/2", {24, -28, 10}},
                                   {"x*1.5", {10, -12, 4}},
                                   {".5*x", {3, -4, 1}},
                                   {"1.5e+1*x", {105, -120, 45}},
                                   {"1e-1*x", {0, 0, 0}},
                                   {"3.7+x", {10, -4, 6}},
                                   {"3.7-0.7+x", {10, -5, 6}},
                                   {"1/2.0*x", {3, -4, 1}},
                                   {"(1/2)*x", {0, 0, 0}},
                                   {"1-(2-x)", {6, -9, 2}},
                                   {"((x+1)*(x-1))/2", {24, 31, 4}},
                                   {"4/-2.0*x", {-14, 16, -6}},
                                   {"12/5*x/2", {7, -8, 3}},
                                   {"12/5.0*x", {16, -19, 7}},
                                   {"2*-3*x", {-42, 48, -18}},
                                   {"(x+1)*-2", {-16, 14, -8}},
                                   {"x+\t1", {8, -7, 4}}});
}

TEST(DataTransform, ConstantsAloneFillTheBuffer) {
  check<std::int32_t>({7, -8}, {{"5", {5, 5}},
                                {"7/2", {3, 3}},
                                {"10/4*2", {4, 4}},
                                {"1-1*2", {-1, -1}},
                                {"1-2-3", {-4, -4}},
                                {"5+-3", {2, 2}},
                                {"010", {10, 10}},
                                {"3.7", {3, 3}}});
  check<double>({0.1}, {{"1/3", {0.0}}, {"1/3.0", {1 / 3.0}}, {"5/2+5/2.0", {4.5}}});
  check<std::int64_t>({1}, {{"9007199254740993", {9007199254740993}},
                            {"99999999999999999999", {INT64_MAX}},
                            {"9223372036854775807+1", {INT64_MIN}}});
  check<std::uint64_t>({1}, {{"-5", {UINT64_MAX - 4}}, {"-5.5", {UINT64_MAX - 4}}});
  check<float>({1}, {{"0.1", {0.1F}}});
}

TEST(DataTransform, SmallIntegersWrap) {
  check<std::int8_t>({100, -128, 127}, {{"x+1", {101, -127, -128}},
                                        {"x*100", {16, 0, -100}},
                                        {"-x", {-100, -128, -127}},
                                        {"x*1.5", {-106, 64, -66}},
                                        {"x+x", {-56, 0, -2}},
                                        {"(x+x)/2", {-28, 0, -1}},
                                        {"1000/x", {10, -7, 7}},
                                        {"x+300-300", {100, -128, 127}},
                                        {"x/0.0", {0, 0, 0}},
                                        {"x*1e8", {0, 0, 0}}});
  check<std::uint8_t>({100, 200, 255}, {{"x-200", {156, 0, 55}},
                                        {"-x", {156, 56, 1}},
                                        {"x*x", {16, 64, 1}},
                                        {"-300", {212, 212, 212}},
                                        {"-5.5", {251, 251, 251}}});
  check<std::int16_t>({300, 30000}, {{"x*x/x", {81, 0}}, {"3000000000", {24064, 24064}}});
}

TEST(DataTransform, WhatDoesNotFitIsWhatTheProcessorMakesOfIt) {
  check<std::int32_t>({100000}, {{"x/0", {INT32_MIN}},
                                 {"4294967296*x", {INT32_MIN}},
                                 {"x*1e5", {INT32_MIN}},
                                 {"1e10", {INT32_MIN}},
                                 {"2147483648", {INT32_MIN}}});
  check<std::uint32_t>(
      {3, 65536},
      {{"x-5", {4294967294U, 65531U}}, {"x*1e20", {0, 0}}, {"x*-1", {4294967293U, 4294901760U}}});
  check<std::int64_t>({INT64_MAX, 9007199254740993, 5},
                      {{"x+1", {INT64_MIN, 9007199254740992, 6}},
                       {"x+x", {-2, 18014398509481986, 10}},
                       {"+x", {INT64_MIN, 9007199254740992, 5}},
                       {"(x)", {INT64_MAX, 9007199254740993, 5}},
                       {"x/3", {3074457345618258432, 3002399751580330, 1}}});
  check<std::uint64_t>({UINT64_MAX, 5},
                       {{"x+1", {0, 6}},
                        {"-x", {9223372036854775808U, UINT64_MAX - 4}},
                        {"x/3", {6148914691236516864U, 1}},
                        {"x*1e30", {0, 0}},
                        {"x*-1e30", {9223372036854775808U, 9223372036854775808U}}});
}

TEST(DataTransform, FloatingPointWithAConstantGoesThroughDouble) {
  check<float>({1, 0.1F, 16777216}, {{"x+1e10-1e10", {0, 0, 16777216}},
                                     {"16777217+x-16777216", {2, 2, 16777216}},
                                     {"(x*0.1)*10", {1, 0.09999999403953552246F, 16777216}}});
  check<float>({0.1F, 0.7F}, {{"x*x*x", {0.001000000047497451305F, 0.3429999947547912598F}},
                              {"(x+x)*(x/3)", {0.006666667293757200241F, 0.3266666531562805176F}}});
  check<double>({1, 0.1}, {{"x+x*0.1", {1.1, 0.1100000000000000144}}, {"-x", {-1, -0.1}}});
  check<long double>(
      {0.1L, 1}, {{"x+0.1", {0.1 + 0.1, 1 + 0.1}}, {"-x", {-0.1, -1}}, {"x*x", {0.1L * 0.1L, 1}}});
  EXPECT_FALSE(std::signbit(applied<double>("-x", {0.0})[0]));
  EXPECT_EQ(applied<double>("x/0", {1.0})[0], std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(applied<double>("x/x", {0.0})[0]));
}

TEST(DataTransform, AnyLetterIsTheElement) {
  for (const char* text : {"y+1", "X+1", "x1+1", "e+1", "x12 + 1"})
    EXPECT_EQ(applied<int>(text, {7}), std::vector<int>{8}) << text;
  EXPECT_EQ(applied<int>("x+y", {7}), std::vector<int>{14});
}

TEST(DataTransform, ASignMayStandBeforeAnyFactor) {
  EXPECT_EQ(applied<int>("-(x+1)*2", {7}), std::vector<int>{-16});
  EXPECT_EQ(applied<int>("-(5+2)", {7}), std::vector<int>{-7});
  EXPECT_EQ(applied<int>("-(-x)", {7}), std::vector<int>{7});
}

TEST(DataTransform, BadExpressionsAreRefused) {
  for (const char* text :
       {"",    " ",     "(",    ")",      "()",    "x+",      "*x",     "x x",    "2x",
        "2 3", "x+(2",  "x)",   "x+1)*2", "x**2",  "x^2",     "x%2",    "sin(x)", "foo",
        "ab",  "x1y",   "--x",  "+-x",    "++x",   "(x)(x)",  "2(x)",   "(2)x",   "0x10*x",
        "x;",  "x,1",   "1e",   "1e+",    "1.2.3", ".",       "..",     "x.y",    "_x",
        ".5.", "5e1.5", "1e2x", "1/0",    "1/0+x", "x/(1/0)", "1e400*x"})
    EXPECT_FALSE(DataTransform::parse(text)) << text;
  EXPECT_FALSE(DataTransform::parse(std::string_view("x+1\0", 4)));
}

TEST(DataTransform, LengthAndDepthAreBounded) {
  auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "x+1" + std::string(depth, ')');
  };
  EXPECT_EQ(applied<int>(nested(DataTransform::kMaxDepth), {7}), std::vector<int>{8});
  EXPECT_FALSE(DataTransform::parse(nested(DataTransform::kMaxDepth + 1)));
  EXPECT_FALSE(DataTransform::parse(nested(30000)));
  std::string sum = "x";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  EXPECT_EQ(applied<int>(sum, {7}), std::vector<int>{5007});
  EXPECT_FALSE(DataTransform::parse(std::string(DataTransform::kMaxLength, ' ') + "x"));
  // Right operands wait for left ones: the deepest stack.
  std::string deep = "x";
  for (unsigned i = 0; i < DataTransform::kMaxDepth; ++i) deep = "x+x*(" + deep + ")";
  EXPECT_TRUE(DataTransform::parse(deep));
  EXPECT_EQ(applied<std::uint64_t>(deep, {1}),
            std::vector<std::uint64_t>{DataTransform::kMaxDepth + 1});
}

TEST(DataTransform, OnlyNumbersOfTheMachine) {
  Result<DataTransform> plus = DataTransform::parse("x+1"), same = DataTransform::parse(" x ");
  ASSERT_TRUE(plus && same);
  EXPECT_TRUE(same->is_identity());
  EXPECT_FALSE(plus->is_identity());
  std::byte bytes[16] = {};
  Datatype compound = Datatype::compound(4);
  ASSERT_TRUE(compound.insert("a", 0, type_of<int>()).ok());
  const Datatype types[] = {
      Datatype::integer(4, ByteOrder::kBig, SignScheme::kTwosComplement),
      Datatype::ieee_double(ByteOrder::kBig),
      *Datatype::integer(4, ByteOrder::kLittle, SignScheme::kTwosComplement, 24, 0),
      Datatype::string(8),
      Datatype::bitfield(4, ByteOrder::kLittle),
      compound,
      *Datatype::enumeration(type_of<int>()),
      *Datatype::array(type_of<int>(), {2})};
  for (const Datatype& type : types) {
    EXPECT_FALSE(plus->check(type).ok());
    EXPECT_FALSE(plus->apply(bytes, 1, type).ok());
    EXPECT_TRUE(same->apply(bytes, 1, type).ok());
    EXPECT_EQ(bytes[0], std::byte{0});
  }
}

TEST(DataTransform, DividingIntegersByZeroIsAnError) {
  Result<DataTransform> transform = DataTransform::parse("x/y");
  ASSERT_TRUE(transform);
  int values[] = {1, 0};
  auto* bytes = reinterpret_cast<std::byte*>(values);
  EXPECT_TRUE(transform->apply(bytes, 1, type_of<int>()).ok());
  EXPECT_FALSE(transform->apply(bytes, 2, type_of<int>()).ok());
  EXPECT_EQ(applied<int>("x/(0*x-1)", {INT32_MIN, 5}), (std::vector<int>{INT32_MIN, -5}));
}

TEST(DataTransform, ManyElements) {
  std::vector<std::int16_t> values(1537), expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int16_t>(i);
    expected.push_back(static_cast<std::int16_t>((3 * i + 1) / 2));
  }
  EXPECT_EQ(applied<std::int16_t>("(x*3+1)/2", values), expected);
}

}  // namespace
}  // namespace pcio
