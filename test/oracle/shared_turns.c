/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Lives of files with shared object header messages, changed at random by turns of two libraries.
 * Room: test/oracle, public C API only.
 *
 *   shared_turns FILE SEED FROM TO     plays generations FROM to TO - 1; generation 0 makes the file
 *   shared_turns FILE SEED check TO    compares the file with what generations 0 to TO - 1 leave
 *   shared_turns FILE SEED end TO      deletes all that there is then
 *   shared_turns FILE SEED empty TO    nothing is left in any heap of shared messages
 *
 * Prints what it came through, a word and a count a line. All of it follows from the seed.
 */

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

enum { kSets = 14, kAttributes = 14, kShapes = 4, kTypes = 4, kMostElements = 1400 };

static unsigned long long state;
static unsigned below(unsigned n) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state >> 33) % n);
}

typedef struct {
  int there, shape, type, fill, filter, rows; /* of a dataset; rows: of one that can grow, else 0 */
  int size[kAttributes], value[kAttributes], kind[kAttributes]; /* size 0: none */
} Set;
static Set sets[kSets];
static unsigned indexes, types[3], least[3], most, fewest, low;
static int acts; /* whether what is played is done to the file, too */
/* libhdf5 1.10.8 damages files of its own where an extent changes whose space is shared, so that the generations of the
 * first and third turn, or of the others, are libpcio's, and no others change extents. */
static int may_grow;
static hid_t file, named;
static long made, removed, grown, rewritten, renamed, huge, dense, flushes, reopened;

static void set_life(unsigned seed) {
  static const unsigned all[5] = {H5O_SHMESG_SDSPACE_FLAG, H5O_SHMESG_DTYPE_FLAG,
                                  H5O_SHMESG_FILL_FLAG, H5O_SHMESG_PLINE_FLAG,
                                  H5O_SHMESG_ATTR_FLAG};
  static const unsigned phases[5][2] = {{50, 40}, {0, 0}, {3, 2}, {6, 7}, {10, 3}};
  unsigned i, phase;
  state = seed * 7919ULL + 29;
  below(2);
  indexes = 1 + below(3);
  for (i = 0; i < 3; ++i) least[i] = below(3) == 0 ? 0 : below(60), types[i] = 0;
  for (i = 0; i < 5; ++i)
    if (below(5) > 0) types[below(indexes)] |= all[i];
  phase = below(5);
  most = phases[phase][0];
  fewest = phases[phase][1];
  low = below(3);
}

static hid_t access_list(void) {
  static const H5F_libver_t bounds[3] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_V110};
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, bounds[low], H5F_LIBVER_LATEST);
  return list;
}

static hid_t make_type(int kind) {
  hid_t type;
  if (kind == 0) return H5Tcopy(H5T_STD_I32LE);
  if (kind == 1) return H5Tcopy(H5T_IEEE_F64LE);
  if (kind == 3) return H5Tcopy(named);
  type = H5Tcreate(H5T_COMPOUND, 12);
  H5Tinsert(type, "first", 0, H5T_STD_I32LE);
  H5Tinsert(type, "second member", 4, H5T_IEEE_F64LE);
  return type;
}

static hid_t make_space(const Set* set) {
  hsize_t dims[2] = {6, 5}, top[2] = {6, 5};
  if (set->shape == 0) return H5Screate_simple(1, dims, NULL);
  if (set->shape == 1) return H5Screate_simple(2, dims, NULL);
  if (set->shape == 2) return H5Screate(H5S_SCALAR);
  dims[0] = (hsize_t)set->rows;
  top[0] = H5S_UNLIMITED;
  return H5Screate_simple(2, dims, top);
}

static void make_set(int i) {
  Set* set = &sets[i];
  char name[32];
  hid_t type, space, list, id;
  int k;
  set->there = 1;
  set->shape = (int)below(kShapes);
  set->type = (int)below(kTypes);
  set->fill = below(3) == 0;
  set->filter = below(2) == 0;
  set->rows = set->shape == 3 ? 1 + (int)below(3) : 0;
  for (k = 0; k < kAttributes; ++k) set->size[k] = 0;
  ++made;
  if (!acts) return;
  type = make_type(set->type);
  space = make_space(set);
  list = H5Pcreate(H5P_DATASET_CREATE);
  if (set->fill && set->type < 2) {
    double fill = 3;
    H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &fill);
  }
  if (set->shape == 3) {
    hsize_t chunk[2] = {2, 5};
    H5Pset_chunk(list, 2, chunk);
    if (set->filter) H5Pset_shuffle(list), H5Pset_deflate(list, 4);
  }
  snprintf(name, sizeof name, "set%d", i);
  id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  must(id >= 0 && H5Dclose(id) >= 0, "create", i);
  H5Pclose(list);
  H5Sclose(space);
  H5Tclose(type);
}

static hid_t open_set(int i) {
  char name[32];
  hid_t id;
  snprintf(name, sizeof name, "set%d", i);
  id = H5Dopen2(file, name, H5P_DEFAULT);
  must(id >= 0, "open", i);
  return id;
}

