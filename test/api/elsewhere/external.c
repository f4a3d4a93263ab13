/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* External links: followed by every call, changed through, looked for in folders. Run in an empty folder with
 * libpcio and with libhdf5: what is printed must be equal. Room: test/api. */
#define _POSIX_C_SOURCE 200809L

#include "show.h"

#include <sys/stat.h>
#include <unistd.h>

static void make_both(void) {
  hid_t b = make_file("b.h5", 10);
  H5Lcreate_external("a.h5", "/loop", b, "loop", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("a.h5", "/g", b, "back", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/g/d", b, "s", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(b);
  hid_t a = make_file("a.h5", 20);
  SAY(H5Lcreate_external("b.h5", "/g", a, "e", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "g", a, "rel", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "/loop", a, "loop", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("none.h5", "/g", a, "nofile", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "/nothing", a, "noobj", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("a.h5", "/g", a, "self", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "/s", a, "es", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "/", a, "root", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "/back/d", a, "there_and_back", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("", "/", a, "x1", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_external("b.h5", "", a, "x2", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_soft("/e", a, "soft", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_soft("/e/d", a, "softd", H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(a);
}

static herr_t count_link(hid_t g, const char *name, const H5L_info_t *info, void *n) {
  (void)g;
  printf("  link %s type %d size %d\n", name, (int)info->type,
         info->type == H5L_TYPE_HARD ? 0 : (int)info->u.val_size);
  ++*(int *)n;
  return 0;
}
static herr_t count_object(hid_t g, const char *name, const H5O_info_t *info, void *n) {
  (void)g;
  printf("  object %s type %d\n", name, (int)info->type);
  ++*(int *)n;
  return 0;
}

static void opens(void) {
  static const char *const names[] = {"e",        "rel",      "e/d",     "soft",   "softd",
                                      "soft/d",   "es",       "self",    "self/d", "root",
                                      "root/g/d", "loop",     "nofile",  "noobj",  "there_and_back",
                                      "e/none",   "nofile/x", "noobj/x", "."};
  hid_t a = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    H5O_info_t object;
    H5G_stat_t facts;
    H5L_info_t link;
    H5G_info_t group;
    printf("--- %s\n", names[i]);
    SAYID(H5Oopen(a, names[i], H5P_DEFAULT));
    SAYID(H5Gopen2(a, names[i], H5P_DEFAULT));
    SAYID(H5Dopen2(a, names[i], H5P_DEFAULT));
    SAYID(H5Topen2(a, names[i], H5P_DEFAULT));
    SAY(H5Lexists(a, names[i], H5P_DEFAULT));
    SAY(H5Oexists_by_name(a, names[i], H5P_DEFAULT));
    SAY(H5Oget_info_by_name(a, names[i], &object, H5P_DEFAULT));
    /* libhdf5 1.10.8 crashes where a link leads back into the file it is in. */
    if (strncmp(names[i], "self", 4) != 0 && strcmp(names[i], "there_and_back") != 0) {
      SAY(H5Gget_objinfo(a, names[i], 0, &facts));
      SAY(H5Gget_objinfo(a, names[i], 1, &facts));
    }
    SAY(H5Lget_info(a, names[i], &link, H5P_DEFAULT));
    SAY(H5Gget_info_by_name(a, names[i], &group, H5P_DEFAULT));
    SAY(H5Aexists_by_name(a, names[i], "none", H5P_DEFAULT));
    show_values("values", a, names[i]);
  }
  int n = 0;
  SAY(H5Literate_by_name(a, "e", H5_INDEX_NAME, H5_ITER_INC, NULL, count_link, &n, H5P_DEFAULT));
  SAY(H5Lvisit_by_name(a, "root", H5_INDEX_NAME, H5_ITER_INC, count_link, &n, H5P_DEFAULT));
  SAY(H5Ovisit_by_name(a, "root", H5_INDEX_NAME, H5_ITER_INC, count_object, &n, H5P_DEFAULT));
  SAY(H5Ovisit(a, H5_INDEX_NAME, H5_ITER_INC, count_object, &n));
  SAYID(H5Oopen_by_idx(a, "e", H5_INDEX_NAME, H5_ITER_INC, 1, H5P_DEFAULT));
  SAYID(H5Oopen_by_idx(a, ".", H5_INDEX_NAME, H5_ITER_INC, 0, H5P_DEFAULT));
  show_open("before");
  hid_t d = H5Dopen2(a, "e/d", H5P_DEFAULT), same = H5Dopen2(a, "softd", H5P_DEFAULT);
  show_open("two objects there");
  hid_t b = H5Iget_file_id(d);
  show_id("its file", b);
  unsigned intent = 9;
  H5Fget_intent(b, &intent);
  printf("intent %u, objects in it %d, in a %d\n", intent, (int)H5Fget_obj_count(b, H5F_OBJ_ALL),
         (int)H5Fget_obj_count(a, H5F_OBJ_ALL));
  SAY(H5Fclose(a));
  show_values("the parent is closed", b, "/g/d");
  SAY(H5Fclose(b));
  int values[3] = {0, 0, 0};
  SAY(H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  printf("%d\n", values[2]);
  show_id("softd", same);
  H5Dclose(same), H5Dclose(d);
  show_open("after");
}

static void changes(void) {
  hid_t a = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR);
  SAYID(H5Gcreate2(a, "e/new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  SAYID(H5Gcreate2(a, "e/x/y/z", list, H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Dcreate2(a, "e/number", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  SAY(H5Tcommit2(a, "e/type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Dcreate2(a, "e/typed", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Dcreate2(a, "typed", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Acreate_by_name(a, "e/d", "note", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                          H5P_DEFAULT));
  SAY(H5Arename_by_name(a, "e/d", "note", "renamed", H5P_DEFAULT));
  SAY(H5Oset_comment_by_name(a, "e/d", "through the link", H5P_DEFAULT));
  SAY(H5Lcreate_soft("/g/d", a, "e/soft", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_hard(a, "g/d", a, "e/hard", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_hard(a, "e/d", a, "hard", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_hard(a, "e/d", a, "e/hard2", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lmove(a, "e/hard2", a, "e/hard3", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lmove(a, "e/hard3", a, "moved", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcopy(a, "e", a, "e2", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcopy(a, "e/soft", a, "e/soft2", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ldelete(a, "e/hard3", H5P_DEFAULT));
  SAY(H5Ldelete(a, "e2", H5P_DEFAULT));
  hid_t d = H5Dopen2(a, "e/d", H5P_DEFAULT);
  int values[3] = {7, 8, 9};
  SAY(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  SAY(H5Olink(d, a, "e/linked", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Olink(d, a, "linked", H5P_DEFAULT, H5P_DEFAULT));
  H5Tclose(type);
  SAY(H5Fclose(a));
  SAY(H5Dclose(d));
  show_open("after changes");
  int n = 0;
  hid_t b = H5Fopen("b.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SAY(H5Ovisit(b, H5_INDEX_NAME, H5_ITER_INC, count_object, &n));
  SAY(H5Lvisit(b, H5_INDEX_NAME, H5_ITER_INC, count_link, &n));
  SAY(H5Aexists_by_name(b, "g/d", "renamed", H5P_DEFAULT));
  SAY(H5Oget_comment_by_name(b, "g/d", NULL, 0, H5P_DEFAULT));
  show_values("written", b, "g/d");
  H5Fclose(b);
  /* Flags. */
  a = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  SAYID(H5Gcreate2(a, "e/ro", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  hid_t access = H5Pcreate(H5P_GROUP_ACCESS);
  SAY(H5Pset_elink_acc_flags(access, H5F_ACC_RDWR));
  hid_t group = H5Gopen2(a, "e", access);
  show_id("for writing", group);
  SAYID(H5Gcreate2(group, "rw", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(group);
  SAYID(H5Gcreate2(a, "e/rw2", H5P_DEFAULT, H5P_DEFAULT, access));
  H5Fclose(a);
  a = H5Fopen("a.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  SAY(H5Pset_elink_acc_flags(access, H5F_ACC_RDONLY));
  SAYID(H5Gcreate2(a, "e/ro", H5P_DEFAULT, H5P_DEFAULT, access));
  SAYID(H5Gopen2(a, "e", access));
  H5Fclose(a);
  H5Pclose(access), H5Pclose(list), H5Sclose(space);
  show_open("at the end");
}

static void folders(void) {
  static const char *const names[] = {"one", "two", "three"};
  mkdir("pre", 0700), mkdir("env", 0700), mkdir("env2", 0700), mkdir("sub", 0700);
  H5Fclose(make_file("pre/one.h5", 100));
  H5Fclose(make_file("env/two.h5", 200));
  H5Fclose(make_file("env2/two.h5", 250));
  H5Fclose(make_file("env2/one.h5", 150));
  H5Fclose(make_file("sub/three.h5", 300));
  H5Fclose(make_file("three.h5", 350));
  hid_t a = make_file("sub/a.h5", 1);
  for (int i = 0; i < 3; ++i) {
    char file[60], gone[60];
    snprintf(file, sizeof file, "%s.h5", names[i]);
    snprintf(gone, sizeof gone, "/no/such/folder/%s.h5", names[i]);
    H5Lcreate_external(file, "/g/d", a, names[i], H5P_DEFAULT, H5P_DEFAULT);
    file[0] = 'a';
    strcpy(file, names[i]);
    strcat(file, "_gone");
    H5Lcreate_external(gone, "/g/d", a, file, H5P_DEFAULT, H5P_DEFAULT);
  }
  H5Fclose(a);
  if (symlink("sub/a.h5", "link.h5") != 0) printf("no symbolic links here\n");
  for (int way = 0; way < 8; ++way) {
    if ((way & 1) != 0)
      setenv("HDF5_EXT_PREFIX", "nowhere:env:env2", 1);
    else
      unsetenv("HDF5_EXT_PREFIX");
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    if ((way & 2) != 0) H5Pset_elink_prefix(access, "pre");
    a = H5Fopen((way & 4) != 0 ? "link.h5" : "sub/a.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    printf("--- way %d\n", way);
    for (int i = 0; i < 6; ++i) {
      char name[60];
      snprintf(name, sizeof name, "%s%s", names[i / 2], i % 2 ? "_gone" : "");
      hid_t d = H5Dopen2(a, name, access);
      int values[3] = {0, 0, 0};
      if (d >= 0) H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      printf("%s %s %d\n", name, d < 0 ? "bad" : "good", values[0]);
      close_any(d);
    }
    H5Fclose(a), H5Pclose(access);
  }
  unsetenv("HDF5_EXT_PREFIX");
}

static herr_t on_external(const char *parent, const char *group, const char *file,
                          const char *object, unsigned *flags, hid_t fapl, void *data) {
  const char *slash = strrchr(parent, '/');
  printf("  asked: %s %s %s %s flags %u list %d\n", slash ? slash + 1 : parent, group, file, object,
         *flags, (int)H5Pget_driver(fapl) == (int)H5FD_SEC2);
  if (data != NULL && *(int *)data >= 0) *flags = (unsigned)*(int *)data;
  return data != NULL && *(int *)data < 0 ? -1 : 0;
}

static void asked(void) {
  hid_t a = H5Fopen("a.h5", H5F_ACC_RDONLY, H5P_DEFAULT), access = H5Pcreate(H5P_GROUP_ACCESS);
  SAY(H5Pset_elink_cb(access, on_external, NULL));
  SAYID(H5Gopen2(a, "e", access));
  SAYID(H5Gopen2(a, "g", access));
  SAYID(H5Gopen2(a, "soft", access));
  int flags = (int)H5F_ACC_RDWR;
  SAY(H5Pset_elink_cb(access, on_external, &flags));
  hid_t group = H5Gopen2(a, "e", access);
  SAYID(H5Gcreate2(group, "by the callback", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  close_any(group);
  flags = -1;
  SAYID(H5Gopen2(a, "e", access));
  flags = (int)H5F_ACC_TRUNC;
  SAYID(H5Gopen2(a, "e", access));
  SAYID(H5Gopen2(a, "loop", access));
  hid_t core = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(core, 4096, 0);
  H5Pset_fclose_degree(core, H5F_CLOSE_STRONG);
  hid_t plain = H5Pcreate(H5P_GROUP_ACCESS);
  SAY(H5Pset_elink_fapl(plain, core));
  group = H5Gopen2(a, "e", plain);
  hid_t b = H5Iget_file_id(group), list = H5Fget_access_plist(b);
  H5F_close_degree_t degree;
  H5Pget_fclose_degree(list, &degree);
  printf("core %d degree %d\n", H5Pget_driver(list) == H5FD_CORE, (int)degree);
  H5Pclose(list), H5Fclose(b), H5Gclose(group);
  /* How many links: each of them counts. */
  hid_t few = H5Pcreate(H5P_GROUP_ACCESS);
  for (size_t n = 1; n < 4; ++n) {
    H5Pset_nlinks(few, n);
    printf("%d: %d %d %d\n", (int)n, H5Oopen(a, "e", few) >= 0, H5Oopen(a, "soft", few) >= 0,
           H5Oopen(a, "there_and_back", few) >= 0);
  }
  H5Pclose(few), H5Pclose(plain), H5Pclose(core), H5Pclose(access);
  H5Fclose(a);
}

static int is_open(const char *name) {
  /* A file that is open for reading only can't be opened for writing. */
  hid_t again = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  if (again >= 0) H5Fclose(again);
  return again < 0;
}

static void cached(void) {
  H5Fclose(make_file("k1.h5", 1)), H5Fclose(make_file("k2.h5", 2));
  hid_t k = make_file("k3.h5", 3);
  H5Lcreate_external("k0.h5", "/g", k, "back", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(k);
  k = make_file("k0.h5", 0);
  H5Lcreate_external("k1.h5", "/g", k, "1", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("k2.h5", "/g", k, "2", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("k3.h5", "/g", k, "3", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("k3.h5", "/back/sub", k, "ring", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(k);
  for (unsigned size = 0; size < 4; ++size) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    SAY(H5Pset_elink_file_cache_size(access, size));
    k = H5Fopen("k0.h5", H5F_ACC_RDONLY, access);
    SAYID(H5Gopen2(k, "1", H5P_DEFAULT));
    SAYID(H5Gopen2(k, "2", H5P_DEFAULT));
    SAYID(H5Gopen2(k, "3", H5P_DEFAULT));
    SAYID(H5Gopen2(k, "ring", H5P_DEFAULT));
    printf("open: %d %d %d\n", is_open("k1.h5"), is_open("k2.h5"), is_open("k3.h5"));
    SAY(H5Fclear_elink_file_cache(k));
    printf("open: %d %d %d\n", is_open("k1.h5"), is_open("k2.h5"), is_open("k3.h5"));
    SAYID(H5Gopen2(k, "ring", H5P_DEFAULT));
    SAYID(H5Gopen2(k, "1", H5P_DEFAULT));
    printf("open: %d %d %d\n", is_open("k1.h5"), is_open("k2.h5"), is_open("k3.h5"));
    SAY(H5Fclose(k));
    printf("open: %d %d %d %d\n", is_open("k0.h5"), is_open("k1.h5"), is_open("k2.h5"),
           is_open("k3.h5"));
    H5Pclose(access);
  }
  SAY(H5Fclear_elink_file_cache(-1));
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_both();
  opens();
  changes();
  folders();
  asked();
  cached();
  /* Left open with a file in its cache: closed when the process ends. */
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_elink_file_cache_size(access, 3);
  hid_t k = H5Fopen("k0.h5", H5F_ACC_RDWR, access);
  SAYID(H5Gopen2(k, "ring", H5P_DEFAULT));
  return 0;
}
