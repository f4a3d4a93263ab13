/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Dense links and attributes beyond the ordinary: groups whose links go through filters, attributes larger
 * than 64 KiB in copies of any format, files with short addresses. Prints what it finds; with a file it looks at that,
 * changes it, and looks again.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kFilters[] = {"d", "f", "fd", "df", ""};

static hid_t with_filters(const char *filters, unsigned order) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  for (; *filters != '\0'; ++filters) {
    if (*filters == 'd') H5Pset_deflate(list, 6);
    if (*filters == 'f') H5Pset_fletcher32(list);
  }
  H5Pset_link_creation_order(list, order);
  return list;
}

/* Links of all lengths: most in blocks, some in objects of their own. */
static void add_links(hid_t group, int from, int to) {
  static char target[70000];
  char name[64];
  for (int i = from; i < to; ++i) {
    const int length = i % 23 == 5 ? 4500 + i : i % 97 == 60 ? 60000 : 5 + i % 60;
    unsigned noise = (unsigned)i * 2654435761u;
    for (int n = 0; n < length; ++n) {
      noise = noise * 1664525u + 1013904223u;
      target[n] = (char)(i % 3 == 0 ? '!' + (noise >> 16) % 90 : 't');
    }
    target[length] = '\0';
    snprintf(name, sizeof name, "link %d", i);
    if (H5Lcreate_soft(target, group, name, H5P_DEFAULT, H5P_DEFAULT) < 0) printf("no %s\n", name);
  }
}

static herr_t add_up(hid_t group, const char *name, const H5L_info_t *info, void *sum) {
  static char target[70001];
  memset(target, 0, sizeof target);
  if (H5Lget_val(group, name, target, sizeof target, H5P_DEFAULT) < 0) return -1;
  unsigned long long *all = sum;
  for (const char *p = name; *p != '\0'; ++p) *all = *all * 31 + (unsigned char)*p;
  for (const char *p = target; *p != '\0'; ++p) *all = *all * 31 + (unsigned char)*p;
  *all += (unsigned long long)info->corder_valid;
  return 0;
}

static void show_group(hid_t file, const char *path) {
  hid_t group = H5Gopen2(file, path, H5P_DEFAULT), list = H5Gget_create_plist(group);
  H5G_info_t info;
  unsigned long long by_name = 0, by_order = 0;
  unsigned order = 0;
  if (H5Gget_info(group, &info) < 0) printf("no info\n");
  H5Pget_link_creation_order(list, &order);
  hsize_t at = 0;
  int walked = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, &at, add_up, &by_name) < 0;
  at = 0;
  if (order & 1)
    walked += H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_DEC, &at, add_up, &by_order) < 0;
  printf("%s: %d links, storage %d, order %u, walks failed %d, %llx %llx\n", path, (int)info.nlinks,
         (int)info.storage_type, order, walked, by_name, by_order);
  for (int i = 0; i < H5Pget_nfilters(list); ++i) {
    unsigned flags = 9, values[4] = {9, 9, 9, 9}, config = 9;
    size_t count = 4;
    char name[32] = "";
    const int id =
        H5Pget_filter2(list, (unsigned)i, &flags, &count, values, sizeof name, name, &config);
    printf("  filter %d, flags %u, %d values, first %u, %s\n", id, flags, (int)count,
           count > 0 ? values[0] : 0, name);
  }
  H5Pclose(list), H5Gclose(group);
}

static void show_filtered(hid_t file) {
  char path[32];
  for (int f = 0; f < 5; ++f)
    for (unsigned order = 0; order < 4; order = 2 * order + 1) {
      snprintf(path, sizeof path, "/g%d%u", f, order);
      show_group(file, path);
    }
  show_group(file, "/g0 way/mid");
}

static void change_filtered(hid_t file, int from, int to, int gone) {
  char name[64];
  for (int f = 0; f < 5; ++f)
    for (unsigned order = 0; order < 4; order = 2 * order + 1) {
      snprintf(name, sizeof name, "/g%d%u", f, order);
      hid_t group = H5Gopen2(file, name, H5P_DEFAULT);
      for (int i = 0; i < gone; ++i) {
        snprintf(name, sizeof name, "link %d", i * 3);
        if (H5Lexists(group, name, H5P_DEFAULT) > 0 && H5Ldelete(group, name, H5P_DEFAULT) < 0)
          printf("%s stays\n", name);
      }
      add_links(group, from, to);
      H5Gclose(group);
    }
}

static void make_filtered(hid_t fapl, const char *name) {
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  char path[32];
  for (int f = 0; f < 5; ++f)
    for (unsigned order = 0; order < 4; order = 2 * order + 1) {
      hid_t list = with_filters(kFilters[f], order);
      snprintf(path, sizeof path, "/g%d%u", f, order);
      hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, list, H5P_DEFAULT);
      add_links(group, 0, 4 + 37 * f);
      H5Gclose(group), H5Pclose(list);
    }
  /* Groups on the way have the filters of the group that they are in. */
  hid_t list = with_filters("d", 0);
  H5Gclose(H5Gcreate2(file, "/g0 way", H5P_DEFAULT, list, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "/g0 way/mid/leaf", links, H5P_DEFAULT, H5P_DEFAULT));
  H5Pclose(list), H5Pclose(links), H5Fclose(file);
}

