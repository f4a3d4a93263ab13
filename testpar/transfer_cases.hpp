// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// One job for every layout: write a dataset by a pattern, reopen, let other ranks check it.
// Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_TRANSFER_CASES_HPP
#define PCIO_TESTPAR_TRANSFER_CASES_HPP

#include <vector>

#include "pattern.hpp"

namespace par {

/// A dataset and how it is written.
struct Job {
  std::vector<hsize_t> dims = {13, 11};
  std::vector<hsize_t> chunk;  // empty: contiguous
  hid_t file_type = H5T_IEEE_F64LE;
  bool as_int = false;
  bool mixed_forms = false;  // each rank's memory has another shape
  H5FD_mpio_xfer_t mode = H5FD_MPIO_COLLECTIVE;
  H5F_libver_t low = H5F_LIBVER_EARLIEST;
};

/// Creates the dataset "data" of a job in an open file.
hid_t create_data(hid_t file, const Job& job);

/// Writes by each pattern, each as a new generation of the whole dataset, in a file of its own;
/// after reopening each rank checks what the next rank wrote, collectively and independently, and
/// rank 0 reads everything with the default driver, as another program would.
void check_all_patterns(const Job& job, const char* word);

/// Rank 0 opens the file without MPI and compares the whole dataset; the others wait.
void check_serially(const std::string& name, const std::vector<hsize_t>& dims, int generation);

}  // namespace par

#endif
