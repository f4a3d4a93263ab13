// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: one element over and over.

#pragma once

#include <algorithm>
#include <cstring>

#include "base/types.hpp"

namespace pcio {

/// Writes `element` again and again from `to[from]` on, where `from` bytes, whole elements, have it
/// already; the last one may be cut. Without an element: zeros.
///
/// What is there is copied behind itself, twice as much each time as long as that fits in a cache:
/// a call for each element would cost more than the bytes.
inline void repeat_element(ConstBytes element, Bytes to, std::size_t from = 0) {
  constexpr std::size_t kHot = std::size_t{32} << 10;  // bytes that stay in the nearest cache
  if (to.empty()) return;
  if (element.empty()) {
    std::fill(to.begin(), to.end(), std::byte{0});
    return;
  }
  std::size_t have = from;
  if (have == 0) {
    have = std::min(element.size(), to.size());
    std::memcpy(to.data(), element.data(), have);
  }
  const std::size_t most = std::max(element.size(), kHot / element.size() * element.size());
  while (have < to.size()) {
    const std::size_t more = std::min({have, most, to.size() - have});
    std::memcpy(to.data() + have, to.data(), more);
    have += more;
  }
}

}  // namespace pcio
