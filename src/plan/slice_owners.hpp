// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: which node owns which slice of a stretch of the file, and which of its ranks.
//
// A slice goes where most of its bytes already are: what another node has crosses the network anyway. The
// node with the next most takes it where the first one has its share of the transfer, and so on; where all
// that are known have, the node with the least. Of few slices and nodes the best owners are searched. Stripes are whole: the slice in which a stretch goes on with a
// stripe stays on the node that began it.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "plan/machine.hpp"
#include "plan/slice_grid.hpp"

namespace pcio {

/// What is known of a slice, as words that ranks merge: a node brings holding_of() what its ranks have.
struct SliceHolding {
  std::uint64_t most = 0;    ///< bytes and node that has most of it; 0: nobody has any
  std::uint64_t second = 0;  ///< the same of the next one
  std::uint64_t third = 0;   ///< and of the one after it
  std::uint64_t total = 0;   ///< bytes of all
};
inline constexpr std::size_t kHoldingWords = 4;

/// Which node comes first where several have equally much of a slice: another one in each turn of neighbouring slices, or
/// nodes of low numbers would own all of a stretch, and the others send while these do not.
struct SliceTurn {
  std::uint64_t slice = 0;  ///< number in the stretch
  std::uint64_t nodes = 1;
  std::uint64_t length = 1;  ///< slices of one turn
  [[nodiscard]] std::uint64_t first() const { return slice / length % nodes; }
};
/// A file system takes few long pieces sooner than many short ones: neighbours of about so many bytes stay together.
inline constexpr std::uint64_t kTurnBytes = std::uint64_t{1} << 20;
/// Of a slice of the stretch: turns of kTurnBytes, and one for each node where the stretch is shorter. Collective: pure.
[[nodiscard]] SliceTurn turn_of_slice(const CutStretch& cut, std::uint64_t nodes,
                                      std::uint64_t slice);

/// Bytes count up to 2^40, far above a slice. Collective: pure.
SliceHolding holding_of(const SliceTurn& turn, std::uint64_t node, std::uint64_t bytes);
[[nodiscard]] std::uint64_t bytes_of(std::uint64_t held);
[[nodiscard]] std::uint64_t node_of(const SliceTurn& turn, std::uint64_t held);

/// Merges blocks of holdings, of different nodes (Coordinator::allreduce_merge).
struct MergeHoldings {
  void operator()(std::span<std::uint64_t> into,
                  std::span<const std::uint64_t> from) const noexcept;
};

/// What owners are bound to; equal on all ranks.
struct OwnerLimits {
  std::uint64_t total = 0;  ///< bytes of the whole transfer
  std::uint64_t unit =
      1;  ///< bytes that no two nodes may write parts of; slices are multiples of it
  /// That own something, at most: no more of any node than of an equal share. 0: all.
  std::uint64_t ranks = 0;
};

/// One stretch after another. Threads: one thread.
class SliceOwners {
 public:
  /// Of most_bytes(), in percent of an equal share of the transfer.
  static constexpr std::uint64_t kImbalance = 150;

  /// `machine` outlives it. At most `slices` are owned in one stretch. Collective: local. May throw bad_alloc.
  void begin(const Machine& machine, std::uint64_t slices, const OwnerLimits& limits);
  /// Where the bytes of the whole transfer are known later than begin(), before the first stretch. Collective: pure.
  void set_total(std::uint64_t bytes);
  /// Ranks of a node that may own something: its first ones. Where there are fewer than nodes they are spread over these.
  /// Collective: pure.
  [[nodiscard]] std::uint64_t owners_on(std::uint64_t node) const;
  /// What a node may own of the whole transfer, but for single slices. Bytes.
  [[nodiscard]] std::uint64_t most_bytes() const { return most_bytes_; }

