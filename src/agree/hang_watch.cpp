// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: tokens between waiting ranks.

#include "agree/hang_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "mpi/environment.hpp"

namespace pcio {

namespace {

/// Below the smallest MPI_TAG_UB that the standard allows (32767), out of the way of other
/// messages.
constexpr int kTokenTag = 32001;
/// Four witnesses: the chance that all of them are missing while others wait is small.
constexpr int kWitnesses = 4;
constexpr double kTicksPerPeriod = 8;
/// A witness prints one tick after the tokens were sent, so that they have arrived.
constexpr double kGraceTicks = 1.5;
constexpr std::size_t kRanksListed = 32;

/// "2, 5-7, 9" and so on, cut after a while.
std::string list_ranks(const std::vector<int>& ranks) {
  std::string text;
  std::size_t groups = 0;
  for (std::size_t i = 0; i < ranks.size(); ++groups) {
    if (groups == kRanksListed) return text + ", ...";
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (!text.empty()) text += ", ";
    text += std::to_string(ranks[i]);
    if (last > i) text += "-" + std::to_string(ranks[last]);
    i = last + 1;
  }
  return text;
}

/// Ascending; all ranks where they are few.
std::vector<int> choose_witnesses(int ranks) {
  std::vector<int> chosen;
  for (int i = 0; i < kWitnesses; ++i) {
    const int rank = static_cast<int>(static_cast<std::int64_t>(ranks - 1) * i / (kWitnesses - 1));
    if (chosen.empty() || chosen.back() != rank) chosen.push_back(rank);
  }
  return chosen;
}

void abort_waiting(MPI_Comm comm, int rank) {
  std::fprintf(stderr, "pcio: rank %d: PCIO_HANG_ABORT is set: aborting\n", rank);
  MPI_Abort(comm, 1);
}

}  // namespace

HangWatch::HangWatch(mpi::Comm& comm, int ranks, Settings settings)
    : comm_(comm), settings_(settings) {
  call_.reserve(kTextBytes);
  witnesses_ = choose_witnesses(ranks);
}

HangWatch::~HangWatch() {
  if (!mpi::is_active() || comm_.is_null()) return;
  receive_tokens();
  // A token is small enough to have left long ago; whoever never received it has closed the file.
  for (Sending& sending : sending_) {
    int done = 0;
    MPI_Test(&sending.request, &done, MPI_STATUS_IGNORE);
    if (done == 0) MPI_Request_free(&sending.request);
  }
}

double HangWatch::tick_seconds() const { return settings_.period_seconds / kTicksPerPeriod; }

mpi::WaitWatch HangWatch::for_waits() {
  if (settings_.period_seconds <= 0) return {0, {}, first_};
  return {tick_seconds(), [this](double waited) { tick(waited); }, first_};
}

void HangWatch::begin(std::uint64_t sequence, const CallName& call, bool behind) {
  sequence_ = sequence;
  behind_ = behind;
  // The function's name is short, the object's may not be.
  constexpr std::string_view kOn = " on ";
  call_.assign(call.function.substr(0, kTextBytes - 1 - kOn.size()));
  if (!call.object.empty())
    call_.append(kOn).append(call.object.substr(0, kTextBytes - 1 - kOn.size() - call_.size()));
  periods_sent_ = 0;
  periods_printed_ = 0;
  last_waited_ = waited_before_ = 0;
  // Who came here before this rank did stays heard.
  std::erase_if(heard_, [&](const Heard& heard) { return is_over(heard.token); });
}

/// One collective may wait several times: for the ranks of its node, then for other nodes.
void HangWatch::tick(double waited) {
  if (waited < last_waited_) waited_before_ += last_waited_;
  last_waited_ = waited;
  waited += waited_before_;
  const double period = settings_.period_seconds;
  const auto full_periods = static_cast<std::uint64_t>(waited / period);
  if (full_periods == 0) return;
  // A busy machine may skip the first period. That a wait for messages is over nothing else tells.
  if (periods_sent_ == 0 || (behind_ && periods_sent_ != full_periods)) send_tokens();
  periods_sent_ = full_periods;
  receive_tokens();
  const double since = waited - static_cast<double>(full_periods) * period;
  if (since < kGraceTicks * tick_seconds() || periods_printed_ == full_periods) return;
  periods_printed_ = full_periods;
  if (is_spokesman()) print(waited);
  if (settings_.abort_after) abort_waiting(comm_.raw(), comm_.rank());
}

void HangWatch::send_tokens() {
  for (int witness : witnesses_) {
    if (witness == comm_.rank()) continue;
    Sending& sending = sending_.emplace_back();
    sending.token.sequence = sequence_;
    sending.token.mpi_rank = comm_.rank();
    sending.token.node = node_;
    sending.token.behind = behind_ ? 1 : 0;
    std::strncpy(sending.token.call, call_.c_str(), kTextBytes - 1);
    if (MPI_Isend(&sending.token, sizeof(Token), MPI_BYTE, witness, kTokenTag, comm_.raw(),
                  &sending.request) != MPI_SUCCESS)
      sending_.pop_back();
  }
}

void HangWatch::receive_tokens() {
  for (;;) {
    int arrived = 0;
    MPI_Status status{};
    if (MPI_Iprobe(MPI_ANY_SOURCE, kTokenTag, comm_.raw(), &arrived, &status) != MPI_SUCCESS ||
        arrived == 0)
      return;
    Token token;
    if (MPI_Recv(&token, sizeof token, MPI_BYTE, status.MPI_SOURCE, kTokenTag, comm_.raw(),
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return;
    token.call[kTextBytes - 1] = '\0';
    std::erase_if(heard_,
                  [&](const Heard& heard) { return heard.token.mpi_rank == token.mpi_rank; });
    // Tokens of a wait that has ended since are thrown away; those of the next may come early.
    if (!is_over(token)) heard_.push_back({token, MPI_Wtime()});
  }
}

/// A wait of this node, or of all ranks, that has ended since. Other nodes meet more or less often, and who waits for a message
/// behind the agreement before this one has not come to this one.
bool HangWatch::is_over(const Token& token) const {
  const std::uint64_t theirs = token.sequence / kMeetingsOfNode, ours = sequence_ / kMeetingsOfNode;
  if (token.behind != 0) return theirs + 1 < ours;
  // Who waits for a message has come out of what all ranks, or those of its node, met for.
  if (behind_ && token.sequence <= sequence_ &&
      (token.sequence % kMeetingsOfNode == 0 || token.node == node_))
    return true;
  return token.sequence < sequence_ && !(theirs == ours && token.node != node_);
}

/// In the wait that this rank is in, or in one for messages beside it.
bool HangWatch::waits(const Heard& heard) const {
  if (heard.token.behind != 0) return MPI_Wtime() - heard.at < 2 * settings_.period_seconds;
  return behind_ || heard.token.sequence == sequence_;
}

bool HangWatch::is_spokesman() const {
  for (int witness : witnesses_) {
    if (witness == comm_.rank()) return true;
    if (std::any_of(heard_.begin(), heard_.end(), [&](const Heard& heard) {
          return heard.token.mpi_rank == witness && waits(heard);
        }))
      return false;
  }
  return false;
}

void HangWatch::print(double waited) {
  std::vector<int> missing;
  std::vector<bool> here(static_cast<std::size_t>(comm_.size()), false);
  here[static_cast<std::size_t>(comm_.rank())] = true;
  std::string others;
  std::size_t further = 0;
  for (const Heard& heard : heard_) {
    const Token& token = heard.token;
    if (token.mpi_rank < 0 || token.mpi_rank >= comm_.size()) continue;
    if (!waits(heard)) {
      if (token.behind != 0) continue;
      // It waits elsewhere: what this rank waits for, or that one, is between the ranks of a node.
      ++further;
      here[static_cast<std::size_t>(token.mpi_rank)] = true;
      continue;
    }
    here[static_cast<std::size_t>(token.mpi_rank)] = true;
    if (call_ != token.call && others.empty())
      others = "; rank " + std::to_string(token.mpi_rank) + " is in " + token.call;
  }
  for (int rank = 0; rank < comm_.size(); ++rank)
    if (!here[static_cast<std::size_t>(rank)]) missing.push_back(rank);
  const std::size_t waiting = here.size() - missing.size() - further;
  const std::string who = missing.empty() ? "none" : list_ranks(missing);
  std::fprintf(
      stderr, "pcio: rank %d has waited %.0f s in %s; %zu of %d ranks wait, missing: %s%s\n",
      comm_.rank(), waited, call_.c_str(), waiting, comm_.size(), who.c_str(), others.c_str());
  std::fflush(stderr);
}

namespace {

/// Each witness says by itself that it waits: they can't tell each other.
class LoneWatch {
 public:
  LoneWatch(MPI_Comm comm, std::string_view call, HangWatch::Settings settings)
      : comm_(comm), call_(call), settings_(settings) {}

  void tick(double waited) {
    const auto full_periods = static_cast<std::uint64_t>(waited / settings_.period_seconds);
    if (full_periods == periods_printed_) return;
    periods_printed_ = full_periods;
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &size);
    const std::vector<int> witnesses = choose_witnesses(size);
    if (std::find(witnesses.begin(), witnesses.end(), rank) != witnesses.end()) {
      std::fprintf(stderr,
                   "pcio: rank %d has waited %.0f s in %s; ranks are missing of the %d of this "
                   "communicator, the program's own, on which they can't be told apart\n",
                   rank, waited, call_.c_str(), size);
      std::fflush(stderr);
    }
    if (settings_.abort_after) abort_waiting(comm_, rank);
  }

 private:
  MPI_Comm comm_;
  std::string call_;
  HangWatch::Settings settings_;
  std::uint64_t periods_printed_ = 0;
};

}  // namespace

mpi::WaitWatch watch_without_messages(MPI_Comm comm, std::string_view call,
                                      HangWatch::Settings settings) {
  if (settings.period_seconds <= 0) return {};
  return {settings.period_seconds / kTicksPerPeriod,
          [watch = LoneWatch(comm, call, settings)](double waited) mutable { watch.tick(waited); }};
}

}  // namespace pcio
