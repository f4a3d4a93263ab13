// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: reports of many ranks, or of many transfers, as one: sums, minima, maxima and where.
//
// Plain words, so that one merging reduction over the ranks makes the totals of a transfer.

#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "props/transfer_report.hpp"

namespace pcio {

/// What is added up, in the order of kMetricNames.
enum class Metric : std::uint8_t {
  kTransfers,
  kFailed,
  kUnverified,  // succeeded, but a success nobody counted
  kNanoseconds,
  kAgreementTime,  // nanoseconds, as the next five: what they went to
  kExchangeTime,
  kFileTime,
  kFilterTime,
  kConversionTime,
  kFillTime,
  kConverted,  // transfers in which types were converted
  kBytesSelected,
  kBytesWritten,
  kBytesRead,
  kBytesRaw,     // of chunks with filters that were encoded or decoded
  kBytesStored,  // as they lie in the file
  kBytesFilled,
  kChunksTouched,
  kChunksCollective,
  kChunksIndependent,
  kIndependentWrites,
  kIndependentReads,
  kCollectiveWrites,
  kCollectiveReads,
  kViewChanges,
  kPosixWrites,
  kPosixReads,
  kBytesSent,
  kBytesReceived,
  kMessagesSent,
  kMessagesReceived,
  kExchangeRounds,
  kBytesBetweenNodes,
  kMessagesBetweenNodes,
  kCount
};
inline constexpr std::size_t kMetrics = static_cast<std::size_t>(Metric::kCount);
extern const std::array<const char*, kMetrics> kMetricNames;

inline constexpr std::size_t kIoModes = 5;

/// One rank's sums over one or more transfers.
struct RankTotals {
  std::array<std::uint64_t, kMetrics> metrics{};
  std::array<std::uint64_t, kIoModes> io_modes{};       // transfers by ActualIoMode
  std::array<std::uint64_t, kTransports> transports{};  // transfers by Transport
  CauseBits causes = 0;                                 // local ones, ORed

  void add(const TransferReport& report);
  [[nodiscard]] std::uint64_t operator[](Metric m) const {
    return metrics[static_cast<std::size_t>(m)];
  }
};

/// One metric over the ranks; of ranks with equal values the lowest is named.
struct MetricTotals {
  std::uint64_t sum, min, min_rank, max, max_rank;
};

/// All ranks' RankTotals merged.
struct ReportTotals {
  std::array<MetricTotals, kMetrics> metrics;
  std::array<std::uint64_t, kIoModes> io_modes;
  std::array<std::uint64_t, kTransports> transports;
  std::uint64_t causes;
  [[nodiscard]] const MetricTotals& operator[](Metric m) const {
    return metrics[static_cast<std::size_t>(m)];
  }
  /// The same memory as words, for a reduction.
  [[nodiscard]] std::span<std::uint64_t> words();
};

/// Collective: pure.
ReportTotals totals_of(const RankTotals& mine, int mpi_rank);
/// Merges blocks of ReportTotals::words(); commutative and associative.
struct MergeReportTotals {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

}  // namespace pcio
