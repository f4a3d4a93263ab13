// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the coordinator's typed collectives; with one rank they are local.

#include <algorithm>
#include <array>
#include <cstring>

#include "agree/coordinator.hpp"
#include "base/library_lock.hpp"
#include "base/time_split.hpp"
#include "mpi/this_process.hpp"

namespace pcio {

void Coordinator::watch_wait(const char* what) {
  if (!watch_) return;
  const std::string_view call = current_call_.empty() ? std::string_view(what) : current_call_;
  watch_->enter(sequence_, {call, {}});
}

void Coordinator::enter_collective(const char* what, Among among) {
  // No memory is asked for here: the others are on their way already.
  sequence_ =
      among == Among::kNode ? sequence_ + 1 : (sequence_ | (HangWatch::kMeetingsOfNode - 1)) + 1;
  if (!is_exchanging_around(communicates_in_)) communicates_in_ = number_of_call();
  watch_wait(what);
}

/// A collective that MPI gave up leaves the ranks in unknown places, so the file is poisoned.
Status Coordinator::leave_collective(const char* what, Status done) {
  if (!done.ok()) {
    done.push(PCIO_FRAME(FILE, MPI, std::string(what) + " of the file's ranks was given up"));
    poisoned_in_step_ = false;
    poison(done);
  }
  return done;
}

/// Runs one collective under the hang watch.
template <class F>
Status Coordinator::guarded(const char* what, F&& call, Among among) {
  // A child of fork has no connections.
  if (process_ != 0 && process_ != this_process()) return health();
  PCIO_TRY(check_not_within({what, {}}));
  const Spends waits(Spent::kAgreement);
  enter_collective(what, among);
  return leave_collective(what, call());
}

/// Agreements that a file makes through MPI before a board is worth its making.
constexpr std::uint64_t kAgreementsBeforeBoard = 16;

/// The same on all ranks. Nodes of one rank each have nothing to put together.
bool Coordinator::wants_board() const {
  if (no_board_ || size() == 1 || environment_.check_messages) return false;
  if (one_machine()) return size() <= FactsBoard::kMostRanks;
  return machine_.nodes() < machine_.ranks() && machine_.largest_size() <= FactsBoard::kMostOfNode;
}

/// As meet_peers(), but what MPI refuses to any rank (communicators may be scarce) leaves all without, and the file as it was.
Result<bool> Coordinator::could_meet_peers() {
  if (!peers_.is_null()) return true;
  const bool had_node = !node_.is_null();
  PCIO_TRY(barrier());
  std::uint64_t all_could = 0;
  PCIO_TRY(guarded("a division by nodes", [&]() -> Status {
    // Others are in the second one, too.
    const bool has_node = had_node || divide_by_nodes().ok();
    const bool has_peers = divide_by_places().ok();
    all_could = has_node && has_peers ? 1 : 0;
    return comm_->allreduce_min(std::span(&all_could, 1));
  }));
  if (all_could != 0) return true;
  peers_ = mpi::Comm();
  if (!had_node) node_ = mpi::Comm();
  return false;
}

/// Collective: over the file, two exchanges, and on several nodes what could_meet_peers() takes. Without memory or
/// communicators for it all ranks go on without.
Status Coordinator::make_board() {
  if (!one_machine()) {
    PCIO_ASSIGN(const bool could, could_meet_peers());
    no_board_ = !could;
    if (no_board_) return Status();
  }
  PCIO_TRY(guarded("a board of agreements", [&] { return board_.make(node_ranks(), *comm_); }));
  no_board_ = !board_.is_made();
  return Status();
}

namespace {
/// Facts as the words that they are.
std::span<std::uint64_t> words_of(WireFacts& wire) {
  return {reinterpret_cast<std::uint64_t*>(&wire), FactsBoard::kMostWords};
}
}  // namespace

Status Coordinator::allreduce_wire(WireFacts& wire) {
  if (agreements_ < kAgreementsBeforeBoard && wants_board() &&
      ++agreements_ == kAgreementsBeforeBoard)
    PCIO_TRY(make_board());
  auto among = [&](mpi::Comm& ranks) {
    return ranks.allreduce(std::as_writable_bytes(std::span(&wire, 1)), wire_type_, wire_op_);
  };
  return guarded("an agreement", [&] {
    if (one_machine() && board_.is_made() && !no_board_) return board_.merge_all(*comm_, wire);
    return reduce(
        words_of(wire),
        [](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
          WireFacts theirs{}, all{};
          std::memcpy(&theirs, from.data(), sizeof theirs);
          std::memcpy(&all, into.data(), sizeof all);
          merge(all, theirs);
          std::memcpy(into.data(), &all, sizeof all);
        },
        among);
  });
}

Status Coordinator::allreduce_parts(const PartBuffers& buffers) {
  return guarded("an agreement", [&] {
    return comm_->allreduce(std::as_bytes(buffers.mine), std::as_writable_bytes(buffers.all),
                            buffers.mine.size(), wire_type_, wire_op_);
  });
}

Status Coordinator::barrier() {
  if (!comm_) return Status();
  return guarded("a barrier", [&] {
    return reduce(
        {}, [](auto, auto) {}, [](mpi::Comm& ranks) { return ranks.barrier(); });
  });
}

/// Bytes from which on it is worth a second broadcast on each node that they cross to a node once, not once for each of
/// its ranks, as in a tree of ranks; and from which on it is worth making the communicators for it.
constexpr std::uint64_t kLeastByNodes = std::uint64_t{8} << 10;
constexpr std::uint64_t kWorthPeers = std::uint64_t{64} << 10;

/// The same on all ranks.
bool Coordinator::broadcasts_by_nodes(std::uint64_t bytes, int root) const {
  const auto from = static_cast<std::uint64_t>(root);
  return bytes >= (peers_.is_null() ? kWorthPeers : kLeastByNodes) && machine_.nodes() > 1 &&
         machine_.largest_size() > 1 && machine_.index_of(from) == 0;
}

/// Leaders are peers, in the order of their nodes; other ranks have no use for theirs.
Status Coordinator::meet_peers() {
  if (!peers_.is_null()) return health();
  // No wait between the ranks' nodes and these: who made the former has met all.
  PCIO_TRY(node_.is_null() ? meet_node() : barrier());
  return guarded("a division by places on nodes", [&] { return divide_by_places(); });
}

Status Coordinator::divide_by_places() {
  const std::uint64_t place = machine_.index_of(static_cast<std::uint64_t>(rank()));
  PCIO_ASSIGN(peers_, comm_->split(static_cast<int>(place)));
  peers_.set_watch(watch_->for_waits());
  return Status();
}

Status Coordinator::broadcast(Bytes data, int root) {
  if (!comm_) return Status();
  if (!broadcasts_by_nodes(data.size(), root))
    return guarded("a broadcast", [&] { return comm_->broadcast(data, root); });
  PCIO_TRY(meet_peers());
  return guarded("a broadcast", [&]() -> Status {
    const auto node = static_cast<int>(machine_.node_of(static_cast<std::uint64_t>(root)));
    if (leads_machine()) PCIO_TRY(peers_.broadcast(data, node));
    return node_.broadcast(data, 0);
  });
}

namespace {

/// A merge of words one by one.
template <class One>
auto each_word(One one) {
  return [one](std::span<std::uint64_t> into, std::span<const std::uint64_t> from) {
    for (std::size_t i = 0; i < into.size(); ++i) one(into[i], from[i]);
  };
}

}  // namespace

Status Coordinator::allreduce_max(std::span<std::uint64_t> words) {
  if (!comm_) return Status();
  return guarded("a reduction", [&] {
    return reduce(words, each_word([](std::uint64_t& into, std::uint64_t from) {
                    into = std::max(into, from);
                  }),
                  [&](mpi::Comm& ranks) { return ranks.allreduce_max(words); });
  });
}

Status Coordinator::allreduce_min(std::span<std::uint64_t> words) {
  if (!comm_) return Status();
  return guarded("a reduction", [&] {
    return reduce(words, each_word([](std::uint64_t& into, std::uint64_t from) {
                    into = std::min(into, from);
                  }),
                  [&](mpi::Comm& ranks) { return ranks.allreduce_min(words); });
  });
}

Status Coordinator::allreduce_sum(std::span<std::uint64_t> words) {
  if (!comm_) return Status();
  return guarded("a reduction", [&] {
    return reduce(words, each_word([](std::uint64_t& into, std::uint64_t from) { into += from; }),
                  [&](mpi::Comm& ranks) { return ranks.allreduce_sum(words); });
  });
}

bool Coordinator::leads_machine() const {
  const auto me = static_cast<std::uint64_t>(rank());
  return machine_.leader_of(machine_.node_of(me)) == me;
}

Status Coordinator::meet_node() {
  if (!comm_ || one_machine() || !node_.is_null()) return health();
  PCIO_TRY(barrier());
  return guarded("a division by nodes", [&] { return divide_by_nodes(); });
}

Status Coordinator::divide_by_nodes() {
  const std::uint64_t node = machine_.node_of(static_cast<std::uint64_t>(rank()));
  PCIO_ASSIGN(node_, comm_->split(static_cast<int>(node)));
  node_.set_watch(watch_->for_waits());
  watch_->set_node(node);
  return Status();
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

Status Coordinator::exscan_sum(std::span<std::uint64_t> words) {
  if (comm_) return guarded("a scan", [&] { return comm_->exscan_sum(words); });
  std::fill(words.begin(), words.end(), 0);
  return Status();
}

Status Coordinator::exscan_max(std::span<std::uint64_t> words) {
  if (comm_) return guarded("a scan", [&] { return comm_->exscan_max(words); });
  std::fill(words.begin(), words.end(), 0);
  return Status();
}

Status Coordinator::allgather(ConstBytes mine, Bytes all) {
  if (comm_) return guarded("a gather", [&] { return comm_->allgather(mine, all); });
  if (all.size() != mine.size()) return PCIO_ERROR(INTERNAL, BADSIZE, "allgather: wrong size");
  if (!mine.empty()) std::memcpy(all.data(), mine.data(), mine.size());
  return Status();
}

Status Coordinator::alltoall(std::span<const std::uint64_t> mine, std::span<std::uint64_t> theirs) {
  if (comm_) return guarded("an exchange of sizes", [&] { return comm_->alltoall(mine, theirs); });
  std::copy(mine.begin(), mine.end(), theirs.begin());
  return Status();
}

Status Coordinator::tell(std::vector<mpi::Told>& going, std::span<MPI_Request> requests,
                         std::vector<mpi::Told>* coming) {
  coming->clear();
  if (!comm_) return Status();
  return guarded("an exchange of sizes", [&]() -> Status {
    // Who checks messages checks those, too.
    if (static_cast<std::size_t>(size()) > kFewRanks || environment_.check_messages)
      return comm_->tell(going, requests, coming);
    words_going_.fill(0);
    for (const mpi::Told& told : going) words_going_[told.rank] = told.word;
    const auto ranks = static_cast<std::uint32_t>(size()), me = static_cast<std::uint32_t>(rank());
    PCIO_TRY(comm_->alltoall(std::span(words_going_).first(ranks),
                             std::span(words_coming_).first(ranks)));
    for (std::uint32_t i = 1; i < ranks; ++i) {
      const std::uint32_t from = (me + i) % ranks;
      if (words_coming_[from] != 0)
        coming->push_back({from, static_cast<std::uint32_t>(words_coming_[from])});
    }
    return Status();
  });
}

Status Coordinator::alltoallv(std::span<const std::uint64_t> mine,
                              std::span<const std::uint64_t> counts,
                              std::span<std::uint64_t> theirs,
                              std::span<const std::uint64_t> their_counts) {
  if (comm_)
    return guarded("an exchange of lists",
                   [&] { return comm_->alltoallv(mine, counts, theirs, their_counts); });
  if (theirs.size() != mine.size()) return PCIO_ERROR(INTERNAL, BADSIZE, "alltoallv: wrong size");
  std::copy(mine.begin(), mine.end(), theirs.begin());
  return Status();
}

Status Coordinator::wait_all(std::span<MPI_Request> requests, const char* what) {
  Status all;
  if (!comm_) return all;
  const Spends waits(Spent::kExchange);
  for (MPI_Request& request : requests) {
    if (request == MPI_REQUEST_NULL) continue;
    // Ranks have different numbers of messages: these waits get no number of their own.
    watch_wait(what);
    Status done = leave_collective(what, comm_->wait(request, what));
    if (all.ok()) all = std::move(done);
  }
  return all;
}

Result<const mpi::SharedMemory*> Coordinator::shared_memory(std::uint64_t bytes) {
  PCIO_TRY(health());
  const bool nobody_to_share = machine_.nodes() > 1 && machine_.nodes() == machine_.ranks();
  if (!comm_ || nobody_to_share || no_shared_memory_ || environment_.check_messages) return nullptr;
  if (shared_.size() >= bytes) return &shared_;
  PCIO_TRY(meet_node());
  PCIO_TRY(barrier());
  shared_.free();
  enter_collective("an allocation of shared memory");
  auto made = mpi::SharedMemory::allocate(node_ranks(), *comm_, bytes);
  PCIO_TRY(leave_collective("an allocation of shared memory", made ? Status() : made.error()));
  no_shared_memory_ = made->is_null();
  if (no_shared_memory_) return nullptr;
  shared_ = std::move(*made);
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

Status Coordinator::close() {
  if (!comm_) return Status();
  release_handles();
  static_cast<void>(release_shared_memory());
  watch_.reset();
  comm_->set_watch({});
  static_cast<void>(peers_.free());
  static_cast<void>(node_.free());
  wire_type_ = mpi::Type();
  wire_op_ = mpi::Op();
  return comm_->free();
}

}  // namespace pcio
