/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors */
#include "exit_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 20
#define COLUMNS 30
#define OWN_FILTER 300
#define PLUGIN_FILTER 32000 /* lzf */

const char* const kLayoutNames[kLayouts] = {"compact",          "contiguous",      "B-tree",
                                            "single",           "implicit",        "fixed array",
                                            "extensible array", "version 2 B-tree"};

const char* filter_name(int filter) {
  static char deflate[24];
  static const char* const names[] = {"shuffle",      "fletcher32", "szip",  "n-bit",
                                      "scale-offset", "own",        "plugin"};
  if (filter == kNoFilter) return "none";
  if (filter >= kShuffle) return names[filter - kShuffle];
  snprintf(deflate, sizeof deflate, "deflate %d", filter);
  return deflate;
}

/* A program's own filter: every byte complemented. */
static size_t complement(unsigned flags, size_t n, const unsigned* values, size_t bytes,
                         size_t* size, void** buffer) {
  unsigned char* data = *buffer;
  (void)flags, (void)n, (void)values, (void)size;
  for (size_t i = 0; i < bytes; ++i) data[i] = (unsigned char)~data[i];
  return bytes;
}

static void register_own(void) {
  static const H5Z_class2_t own = {H5Z_CLASS_T_VERS, OWN_FILTER, 1,    1,
                                   "complement",     NULL,       NULL, complement};
  if (H5Zfilter_avail(OWN_FILTER) <= 0) H5Zregister(&own);
}

int exists(int layout, int filter) {
  if (filter == kNoFilter) return 1;
  if (layout < kBtree || layout == kImplicit) return 0;
  if (filter == kPlugin) return getenv("PCIO_TEST_PLUGIN") != NULL;
  return 1;
}

static int value_of(int i, int layout, int filter, int state) {
  return (i * 3 + layout * 7 + filter) % 1000 + (state == kComplete ? 1000 : 0);
}

static int add_filter(hid_t list, int filter) {
  switch (filter) {
    case kNoFilter: return 0;
    case kShuffle: return H5Pset_shuffle(list) < 0 || H5Pset_deflate(list, 3) < 0;
    case kFletcher32: return H5Pset_fletcher32(list) < 0;
    case kSzip: return H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 4) < 0;
    case kNbit: return H5Pset_nbit(list) < 0;
    case kScaleOffset: return H5Pset_scaleoffset(list, H5Z_SO_INT, 0) < 0;
    case kOwn:
      register_own();
      return H5Pset_filter(list, OWN_FILTER, H5Z_FLAG_MANDATORY, 0, NULL) < 0;
    case kPlugin: return H5Pset_filter(list, PLUGIN_FILTER, H5Z_FLAG_OPTIONAL, 0, NULL) < 0;
    default: return H5Pset_deflate(list, (unsigned)filter) < 0;
  }
}

static hid_t creation_list(int layout, int filter) {
  const hsize_t usual[2] = {7, 10}, whole[2] = {ROWS, COLUMNS};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  if (layout == kCompact) H5Pset_layout(list, H5D_COMPACT);
  if (layout >= kBtree) H5Pset_chunk(list, 2, layout == kSingle ? whole : usual);
  if (layout == kImplicit) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  if (add_filter(list, filter)) return -1;
  return list;
}

static hid_t space_of(int layout) {
  const hsize_t dims[2] = {ROWS, COLUMNS};
  hsize_t most[2] = {ROWS, COLUMNS};
  if (layout >= kExtensibleArray) most[0] = H5S_UNLIMITED;
  if (layout == kBtree2) most[1] = H5S_UNLIMITED;
  return H5Screate_simple(2, dims, most);
}

static int write_values(hid_t set, hid_t transfer, int layout, int filter, int state) {
  int values[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; ++i) values[i] = value_of(i, layout, filter, state);
  return H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, transfer, values) < 0;
}

