/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A serial C99 program of today's dialect: ids, property lists and their getters, selections,
 * conversion, error stacks, file images, and what pcio.h adds. Usage: prog_c99 FILE
 */
#include <hdf5.h>
#include <string.h>

#ifdef PCIO_VERSION
#include <pcio.h>
#endif

#include "check.h"

#define NX 8
#define NY 10

static void write_file(const char *path) {
  hsize_t dims[2] = {NX, NY}, max[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, chunk[2] = {4, 4}, got[2];
  hsize_t start[2] = {1, 1}, count[2] = {2, 2}, stride[2] = {3, 4}, block[2] = {2, 3};
  hsize_t points[3][2] = {{0, 0}, {7, 9}, {7, 0}}, number;
  double ones[24], three[3] = {3, 3, 3};
  float fill = 0.5F, fill_back = 0;
  H5D_alloc_time_t alloc;
  H5D_fill_value_t defined;
  hid_t file, dcpl, space, memory, set;
  for (int i = 0; i < 24; ++i) ones[i] = 1;

  OK(dcpl = H5Pcreate(H5P_DATASET_CREATE));
  OK(H5Pset_chunk(dcpl, 2, chunk));
  CHECK(H5Pget_chunk(dcpl, 2, got) == 2 && got[0] == 4 && got[1] == 4);
  CHECK(H5Pget_layout(dcpl) == H5D_CHUNKED);
  OK(H5Pset_fill_value(dcpl, H5T_NATIVE_FLOAT, &fill));
  OK(H5Pget_fill_value(dcpl, H5T_NATIVE_FLOAT, &fill_back));
  OK(H5Pfill_value_defined(dcpl, &defined));
  CHECK(fill_back == fill && defined == H5D_FILL_VALUE_USER_DEFINED);
  OK(H5Pset_alloc_time(dcpl, H5D_ALLOC_TIME_EARLY));
  OK(H5Pget_alloc_time(dcpl, &alloc));
  CHECK(alloc == H5D_ALLOC_TIME_EARLY && H5Pget_nfilters(dcpl) == 0);

  OK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  OK(space = H5Screate_simple(2, dims, max));
  OK(set = H5Dcreate(file, "field", H5T_IEEE_F64BE, space, H5P_DEFAULT, dcpl, H5P_DEFAULT));

  /* Four blocks of 2 x 3, then three single points on top. */
  OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, block));
  CHECK(H5Sget_select_npoints(space) == 24 && H5Sget_select_hyper_nblocks(space) == 4);
  CHECK(H5Sis_regular_hyperslab(space) > 0);
  number = 24;
  OK(memory = H5Screate_simple(1, &number, NULL));
  OK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, ones));
  OK(H5Sclose(memory));
  OK(H5Sselect_elements(space, H5S_SELECT_SET, 3, &points[0][0]));
  CHECK(H5Sget_select_type(space) == H5S_SEL_POINTS);
  number = 3;
  OK(memory = H5Screate_simple(1, &number, NULL));
  OK(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, three));
  OK(H5Sclose(memory));

  dims[0] = NX + 1;
  OK(H5Dset_extent(set, dims));
  OK(H5Dclose(set));
  OK(H5Sclose(space));
  OK(H5Pclose(dcpl));
  OK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  OK(H5Fclose(file));
}

/* What must be in the file at row i, column j. */
static float expected(int i, int j) {
  int in_rows = i == 1 || i == 2 || i == 4 || i == 5;
  int in_columns = (j >= 1 && j <= 3) || (j >= 5 && j <= 7);
  if ((i == 0 && j == 0) || (i == 7 && j == 9) || (i == 7 && j == 0)) return 3.0F;
  return in_rows && in_columns ? 1.0F : 0.5F;
}

static void read_file(hid_t file) {
  float field[NX + 1][NY];
  hid_t set, type, native, dcpl;
  OK(set = H5Dopen(file, "field", H5P_DEFAULT));
  OK(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, field));
  for (int i = 0; i < NX + 1; ++i)
    for (int j = 0; j < NY; ++j) CHECK(field[i][j] == expected(i, j));
  OK(type = H5Dget_type(set));
  CHECK(H5Tget_order(type) == H5T_ORDER_BE && H5Tget_size(type) == 8);
  OK(native = H5Tget_native_type(type, H5T_DIR_DEFAULT));
  CHECK(H5Tequal(native, H5T_NATIVE_DOUBLE) > 0);
  OK(H5Tclose(native));
  OK(H5Tclose(type));
  OK(dcpl = H5Dget_create_plist(set));
  CHECK(H5Pget_layout(dcpl) == H5D_CHUNKED);
  OK(H5Pclose(dcpl));
  CHECK(H5Dget_storage_size(set) > 0);
  OK(H5Dclose(set));
}

/* The whole file as bytes, opened again from memory. */
static void through_an_image(hid_t file) {
  ssize_t length;
  char *image;
  hid_t fapl, copy;
  OK(length = H5Fget_file_image(file, NULL, 0));
  CHECK((image = (char *)malloc((size_t)length)) != NULL);
  CHECK(H5Fget_file_image(file, image, (size_t)length) == length);
  CHECK(memcmp(image, "\211HDF\r\n\032\n", 8) == 0);
  OK(fapl = H5Pcreate(H5P_FILE_ACCESS));
  OK(H5Pset_fapl_core(fapl, 4096, 0));
  OK(H5Pset_file_image(fapl, image, (size_t)length));
  free(image);
  OK(copy = H5Fopen("prog_c99-image", H5F_ACC_RDONLY, fapl));
  read_file(copy);
  OK(H5Fclose(copy));
  OK(H5Pclose(fapl));
}

