/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Appends a chunk of one element and flushes, again and again, and opens the file anew now and then.
 * Room: test/oracle, public C API only.
 *
 *   appendloop FILE INDEX COUNT     INDEX: btree1, extensible, fixed or btree2; element i is 3 i + 1
 */

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

static int append(hid_t set, int ndims, hsize_t at) {
  const hsize_t dims[2] = {at + 1, 1}, start[2] = {at, 0}, one[2] = {1, 1};
  const int value = (int)at * 3 + 1;
  hid_t file, memory;
  herr_t done;
  if (H5Dset_extent(set, dims) < 0) return -1;
  file = H5Dget_space(set);
  memory = H5Screate_simple(ndims, one, NULL);
  H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, one, NULL);
  done = H5Dwrite(set, H5T_NATIVE_INT, memory, file, H5P_DEFAULT, &value);
  H5Sclose(memory);
  H5Sclose(file);
  return done < 0 ? -1 : 0;
}

int main(int argc, char** argv) {
  const hsize_t chunk[2] = {1, 1};
  hsize_t dims[2] = {0, 1}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
  hid_t access, list, space, file, set;
  hsize_t i, count;
  int ndims;
  if (argc != 4) return 2;
  count = (hsize_t)atoll(argv[3]);
  ndims = strcmp(argv[2], "btree2") == 0 ? 2 : 1;
  if (strcmp(argv[2], "fixed") == 0) most[0] = count + 100;
  access = H5Pcreate(H5P_FILE_ACCESS);
  if (strcmp(argv[2], "btree1") != 0)
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, ndims, chunk);
  space = H5Screate_simple(ndims, dims, most);
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
  set = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (i = 0; i < count; ++i) {
    if (append(set, ndims, i) < 0 || H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) return 1;
    if (i % 500 != 499) continue;
    if (H5Dclose(set) < 0 || H5Fclose(file) < 0) return 1;
    file = H5Fopen(argv[1], H5F_ACC_RDWR, access);
    set = H5Dopen2(file, "d", H5P_DEFAULT);
  }
  if (H5Dclose(set) < 0 || H5Fclose(file) < 0) return 1;
  H5Sclose(space);
  H5Pclose(list);
  H5Pclose(access);
  return 0;
}
