/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Fill values of variable length. "make": datasets of all layouts are made, written in part, made larger and smaller,
 * copied. "look": in a file of either library each element is read, overwritten alone, and all are read again: who
 * shares a heap object with another one loses it then. What is printed must be equal. Room: test/api. */

#include "show.h"

typedef struct {
  int number;
  char *text;
  hvl_t list;
} Mixed;

enum { kText, kList, kMixed, kKinds };
static hid_t types[kKinds];

static int words[3] = {7, 8, 9};
static char word[] = "the fill value";

static void make_types(void) {
  types[kText] = H5Tcopy(H5T_C_S1);
  H5Tset_size(types[kText], H5T_VARIABLE);
  types[kList] = H5Tvlen_create(H5T_NATIVE_INT);
  types[kMixed] = H5Tcreate(H5T_COMPOUND, sizeof(Mixed));
  H5Tinsert(types[kMixed], "number", HOFFSET(Mixed, number), H5T_NATIVE_INT);
  H5Tinsert(types[kMixed], "text", HOFFSET(Mixed, text), types[kText]);
  H5Tinsert(types[kMixed], "list", HOFFSET(Mixed, list), types[kList]);
}

/* An element as others have it: `number` says which. 0: the fill value. */
static void element(int kind, int number, void *at) {
  static char texts[64][24];
  static int numbers[64];
  char *text = number == 0 ? word : texts[number % 64];
  hvl_t list = {3, words};
  if (number != 0) {
    snprintf(text, 24, "element %d", number);
    numbers[number % 64] = number;
    list.len = 1, list.p = &numbers[number % 64];
  }
  if (kind == kText) *(char **)at = text;
  if (kind == kList) *(hvl_t *)at = list;
  if (kind == kMixed) *(Mixed *)at = (Mixed){number + 5, text, list};
}

static void show_element(int kind, const void *at) {
  const Mixed *mixed = at;
  const hvl_t *list = kind == kMixed ? &mixed->list : at;
  const char *text = kind == kMixed ? mixed->text : *(char *const *)at;
  if (kind == kMixed) printf(" %d", mixed->number);
  if (kind != kList) printf(" %s", text == NULL ? "NULL" : text);
  if (kind == kText) return;
  printf(" (");
  for (size_t i = 0; i < list->len; ++i) printf(" %d", ((const int *)list->p)[i]);
  printf(")");
}

