// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: JsonWriter.

#include "base/json_writer.hpp"

#include <cmath>

namespace pcio {

namespace {

/// What may follow the first byte of a character: one byte from `low` to `high`, then `more` of 0x80 to 0xBF.
struct Following {
  unsigned char low, high;
  std::size_t more;
};

/// Source: the Unicode Standard, table 3-7.
bool begins_character(unsigned char first, Following* following) {
  if (first >= 0xC2 && first <= 0xDF) return *following = {0x80, 0xBF, 0}, true;
  if (first >= 0xE0 && first <= 0xEF)
    return *following = {static_cast<unsigned char>(first == 0xE0 ? 0xA0 : 0x80),
                         static_cast<unsigned char>(first == 0xED ? 0x9F : 0xBF), 1},
           true;
  if (first >= 0xF0 && first <= 0xF4)
    return *following = {static_cast<unsigned char>(first == 0xF0 ? 0x90 : 0x80),
                         static_cast<unsigned char>(first == 0xF4 ? 0x8F : 0xBF), 2},
           true;
  return false;
}

struct TextPart {
  std::size_t bytes;
  bool is_good;
};

/// The character of more than one byte at the front of `text`, or as much as looked like one.
TextPart next_part(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  Following following{};
  if (!begins_character(byte(0), &following)) return {1, false};
  if (text.size() < 2 || byte(1) < following.low || byte(1) > following.high) return {1, false};
  for (std::size_t i = 2; i < following.more + 2; ++i)
    if (i >= text.size() || (byte(i) & 0xC0U) != 0x80) return {i, false};
  return {following.more + 2, true};
}

/// Of a character that can't stand in a string as it is; empty where it can.
std::string_view short_escape(char c) {
  switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return {};
  }
}

}  // namespace

void JsonWriter::separate() {
  if (!is_first_) *out_ += ',';
  is_first_ = false;
}

JsonWriter& JsonWriter::begin(char bracket) {
  separate();
  *out_ += bracket;
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end(char bracket) {
  *out_ += bracket;
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  quote(name);
  *out_ += ':';
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::literal(std::string_view json) {
  separate();
  out_->append(json);
  return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

JsonWriter& JsonWriter::value(double number) {
  if (!std::isfinite(number)) return literal("null");
  std::array<char, 32> digits{};
  const std::to_chars_result end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number);
  const std::string_view text(digits.data(), static_cast<std::size_t>(end.ptr - digits.data()));
  literal(text);
  if (text.find_first_of(".e") == std::string_view::npos) out_->append(".0");
  return *this;
}

void JsonWriter::quote(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD", kHex = "0123456789abcdef";
  *out_ += '"';
  while (!text.empty()) {
    const auto first = static_cast<unsigned char>(text.front());
    TextPart piece{1, true};
    if (const std::string_view escape = short_escape(text.front()); !escape.empty())
      out_->append(escape);
    else if (first < 0x20)
      out_->append("\\u00").append(1, kHex[first >> 4U]).append(1, kHex[first & 15U]);
    else {
      if (first >= 0x80) piece = next_part(text);
      out_->append(piece.is_good ? text.substr(0, piece.bytes) : kReplacement);
    }
    text.remove_prefix(piece.bytes);
  }
  *out_ += '"';
}

}  // namespace pcio
