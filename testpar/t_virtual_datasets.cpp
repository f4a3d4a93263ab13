// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Virtual datasets in parallel files: each rank reads the sources by itself, failures are everybody's.
// Room: testpar, public headers only.

#include <cstdio>
#include <string>
#include <vector>

#include "support.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>

using par::Id;

namespace {

constexpr hsize_t kRow = 6;
using Ints = std::vector<int>;

hsize_t me() { return static_cast<hsize_t>(par::rank()); }

void write_ints(hid_t file, const char* name, int first) {
  const hsize_t n = kRow;
  const Id space(H5Screate_simple(1, &n, nullptr));
  const Id dataset(
      H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  Ints values(kRow);
  for (hsize_t i = 0; i < kRow; ++i) values[i] = first + static_cast<int>(i);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
}

/// A serial file of rank 0's.
void make_source(const std::string& path) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    write_ints(file, "d", 100);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

/// Three rows: of a source file, of this file, of one that is not there.
Id create(hid_t file, const std::string& source, const std::string& missing) {
  const hsize_t dims[2] = {3, kRow}, n = kRow, start[2] = {0, 0}, count[2] = {1, kRow};
  const Id space(H5Screate_simple(2, dims, nullptr)), row(H5Screate_simple(1, &n, nullptr)),
      list(H5Pcreate(H5P_DATASET_CREATE));
  const int fill = -3;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  const char* files[3] = {source.c_str(), ".", missing.c_str()};
  for (hsize_t i = 0; i < 3; ++i) {
    const hsize_t at[2] = {i, start[1]};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, at, nullptr, count, nullptr);
    CHECK(H5Pset_virtual(list, space, files[i], i == 1 ? "own" : "d", row) >= 0);
  }
  H5Sselect_all(space);
  Id dataset(H5Dcreate2(file, "v", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  return dataset;
}

Ints read_all(hid_t dataset, H5FD_mpio_xfer_t mode) {
  const Id list(par::transfer_list(mode));
  Ints values(3 * kRow, 7);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
  return values;
}

bool as_it_should(const Ints& values) {
  bool good = true;
  for (hsize_t i = 0; i < kRow; ++i) {
    good = good && values[i] == 100 + static_cast<int>(i);
    good = good && values[kRow + i] == 500 + static_cast<int>(i);
    good = good && values[2 * kRow + i] == -3;
  }
  return good;
}

}  // namespace

CASE(all_ranks_read_sources_alone) {
  const std::string source = par::file_name("source");
  make_source(source);
  {
    const Id access(par::mpio_access());
    const Id file(H5Fcreate(par::file_name("v").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    write_ints(file, "own", 500);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const Id dataset = create(file, source, "/nowhere/at/all.h5");
    CHECK(as_it_should(read_all(dataset, H5FD_MPIO_COLLECTIVE)));
    CHECK(as_it_should(read_all(dataset, H5FD_MPIO_INDEPENDENT)));
  }
  const Id access(par::mpio_access());
  const Id file(H5Fopen(par::file_name("v").c_str(), H5F_ACC_RDWR, access));
  const Id dataset(H5Dopen2(file, "v", H5P_DEFAULT));
  CHECK(as_it_should(read_all(dataset, H5FD_MPIO_COLLECTIVE)));
  // One rank has nothing to read.
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Dget_space(dataset));
  if (me() == 1) H5Sselect_none(space);
  Ints values(3 * kRow, 7);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, space, space, list, values.data()) >= 0);
  CHECK(me() == 1 ? values == Ints(3 * kRow, 7) : as_it_should(values));
}

CASE(a_source_that_one_rank_cannot_read_fails_the_read_on_all) {
  const std::string source = par::file_name("source");
  if (par::rank() == 0) {
    std::FILE* broken = std::fopen(source.c_str(), "w");
    std::fputs("this is no HDF5 file", broken);
    std::fclose(broken);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Id access(par::mpio_access());
  const Id file(H5Fcreate(par::file_name("v").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  write_ints(file, "own", 500);
  const Id dataset = create(file, source, "/nowhere/at/all.h5");
  // Rank 0 alone wants the row of the broken source.
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE)), space(H5Dget_space(dataset));
  const hsize_t start[2] = {me() == 0 ? 0U : 1U, 0}, count[2] = {1, kRow}, n = kRow;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const Id row(H5Screate_simple(1, &n, nullptr));
  Ints values(kRow);
  {
    const par::Silence silence;
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, row, space, list, values.data()) < 0);
    par::error_text();
    // What all would have to do together can't be done by each alone.
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, row, space, list, values.data()) < 0);
    CHECK(par::error_text().find("virtual datasets of parallel files") != std::string::npos);
  }
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
}

#else
CASE(nothing_to_compare) { CHECK(true); }
#endif
