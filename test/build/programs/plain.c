/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* A serial C program that never calls MPI: write, reopen, compare. */
#include <hdf5.h>
#include <stdio.h>

int main(void) {
  hsize_t dims[2] = {3, 4};
  int out[12], in[12], i, bad = 0;
  hid_t file, space, data;
  for (i = 0; i < 12; ++i) out[i] = i * i;
  file = H5Fcreate("plain.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  space = H5Screate_simple(2, dims, NULL);
  data = H5Dcreate2(file, "squares", H5T_STD_I32BE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bad |= H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0;
  bad |= H5Dclose(data) < 0 || H5Sclose(space) < 0 || H5Fclose(file) < 0;
  file = H5Fopen("plain.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  data = H5Dopen2(file, "squares", H5P_DEFAULT);
  bad |= H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, in) < 0;
  for (i = 0; i < 12; ++i) bad |= in[i] != out[i];
  bad |= H5Dclose(data) < 0 || H5Fclose(file) < 0;
  if (bad) printf("plain: values differ or a call failed\n");
  return bad;
}
