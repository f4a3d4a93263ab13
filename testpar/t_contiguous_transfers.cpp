// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Parallel transfers of contiguous datasets. Room: testpar, public headers only.

#include "transfer_cases.hpp"
#include "views.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#endif

using par::Job;

CASE(collective) { par::check_all_patterns(Job{}, "contig_c"); }

CASE(independent) {
  Job job;
  job.mode = H5FD_MPIO_INDEPENDENT;
  par::check_all_patterns(job, "contig_i");
}

CASE(memory_of_every_rank_differs) {
  Job job;
  job.mixed_forms = true;
  par::check_all_patterns(job, "contig_m");
  job.mode = H5FD_MPIO_INDEPENDENT;
  par::check_all_patterns(job, "contig_mi");
}

CASE(converted) {
  Job job;
  job.file_type = H5T_STD_I32BE;
  par::check_all_patterns(job, "contig_v");
  job.as_int = true;
  job.file_type = H5T_IEEE_F64BE;
  job.mixed_forms = true;
  par::check_all_patterns(job, "contig_w");
}

CASE(three_dimensions_latest_format) {
  Job job;
  job.dims = {5, 9, 7};
  job.low = H5F_LIBVER_LATEST;
  par::check_all_patterns(job, "contig_3");
}

CASE(fewer_rows_than_ranks) {
  Job job;
  job.dims = {2, 3};
  par::check_all_patterns(job, "contig_f");
}

/// What nobody writes is the fill value, and whole blocks of 1 MiB arrive whole.
CASE(fill_value_and_large_blocks) {
  const std::string name = par::file_name("contig_fill");
  const hsize_t rows = static_cast<hsize_t>(par::size()) + 1, columns = 131072;
  const hsize_t dims[2] = {rows, columns};
  const double fill = -3.25;
  const par::Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  const par::Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  CHECK(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill) >= 0);
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const par::Id space(H5Screate_simple(2, dims, nullptr));
  par::Id dataset(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  const hsize_t start[2] = {static_cast<hsize_t>(par::rank()), 0}, count[2] = {1, columns};
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0);
  const par::Id memory(H5Screate_simple(2, count, nullptr));
  std::vector<double> values(columns, par::rank() + 0.5);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, values.data()) >= 0);
  CHECK(dataset.close() >= 0 && file.close() >= 0);

  file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  dataset = par::Id(H5Dopen2(file, "data", H5P_DEFAULT));
  const hsize_t next[2] = {static_cast<hsize_t>(par::rank()) + 1, 0};
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, next, nullptr, count, nullptr) >= 0);
  CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, values.data()) >= 0);
  const double expected = par::rank() + 1 == par::size() ? fill : par::rank() + 1.5;
  int wrong = 0;
  for (const double value : values) wrong += value != expected;
  CHECK(wrong == 0);
}

/// Every rank reads everything, with H5S_ALL on both sides.
CASE(all_ranks_read_all) {
  const std::string name = par::file_name("contig_all");
  const Job job;
  const par::Id access(par::mpio_access());
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Id dataset(par::create_data(file, job));
  CHECK(par::write_part(dataset, job.dims, {par::Pattern::kRows, job.mode, 1, false, par::rank()}));
  CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  for (const auto mode : {H5FD_MPIO_COLLECTIVE, H5FD_MPIO_INDEPENDENT}) {
    const par::Id list(par::transfer_list(mode));
    std::vector<double> values(13 * 11);
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, list, values.data()) >= 0);
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != par::value_of(i, 1);
    CHECK(wrong == 0);
  }
}

/// Points that follow each other make runs, and runs of a read may overlap: long ones are cut at the
/// borders of what is exchanged.
CASE(long_runs_of_points_overlap) {
  constexpr hsize_t kSize = 700000;
  const std::string name = par::file_name("contig_points");
  const par::Id access(par::mpio_access()), space(H5Screate_simple(1, &kSize, nullptr));
  const par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const par::Id dataset(
      H5Dcreate2(file, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<double> values(kSize);
  for (hsize_t i = 0; i < kSize; ++i) values[i] = static_cast<double>(i) + 0.5;
  const par::Id mine(H5Scopy(space));
  if (par::rank() != 0) H5Sselect_none(mine);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, mine, mine, list, values.data()) >= 0);
  // Each run: first element and length. The same twice; one within another; ends that meet.
  const std::vector<std::vector<std::pair<hsize_t, hsize_t>>> kRuns = {
      {{0, 600000}, {0, 600000}},
      {{0, 400000}, {100, 200000}},
      {{5000, 300000}, {4000, 300000}, {6000, 1}, {304999, 2}},
  };
  for (const auto& runs : kRuns) {
    std::vector<hsize_t> points;
    for (const auto& [first, count] : runs)
      for (hsize_t i = 0; i < count; ++i)
        points.push_back((first + i + static_cast<hsize_t>(par::rank()) * 7) % kSize);
    const hsize_t count = points.size();
    const par::Id memory(H5Screate_simple(1, &count, nullptr));
    CHECK(H5Sselect_elements(mine, H5S_SELECT_SET, points.size(), points.data()) >= 0);
    std::vector<double> found(points.size(), -1);
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, mine, list, found.data()) >= 0);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < points.size(); ++i) wrong += found[i] != values[points[i]];
    CHECK(wrong == 0);
  }
}

