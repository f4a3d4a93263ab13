/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Files that are mounted on groups of others. Run in an empty folder with libpcio and with libhdf5: what is
 * printed must be equal. Room: test/api. */

#include "show.h"

static herr_t on_link(hid_t g, const char *name, const H5L_info_t *info, void *data) {
  (void)g, (void)data;
  printf("  link %s type %d\n", name, (int)info->type);
  return 0;
}
static herr_t on_object(hid_t g, const char *name, const H5O_info_t *info, void *data) {
  (void)g, (void)data;
  printf("  object %s type %d\n", name, (int)info->type);
  return 0;
}

static void show_groups(hid_t at, const char *name) {
  H5G_info_t info;
  memset(&info, 0, sizeof info);
  int got = H5Gget_info_by_name(at, name, &info, H5P_DEFAULT);
  printf("%s: %d links %d mounted %d\n", name, got, (int)info.nlinks, (int)info.mounted);
}

static void show_counts(const char *what, hid_t a, hid_t b) {
  printf("%s: all %d/%d, in parent %d/%d, in child %d/%d\n", what,
         (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_FILE),
         (int)H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_GROUP | H5F_OBJ_DATASET),
         a < 0 ? 0 : (int)H5Fget_obj_count(a, H5F_OBJ_FILE),
         a < 0 ? 0 : (int)H5Fget_obj_count(a, H5F_OBJ_GROUP | H5F_OBJ_DATASET),
         b < 0 ? 0 : (int)H5Fget_obj_count(b, H5F_OBJ_FILE),
         b < 0 ? 0 : (int)H5Fget_obj_count(b, H5F_OBJ_GROUP | H5F_OBJ_DATASET));
}

