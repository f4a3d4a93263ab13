// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: adding reports up.

#include "props/report_totals.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pcio {

const std::array<const char*, kMetrics> kMetricNames = {"transfers",
                                                        "failed",
                                                        "unverified",
                                                        "nanoseconds",
                                                        "nanoseconds_agreement",
                                                        "nanoseconds_exchange",
                                                        "nanoseconds_file",
                                                        "nanoseconds_filters",
                                                        "nanoseconds_conversion",
                                                        "nanoseconds_fill",
                                                        "converted",
                                                        "bytes_selected",
                                                        "bytes_written",
                                                        "bytes_read",
                                                        "bytes_raw",
                                                        "bytes_stored",
                                                        "bytes_filled",
                                                        "chunks_touched",
                                                        "chunks_collective",
                                                        "chunks_independent",
                                                        "independent_writes",
                                                        "independent_reads",
                                                        "collective_writes",
                                                        "collective_reads",
                                                        "view_changes",
                                                        "posix_writes",
                                                        "posix_reads",
                                                        "bytes_sent",
                                                        "bytes_received",
                                                        "messages_sent",
                                                        "messages_received",
                                                        "exchange_rounds",
                                                        "bytes_between_nodes",
                                                        "messages_between_nodes"};

static_assert(std::is_trivially_copyable_v<ReportTotals>);
static_assert(sizeof(ReportTotals) ==
                  (5 * kMetrics + kIoModes + kTransports + 1) * sizeof(std::uint64_t),
              "no padding, so that it is words");

void RankTotals::add(const TransferReport& r) {
  const IoCounts& io = r.counts;
  const ExchangeCounts& ex = r.exchange;
  const std::array<std::uint64_t, kMetrics> values = {1,
                                                      r.succeeded ? 0U : 1U,
                                                      r.succeeded && !r.verified ? 1U : 0U,
                                                      r.nanoseconds,
                                                      r.spent[Spent::kAgreement],
                                                      r.spent[Spent::kExchange],
                                                      r.spent[Spent::kFile],
                                                      r.spent[Spent::kFilters],
                                                      r.spent[Spent::kConversion],
                                                      r.spent[Spent::kFill],
                                                      r.traits.converted ? 1U : 0U,
                                                      r.bytes_selected,
                                                      io.bytes_written,
                                                      io.bytes_read,
                                                      r.spent[Amount::kRaw],
                                                      r.spent[Amount::kStored],
                                                      r.spent[Amount::kFilled],
                                                      r.chunks_touched,
                                                      r.chunks.collective,
                                                      r.chunks.independent,
                                                      io.independent_writes,
                                                      io.independent_reads,
                                                      io.collective_writes,
                                                      io.collective_reads,
                                                      io.view_changes,
                                                      io.posix_writes,
                                                      io.posix_reads,
                                                      ex.bytes_sent,
                                                      ex.bytes_received,
                                                      ex.messages_sent,
                                                      ex.messages_received,
                                                      ex.rounds,
                                                      ex.bytes_between_nodes,
                                                      ex.messages_between_nodes};
  for (std::size_t i = 0; i < kMetrics; ++i) metrics[i] += values[i];
  ++io_modes[static_cast<std::size_t>(r.io_mode) % kIoModes];
  ++transports[static_cast<std::size_t>(r.transport) % kTransports];
  causes |= r.local_causes;
}

std::span<std::uint64_t> ReportTotals::words() {
  return {reinterpret_cast<std::uint64_t*>(this), sizeof *this / sizeof(std::uint64_t)};
}

ReportTotals totals_of(const RankTotals& mine, int mpi_rank) {
  ReportTotals totals{};
  const auto rank = static_cast<std::uint64_t>(mpi_rank);
  for (std::size_t i = 0; i < kMetrics; ++i) {
    const std::uint64_t value = mine.metrics[i];
    totals.metrics[i] = {value, value, rank, value, rank};
  }
  totals.io_modes = mine.io_modes;
  totals.transports = mine.transports;
  totals.causes = mine.causes;
  return totals;
}

void MergeReportTotals::operator()(std::span<std::uint64_t> into,
                                   std::span<const std::uint64_t> from) const noexcept {
  ReportTotals a{};
  ReportTotals b{};
  std::memcpy(&a, into.data(), sizeof a);
  std::memcpy(&b, from.data(), sizeof b);
  for (std::size_t i = 0; i < kMetrics; ++i) {
    MetricTotals& x = a.metrics[i];
    const MetricTotals& y = b.metrics[i];
    x.sum += y.sum;
    if (y.min < x.min || (y.min == x.min && y.min_rank < x.min_rank)) {
      x.min = y.min;
      x.min_rank = y.min_rank;
    }
    if (y.max > x.max || (y.max == x.max && y.max_rank < x.max_rank)) {
      x.max = y.max;
      x.max_rank = y.max_rank;
    }
  }
  for (std::size_t i = 0; i < kIoModes; ++i) a.io_modes[i] += b.io_modes[i];
  for (std::size_t i = 0; i < kTransports; ++i) a.transports[i] += b.transports[i];
  a.causes |= b.causes;
  std::memcpy(into.data(), &a, sizeof a);
}

}  // namespace pcio
