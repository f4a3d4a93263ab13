// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: a run as text for a terminal.

#ifndef PCIO_TOOLS_REPORT_TEXT_HPP
#define PCIO_TOOLS_REPORT_TEXT_HPP

#include <string>
#include <vector>

#include "advice.hpp"
#include "run_log.hpp"

namespace pcio_report {

/// `width`: of a line, in columns. Collective: pure.
std::string run_text(const Run& run, const std::vector<Advice>& advice, std::size_t width);

}  // namespace pcio_report

#endif
