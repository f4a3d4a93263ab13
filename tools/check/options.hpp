// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciocheck. Room: tools, public headers only.

#ifndef PCIO_TOOLS_CHECK_OPTIONS_HPP
#define PCIO_TOOLS_CHECK_OPTIONS_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "progress.hpp"

namespace check {

struct Options {
  std::vector<std::string> files;
  bool deep = false;  ///< elements are read, too
  bool json = false;
  bool verbose = false;  ///< everything is listed, and ranges that nobody owns
  bool quiet = false;
  std::uint64_t memory = std::uint64_t{256} << 20;  ///< bytes of elements at a time, of a rank
  tools::Bar bar = tools::Bar::kOnTerminal;
};

/// False where there is nothing to do: `status` is then the exit status. `speaks`: on the first rank.
bool read_options(int argc, char** argv, bool speaks, Options* options, int* status);

}  // namespace check

#endif
