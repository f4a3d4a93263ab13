/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Attributes of an object. */
#include "scaling.h"

static void attributes_of(hid_t object, long n, int times) {
  char name[32];
  int value = 3;
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Aexists(object, name));
    hid_t id = H5Acreate2(object, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
    CK(id);
    CK(H5Awrite(id, H5T_NATIVE_INT, &value));
    CK(H5Aclose(id));
  }
  CK(H5Fflush(file, H5F_SCOPE_LOCAL));
  for (long i = 0; i < n * times; ++i) {
    name_of(name, i % n);
    hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    CK(id);
    CK(H5Aread(id, H5T_NATIVE_INT, &value));
    CK(H5Aclose(id));
    CK(H5Aget_num_attrs(object));
  }
}

static void attributes(long n) {
  hid_t group = H5Gopen2(file, "/", H5P_DEFAULT);
  attributes_of(group, n, 1);
  CK(H5Gclose(group));
}

static void attributes_latest(long n) {
  CK(H5Fset_libver_bounds(file, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  hid_t group = new_group("g", H5P_DEFAULT);
  attributes_of(group, n, 1);
  CK(H5Gclose(group));
}

static void attributes_of_dataset(long n) {
  hid_t id = make_dataset(file, "d");
  attributes_of(id, n, 1);
  CK(H5Dclose(id));
}

static void attributes_changed(long n) {
  char name[32], other[40];
  attributes_of(file, n, 0);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    sprintf(other, "r%s", name);
    CK(H5Arename(file, name, other));
  }
  for (long i = 0; i < n; ++i)
    CK(H5Aget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, sizeof name,
                          H5P_DEFAULT));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    sprintf(other, "r%s", name);
    CK(H5Adelete(file, other));
  }
}

static void attributes_open(long n) {
  char name[32];
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    ids[i] = H5Acreate2(file, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
    CK(ids[i]);
  }
  for (long i = 0; i < n; ++i) CK(H5Aclose(ids[i]));
  free(ids);
}

static herr_t seen_one(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object, (void)name, (void)info;
  ++*(long *)data;
  return 0;
}

static void attributes_iterated(long n) {
  long seen = 0;
  attributes_of(file, n, 0);
  CK(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_INC, NULL, seen_one, &seen));
  for (long i = 0; i < n; ++i) {
    hid_t id =
        H5Aopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT, H5P_DEFAULT);
    CK(id);
    CK(H5Aclose(id));
  }
}

const struct scaling_case attribute_cases[] = {
    {"attributes", attributes, 1000},
    {"attributes_latest", attributes_latest, 1000},
    {"attributes_of_dataset", attributes_of_dataset, 1000},
    {"attributes_changed", attributes_changed, 1000},
    {"attributes_open", attributes_open, 1000},
    {"attributes_iterated", attributes_iterated, 1000},
    {NULL, NULL, 0},
};
