// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Parallel transfers of chunked datasets. Room: testpar, public headers only.

#include "transfer_cases.hpp"

#ifdef PCIO_VERSION
#include <pcio.h>
#endif

using par::Job;

namespace {

Job chunked() {
  Job job;
  job.chunk = {4, 3};  // edge chunks in both dimensions; most chunks belong to several ranks
  return job;
}

}  // namespace

CASE(collective) { par::check_all_patterns(chunked(), "chunked_c"); }

CASE(independent) {
  Job job = chunked();
  job.mode = H5FD_MPIO_INDEPENDENT;
  par::check_all_patterns(job, "chunked_i");
}

CASE(memory_of_every_rank_differs) {
  Job job = chunked();
  job.mixed_forms = true;
  par::check_all_patterns(job, "chunked_m");
  job.mode = H5FD_MPIO_INDEPENDENT;
  par::check_all_patterns(job, "chunked_mi");
}

CASE(converted) {
  Job job = chunked();
  job.file_type = H5T_STD_I32BE;
  par::check_all_patterns(job, "chunked_v");
}

CASE(formats) {
  for (const auto low : {H5F_LIBVER_V18, H5F_LIBVER_LATEST}) {
    Job job = chunked();
    job.low = low;
    par::check_all_patterns(job, "chunked_f");
  }
}

CASE(one_element_a_chunk) {
  Job job;
  job.dims = {12, 9};
  job.chunk = {1, 1};
  par::check_all_patterns(job, "chunked_1");
}

CASE(one_chunk) {
  Job job = chunked();
  job.chunk = {13, 11};
  par::check_all_patterns(job, "chunked_o");
}

CASE(three_dimensions) {
  Job job;
  job.dims = {5, 8, 6};
  job.chunk = {2, 3, 6};
  par::check_all_patterns(job, "chunked_3");
}

/// Many chunks, so that the index has several levels.
CASE(many_chunks) {
  const std::string name = par::file_name("chunked_many");
  Job job;
  job.dims = {300, 20};
  job.chunk = {1, 4};
  const par::Id access(par::mpio_access());
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Id dataset(par::create_data(file, job));
  CHECK(
      par::write_part(dataset, job.dims, {par::Pattern::kCyclic, job.mode, 2, false, par::rank()}));
  CHECK(dataset.close() >= 0 && file.close() >= 0);
  par::check_serially(name, job.dims, 2);
}

/// Grows step by step, each step written collectively, as a simulation does; reopened in between.
CASE(extended_step_by_step) {
  const std::string name = par::file_name("chunked_steps");
  const hsize_t width = 17, steps = 9;
  const hsize_t none[2] = {0, width}, most[2] = {H5S_UNLIMITED, width}, chunk[2] = {2, 5};
  const par::Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
  CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  const par::Id space(H5Screate_simple(2, none, most));
  par::Id dataset(H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  CHECK(dataset.valid());
  for (hsize_t step = 0; step < steps; ++step) {
    const hsize_t dims[2] = {step + 1, width};
    CHECK(H5Dset_extent(dataset, dims) >= 0);
    const par::Id now(H5Dget_space(dataset)), transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    const auto me = static_cast<hsize_t>(par::rank()), all = static_cast<hsize_t>(par::size());
    const hsize_t begin = width * me / all, end = width * (me + 1) / all;
    const hsize_t start[2] = {step, begin}, count[2] = {1, end - begin};
    const par::Id memory(H5Screate_simple(2, count, nullptr));
    std::vector<double> values;
    for (hsize_t x = begin; x < end; ++x) values.push_back(par::value_of(step * width + x, 1));
    CHECK(H5Sselect_hyperslab(now, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0);
    CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, now, transfer, values.data()) >= 0);
    if (step == 4) {
      CHECK(dataset.close() >= 0 && file.close() >= 0);
      file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDWR, access));
      dataset = par::Id(H5Dopen2(file, "data", H5P_DEFAULT));
      CHECK(dataset.valid());
    }
  }
  const par::Transfer other{par::Pattern::kColumns, H5FD_MPIO_COLLECTIVE, 1, false,
                            (par::rank() + 1) % par::size()};
  CHECK(par::read_part(dataset, {steps, width}, other) == 0);
  CHECK(dataset.close() >= 0 && file.close() >= 0);
  par::check_serially(name, {steps, width}, 1);
}

