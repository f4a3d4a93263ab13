// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What the report and the log of a run say in few lines. Room: tools.

#ifndef PCIO_TOOLS_RUN_SUMMARY_HPP
#define PCIO_TOOLS_RUN_SUMMARY_HPP

#include <cstdint>
#include <string>

namespace pcio_run {

/// Prints to stderr; `begin`: where in the report this run's lines begin.
void print_summary(const std::string& report, std::uint64_t begin, const std::string& log,
                   bool explain);

}  // namespace pcio_run

#endif
