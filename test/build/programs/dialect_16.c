/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* The dialect of HDF5 1.6, which many old codes still speak. */
#define H5_USE_16_API 1
#include <hdf5.h>
#include <stdio.h>

int main(void) {
  hsize_t n = 10;
  double out[10], in[10];
  int i, bad = 0;
  hid_t file, group, space, data, attribute;
  H5E_auto_t old;
  void* old_data;
  for (i = 0; i < 10; ++i) out[i] = 1.0 / (i + 1);
  bad |= H5Eget_auto(&old, &old_data) < 0;
  bad |= H5Eset_auto(NULL, NULL) < 0;
  bad |= H5Fopen("no such file.h5", H5F_ACC_RDONLY, H5P_DEFAULT) >= 0;
  bad |= H5Eset_auto(old, old_data) < 0;
  file = H5Fcreate("dialect_16.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate(file, "group", 0);
  space = H5Screate_simple(1, &n, NULL);
  data = H5Dcreate(group, "data", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT);
  bad |= H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0;
  attribute = H5Acreate(data, "copy", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT);
  bad |= H5Awrite(attribute, H5T_NATIVE_DOUBLE, out) < 0;
  bad |= H5Aclose(attribute) < 0 || H5Dclose(data) < 0 || H5Gclose(group) < 0;
  group = H5Gopen(file, "/group");
  data = H5Dopen(group, "data");
  bad |= H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, in) < 0;
  for (i = 0; i < 10; ++i) bad |= in[i] != out[i];
  bad |= H5Dclose(data) < 0 || H5Gclose(group) < 0 || H5Sclose(space) < 0 || H5Fclose(file) < 0;
  if (bad) printf("dialect_16: values differ or a call failed\n");
  return bad;
}
