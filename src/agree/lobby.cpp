// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: Lobby out of line.

#include "agree/lobby.hpp"

#include "agree/shared_environment.hpp"

namespace pcio {

namespace {

HangWatch::Settings own_settings() {
  const SharedEnvironment mine = read_environment();
  return {mine.hang_seconds, mine.hang_abort};
}

}  // namespace

Result<std::shared_ptr<Lobby>> Lobby::create(MPI_Comm comm, std::string_view function) {
  PCIO_ASSIGN(mpi::Comm copy, mpi::Comm::duplicate(
                                  comm, watch_without_messages(comm, function, own_settings())));
  return std::shared_ptr<Lobby>(new Lobby(std::move(copy)));
}

Result<mpi::Comm> Lobby::duplicate(const CallName& name) {
  watch_.set(own_settings());
  watch_.enter(++meetings_, name);
  return mpi::Comm::duplicate(comm_.raw(), watch_.for_waits());
}

}  // namespace pcio
