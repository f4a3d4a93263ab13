/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* A file with shared object header messages, made, changed and checked. Room: test/oracle, public C API only.
 *
 *   shared_messages FILE make LIST    LIST: messages that an index keeps as a list, else as a tree
 *   shared_messages FILE make-old LIST   the same in the earliest format: attributes of version 2 in their heap
 *   shared_messages FILE change N     the N-th change, from 1 on
 *   shared_messages FILE check N      compares with what N changes leave
 *   shared_messages FILE delete N     what N changes leave is deleted
 *   shared_messages FILE empty N      nothing is shared any more
 */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { kSets = 24, kChanges = 4, kMost = kSets + 8 * kChanges, kAttributes = 12, kLarge = 24 };

/* What there is after `changes` of them. */
static int is_there(int set, int changes) {
  if (set >= kSets + 8 * changes) return 0;
  return !(set % 7 == 3 && set / 7 < changes);
}
static int value_of(int set, int attribute, int changes) {
  int by = set % 4 == 1 && attribute % 3 == 0 && set < kSets ? changes : 0;
  return attribute * 100 + by;
}

static hid_t create_list(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[2] = {4, 4};
  double fill = 2.5;
  H5Pset_chunk(list, 2, chunk);
  H5Pset_deflate(list, 3);
  H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
  return list;
}

static void write_attribute(hid_t at, int set, int i, int changes, int make) {
  char name[64];
  int values[30], k;
  hsize_t size = 30;
  hid_t space = H5Screate_simple(1, &size, NULL), id;
  for (k = 0; k < 30; ++k) values[k] = value_of(set, i, changes);
  snprintf(name, sizeof name, "attribute %d", i);
  id = make ? H5Acreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT)
            : H5Aopen(at, name, H5P_DEFAULT);
  must(id >= 0 && H5Awrite(id, H5T_NATIVE_INT, values) >= 0, "attribute", set);
  H5Aclose(id);
  H5Sclose(space);
}

static void make_set(hid_t file, int set, int changes) {
  char name[32];
  hsize_t dims[2] = {10, 12};
  hid_t space = H5Screate_simple(2, dims, NULL), list = create_list(), type, id;
  int i;
  type = H5Tcreate(H5T_COMPOUND, 24);
  H5Tinsert(type, "pressure", 0, H5T_IEEE_F64LE);
  H5Tinsert(type, "temperature", 8, H5T_IEEE_F64LE);
  H5Tinsert(type, "number", 16, H5T_STD_I64LE);
  snprintf(name, sizeof name, "set%d", set);
  if (set % 2 == 0) {
    id = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  } else {
    id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  }
  must(id >= 0, "create", set);
  for (i = 0; i < (set % 3 == 0 ? kAttributes : 3); ++i) write_attribute(id, set, i, changes, 1);
  H5Dclose(id);
  H5Tclose(type);
  H5Pclose(list);
  H5Sclose(space);
}

static hid_t access_list(H5F_libver_t low) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, low, H5F_LIBVER_LATEST);
  return list;
}

/* A group with attributes in dense storage whose type is shared as they are themselves; a change is of few. */
static const char* large_name(int i) {
  static char name[48];
  snprintf(name, sizeof name, "attribute of a large type %d", i);
  return name;
}
static hid_t large_type(void) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 64);
  char name[48];
  int i;
  for (i = 0; i < 8; ++i) {
    snprintf(name, sizeof name, "member with a rather long name %d", i);
    H5Tinsert(type, name, 8 * (size_t)i, H5T_STD_I64LE);
  }
  return type;
}
static int large_is_there(int i, int changes) {
  if (i >= kLarge) return i - kLarge < changes;
  return !(i % 5 == 2 && i / 5 < changes);
}
static int large_value(int i, int changes) { return i % 5 == 1 && i / 5 < changes ? -i : i; }

