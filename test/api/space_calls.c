/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Every H5S call with usual, odd and wrong arguments; what each returns is printed. Compiled against
 * libhdf5 and against libpcio: the outputs must be equal. Argument: the number of random rounds.
 *
 * libhdf5 1.10.8 crashes in some of the calls, so each section ("--- title") runs in a child of its
 * own; one that died says "crashed" and is not compared.
 * Room: test/api.
 */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "space_calls_show.h"

#define D(...) ((const hsize_t[]){__VA_ARGS__})
#define O(...) ((const hssize_t[]){__VA_ARGS__})
#define SAY(call) printf("%s -> %lld\n", #call, (long long)(call))
#define U H5S_UNLIMITED
#define BIG ((hsize_t)1 << 40)

static void make(void) {
  show("null", H5Screate(H5S_NULL));
  show("scalar", H5Screate(H5S_SCALAR));
  show("simple", H5Screate(H5S_SIMPLE));
  show("no class", H5Screate(H5S_NO_CLASS));
  show("class 7", H5Screate((H5S_class_t)7));
  show("rank 0", H5Screate_simple(0, NULL, NULL));
  show("rank -1", H5Screate_simple(-1, D(1), NULL));
  show("rank 33", H5Screate_simple(33, D(1), NULL));
  show("no dims", H5Screate_simple(1, NULL, NULL));
  show("1-d", H5Screate_simple(1, D(7), NULL));
  show("zero", H5Screate_simple(2, D(7, 0), NULL));
  show("max", H5Screate_simple(2, D(7, 3), D(7, U)));
  show("zero max", H5Screate_simple(2, D(0, 3), D(0, U)));
  show("small max", H5Screate_simple(2, D(7, 3), D(6, U)));
  show("unlimited now", H5Screate_simple(1, D(U), D(U)));
  hsize_t ones[32];
  for (int i = 0; i < 32; ++i) ones[i] = 1;
  show("rank 32", H5Screate_simple(32, ones, NULL));
}

static void wrong_ids(void) {
  hid_t closed = H5Screate(H5S_SCALAR);
  hid_t bad[4] = {closed, 0, -1, H5T_NATIVE_INT};
  SAY(H5Sclose(closed));
  for (int i = 0; i < 4; ++i) {
    hsize_t a[2] = {0, 0};
    SAY(H5Sclose(bad[i]));
    SAY(H5Scopy(bad[i]));
    SAY(H5Sget_simple_extent_ndims(bad[i]));
    SAY(H5Sget_simple_extent_npoints(bad[i]));
    SAY(H5Sget_simple_extent_type(bad[i]));
    SAY(H5Sget_simple_extent_dims(bad[i], a, a));
    SAY(H5Sis_simple(bad[i]));
    SAY(H5Sset_extent_none(bad[i]));
    SAY(H5Sset_extent_simple(bad[i], 1, D(1), NULL));
    SAY(H5Sextent_copy(bad[i], bad[i]));
    SAY(H5Sextent_equal(bad[i], bad[i]));
    SAY(H5Sselect_all(bad[i]));
    SAY(H5Sselect_none(bad[i]));
    SAY(H5Sselect_hyperslab(bad[i], H5S_SELECT_SET, a, NULL, a, NULL));
    SAY(H5Sselect_elements(bad[i], H5S_SELECT_SET, 1, a));
    SAY(H5Scombine_hyperslab(bad[i], H5S_SELECT_SET, a, NULL, a, NULL));
    SAY(H5Scombine_select(bad[i], H5S_SELECT_OR, bad[i]));
    SAY(H5Smodify_select(bad[i], H5S_SELECT_OR, bad[i]));
    SAY(H5Sselect_copy(bad[i], bad[i]));
    SAY(H5Sselect_adjust(bad[i], O(0)));
    SAY(H5Soffset_simple(bad[i], O(0)));
    SAY(H5Sget_select_type(bad[i]));
    SAY(H5Sget_select_npoints(bad[i]));
    SAY(H5Sget_select_bounds(bad[i], a, a));
    SAY(H5Sselect_valid(bad[i]));
    SAY(H5Sis_regular_hyperslab(bad[i]));
    SAY(H5Sget_regular_hyperslab(bad[i], a, a, a, a));
    SAY(H5Sget_select_hyper_nblocks(bad[i]));
    SAY(H5Sget_select_hyper_blocklist(bad[i], 0, 1, a));
    SAY(H5Sget_select_elem_npoints(bad[i]));
    SAY(H5Sget_select_elem_pointlist(bad[i], 0, 1, a));
    SAY(H5Sselect_shape_same(bad[i], bad[i]));
    SAY(H5Sselect_intersect_block(bad[i], a, a));
    SAY(H5Sselect_project_intersection(bad[i], bad[i], bad[i]));
  }
}

