/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The calls on chunks as they lie in the file, with usual, odd and wrong arguments; what each
 * answers is printed. Compiled against libhdf5 and against libpcio: the outputs must be equal.
 * Compressed sizes are told as "some": they depend on the compressor.
 * Left out, because libhdf5 1.10.8 does what nobody wants: chunks without filters written with
 * another size than a chunk's; H5Dget_chunk_storage_size of chunks that are not there; masks that
 * H5Dread_chunk tells, which may be another chunk's.
 * Argument: a file to make. Room: test/api.
 */
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int filtered;

static const char *size_text(hsize_t size) {
  static char text[32];
  snprintf(text, sizeof text, filtered && size != 0 && size != 80 && size != 37 ? "some" : "%d",
           (int)size);
  return text;
}

static void tell_all(hid_t dataset, hid_t space, const char *when) {
  hsize_t count = 99;
  int answer = H5Dget_num_chunks(dataset, space, &count);
  printf("%s: %d chunks %d\n", when, answer, (int)count);
  for (hsize_t i = 0; answer >= 0 && i <= count; ++i) {
    hsize_t at[2] = {77, 77}, size = 5;
    unsigned mask = 99;
    haddr_t address = 1;
    answer = H5Dget_chunk_info(dataset, space, i, at, &mask, &address, &size);
    printf("  %d: %d at %d %d mask %u %s size %s\n", (int)i, answer, (int)at[0], (int)at[1], mask,
           address == HADDR_UNDEF ? "nowhere" : "somewhere", size_text(size));
    answer = 0;
  }
}

static void tell_one(hid_t dataset, hsize_t row, hsize_t column) {
  hsize_t at[2] = {row, column}, size = 5, stored = 33;
  unsigned mask = 99;
  haddr_t address = 1;
  int answer = H5Dget_chunk_info_by_coord(dataset, at, &mask, &address, &size);
  printf("by coord %d %d: %d mask %u %s size %s\n", (int)row, (int)column, answer, mask,
         address == HADDR_UNDEF ? "nowhere"
         : address == 1         ? "kept"
                                : "somewhere",
         size_text(size));
  if (address == HADDR_UNDEF || address == 1) return;
  answer = H5Dget_chunk_storage_size(dataset, at, &stored);
  printf("  stored: %d %s\n", answer, size_text(stored));
}

static void read_one(hid_t dataset, hsize_t row, hsize_t column) {
  hsize_t at[2] = {row, column};
  uint32_t mask = 99;
  unsigned char bytes[4096];
  memset(bytes, 1, sizeof bytes);
  int answer = H5Dread_chunk(dataset, H5P_DEFAULT, at, &mask, bytes);
  printf("read %d %d: %d", (int)row, (int)column, answer);
  if (answer >= 0 && !filtered) printf(" mask %u %d %d %d", mask, bytes[0], bytes[4], bytes[8]);
  printf("\n");
}

static void write_one(hid_t dataset, unsigned mask, hsize_t row, hsize_t column, size_t size,
                      const void *bytes) {
  const hsize_t at[2] = {row, column};
  printf("write %d %d mask %u size %d%s: %d\n", (int)row, (int)column, mask, (int)size,
         bytes == NULL ? " null" : "", H5Dwrite_chunk(dataset, H5P_DEFAULT, mask, at, size, bytes));
}

static void tell_cache(hid_t dataset) {
  size_t slots, bytes;
  double w0;
  hid_t list = H5Dget_access_plist(dataset);
  H5Pget_chunk_cache(list, &slots, &bytes, &w0);
  printf("cache %d %d %g\n", (int)slots, (int)bytes, w0);
  H5Pclose(list);
}

static void write_rows(hid_t dataset, hid_t space) {
  int values[40];
  hsize_t start[2] = {0, 0}, count[2] = {4, 10};
  for (int i = 0; i < 40; ++i) values[i] = i;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  hid_t memory = H5Screate_simple(2, count, NULL);
  printf("rows: %d\n", H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values));
  H5Sclose(memory);
}

static void chunked(hid_t file, const char *name, int alloc, const size_t *cache) {
  unsigned char raw[80];
  const hsize_t chunk[2] = {4, 5}, dims[2] = {10, 10};
  hid_t list = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  hid_t space = H5Screate_simple(2, dims, NULL);
  printf("== %s filtered %d alloc %d\n", name, filtered, alloc);
  H5Pset_chunk(list, 2, chunk);
  H5Pset_alloc_time(list, (H5D_alloc_time_t)alloc);
  if (filtered) H5Pset_deflate(list, 6);
  if (cache != NULL) H5Pset_chunk_cache(access, cache[0], cache[1], 0.5);
  hid_t dataset = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, access);
  tell_cache(dataset);
  tell_all(dataset, space, "new");
  read_one(dataset, 0, 0);
  write_rows(dataset, space);
  tell_all(dataset, space, "rows");
  tell_one(dataset, 0, 0);
  tell_one(dataset, 1, 7);
  tell_one(dataset, 8, 5);
  tell_one(dataset, 10, 0);
  read_one(dataset, 0, 5);
  read_one(dataset, 1, 5);
  read_one(dataset, 8, 0);
  read_one(dataset, 20, 0);
  memset(raw, 3, sizeof raw);
  if (filtered) write_one(dataset, 0, 8, 5, 37, raw);
  write_one(dataset, filtered ? 1 : 0, 4, 5, 80, raw);
  write_one(dataset, 0, 4, 5, 0, raw);
  write_one(dataset, 0, 4, 5, 80, NULL);
  write_one(dataset, 0, 5, 5, 80, raw);
  write_one(dataset, 0, 12, 5, 80, raw);
  tell_all(dataset, space, "written");
  read_one(dataset, 4, 5);
  H5Sselect_none(space);
  tell_all(dataset, space, "of nothing");
  printf("no answers: %d\n", H5Dget_chunk_info(dataset, space, 0, NULL, NULL, NULL, NULL));
  printf("no count: %d\n", H5Dget_num_chunks(dataset, space, NULL));
  printf("no dataset: %d\n", H5Dget_num_chunks(file, space, NULL));
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(access);
  H5Pclose(list);
}

static void contiguous(hid_t file) {
  const hsize_t dims[2] = {10, 10};
  hid_t space = H5Screate_simple(2, dims, NULL);
  hid_t dataset =
      H5Dcreate2(file, "plain", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  printf("== contiguous\n");
  tell_cache(dataset);
  tell_all(dataset, space, "none");
  tell_one(dataset, 0, 0);
  read_one(dataset, 0, 0);
  write_one(dataset, 0, 0, 0, 80, dims);
  H5Dclose(dataset);
  H5Sclose(space);
}

int main(int argc, char **argv) {
  static const size_t caches[2][2] = {{7, 1000}, {0, 0}};
  if (argc < 2) return 2;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  for (int latest = 0; latest < 2; ++latest) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    hid_t file = H5Fcreate(argv[1], H5F_ACC_TRUNC, H5P_DEFAULT, access);
    for (filtered = 0; filtered < 2; ++filtered) {
      chunked(file, filtered ? "f_late" : "late", H5D_ALLOC_TIME_INCR, NULL);
      chunked(file, filtered ? "f_early" : "early", H5D_ALLOC_TIME_EARLY, caches[0]);
      chunked(file, filtered ? "f_small" : "small", H5D_ALLOC_TIME_INCR, caches[1]);
    }
    filtered = 0;
    contiguous(file);
    printf("close: %d\n", H5Fclose(file));
    H5Pclose(access);
  }
  return 0;
}
