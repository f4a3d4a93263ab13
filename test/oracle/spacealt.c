/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Random changes of a file whose free space matters, by whichever library this is linked with.
 *
 *   spacealt FILE SEED STEPS [STRATEGY PERSIST PAGE LATEST]
 *
 * With four more arguments the file is made anew. Every dataset's name and size tell what it holds,
 * so any program can check all of it; each run checks the file before, changes it, and checks it
 * after. Prints what it did, and the file's free space.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 40
#define CK(e)                                                          \
  do {                                                                 \
    if ((e) < 0) {                                                     \
      fprintf(stderr, "spacealt: line %d: %s failed\n", __LINE__, #e); \
      exit(1);                                                         \
    }                                                                  \
  } while (0)

static unsigned long state;
static unsigned pick(unsigned n) {
  state = state * 6364136223846793005ul + 1442695040888963407ul;
  return (unsigned)(state >> 33) % n;
}

static unsigned char value(unsigned number, hsize_t row, hsize_t column) {
  return (unsigned char)(1 + (number * 31 + row * 7 + column * 13) % 255);
}

static void name_of(unsigned number, char* name) { sprintf(name, "d%02u", number); }

/* Rows are written from `from` on. */
static void write_rows(hid_t dataset, unsigned number, const hsize_t* dims, hsize_t from) {
  hsize_t start[2], count[2], i, j;
  unsigned char* data;
  hid_t file, memory;
  if (from >= dims[0] || dims[1] == 0) return;
  start[0] = from, start[1] = 0, count[0] = dims[0] - from, count[1] = dims[1];
  data = malloc(count[0] * count[1]);
  for (i = 0; i < count[0]; ++i)
    for (j = 0; j < count[1]; ++j) data[i * count[1] + j] = value(number, from + i, j);
  CK(file = H5Dget_space(dataset));
  CK(H5Sselect_hyperslab(file, H5S_SELECT_SET, start, NULL, count, NULL));
  CK(memory = H5Screate_simple(2, count, NULL));
  CK(H5Dwrite(dataset, H5T_NATIVE_UCHAR, memory, file, H5P_DEFAULT, data));
  CK(H5Sclose(memory));
  CK(H5Sclose(file));
  free(data);
}

static void make(hid_t file, unsigned number) {
  static const unsigned sizes[] = {1, 7, 100, 900, 4096, 5000, 20000};
  hsize_t dims[2], most[2], chunk[2];
  hid_t space, list, dataset;
  char name[16];
  const int chunked = pick(3) > 0;
  dims[1] = 1 + pick(40);
  dims[0] = 1 + sizes[pick(7)] / dims[1];
  most[0] = H5S_UNLIMITED, most[1] = dims[1];
  chunk[0] = 1 + pick(60), chunk[1] = 1 + pick((unsigned)dims[1]);
  CK(list = H5Pcreate(H5P_DATASET_CREATE));
  if (chunked) CK(H5Pset_chunk(list, 2, chunk));
  if (pick(2)) CK(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
  CK(space = H5Screate_simple(2, dims, chunked ? most : NULL));
  name_of(number, name);
  CK(dataset = H5Dcreate2(file, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, list, H5P_DEFAULT));
  write_rows(dataset, number, dims, 0);
  CK(H5Dclose(dataset));
  CK(H5Sclose(space));
  CK(H5Pclose(list));
}

static void resize(hid_t file, unsigned number) {
  hsize_t dims[2], most[2], before;
  hid_t dataset, space;
  char name[16];
  name_of(number, name);
  CK(dataset = H5Dopen2(file, name, H5P_DEFAULT));
  CK(space = H5Dget_space(dataset));
  CK(H5Sget_simple_extent_dims(space, dims, most));
  CK(H5Sclose(space));
  if (most[0] == H5S_UNLIMITED) {
    before = dims[0];
    dims[0] = pick(3) ? dims[0] + 1 + pick(200) : dims[0] / 2;
    CK(H5Dset_extent(dataset, dims));
    write_rows(dataset, number, dims, before);
  }
  CK(H5Dclose(dataset));
}

static void check(hid_t file, unsigned number) {
  hsize_t dims[2], i, j;
  hid_t dataset, space;
  unsigned char* data;
  char name[16];
  name_of(number, name);
  CK(dataset = H5Dopen2(file, name, H5P_DEFAULT));
  CK(space = H5Dget_space(dataset));
  CK(H5Sget_simple_extent_dims(space, dims, NULL));
  data = malloc(dims[0] * dims[1] + 1);
  CK(H5Dread(dataset, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  for (i = 0; i < dims[0]; ++i)
    for (j = 0; j < dims[1]; ++j)
      if (data[i * dims[1] + j] != value(number, i, j)) {
        fprintf(stderr, "spacealt: %s differs at %lu, %lu\n", name, (unsigned long)i,
                (unsigned long)j);
        exit(1);
      }
  free(data);
  CK(H5Sclose(space));
  CK(H5Dclose(dataset));
}

static int exists(hid_t file, unsigned number) {
  char name[16];
  name_of(number, name);
  return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

static void check_all(hid_t file) {
  unsigned number;
  for (number = 0; number < MOST; ++number)
    if (exists(file, number)) check(file, number);
}

int main(int argc, char** argv) {
  hid_t create, access, file;
  hsize_t bytes = 0;
  int step, made = 0, removed = 0, resized = 0;
  if (argc < 4) return 2;
  state = strtoul(argv[2], NULL, 10) * 2654435761u + 99;
  CK(access = H5Pcreate(H5P_FILE_ACCESS));
  if (argc > 7) {
    CK(create = H5Pcreate(H5P_FILE_CREATE));
    CK(H5Pset_file_space_strategy(create, (H5F_fspace_strategy_t)atoi(argv[4]), atoi(argv[5]) != 0,
                                  1));
    CK(H5Pset_file_space_page_size(create, strtoul(argv[6], NULL, 10)));
    if (atoi(argv[7])) CK(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
    CK(file = H5Fcreate(argv[1], H5F_ACC_TRUNC, create, access));
    CK(H5Pclose(create));
  } else {
    CK(file = H5Fopen(argv[1], H5F_ACC_RDWR, access));
  }
  check_all(file);
  for (step = 0; step < atoi(argv[3]); ++step) {
    const unsigned number = pick(MOST);
    char name[16];
    name_of(number, name);
    if (!exists(file, number)) {
      make(file, number);
      ++made;
    } else if (pick(2)) {
      CK(H5Ldelete(file, name, H5P_DEFAULT));
      ++removed;
    } else {
      resize(file, number);
      ++resized;
    }
    if (pick(8) == 0) CK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }
  check_all(file);
  CK(H5Fclose(file));
  CK(file = H5Fopen(argv[1], H5F_ACC_RDONLY, access));
  check_all(file);
  CK(H5Fget_filesize(file, &bytes));
  printf("made %d removed %d resized %d free %ld size %lu\n", made, removed, resized,
         (long)H5Fget_freespace(file), (unsigned long)bytes);
  CK(H5Fclose(file));
  CK(H5Pclose(access));
  return 0;
}