static void extents(void) {
  hid_t s = H5Screate_simple(2, D(4, 5), D(8, U));
  hid_t t = H5Screate_simple(2, D(4, 5), NULL);
  SAY(H5Sextent_equal(s, t));
  SAY(H5Sextent_equal(s, s));
  SAY(H5Sget_simple_extent_dims(s, NULL, NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, D(2, 2), NULL));
  SAY(H5Soffset_simple(s, O(1, 1)));
  show("copy", H5Scopy(s));
  SAY(H5Sset_extent_simple(s, 2, D(6, 6), D(6, 6)));
  show("set_extent_simple", s);
  SAY(H5Sset_extent_simple(s, 2, D(2, 2), NULL));
  show("set_extent_simple below the selection", s);
  /* libhdf5 keeps a hyperslab of another rank and then reads wild memory. */
  SAY(H5Sselect_all(s));
  SAY(H5Sset_extent_simple(s, 1, D(9), NULL));
  show("other rank", s);
  SAY(H5Sset_extent_simple(s, 2, D(9, 9), D(8, 9)));
  SAY(H5Sset_extent_simple(s, 2, D(9, U), NULL));
  SAY(H5Sset_extent_simple(s, 33, D(9), NULL));
  SAY(H5Sset_extent_simple(s, -1, D(9), NULL));
  SAY(H5Sset_extent_simple(s, 1, NULL, NULL));
  SAY(H5Sset_extent_simple(s, 1, NULL, D(4)));
  show("after failures", s);
  SAY(H5Sset_extent_simple(s, 0, NULL, NULL));
  show("set to scalar", s);
  SAY(H5Sset_extent_none(s));
  SAY(H5Sselect_all(s));
  printf("none\n"); /* libhdf5 1.10.8 encodes this null dataspace as a scalar */
  show_extent(s);
  show_selection(s);
  SAY(H5Sextent_equal(s, s));
  SAY(H5Sselect_all(s));
  SAY(H5Sselect_none(s));
  SAY(H5Sextent_copy(s, t));
  show("extent copied", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, D(2, 2), NULL));
  SAY(H5Sextent_copy(s, t));
  show("extent copied under a selection", s);
  SAY(H5Sselect_none(s));
  SAY(H5Sextent_copy(s, t));
  show("extent copied under none", s);
  SAY(H5Sextent_copy(s, H5Screate(H5S_NULL)));
  show("extent of null", s);
  SAY(H5Sextent_copy(s, H5Screate(H5S_SIMPLE)));
  show("extent of nothing", s);
  SAY(H5Sextent_equal(H5Screate(H5S_NULL), H5Screate(H5S_NULL)));
  SAY(H5Sextent_equal(H5Screate(H5S_SCALAR), H5Screate(H5S_SCALAR)));
  SAY(H5Sextent_equal(H5Screate(H5S_SCALAR), H5Screate(H5S_NULL)));
  hid_t one = H5Screate_simple(1, D(1), NULL);
  SAY(H5Sextent_equal(H5Screate(H5S_SCALAR), one));
  SAY(H5Sselect_shape_same(H5Screate(H5S_SCALAR), one));
  SAY(H5Sselect_shape_same(H5Screate(H5S_NULL), one));
  SAY(H5Sselect_shape_same(H5Screate(H5S_NULL), H5Screate(H5S_NULL)));
}

