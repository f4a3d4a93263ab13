// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: what is to be planned, and the plan: what each rank's dry run reports.

#ifndef PCIO_TOOLS_EXPLAIN_PLAN_HPP
#define PCIO_TOOLS_EXPLAIN_PLAN_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "deal.hpp"
#include "plan/chunk_owners.hpp"
#include "props/object_props.hpp"
#include "props/transfer_report.hpp"

namespace pcio_explain {

/// A dataset: of a file, or made up.
struct Subject {
  std::string file, dataset;  ///< empty: made up of what follows
  Numbers dims;
  Numbers chunk;     ///< elements; empty: contiguous
  std::string type;  ///< "f8", "i4", "u1", "o16"; of a file what it is like
  std::uint64_t element_bytes = 0;
  pcio::FilterPipeline filters;
  /// Bytes of a whole chunk; 0 where there are none.
  [[nodiscard]] std::uint64_t chunk_bytes() const;
  /// Chunks of the dataset.
  [[nodiscard]] std::uint64_t chunks() const;
};

/// What the call and the machine are like.
struct Settings {
  pcio::Direction direction = pcio::Direction::kWrite;
  bool independent = false;
  pcio::ChunkOpt chunk_opt = pcio::ChunkOpt::kDefault;
  unsigned chunk_opt_num = 0;
  unsigned chunk_opt_ratio = 60;
  pcio::Transport transport = pcio::Transport::kNone;
  std::string memory_type;  ///< empty: that of the dataset
  int nodes = 1;
  std::uint64_t stripe = 0;  ///< bytes that the file system locks as a whole; 0: what FILE's says
};

/// Most ranks, and most chunks that are looked at one by one.
inline constexpr std::uint64_t kMostRanks = 4096;
inline constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 24;

/// One rank's part.
struct RankPlan {
  pcio::TransferReport report;
  std::vector<pcio::ChunkTouch> touched;  ///< ascending
  std::vector<pcio::ChunkShare> shares;   ///< with filters only: who owns them
};

struct Plan {
  Subject subject;  ///< as it was found
  Settings settings;
  std::vector<RankPlan> ranks;
  std::string mpi;  ///< whose rules hold for calls
};

/// One chunk, over the ranks.
struct ChunkUse {
  std::uint32_t ranks = 0;  ///< that touch it
  std::uint32_t first = 0;  ///< the lowest of them
  std::uint32_t owner = 0;  ///< with filters; else the one with most bytes
  std::uint64_t most = 0;   ///< bytes of that rank
  bool collective = false;
};
/// [chunks], row-major; empty where there are no chunks, or more than kMostChunks.
std::vector<ChunkUse> chunk_uses(const Plan& plan);

/// Least, mean and greatest over the ranks.
struct Spread {
  std::uint64_t least = 0, most = 0, sum = 0;
  std::uint64_t most_rank = 0;
  double mean = 0;
  std::vector<std::uint64_t> each;  ///< [ranks]
};
template <class F>
Spread spread_of(const Plan& plan, F&& value) {
  Spread out;
  for (std::size_t r = 0; r < plan.ranks.size(); ++r) {
    const std::uint64_t here = value(plan.ranks[r].report);
    if (r == 0 || here < out.least) out.least = here;
    if (r == 0 || here > out.most) {
      out.most = here;
      out.most_rank = r;
    }
    out.sum += here;
    out.each.push_back(here);
  }
  out.mean = static_cast<double>(out.sum) / static_cast<double>(plan.ranks.size());
  return out;
}

/// The figures of a plan.
struct Figures {
  Spread selected, touched, written, read, sent, between_nodes, messages, calls, collective_calls,
      views, collective_chunks, independent_chunks;
  std::uint64_t rounds = 0;
  std::uint64_t chunks = 0, distinct = 0, shared = 0;
  bool counted = false;    ///< distinct and shared are known
  Spread owned;            ///< chunks of each rank, with filters
  std::uint64_t idle = 0;  ///< ranks that select nothing
  /// What orders plans: bytes and calls as a time of the slowest rank, in seconds of a file system of
  /// 1 GB/s a rank, 0.1 ms a call and 4 GB/s between ranks. Nothing that a machine will show.
  double cost = 0;
};
Figures figures_of(const Plan& plan, const std::vector<ChunkUse>& uses);

}  // namespace pcio_explain

#endif
