/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Part of the programs of this folder: what calls return, as text that does not depend on the library. */

#ifndef PCIO_TEST_API_ELSEWHERE_SHOW_H
#define PCIO_TEST_API_ELSEWHERE_SHOW_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(call) printf("%s -> %lld\n", #call, (long long)(call))
/* An id is good or bad; it is closed again. */
#define SAYID(call) say_id(#call, (call))

static inline void close_any(hid_t id) {
  switch (H5Iget_type(id)) {
    case H5I_FILE: H5Fclose(id); break;
    case H5I_GROUP:
    case H5I_DATASET: H5Oclose(id); break;
    case H5I_DATATYPE: H5Tclose(id); break;
    case H5I_ATTR: H5Aclose(id); break;
    case H5I_GENPROP_LST: H5Pclose(id); break;
    default: break;
  }
}

/* "good /path in file.h5" or "bad" */
static inline void show_id(const char *what, hid_t id) {
  char name[300] = "", file[300] = "";
  if (id < 0) {
    printf("%s: bad\n", what);
    return;
  }
  long long n = (long long)H5Iget_name(id, name, sizeof name);
  if (H5Fget_name(id, file, sizeof file) < 0) strcpy(file, "?");
  const char *slash = strrchr(file, '/');
  printf("%s: good %lld '%s' in %s\n", what, n, n > 0 ? name : "", slash ? slash + 1 : file);
}

static inline void say_id(const char *what, hid_t id) {
  show_id(what, id);
  close_any(id);
}

/* A new file with a group /g that has a group and a dataset of three numbers from `first` on. */
static inline hid_t make_file(const char *name, int first) {
  hsize_t dims[1] = {3};
  int values[3] = {first, first + 1, first + 2};
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  close_any(H5Gcreate2(group, "sub", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t space = H5Screate_simple(1, dims, NULL);
  hid_t data =
      H5Dcreate2(group, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(data);
  H5Sclose(space);
  H5Gclose(group);
  return file;
}

static inline void show_values(const char *what, hid_t at, const char *name) {
  int values[3] = {-1, -1, -1};
  hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
  int read = data < 0 ? -1 : H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("%s: %d %d %d %d\n", what, read, values[0], values[1], values[2]);
  close_any(data);
}

static inline void show_open(const char *what) {
  printf("%s: open files %d, groups %d, datasets %d\n", what,
         (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE),
         (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_GROUP),
         (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_DATASET));
}

#endif
