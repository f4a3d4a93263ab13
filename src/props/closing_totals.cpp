// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: ClosingTotals.

#include "props/closing_totals.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace pcio {

const std::array<const char*, kMetadataKinds> kMetadataNames = {"open",  "create", "extend",
                                                                "flush", "close",  "other"};
const std::array<const char*, kMetadataMetrics> kMetadataMetricNames = {
    "calls",         "nanoseconds", "nanoseconds_agreement", "nanoseconds_file", "nanoseconds_fill",
    "bytes_written", "bytes_read",  "bytes_filled"};

static_assert(std::is_trivially_copyable_v<ClosingTotals>);
static_assert(std::is_trivially_copyable_v<CollectiveTotals>);
static_assert(sizeof(CollectiveTotals) == sizeof(ReportTotals) + sizeof(ChunkSketch));
static_assert(sizeof(ClosingTotals) % sizeof(std::uint64_t) == 0);

MetadataKind metadata_kind(std::string_view function) {
  struct Word {
    const char* word;
    MetadataKind kind;
  };
  constexpr std::array<Word, 8> kWords = {{{"extent", MetadataKind::kExtend},
                                           {"extend", MetadataKind::kExtend},
                                           {"create", MetadataKind::kCreate},
                                           {"commit", MetadataKind::kCreate},
                                           {"flush", MetadataKind::kFlush},
                                           {"close", MetadataKind::kClose},
                                           {"Finalize", MetadataKind::kClose},
                                           {"open", MetadataKind::kOpen}}};
  for (const Word& each : kWords)
    if (function.find(each.word) != std::string_view::npos) return each.kind;
  return MetadataKind::kElse;
}

std::string_view IndependentRow::path() const {
  return {name.data(), ::strnlen(name.data(), name.size())};
}

namespace {

using Row = IndependentRow;

void set_name(Row& row, std::string_view path) {
  row.name.fill('\0');
  constexpr std::string_view kCut = "...";
  const std::size_t begin =
      path.size() <= Row::kNameBytes ? 0 : path.size() - Row::kNameBytes + kCut.size();
  std::size_t at = begin == 0 ? 0 : kCut.copy(row.name.data(), kCut.size());
  path.substr(begin).copy(row.name.data() + at, Row::kNameBytes - at);
}

/// The same dataset's on other ranks, or, of others, what they have of any.
void merge_row(Row& into, const Row& from) {
  if (from.ranks == 0) return;
  if (into.ranks == 0) {
    into = from;
    return;
  }
  into.ranks += from.ranks;
  Row other = from;
  MergeReportTotals()(into.totals.words(), other.totals.words());
}

std::size_t rows_of(const ClosingTotals& totals) {
  std::size_t count = 0;
  while (count < totals.rows.size() && totals.rows[count].key != 0) ++count;
  return count;
}

void put_to_others(ClosingTotals& totals, const Row& row) {
  Row& others = totals.others[row.key & 1U];
  const std::uint64_t key = 2 | (row.key & 1U);
  merge_row(others, row);
  others.key = key;
  set_name(others, "(other datasets)");
}

/// The row of this key; where there is no place null.
Row* row_for(ClosingTotals& totals, std::uint64_t key, std::string_view path) {
  auto* const end = totals.rows.data() + rows_of(totals);
  auto* const at =
      std::find_if(totals.rows.data(), end, [&](const Row& row) { return row.key >= key; });
  if (at != end && at->key == key) return at;
  if (at == totals.rows.data() + totals.rows.size()) return nullptr;
  if (end == totals.rows.data() + totals.rows.size()) {
    put_to_others(totals, *(end - 1));
    std::move_backward(at, end - 1, end);
  } else {
    std::move_backward(at, end, end + 1);
  }
  *at = Row{};
  at->key = key;
  set_name(*at, path);
  return at;
}

/// Of one rank's totals: minima and maxima are that rank's sums.
void add_here(ReportTotals& totals, const TransferReport& report, int mpi_rank) {
  RankTotals one;
  one.add(report);
  for (std::size_t i = 0; i < kMetrics; ++i) one.metrics[i] += totals.metrics[i].sum;
  for (std::size_t i = 0; i < kIoModes; ++i) one.io_modes[i] += totals.io_modes[i];
  for (std::size_t i = 0; i < kTransports; ++i) one.transports[i] += totals.transports[i];
  one.causes |= static_cast<CauseBits>(totals.causes);
  totals = totals_of(one, mpi_rank);
}

}  // namespace

void ClosingTotals::add(std::uint64_t address, std::string_view path, const TransferReport& report,
                        int mpi_rank) {
  const std::uint64_t direction = report.direction == Direction::kWrite ? 1 : 0;
  // Never 0 or that of others.
  const std::uint64_t key = ((address + 2) << 1U) | direction;
  Row* row = row_for(*this, key, path);
  if (row == nullptr) {
    Row passing{};
    passing.key = key;
    put_to_others(*this, passing);
    row = &others[direction];
    set_name(*row, "(other datasets)");
    row->key = 2 | direction;
  }
  // A dataset that has lost its place to this one was this rank's, too.
  for (Row& other : others) other.ranks = std::min<std::uint64_t>(other.ranks, 1);
  row->ranks = 1;
  add_here(row->totals, report, mpi_rank);
}

void ClosingTotals::add_metadata(MetadataKind kind, const MetadataCounts& counts) {
  auto& mine = metadata[static_cast<std::size_t>(kind)];
  for (std::size_t i = 0; i < kMetadataMetrics; ++i) {
    mine[i].sum += counts[i];
    mine[i].max = mine[i].sum;
  }
}

std::span<std::uint64_t> CollectiveTotals::words() {
  return {reinterpret_cast<std::uint64_t*>(this), sizeof *this / sizeof(std::uint64_t)};
}

void MergeCollectiveTotals::operator()(std::span<std::uint64_t> into,
                                       std::span<const std::uint64_t> from) const noexcept {
  CollectiveTotals a{};
  CollectiveTotals b{};
  std::copy(into.begin(), into.end(), a.words().begin());
  std::copy(from.begin(), from.end(), b.words().begin());
  MergeReportTotals()(a.totals.words(), b.totals.words());
  a.touched.merge(b.touched);
  std::copy(a.words().begin(), a.words().end(), into.begin());
}

std::span<std::uint64_t> ClosingTotals::words() {
  return {reinterpret_cast<std::uint64_t*>(this), sizeof *this / sizeof(std::uint64_t)};
}

void MergeClosingTotals::operator()(std::span<std::uint64_t> into,
                                    std::span<const std::uint64_t> from) const noexcept {
  ClosingTotals a{};
  ClosingTotals b{};
  std::copy(into.begin(), into.end(), a.words().begin());
  std::copy(from.begin(), from.end(), b.words().begin());
  for (std::size_t i = 0; i < a.others.size(); ++i) merge_row(a.others[i], b.others[i]);
  for (const Row& row : b.rows) {
    if (row.key == 0) break;
    if (Row* const have = row_for(a, row.key, row.path()); have != nullptr)
      merge_row(*have, row);
    else
      put_to_others(a, row);
  }
  for (std::size_t kind = 0; kind < kMetadataKinds; ++kind)
    for (std::size_t i = 0; i < kMetadataMetrics; ++i) {
      SumAndMax& x = a.metadata[kind][i];
      const SumAndMax& y = b.metadata[kind][i];
      x.sum += y.sum;
      x.max = std::max(x.max, y.max);
    }
  std::copy(a.words().begin(), a.words().end(), into.begin());
}

}  // namespace pcio
