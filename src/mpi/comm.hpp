// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: a communicator that the library owns, and typed collectives on it.
//
// Collectives start as nonblocking ones and are waited for in one loop, so that somebody can watch
// how long it takes. No MPI call moves more than 1 GiB.

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <mpi.h>

#include "base/communicator.hpp"
#include "base/status.hpp"
#include "base/types.hpp"

namespace pcio::mpi {

class Op;
class Type;

/// What a rank does in the first moments of a wait, before it sleeps: gives its processor to others, or keeps it. On a
/// busy machine who gives it away gets it back when all others have had theirs.
enum class FirstWait : std::uint8_t { kYield, kSpin };

/// Who is told that a wait takes long: `tick(seconds waited)` every `interval` seconds; 0 = nobody.
struct WaitWatch {
  double interval = 0;
  std::function<void(double)> tick;
  FirstWait first = FirstWait::kYield;
};

/// A word for a rank, or from one.
struct Told {
  std::uint32_t rank = 0;
  std::uint32_t word = 0;
};

/// Move-only; null after a move. The duplicate returns errors instead of aborting.
/// Threads: one thread uses a communicator at a time.
class Comm {
 public:
  Comm() = default;
  /// Collective: over `comm`, on which nothing but collectives happens: it may be the program's, whose
  ///   receives could take a message. `watch` is told how long the others take; the duplicate
  ///   is begun when all have come.
  /// `ready`: whether this rank has the memory for what is to be done with the duplicate. Where one has
  ///   not, nothing is made and all ranks fail, each knowing which one lacks it.
  /// `least`: at most kMostWords words, each of which becomes the least that a rank brings, in the same
  ///   exchange.
  /// Errors: MPI not active, MPI_COMM_NULL, an intercommunicator.
  static Result<Comm> duplicate(MPI_Comm comm, WaitWatch watch, const Status& ready = Status(),
                                std::span<std::int64_t> least = {});
  static constexpr std::size_t kMostWords = 10;
  /// Ranks of a communicator that can be duplicated. Local. Errors: as duplicate.
  static Result<int> ranks_of(MPI_Comm comm);

  Comm(Comm&& other) noexcept;
  Comm& operator=(Comm&& other) noexcept;
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  /// Frees the communicator, unless MPI is finalized. (MPI_Comm_free is collective by the standard;
  /// implementations do not wait in it.)
  ~Comm();
  /// Whoever takes it frees it. Local.
  MPI_Comm release() { return std::exchange(comm_, MPI_COMM_NULL); }
  /// Explicit free. Collective: over the communicator.
  Status free();

  [[nodiscard]] bool is_null() const { return comm_ == MPI_COMM_NULL; }
  [[nodiscard]] MPI_Comm raw() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  void set_watch(WaitWatch watch) { watch_ = std::move(watch); }
  [[nodiscard]] const WaitWatch& watch() const { return watch_; }

  // Parts are made for messages and reductions, not for scans and exchanges of lists.
  /// The ranks that share this rank's memory, in their order. Collective: over the communicator.
  Result<Comm> split_by_machine();
  /// The ranks that bring the same `part`, in their order. Collective: over the communicator.
  Result<Comm> split(int part);
  /// One more of its kind; `watch` is told how long that takes. Collective: over the communicator.
  [[nodiscard]] Result<Comm> again(WaitWatch watch) const;
  /// What rank 0 of `part`, a part of this communicator, is here. Local.
  Result<int> leader_of(const Comm& part) const;