static hid_t attribute_type(int kind) { return kind == 1 ? named : H5T_STD_I32LE; }

static void write_value(hid_t id, int size, int value) {
  static int values[kMostElements];
  int k;
  for (k = 0; k < size; ++k) values[k] = value + k;
  must(H5Awrite(id, H5T_NATIVE_INT, values) >= 0, "write", value);
}

static void put_attribute(int i) {
  Set* set = &sets[i];
  int k = (int)below(kAttributes), value = (int)below(3) * 10, how = (int)below(8);
  char name[48];
  hid_t at, id, space;
  hsize_t size;
  snprintf(name, sizeof name, "attribute%d", k);
  if (set->size[k] > 0) {
    set->value[k] = value;
    ++rewritten;
    if (!acts) return;
    at = open_set(i);
    id = H5Aopen(at, name, H5P_DEFAULT);
    must(id >= 0, "open attribute", k);
    write_value(id, set->size[k], value);
  } else {
    set->size[k] = how == 0 ? kMostElements : how < 3 ? 3 : how < 6 ? 20 : 21;
    set->value[k] = value;
    set->kind[k] = below(4) == 0;
    huge += set->size[k] == kMostElements;
    if (!acts) return;
    at = open_set(i);
    size = (hsize_t)set->size[k];
    space = H5Screate_simple(1, &size, NULL);
    id = H5Acreate2(at, name, attribute_type(set->kind[k]), space, H5P_DEFAULT, H5P_DEFAULT);
    must(id >= 0, "create attribute", k);
    H5Sclose(space);
    write_value(id, set->size[k], value);
  }
  H5Aclose(id);
  H5Dclose(at);
}

static void take_attribute(int i) {
  Set* set = &sets[i];
  int k = (int)below(kAttributes), to = (int)below(kAttributes), renames = below(2) == 0;
  char name[48], other[48];
  hid_t at;
  snprintf(name, sizeof name, "attribute%d", k);
  snprintf(other, sizeof other, "attribute%d", to);
  if (set->size[k] == 0) return;
  if (renames && set->size[to] > 0) return;
  if (renames) {
    set->size[to] = set->size[k];
    set->value[to] = set->value[k];
    set->kind[to] = set->kind[k];
    ++renamed;
  } else {
    ++removed;
  }
  set->size[k] = 0;
  if (!acts) return;
  at = open_set(i);
  must((renames ? H5Arename(at, name, other) : H5Adelete(at, name)) >= 0, "take attribute", k);
  H5Dclose(at);
}

static void delete_set(int i) {
  char name[32];
  sets[i].there = 0;
  ++removed;
  snprintf(name, sizeof name, "set%d", i);
  if (acts) must(H5Ldelete(file, name, H5P_DEFAULT) >= 0, "delete", i);
}

static void grow_set(int i) {
  hsize_t dims[2] = {0, 5};
  hid_t id;
  if (sets[i].shape != 3 || !may_grow) return;
  sets[i].rows = 1 + (int)below(4);
  dims[0] = (hsize_t)sets[i].rows;
  ++grown;
  if (!acts) return;
  id = open_set(i);
  must(H5Dset_extent(id, dims) >= 0, "extent", i);
  H5Dclose(id);
}

static void one_act(const char* path) {
  int i = (int)below(kSets), what = (int)below(100), k, count = 0;
  if (what < 2) {
    ++flushes;
    if (acts) must(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0, "flush", i);
  } else if (what < 4) {
    ++reopened;
    if (acts) {
      hid_t list = access_list();
      H5Tclose(named);
      must(H5Fclose(file) >= 0, "close", i);
      file = H5Fopen(path, H5F_ACC_RDWR, list);
      named = H5Topen2(file, "named", H5P_DEFAULT);
      must(file >= 0 && named >= 0, "open", i);
      H5Pclose(list);
    }
  } else if (!sets[i].there) {
    make_set(i);
  } else if (what < 14) {
    delete_set(i);
  } else if (what < 22) {
    grow_set(i);
  } else if (what < 40) {
    take_attribute(i);
  } else {
    put_attribute(i);
  }
  for (k = 0; k < kAttributes; ++k) count += sets[i].there && sets[i].size[k] > 0;
  dense += count > 8;
}

static void make_file(const char* path) {
  hid_t create = H5Pcreate(H5P_FILE_CREATE), access = access_list();
  unsigned i;
  H5Pset_shared_mesg_nindexes(create, indexes);
  for (i = 0; i < indexes; ++i) H5Pset_shared_mesg_index(create, i, types[i], least[i]);
  H5Pset_shared_mesg_phase_change(create, most, fewest);
  file = H5Fcreate(path, H5F_ACC_TRUNC, create, access);
  named = H5Tcopy(H5T_STD_I32BE);
  must(file >= 0 && H5Tcommit2(file, "named", named, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) >= 0,
       "make", 0);
  H5Pclose(create);
  H5Pclose(access);
}

