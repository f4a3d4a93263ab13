/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Oracle: types of ids that a program makes, and objects behind them. Compiled against libhdf5 and
 * against libpcio; the outputs must be equal.
 *
 * Left out, as libhdf5 1.10.8 is not a model there: H5Isearch looks at one object only; an id of NULL
 * can't be released; questions about types of the library fail; the library can't be closed while types
 * are open. Room: test/oracle.
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static int failing = 0;

static herr_t release(void *object) {
  printf("    free %s\n", (char *)object);
  return failing ? -1 : 0;
}

static int first_one(void *object, hid_t id, void *key) {
  printf("    search %s %s type %d\n", (char *)object, (char *)key, (int)H5Iget_type(id));
  return 3;
}

#define SHOW(call) printf("%s -> %d\n", #call, (int)(call))
#define ID(var, call) printf("%s -> %s\n", #call, ((var) = (call)) < 0 ? "failed" : "id")

static void text_of(const char *what, const void *object) {
  printf("%s -> %s\n", what, object != NULL ? (const char *)object : "NULL");
}
#define TEXT(call) text_of(#call, call)

static void count(H5I_type_t type) {
  hsize_t n = 99;
  herr_t answer = H5Inmembers(type, &n);
  printf("  members %d %d\n", answer, (int)n);
}

int main(void) {
  H5I_type_t t, plain, counted;
  hid_t a, b, c, d, space;
  int n = 0;
  char name[10];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  t = H5Iregister_type(64, 0, release), plain = H5Iregister_type(0, 0, NULL);
  counted = H5Iregister_type(7, 5, release);
  printf("types %d %d %d\n", (int)t, (int)plain, (int)counted);
  SHOW(H5Itype_exists(t)), SHOW(H5Itype_exists(H5I_BADID) > 0),
      SHOW(H5Itype_exists((H5I_type_t)120) > 0);
  ID(a, H5Iregister(t, "a"));
  ID(b, H5Iregister(t, "b"));
  ID(c, H5Iregister(t, "c"));
  SHOW(H5Iget_type(a)), SHOW(H5Iis_valid(a)), SHOW(H5Iget_ref(a)), count(t), count(plain);
  SHOW(H5Inmembers(t, NULL)), count((H5I_type_t)120);
  space = H5Screate(H5S_SCALAR);
  TEXT(H5Iobject_verify(a, t)), TEXT(H5Iobject_verify(a, plain)), TEXT(H5Iobject_verify(-1, t));
  TEXT(H5Iobject_verify(a, H5I_FILE)), TEXT(H5Iobject_verify(0, t));
  TEXT(H5Iobject_verify(space, H5I_DATASPACE)), TEXT(H5Iobject_verify(space, t));
  TEXT(H5Iobject_verify(a, (H5I_type_t)120)), TEXT(H5Isearch(t, first_one, "key"));
  TEXT(H5Isearch(plain, first_one, "key")), TEXT(H5Isearch(H5I_DATASPACE, first_one, "key"));
  TEXT(H5Isearch((H5I_type_t)120, first_one, "key"));
  SHOW(H5Iinc_ref(a)), SHOW(H5Idec_ref(a)), SHOW(H5Idec_ref(a)), SHOW(H5Iis_valid(a));
  TEXT(H5Iobject_verify(a, t)), SHOW(H5Idec_ref(a)), SHOW(H5Iinc_ref(b));
  TEXT(H5Iremove_verify(b, plain)), TEXT(H5Iremove_verify(b, t)), SHOW(H5Iis_valid(b));
  TEXT(H5Iremove_verify(b, t)), TEXT(H5Iremove_verify(space, H5I_DATASPACE));
  TEXT(H5Iremove_verify(-1, t)), SHOW(H5Iis_valid(space));
  SHOW(H5Iregister(H5I_DATASPACE, "x")), SHOW(H5Iregister((H5I_type_t)120, "x"));
  SHOW(H5Iregister(H5I_BADID, "x"));

  printf("[clearing]\n");
  ID(d, H5Iregister(t, "d"));
  SHOW(H5Iinc_ref(d)), SHOW(H5Iclear_type(t, 0)), SHOW(H5Iis_valid(d)), SHOW(H5Iis_valid(c));
  SHOW(H5Iclear_type(t, 1)), SHOW(H5Iis_valid(d)), count(t);
  failing = 1;
  ID(d, H5Iregister(t, "f"));
  SHOW(H5Idec_ref(d)), SHOW(H5Iis_valid(d)), SHOW(H5Iclear_type(t, 0)), SHOW(H5Iis_valid(d));
  SHOW(H5Iclear_type(t, 1)), SHOW(H5Iis_valid(d));
  failing = 0;
  SHOW(H5Iclear_type(H5I_FILE, 0)), SHOW(H5Iclear_type((H5I_type_t)120, 0));

  printf("[counting types]\n");
  SHOW(H5Iget_type_ref(t)), SHOW(H5Iinc_type_ref(t)), SHOW(H5Iget_type_ref(t));
  SHOW(H5Idec_type_ref(t)), SHOW(H5Iget_type_ref(H5I_FILE)), SHOW(H5Iinc_type_ref(H5I_FILE));
  SHOW(H5Idec_type_ref(H5I_FILE)), SHOW(H5Iget_type_ref((H5I_type_t)120));
  SHOW(H5Iinc_type_ref((H5I_type_t)120)), SHOW(H5Idec_type_ref(H5I_BADID));
  ID(d, H5Iregister(t, "e"));
  SHOW(H5Idec_type_ref(t)), SHOW(H5Itype_exists(t)), SHOW(H5Iis_valid(d)), SHOW(H5Iget_type(d));
  SHOW(H5Iregister(t, "x")), SHOW(H5Iget_type_ref(t)), count(t);
  ID(d, H5Iregister(counted, "g"));
  SHOW(H5Iinc_type_ref(counted)), SHOW(H5Idestroy_type(counted)), SHOW(H5Itype_exists(counted));
  SHOW(H5Iis_valid(d)), SHOW(H5Idestroy_type(counted)), SHOW(H5Idestroy_type(H5I_FILE));

  printf("[many types]\n");
  SHOW(H5Iregister_type(8, 0, NULL));
  while (n < 200 && H5Iregister_type(8, 0, NULL) >= 0) ++n;
  SHOW(n), SHOW(H5Idestroy_type((H5I_type_t)100)), SHOW(H5Iregister_type(8, 0, release));
  ID(d, H5Iregister((H5I_type_t)100, "last"));
  SHOW(H5Iget_name(d, name, sizeof name)), SHOW(H5Iget_file_id(d)), SHOW(H5Oclose(d));
  SHOW(H5Pclose(d)), SHOW(H5Sclose(d)), SHOW(H5Iget_ref(d)), SHOW(H5Idec_ref(d));
  fflush(stdout);
  /* Types that are open when libhdf5 1.10.8 is closed keep it from ending. */
  for (n = (int)H5I_NTYPES; n < 128; ++n) H5Idestroy_type((H5I_type_t)n);
  return 0;
}
