/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The second example of RFC "Actual I/O Mode" (2013): why a write was not collective. Room:
 * testpar, public headers only.
 *
 * A file is opened with the MPI-POSIX driver and a collective write is asked for; the cause is that
 * driver. Names are spelt as in the headers.
 */
#undef NDEBUG
#include <assert.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define ROWS 8
#define COLUMNS 5

static void file_name(char* name, size_t size) {
  const char* folder = getenv("PCIO_TEST_TMP");
  long number = (long)(MPI_Wtime() * 1e6) % 1000000000L;
  MPI_Bcast(&number, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  snprintf(name, size, "%s/rfc_cause.%ld.h5", folder != NULL ? folder : ".", number);
}

int main(int argc, char** argv) {
  uint32_t local_no_collective_cause, global_no_collective_cause;
  int mpi_rank, mpi_size, i;
  int buffer[ROWS * COLUMNS];
  hsize_t dims[2] = {ROWS, COLUMNS}, start[2] = {0, 0};
  const hsize_t count[2] = {ROWS, COLUMNS};
  char name[512];
  hid_t fapl, file, space, dataset, file_space, mem_space, dxpl;

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_size);
  if (getenv("PCIO_TEST_NP") != NULL) assert(atoi(getenv("PCIO_TEST_NP")) == mpi_size);
  file_name(name, sizeof name);

  fapl = H5Pcreate(H5P_FILE_ACCESS);
  assert(H5Pset_fapl_mpiposix(fapl, MPI_COMM_WORLD, 0) >= 0);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  assert(file >= 0);
  dims[0] = (hsize_t)mpi_size * ROWS;
  space = H5Screate_simple(2, dims, NULL);
  dataset = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  assert(dataset >= 0);

  /* The dataset is divided equally among the processes. */
  start[0] = (hsize_t)mpi_rank * ROWS;
  file_space = H5Dget_space(dataset);
  assert(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
  mem_space = H5Screate_simple(2, count, NULL);
  for (i = 0; i < ROWS * COLUMNS; ++i) buffer[i] = 1000 * mpi_rank + i;

  dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
  assert(H5Dwrite(dataset, H5T_NATIVE_INT, mem_space, file_space, dxpl, buffer) >= 0);

  H5Pget_mpio_no_collective_cause(dxpl, &local_no_collective_cause, &global_no_collective_cause);
  assert(local_no_collective_cause == H5D_MPIO_SET_MPIPOSIX);
  assert(global_no_collective_cause == H5D_MPIO_SET_MPIPOSIX);

  H5Pclose(dxpl);
  H5Sclose(mem_space);
  H5Sclose(file_space);
  H5Dclose(dataset);
  H5Sclose(space);
  assert(H5Fclose(file) >= 0);
  H5Pclose(fapl);
  MPI_Barrier(MPI_COMM_WORLD);
  if (mpi_rank == 0) remove(name);
  MPI_Finalize();
  return 0;
}
