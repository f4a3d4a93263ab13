// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcio-run --check: what a program needs of libhdf5 and would not find. Room: tools.

#ifndef PCIO_TOOLS_RUN_CHECK_HPP
#define PCIO_TOOLS_RUN_CHECK_HPP

#include <string>
#include <vector>

namespace pcio_run {

/// Looks at each word of the command that is an ELF program or library, and runs none. 0: nothing is missing;
/// 1: something is, or libraries are taken from elsewhere; 3: no program with HDF5 is among them.
int check_command(const std::vector<std::string>& command, const std::string& folder);

}  // namespace pcio_run

#endif
