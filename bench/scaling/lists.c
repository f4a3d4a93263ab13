/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* What programs register: properties, types, messages of errors. */
#include "scaling.h"

/* Properties of a program's own in a list. */
static void properties(long n) {
  char name[32];
  int value = 1;
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Pinsert2(list, name, sizeof value, &value, NULL, NULL, NULL, NULL, NULL, NULL));
    CK(H5Pexist(list, name));
  }
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Pset(list, name, &value));
    CK(H5Pget(list, name, &value));
  }
  hid_t copy = H5Pcopy(list);
  CK(H5Pequal(list, copy));
  CK(H5Pclose(copy));
  CK(H5Pclose(list));
}

static void types_copied(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Tcopy(H5T_NATIVE_INT));
  for (long i = 0; i < n; ++i) CK(H5Tclose(ids[i]));
  free(ids);
}

static void messages(long n) {
  hid_t of = H5Eregister_class("many", "many", "1");
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  CK(of);
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Ecreate_msg(of, H5E_MINOR, "many"));
  for (long i = 0; i < n; ++i) CK(H5Eclose_msg(ids[i]));
  CK(H5Eunregister_class(of));
  free(ids);
}

const struct scaling_case list_cases[] = {
    {"properties", properties, 500},
    {"types_copied", types_copied, 8000},
    {"messages", messages, 2000},
    {NULL, NULL, 0},
};
