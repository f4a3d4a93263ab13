// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: where a stretch of the file is cut into slices.
//
// Slices follow what is stored: whole stripes where the file system locks stripes; else whole chunks, or
// equal parts of them, because who has one byte of a chunk mostly has all of it.

#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace pcio {

/// Equal on all ranks.
struct SliceGrid {
  std::uint64_t unit = 1;      ///< bytes that no two nodes may write parts of; 1: there are none
  std::uint64_t block = 4096;  ///< slices begin at multiples of it where nothing else is known
  std::uint64_t origin = 0;    ///< of one chunk; chunks are taken to follow each other
  std::uint64_t period = 0;    ///< bytes of a chunk; 0: no chunks
  std::uint64_t largest = 1;   ///< bytes of a slice; a multiple of block and of unit
  std::uint64_t slices = 1;    ///< at most so many in a stretch
  std::uint64_t plain_slices = 1;  ///< about so many where they don't follow chunks
};

/// Slices of `slice` bytes from `start` on cover [first, end), which begins with what is left to do.
struct CutStretch {
  FileAddress start = 0;
  FileAddress end = 0;
  std::uint64_t slice = 1;
  [[nodiscard]] std::uint64_t count() const { return (end - start + slice - 1) / slice; }
};

/// Below this size slices are not cut further. Bytes.
inline constexpr std::uint64_t kLeastSlice = std::uint64_t{64} << 10;

/// Cuts [first, safe_end), or as much of it as so many slices hold. Collective: pure.
[[nodiscard]] CutStretch cut_stretch(const SliceGrid& grid, FileAddress first,
                                     FileAddress safe_end);

}  // namespace pcio
