// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a comparison found. Room: tools.

#ifndef PCIO_TOOLS_DIFF_OUTCOME_HPP
#define PCIO_TOOLS_DIFF_OUTCOME_HPP

#include <cstdint>
#include <string>

namespace diff {

/// Differences of one object, or of one attribute, and the lines that tell them.
struct Outcome {
  std::uint64_t count = 0;
  std::uint64_t told = 0;  ///< of these, with a line each
  std::string lines;
  std::string not_comparable;  ///< why; empty: it can be compared
  bool error = false;
  std::string reason;  ///< of the error
};

}  // namespace diff

#endif
