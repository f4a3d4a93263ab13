// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls of dimension scales with good and bad arguments; prints what each returns. Built against libpcio_hl
// and against libhdf5_hl by scales.sh. Attaching twice is left out: libhdf5_hl then notes the use twice.
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
static int calls;
static void make(hid_t f, const char *n, int r, const hsize_t *d) {
  hid_t s = H5Screate_simple(r, d, NULL);
  H5Dclose(H5Dcreate2(f, n, H5T_NATIVE_INT, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(s);
}
static herr_t visit(hid_t d, unsigned dim, hid_t s, void *p) {
  (void)d;
  char n[40];
  H5Iget_name(s, n, 40);
  printf("  visit %u %s\n", dim, n);
  calls++;
  return *(int *)p;
}
#define P(x) printf("%s = %ld\n", #x, (long)(x))
int main(int c, char **v) {
  if (c < 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, 0, 0);
  hid_t f = H5Fcreate(v[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t d2[2] = {3, 4};
  make(f, "data", 2, d2);
  make(f, "other", 2, d2);
  make(f, "x", 1, d2);
  make(f, "y", 1, d2 + 1);
  make(f, "z", 1, d2 + 1);
  make(f, "plain", 1, d2 + 1);
  hid_t da = H5Dopen2(f, "data", 0), o = H5Dopen2(f, "other", 0), x = H5Dopen2(f, "x", 0),
        y = H5Dopen2(f, "y", 0), z = H5Dopen2(f, "z", 0), pl = H5Dopen2(f, "plain", 0),
        g = H5Gcreate2(f, "g", 0, 0, 0);
  hid_t sc = H5Screate(H5S_SCALAR), ds0 = H5Dcreate2(f, "scalar", H5T_NATIVE_INT, sc, 0, 0, 0);
  P(H5DSis_scale(x));
  P(H5DSis_scale(g));
  P(H5DSis_scale(f));
  P(H5DSis_scale(-1));
  P(H5DSset_scale(x, "axis x"));
  P(H5DSset_scale(x, "again"));
  P(H5DSset_scale(y, NULL));
  P(H5DSset_scale(g, "g"));
  P(H5DSset_scale(-1, "g"));
  P(H5DSis_scale(x));
  P(H5DSis_scale(y));
  P(H5DSget_num_scales(da, 0));
  P(H5DSget_num_scales(da, 2));
  P(H5DSget_num_scales(g, 0));
  P(H5DSget_num_scales(ds0, 0));
  P(H5DSget_num_scales(-1, 0));
  P(H5DSis_attached(da, x, 0));
  P(H5DSis_attached(da, x, 2));
  P(H5DSis_attached(da, pl, 0));
  P(H5DSis_attached(da, g, 0));
  P(H5DSis_attached(x, x, 0));
  P(H5DSis_attached(x, y, 0));
  P(H5DSis_attached(-1, y, 0));
  P(H5DSattach_scale(da, x, 0));
  P(H5DSattach_scale(da, x, 2));
  P(H5DSattach_scale(da, da, 0));
  P(H5DSattach_scale(x, y, 0));
  P(H5DSattach_scale(g, y, 0));
  P(H5DSattach_scale(da, g, 0));
  P(H5DSattach_scale(ds0, x, 0));
  P(H5DSattach_scale(-1, x, 0));
  P(H5DSattach_scale(da, -1, 0));
  P(H5DSattach_scale(o, da, 0));
  P(H5DSattach_scale(da, y, 1));
  P(H5DSattach_scale(da, z, 1));
  P(H5DSattach_scale(o, x, 0));
  P(H5DSattach_scale(o, x, 1));
  P(H5DSis_scale(z));
  P(H5DSset_scale(da, "no"));
  P(H5DSis_scale(da));
  P(H5DSget_num_scales(da, 0));
  P(H5DSget_num_scales(da, 1));
  P(H5DSis_attached(da, x, 0));
  P(H5DSis_attached(da, x, 1));
  P(H5DSis_attached(da, z, 1));
  int r0 = 0, r7 = 7, rm = -3, i0 = 0, i1 = 1, i2 = 2, i9 = 9, i8 = 0, im = -1;
  P(H5DSiterate_scales(da, 1, NULL, visit, &r0));
  P(H5DSiterate_scales(da, 1, &i0, visit, &r0));
  P(i0);
  P(H5DSiterate_scales(da, 1, &i1, visit, &r0));
  P(i1);
  P(H5DSiterate_scales(da, 1, &i2, visit, &r0));
  P(i2);
  P(H5DSiterate_scales(da, 1, &i9, visit, &r0));
  P(i9);
  P(H5DSiterate_scales(da, 1, &im, visit, &r7));
  P(im);
  P(H5DSiterate_scales(da, 1, &i8, visit, &r7));
  P(i8);
  P(H5DSiterate_scales(da, 1, &i8, visit, &rm));
  P(i8);
  P(H5DSiterate_scales(da, 5, NULL, visit, &r0));
  P(H5DSiterate_scales(g, 0, NULL, visit, &r0));
  P(H5DSiterate_scales(pl, 0, NULL, visit, &r0));
  P(H5DSiterate_scales(pl, 1, NULL, visit, &r0));
  i9 = 4;
  P(H5DSiterate_scales(pl, 0, &i9, visit, &r0));
  P(i9);
  char n[40];
  memset(n, '#', 39);
  n[39] = 0;
  P(H5DSget_scale_name(x, NULL, 0));
  P(H5DSget_scale_name(x, n, 40));
  puts(n);
  memset(n, '#', 39);
  P(H5DSget_scale_name(x, n, 4));
  printf("%.8s\n", n);
  memset(n, '#', 39);
  P(H5DSget_scale_name(x, n, 6));
  printf("%.8s\n", n);
  P(H5DSget_scale_name(x, n, 0));
  P(H5DSget_scale_name(y, n, 40));
  P(H5DSget_scale_name(pl, n, 40));
  P(H5DSget_scale_name(g, n, 40));
  P(H5DSget_scale_name(z, n, 40));
  P(H5DSget_scale_name(x, n, 1));
  printf("%.8s\n", n);
  P(H5DSget_label(da, 0, n, 40));
  printf("[%.8s]\n", n);
  P(H5DSset_label(da, 0, "first dim"));
  P(H5DSset_label(da, 2, "q"));
  P(H5DSset_label(da, 0, NULL));
  P(H5DSset_label(g, 0, "q"));
  P(H5DSget_label(da, 0, NULL, 0));
  memset(n, '#', 39);
  P(H5DSget_label(da, 0, n, 40));
  puts(n);
  memset(n, '#', 39);
  P(H5DSget_label(da, 0, n, 4));
  printf("%.8s\n", n);
  P(H5DSget_label(da, 1, n, 40));
  P(H5DSget_label(da, 2, n, 40));
  P(H5DSget_label(g, 0, n, 40));
  P(H5DSset_label(da, 1, "second"));
  P(H5DSset_label(da, 0, "redone"));
  P(H5DSget_label(da, 0, n, 40));
  puts(n);
  P(H5DSget_label(da, 1, n, 40));
  puts(n);
  P(H5DSget_label(-1, 1, n, 40));
  P(H5DSset_label(o, 1, "o"));
  P(H5DSset_label(pl, 0, ""));
  P(H5DSget_label(pl, 0, n, 40));
  printf("[%.8s]\n", n);
  P(H5DSset_label(x, 0, "lx"));
  P(H5DSdetach_scale(da, x, 1));
  P(H5DSdetach_scale(da, y, 1));
  P(H5DSdetach_scale(da, y, 1));
  P(H5DSdetach_scale(da, pl, 1));
  P(H5DSdetach_scale(da, x, 9));
  P(H5DSdetach_scale(g, x, 0));
  P(H5DSdetach_scale(da, g, 0));
  P(H5DSdetach_scale(pl, x, 0));
  P(H5DSdetach_scale(da, da, 0));
  P(H5DSget_num_scales(da, 1));
  P(H5Aexists(y, "REFERENCE_LIST"));
  P(H5DSdetach_scale(o, x, 1));
  P(H5DSdetach_scale(o, x, 0));
  P(H5Aexists(o, "DIMENSION_LIST"));
  P(H5Aexists(x, "REFERENCE_LIST"));
  P(H5DSis_attached(o, x, 0));
  P(H5DSdetach_scale(o, x, 0));
  P(H5DSis_scale(y));
  H5Dclose(da);
  H5Dclose(o);
  H5Dclose(x);
  H5Dclose(y);
  H5Dclose(z);
  H5Dclose(pl);
  H5Gclose(g);
  H5Dclose(ds0);
  H5Sclose(sc);
  P(H5Fget_obj_count(f, H5F_OBJ_ALL));
  P(H5Fclose(f));
  return 0;
}
