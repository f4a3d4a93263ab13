/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * References to regions and objects, wherever an element can have them: made, read and followed. Prints what calls
 * return; the same text is wanted of libpcio and of libhdf5, whoever of them wrote the file.
 *
 *   region_calls make FILE | rewrite FILE | show FILE | edges FILE
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(call) printf("%s -> %lld\n", #call, (long long)(call))
#define ELEMENTS 6

typedef struct {
  int number;
  hdset_reg_ref_t region;
  hobj_ref_t object;
} record_t;

/* --- types and values --- */

static hid_t record_type(void) {
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(record_t));
  H5Tinsert(type, "number", HOFFSET(record_t, number), H5T_NATIVE_INT);
  H5Tinsert(type, "region", HOFFSET(record_t, region), H5T_STD_REF_DSETREG);
  H5Tinsert(type, "object", HOFFSET(record_t, object), H5T_STD_REF_OBJ);
  return type;
}

enum { PLAIN, PAIR, RECORD, LIST, RECORD_LIST, KINDS };
static const char *const kind_names[KINDS] = {"plain", "pair", "record", "list", "record list"};

static hid_t type_of_kind(int kind) {
  hsize_t two = 2;
  hid_t type = H5I_INVALID_HID, base = record_type();
  switch (kind) {
    case PLAIN: type = H5Tcopy(H5T_STD_REF_DSETREG); break;
    case PAIR: type = H5Tarray_create2(H5T_STD_REF_DSETREG, 1, &two); break;
    case RECORD: type = H5Tcopy(base); break;
    case LIST: type = H5Tvlen_create(H5T_STD_REF_DSETREG); break;
    default: type = H5Tvlen_create(base);
  }
  H5Tclose(base);
  return type;
}

static void make_region(hid_t file, int which, void *ref) {
  hsize_t dims[2] = {6, 8}, start[2] = {1, 2}, stride[2] = {2, 3}, count[2] = {2, 2},
          block[2] = {1, 2};
  hsize_t points[6] = {5, 7, 0, 0, 2, 3}, corner[2] = {5, 0}, one[2] = {1, 1};
  hid_t space = H5Screate_simple(2, dims, NULL);
  memset(ref, 0, sizeof(hdset_reg_ref_t));
  switch (which % ELEMENTS) {
    case 0: H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block); break;
    case 1: H5Sselect_elements(space, H5S_SELECT_SET, 3, points); break;
    case 2: H5Sselect_all(space); break;
    case 3: H5Sselect_none(space); break;
    case 4:
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block);
      H5Sselect_hyperslab(space, H5S_SELECT_OR, corner, NULL, one, NULL);
      break;
    default: H5Sclose(space); return; /* null */
  }
  if (H5Rcreate(ref, file, "/data/numbers", H5R_DATASET_REGION, space) < 0)
    printf("H5Rcreate failed\n");
  H5Sclose(space);
}

static void make_object(hid_t file, int which, hobj_ref_t *ref) {
  static const char *const names[] = {"/data", "/data/numbers", "/"};
  *ref = 0;
  if (which % 4 < 3) H5Rcreate(ref, file, names[which % 4], H5R_OBJECT, -1);
}

static void *make_values(hid_t file, int kind, int first) {
  char *values = calloc(ELEMENTS, 64);
  for (int i = 0; i < ELEMENTS; ++i) {
    hdset_reg_ref_t *pair = (hdset_reg_ref_t *)values + 2 * i;
    hvl_t *list = (hvl_t *)values + i;
    record_t *record = (record_t *)values + i;
    if (kind == PLAIN) make_region(file, first + i, (hdset_reg_ref_t *)values + i);
    if (kind == PAIR)
      make_region(file, first + i, pair), make_region(file, first + i + 1, pair + 1);
    if (kind == LIST || kind == RECORD_LIST) {
      list->len = (size_t)((first + i) % 3);
      list->p = calloc(list->len + 1, sizeof(record_t));
      for (size_t k = 0; k < list->len; ++k) {
        record_t *inside = (record_t *)list->p + k;
        if (kind == LIST) {
          make_region(file, first + i + (int)k, (hdset_reg_ref_t *)list->p + k);
          continue;
        }
        inside->number = first + (int)k;
        make_region(file, first + i + (int)k, &inside->region);
        make_object(file, i, &inside->object);
      }
    }
    if (kind == RECORD) {
      record->number = first + i;
      make_region(file, first + i, &record->region);
      make_object(file, i, &record->object);
    }
  }
  return values;
}

static void free_values(void *values, int kind) {
  for (int i = 0; i < ELEMENTS && (kind == LIST || kind == RECORD_LIST); ++i)
    free(((hvl_t *)values)[i].p);
  free(values);
}

/* --- files --- */

