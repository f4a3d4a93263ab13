// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: the exported data symbols (H5T_*_g, H5P_*_ID_g, H5E_*_g).
//
// They are plain variables of 8 bytes: executables take copy relocations on them.

#pragma once

#include "base/status.hpp"
#include "lib/public_api.hpp"

namespace pcio {

/// Registers the predefined objects and writes their ids into the globals. Pure of MPI.
Status fill_globals();
/// Sets every global to H5I_INVALID_HID, for H5close.
void clear_globals();

}  // namespace pcio