/// Chunks that nobody or only some ranks write show the fill value elsewhere, also after growing.
CASE(fill_value) {
  for (const double fill : {0.0, 7.5}) {
    const std::string name = par::file_name("chunked_fill");
    const hsize_t dims[2] = {8, 8}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {3, 3};
    const hsize_t grown[2] = {11, 12};
    const par::Id access(par::mpio_access()), list(H5Pcreate(H5P_DATASET_CREATE));
    const par::Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
    CHECK(H5Pset_chunk(list, 2, chunk) >= 0);
    if (fill != 0.0) CHECK(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill) >= 0);
    par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    const par::Id space(H5Screate_simple(2, dims, most));
    par::Id dataset(
        H5Dcreate2(file, "data", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
    // The last rank writes one element in the middle of a chunk; the others nothing.
    const hsize_t point[2] = {4, 4};
    const double value = 42.0;
    const par::Id one(H5Screate(H5S_SCALAR));
    if (par::rank() == par::size() - 1) {
      CHECK(H5Sselect_elements(space, H5S_SELECT_SET, 1, point) >= 0);
    } else {
      CHECK(H5Sselect_none(space) >= 0 && H5Sselect_none(one) >= 0);
    }
    CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, one, space, transfer, &value) >= 0);
    CHECK(H5Dset_extent(dataset, grown) >= 0);
    CHECK(dataset.close() >= 0 && file.close() >= 0);

    file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    dataset = par::Id(H5Dopen2(file, "data", H5P_DEFAULT));
    std::vector<double> values(11 * 12);
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, values.data()) >= 0);
    int wrong = 0;
    for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != (i == 52 ? value : fill);
    CHECK(wrong == 0);
  }
}

/// Independent writes by some ranks only: no other rank is needed for them.
CASE(independent_on_a_subset_of_ranks) {
  const std::string name = par::file_name("chunked_subset");
  const Job job = chunked();
  const par::Id access(par::mpio_access());
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Id dataset(par::create_data(file, job));
  if (par::rank() == 0)
    CHECK(par::write_part(dataset, job.dims,
                          {par::Pattern::kOneRank, H5FD_MPIO_INDEPENDENT, 3, false, 0}));
  CHECK(dataset.close() >= 0 && file.close() >= 0);
  par::check_serially(name, job.dims, 3);
}

/// What an extent cuts off is gone: grown again, the dataset shows the fill value there.
CASE(cut_and_grown_again) {
  const std::string name = par::file_name("chunked_cut");
  const Job job = chunked();
  const par::Id access(par::mpio_access());
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Id dataset(par::create_data(file, job));
  CHECK(par::write_part(dataset, job.dims, {par::Pattern::kRows, job.mode, 1, false, par::rank()}));
  const hsize_t small[2] = {6, 11}, large[2] = {13, 11};
  CHECK(H5Dset_extent(dataset, small) >= 0);
  CHECK(H5Dset_extent(dataset, large) >= 0);
  CHECK(dataset.close() >= 0 && file.close() >= 0);
  file = par::Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  dataset = par::Id(H5Dopen2(file, "data", H5P_DEFAULT));
  const par::Id transfer(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  std::vector<double> values(13 * 11);
  CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, transfer, values.data()) >= 0);
  int wrong = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    wrong += values[i] != (i < 6 * 11 ? par::value_of(i, 1) : 0.0);
  CHECK(wrong == 0);
}

#ifdef PCIO_VERSION
/// The report of a write: all bytes of all ranks, by calls that were made, and success.
CASE(report_says_what_was_done) {
  const std::string name = par::file_name("chunked_report");
  const Job job = chunked();
  const par::Id access(par::mpio_access()), list(par::transfer_list(H5FD_MPIO_COLLECTIVE));
  par::Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  par::Id dataset(par::create_data(file, job));
  const par::Id space(H5Dget_space(dataset));
  const hsize_t count = par::select(space, par::Pattern::kColumns, par::rank(), job.dims).size();
  const par::Id memory(H5Screate_simple(1, &count, nullptr));
  if (count == 0) CHECK(H5Sselect_none(memory) >= 0);
  const std::vector<double> values(static_cast<std::size_t>(count) + 1, 1.0);
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, list, values.data()) >= 0);
  pcio_transfer_report_t report;
  CHECK(pcio_get_transfer_report(list, &report, sizeof report) >= 0);
  CHECK(report.direction == PCIO_DIRECTION_WRITE && report.succeeded == 1);
  CHECK(report.requested_mode == H5FD_MPIO_COLLECTIVE);
  CHECK((report.global_causes == 0) == par::collective_by_itself());
  CHECK(report.bytes_selected == 8 * count);
  unsigned long long sums[3] = {report.bytes_selected, report.bytes_written,
                                report.independent_writes + report.collective_writes};
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  // An owner may write small gaps back as they were.
  CHECK(sums[0] == 13 * 11 * 8 && sums[1] >= sums[0]);
  CHECK(sums[2] > 0 && sums[2] <= 13 * 11);
}
#endif
