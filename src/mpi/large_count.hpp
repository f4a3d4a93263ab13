// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: no MPI call moves more than 1 GiB; the only place where counts are narrowed to int.
//
// Counts are int in MPI 3, and implementations go wrong well below 2 GiB where they multiply them.

#pragma once

#include <algorithm>
#include <cstdint>

#include "base/status.hpp"

namespace pcio::mpi {

inline constexpr std::uint64_t kMaxCallBytes = std::uint64_t{1} << 30;

/// The caller knows that `count` is at most kMaxCallBytes.
inline int narrow(std::uint64_t count) {
  return static_cast<int>(std::min<std::uint64_t>(count, kMaxCallBytes));
}

/// Calls `body(start, length)` for pieces of at most `limit` that cover [0, total), in order; stops
/// at the first failure.
template <class F>
Status for_each_piece(std::uint64_t total, std::uint64_t limit, F&& body) {
  for (std::uint64_t start = 0; start < total; start += limit)
    PCIO_TRY(body(start, std::min(limit, total - start)));
  return Status();
}

}  // namespace pcio::mpi
