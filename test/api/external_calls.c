/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Datasets with external files, made and used in usual, odd and wrong ways; what each call answers is
 * printed. Compiled against libhdf5 and against libpcio: the outputs must be equal.
 * Left out, because libhdf5 1.10.8 crashes: a compact layout with external files.
 * Arguments: a folder, which becomes the current one, and a part: "answers"; "write" makes e.h5 and its
 * raw files; "read" prints all of them. Room: test/api.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static long bytes_of(const char *name) {
  struct stat info;
  return stat(name, &info) == 0 ? (long)info.st_size : -1;
}

static void put_bytes(const char *name, const void *bytes, size_t n) {
  FILE *file = fopen(name, "wb");
  if (file == NULL) exit(1);
  fwrite(bytes, 1, n, file);
  fclose(file);
}

static int show(hid_t dataset, const char *when) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = -1;
  hid_t space = H5Dget_space(dataset);
  hssize_t n = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  int answer =
      n > 64 ? -9 : H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  printf("    %s: %d values %d:", when, answer, (int)n);
  for (int i = 0; answer >= 0 && i < n && i < 64; ++i) printf(" %d", values[i]);
  printf("\n");
  return answer;
}

/* ---- answers ---- */

typedef struct {
  const char *name;
  int ndims;
  hsize_t dims[2], most[2];
  hsize_t sizes[3]; /* of the files; 0 ends */
  int alloc;        /* -1: as it is */
  int chunk;
} Case;

static const hsize_t U = H5S_UNLIMITED;