static void slabs(hid_t s, const char *title) {
  if (!section(title, 0, 0, 0)) return;
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, NULL, NULL, D(1, 1), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, NULL, NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_NOOP, D(1, 1), NULL, D(1, 1), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_APPEND, D(1, 1), NULL, D(1, 1), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_INVALID, D(1, 1), NULL, D(1, 1), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), D(0, 1), D(1, 1), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), D(1, 2), D(1, 2), D(1, 3)));
  show("after wrong calls", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, D(2, 0), NULL));
  show("count 0", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, D(2, 2), D(0, 1)));
  show("block 0", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), NULL, D(2, 3), NULL));
  show("plain", s);
  for (int op = 1; op <= 5; ++op) {
    SAY(H5Sselect_hyperslab(s, (H5S_seloper_t)op, D(1, 1), NULL, D(2, 0), NULL));
    show("operator with nothing", s);
    SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), D(3, 3), D(2, 3), D(2, 2)));
  }
  show("blocks", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), D(2, 2), D(2, 3), D(2, 2)));
  show("touching blocks", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), D(7, 9), D(1, 1), D(2, 2)));
  show("single block with stride", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), D(1, 1), D(1, 1), D(2, 2)));
  show("single block with small stride", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(0, 0), NULL, D(2, 2), NULL));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_OR, D(0, 2), NULL, D(2, 2), NULL));
  show("two that touch", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_OR, D(0, 6), NULL, D(2, 4), NULL));
  show("a third apart", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_OR, D(5, 6), NULL, D(2, 4), NULL));
  show("an irregular one", s);
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_AND, D(8, 0), NULL, D(1, 1), NULL));
  show("and with another place", s);
  SAY(H5Sselect_all(s));
  for (int op = 1; op <= 5; ++op) {
    SAY(H5Sselect_all(s));
    SAY(H5Sselect_hyperslab(s, (H5S_seloper_t)op, D(1, 1), NULL, D(2, 3), NULL));
    show("operator on all", s);
    SAY(H5Sselect_none(s));
    SAY(H5Sselect_hyperslab(s, (H5S_seloper_t)op, D(1, 1), NULL, D(2, 3), NULL));
    show("operator on none", s);
    SAY(H5Sselect_elements(s, H5S_SELECT_SET, 1, D(1, 1)));
    SAY(H5Sselect_hyperslab(s, (H5S_seloper_t)op, D(1, 1), NULL, D(2, 3), NULL));
    show("operator on points", s);
  }
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(8, 8), NULL, D(4, 4), NULL));
  show("outside", s);
  done();
}

static void points(hid_t s, const char *title) {
  if (!section(title, 1, 0, 0)) return;
  SAY(H5Sselect_elements(s, H5S_SELECT_SET, 0, D(1, 1)));
  SAY(H5Sselect_elements(s, H5S_SELECT_SET, 1, NULL));
  SAY(H5Sselect_elements(s, H5S_SELECT_OR, 1, D(1, 1)));
  SAY(H5Sselect_elements(s, H5S_SELECT_NOOP, 1, D(1, 1)));
  SAY(H5Sselect_elements(s, H5S_SELECT_SET, 2, D(1, 1, 99, 1)));
  show("after wrong calls", s);
  SAY(H5Sselect_elements(s, H5S_SELECT_APPEND, 1, D(1, 1)));
  show("append to all", s);
  SAY(H5Sselect_none(s));
  SAY(H5Sselect_elements(s, H5S_SELECT_PREPEND, 2, D(1, 1, 2, 2)));
  show("prepend to none", s);
  SAY(H5Sselect_elements(s, H5S_SELECT_PREPEND, 2, D(3, 3, 1, 1)));
  SAY(H5Sselect_elements(s, H5S_SELECT_APPEND, 2, D(4, 3, 0, 1)));
  show("prepend, append", s);
  SAY(H5Sselect_elements(s, H5S_SELECT_APPEND, 1, D(4, 99)));
  show("append outside", s);
  hsize_t buf[64];
  SAY(H5Sget_select_elem_pointlist(s, 0, 99, buf));
  SAY(H5Sget_select_elem_pointlist(s, 99, 1, buf));
  SAY(H5Sget_select_elem_pointlist(s, 0, 0, buf));
  SAY(H5Sget_select_elem_pointlist(s, 0, 1, NULL));
  SAY(H5Sget_select_hyper_nblocks(s));
  SAY(H5Sget_select_hyper_blocklist(s, 0, 1, buf));
  SAY(H5Sis_regular_hyperslab(s));
  SAY(H5Sget_regular_hyperslab(s, buf, buf, buf, buf));
  SAY(H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 1), NULL, D(2, 3), NULL));
  SAY(H5Sselect_elements(s, H5S_SELECT_APPEND, 1, D(4, 3)));
  show("append to a hyperslab", s);
  done();
}

