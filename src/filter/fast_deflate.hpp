// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room filter: deflate at level 1 by ISA-L, where libpcio was built with it.
//
// Its level 1 is five to ten times as fast as those of zlib and libdeflate at about their sizes. Its
// higher levels hardly make smaller streams than this one, so it is no help for them.

#pragma once

#include <cstddef>

#include "base/types.hpp"

namespace pcio {

/// Whether this build has it.
[[nodiscard]] bool has_fast_deflate();

/// Makes a zlib stream of `in`. Threads: any; each keeps 350 KiB from the first call on.
/// Result: its size; 0 where ISA-L is missing, can't do it, or finds no room in `out`, which is
///   certain to be enough from most_fast_deflated on. `out` holds anything then.
std::size_t deflate_fast(ConstBytes in, Bytes out);

/// Enough room for a stream of any `bytes` bytes.
constexpr std::size_t most_fast_deflated(std::size_t bytes) {
  // Blocks of 65535 bytes as they are, each behind 5 bytes; header, checksum, and what ISA-L wants
  // to be free while it writes.
  return bytes + (bytes / 65535 + 1) * 5 + 6 + 64;
}

}  // namespace pcio
