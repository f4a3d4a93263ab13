/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Points and blocks of selections, chunks of datasets. */
#include "scaling.h"

static hid_t line(long n) {
  hsize_t size = (hsize_t)n;
  hid_t space = H5Screate_simple(1, &size, NULL);
  CK(space);
  return space;
}

static void points(long n) {
  hsize_t *at = malloc((size_t)n * sizeof *at);
  int *values = calloc((size_t)n, sizeof *values);
  hid_t space = line(4 * n), memory = line(n);
  for (long i = 0; i < n; ++i) at[i] = (hsize_t)(4 * (i * 7919 % n));
  CK(H5Sselect_elements(space, H5S_SELECT_SET, (size_t)n, at));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dread(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Sget_select_elem_pointlist(space, 0, (hsize_t)n, at));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(at);
  free(values);
}

static void points_appended(long n) {
  hid_t space = line(4 * n);
  for (long i = 0; i < n; ++i) {
    hsize_t at = (hsize_t)(4 * i);
    CK(H5Sselect_elements(space, i ? H5S_SELECT_APPEND : H5S_SELECT_SET, 1, &at));
  }
  CK(H5Sget_select_npoints(space));
  CK(H5Sclose(space));
}

static void blocks_united(long n) {
  hid_t space = line(4 * n), memory = line(n);
  int *values = calloc((size_t)n, sizeof *values);
  for (long i = 0; i < n; ++i) {
    hsize_t start = (hsize_t)(4 * i), count = 1;
    CK(H5Sselect_hyperslab(space, i ? H5S_SELECT_OR : H5S_SELECT_SET, &start, NULL, &count, NULL));
  }
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(values);
}

static void stripes(long n) {
  hid_t space = line(4 * n), memory = line(n);
  int *values = calloc((size_t)n, sizeof *values);
  hsize_t start = 1, stride = 4, count = (hsize_t)n;
  CK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(values);
}

static void chunks(long n) {
  hsize_t one = 2;
  hid_t space = line(2 * n), list = H5Pcreate(H5P_DATASET_CREATE);
  int *values = calloc((size_t)n, 2 * sizeof *values);
  CK(H5Pset_chunk(list, 1, &one));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  free(values);
}

static void chunks_appended(long n) {
  hsize_t zero = 0, most = H5S_UNLIMITED, one = 1;
  hid_t space = H5Screate_simple(1, &zero, &most), memory = line(1);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  int value = 5;
  CK(H5Pset_chunk(list, 1, &one));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (hsize_t i = 0; i < (hsize_t)n; ++i) {
    hsize_t size = i + 1;
    CK(H5Dset_extent(id, &size));
    hid_t now = H5Dget_space(id);
    CK(H5Sselect_hyperslab(now, H5S_SELECT_SET, &i, NULL, &one, NULL));
    CK(H5Dwrite(id, H5T_NATIVE_INT, memory, now, H5P_DEFAULT, &value));
    CK(H5Sclose(now));
  }
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
}

static void filtered_chunks(long n) {
  hsize_t one = 4;
  hid_t space = line(4 * n), list = H5Pcreate(H5P_DATASET_CREATE);
  int *values = calloc((size_t)n, 4 * sizeof *values);
  CK(H5Pset_chunk(list, 1, &one));
  CK(H5Pset_deflate(list, 1));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  free(values);
}

/* Blocks taken out of a line, and of two selections what only one has. (One block after the other would
   take a pass over all of them each time, here and in libhdf5.) */
static void blocks_combined(long n) {
  hid_t space = line(4 * n), other = line(4 * n);
  hsize_t start = 0, stride = 4, count = (hsize_t)n, block = 2, *list;
  CK(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, &start, &stride, &count, NULL));
  CK(H5Sselect_hyperslab(other, H5S_SELECT_SET, &start, &stride, &count, &block));
  CK(H5Sselect_hyperslab(other, H5S_SELECT_XOR, &start, &stride, &count, NULL));
  const hssize_t blocks = H5Sget_select_hyper_nblocks(space);
  CK(blocks);
  list = malloc(2 * (size_t)blocks * sizeof *list);
  CK(H5Sget_select_hyper_blocklist(space, 0, (hsize_t)blocks, list));
  CK(H5Sclose(space));
  CK(H5Sclose(other));
  free(list);
}

static void chunks_listed(long n) {
  hsize_t at = 0, bytes;
  haddr_t address;
  unsigned mask;
  chunks(n);
  hid_t id = H5Dopen2(file, "d", H5P_DEFAULT);
  CK(id);
  for (hsize_t i = 0; i < (hsize_t)n; ++i) {
    const hsize_t from = 2 * i;
    CK(H5Dget_chunk_info(id, H5S_ALL, i, &at, &mask, &address, &bytes));
    CK(H5Dget_chunk_info_by_coord(id, &from, &mask, &address, &bytes));
  }
  CK(H5Dclose(id));
}

static void raw_chunks(long n) {
  hsize_t one = 2;
  uint32_t mask = 0;
  int value[2] = {1, 2};
  hid_t space = line(2 * n), list = H5Pcreate(H5P_DATASET_CREATE);
  CK(H5Pset_chunk(list, 1, &one));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(id);
  for (hsize_t i = 0; i < (hsize_t)n; ++i) {
    hsize_t at = 2 * i;
    CK(H5Dwrite_chunk(id, H5P_DEFAULT, 0, &at, sizeof value, value));
    CK(H5Dread_chunk(id, H5P_DEFAULT, &at, &mask, value));
  }
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
}

const struct scaling_case data_cases[] = {
    {"points", points, 16000},
    {"points_appended", points_appended, 4000},
    {"blocks_united", blocks_united, 2000},
    {"blocks_combined", blocks_combined, 2000},
    {"stripes", stripes, 32000},
    {"chunks", chunks, 4000},
    {"chunks_appended", chunks_appended, 2000},
    {"filtered_chunks", filtered_chunks, 2000},
    {"chunks_listed", chunks_listed, 1000},
    {"raw_chunks", raw_chunks, 1000},
    {NULL, NULL, 0},
};
