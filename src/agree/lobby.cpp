// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: Lobby out of line.

#include "agree/lobby.hpp"

#include <algorithm>
#include <string>
#include <unistd.h>

#include "agree/shared_environment.hpp"
#include "base/without_throwing.hpp"

namespace pcio {

namespace {

HangWatch::Settings own_settings() {
  const SharedEnvironment mine = read_environment();
  return {mine.hang_seconds, mine.hang_abort};
}

}  // namespace

Result<std::shared_ptr<Lobby>> Lobby::create(MPI_Comm comm, std::string_view function,
                                             const Status& ready) {
  PCIO_ASSIGN(const int ranks, mpi::Comm::ranks_of(comm));
  std::shared_ptr<Lobby> made;
  mpi::WaitWatch watch;
  Status prepared = ready;
  if (prepared.ok())
    prepared = without_throwing([&] {
      made.reset(new Lobby(ranks));
      watch = watch_without_messages(comm, function, own_settings());
      return Status();
    });
  PCIO_ASSIGN(made->comm_, mpi::Comm::duplicate(comm, std::move(watch), prepared));
  PCIO_TRY(made->find_machines());
  made->watch_.set_first_wait(made->first_wait());
  return made;
}

/// Collective: over the lobby, two exchanges.
Status Lobby::find_machines() {
  constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  PCIO_ASSIGN(mpi::Comm here, comm_.split_by_machine());
  // What fails on this rank alone goes along: the others wait in the exchange.
  const Result<int> leader = comm_.leader_of(here);
  const std::uint32_t mine = leader ? static_cast<std::uint32_t>(*leader) : kUnknown;
  const std::span<std::uint32_t> all = machine_.leaders();
  PCIO_TRY(comm_.allgather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(all)));
  const auto unknown = std::find(all.begin(), all.end(), kUnknown);
  if (!leader) return leader.error();
  if (unknown != all.end())
    return PCIO_ERROR(INTERNAL, MPI,
                      "rank " + std::to_string(unknown - all.begin()) +
                          " could not find out who shares its memory");
  if (!machine_.settle()) return PCIO_ERROR(INTERNAL, MPI, "nodes without a leader");
  if (machine_.nodes() == 1 || machine_.largest_size() == 1) return here.free();
  node_ = std::move(here);
  return Status();
}

mpi::FirstWait Lobby::first_wait() const {
  const std::uint64_t here =
      machine_.size_of(machine_.node_of(static_cast<std::uint64_t>(comm_.rank())));
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return processors > 0 && here <= static_cast<std::uint64_t>(processors) ? mpi::FirstWait::kSpin
                                                                          : mpi::FirstWait::kYield;
}

Result<mpi::Comm> Lobby::duplicate(const CallName& name, const Status& ready,
                                   std::span<std::int64_t> least) {
  // A rank without memory for them waits with those of its last meeting.
  static_cast<void>(without_throwing([&] {
    watch_.set(own_settings());
    return Status();
  }));
  watch_.enter(++meetings_, name);
  return mpi::Comm::duplicate(comm_.raw(), watch_.for_waits(), ready, least);
}

}  // namespace pcio
