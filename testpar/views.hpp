// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Parallel tests: whether the library may move bytes through views of MPI-IO.

#pragma once

#include <hdf5.h>

#include <cstdlib>
#include <cstring>

/// False where forcing the view transport is an error: HDF5_MPI_OPT_TYPES=0, or configure where that variable is not 1,
/// takes MPI's derived types for not working. tools/run-tests repeats the tests with the former.
inline bool views_are_possible() {
  const char* const types = std::getenv("HDF5_MPI_OPT_TYPES");
#if defined(H5_MPI_COMPLEX_DERIVED_DATATYPE_WORKS) && defined(H5_MPI_SPECIAL_COLLECTIVE_IO_WORKS)
  return types == nullptr || std::strcmp(types, "0") != 0;
#else
  return types != nullptr && std::strcmp(types, "1") == 0;
#endif
}
