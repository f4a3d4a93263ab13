// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What a transfer costs those who select nothing, who reads a chunk index, and what is reported
// where chunks have filters or a call fails. Room: testpar, public headers only.

#include <pcio.h>

#include <cstring>
#include <string>
#include <vector>

#include "mpi_counts.h"
#include "support.hpp"

using par::Id;

namespace {

struct Plan {
  hsize_t chunks = 1, chunk = 16;  // elements of int
  bool filtered = false, early = false, chunked = true;
  int fill = 7;
};

Id create_list(const Plan& plan) {
  Id list(H5Pcreate(H5P_DATASET_CREATE));
  if (plan.chunked) H5Pset_chunk(list, 1, &plan.chunk);
  if (plan.filtered) H5Pset_deflate(list, 1);
  if (plan.early) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &plan.fill);
  return list;
}

/// Rank 0 makes the file alone and writes the first `written` chunks.
void make_in_serial(const std::string& path, const Plan& plan, hsize_t written) {
  if (par::rank() == 0) {
    const Id file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    const hsize_t size = plan.chunks * plan.chunk, most = H5S_UNLIMITED, start = 0;
    const Id space(H5Screate_simple(1, &size, plan.chunked ? &most : nullptr)),
        create(create_list(plan));
    const Id data(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
    const hsize_t count = written * plan.chunk;
    if (count > 0) {
      const std::vector<int> values(count, 1);
      const Id memory(H5Screate_simple(1, &count, nullptr));
      H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
      CHECK(H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()) >= 0);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

struct Opened {
  Id file, data;
  Opened(const std::string& path, unsigned flags) {
    const Id access(par::mpio_access());
    file = Id(H5Fopen(path.c_str(), flags, access));
    data = Id(H5Dopen2(file, "d", H5P_DEFAULT));
    CHECK(data.valid());
  }
};

/// Moves elements [start, start + count) together with the other ranks.
herr_t move(const Id& data, bool writes, hsize_t start, std::vector<int>& values, const Id& list) {
  const Id space(H5Dget_space(data));
  const hsize_t count = values.size(), room = count > 0 ? count : 1;
  const Id memory(H5Screate_simple(1, &room, nullptr));
  if (count == 0) {
    H5Sselect_none(space);
    H5Sselect_none(memory);
  } else {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  }
  int none = 0;
  int* at = count > 0 ? values.data() : &none;
  return writes ? H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, at)
                : H5Dread(data, H5T_NATIVE_INT, memory, space, list, at);
}

pcio_transfer_report_t report_of(hid_t list) {
  pcio_transfer_report_t report;
  std::memset(&report, 0, sizeof report);
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  return report;
}

unsigned long long sum(unsigned long long mine) {
  unsigned long long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

}  // namespace

// ---- nothing selected --------------------------------------------------------------------------

CASE(who_selects_nothing_needs_no_space) {
  for (const bool filtered : {false, true}) {
    Plan plan;
    plan.chunks = 1000;
    plan.filtered = filtered;
    const std::string path = par::file_name("truth_none");
    make_in_serial(path, plan, 1);
    Opened opened(path, H5F_ACC_RDWR);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const hsize_t before = H5Dget_storage_size(opened.data);
    std::vector<int> mine(par::rank() == 0 ? 16 : 0, 1), nothing;
    CHECK(move(opened.data, true, 0, mine, list) >= 0);
    CHECK(H5Dget_storage_size(opened.data) == before);
    CHECK(move(opened.data, true, 0, nothing, list) >= 0);
    CHECK(H5Dget_storage_size(opened.data) == before);
    CHECK(move(opened.data, false, 0, nothing, list) >= 0);
  }
}

CASE(contiguous_data_get_no_space_for_nothing) {
  Plan plan;
  plan.chunked = false;
  const std::string path = par::file_name("truth_block");
  make_in_serial(path, plan, 0);
  Opened opened(path, H5F_ACC_RDWR);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> nothing, some(par::rank() == 0 ? 4 : 0, 3);
  CHECK(move(opened.data, true, 0, nothing, list) >= 0);
  CHECK(H5Dget_storage_size(opened.data) == 0);
  CHECK(move(opened.data, true, 4, some, list) >= 0);
  std::vector<int> all(16);
  CHECK(move(opened.data, false, 0, all, list) >= 0);
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i] == (i >= 4 && i < 8 ? 3 : 7));
}

CASE(who_selects_nothing_reads_no_index) {
  Plan plan;
  plan.chunks = 20000;
  plan.early = true;
  const std::string path = par::file_name("truth_idle");
  make_in_serial(path, plan, 0);
  for (const bool writes : {true, false}) {
    Opened opened(path, H5F_ACC_RDWR);
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const bool idle = par::rank() > 0;
    std::vector<int> mine(idle ? 0 : 16, 1);
    const unsigned long long before = mpi_counts.bytes_read;
    CHECK(move(opened.data, writes, 1600, mine, list) >= 0);
    const unsigned long long read = mpi_counts.bytes_read - before;
    CHECK(idle ? read == 0 : read < 100000);
  }
}

