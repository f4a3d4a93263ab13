// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// How all ranks of a parallel file change a dataset together, in calls that have no transfer list of their own.
#pragma once

#include <hdf5.h>

#include "support.hpp"

namespace pcio::hl {

/// A transfer list: collective where the dataset's file is a parallel one. All ranks end what they read with it before
/// any of them writes with it, and parts of chunks with filters can be written. Invalid where there is no memory.
inline OwnedId list_of_all_ranks(hid_t dataset) {
  OwnedId list(H5Pcreate(H5P_DATASET_XFER));
  const OwnedId file(H5Iget_file_id(dataset));
  const OwnedId access(file ? H5Fget_access_plist(file.get()) : H5I_INVALID_HID);
  const bool parallel = access && H5Pget_driver(access.get()) == H5FD_MPIO;
  if (!access || (parallel && H5Pset_dxpl_mpio(list.get(), H5FD_MPIO_COLLECTIVE) < 0))
    return OwnedId(H5I_INVALID_HID);
  return list;
}

}  // namespace pcio::hl
