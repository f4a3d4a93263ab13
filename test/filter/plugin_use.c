/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Writes or reads a dataset through one filter (room: test/filter). Compiled against libpcio, and by
 * plugins.sh against libhdf5 too: each reads what the other wrote.
 *
 *   plugin_use write FILE FILTER [VALUE...]
 *   plugin_use read FILE
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 40
#define COLUMNS 60
#define OK(call)                                                \
  do {                                                          \
    if ((call) < 0) {                                           \
      fprintf(stderr, "%s failed, line %d\n", #call, __LINE__); \
      exit(1);                                                  \
    }                                                           \
  } while (0)

static void fill(double *data) {
  for (int i = 0; i < ROWS * COLUMNS; ++i) data[i] = (double)(i / 7) * 0.5;
}

static void write_file(const char *name, H5Z_filter_t filter, size_t n, const unsigned *values) {
  const hsize_t dims[2] = {ROWS, COLUMNS}, chunk[2] = {16, 24};
  static double data[ROWS * COLUMNS];
  hid_t file, list, space, set, made;
  hsize_t stored;
  unsigned got[64], flags;
  size_t count = 64;
  char text[64];
  fill(data);
  OK(file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  OK(list = H5Pcreate(H5P_DATASET_CREATE));
  OK(H5Pset_chunk(list, 2, chunk));
  OK(H5Pset_filter(list, filter, H5Z_FLAG_MANDATORY, n, values));
  OK(space = H5Screate_simple(2, dims, NULL));
  OK(set = H5Dcreate2(file, "d", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  OK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  OK(H5Dflush(set));
  stored = H5Dget_storage_size(set);
  OK(made = H5Dget_create_plist(set));
  OK(H5Pget_filter2(made, 0, &flags, &count, got, sizeof text, text, NULL));
  printf("filter %d, %zu parameters:", filter, count);
  for (size_t i = 0; i < count; ++i) printf(" %u", got[i]);
  printf("\n");
  /* A filter that did nothing would show nothing. */
  if (stored >= ROWS * COLUMNS * sizeof(double)) {
    fprintf(stderr, "%llu bytes stored\n", (unsigned long long)stored);
    exit(1);
  }
  OK(H5Pclose(made));
  OK(H5Dclose(set));
  OK(H5Sclose(space));
  OK(H5Pclose(list));
  OK(H5Fclose(file));
}

static void read_file(const char *name) {
  static double data[ROWS * COLUMNS], wanted[ROWS * COLUMNS];
  hid_t file, set;
  fill(wanted);
  OK(file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT));
  OK(set = H5Dopen2(file, "d", H5P_DEFAULT));
  OK(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  if (memcmp(data, wanted, sizeof data) != 0) {
    fprintf(stderr, "%s: other data than were written\n", name);
    exit(1);
  }
  OK(H5Dclose(set));
  OK(H5Fclose(file));
}

int main(int argc, char **argv) {
  unsigned values[16];
  size_t n = 0;
  if (argc == 3 && strcmp(argv[1], "read") == 0) {
    read_file(argv[2]);
    return 0;
  }
  if (argc < 4 || argc > 20 || strcmp(argv[1], "write") != 0) return 2;
  for (int i = 4; i < argc; ++i) values[n++] = (unsigned)strtoul(argv[i], NULL, 10);
  write_file(argv[2], (H5Z_filter_t)atoi(argv[3]), n, values);
  return 0;
}