// ---- the index is read once --------------------------------------------------------------------

namespace {

/// Bytes that all ranks read, beyond the data, in one transfer of everything.
unsigned long long read_in_transfer(const std::string& path, const Plan& plan, unsigned flags,
                                    bool writes) {
  Opened opened(path, flags);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> all(plan.chunks * plan.chunk, 1);
  const unsigned long long before = mpi_counts.bytes_read;
  CHECK(move(opened.data, writes, 0, all, list) >= 0);
  const unsigned long long read = sum(mpi_counts.bytes_read - before);
  for (const int value : all) CHECK(value == 1);
  const unsigned long long data = writes ? 0 : H5Dget_storage_size(opened.data);
  return read > data ? read - data : 0;
}

/// Bytes that one rank reads to know all chunks.
unsigned long long index_bytes(const std::string& path) {
  Opened opened(path, H5F_ACC_RDONLY);
  unsigned long long read = 0;
  if (par::rank() == 0) {
    const unsigned long long before = mpi_counts.bytes_read;
    CHECK(H5Dget_storage_size(opened.data) > 0);
    read = mpi_counts.bytes_read - before;
  }
  return sum(read);
}

}  // namespace

CASE(a_large_index_is_read_once) {
  for (const bool filtered : {false, true}) {
    Plan plan;
    plan.chunks = 12000;
    plan.chunk = 4;
    plan.filtered = filtered;
    const std::string path = par::file_name("truth_once");
    make_in_serial(path, plan, plan.chunks);
    const unsigned long long index = index_bytes(path);
    CHECK(index > 100000);
    CHECK(read_in_transfer(path, plan, H5F_ACC_RDONLY, false) < index + index / 2);
    CHECK(read_in_transfer(path, plan, H5F_ACC_RDWR, false) < index + index / 2);
    CHECK(read_in_transfer(path, plan, H5F_ACC_RDWR, true) < index + index / 2);
  }
}

CASE(space_for_much_is_asked_for_when_the_index_is_there) {
  Plan plan;
  plan.chunks = 12000;
  plan.chunk = 4;
  const std::string path = par::file_name("truth_half");
  make_in_serial(path, plan, plan.chunks / 2);
  const unsigned long long index = index_bytes(path);
  CHECK(read_in_transfer(path, plan, H5F_ACC_RDWR, true) < index + index / 2);
  Opened opened(path, H5F_ACC_RDWR);
  const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> all(plan.chunks * plan.chunk);
  CHECK(move(opened.data, false, 0, all, list) >= 0);
  for (const int value : all) CHECK(value == 1);
}

// ---- what is reported --------------------------------------------------------------------------