  Status barrier();
  /// Any length; split below 1 GiB.
  Status broadcast(Bytes data, int root);
  Status allreduce_max(std::span<std::uint64_t> words) { return allreduce_ordered(words, MPI_MAX); }
  Status allreduce_min(std::span<std::uint64_t> words) { return allreduce_ordered(words, MPI_MIN); }
  Status allreduce_sum(std::span<std::uint64_t> words) {
    return allreduce(words, MPI_UINT64_T, MPI_SUM);
  }
  /// One element of `type` in `element`, of at most 1 KiB, merged by `op`.
  Status allreduce(Bytes element, const Type& type, const Op& op);
  /// `count` elements of `type`: `all` becomes those of all ranks, merged one by one; equal `count`s,
  /// below 1 GiB. The buffers must not overlap.
  Status allreduce(ConstBytes mine, Bytes all, std::uint64_t count, const Type& type, const Op& op);
  /// Merges the ranks' blocks of words pairwise; `Merge` is a stateless, commutative function object
  /// void(into, from) noexcept. A block is one element for MPI, so no algorithm cuts it.
  template <class Merge>
  Status allreduce_merge(std::span<std::uint64_t> words, Merge /*merge*/) {
    return allreduce_block(words, &merge_blocks<Merge>);
  }
  /// `words` becomes the sum over lower ranks; 0 on rank 0.
  Status exscan_sum(std::span<std::uint64_t> words);
  /// The same of the greatest.
  Status exscan_max(std::span<std::uint64_t> words);
  /// mine.size() is equal on all ranks; `all` holds size() * mine.size() bytes in rank order.
  Status allgather(ConstBytes mine, Bytes all);
  /// As allgather, but only the root's `all` is used (empty elsewhere).
  Status gather(ConstBytes mine, Bytes all, int root);
  /// Row r of `mine` goes to rank r; both hold size() rows of mine.size() / size() words.
  Status alltoall(std::span<const std::uint64_t> mine, std::span<std::uint64_t> theirs);
  /// Row r of `mine`, of counts[r] words, goes to rank r; `theirs` gets rows of their_counts words.
  /// Errors: more than 2^31 - 1 words each way.
  Status alltoallv(std::span<const std::uint64_t> mine, std::span<const std::uint64_t> counts,
                   std::span<std::uint64_t> theirs, std::span<const std::uint64_t> their_counts);
  /// Each of `going` reaches its rank, another one than this; `coming` gets what others have for this rank, in
  /// the order of the ranks behind it. All ranks have come when it returns. Asks for no memory: `coming` has room
  /// for a word from each rank, `requests` one for each of `going`. On failure MPI may still have words to read: they
  /// are kept here, and `going` is empty.
  /// Collective: over the communicator; messages to those who are told, and a barrier.
  /// Source: Hoefler, Siebert and Lumsdaine, "Scalable Communication Protocols for Dynamic Sparse Data Exchange", 2010.
  Status tell(std::vector<Told>& going, std::span<MPI_Request> requests, std::vector<Told>* coming);
  /// Starts a message of at most kMaxCallBytes; the bytes must stay until it was waited for.
  Status start_send(ConstBytes data, int to, int tag, MPI_Request& request);
  Status start_receive(Bytes data, int from, int tag, MPI_Request& request);
  /// Waits for a request started elsewhere on this communicator, watched like a collective.
  Status wait(MPI_Request& request, const char* what);
  /// Waits until `done` says so, for what does not come through MPI; MPI goes on with its work.
  Status wait_until(const std::function<bool()>& done);

 private:
  Status exscan(std::span<std::uint64_t> words, MPI_Op op);
  Status complete_part();
  Status become_copy_of(MPI_Comm comm);
  Status exchange_words(std::span<const Told> going, std::span<MPI_Request> requests,
                        std::vector<Told>* coming);
  Status take_told(int tag, std::vector<Told>* coming);
  Status meet(MPI_Comm comm, const Status& ready, std::span<std::int64_t> least);
  template <class Done>
  Status wait_loop(Done&& done);
  template <class Merge>
  static void merge_blocks(void* from, void* into, int* count, MPI_Datatype* type) {
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    const std::size_t n = static_cast<std::size_t>(bytes) / sizeof(std::uint64_t);
    auto* const theirs = static_cast<std::uint64_t*>(from);
    auto* const ours = static_cast<std::uint64_t*>(into);
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i)
      Merge{}(std::span(ours + i * n, n), std::span<const std::uint64_t>(theirs + i * n, n));
  }
  Status allreduce_block(std::span<std::uint64_t> words, MPI_User_function* function);
  Status allreduce(std::span<std::uint64_t> words, MPI_Datatype type, MPI_Op op);
  Status allreduce_ordered(std::span<std::uint64_t> words, MPI_Op op);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  WaitWatch watch_;
  int tells_ = 0;             ///< so far, modulo 2
  std::vector<Told> unread_;  ///< of a tell() that MPI gave up
  /// What collectives need besides their arguments: two words for each rank. None of them asks for
  /// memory, because the others are on their way already.
  std::vector<std::uint64_t> scratch_;
};

static_assert(Communicator<Comm>);

}  // namespace pcio::mpi