  /// Slices [0, result) of a stretch get owners; the others were too many for the
  /// nodes on which they are. `holdings`: kHoldingWords for each slice; `slots`: slices that one rank can
  /// own. Collective: pure; asks for no memory. At least one slice where there is one.
  std::uint64_t assign(const CutStretch& cut, std::span<const std::uint64_t> holdings,
                       std::uint64_t slots);
  /// The rank; slices in which nobody has anything have one too.
  [[nodiscard]] std::uint64_t owner_of(std::uint64_t number) const { return places_[number].rank; }
  /// Which one of its owner's slices it is.
  [[nodiscard]] std::uint64_t slot_of(std::uint64_t number) const { return places_[number].slot; }
  /// Whether of the last stretch, whose holdings these are, all bytes are on their owners' nodes already. Collective: pure.
  [[nodiscard]] bool all_near(std::span<const std::uint64_t> holdings) const;
  /// Slices of the last stretch that a rank owns, ascending: f(number, slot).
  template <class F>
  void for_each_of(std::uint64_t rank, F&& f) const {
    for (std::uint64_t number = 0; number < count_; ++number)
      if (places_[number].rank == rank && places_[number].node != kNobody)
        f(number, places_[number].slot);
  }
  /// Bytes that a node has owned so far.
  [[nodiscard]] std::uint64_t owned_by(std::uint64_t node) const { return owned_[node]; }

 private:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  struct Place {
    std::uint32_t node = kNobody;
    std::uint32_t rank = 0;
    std::uint32_t slot = 0;
  };
  [[nodiscard]] SliceTurn turn_of(std::uint64_t slice) const {
    return {slice, machine_->nodes(), turn_length_};
  }
  [[nodiscard]] bool has_slot(std::uint64_t node) const {
    return used_[node] < owners_on(node) * slots_;
  }
  [[nodiscard]] std::uint64_t stand_in(std::uint64_t node) const;
  [[nodiscard]] bool goes_on(const CutStretch& cut) const;
  std::uint64_t fitting(std::span<const std::uint64_t> holdings);
  std::uint64_t wanted_by(std::span<const std::uint64_t> holdings, std::uint64_t number);
  void give(std::uint64_t number, std::uint64_t node, std::uint64_t bytes);
  void give_by_gain(std::span<const std::uint64_t> holdings, std::uint64_t first);
  [[nodiscard]] std::uint64_t least_loaded();
  void refine(std::span<const std::uint64_t> holdings, std::uint64_t first);
  bool move_one(std::span<const std::uint64_t> holdings, std::uint64_t number);
  bool swap_one(std::span<const std::uint64_t> holdings, std::uint64_t number, std::uint64_t other);
  [[nodiscard]] std::uint64_t excess(std::uint64_t bytes) const {
    return bytes - std::min(bytes, most_bytes_);
  }
  void search(std::span<const std::uint64_t> holdings, std::uint64_t first);
  void choose_ranks();

  /// Slices, one after another, that one node wants.
  struct Neighbours {
    std::uint64_t next = 0;   ///< number of the slice behind them
    std::uint64_t count = 0;  ///< 0: none
    std::uint64_t node = 0;
  };
  /// A node and what it owned when it was put here. Bytes.
  struct Load {
    std::uint64_t owned = 0;
    std::uint32_t node = 0;
    [[nodiscard]] bool operator>(const Load& other) const {
      return owned != other.owned ? owned > other.owned : node > other.node;
    }
  };

  const Machine* machine_ = nullptr;
  OwnerLimits limits_;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t slots_ = 1;
  std::uint64_t count_ = 0;
  std::uint64_t turn_ = 0;             ///< stretches so far: ranks of a node take turns
  std::uint64_t turn_length_ = 1;      ///< slices of one turn of a node
  std::uint64_t slice_bytes_ = 1;      ///< of this stretch
  Neighbours neighbours_;              ///< the last ones that were looked at
  std::uint64_t last_unit_ = 0;        ///< of the slice that was owned last
  std::uint32_t last_node_ = kNobody;  ///< its owner
  bool goes_on_ = false;               ///< the first slice of this stretch is that node's
  std::vector<Place> places_;          ///< [slices]
  std::vector<std::uint32_t> order_;   ///< [slices] by what the first choice saves
  std::vector<std::uint64_t> owned_;   ///< [nodes] bytes
  std::vector<std::uint32_t> used_;    ///< [nodes] slices of this stretch
  std::vector<std::uint32_t> given_;   ///< [nodes] of them, those that have a rank
  std::vector<Load>
      loads_;  ///< heap of the nodes that have room, the least above; empty: not asked for yet
};

}  // namespace pcio
