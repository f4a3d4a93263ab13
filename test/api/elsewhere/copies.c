/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* H5Ocopy with all its options, within and between files. Run in an empty folder with libpcio and with
 * libhdf5: what is printed must be equal. The files that are left are compared by h5diff. Room: test/api. */

#include "show.h"

/* ---- what is in a file, as text: objects by the order in which they are met ------------------ */

static int counts_references = 1;
static haddr_t met[400];
static int nmet = 0;

static int number_of(haddr_t address) {
  for (int i = 0; i < nmet; ++i)
    if (met[i] == address) return i;
  if (nmet < 400) met[nmet++] = address;
  return -1;
}

static void show_data(hid_t type, const unsigned char *data, size_t n) {
  if (H5Tget_class(type) == H5T_REFERENCE) {
    hobj_ref_t first;
    memcpy(&first, data, sizeof first);
    printf(" ref%s", first == 0 ? " none" : "");
    return;
  }
  unsigned sum = 0;
  for (size_t i = 0; i < n; ++i) sum = sum * 31 + data[i];
  printf(" sum %u", sum);
}

static void show_ref_targets(hid_t at, const hobj_ref_t *refs, int n) {
  for (int i = 0; i < n; ++i) {
    char name[100] = "";
    if (refs[i] == 0) {
      printf(" null");
      continue;
    }
    hid_t object = H5Rdereference2(at, H5P_DEFAULT, H5R_OBJECT, &refs[i]);
    H5O_info_t info;
    memset(&info, 0, sizeof info);
    if (object >= 0) H5Oget_info(object, &info);
    ssize_t length = H5Rget_name(at, H5R_OBJECT, &refs[i], name, sizeof name);
    /* The address of what was copied is in the names that H5Ocopy gives. */
    char *made = strstr(name, "~obj_pointed_by_");
    if (made != NULL) strcpy(made + 16, "...");
    printf(" to a %d '%s'", object < 0 ? -1 : (int)info.type, length > 0 ? name : "");
    if (object >= 0) close_any(object);
  }
}

static herr_t show_attribute(hid_t at, const char *name, const H5A_info_t *info, void *data) {
  (void)info, (void)data;
  hid_t a = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
  size_t n = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  unsigned char *value = calloc(n + 8, 1);
  hid_t memory = H5Tget_class(type) == H5T_REFERENCE ? H5Tcopy(H5T_STD_REF_OBJ) : H5Tcopy(type);
  int read = H5Aread(a, memory, value);
  printf("    @%s committed %d", name, (int)H5Tcommitted(type));
  if (read < 0)
    printf(" can't be read");
  else
    show_data(type, value, n);
  if (read >= 0 && H5Tget_class(type) == H5T_REFERENCE)
    show_ref_targets(at, (const hobj_ref_t *)value, (int)(n / sizeof(hobj_ref_t)));
  printf("\n");
  free(value);
  H5Tclose(memory), H5Tclose(type), H5Sclose(space), H5Aclose(a);
  return 0;
}

