// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: checksums out of line.

#include "base/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pcio {

namespace {

struct Mixer {
  std::uint32_t a, b, c;

  void mix() {
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }

  void finish() {
    c ^= b, c -= std::rotl(b, 14);
    a ^= c, a -= std::rotl(c, 11);
    b ^= a, b -= std::rotl(a, 25);
    c ^= b, c -= std::rotl(b, 16);
    a ^= c, a -= std::rotl(c, 4);
    b ^= a, b -= std::rotl(a, 14);
    c ^= b, c -= std::rotl(b, 24);
  }
};

/// Four bytes, little-endian, all of which are there.
std::uint32_t whole_word_at(ConstBytes data, std::size_t position) {
  std::uint32_t word = 0;
  std::memcpy(&word, data.data() + position, sizeof word);
  return std::endian::native == std::endian::little ? word : __builtin_bswap32(word);
}

/// Up to four bytes, little-endian; missing ones count as zero.
std::uint32_t word_at(ConstBytes data, std::size_t position) {
  std::uint32_t word = 0;
  std::size_t n = position < data.size() ? std::min<std::size_t>(4, data.size() - position) : 0;
  for (std::size_t i = 0; i < n; ++i)
    word |= std::to_integer<std::uint32_t>(data[position + i]) << (8 * i);
  return word;
}

}  // namespace

std::uint32_t lookup3(ConstBytes data, std::uint32_t initial) {
  std::uint32_t start = 0xdeadbeefU + static_cast<std::uint32_t>(data.size()) + initial;
  Mixer m{start, start, start};
  if (data.empty()) return m.c;
  std::size_t position = 0;
  for (; data.size() - position > 12; position += 12) {
    m.a += whole_word_at(data, position);
    m.b += whole_word_at(data, position + 4);
    m.c += whole_word_at(data, position + 8);
    m.mix();
  }
  m.a += word_at(data, position);
  m.b += word_at(data, position + 4);
  m.c += word_at(data, position + 8);
  m.finish();
  return m.c;
}

std::uint32_t fletcher32(ConstBytes data) {
  std::uint32_t sum1 = 0;
  std::uint32_t sum2 = 0;
  std::size_t words = data.size() / 2;
  std::size_t i = 0;
  while (words > 0) {
    std::size_t block = std::min<std::size_t>(words, 360);  // no 32-bit overflow inside a block
    words -= block;
    for (; block > 0; --block, i += 2) {
      sum1 += std::to_integer<std::uint32_t>(data[i]) << 8 |
              std::to_integer<std::uint32_t>(data[i + 1]);
      sum2 += sum1;
    }
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  if (data.size() % 2 != 0) {
    sum1 += std::to_integer<std::uint32_t>(data[i]) << 8;
    sum2 += sum1;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  sum1 = (sum1 & 0xffff) + (sum1 >> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  return sum2 << 16 | sum1;
}

}  // namespace pcio