static herr_t note_frame(unsigned n, const H5E_error2_t *frame, void *data) {
  if (n == 0) snprintf((char *)data, 64, "%s", frame->func_name);
  CHECK(H5Iget_type(frame->maj_num) == H5I_ERROR_MSG);
  return 0;
}

/* Stale, closed and made-up ids, and what the stack says about them. */
static void misuse(hid_t file) {
  hid_t space, stale;
  H5E_type_t kind;
  char text[64] = "";
  H5E_auto2_t func;
  void *data;
  OK(space = H5Screate(H5S_SCALAR));
  CHECK(H5Iinc_ref(space) == 2 && H5Idec_ref(space) == 1);
  CHECK(H5Iget_type(space) == H5I_DATASPACE && H5Iis_valid(space) > 0);
  OK(H5Sclose(space));
  stale = space;
  OK(space = H5Screate(H5S_NULL));
  CHECK(H5Iis_valid(stale) == 0 && stale != space);

  OK(H5Eget_auto2(H5E_DEFAULT, &func, &data));
  CHECK(func != NULL);
  OK(H5Eset_auto2(H5E_DEFAULT, NULL, NULL));
  CHECK(H5Sclose(stale) < 0);
  CHECK(H5Sclose(file) < 0);
  CHECK(H5Sclose((hid_t)12345) < 0);
  CHECK(H5Dopen2(file, "nowhere", H5P_DEFAULT) < 0);
  CHECK(H5Eget_num(H5E_DEFAULT) > 0);
  OK(H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_frame, text));
  CHECK(strcmp(text, "H5Dopen2") == 0);
  CHECK(H5Eget_msg(H5E_DATASET, &kind, text, sizeof text) > 0 && kind == H5E_MAJOR);
  OK(H5Eclear2(H5E_DEFAULT));
  CHECK(H5Eget_num(H5E_DEFAULT) == 0);
  OK(H5Eset_auto2(H5E_DEFAULT, func, data));
  OK(H5Sclose(space));
}

static void convert(void) {
  int numbers[3] = {-5, 70000, 12};
  short *converted = (short *)numbers;
  OK(H5Tconvert(H5T_NATIVE_INT, H5T_NATIVE_SHORT, 3, numbers, NULL, H5P_DEFAULT));
  CHECK(converted[0] == -5 && converted[1] == 32767 && converted[2] == 12);
}

static void beyond_hdf5(void) {
#ifdef PCIO_VERSION
  unsigned major, minor, patch;
  char text[16], version[64];
  ssize_t length;
  pcio_version(&major, &minor, &patch);
  CHECK(major == PCIO_VERSION_MAJOR && minor == PCIO_VERSION_MINOR && patch == PCIO_VERSION_PATCH);
  snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
  CHECK(strncmp(pcio_version_string(), version, strlen(version)) == 0);
  OK(length = pcio_cause_text(H5D_MPIO_SET_INDEPENDENT | H5D_MPIO_FILTERS, text, sizeof text));
  CHECK(length > (ssize_t)strlen(text) && strlen(text) == sizeof text - 1);
  CHECK(pcio_cause_text(0, NULL, 0) == (ssize_t)strlen("collective"));
  CHECK(strcmp(pcio_transport_name((pcio_transport_t)99), "unknown") == 0);
  /* Not even where the lowest byte is that of one. */
  CHECK(strcmp(pcio_transport_name((pcio_transport_t)257), "unknown") == 0);
  CHECK(strcmp(pcio_io_mode_name((H5D_mpio_actual_io_mode_t)257), "unknown") == 0);
  CHECK(strcmp(pcio_chunk_opt_mode_name((H5D_mpio_actual_chunk_opt_mode_t)257), "unknown") == 0);
#ifdef H5_HAVE_PARALLEL
  H5FD_mpio_chunk_opt_t option;
  unsigned percent;
  hid_t dxpl;
  OK(dxpl = H5Pcreate(H5P_DATASET_XFER));
  OK(pcio_get_dxpl_mpio_chunk_opt_ratio(dxpl, &percent));
  CHECK(percent == H5D_MULTI_CHUNK_IO_COL_THRESHOLD);
  OK(H5Pset_dxpl_mpio_chunk_opt(dxpl, H5FD_MPIO_COLL_CHUNK_ATONCE_IO));
  OK(pcio_get_dxpl_mpio_chunk_opt(dxpl, &option));
  CHECK(option == H5FD_MPIO_COLL_CHUNK_ATONCE_IO);
  OK(H5Pclose(dxpl));
#endif
#endif
}

int main(int argc, char **argv) {
  unsigned major, minor, release;
  hid_t file;
  CHECK(argc == 2);
  OK(H5get_libversion(&major, &minor, &release));
  CHECK(major == 1 && minor == 10 && release == H5_VERS_RELEASE);
  write_file(argv[1]);
  CHECK(H5Fis_hdf5(argv[1]) > 0 && H5Fis_hdf5(__FILE__) <= 0);
  OK(file = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT));
  read_file(file);
  through_an_image(file);
  misuse(file);
  OK(H5Fclose(file));
  convert();
  beyond_hdf5();
  OK(H5close());
  puts("C99: ok");
  return 0;
}
