// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: the command line.

#ifndef PCIO_TOOLS_EXPLAIN_OPTIONS_HPP
#define PCIO_TOOLS_EXPLAIN_OPTIONS_HPP

#include <string>
#include <vector>

#include "plan.hpp"

namespace pcio_explain {

/// As it was written.
struct Options {
  std::string file, dataset;
  std::string shape, chunk, type = "f8", memory_type;
  std::vector<std::string> filters;
  std::string ranks, slabs, map, transport, chunk_opt;
  std::vector<std::string> try_shapes;
  bool cyclic = false, read = false, independent = false, json = false, tries = false;
  unsigned chunk_opt_num = 0, chunk_opt_ratio = 60;
  int nodes = 1;
  std::uint64_t stripe = 0;
};

/// Whether the tool goes on, or its exit status.
struct Parsed {
  bool goes_on = false;
  int status = 0;
};
Parsed parse(int argc, char** argv, Options* options);

/// Each throws UsageFailure, which names the option.
Settings settings_of(const Options& options);
Subject made_up(const Options& options);
Deal deal_of(const Options& options, const Numbers& dims);
/// "32 ranks, blocks of a grid of 4x4x2".
std::string deal_text(const Options& options, const Deal& deal);
/// Those of --try; empty where they are to be found.
std::vector<Numbers> try_shapes_of(const Options& options, const Numbers& dims);

}  // namespace pcio_explain

#endif