static void write_large(hid_t group, int i, int changes, int make) {
  hid_t type = large_type(), space = H5Screate(H5S_SCALAR), id;
  long long values[8];
  int k;
  for (k = 0; k < 8; ++k) values[k] = large_value(i, changes) * 10 + k;
  id = make ? H5Acreate2(group, large_name(i), type, space, H5P_DEFAULT, H5P_DEFAULT)
            : H5Aopen(group, large_name(i), H5P_DEFAULT);
  must(id >= 0 && H5Awrite(id, type, values) >= 0, "attribute of a large type", i);
  H5Aclose(id);
  H5Sclose(space);
  H5Tclose(type);
}

static void change_large(hid_t file, int changes) {
  hid_t group = H5Gopen2(file, "large", H5P_DEFAULT);
  must(group >= 0, "open large", changes);
  write_large(group, 5 * changes - 4, changes, 0);
  must(H5Adelete(group, large_name(5 * changes - 3)) >= 0, "delete large", changes);
  write_large(group, kLarge + changes - 1, changes, 1);
  H5Gclose(group);
}

static void check_large(hid_t file, int changes) {
  hid_t group = H5Gopen2(file, "large", H5P_DEFAULT), type = large_type();
  int i, k;
  must(group >= 0, "open large", changes);
  for (i = 0; i < kLarge + kChanges; ++i) {
    long long values[8] = {0};
    hid_t id;
    must((H5Aexists(group, large_name(i)) > 0) == large_is_there(i, changes), "large there", i);
    if (!large_is_there(i, changes)) continue;
    id = H5Aopen(group, large_name(i), H5P_DEFAULT);
    must(id >= 0 && H5Aread(id, type, values) >= 0, "read large", i);
    for (k = 0; k < 8; ++k) must(values[k] == large_value(i, changes) * 10 + k, "large", i);
    H5Aclose(id);
  }
  H5Tclose(type);
  H5Gclose(group);
}

static void make(const char* path, unsigned most, H5F_libver_t low) {
  hid_t create = H5Pcreate(H5P_FILE_CREATE), access = access_list(low), file, large;
  int set;
  H5Pset_shared_mesg_nindexes(create, 3);
  H5Pset_shared_mesg_index(create, 0, H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG, 0);
  H5Pset_shared_mesg_index(create, 1, H5O_SHMESG_FILL_FLAG | H5O_SHMESG_PLINE_FLAG, 10);
  H5Pset_shared_mesg_index(create, 2, H5O_SHMESG_ATTR_FLAG, 20);
  H5Pset_shared_mesg_phase_change(create, most, most > 0 ? most - 1 : 0);
  file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
  must(file >= 0, "make", 0);
  for (set = 0; set < kSets; ++set) make_set(file, set, 0);
  large = H5Gcreate2(file, "large", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  for (set = 0; set < kLarge; ++set) write_large(large, set, 0, 1);
  H5Gclose(large);
  must(H5Fclose(file) >= 0, "close", 0);
  H5Pclose(create);
  H5Pclose(access);
}

static void change(hid_t file, int changes) {
  int set, i;
  change_large(file, changes);
  for (set = 0; set < kSets + 8 * changes; ++set) {
    char name[32];
    snprintf(name, sizeof name, "set%d", set);
    if (!is_there(set, changes)) {
      if (is_there(set, changes - 1)) must(H5Ldelete(file, name, H5P_DEFAULT) >= 0, "delete", set);
    } else if (set >= kSets + 8 * (changes - 1)) {
      make_set(file, set, changes);
    } else if (set % 4 == 1 && set < kSets) {
      hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
      for (i = 0; i < (set % 3 == 0 ? kAttributes : 3); ++i)
        if (i % 3 == 0) write_attribute(id, set, i, changes, 0);
      H5Dclose(id);
    }
  }
}

static void check_set(hid_t file, int set, int changes) {
  char name[32];
  int i, k, values[30], there;
  hid_t id, space, list, type;
  hsize_t dims[2] = {0, 0};
  H5O_info_t info;
  snprintf(name, sizeof name, "set%d", set);
  there = H5Lexists(file, name, H5P_DEFAULT) > 0;
  must(there == is_there(set, changes), "is, or is not there", set);
  if (!there) return;
  id = H5Dopen2(file, name, H5P_DEFAULT);
  must(id >= 0, "open", set);
  space = H5Dget_space(id);
  must(H5Sget_simple_extent_dims(space, dims, NULL) == 2 && dims[0] == 10 && dims[1] == 12, "space",
       set);
  H5Sclose(space);
  type = H5Dget_type(id);
  must(set % 2 == 0 ? H5Tequal(type, H5T_IEEE_F64LE) > 0 : H5Tget_nmembers(type) == 3, "type", set);
  H5Tclose(type);
  list = H5Dget_create_plist(id);
  if (set % 2 == 0) {
    double fill = 0, element[10][12];
    must(H5Pget_nfilters(list) == 1, "filters", set);
    must(H5Pget_fill_value(list, H5T_NATIVE_DOUBLE, &fill) >= 0 && fill == 2.5, "fill value", set);
    must(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, element) >= 0 &&
             element[9][11] == 2.5,
         "data", set);
  }
  H5Pclose(list);
  for (i = 0; i < (set % 3 == 0 ? kAttributes : 3); ++i) {
    char attribute[64];
    hid_t at;
    snprintf(attribute, sizeof attribute, "attribute %d", i);
    at = H5Aopen(id, attribute, H5P_DEFAULT);
    memset(values, 0, sizeof values);
    must(at >= 0 && H5Aread(at, H5T_NATIVE_INT, values) >= 0, "read", set);
    for (k = 0; k < 30; ++k) must(values[k] == value_of(set, i, changes), "value", set);
    H5Aclose(at);
  }
  must(H5Oget_info(id, &info) >= 0 && info.num_attrs == (hsize_t)(set % 3 == 0 ? kAttributes : 3),
       "count", set);
  H5Dclose(id);
}