static void questions(hid_t s, const char *title) {
  hsize_t a[64] = {0}, b[64] = {0};
  for (int kind = 0; kind < 5; ++kind) {
    if (!section(title, 2, kind, 0)) continue;
    if (kind == 1) H5Sselect_none(s);
    if (kind == 2) H5Sselect_elements(s, H5S_SELECT_SET, 3, D(1, 1, 0, 5, 2, 2));
    if (kind >= 3) H5Sselect_hyperslab(s, H5S_SELECT_SET, D(1, 2), D(3, 3), D(2, 2), D(2, 1));
    if (kind == 4) H5Sselect_hyperslab(s, H5S_SELECT_XOR, D(1, 2), NULL, D(1, 1), NULL);
    show("it", s);
    SAY(H5Sget_select_hyper_nblocks(s));
    SAY(H5Sget_select_hyper_blocklist(s, 0, 99, a));
    SAY(H5Sget_select_hyper_blocklist(s, 99, 1, a));
    SAY(H5Sget_select_hyper_blocklist(s, 0, 0, a));
    SAY(H5Sget_select_hyper_blocklist(s, 0, 1, NULL));
    SAY(H5Sget_select_elem_npoints(s));
    SAY(H5Sget_select_elem_pointlist(s, 0, 1, a));
    SAY(H5Sis_regular_hyperslab(s));
    SAY(H5Sget_regular_hyperslab(s, a, NULL, NULL, b));
    SAY(H5Sget_regular_hyperslab(s, NULL, NULL, NULL, NULL));
    SAY(H5Sget_select_bounds(s, NULL, b));
    SAY(H5Sget_select_bounds(s, a, NULL));
    SAY(H5Sselect_intersect_block(s, D(0, 0), D(1, 1)));
    SAY(H5Sselect_intersect_block(s, D(1, 2), D(1, 2)));
    SAY(H5Sselect_intersect_block(s, D(2, 2), D(2, 2)));
    SAY(H5Sselect_intersect_block(s, D(2, 3), D(2, 1)));
    SAY(H5Sselect_intersect_block(s, D(99, 0), D(99, 9)));
    SAY(H5Sselect_intersect_block(s, NULL, D(2, 1)));
    SAY(H5Sselect_intersect_block(s, D(2, 1), NULL));
    SAY(H5Soffset_simple(s, O(1, 2)));
    show("offset", s);
    SAY(H5Sselect_intersect_block(s, D(0, 0), D(1, 1)));
    SAY(H5Soffset_simple(s, O(-1, -2)));
    show("offset back", s);
    SAY(H5Soffset_simple(s, O(-9, -2)));
    show("offset too far back", s);
    SAY(H5Soffset_simple(s, O(90, 2)));
    show("offset too far", s);
    SAY(H5Soffset_simple(s, NULL));
    SAY(H5Soffset_simple(s, O(0, 0)));
    SAY(H5Sselect_adjust(s, O(0, 1)));
    show_place("adjusted", s);
    SAY(H5Sselect_adjust(s, O(-1, -1)));
    show_place("adjusted forth", s);
    SAY(H5Sselect_adjust(s, O(0, -90)));
    show_place("adjusted outside", s);
    SAY(H5Sselect_adjust(s, O(5, 0)));
    show_place("adjusted too far", s);
    SAY(H5Sselect_adjust(s, NULL));
    SAY(H5Sselect_adjust(s, O(0, 0)));
    done();
  }
}

