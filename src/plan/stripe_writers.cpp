// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: StripeWriters.

#include "plan/stripe_writers.hpp"

#include <algorithm>
#include <iterator>

namespace pcio {

namespace {

/// What lies in both.
ByteRange common(const ByteRange& a, const ByteRange& b) {
  const std::uint64_t start = std::max(a.offset, b.offset);
  const std::uint64_t end = std::min(a.end(), b.end());
  return {start, end > start ? end - start : 0};
}

}  // namespace

void StripeWriters::plan(std::span<const HeldBytes> held, const Machine& machine,
                         const StripeLimits& limits) {
  gathered_.clear();
  loads_.clear();
  touched_.clear();
  const auto stripe_of = [&](FileAddress address) { return (limits.base + address) / limits.unit; };
  std::uint64_t stripe = 0;
  for (std::size_t at = 0; at < held.size();) {
    stripe = std::max(stripe, stripe_of(held[at].range.offset));
    std::size_t end = at;
    while (end < held.size() && stripe_of(held[end].range.offset) <= stripe) ++end;
    plan_stripe(stripe, held.subspan(at, end - at), machine, limits);
    // Only the last of them can reach on. What lies between its first and its last stripe is its own.
    const std::uint64_t last = stripe_of(held[end - 1].range.end() - 1);
    at = last > stripe ? end - 1 : end;
    stripe = std::max(last, stripe + 1);
  }
  keep_unfinished(limits);
}

/// What this plan touched stands for what was known of it before.
void StripeWriters::keep_unfinished(const StripeLimits& limits) {
  if (touched_.empty()) return;
  const auto by_stripe = [](const Writer& a, const Writer& b) { return a.stripe < b.stripe; };
  std::vector<Writer> all;
  std::set_union(touched_.begin(), touched_.end(), unfinished_.begin(), unfinished_.end(),
                 std::back_inserter(all), by_stripe);
  std::erase_if(all, [&](const Writer& writer) { return writer.bytes >= limits.unit; });
  // Holes of a file in many pieces: an end that is forgotten costs time, not bytes.
  if (all.size() > kMostUnfinished)
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMostUnfinished));
  unfinished_ = std::move(all);
}

const StripeWriters::Writer* StripeWriters::writer_before(std::uint64_t stripe) const {
  const auto found =
      std::lower_bound(unfinished_.begin(), unfinished_.end(), stripe,
                       [](const Writer& writer, std::uint64_t s) { return writer.stripe < s; });
  return found != unfinished_.end() && found->stripe == stripe ? &*found : nullptr;
}

void StripeWriters::list_shares(const ByteRange& stripe, std::span<const HeldBytes> pieces,
                                const Machine& machine) {
  shares_.clear();
  for (const HeldBytes& piece : pieces) {
    const std::uint64_t bytes = common(piece.range, stripe).size;
    if (!shares_.empty() && shares_.back().rank == piece.rank) {
      shares_.back().bytes += bytes;
      continue;
    }
    const auto at =
        std::lower_bound(shares_.begin(), shares_.end(), piece.rank,
                         [](const Share& share, std::uint32_t rank) { return share.rank < rank; });
    if (at != shares_.end() && at->rank == piece.rank)
      at->bytes += bytes;
    else
      shares_.insert(at,
                     {piece.rank, static_cast<std::uint32_t>(machine.node_of(piece.rank)), bytes});
  }
}

std::uint64_t StripeWriters::load_of(std::uint32_t rank) const {
  const auto at =
      std::lower_bound(loads_.begin(), loads_.end(), rank,
                       [](const auto& load, std::uint32_t r) { return load.first < r; });
  return at == loads_.end() || at->first != rank ? 0 : at->second;
}
void StripeWriters::add_load(std::uint32_t rank, std::uint64_t bytes) {
  auto at = std::lower_bound(loads_.begin(), loads_.end(), rank,
                             [](const auto& load, std::uint32_t r) { return load.first < r; });
  if (at == loads_.end() || at->first != rank) at = loads_.insert(at, {rank, 0});
  at->second += bytes;
}

/// `pieces`: those that have bytes in it.
void StripeWriters::plan_stripe(std::uint64_t stripe, std::span<const HeldBytes> pieces,
                                const Machine& machine, const StripeLimits& limits) {
  // In addresses; the first one may begin before address 0.
  const std::uint64_t start = stripe * limits.unit - std::min(limits.base, stripe * limits.unit);
  const ByteRange bytes{start, (stripe + 1) * limits.unit - limits.base - start};
  list_shares(bytes, pieces, machine);
  std::uint64_t total = 0;
  for (const Share& share : shares_) total += share.bytes;
  const Writer* const before = writer_before(stripe);
  std::uint32_t node = before != nullptr ? before->node : shares_.front().node;
  const bool is_alone = std::all_of(shares_.begin(), shares_.end(),
                                    [&](const Share& share) { return share.node == node; });
  if (!is_alone) {
    // Who gathers least, what is already there not counted. A node that has none of it now gives one of its ranks.
    std::uint32_t writer =
        static_cast<std::uint32_t>(machine.rank_on(node, stripe % machine.size_of(node)));
    std::uint64_t least = ~std::uint64_t{0};
    for (const Share& share : shares_) {
      if (before != nullptr && share.node != node) continue;
      const std::uint64_t load = load_of(share.rank);
      if (load + total > limits.most) continue;
      const std::uint64_t gathers = load + total - share.bytes;
      if (gathers >= least) continue;
      least = gathers;
      writer = share.rank;
    }
    if (load_of(writer) + total <= limits.most) {
      add_load(writer, total);
      node = static_cast<std::uint32_t>(machine.node_of(writer));
      for (const HeldBytes& piece : pieces)
        gathered_.push_back({common(piece.range, bytes), piece.rank, writer});
    }
  }
  if (total < limits.unit)
    touched_.push_back({stripe, total + (before != nullptr ? before->bytes : 0), node});
}

}  // namespace pcio
