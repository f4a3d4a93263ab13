// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciodiff: h5diff's. Room: tools, public headers only.

#ifndef PCIO_TOOLS_DIFF_OPTIONS_HPP
#define PCIO_TOOLS_DIFF_OPTIONS_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "progress.hpp"

namespace diff {

/// What counts as a difference between two numbers.
enum class Measure : std::uint8_t { kExact, kDelta, kRelative, kEpsilon };

struct Options {
  std::string files[2], objects[2];  ///< no objects: the files
  bool report = false, verbose = false, quiet = false, contents = false;
  int level = 0;  ///< of -v
  bool follow = false, no_dangling = false, strict = false;
  bool detect_nan = true;
  std::uint64_t most = UINT64_MAX;  ///< differences told of an object
  Measure measure = Measure::kExact;
  double limit = 0;  ///< of kDelta and kRelative
  std::vector<std::string> excluded_paths, excluded_attributes;
  std::uint64_t memory = 64 << 20;  ///< bytes of a rank
  tools::Bar bar = tools::Bar::kOnTerminal;

  /// Objects are told also where nothing differs, and differences one by one.
  bool tells_values() const { return (report || verbose) && !quiet; }
};

/// Reads the command line. False: end with `status`; all is said, by the first rank only.
bool read_options(int argc, char** argv, bool speaks, Options* options, int* status);

}  // namespace diff

#endif
