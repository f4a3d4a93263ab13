/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Preloaded into a program (room: test/dropin): notes each call of H5Dread and H5Dwrite in the file COUNTED.PROCESS, so that
 * what pcio-run tells can be held against what the program did. A line has the direction, the transfer that was asked for, the
 * kind of file, bytes (of the file's type), whether the call failed, whether there are filters, why it was not collective (0: it
 * was), the file, the dataset.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int64_t id;

static void *library(void) {
  static void *found = NULL;
  const char *const names[] = {"libhdf5_openmpi.so.103", "libhdf5_serial.so.103"};
  for (int i = 0; i < 2 && found == NULL; ++i) found = dlopen(names[i], RTLD_NOLOAD | RTLD_NOW);
  return found;
}
#define FUNCTION(result, name, ...) \
  result (*name)(__VA_ARGS__) = (result(*)(__VA_ARGS__))dlsym(library(), #name)

static void note(const char *direction, id dataset, id selected, id transfer, int failed) {
  FUNCTION(ssize_t, H5Iget_name, id, char *, size_t);
  FUNCTION(ssize_t, H5Fget_name, id, char *, size_t);
  FUNCTION(id, H5Dget_space, id);
  FUNCTION(long long, H5Sget_select_npoints, id);
  FUNCTION(int, H5Sclose, id);
  FUNCTION(id, H5Dget_type, id);
  FUNCTION(size_t, H5Tget_size, id);
  FUNCTION(int, H5Tclose, id);
  FUNCTION(id, H5Iget_file_id, id);
  FUNCTION(id, H5Fget_access_plist, id);
  FUNCTION(int, H5Fclose, id);
  FUNCTION(id, H5Dget_create_plist, id);
  FUNCTION(int, H5Pget_nfilters, id);
  FUNCTION(id, H5Pget_driver, id);
  FUNCTION(int, H5Pget_dxpl_mpio, id, int *);
  FUNCTION(int, H5Pget_mpio_no_collective_cause, id, uint32_t *, uint32_t *);
  FUNCTION(int, H5Pclose, id);
  FUNCTION(id, H5FD_mpio_init, void);
  const char *log = getenv("COUNTED");
  char name[512] = "?", file_name[512] = "?", path[600];
  int mode = 0;
  uint32_t mine = 0, all = 0;
  if (log == NULL) return;
  H5Iget_name(dataset, name, sizeof name);
  H5Fget_name(dataset, file_name, sizeof file_name);
  id space = H5Dget_space(dataset), type = H5Dget_type(dataset), file = H5Iget_file_id(dataset);
  id access = H5Fget_access_plist(file), creation = H5Dget_create_plist(dataset);
  const long long bytes =
      H5Sget_select_npoints(selected > 0 ? selected : space) * (long long)H5Tget_size(type);
  const int parallel = H5FD_mpio_init != NULL && H5Pget_driver(access) == H5FD_mpio_init();
  const int filtered = H5Pget_nfilters(creation) > 0;
  if (parallel && transfer != 0) {
    H5Pget_dxpl_mpio(transfer, &mode);
    H5Pget_mpio_no_collective_cause(transfer, &mine, &all);
  }
  H5Pclose(creation);
  H5Pclose(access);
  H5Fclose(file);
  H5Tclose(type);
  H5Sclose(space);
  snprintf(path, sizeof path, "%s.%d", log, (int)getpid());
  FILE *out = fopen(path, "a");
  if (out == NULL) abort();
  fprintf(out, "%s %s %s %lld %d %d %u %s %s\n", direction,
          mode == 1 ? "collective" : "independent", parallel ? "parallel" : "serial", bytes, failed,
          filtered, (unsigned)(mine | all), file_name, name);
  if (fclose(out) != 0) abort();
}

int H5Dwrite(id dataset, id type, id memory, id selected, id transfer, const void *data) {
  FUNCTION(int, H5Dwrite, id, id, id, id, id, const void *);
  const int status = H5Dwrite(dataset, type, memory, selected, transfer, data);
  note("written", dataset, selected, transfer, status < 0);
  return status;
}

int H5Dread(id dataset, id type, id memory, id selected, id transfer, void *data) {
  FUNCTION(int, H5Dread, id, id, id, id, id, void *);
  const int status = H5Dread(dataset, type, memory, selected, transfer, data);
  note("read", dataset, selected, transfer, status < 0);
  return status;
}
