// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Chunks that a rank can't encode, in single cases: several batches, the order of calls that left versions out, virtual
// datasets. Room: testpar, public headers only.

#include <cstdio>
#include <fstream>
#include <hdf5.h>
#include <pcio.h>
#include <string>
#include <vector>

#include <mpi.h>

#include "support.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

constexpr H5Z_filter_t kFilter = 301;
/// Chunks whose first value this divides fail here; 0: none do.
int bad_here = 0;

size_t refuse_some(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0 || bad_here == 0) return bytes;
  return *static_cast<const int*>(*buffer) % bad_here == 0 ? 0 : bytes;
}

void register_filter() {
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, kFilter, 1,       1,
                               "refuses some",   nullptr, nullptr, refuse_some};
  CHECK(H5Zregister(&filter) >= 0);
}

Id make_dataset(hid_t file, const char* name, hsize_t size, hsize_t chunk) {
  const Id space(H5Screate_simple(1, &size, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_filter(list, kFilter, 0, 0, nullptr);
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

/// Elements `first` and so on, by this rank alone.
herr_t write_alone(hid_t data, hsize_t first, const std::vector<int>& values) {
  const hsize_t count = values.size();
  const Id space(H5Dget_space(data)), memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, nullptr, &count, nullptr);
  return H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data());
}

/// What a program reads that opens the file as it is now.
std::vector<int> read_file(const std::string& name, const char* path, std::size_t size) {
  const std::string copy = name + ".copy";
  std::ofstream(copy, std::ios::binary) << std::ifstream(name, std::ios::binary).rdbuf();
  std::vector<int> found(size, -1);
  {
    const Id file(H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)),
        data(H5Dopen2(file, path, H5P_DEFAULT));
    CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()) >= 0);
  }
  std::remove(copy.c_str());
  return found;
}

bool names_a_chunk() {
  return par::error_text().find("the chunk that begins at") != std::string::npos;
}

/// Chunks of 1 MiB, of which a batch holds 16. All ranks write all of them, and each has bad ones in each batch.
CASE(chunks_of_several_batches_that_cannot_be_encoded) {
  register_filter();
  constexpr hsize_t kChunks = 20, kElements = hsize_t{1} << 18;
  const std::string name = par::file_name("batches");
  const Id file = par::create_file(name);
  const Id data = make_dataset(file, "d", kChunks * kElements, kElements);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const auto value_of = [](hsize_t chunk, int rank) {
    return 100 * static_cast<int>(chunk + 1) + rank;
  };
  std::vector<int> mine, wanted, healed;
  bad_here = 3;
  for (hsize_t c = 0; c < kChunks; ++c) {
    // Of those that are good here the highest rank's wins, and of all of them later.
    int best = 0;
    for (int rank = 0; rank < par::size(); ++rank)
      if (value_of(c, rank) % bad_here != 0) best = value_of(c, rank);
    mine.insert(mine.end(), kElements, value_of(c, par::rank()));
    wanted.insert(wanted.end(), kElements, best);
    healed.insert(healed.end(), kElements, value_of(c, par::size() - 1));
  }
  CHECK(wanted != healed);
  CHECK(write_alone(data, 0, mine) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  {
    const par::Silence silence;
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
    CHECK(names_a_chunk());
  }
  if (par::rank() == 0) CHECK(read_file(name, "d", wanted.size()) == wanted);
  MPI_Barrier(MPI_COMM_WORLD);
  bad_here = 0;
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == 0) CHECK(read_file(name, "d", healed.size()) == healed);
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Two versions of a chunk that two calls left out: the one of the later call is the newer one, whatever its rank.
CASE(versions_left_out_by_different_calls) {
  register_filter();
  const std::string name = par::file_name("calls");
  const Id file = par::create_file(name);
  const Id data = make_dataset(file, "d", 4, 4);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const int last = par::size() - 1;
  bad_here = 1;
  const par::Silence silence;
  for (int call = 1; call <= 2; ++call) {
    if (par::rank() == (call == 1 ? last : 0)) CHECK(write_alone(data, 0, {call, 0, 0, 0}) >= 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0);
    CHECK(names_a_chunk());
  }
  bad_here = 0;
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == 0) CHECK((read_file(name, "d", 4) == std::vector<int>{2, 0, 0, 0}));
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == 0) CHECK((read_file(name, "d", 4) == std::vector<int>{2, 0, 0, 0}));
  MPI_Barrier(MPI_COMM_WORLD);
}

/// A lower rank's version that can't be encoded is nothing that waits where a higher rank's is in the file.
CASE(versions_that_nobody_misses) {
  register_filter();
  const Id file = par::create_file(par::file_name("missed"));
  const Id data = make_dataset(file, "d", 4, 4);
  bad_here = par::rank() == 0 && par::size() > 1 ? 1 : 0;
  CHECK(write_alone(data, 0, {1 + par::rank(), 0, 0, 0}) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  bad_here = 0;
}

/// Writes to the source go by a collective transfer of its file, where chunks wait.
CASE(virtual_datasets_over_one_that_cannot_be_encoded) {
  register_filter();
  const std::string sources = par::file_name("sources"), views = par::file_name("views");
  constexpr hsize_t kAll = 8;
  const Id source = par::create_file(sources);
  const Id bad = make_dataset(source, "bad", kAll, 4), good = make_dataset(source, "good", kAll, 4);
  CHECK(H5Fflush(source, H5F_SCOPE_GLOBAL) >= 0);
  const Id view = par::create_file(views);
  std::vector<Id> virtual_ones;
  for (const char* name : {"bad", "good"}) {
    const Id space(H5Screate_simple(1, &kAll, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
    CHECK(H5Pset_virtual(list, space, sources.c_str(), name, space) >= 0);
    virtual_ones.emplace_back(
        H5Dcreate2(view, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
    CHECK(virtual_ones.back().valid());
  }
  bad_here = 7;
  if (par::rank() == 0) CHECK(write_alone(bad, 0, {7, 7, 7, 7}) >= 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const Id collective(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  // All of it by the last rank.
  const bool writes = par::rank() == par::size() - 1;
  const Id memory(H5Screate_simple(1, &kAll, nullptr)), space(H5Screate_simple(1, &kAll, nullptr));
  if (!writes) {
    H5Sselect_none(memory);
    H5Sselect_none(space);
  }
  const std::vector<int> values{1, 2, 3, 4, 5, 6, 8, 9};
  const auto write = [&](std::size_t which) {
    return H5Dwrite(virtual_ones[which], H5T_NATIVE_INT, memory, space, collective, values.data());
  };
  CHECK(write(1) >= 0);
  {
    const par::Silence silence;
    CHECK(write(0) < 0);
    CHECK(names_a_chunk());
  }
  bad_here = 0;
  CHECK(write(0) >= 0);
  CHECK(H5Fflush(source, H5F_SCOPE_GLOBAL) >= 0);
  if (par::rank() == 0) {
    CHECK(read_file(sources, "good", kAll) == values);
    CHECK(read_file(sources, "bad", kAll) == values);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

#endif
