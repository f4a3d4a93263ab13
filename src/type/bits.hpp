// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room type: bit fields of up to 128 bits in one element, in any byte order.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "type/datatype.hpp"

namespace pcio::detail {

__extension__ using Wide = unsigned __int128;
inline constexpr unsigned kWideBits = 128;

/// Largest number that the general conversions take, in bytes.
inline constexpr std::size_t kMaxNumberSize = 64;

/// The bytes of one element with the lowest first; the tail is there so that 16 bytes can be loaded
/// at any bit of the element.
struct LittleBytes {
  std::byte at[kMaxNumberSize + 24] = {};
};

/// All ones in the lowest `width` bits (0 to 128).
[[nodiscard]] constexpr Wide low_mask(unsigned width) {
  return width >= kWideBits ? ~Wide{0} : (Wide{1} << width) - 1;
}

/// Number of bits needed for `value`; 0 for 0.
[[nodiscard]] constexpr unsigned bit_width(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high != 0) return 64 + static_cast<unsigned>(std::bit_width(high));
  return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

/// Brings an element into or out of little-endian order (each order is its own inverse).
/// VAX order: the 16-bit words are big-endian, the bytes in each are not.
inline void reorder(std::byte* to, const std::byte* from, std::size_t size, ByteOrder order) {
  if (order == ByteOrder::kBig) {
    for (std::size_t i = 0; i < size; ++i) to[i] = from[size - 1 - i];
  } else if (order == ByteOrder::kVax && size % 2 == 0) {
    for (std::size_t i = 0; i < size; i += 2) {
      to[i] = from[size - 2 - i];
      to[i + 1] = from[size - 1 - i];
    }
  } else {
    std::memcpy(to, from, size);
  }
}

/// 8 bytes at byte `at` as a little-endian number.
[[nodiscard]] inline std::uint64_t load_word(const std::byte* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return std::endian::native == std::endian::little ? value : __builtin_bswap64(value);
}
inline void store_word(std::byte* at, std::uint64_t value) {
  if constexpr (std::endian::native != std::endian::little) value = __builtin_bswap64(value);
  std::memcpy(at, &value, sizeof value);
}

/// 16 bytes at byte `at` as a little-endian number.
[[nodiscard]] inline Wide load_wide(const std::byte* at) {
  return static_cast<Wide>(load_word(at + 8)) << 64 | load_word(at);
}

/// `width` bits (0 to 128) from bit `position` on.
[[nodiscard]] inline Wide get_bits(const LittleBytes& bytes, std::size_t position, unsigned width) {
  const std::byte* at = bytes.at + position / 8;
  const unsigned shift = position % 8;
  Wide value = load_wide(at) >> shift;
  // Up to seven bits lie in a seventeenth byte.
  if (shift != 0) value |= static_cast<Wide>(at[16]) << (kWideBits - shift);
  return value & low_mask(width);
}

/// Stores the lowest `width` bits (0 to 128) of `value` from bit `position` on.
inline void set_bits(LittleBytes& bytes, std::size_t position, unsigned width, Wide value) {
  // With a shift of up to 7, 56 bits fit one 64-bit word.
  constexpr unsigned kStep = 56;
  for (unsigned done = 0; done < width; done += kStep) {
    const unsigned count = width - done < kStep ? width - done : kStep;
    std::byte* at = bytes.at + (position + done) / 8;
    const unsigned shift = (position + done) % 8;
    const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << shift;
    const std::uint64_t fresh = (static_cast<std::uint64_t>(value >> done) << shift) & mask;
    store_word(at, (load_word(at) & ~mask) | fresh);
  }
}

/// Sets bits [begin, end) as a padding rule says. What is to stay as it was stays: an element that is made
/// begins as zeros, as libhdf5's do.
inline void pad_bits(LittleBytes& bytes, std::size_t begin, std::size_t end, BitPad pad) {
  if (pad == BitPad::kBackground) return;
  const Wide fill = pad == BitPad::kOne ? ~Wide{0} : Wide{0};
  for (std::size_t at = begin; at < end; at += kWideBits) {
    const std::size_t left = end - at;
    set_bits(bytes, at, static_cast<unsigned>(left < kWideBits ? left : kWideBits), fill);
  }
}

}  // namespace pcio::detail
