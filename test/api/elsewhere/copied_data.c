/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* H5Ocopy of datasets whose elements are elsewhere: in external files, in other datasets; and of variable-length
 * elements and values. Run in an empty folder with libpcio and with libhdf5: what is printed must be equal. Room: test/api. */

#include "show.h"

static const hsize_t four = 4;

static void show_external(hid_t file, const char *name) {
  hid_t d = H5Dopen2(file, name, H5P_DEFAULT), list = H5Dget_create_plist(d);
  int n = H5Pget_external_count(list);
  printf("%s: %d external files", name, n);
  for (int i = 0; i < n; ++i) {
    char path[100] = "";
    off_t offset = 0;
    hsize_t size = 0;
    H5Pget_external(list, (unsigned)i, sizeof path, path, &offset, &size);
    printf(" [%s %d %llu]", path, (int)offset, (unsigned long long)size);
  }
  int values[4] = {-1, -1, -1, -1};
  int read = H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf(" size %d read %d: %d %d %d %d\n", (int)H5Dget_storage_size(d), read, values[0], values[1],
         values[2], values[3]);
  H5Pclose(list), H5Dclose(d);
}

static void show_virtual(hid_t file, const char *name) {
  size_t n = 0;
  hsize_t dims[2] = {0, 0};
  int values[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  hid_t d = H5Dopen2(file, name, H5P_DEFAULT), list = H5Dget_create_plist(d);
  H5Pget_virtual_count(list, &n);
  printf("%s: %d mappings", name, (int)n);
  for (size_t i = 0; i < n; ++i) {
    char path[100] = "", set[100] = "";
    H5Pget_virtual_filename(list, i, path, sizeof path);
    H5Pget_virtual_dsetname(list, i, set, sizeof set);
    hid_t space = H5Pget_virtual_vspace(list, i);
    printf(" [%s %s %d]", path, set, (int)H5Sget_select_npoints(space));
    H5Sclose(space);
  }
  hid_t space = H5Dget_space(d);
  H5Sget_simple_extent_dims(space, dims, NULL);
  int read = H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf(" size %d read %d: %d %d %d %d\n", (int)dims[0], read, values[0], values[1], values[2],
         values[3]);
  H5Sclose(space), H5Pclose(list), H5Dclose(d);
}

static void add_four(hid_t at, const char *name, hid_t list, int first) {
  const int values[4] = {first, first + 1, first + 2, first + 3};
  hid_t space = H5Screate_simple(1, &four, NULL);
  hid_t d = H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(d), H5Sclose(space);
}

/* Halves of this file's and of another one's dataset; one that grows with its source; one of nothing. */
static void add_virtual(hid_t file) {
  const hsize_t zero = 0, two = 2, endless = H5S_UNLIMITED;
  const int fill = 77;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), whole = H5Screate_simple(1, &four, NULL);
  hid_t half = H5Scopy(whole), space = H5Screate_simple(1, &four, &endless);
  H5Sselect_hyperslab(whole, H5S_SELECT_SET, &zero, NULL, &two, NULL);
  H5Sselect_hyperslab(half, H5S_SELECT_SET, &two, NULL, &two, NULL);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_virtual(list, whole, ".", "source", whole);
  H5Pset_virtual(list, half, "v3.h5", "/source", whole);
  H5Sselect_all(whole);
  close_any(H5Dcreate2(file, "halves", H5T_STD_I32LE, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, NULL, &endless, NULL);
  H5Pset_virtual(list, space, "v3.h5", "grows", space);
  close_any(H5Dcreate2(file, "endless", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(list, H5D_VIRTUAL);
  close_any(H5Dcreate2(file, "nothing", H5T_STD_I32LE, whole, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Sclose(whole), H5Sclose(half), H5Sclose(space), H5Pclose(list);
}

static void add_growing(hid_t file) {
  const hsize_t endless = H5S_UNLIMITED;
  const int values[4] = {41, 42, 43, 44};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &four, &endless);
  H5Pset_chunk(list, 1, &four);
  hid_t d = H5Dcreate2(file, "grows", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

static void grow(const char *path) {
  const hsize_t six = 6;
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), d = H5Dopen2(file, "grows", H5P_DEFAULT);
  SAY(H5Dset_extent(d, &six));
  H5Dclose(d), H5Fclose(file);
}

static void elsewhere(H5F_libver_t low) {
  static const char *const names[] = {"external", "halves", "endless", "nothing"};
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  hid_t a = H5Fcreate("v1.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t b = H5Fcreate("v2.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t c = H5Fcreate("v3.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  remove("one.raw"), remove("two.raw");
  H5Pset_external(list, "one.raw", 4, 8);
  H5Pset_external(list, "two.raw", 0, H5F_UNLIMITED);
  add_four(a, "external", list, 1);
  add_four(a, "source", H5P_DEFAULT, 11);
  add_four(b, "source", H5P_DEFAULT, 21);
  add_four(c, "source", H5P_DEFAULT, 31);
  add_growing(c);
  add_virtual(a);
  H5Fclose(c);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 4; ++i) {
      char copy[20];
      snprintf(copy, sizeof copy, "%s %d", names[i], round);
      SAY(H5Ocopy(a, names[i], a, copy, H5P_DEFAULT, H5P_DEFAULT));
      SAY(H5Ocopy(a, names[i], b, copy, H5P_DEFAULT, H5P_DEFAULT));
      (i == 0 ? show_external : show_virtual)(a, copy);
      (i == 0 ? show_external : show_virtual)(b, copy);
    }
    grow("v3.h5");
    if (round == 1) break;
    /* What is deleted takes no list of others along. */
    for (int i = 0; i < 4; ++i) SAY(H5Ldelete(a, names[i], H5P_DEFAULT));
    SAY(H5Fclose(a));
    SAY(H5Fclose(b));
    b = H5Fopen("v2.h5", H5F_ACC_RDWR, H5P_DEFAULT), a = H5Fopen("v1.h5", H5F_ACC_RDWR, access);
    /* Back again: of a copy in another file. */
    for (int i = 0; i < 4; ++i) {
      char copy[20];
      snprintf(copy, sizeof copy, "%s 0", names[i]);
      (i == 0 ? show_external : show_virtual)(a, copy);
      (i == 0 ? show_external : show_virtual)(b, copy);
      SAY(H5Ocopy(b, copy, a, names[i], H5P_DEFAULT, H5P_DEFAULT));
    }
  }
  SAY(H5Fclose(a));
  SAY(H5Fclose(b));
  H5Pclose(list), H5Pclose(access);
}

/* ---- variable length --------------------------------------------------------------------------- */

typedef struct {
  int number;
  char *text;
  hvl_t list;
} Mixed;

/* Elements of every kind, with empty and missing ones; `seed`: which. */
typedef struct {
  hid_t type;
  size_t size;
  void (*fill)(void *at, int seed);
} Kind;

static hvl_t sequence(int n, int seed) {
  hvl_t out = {(size_t)n, n == 0 ? NULL : malloc(sizeof(int) * (size_t)n)};
  for (int i = 0; i < n; ++i) ((int *)out.p)[i] = seed * 100 + i;
  return out;
}
static char *text(int seed) {
  char buffer[40];
  if (seed % 7 == 3) return NULL;
  snprintf(buffer, sizeof buffer, "%.*s %d", seed * 5 % 23, "some words of no weight", seed);
  if (seed % 5 == 4) buffer[0] = 0;
  char *out = malloc(strlen(buffer) + 1);
  return strcpy(out, buffer);
}
static void fill_text(void *at, int seed) { *(char **)at = text(seed); }
static void fill_sequence(void *at, int seed) { *(hvl_t *)at = sequence(seed % 4, seed); }
static void fill_nested(void *at, int seed) {
  hvl_t out = {(size_t)(seed % 3), NULL};
  if (out.len > 0) out.p = malloc(out.len * sizeof(hvl_t));
  for (size_t i = 0; i < out.len; ++i) ((hvl_t *)out.p)[i] = sequence((int)i + seed % 2, seed);
  *(hvl_t *)at = out;
}
static void fill_mixed(void *at, int seed) {
  Mixed *out = at;
  out->number = seed;
  out->text = text(seed + 1);
  out->list = sequence(seed % 3, seed);
}
static void fill_array(void *at, int seed) {
  for (int i = 0; i < 2; ++i) ((char **)at)[i] = text(seed + i);
}

enum { kKinds = 5 };
static void make_kinds(Kind *kinds) {
  const hsize_t two = 2;
  hid_t string = H5Tcopy(H5T_C_S1);
  H5Tset_size(string, H5T_VARIABLE);
  kinds[0] = (Kind){string, sizeof(char *), fill_text};
  kinds[1] = (Kind){H5Tvlen_create(H5T_NATIVE_INT), sizeof(hvl_t), fill_sequence};
  kinds[2] = (Kind){H5Tvlen_create(kinds[1].type), sizeof(hvl_t), fill_nested};
  kinds[3] = (Kind){H5Tcreate(H5T_COMPOUND, sizeof(Mixed)), sizeof(Mixed), fill_mixed};
  H5Tinsert(kinds[3].type, "number", HOFFSET(Mixed, number), H5T_NATIVE_INT);
  H5Tinsert(kinds[3].type, "text", HOFFSET(Mixed, text), string);
  H5Tinsert(kinds[3].type, "list", HOFFSET(Mixed, list), kinds[1].type);
  kinds[4] = (Kind){H5Tarray_create2(string, 1, &two), 2 * sizeof(char *), fill_array};
}

static void show_element(hid_t type, const void *at) {
  if (H5Tis_variable_str(type) > 0) {
    const char *value = *(char *const *)at;
    printf(value == NULL ? " null" : " '%s'", value);
    return;
  }
  if (H5Tget_class(type) == H5T_INTEGER) {
    printf(" %d", *(const int *)at);
    return;
  }
  if (H5Tget_class(type) == H5T_COMPOUND) {
    for (int i = 0; i < H5Tget_nmembers(type); ++i) {
      hid_t member = H5Tget_member_type(type, (unsigned)i);
      show_element(member, (const char *)at + H5Tget_member_offset(type, (unsigned)i));
      H5Tclose(member);
    }
    return;
  }
  hid_t base = H5Tget_super(type);
  size_t n = 2;
  if (H5Tget_class(type) == H5T_VLEN) n = ((const hvl_t *)at)->len, at = ((const hvl_t *)at)->p;
  printf(" (");
  for (size_t i = 0; i < n; ++i) show_element(base, (const char *)at + i * H5Tget_size(base));
  printf(")");
  H5Tclose(base);
}

/* A dataset or an attribute. */
static void show_all(hid_t id, const char *name) {
  const int is_attribute = H5Iget_type(id) == H5I_ATTR;
  hid_t kept = is_attribute ? H5Aget_type(id) : H5Dget_type(id);
  hid_t space = is_attribute ? H5Aget_space(id) : H5Dget_space(id);
  hid_t type = H5Tget_native_type(kept, H5T_DIR_ASCEND);
  size_t n = (size_t)H5Sget_simple_extent_npoints(space), size = H5Tget_size(type);
  char *data = calloc(n + 1, size);
  int read = is_attribute ? H5Aread(id, type, data)
                          : H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  printf("%s %d:", name, read);
  for (size_t i = 0; i < n && read >= 0; ++i) show_element(type, data + i * size);
  printf("\n");
  if (read >= 0) H5Dvlen_reclaim(type, space, H5P_DEFAULT, data);
  free(data);
  H5Tclose(type), H5Tclose(kept), H5Sclose(space);
}

static void put_all(hid_t id, const Kind *kind, int seed) {
  const int is_attribute = H5Iget_type(id) == H5I_ATTR;
  hid_t space = is_attribute ? H5Aget_space(id) : H5Dget_space(id);
  size_t n = (size_t)H5Sget_simple_extent_npoints(space);
  char *data = calloc(n + 1, kind->size);
  for (size_t i = 0; i < n; ++i) kind->fill(data + i * kind->size, seed + (int)i);
  if (is_attribute)
    H5Awrite(id, kind->type, data);
  else
    H5Dwrite(id, kind->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  H5Dvlen_reclaim(kind->type, space, H5P_DEFAULT, data);
  free(data);
  H5Sclose(space);
}

static void add_kind(hid_t at, const Kind *kind, int number) {
  static const char *const layouts[] = {"contiguous", "compact", "chunked", "deflated", "sparse"};
  const hsize_t dims[2] = {5, 3}, chunk[2] = {2, 2}, first[2] = {0, 0};
  hid_t whole = H5Screate_simple(2, dims, NULL), scalar = H5Screate(H5S_SCALAR);
  for (int i = 0; i < 5; ++i) {
    char name[40];
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (i == 1) H5Pset_layout(list, H5D_COMPACT);
    if (i >= 2) H5Pset_chunk(list, 2, chunk);
    if (i == 3) H5Pset_shuffle(list), H5Pset_deflate(list, 5);
    snprintf(name, sizeof name, "%s %d", layouts[i], number);
    hid_t d = H5Dcreate2(at, name, kind->type, whole, H5P_DEFAULT, list, H5P_DEFAULT);
    if (i < 4) put_all(d, kind, number * 31 + i);
    if (i == 4) {
      char *data = calloc(1, kind->size);
      hid_t one = H5Dget_space(d);
      kind->fill(data, number);
      H5Sselect_elements(one, H5S_SELECT_SET, 1, first);
      H5Dwrite(d, kind->type, scalar, one, H5P_DEFAULT, data);
      H5Dvlen_reclaim(kind->type, scalar, H5P_DEFAULT, data);
      free(data);
      H5Sclose(one);
    }
    hid_t a = H5Acreate2(d, "value", kind->type, i == 0 ? scalar : whole, H5P_DEFAULT, H5P_DEFAULT);
    put_all(a, kind, i);
    a = (H5Aclose(a), H5Acreate2(d, "never", kind->type, scalar, H5P_DEFAULT, H5P_DEFAULT));
    H5Aclose(a), H5Dclose(d), H5Pclose(list);
  }
  char name[40];
  snprintf(name, sizeof name, "scalar %d", number);
  hid_t d = H5Dcreate2(at, name, kind->type, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  put_all(d, kind, number + 9);
  H5Dclose(d);
  snprintf(name, sizeof name, "none %d", number);
  close_any(H5Dcreate2(at, name, kind->type, whole, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(whole), H5Sclose(scalar);
}

static herr_t show_copy(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)info, (void)data;
  hid_t d = H5Dopen2(group, name, H5P_DEFAULT), list = H5Dget_create_plist(d);
  show_all(d, name);
  printf("  layout %d filters %d stored %d\n", (int)H5Pget_layout(list), H5Pget_nfilters(list),
         H5Pget_layout(list) == H5D_CHUNKED && H5Pget_nfilters(list) > 0
             ? 0
             : (int)H5Dget_storage_size(d));
  for (int i = 0; i < 2; ++i) {
    const char *of = i == 0 ? "value" : "never";
    if (H5Aexists(d, of) <= 0) continue;
    hid_t a = H5Aopen(d, of, H5P_DEFAULT);
    show_all(a, of);
    H5Aclose(a);
  }
  H5Pclose(list), H5Dclose(d);
  return 0;
}

static void sequences(H5F_libver_t low, const char *from, const char *to) {
  Kind kinds[kKinds];
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  hid_t a = H5Fcreate(from, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t b = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t group = H5Gcreate2(a, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  make_kinds(kinds);
  for (int i = 0; i < kKinds; ++i) add_kind(group, &kinds[i], i);
  H5Gclose(group);
  SAY(H5Ocopy(a, "g", a, "within", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", b, "between", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(b, "between", b, "again", H5P_DEFAULT, H5P_DEFAULT));
  /* Each has its own. */
  SAY(H5Ldelete(a, "g", H5P_DEFAULT));
  SAY(H5Ldelete(b, "between", H5P_DEFAULT));
  SAY(H5Fclose(a));
  SAY(H5Fclose(b));
  a = H5Fopen(from, H5F_ACC_RDWR, access), b = H5Fopen(to, H5F_ACC_RDWR, access);
  SAY(H5Literate_by_name(a, "within", H5_INDEX_NAME, H5_ITER_INC, NULL, show_copy, NULL,
                         H5P_DEFAULT));
  SAY(H5Literate_by_name(b, "again", H5_INDEX_NAME, H5_ITER_INC, NULL, show_copy, NULL,
                         H5P_DEFAULT));
  for (int i = kKinds; i-- > 0;) H5Tclose(kinds[i].type);
  H5Fclose(a), H5Fclose(b), H5Pclose(access);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  elsewhere(H5F_LIBVER_EARLIEST);
  elsewhere(H5F_LIBVER_LATEST);
  sequences(H5F_LIBVER_EARLIEST, "q1.h5", "q2.h5");
  sequences(H5F_LIBVER_LATEST, "q3.h5", "q4.h5");
  return 0;
}
