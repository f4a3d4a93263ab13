// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: the coordinator's typed collectives; with one rank they are local.

#include <algorithm>
#include <array>
#include <cstring>

#include "agree/guarded_collective.hpp"
#include "base/library_lock.hpp"

namespace pcio {

void Coordinator::watch_wait(const char* what, bool for_messages) {
  if (!watch_) return;
  const CallName call{current_call_.empty() ? std::string_view(what) : current_call_, {}};
  for_messages ? watch_->enter_behind(sequence_, call) : watch_->enter(sequence_, call);
}

void Coordinator::enter_collective(const char* what, Among among) {
  // No memory is asked for here: the others are on their way already.
  sequence_ =
      among == Among::kNode ? sequence_ + 1 : (sequence_ | (HangWatch::kMeetingsOfNode - 1)) + 1;
  if (!is_exchanging_around(communicates_in_)) communicates_in_ = number_of_call();
  watch_wait(what, false);
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

Status Coordinator::barrier() {
  if (!comm_) return Status();
  return guarded("a barrier", [&] {
    return reduce(
        {}, [](auto, auto) {}, [](mpi::Comm& ranks) { return ranks.barrier(); });
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
    watch_wait(what, true);
    Status done = leave_collective(what, comm_->wait(request, what));
    if (all.ok()) all = std::move(done);
  }
  return all;
}

Status Coordinator::close() {
  if (!comm_) return Status();
  release_handles();
  static_cast<void>(release_shared_memory());
  watch_.reset();
  comm_->set_watch({});
  static_cast<void>(peers_.free());
  static_cast<void>(node_.free());
  static_cast<void>(spare_node_.free());
  wire_type_ = mpi::Type();
  wire_op_ = mpi::Op();
  return comm_->free();
}

}  // namespace pcio
