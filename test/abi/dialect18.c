/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A serial program as it was written for HDF5 1.8: long argument lists, H5L and H5O, link creation
 * lists, the newer format, the memory driver. Usage: dialect18 FILE
 */
#define H5_USE_18_API 1
#include <hdf5.h>
#include <string.h>

#include "check.h"

#define N 24

static herr_t add_name(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)group;
  CHECK(info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT);
  strcat((char *)data, name);
  strcat((char *)data, " ");
  return H5_ITER_CONT;
}

static herr_t count_object(hid_t object, const char *name, const H5O_info_t *info, void *data) {
  int *counts = (int *)data;
  (void)object;
  (void)name;
  CHECK(info->type >= 0 && info->type < H5O_TYPE_NTYPES);
  ++counts[info->type];
  return 0;
}

static herr_t add_attribute(hid_t location, const char *name, const H5A_info_t *info, void *data) {
  (void)location;
  CHECK(info->data_size > 0);
  strcat((char *)data, name);
  strcat((char *)data, " ");
  return 0;
}

static void write_attributes(hid_t file, const char *object) {
  hid_t space, text, attribute;
  double scale = 0.25;
  OK(space = H5Screate(H5S_SCALAR));
  OK(text = H5Tcopy(H5T_C_S1));
  OK(H5Tset_size(text, 6));
  OK(H5Tset_strpad(text, H5T_STR_NULLPAD));
  OK(attribute = H5Acreate_by_name(file, object, "units", text, space, H5P_DEFAULT, H5P_DEFAULT,
                                   H5P_DEFAULT));
  OK(H5Awrite(attribute, text, "metres"));
  OK(H5Aclose(attribute));
  OK(attribute = H5Acreate_by_name(file, object, "skale", H5T_IEEE_F32LE, space, H5P_DEFAULT,
                                   H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &scale));
  OK(H5Aclose(attribute));
  OK(H5Arename_by_name(file, object, "skale", "scale", H5P_DEFAULT));
  OK(H5Tclose(text));
  OK(H5Sclose(space));
}

