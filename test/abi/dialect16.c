/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A serial program as it was written for HDF5 1.6: short argument lists, H5G calls for links and
 * iteration, the old error calls. Usage: dialect16 FILE
 */
#define H5_USE_16_API 1
#include <hdf5.h>
#include <string.h>

#include "check.h"

#define ROWS 6
#define COLS 5

typedef struct {
  int id;
  double mass;
  char name[8];
} particle_t;

static herr_t count_member(hid_t group, const char *name, void *data) {
  (void)group;
  strcat((char *)data, name);
  strcat((char *)data, " ");
  return 0;
}

static herr_t count_attribute(hid_t location, const char *name, void *data) {
  (void)location;
  (void)name;
  ++*(int *)data;
  return 0;
}

static hid_t particle_type(void) {
  hid_t text = H5Tcopy(H5T_C_S1);
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(particle_t));
  OK(H5Tset_size(text, 8));
  OK(H5Tinsert(type, "id", HOFFSET(particle_t, id), H5T_NATIVE_INT));
  OK(H5Tinsert(type, "mass", HOFFSET(particle_t, mass), H5T_NATIVE_DOUBLE));
  OK(H5Tinsert(type, "name", HOFFSET(particle_t, name), text));
  OK(H5Tclose(text));
  return type;
}

static void write_file(const char *path) {
  hsize_t dims[2] = {ROWS, COLS}, unlimited[2] = {H5S_UNLIMITED, COLS},
          bigger[2] = {ROWS + 2, COLS};
  hsize_t chunk[2] = {2, 3}, three = 3, pair[1] = {2};
  int field[ROWS][COLS], vector[2] = {7, 8}, no_perm[1] = {0};
  particle_t particles[3] = {{1, 0.5, "ada"}, {2, 1.5, "bob"}, {3, 2.5, "cyd"}};
  hid_t file, group, space, list, set, attribute, type;
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLS; ++j) field[i][j] = 10 * i + j;

  OK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  OK(group = H5Gcreate(file, "run", 0));

  /* A chunked, extendible dataset that grows by two rows of fill values. */
  OK(space = H5Screate_simple(2, dims, unlimited));
  OK(list = H5Pcreate(H5P_DATASET_CREATE));
  OK(H5Pset_chunk(list, 2, chunk));
  int fill = -1;
  OK(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill));
  OK(set = H5Dcreate(group, "field", H5T_STD_I32BE, space, list));
  OK(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, field));
  OK(H5Dextend(set, bigger));
  OK(H5Sclose(space));
  OK(H5Pclose(list));

  /* Attributes: a scalar, and one of an array type. */
  OK(space = H5Screate(H5S_SCALAR));
  OK(attribute = H5Acreate(set, "step", H5T_NATIVE_INT, space, H5P_DEFAULT));
  OK(H5Awrite(attribute, H5T_NATIVE_INT, &vector[0]));
  OK(H5Aclose(attribute));
  OK(type = H5Tarray_create(H5T_NATIVE_INT, 1, pair, no_perm));
  OK(attribute = H5Acreate(set, "vector", type, space, H5P_DEFAULT));
  OK(H5Awrite(attribute, type, vector));
  OK(H5Aclose(attribute));
  OK(H5Tclose(type));
  OK(H5Sclose(space));
  OK(H5Dclose(set));

  /* Compounds of a committed type. */
  type = particle_type();
  OK(H5Tcommit(file, "particle", type));
  OK(space = H5Screate_simple(1, &three, NULL));
  OK(set = H5Dcreate(file, "particles", type, space, H5P_DEFAULT));
  OK(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, particles));
  OK(H5Dclose(set));
  OK(H5Sclose(space));
  OK(H5Tclose(type));

  /* Links of all kinds, one moved, one gone. */
  OK(H5Glink(file, H5G_LINK_SOFT, "/run/field", "soft"));
  OK(H5Glink2(file, "particles", H5G_LINK_HARD, group, "all"));
  OK(H5Gmove2(group, "all", file, "everyone"));
  OK(H5Glink(file, H5G_LINK_HARD, "particles", "gone"));
  OK(H5Gunlink(file, "gone"));
  OK(H5Gclose(group));
  OK(H5Fclose(file));
}