int leave_open(const char* path, int layout, int filter, hid_t access, hid_t transfer) {
  hid_t list = creation_list(layout, filter), space = space_of(layout),
        scalar = H5Screate(H5S_SCALAR);
  hid_t use = access == H5P_DEFAULT ? H5Pcreate(H5P_FILE_ACCESS) : H5Pcopy(access);
  if (layout >= kSingle) H5Pset_libver_bounds(use, H5F_LIBVER_V110, H5F_LIBVER_V110);
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, use);
  hid_t set = H5Dcreate2(file, "x", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int bad = list < 0 || file < 0 || set < 0;
  if (!bad && filter % 2 == 0)
    bad = write_values(set, transfer, layout, filter, kFlushed) ||
          H5Fflush(file, H5F_SCOPE_GLOBAL) < 0;
  if (!bad) bad = write_values(set, transfer, layout, filter, kComplete);
  hid_t group = H5Gcreate2(file, "late", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t mark = H5Acreate2(set, "mark", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT);
  const int layout_value = layout;
  if (group < 0 || mark < 0 || H5Awrite(mark, H5T_NATIVE_INT, &layout_value) < 0) bad = 1;
  if (bad)
    fprintf(stderr, "%s: %s, %s: can't be made\n", path, kLayoutNames[layout], filter_name(filter));
  return bad ? -1 : 0;
}

static int complain(const char* path, int layout, int filter, const char* what) {
  fprintf(stderr, "%s: %s, %s: %s\n", path, kLayoutNames[layout], filter_name(filter), what);
  return -1;
}

int check_file(const char* path, int layout, int filter) {
  int values[ROWS * COLUMNS], mark = -1, wrong = 0;
  register_own();
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return complain(path, layout, filter, "can't be opened");
  hid_t set = H5Dopen2(file, "x", H5P_DEFAULT);
  memset(values, 0, sizeof values);
  if (set < 0 || H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    return complain(path, layout, filter, "can't be read");
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    wrong += values[i] != value_of(i, layout, filter, kComplete);
  if (wrong > 0) return complain(path, layout, filter, "what was written last is not there");
  hid_t attribute = H5Aopen(set, "mark", H5P_DEFAULT);
  if (attribute < 0 || H5Aread(attribute, H5T_NATIVE_INT, &mark) < 0 || mark != layout)
    return complain(path, layout, filter, "the attribute is not there");
  if (H5Lexists(file, "late", H5P_DEFAULT) <= 0)
    return complain(path, layout, filter, "the group is not there");
  H5Aclose(attribute);
  H5Dclose(set);
  return H5Fclose(file) < 0 ? complain(path, layout, filter, "can't be closed") : 0;
}

const char* const kStripesNames[2] = {"columns", "encoded"};

int stripes_value(int row, int column, int state) {
  unsigned x = (unsigned)(row * STRIPES_ROW + column) * 2654435761U + (unsigned)state * 977U;
  x ^= x >> 15;
  return (int)((x * 2246822519U) >> 2) * 2 + state;
}

int check_stripes(const char* path) {
  static int values[STRIPES_ROWS * STRIPES_ROW];
  int wrong = 0;
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int encoded = 0; encoded < 2; ++encoded) {
    hid_t set = H5Dopen2(file, kStripesNames[encoded], H5P_DEFAULT);
    memset(values, 0, sizeof values);
    if (set < 0 || H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) ++wrong;
    for (int i = 0; i < STRIPES_ROWS * STRIPES_ROW; ++i) {
      const int row = i / STRIPES_ROW, column = i % STRIPES_ROW;
      wrong += values[i] != stripes_value(row, column, kFlushed) &&
               (encoded || values[i] != stripes_value(row, column, kComplete));
    }
    H5Dclose(set);
  }
  if (wrong > 0) fprintf(stderr, "%s: %d elements are not the last commit's\n", path, wrong);
  if (H5Lexists(file, "late", H5P_DEFAULT) != 0) {
    fprintf(stderr, "%s: what was not committed is there\n", path);
    ++wrong;
  }
  return H5Fclose(file) < 0 || wrong > 0 ? -1 : 0;
}