static void delete_all(hid_t file, int changes) {
  int set;
  must(H5Ldelete(file, "large", H5P_DEFAULT) >= 0, "delete large", changes);
  for (set = 0; set < kMost; ++set) {
    char name[32];
    snprintf(name, sizeof name, "set%d", set);
    if (is_there(set, changes)) must(H5Ldelete(file, name, H5P_DEFAULT) >= 0, "delete", set);
  }
}

/* An index without records has no heap: whoever counted wrong has left some. */
static void check_empty(hid_t file) {
  H5F_info2_t info;
  must(H5Fget_info2(file, &info) >= 0 && info.sohm.hdr_size > 0, "table", 0);
  must(info.sohm.msgs_info.heap_size == 0, "bytes of heaps", (int)info.sohm.msgs_info.heap_size);
}

int main(int argc, char** argv) {
  int n, set, reads;
  hid_t file, access;
  if (argc != 4) return 2;
  n = atoi(argv[3]);
  if (strncmp(argv[2], "make", 4) == 0) {
    make(argv[1], (unsigned)n, argv[2][4] == 0 ? H5F_LIBVER_V18 : H5F_LIBVER_EARLIEST);
    return failed > 0;
  }
  access = access_list(H5F_LIBVER_V18);
  reads = strcmp(argv[2], "check") == 0 || strcmp(argv[2], "empty") == 0;
  file = H5Fopen(argv[1], reads ? H5F_ACC_RDONLY : H5F_ACC_RDWR, access);
  must(file >= 0, "open file", n);
  if (strcmp(argv[2], "check") == 0) {
    for (set = 0; set < kMost; ++set) check_set(file, set, n);
    check_large(file, n);
  } else if (strcmp(argv[2], "empty") == 0)
    check_empty(file);
  else if (strcmp(argv[2], "delete") == 0)
    delete_all(file, n);
  else
    change(file, n);
  must(H5Fclose(file) >= 0, "close", n);
  H5Pclose(access);
  return failed > 0;
}
