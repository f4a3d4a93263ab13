// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: sorting chunks by address.

#include "plan/chunk_order.hpp"

#include <algorithm>

namespace pcio {

WasOrdered order_by_address(std::span<PlacedChunk> chunks) {
  const auto before = [](const PlacedChunk& a, const PlacedChunk& b) {
    return a.address != b.address ? a.address < b.address : a.ordinal < b.ordinal;
  };
  if (std::is_sorted(chunks.begin(), chunks.end(), before)) return WasOrdered::kYes;
  std::sort(chunks.begin(), chunks.end(), before);
  return WasOrdered::kNo;
}

}  // namespace pcio
