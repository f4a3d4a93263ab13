// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datasets without elements, with more than can be counted, and selections without end, together;
// and files that every rank opens alone.
// Room: testpar, public headers only.

#include <string>
#include <vector>

#include <mpi.h>

#include "support.hpp"

using par::Id;

namespace {

Id chunk_list(const std::vector<hsize_t>& chunk) {
  Id list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()) >= 0);
  return list;
}

Id create(hid_t file, const char* name, hid_t space, hid_t list) {
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

}  // namespace

/// A chunked dataset of a dimension of size 0 that can't grow is written and read by all.
CASE(without_elements) {
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
    const std::string name = par::file_name(low == H5F_LIBVER_EARLIEST ? "zero" : "zero110");
    const Id access(par::mpio_access(MPI_COMM_WORLD, low));
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    const hsize_t dims[2] = {0, 5};
    int value = 0;
    for (const bool filtered : {false, true}) {
      const Id space(H5Screate_simple(2, dims, nullptr));
      const Id list = chunk_list({1, 5});
      if (filtered) CHECK(H5Pset_deflate(list, 1) >= 0);
      const Id data = create(file, filtered ? "deflate" : "plain", space, list);
      CHECK(data.valid());
      for (const H5FD_mpio_xfer_t mode : {H5FD_MPIO_INDEPENDENT, H5FD_MPIO_COLLECTIVE}) {
        const Id how(par::transfer_list(mode));
        CHECK(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, how, &value) >= 0);
        CHECK(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, how, &value) >= 0);
      }
    }
    CHECK(file.close() >= 0);
    Id again(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    const Id data(H5Dopen2(again, "plain", H5P_DEFAULT));
    CHECK(data.valid());
    CHECK(H5Dget_storage_size(data) == 0);
  }
}

/// Chunks that can't be numbered can't be allocated either, and that is what a parallel file does.
CASE(uncountable_elements_are_refused) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name("huge").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t dims[3] = {1804289383, 846930886, 1681692777};
  const Id space(H5Screate_simple(3, dims, nullptr));
  CHECK(space.valid());
  const Id list = chunk_list({1, 16, 16});
  H5E_BEGIN_TRY { CHECK(!create(file, "huge", space, list).valid()); }
  H5E_END_TRY
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  CHECK(file.close() >= 0);
}

/// One rank's selection has no end: an error on all ranks, and the next write is good.
CASE(selection_without_end_on_one_rank) {
  const Id access(par::mpio_access());
  Id file(H5Fcreate(par::file_name("endless").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const hsize_t ten = 10, zero = 0, endless = H5S_UNLIMITED;
  const Id space(H5Screate_simple(1, &ten, nullptr));
  Id data = create(file, "d", space, H5P_DEFAULT);
  const std::vector<int> values(10, 7);
  const Id how(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  if (par::rank() == par::size() - 1)
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, nullptr, &endless, nullptr) >= 0);
  H5E_BEGIN_TRY { CHECK(H5Dwrite(data, H5T_NATIVE_INT, space, space, how, values.data()) < 0); }
  H5E_END_TRY
  CHECK(H5Sselect_all(space) >= 0);
  CHECK(H5Dwrite(data, H5T_NATIVE_INT, space, space, how, values.data()) >= 0);
  CHECK(data.close() >= 0);
  CHECK(file.close() >= 0);
}

/// Without a communicator every rank opens for itself; who can't is told what is missing.
CASE(opened_alone) {
  if (par::size() == 1) return;
  const std::string name = par::file_name("alone");
  MPI_Barrier(MPI_COMM_WORLD);
  hid_t file = -1;
  H5E_BEGIN_TRY { file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }
  H5E_END_TRY
  const std::string text = file < 0 ? par::error_text() : "";
  CHECK(par::any(file < 0));
  CHECK(file >= 0 || text.find("H5Pset_fapl_mpio") != std::string::npos);
  if (file >= 0) CHECK(H5Fclose(file) >= 0);
}

/// Ranks that gave a call other arguments read both, and so see which one differs.
CASE(differing_arguments_are_shown) {
  if (par::size() == 1) return;
  const Id access(par::mpio_access());
  const bool odd = par::rank() == par::size() - 1;
  const std::string name = par::file_name("differing");
  for (const char* what : {"dimensions", "type", "chunks", "extent"}) {
    const std::string word = what;
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const hsize_t dims[2] = {odd && word == "dimensions" ? hsize_t{30} : hsize_t{20}, 10};
    const hsize_t max[2] = {H5S_UNLIMITED, 10};
    const Id space(H5Screate_simple(2, dims, max));
    const Id list = chunk_list({odd && word == "chunks" ? hsize_t{5} : hsize_t{4}, 10});
    Id data(H5Dcreate2(file, "d", odd && word == "type" ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, space,
                       H5P_DEFAULT, list, H5P_DEFAULT));
    if (word == "extent") {
      const hsize_t larger[2] = {odd ? hsize_t{70} : hsize_t{60}, 10};
      CHECK(H5Dset_extent(data, larger) >= 0);
    }
    std::string text;
    H5E_BEGIN_TRY { CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) < 0); }
    H5E_END_TRY
    text = par::error_text();
    const auto shows = [&](const char* part) { return text.find(part) != std::string::npos; };
    if (word == "dimensions") CHECK(shows("(20, 10)") && shows("(30, 10)"));
    if (word == "type") CHECK(shows("4-byte integers") && shows("8-byte floats"));
    if (word == "chunks") CHECK(shows("chunks (4, 10)") && shows("chunks (5, 10)"));
    if (word == "extent") CHECK(shows("to (60, 10)") && shows("to (70, 10)"));
    H5E_BEGIN_TRY {
      static_cast<void>(data.close());
      static_cast<void>(file.close());
    }
    H5E_END_TRY
  }
}
