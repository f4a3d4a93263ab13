// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: code that is called later than the program may think.

#pragma once

namespace pcio {

/// The shared library that has the function at `code` stays in memory, also when the program lets it go: the
/// function is called by a closing at the end of the process, or by MPI. Without effect on the program itself.
/// Threads: any.
void keep_loaded(const void* code);

}  // namespace pcio
