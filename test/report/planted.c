/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * planted MISTAKE FILE [TIMES [mended]]: writes a file, so many times, with one of the mistakes that make output slow, or
 * without it. Under mpirun; what pcioreport says of its log is compared with what was planted (test/report/advice.sh), and
 * what it expects with what mending it brings (bench/gains).
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kRows = 1024, kColumns = 1024 };

static int rank, ranks;

/* ---- what all of them do ---- */

static hid_t transfer_list(H5FD_mpio_xfer_t mode) {
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(list, mode);
  return list;
}

static double* numbers(hsize_t count) {
  double* values = malloc(count * sizeof *values);
  if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (hsize_t i = 0; i < count; ++i) values[i] = rank + 0.001 * (double)i;
  return values;
}

static hid_t make(hid_t file, hid_t type, hsize_t rows, hsize_t columns, hid_t how) {
  hsize_t dims[2] = {rows, columns};
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t made = H5Dcreate2(file, "field", type, space, H5P_DEFAULT, how, H5P_DEFAULT);
  H5Sclose(space);
  return made;
}

static hid_t chunked(hsize_t rows, hsize_t columns) {
  hsize_t chunk[2] = {rows, columns};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 2, chunk);
  return list;
}

typedef struct {
  hsize_t start[2], stride[2], count[2];
} Part;

static herr_t put(hid_t data, Part part, hid_t list, const double* values) {
  hid_t space = H5Dget_space(data);
  hid_t memory = H5Screate_simple(2, part.count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, part.start, part.stride, part.count, NULL);
  herr_t wrote = H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, list, values);
  H5Sclose(memory);
  H5Sclose(space);
  return wrote;
}

/* This rank's share of so many rows, in one block. */
static Part band(hsize_t rows, hsize_t columns) {
  hsize_t each = rows / (hsize_t)ranks;
  Part part = {{each * (hsize_t)rank, 0}, {1, 1}, {each, columns}};
  return part;
}

static herr_t finish(hid_t data, hid_t how, hid_t list, double* values) {
  free(values);
  return H5Dclose(data) | H5Pclose(how) | H5Pclose(list);
}

static hsize_t size_of(Part part) { return part.count[0] * part.count[1]; }

/* ---- the mistakes ---- */

/* Each rank has every so-manieth column, and writes its elements by itself. */
static herr_t independent(hid_t file, int mended) {
  hid_t how = H5Pcreate(H5P_DATASET_CREATE);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, kRows / 2, kColumns, how);
  hid_t list = transfer_list(mended ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT);
  Part part = {{0, (hsize_t)rank}, {1, (hsize_t)ranks}, {kRows / 2, kColumns / (hsize_t)ranks}};
  double* values = numbers(size_of(part));
  herr_t wrote = put(data, part, list, values);
  return wrote | finish(data, how, list, values);
}

static herr_t chunks(hid_t file, int mended) {
  hid_t how = mended ? chunked(kRows / 4, kColumns / 2) : chunked(4, 4);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, kRows, kColumns, how);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  Part part = band(kRows, kColumns);
  double* values = numbers(size_of(part));
  herr_t wrote = 0;
  for (int i = 0; i < 4; ++i) wrote |= put(data, part, list, values);
  return wrote | finish(data, how, list, values);
}

/* Samples of an instrument with 24 bits, stored as such. */
static hid_t samples(void) {
  hid_t type = H5Tcopy(H5T_STD_I32BE);
  H5Tset_precision(type, 24);
  H5Tset_size(type, 3);
  return type;
}

static herr_t conversion(hid_t file, int mended) {
  hsize_t each = 1 << 19, start = each * (hsize_t)rank, all = each * (hsize_t)ranks;
  hid_t type = mended ? H5Tcopy(H5T_NATIVE_INT) : samples();
  hid_t space = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &each, NULL);
  hid_t data = H5Dcreate2(file, "samples", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  int* values = calloc(each, sizeof *values);
  if (values == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  herr_t wrote = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &each, NULL);
  for (int i = 0; i < 3; ++i) wrote |= H5Dwrite(data, H5T_NATIVE_INT, memory, space, list, values);
  free(values);
  return wrote | H5Dclose(data) | H5Pclose(list) | H5Sclose(space) | H5Sclose(memory) |
         H5Tclose(type);
}

/* All of the dataset is written, once with a value that nobody wants and once with the data. */
static herr_t fill(hid_t file, int mended) {
  double missing = -1;
  hid_t how = chunked(kRows / 4, kColumns);
  H5Pset_fill_value(how, H5T_NATIVE_DOUBLE, &missing);
  if (mended) H5Pset_fill_time(how, H5D_FILL_TIME_NEVER);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, 16 * kRows, kColumns, how);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  Part part = band(kRows, kColumns); /* the first time step of many */
  double* values = numbers(size_of(part));
  herr_t wrote = put(data, part, list, values);
  return wrote | finish(data, how, list, values);
}

