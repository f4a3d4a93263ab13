/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Virtual datasets, made and read in usual, odd and wrong ways; what is answered is printed. Compiled against
 * libhdf5 and against libpcio: the outputs must be equal.
 * Arguments: a folder, which becomes the current one, and a part: "make" makes files, "show" prints the
 * virtual datasets of them and of v.h5 where it is there, "answers" asks. Room: test/api.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_source(const char *file_name, const char *name, int first, hsize_t n) {
  hid_t file = access(file_name, F_OK) == 0
                   ? H5Fopen(file_name, H5F_ACC_RDWR, H5P_DEFAULT)
                   : H5Fcreate(file_name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hsize_t most = H5S_UNLIMITED, chunk = 4;
  hid_t space = H5Screate_simple(1, &n, &most), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  int values[100];
  for (int i = 0; i < 100; ++i) values[i] = first + i;
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  H5Dclose(dataset);
  H5Pclose(list);
  H5Sclose(space);
  H5Fclose(file);
}

static hid_t slab(hsize_t size, hsize_t most, hsize_t start, hsize_t stride, hsize_t count,
                  hsize_t block) {
  hid_t space = H5Screate_simple(1, &size, &most);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, &block);
  return space;
}

static void finish(hid_t file, const char *name, hid_t list, hsize_t size, hsize_t most) {
  int fill = -9;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  hid_t space = H5Screate_simple(1, &size, &most);
  hid_t dataset = H5Dcreate2(file, name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("create %s %s\n", name, dataset < 0 ? "fails" : "ok");
  if (dataset >= 0) H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
}

static void make(void) {
  const hsize_t U = H5S_UNLIMITED;
  make_source("a.h5", "d", 0, 23);
  make_source("a.h5", "e", 100, 9);
  for (int i = 0; i < 6; ++i) {
    char name[32];
    if (i == 4) continue;
    snprintf(name, sizeof name, "block-%d.h5", i);
    make_source(name, "d", 1000 * i, 5);
  }
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_LATEST);
  hid_t file = H5Fcreate("virtual.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(20, 20, 0, 1, 1, 10), "a.h5", "d", slab(23, 23, 3, 2, 10, 1));
  H5Pset_virtual(list, slab(20, 20, 12, 4, 2, 2), "a.h5", "e", slab(9, 9, 1, 1, 1, 4));
  finish(file, "fixed", list, 20, 20);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(1, U, 0, 6, U, 3), "a.h5", "d", slab(1, U, 0, 1, U, 1));
  H5Pset_virtual(list, slab(1, U, 3, 6, U, 3), "a.h5", "e", slab(1, U, 0, 1, U, 1));
  finish(file, "interleaved", list, 0, U);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(1, U, 0, 5, U, 5), "block-%b.h5", "d", slab(5, 5, 0, 1, 1, 5));
  finish(file, "blocks", list, 0, U);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(1, U, 2, 7, U, 4), "block-%b.h5", "d", slab(5, 5, 1, 1, 1, 4));
  finish(file, "blocks with gaps", list, 0, U);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(5, 5, 0, 1, 1, 5), "nowhere.h5", "d", slab(5, 5, 0, 1, 1, 5));
  finish(file, "missing", list, 5, 5);
  list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(list, slab(5, 5, 0, 1, 1, 5), "a.h5", "no such", slab(5, 5, 0, 1, 1, 5));
  H5Pset_virtual(list, slab(8, 8, 5, 1, 1, 3), ".", "fixed", slab(20, 20, 0, 1, 1, 3));
  finish(file, "nested", list, 8, 8);
  H5Fclose(file);
  H5Pclose(access);
}

