// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the coordinator's communicators of nodes, its boards, and what goes over both.

#include <algorithm>
#include <array>
#include <cstring>

#include "agree/guarded_collective.hpp"

namespace pcio {

namespace {

/// Agreements that a file makes through MPI before a board is worth its making.
constexpr std::uint64_t kAgreementsBeforeBoard = 16;

/// Bytes from which on it is worth a second broadcast on each node that they cross to a node once, not once for each of
/// its ranks, as in a tree of ranks; and from which on it is worth making the communicators for it.
constexpr std::uint64_t kLeastByNodes = std::uint64_t{8} << 10;
constexpr std::uint64_t kWorthPeers = std::uint64_t{64} << 10;

/// Facts as the words that they are.
std::span<std::uint64_t> words_of(std::span<WireFacts> facts) {
  return {reinterpret_cast<std::uint64_t*>(facts.data()), facts.size() * FactsBoard::kWordsOfFacts};
}

/// Of facts, one behind the other.
void merge_words(std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
  for (std::size_t at = 0; at < into.size(); at += FactsBoard::kWordsOfFacts) {
    WireFacts theirs{}, all{};
    std::memcpy(&theirs, &from[at], sizeof theirs);
    std::memcpy(&all, &into[at], sizeof all);
    merge(all, theirs);
    std::memcpy(&into[at], &all, sizeof all);
  }
}

}  // namespace

bool Coordinator::leads_machine() const {
  const auto me = static_cast<std::uint64_t>(rank());
  return machine_.leader_of(machine_.node_of(me)) == me;
}

/// What MPI refuses to any rank (communicators may be scarce) nobody has, and nobody asks for it again.
Result<bool> Coordinator::meet(Part part) {
  const bool with_peers = part == Part::kPeers;
  if (no_node_ || (with_peers && no_peers_)) return false;
  const bool needs_node = node_.is_null(), needs_peers = with_peers && peers_.is_null();
  if (!needs_node && !needs_peers) return true;
  PCIO_TRY(barrier());
  std::array<std::uint64_t, 2> could = {1, 1};
  PCIO_TRY(guarded("a division by nodes", [&]() -> Status {
    // What fails here is told below: others are in the second one, too.
    if (needs_node && !divide_by_nodes().ok()) could[0] = 0;
    if (needs_peers && !divide_by_places().ok()) could[1] = 0;
    return comm_->allreduce_min(could);
  }));
  no_node_ = could[0] == 0;
  no_peers_ = no_node_ || could[1] == 0;
  if (no_node_) node_ = mpi::Comm();
  if (no_peers_) peers_ = mpi::Comm();
  return !(with_peers ? no_peers_ : no_node_);
}

Result<bool> Coordinator::meet_node() {
  PCIO_TRY(health());
  if (!comm_ || one_machine()) return true;
  return meet(Part::kNode);
}

Status Coordinator::divide_by_nodes() {
  const std::uint64_t node = machine_.node_of(static_cast<std::uint64_t>(rank()));
  // Which of the two it is all ranks know; whether this rank has it is told next.
  const bool has_spare = environment_.check_nodes == 0 && machine_.largest_size() > 1;
  if (has_spare) {
    if (spare_node_.is_null()) return PCIO_ERROR(INTERNAL, MPI, "MPI had no communicator left");
    node_ = std::move(spare_node_);
  } else {
    PCIO_ASSIGN(node_, comm_->split(static_cast<int>(node)));
  }
  node_.set_watch(watch_->for_waits());
  watch_->set_node(node);
  return Status();
}

/// Leaders are peers, in the order of their nodes; other ranks have no use for theirs.
Status Coordinator::divide_by_places() {
  const std::uint64_t place = machine_.index_of(static_cast<std::uint64_t>(rank()));
  PCIO_ASSIGN(peers_, comm_->split(static_cast<int>(place)));
  peers_.set_watch(watch_->for_waits());
  return Status();
}

/// The same on all ranks. Nodes of one rank each have nothing to put together.
bool Coordinator::wants_board() const {
  if (no_board_ || size() == 1 || environment_.check_messages) return false;
  if (one_machine()) return size() <= FactsBoard::kMostOfNode;
  return machine_.nodes() < machine_.ranks() && machine_.largest_size() <= FactsBoard::kMostOfNode;
}

/// Behind an agreement. A file that makes many is worth a board, unless it is being closed. All ranks know that they are
/// in one call, so they decide alike.
/// Collective: over the file where a board is made: two exchanges, and on several nodes what meet() takes. Without memory or
/// communicators for it all ranks go on without.
Status Coordinator::count_agreement(const WireFacts& wire) {
  if (agreements_ == kAgreementsBeforeBoard || !in_step(wire)) return Status();
  if (wire.kind_min == static_cast<std::uint64_t>(CallKind::kClose)) {
    agreements_ = kAgreementsBeforeBoard;
    return Status();
  }
  return ++agreements_ == kAgreementsBeforeBoard && wants_board() ? make_board() : Status();
}

Status Coordinator::make_board() {
  if (!one_machine()) {
    PCIO_ASSIGN(const bool could, meet(Part::kPeers));
    no_board_ = !could;
    if (no_board_) return Status();
  }
  PCIO_TRY(guarded("a board of agreements", [&] { return board_.make(node_ranks(), *comm_); }));
  no_board_ = !board_.is_made();
  return Status();
}

Status Coordinator::allreduce_wire(WireFacts& wire) {
  const std::span<WireFacts> all(&wire, 1);
  PCIO_TRY(guarded("an agreement", [&]() -> Status {
    if (has_board_of_all()) return board_.merge_all(*comm_, all);
    return reduce(words_of(all), merge_words, [&](mpi::Comm& ranks) {
      return ranks.allreduce(std::as_writable_bytes(all), wire_type_, wire_op_);
    });
  }));
  return count_agreement(wire);
}

/// Over boards of nodes as many at a time as one has room for.
Status Coordinator::allreduce_parts(const PartBuffers& buffers) {
  std::copy(buffers.mine.begin(), buffers.mine.end(), buffers.all.begin());
  return guarded("an agreement", [&]() -> Status {
    if (has_board_of_all() && buffers.all.size() <= FactsBoard::kMostFacts)
      return board_.merge_all(*comm_, buffers.all);
    const std::size_t most =
        leaders_speak() ? FactsBoard::kMostWords / FactsBoard::kWordsOfFacts : buffers.all.size();
    for (std::size_t at = 0; at < buffers.all.size(); at += most) {
      const std::size_t count = std::min(most, buffers.all.size() - at);
      const auto mine = buffers.mine.subspan(at, count), all = buffers.all.subspan(at, count);
      PCIO_TRY(reduce(words_of(all), merge_words, [&](mpi::Comm& ranks) {
        // What ranks of the node have brought, too.
        std::copy(all.begin(), all.end(), mine.begin());
        return ranks.allreduce(std::as_bytes(mine), std::as_writable_bytes(all), count, wire_type_,
                               wire_op_);
      }));
    }
    return Status();
  });
}

/// The same on all ranks.
bool Coordinator::broadcasts_by_nodes(std::uint64_t bytes, int root) const {
  const auto from = static_cast<std::uint64_t>(root);
  return bytes >= (peers_.is_null() ? kWorthPeers : kLeastByNodes) && machine_.nodes() > 1 &&
         machine_.largest_size() > 1 && machine_.index_of(from) == 0;
}

Status Coordinator::broadcast(Bytes data, int root) {
  if (!comm_) return Status();
  bool by_nodes = broadcasts_by_nodes(data.size(), root);
  if (by_nodes) {
    PCIO_ASSIGN(by_nodes, meet(Part::kPeers));
  }
  if (!by_nodes) return guarded("a broadcast", [&] { return comm_->broadcast(data, root); });
  return guarded("a broadcast", [&] {
    const auto node = static_cast<int>(machine_.node_of(static_cast<std::uint64_t>(root)));
    return hand_down(data, leads_machine() ? peers_.broadcast(data, node) : Status());
  });
}

/// Where `among_leaders` failed the ranks of the node learn that, too, and that what they got is worth nothing. Collective:
/// over the node; one exchange, without a board two.
Status Coordinator::hand_down(Bytes data, Status among_leaders) {
  const bool good = among_leaders.ok();
  if (leaders_speak()) {
    board_.tell(good);
    const Status handed = node_.broadcast(data, 0);
    PCIO_TRY(std::move(among_leaders));
    PCIO_TRY(Status(handed));
    return board_.was_told();
  }
  std::uint64_t failed = good ? 0 : 1;
  const Status told = node_.broadcast(std::as_writable_bytes(std::span(&failed, 1)), 0);
  PCIO_TRY(std::move(among_leaders));
  PCIO_TRY(Status(told));
  return failed == 0 ? node_.broadcast(data, 0) : FactsBoard::no_answer();
}

Status Coordinator::node_sum(std::span<std::uint64_t> words) {
  if (!comm_) return Status();
  return guarded(
      "a reduction of a node", [&] { return node_ranks().allreduce_sum(words); }, Among::kNode);
}

Status Coordinator::node_barrier() {
  if (!comm_) return Status();
  return guarded(
      "a barrier of a node", [&] { return node_ranks().barrier(); }, Among::kNode);
}

Result<const mpi::SharedMemory*> Coordinator::shared_memory(std::uint64_t bytes) {
  PCIO_TRY(health());
  const bool nobody_to_share = machine_.nodes() > 1 && machine_.nodes() == machine_.ranks();
  if (!comm_ || nobody_to_share || no_shared_memory_ || environment_.check_messages) return nullptr;
  if (shared_.size() >= bytes) return &shared_;
  PCIO_ASSIGN(const bool has_node, meet_node());
  no_shared_memory_ = !has_node;
  if (no_shared_memory_) return nullptr;
  shared_.free();
  PCIO_TRY(guarded("an allocation of shared memory", [&]() -> Status {
    PCIO_ASSIGN(shared_, mpi::SharedMemory::allocate(node_ranks(), *comm_, bytes));
    return Status();
  }));
  no_shared_memory_ = shared_.is_null();
  if (no_shared_memory_) return nullptr;
  return &shared_;
}

Status Coordinator::release_shared_memory() {
  // Ranks that lost step give it back when the call in which they did ends.
  if (!poison_.ok() || !comm_) return Status();
  // Whoever comes back agrees through MPI again.
  no_board_ = true;
  // Others may still read what this rank has written there: they keep the memory until they are through.
  board_.free();
  shared_.free();
  return Status();
}

}  // namespace pcio
