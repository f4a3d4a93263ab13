// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room transfer/transports: what the ranks of a node share in an exchange between nodes: images of slices with maps of
// what is in them, and letters to their owners.

#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "agree/coordinator.hpp"
#include "mpi/shared_memory.hpp"
#include "transfer/transports/exchange_buffers.hpp"
#include "transfer/transports/exchange_transport.hpp"
#include "transfer/transports/forward_plan.hpp"

namespace pcio {

/// What a rank shares with those of its node. Bytes; equal on all ranks.
struct NodeLayout {
  std::uint64_t slice = 0;    ///< largest slice
  std::uint64_t images = 0;   ///< room for the slices of one owner in one stretch
  std::uint64_t sets = 1;     ///< of images: stretches take turns with them
  std::uint64_t letters = 0;  ///< room for what a rank tells owners in one stretch
  std::uint64_t budget = 0;   ///< of letters and elements of one stretch
  std::uint64_t maps = 0;     ///< of the images: which of their bytes somebody put or wants
  std::uint64_t places = 0;   ///< where its letters to owners of its own node begin
  std::uint64_t outbox = 0;   ///< which letters it has for other nodes
  std::uint64_t replies = 0;  ///< room for answers that others get for this rank
  std::uint64_t far = 0;      ///< letters to owners of other nodes, at most
  [[nodiscard]] std::uint64_t segment() const {
    return sets * images + letters + maps + places + outbox + replies;
  }
};

/// Collective: pure.
NodeLayout node_layout(Direction direction, const ExchangeSettings& settings,
                       const Machine& machine, std::uint64_t element_size);

/// Slices of a stretch: several for each rank, so that each chunk finds the node that has most of it; the
/// tables stay small for any number of ranks. Collective: pure.
[[nodiscard]] std::uint64_t most_slices(std::uint64_t ranks);

/// Images begin at multiples of it. Bytes.
inline constexpr std::uint64_t kImageAlignment = 64;
/// Images that one owner has at most.
inline constexpr std::uint64_t kSlotsOfOwner = 64;

/// Words before the list of a rank's letters to other nodes.
inline constexpr std::uint64_t kOutboxWords = 2;

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
  /// What ranks share stays as it is: others may still read what an earlier transfer of the call has there. May throw
  /// bad_alloc.
  void allocate() {
    if (memory_ == nullptr) own_memory_.allocate(layout_.segment());
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
  [[nodiscard]] std::byte* images_of(std::uint64_t index, std::uint64_t set) {
    return segment(index) + set * layout_.images;
  }
  [[nodiscard]] std::byte* letters_of(std::uint64_t index) {
    return images_of(index, layout_.sets);
  }
  [[nodiscard]] std::byte* maps_of(std::uint64_t index) {
    return letters_of(index) + layout_.letters;
  }
  [[nodiscard]] std::byte* places_of(std::uint64_t index) { return maps_of(index) + layout_.maps; }
  [[nodiscard]] std::byte* replies_of(std::uint64_t index) {
    return places_of(index) + layout_.places;
  }
  /// No letters, near or far.
  void clear_places() {
    std::memset(places_of(index_of(me_)), 0, layout_.places);
    far_count(index_of(me_)) = 0;
  }
  // Letters of a rank to other nodes, by ascending nodes and owners.
  [[nodiscard]] std::uint64_t& far_count(std::uint64_t index) { return outbox_of(index)[0]; }
  /// Batches of letters that a rank receives.
  [[nodiscard]] std::uint64_t& batches_of(std::uint64_t index) { return outbox_of(index)[1]; }
  [[nodiscard]] std::span<OutLetter> far_letters(std::uint64_t index) {
    auto* const first = reinterpret_cast<OutLetter*>(outbox_of(index) + kOutboxWords);
    return {first, static_cast<std::size_t>(std::min(far_count(index), layout_.far))};
  }
  /// Room for one more, or nullptr.
  [[nodiscard]] OutLetter* add_far_letter() {
    std::uint64_t& count = far_count(index_of(me_));
    if (count == layout_.far) return nullptr;
    ++count;
    return &far_letters(index_of(me_)).back();
  }
  void put_place(std::uint64_t owner, const NearLetter& place) {
    std::memcpy(places_of(index_of(me_)) + index_of(owner) * sizeof place, &place, sizeof place);
  }

  [[nodiscard]] std::uint64_t* outbox_of(std::uint64_t index) {
    return reinterpret_cast<std::uint64_t*>(replies_of(index) + layout_.replies);
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
