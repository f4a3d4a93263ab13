// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: arithmetic on numbers that came from a file or a user, where wrap-around is an error.

#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

namespace pcio {

/// a + b, or nothing where it does not fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checked_add(T a, T b) {
  T sum{};
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing where it does not fit.
template <std::unsigned_integral T>
[[nodiscard]] constexpr std::optional<T> checked_mul(T a, T b) {
  T product{};
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// True where [offset, offset + size) lies inside [0, limit).
[[nodiscard]] constexpr bool fits_inside(std::uint64_t offset, std::uint64_t size,
                                         std::uint64_t limit) {
  return size <= limit && offset <= limit - size;
}

/// Smallest multiple of `step` (> 0) that is >= value; the caller knows that it fits.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T round_up(T value, T step) {
  return (value + step - 1) / step * step;
}

/// Number of blocks of `step` (> 0) that cover `value`.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T ceil_div(T value, T step) {
  return value / step + (value % step != 0 ? 1 : 0);
}

/// Bytes needed to hold `value` (1 to 8).
[[nodiscard]] constexpr unsigned bytes_needed(std::uint64_t value) {
  unsigned n = 1;
  while ((value >>= 8) != 0) ++n;
  return n;
}

}  // namespace pcio
