/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* cache_image make|plain|touch|change FILE: a file that libhdf5 closes with its metadata cache in an image, or
 * without; opened for writing by either library, without and with a change. Room: test/oracle, public C API only. */

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static int failed = 0;
static hid_t need(hid_t id, const char* what) {
  if (id < 0) {
    fprintf(stderr, "%s fails\n", what);
    failed = 1;
  }
  return id;
}

static void make_dataset(hid_t file, const char* name, hsize_t size, hsize_t chunk) {
  const hsize_t most = H5S_UNLIMITED;
  int values[200];
  const hid_t space = H5Screate_simple(1, &size, &most), list = H5Pcreate(H5P_DATASET_CREATE);
  for (int i = 0; i < 200; ++i) values[i] = i + (int)chunk;
  H5Pset_chunk(list, 1, &chunk);
  const hid_t data = need(
      H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), "H5Dcreate2");
  need(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), "H5Dwrite");
  H5Dclose(data), H5Pclose(list), H5Sclose(space);
}

static void make_attributes(hid_t file, const char* name, int first, int last) {
  const hid_t space = H5Screate(H5S_SCALAR);
  for (int i = first; i < last; ++i) {
    char text[20];
    snprintf(text, sizeof text, "a%d", i);
    const hid_t attribute = need(H5Acreate_by_name(file, name, text, H5T_NATIVE_INT, space,
                                                   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                 "H5Acreate_by_name");
    need(H5Awrite(attribute, H5T_NATIVE_INT, &i), "H5Awrite");
    H5Aclose(attribute);
  }
  H5Sclose(space);
}

static void fill(hid_t file) {
  char name[40];
  for (int i = 0; i < 12; ++i) {
    snprintf(name, sizeof name, "g%d", i);
    H5Gclose(need(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "H5Gcreate2"));
    snprintf(name, sizeof name, "g%d/d", i);
    make_dataset(file, name, 200, (hsize_t)(i + 1));
  }
  make_attributes(file, "g3", 0, 12);
  make_attributes(file, "g4/d", 0, 3);
}

static void change(hid_t file) {
  const hsize_t size = 190;
  const hid_t data = need(H5Dopen2(file, "g5/d", H5P_DEFAULT), "H5Dopen2");
  need(H5Dset_extent(data, &size), "H5Dset_extent");
  H5Dclose(data);
  need(H5Ldelete(file, "g7", H5P_DEFAULT), "H5Ldelete");
  make_attributes(file, "g3", 12, 14);
  make_dataset(file, "new", 100, 7);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  hid_t file = -1;
  if (strcmp(argv[1], "make") == 0 || strcmp(argv[1], "plain") == 0) {
    H5AC_cache_image_config_t image;
    memset(&image, 0, sizeof image);
    image.version = H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION;
    image.generate_image = strcmp(argv[1], "make") == 0;
    image.entry_ageout = H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE;
    need(H5Pset_mdc_image_config(access, &image), "H5Pset_mdc_image_config");
    file = need(H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, access), "H5Fcreate");
    fill(file);
  } else {
    file = need(H5Fopen(argv[2], H5F_ACC_RDWR, access), "H5Fopen");
    if (strcmp(argv[1], "change") == 0 && file >= 0) change(file);
  }
  H5Pclose(access);
  need(H5Fclose(file), "H5Fclose");
  return failed;
}
