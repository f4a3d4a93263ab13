/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Comments, refreshing and flushing of objects. Run in an empty folder with libpcio and with libhdf5: what is
 * printed must be equal. Room: test/api. */

#include "show.h"

static void show_comment(hid_t id) {
  char text[20];
  for (size_t size = 0; size < sizeof text; size += 7) {
    memset(text, '#', sizeof text);
    long long n = (long long)H5Oget_comment(id, size == 0 ? NULL : text, size);
    text[sizeof text - 1] = 0;
    printf("  %lld", n);
    if (size > 0 && n >= 0) printf(" '%.*s'", (int)size, text);
  }
  printf("\n");
}

static void comments(void) {
  hid_t file = make_file("c.h5", 1);
  hid_t group = H5Gopen2(file, "g", H5P_DEFAULT), data = H5Dopen2(group, "d", H5P_DEFAULT);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(data, "a", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t all[5] = {file, group, data, type, attribute};
  for (int i = 0; i < 5; ++i) {
    show_comment(all[i]);
    SAY(H5Oset_comment(all[i], i % 2 ? "first" : "a comment that is longer than others"));
    show_comment(all[i]);
  }
  show_comment(data);
  SAY(H5Oset_comment(group, ""));
  show_comment(group);
  SAY(H5Oset_comment(group, "again"));
  SAY(H5Oset_comment(group, NULL));
  show_comment(group);
  SAY(H5Oset_comment(group, NULL));
  SAY(H5Oset_comment(space, "x"));
  SAY(H5Oset_comment(-1, "x"));
  SAY(H5Oset_comment_by_name(file, "g/d", "by name", H5P_DEFAULT));
  SAY(H5Oset_comment_by_name(file, "g/none", "by name", H5P_DEFAULT));
  SAY(H5Oset_comment_by_name(file, NULL, "by name", H5P_DEFAULT));
  SAY(H5Oset_comment_by_name(file, "", "by name", H5P_DEFAULT));
  SAY(H5Gset_comment(file, "g/sub", "old"));
  SAY(H5Gset_comment(file, ".", "root"));
  SAY(H5Gset_comment(file, "g/none", "old"));
  char text[10] = "#########";
  SAY(H5Gget_comment(file, "g/sub", 3, text));
  printf("%s\n", text);
  SAY(H5Gget_comment(file, "g/sub", 0, NULL));
  SAY(H5Gget_comment(file, "none", 3, text));
  SAY(H5Oget_comment_by_name(file, "g/d", NULL, 0, H5P_DEFAULT));
  SAY(H5Oget_comment_by_name(file, "no", NULL, 0, H5P_DEFAULT));
  SAY(H5Oget_comment(-1, NULL, 0));
  SAY(H5Oget_comment_by_name(file, NULL, NULL, 0, H5P_DEFAULT));
  /* Flushes, and what keeps them back. */
  hbool_t is = 7;
  for (int i = 0; i < 5; ++i) {
    SAY(H5Oare_mdc_flushes_disabled(all[i], &is));
    SAY(H5Oenable_mdc_flushes(all[i]));
    SAY(H5Odisable_mdc_flushes(all[i]));
    SAY(H5Oare_mdc_flushes_disabled(all[i], &is));
    printf("%d\n", (int)is);
    SAY(H5Odisable_mdc_flushes(all[i]));
    if (i != 1) SAY(H5Oenable_mdc_flushes(all[i]));
    /* Files and attributes are taken by libpcio only. */
    if (i > 0 && i < 4) {
      SAY(H5Oflush(all[i]));
      SAY(H5Orefresh(all[i]));
    }
  }
  SAY(H5Oare_mdc_flushes_disabled(group, NULL));
  SAY(H5Gflush(group));
  SAY(H5Gflush(data));
  SAY(H5Grefresh(group));
  SAY(H5Grefresh(data));
  SAY(H5Dflush(data));
  SAY(H5Dflush(group));
  SAY(H5Drefresh(data));
  SAY(H5Drefresh(file));
  H5Aclose(attribute), H5Dclose(data), H5Tclose(type), H5Gclose(group), H5Sclose(space);
  group = H5Gopen2(file, "g", H5P_DEFAULT);
  SAY(H5Oare_mdc_flushes_disabled(group, &is));
  printf("%d\n", (int)is);
  H5Gclose(group);
  SAY(H5Fclose(file));
  file = H5Fopen("c.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SAY(H5Oset_comment(file, "no"));
  show_comment(file);
  show_values("data", file, "g/d");
  data = H5Dopen2(file, "g/d", H5P_DEFAULT);
  show_comment(data);
  SAY(H5Drefresh(data));
  show_comment(data);
  H5Dclose(data);
  show_values("data again", file, "g/d");
  SAY(H5Fclose(file));
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  comments();
  return 0;
}