enum { CONTIGUOUS, CHUNKED, DEFLATED, COMPACT, LAYOUTS };
static const char *const layout_names[LAYOUTS] = {"contiguous", "chunked", "deflated", "compact"};

static hid_t layout_list(int layout) {
  hsize_t four = 4;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (layout == CHUNKED || layout == DEFLATED) H5Pset_chunk(list, 1, &four);
  if (layout == DEFLATED) H5Pset_shuffle(list), H5Pset_deflate(list, 6);
  if (layout == COMPACT) H5Pset_layout(list, H5D_COMPACT);
  return list;
}

static void name_of(char *name, int layout, int kind) {
  sprintf(name, "/%s %s", layout_names[layout], kind_names[kind]);
}

static void write_all(hid_t file, int first, int create) {
  hsize_t n = ELEMENTS;
  char name[100];
  hid_t space = H5Screate_simple(1, &n, NULL);
  for (int layout = 0; layout < LAYOUTS; ++layout)
    for (int kind = 0; kind < KINDS; ++kind) {
      hid_t type = type_of_kind(kind), list = layout_list(layout);
      name_of(name, layout, kind);
      hid_t data = create ? H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT)
                          : H5Dopen2(file, name, H5P_DEFAULT);
      void *values = make_values(file, kind, first + layout);
      if (H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        printf("%s: H5Dwrite failed\n", name);
      free_values(values, kind);
      if (layout == CONTIGUOUS) {
        hid_t attribute = create
                              ? H5Acreate2(data, "attribute", type, space, H5P_DEFAULT, H5P_DEFAULT)
                              : H5Aopen(data, "attribute", H5P_DEFAULT);
        values = make_values(file, kind, first + 2);
        if (H5Awrite(attribute, type, values) < 0) printf("%s: H5Awrite failed\n", name);
        free_values(values, kind);
        H5Aclose(attribute);
      }
      H5Dclose(data), H5Pclose(list), H5Tclose(type);
    }
  H5Sclose(space);
}

/* As netCDF stores which scales a variable has. */
static void write_dimension_list(hid_t file) {
  hsize_t two = 2;
  hobj_ref_t refs[2];
  hvl_t lists[2] = {{1, &refs[0]}, {1, &refs[1]}};
  make_object(file, 0, &refs[0]), make_object(file, 2, &refs[1]);
  hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &two, NULL);
  hid_t data = H5Dopen2(file, "/data/numbers", H5P_DEFAULT);
  hid_t attribute = H5Acreate2(data, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
  SAY(H5Awrite(attribute, type, lists));
  H5Aclose(attribute), H5Dclose(data), H5Sclose(space), H5Tclose(type);
}

