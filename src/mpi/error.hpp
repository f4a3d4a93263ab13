// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: MPI return codes become Status values.

#pragma once

#include <mpi.h>

#include "base/status.hpp"

namespace pcio::mpi {

/// Success, or a frame with the call's name and MPI's text for `code`.
/// Classes that say what went wrong with a file (no space, no such file, ...) get that minor
/// number.
Status check(int code, const char* call);

/// The same for a call that makes system calls, with the errno that they left, 0 for none: MPI's text
/// alone is often "known error not in list".
Status check(int code, const char* call, int system_error);

}  // namespace pcio::mpi