static herr_t show_one(hid_t file, const char *name, const H5L_info_t *info, void *access) {
  (void)info;
  hid_t dataset = H5Dopen2(file, name, *(hid_t *)access);
  hid_t space = H5Dget_space(dataset), list = H5Dget_create_plist(dataset);
  hsize_t dims[8] = {0};
  int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  double values[400];
  hssize_t n = H5Sget_simple_extent_npoints(space);
  printf("%s, layout %d:", name, (int)H5Pget_layout(list));
  for (int d = 0; d < ndims; ++d) printf(" %d", (int)dims[d]);
  if (n > 400) n = 0;
  int answer = H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("; %d:", answer);
  for (int i = 0; answer >= 0 && i < n; ++i) printf(" %g", values[i]);
  printf("\n");
  /* Every third element of the first dimension into a row with gaps; then points. */
  if (n > 6 && ndims == 1) {
    hsize_t start = 1, stride = 3, count = (hsize_t)(n - 1) / 3, size = 2 * count;
    hsize_t two = 2, none = 0;
    hid_t row = H5Screate_simple(1, &size, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL);
    H5Sselect_hyperslab(row, H5S_SELECT_SET, &none, &two, &count, NULL);
    for (int i = 0; i < 400; ++i) values[i] = 0.25;
    answer = H5Dread(dataset, H5T_NATIVE_DOUBLE, row, space, H5P_DEFAULT, values);
    printf("  thirds %d:", answer);
    for (int i = 0; answer >= 0 && i < (int)size; ++i) printf(" %g", values[i]);
    hsize_t points[5] = {5, 0, (hsize_t)n - 1, 2, 3}, five = 5;
    hid_t five_row = H5Screate_simple(1, &five, NULL);
    H5Sselect_elements(space, H5S_SELECT_SET, 5, points);
    answer = H5Dread(dataset, H5T_NATIVE_DOUBLE, five_row, space, H5P_DEFAULT, values);
    /* libhdf5 1.10.8 can't. */
    double all[400];
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all);
    for (int i = 0; answer >= 0 && i < 5; ++i)
      if (values[i] != all[points[i]]) printf("; point %d is wrong", i);
#ifdef PCIO_VERSION
    if (answer < 0) printf("; no points");
#endif
    printf("\n");
    H5Sclose(five_row);
    H5Sclose(row);
  }
  if (H5Pget_layout(list) == H5D_VIRTUAL) {
    size_t count = 0;
    H5Pget_virtual_count(list, &count);
    for (size_t i = 0; i < count; ++i) {
      char file_name[64] = "", dataset_name[64] = "";
      ssize_t f = H5Pget_virtual_filename(list, i, file_name, sizeof file_name);
      ssize_t d = H5Pget_virtual_dsetname(list, i, dataset_name, sizeof dataset_name);
      hid_t target = H5Pget_virtual_vspace(list, i), source = H5Pget_virtual_srcspace(list, i);
      printf("  %s (%d) %s (%d) %d %d kinds %d %d\n", file_name, (int)f, dataset_name, (int)d,
             (int)H5Sget_select_npoints(target), (int)H5Sget_select_npoints(source),
             (int)H5Sget_select_type(target), (int)H5Sget_select_type(source));
      H5Sclose(target);
      H5Sclose(source);
    }
  }
  H5Pclose(list);
  H5Sclose(space);
  H5Dclose(dataset);
  return 0;
}

static void show(const char *name) {
  hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return;
  for (int view = 0; view < 2; ++view)
    for (int gap = 0; gap < 3; ++gap) {
      hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
      H5Pset_virtual_view(access, view ? H5D_VDS_LAST_AVAILABLE : H5D_VDS_FIRST_MISSING);
      H5Pset_virtual_printf_gap(access, (hsize_t)gap);
      printf("%s view %d gap %d\n", name, view, gap);
      H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, show_one, &access);
      H5Pclose(access);
    }
  H5Fclose(file);
}

