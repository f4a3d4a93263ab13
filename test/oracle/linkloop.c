/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Adds links to a group and flushes, again and again; every third flush takes some out. Room: test/oracle,
 * public C API only.
 *
 *   linkloop FILE COUNT FACTOR      link i is named n(i * FACTOR mod COUNT); those of i = 7, 14, ... go
 */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  long count, factor, i;
  hid_t file, group;
  char name[64];
  int failed = 0;
  if (argc != 4) return 2;
  count = atol(argv[2]);
  factor = atol(argv[3]);
  file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (i = 0; i < count; ++i) {
    snprintf(name, sizeof name, "n%06ld", i * factor % count);
    if (i % 5 == 0) {
      failed |= H5Lcreate_soft("/somewhere", group, name, H5P_DEFAULT, H5P_DEFAULT) < 0;
    } else {
      failed |= H5Lcreate_hard(file, "/", group, name, H5P_DEFAULT, H5P_DEFAULT) < 0;
    }
    if (i % 21 == 20) {
      long j;
      for (j = i - 20; j <= i; ++j) {
        if (j % 7 != 0) continue;
        snprintf(name, sizeof name, "n%06ld", j * factor % count);
        failed |= H5Ldelete(group, name, H5P_DEFAULT) < 0;
      }
    }
    failed |= H5Fflush(file, H5F_SCOPE_LOCAL) < 0;
    if (i % 500 == 499) {
      failed |= H5Gclose(group) < 0 || H5Fclose(file) < 0;
      file = H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT);
      group = H5Gopen2(file, "g", H5P_DEFAULT);
    }
  }
  failed |= H5Gclose(group) < 0 || H5Fclose(file) < 0;
  return failed;
}
