/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * How cost grows with counts: each count there is is doubled, and the exponent of the growth printed.
 *
 *   scaling_counts [-n smallest] [-t times doubled] [-m most exponent] [-d folder] [name ...]
 *
 * Without names all cases run; "-n 0" (the default) takes each case's own smallest count. Needs
 * nothing newer than HDF5 1.10, so one source serves for libpcio and libhdf5; serial. One line for
 * each case: name, count, cost at the largest count (instructions where the system counts them, else
 * microseconds of the processor), cost for one, peak memory for one in bytes (of the process; only
 * what is above the smallest count's), and the exponent between the last two counts. The end is 1
 * where an exponent is above the most that is allowed (1.1 with -m 1.1; default: none).
 */
#define _GNU_SOURCE
#include <hdf5.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CK(e)                                                                   \
  do {                                                                          \
    if ((long long)(e) < 0) {                                                   \
      fprintf(stderr, "scaling_counts: line %d: %s failed\n", __LINE__, #e);    \
      _exit(1);                                                                 \
    }                                                                           \
  } while (0)

/* ---- cost --------------------------------------------------------------------------------------- */

static int counter = -1;

static void open_counter(void) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = PERF_COUNT_HW_INSTRUCTIONS;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  counter = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static double cost_now(void) {
  unsigned long long n = 0;
  struct rusage use;
  if (counter >= 0 && read(counter, &n, sizeof n) == sizeof n) return (double)n;
  getrusage(RUSAGE_SELF, &use);
  return 1e6 * (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

static double peak_bytes(void) {
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return 1024.0 * (double)use.ru_maxrss;
}

/* ---- cases -------------------------------------------------------------------------------------- */

static const char *folder = "/dev/shm";
static hid_t file, scalar;

static void name_of(char *out, long i) { sprintf(out, "n%09ld", i * 7919 % 1000000007); }

static hid_t tracked(void) {
  hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  CK(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  return list;
}

static hid_t new_group(const char *name, hid_t list) {
  hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(group);
  return group;
}

static hid_t make_dataset(hid_t in, const char *name) {
  hid_t id = H5Dcreate2(in, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(id);
  return id;
}

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

static void attributes_of(hid_t object, long n, int times) {
  char name[32];
  int value = 3;
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Aexists(object, name));
    hid_t id = H5Acreate2(object, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
    CK(id);
    CK(H5Awrite(id, H5T_NATIVE_INT, &value));
    CK(H5Aclose(id));
  }
  CK(H5Fflush(file, H5F_SCOPE_LOCAL));
  for (long i = 0; i < n * times; ++i) {
    name_of(name, i % n);
    hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    CK(id);
    CK(H5Aread(id, H5T_NATIVE_INT, &value));
    CK(H5Aclose(id));
    CK(H5Aget_num_attrs(object));
  }
}

static void attributes(long n) {
  hid_t group = H5Gopen2(file, "/", H5P_DEFAULT);
  attributes_of(group, n, 1);
  CK(H5Gclose(group));
}

static void attributes_latest(long n) {
  CK(H5Fset_libver_bounds(file, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  hid_t group = new_group("g", H5P_DEFAULT);
  attributes_of(group, n, 1);
  CK(H5Gclose(group));
}

static void attributes_of_dataset(long n) {
  hid_t id = make_dataset(file, "d");
  attributes_of(id, n, 1);
  CK(H5Dclose(id));
}

static void attributes_changed(long n) {
  char name[32], other[40];
  attributes_of(file, n, 0);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    sprintf(other, "r%s", name);
    CK(H5Arename(file, name, other));
  }
  for (long i = 0; i < n; ++i)
    CK(H5Aget_name_by_idx(file, ".", H5_INDEX_NAME, H5_ITER_INC, (hsize_t)i, name, sizeof name,
                          H5P_DEFAULT));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    sprintf(other, "r%s", name);
    CK(H5Adelete(file, other));
  }
}

static void attributes_open(long n) {
  char name[32];
  hid_t *ids = malloc((size_t)n * sizeof *ids);
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    ids[i] = H5Acreate2(file, name, H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
    CK(ids[i]);
  }
  for (long i = 0; i < n; ++i) CK(H5Aclose(ids[i]));
  free(ids);
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

static void members(long n) {
  char name[32];
  hid_t type = H5Tcreate(H5T_COMPOUND, (size_t)n * sizeof(int));
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tinsert(type, name, (size_t)i * sizeof(int), H5T_NATIVE_INT));
  }
  int *values = calloc((size_t)n, sizeof *values);
  hid_t id = H5Dcreate2(file, "d", type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  /* Old formats have no room for very many members. */
  if (id >= 0) {
    CK(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    CK(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    CK(H5Dclose(id));
  }
  for (long i = 0; i < n; ++i) {
    name_of(name, i);
    CK(H5Tget_member_index(type, name));
  }
  free(values);
  CK(H5Tclose(type));
}

static void enumerators(long n) {
  char name[32];
  hid_t type = H5Tenum_create(H5T_NATIVE_INT);
  for (int i = 0; i < (int)n; ++i) {
    name_of(name, i);
    CK(H5Tenum_insert(type, name, &i));
  }
  for (int i = 0; i < (int)n; ++i) {
    CK(H5Tenum_nameof(type, &i, name, sizeof name));
  }
  CK(H5Tclose(type));
}

static hid_t line(long n) {
  hsize_t size = (hsize_t)n;
  hid_t space = H5Screate_simple(1, &size, NULL);
  CK(space);
  return space;
}

static void points(long n) {
  hsize_t *at = malloc((size_t)n * sizeof *at);
  int *values = calloc((size_t)n, sizeof *values);
  hid_t space = line(4 * n), memory = line(n);
  for (long i = 0; i < n; ++i) at[i] = (hsize_t)(4 * (i * 7919 % n));
  CK(H5Sselect_elements(space, H5S_SELECT_SET, (size_t)n, at));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dread(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Sget_select_elem_pointlist(space, 0, (hsize_t)n, at));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(at);
  free(values);
}

static void points_appended(long n) {
  hid_t space = line(4 * n);
  for (long i = 0; i < n; ++i) {
    hsize_t at = (hsize_t)(4 * i);
    CK(H5Sselect_elements(space, i ? H5S_SELECT_APPEND : H5S_SELECT_SET, 1, &at));
  }
  CK(H5Sget_select_npoints(space));
  CK(H5Sclose(space));
}

static void blocks_united(long n) {
  hid_t space = line(4 * n), memory = line(n);
  int *values = calloc((size_t)n, sizeof *values);
  for (long i = 0; i < n; ++i) {
    hsize_t start = (hsize_t)(4 * i), count = 1;
    CK(H5Sselect_hyperslab(space, i ? H5S_SELECT_OR : H5S_SELECT_SET, &start, NULL, &count, NULL));
  }
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(values);
}

static void stripes(long n) {
  hid_t space = line(4 * n), memory = line(n);
  int *values = calloc((size_t)n, sizeof *values);
  hsize_t start = 1, stride = 4, count = (hsize_t)n;
  CK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
  free(values);
}

static void chunks(long n) {
  hsize_t one = 2;
  hid_t space = line(2 * n), list = H5Pcreate(H5P_DATASET_CREATE);
  int *values = calloc((size_t)n, 2 * sizeof *values);
  CK(H5Pset_chunk(list, 1, &one));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  free(values);
}

static void chunks_appended(long n) {
  hsize_t zero = 0, most = H5S_UNLIMITED, one = 1;
  hid_t space = H5Screate_simple(1, &zero, &most), memory = line(1);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  int value = 5;
  CK(H5Pset_chunk(list, 1, &one));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  for (hsize_t i = 0; i < (hsize_t)n; ++i) {
    hsize_t size = i + 1;
    CK(H5Dset_extent(id, &size));
    hid_t now = H5Dget_space(id);
    CK(H5Sselect_hyperslab(now, H5S_SELECT_SET, &i, NULL, &one, NULL));
    CK(H5Dwrite(id, H5T_NATIVE_INT, memory, now, H5P_DEFAULT, &value));
    CK(H5Sclose(now));
  }
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  CK(H5Sclose(memory));
}

static void filtered_chunks(long n) {
  hsize_t one = 4;
  hid_t space = line(4 * n), list = H5Pcreate(H5P_DATASET_CREATE);
  int *values = calloc((size_t)n, 4 * sizeof *values);
  CK(H5Pset_chunk(list, 1, &one));
  CK(H5Pset_deflate(list, 1));
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  CK(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  CK(H5Dclose(id));
  CK(H5Pclose(list));
  CK(H5Sclose(space));
  free(values);
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

/* ---- running ------------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  void (*run)(long n);
  long smallest;
} cases[] = {
    {"datasets", datasets, 2000},
    {"datasets_written", datasets_written, 2000},
    {"datasets_kept_open", datasets_kept_open, 2000},
    {"groups", groups_nested_flat, 2000},
    {"depth", depth, 200},
    {"soft_links", soft_links, 8000},
    {"hard_links", hard_links, 8000},
    {"tracked_links", tracked_links, 8000},
    {"links_deleted", links_deleted, 4000},
    {"links_renamed", links_renamed, 4000},
    {"links_by_number", links_by_number, 4000},
    {"links_one_by_one", links_one_by_one, 4000},
    {"links_to_nameless", open_links_reached, 2000},
    {"attributes", attributes, 1000},
    {"attributes_latest", attributes_latest, 1000},
    {"attributes_of_dataset", attributes_of_dataset, 1000},
    {"attributes_changed", attributes_changed, 1000},
    {"attributes_open", attributes_open, 1000},
    {"types_committed", types_committed, 2000},
    {"objects_visited", objects_visited, 2000},
    {"opens_of_one", opens_of_one, 4000},
    {"reopened", reopened, 2000},
    {"lists", lists, 8000},
    {"spaces", spaces, 16000},
    {"members", members, 200},
    {"enumerators", enumerators, 500},
    {"points", points, 16000},
    {"points_appended", points_appended, 4000},
    {"blocks_united", blocks_united, 2000},
    {"stripes", stripes, 32000},
    {"chunks", chunks, 4000},
    {"chunks_appended", chunks_appended, 2000},
    {"filtered_chunks", filtered_chunks, 2000},
};

struct measured {
  double cost;
  double peak;
};

/* In a process of its own, so that memory is its own. */
static struct measured measure(void (*run)(long), long n) {
  struct measured result = {-1, 0};
  int ends[2];
  if (pipe(ends) < 0) return result;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    char path[512];
    open_counter();
    snprintf(path, sizeof path, "%s/scaling_counts-%d.h5", folder, (int)getpid());
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    scalar = H5Screate(H5S_SCALAR);
    if (file < 0) _exit(1);
    double before = cost_now();
    run(n);
    CK(H5Fclose(file));
    result.cost = cost_now() - before;
    result.peak = peak_bytes();
    unlink(path);
    _exit(write(ends[1], &result, sizeof result) == sizeof result ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &result, sizeof result) != sizeof result) result.cost = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return result;
}

static int wanted(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (!strcmp(name, names[i])) return 1;
  return count == 0;
}

int main(int argc, char **argv) {
  long smallest = 0, doublings = 3;
  double most = 1e9;
  int option, bad = 0;
  while ((option = getopt(argc, argv, "n:t:m:d:")) != -1) {
    if (option == 'n') smallest = atol(optarg);
    if (option == 't') doublings = atol(optarg);
    if (option == 'm') most = atof(optarg);
    if (option == 'd') folder = optarg;
    if (option == '?') return 2;
  }
  open_counter();
  printf("%-22s %9s %14s %10s %10s %8s   (%s)\n", "case", "count", "cost", "for one", "bytes",
         "exponent", counter >= 0 ? "instructions" : "microseconds");
  for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
    if (!wanted(cases[c].name, argc - optind, argv + optind)) continue;
    long n = smallest > 0 ? smallest : cases[c].smallest;
    const long least = n;
    struct measured first = measure(cases[c].run, n), before = first, now = first;
    for (long i = 0; i < doublings && now.cost >= 0; ++i) {
      before = now;
      n *= 2;
      now = measure(cases[c].run, n);
    }
    if (now.cost < 0) {
      printf("%-22s %9ld failed\n", cases[c].name, n);
      bad = 1;
      continue;
    }
    double exponent = log2(now.cost / before.cost);
    printf("%-22s %9ld %14.0f %10.1f %10.1f %8.2f%s\n", cases[c].name, n, now.cost,
           now.cost / (double)n, (now.peak - first.peak) / (double)(n - least), exponent,
           exponent > most ? "  TOO MUCH" : "");
    fflush(stdout);
    if (exponent > most) bad = 1;
  }
  return bad;
}
