// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools: a log of PCIO_REPORT as values. Lines that can't be read are counted and left out.

#ifndef PCIO_TOOLS_REPORT_RUN_LOG_HPP
#define PCIO_TOOLS_REPORT_RUN_LOG_HPP

#include <array>
#include <cstdint>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace pcio_report {

/// What time goes to, in the order in which it is shown.
enum class Part { kAgreement, kExchange, kFile, kFilters, kConversion, kFill, kElse, kCount };
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::kCount);
struct PartName {
  const char* metric;  ///< as lines have it
  const char* word;    ///< as a person would say it
};
extern const std::array<PartName, kParts> kPartNames;

/// Seconds of a mean rank.
struct Times {
  std::array<double, kParts> seconds{};
  double& operator[](Part part) { return seconds[static_cast<std::size_t>(part)]; }
  double operator[](Part part) const { return seconds[static_cast<std::size_t>(part)]; }
  Times& operator+=(const Times& other);
  [[nodiscard]] double sum() const;
};

/// How a dataset is stored; of the last line that says it.
struct Stored {
  std::string layout;  ///< empty: not known
  std::uint64_t element_bytes = 0, chunk_bytes = 0;
  std::vector<std::uint64_t> extent, chunk;
  std::vector<std::string> filters;
};

/// A collective transfer, or all independent ones of a dataset.
struct Transfer {
  std::string file, dataset, function;
  bool writes = false, is_collective_line = true, succeeded = true, was_collective = true;
  double end = 0;      ///< seconds since an epoch
  double seconds = 0;  ///< of the slowest rank
  std::uint64_t bytes = 0;
  std::size_t lane = 0;  ///< of its dataset
};

/// All transfers of one dataset in one direction.
struct Dataset {
  std::string file, name;
  bool writes = false;
  std::uint64_t ranks = 1;
  Stored stored;
  std::uint64_t collective = 0;      ///< asked to be, and were
  std::uint64_t not_collective = 0;  ///< asked to be
  std::uint64_t independent = 0, failed = 0, converted = 0;
  std::map<std::string, std::uint64_t> causes;  ///< of those that were not collective
  std::map<std::string, std::uint64_t> ways;    ///< transport and why
  double seconds = 0;                           ///< of the slowest rank, transfer by transfer
  double independent_seconds = 0;               ///< of these
  Times times;
  double waiting = 0;                       ///< seconds of a mean rank for the last one to come
  std::map<std::uint64_t, double> late;     ///< by rank: of these, for it
  std::map<std::uint64_t, unsigned> lates;  ///< transfers to which it came last
  std::uint64_t selected = 0, most_selected = 0, most_selected_rank = 0;
  std::uint64_t written = 0, read = 0, sent = 0, between_nodes = 0, raw = 0, stored_bytes = 0,
                filled = 0;
  std::uint64_t file_calls = 0, chunks_touched = 0;
  std::uint64_t distinct = 0, shared = 0;  ///< chunks, summed over transfers that tell
  [[nodiscard]] std::uint64_t transfers() const {
    return collective + not_collective + independent;
  }
  [[nodiscard]] std::uint64_t moved() const { return written + read; }
  [[nodiscard]] std::string title() const;
};

/// Calls of one kind about the metadata of one file.
struct MetadataCalls {
  std::uint64_t calls = 0;
  double seconds = 0;                                  ///< of the slowest rank
  double mean = 0, file = 0, fill = 0, agreement = 0;  ///< of a mean one
  std::uint64_t written = 0, read = 0, filled = 0;
};

struct File {
  std::string name;
  std::uint64_t ranks = 1, closes = 0;
  double open_seconds = 0;
  std::map<std::string, MetadataCalls> metadata;  ///< by kind, as lines have it
};

struct Run {
  std::vector<Dataset> datasets;  ///< in the order in which they come
  std::vector<File> files;
  std::vector<Transfer> transfers;
  std::uint64_t lines = 0, malformed = 0, unknown = 0, newer = 0;
  std::uint64_t ranks = 0;
  double begin = 0, end = 0;  ///< seconds since an epoch
  /// Seconds of all transfers and metadata calls, as if they came one after the other.
  [[nodiscard]] double io_seconds() const;
};

/// Collective: pure.
Run read_log(std::istream& in);

}  // namespace pcio_report

#endif
