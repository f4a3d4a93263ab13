// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The command line of pciorepack. Room: tools, public headers only.

#ifndef PCIO_TOOLS_REPACK_OPTIONS_HPP
#define PCIO_TOOLS_REPACK_OPTIONS_HPP

#include <cstdint>
#include <hdf5.h>
#include <string>
#include <vector>

#include "progress.hpp"

namespace repack {

/// Objects that a rule is for; none: all.
struct Objects {
  std::vector<std::string> paths;
  std::vector<haddr_t> addresses;  ///< in the source, once it is open
};

struct FilterRule {
  Objects objects;
  H5Z_filter_t id = H5Z_FILTER_NONE;  ///< H5Z_FILTER_NONE: no filters
  unsigned flags = H5Z_FLAG_MANDATORY;
  std::vector<unsigned> values;
};

struct LayoutRule {
  Objects objects;
  H5D_layout_t layout = H5D_LAYOUT_ERROR;
  std::vector<hsize_t> chunk;  ///< elements, of H5D_CHUNKED
};

struct Options {
  std::string in, out;
  std::vector<FilterRule> filters;
  std::vector<LayoutRule> layouts;
  H5F_libver_t low = H5F_LIBVER_EARLIEST, high = H5F_LIBVER_LATEST;
  std::uint64_t minimum = 0;         ///< bytes of a dataset below which filters aren't put on
  std::uint64_t memory = 256 << 20;  ///< bytes of a rank
  std::string user_block_file;
  std::uint64_t user_block = 0;  ///< bytes; 0: as in the source
  hsize_t threshold = 1, alignment = 1;
  hsize_t metadata_block = 0;  ///< bytes; 0: the default
  int most_compact = -1, least_dense = -1;
  std::string strategy;  ///< empty: as in the source
  int persist = -1;
  std::int64_t section_threshold = -1, page_size = -1;
  bool verbose = false;
  bool forget_unlinked = false;  ///< references to what no link leads to
  tools::Bar bar = tools::Bar::kOnTerminal;
};

/// Reads the command line. True: go on with `options`; false: end with `status`, all is said (by the first
/// rank only).
bool read_options(int argc, char** argv, bool speaks, Options* options, int* status);

/// What a rule of -f or -l says. Throw std::invalid_argument with the reason.
FilterRule parse_filter(const std::string& text);
LayoutRule parse_layout(const std::string& text);

}  // namespace repack

#endif
