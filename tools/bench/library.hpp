// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// HDF5's calls as one of two libraries has them. Room: tools, public headers only.

#ifndef PCIO_TOOLS_BENCH_LIBRARY_HPP
#define PCIO_TOOLS_BENCH_LIBRARY_HPP

#include <hdf5.h>
#include <optional>
#include <string>

namespace bench {

// What the workloads call, and no more: each must be in every libhdf5 from 1.10 on.
// NOLINTBEGIN(cppcoreguidelines-macro-usage): names are what the library is asked for
// clang-format off
#define PCIO_BENCH_CALLS(X)                                                                     \
  X(H5open) X(H5get_libversion) X(H5Eset_auto2) X(H5Pcreate) X(H5Pclose) X(H5Pset_fapl_mpio)    \
  X(H5Pset_dxpl_mpio) X(H5Pset_chunk) X(H5Pset_deflate) X(H5Pset_shuffle) X(H5Fcreate)          \
  X(H5Fopen) X(H5Fflush) X(H5Fclose) X(H5Screate_simple) X(H5Sselect_hyperslab) X(H5Sclose)     \
  X(H5Dcreate2) X(H5Dopen2) X(H5Dget_space) X(H5Dset_extent) X(H5Dwrite) X(H5Dread) X(H5Dclose) \
  X(H5Acreate2) X(H5Aopen) X(H5Awrite) X(H5Aread) X(H5Aclose)
// clang-format on
// NOLINTEND(cppcoreguidelines-macro-usage)

/// A library's calls and those of its ids that are variables. It stays loaded. Threads: one.
struct Library {
  std::string name;     ///< "libpcio", "libhdf5"
  std::string version;  ///< "1.10.8"
  std::string file;     ///< where it was found; empty: this program is linked with it
#define PCIO_BENCH_CALL(call) decltype(&::call) call = nullptr;
  PCIO_BENCH_CALLS(PCIO_BENCH_CALL)
#undef PCIO_BENCH_CALL
  hid_t native_float = -1, native_double = -1, native_llong = -1;
  hid_t file_access = -1, dataset_create = -1, dataset_xfer = -1;
};

/// The library that this program is linked with.
Library own_library();

/// A libhdf5 that takes this program's MPI: `file`, or the first that is found by the names that it has on machines,
/// in HDF5_ROOT, HDF5_DIR and HDF5_HOME first. Else nothing, and `why` in words.
std::optional<Library> find_hdf5(const std::string& file, std::string* why);

}  // namespace bench

#endif
