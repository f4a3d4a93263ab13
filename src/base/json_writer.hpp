// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: JSON text that is appended as it goes.
//
// There is no tree: a tree may need memory to be destroyed, and where memory is short that ends the program.
// Here only the text grows, and a failure of that is an exception like any other.

#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace pcio {

/// Appends one JSON value to a string that outlives it: objects and arrays are begun and ended, and have values
/// in between, in objects with a key before each. Nothing checks that they fit together.
///
/// Each call may throw std::bad_alloc; the text is good for nothing then.
/// Threads: one thread. Source: RFC 8259.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(&out) {}

  JsonWriter& begin_object() { return begin('{'); }
  JsonWriter& end_object() { return end('}'); }
  JsonWriter& begin_array() { return begin('['); }
  JsonWriter& end_array() { return end(']'); }
  JsonWriter& key(std::string_view name);

  /// Text may be any bytes: each sequence that is no UTF-8 becomes U+FFFD.
  JsonWriter& value(std::string_view text);
  /// The shortest text that gives the same number when it is read, with a point or an exponent; null where it is
  /// none.
  JsonWriter& value(double number);
  /// A template, so that a pointer to text is no truth value.
  template <std::integral T>
  JsonWriter& value(T is) {
    if constexpr (std::same_as<T, bool>) {
      return literal(is ? "true" : "false");
    } else {
      std::array<char, 24> digits{};
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), is);
      return literal({digits.data(), static_cast<std::size_t>(end.ptr - digits.data())});
    }
  }
  /// JSON text that is there already.
  JsonWriter& literal(std::string_view json);
  /// An array of values.
  template <class T>
  JsonWriter& values(std::span<T> all) {
    begin_array();
    for (const auto& each : all) value(each);
    return end_array();
  }
  template <class T>
  JsonWriter& member(std::string_view name, const T& is) {
    return key(name).value(is);
  }

 private:
  void separate();
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  void quote(std::string_view text);

  std::string* out_;
  bool is_first_ =
      true;  ///< what comes next has nothing before it in its object or array, or has a key
};

}  // namespace pcio