static void make(const char *path) {
  hsize_t dims[2] = {6, 8};
  int numbers[48];
  for (int i = 0; i < 48; ++i) numbers[i] = i;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2(file, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t data =
      H5Dcreate2(group, "numbers", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
  H5Dclose(data), H5Sclose(space), H5Gclose(group);
  write_all(file, 0, 1);
  write_dimension_list(file);
  SAY(H5Fclose(file));
}

/* --- what is there --- */

static void show_region(hid_t at, const void *ref) {
  static const hdset_reg_ref_t null_ref;
  hsize_t low[2] = {0, 0}, high[2] = {0, 0}, sum = 0;
  char name[100] = "";
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  if (memcmp(ref, null_ref, sizeof null_ref) == 0) {
    printf(" null");
    return;
  }
  hid_t space = H5Rget_region(at, H5R_DATASET_REGION, ref);
  hid_t object = H5Rdereference2(at, H5P_DEFAULT, H5R_DATASET_REGION, ref);
  hid_t again = H5Rdereference1(at, H5R_DATASET_REGION, ref);
  H5Rget_obj_type2(at, H5R_DATASET_REGION, ref, &type);
  long long length = (long long)H5Rget_name(at, H5R_DATASET_REGION, ref, name, sizeof name);
  hssize_t points = H5Sget_select_npoints(space);
  int kind = (int)H5Sget_select_type(space), numbers[48];
  if (points > 0) H5Sget_select_bounds(space, low, high);
  hid_t memory = H5Screate_simple(1, (hsize_t[]){points > 0 ? (hsize_t)points : 1}, NULL);
  if (points > 0 && H5Dread(object, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers) >= 0)
    for (int i = 0; i < points; ++i) sum = sum * 7 + (hsize_t)numbers[i];
  printf(" [%d of '%s' (%lld) type %d %d, %lld in %d,%d to %d,%d, sum %llu]", kind, name, length,
         (int)type, (int)H5Rget_obj_type1(at, H5R_DATASET_REGION, ref), (long long)points,
         (int)low[0], (int)low[1], (int)high[0], (int)high[1], (unsigned long long)sum);
  if (again < 0) printf(" H5Rdereference1 failed");
  H5Oclose(again), H5Oclose(object), H5Sclose(space), H5Sclose(memory);
}

static void show_object(hid_t at, const hobj_ref_t *ref) {
  char name[100] = "";
  H5O_type_t type = H5O_TYPE_UNKNOWN;
  if (*ref == 0) {
    printf(" null");
    return;
  }
  long long length = (long long)H5Rget_name(at, H5R_OBJECT, ref, name, sizeof name);
  int good = H5Rget_obj_type2(at, H5R_OBJECT, ref, &type);
  printf(" to '%s' (%lld) type %d %d", name, length, good, (int)type);
}

static void show_record(hid_t at, const record_t *record) {
  printf(" %d", record->number);
  show_region(at, &record->region);
  show_object(at, &record->object);
}

static void show_values(hid_t at, const char *what, int kind, const char *values) {
  for (int i = 0; i < ELEMENTS; ++i) {
    const hvl_t *list = (const hvl_t *)values + i;
    printf("%s %d:", what, i);
    if (kind == PLAIN) show_region(at, (const hdset_reg_ref_t *)values + i);
    if (kind == PAIR)
      show_region(at, (const hdset_reg_ref_t *)values + 2 * i),
          show_region(at, (const hdset_reg_ref_t *)values + 2 * i + 1);
    if (kind == RECORD) show_record(at, (const record_t *)values + i);
    for (size_t k = 0; (kind == LIST || kind == RECORD_LIST) && k < list->len; ++k)
      if (kind == LIST)
        show_region(at, (const hdset_reg_ref_t *)list->p + k);
      else
        show_record(at, (const record_t *)list->p + k);
    printf("\n");
  }
}

static void show_dimension_list(hid_t file) {
  hvl_t lists[2] = {{0, NULL}, {0, NULL}};
  hid_t attribute =
      H5Aopen_by_name(file, "/data/numbers", "DIMENSION_LIST", H5P_DEFAULT, H5P_DEFAULT);
  hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
  SAY(H5Aread(attribute, type, lists));
  for (int i = 0; i < 2; ++i)
    if (lists[i].len == 1) show_object(file, lists[i].p);
  printf("\n");
  H5Tclose(type), H5Aclose(attribute);
}

static void show(const char *path) {
  char name[100], what[120];
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int layout = 0; layout < LAYOUTS; ++layout)
    for (int kind = 0; kind < KINDS; ++kind) {
      hid_t type = type_of_kind(kind);
      char *values = calloc(ELEMENTS, 64);
      name_of(name, layout, kind);
      hid_t data = H5Dopen2(file, name, H5P_DEFAULT), stored = H5Dget_type(data);
      hid_t native = H5Tget_native_type(stored, H5T_DIR_DEFAULT);
      printf("%s: type %d, native %d, size %d\n", name, H5Tequal(stored, type),
             H5Tequal(native, type), (int)H5Tget_size(stored));
      if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        printf("H5Dread failed\n");
      show_values(data, name, kind, values);
      if (layout == CONTIGUOUS) {
        hid_t attribute = H5Aopen(data, "attribute", H5P_DEFAULT);
        memset(values, 0, ELEMENTS * 64);
        if (H5Aread(attribute, type, values) < 0) printf("H5Aread failed\n");
        sprintf(what, "%s attribute", name);
        show_values(attribute, what, kind, values);
        H5Aclose(attribute);
      }
      free(values);
      H5Tclose(native), H5Tclose(stored), H5Tclose(type), H5Dclose(data);
    }
  show_dimension_list(file);
  H5Fclose(file);
}

/* Elements that a commit has written get other references; two elements share one; what was there stays good. */
static void rewrite(const char *path) {
  hdset_reg_ref_t before[ELEMENTS], shared[2];
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t data = H5Dopen2(file, "/contiguous plain", H5P_DEFAULT);
  SAY(H5Dread(data, H5T_STD_REF_DSETREG, H5S_ALL, H5S_ALL, H5P_DEFAULT, before));
  write_all(file, 1, 0);
  for (int i = 0; i < ELEMENTS; ++i) show_region(file, before[i]);
  printf("\n");
  hsize_t start = 1, stride = 3, count = 2;
  hid_t space = H5Dget_space(data), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL);
  make_region(file, 1, shared[0]);
  memcpy(shared[1], shared[0], sizeof shared[0]);
  SAY(H5Dwrite(data, H5T_STD_REF_DSETREG, memory, space, H5P_DEFAULT, shared));
  /* One of the two goes: the other must stay. */
  make_region(file, 0, shared[1]);
  H5Sselect_elements(space, H5S_SELECT_SET, 1, &start);
  H5Sselect_elements(memory, H5S_SELECT_SET, 1, (hsize_t[]){1});
  SAY(H5Dwrite(data, H5T_STD_REF_DSETREG, memory, space, H5P_DEFAULT, shared));
  H5Sclose(memory), H5Sclose(space), H5Dclose(data);
  SAY(H5Fclose(file));
}