static void write_file(const char *path) {
  hsize_t n = N, start = 1, stride = 2, half = N / 2;
  short values[N], odd[N / 2];
  hid_t fapl, lcpl, file, space, memory, set, type;
  for (int i = 0; i < N; ++i) values[i] = (short)i;
  for (int i = 0; i < N / 2; ++i) odd[i] = (short)(-i);

  OK(fapl = H5Pcreate(H5P_FILE_ACCESS));
  OK(H5Pset_libver_bounds(fapl, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  OK(H5Pset_fclose_degree(fapl, H5F_CLOSE_STRONG));
  OK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl));
  OK(H5Pclose(fapl));

  OK(lcpl = H5Pcreate(H5P_LINK_CREATE));
  OK(H5Pset_create_intermediate_group(lcpl, 1));
  OK(space = H5Screate_simple(1, &n, NULL));
  OK(set = H5Dcreate(file, "/deep/down/values", H5T_STD_I16LE, space, lcpl, H5P_DEFAULT,
                     H5P_DEFAULT));
  OK(H5Dwrite(set, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  OK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &half, NULL));
  OK(memory = H5Screate_simple(1, &half, NULL));
  OK(H5Dwrite(set, H5T_NATIVE_SHORT, memory, space, H5P_DEFAULT, odd));
  OK(H5Sclose(memory));
  OK(H5Dclose(set));
  write_attributes(file, "/deep/down/values");

  /* An object without a name gets one later. */
  OK(set = H5Dcreate_anon(file, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Olink(set, file, "late", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Dclose(set));
  OK(type = H5Tenum_create(H5T_NATIVE_INT));
  for (int i = 0; i < 2; ++i) OK(H5Tenum_insert(type, i ? "ON" : "OFF", &i));
  OK(H5Tcommit(file, "switch", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));

  OK(H5Lcreate_soft("/deep/down/values", file, "short", lcpl, H5P_DEFAULT));
  OK(H5Lcreate_hard(file, "/deep/down/values", H5L_SAME_LOC, "/other/name", lcpl, H5P_DEFAULT));
  OK(H5Lcreate_soft("nowhere", file, "dangling", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lmove(file, "late", H5L_SAME_LOC, "later", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Lcopy(file, "dangling", H5L_SAME_LOC, "copy", H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Ldelete(file, "copy", H5P_DEFAULT));
  OK(H5Pclose(lcpl));
  OK(H5Sclose(space));
  /* `type` is left open: the strong degree closes it. */
  OK(H5Fclose(file));
  CHECK(H5Iis_valid(type) == 0);
}

static void read_file(const char *path) {
  char text[64], names[256] = "";
  short values[N];
  int counts[H5O_TYPE_NTYPES] = {0, 0, 0}, on;
  double scale;
  hsize_t at = 0;
  H5O_info_t one, two;
  H5L_info_t link;
  H5F_info_t size;
  hid_t file, object, attribute, type;

  OK(file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
  CHECK(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1);
  OK(H5Fget_info(file, &size));
  OK(H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &at, add_name, names));
  CHECK(strcmp(names, "dangling deep later other short switch ") == 0 && at == 6);
  OK(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, count_object, counts));
  CHECK(counts[H5O_TYPE_GROUP] == 4 && counts[H5O_TYPE_DATASET] == 2);
  CHECK(counts[H5O_TYPE_NAMED_DATATYPE] == 1);
  CHECK(H5Lexists(file, "dangling", H5P_DEFAULT) > 0);
  CHECK(H5Oexists_by_name(file, "dangling", H5P_DEFAULT) == 0);
  OK(H5Lget_info(file, "short", &link, H5P_DEFAULT));
  CHECK(link.type == H5L_TYPE_SOFT && link.u.val_size == strlen("/deep/down/values") + 1);
  OK(H5Lget_val(file, "short", text, sizeof text, H5P_DEFAULT));
  CHECK(strcmp(text, "/deep/down/values") == 0);
  CHECK(H5Lget_name_by_idx(file, "/", H5_INDEX_NAME, H5_ITER_DEC, 0, text, sizeof text,
                           H5P_DEFAULT) == 6);
  CHECK(strcmp(text, "switch") == 0);

  OK(H5Oget_info_by_name(file, "short", &one, H5P_DEFAULT));
  OK(object = H5Oopen(file, "/other/name", H5P_DEFAULT));
  CHECK(H5Iget_type(object) == H5I_DATASET);
  OK(H5Oget_info(object, &two));
  CHECK(one.addr == two.addr && one.fileno == two.fileno && one.rc == 2 && one.num_attrs == 2);
  OK(H5Dread(object, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  for (int i = 0; i < N; ++i) CHECK(values[i] == (i % 2 ? -(i / 2) : i));

  names[0] = '\0';
  at = 0;
  OK(H5Aiterate(object, H5_INDEX_NAME, H5_ITER_INC, &at, add_attribute, names));
  CHECK(strcmp(names, "scale units ") == 0);
  CHECK(H5Aexists(object, "skale") == 0 && H5Aexists(object, "scale") > 0);
  OK(attribute = H5Aopen(object, "scale", H5P_DEFAULT));
  OK(H5Aread(attribute, H5T_NATIVE_DOUBLE, &scale));
  CHECK(scale == 0.25);
  OK(H5Aclose(attribute));
  OK(H5Oclose(object));

  OK(type = H5Topen(file, "switch", H5P_DEFAULT));
  OK(H5Tenum_valueof(type, "ON", &on));
  CHECK(on == 1);
  OK(H5Tenum_nameof(type, &on, text, sizeof text));
  CHECK(strcmp(text, "ON") == 0);
  OK(H5Tclose(type));
  OK(H5Fclose(file));
}

/* A file that never touches the disk. */
static void use_memory(void) {
  hsize_t four = 4;
  size_t increment;
  hbool_t backing;
  int in[4] = {4, 3, 2, 1}, out[4];
  hid_t fapl, file, space, set;
  OK(fapl = H5Pcreate(H5P_FILE_ACCESS));
  OK(H5Pset_fapl_core(fapl, 65536, 0));
  CHECK(H5Pget_driver(fapl) == H5FD_CORE);
  OK(H5Pget_fapl_core(fapl, &increment, &backing));
  CHECK(increment == 65536 && !backing);
  OK(file = H5Fcreate("dialect18-never-on-disk.h5", H5F_ACC_EXCL, H5P_DEFAULT, fapl));
  OK(space = H5Screate_simple(1, &four, NULL));
  OK(set = H5Dcreate(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, in));
  OK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, out));
  CHECK(memcmp(in, out, sizeof in) == 0);
  OK(H5Dclose(set));
  OK(H5Sclose(space));
  OK(H5Fclose(file));
  OK(H5Pclose(fapl));
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  write_file(argv[1]);
  read_file(argv[1]);
  use_memory();
  puts("1.8 dialect: ok");
  return 0;
}