static void simple(void) {
  hid_t a = make_file("m1.h5", 10), b = make_file("m2.h5", 20);
  close_any(H5Gcreate2(a, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  close_any(H5Gcreate2(a, "mnt/hidden", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t before = H5Gopen2(a, "mnt", H5P_DEFAULT), inside = H5Gopen2(b, "g", H5P_DEFAULT);
  hid_t hidden = H5Gopen2(a, "mnt/hidden", H5P_DEFAULT);
  show_groups(a, "mnt");
  SAY(H5Fmount(a, "mnt", b, H5P_DEFAULT));
  show_groups(a, "mnt");
  show_groups(a, "g");
  show_id("opened before, mount point", before);
  show_id("opened before, in the child", inside);
  show_id("opened before, hidden", hidden);
  SAYID(H5Oopen(a, "mnt", H5P_DEFAULT));
  SAYID(H5Oopen(a, "mnt/g", H5P_DEFAULT));
  SAYID(H5Oopen(a, "/mnt/g/d", H5P_DEFAULT));
  SAYID(H5Oopen(a, "mnt/hidden", H5P_DEFAULT));
  SAYID(H5Oopen(before, "hidden", H5P_DEFAULT));
  SAYID(H5Oopen(b, "g/d", H5P_DEFAULT));
  SAYID(H5Oopen(b, "/g/d", H5P_DEFAULT));
  SAYID(H5Oopen(b, "/mnt/g/d", H5P_DEFAULT));
  SAYID(H5Oopen(inside, "/mnt/g/d", H5P_DEFAULT));
  SAYID(H5Oopen(inside, "d", H5P_DEFAULT));
  show_values("through the mount", a, "mnt/g/d");
  SAY(H5Lexists(a, "mnt/g", H5P_DEFAULT));
  SAY(H5Lexists(a, "mnt/hidden", H5P_DEFAULT));
  SAY(H5Lvisit(a, H5_INDEX_NAME, H5_ITER_INC, on_link, NULL));
  SAY(H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, on_object, NULL));
  SAYID(H5Gcreate2(a, "mnt/new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lexists(b, "new", H5P_DEFAULT));
  SAY(H5Lcreate_hard(a, "mnt/g/d", a, "mnt/hard", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_hard(a, "mnt/g/d", a, "hard", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lmove(a, "mnt/hard", a, "moved", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_soft("/mnt/g/d", a, "soft", H5P_DEFAULT, H5P_DEFAULT));
  show_values("by a soft link", a, "soft");
  show_counts("mounted", a, b);
  hid_t data = H5Dopen2(a, "mnt/g/d", H5P_DEFAULT);
  show_id("data", data);
  hid_t file = H5Iget_file_id(data);
  show_id("its file", file);
  H5Fclose(file);
  SAY(H5Funmount(a, "mnt"));
  show_id("data, unmounted", data);
  show_id("opened before, mount point", before);
  show_id("opened before, in the child", inside);
  show_id("opened before, hidden", hidden);
  SAYID(H5Oopen(a, "mnt/hidden", H5P_DEFAULT));
  SAYID(H5Oopen(a, "mnt/g", H5P_DEFAULT));
  show_groups(a, "mnt");
  SAY(H5Funmount(a, "mnt"));
  SAY(H5Funmount(a, "none"));
  H5Dclose(data), H5Gclose(before), H5Gclose(inside), H5Gclose(hidden);
  SAY(H5Fclose(b));
  SAY(H5Fclose(a));
  show_open("simple");
}

static void wrong(void) {
  hid_t a = make_file("w1.h5", 10), b = make_file("w2.h5", 20), c = make_file("w3.h5", 30);
  hid_t list = H5Pcreate(H5P_FILE_MOUNT);
  SAY(H5Fmount(a, "none", b, H5P_DEFAULT));
  SAY(H5Fmount(a, "g/d", b, H5P_DEFAULT));
  SAY(H5Fmount(a, "g", a, H5P_DEFAULT));
  SAY(H5Fmount(a, NULL, b, H5P_DEFAULT));
  SAY(H5Fmount(a, "", b, H5P_DEFAULT));
  SAY(H5Fmount(-1, "g", b, H5P_DEFAULT));
  SAY(H5Fmount(a, "g", -1, H5P_DEFAULT));
  SAY(H5Fmount(a, "g", b, H5P_DATASET_XFER_DEFAULT));
  SAY(H5Funmount(a, "g"));
  SAY(H5Funmount(a, NULL));
  SAY(H5Funmount(-1, "g"));
  SAY(H5Fmount(a, "g", b, list));
  SAY(H5Fmount(a, "g", c, H5P_DEFAULT));
  SAY(H5Fmount(a, "g/sub", b, H5P_DEFAULT));
  SAY(H5Fmount(b, "g", a, H5P_DEFAULT));
  SAYID(H5Oopen(a, "g/g/d", H5P_DEFAULT));
  /* In a chain. */
  SAY(H5Fmount(a, "g/g", c, H5P_DEFAULT));
  SAYID(H5Oopen(a, "g/g/g/d", H5P_DEFAULT));
  show_values("in the third", a, "g/g/g/d");
  SAYID(H5Oopen(b, "g/g/d", H5P_DEFAULT));
  SAY(H5Funmount(a, "g/g"));
  SAYID(H5Oopen(a, "g/g/d", H5P_DEFAULT));
  /* Unmounted by the root of the child. */
  hid_t root = H5Gopen2(a, "g", H5P_DEFAULT);
  show_id("root of the child", root);
  SAY(H5Funmount(root, "."));
  show_id("root of the child, unmounted", root);
  H5Gclose(root);
  SAYID(H5Oopen(a, "g/d", H5P_DEFAULT));
  H5Pclose(list), H5Fclose(a), H5Fclose(b), H5Fclose(c);
  show_open("wrong");
}

static void closing(void) {
  hid_t a = make_file("c1.h5", 10), b = make_file("c2.h5", 20);
  SAY(H5Fmount(a, "g", b, H5P_DEFAULT));
  SAY(H5Fclose(b));
  show_values("the child's id is closed", a, "g/g/d");
  show_open("child closed");
  hid_t data = H5Dopen2(a, "g/g/d", H5P_DEFAULT);
  SAY(H5Fclose(a));
  show_open("both closed");
  int values[3] = {0, 0, 0};
  SAY(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  printf("%d\n", values[1]);
  SAY(H5Dclose(data));
  show_open("all closed");
  a = H5Fopen("c1.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  b = H5Fopen("c2.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  SAY(H5Fmount(a, "g", b, H5P_DEFAULT));
  SAYID(H5Gcreate2(a, "g/by the parent", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Fflush(a, H5F_SCOPE_GLOBAL));
  SAY(H5Fflush(a, H5F_SCOPE_LOCAL));
  /* With libhdf5 the parent stays open behind the child's id. */
  SAY(H5Fclose(b));
  SAY(H5Fclose(a));
  show_open("again");
  b = H5Fopen("c2.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SAYID(H5Oopen(b, "by the parent", H5P_DEFAULT));
  SAYID(H5Oopen(b, "/g/d", H5P_DEFAULT));
  SAY(H5Fclose(b));
}

/* What is mounted on a group without a name stays there, whatever is made meanwhile. */
static void deleted(void) {
  hid_t a = H5Fcreate("d1.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), b = make_file("d2.h5", 20);
  close_any(H5Gcreate2(a, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Fclose(a));
  a = H5Fopen("d1.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t root = H5Gopen2(b, "/", H5P_DEFAULT);
  SAY(H5Fmount(a, "mnt", b, H5P_DEFAULT));
  SAY(H5Ldelete(a, "mnt", H5P_DEFAULT));
  SAY(H5Fflush(a, H5F_SCOPE_GLOBAL));
  for (int i = 0; i < 6; ++i) {
    char name[20];
    snprintf(name, sizeof name, "new%d", i);
    close_any(H5Gcreate2(a, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    SAYID(H5Oopen(a, name, H5P_DEFAULT));
    SAY(H5Lexists(root, name, H5P_DEFAULT));
    char inside[30];
    snprintf(inside, sizeof inside, "%s/g", name);
    SAY(H5Lexists(a, inside, H5P_DEFAULT));
  }
  show_groups(a, "new0");
  SAY(H5Lexists(root, "g/d", H5P_DEFAULT));
  SAY(H5Funmount(root, "."));
  SAYID(H5Oopen(b, "g/d", H5P_DEFAULT));
  SAY(H5Gclose(root));
  SAY(H5Fclose(b));
  SAY(H5Fclose(a));
  show_open("deleted");
}

/* Copies of groups with a mount below, and of the mount point. Into what is mounted libhdf5 1.10.8 can't copy. */
static void copied(void) {
  hid_t a = make_file("k1.h5", 10), b = make_file("k2.h5", 20), list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  close_any(H5Gcreate2(a, "top/mnt/in a", list, H5P_DEFAULT, H5P_DEFAULT));
  close_any(H5Gcreate2(a, "top/mnt", list, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Fmount(a, "top/mnt", b, H5P_DEFAULT));
  SAY(H5Lcreate_soft("/top/mnt/g/d", a, "top/soft", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "top", a, "copy of top", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "top/mnt", a, "copy of mnt", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g/d", a, "top/more/way/d", H5P_DEFAULT, list));
  SAY(H5Lvisit(b, H5_INDEX_NAME, H5_ITER_INC, on_link, NULL));
  SAY(H5Funmount(a, "top/mnt"));
  SAY(H5Lvisit(a, H5_INDEX_NAME, H5_ITER_INC, on_link, NULL));
  SAY(H5Lvisit(b, H5_INDEX_NAME, H5_ITER_INC, on_link, NULL));
  H5Pclose(list), H5Fclose(a), H5Fclose(b);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  simple();
  wrong();
  closing();
  deleted();
  copied();
  /* Left open: closed when the process ends. */
  hid_t a = H5Fopen("c1.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  SAY(H5Fmount(a, "g", H5Fopen("c2.h5", H5F_ACC_RDWR, H5P_DEFAULT), H5P_DEFAULT));
  return 0;
}
