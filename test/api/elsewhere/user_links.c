/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* User-defined links and their classes. Run in an empty folder with libpcio and with libhdf5: what is printed
 * must be equal. Room: test/api. */

#include "show.h"

static int fails = 0; /* bits: create, move, copy, traverse, delete, query */

static herr_t on_create(const char *name, hid_t group, const void *data, size_t size, hid_t lcpl) {
  (void)lcpl;
  printf("  created %s '%.*s' in a %d\n", name, (int)size, (const char *)data,
         (int)H5Iget_type(group));
  return (fails & 1) != 0 ? -1 : 0;
}
static herr_t on_move(const char *name, hid_t group, const void *data, size_t size) {
  printf("  moved %s '%.*s' in a %d\n", name, (int)size, (const char *)data,
         (int)H5Iget_type(group));
  return (fails & 2) != 0 ? -1 : 0;
}
static herr_t on_copy(const char *name, hid_t group, const void *data, size_t size) {
  printf("  copied %s '%.*s' in a %d\n", name, (int)size, (const char *)data,
         (int)H5Iget_type(group));
  return (fails & 4) != 0 ? -1 : 0;
}
/* The data are a path. */
static hid_t follow(const char *name, hid_t group, const char *data, size_t size, hid_t lapl) {
  size_t left = 0;
  char path[100] = "";
  H5Pget_nlinks(lapl, &left);
  memcpy(path, data, size);
  /* Where a name is taken libhdf5 1.10.8 follows the link, too. */
  if (strcmp(name, "o") != 0) printf("  following %s '%s', some left %d\n", name, path, left > 12);
  if ((fails & 8) != 0) return -1;
  return H5Oopen(group, path, lapl);
}
static hid_t on_traverse(const char *name, hid_t group, const void *data, size_t size, hid_t lapl,
                         hid_t dxpl) {
  (void)dxpl;
  return follow(name, group, data, size, lapl);
}
static hid_t on_traverse_0(const char *name, hid_t group, const void *data, size_t size,
                           hid_t lapl) {
  return follow(name, group, data, size, lapl);
}
static herr_t on_delete(const char *name, hid_t file, const void *data, size_t size) {
  printf("  deleting %s '%.*s' of a %d\n", name, (int)size, (const char *)data,
         (int)H5Iget_type(file));
  return (fails & 16) != 0 ? -1 : 0;
}
static ssize_t on_query(const char *name, const void *data, size_t size, void *buffer,
                        size_t buffer_size) {
  printf("  asked %s for %d bytes\n", name, (int)buffer_size);
  if ((fails & 32) != 0) return -1;
  if (buffer != NULL && buffer_size > size) {
    memcpy(buffer, data, size);
    ((char *)buffer)[size] = '!';
  }
  return (ssize_t)size + 1;
}

static const H5L_class_t whole = {
    H5L_LINK_CLASS_T_VERS, (H5L_type_t)100, "whole", on_create, on_move, on_copy,
    on_traverse,           on_delete,       on_query};
static const H5L_class_t bare = {
    H5L_LINK_CLASS_T_VERS, (H5L_type_t)101, NULL, NULL, NULL, NULL, on_traverse, NULL, NULL};
static const H5L_class_0_t old = {
    H5L_LINK_CLASS_T_VERS_0, (H5L_type_t)102, "old", NULL, NULL, NULL, on_traverse_0, NULL, NULL};

static void show_link(hid_t file, const char *name) {
  H5L_info_t info;
  memset(&info, 0, sizeof info);
  int got = H5Lget_info(file, name, &info, H5P_DEFAULT);
  char value[30];
  memset(value, '#', sizeof value);
  int told = H5Lget_val(file, name, value, 10, H5P_DEFAULT);
  printf("%s: %d type %d size %d; value %d '%.*s'\n", name, got, (int)info.type,
         (int)info.u.val_size, told, told < 0 ? 0 : 12, value);
}

static void classes(void) {
  H5L_class_t cls = whole;
  SAY(H5Lis_registered((H5L_type_t)100));
  SAY(H5Lis_registered(H5L_TYPE_HARD));
  SAY(H5Lis_registered(H5L_TYPE_SOFT));
  SAY(H5Lis_registered(H5L_TYPE_EXTERNAL));
  SAY(H5Lis_registered((H5L_type_t)256));
  SAY(H5Lis_registered((H5L_type_t)-1));
  SAY(H5Lregister(&cls));
  SAY(H5Lregister(&cls));
  SAY(H5Lis_registered((H5L_type_t)100));
  cls.version = 2;
  SAY(H5Lregister(&cls));
  cls = whole;
  cls.id = (H5L_type_t)63;
  SAY(H5Lregister(&cls));
  cls.id = (H5L_type_t)256;
  SAY(H5Lregister(&cls));
  cls = whole;
  cls.trav_func = NULL;
  SAY(H5Lregister(&cls));
  SAY(H5Lregister(NULL));
  SAY(H5Lunregister((H5L_type_t)200));
  SAY(H5Lunregister((H5L_type_t)1));
  SAY(H5Lunregister((H5L_type_t)256));
  SAY(H5Lregister(&bare));
  SAY(H5Lregister((const H5L_class_t *)&old));
}

