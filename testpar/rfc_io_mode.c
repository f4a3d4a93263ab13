/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The first example of RFC "Actual I/O Mode" (2013): of three processes one reports collective I/O,
 * one mixed, one independent. Room: testpar, public headers only.
 *
 * The RFC's pseudo code asks for the at-once optimization and expects to be told of multi-chunk
 * I/O; at once is what is reported. Names are spelt as in the headers. More than three processes:
 * the first three run it; fewer: skipped.
 */
#undef NDEBUG
#include <assert.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#define CHUNK 10

static void file_name(MPI_Comm comm, char* name, size_t size) {
  const char* folder = getenv("PCIO_TEST_TMP");
  long number = (long)(MPI_Wtime() * 1e6) % 1000000000L;
  MPI_Bcast(&number, 1, MPI_LONG, 0, comm);
  snprintf(name, size, "%s/rfc_io_mode.%ld.h5", folder != NULL ? folder : ".", number);
}

/* Returns 77 where this MPI library's derived types do not work, and nothing is done collectively.
 */
static int run(MPI_Comm comm, int mpi_rank) {
  H5D_mpio_actual_chunk_opt_mode_t actual_chunk_opt_mode;
  H5D_mpio_actual_io_mode_t actual_io_mode;
  const hsize_t dims[1] = {3 * CHUNK}, chunk[1] = {CHUNK};
  hsize_t start[1] = {0}, count[1] = {CHUNK / 2};
  int buffer[2 * CHUNK];
  char name[512];
  hid_t fapl, file, space, dcpl, dataset, file_space, mem_space, dxpl;
  uint32_t local_cause, global_cause;
  int i, skipped;

  file_name(comm, name, sizeof name);
  fapl = H5Pcreate(H5P_FILE_ACCESS);
  assert(H5Pset_fapl_mpio(fapl, comm, MPI_INFO_NULL) >= 0);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  assert(file >= 0);
  space = H5Screate_simple(1, dims, NULL);
  dcpl = H5Pcreate(H5P_DATASET_CREATE);
  assert(H5Pset_chunk(dcpl, 1, chunk) >= 0);
  dataset = H5Dcreate2(file, "data", H5T_NATIVE_INT, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
  assert(dataset >= 0);

  if (mpi_rank == 1) { /* the second half of chunk 0, and chunk 1 */
    start[0] = CHUNK / 2;
    count[0] = CHUNK / 2 + CHUNK;
  } else if (mpi_rank == 2) { /* in chunk 2 */
    start[0] = 2 * CHUNK;
  } /* rank 0: the first half of chunk 0 */
  file_space = H5Dget_space(dataset);
  assert(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);
  mem_space = H5Screate_simple(1, count, NULL);
  for (i = 0; i < 2 * CHUNK; ++i) buffer[i] = 100 * mpi_rank + i;

  dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);
  /* An optimization that uses the ratio threshold ... */
  H5Pset_dxpl_mpio_chunk_opt(dxpl, H5FD_MPIO_COLL_CHUNK_ATONCE_IO);
  /* ... which is: more than 40 % of the processes select a chunk that is accessed collectively. */
  H5Pset_dxpl_mpio_chunk_opt_ratio(dxpl, 40);

  assert(H5Dwrite(dataset, H5T_NATIVE_INT, mem_space, file_space, dxpl, buffer) >= 0);

  H5Pget_mpio_actual_io_mode(dxpl, &actual_io_mode);
  H5Pget_mpio_actual_chunk_opt_mode(dxpl, &actual_chunk_opt_mode);
  H5Pget_mpio_no_collective_cause(dxpl, &local_cause, &global_cause);
  skipped = global_cause == H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED;
  if (skipped) {
    assert(actual_io_mode == H5D_MPIO_NO_COLLECTIVE);
  } else {
    assert(actual_chunk_opt_mode == H5D_MPIO_COLL_CHUNK_ATONCE);
    if (mpi_rank == 0) {
      assert(actual_io_mode == H5D_MPIO_CHUNK_COLLECTIVE);
    } else if (mpi_rank == 1) {
      assert(actual_io_mode == H5D_MPIO_CHUNK_MIXED);
    } else if (mpi_rank == 2) {
      assert(actual_io_mode == H5D_MPIO_CHUNK_INDEPENDENT);
    }
  }

  H5Pclose(dxpl);
  H5Sclose(mem_space);
  H5Sclose(file_space);
  H5Dclose(dataset);
  H5Pclose(dcpl);
  H5Sclose(space);
  assert(H5Fclose(file) >= 0);
  H5Pclose(fapl);
  MPI_Barrier(comm);
  if (mpi_rank == 0) remove(name);
  return skipped ? 77 : 0;
}

int main(int argc, char** argv) {
  int mpi_rank, mpi_size, status = 0;
  MPI_Comm three;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_size);
  if (getenv("PCIO_TEST_NP") != NULL) assert(atoi(getenv("PCIO_TEST_NP")) == mpi_size);
  if (mpi_size < 3) {
    if (mpi_rank == 0) puts("SKIP: the example is of three ranks");
    MPI_Finalize();
    return 77;
  }
  MPI_Comm_split(MPI_COMM_WORLD, mpi_rank < 3 ? 0 : MPI_UNDEFINED, mpi_rank, &three);
  if (mpi_rank < 3) {
    status = run(three, mpi_rank);
    MPI_Comm_free(&three);
  }
  MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (status == 77 && mpi_rank == 0)
    puts("SKIP: this MPI library's derived types do not work: nothing is done collectively");
  MPI_Finalize();
  return status;
}
