// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: this library among those of the process.

#pragma once

namespace pcio {

/// When the library opens first: says on stderr which other library of HDF5's calls the program has that was
/// loaded before, where one of them is a drop-in; notes in the file that PCIO_RUN_LOG names, which pcio-run
/// reads, that the process uses this one.
void announce_library();

}  // namespace pcio