static hid_t of_kind(int kind, int rank) {
  hsize_t dims[3] = {10, 12, 4}, start[3] = {1, 2, 0}, ones[3] = {1, 1, 1}, two[3] = {2, 2, 2};
  hsize_t three[3] = {3, 3, 1}, list[9] = {1, 2, 3, 0, 0, 0, 4, 3, 2};
  hid_t s = H5Screate_simple(rank, dims, NULL);
  if (kind == 1) H5Sselect_none(s);
  if (kind == 2) H5Sselect_elements(s, H5S_SELECT_SET, 2, list);
  if (kind >= 3) H5Sselect_hyperslab(s, H5S_SELECT_SET, start, NULL, three, NULL);
  if (kind == 4) H5Sselect_hyperslab(s, H5S_SELECT_XOR, start, NULL, ones, NULL);
  if (kind == 5) H5Sselect_hyperslab(s, H5S_SELECT_SET, ones, NULL, three, NULL);
  if (kind == 6) H5Sselect_hyperslab(s, H5S_SELECT_SET, ones, two, two, NULL);
  return s;
}

static void pair(int a, int b, int rank, int op) {
  hid_t s = of_kind(a, 2), t = of_kind(b, rank), u = H5Scopy(s);
  if (section("combine", a, b, op)) {
    show("combine_select", H5Scombine_select(s, (H5S_seloper_t)op, t));
    done();
  }
  if (section("modify", a, b, op)) {
    SAY(H5Smodify_select(u, (H5S_seloper_t)op, t));
    show("modified", u);
    done();
  }
  if (b == 0 && section("combine_hyperslab", a, op, 0)) {
    show("combine_hyperslab",
         H5Scombine_hyperslab(s, (H5S_seloper_t)op, D(0, 1), NULL, D(3, 3), NULL));
    done();
  }
}

static void pairs(void) {
  for (int a = 0; a < 7; ++a)
    for (int b = 0; b < 7; ++b)
      for (int rank = 2; rank <= 3; ++rank) {
        if (section("pair", a, b, rank)) {
          hid_t s = of_kind(a, 2), t = of_kind(b, rank), u = H5Scopy(t);
          SAY(H5Sselect_shape_same(s, t));
          SAY(H5Sselect_shape_same(t, s));
          /* From one rank to another libhdf5 copies coordinates as if the ranks were equal. */
          if (rank == 2 || a < 2) {
            SAY(H5Sselect_copy(u, s));
            show("selection copied", u);
          }
          done();
        }
        for (int op = -1; op <= 8; ++op) pair(a, b, rank, op);
      }
}

static void projections(void) {
  for (int a = 0; a < 7; ++a)
    for (int b = 0; b < 7; ++b)
      for (int c = 0; c < 7; ++c) /* Of points, libhdf5 finds only the first in others. */
        if (c != 2 && section("project", a, b, c)) {
          hid_t s = of_kind(a, 2), t = of_kind(b, 2), i = of_kind(c, 2);
          show("projected", H5Sselect_project_intersection(s, t, i));
          done();
        }
  if (section("project", 0, 0, 0)) {
    SAY(H5Sselect_project_intersection(of_kind(0, 2), of_kind(0, 2), of_kind(0, 3)));
    done();
  }
}

/* Selections of random make. */

static int may_leave = 1; /* selections may reach beyond the extent */
static int points_too = 1;

static void random_slab(const hsize_t *dims, int rank, hsize_t v[4][3]) {
  for (int d = 0; d < rank; ++d) {
    v[0][d] = pick(0, dims[d] - 1);
    v[3][d] = pick(1, 3);
    v[1][d] = v[3][d] + pick(0, 2);
    v[2][d] = pick(1, 3);
    while (v[0][d] + v[1][d] * (v[2][d] - 1) + v[3][d] > dims[d] && v[2][d] > 1) --v[2][d];
    if (v[0][d] + v[3][d] > dims[d] && (!may_leave || pick(0, 20))) v[3][d] = dims[d] - v[0][d];
  }
}

