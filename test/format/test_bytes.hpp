// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Helpers of the format tests: bytes from hex text, and hex text from bytes for readable failures.

#pragma once

#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace pcio::test {

/// "89 48" to bytes; blanks are ignored, and "*N" repeats the byte before to N in all.
inline std::vector<std::byte> hex(std::string_view text) {
  std::vector<std::byte> bytes;
  auto digit = [](char c) { return c <= '9' ? c - '0' : std::tolower(c) - 'a' + 10; };
  for (std::size_t i = 0; i < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[i]))) {
      ++i;
    } else if (text[i] == '*') {
      std::size_t n = 0;
      for (++i; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])); ++i)
        n = 10 * n + static_cast<std::size_t>(text[i] - '0');
      bytes.insert(bytes.end(), n - 1, bytes.back());
    } else {
      bytes.push_back(static_cast<std::byte>(digit(text[i]) * 16 + digit(text[i + 1])));
      i += 2;
    }
  }
  return bytes;
}

inline std::string to_hex(ConstBytes bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::byte b : bytes) {
    text += kDigits[std::to_integer<unsigned>(b) >> 4];
    text += kDigits[std::to_integer<unsigned>(b) & 15];
    text += ' ';
  }
  return text;
}

/// Calls `decode` with random bytes, with prefixes of `valid`, and with `valid` damaged in 1 to 4
/// places. It passes by coming back; sanitizers watch it.
template <class Decode>
void survive_damage(ConstBytes valid, Decode&& decode, unsigned seed = 1) {
  std::mt19937 random(seed);
  for (std::size_t n = 0; n <= valid.size(); ++n) decode(valid.first(n));
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bytes(valid.begin(), valid.end());
    for (unsigned hits = 1 + random() % 4; hits > 0 && !bytes.empty(); --hits) {
      // Values near the ends of the range find more than even ones.
      static constexpr unsigned kValues[] = {0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF};
      const unsigned value = random() % 2 != 0 ? kValues[random() % 7] : random() & 0xFF;
      bytes[random() % bytes.size()] = static_cast<std::byte>(value);
    }
    decode(ConstBytes(bytes));
  }
  for (int round = 0; round < 1000; ++round) {
    std::vector<std::byte> bytes(random() % 200);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    // Half of them start as the valid ones do, so that they pass the signature.
    if (round % 2 == 0)
      for (std::size_t i = 0; i < bytes.size() && i < 6 && i < valid.size(); ++i)
        bytes[i] = valid[i];
    decode(ConstBytes(bytes));
  }
}

}  // namespace pcio::test
