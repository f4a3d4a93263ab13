/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Strings of variable length beside the same bytes as fixed strings.
 *
 *   mpirun -n 4 strings write FILE [-n strings] [-r repetitions] [-c 0]   collectively, both kinds
 *   strings read FILE [-r repetitions]                             on one rank, without MPI-IO
 *   strings make FILE [-n strings]                                 on one rank, the variable ones only
 *
 * With -c 0 a new dataset is written at once; else it is flushed before. What is flushed has references that
 * the file keeps after a crash, so that libpcio syncs the heaps before it overwrites them; fixed strings need
 * no sync, and have none.
 *
 * Strings have 10 to 100 characters. Needs nothing newer than HDF5 1.10 and MPI, so one source serves for
 * libpcio and libhdf5; libhdf5 can't write variable-length data in parallel. One line for each kind: seconds of
 * H5Dwrite or H5Dread (slowest rank, least of the repetitions), bytes that the file has for it, heaps included,
 * and the speed of those. What is read is compared.
 */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CK(e)                                                         \
  do {                                                                \
    if ((e) < 0) {                                                    \
      fprintf(stderr, "strings: line %d: %s failed\n", __LINE__, #e); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                   \
    }                                                                 \
  } while (0)

enum { SHORTEST = 10, LONGEST = 100, FIXED = 55 }; /* 55: the mean */

static int me, ranks;
static hsize_t count = 1000000;
static int repetitions = 3;
static int committed = 1; /* the dataset is, before it is written */

static size_t length_of(hsize_t i) {
  return SHORTEST + (size_t)((i * 2654435761u) % (LONGEST - SHORTEST + 1));
}

/* Characters that say which string it is. */
static void fill(char *text, hsize_t i, size_t length) {
  size_t k;
  for (k = 0; k < length; ++k) text[k] = (char)('a' + (i + k) % 26);
}

static double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

static void tell(const char *what, double seconds, double bytes) {
  if (me == 0)
    printf("%-16s %d ranks, %llu strings: %.4f s, %.0f bytes in the file, %.0f MB/s\n", what, ranks,
           (unsigned long long)count, seconds, bytes, bytes / seconds / 1e6);
}

static hid_t text_type(void) {
  hid_t type = H5Tcopy(H5T_C_S1);
  CK(H5Tset_size(type, H5T_VARIABLE));
  return type;
}

static double bytes_of(hid_t file) {
  hsize_t size = 0;
  CK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  CK(H5Fget_filesize(file, &size));
  return (double)size;
}

/* This rank's stretch of all. */
struct part {
  hsize_t first, n;
  hid_t memory, space, list;
};

static struct part my_part(int parallel) {
  struct part part;
  part.first = count * (hsize_t)me / (hsize_t)ranks;
  part.n = count * (hsize_t)(me + 1) / (hsize_t)ranks - part.first;
  part.memory = H5Screate_simple(1, &part.n, NULL);
  part.space = H5Screate_simple(1, &count, NULL);
  part.list = H5Pcreate(H5P_DATASET_XFER);
  CK(H5Sselect_hyperslab(part.space, H5S_SELECT_SET, &part.first, NULL, &part.n, NULL));
  if (parallel) CK(H5Pset_dxpl_mpio(part.list, H5FD_MPIO_COLLECTIVE));
  return part;
}

static void close_part(struct part *part) {
  H5Sclose(part->memory);
  H5Sclose(part->space);
  H5Pclose(part->list);
}

/* One file with one dataset; the seconds of its H5Dwrite, and the bytes that it took. */
static double write_once(const char *path, hid_t type, const void *data, int parallel,
                         double *bytes) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, set;
  struct part part = my_part(parallel);
  double seconds;
  if (parallel) CK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  CK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CK(set = H5Dcreate2(file, "s", type, part.space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (committed) CK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  MPI_Barrier(MPI_COMM_WORLD);
  seconds = MPI_Wtime();
  CK(H5Dwrite(set, type, part.memory, part.space, part.list, data));
  seconds = slowest(MPI_Wtime() - seconds);
  CK(H5Dclose(set));
  *bytes = bytes_of(file);
  CK(H5Fclose(file));
  H5Pclose(access);
  close_part(&part);
  return seconds;
}

static void write_all(const char *path, int parallel, int both) {
  struct part part = my_part(parallel);
  char *fixed = malloc((size_t)part.n * FIXED), *variable = malloc((size_t)part.n * (LONGEST + 1));
  const char **texts = malloc((size_t)part.n * sizeof *texts);
  hid_t fixed_type = H5Tcopy(H5T_C_S1), type = text_type();
  double least[2] = {1e9, 1e9}, bytes[2] = {0, 0};
  hsize_t i;
  int r;
  CK(H5Tset_size(fixed_type, FIXED));
  for (i = 0; i < part.n; ++i) {
    char *text = variable + i * (LONGEST + 1);
    fill(fixed + i * FIXED, part.first + i, FIXED);
    fill(text, part.first + i, length_of(part.first + i));
    text[length_of(part.first + i)] = 0;
    texts[i] = text;
  }
  for (r = 0; r < repetitions; ++r) {
    double seconds;
    if (both) {
      seconds = write_once(path, fixed_type, fixed, parallel, &bytes[0]);
      if (seconds < least[0]) least[0] = seconds;
    }
    seconds = write_once(path, type, texts, parallel, &bytes[1]);
    if (seconds < least[1]) least[1] = seconds;
  }
  if (both) tell("write fixed", least[0], bytes[0]);
  tell("write variable", least[1], bytes[1]);
  H5Tclose(type);
  H5Tclose(fixed_type);
  free(fixed);
  free(variable);
  free(texts);
  close_part(&part);
}

static void read_all(const char *path) {
  hid_t type = text_type();
  double least = 1e9, bytes = 0;
  int r;
  for (r = 0; r < repetitions; ++r) {
    hid_t file, set, space;
    char **texts;
    char wanted[LONGEST + 1];
    double seconds;
    hsize_t i, size = 0;
    CK(file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
    CK(set = H5Dopen2(file, "s", H5P_DEFAULT));
    CK(space = H5Dget_space(set));
    count = (hsize_t)H5Sget_simple_extent_npoints(space);
    texts = calloc((size_t)count, sizeof *texts);
    seconds = MPI_Wtime();
    CK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts));
    seconds = MPI_Wtime() - seconds;
    if (seconds < least) least = seconds;
    for (i = 0; i < count; ++i) {
      const size_t length = length_of(i);
      fill(wanted, i, length);
      wanted[length] = 0;
      if (texts[i] == NULL || strcmp(texts[i], wanted) != 0) {
        fprintf(stderr, "strings: number %llu is another one\n", (unsigned long long)i);
        MPI_Abort(MPI_COMM_WORLD, 1);
      }
      free(texts[i]);
    }
    free(texts);
    CK(H5Fget_filesize(file, &size));
    bytes = (double)size;
    H5Sclose(space);
    H5Dclose(set);
    CK(H5Fclose(file));
  }
  tell("read variable", least, bytes);
  H5Tclose(type);
}

int main(int argc, char **argv) {
  int i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 3; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "-n") == 0) count = (hsize_t)strtoull(argv[i + 1], NULL, 10);
    if (strcmp(argv[i], "-r") == 0) repetitions = atoi(argv[i + 1]);
    if (strcmp(argv[i], "-c") == 0) committed = atoi(argv[i + 1]);
  }
  if (argc < 3) {
    if (me == 0)
      fprintf(stderr, "usage: strings write|read|make FILE [-n strings] [-r repetitions] [-c 0]\n");
  } else if (strcmp(argv[1], "write") == 0) {
    write_all(argv[2], 1, 1);
  } else if (strcmp(argv[1], "make") == 0) {
    write_all(argv[2], 0, 0);
  } else {
    read_all(argv[2]);
  }
  MPI_Finalize();
  return 0;
}