static void edges(const char *path) {
  hsize_t dims[2] = {6, 8}, twenty[2] = {20, 20}, start[2] = {10, 3}, count[2] = {4, 4};
  hdset_reg_ref_t ref, null_ref;
  hobj_ref_t object, nothing = 0;
  H5O_type_t type;
  char name[100];
  memset(null_ref, 0, sizeof null_ref);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
        other = H5Screate_simple(2, twenty, NULL);
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  SAY(H5Rcreate(NULL, file, "d", H5R_DATASET_REGION, space) < 0);
  SAY(H5Rcreate(ref, file, NULL, H5R_DATASET_REGION, space) < 0);
  SAY(H5Rcreate(ref, file, "no", H5R_DATASET_REGION, space) < 0);
  SAY(H5Rcreate(ref, file, "d", H5R_DATASET_REGION, H5I_INVALID_HID) < 0);
  SAY(H5Rcreate(ref, file, "d", H5R_DATASET_REGION, file) < 0);
  SAY(H5Rcreate(ref, file, "d", H5R_BADTYPE, space) < 0);
  SAY(H5Rcreate(ref, file, "d", H5R_MAXTYPE, space) < 0);
  SAY(H5Rcreate(ref, space, "d", H5R_DATASET_REGION, space) < 0);
  SAY(H5Rget_region(file, H5R_DATASET_REGION, NULL) < 0);
  SAY(H5Rget_region(file, H5R_DATASET_REGION, null_ref) < 0);
  SAY(H5Rget_region(space, H5R_DATASET_REGION, null_ref) < 0);
  SAY(H5Rdereference2(file, H5P_DEFAULT, H5R_DATASET_REGION, null_ref) < 0);
  SAY(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &nothing) < 0);
  SAY(H5Rget_obj_type2(file, H5R_DATASET_REGION, null_ref, &type) < 0);
  SAY(H5Rget_name(file, H5R_DATASET_REGION, null_ref, name, sizeof name) < 0);
  SAY(H5Rget_name(file, H5R_OBJECT, &nothing, name, sizeof name));
  memset(ref, 0x5a, sizeof ref);
  SAY(H5Rget_region(file, H5R_DATASET_REGION, ref) < 0);
  /* Outside of the extent, and by a dataspace of another one. */
  H5Sselect_hyperslab(other, H5S_SELECT_SET, start, NULL, count, NULL);
  SAY(H5Rcreate(ref, data, ".", H5R_DATASET_REGION, other));
  hid_t region = H5Rget_region(data, H5R_DATASET_REGION, ref);
  SAY(H5Sget_select_npoints(region));
  SAY(H5Sselect_valid(region));
  SAY(H5Sget_simple_extent_npoints(region));
  SAY(H5Rget_region(data, H5R_OBJECT, ref) < 0);
  SAY(H5Rget_name(data, H5R_DATASET_REGION, ref, NULL, 0));
  SAY(H5Rget_name(data, H5R_DATASET_REGION, ref, name, 2));
  /* The object goes. */
  SAY(H5Rcreate(&object, file, "d", H5R_OBJECT, H5I_INVALID_HID));
  H5Ldelete(file, "d", H5P_DEFAULT);
  SAY(H5Rdereference2(file, H5P_DEFAULT, H5R_DATASET_REGION, ref) < 0);
  SAY(H5Rdereference2(file, H5P_DEFAULT, H5R_OBJECT, &object) < 0);
  H5Dclose(data);
  SAY(H5Rget_obj_type2(file, H5R_OBJECT, &object, &type) < 0);
  SAY(H5Rget_name(file, H5R_OBJECT, &object, name, sizeof name));
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  SAY(H5Rget_region(file, H5R_DATASET_REGION, ref) < 0);
  SAY(H5Rdereference2(file, H5P_DEFAULT, H5R_DATASET_REGION, ref) < 0);
  SAY(H5Rget_obj_type2(file, H5R_DATASET_REGION, ref, &type) < 0);
  H5Sclose(region), H5Sclose(space), H5Sclose(other);
  SAY(H5Fclose(file));
  file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  space = H5Screate(H5S_SCALAR);
  SAY(H5Rcreate(ref, file, "/", H5R_DATASET_REGION, space) < 0);
  H5Sclose(space);
  SAY(H5Fclose(file));
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(argv[1], "make") == 0) make(argv[2]);
  if (strcmp(argv[1], "rewrite") == 0) rewrite(argv[2]);
  if (strcmp(argv[1], "show") == 0) show(argv[2]);
  if (strcmp(argv[1], "edges") == 0) edges(argv[2]);
  return 0;
}
