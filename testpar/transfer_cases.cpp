// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The common job of the transfer tests. Room: testpar, public headers only.

#include "transfer_cases.hpp"

#include <cstdio>

namespace par {

namespace {

Form form_of(const Job& job, int who) {
  return job.mixed_forms ? static_cast<Form>(who % kForms) : Form::kDense;
}

/// What the library says of a transfer without conversion, which the request and MPI alone decide.
bool expected_mode(const Job& job, H5D_mpio_actual_io_mode_t mode) {
  static const bool collective = collective_by_itself();
  if (job.mode == H5FD_MPIO_INDEPENDENT || !collective) return mode == H5D_MPIO_NO_COLLECTIVE;
  if (job.chunk.empty()) return mode == H5D_MPIO_CONTIGUOUS_COLLECTIVE;
  return mode == H5D_MPIO_CHUNK_COLLECTIVE;
}

void write_pattern(const Job& job, const std::string& name, Pattern pattern) {
  const Id access(mpio_access(MPI_COMM_WORLD, job.low));
  Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(file.valid());
  Id dataset(create_data(file, job));
  CHECK(dataset.valid());
  Transfer transfer{pattern, job.mode, 1, job.as_int, rank(), form_of(job, rank())};
  H5D_mpio_actual_io_mode_t io_mode = H5D_MPIO_NO_COLLECTIVE;
  CHECK(write_part(dataset, job.dims, transfer, &io_mode));
  const bool converts = job.as_int || H5Tequal(job.file_type, H5T_NATIVE_DOUBLE) <= 0;
  if (!converts) CHECK(expected_mode(job, io_mode));
  // A second generation over the first: the chunks exist now, other ranks' parts this time.
  transfer.generation = 2;
  transfer.who = (rank() + 1) % size();
  transfer.form = form_of(job, transfer.who);
  MPI_Barrier(MPI_COMM_WORLD);  // independent writes of two ranks to one element are not ordered
  CHECK(write_part(dataset, job.dims, transfer));
  CHECK(dataset.close() >= 0);
  CHECK(file.close() >= 0);
}

void read_pattern(const Job& job, const std::string& name, Pattern pattern) {
  const Id access(mpio_access());
  Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
  CHECK(file.valid());
  Id dataset(H5Dopen2(file, "data", H5P_DEFAULT));
  CHECK(dataset.valid());
  for (const auto mode : {H5FD_MPIO_COLLECTIVE, H5FD_MPIO_INDEPENDENT}) {
    // The second generation's part `rank` was written by the rank before.
    Transfer transfer{pattern, mode, 2, job.as_int, rank(), form_of(job, rank() + 1)};
    CHECK(read_part(dataset, job.dims, transfer) == 0);
    transfer.who = (rank() + size() / 2) % size();
    CHECK(read_part(dataset, job.dims, transfer) == 0);
    transfer.pattern = Pattern::kColumns;  // also by another pattern than it was written
    CHECK(read_part(dataset, job.dims, transfer) == 0);
  }
  CHECK(dataset.close() >= 0);
  CHECK(file.close() >= 0);
}

}  // namespace

hid_t create_data(hid_t file, const Job& job) {
  const int ndims = static_cast<int>(job.dims.size());
  std::vector<hsize_t> most = job.dims;
  if (!job.chunk.empty()) most[0] = H5S_UNLIMITED;
  const Id space(H5Screate_simple(ndims, job.dims.data(), most.data()));
  const Id list(H5Pcreate(H5P_DATASET_CREATE));
  if (!job.chunk.empty()) CHECK(H5Pset_chunk(list, ndims, job.chunk.data()) >= 0);
  return H5Dcreate2(file, "data", job.file_type, space, H5P_DEFAULT, list, H5P_DEFAULT);
}

void check_serially(const std::string& name, const std::vector<hsize_t>& dims, int generation) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    hsize_t count = 1;
    for (const hsize_t dim : dims) count *= dim;
    std::vector<double> values(static_cast<std::size_t>(count));
    Id file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    CHECK(file.valid());
    Id dataset(H5Dopen2(file, "data", H5P_DEFAULT));
    CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0);
    int wrong = 0;
    for (hsize_t i = 0; i < count; ++i)
      if (values[static_cast<std::size_t>(i)] != value_of(i, generation)) ++wrong;
    CHECK(wrong == 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void check_all_patterns(const Job& job, const char* word) {
  for (const Pattern pattern : kPatterns) {
    const std::string name = file_name(word + std::to_string(static_cast<int>(pattern)));
    write_pattern(job, name, pattern);
    read_pattern(job, name, pattern);
    check_serially(name, job.dims, 2);
  }
}

}  // namespace par
