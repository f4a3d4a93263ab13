/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Links in a group. */
#include "scaling.h"

static hid_t tracked(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  CK(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return list;
}

static void soft_links(long n) {
  char name[32];
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Lcreate_soft("/x", file, name, H5P_DEFAULT, H5P_DEFAULT));
  }
}

static void hard_links_in(hid_t group, long n) {
  char name[32];
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Lcreate_hard(file, "/", group, name, H5P_DEFAULT, H5P_DEFAULT));
  }
}

static void hard_links(long n) { hard_links_in(file, n); }

static void tracked_links(long n) {
  hid_t list = tracked();
  hid_t group = new_group("g", list);
  hard_links_in(group, n);
  CK(H5Gclose(group));
  CK(H5Pclose(list));
}

static void links_deleted(long n) {
  char name[32];
  hard_links(n);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Ldelete(file, name, H5P_DEFAULT));
  }
}

static void links_renamed(long n) {
  char name[32], other[40];
  hard_links(n);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    sprintf(other, "r%s", name);
    CK(H5Lmove(file, name, file, other, H5P_DEFAULT, H5P_DEFAULT));
  }
}

static void links_by_number(long n) {
  char name[32];
  hid_t list = tracked();
  hid_t group = new_group("g", list);
  hard_links_in(group, n);
  for (long i = 0; i < n; ++i)
    for (int by = 0; by < 2; ++by)
      CK(H5Lget_name_by_idx(group, ".", (H5_index_t)by, H5_ITER_INC, (hsize_t)i, name, sizeof name,
                            H5P_DEFAULT));
  for (long i = 0; i < n; ++i)
    CK(H5Ldelete_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_DEC, 0, H5P_DEFAULT));
  CK(H5Gclose(group));
  CK(H5Pclose(list));
}

static herr_t stop(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)group, (void)name, (void)info, (void)data;
  return 1;
}

static void links_one_by_one(long n) {
  hard_links(n);
  for (hsize_t i = 0; i < (hsize_t)n;)
    CK(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &i, stop, NULL));
}

static void open_links_reached(long n) {
  char name[32];
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) ids[i] = H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Olink(ids[i], file, name, H5P_DEFAULT, H5P_DEFAULT));
  }
  for (long i = 0; i < n; ++i) CK(H5Gclose(ids[i]));
  free(ids);
}

static void links_loaded(long n) {
  char name[32];
  H5L_info_t info;
  hard_links(n);
  reopen();
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Lget_info(file, name, &info, H5P_DEFAULT));
  }
}

static herr_t go_on(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)group, (void)name, (void)info;
  ++*(long *)data;
  return 0;
}

static void links_visited(long n) {
  long seen = 0;
  hard_links(n);
  CK(H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, go_on, &seen));
}

/* A path of many names. */
static void long_paths(long n) {
  char *path = malloc((size_t)n * 2 + 1);
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  CK(H5Pset_create_intermediate_group(list, 1));
  for (long i = 0; i < n; ++i) memcpy(path + 2 * i, "/a", 3);
  CK(H5Gclose(H5Gcreate2(file, path, list, H5P_DEFAULT, H5P_DEFAULT)));
  CK(H5Gclose(H5Gopen2(file, path, H5P_DEFAULT)));
  CK(H5Lexists(file, path, H5P_DEFAULT));
  CK(H5Pclose(list));
  free(path);
}

const struct scaling_case link_cases[] = {
    {"soft_links", soft_links, 8000},
    {"hard_links", hard_links, 8000},
    {"tracked_links", tracked_links, 8000},
    {"links_deleted", links_deleted, 4000},
    {"links_renamed", links_renamed, 4000},
    {"links_by_number", links_by_number, 4000},
    {"links_one_by_one", links_one_by_one, 4000},
    {"links_to_nameless", open_links_reached, 2000},
    {"links_loaded", links_loaded, 4000},
    {"links_visited", links_visited, 4000},
    {"long_paths", long_paths, 500},
    {NULL, NULL, 0},
};
