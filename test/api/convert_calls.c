/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Files of the latest format, made earlier by H5Dformat_convert and H5Fformat_convert. Compiled against libhdf5
 * and against libpcio. Arguments: a folder, which becomes the current one, and a part: "make" makes files;
 * "convert" converts them and prints what the calls answer; "read" prints all of them; "change" extends and
 * rewrites datasets; "facts" prints what the files are. Room: test/api.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  const char *name;
  H5F_fspace_strategy_t strategy;
  int persist, sums, k;
} File;
static const File kFiles[] = {
    {"usual.h5", H5F_FSPACE_STRATEGY_FSM_AGGR, 0, 0, 0},
    {"kept.h5", H5F_FSPACE_STRATEGY_FSM_AGGR, 1, 0, 0},
    {"pages.h5", H5F_FSPACE_STRATEGY_PAGE, 0, 0, 0},
    {"keptpages.h5", H5F_FSPACE_STRATEGY_PAGE, 1, 0, 0},
    {"aggr.h5", H5F_FSPACE_STRATEGY_AGGR, 0, 0, 0},
    {"none.h5", H5F_FSPACE_STRATEGY_NONE, 0, 0, 0},
    {"nodes.h5", H5F_FSPACE_STRATEGY_PAGE, 1, 0, 8},
    {"nodes2.h5", H5F_FSPACE_STRATEGY_FSM_AGGR, 0, 0, 8},
};
#define FILES (sizeof kFiles / sizeof kFiles[0])

enum { kContiguous, kCompact, kSingle, kImplicit, kFixed, kExtensible, kTree, kKinds };
static const char *const kNames[] = {"contiguous", "compact",    "single", "implicit",
                                     "fixed",      "extensible", "tree"};
enum { kPlain, kFiltered, kEdges, kEmpty, kForms };

static int there(int kind, int form) {
  if (kind <= kCompact) return form == kPlain;
  return kind != kImplicit || form == kPlain;
}

static void name_of(char *name, int kind, int form) { sprintf(name, "%s %d", kNames[kind], form); }

static void make_dataset(hid_t file, int kind, int form) {
  hsize_t size[2] = {17, 13}, most[2] = {17, 13}, chunk[2] = {5, 4};
  if (kind == kExtensible) most[0] = H5S_UNLIMITED;
  if (kind == kTree) most[0] = most[1] = H5S_UNLIMITED;
  if (kind == kSingle) chunk[0] = 17, chunk[1] = 13;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, size, most);
  if (kind == kCompact) H5Pset_layout(list, H5D_COMPACT);
  if (kind >= kSingle) H5Pset_chunk(list, 2, chunk);
  if (kind == kImplicit) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (form == kFiltered || form == kEdges) H5Pset_shuffle(list);
  if (form == kFiltered || form == kEdges) H5Pset_deflate(list, 6);
  if (form == kEdges && kind != kSingle)
    H5Pset_chunk_opts(list, H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS);
  char name[40];
  name_of(name, kind, form);
  hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int values[17 * 13];
  for (int i = 0; i < 17 * 13; ++i) values[i] = i * (kind + 1) + form;
  if (form != kEmpty &&
      H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    exit(1);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
}

static hid_t open_file(const File *f, unsigned flags) {
  hid_t file = H5Fopen(f->name, flags, H5P_DEFAULT);
  if (file < 0) exit(1);
  return file;
}

static void make(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_file_space_strategy(list, kFiles[i].strategy, kFiles[i].persist, 1);
    if (kFiles[i].k > 0) H5Pset_istore_k(list, (unsigned)kFiles[i].k);
    hid_t file = H5Fcreate(kFiles[i].name, H5F_ACC_TRUNC, list, access);
    for (int kind = 0; kind < kKinds; ++kind)
      for (int form = 0; form < kForms; ++form)
        if (there(kind, form)) make_dataset(file, kind, form);
    /* Some free space. */
    char name[20];
    for (int n = 0; n < 30; ++n) {
      sprintf(name, "group %d", n);
      H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    for (int n = 0; n < 29; ++n) {
      sprintf(name, "group %d", n);
      H5Ldelete(file, name, H5P_DEFAULT);
    }
    H5Pclose(list);
    H5Pclose(access);
    if (H5Fclose(file) < 0) exit(1);
  }
}

