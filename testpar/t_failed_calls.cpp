// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// A call that fails on one rank, and functions of the program that change what a call works on: what others wrote is
// read, what waited waits on, and the file closes well. Room: testpar, public headers only.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <hdf5.h>
#include <pcio.h>
#include <string>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

constexpr hsize_t kElements = 64, kChunk = 16;

H5T_conv_ret_t give_up(H5T_conv_except_t /*what*/, hid_t /*from*/, hid_t /*to*/, void* /*source*/,
                       void* /*target*/, void* /*data*/) {
  return H5T_CONV_ABORT;
}
/// A conversion that meets a number too large for its type ends the transfer.
Id aborting_list() {
  Id list(H5Pcreate(H5P_DATASET_XFER));
  H5Pset_type_conv_cb(list, give_up, nullptr);
  return list;
}

/// A dataset in chunks with a filter.
Id make_data(hid_t file, hsize_t elements = kElements) {
  const hsize_t most = H5S_UNLIMITED, chunk = kChunk;
  const Id space(H5Screate_simple(1, &elements, &most)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_deflate(list, 1);
  return Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

/// Elements [0, n) of the dataset; none where n is 0.
Id first_of(hid_t data, hsize_t n) {
  Id space(H5Dget_space(data));
  const hsize_t start = 0;
  if (n > 0)
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &n, nullptr);
  else
    H5Sselect_none(space);
  return space;
}
Id memory_of(hsize_t n) {
  const hsize_t size = std::max<hsize_t>(n, 1);
  Id space(H5Screate_simple(1, &size, nullptr));
  if (n == 0) H5Sselect_none(space);
  return space;
}

/// Rank 0 writes all; all take part.
bool write_all(hid_t data, hsize_t elements, int value) {
  const hsize_t n = par::rank() == 0 ? elements : 0;
  const std::vector<int> values(elements, value);
  return H5Dwrite(data, H5T_NATIVE_INT, memory_of(n), first_of(data, n),
                  Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)), values.data()) >= 0;
}
std::vector<int> read_by_itself(hid_t data, hsize_t elements) {
  std::vector<int> values(elements, -1);
  CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
  return values;
}

/// The last rank reads numbers that its type can't hold.
void fail_to_read(hid_t data) {
  if (par::rank() != par::size() - 1) return;
  const par::Silence quiet;
  std::vector<signed char> bytes(kChunk);
  CHECK(H5Dread(data, H5T_NATIVE_SCHAR, memory_of(kChunk), first_of(data, kChunk), aborting_list(),
                bytes.data()) < 0);
}

/// What a failed read has decoded is not what later reads find.
CASE(a_failed_read_leaves_no_old_chunk) {
  const Id file(par::create_file(par::file_name("stale")));
  const Id data(make_data(file));
  CHECK(write_all(data, kElements, 1000));
  fail_to_read(data);
  CHECK(write_all(data, kElements, 2000));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(read_by_itself(data, kElements) == std::vector<int>(kElements, 2000));
}

/// Nor does its rank write it alone when the extent cuts it.
CASE(a_failed_read_and_a_smaller_extent) {
  Id file(par::create_file(par::file_name("cut")));
  Id data(make_data(file));
  CHECK(write_all(data, kElements, 1000));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  fail_to_read(data);
  const hsize_t less = 10;
  CHECK(H5Dset_extent(data, &less) >= 0);
  CHECK(data.close() >= 0);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(file.close() >= 0);
}

/// A chunk that waits as H5Dwrite_chunk gave it waits on where a write into it fails.
CASE(a_failed_write_leaves_what_waits) {
  Id file(par::create_file(par::file_name("waits")));
  const Id data(make_data(file));
  CHECK(write_all(data, kElements, 1));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == par::size() - 1) {
    // Mask 1: the filter was left out.
    const std::vector<int> sevens(kChunk, 7);
    const hsize_t at = 0;
    CHECK(H5Dwrite_chunk(data, H5P_DEFAULT, 1, &at, kChunk * sizeof(int), sevens.data()) >= 0);
    const par::Silence quiet;
    const std::vector<long long> large(kChunk, 1LL << 40);
    CHECK(H5Dwrite(data, H5T_NATIVE_LLONG, memory_of(kChunk), first_of(data, kChunk),
                   aborting_list(), large.data()) < 0);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const std::vector<int> found = read_by_itself(data, kElements);
  for (hsize_t i = 0; i < kElements; ++i) CHECK(found[i] == (i < kChunk ? 7 : 1));
}

