// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what the ranks of a node share in an exchange between nodes: images of slices, and
// letters to their owners.

#pragma once

#include <cstring>

#include "agree/coordinator.hpp"
#include "mpi/shared_memory.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/exchange_transport.hpp"

namespace pcio {

/// What a rank shares with those of its node. Bytes; equal on all ranks.
struct NodeLayout {
  std::uint64_t slice = 0;    ///< largest slice
  std::uint64_t images = 0;   ///< room for the slices of one owner
  std::uint64_t letters = 0;  ///< room for what a rank tells owners in one stretch
  std::uint64_t budget = 0;   ///< of letters and elements of one stretch
  std::uint64_t places = 0;   ///< where its letters to owners of its own node begin
  [[nodiscard]] std::uint64_t segment() const { return images + letters + places; }
};

/// Collective: pure.
NodeLayout node_layout(Direction direction, const ExchangeSettings& settings,
                       const Machine& machine, std::uint64_t element_size);

/// Slices of a stretch: several for each rank, so that each chunk finds the node that has most of it; the
/// tables stay small for any number of ranks. Collective: pure.
[[nodiscard]] std::uint64_t most_slices(std::uint64_t ranks);

/// Images begin at multiples of it. Bytes.
inline constexpr std::uint64_t kImageAlignment = 64;

/// Where a letter to an owner of the same node lies.
struct NearLetter {
  std::uint64_t offset = 0;  ///< in the writer's letters
  std::uint64_t size = 0;
};

/// Shared by the node's ranks, or this rank's alone where some node has no memory to share. Threads: one thread.
class NodeMemory {
 public:
  NodeMemory(Coordinator& coordinator, const mpi::SharedMemory* memory, const NodeLayout& layout)
      : machine_(coordinator.machine()),
        memory_(memory),
        layout_(layout),
        me_(static_cast<std::uint64_t>(coordinator.rank())),
        node_(machine_.node_of(me_)) {}
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;
  ~NodeMemory() = default;

 protected:
  /// May throw bad_alloc.
  void allocate() {
    if (memory_ == nullptr) own_memory_.allocate(layout_.segment());
    clear_places();
  }
  // What lies where in the memory of a node; `index`: which one of its ranks.
  [[nodiscard]] std::byte* segment(std::uint64_t index) {
    return memory_ != nullptr ? memory_->segment(static_cast<int>(index)) : own_memory_.data();
  }
  /// Ranks whose images this one reaches without a message.
  [[nodiscard]] bool is_near(std::uint64_t rank) const {
    return rank == me_ || (memory_ != nullptr && machine_.node_of(rank) == node_);
  }
  [[nodiscard]] std::uint64_t near_ranks() const {
    return memory_ != nullptr ? machine_.size_of(node_) : 1;
  }
  [[nodiscard]] std::uint64_t index_of(std::uint64_t rank) const {
    return memory_ != nullptr ? machine_.index_of(rank) : 0;
  }
  [[nodiscard]] std::byte* letters_of(std::uint64_t index) {
    return segment(index) + layout_.images;
  }
  [[nodiscard]] std::byte* places_of(std::uint64_t index) {
    return letters_of(index) + layout_.letters;
  }
  void clear_places() {
    if (memory_ == nullptr && own_memory_.size() == 0) return;
    std::memset(places_of(index_of(me_)), 0, layout_.places);
  }
  void put_place(std::uint64_t owner, const NearLetter& place) {
    std::memcpy(places_of(index_of(me_)) + index_of(owner) * sizeof place, &place, sizeof place);
  }

  const Machine& machine_;
  const mpi::SharedMemory* memory_;
  const NodeLayout layout_;
  std::uint64_t me_;
  std::uint64_t node_;

 private:
  RawBuffer own_memory_;
};

}  // namespace pcio
