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

#include "props/chunk_sketch.hpp"
#include "props/closing_totals.hpp"
#include "props/report_totals.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// Grows when a key is renamed, removed or changes its meaning; new keys do not count.
inline constexpr int kReportSchema = 2;

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
  std::string_view stored;  // as stored_text() has it; empty: not known, or not one dataset's
};
/// A part of a line. Collective: pure.
std::string stored_text(const LoggedDataset& stored);

/// What rank 0 knows of all transfers of one dataset in one direction.
struct DatasetSums {
  std::uint64_t collective = 0;      ///< transfers
  std::uint64_t not_collective = 0;  ///< of these: asked to be, and were not
  std::uint64_t independent = 0;
  std::uint64_t failed = 0;
  std::uint64_t slowest = 0;  ///< nanoseconds of the slowest rank, transfer by transfer
  std::uint64_t waiting =
      0;  ///< nanoseconds of all ranks in agreements beyond those of the last one to come
  std::uint64_t causes = 0;
  std::array<std::uint64_t, kMetrics> sums{};
  ChunkSketch touched;  ///< of the last transfer
  std::string stored;

  void add_collective(const TransferReport& mine, const ReportTotals& totals, int ranks);
  void add_independent(const ReportTotals& totals);
};

/// One line of the log for one collective transfer, without the line break. `mine` is rank 0's
/// report; what differs between ranks is taken from the totals. Collective: pure.
std::string transfer_line(const ReportOrigin& origin, const TransferReport& mine,
                          const ReportTotals& totals, const ChunkSketch& touched = ChunkSketch());
/// One line for the independent transfers of a dataset in one direction. Collective: pure.
std::string independent_line(const ReportOrigin& origin, const IndependentRow& row);
/// One line for all transfers of a dataset in one direction. Collective: pure.
std::string dataset_line(const ReportOrigin& origin, Direction direction, const DatasetSums& sums);
/// One line for a file at its close. Collective: pure.
std::string file_line(const ReportOrigin& origin, std::uint64_t nanoseconds_open,
                      const MetadataTotals& metadata);

}  // namespace pcio
