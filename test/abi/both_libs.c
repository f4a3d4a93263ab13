/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * libpcio and libhdf5 in one process, each on files of its own: the program's H5 calls are bound to
 * libpcio, those of libhdf5's high-level library to libhdf5, by symbol versions. Then each reads
 * what the other wrote. Usage: both_libs PCIO_FILE HDF5_FILE LIBHDF5_NAME
 *
 * The program is linked with libpcio and libhdf5_hl; libhdf5 itself comes in only as a need of the
 * latter, and its plain calls are fetched from it by handle.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <hdf5.h>
#include <pcio.h>
#include <string.h>

#include "check.h"

/* Of the high-level library; declared here, since its headers want libhdf5's own. */
extern herr_t H5LTmake_dataset_int(hid_t loc, const char *name, int rank, const hsize_t *dims,
                                   const int *data);
extern herr_t H5LTread_dataset_int(hid_t loc, const char *name, int *data);
extern herr_t H5LTset_attribute_double(hid_t loc, const char *object, const char *name,
                                       const double *data, size_t size);
extern herr_t H5LTget_attribute_double(hid_t loc, const char *object, const char *name,
                                       double *data);

#define N 12

/* libhdf5's own calls. */
static struct {
  herr_t (*open)(void);
  hid_t (*create_file)(const char *, unsigned, hid_t, hid_t);
  hid_t (*open_file)(const char *, unsigned, hid_t);
  herr_t (*close_file)(hid_t);
  htri_t (*is_valid)(hid_t);
} other;

static void *fetch(void *library, const char *name) {
  void *address = dlsym(library, name);
  CHECK(address != NULL);
  return address;
}

static const char *home_of(void *address) {
  Dl_info info;
  CHECK(dladdr(address, &info) != 0 && info.dli_fname != NULL);
  return info.dli_fname;
}

static void find_other_library(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
  void *address;
  if (library == NULL) {
    fprintf(stderr, "%s is not in this process: %s\n", name, dlerror());
    exit(1);
  }
  /* memcpy: ISO C has no conversion from an object pointer to a function pointer. */
#define FETCH(member, symbol)                         \
  address = fetch(library, symbol);                   \
  CHECK(strstr(home_of(address), "libhdf5") != NULL); \
  memcpy(&other.member, &address, sizeof address)
  FETCH(open, "H5open");
  FETCH(create_file, "H5Fcreate");
  FETCH(open_file, "H5Fopen");
  FETCH(close_file, "H5Fclose");
  FETCH(is_valid, "H5Iis_valid");
#undef FETCH
}

static hid_t create_ours(const char *path, const int *values) {
  hsize_t n = N;
  hid_t file, space, set;
  OK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  OK(space = H5Screate_simple(1, &n, NULL));
  OK(set = H5Dcreate(file, "ours", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  OK(H5Dclose(set));
  OK(H5Sclose(space));
  return file;
}

static void read_with_pcio(const char *path, const char *name, const int *want) {
  int got[N];
  hid_t file, set;
  OK(file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
  OK(set = H5Dopen(file, name, H5P_DEFAULT));
  OK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, got));
  CHECK(memcmp(got, want, sizeof got) == 0);
  OK(H5Dclose(set));
  OK(H5Fclose(file));
}

int main(int argc, char **argv) {
  const hsize_t n = N;
  int ours[N], theirs[N], got[N];
  double half = 0.5, back = 0;
  hid_t file, other_file;
  void *address;
  herr_t (*our_close)(hid_t) = H5Fclose;
  CHECK(argc == 4);
  for (int i = 0; i < N; ++i) {
    ours[i] = i * i;
    theirs[i] = -i;
  }
  find_other_library(argv[3]);
  memcpy(&address, &our_close, sizeof address);
  CHECK(strstr(home_of(address), "libpcio") != NULL);
  CHECK(H5open() >= 0 && other.open() >= 0);

  /* Both at work at once. */
  file = create_ours(argv[1], ours);
  OK(other_file = other.create_file(argv[2], 0x2u /* truncate */, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5LTmake_dataset_int(other_file, "theirs", 1, &n, theirs));
  OK(H5LTset_attribute_double(other_file, "theirs", "half", &half, 1));
  CHECK(H5Iis_valid(file) > 0 && other.is_valid(other_file) > 0);
  CHECK(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1);
  OK(H5LTget_attribute_double(other_file, "theirs", "half", &back));
  CHECK(back == half);
  OK(other.close_file(other_file));
  OK(H5Fclose(file));

  /* Each reads the other's file. */
  read_with_pcio(argv[2], "theirs", theirs);
  OK(other_file = other.open_file(argv[1], 0x0u /* read only */, H5P_DEFAULT));
  OK(H5LTread_dataset_int(other_file, "ours", got));
  CHECK(memcmp(got, ours, sizeof got) == 0);
  OK(other.close_file(other_file));
  puts("both libraries in one process: ok");
  return 0;
}
