/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * Files that a program leaves open when it ends: one for each layout and filter. Public headers only,
 * so that libhdf5 can look at them too. */
#ifndef PCIO_TEST_EXIT_FILES_H
#define PCIO_TEST_EXIT_FILES_H
#include <hdf5.h>
#ifdef __cplusplus
extern "C" {
#endif
enum {
  kCompact, kContiguous, kBtree, kSingle, kImplicit, kFixedArray, kExtensibleArray, kBtree2,
  kLayouts
};
enum { kNoFilter, kDeflate1 = 1, kDeflate9 = 9, kShuffle, kFletcher32, kSzip, kNbit, kScaleOffset,
       kOwn, kPlugin, kFilters };
extern const char* const kLayoutNames[kLayouts];
/* "deflate 6"; valid until the next call. */
const char* filter_name(int filter);
/* Whether there is such a file: only chunks are filtered, and the plugin may be missing. */
int exists(int layout, int filter);
/* What files have that were flushed and not closed, and files that were closed. */
enum { kFlushed, kComplete };
/* Makes one file, writes, flushes, writes again, and leaves file, dataset and type open. `access` as
 * for H5Fcreate; `transfer` as for H5Dwrite. The files of every second filter are not flushed, so that a filter is
 * used for the first time by the closing. 0, or -1 with a line on stderr. */
int leave_open(const char* path, int layout, int filter, hid_t access, hid_t transfer);
/* 0 where the file is as leave_open left it. */
int check_file(const char* path, int layout, int filter);
/* Two datasets of ints in which ranks share stripes, contiguous and of encoded rows. */
#define STRIPES_ROWS 96
#define STRIPES_ROW 512
extern const char* const kStripesNames[2];
/* Encoded it is hardly smaller. */
int stripes_value(int row, int column, int state);
/* 0 where the encoded one is as it was flushed, each element of the other one as it was flushed or as it was written since, and
 * nothing is there that was made since. */
int check_stripes(const char* path);
#ifdef __cplusplus
}
#endif
#endif
