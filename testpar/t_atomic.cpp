// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Atomic mode: a transfer of one rank is seen by the others as a whole or not at all, contiguous and
// chunked, independent and collective, however many calls it takes.
// Room: testpar, public headers only.

#include <cstdint>
#include <pcio.h>
#include <vector>

#include "support.hpp"

using par::Id;

namespace {

constexpr hsize_t kRows = 16;
constexpr hsize_t kColumns = 128;

/// Every second element of each row, from column `first` on.
Id strided(hsize_t first = 0) {
  const hsize_t dims[2] = {kRows, kColumns}, start[2] = {0, first}, stride[2] = {1, 2},
                count[2] = {kRows, (kColumns - first) / 2};
  Id space(H5Screate_simple(2, dims, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, nullptr);
  return space;
}

Id memory_of(hid_t space) {
  const auto count = static_cast<hsize_t>(H5Sget_select_npoints(space));
  return Id(H5Screate_simple(1, &count, nullptr));
}

/// A dataset of kRows x kColumns; `chunk` columns a chunk, 0: contiguous.
Id make_set(hid_t file, const char* name, hsize_t chunk) {
  const hsize_t dims[2] = {kRows, kColumns}, chunks[2] = {4, chunk};
  const Id space(H5Screate_simple(2, dims, nullptr));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  if (chunk > 0) H5Pset_chunk(list, 2, chunks);
  return Id(H5Dcreate2(file, name, H5T_NATIVE_INT32, space, H5P_DEFAULT, list, H5P_DEFAULT));
}

bool all_equal(const std::vector<std::int32_t>& values) {
  for (const std::int32_t value : values)
    if (value != values.front()) return false;
  return true;
}

constexpr hsize_t kChunkColumns[] = {0, 8, kColumns};

}  // namespace

CASE(readers_see_all_of_a_write_or_nothing) {
  const Id file(par::create_file(par::file_name("seen")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  for (const hsize_t chunk : kChunkColumns) {
    const Id set(make_set(file, chunk == 0 ? "c" : chunk == 8 ? "many" : "rows", chunk));
    CHECK(set.valid());
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
    const Id space(strided());
    const Id memory(memory_of(space));
    std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_select_npoints(space)));
    int torn = 0;
    for (std::int32_t round = 1; round <= 20; ++round) {
      // Odd ranks read what even ranks write.
      if (par::rank() % 2 == 0) {
        for (auto& value : values) value = 1000 * round + par::rank();
        CHECK(H5Dwrite(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
      } else {
        CHECK(H5Dread(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
        if (!all_equal(values)) ++torn;
      }
    }
    CHECK(torn == 0);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(H5Dread(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
    CHECK(all_equal(values));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

CASE(collective_writes_of_the_same_elements_have_one_winner) {
  const Id file(par::create_file(par::file_name("winner")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  for (const H5FD_mpio_chunk_opt_t opt :
       {H5FD_MPIO_CHUNK_DEFAULT, H5FD_MPIO_CHUNK_ONE_IO, H5FD_MPIO_CHUNK_MULTI_IO}) {
    for (const hsize_t chunk : kChunkColumns) {
      const std::string name = "x" + std::to_string(opt) + "_" + std::to_string(chunk);
      const Id set(make_set(file, name.c_str(), chunk));
      const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      if (chunk > 0) CHECK(H5Pset_dxpl_mpio_chunk_opt(list, opt) >= 0);
      Id space(strided());
      const bool empty = par::size() > 2 && par::rank() == 1;
      if (empty) H5Sselect_none(space);
      const Id memory(memory_of(space));
      std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_select_npoints(space)));
      for (std::int32_t round = 1; round <= 4; ++round) {
        for (auto& value : values) value = 1000 * round + par::rank();
        CHECK(H5Dwrite(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
        CHECK(H5Dread(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
        CHECK(empty || (all_equal(values) && values.front() / 1000 == round));
      }
    }
  }
}

/// What lies between a rank's own elements of a compound is its own to keep.
CASE(neighbours_with_elements_of_their_own_keep_them) {
  const Id file(par::create_file(par::file_name("neighbours")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id set(make_set(file, "x", 8));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  Id space(strided(static_cast<hsize_t>(par::rank() % 2)));
  if (par::rank() > 1) H5Sselect_none(space);
  const Id memory(memory_of(space));
  std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_select_npoints(space)),
                                   7 + par::rank());
  for (int round = 0; round < 10; ++round) {
    CHECK(H5Dwrite(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
    std::vector<std::int32_t> found(values.size());
    CHECK(H5Dread(set, H5T_NATIVE_INT32, memory, space, list, found.data()) >= 0);
    CHECK(found == values);
  }
}

CASE(the_setting_is_of_all_ranks_and_told) {
  const std::string name = par::file_name("setting");
  {
    const Id file(par::create_file(name));
    hbool_t flag = true;
    CHECK(H5Fget_mpi_atomicity(file, &flag) >= 0 && !flag);
    CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
    CHECK(H5Fget_mpi_atomicity(file, &flag) >= 0 && flag);
    CHECK(H5Fget_mpi_atomicity(file, nullptr) >= 0);
    CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
    CHECK(H5Fset_mpi_atomicity(file, false) >= 0);
    CHECK(H5Fget_mpi_atomicity(file, &flag) >= 0 && !flag);
    const par::Silence silence;
    const bool mine = par::rank() == 0;
    CHECK(par::size() == 1 || H5Fset_mpi_atomicity(file, mine) < 0);
    CHECK(par::size() == 1 || (H5Fget_mpi_atomicity(file, &flag) >= 0 && !flag));
    CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  }
  const Id file(par::open_file(name, H5F_ACC_RDONLY));
  hbool_t flag = true;
  CHECK(H5Fget_mpi_atomicity(file, &flag) >= 0 && !flag);
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
}

CASE(reports_say_that_transfers_are_direct) {
  const Id file(par::create_file(par::file_name("report")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id set(make_set(file, "x", 8));
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(pcio_set_dxpl_transport(list, PCIO_TRANSPORT_EXCHANGE) >= 0);
  const Id space(strided());
  const Id memory(memory_of(space));
  const std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_select_npoints(space)));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  CHECK(H5Pget_mpio_actual_io_mode(list, &mode) >= 0 && mode == H5D_MPIO_CHUNK_COLLECTIVE);
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.transport == PCIO_TRANSPORT_DIRECT);
}
