// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: is MPI there, and the hook that runs first in MPI_Finalize.

#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <mpi.h>

#include "base/library_lock.hpp"
#include "base/status.hpp"

namespace pcio::mpi {

/// True between MPI_Init and MPI_Finalize: handles may be used and freed. True inside the hook. False
/// in a process that was forked by one for which it was true.
bool is_active();
/// This call may use MPI until its end, which is between its init and its finalize: below
/// MPI_THREAD_MULTIPLE one thread after the other. Errors: see take_file_lock. Source: MPI 3.1, 12.4.3.
Status take_turn(WhenTaken what);
/// Success where MPI can be used, and this thread's turn; else an error that says what is in the way.
Status require_active();
/// Success but where MPI_Finalize was called, by a function of the program in the midst of a call, which goes on and must not call
/// MPI any more: that would end the program. Costs next to nothing before that. Independent.
Status check_not_finalized();
/// MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE as granted; MPI_THREAD_SINGLE where MPI is not active.
int thread_level();
/// What MPI_Get_library_version says has this name in it.
bool is_library(std::string_view name);

/// Runs `callback` at the start of MPI_Finalize, while MPI still works; callbacks registered later
/// run earlier. Before MPI_Init it waits for the first registration after MPI_Init. Returns a
/// number for `forget_at_finalize`. Source: MPI 3.1, 8.7.1 Allowing User Functions at Process
/// Termination.
std::uint64_t at_finalize(std::function<void()> callback);
void forget_at_finalize(std::uint64_t number);

}  // namespace pcio::mpi
