// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// The MPI-POSIX driver: several ranks, one file, POSIX calls. Room: testpar, public headers only.

#include "transfer_cases.hpp"

#ifdef PCIO_VERSION

using par::Id;

namespace {

Id posix_access() {
  Id list(H5Pcreate(H5P_FILE_ACCESS));
  CHECK(H5Pset_fapl_mpiposix(list, MPI_COMM_WORLD, 0) >= 0);
  return list;
}

void check_job(const par::Job& job, const char* word) {
  for (const par::Pattern pattern : par::kPatterns) {
    const std::string name = par::file_name(word + std::to_string(static_cast<int>(pattern)));
    const Id access = posix_access();
    Id file(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CHECK(file.valid());
    Id dataset(par::create_data(file, job));
    par::Transfer transfer{pattern, job.mode, 1, false, par::rank()};
    CHECK(par::write_part(dataset, job.dims, transfer));
    CHECK(dataset.close() >= 0 && file.close() >= 0);

    file = Id(H5Fopen(name.c_str(), H5F_ACC_RDONLY, access));
    dataset = Id(H5Dopen2(file, "data", H5P_DEFAULT));
    transfer.who = (par::rank() + 1) % par::size();
    CHECK(par::read_part(dataset, job.dims, transfer) == 0);
    CHECK(dataset.close() >= 0 && file.close() >= 0);
    par::check_serially(name, job.dims, 1);
  }
}

}  // namespace

CASE(contiguous) {
  par::Job job;
  job.mode = H5FD_MPIO_INDEPENDENT;
  check_job(job, "posix_contig_i");
  job.mode = H5FD_MPIO_COLLECTIVE;
  check_job(job, "posix_contig_c");
}

CASE(chunked) {
  par::Job job;
  job.chunk = {4, 3};
  job.mode = H5FD_MPIO_INDEPENDENT;
  check_job(job, "posix_chunked_i");
  job.mode = H5FD_MPIO_COLLECTIVE;
  check_job(job, "posix_chunked_c");
}

CASE(settings_are_returned) {
  const Id list = posix_access();
  MPI_Comm comm = MPI_COMM_NULL;
  hbool_t gpfs = 1;
  CHECK(H5Pget_fapl_mpiposix(list, &comm, &gpfs) >= 0);
  int size = 0;
  MPI_Comm_size(comm, &size);
  CHECK(size == par::size() && gpfs == 0);
  MPI_Comm_free(&comm);
  CHECK(H5Pget_driver(list) == H5FD_MPIPOSIX);
}

#endif
