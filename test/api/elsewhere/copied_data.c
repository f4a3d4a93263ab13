/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* H5Ocopy of datasets whose elements are elsewhere: in external files, in other datasets. Run in an empty folder
 * with libpcio and with libhdf5: what is printed must be equal. Room: test/api. */

#include "show.h"

static const hsize_t four = 4;

static void show_external(hid_t file, const char *name) {
  hid_t d = H5Dopen2(file, name, H5P_DEFAULT), list = H5Dget_create_plist(d);
  int n = H5Pget_external_count(list);
  printf("%s: %d external files", name, n);
  for (int i = 0; i < n; ++i) {
    char path[100] = "";
    off_t offset = 0;
    hsize_t size = 0;
    H5Pget_external(list, (unsigned)i, sizeof path, path, &offset, &size);
    printf(" [%s %d %llu]", path, (int)offset, (unsigned long long)size);
  }
  int values[4] = {-1, -1, -1, -1};
  int read = H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf(" size %d read %d: %d %d %d %d\n", (int)H5Dget_storage_size(d), read, values[0], values[1],
         values[2], values[3]);
  H5Pclose(list), H5Dclose(d);
}

static void show_virtual(hid_t file, const char *name) {
  size_t n = 0;
  hsize_t dims[2] = {0, 0};
  int values[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  hid_t d = H5Dopen2(file, name, H5P_DEFAULT), list = H5Dget_create_plist(d);
  H5Pget_virtual_count(list, &n);
  printf("%s: %d mappings", name, (int)n);
  for (size_t i = 0; i < n; ++i) {
    char path[100] = "", set[100] = "";
    H5Pget_virtual_filename(list, i, path, sizeof path);
    H5Pget_virtual_dsetname(list, i, set, sizeof set);
    hid_t space = H5Pget_virtual_vspace(list, i);
    printf(" [%s %s %d]", path, set, (int)H5Sget_select_npoints(space));
    H5Sclose(space);
  }
  hid_t space = H5Dget_space(d);
  H5Sget_simple_extent_dims(space, dims, NULL);
  int read = H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf(" size %d read %d: %d %d %d %d\n", (int)dims[0], read, values[0], values[1], values[2],
         values[3]);
  H5Sclose(space), H5Pclose(list), H5Dclose(d);
}

static void add_four(hid_t at, const char *name, hid_t list, int first) {
  const int values[4] = {first, first + 1, first + 2, first + 3};
  hid_t space = H5Screate_simple(1, &four, NULL);
  hid_t d = H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(d), H5Sclose(space);
}

/* Halves of this file's and of another one's dataset; one that grows with its source; one of nothing. */
static void add_virtual(hid_t file) {
  const hsize_t zero = 0, two = 2, endless = H5S_UNLIMITED;
  const int fill = 77;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), whole = H5Screate_simple(1, &four, NULL);
  hid_t half = H5Scopy(whole), space = H5Screate_simple(1, &four, &endless);
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &zero, NULL, &two, NULL);
  H5Sselect_hyperslab(half, H5S_SELECT_SET, &two, NULL, &two, NULL);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_virtual(list, whole, ".", "source", whole);
  H5Pset_virtual(list, half, "v3.h5", "/source", whole);
  H5Sselect_all(whole);
  close_any(H5Dcreate2(file, "halves", H5T_STD_I32LE, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, NULL, &endless, NULL);
  H5Pset_virtual(list, space, "v3.h5", "grows", space);
  close_any(H5Dcreate2(file, "endless", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_VIRTUAL);
  close_any(H5Dcreate2(file, "nothing", H5T_STD_I32LE, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Sclose(whole), H5Sclose(half), H5Sclose(space), H5Pclose(list);
}

static void add_growing(hid_t file) {
  const hsize_t endless = H5S_UNLIMITED;
  const int values[4] = {41, 42, 43, 44};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &four, &endless);
  H5Pset_chunk(list, 1, &four);
  hid_t d = H5Dcreate2(file, "grows", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

static void grow(const char *path) {
  const hsize_t six = 6;
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), d = H5Dopen2(file, "grows", H5P_DEFAULT);
  SAY(H5Dset_extent(d, &six));
  H5Dclose(d), H5Fclose(file);
}

static void elsewhere(H5F_libver_t low) {
  static const char *const names[] = {"external", "halves", "endless", "nothing"};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  hid_t a = H5Fcreate("v1.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t b = H5Fcreate("v2.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t c = H5Fcreate("v3.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  remove("one.raw"), remove("two.raw");
  H5Pset_external(list, "one.raw", 4, 8);
  H5Pset_external(list, "two.raw", 0, H5F_UNLIMITED);
  add_four(a, "external", list, 1);
  add_four(a, "source", H5P_DEFAULT, 11);
  add_four(b, "source", H5P_DEFAULT, 21);
  add_four(c, "source", H5P_DEFAULT, 31);
  add_growing(c);
  add_virtual(a);
  H5Fclose(c);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 4; ++i) {
      char copy[20];
      snprintf(copy, sizeof copy, "%s %d", names[i], round);
      SAY(H5Ocopy(a, names[i], a, copy, H5P_DEFAULT, H5P_DEFAULT));
      SAY(H5Ocopy(a, names[i], b, copy, H5P_DEFAULT, H5P_DEFAULT));
      (i == 0 ? show_external : show_virtual)(a, copy);
      (i == 0 ? show_external : show_virtual)(b, copy);
    }
    grow("v3.h5");
    if (round == 1) break;
    /* What is deleted takes no list of others along. */
    for (int i = 0; i < 4; ++i) SAY(H5Ldelete(a, names[i], H5P_DEFAULT));
    SAY(H5Fclose(a));
    SAY(H5Fclose(b));
    b = H5Fopen("v2.h5", H5F_ACC_RDWR, H5P_DEFAULT), a = H5Fopen("v1.h5", H5F_ACC_RDWR, access);
    /* Back again: of a copy in another file. */
    for (int i = 0; i < 4; ++i) {
      char copy[20];
      snprintf(copy, sizeof copy, "%s 0", names[i]);
      (i == 0 ? show_external : show_virtual)(a, copy);
      (i == 0 ? show_external : show_virtual)(b, copy);
      SAY(H5Ocopy(b, copy, a, names[i], H5P_DEFAULT, H5P_DEFAULT));
    }
  }
  SAY(H5Fclose(a));
  SAY(H5Fclose(b));
  H5Pclose(list), H5Pclose(access);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  elsewhere(H5F_LIBVER_EARLIEST);
  elsewhere(H5F_LIBVER_LATEST);
  return 0;
}
