// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls of H5LT, H5LD and H5DO with good and bad arguments; prints what each returns. Built against libpcio_hl and
// against libhdf5_hl by lite.sh. With a second argument also those that libhdf5_hl crashes on, or answers otherwise.
#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define P(e) printf("%s = %ld\n", #e, (long)(e))
#define REFUSED(e)                                       \
  do {                                                   \
    if ((long)(e) >= 0 || H5Eget_num(H5E_DEFAULT) < 1) { \
      printf("not refused: %s\n", #e);                   \
      failures++;                                        \
    }                                                    \
  } while (0)
static int failures;
/* What only libpcio_hl is asked. */
static int alone(hid_t f, hid_t d) {
  int r, v[2] = {1, 2};
  hsize_t n = 2;
  char b[9];
  size_t len;
  double q[2];
  (void)q;
  REFUSED(H5LTmake_dataset(f, NULL, 1, &n, H5T_NATIVE_INT, v));
  REFUSED(H5LTmake_dataset(f, "m", 1, NULL, H5T_NATIVE_INT, v));
  REFUSED(H5LTmake_dataset(f, "m", 33, &n, H5T_NATIVE_INT, v));
  REFUSED(H5LTmake_dataset_char(f, NULL, 1, &n, b));
  REFUSED(H5LTmake_dataset_short(f, NULL, 1, &n, NULL));
  REFUSED(H5LTmake_dataset_int(f, NULL, 1, &n, v));
  REFUSED(H5LTmake_dataset_long(f, NULL, 1, &n, NULL));
  REFUSED(H5LTmake_dataset_float(f, NULL, 1, &n, NULL));
  REFUSED(H5LTmake_dataset_double(f, NULL, 1, &n, q));
  REFUSED(H5LTmake_dataset_string(f, "m", NULL));
  REFUSED(H5LTmake_dataset_string(f, NULL, "x"));
  REFUSED(H5LTread_dataset(f, "i", -1, v));
  REFUSED(H5LTread_dataset(f, "i", H5T_NATIVE_INT, NULL));
  REFUSED(H5LTread_dataset_char(f, "i", NULL));
  REFUSED(H5LTread_dataset_short(f, "i", NULL));
  REFUSED(H5LTread_dataset_int(f, "i", NULL));
  REFUSED(H5LTread_dataset_long(f, "i", NULL));
  REFUSED(H5LTread_dataset_float(f, "i", NULL));
  REFUSED(H5LTread_dataset_double(f, "i", NULL));
  REFUSED(H5LTread_dataset_string(f, "s", NULL));
  REFUSED(H5LTread_dataset_string(f, NULL, b));
  REFUSED(H5LTget_dataset_ndims(f, "i", NULL));
  REFUSED(H5LTget_dataset_ndims(f, NULL, &r));
  REFUSED(H5LTget_dataset_info(f, NULL, &n, NULL, NULL));
  REFUSED(H5LTfind_dataset(f, NULL));
  REFUSED(H5LTfind_dataset(d, "i"));
  REFUSED(H5LTfind_attribute(f, NULL));
  REFUSED(H5LTpath_valid(f, NULL, 1));
  REFUSED(H5LTpath_valid(f, "", 0));
  REFUSED(H5LTset_attribute_string(f, "i", "n", NULL));
  REFUSED(H5LTset_attribute_string(f, NULL, "n", "x"));
#define SET(T)                                           \
  REFUSED(H5LTset_attribute_##T(f, "i", "n", NULL, 3));  \
  REFUSED(H5LTset_attribute_##T(f, NULL, "n", NULL, 0)); \
  REFUSED(H5LTset_attribute_##T(f, "i", NULL, NULL, 0)); \
  REFUSED(H5LTget_attribute_##T(f, "i", "a", NULL));     \
  REFUSED(H5LTget_attribute_##T(f, "none", "a", (void*)q));
  SET(char)
  SET(uchar)
  SET(short)
  SET(ushort)
  SET(int)
  SET(uint)
  SET(long)
  SET(long_long)
  SET(ulong) SET(float) SET(double) REFUSED(H5LTget_attribute(f, "i", "a", H5T_NATIVE_INT, NULL));
  REFUSED(H5LTget_attribute(f, "i", "a", -1, v));
  REFUSED(H5LTget_attribute_string(f, "i", "s", NULL));
  REFUSED(H5LTget_attribute_ndims(f, "i", "a", NULL));
  REFUSED(H5LTget_attribute_ndims(f, NULL, "a", &r));
  REFUSED(H5LTget_attribute_info(f, "i", NULL, &n, NULL, NULL));
  REFUSED(H5LTtext_to_dtype(NULL, H5LT_DDL));
  REFUSED(H5LTtext_to_dtype("H5T_NATIVE_INT", H5LT_C));
  REFUSED(H5LTdtype_to_text(H5T_NATIVE_INT, b, H5LT_DDL, NULL));
  REFUSED(H5LTdtype_to_text(-1, b, H5LT_DDL, &len));
  REFUSED(H5LTopen_file_image(NULL, 9, 0));
  REFUSED(H5LTopen_file_image(v, 0, 0));
  REFUSED(H5LTopen_file_image(v, 8, 8));
  REFUSED(H5LDget_dset_dims(d, NULL));
  REFUSED(H5LDget_dset_elmts(d, NULL, &n, NULL, v));
  REFUSED(H5LDget_dset_elmts(d, &n, NULL, NULL, v));
  REFUSED(H5LDget_dset_elmts(d, &n, &n, NULL, NULL));
  REFUSED(H5LDget_dset_elmts(f, &n, &n, NULL, v));
  REFUSED(H5DOappend(d, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, NULL));
  REFUSED(H5DOwrite_chunk(f, H5P_DEFAULT, 0, &n, 8, v));
  REFUSED(H5DOread_chunk(f, H5P_DEFAULT, &n, NULL, v));
  if (H5LDget_dset_type_size(d, "a\\") != 0) failures++;
  if (H5LTpath_valid(f, "dang/x", 0) != 0) failures++;
  printf("%d failures\n", failures);
  return failures;
}
static int passed;
static herr_t appended(hid_t d, hsize_t* now, void* p) {
  (void)d;
  printf("appended to %d %d\n", (int)now[0], *(int*)p);
  passed++;
  return 0;
}
int main(int argc, char** argv) {
  if (argc < 2) return 2;
  setvbuf(stdout, NULL, _IONBF, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t f = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t d[3] = {2, 3, 4}, q[8];
  int iv[24], r;
  for (int i = 0; i < 24; i++) iv[i] = i;
  double dv[24];
  for (int i = 0; i < 24; i++) dv[i] = i / 2.;
  H5T_class_t c;
  size_t sz;
  P(H5LTmake_dataset_int(f, "i", 2, d, iv));
  P(H5LTmake_dataset_int(f, "i", 2, d, iv));
  P(H5LTmake_dataset_int(f, NULL, 2, d, iv));
  P(H5LTmake_dataset_int(f, "nodata", 2, d, NULL));
  P(H5LTmake_dataset_int(f, "scalar", 0, d, iv));
  P(H5LTmake_dataset_int(f, "neg", -1, d, iv));
  P(H5LTmake_dataset_int(f, "x/y", 1, d, iv));
  P(H5LTmake_dataset(f, "gen", 1, d, H5T_STD_I16BE, iv));
  P(H5LTmake_dataset(f, "badtype", 1, d, -1, iv));
  P(H5LTmake_dataset_int(f, "nodims", 2, NULL, iv));
  P(H5LTmake_dataset_char(f, "c", 1, d, "ab"));
  P(H5LTmake_dataset_string(f, "s", "hello"));
  P(H5LTmake_dataset_string(f, "s0", ""));
  char b[100];
  memset(b, 'x', 100);
  P(H5LTread_dataset_string(f, "s", b));
  printf("[%.8s]\n", b);
  P(H5LTread_dataset_string(f, "i", b));
  P(H5LTread_dataset_string(f, "none", b));
  int ir[24];
  P(H5LTread_dataset_int(f, "i", ir));
  P(H5LTread_dataset_double(f, "i", dv));
  printf("%g\n", dv[5]);
  P(H5LTread_dataset_int(f, "none", ir));
  P(H5LTread_dataset(f, NULL, H5T_NATIVE_INT, ir));
  P(H5LTget_dataset_ndims(f, "i", &r));
  P(r);
  r = -5;
  P(H5LTget_dataset_ndims(f, "none", &r));
  P(r);
  P(H5LTget_dataset_ndims(f, "scalar", &r));
  P(r);
  P(H5LTget_dataset_info(f, "i", q, &c, &sz));
  P(q[0]);
  P(q[1]);
  P(c);
  P(sz);
  P(H5LTget_dataset_info(f, "i", NULL, NULL, NULL));
  P(H5LTget_dataset_info(f, "s", NULL, &c, &sz));
  P(c);
  P(sz);
  P(H5LTget_dataset_info(f, "none", q, &c, &sz));
  P(H5LTfind_dataset(f, "i"));
  P(H5LTfind_dataset(f, "none"));
  H5Gcreate2(f, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  P(H5LTfind_dataset(f, "g"));
  P(H5LTfind_dataset(f, "g/none"));
  P(H5LTfind_dataset(f, "/i"));
  P(H5LTfind_dataset(-1, "i"));
  H5LTmake_dataset_int(f, "g/in", 1, d, iv);
  P(H5LTfind_dataset(f, "g/in"));
  P(H5LTfind_dataset(f, "in"));
  P(H5LTset_attribute_int(f, "i", "a", iv, 3));
  P(H5LTset_attribute_int(f, "i", "a", iv, 5));
  P(H5LTset_attribute_int(f, "none", "a", iv, 3));
  P(H5LTset_attribute_int(f, "i", NULL, iv, 3));
  P(H5LTset_attribute_int(f, NULL, "a", iv, 3));
  P(H5LTset_attribute_int(f, "i", "z0", iv, 0));
  P(H5LTset_attribute_int(f, "/", "ra", iv, 3));
  P(H5LTset_attribute_int(f, ".", "ra2", iv, 3));
  P(H5LTset_attribute_string(f, "i", "s", "text"));
  P(H5LTset_attribute_string(f, "i", "s", "longer text"));
  P(H5LTset_attribute_string(f, "i", "e", ""));
  P(H5LTset_attribute_char(f, "i", "c", "xyz", 3));
  unsigned char uc[3] = {1, 2, 3};
  P(H5LTset_attribute_uchar(f, "i", "uc", uc, 3));
  short ss[2] = {1, -2};
  P(H5LTset_attribute_short(f, "i", "sh", ss, 2));
  P(H5LTset_attribute_ushort(f, "i", "ush", (unsigned short*)ss, 2));
  P(H5LTset_attribute_uint(f, "i", "ui", (unsigned*)iv, 2));
  long lv[2] = {5, -6};
  P(H5LTset_attribute_long(f, "i", "l", lv, 2));
  P(H5LTset_attribute_ulong(f, "i", "ul", (unsigned long*)lv, 2));
  P(H5LTset_attribute_long_long(f, "i", "ll", (long long*)lv, 2));
  float fv[2] = {1.5, 2.5};
  P(H5LTset_attribute_float(f, "i", "f", fv, 2));
  P(H5LTset_attribute_double(f, "i", "d", dv, 2));
  memset(ir, 0, sizeof ir);
  P(H5LTget_attribute_int(f, "i", "a", ir));
  P(ir[4]);
  P(H5LTget_attribute_double(f, "i", "a", dv));
  printf("%g\n", dv[4]);
  P(H5LTget_attribute_int(f, "i", "none", ir));
  P(H5LTget_attribute_int(f, "none", "a", ir));
  memset(b, 'x', 100);
  P(H5LTget_attribute_string(f, "i", "s", b));
  printf("[%.20s]\n", b);
  P(H5LTget_attribute_string(f, "i", "a", b));
  P(H5LTget_attribute_char(f, "i", "c", b));
  P(H5LTget_attribute_ndims(f, "i", "a", &r));
  P(r);
  P(H5LTget_attribute_ndims(f, "i", "s", &r));
  P(r);
  P(H5LTget_attribute_ndims(f, "i", "none", &r));
  P(H5LTget_attribute_info(f, "i", "a", q, &c, &sz));
  P(q[0]);
  P(c);
  P(sz);
  P(H5LTget_attribute_info(f, "i", "s", q, &c, &sz));
  P(c);
  P(sz);
  P(H5LTget_attribute_info(f, "i", "none", q, &c, &sz));
  P(H5LTget_attribute_info(f, "i", "a", NULL, &c, &sz));
  hid_t o = H5Dopen2(f, "i", H5P_DEFAULT);
  P(H5LTfind_attribute(o, "a"));
  P(H5LTfind_attribute(o, "none"));
  P(H5LTfind_attribute(f, "a"));
  P(H5LTfind_attribute(-1, "a"));
  P(H5LTfind_attribute(o, ""));
  H5Lcreate_soft("nowhere", f, "dang", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/g", f, "sg", H5P_DEFAULT, H5P_DEFAULT);
  const char* ps[] = {"/",      "/i",     "i",      "./i",  "./g/in", "g/in",
                      "/g//in", "/g/in/", "g/none", "none", "none/x", "dang",
                      "sg",     "sg/in",  ".",      "./",   "i/x",    "//g"};
  for (unsigned i = 0; i < sizeof ps / sizeof *ps; i++)
    printf("%s: %d %d\n", ps[i], H5LTpath_valid(f, ps[i], 0), H5LTpath_valid(f, ps[i], 1));
  P(H5LTpath_valid(-1, "i", 1));
  P(H5LTpath_valid(o, ".", 1));
  P(H5LTpath_valid(o, "x", 1));
  hid_t sp = H5Screate(H5S_SCALAR);
  P(H5LTpath_valid(sp, "i", 1));
  H5Lcreate_external("nofile.h5", "/x", f, "ext", H5P_DEFAULT, H5P_DEFAULT);
  P(H5LTpath_valid(f, "ext", 0));
  P(H5LTpath_valid(f, "ext", 1));
  P(H5LTpath_valid(f, "ext/y", 1));
  P(H5Fflush(f, H5F_SCOPE_GLOBAL));
  size_t n = (size_t)H5Fget_file_image(f, NULL, 0);
  void* im = malloc(n);
  H5Fget_file_image(f, im, n);
  for (unsigned fl = 0; fl < 7; fl++) {
    void* cp = malloc(n);
    memcpy(cp, im, n);
    hid_t g = H5LTopen_file_image(cp, n, fl);
    printf("flags %u: %s", fl, g >= 0 ? "ok" : "fail");
    if (g >= 0) {
      unsigned in;
      H5Fget_intent(g, &in);
      char nm[200] = "";
      H5Fget_name(g, nm, 200);
      printf(" intent %u name %.11s find %d write %d", in, nm, H5LTfind_dataset(g, "i"),
             H5LTmake_dataset_int(g, "new", 1, d, iv));
      /* The list of the file leads to no image: what it was opened with may be gone, or be the file itself. */
      hid_t list = H5Fget_access_plist(g);
      void* held = NULL;
      size_t length = 77;
      printf(" image %d", H5Pget_file_image(list, &held, &length));
      printf(" %d %d", held != NULL, (int)length);
      H5Pclose(list);
      if (fl != 3 && fl != 2)
        printf(" close %d", H5Fclose(g));
      else
        printf(" close %d", H5Fclose(g));
    }
    printf("\n");
  }
  P(H5LTopen_file_image(im, 100, 0) < 0);
  P(H5LDget_dset_dims(o, q));
  P(q[0]);
  P(H5LDget_dset_dims(-1, q));
  P(H5LDget_dset_dims(H5Dopen2(f, "scalar", H5P_DEFAULT), q));
  P(H5LDget_dset_type_size(o, NULL));
  P(H5LDget_dset_type_size(o, "a"));
  P(H5LDget_dset_type_size(-1, NULL));
  P(H5LDget_dset_type_size(o, ""));
  hid_t ct = H5Tcreate(H5T_COMPOUND, 40), in = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(in, "x", 0, H5T_NATIVE_INT);
  H5Tinsert(in, "y", 8, H5T_NATIVE_DOUBLE);
  H5Tinsert(ct, "a", 0, H5T_NATIVE_INT);
  H5Tinsert(ct, "in", 8, in);
  H5Tinsert(ct, "c,d", 24, H5T_NATIVE_SHORT);
  hsize_t c4 = 4, mx = H5S_UNLIMITED, ch = 2;
  hid_t cs = H5Screate_simple(1, &c4, &mx), cp = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(cp, 1, &ch);
  hid_t cd_ = H5Dcreate2(f, "comp", ct, cs, H5P_DEFAULT, cp, H5P_DEFAULT);
  struct {
    int a;
    struct {
      int x;
      double y;
    } in;
    short c;
    char pad[14];
  } cv[6];
  memset(cv, 0, sizeof cv);
  for (int i = 0; i < 6; i++) {
    cv[i].a = i;
    cv[i].in.x = 10 * i;
    cv[i].in.y = i / 4.;
    cv[i].c = (short)(100 + i);
  }
  P(H5Dwrite(cd_, ct, H5S_ALL, H5S_ALL, H5P_DEFAULT, cv));
  P(H5LDget_dset_type_size(cd_, NULL));
  P(H5LDget_dset_type_size(cd_, "a"));
  P(H5LDget_dset_type_size(cd_, "a,in.y"));
  P(H5LDget_dset_type_size(cd_, "in"));
  P(H5LDget_dset_type_size(cd_, "in.x,c\\,d"));
  P(H5LDget_dset_type_size(cd_, "zz"));
  P(H5LDget_dset_type_size(cd_, "in.zz"));
  P(H5LDget_dset_type_size(cd_, "a,"));
  P(H5LDget_dset_type_size(cd_, "in.x,a"));
  P(H5LDget_dset_type_size(cd_, " a"));
  hsize_t p0 = 4, p1 = 6;
  char out[400];
  P(H5LDget_dset_elmts(cd_, &p0, &p1, NULL, out));
  P(H5Dset_extent(cd_, &p1));
  P(H5LDget_dset_elmts(cd_, &p0, &p1, NULL, out));
  P(H5LDget_dset_elmts(cd_, &p1, &p0, NULL, out));
  p0 = 2;
  memset(out, 7, 400);
  P(H5LDget_dset_elmts(cd_, &p0, &p1, "in.x,a", out));
  for (int i = 0; i < 8; i++) printf("%d ", ((int*)out)[i]);
  printf("\n");
  P(H5LDget_dset_elmts(cd_, &p0, &p1, "zz", out));
  p0 = p1;
  P(H5LDget_dset_elmts(cd_, &p0, &p1, NULL, out));
  /* 2-d */ hsize_t m2[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, c2[2] = {2, 2}, n2[2] = {3, 4};
  hid_t s2 = H5Screate_simple(2, n2, m2);
  H5Pset_chunk(cp, 2, c2);
  hid_t d2 = H5Dcreate2(f, "d2", H5T_NATIVE_INT, s2, H5P_DEFAULT, cp, H5P_DEFAULT);
  H5Dwrite(d2, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, iv);
  hsize_t a0[2] = {1, 1}, a1[2] = {3, 4};
  memset(ir, -1, sizeof ir);
  P(H5LDget_dset_elmts(d2, a0, a1, NULL, ir));
  for (int i = 0; i < 12; i++) printf("%d ", ir[i]);
  printf("\n");
  a0[0] = 3;
  memset(ir, -1, sizeof ir);
  P(H5LDget_dset_elmts(d2, a0, a1, NULL, ir));
  for (int i = 0; i < 12; i++) printf("%d ", ir[i]);
  printf("\n");
  a0[1] = 4;
  P(H5LDget_dset_elmts(d2, a0, a1, NULL, ir));
  /* DO */ int nw[4] = {91, 92, 93, 94};
  P(H5DOappend(d2, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, nw));
  P(H5LDget_dset_dims(d2, q));
  P(q[0]);
  P(q[1]);
  P(H5DOappend(d2, H5P_DEFAULT, 2, 1, H5T_NATIVE_INT, nw));
  P(H5DOappend(o, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, nw));
  P(H5DOappend(d2, H5P_DEFAULT, 0, 0, H5T_NATIVE_INT, nw));
  P(H5DOappend(d2, H5P_DEFAULT, 1, 1, H5T_NATIVE_INT, nw));
  P(H5LDget_dset_dims(d2, q));
  P(q[0]);
  P(q[1]);
  hsize_t of[2] = {0, 0};
  P(H5DOwrite_chunk(d2, H5P_DEFAULT, 0, of, 16, nw));
  uint32_t fm = 9;
  P(H5DOread_chunk(d2, H5P_DEFAULT, of, &fm, ir));
  P(fm);
  P(ir[2]);
  P(H5DOwrite_chunk(o, H5P_DEFAULT, 0, of, 16, nw));
  P(H5DOappend(-1, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, nw));
  P(H5DOappend(d2, -1, 0, 1, H5T_NATIVE_INT, nw));
  hid_t ap = H5Pcreate(H5P_DATASET_ACCESS);
  hsize_t bd[2] = {4, 0};
  int fifty = 50;
  P(H5Pset_append_flush(ap, 2, bd, appended, &fifty));
  hid_t d3 = H5Dcreate2(f, "d3", H5T_NATIVE_INT, s2, H5P_DEFAULT, cp, ap);
  for (int i = 0; i < 6; i++) P(H5DOappend(d3, H5P_DEFAULT, 0, 1, H5T_NATIVE_INT, nw));
  P(passed);
  int bad = argc > 2 ? alone(f, o) : 0;
  H5Fclose(f);
  return bad != 0;
}
