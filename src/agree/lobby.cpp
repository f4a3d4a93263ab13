// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: Lobby out of line.

#include "agree/lobby.hpp"

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
  PCIO_ASSIGN(made->machine_, made->comm_.find_machine());
  return made;
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
