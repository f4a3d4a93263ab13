// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: reports as JSON text; the schema is in doc/REPORT.md.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/report_totals.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// Grows when a key is renamed, removed or changes its meaning; new keys do not count.
inline constexpr int kReportSchema = 1;

/// One rank's report as one JSON object without line breaks. Bytes that are not UTF-8 are replaced.
/// Collective: pure.
std::string report_json(const TransferReport& report);

/// How a dataset is stored, for whoever reads a line.
struct LoggedDataset {
  const char* layout = "";  // as H5Pget_layout: "compact", "contiguous", "chunked", "virtual"
  std::uint64_t element_bytes = 0;
  std::span<const std::uint64_t> extent;
  std::span<const std::uint64_t> chunk;  // empty where it is not chunked
  std::uint64_t chunk_bytes = 0;
  std::vector<std::string> filters;
};

/// Where a line of the report log comes from.
struct ReportOrigin {
  std::string_view file;
  std::string_view dataset;  // empty: not one dataset's
  std::string_view function;
  std::string_view time;  // UTC, as text
  int ranks = 1;
  const LoggedDataset* stored = nullptr;  // null: not known, or not one dataset's
};

/// One line of the log for one collective transfer, without the line break. `mine` is rank 0's
/// report; what differs between ranks is taken from the totals. Collective: pure.
std::string transfer_line(const ReportOrigin& origin, const TransferReport& mine,
                          const ReportTotals& totals);
/// One line for all independent transfers of a file. Collective: pure.
std::string independent_line(const ReportOrigin& origin, const ReportTotals& totals);

}  // namespace pcio
