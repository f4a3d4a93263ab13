// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which rank writes the bytes of a stripe that several nodes have some of.
//
// Encoded chunks lie one behind the other, each with the rank that encoded it, and know no stripes. Of a stripe with
// bytes of more than one node one rank gathers all and writes them; other stripes are written by whoever has them.

#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "plan/machine.hpp"

namespace pcio {

/// Bytes of the file that a rank has in memory.
struct HeldBytes {
  ByteRange range;
  std::uint32_t rank = 0;
};

/// Bytes of one stripe that `from` has and `to` writes, which may be the same rank.
struct GatheredBytes {
  ByteRange range;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

/// What stripes are bound to; equal on all ranks.
struct StripeLimits {
  std::uint64_t unit = 1;  ///< bytes of a stripe
  std::uint64_t base = 0;  ///< what is added to addresses before stripes are counted
  std::uint64_t most = 0;  ///< bytes that one rank gathers at most in one plan
};

/// One plan after another; a stripe that a plan leaves unfinished stays on the node that wrote of it, also in later
/// ones (of very many those of the highest addresses). Threads: one thread.
class StripeWriters {
 public:
  /// `held`: of all ranks, by ascending address, none over another, none empty; `machine` has all ranks. Collective: pure.
  /// May throw bad_alloc; what was planned before may be lost then.
  void plan(std::span<const HeldBytes> held, const Machine& machine, const StripeLimits& limits);
  /// By ascending address; a range for each piece of each stripe that is gathered. A stripe that no rank has room for
  /// is not.
  [[nodiscard]] std::span<const GatheredBytes> gathered() const { return gathered_; }
  /// Nothing is gathered; all plans are forgotten.
  void forget() {
    gathered_.clear();
    unfinished_.clear();
  }

 private:
  static constexpr std::size_t kMostUnfinished = std::size_t{64} << 10;
  /// What a rank has of the stripe in hand.
  struct Share {
    std::uint32_t rank = 0;
    std::uint32_t node = 0;
    std::uint64_t bytes = 0;
  };
  struct Writer {
    std::uint64_t stripe = 0;
    std::uint64_t bytes = 0;  ///< of it that were planned so far
    std::uint32_t node = 0;
  };
  void plan_stripe(std::uint64_t stripe, std::span<const HeldBytes> pieces, const Machine& machine,
                   const StripeLimits& limits);
  void keep_unfinished(const StripeLimits& limits);
  [[nodiscard]] const Writer* writer_before(std::uint64_t stripe) const;
  void list_shares(const ByteRange& stripe, std::span<const HeldBytes> pieces,
                   const Machine& machine);
  [[nodiscard]] std::uint64_t load_of(std::uint32_t rank) const;
  void add_load(std::uint32_t rank, std::uint64_t bytes);

  std::vector<GatheredBytes> gathered_;
  std::vector<Writer> unfinished_;  ///< by ascending stripe
  std::vector<Writer> touched_;  ///< of this plan, those that it does not fill; by ascending stripe
  std::vector<Share> shares_;    ///< by rank, of one stripe
  std::vector<std::pair<std::uint32_t, std::uint64_t>>
      loads_;  ///< bytes that ranks gather, by rank
};

}  // namespace pcio
