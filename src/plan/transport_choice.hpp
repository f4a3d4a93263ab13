// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: how the bytes of a collective transfer move.

#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.hpp"
#include "base/types.hpp"
#include "plan/schedule.hpp"
#include "props/transfer_report.hpp"

namespace pcio {

/// Mean bytes of a contiguous run in the file from which an exchange costs more than it saves. Reads
/// of one's own bridge small gaps, and wait for nobody. Measured: doc/PERFORMANCE.md.
inline constexpr std::uint64_t kDirectWriteRunBytes = std::uint64_t{16} * 1024;
inline constexpr std::uint64_t kDirectReadRunBytes = std::uint64_t{2} * 1024;
/// The same of reads of several machines that have caches of their own: each call, or what is read ahead of it, crosses
/// the network to the file system.
inline constexpr std::uint64_t kDirectReadRunApart = kDirectWriteRunBytes;
/// Runs of one rank up to which it writes them by itself where all ranks share one page cache, so
/// that nothing is locked or sent: fewer calls than an exchange has steps.
inline constexpr std::uint64_t kFewRuns = 4;
/// Elements above this size are never gathered for other ranks. Bytes.
inline constexpr std::uint64_t kLargestShared = std::uint64_t{1} << 20;
/// Bytes up to which one rank reads what all ranks want.
inline constexpr std::uint64_t kBroadcastBytes = std::uint64_t{4} * 1024 * 1024;

/// Facts that all ranks share.
struct TransportFacts {
  Direction direction = Direction::kRead;
  bool collective = true;  ///< by the strategy; with filters: owners move the chunks
  bool filtered = false;   ///< the dataset's chunks have filters
  CauseBits causes = 0;    ///< of any rank
  std::uint64_t ranks = 1;
  Transport forced = Transport::kNone;  ///< kNone: chosen here
  /// configure found complex derived datatypes and special collective I/O to work, and the driver
  /// is mpio.
  bool view_possible = true;
  std::uint64_t sum_bytes = 0;                 ///< selected, over all ranks
  std::uint64_t sum_runs = 0;                  ///< contiguous pieces in the file, over all ranks
  std::uint64_t max_runs = ~std::uint64_t{0};  ///< of one rank; all ones: not known
  bool one_machine = false;                    ///< all ranks share one page cache
  bool caches_apart = false;    ///< machines remember what they have read, whatever others write
  std::uint64_t lock_unit = 1;  ///< what the file system locks as a whole. Bytes
  std::uint64_t max_bytes = 0;  ///< of one rank
  std::uint64_t element_bytes = 1;  ///< in the file
  bool equal_requests = false;      ///< all ranks want the same bytes
  bool atomic = false;              ///< the file is in atomic mode
};

struct ChosenTransport {
  Transport transport = Transport::kDirect;
  std::string_view why;  ///< for the report; static text
};

/// Collective: pure; equal on all ranks. The view is never chosen for writing unless forced: a
/// collective MPI-IO write to a full disk was seen to succeed.
/// Errors: PLIST UNSUPPORTED where the forced transport is not possible.
[[nodiscard]] Result<ChosenTransport> choose_transport(const TransportFacts& facts);

/// What remains of the choice when the steps are known: collective steps have it, and where there are none
/// nothing else is reported. Collective: pure; equal on all ranks.
[[nodiscard]] ChosenTransport transport_of_steps(const ChosenTransport& chosen,
                                                 const Schedule& schedule);

}  // namespace pcio
