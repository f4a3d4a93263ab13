// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: a run as one HTML page that needs nothing else.

#ifndef PCIO_TOOLS_REPORT_HTML_HPP
#define PCIO_TOOLS_REPORT_HTML_HPP

#include <string>
#include <vector>

#include "advice.hpp"
#include "run_log.hpp"

namespace pcio_report {

/// Text from a log, for a place between tags or in a quoted attribute.
std::string escaped(const std::string& text);

/// The page. `log`: the log's name. Collective: pure.
std::string html_page(const Run& run, const std::vector<Advice>& advice, const std::string& log);

// Parts of it.
/// One bar for the time of all datasets and metadata calls, by what it went to.
std::string time_chart(const Run& run);
/// A lane for each dataset, transfers along the run's time.
std::string timeline_chart(const Run& run);
/// Bytes asked for, moved to or from the file, and sent between ranks.
std::string bytes_chart(const Dataset& dataset);
extern const char* const kPageStyle;

}  // namespace pcio_report

#endif
