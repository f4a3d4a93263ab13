// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: results as text.

#include "results.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "words.hpp"

namespace bench {

using pcio_report::bytes_text;
using pcio_report::counted;
using pcio_report::seconds_text;

namespace {

constexpr const char* kMeaning =
    "Seconds from the file's creation or opening to the end of its close, on the slowest rank; "
    "the\n"
    "median of the runs, libraries in turn. What is read was written just before, by another "
    "rank:\n"
    "a local file system has it in memory. Ratios below 1.2 are chance unless more runs say the "
    "same.\n";

std::string rate_text(std::uint64_t bytes, double seconds) {
  return bytes_text(
             static_cast<std::uint64_t>(static_cast<double>(bytes) / std::max(seconds, 1e-9))) +
         "/s";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

}  // namespace

double median(std::vector<double> seconds) {
  if (seconds.empty()) return 0;
  std::sort(seconds.begin(), seconds.end());
  return seconds[(seconds.size() - 1) / 2];
}

std::string table_text(const Results& results) {
  std::string out =
      fmt::format("{} on {}, in {}\n", counted(static_cast<std::uint64_t>(results.ranks), "rank"),
                  counted(static_cast<std::uint64_t>(results.nodes), "node"),
                  pcio_report::printable(results.folder));
  const bool both = !results.other.empty();
  out += fmt::format("{:<28}  {:<21}", "", results.own);
  if (both) out += fmt::format("  {:<21}  {:>7}", results.other, "faster");
  out += '\n';
  for (const Row& row : results.rows) {
    const double own = median(row.own), other = median(row.other);
    out += fmt::format("{:<11} {:<6} {:>9}  {:>8} {:>12}", row.workload, row.direction,
                       bytes_text(row.bytes), seconds_text(own), rate_text(row.bytes, own));
    if (!row.other.empty())
      out += fmt::format("  {:>8} {:>12}  {:>5.2f} x", seconds_text(other),
                         rate_text(row.bytes, other), other / std::max(own, 1e-9));
    out += '\n';
  }
  if (both) out += "Faster: so many times as fast is libpcio as libhdf5.\n";
  return out + kMeaning;
}

std::string csv_text(const Results& results) {
  std::string out = "workload,direction,library,ranks,nodes,bytes,run,seconds\n";
  for (const Row& row : results.rows) {
    for (const bool own : {true, false}) {
      const std::vector<double>& runs = own ? row.own : row.other;
      for (std::size_t i = 0; i < runs.size(); ++i)
        out += fmt::format("{},{},{},{},{},{},{},{:.6f}\n", row.workload, row.direction,
                           quoted(own ? results.own : results.other), results.ranks, results.nodes,
                           row.bytes, i + 1, runs[i]);
    }
  }
  return out;
}

}  // namespace bench
