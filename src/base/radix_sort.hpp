// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: stable sorting by a 64-bit key, for lists as long as selections of points.

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace pcio {

/// Sorts by key(element), an unsigned 64-bit number; equal keys keep their order. Memory: as much
/// again. Cost: one pass for each 11 bits in which keys differ.
template <class T, class Key>
void radix_sort(std::vector<T>& items, Key key) {
  constexpr unsigned kBits = 11;
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kBits) - 1;
  constexpr std::size_t kWorthIt = 512;
  if (items.size() < kWorthIt) {
    std::stable_sort(items.begin(), items.end(),
                     [&](const T& a, const T& b) { return key(a) < key(b); });
    return;
  }
  std::uint64_t differing = 0;
  const std::uint64_t first = key(items.front());
  for (const T& item : items) differing |= key(item) ^ first;
  std::vector<T> other(items.size());
  for (unsigned shift = 0; shift < 64; shift += kBits) {
    if ((differing >> shift & kMask) == 0) continue;
    std::array<std::size_t, kMask + 1> place{};
    for (const T& item : items) ++place[key(item) >> shift & kMask];
    std::size_t at = 0;
    for (std::size_t& n : place) at += std::exchange(n, at);
    for (const T& item : items) other[place[key(item) >> shift & kMask]++] = item;
    items.swap(other);
  }
}

}  // namespace pcio