struct Walk {
  hid_t data;
  int calls = 0;
  bool cuts = false;
  herr_t answer = 0;
};
constexpr int kActsAt = 10;

/// At one of its calls it writes the first chunk anew, or cuts the dataset.
int on_chunk(const hsize_t* /*offset*/, unsigned /*mask*/, haddr_t /*address*/, hsize_t /*size*/,
             void* given) {
  Walk& walk = *static_cast<Walk*>(given);
  if (++walk.calls != kActsAt) return 0;
  const par::Silence quiet;
  const hsize_t less = kChunk;
  if (walk.cuts) {
    walk.answer = H5Dset_extent(walk.data, &less);
    return 0;
  }
  std::vector<int> noise(kChunk);
  for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = static_cast<int>(i * 2654435761U);
  const hsize_t n = par::rank() == 0 ? kChunk : 0;
  walk.answer = H5Dwrite(walk.data, H5T_NATIVE_INT, memory_of(n), first_of(walk.data, n),
                         Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)), noise.data());
  return 0;
}

/// Each chunk is told once, whatever the function does to the index.
CASE(chunks_are_told_once_while_they_change) {
  for (const bool cuts : {false, true}) {
    Id file(par::create_file(par::file_name(cuts ? "walk_cut" : "walk")));
    Id data(make_data(file, 64 * kChunk));
    CHECK(write_all(data, 64 * kChunk, 5));
    Walk walk{data, 0, cuts, 0};
    CHECK(H5Dchunk_iter(data, H5P_DEFAULT, on_chunk, &walk) >= 0);
    CHECK(walk.calls == 64);
    CHECK((walk.answer < 0) == cuts);
    CHECK(data.close() >= 0);
    CHECK(file.close() >= 0);
  }
}

/// The name of a file may go while it is open, also for the rank that syncs for another node.
CASE(a_file_that_loses_its_name) {
  const std::string before = std::getenv("PCIO_CHECK") != nullptr ? std::getenv("PCIO_CHECK") : "";
  for (const char* check : {"", "nodes:2"}) {
    setenv("PCIO_CHECK", check, 1);
    const std::string name = par::file_name("nameless");
    Id file(par::create_file(name));
    MPI_Barrier(MPI_COMM_WORLD);
    if (par::rank() == 0) CHECK(std::remove(name.c_str()) == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    Id data(make_data(file));
    CHECK(write_all(data, kElements, 3));
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    CHECK(data.close() >= 0);
    CHECK(file.close() >= 0);
  }
  setenv("PCIO_CHECK", before.c_str(), 1);
}

struct Deed {
  hid_t file, data;
  int calls = 0;
};
/// Deletes and closes the dataset whose elements are converted, and flushes.
H5T_conv_ret_t delete_data(H5T_conv_except_t /*what*/, hid_t /*from*/, hid_t /*to*/,
                           void* /*source*/, void* target, void* given) {
  Deed& deed = *static_cast<Deed*>(given);
  if (deed.calls++ == 0) {
    H5Ldelete(deed.file, "d", H5P_DEFAULT);
    H5Dclose(deed.data);
    H5Fflush(deed.file, H5F_SCOPE_GLOBAL);
  }
  *static_cast<signed char*>(target) = 7;
  return H5T_CONV_HANDLED;
}

/// The space of elements that are being written is not given away under them.
CASE(a_dataset_that_its_own_write_deletes) {
  if (par::rank() == 0) {
    const std::string name = par::file_name("deleted");
    {
      const Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
      const hsize_t n = 4000;
      const Id space(H5Screate_simple(1, &n, nullptr)), list(H5Pcreate(H5P_DATASET_XFER));
      Deed deed{file,
                H5Dcreate2(file, "d", H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)};
      H5Pset_type_conv_cb(list, delete_data, &deed);
      const std::vector<int> large(n, 1000);
      CHECK(H5Dwrite(deed.data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, large.data()) >= 0);
      CHECK(deed.calls > 0);
    }
    const Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(file.valid());
    CHECK(H5Lexists(file, "d", H5P_DEFAULT) == 0);
    H5G_info_t info{};
    CHECK(H5Gget_info(file, &info) >= 0);
    CHECK(info.nlinks == 0);
  } else {
    static_cast<void>(par::file_name("deleted"));
  }
}

}  // namespace

#endif  // PCIO_VERSION