static void read_file(const char *path) {
  hsize_t dims[2], maxdims[2], count, pair[1];
  int field[ROWS + 2][COLS], vector[2], step, attributes = 0, perm[1];
  unsigned first = 0;
  char names[256] = "", text[64];
  particle_t particles[3];
  H5G_stat_t one, two;
  hid_t file, root, set, space, type, attribute;

  OK(file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
  OK(root = H5Gopen(file, "/"));

  /* Names in order, by all the old ways. */
  OK(H5Giterate(file, "/", NULL, count_member, names));
  CHECK(strcmp(names, "everyone particle particles run soft ") == 0);
  OK(H5Gget_num_objs(root, &count));
  CHECK(count == 5);
  CHECK(H5Gget_objname_by_idx(root, 3, text, sizeof text) == 3 && strcmp(text, "run") == 0);
  CHECK(H5Gget_objtype_by_idx(root, 1) == H5G_TYPE);
  CHECK(H5Gget_objtype_by_idx(root, 2) == H5G_DATASET);
  CHECK(H5Gget_objtype_by_idx(root, 3) == H5G_GROUP);
  OK(H5Gget_objinfo(file, "particles", 1, &one));
  OK(H5Gget_objinfo(file, "everyone", 1, &two));
  CHECK(one.type == H5G_DATASET && one.nlink == 2);
  CHECK(one.objno[0] == two.objno[0] && one.objno[1] == two.objno[1]);
  OK(H5Gget_objinfo(file, "soft", 0, &one));
  CHECK(one.type == H5G_LINK && one.linklen == strlen("/run/field") + 1);
  OK(H5Gget_linkval(file, "soft", sizeof text, text));
  CHECK(strcmp(text, "/run/field") == 0);
  OK(H5Gclose(root));

  OK(set = H5Dopen(file, "soft"));
  OK(space = H5Dget_space(set));
  CHECK(H5Sget_simple_extent_dims(space, dims, maxdims) == 2);
  CHECK(dims[0] == ROWS + 2 && dims[1] == COLS && maxdims[0] == H5S_UNLIMITED);
  OK(H5Sclose(space));
  OK(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, field));
  for (int i = 0; i < ROWS + 2; ++i)
    for (int j = 0; j < COLS; ++j) CHECK(field[i][j] == (i < ROWS ? 10 * i + j : -1));

  CHECK(H5Aget_num_attrs(set) == 2);
  OK(H5Aiterate(set, &first, count_attribute, &attributes));
  CHECK(attributes == 2);
  OK(attribute = H5Aopen_name(set, "step"));
  OK(H5Aread(attribute, H5T_NATIVE_INT, &step));
  CHECK(step == 7);
  OK(H5Aclose(attribute));
  OK(attribute = H5Aopen_idx(set, 1));
  OK(H5Aget_name(attribute, sizeof text, text));
  CHECK(strcmp(text, "vector") == 0);
  OK(type = H5Aget_type(attribute));
  CHECK(H5Tget_class(type) == H5T_ARRAY && H5Tget_array_dims(type, pair, perm) == 1);
  CHECK(pair[0] == 2);
  OK(H5Aread(attribute, type, vector));
  CHECK(vector[0] == 7 && vector[1] == 8);
  OK(H5Tclose(type));
  OK(H5Aclose(attribute));
  OK(H5Dclose(set));

  OK(type = H5Topen(file, "particle"));
  CHECK(H5Tcommitted(type) > 0 && H5Tget_nmembers(type) == 3);
  OK(H5Tclose(type));
  type = particle_type();
  OK(set = H5Dopen(file, "/everyone"));
  OK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, particles));
  CHECK(particles[1].id == 2 && particles[2].mass == 2.5 && strcmp(particles[0].name, "ada") == 0);
  OK(H5Dclose(set));
  OK(H5Tclose(type));
  OK(H5Fclose(file));
}

static herr_t note_failure(void *data) {
  ++*(int *)data;
  return 0;
}

/* A failing call, silenced, then heard by the old kind of callback. */
static void fail_on_purpose(const char *path) {
  int failures = 0;
  H5E_auto_t old_func;
  void *old_data;
  hid_t file;
  OK(file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT));
  OK(H5Eget_auto(&old_func, &old_data));
  OK(H5Eset_auto(NULL, NULL));
  CHECK(H5Dopen(file, "nowhere") < 0);
  OK(H5Eset_auto(note_failure, &failures));
  CHECK(H5Gopen(file, "nowhere") < 0);
  CHECK(failures == 1);
  H5E_BEGIN_TRY { CHECK(H5Dopen(file, "nowhere") < 0); }
  H5E_END_TRY;
  CHECK(failures == 1);
  OK(H5Eset_auto(old_func, old_data));
  OK(H5Eclear());
  OK(H5Fclose(file));
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  write_file(argv[1]);
  read_file(argv[1]);
  fail_on_purpose(argv[1]);
  puts("1.6 dialect: ok");
  return 0;
}
