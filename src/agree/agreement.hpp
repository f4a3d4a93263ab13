// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: what the ranks tell each other before and after every communicating call.
//
// LocalFacts of every rank are merged into GlobalFacts by one Allreduce of one fixed struct, so
// every communicating call has the same collective signature and ranks that are in different calls
// still meet. Merging is pure and lives here; Coordinator::agree does the exchange.

#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/types.hpp"

namespace pcio {

/// Kind of a communicating call. Ranks whose kinds differ are in different calls.
enum class CallKind : std::uint32_t {
  kOther,
  kOpen,
  kCreate,
  kFlush,
  kClose,
  kCloseId,  ///< one id of a file that others keep open
  kRead,
  kWrite,
  kReadList,      ///< of several datasets: before their parts
  kWriteList,     ///< the same
  kExplainRead,   ///< a dry run
  kExplainWrite,  ///< the same
  kWriteChunk,    ///< as it lies in the file
  kFlushPending,  ///< has a rank chunks that all must write?
  kMetadata,
  kReadMetadata,  ///< by one rank for all
  kCopySource,    ///< before what there is to copy is read: has a rank data that all must write?
  kCommit,
  kOutcome,
  kProgram  ///< pcio_agree: the program's own
};

/// For messages: the API function and the object's path, e.g. {"H5Dwrite", "/a/b"}.
struct CallName {
  std::string_view function;
  std::string_view object;
};

/// What one rank brings to an agreement. Defaults are the neutral elements.
struct LocalFacts {
  CallKind call_kind = CallKind::kOther;
  /// Identifies the object (its address): must be equal on all ranks.
  std::uint64_t object = 0;
  /// ORed over the ranks.
  std::uint32_t causes = 0;
  std::uint64_t any_flags = 0;
  /// ANDed over the ranks.
  std::uint64_t all_flags = std::numeric_limits<std::uint64_t>::max();
  /// Sum, minimum and maximum over the ranks. Chunks touched; bytes to move.
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;
  /// Minimum over the ranks with bytes: mean length of a contiguous run in the file, in bytes.
  std::uint64_t mean_run = std::numeric_limits<std::uint64_t>::max();
  /// Minimum and maximum over the ranks with bytes: the span of absolute file offsets.
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t high = 0;
  /// Minimum and maximum over the ranks, so that the caller can tell whether all passed the same.
  std::array<std::uint64_t, 8> same{};
  /// Added up, and maximum, over the ranks; free for the caller.
  std::array<std::uint64_t, 4> sums{};
  std::array<std::uint64_t, 4> maxima{};
};

/// What all ranks know after an agreement; equal on every rank.
struct GlobalFacts {
  struct Compared {
    std::uint64_t min = 0;
    std::uint64_t max = 0;
    [[nodiscard]] bool equal() const { return min == max; }
  };
  std::uint32_t causes = 0;
  std::uint64_t any_flags = 0;
  std::uint64_t all_flags = 0;
  std::uint64_t sum_chunks = 0, min_chunks = 0, max_chunks = 0;
  std::uint64_t sum_bytes = 0, min_bytes = 0, max_bytes = 0;
  /// All ones where no rank has bytes.
  std::uint64_t smallest_mean_run = 0;
  std::uint64_t low = 0, high = 0;
  std::uint64_t ranks_with_data = 0;
  std::array<Compared, 8> same{};
  std::array<std::uint64_t, 4> sums{};
  std::array<std::uint64_t, 4> maxima{};
};

/// The struct that travels: plain 64-bit words, no padding; merged pairwise in any order.
struct WireFacts {
  std::uint64_t causes, any_flags, all_flags;
  std::uint64_t sum_chunks, min_chunks, max_chunks;
  std::uint64_t sum_bytes, min_bytes, max_bytes;
  std::uint64_t smallest_mean_run, low, high, ranks_with_data;
  std::uint64_t same_min[8], same_max[8], sums[4], maxima[4];
  /// Lowest rank with a failure of its own; all ones where there is none.
  std::uint64_t failed_rank;
  /// Call kind, object and hash of the metadata calls, each as minimum and maximum.
  std::uint64_t kind_min, kind_max, object_min, object_max, log_min, log_max;
  /// Hash of the space that the file has given out, and how many allocations that were.
  std::uint64_t space_min, space_max, allocations_min, allocations_max;
  /// Hash over failed metadata calls, and the rank to ask about them: (count << 32) | ~rank.
  std::uint64_t failures_min, failures_max, most_failures;
};

/// What the rank's call log and its map of the file add to its facts.
struct LogFacts {
  std::uint64_t hash = 0;
  std::uint64_t failure_hash = 0;
  std::uint64_t failure_count = 0;
  std::uint64_t space_hash = 0;
  std::uint64_t allocations = 0;
};

inline constexpr std::uint64_t kNoRank = std::numeric_limits<std::uint64_t>::max();

/// Collective: pure. `failed` tells that this rank has a failure of its own.
enum class LocalOutcome : std::uint8_t { kGood, kFailed };
WireFacts to_wire(const LocalFacts& facts, const LogFacts& log, LocalOutcome outcome, int mpi_rank);
/// Merges `from` into `into`: associative and commutative. Collective: pure.
void merge(WireFacts& into, const WireFacts& from);
GlobalFacts to_global(const WireFacts& wire);

/// What the merged facts say about the call itself, in the order in which it is looked at.
enum class Verdict : std::uint8_t {
  kAgreed,
  kDiverged,
  kFailed,
  kCallsDiffer,
  kLogsDiffer,
  kSpaceDiffers
};
Verdict judge(const WireFacts& wire);
/// True where the ranks are in one call and hold the same metadata, whether or not one has failed.
[[nodiscard]] bool in_step(const WireFacts& wire);
/// The rank that can say more about a kDiverged or kFailed verdict.
int rank_to_ask(const WireFacts& wire, Verdict verdict);

/// "H5Dwrite on /a/b", or "H5Fclose" where there is no object.
std::string to_string(const CallName& name);

}  // namespace pcio
