// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Where the drop-in libraries are, and the environment in which programs find them. Room: tools.

#ifndef PCIO_TOOLS_RUN_DROPIN_HPP
#define PCIO_TOOLS_RUN_DROPIN_HPP

#include <string>
#include <vector>

namespace pcio_run {

inline constexpr const char* kLibraries[] = {"libhdf5_openmpi.so.103", "libhdf5_serial.so.103"};

/// The folder of the drop-in libraries, found from this program's own place; empty: there is none.
std::string dropin_folder();

/// LD_LIBRARY_PATH with that folder first.
std::string library_path(const std::string& folder);

/// Sets the variables and sees to it that they reach the ranks of an Open MPI launcher, also on other machines.
/// May change the command.
void set_environment(const std::string& folder, const std::string& report, const std::string& log,
                     std::vector<std::string>& command);

}  // namespace pcio_run

#endif