/// Ranks select their columns of a table in dataspaces of their own: as a table, in a line, in three dimensions.
CASE(selections_in_spaces_of_other_ranks) {
  const auto ranks = static_cast<hsize_t>(par::size()), me = static_cast<hsize_t>(par::rank());
  const hsize_t rows = 60, columns = 4 * ranks, all = rows * columns, count = rows * 4;
  const hsize_t table[2] = {rows, columns}, cube[3] = {rows / 2, 2, columns};
  const par::Id access(par::mpio_access()), as_table(H5Screate_simple(2, table, nullptr));
  const par::Id file(
      H5Fcreate(par::file_name("contig_ranks").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const par::Id dataset(
      H5Dcreate2(file, "data", H5T_NATIVE_INT, as_table, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const hsize_t start[3] = {0, me % 3 == 0 ? 4 * me : 0, 4 * me};
  par::Id mine;
  if (me % 3 == 0) {
    const hsize_t size[2] = {rows, 4};
    mine = par::Id(H5Scopy(as_table));
    CHECK(H5Sselect_hyperslab(mine, H5S_SELECT_SET, start, nullptr, size, nullptr) >= 0);
  } else if (me % 3 == 1) {
    const hsize_t first = 4 * me, block = 4;
    mine = par::Id(H5Screate_simple(1, &all, nullptr));
    CHECK(H5Sselect_hyperslab(mine, H5S_SELECT_SET, &first, &columns, &rows, &block) >= 0);
  } else {
    const hsize_t size[3] = {rows / 2, 2, 4};
    mine = par::Id(H5Screate_simple(3, cube, nullptr));
    CHECK(H5Sselect_hyperslab(mine, H5S_SELECT_SET, start, nullptr, size, nullptr) >= 0);
  }
  const par::Id memory(H5Screate_simple(1, &count, nullptr));
  int base = 0;
#ifdef PCIO_VERSION
  for (const auto transport :
       {PCIO_TRANSPORT_NONE, PCIO_TRANSPORT_DIRECT, PCIO_TRANSPORT_EXCHANGE, PCIO_TRANSPORT_VIEW}) {
    if (transport == PCIO_TRANSPORT_VIEW && !views_are_possible()) continue;
    const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(pcio_set_dxpl_transport(list, transport) >= 0);
#else
  {
    const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
#endif
    base += 100000;
    std::vector<int> values(count), back(count, -1), whole(all, -1);
    for (hsize_t i = 0; i < count; ++i)
      values[i] = base + static_cast<int>(i / 4 * columns + 4 * me + i % 4);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, memory, mine, list, values.data()) >= 0);
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, memory, mine, list, back.data()) >= 0);
    CHECK(back == values);
    CHECK(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, whole.data()) >= 0);
    hsize_t wrong = 0;
    for (hsize_t i = 0; i < all; ++i) wrong += whole[i] != base + static_cast<int>(i) ? 1 : 0;
    CHECK(wrong == 0);
  }
}

/// The same places in extents of their own are other elements.
CASE(ranks_select_alike_in_different_extents) {
  const auto me = static_cast<hsize_t>(par::rank());
  const hsize_t all = 100 + 4 * static_cast<hsize_t>(par::size()), count = 3;
  const par::Id access(par::mpio_access()), line(H5Screate_simple(1, &all, nullptr));
  const par::Id file(
      H5Fcreate(par::file_name("contig_alike").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const par::Id dataset(
      H5Dcreate2(file, "data", H5T_NATIVE_INT, line, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const par::Id list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<int> values(all), back(count, -1);
  for (hsize_t i = 0; i < all; ++i) values[i] = static_cast<int>(i);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_INT, line, line, list, values.data()) >= 0);
  const hsize_t extent[2] = {4, 5 + me}, start[2] = {1, 1}, size[2] = {1, count};
  const par::Id mine(H5Screate_simple(2, extent, nullptr)),
      memory(H5Screate_simple(1, &count, nullptr));
  CHECK(H5Sselect_hyperslab(mine, H5S_SELECT_SET, start, nullptr, size, nullptr) >= 0);
  CHECK(H5Dread(dataset, H5T_NATIVE_INT, memory, mine, list, back.data()) >= 0);
  const int first = static_cast<int>(6 + me);
  CHECK(back == (std::vector<int>{first, first + 1, first + 2}));
}