static void check_file(hid_t at) {
  hid_t list = H5Fget_create_plist(at);
  unsigned count = 0, a = 0, b = 0, i;
  must(H5Pget_shared_mesg_nindexes(list, &count) >= 0 && count == indexes, "indexes", (int)count);
  for (i = 0; i < indexes; ++i)
    must(H5Pget_shared_mesg_index(list, i, &a, &b) >= 0 && a == types[i] && b == least[i], "index",
         (int)i);
  must(H5Pget_shared_mesg_phase_change(list, &a, &b) >= 0 && a == most && b == fewest, "phases",
       (int)a);
  H5Pclose(list);
}

static void check_set(int i) {
  const Set* set = &sets[i];
  char name[48];
  int k, n, count = 0;
  static int values[kMostElements];
  hid_t id, type, space, wanted;
  snprintf(name, sizeof name, "set%d", i);
  must((H5Lexists(file, name, H5P_DEFAULT) > 0) == set->there, "there", i);
  if (!set->there) return;
  id = open_set(i);
  type = H5Dget_type(id);
  wanted = make_type(set->type);
  must(H5Tequal(type, wanted) > 0, "type", i);
  H5Tclose(type);
  H5Tclose(wanted);
  space = H5Dget_space(id);
  wanted = make_space(set);
  must(H5Sextent_equal(space, wanted) > 0, "space", i);
  H5Sclose(space);
  H5Sclose(wanted);
  for (k = 0; k < kAttributes; ++k) {
    hid_t at;
    snprintf(name, sizeof name, "attribute%d", k);
    must((H5Aexists(id, name) > 0) == (set->size[k] > 0), "attribute", i * 100 + k);
    if (set->size[k] == 0) continue;
    ++count;
    at = H5Aopen(id, name, H5P_DEFAULT);
    must(at >= 0 && H5Aread(at, H5T_NATIVE_INT, values) >= 0, "read", i * 100 + k);
    for (n = 0; n < set->size[k]; ++n)
      if (values[n] != set->value[k] + n) break;
    must(n == set->size[k], "value", i * 100 + k);
    type = H5Aget_type(at);
    must(H5Tcommitted(type) == set->kind[k], "committed", i * 100 + k);
    H5Tclose(type);
    H5Aclose(at);
  }
  must(H5Aget_num_attrs(id) == count, "attributes", i);
  H5Dclose(id);
}

static void check_empty(void) {
  H5F_info2_t info;
  must(H5Fget_info2(file, &info) >= 0 && info.sohm.hdr_size > 0, "table", 0);
  must(info.sohm.msgs_info.heap_size == 0, "bytes of heaps", (int)info.sohm.msgs_info.heap_size);
}

static void print_all(void) {
  printf(
      "made %ld\nremoved %ld\ngrown %ld\nrewritten %ld\nrenamed %ld\nhuge %ld\ndense %ld\nflushes "
      "%ld\n",
      made, removed, grown, rewritten, renamed, huge, dense, flushes);
  printf("reopened %ld\nlist %d\ntree %d\n", reopened, most > 20, most < 7);
}

int main(int argc, char** argv) {
  unsigned generation, from = 0, to, i;
  int plays, empties;
  hid_t access;
  if (argc != 5) return 2;
  plays = argv[3][0] >= '0' && argv[3][0] <= '9';
  empties = strcmp(argv[3], "empty") == 0;
  to = (unsigned)atoi(argv[4]);
  from = plays ? (unsigned)atoi(argv[3]) : to;
  set_life((unsigned)atoi(argv[2]));
  access = access_list();
  for (generation = 0; generation < to; ++generation) {
    acts = generation >= from;
    may_grow = (generation == 0 || generation == 2 || generation == 5) == (atoi(argv[2]) % 2 == 0);
    if (acts && generation == from)
      made = removed = grown = rewritten = renamed = huge = dense = flushes = 0;
    if (acts && generation == 0) make_file(argv[1]);
    if (acts && generation == from && generation > 0) {
      file = H5Fopen(argv[1], H5F_ACC_RDWR, access);
      named = H5Topen2(file, "named", H5P_DEFAULT);
      must(file >= 0 && named >= 0, "open", (int)generation);
    }
    for (i = 0; i < 60; ++i) one_act(argv[1]);
  }
  if (!plays) {
    const int ends = strcmp(argv[3], "end") == 0;
    file = H5Fopen(argv[1], ends ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    must(file >= 0, "open", 0);
    if (!empties) named = H5Topen2(file, "named", H5P_DEFAULT);
    acts = ends;
    if (empties) check_empty();
    if (!empties) check_file(file);
    for (i = 0; i < kSets && !empties; ++i) {
      if (!ends) check_set((int)i);
      if (ends && sets[i].there) delete_set((int)i);
    }
    if (ends) must(H5Ldelete(file, "named", H5P_DEFAULT) >= 0, "delete", -1);
  } else {
    print_all();
  }
  if (!empties) H5Tclose(named);
  must(H5Fclose(file) >= 0, "close", 0);
  H5Pclose(access);
  return failed > 0;
}
