// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: merging of facts, and the verdict over a call. Pure.

#include "agree/agreement.hpp"

#include <algorithm>
#include <type_traits>

namespace pcio {

namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kRankMask = 0xFFFFFFFF;

void take_min(std::uint64_t& into, std::uint64_t from) { into = std::min(into, from); }
void take_max(std::uint64_t& into, std::uint64_t from) { into = std::max(into, from); }

}  // namespace

static_assert(std::is_trivially_copyable_v<WireFacts> &&
              std::has_unique_object_representations_v<WireFacts>);

WireFacts to_wire(const LocalFacts& facts, const LogFacts& log, LocalOutcome outcome,
                  int mpi_rank) {
  const auto rank = static_cast<std::uint64_t>(mpi_rank);
  const bool has_data = facts.bytes > 0;
  WireFacts wire{};
  wire.causes = facts.causes;
  wire.any_flags = facts.any_flags;
  wire.all_flags = facts.all_flags;
  wire.sum_chunks = wire.min_chunks = wire.max_chunks = facts.chunks;
  wire.sum_bytes = wire.min_bytes = wire.max_bytes = facts.bytes;
  wire.smallest_mean_run = has_data ? facts.mean_run : kAll;
  wire.low = has_data ? facts.low : kAll;
  wire.high = has_data ? facts.high : 0;
  wire.ranks_with_data = has_data ? 1 : 0;
  std::copy(facts.same.begin(), facts.same.end(), wire.same_min);
  std::copy(facts.same.begin(), facts.same.end(), wire.same_max);
  std::copy(facts.sums.begin(), facts.sums.end(), wire.sums);
  std::copy(facts.maxima.begin(), facts.maxima.end(), wire.maxima);
  wire.failed_rank = outcome == LocalOutcome::kFailed ? rank : kNoRank;
  wire.kind_min = wire.kind_max = static_cast<std::uint64_t>(facts.call_kind);
  wire.object_min = wire.object_max = facts.object;
  wire.log_min = wire.log_max = log.hash;
  wire.space_min = wire.space_max = log.space_hash;
  wire.allocations_min = wire.allocations_max = log.allocations;
  wire.failures_min = wire.failures_max = log.failure_hash;
  wire.most_failures = std::min(log.failure_count, kRankMask) << 32 | (kRankMask - rank);
  return wire;
}

void merge(WireFacts& into, const WireFacts& from) {
  into.causes |= from.causes;
  into.any_flags |= from.any_flags;
  into.all_flags &= from.all_flags;
  into.sum_chunks += from.sum_chunks;
  take_min(into.min_chunks, from.min_chunks);
  take_max(into.max_chunks, from.max_chunks);
  into.sum_bytes += from.sum_bytes;
  take_min(into.min_bytes, from.min_bytes);
  take_max(into.max_bytes, from.max_bytes);
  take_min(into.smallest_mean_run, from.smallest_mean_run);
  take_min(into.low, from.low);
  take_max(into.high, from.high);
  into.ranks_with_data += from.ranks_with_data;
  for (int i = 0; i < 8; ++i) {
    take_min(into.same_min[i], from.same_min[i]);
    take_max(into.same_max[i], from.same_max[i]);
  }
  for (int i = 0; i < 4; ++i) {
    into.sums[i] += from.sums[i];
    take_max(into.maxima[i], from.maxima[i]);
  }
  take_min(into.failed_rank, from.failed_rank);
  take_min(into.kind_min, from.kind_min);
  take_max(into.kind_max, from.kind_max);
  take_min(into.object_min, from.object_min);
  take_max(into.object_max, from.object_max);
  take_min(into.log_min, from.log_min);
  take_max(into.log_max, from.log_max);
  take_min(into.space_min, from.space_min);
  take_max(into.space_max, from.space_max);
  take_min(into.allocations_min, from.allocations_min);
  take_max(into.allocations_max, from.allocations_max);
  take_min(into.failures_min, from.failures_min);
  take_max(into.failures_max, from.failures_max);
  take_max(into.most_failures, from.most_failures);
}

GlobalFacts to_global(const WireFacts& wire) {
  GlobalFacts facts;
  facts.causes = static_cast<std::uint32_t>(wire.causes);
  facts.any_flags = wire.any_flags;
  facts.all_flags = wire.all_flags;
  facts.sum_chunks = wire.sum_chunks;
  facts.min_chunks = wire.min_chunks;
  facts.max_chunks = wire.max_chunks;
  facts.sum_bytes = wire.sum_bytes;
  facts.min_bytes = wire.min_bytes;
  facts.max_bytes = wire.max_bytes;
  facts.smallest_mean_run = wire.smallest_mean_run;
  facts.low = wire.low;
  facts.high = wire.high;
  facts.ranks_with_data = wire.ranks_with_data;
  for (std::size_t i = 0; i < facts.same.size(); ++i)
    facts.same[i] = {wire.same_min[i], wire.same_max[i]};
  std::copy(std::begin(wire.sums), std::end(wire.sums), facts.sums.begin());
  std::copy(std::begin(wire.maxima), std::end(wire.maxima), facts.maxima.begin());
  return facts;
}

Verdict judge(const WireFacts& wire) {
  // What went wrong first comes first: a rank whose metadata call failed may be in another call
  // now.
  if (wire.failures_min != wire.failures_max) return Verdict::kDiverged;
  if (wire.failed_rank != kNoRank) return Verdict::kFailed;
  if (wire.kind_min != wire.kind_max || wire.object_min != wire.object_max)
    return Verdict::kCallsDiffer;
  if (wire.log_min != wire.log_max) return Verdict::kLogsDiffer;
  return in_step(wire) ? Verdict::kAgreed : Verdict::kSpaceDiffers;
}

bool in_step(const WireFacts& wire) {
  return wire.kind_min == wire.kind_max && wire.object_min == wire.object_max &&
         wire.log_min == wire.log_max && wire.space_min == wire.space_max &&
         wire.allocations_min == wire.allocations_max;
}

int rank_to_ask(const WireFacts& wire, Verdict verdict) {
  if (verdict == Verdict::kDiverged)
    return static_cast<int>(kRankMask - (wire.most_failures & kRankMask));
  return wire.failed_rank == kNoRank ? 0 : static_cast<int>(wire.failed_rank);
}

std::string to_string(const CallName& name) {
  std::string text(name.function);
  if (!name.object.empty()) text.append(" on ").append(name.object);
  return text;
}

}  // namespace pcio
