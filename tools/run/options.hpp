// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pcio-run. Room: tools.

#ifndef PCIO_TOOLS_RUN_OPTIONS_HPP
#define PCIO_TOOLS_RUN_OPTIONS_HPP

#include <string>
#include <vector>

namespace pcio_run {

struct Options {
  bool help = false, check = false, explain = false;
  std::string report;  // empty: a file of our own, that goes away
  std::vector<std::string> command;
  std::string wrong;  // what is wrong with the command line; empty: nothing
};

/// Our own options end at the first word that is none; what follows is the command's.
Options read_options(int argc, char** argv);

}  // namespace pcio_run

#endif
