/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/* Part of space_calls.c: numbers by chance, sections in children, and dataspaces as text. */

#ifndef PCIO_TEST_API_SPACE_CALLS_SHOW_H
#define PCIO_TEST_API_SPACE_CALLS_SHOW_H

#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;

/* A number of [low, high]. The same sequence everywhere. */
static hsize_t pick(hsize_t low, hsize_t high) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + state % (high - low + 1);
}

/* True in the child that does a section, which ends it with `done()`. */
static int section(const char *title, int a, int b, int c) {
  int status = 0;
  printf("--- %s %d %d %d\n", title, a, b, c);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) return 1;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) printf("crashed\n");
  return 0;
}

static void done(void) {
  fflush(stdout);
  _exit(0);
}

static void numbers(const char *what, const hsize_t *v, int n) {
  printf(" %s", what);
  for (int i = 0; i < n; ++i) printf("%c%lld", i ? ',' : '=', (long long)v[i]);
}

static void show_extent(hid_t s) {
  hsize_t dims[32] = {0}, max[32] = {0};
  int rank = H5Sget_simple_extent_ndims(s);
  printf("  extent type=%d rank=%d npoints=%lld simple=%d", (int)H5Sget_simple_extent_type(s), rank,
         (long long)H5Sget_simple_extent_npoints(s), (int)H5Sis_simple(s));
  printf(" dims->%d", H5Sget_simple_extent_dims(s, dims, max));
  numbers("dims", dims, rank > 0 ? rank : 0);
  numbers("max", max, rank > 0 ? rank : 0);
  printf("\n");
}

static void show_blocks(hid_t s, int rank) {
  hssize_t n = H5Sget_select_hyper_nblocks(s);
  printf("  blocks=%lld", (long long)n);
  if (n > 0 && n <= 40) {
    hsize_t *buf = malloc(sizeof(hsize_t) * (size_t)n * 2 * 32);
    printf(" list->%d", H5Sget_select_hyper_blocklist(s, 0, (hsize_t)n, buf));
    numbers("list", buf, (int)n * 2 * rank);
    if (n > 1) {
      printf(" part->%d", H5Sget_select_hyper_blocklist(s, 1, (hsize_t)n - 1, buf));
      numbers("part", buf, ((int)n - 1) * 2 * rank);
    }
    free(buf);
  }
  printf("\n");
}

static void show_points(hid_t s, int rank) {
  hssize_t n = H5Sget_select_elem_npoints(s);
  printf("  points=%lld", (long long)n);
  if (n > 0 && n <= 60) {
    hsize_t buf[60 * 32];
    printf(" list->%d", H5Sget_select_elem_pointlist(s, 0, (hsize_t)n, buf));
    numbers("list", buf, (int)n * rank);
    if (n > 1) {
      printf(" part->%d", H5Sget_select_elem_pointlist(s, 1, (hsize_t)n - 1, buf));
      numbers("part", buf, ((int)n - 1) * rank);
    }
  }
  printf("\n");
}

static void show_selection(hid_t s) {
  hsize_t a[32] = {0}, b[32] = {0}, c[32] = {0}, d[32] = {0};
  int rank = H5Sget_simple_extent_ndims(s);
  int type = (int)H5Sget_select_type(s);
  printf("  select type=%d npoints=%lld valid=%d", type, (long long)H5Sget_select_npoints(s),
         (int)H5Sselect_valid(s));
  if (rank > 0) {
    int ret = H5Sget_select_bounds(s, a, b);
    printf(" bounds->%d", ret);
    if (ret >= 0) {
      numbers("low", a, rank);
      numbers("high", b, rank);
    }
  }
  printf("\n");
  if (type == H5S_SEL_HYPERSLABS) {
    int ret = H5Sis_regular_hyperslab(s);
    printf("  regular->%d", ret);
    if (ret > 0) {
      printf(" get->%d", H5Sget_regular_hyperslab(s, a, b, c, d));
      numbers("start", a, rank);
      /* Between blocks there is nothing where there is one block; libhdf5 says now this, now that. */
      for (int i = 0; i < rank; ++i) b[i] = c[i] == 1 ? 1 : b[i];
      numbers("stride", b, rank);
      numbers("count", c, rank);
      numbers("block", d, rank);
    }
    printf("\n");
    show_blocks(s, rank);
  }
  if (type == H5S_SEL_POINTS) show_points(s, rank);
}

/* The encoded space, and what comes back of it. Left out: lists of very many blocks, and selections
 * that an offset moves below 0, which libhdf5 doesn't encode although it leaves out the offset. */
static void show_encoded(hid_t s) {
  unsigned char *bytes;
  size_t size = 0, room, i;
  hsize_t a[32], b[32];
  hid_t back;
  if (H5Sget_select_npoints(s) > 0 && H5Sget_select_bounds(s, a, b) < 0) return;
  if (H5Sget_select_type(s) == H5S_SEL_HYPERSLABS && H5Sget_select_hyper_nblocks(s) > 5000) return;
  printf("  encode->%d", H5Sencode(s, NULL, &size));
  room = size;
  bytes = malloc(room + 1);
  if (size > 0) {
    printf(" ->%d size=%d bytes=", H5Sencode(s, bytes, &room), (int)size);
    for (i = 0; i < size; ++i) printf("%02x", bytes[i]);
    back = H5Sdecode(bytes);
    printf(" decode->%s type=%d npoints=%lld", back < 0 ? "failed" : "id",
           (int)H5Sget_select_type(back), (long long)H5Sget_select_npoints(back));
    if (back >= 0) H5Sclose(back);
  }
  printf("\n");
  free(bytes);
}

static void show(const char *title, hid_t s) {
  printf("%s -> %s\n", title, s < 0 ? "failed" : "id");
  if (s < 0) return;
  show_extent(s);
  show_selection(s);
  show_encoded(s);
}

/* After an adjustment libhdf5 1.10.8 lists a regular hyperslab where it was before, and takes points
 * that were moved to just outside of the extent as valid. */
static void show_place(const char *title, hid_t s) {
  hsize_t a[32] = {0}, b[32] = {0};
  int rank = H5Sget_simple_extent_ndims(s), ret = H5Sget_select_bounds(s, a, b);
  int type = (int)H5Sget_select_type(s);
  printf("%s type=%d npoints=%lld valid=%d bounds->%d", title, type,
         (long long)H5Sget_select_npoints(s),
         type == H5S_SEL_POINTS ? 1 : (int)H5Sselect_valid(s), ret);
  if (ret >= 0) {
    numbers("low", a, rank);
    numbers("high", b, rank);
  }
  printf("\n");
}

#endif
