/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Objects in a file, opened, closed, deleted, found again. */
#include "scaling.h"

static void datasets(long n) {
  char name[32];
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Dclose(make_dataset(file, name)));
  }
  CK(H5Fflush(file, H5F_SCOPE_LOCAL));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    CK(id);
    CK(H5Dclose(id));
  }
}

static void datasets_written(long n) {
  char name[32];
  int value = 7;
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    hid_t id = make_dataset(file, name);
    CK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
    CK(H5Dclose(id));
  }
}

static void datasets_kept_open(long n) {
  char name[32];
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    ids[i] = make_dataset(file, name);
  }
  for (long i = n; i-- > 0;) {
    name_of(name, i);
    CK(H5Ldelete(file, name, H5P_DEFAULT));
    CK(H5Dclose(ids[i]));
  }
  free(ids);
}

static void groups_nested_flat(long n) {
  char name[32];
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Gclose(new_group(name, H5P_DEFAULT)));
  }
}

static void types_committed(long n) {
  char name[32];
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    hid_t type = H5Tcopy(H5T_NATIVE_INT);
    CK(H5Tcommit2(file, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    CK(H5Tclose(type));
  }
}

static herr_t visited(hid_t object, const char *name, const H5O_info_t *info, void *data) {
  (void)object, (void)name, (void)info;
  ++*(long *)data;
  return 0;
}

static void objects_visited(long n) {
  long seen = 0;
  groups_nested_flat(n);
  CK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visited, &seen));
}

static void depth(long n) {
  hid_t in = H5Gopen2(file, "/", H5P_DEFAULT);
  for (long i = 0; i < n; ++i) {
    hid_t next = H5Gcreate2(in, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CK(next);
    CK(H5Gclose(in));
    in = next;
  }
  CK(H5Gclose(in));
}

static void opens_of_one(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  CK(H5Dclose(make_dataset(file, "d")));
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Dopen2(file, "d", H5P_DEFAULT));
  for (long i = 0; i < n; ++i) {
    hid_t of = H5Iget_file_id(ids[i]);
    CK(of);
    CK(H5Fclose(of));
  }
  for (long i = n; i-- > 0;) CK(H5Dclose(ids[i]));
  free(ids);
}

static void reopened(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Freopen(file));
  for (long i = 0; i < n; ++i) CK(H5Fclose(ids[i]));
  free(ids);
}

static void lists(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) {
    CK(ids[i] = H5Pcreate(H5P_DATASET_CREATE));
    CK(H5Pset_deflate(ids[i], 3));
  }
  for (long i = n; i-- > 0;) CK(H5Pclose(ids[i]));
  free(ids);
}

static void spaces(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Scopy(scalar));
  for (long i = n; i-- > 0;) CK(H5Sclose(ids[i]));
  free(ids);
}

/* Opens each of `n` objects of a file that was just opened. */
static void datasets_read(long n) {
  char name[32];
  int value = 0;
  datasets_written(n);
  reopen();
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    CK(id);
    CK(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value));
    CK(H5Dclose(id));
  }
}

/* By paths through groups that nobody has open: old ones and new ones. */
static void datasets_by_path(long n) {
  char name[32], path[48];
  const char *groups[] = {"old", "new"};
  hid_t tracked = H5Pcreate(H5P_GROUP_CREATE);
  CK(H5Pset_link_creation_order(tracked, H5P_CRT_ORDER_TRACKED));
  for (int g = 0; g < 2; ++g) {
    CK(H5Gclose(new_group(groups[g], g == 0 ? H5P_DEFAULT : tracked)));
    for (long i = 0; i < n; ++i) {
      name_of(name, i);
      snprintf(path, sizeof path, "%s/%s", groups[g], name);
      CK(H5Dclose(make_dataset(file, path)));
    }
  }
  CK(H5Pclose(tracked));
  reopen();
  for (int g = 0; g < 2; ++g)
    for (long i = 0; i < n; ++i) {
      name_of(name, i);
      snprintf(path, sizeof path, "%s/%s", groups[g], name);
      hid_t id = H5Dopen2(file, path, H5P_DEFAULT);
      CK(id);
      CK(H5Dclose(id));
    }
}

static void groups_visited(long n) {
  char name[32];
  groups_nested_flat(n);
  reopen();
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    H5G_info_t info;
    hid_t id = H5Gopen2(file, name, H5P_DEFAULT);
    CK(id);
    CK(H5Gget_info(id, &info));
    CK(H5Gclose(id));
  }
}

/* Each object is opened by its number among all, and by its address. */
static void objects_by_number(long n) {
  groups_nested_flat(n);
  for (long i = 0; i < n; ++i) {
    hid_t id = H5Oopen_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, H5P_DEFAULT);
    CK(id);
    H5O_info_t info;
    CK(H5Oget_info(id, &info));
    hid_t same = H5Oopen_by_addr(file, info.addr);
    CK(same);
    CK(H5Oclose(same));
    CK(H5Oclose(id));
  }
}

static void ids_listed(long n) {
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  datasets_kept_open(n);
  CK(H5Dclose(make_dataset(file, "d")));
  for (long i = 0; i < n; ++i) CK(ids[i] = H5Dopen2(file, "d", H5P_DEFAULT));
  CK(H5Fget_obj_ids(file, H5F_OBJ_DATASET, (size_t)n, ids));
  for (long i = 0; i < n; ++i) {
    char name[32];
    CK(H5Iget_name(ids[i], name, sizeof name));
    CK(H5Dclose(ids[i]));
  }
  free(ids);
}

static void references(long n) {
  hobj_ref_t *refs = malloc((size_t)n * sizeof *refs);
  char name[32];
  groups_nested_flat(n);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Rcreate(&refs[i], file, name, H5R_OBJECT, -1));
  }
  for (long i = 0; i < n; ++i) {
    hid_t id = H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &refs[i]);
    CK(id);
    CK(H5Oclose(id));
  }
  free(refs);
}

static void files_open(long n) {
  char path[600];
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  CK(H5Pset_fapl_core(access, 4096, 0));
  for (long i = 0; i < n; ++i) {
    snprintf(path, sizeof path, "%s-%ld", scaling_path, i);
    CK(ids[i] = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  }
  for (long i = 0; i < n; ++i) CK(H5Fclose(ids[i]));
  CK(H5Pclose(access));
  free(ids);
}

const struct scaling_case object_cases[] = {
    {"datasets", datasets, 2000},
    {"datasets_written", datasets_written, 2000},
    {"datasets_kept_open", datasets_kept_open, 2000},
    {"datasets_read", datasets_read, 2000},
    {"datasets_by_path", datasets_by_path, 2000},
    {"groups", groups_nested_flat, 2000},
    {"groups_visited", groups_visited, 2000},
    {"depth", depth, 200},
    {"types_committed", types_committed, 2000},
    {"objects_visited", objects_visited, 2000},
    {"objects_by_number", objects_by_number, 1000},
    {"ids_listed", ids_listed, 1000},
    {"references", references, 1000},
    {"files_open", files_open, 50},
    {"opens_of_one", opens_of_one, 4000},
    {"reopened", reopened, 2000},
    {"lists", lists, 8000},
    {"spaces", spaces, 16000},
    {NULL, NULL, 0},
};
