// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which bytes of a file are whose: overlaps, what lies behind the end, what nobody has. Room: tools, public
// headers only.

#ifndef PCIO_TOOLS_CHECK_SPACE_HPP
#define PCIO_TOOLS_CHECK_SPACE_HPP

#include <array>
#include <utility>

#include "findings.hpp"

namespace check {

/// Where a file begins and ends for its readers, in bytes.
struct Bounds {
  std::uint64_t begin = 0, end = 0;
};

/// Bytes by what they are for.
struct SpaceUse {
  std::array<std::uint64_t, 10> bytes{};  ///< by pcio_range_use_t
  std::uint64_t unowned = 0;
  /// Start and bytes of the stretches that nobody has, and of those that the file says are free.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> gaps, free_ranges;
  std::uint64_t free() const { return bytes[9]; }
  std::uint64_t data() const { return bytes[5] + bytes[6]; }
  std::uint64_t metadata() const;
};

/// Looks at all ranges of `found` together; what is wrong is added there. Uses up the ranges.
SpaceUse check_space(const Bounds& bounds, Findings* found);

/// "chunk index", "data", ...
const char* use_in_words(unsigned use);

}  // namespace check

#endif