static void show_dataset(hid_t d) {
  hid_t type = H5Dget_type(d), space = H5Dget_space(d), list = H5Dget_create_plist(d);
  hsize_t dims[8] = {0};
  int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  size_t n = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
  unsigned char *value = calloc(n + 8, 1);
  hid_t memory = H5Tget_class(type) == H5T_REFERENCE ? H5Tcopy(H5T_STD_REF_OBJ) : H5Tcopy(type);
  int read = H5Dread(d, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
  printf("    data %d dims %d class %d committed %d layout %d filters %d stored %d;", ndims,
         (int)dims[0], (int)H5Tget_class(type), (int)H5Tcommitted(type), (int)H5Pget_layout(list),
         H5Pget_nfilters(list), H5Dget_storage_size(d) > 0);
  if (read < 0)
    printf(" can't be read");
  else
    show_data(type, value, n);
  if (read >= 0 && H5Tget_class(type) == H5T_REFERENCE)
    show_ref_targets(d, (const hobj_ref_t *)value, (int)(n / sizeof(hobj_ref_t)));
  printf("\n");
  if (H5Tcommitted(type) > 0) {
    H5O_info_t info;
    H5Oget_info(type, &info);
    printf("    its type has %d references, %d attributes\n", counts_references ? (int)info.rc : 0,
           (int)info.num_attrs);
  }
  free(value);
  H5Tclose(memory), H5Tclose(type), H5Sclose(space), H5Pclose(list);
}

static void show_object(hid_t at, const char *path, int depth);

static herr_t show_link(hid_t group, const char *name, const H5L_info_t *info, void *depth) {
  char value[100] = "";
  /* Its address is in the name. */
  if (strncmp(name, "~obj_pointed_by_", 16) == 0) return 0;
  printf("  %*s%s cset %d corder %d", *(int *)depth * 2, "", name, (int)info->cset,
         info->corder_valid ? (int)info->corder : -1);
  if (info->type == H5L_TYPE_HARD) {
    printf("\n");
    show_object(group, name, *(int *)depth + 1);
    return 0;
  }
  H5Lget_val(group, name, value, sizeof value, H5P_DEFAULT);
  printf(" type %d value %s\n", (int)info->type, value + (info->type == H5L_TYPE_EXTERNAL));
  return 0;
}

static void show_object(hid_t at, const char *path, int depth) {
  H5O_info_t info;
  char comment[40] = "";
  hid_t object = H5Oopen(at, path, H5P_DEFAULT);
  if (object < 0) {
    printf("  %*s%s can't be opened\n", depth * 2, "", path);
    return;
  }
  H5Oget_info(object, &info);
  H5Oget_comment(object, comment, sizeof comment);
  int known = number_of(info.addr);
  printf("  %*s= %d references %d attributes %d comment '%s'%s\n", depth * 2, "", (int)info.type,
         counts_references ? (int)info.rc : 0, (int)info.num_attrs, comment,
         known >= 0 ? " seen before" : "");
  if (known < 0) {
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, show_attribute, NULL);
    if (info.type == H5O_TYPE_DATASET) show_dataset(object);
    if (info.type == H5O_TYPE_GROUP)
      H5Literate(object, H5_INDEX_NAME, H5_ITER_INC, NULL, show_link, &depth);
  }
  close_any(object);
}

static void show_tree(hid_t file, const char *path) {
  nmet = 0;
  printf("tree %s\n", path);
  show_object(file, path, 0);
}

/* ---- what is copied --------------------------------------------------------------------------- */

static void add_attribute(hid_t object, const char *name, hid_t type, int value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_NATIVE_INT, &value);
  H5Aclose(a), H5Sclose(space);
}