namespace {

Id new_file(const std::string& path, bool posix) {
  const Id access(H5Pcreate(H5P_FILE_ACCESS));
  if (posix)
    CHECK(H5Pset_fapl_mpiposix(access, MPI_COMM_WORLD, 0) >= 0);
  else
    CHECK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
  return Id(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Id new_data(const Id& file, const Plan& plan) {
  const hsize_t size = plan.chunks * plan.chunk;
  const Id space(H5Screate_simple(1, &size, nullptr)), create(create_list(plan));
  return Id(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT));
}

/// Each rank's share of all elements, written and read back with the list.
void write_and_read(const Id& data, const Plan& plan, const Id& list,
                    const std::vector<int>& expected) {
  const hsize_t share = plan.chunks * plan.chunk / static_cast<hsize_t>(par::size());
  const hsize_t start = share * static_cast<hsize_t>(par::rank());
  for (const bool writes : {true, false}) {
    std::vector<int> values(share, writes ? par::rank() : -1);
    CHECK(move(data, writes, start, values, list) >= 0);
    for (const int value : values) CHECK(value == par::rank());
    const pcio_transfer_report_t report = report_of(list);
    CHECK(static_cast<int>(report.actual_chunk_opt_mode) == expected[0]);
    CHECK(static_cast<int>(report.actual_io_mode) == expected[1]);
    uint32_t local = 99, global = 99;
    H5Pget_mpio_no_collective_cause(list, &local, &global);
    CHECK(local == static_cast<uint32_t>(expected[2]) && global == local);
    CHECK(report.chunks_collective == 0 && report.chunks_independent == report.chunks_touched);
  }
}

}  // namespace

CASE(filters_do_not_make_independent_io_collective) {
  Plan plan;
  plan.chunks = 6;
  plan.chunk = 20;  // not the ranks' shares
  plan.filtered = true;
  const Id file = new_file(par::file_name("truth_ind"), false);
  const Id data = new_data(file, plan);
  Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_dxpl_mpio_chunk_opt(list, H5FD_MPIO_ALL_CHUNK_IND_IO);
  write_and_read(data, plan, list,
                 {H5D_MPIO_ALL_CHUNK_IND, H5D_MPIO_CHUNK_INDEPENDENT, H5D_MPIO_COLLECTIVE});
  list = Id(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  H5Pset_dxpl_mpio_collective_opt(list, H5FD_MPIO_INDIVIDUAL_IO);
  write_and_read(data, plan, list,
                 {H5D_MPIO_ALL_CHUNK_IND, H5D_MPIO_CHUNK_INDEPENDENT, H5D_MPIO_SET_INDEPENDENT});
}

CASE(mpiposix_has_no_collective_io_for_filters_either) {
  Plan plan;
  plan.chunks = 6;
  plan.chunk = 20;
  plan.filtered = true;
  const Id file = new_file(par::file_name("truth_posix"), true);
  const Id data = new_data(file, plan);
  write_and_read(data, plan, Id(par::transfer_list(H5FD_MPIO_COLLECTIVE)),
                 {H5D_MPIO_NO_CHUNK_OPTIMIZATION, H5D_MPIO_NO_COLLECTIVE, H5D_MPIO_SET_MPIPOSIX});
}

CASE(causes_are_kept_where_the_ranks_agree_to_fail) {
  const par::Silence silence;
  Plan plan;
  plan.chunks = 4;
  const Id file = new_file(par::file_name("truth_fails"), false);
  const Id data = new_data(file, plan);
  const bool culprit = par::rank() == 0;
  const hsize_t count = 4, wrong = culprit ? 5 : 4, start = 0;
  const Id space(H5Dget_space(data)), memory(H5Screate_simple(1, &wrong, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  std::vector<int> values(8, 1);
  for (const bool several : {false, true}) {
    const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    H5Pset_dxpl_mpio_collective_opt(
        list, par::rank() == par::size() - 1 ? H5FD_MPIO_INDIVIDUAL_IO : H5FD_MPIO_COLLECTIVE_IO);
    hid_t sets[] = {data}, types[] = {H5T_NATIVE_INT}, memories[] = {memory}, files[] = {space};
    const void* buffers[] = {values.data()};
    const herr_t wrote = several
                             ? H5Dwrite_multi(1, sets, types, memories, files, list, buffers)
                             : H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data());
    CHECK(wrote < 0);
    uint32_t local = 99, global = 99;
    CHECK(H5Pget_mpio_no_collective_cause(list, &local, &global) >= 0);
    CHECK(global ==
              (H5D_MPIO_ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE | H5D_MPIO_SET_INDEPENDENT) ||
          (several && par::size() == 1));
    CHECK(((local & H5D_MPIO_ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE) != 0) == culprit);
  }
}

CASE(a_view_moves_chunk_by_chunk) {
  if (!par::collective_by_itself()) return;
  Plan plan;
  plan.chunks = 4;
  plan.chunk = 24;
  const Id file = new_file(par::file_name("truth_view"), false);
  const Id data = new_data(file, plan);
  const Id space(H5Dget_space(data));
  // Every rank has an element of every chunk.
  const hsize_t start = static_cast<hsize_t>(par::rank()), stride = plan.chunk, count = plan.chunks;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, nullptr);
  const Id memory(H5Screate_simple(1, &count, nullptr));
  std::vector<int> values(count, par::rank());
  for (const pcio_transport_t way : {PCIO_TRANSPORT_VIEW, PCIO_TRANSPORT_EXCHANGE}) {
    for (const bool writes : {true, false}) {
      const Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
      H5Pset_dxpl_mpio_chunk_opt(list, H5FD_MPIO_CHUNK_MULTI_IO);
      H5Pset_dxpl_mpio_chunk_opt_ratio(list, 50);
      pcio_set_dxpl_transport(list, way);
      const mpi_counts_t before = mpi_counts;
      CHECK((writes ? H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values.data())
                    : H5Dread(data, H5T_NATIVE_INT, memory, space, list, values.data())) >= 0);
      const pcio_transfer_report_t report = report_of(list);
      // One rank of one is not more than one rank.
      const bool marked = par::size() > 1, view = marked && way == PCIO_TRANSPORT_VIEW;
      CHECK(report.actual_chunk_opt_mode == H5D_MPIO_MULTI_CHUNK);
      CHECK(report.chunks_collective == (marked ? plan.chunks : 0));
      CHECK(report.chunks_independent == (marked ? 0 : plan.chunks));
      // On ompio each rank reads through its view with a call of its own.
      const unsigned long long calls = writes ? mpi_counts.write_at_all - before.write_at_all
                                              : mpi_counts.read_at_all + mpi_counts.read_at -
                                                    before.read_at_all - before.read_at;
      if (writes || view) CHECK(calls == (view ? plan.chunks : 0));
      CHECK((writes ? report.collective_writes
                    : report.collective_reads + report.independent_reads) == calls);
      CHECK(report.view_changes == mpi_counts.set_view - before.set_view);
    }
  }
}