/* Ranks have columns, chunks have rows: each chunk is all ranks'. */
static herr_t straddle(hid_t file, int mended, int filtered) {
  hid_t how = mended ? chunked(kRows, kColumns / (hsize_t)ranks) : chunked(64, kColumns);
  if (filtered) H5Pset_fletcher32(how);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, kRows, kColumns, how);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  Part part = {
      {0, kColumns / (hsize_t)ranks * (hsize_t)rank}, {1, 1}, {kRows, kColumns / (hsize_t)ranks}};
  double* values = numbers(size_of(part));
  herr_t wrote = 0;
  for (int i = 0; i < 8; ++i) wrote |= put(data, part, list, values);
  return wrote | finish(data, how, list, values);
}

static herr_t straddle_plain(hid_t file, int mended) { return straddle(file, mended, 0); }
static herr_t straddle_filtered(hid_t file, int mended) { return straddle(file, mended, 1); }

/* So much work, which takes so long. */
static void work(int units) {
  struct timespec time = {0, units * 10000000L};
  nanosleep(&time, NULL);
}

/* All of it on rank 0, which begins when the others have come as far as the transfer: it is last, whatever the machine does. */
static void work_of_a_step(int mended) {
  if (mended) {
    work(1);
  } else if (rank == 0) {
    for (int i = 1; i < ranks; ++i)
      MPI_Recv(NULL, 0, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work(ranks);
  } else {
    MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
}

static herr_t busy(hid_t file, int mended) {
  hid_t how = chunked(kRows / 4, kColumns);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, kRows, kColumns, how);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  Part part = band(kRows, kColumns);
  double* values = numbers(size_of(part));
  herr_t wrote = 0;
  for (int i = 0; i < 12; ++i) {
    work_of_a_step(mended);
    wrote |= put(data, part, list, values);
  }
  return wrote | finish(data, how, list, values);
}

static herr_t rows(hid_t file, int mended) {
  hid_t how = chunked(kRows / 8, kColumns);
  hid_t data = make(file, H5T_NATIVE_DOUBLE, kRows / 2, kColumns, how);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  Part part = band(kRows / 2, kColumns);
  double* values = numbers(size_of(part));
  herr_t wrote = 0;
  Part one = part;
  one.count[0] = 1;
  if (mended) wrote = put(data, part, list, values);
  for (hsize_t i = 0; !mended && i < part.count[0]; ++i, ++one.start[0])
    wrote |= put(data, one, list, values + i * kColumns);
  return wrote | finish(data, how, list, values);
}

/* A series that grows by a row for each step, or by many rows at a time. */
static herr_t appends(hid_t file, int mended) {
  const hsize_t all = 128, step = mended ? 32 : 1;
  hsize_t dims[2] = {0, kColumns}, most[2] = {H5S_UNLIMITED, kColumns};
  hid_t how = chunked(128, kColumns / 4);
  hid_t space = H5Screate_simple(2, dims, most);
  hid_t data = H5Dcreate2(file, "series", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  hid_t list = transfer_list(H5FD_MPIO_COLLECTIVE);
  hsize_t columns = kColumns / (hsize_t)ranks;
  double* values = numbers(step * columns);
  herr_t wrote = H5Sclose(space);
  for (hsize_t at = 0; at < all; at += step) {
    Part part = {{at, columns * (hsize_t)rank}, {1, 1}, {step, columns}};
    dims[0] = at + step;
    wrote |= H5Dset_extent(data, dims);
    wrote |= put(data, part, list, values);
  }
  return wrote | finish(data, how, list, values);
}

static const struct {
  const char* name;
  herr_t (*run)(hid_t file, int mended);
} kMistakes[] = {{"independent", independent},
                 {"chunks", chunks},
                 {"conversion", conversion},
                 {"fill", fill},
                 {"straddle", straddle_plain},
                 {"straddle-filtered", straddle_filtered},
                 {"busy", busy},
                 {"rows", rows},
                 {"appends", appends}};

static herr_t write_file(herr_t (*mistake)(hid_t file, int mended), const char* path, int mended) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  herr_t done = mistake(file, mended);
  return done | H5Fclose(file) | H5Pclose(access);
}

static herr_t run(const char* name, const char* path, int times, int mended) {
  for (size_t i = 0; i < sizeof kMistakes / sizeof *kMistakes; ++i) {
    if (strcmp(name, kMistakes[i].name) != 0) continue;
    herr_t done = 0;
    for (int n = 0; n < times; ++n) done |= write_file(kMistakes[i].run, path, mended);
    return done;
  }
  fprintf(stderr, "planted: no mistake \"%s\"\n", name);
  return -1;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int times = argc > 3 ? atoi(argv[3]) : 1, mended = argc > 4 && strcmp(argv[4], "mended") == 0;
  if (argc < 3 || times < 1 || (argc > 4 && !mended)) {
    fprintf(stderr, "usage: planted MISTAKE FILE [TIMES [mended]]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double begin = MPI_Wtime();
  herr_t done = run(argv[1], argv[2], times, mended);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", MPI_Wtime() - begin);
  MPI_Finalize();
  return done < 0;
}
