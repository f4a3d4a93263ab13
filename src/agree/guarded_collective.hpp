// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room agree: one collective of a file's ranks under the hang watch; for the coordinator's own files.

#pragma once

#include <utility>

#include "agree/coordinator.hpp"
#include "base/time_split.hpp"
#include "mpi/environment.hpp"
#include "mpi/this_process.hpp"

namespace pcio {

template <class F>
Status Coordinator::guarded(const char* what, F&& call, Among among) {
  // A child of fork has no connections.
  if (process_ != 0 && process_ != this_process()) return health();
  PCIO_TRY(check_not_within({what, {}}));
  PCIO_TRY(mpi::check_not_finalized());
  const Spends waits(Spent::kAgreement);
  enter_collective(what, among);
  return leave_collective(what, call());
}

}  // namespace pcio
