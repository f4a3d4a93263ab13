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

namespace {

/// A word of Fletcher's sums: two bytes, the more significant one first.
std::uint32_t fletcher_word(const std::byte* at) {
  return std::to_integer<std::uint32_t>(at[0]) << 8 | std::to_integer<std::uint32_t>(at[1]);
}

}  // namespace

std::uint32_t fletcher32(ConstBytes data) {
  // Each word goes into the second sum as often as there are words from it on: of a few words together that is a
  // product, and none of them waits for the one before.
  constexpr std::uint32_t kTogether = 8;
  std::uint32_t sum1 = 0;
  std::uint32_t sum2 = 0;
  std::size_t words = data.size() / 2;
  const std::byte* at = data.data();
  while (words > 0) {
    std::size_t block = std::min<std::size_t>(words, 360);  // no 32-bit overflow inside a block
    words -= block;
    for (; block >= kTogether; block -= kTogether, at += std::size_t{2} * kTogether) {
      std::uint32_t sum = 0;
      std::uint32_t weighted = 0;
      for (std::uint32_t i = 0; i < kTogether; ++i) {
        const std::uint32_t word = fletcher_word(at + std::size_t{2} * i);
        sum += word;
        weighted += (kTogether - i) * word;
      }
      sum2 += kTogether * sum1 + weighted;
      sum1 += sum;
    }
    for (; block > 0; --block, at += 2) {
      sum1 += fletcher_word(at);
      sum2 += sum1;
    }
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  if (data.size() % 2 != 0) {
    sum1 += std::to_integer<std::uint32_t>(*at) << 8;
    sum2 += sum1;
    sum1 = (sum1 & 0xffff) + (sum1 >> 16);
    sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  }
  sum1 = (sum1 & 0xffff) + (sum1 >> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  return sum2 << 16 | sum1;
}

}  // namespace pcio
