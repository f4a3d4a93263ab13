// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: JSON text beside a parser and a serializer of another make, on random values, texts and bytes.

#include "base/json_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace pcio {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
std::string written(const T& value) {
  std::string out;
  JsonWriter(out).value(value);
  return out;
}

/// A tree of the other make, by this writer.
void write(JsonWriter& out, const Json& json) {
  if (json.is_object()) {
    out.begin_object();
    for (const auto& [key, value] : json.items()) write(out.key(key), value);
    out.end_object();
  } else if (json.is_array()) {
    out.begin_array();
    for (const Json& value : json) write(out, value);
    out.end_array();
  } else if (json.is_string()) {
    out.value(json.get_ref<const std::string&>());
  } else if (json.is_boolean()) {
    out.value(json.get<bool>());
  } else if (json.is_number_unsigned()) {
    out.value(json.get<std::uint64_t>());
  } else {
    out.value(json.get<std::int64_t>());
  }
}

using Random = std::mt19937_64;

/// Bytes as they come, characters of every length whole or cut, and what must be escaped.
std::string random_text(Random& random) {
  static const std::string_view kPieces[] = {"a",
                                             "\"",
                                             "\\",
                                             "\n",
                                             "\x7F",
                                             "\xC3\xA9",
                                             "\xE2\x82\xAC",
                                             "\xF0\x9F\x98\x80",
                                             "\xED\xA0\x80",
                                             "\xE0\x80\x80",
                                             "\xC0\xAF",
                                             "\xF4\x90\x80\x80",
                                             "\xEF\xBF\xBF"};
  std::string text;
  for (std::size_t n = random() % 12; n > 0; --n) {
    const std::string_view piece = kPieces[random() % std::size(kPieces)];
    switch (random() % 4) {
      case 0: text += static_cast<char>(random()); break;
      case 1: text += static_cast<char>(random() % 0x20); break;
      case 2: text += piece.substr(0, 1 + random() % piece.size()); break;
      default: text += piece;
    }
  }
  return text;
}

Json random_json(Random& random, int depth) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0: return random_text(random);
    case 1: return random() % 2 == 0;
    case 2: return random() >> (random() % 64);
    case 3: return -static_cast<std::int64_t>((random() >> (1 + random() % 63)));
    case 4: return std::numeric_limits<std::int64_t>::min();
    case 5: {
      Json array = Json::array();
      for (std::size_t n = random() % 4; n > 0; --n)
        array.push_back(random_json(random, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (std::size_t n = random() % 4; n > 0; --n)
        object[random_text(random)] = random_json(random, depth - 1);
      return object;
    }
  }
}

TEST(JsonWriter, WritesTreesAsAnotherSerializerDoes) {
  Random random(20);
  std::size_t replaced = 0, escaped = 0, nested = 0;
  for (int i = 0; i < 5000; ++i) {
    const Json json = random_json(random, 4);
    std::string out = "before ";
    JsonWriter writer(out);
    write(writer, json);
    const std::string wanted = text_of(json);
    ASSERT_EQ(out, "before " + wanted) << "case " << i;
    replaced += wanted.find("\xEF\xBF\xBD") != std::string::npos ? 1 : 0;
    escaped += wanted.find("\\u00") != std::string::npos ? 1 : 0;
    nested +=
        wanted.find("},{") != std::string::npos || wanted.find("],[") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(replaced, 500U);
  EXPECT_GT(escaped, 500U);
  EXPECT_GT(nested, 20U);
}

TEST(JsonWriter, EverySequenceOfTwoBytesAndSomeOfFour) {
  std::size_t good = 0;
  const auto compare = [&](const std::string& text) {
    const std::string wanted = text_of(Json(text));
    ASSERT_EQ(written(std::string_view(text)), wanted);
    good += wanted.find("\xEF\xBF\xBD") == std::string::npos ? 1 : 0;
  };
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) compare({static_cast<char>(a), static_cast<char>(b)});
  Random random(21);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (const unsigned first : {0xE0U, 0x80U, 0x80U, 0x80U})
      text += static_cast<char>(first + random() % (first == 0xE0 ? 32 : 70));
    compare(text.substr(0, 1 + random() % 4));
  }
  EXPECT_GT(good, 128U * 128U);
}

TEST(JsonWriter, NumbersComeBackAsTheyWere) {
  Random random(22);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t bits = random();
    double number = 0;
    std::memcpy(&number, &bits, sizeof number);
    if (i % 2 == 0) number = static_cast<double>(bits >> (bits % 64)) * 1e-9;
    const Json back = Json::parse(written(number));
    if (number - number != 0) {
      ASSERT_TRUE(back.is_null());
      continue;
    }
    ASSERT_TRUE(back.is_number_float()) << written(number);
    ASSERT_EQ(back.get<double>(), number);
  }
  EXPECT_EQ(written(0.0), "0.0");
  EXPECT_EQ(written(1.5), "1.5");
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(written(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(written(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(written("a literal"), "\"a literal\"");
}

TEST(JsonWriter, MembersAndArraysAndTextThatIsThere) {
  const std::uint64_t numbers[] = {1, 2};
  std::string out;
  JsonWriter(out)
      .begin_object()
      .member("name", "x")
      .member("yes", true)
      .key("numbers")
      .values(std::span<const std::uint64_t>(numbers))
      .key("none")
      .values(std::span<const std::string>())
      .key("there")
      .literal("{\"a\":1}")
      .end_object();
  EXPECT_EQ(out, R"({"name":"x","yes":true,"numbers":[1,2],"none":[],"there":{"a":1}})");
}

}  // namespace
}  // namespace pcio