static void one_case(hid_t file, const Case *c) {
  static const char *names[] = {"a.raw", "b.raw", "c.raw"};
  for (int i = 0; i < 3; ++i) remove(names[i]);
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[2] = {2, 2};
  printf("%s\n", c->name);
  if (c->chunk) H5Pset_chunk(list, c->ndims, chunk);
  for (int i = 0; i < 3 && c->sizes[i] != 0; ++i)
    printf("  set %d\n", H5Pset_external(list, names[i], i * 4, c->sizes[i]));
  if (c->alloc >= 0) H5Pset_alloc_time(list, (H5D_alloc_time_t)c->alloc);
  int fill = 7;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  hid_t space = c->ndims > 0 ? H5Screate_simple(c->ndims, c->dims, c->most[0] != 0 ? c->most : NULL)
                             : H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(file, c->name, H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  printf("  create %s\n", dataset < 0 ? "fails" : "ok");
  if (dataset >= 0) {
    H5D_space_status_t status = (H5D_space_status_t)-9;
    int answer = H5Dget_space_status(dataset, &status);
    printf("  status %d %d storage %d offset %s files %ld\n", answer, (int)status,
           (int)H5Dget_storage_size(dataset),
           H5Dget_offset(dataset) == HADDR_UNDEF ? "none" : "some", bytes_of("a.raw"));
    show(dataset, "before");
    int values[64];
    for (int i = 0; i < 64; ++i) values[i] = 100 + i;
    hsize_t start[2] = {0, 0}, count[2] = {1, 1};
    hid_t part = H5Dget_space(dataset);
    if (c->ndims > 0) H5Sselect_hyperslab(part, H5S_SELECT_SET, start, NULL, count, NULL);
    hid_t row = H5Screate_simple(1, count, NULL);
    printf("  write one %d\n",
           H5Dwrite(dataset, H5T_NATIVE_INT, row, part, H5P_DEFAULT, values + 9));
    show(dataset, "one");
    printf("  write all %d\n",
           H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    show(dataset, "all");
    for (int i = 0; i < 3; ++i) printf("  %s %ld", names[i], bytes_of(names[i]));
    printf("\n");
    if (c->most[0] != 0) {
      hsize_t wanted[2] = {c->dims[0] + 2, c->dims[1]};
      printf("  grow %d\n", H5Dset_extent(dataset, wanted));
      show(dataset, "grown");
      wanted[0] = 1;
      printf("  shrink %d storage %d\n", H5Dset_extent(dataset, wanted),
             (int)H5Dget_storage_size(dataset));
      show(dataset, "shrunk");
      wanted[0] = 3;
      printf("  grow %d\n", H5Dset_extent(dataset, wanted));
      show(dataset, "again");
      wanted[1] += 1;
      printf("  second %d\n", H5Dset_extent(dataset, wanted));
    }
    hid_t made = H5Dget_create_plist(dataset);
    printf("  count %d layout %d\n", H5Pget_external_count(made), (int)H5Pget_layout(made));
    for (unsigned i = 0; i < 3; ++i) {
      char name[64] = "";
      off_t offset = -1;
      hsize_t size = 1;
      answer = H5Pget_external(made, i, sizeof name, name, &offset, &size);
      printf("  %u: %d %s %d %d\n", i, answer, name, (int)offset, (int)size);
    }
    H5Pclose(made);
    H5Sclose(part);
    H5Sclose(row);
    H5Dclose(dataset);
  }
  H5Sclose(space);
  H5Pclose(list);
}

static void cases(void) {
  static const Case all[] = {
      {"plain", 1, {4}, {0}, {16}, -1, 0},
      {"two files", 1, {4}, {0}, {8, 8}, -1, 0},
      {"cut elements", 1, {4}, {0}, {6, 7, 3}, -1, 0},
      {"too short", 1, {4}, {0}, {8, 7}, -1, 0},
      {"more than it needs", 1, {4}, {0}, {8, 100}, -1, 0},
      {"without end", 1, {4}, {0}, {H5F_UNLIMITED}, -1, 0},
      {"last without end", 1, {4}, {0}, {4, H5F_UNLIMITED}, -1, 0},
      {"may grow to 10", 1, {4}, {10}, {40}, -1, 0},
      {"may grow beyond the files", 1, {4}, {10}, {39}, -1, 0},
      {"may grow for ever", 1, {4}, {H5S_UNLIMITED}, {8, H5F_UNLIMITED}, -1, 0},
      {"may grow for ever, files not", 1, {4}, {H5S_UNLIMITED}, {4000}, -1, 0},
      {"first of two", 2, {4, 3}, {9, 3}, {H5F_UNLIMITED}, -1, 0},
      {"second of two", 2, {4, 3}, {4, 6}, {H5F_UNLIMITED}, -1, 0},
      {"both", 2, {4, 3}, {9, 6}, {H5F_UNLIMITED}, -1, 0},
      {"early", 1, {4}, {0}, {8, 8}, H5D_ALLOC_TIME_EARLY, 0},
      {"incremental", 1, {4}, {0}, {8, 8}, H5D_ALLOC_TIME_INCR, 0},
      {"chunks", 1, {4}, {0}, {8, 8}, -1, 1},
      {"nothing", 1, {0}, {0}, {8, 8}, -1, 0},
      {"nothing yet", 1, {0}, {H5S_UNLIMITED}, {H5F_UNLIMITED}, -1, 0},
      {"scalar", 0, {0}, {0}, {4}, -1, 0},
      {"scalar, too short", 0, {0}, {0}, {3}, -1, 0},
  };
  hid_t file = H5Fcreate("cases.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (size_t i = 0; i < COUNT(all); ++i) one_case(file, &all[i]);
  H5Fclose(file);
}

static void lists(void) {
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  hid_t zero = H5Pcreate(H5P_DATASET_CREATE);
  printf("size 0: %d\n", H5Pset_external(zero, "x", 0, 0));
  printf("another behind it: %d\n", H5Pset_external(zero, "y", 0, 8));
  H5Pclose(zero);
  printf("offset -1: %d\n", H5Pset_external(list, "x", -1, 8));
  printf("no name: %d\n", H5Pset_external(list, NULL, 0, 8));
  printf("empty name: %d\n", H5Pset_external(list, "", 0, 8));
  printf("none %d\n", H5Pget_external_count(list));
  printf("first %d\n", H5Pset_external(list, "abcdef", 3, 10));
  printf("no end %d\n", H5Pset_external(list, "y", 5, H5F_UNLIMITED));
  printf("behind it %d\n", H5Pset_external(list, "z", 0, 10));
  printf("count %d\n", H5Pget_external_count(list));
  char name[8] = "zzzzzzz";
  printf("nothing wanted %d\n", H5Pget_external(list, 0, 0, NULL, NULL, NULL));
  printf("three letters %d %.7s\n", H5Pget_external(list, 0, 3, name, NULL, NULL), name);
  printf("beyond %d\n", H5Pget_external(list, 2, 8, name, NULL, NULL));
  printf("no list %d %d\n", H5Pset_external(H5P_DEFAULT, "x", 0, 8), H5Pget_external_count(-1));
  hid_t sum = H5Pcreate(H5P_DATASET_CREATE);
  printf("overflow %d %d\n", H5Pset_external(sum, "x", 0, (hsize_t)1 << 63),
         H5Pget_external_count(sum));
  printf("overflow %d\n", H5Pset_external(sum, "y", 0, (hsize_t)1 << 63));
  H5Pclose(sum);
  H5Pclose(list);
}

/* Where raw files are looked for. */
static void prefix(const char *file_name, const char *text, const char *raw) {
  static const char *places[] = {"r.raw", "sub/r.raw", "pre/r.raw", "env/r.raw"};
  for (size_t i = 0; i < COUNT(places); ++i) remove(places[i]);
  printf("%s, prefix %s, name %s\n", file_name, text != NULL ? text : "none", raw);
  hid_t file = H5Fcreate(file_name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t create = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_external(create, raw, 4, H5F_UNLIMITED);
  if (text != NULL) printf("  set %d\n", H5Pset_efile_prefix(access, text));
  hsize_t size = 4;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t dataset = H5Dcreate2(file, "d", H5T_STD_I32LE, space, H5P_DEFAULT, create, access);
  int values[4] = {1, 2, 3, 4};
  printf("  write %d\n", H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  hid_t plain = H5Dopen2(file, "d", H5P_DEFAULT);
  printf("  open beside without %s\n", plain < 0 ? "fails" : "ok");
  if (plain >= 0) H5Dclose(plain);
  hid_t got = H5Dget_access_plist(dataset);
  char back[256] = "";
  ssize_t n = H5Pget_efile_prefix(got, back, sizeof back);
  printf("  prefix back %s\n", n <= 0 ? "none" : back[0] == '/' ? "absolute" : back);
  H5Pclose(got);
  H5Dclose(dataset);
  for (size_t i = 0; i < COUNT(places); ++i)
    if (bytes_of(places[i]) >= 0) printf("  %s %ld\n", places[i], bytes_of(places[i]));
  plain = H5Dopen2(file, "d", H5P_DEFAULT);
  show(plain, "without");
  H5Dclose(plain);
  dataset = H5Dopen2(file, "d", access);
  show(dataset, "with");
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(create);
  H5Pclose(access);
  H5Fclose(file);
}

static void damaged_files(void) {
  hid_t file = H5Fcreate("damage.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(create, "m1.raw", 2, 8);
  H5Pset_external(create, "m2.raw", 0, 8);
  hsize_t size = 4;
  hid_t space = H5Screate_simple(1, &size, NULL);
  hid_t dataset = H5Dcreate2(file, "d", H5T_STD_I32LE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  put_bytes("m1.raw", "xx\1\0\0\0\2", 7);
  show(dataset, "second missing");
  put_bytes("m2.raw", "\3\0\0\0\4\0\0\0\5\0\0\0", 12);
  show(dataset, "both");
  put_bytes("m1.raw", "x", 1);
  show(dataset, "shorter than the offset");
  put_bytes("m1.raw", "", 0);
  show(dataset, "empty");
  remove("m1.raw");
  show(dataset, "first missing");
  hsize_t start = 2, count = 2;
  hid_t part = H5Dget_space(dataset), row = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, NULL, &count, NULL);
  int values[2] = {-1, -1};
  int answer = H5Dread(dataset, H5T_NATIVE_INT, row, part, H5P_DEFAULT, values);
  printf("    second half only: %d %d %d\n", answer, values[0], values[1]);
  mkdir("folder", 0777);
  H5Dclose(dataset);
  H5Sclose(part);
  H5Sclose(row);
  H5Sclose(space);
  H5Pclose(create);
  H5Fclose(file);
  file = H5Fopen("damage.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  int all[4] = {9, 9, 9, 9};
  printf("    write to a file opened for reading: %d\n",
         H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all));
  H5Dclose(dataset);
  H5Fclose(file);
}

/* Data stay when the dataset goes; the file shrinks again. */
static void unlinked(void) {
  hid_t file = H5Fopen("e.h5", H5F_ACC_RDWR, H5P_DEFAULT);
  printf("unlink %d, raw file %ld\n", H5Ldelete(file, "ints", H5P_DEFAULT), bytes_of("i1.raw"));
  H5Fclose(file);
}

/* ---- write and read ---- */

static void make(void) {
  hid_t file = H5Fcreate("e.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(create, "i1.raw", 5, 10);
  H5Pset_external(create, "i2.raw", 0, 6);
  H5Pset_external(create, "i1.raw", 100, H5F_UNLIMITED);
  hsize_t size[2] = {5, 3}, most[2] = {U, 3};
  hid_t space = H5Screate_simple(2, size, most);
  hid_t dataset = H5Dcreate2(file, "ints", H5T_STD_I32BE, space, H5P_DEFAULT, create, H5P_DEFAULT);
  int values[24];
  for (int i = 0; i < 24; ++i) values[i] = i * 1001;
  if (H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
  size[0] = 7;
  if (H5Dset_extent(dataset, size) < 0) exit(1);
  hid_t part = H5Dget_space(dataset);
  hsize_t points[] = {6, 2, 0, 1, 5, 0, 6, 0};
  H5Sselect_elements(part, H5S_SELECT_SET, 4, points);
  hsize_t four = 4;
  hid_t row = H5Screate_simple(1, &four, NULL);
  if (H5Dwrite(dataset, H5T_NATIVE_INT, row, part, H5P_DEFAULT, values + 20) < 0) exit(1);
  H5Dclose(dataset);
  H5Sclose(part);
  H5Sclose(row);
  H5Sclose(space);
  H5Pclose(create);
  H5Fclose(file);
}

static void read_again(void) {
  hid_t file = H5Fopen("e.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "ints", H5P_DEFAULT);
  show(dataset, "ints");
  hid_t list = H5Dget_create_plist(dataset);
  for (unsigned i = 0; i < (unsigned)H5Pget_external_count(list); ++i) {
    char name[64] = "";
    off_t offset = -1;
    hsize_t size = 1;
    H5Pget_external(list, i, sizeof name, name, &offset, &size);
    printf("  %s %ld %lld\n", name, (long)offset, (long long)size);
  }
  printf("  i1.raw %ld i2.raw %ld\n", bytes_of("i1.raw"), bytes_of("i2.raw"));
  H5Pclose(list);
  H5Dclose(dataset);
  H5Fclose(file);
}

int main(int argc, char **argv) {
  if (argc != 3 || chdir(argv[1]) != 0) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (strcmp(argv[2], "write") == 0) {
    make();
  } else if (strcmp(argv[2], "read") == 0) {
    read_again();
    unlinked();
  } else {
    mkdir("sub", 0777);
    mkdir("pre", 0777);
    mkdir("env", 0777);
    lists();
    cases();
    prefix("p.h5", NULL, "r.raw");
    prefix("p.h5", "pre", "r.raw");
    prefix("p.h5", "pre/", "r.raw");
    prefix("p.h5", ".", "r.raw");
    prefix("p.h5", "", "r.raw");
    prefix("p.h5", "nowhere", "r.raw");
    prefix("sub/p.h5", "${ORIGIN}", "r.raw");
    prefix("sub/p.h5", "${ORIGIN}/../pre", "r.raw");
    prefix("p.h5", "${ORIGIN}", "r.raw");
    prefix("p.h5", "pre/${ORIGIN}", "r.raw");
    prefix("sub/p.h5", "pre", "../sub/r.raw");
    damaged_files();
  }
  return 0;
}
