// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: which process this is.

#pragma once

#include <sys/types.h>

namespace pcio {

/// What getpid() answers, which asks the system each time. Also in a child of fork its own.
pid_t this_process() noexcept;

}  // namespace pcio
