// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room props: what the ranks bring to the lines that the log has of a file at its close.
//
// Plain words of a fixed number, so that one merging reduction makes them, whichever datasets which ranks
// have moved by themselves.

#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "props/chunk_sketch.hpp"
#include "props/report_totals.hpp"

namespace pcio {

/// Calls that are about metadata, by what they do.
enum class MetadataKind : std::uint8_t { kOpen, kCreate, kExtend, kFlush, kClose, kElse, kCount };
inline constexpr std::size_t kMetadataKinds = static_cast<std::size_t>(MetadataKind::kCount);
extern const std::array<const char*, kMetadataKinds> kMetadataNames;
/// By the name of a public function: "H5Dcreate2" creates. Collective: pure.
[[nodiscard]] MetadataKind metadata_kind(std::string_view function);

enum class MetadataMetric : std::uint8_t {
  kCalls,
  kNanoseconds,
  kAgreementTime,
  kFileTime,
  kFillTime,
  kBytesWritten,
  kBytesRead,
  kBytesFilled,
  kCount
};
inline constexpr std::size_t kMetadataMetrics = static_cast<std::size_t>(MetadataMetric::kCount);
extern const std::array<const char*, kMetadataMetrics> kMetadataMetricNames;

/// One rank's, of one kind.
using MetadataCounts = std::array<std::uint64_t, kMetadataMetrics>;
struct SumAndMax {
  std::uint64_t sum, max;
};
using MetadataTotals = std::array<std::array<SumAndMax, kMetadataMetrics>, kMetadataKinds>;

/// The independent transfers of one dataset in one direction.
struct IndependentRow {
  static constexpr std::size_t kNameBytes = 128;
  std::uint64_t key;  ///< the object's address and the direction; 0: no row
  std::uint64_t
      ranks;  ///< that made some; of others no more than these: one counts for each row that came there in a merge
  std::array<char, kNameBytes> name;  ///< the path; a long one is cut in front
  ReportTotals totals;
  [[nodiscard]] std::string_view path() const;
  [[nodiscard]] Direction direction() const {
    return (key & 1U) != 0 ? Direction::kWrite : Direction::kRead;
  }
};

/// Threads: one thread.
struct ClosingTotals {
  static constexpr std::size_t kRows = 24;
  /// Ascending by key, then empty ones.
  std::array<IndependentRow, kRows> rows;
  /// All datasets that found no place, in each direction: those of the greatest keys. Minima and maxima are
  /// those of rows there.
  std::array<IndependentRow, 2> others;
  MetadataTotals metadata;

  /// Adds a transfer of this rank's. Asks for no memory.
  void add(std::uint64_t address, std::string_view path, const TransferReport& report,
           int mpi_rank);
  /// Adds a part of this rank's.
  void add_metadata(MetadataKind kind, const MetadataCounts& counts);
  [[nodiscard]] std::span<std::uint64_t> words();
};

/// What the ranks bring to the line of a collective transfer.
struct CollectiveTotals {
  ReportTotals totals = {};
  ChunkSketch touched;
  [[nodiscard]] std::span<std::uint64_t> words();
};
/// Merges blocks of CollectiveTotals::words(); commutative and associative.
struct MergeCollectiveTotals {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

/// Merges blocks of ClosingTotals::words(); commutative and associative but for the paths of others.
struct MergeClosingTotals {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

}  // namespace pcio