static void convert(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t file = open_file(&kFiles[i], H5F_ACC_RDWR);
    char name[40];
    for (int kind = 0; kind < kKinds; ++kind)
      for (int form = 0; form < kForms; ++form) {
        if (!there(kind, form)) continue;
        name_of(name, kind, form);
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        int first = H5Dformat_convert(dataset), again = H5Dformat_convert(dataset);
        printf("%s: %d %d\n", name, first, again);
        H5Dclose(dataset);
      }
    int first = H5Fformat_convert(file), again = H5Fformat_convert(file);
    printf("%s: %d %d, close %d\n", kFiles[i].name, first, again, H5Fclose(file));
  }
  printf("nothing: %d %d\n", H5Fformat_convert(-1), H5Dformat_convert(H5S_ALL));
}

static void facts(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18);
    hid_t file = H5Fopen(kFiles[i].name, H5F_ACC_RDONLY, access);
    H5F_info2_t info;
    memset(&info, 0, sizeof info);
    H5Fget_info2(file, &info);
    hid_t list = H5Fget_create_plist(file);
    H5F_fspace_strategy_t strategy;
    hbool_t persist;
    hsize_t threshold;
    unsigned k = 0;
    H5Pget_file_space_strategy(list, &strategy, &persist, &threshold);
    H5Pget_istore_k(list, &k);
    printf("%s: opened by 1.8 %d, superblock %u, extension %d, strategy %d, kept %d, k %u\n",
           kFiles[i].name, file > 0, info.super.version, info.super.super_ext_size > 0,
           (int)strategy, persist, k);
    H5Pclose(list);
    H5Fclose(file);
    H5Pclose(access);
  }
}

static void read_all(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t file = open_file(&kFiles[i], H5F_ACC_RDONLY);
    printf("%s\n", kFiles[i].name);
    char name[40];
    for (int kind = 0; kind < kKinds; ++kind)
      for (int form = 0; form < kForms; ++form) {
        if (!there(kind, form)) continue;
        name_of(name, kind, form);
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
        hsize_t size[2] = {0, 0};
        H5Sget_simple_extent_dims(space, size, NULL);
        static int values[40 * 40];
        long sum = 0;
        int answer = H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
        for (hsize_t n = 0; n < size[0] * size[1]; ++n) sum += values[n] * (long)(n % 7 + 1);
        printf("  %s: %d, %d x %d, sum %ld\n", name, answer, (int)size[0], (int)size[1], sum);
        H5Sclose(space);
        H5Dclose(dataset);
      }
    H5Fclose(file);
  }
}

static void change(void) {
  for (size_t i = 0; i < FILES; ++i) {
    hid_t file = open_file(&kFiles[i], H5F_ACC_RDWR);
    char name[40];
    for (int kind = 0; kind < kKinds; ++kind)
      for (int form = 0; form < kForms; ++form) {
        if (!there(kind, form)) continue;
        name_of(name, kind, form);
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
        hsize_t size[2];
        H5Sget_simple_extent_dims(space, size, NULL);
        if (kind == kExtensible || kind == kTree) size[0] += 3;
        if (kind == kTree) size[1] += 2;
        if (kind >= kExtensible && H5Dset_extent(dataset, size) < 0) exit(1);
        H5Sclose(space);
        hsize_t at[2] = {size[0] - 3, size[1] - 3}, count[2] = {3, 3};
        space = H5Dget_space(dataset);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, count, NULL);
        hid_t memory = H5Screate_simple(2, count, NULL);
        int values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        if (H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values) < 0) exit(1);
        H5Sclose(memory);
        H5Sclose(space);
        H5Dclose(dataset);
      }
    if (H5Fclose(file) < 0) exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[1]) != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(argv[2], "make") == 0) make();
  if (strcmp(argv[2], "convert") == 0) convert();
  if (strcmp(argv[2], "facts") == 0) facts();
  if (strcmp(argv[2], "read") == 0) read_all();
  if (strcmp(argv[2], "change") == 0) change();
  return 0;
}