static void add_numbers(hid_t at, const char *name, hid_t type, hid_t list, hsize_t rows) {
  hsize_t dims[2] = {rows, 10}, max[2] = {H5S_UNLIMITED, 10};
  int values[100 * 10];
  for (int i = 0; i < 1000; ++i) values[i] = i * 7 % 101;
  hid_t space = H5Screate_simple(2, dims, H5Pget_layout(list) == H5D_CHUNKED ? max : NULL);
  hid_t d = H5Dcreate2(at, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  add_attribute(d, "rows", H5T_STD_I16BE, (int)rows);
  H5Oset_comment(d, name);
  H5Dclose(d), H5Sclose(space);
}

static void add_layouts(hid_t group) {
  const hsize_t chunk[2] = {7, 4};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  int fill = 42;
  add_numbers(group, "contiguous", H5T_STD_I32LE, list, 20);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  H5Pset_layout(list, H5D_COMPACT);
  add_numbers(group, "compact", H5T_STD_I32BE, list, 3);
  H5Pset_chunk(list, 2, chunk);
  add_numbers(group, "chunked", H5T_STD_I32LE, list, 33);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 6);
  add_numbers(group, "deflated", H5T_STD_I64LE, list, 50);
  H5Pset_fletcher32(list);
  add_numbers(group, "checked", H5T_IEEE_F32LE, list, 41);
  H5Pclose(list);
  /* Never written: no space, and a part of a dataset. */
  list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t dims[2] = {30, 10}, start[2] = {14, 4}, count[2] = {3, 3};
  hid_t space = H5Screate_simple(2, dims, NULL), memory = H5Screate_simple(2, count, NULL);
  int few[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  close_any(H5Dcreate2(group, "empty", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pset_chunk(list, 2, chunk);
  hid_t d = H5Dcreate2(group, "sparse", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  H5Dwrite(d, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, few);
  H5Dclose(d), H5Sclose(memory), H5Sclose(space);
  space = H5Screate(H5S_NULL);
  close_any(H5Dcreate2(group, "null", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space), H5Pclose(list);
}

static void add_types(hid_t file) {
  hid_t type = H5Tcopy(H5T_STD_I32LE), group = H5Gopen2(file, "g", H5P_DEFAULT);
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  add_attribute(type, "of the type", H5T_STD_I32LE, 3);
  add_numbers(group, "typed", type, H5P_DATASET_CREATE_DEFAULT, 4);
  add_numbers(group, "typed too", type, H5P_DATASET_CREATE_DEFAULT, 5);
  add_attribute(group, "typed", type, 17);
  H5Tclose(type), H5Gclose(group);
}

static void add_references(hid_t file) {
  static const char *const names[] = {"r/inside", "r", "type", "outside"};
  hobj_ref_t refs[5] = {0, 0, 0, 0, 0};
  hsize_t five = 5;
  close_any(H5Gcreate2(file, "r", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  add_numbers(file, "r/inside", H5T_STD_I32LE, H5P_DATASET_CREATE_DEFAULT, 6);
  for (int i = 0; i < 4; ++i) H5Rcreate(&refs[i], file, names[i], H5R_OBJECT, -1);
  hid_t space = H5Screate_simple(1, &five, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t d = H5Dcreate2(file, "r/refs", H5T_STD_REF_OBJ, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, refs);
  H5Dclose(d);
  hsize_t two = 2;
  H5Pset_chunk(list, 1, &two);
  d = H5Dcreate2(file, "r/refs in chunks", H5T_STD_REF_OBJ, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Dwrite(d, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, refs);
  hid_t a = H5Acreate2(d, "refs", H5T_STD_REF_OBJ, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(a, H5T_STD_REF_OBJ, refs);
  H5Aclose(a), H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

static void add_links(hid_t file) {
  hid_t utf8 = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_char_encoding(utf8, H5T_CSET_UTF8);
  close_any(H5Gcreate2(file, "g/sub/deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Lcreate_hard(file, "g/contiguous", file, "g/sub/again", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "g", file, "g/sub/deep/ring", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "outside", file, "g/sub/out", utf8, H5P_DEFAULT);
  H5Lcreate_soft("/outside", file, "g/soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("sub", file, "g/soft sub", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/nothing", file, "g/dangling", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("other.h5", "/g", file, "g/external", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("none.h5", "/g", file, "g/nowhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Pclose(utf8);
}

static hid_t make_source(const char *name, H5F_libver_t low) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (low != H5F_LIBVER_EARLIEST)
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  hid_t group = H5Gcreate2(file, "g", H5P_DEFAULT, list, H5P_DEFAULT);
  add_attribute(group, "one", H5T_STD_I32LE, 1);
  add_attribute(group, "two", H5T_STD_U8LE, 2);
  H5Oset_comment(group, "the group");
  close_any(H5Gcreate2(file, "g/sub", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  add_layouts(group);
  H5Gclose(group);
  add_numbers(file, "outside", H5T_STD_I32LE, H5P_DATASET_CREATE_DEFAULT, 2);
  add_types(file);
  add_links(file);
  add_references(file);
  H5Pclose(list), H5Pclose(access);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  return file;
}

/* ---- calls ------------------------------------------------------------------------------------ */

static hid_t with_flags(unsigned flags) {
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  H5Pset_copy_object(list, flags);
  return list;
}

static void options(H5F_libver_t low, const char *from, const char *to) {
  H5Fclose(make_file("other.h5", 70));
  hid_t source = make_source(from, low), file = make_file(to, 0);
  for (unsigned flags = 0; flags < 0x20; ++flags) {
    /* One at a time, and all of them. */
    if ((flags & (flags - 1)) != 0 && flags != 0x0e && flags != 0x1f) continue;
    char name[40];
    snprintf(name, sizeof name, "copy %x", flags);
    hid_t list = with_flags(flags);
    printf("--- %s, format %d\n", name, (int)low);
    SAY(H5Ocopy(source, "g", file, name, list, H5P_DEFAULT));
    show_tree(file, name);
    SAY(H5Ocopy(source, "g", source, name, list, H5P_DEFAULT));
    show_tree(source, name);
    /* Of references libhdf5 1.10.8 can't make copies within a file. */
    snprintf(name, sizeof name, "refs %x", flags);
    SAY(H5Ocopy(source, "r", file, name, list, H5P_DEFAULT));
    /* libhdf5 1.10.8 counts each reference that it follows as one that keeps the object. */
    counts_references = 0;
    show_tree(file, name);
    counts_references = 1;
    H5Pclose(list);
  }
  SAY(H5Ocopy(source, "g/deflated", file, "deflated", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(source, "g/typed", file, "typed", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(source, "type", file, "type", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(source, "g/soft", file, "by soft", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(source, "g/external/d", file, "by external", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(source, "/", file, "all", H5P_DEFAULT, H5P_DEFAULT));
  counts_references = 0;
  show_tree(file, "/");
  counts_references = 1;
  SAY(H5Fclose(file));
  SAY(H5Fclose(source));
  file = H5Fopen(to, H5F_ACC_RDONLY, H5P_DEFAULT);
  show_tree(file, "copy 0");
  SAY(H5Fclose(file));
}

static void arguments(void) {
  hid_t a = make_source("a1.h5", H5F_LIBVER_EARLIEST), b = make_file("a2.h5", 3);
  hid_t list = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(list, 1);
  SAY(H5Ocopy(a, "none", b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", b, "g", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "outside", b, "no/such/place", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "outside", b, "no/such/place", H5P_DEFAULT, list));
  SAY(H5Ocopy(a, "outside", b, "/g/absolute", H5P_DEFAULT, list));
  SAY(H5Ocopy(a, NULL, b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "", b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", b, NULL, H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", b, "", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(-1, "g", b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", -1, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g", b, "x", list, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g/nowhere", b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, "g/dangling", b, "x", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(a, ".", b, "dot", H5P_DEFAULT, H5P_DEFAULT));
  hid_t d = H5Dopen2(a, "outside", H5P_DEFAULT);
  SAY(H5Ocopy(d, ".", b, "by id", H5P_DEFAULT, H5P_DEFAULT));
  H5Dclose(d);
  H5Fclose(b), H5Fclose(a), H5Pclose(list);
}

static H5O_mcdt_search_ret_t answer = H5O_MCDT_SEARCH_CONT;
static H5O_mcdt_search_ret_t on_search(void *data) {
  ++*(int *)data;
  return answer;
}

static hid_t make_merged(const char *name, int attribute) {
  hid_t file = make_file(name, 0), type = H5Tcopy(H5T_STD_I32LE);
  close_any(H5Gcreate2(file, "types", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Tcommit2(file, "types/a", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (attribute >= 0) add_attribute(type, "of the type", H5T_STD_I32LE, attribute);
  H5Tclose(type);
  return file;
}

static void merging(void) {
  hid_t source = make_source("m0.h5", H5F_LIBVER_EARLIEST);
  hid_t list = with_flags(H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
  int called = 0;
  counts_references = 0;
  for (int way = 0; way < 7; ++way) {
    char name[20];
    snprintf(name, sizeof name, "m%d.h5", way + 1);
    /* libhdf5 1.10.8 doesn't compare attributes, as its manual says that it does, and counts uses once. */
    if (way == 1 || way == 2) continue;
    hid_t file = make_merged(name, 3);
    SAY(H5Pfree_merge_committed_dtype_paths(list));
    if (way == 3) SAY(H5Padd_merge_committed_dtype_path(list, "/types/a"));
    if (way == 4) SAY(H5Padd_merge_committed_dtype_path(list, "/none"));
    if (way >= 3) {
      SAY(H5Pset_mcdt_search_cb(list, on_search, &called));
      answer = way == 5   ? H5O_MCDT_SEARCH_STOP
               : way == 6 ? H5O_MCDT_SEARCH_ERROR
                          : H5O_MCDT_SEARCH_CONT;
    }
    printf("--- way %d\n", way);
    called = 0;
    SAY(H5Ocopy(source, "g/typed", file, "typed", list, H5P_DEFAULT));
    SAY(H5Ocopy(source, "type", file, "type", list, H5P_DEFAULT));
    SAY(H5Ocopy(source, "g", file, "copied", list, H5P_DEFAULT));
    printf("asked %d\n", called > 0);
    show_tree(file, "types");
    show_tree(file, "typed");
    show_tree(file, "type");
    H5O_info_t one, two;
    if (H5Oget_info_by_name(file, "types/a", &one, H5P_DEFAULT) >= 0 &&
        H5Oget_info_by_name(file, "type", &two, H5P_DEFAULT) >= 0)
      printf("the same type: %d\n", one.addr == two.addr);
    H5Fclose(file);
  }
  H5O_mcdt_search_cb_t function = NULL;
  void *data = NULL;
  SAY(H5Pget_mcdt_search_cb(list, &function, &data));
  printf("%d %d\n", function == on_search, data == (void *)&called);
  SAY(H5Pset_mcdt_search_cb(list, NULL, &called));
  SAY(H5Pset_mcdt_search_cb(list, NULL, NULL));
  SAY(H5Pget_mcdt_search_cb(list, &function, &data));
  printf("%d\n", function == NULL);
  SAY(H5Padd_merge_committed_dtype_path(list, NULL));
  SAY(H5Padd_merge_committed_dtype_path(list, ""));
  SAY(H5Padd_merge_committed_dtype_path(-1, "x"));
  SAY(H5Pfree_merge_committed_dtype_paths(-1));
  SAY(H5Pset_mcdt_search_cb(-1, NULL, NULL));
  H5Pclose(list), H5Fclose(source);
}

/* Within a file a committed type is merged with itself, whatever other types are equal. */
static void merging_within(void) {
  hid_t file = make_file("n1.h5", 0), type = H5Tcopy(H5T_STD_I32LE), group;
  hid_t list = with_flags(H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
  H5O_info_t info;
  H5Tcommit2(file, "type", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  group = H5Gcreate2(file, "top", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  add_attribute(group, "typed", type, 17);
  H5Gclose(group);
  SAY(H5Ocopy(file, "top", file, "a copy", H5P_DEFAULT, H5P_DEFAULT));
  SAY(H5Ocopy(file, "type", file, "an equal type", H5P_DEFAULT, H5P_DEFAULT));
  for (int way = 0; way < 2; ++way) {
    if (way == 1) SAY(H5Padd_merge_committed_dtype_path(list, "/an equal type"));
    SAY(H5Ocopy(file, "top", file, way == 0 ? "b" : "c", list, H5P_DEFAULT));
    SAY(H5Ocopy(file, "type", file, way == 0 ? "type b" : "type c", list, H5P_DEFAULT));
    SAY(H5Oget_info(type, &info));
    printf("type has %d\n", (int)info.rc);
    SAY(H5Oget_info_by_name(file, "an equal type", &info, H5P_DEFAULT));
    printf("the equal one has %d\n", (int)info.rc);
  }
  H5Pclose(list), H5Tclose(type), H5Fclose(file);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  options(H5F_LIBVER_EARLIEST, "s1.h5", "d1.h5");
  options(H5F_LIBVER_LATEST, "s2.h5", "d2.h5");
  arguments();
  merging();
  merging_within();
  return 0;
}