static herr_t on_link(hid_t g, const char *name, const H5L_info_t *info, void *data) {
  (void)g, (void)data;
  printf("  link %s type %d\n", name, (int)info->type);
  return 0;
}

static void links(void) {
  hid_t file = make_file("u.h5", 5);
  SAY(H5Lcreate_ud(file, "w", (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "wd", (H5L_type_t)100, "/g/d", 4, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "b", (H5L_type_t)101, "/w", 2, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "o", (H5L_type_t)102, "g/d", 3, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "none", (H5L_type_t)101, NULL, 0, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "x", (H5L_type_t)103, "a", 1, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "x", (H5L_type_t)1, "a", 1, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "x", (H5L_type_t)300, "a", 1, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, "o", (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(file, NULL, (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcreate_ud(-1, "x", (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
  show_link(file, "w");
  show_link(file, "b");
  show_link(file, "none");
  SAYID(H5Oopen(file, "w", H5P_DEFAULT));
  SAYID(H5Oopen(file, "w/d", H5P_DEFAULT));
  SAYID(H5Oopen(file, "b/d", H5P_DEFAULT));
  SAYID(H5Dopen2(file, "o", H5P_DEFAULT));
  SAYID(H5Dopen2(file, "w", H5P_DEFAULT));
  SAY(H5Lexists(file, "w/d", H5P_DEFAULT));
  SAY(H5Oexists_by_name(file, "w/d", H5P_DEFAULT));
  SAY(H5Oexists_by_name(file, "wd", H5P_DEFAULT));
  show_values("values", file, "wd");
  SAYID(H5Gcreate2(file, "w/new", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lmove(file, "w", file, "g/moved", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Lcopy(file, "g/moved", file, "copied", H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Oopen(file, "copied/d", H5P_DEFAULT));
  SAY(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, on_link, NULL));
  SAY(H5Ldelete(file, "copied", H5P_DEFAULT));
  SAYID(H5Oopen(file, "b", H5P_DEFAULT));
  for (fails = 1; fails < 64; fails *= 2) {
    printf("--- failing %d\n", fails);
    char name[10];
    snprintf(name, sizeof name, "f%d", fails);
    SAY(H5Lcreate_ud(file, name, (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
    SAYID(H5Oopen(file, "g/moved", H5P_DEFAULT));
    SAY(H5Oexists_by_name(file, "g/moved", H5P_DEFAULT));
    H5L_info_t info;
    SAY(H5Lget_info(file, "g/moved", &info, H5P_DEFAULT));
  }
  fails = 0;
  H5Fclose(file);
  file = H5Fopen("u.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  SAYID(H5Oopen(file, "wd", H5P_DEFAULT));
  SAY(H5Lunregister((H5L_type_t)100));
  SAY(H5Lunregister((H5L_type_t)100));
  SAYID(H5Oopen(file, "wd", H5P_DEFAULT));
  show_link(file, "wd");
  SAY(H5Lcreate_ud(file, "y", (H5L_type_t)100, "/g", 2, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ldelete(file, "b", H5P_DEFAULT));
  H5Fclose(file);
}

/* External links with a class of the program's. */
static hid_t instead(const char *name, hid_t group, const void *data, size_t size, hid_t lapl,
                     hid_t dxpl) {
  const char *where = NULL, *path = NULL;
  unsigned flags = 0;
  (void)dxpl, (void)lapl;
  int unpacked = H5Lunpack_elink_val(data, size, &flags, &where, &path);
  printf("  instead of %s: %d %s %s\n", name, unpacked, where, path);
  return H5Gopen2(group, "/g", H5P_DEFAULT);
}

static void external(void) {
  hid_t file = make_file("v.h5", 6);
  H5Lcreate_external("nowhere.h5", "/x", file, "e", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("v.h5", "/g/d", file, "self", H5P_DEFAULT, H5P_DEFAULT);
  SAY(H5Lcreate_ud(file, "ud", H5L_TYPE_EXTERNAL, "\0v.h5\0/g", 9, H5P_DEFAULT, H5P_DEFAULT));
  SAYID(H5Oopen(file, "ud", H5P_DEFAULT));
  H5L_class_t cls = {
      H5L_LINK_CLASS_T_VERS, H5L_TYPE_EXTERNAL, "", NULL, NULL, NULL, instead, NULL, NULL};
  SAY(H5Lregister(&cls));
  SAYID(H5Oopen(file, "e", H5P_DEFAULT));
  SAYID(H5Oopen(file, "e/d", H5P_DEFAULT));
  SAY(H5Lunregister(H5L_TYPE_EXTERNAL));
  SAY(H5Lis_registered(H5L_TYPE_EXTERNAL));
  SAYID(H5Oopen(file, "e", H5P_DEFAULT));
  SAYID(H5Oopen(file, "self", H5P_DEFAULT));
  SAY(H5Lcreate_external("v.h5", "/", file, "late", H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  classes();
  links();
  external();
  return 0;
}
