/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Reads a file while libhdf5 is its single writer. Room: test/oracle, public C API only.
 *
 *   swmr_reader FILE ROWS     dataset d grows to ROWS rows; row i holds 7 i + column
 *
 * Prints how many times it looked, and in how many of them something had come. */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COLUMNS 3
#define LOOKS 200000

static hid_t open_beside(const char *name) {
  int i;
  for (i = 0; i < 2000; ++i) {
    hid_t file;
    H5E_BEGIN_TRY { file = H5Fopen(name, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT); }
    H5E_END_TRY
    if (file >= 0) return file;
    usleep(10000);
  }
  return H5Fopen(name, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, H5P_DEFAULT);
}

/* Rows of the extent, or -1: one of them holds what was never written. */
static long long look(hid_t set, int *values) {
  hsize_t dims[2] = {0, 0}, i, j;
  hid_t space;
  if (H5Drefresh(set) < 0) return -1;
  space = H5Dget_space(set);
  H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  if (H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) return -1;
  for (i = 0; i < dims[0]; ++i)
    for (j = 0; j < COLUMNS; ++j)
      /* The extent may be known before what was written into its last rows. */
      if (values[i * COLUMNS + j] != (int)(7 * i + j) && values[i * COLUMNS + j] != 0) {
        fprintf(stderr, "row %d column %d: %d\n", (int)i, (int)j, values[i * COLUMNS + j]);
        return -1;
      }
  return dims[0] > 1 && values[(dims[0] - 1) * COLUMNS] == 0 ? (long long)dims[0] - 1
                                                             : (long long)dims[0];
}

int main(int argc, char **argv) {
  long long rows, have = 0, now, looks = 0, news = 0;
  unsigned intent = 0;
  int *values;
  hid_t file, set;
  if (argc != 3) return 2;
  rows = atoll(argv[2]);
  values = calloc((size_t)(rows + 1) * COLUMNS, sizeof *values);
  file = open_beside(argv[1]);
  if (file < 0 || H5Fget_intent(file, &intent) < 0 ||
      intent != (H5F_ACC_RDONLY | H5F_ACC_SWMR_READ))
    return 1;
  set = H5Dopen2(file, "d", H5P_DEFAULT);
  if (set < 0) return 1;
  while (have < rows && looks < LOOKS) {
    now = look(set, values);
    if (now < have) {
      fprintf(stderr, "%lld rows after %lld\n", now, have);
      return 1;
    }
    news += now > have, ++looks, have = now;
  }
  printf("looks %lld news %lld rows %lld\n", looks, news, have);
  H5Dclose(set);
  H5Fclose(file);
  free(values);
  return have == rows ? 0 : 1;
}