static void answers(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t five = slab(10, 10, 0, 1, 1, 5), four = slab(10, 10, 0, 1, 1, 4);
  size_t count = 9;
  H5D_vds_view_t view = H5D_VDS_ERROR;
  hsize_t gap = 9;
  char text[64] = "";
  int answer = H5Pget_virtual_count(list, &count);
  printf("no layout %d\n", answer);
  printf("different numbers %d\n", H5Pset_virtual(list, five, "a", "b", four));
  printf("no names %d %d\n", H5Pset_virtual(list, five, NULL, "b", five),
         H5Pset_virtual(list, five, "a", NULL, five));
  printf("no spaces %d %d\n", H5Pset_virtual(list, -1, "a", "b", five),
         H5Pset_virtual(list, five, "a", "b", -1));
  printf("layout %d\n", (int)H5Pget_layout(list));
  printf("set %d", H5Pset_virtual(list, five, "file", "dataset", five));
  printf(" layout %d\n", (int)H5Pget_layout(list));
  answer = H5Pget_virtual_count(list, &count);
  printf("count %d %d\n", answer, (int)count);
  answer = (int)H5Pget_virtual_filename(list, 0, text, 3);
  printf("name %d %s, length %d\n", answer, text, (int)H5Pget_virtual_filename(list, 0, NULL, 0));
  printf("beyond %d %d %d %d\n", (int)H5Pget_virtual_filename(list, 1, text, 9),
         (int)H5Pget_virtual_dsetname(list, 1, text, 9), H5Pget_virtual_vspace(list, 1) > 0,
         H5Pget_virtual_srcspace(list, 1) > 0);
  hid_t copy = H5Pcopy(list);
  printf("equal %d", H5Pequal(list, copy));
  H5Pset_virtual(copy, five, "file", "dataset", five);
  printf(" %d\n", H5Pequal(list, copy));
  answer = H5Pget_virtual_view(access, &view);
  printf("view %d %d\n", answer, (int)view);
  printf("no view %d\n", H5Pset_virtual_view(access, (H5D_vds_view_t)7));
  answer = H5Pget_virtual_printf_gap(access, &gap);
  printf("gap %d %d, endless %d\n", answer, (int)gap,
         H5Pset_virtual_printf_gap(access, H5S_UNLIMITED));
  printf("prefix %d", H5Pset_virtual_prefix(access, "some/where"));
  answer = (int)H5Pget_virtual_prefix(access, text, sizeof text);
  printf(" %d %s\n", answer, text);
  hid_t file = H5Fcreate("answers.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  finish(file, "too small", H5Pcopy(list), 4, 4);
  finish(file, "good", H5Pcopy(list), 10, 10);
  hid_t dataset = H5Dopen2(file, "good", H5P_DEFAULT);
  int values[10] = {0};
  answer = H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("read %d %d %d\n", answer, values[0], values[9]);
  printf("write %d\n", H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  H5Dclose(dataset);
  /* A source that is written through the virtual dataset. */
  make_source("written.h5", "d", 50, 12);
  hid_t of = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(of, slab(6, 6, 0, 1, 1, 6), "written.h5", "d", slab(12, 12, 0, 2, 6, 1));
  finish(file, "through", of, 6, 6);
  dataset = H5Dopen2(file, "through", H5P_DEFAULT);
  int six[6] = {1, 2, 3, 4, 5, 6};
  printf("write %d\n", H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, six));
  H5Dclose(dataset);
  printf("unlink %d\n", H5Ldelete(file, "good", H5P_DEFAULT));
  H5Fclose(file);
  hid_t def = H5P_DEFAULT;
  file = H5Fopen("written.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  show_one(file, "d", NULL, &def);
  H5Fclose(file);
  H5Pclose(copy);
  H5Pclose(list);
  H5Pclose(access);
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[1]) != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(argv[2], "make") == 0) make();
  if (strcmp(argv[2], "show") == 0) {
    show("virtual.h5");
    show("v.h5");
  }
  if (strcmp(argv[2], "answers") == 0) answers();
  return 0;
}