static void change(hid_t s, const hsize_t *dims, int rank) {
  hsize_t v[4][3], list[30];
  hsize_t what = pick(0, 11);
  if (what == 2 && !points_too) what = 3;
  if (what == 0) {
    SAY(H5Sselect_all(s));
  } else if (what == 1) {
    SAY(H5Sselect_none(s));
  } else if (what == 2) {
    hsize_t n = pick(1, 5);
    for (hsize_t i = 0; i < n * (hsize_t)rank; ++i) list[i] = pick(0, dims[i % (hsize_t)rank] - 1);
    hsize_t op = pick(5, 7);
    SAY(H5Sselect_elements(s, (H5S_seloper_t)(op == 5 ? 0 : op), (size_t)n, list));
  } else {
    random_slab(dims, rank, v);
    int op = (int)pick(0, 5);
    printf("op %d", op);
    numbers("start", v[0], rank);
    numbers("stride", v[1], rank);
    numbers("count", v[2], rank);
    numbers("block", v[3], rank);
    printf("\n");
    SAY(H5Sselect_hyperslab(s, (H5S_seloper_t)op, v[0], v[1], v[2], v[3]));
  }
}

static hid_t random_space(const hsize_t *dims, int rank) {
  hid_t s = H5Screate_simple(rank, dims, NULL);
  for (hsize_t n = pick(0, 4); n > 0; --n) change(s, dims, rank);
  return s;
}

static void random_round(int round) {
  hsize_t dims[3], v[4][3];
  hssize_t by[3];
  state = 88172645463325252u + (uint64_t)round * 7919u;
  for (int i = 0; i < 10; ++i) pick(0, 1);
  int rank = (int)pick(1, 3);
  for (int d = 0; d < rank; ++d) dims[d] = pick(1, 9);
  hsize_t op = pick(0, 5);
  if (section("changes", round, 0, 0)) {
    show("s", random_space(dims, rank));
    show("t", random_space(dims, rank));
    done();
  }
  if (section("two spaces", round, (int)op, 0)) {
    hid_t s = random_space(dims, rank), t = random_space(dims, rank);
    show("combined", H5Scombine_select(s, (H5S_seloper_t)op, t));
    done();
  }
  if (section("projection", round, 0, 0)) {
    /* libhdf5 projects what is not there, and of points in the third space only the first. */
    may_leave = 0;
    hid_t s = random_space(dims, rank), t = random_space(dims, rank);
    points_too = 0;
    show("projected", H5Sselect_project_intersection(s, t, random_space(dims, rank)));
    done();
  }
  if (section("places", round, 0, 0)) {
    hid_t s = random_space(dims, rank), t = random_space(dims, rank);
    SAY(H5Sselect_shape_same(s, t));
    random_slab(dims, rank, v);
    for (int d = 0; d < rank; ++d) v[1][d] = v[0][d] + v[1][d];
    numbers("from", v[0], rank);
    numbers("to", v[1], rank);
    SAY(H5Sselect_intersect_block(s, v[0], v[1]));
    for (int d = 0; d < rank; ++d) by[d] = (hssize_t)pick(0, 3) - 1;
    SAY(H5Soffset_simple(s, by));
    show_place("offset", s);
    /* libhdf5 moves the bounds of points and irregular hyperslabs, but not what is in them. */
    int type = (int)H5Sget_select_type(s);
    if (type != H5S_SEL_POINTS && (type != H5S_SEL_HYPERSLABS || H5Sis_regular_hyperslab(s) > 0))
      SAY(H5Sselect_intersect_block(s, v[0], v[1]));
    for (int d = 0; d < rank; ++d) by[d] = (hssize_t)pick(0, 3) - 2;
    SAY(H5Sselect_adjust(t, by));
    show_place("adjusted", t);
    done();
  }
}

int main(int argc, char **argv) {
  static char buffer[1 << 20]; /* what a child prints is lost when it dies */
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (section("make", 0, 0, 0)) {
    make();
    done();
  }
  if (section("wrong ids", 0, 0, 0)) {
    wrong_ids();
    done();
  }
  if (section("extents", 0, 0, 0)) {
    extents();
    done();
  }
  const char *titles[] = {"2-d", "null", "scalar"};
  for (int k = 0; k < 3; ++k) {
    hid_t s =
        k == 0 ? H5Screate_simple(2, D(10, 12), NULL) : H5Screate(k == 1 ? H5S_NULL : H5S_SCALAR);
    slabs(s, titles[k]);
    points(s, titles[k]);
    questions(s, titles[k]);
  }
  pairs();
  projections();
  for (int round = 0; round < rounds; ++round) random_round(round);
  return 0;
}
