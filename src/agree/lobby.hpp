// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: where ranks meet that have no file yet.
//
// H5Pset_fapl_mpio duplicates the program's communicator. On the duplicate the ranks that come to
// H5Fcreate or H5Fopen wait for the others before they do anything that only blocks in MPI, and tell
// each other that they wait. Each rank's own environment counts here: nothing is shared yet. Which ranks
// share a machine is found out once, with the lobby.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "agree/hang_watch.hpp"
#include "mpi/comm.hpp"
#include "plan/machine.hpp"

namespace pcio {

/// Threads: one thread at a time.
class Lobby {
 public:
  /// Collective: over `comm`, the program's. `function`: who asks, for the hang watch.
  /// `ready`: this rank's part of what else the call makes. Errors: as mpi::Comm::duplicate.
  static Result<std::shared_ptr<Lobby>> create(MPI_Comm comm, std::string_view function,
                                               const Status& ready = Status());

  Lobby(const Lobby&) = delete;
  Lobby& operator=(const Lobby&) = delete;
  ~Lobby() = default;

  [[nodiscard]] const mpi::Comm& comm() const { return comm_; }
  /// Which ranks share a machine's memory. Equal on all ranks.
  [[nodiscard]] const Machine& machine() const { return machine_; }
  /// The ranks of this machine, where there are several machines and one has several ranks; null elsewhere.
  [[nodiscard]] const mpi::Comm& node() const { return node_; }
  /// A rank keeps its processor where those of its machine may have one each. Local.
  [[nodiscard]] mpi::FirstWait first_wait() const;
  /// A duplicate of its communicator, made when all ranks have come and are `ready`; what they tell each
  /// other by `least` (mpi::Comm). Collective: over the lobby.
  Result<mpi::Comm> duplicate(const CallName& name, const Status& ready = Status(),
                              std::span<std::int64_t> least = {});

 private:
  explicit Lobby(int ranks) : watch_(comm_, ranks, {}) {
    machine_.reserve(static_cast<std::uint64_t>(ranks));
  }
  Status find_machines();

  mpi::Comm comm_;
  mpi::Comm node_;
  Machine machine_;
  HangWatch watch_;
  std::uint64_t meetings_ = 0;
};

}  // namespace pcio
