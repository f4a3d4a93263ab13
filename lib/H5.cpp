// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: module H5: opening, closing, versions, memory.

#include <cstdio>
#include <cstdlib>

#include "lib/api_entry.hpp"
#include "lib/library.hpp"

using namespace pcio;

// H5open is called by a macro before each use of a predefined id: when open it is one atomic load.
herr_t H5open(void) {
  if (detail::library_open.load(std::memory_order_acquire)) return 0;
  return api_entry_keep("H5open", herr_t{-1}, []() -> Status { return Status(); });
}

herr_t H5close(void) {
  // The call around it goes on with its files and ids.
  if (is_within_call())
    return api_status("H5close", []() -> Status {
      return PCIO_ERROR(FUNC, CANTRELEASE,
                        "a function of the program that a call runs can't close the library");
    });
  try {
    close_library();
  } catch (...) {
    return -1;
  }
  return 0;
}

herr_t H5dont_atexit(void) {
  keep_library_open_at_exit();
  return 0;
}

// There are no free lists: the allocator of the process does that. The calls exist for programs
// that tune HDF5, and succeed.
herr_t H5garbage_collect(void) {
  return api_status("H5garbage_collect", []() -> Status { return Status(); });
}

herr_t H5set_free_list_limits(int, int, int, int, int, int) {
  return api_status("H5set_free_list_limits", []() -> Status { return Status(); });
}

herr_t H5get_libversion(unsigned* majnum, unsigned* minnum, unsigned* relnum) {
  return api_status("H5get_libversion", [&]() -> Status {
    if (majnum != nullptr) *majnum = H5_VERS_MAJOR;
    if (minnum != nullptr) *minnum = H5_VERS_MINOR;
    if (relnum != nullptr) *relnum = H5_VERS_RELEASE;
    return Status();
  });
}

namespace {

/// Value of HDF5_DISABLE_VERSION_CHECK: 0 abort, 1 warn, 2 and more say nothing.
long version_check_level() {
  const char* text = std::getenv("HDF5_DISABLE_VERSION_CHECK");
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

void complain_of_version(unsigned majnum, unsigned minnum, unsigned relnum) {
  std::fprintf(
      stderr,
      "libpcio: the program was compiled with headers of HDF5 %u.%u.%u, but libpcio has the "
      "interface of HDF5 %d.%d.%d.\n"
      "Compile the program with libpcio's own headers. Setting the environment variable\n"
      "HDF5_DISABLE_VERSION_CHECK to 1 lets it go on at your own risk, 2 also drops this "
      "message.\n",
      majnum, minnum, relnum, H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}

// Programs compiled with another release of 1.10 run, as with libhdf5: Debian's netCDF was compiled with 1.10.7.
// The four that libhdf5 refuses are refused here too.
bool interface_is_ours(unsigned majnum, unsigned minnum, unsigned relnum) {
  if (majnum != H5_VERS_MAJOR || minnum != H5_VERS_MINOR) return false;
  return relnum == 3 || relnum > 4;
}

}  // namespace

herr_t H5check_version(unsigned majnum, unsigned minnum, unsigned relnum) {
  if (interface_is_ours(majnum, minnum, relnum)) return 0;
  long level = version_check_level();
  if (level <= 1) complain_of_version(majnum, minnum, relnum);
  if (level <= 0) std::abort();
  return 0;
}

herr_t H5is_library_threadsafe(hbool_t* is_ts) {
  return api_status("H5is_library_threadsafe", [&]() -> Status {
    if (is_ts != nullptr) *is_ts = true;
    return Status();
  });
}

herr_t H5free_memory(void* mem) {
  std::free(mem);
  return 0;
}

void* H5allocate_memory(size_t size, hbool_t clear) {
  if (size == 0) return nullptr;
  return clear ? std::calloc(1, size) : std::malloc(size);
}

void* H5resize_memory(void* mem, size_t size) {
  if (size == 0) {
    std::free(mem);
    return nullptr;
  }
  return std::realloc(mem, size);
}

// Nothing is counted.
herr_t H5get_alloc_stats(H5_alloc_stats_t* stats) {
  return api_status("H5get_alloc_stats", [&]() -> Status {
    if (stats != nullptr) *stats = {};
    return Status();
  });
}

// There are no free lists.
herr_t H5get_free_list_sizes(size_t* reg_size, size_t* arr_size, size_t* blk_size,
                             size_t* fac_size) {
  return api_status("H5get_free_list_sizes", [&]() -> Status {
    for (size_t* size : {reg_size, arr_size, blk_size, fac_size})
      if (size != nullptr) *size = 0;
    return Status();
  });
}
