/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A parallel program as others have them, compiled against libhdf5 (room: test/dropin): each rank writes its rows
 * collectively, reads them by itself and compares. With a second word it ends with that status.
 *
 *   ranks FILE [STATUS]
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROW 8
#define OK(call)                                                \
  do {                                                          \
    if ((call) < 0) {                                           \
      fprintf(stderr, "%s failed, line %d\n", #call, __LINE__); \
      MPI_Abort(MPI_COMM_WORLD, 1);                             \
    }                                                           \
  } while (0)

int main(int argc, char **argv) {
  int rank, ranks, data[ROW], back[ROW], wrong = 0;
  hid_t access, file, space, memory, set, list;
  hsize_t dims[2], start[2], count[2] = {1, ROW};
  unsigned major, minor, release;
  MPI_Init(&argc, &argv);
  if (argc < 2) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  OK(H5get_libversion(&major, &minor, &release));
  if (rank == 0) printf("%u.%u.%u\n", major, minor, release);
  dims[0] = (hsize_t)ranks;
  dims[1] = ROW;
  start[0] = (hsize_t)rank;
  start[1] = 0;
  for (int i = 0; i < ROW; ++i) data[i] = 100 * rank + i;
  OK(access = H5Pcreate(H5P_FILE_ACCESS));
  OK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  OK(file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access));
  OK(space = H5Screate_simple(2, dims, NULL));
  OK(memory = H5Screate_simple(2, count, NULL));
  OK(set = H5Dcreate2(file, "rows", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  OK(list = H5Pcreate(H5P_DATASET_XFER));
  OK(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE));
  OK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, data));
  OK(H5Dread(set, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, back));
  for (int i = 0; i < ROW; ++i) wrong += back[i] != data[i];
  OK(H5Pclose(list));
  OK(H5Sclose(memory));
  OK(H5Sclose(space));
  OK(H5Dclose(set));
  OK(H5Pclose(access));
  OK(H5Fclose(file));
  MPI_Finalize();
  if (wrong != 0) return 1;
  return argc > 2 ? atoi(argv[2]) : 0;
}
