// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: how a coordinator is made.
//
// One exchange asks all that has to be known before MPI is asked for anything that only blocks: who lacks
// memory, who has found something against the opening, and whether arguments and environments are the same.

#include <array>
#include <cstring>
#include <utility>

#include "agree/coordinator.hpp"
#include "agree/misspelt_names.hpp"
#include "base/without_throwing.hpp"
#include "mpi/this_process.hpp"

namespace pcio {

namespace {

constexpr std::uint64_t kMaxEnvironmentBytes = 65536;

/// MPI_User_function over WireFacts.
void merge_wire(void* from, void* into, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < *count; ++i) {
    WireFacts a{};
    WireFacts b{};
    std::memcpy(&a, static_cast<const char*>(from) + sizeof a * static_cast<std::size_t>(i),
                sizeof a);
    std::memcpy(&b, static_cast<const char*>(into) + sizeof b * static_cast<std::size_t>(i),
                sizeof b);
    merge(b, a);
    std::memcpy(static_cast<char*>(into) + sizeof b * static_cast<std::size_t>(i), &b, sizeof b);
  }
}

/// Of which all ranks learn the least: of a number and of its negative, so that they know whether it is
/// the same on all.
enum OpeningWord : std::size_t {
  kGood,
  kArguments,
  kNegativeArguments,
  kEnvironment,
  kNegativeEnvironment,
  kWay,
  kFile,
  kNegativeFile,
  kPlace,
  kNegativePlace,
  kOpeningWords
};
using OpeningWords = std::array<std::int64_t, kOpeningWords>;
static_assert(kOpeningWords <= mpi::Comm::kMostWords);

OpeningWords opening_words(const OpeningFacts& mine, std::uint64_t environment) {
  // Two bits less, so that there is a negative of each.
  const auto arguments = static_cast<std::int64_t>(mine.arguments >> 2);
  const auto own = static_cast<std::int64_t>(environment >> 2);
  // A bit less; numbers of neighbours differ in the lowest ones.
  const auto file = static_cast<std::int64_t>(mine.file & (UINT64_MAX >> 1));
  const auto place = static_cast<std::int64_t>(mine.place >> 2);
  return {mine.good ? 1 : 0,
          arguments,
          -arguments,
          own,
          -own,
          static_cast<std::int64_t>(mine.way),
          file,
          -file,
          place,
          -place};
}

}  // namespace

std::shared_ptr<Coordinator> Coordinator::serial() {
  std::shared_ptr<Coordinator> made(new Coordinator);
  made->environment_ = read_environment();
  tell_misspelt_variables();
  return made;
}

Result<std::shared_ptr<Coordinator>> Coordinator::create(Lobby& lobby, const CallName& name,
                                                         const OpeningFacts& mine,
                                                         AgreedOpening* all) {
  std::shared_ptr<Coordinator> made;
  OpeningWords words{};
  const int ranks = lobby.comm().size();
  const Status ready = without_throwing([&]() -> Status {
    made.reset(new Coordinator);
    PCIO_TRY(made->prepare(ranks));
    words = opening_words(mine, hash_bytes(made->environment_text_, 0));
    return Status();
  });
  PCIO_ASSIGN(mpi::Comm copy, lobby.duplicate(name, ready, words));
  made->watch_->set_first_wait(lobby.first_wait());
  *made->comm_ = std::move(copy);
  if (all != nullptr) {
    const auto way = static_cast<OpeningWay>(words[kWay]);
    const bool elsewhere = way == OpeningWay::kAlone && words[kPlace] != -words[kNegativePlace];
    *all = {words[kArguments] == -words[kNegativeArguments], words[kGood] != 0,
            elsewhere ? OpeningWay::kTogether : way, words[kFile] == -words[kNegativeFile]};
  }
  PCIO_TRY(made->begin(name, words[kEnvironment] == -words[kNegativeEnvironment]));
  // Its making by MPI_Comm_split, when it is needed, would take words of all ranks on each, and keep processors while ranks wait.
  if (made->environment_.check_nodes == 0 && !lobby.node().is_null())
    if (Result<mpi::Comm> node = lobby.node().again(made->watch_->for_waits()))
      made->spare_node_ = std::move(*node);
  made->machine_.divide(lobby.machine(), made->environment_.check_nodes);
  if (made->rank() == 0) tell_misspelt_variables();
  return made;
}

/// All that takes memory, before the ranks meet. Collective: local.
Status Coordinator::prepare(int ranks) {
  current_call_.reserve(kCallBytes);
  // This rank's own wishes, until all know those of rank 0.
  environment_ = read_environment();
  const std::string mine = encode(environment_);
  const auto raw = std::as_bytes(std::span(mine.data(), mine.size()));
  environment_text_.reserve(kMaxEnvironmentBytes);
  environment_text_.assign(raw.begin(), raw.end());
  comm_.emplace();
  machine_.reserve(static_cast<std::uint64_t>(ranks));
  watch_ = std::make_unique<HangWatch>(*comm_, ranks, HangWatch::Settings());
  PCIO_ASSIGN(wire_type_, mpi::Type::contiguous_bytes(sizeof(WireFacts)));
  PCIO_ASSIGN(wire_op_, mpi::Op::create(merge_wire));
  return Status();
}

/// Collective: over the file, whose ranks have a communicator; three exchanges where their environments
/// differ.
Status Coordinator::begin(const CallName& name, bool same_environment) {
  process_ = this_process();
  name_current_call(name);
  start_watch();
  if (!same_environment) PCIO_TRY(share_environment());
  environment_text_ = std::vector<std::byte>();
  return Status();
}

void Coordinator::start_watch() {
  watch_->set({environment_.hang_seconds, environment_.hang_abort});
  comm_->set_watch(watch_->for_waits());
}

/// Makes rank 0's environment everybody's, or fails on all ranks.
Status Coordinator::share_environment() {
  std::uint64_t size = environment_text_.size();
  PCIO_TRY(broadcast(std::as_writable_bytes(std::span(&size, 1)), 0));
  if (size > kMaxEnvironmentBytes)
    return PCIO_ERROR(FILE, BADSIZE,
                      "rank 0's environment, of " + std::to_string(size) + " bytes, is too long");
  environment_text_.resize(size);  // there is room
  PCIO_TRY(broadcast(environment_text_, 0));
  Status local = without_throwing([&] {
    environment_ = decode_environment(
        std::string(reinterpret_cast<const char*>(environment_text_.data()), size));
    start_watch();
    return Status();
  });
  std::uint64_t lacking = local.ok() ? kNoRank : static_cast<std::uint64_t>(rank());
  PCIO_TRY(allreduce_min(std::span(&lacking, 1)));
  if (lacking == kNoRank) return Status();
  if (!local.ok()) return local;
  return PCIO_ERROR(RESOURCE, NOSPACE, "rank " + std::to_string(lacking) + " has no memory left");
}

}  // namespace pcio
