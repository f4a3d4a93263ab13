// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What was measured, as a table, as CSV and as a picture. Room: tools, pure.

#ifndef PCIO_TOOLS_BENCH_RESULTS_HPP
#define PCIO_TOOLS_BENCH_RESULTS_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// One workload in one direction.
struct Row {
  std::string workload, direction;
  std::uint64_t bytes = 0;
  std::vector<double> own,
      other;  ///< seconds of each run; `other` is empty where there is no libhdf5
};

struct Results {
  std::string own, other;  ///< the libraries; `other` is empty where there is none
  std::string folder;
  int ranks = 1, nodes = 1;
  std::vector<Row> rows;
};

/// Of an even number of runs the faster one in the middle. 0 of none.
double median(std::vector<double> seconds);

/// The table, and what the figures mean.
std::string table_text(const Results& results);
/// A line for each run, with a head.
std::string csv_text(const Results& results);
/// Bars, as one SVG that needs nothing else, for light and dark.
std::string chart_svg(const Results& results);

}  // namespace bench

#endif
