// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: what the operating system's error numbers mean to us, and how they are told.

#pragma once

#include <string>

namespace pcio {

/// "errno = 2, error message = 'No such file or directory'". The words are libhdf5's: programs look for
/// the number in them (h5py makes exceptions of it). Collective: pure.
std::string system_text(int error);

/// There is no room: on the disk, in the quota, or under the limit on file sizes. Collective: pure.
bool is_out_of_space(int error);

/// Bytes did not get to the file, or from it. Not in it: numbers that calls leave behind that succeed
/// all the same. Collective: pure.
bool is_data_loss(int error);

}  // namespace pcio
