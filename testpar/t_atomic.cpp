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

/// What the memory type lacks is read and written back: without locks, over what the other one wrote.
CASE(ranks_that_write_different_members_keep_each_others) {
  const Id file(par::create_file(par::file_name("members")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id pair(H5Tcreate(H5T_COMPOUND, 8)), left(H5Tcreate(H5T_COMPOUND, 4)),
      right(H5Tcreate(H5T_COMPOUND, 4));
  H5Tinsert(pair, "left", 0, H5T_NATIVE_INT32);
  H5Tinsert(pair, "right", 4, H5T_NATIVE_INT32);
  H5Tinsert(left, "left", 0, H5T_NATIVE_INT32);
  H5Tinsert(right, "right", 0, H5T_NATIVE_INT32);
  const hsize_t count = 20000;
  const Id space(H5Screate_simple(1, &count, nullptr));
  const Id set(H5Dcreate2(file, "x", pair, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  std::vector<std::int32_t> mine(count), found(2 * count);
  for (std::int32_t round = 1; round <= 10; ++round) {
    for (auto& value : mine) value = round;
    if (par::rank() < 2) {
      const hid_t member = par::rank() == 0 ? left : right;
      CHECK(H5Dwrite(set, member, H5S_ALL, H5S_ALL, list, mine.data()) >= 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(H5Dread(set, pair, H5S_ALL, H5S_ALL, list, found.data()) >= 0);
    int lost = 0;
    for (std::size_t i = 0; i < count; ++i)
      lost += found[2 * i] != round || (par::size() > 1 && found[2 * i + 1] != round);
    CHECK(lost == 0);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/// Chunks that several ranks touch, and others: the schedule has steps of both kinds.
CASE(schedules_of_several_steps_end) {
  const Id file(par::create_file(par::file_name("steps")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id set(make_set(file, "x", 8));
  const hsize_t ranks = static_cast<hsize_t>(par::size()), rank = static_cast<hsize_t>(par::rank());
  for (const H5FD_mpio_chunk_opt_t opt : {H5FD_MPIO_CHUNK_MULTI_IO, H5FD_MPIO_COLL_CHUNK_ATONCE_IO,
                                          PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO}) {
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Pset_dxpl_mpio_chunk_opt(list, opt) >= 0);
    // The first columns are everybody's; of the others rank r has r + 1 chunks.
    const hsize_t dims[2] = {kRows, kColumns}, zero[2] = {0, 0}, shared[2] = {kRows, 8},
                  start[2] = {4 * (rank % 4), 8 + 8 * (rank + 1)}, own[2] = {4, 8 * (rank % 4 + 1)};
    Id space(H5Screate_simple(2, dims, nullptr));
    H5Sselect_hyperslab(space, H5S_SELECT_SET, zero, nullptr, shared, nullptr);
    H5Sselect_hyperslab(space, H5S_SELECT_OR, start, nullptr, own, nullptr);
    const Id memory(memory_of(space));
    const std::vector<std::int32_t> values(static_cast<std::size_t>(H5Sget_select_npoints(space)),
                                           static_cast<std::int32_t>(ranks));
    CHECK(H5Dwrite(set, H5T_NATIVE_INT32, memory, space, list, values.data()) >= 0);
    std::vector<std::int32_t> found(values.size());
    CHECK(H5Dread(set, H5T_NATIVE_INT32, memory, space, list, found.data()) >= 0);
    CHECK(found == values);
  }
}

CASE(chunks_as_they_lie_are_whole) {
  const Id file(par::create_file(par::file_name("direct")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const hsize_t count = 1 << 20, zero = 0;
  const Id space(H5Screate_simple(1, &count, nullptr)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(list, 1, &count);
  const Id set(H5Dcreate2(file, "x", H5T_NATIVE_INT32, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  std::vector<std::int32_t> values(count);
  int torn = 0;
  for (std::int32_t round = 1; round <= 20; ++round) {
    if (par::rank() % 2 == 0) {
      for (auto& value : values) value = round;
      CHECK(H5Dwrite_chunk(set, H5P_DEFAULT, 0, &zero, 4 * count, values.data()) >= 0);
    } else if (par::rank() % 4 == 1) {
      CHECK(H5Dread(set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    } else {
      std::uint32_t mask = 0;
      CHECK(H5Dread_chunk(set, H5P_DEFAULT, &zero, &mask, values.data()) >= 0);
    }
    if (!all_equal(values)) ++torn;
  }
  CHECK(torn == 0);
}

namespace {

struct Nested {
  hid_t set;
  herr_t read;
};

H5T_conv_ret_t read_another(H5T_conv_except_t, hid_t, hid_t, void*, void*, void* data) {
  auto* nested = static_cast<Nested*>(data);
  std::int32_t value = 0;
  nested->read = H5Dread(nested->set, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
  return H5T_CONV_UNHANDLED;
}

}  // namespace

CASE(a_transfer_within_a_transfer_is_refused_and_stops_nobody) {
  const Id file(par::create_file(par::file_name("nested")));
  CHECK(H5Fset_mpi_atomicity(file, true) >= 0);
  const Id space(H5Screate(H5S_SCALAR));
  const Id one(
      H5Dcreate2(file, "one", H5T_NATIVE_INT8, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const Id two(
      H5Dcreate2(file, "two", H5T_NATIVE_INT32, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const Id list(par::transfer_list(H5FD_MPIO_INDEPENDENT));
  Nested nested{two, 0};
  CHECK(H5Pset_type_conv_cb(list, read_another, &nested) >= 0);
  const std::int32_t large = 1000;
  {
    const par::Silence silence;
    CHECK(H5Dwrite(one, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, list, &large) >= 0);
  }
  CHECK(nested.read < 0);
  MPI_Barrier(MPI_COMM_WORLD);
  std::int8_t value = 0;
  CHECK(H5Dread(one, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value) >= 0 && value == 127);
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