static void show_set(hid_t d, int kind, const char *when) {
  hid_t space = H5Dget_space(d);
  const size_t n = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(types[kind]);
  char *data = calloc(n + 1, size);
  printf("%s: %d", when, H5Dread(d, types[kind], H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  for (size_t i = 0; i < n; ++i) show_element(kind, data + i * size);
  printf("\n");
  H5Dvlen_reclaim(types[kind], space, H5P_DEFAULT, data);
  free(data), H5Sclose(space);
}

static void put_one(hid_t d, int kind, hsize_t at, int number) {
  Mixed value;
  hid_t space = H5Dget_space(d), one = H5Screate(H5S_SCALAR);
  hsize_t place[2], dims[2];
  H5Sget_simple_extent_dims(space, dims, NULL);
  place[0] = at / dims[1], place[1] = at % dims[1];
  H5Sselect_elements(space, H5S_SELECT_SET, 1, place);
  element(kind, number, &value);
  if (H5Dwrite(d, types[kind], one, space, H5P_DEFAULT, &value) < 0) printf("not written\n");
  H5Sclose(one), H5Sclose(space);
}

static void make_set(hid_t file, int kind, int layout, int time) {
  static const char *const layouts[] = {"compact", "contiguous", "chunked", "filtered", "whole"};
  const hsize_t dims[2] = {3, 4}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {2, 3},
                larger[2] = {5, 5}, smaller[2] = {2, 5}, again[2] = {4, 7};
  const int grows = layout == 2 || layout == 3;
  Mixed fill;
  char name[60];
  hid_t list = H5Pcreate(H5P_DATASET_CREATE),
        space = H5Screate_simple(2, dims, grows ? most : NULL);
  snprintf(name, sizeof name, "%s %d %d", layouts[layout], kind, time);
  printf("--- %s\n", name);
  element(kind, 0, &fill);
  SAY(H5Pset_fill_value(list, types[kind], &fill));
  if (layout == 0) H5Pset_layout(list, H5D_COMPACT);
  if (layout > 1) H5Pset_chunk(list, 2, layout == 4 ? dims : chunk);
  if (layout == 3) H5Pset_shuffle(list), H5Pset_deflate(list, 4);
  if (time != 0) SAY(H5Pset_alloc_time(list, (H5D_alloc_time_t)time));
  hid_t d = H5Dcreate2(file, name, types[kind], space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("made %d\n", d > 0);
  if (d < 0) return;
  show_set(d, kind, "new");
  put_one(d, kind, 5, 11);
  show_set(d, kind, "one");
  if (grows) {
    SAY(H5Dset_extent(d, larger));
    show_set(d, kind, "larger");
    put_one(d, kind, 24, 12);
    SAY(H5Dset_extent(d, smaller));
    SAY(H5Fflush(file, H5F_SCOPE_GLOBAL));
    SAY(H5Dset_extent(d, again));
    show_set(d, kind, "again");
  }
  H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

static herr_t look_at(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  hid_t d = H5Dopen2(group, name, H5P_DEFAULT), type, list, space;
  Mixed fill;
  int kind, number = 20;
  (void)info, (void)data;
  if (d < 0) return 0;
  type = H5Dget_type(d), list = H5Dget_create_plist(d), space = H5Dget_space(d);
  kind = H5Tget_class(type) == H5T_COMPOUND ? kMixed : H5Tis_variable_str(type) > 0 ? kText : kList;
  printf("--- %s\n", name);
  memset(&fill, 0, sizeof fill);
  /* libhdf5 1.10.8 frees what it has given of compounds. */
  if (kind != kMixed) {
    printf("fill value: %d", H5Pget_fill_value(list, types[kind], &fill));
    show_element(kind, &fill);
    printf("\n");
  }
  show_set(d, kind, "all");
  const hsize_t n = (hsize_t)H5Sget_simple_extent_npoints(space);
  for (hsize_t i = 0; i < n; i += 2) put_one(d, kind, i, number++);
  H5Dclose(d);
  d = H5Dopen2(group, name, H5P_DEFAULT);
  show_set(d, kind, "half");
  for (hsize_t i = 1; i < n; i += 2) put_one(d, kind, i, number++);
  show_set(d, kind, "none");
  H5Sclose(space), H5Pclose(list), H5Tclose(type), H5Dclose(d);
  return 0;
}

static void make(const char *name, const char *copy_name, H5F_libver_t low) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file, copy;
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  copy = H5Fcreate(copy_name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  for (int kind = 0; kind < kKinds; ++kind)
    for (int layout = 0; layout < 5; ++layout)
      for (int time = 0; time < 4; ++time)
        if (time == 0 || layout == 2 || layout == 3 || (layout == 1 && time == 1))
          make_set(file, kind, layout, time);
  /* Also of what is read again. (libhdf5 1.10.8 gives the copy the fill value's ids in the other file.) */
  SAY(H5Fclose(file));
  file = H5Fopen(name, H5F_ACC_RDWR, access);
  SAY(H5Ocopy(file, "/", copy, "all", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Fclose(copy));
  SAY(H5Fclose(file));
  H5Pclose(access);
}

int main(int argc, char **argv) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  make_types();
  if (argc < 2) {
    make("f1.h5", "f2.h5", H5F_LIBVER_EARLIEST);
    make("f3.h5", "f4.h5", H5F_LIBVER_LATEST);
  }
  for (int i = 1; i + 1 < argc; i += 2) {
    hid_t file = H5Fopen(argv[i], H5F_ACC_RDWR, H5P_DEFAULT);
    SAY(H5Literate_by_name(file, argv[i + 1], H5_INDEX_NAME, H5_ITER_INC, NULL, look_at, NULL,
                           H5P_DEFAULT));
    SAY(H5Fclose(file));
  }
  for (int kind = kKinds; kind-- > 0;) H5Tclose(types[kind]);
  return 0;
}