static void look_and_change(const char *name, int round) {
  hid_t file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  printf("%s %d: %s\n", name, round, file < 0 ? "can't be opened" : "open");
  if (file < 0) return;
  show_filtered(file);
  change_filtered(file, 100 + 40 * round, 130 + 40 * round, 5 + 20 * round);
  H5Fflush(file, H5F_SCOPE_LOCAL);
  change_filtered(file, 1000 + 10 * round, 1001 + 10 * round, 2);
  show_filtered(file);
  printf("closed %d\n", (int)H5Fclose(file));
}

/* Attributes of 80,000 bytes, and many of them. */
static void make_large(hid_t file) {
  const hsize_t many = 20000, few = 3;
  hid_t large = H5Screate_simple(1, &many, NULL), small = H5Screate_simple(1, &few, NULL);
  int *values = malloc(many * sizeof *values);
  for (int i = 0; i < (int)many; ++i) values[i] = i;
  hid_t ordered = H5Pcreate(H5P_GROUP_CREATE), type = H5Tcopy(H5T_STD_I32LE);
  H5Pset_attr_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Gclose(H5Gcreate2(file, "group/in it", H5P_DEFAULT, ordered, H5P_DEFAULT));
  H5Dclose(H5Dcreate2(file, "data", H5T_STD_I32LE, small, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const char *const names[] = {"group", "group/in it", "data", "type"};
  for (int n = 0; n < 4; ++n) {
    hid_t object = H5Oopen(file, names[n], H5P_DEFAULT);
    for (int i = 0; i < 12; ++i) {
      char name[16];
      snprintf(name, sizeof name, "a%d", 12 - i);
      hid_t a =
          H5Acreate2(object, name, H5T_STD_I32LE, i == 7 ? large : small, H5P_DEFAULT, H5P_DEFAULT);
      if (a < 0 || H5Awrite(a, H5T_NATIVE_INT, values) < 0) printf("no %s of %s\n", name, names[n]);
      H5Aclose(a);
      if (n == 2 && i == 7) break;
    }
    H5Oclose(object);
  }
  free(values), H5Tclose(type), H5Pclose(ordered), H5Sclose(large), H5Sclose(small);
}

static herr_t show_attribute(hid_t object, const char *name, const H5A_info_t *info,
                             void *nothing) {
  hid_t a = H5Aopen(object, name, H5P_DEFAULT), space = H5Aget_space(a);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  int *values = calloc((size_t)count, sizeof *values);
  long sum = 0;
  (void)nothing;
  const int read = (int)H5Aread(a, H5T_NATIVE_INT, values);
  for (hssize_t i = 0; i < count; ++i) sum += (i + 1) * values[i];
  printf("  %s: %d bytes, %d, %ld, order %d\n", name, (int)info->data_size, read, sum,
         info->corder_valid ? (int)info->corder : -1);
  free(values), H5Sclose(space), H5Aclose(a);
  return 0;
}

static void copy_large(hid_t from, hid_t fapl, const char *name) {
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  const char *const names[] = {"group", "data", "type", "group/in it"};
  for (int n = 0; n < 3; ++n)
    printf("copy of %s: %d\n", names[n],
           (int)H5Ocopy(from, names[n], file, names[n], H5P_DEFAULT, H5P_DEFAULT));
  H5Fclose(file);
  file = H5Fopen(name, H5F_ACC_RDWR, H5P_DEFAULT);
  for (int n = 0; n < 4; ++n) {
    hid_t object = H5Oopen(file, names[n], H5P_DEFAULT);
    H5O_info_t info;
    H5Oget_info2(object, &info, H5O_INFO_ALL);
    printf("%s: %d attributes, header of version %u\n", names[n], (int)info.num_attrs,
           info.hdr.version);
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, show_attribute, NULL);
    /* It can be changed, too. */
    printf("  deleted: %d\n", (int)H5Adelete(object, "a11"));
    H5Oclose(object);
  }
  H5Fclose(file);
}

/* The file is smaller than 64 KiB. */
static void short_addresses(hid_t fapl) {
  hid_t create = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_sizes(create, 2, 2);
  hid_t file = H5Fcreate("short.h5", H5F_ACC_TRUNC, create, fapl);
  hid_t group = H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate(H5S_SCALAR);
  for (int i = 0; i < 150; ++i) {
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    H5Lcreate_soft("x", group, name, H5P_DEFAULT, H5P_DEFAULT);
    hid_t a = H5Acreate2(group, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_NATIVE_INT, &i), H5Aclose(a);
  }
  H5Sclose(space), H5Gclose(group), H5Pclose(create);
  printf("short addresses: closed %d\n", (int)H5Fclose(file));
}

int main(int argc, char **argv) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (argc > 2) {
    look_and_change(argv[1], atoi(argv[2]));
    return 0;
  }
  hid_t latest = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(latest, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  make_filtered(H5P_DEFAULT, "f1.h5");
  make_filtered(latest, "f2.h5");
  for (int round = 0; round < 2; ++round) {
    look_and_change("f1.h5", round);
    look_and_change("f2.h5", round);
  }
  hid_t file = H5Fcreate("large.h5", H5F_ACC_TRUNC, H5P_DEFAULT, latest);
  make_large(file);
  copy_large(file, H5P_DEFAULT, "c1.h5");
  copy_large(file, latest, "c2.h5");
  H5Fclose(file);
  short_addresses(latest);
  return H5Pclose(latest) < 0;
}
