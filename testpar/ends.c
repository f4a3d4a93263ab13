/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright The libpcio authors
 *
 * ends FILE DRIVER WHERE WHAT: all ranks end MPI, the library or the program in a function of the program that a call
 * runs. Prints "call: N" with what the call returned, "over" at its end.
 * DRIVER: mpio, mpiposix, sec2. WHERE: conversion, filter, links, objects, elements, errors.
 * WHAT: finalize, exit, H5close, dont_atexit.
 */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

static const char* what;
static int deeds = 0;

static void act(void) {
  if (deeds++ > 0) return;
  if (strcmp(what, "finalize") == 0) MPI_Finalize();
  if (strcmp(what, "exit") == 0) exit(0);
  if (strcmp(what, "H5close") == 0) printf("H5close: %d\n", (int)H5close());
  if (strcmp(what, "dont_atexit") == 0) printf("H5dont_atexit: %d\n", (int)H5dont_atexit());
}

static herr_t convert(hid_t from, hid_t to, H5T_cdata_t* cdata, size_t count, size_t stride,
                      size_t bkg_stride, void* buffer, void* background, hid_t list) {
  (void)from, (void)to, (void)count, (void)stride, (void)bkg_stride, (void)buffer;
  (void)background, (void)list;
  cdata->need_bkg = H5T_BKG_NO;
  if (cdata->command == H5T_CONV_CONV) act();
  return 0;
}

static size_t filter(unsigned flags, size_t count, const unsigned values[], size_t bytes,
                     size_t* size, void** buffer) {
  (void)flags, (void)count, (void)values, (void)size, (void)buffer;
  act();
  return bytes;
}

static const H5Z_class2_t filter_class = {H5Z_CLASS_T_VERS, 300, 1, 1, "ends", NULL, NULL, &filter};

static herr_t on_link(hid_t group, const char* name, const H5L_info_t* info, void* data) {
  (void)group, (void)name, (void)info, (void)data;
  act();
  return 0;
}

static herr_t on_object(hid_t group, const char* name, const H5O_info_t* info, void* data) {
  (void)group, (void)name, (void)info, (void)data;
  act();
  return 0;
}

static herr_t on_element(void* element, hid_t type, unsigned rank, const hsize_t* point,
                         void* data) {
  (void)element, (void)type, (void)rank, (void)point, (void)data;
  act();
  return 0;
}

static herr_t on_error(unsigned n, const H5E_error2_t* error, void* data) {
  (void)n, (void)error, (void)data;
  act();
  return 0;
}

static int run(const char* where, hid_t file, hid_t set, hid_t filtered, hid_t list) {
  static int values[1000];
  hid_t space = H5Dget_space(set);
  int result;
  if (strcmp(where, "conversion") == 0)
    result = H5Dwrite(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, list, values);
  else if (strcmp(where, "filter") == 0)
    result = H5Dwrite(filtered, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values);
  else if (strcmp(where, "links") == 0)
    result = H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, NULL, &on_link, NULL);
  else if (strcmp(where, "objects") == 0)
    result = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, &on_object, NULL);
  else if (strcmp(where, "elements") == 0)
    result = H5Diterate(values, H5T_NATIVE_INT, space, &on_element, NULL);
  else {
    H5E_BEGIN_TRY { H5Dopen2(file, "none", H5P_DEFAULT); }
    H5E_END_TRY
    result = H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, &on_error, NULL);
  }
  return result;
}

int main(int argc, char** argv) {
  hsize_t dims[1] = {1000}, chunk[1] = {100};
  hid_t access, list, space, file, set, create, filtered, other;
  int rank, ended = 0, result;
  MPI_Init(&argc, &argv);
  if (argc != 5) return 2;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  what = argv[4];
  access = H5Pcreate(H5P_FILE_ACCESS), list = H5Pcreate(H5P_DATASET_XFER);
  if (strcmp(argv[2], "mpio") == 0) H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
#ifdef PCIO_VERSION
  if (strcmp(argv[2], "mpiposix") == 0) H5Pset_fapl_mpiposix(access, MPI_COMM_WORLD, 0);
#endif
  if (strcmp(argv[2], "sec2") != 0) H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE);
  space = H5Screate_simple(1, dims, NULL);
  {
    char name[4096];
    snprintf(name, sizeof name, strcmp(argv[2], "sec2") == 0 ? "%s.%d" : "%s", argv[1], rank);
    file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    /* Another file of all ranks, with which nothing happens. */
    snprintf(name, sizeof name, strcmp(argv[2], "sec2") == 0 ? "%s.other.%d" : "%s.other", argv[1],
             rank);
    other = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  }
  H5Tregister(H5T_PERS_HARD, "ends", H5T_NATIVE_SHORT, H5T_NATIVE_INT, &convert);
  H5Zregister(&filter_class);
  set = H5Dcreate2(file, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(create, 1, chunk);
  H5Pset_filter(create, 300, H5Z_FLAG_MANDATORY, 0, NULL);
  filtered = H5Dcreate2(file, "y", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT);
  if (file < 0 || set < 0 || filtered < 0 || other < 0) return 3;
  H5Gclose(H5Gcreate2(other, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0) return 4;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  result = run(argv[3], file, set, filtered, list);
  printf("call: %d, deeds: %d\n", result, deeds);
  result = H5Dclose(set) < 0 || H5Dclose(filtered) < 0;
  printf("datasets: %d\n", result);
  result = H5Fclose(file);
  printf("file: %d other: %d\n", result, (int)H5Fclose(other));
  MPI_Finalized(&ended);
  if (!ended) MPI_Finalize();
  printf("over\n");
  return 0;
}
