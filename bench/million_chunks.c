/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A million chunks written by all ranks in one collective call, beside the same bytes by pwrite.
 *
 *   mpirun -n 4 million_chunks [-n chunks] [-e elements of a chunk] [-d folder] [-r repetitions]
 *                              [-2] [-s] [-L]
 *
 *   -2  two dimensions: chunks of 8 x (e / 8) elements, each rank a band of rows
 *   -s  every fourth chunk only, in one dimension (each rank writes its own)
 *   -L  latest format
 *
 * Needs nothing newer than HDF5 1.10 and MPI, so one source serves for libpcio and libhdf5. Prints one
 * line: seconds of the write (slowest rank), seconds of the floor (the same bytes per rank, in
 * pieces of 4 MiB), what is above it for each chunk in microseconds, and the memory above the
 * buffer for each chunk that a rank touches, in bytes (largest over the ranks). The data are read
 * back and compared.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CK(e)                                                                \
  do {                                                                       \
    if ((e) < 0) {                                                           \
      fprintf(stderr, "million_chunks: line %d: %s failed\n", __LINE__, #e); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                          \
    }                                                                        \
  } while (0)

static int me, ranks;

static double memory_mib(const char *key) {
  char line[256];
  double value = 0;
  FILE *f = fopen("/proc/self/status", "r");
  if (!f) return 0;
  while (fgets(line, sizeof line, f))
    if (!strncmp(line, key, strlen(key))) value = atof(line + strlen(key) + 1) / 1024;
  fclose(f);
  return value;
}

static void forget_peak(void) {
  int fd = open("/proc/self/clear_refs", O_WRONLY);
  if (fd >= 0 && write(fd, "5", 1) < 0) perror("clear_refs");
  if (fd >= 0) close(fd);
}

static double largest(double value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return value;
}

static double floor_seconds(const char *path, const double *data, size_t bytes) {
  double start;
  size_t at = 0;
  int fd = me == 0 ? open(path, O_CREAT | O_TRUNC | O_RDWR, 0644) : -1;
  MPI_Barrier(MPI_COMM_WORLD);
  if (me != 0) fd = open(path, O_RDWR);
  CK(fd);
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  while (at < bytes) {
    const size_t piece = bytes - at < (4u << 20) ? bytes - at : (4u << 20);
    const ssize_t n = pwrite(fd, (const char *)data + at, piece, (off_t)((size_t)me * bytes + at));
    CK(n);
    at += (size_t)n;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime() - start;
  close(fd);
  MPI_Barrier(MPI_COMM_WORLD);
  if (me == 0) unlink(path);
  return largest(start);
}

int main(int argc, char **argv) {
  long chunks = 1000000, elements = 64, repetitions = 3, r;
  int option, two = 0, sparse = 0, latest = 0;
  const char *folder = ".";
  char path[4096];
  while ((option = getopt(argc, argv, "n:e:d:r:2sL")) != -1) switch (option) {
      case 'n': chunks = atol(optarg); break;
      case 'e': elements = atol(optarg); break;
      case 'd': folder = optarg; break;
      case 'r': repetitions = atol(optarg); break;
      case '2': two = 1; break;
      case 's': sparse = 1; break;
      case 'L': latest = 1; break;
      default: return 2;
    }
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s/million_chunks.h5", folder);

  /* The grid: two dimensions are 1000 chunks wide; every rank has as many rows. */
  const hsize_t wide = two ? 1000 : 1, each = (hsize_t)chunks / wide / (hsize_t)ranks;
  const hsize_t mine = each * wide, step = sparse ? 4 : 1;
  const hsize_t c0 = two ? 8 : (hsize_t)elements, c1 = two ? (hsize_t)elements / 8 : 1;
  const int nd = two ? 2 : 1;
  hsize_t dims[2] = {each * (hsize_t)ranks * step * c0, wide * c1}, chunk[2] = {c0, c1};
  hsize_t start[2], stride[2], count[2], block[2], memory[2];
  const size_t n = (size_t)mine * (size_t)c0 * (size_t)c1;
  double *data = malloc(n * sizeof *data), best = 1e99, best_floor = 1e99, peak = 0, base;
  size_t i, bad = 0;
  for (i = 0; i < n; ++i) data[i] = (double)(i + 1) + 1e9 * me;
  start[0] = sparse ? (hsize_t)me * c0 : (hsize_t)me * each * c0;
  stride[0] = sparse ? (hsize_t)ranks * c0 : each * c0;
  count[0] = sparse ? each : 1;
  block[0] = sparse ? c0 : each * c0;
  if (sparse) dims[0] = each * (hsize_t)ranks * step * c0, stride[0] = 4 * (hsize_t)ranks * c0;
  start[1] = 0, stride[1] = count[1] = 1, block[1] = dims[1];
  memory[0] = two ? each * c0 : n, memory[1] = dims[1];

  for (r = 0; r < repetitions; ++r) {
    hid_t access, create, transfer, file, space, mspace, dataset;
    double seconds;
    const double floor = floor_seconds(path, data, n * sizeof *data);
    if (floor < best_floor) best_floor = floor;
    CK(access = H5Pcreate(H5P_FILE_ACCESS));
    CK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
    if (latest) CK(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    CK(create = H5Pcreate(H5P_DATASET_CREATE));
    CK(H5Pset_chunk(create, nd, chunk));
    CK(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER));
    CK(transfer = H5Pcreate(H5P_DATASET_XFER));
    CK(H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE));
    CK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
    CK(space = H5Screate_simple(nd, dims, NULL));
    CK(mspace = H5Screate_simple(nd, memory, NULL));
    CK(dataset = H5Dcreate2(file, "x", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, H5P_DEFAULT));
    CK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block));
    base = memory_mib("VmRSS");
    forget_peak();
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    CK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, mspace, space, transfer, data));
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = largest(MPI_Wtime() - seconds);
    if (seconds < best) best = seconds;
    base = largest(memory_mib("VmHWM") - base);
    if (base > peak) peak = base;
    if (r == 0) {
      double *again = calloc(n, sizeof *again);
      CK(H5Dread(dataset, H5T_NATIVE_DOUBLE, mspace, space, transfer, again));
      for (i = 0; i < n; ++i) bad += again[i] != data[i];
      free(again);
    }
    CK(H5Dclose(dataset));
    CK(H5Sclose(mspace));
    CK(H5Sclose(space));
    CK(H5Fclose(file));
    CK(H5Pclose(transfer));
    CK(H5Pclose(create));
    CK(H5Pclose(access));
    if (me == 0) unlink(path);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  bad = (size_t)largest((double)bad);
  if (me == 0)
    printf(
        "ranks=%d chunks=%lu bytes_of_chunk=%lu seconds=%.4f floor=%.4f above_us_per_chunk=%.4f "
        "memory_bytes_per_chunk=%.1f wrong=%lu\n",
        ranks, (unsigned long)(mine * (hsize_t)ranks), (unsigned long)(c0 * c1 * 8), best,
        best_floor, (best - best_floor) / (double)(mine * (hsize_t)ranks) * 1e6,
        peak * 1048576 / (double)mine, (unsigned long)bad);
  free(data);
  MPI_Finalize();
  return bad != 0;
}
