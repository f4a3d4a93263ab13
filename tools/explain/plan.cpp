// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room tools/explain: figures of a plan.

#include "plan.hpp"

#include <algorithm>

namespace pcio_explain {

namespace {

/// Of figures_of: what stands for a machine.
constexpr double kFileRate = 1e9, kRankRate = 4e9, kCallSeconds = 1e-4, kChunkSeconds = 2e-6;

void use_chunks(const RankPlan& rank, std::uint32_t number, std::vector<ChunkUse>* uses) {
  for (const pcio::ChunkTouch& touch : rank.touched)
    for (pcio::ChunkOrdinal chunk = touch.first; chunk < touch.end(); ++chunk) {
      ChunkUse& use = (*uses)[static_cast<std::size_t>(chunk)];
      if (use.ranks++ == 0) use.first = number;
      if (touch.bytes > use.most) {
        use.most = touch.bytes;
        use.owner = number;
      }
    }
}

std::uint64_t calls_of(const pcio::TransferReport& report) {
  return report.counts.independent_writes + report.counts.independent_reads +
         report.counts.collective_writes + report.counts.collective_reads;
}

/// Seconds of one rank on the machine that orders plans.
double cost_of(const pcio::TransferReport& report) {
  return static_cast<double>(report.counts.bytes_written + report.counts.bytes_read) / kFileRate +
         static_cast<double>(calls_of(report)) * kCallSeconds +
         static_cast<double>(std::max(report.exchange.bytes_sent, report.exchange.bytes_received)) /
             kRankRate +
         static_cast<double>(report.chunks_touched) * kChunkSeconds;
}

/// Chunks that each rank writes, or decodes for others, which may be those of its node only.
Spread owned_chunks(const Plan& plan) {
  std::vector<std::uint64_t> owned(plan.ranks.size());
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    for (const pcio::ChunkShare& share : plan.ranks[r].shares)
      if (share.owner == r) owned[r] += share.count;
  std::size_t rank = 0;
  return spread_of(plan, [&](const pcio::TransferReport&) { return owned[rank++]; });
}

}  // namespace

std::uint64_t Subject::chunk_bytes() const {
  std::uint64_t product = chunk.empty() ? 0 : element_bytes;
  for (const std::uint64_t dim : chunk) product *= dim;
  return product;
}

std::uint64_t Subject::chunks() const {
  std::uint64_t product = chunk.empty() ? 0 : 1;
  for (std::size_t d = 0; d < chunk.size(); ++d)
    if (__builtin_mul_overflow(product, (dims[d] - 1) / chunk[d] + 1, &product))
      return ~std::uint64_t{0};
  return product;
}

std::vector<ChunkUse> chunk_uses(const Plan& plan) {
  const std::uint64_t chunks = plan.subject.chunks();
  if (chunks == 0 || chunks > kMostChunks) return {};
  std::vector<ChunkUse> uses(static_cast<std::size_t>(chunks));
  for (std::size_t r = 0; r < plan.ranks.size(); ++r)
    use_chunks(plan.ranks[r], static_cast<std::uint32_t>(r), &uses);
  for (const RankPlan& rank : plan.ranks) {
    for (const pcio::ChunkShare& share : rank.shares)
      for (std::uint64_t i = 0; i < share.count; ++i)
        uses[static_cast<std::size_t>(share.first + i)].owner =
            static_cast<std::uint32_t>(share.owner);
    for (const pcio::ChunkMode& mode : rank.report.chunk_modes)
      if (mode.mode == pcio::TransferMode::kCollective)
        uses[static_cast<std::size_t>(mode.ordinal)].collective = true;
  }
  return uses;
}

Figures figures_of(const Plan& plan, const std::vector<ChunkUse>& uses) {
  using Report = pcio::TransferReport;
  Figures out;
  out.selected = spread_of(plan, [](const Report& r) { return r.bytes_selected; });
  out.touched = spread_of(plan, [](const Report& r) { return r.chunks_touched; });
  out.written = spread_of(plan, [](const Report& r) { return r.counts.bytes_written; });
  out.read = spread_of(plan, [](const Report& r) { return r.counts.bytes_read; });
  out.sent = spread_of(plan, [](const Report& r) { return r.exchange.bytes_sent; });
  out.between_nodes =
      spread_of(plan, [](const Report& r) { return r.exchange.bytes_between_nodes; });
  out.messages = spread_of(plan, [](const Report& r) { return r.exchange.messages_sent; });
  out.calls = spread_of(plan, calls_of);
  out.collective_calls = spread_of(
      plan, [](const Report& r) { return r.counts.collective_writes + r.counts.collective_reads; });
  out.views = spread_of(plan, [](const Report& r) { return r.counts.view_changes; });
  out.collective_chunks = spread_of(plan, [](const Report& r) { return r.chunks.collective; });
  out.independent_chunks = spread_of(plan, [](const Report& r) { return r.chunks.independent; });
  for (const RankPlan& rank : plan.ranks) {
    out.rounds = std::max(out.rounds, rank.report.exchange.rounds);
    out.idle += rank.report.bytes_selected == 0 ? 1 : 0;
    out.cost = std::max(out.cost, cost_of(rank.report));
  }
  out.chunks = plan.subject.chunks();
  out.counted = !uses.empty();
  for (const ChunkUse& use : uses) {
    out.distinct += use.ranks > 0 ? 1 : 0;
    out.shared += use.ranks > 1 ? 1 : 0;
  }
  if (!plan.subject.filters.empty() && out.counted) out.owned = owned_chunks(plan);
  return out;
}

}  // namespace pcio_explain
