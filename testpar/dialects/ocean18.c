/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * An ocean model as it was written for parallel HDF5 1.8, in the layout of netCDF-4: dimension scales with their lists of
 * references, variables with filters and fill values that grow in time, groups in order of creation, links, visits,
 * errors of its own class. Nothing in it knows which library it is linked with; dialects.sh compares what it prints and
 * what it leaves. Usage: ocean18 FILE
 */
#define H5_USE_18_API 1
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define NLAT 18
#define NLON 30
#define NTIME 4
#define MISSING (-9999.0F)

typedef enum { OPEN_SEA, COAST, LAND } surface_t;

typedef struct {
  char name[12];
  double lat, lon;
  short depth[4];
  surface_t kind;
} station_t;

typedef struct {
  hobj_ref_t dataset;
  int dimension;
} scale_use_t; /* an element of REFERENCE_LIST */

static int rank, nproc;
static hid_t error_class, error_major, error_minor;
static int failures = 0;

/* ---- errors: the library's stack under one of our own ---- */

static herr_t print_frame(unsigned n, const H5E_error2_t *error, void *stream) {
  fprintf((FILE *)stream, "  %u %s: %s\n", n, error->func_name, error->desc);
  return 0;
}

static void stop(const char *what, int line) {
  H5Epush(H5E_DEFAULT, __FILE__, "ocean18", (unsigned)line, error_class, error_major, error_minor,
          "failed: %s", what);
  fprintf(stderr, "rank %d:\n", rank);
  H5Ewalk(H5E_DEFAULT, H5E_WALK_DOWNWARD, print_frame, stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define TRY(call)                          \
  do {                                     \
    if ((call) < 0) stop(#call, __LINE__); \
  } while (0)

#define EXPECT(condition)                                                            \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ++failures;                                                                    \
      fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, __LINE__, #condition); \
    }                                                                                \
  } while (0)

static herr_t note_report(hid_t stack, void *data) {
  (void)stack;
  ++*(int *)data;
  return 0;
}

/* ---- attributes ---- */

static void text_attribute(hid_t object, const char *name, const char *value) {
  hid_t space, type, attribute;
  TRY(space = H5Screate(H5S_SCALAR));
  TRY(type = H5Tcopy(H5T_C_S1));
  TRY(H5Tset_size(type, strlen(value) + 1));
  TRY(H5Tset_cset(type, H5T_CSET_ASCII));
  TRY(attribute = H5Acreate(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Awrite(attribute, type, value));
  TRY(H5Aclose(attribute));
  TRY(H5Tclose(type));
  TRY(H5Sclose(space));
}

static void float_attribute(hid_t at, const char *object, const char *name, float value) {
  hsize_t one = 1;
  hid_t space, attribute;
  TRY(space = H5Screate_simple(1, &one, NULL));
  TRY(attribute = H5Acreate_by_name(at, object, name, H5T_IEEE_F32LE, space, H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Awrite(attribute, H5T_NATIVE_FLOAT, &value));
  TRY(H5Aclose(attribute));
  TRY(H5Sclose(space));
}

/* ---- dimension scales, as the netCDF library lays them out ---- */

static void make_scale(hid_t file, const char *name, hid_t type, hsize_t n, int unlimited,
                       const void *values) {
  hsize_t most = unlimited ? H5S_UNLIMITED : n, chunk = 8;
  hid_t space, list, set;
  TRY(space = H5Screate_simple(1, &n, &most));
  TRY(list = H5Pcreate(H5P_DATASET_CREATE));
  if (unlimited) TRY(H5Pset_chunk(list, 1, &chunk));
  TRY(H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  TRY(set = H5Dcreate(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT));
  if (values != NULL) TRY(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  text_attribute(set, "CLASS", "DIMENSION_SCALE");
  text_attribute(set, "NAME", name);
  TRY(H5Dclose(set));
  TRY(H5Pclose(list));
  TRY(H5Sclose(space));
}

/* DIMENSION_LIST of a variable: for each dimension a sequence of references to its scales. */
static void attach_scales(hid_t file, const char *variable, const char *const *scales, int n) {
  hsize_t dims = (hsize_t)n;
  hvl_t lists[4];
  hobj_ref_t references[4];
  hid_t type, space, attribute;
  int i;
  for (i = 0; i < n; ++i) {
    TRY(H5Rcreate(&references[i], file, scales[i], H5R_OBJECT, -1));
    lists[i].len = 1;
    lists[i].p = &references[i];
  }
  TRY(type = H5Tvlen_create(H5T_STD_REF_OBJ));
  TRY(space = H5Screate_simple(1, &dims, NULL));
  TRY(attribute = H5Acreate_by_name(file, variable, "DIMENSION_LIST", type, space, H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Awrite(attribute, type, lists));
  TRY(H5Aclose(attribute));
  TRY(H5Sclose(space));
  TRY(H5Tclose(type));
}

/* REFERENCE_LIST of a scale: which variables use it, and for which dimension. */
static void list_uses(hid_t file, const char *scale, const char *const *variables,
                      const int *dimension, int n) {
  hsize_t count = (hsize_t)n;
  scale_use_t uses[4];
  hid_t type, space, attribute;
  int i;
  memset(uses, 0, sizeof uses);
  for (i = 0; i < n; ++i) {
    TRY(H5Rcreate(&uses[i].dataset, file, variables[i], H5R_OBJECT, -1));
    uses[i].dimension = dimension[i];
  }
  TRY(type = H5Tcreate(H5T_COMPOUND, sizeof(scale_use_t)));
  TRY(H5Tinsert(type, "dataset", HOFFSET(scale_use_t, dataset), H5T_STD_REF_OBJ));
  TRY(H5Tinsert(type, "dimension", HOFFSET(scale_use_t, dimension), H5T_NATIVE_INT));
  TRY(space = H5Screate_simple(1, &count, NULL));
  TRY(attribute = H5Acreate_by_name(file, scale, "REFERENCE_LIST", type, space, H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Awrite(attribute, type, uses));
  TRY(H5Aclose(attribute));
  TRY(H5Sclose(space));
  TRY(H5Tclose(type));
}

/* ---- variables ---- */

static hid_t transfer(H5FD_mpio_xfer_t mode) {
  hid_t list;
  TRY(list = H5Pcreate(H5P_DATASET_XFER));
  TRY(H5Pset_dxpl_mpio(list, mode));
  return list;
}

static void make_variable(hid_t file, const char *name, const char *units, int scaled) {
  hsize_t dims[3] = {0, NLAT, NLON}, most[3] = {H5S_UNLIMITED, NLAT, NLON}, chunk[3] = {1, 6, 11};
  float fill = MISSING;
  hid_t space, create, link, set;
  TRY(space = H5Screate_simple(3, dims, most));
  TRY(create = H5Pcreate(H5P_DATASET_CREATE));
  TRY(H5Pset_chunk(create, 3, chunk));
  TRY(H5Pset_fill_value(create, H5T_NATIVE_FLOAT, &fill));
  TRY(H5Pset_fill_time(create, H5D_FILL_TIME_ALLOC));
  if (scaled) {
    TRY(H5Pset_shuffle(create));
    TRY(H5Pset_deflate(create, 4));
    TRY(H5Pset_fletcher32(create));
  }
  TRY(link = H5Pcreate(H5P_LINK_CREATE));
  TRY(H5Pset_create_intermediate_group(link, 1));
  TRY(set = H5Dcreate(file, name, H5T_IEEE_F32LE, space, link, create, H5P_DEFAULT));
  text_attribute(set, "units", units);
  TRY(H5Dclose(set));
  TRY(H5Pclose(link));
  TRY(H5Pclose(create));
  TRY(H5Sclose(space));
  float_attribute(file, name, "_FillValue", MISSING);
}

static float value_of(int variable, hsize_t t, hsize_t y, hsize_t x) {
  return (float)(variable * 1000) + (float)t * 100 + (float)y + (float)x / 32;
}

/* Each rank has a band of rows; land (the corner) is left to the fill value. */
static void write_step(hid_t file, const char *name, int variable, hsize_t t) {
  hsize_t dims[3] = {t + 1, NLAT, NLON}, start[3], count[3], land[3], part[3], y, x, n = 0;
  float *values = malloc(NLAT * NLON * sizeof *values);
  hid_t set, space, memory, list = transfer(H5FD_MPIO_COLLECTIVE);
  start[0] = t, start[1] = (hsize_t)(NLAT * rank / nproc), start[2] = 0;
  count[0] = 1, count[1] = (hsize_t)(NLAT * (rank + 1) / nproc) - start[1], count[2] = NLON;
  land[0] = t, land[1] = 0, land[2] = 20;
  part[0] = 1, part[1] = 7, part[2] = 10;
  for (y = start[1]; y < start[1] + count[1]; ++y)
    for (x = 0; x < NLON; ++x)
      if (y >= 7 || x < 20) values[n++] = value_of(variable, t, y, x);
  TRY(set = H5Dopen(file, name, H5P_DEFAULT));
  TRY(H5Dset_extent(set, dims));
  TRY(space = H5Dget_space(set));
  TRY(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL));
  TRY(H5Sselect_hyperslab(space, H5S_SELECT_NOTB, land, NULL, part, NULL));
  EXPECT((hsize_t)H5Sget_select_npoints(space) == n);
  TRY(memory = H5Screate_simple(1, &n, NULL));
  TRY(H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, list, values));
  TRY(H5Sclose(memory));
  TRY(H5Sclose(space));
  TRY(H5Dclose(set));
  TRY(H5Pclose(list));
  free(values);
}

static hid_t station_type(void) {
  static const char *const kinds[] = {"OPEN_SEA", "COAST", "LAND"};
  hsize_t four = 4;
  hid_t type, text, depth, kind;
  int i;
  TRY(text = H5Tcopy(H5T_C_S1));
  TRY(H5Tset_size(text, 12));
  TRY(H5Tset_strpad(text, H5T_STR_NULLPAD));
  TRY(depth = H5Tarray_create(H5T_NATIVE_SHORT, 1, &four));
  TRY(kind = H5Tenum_create(H5T_NATIVE_INT));
  for (i = 0; i < 3; ++i) TRY(H5Tenum_insert(kind, kinds[i], &i));
  TRY(type = H5Tcreate(H5T_COMPOUND, sizeof(station_t)));
  TRY(H5Tinsert(type, "name", HOFFSET(station_t, name), text));
  TRY(H5Tinsert(type, "lat", HOFFSET(station_t, lat), H5T_NATIVE_DOUBLE));
  TRY(H5Tinsert(type, "lon", HOFFSET(station_t, lon), H5T_NATIVE_DOUBLE));
  TRY(H5Tinsert(type, "depth", HOFFSET(station_t, depth), depth));
  TRY(H5Tinsert(type, "kind", HOFFSET(station_t, kind), kind));
  TRY(H5Tclose(text));
  TRY(H5Tclose(depth));
  TRY(H5Tclose(kind));
  return type;
}

/* Stations: a packed, committed type in the file; each rank writes those that it owns, alone. */
static void write_stations(hid_t file) {
  hsize_t n = 9, one = 1, at;
  hid_t group, type = station_type(), packed, space, memory, set,
               list = transfer(H5FD_MPIO_INDEPENDENT);
  TRY(group = H5Gopen(file, "/ocean", H5P_DEFAULT));
  TRY(packed = H5Tcopy(type));
  TRY(H5Tpack(packed));
  TRY(H5Tcommit(group, "station_t", packed, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  TRY(space = H5Screate_simple(1, &n, NULL));
  TRY(memory = H5Screate_simple(1, &one, NULL));
  TRY(set = H5Dcreate(group, "stations", packed, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (at = 0; at < n; ++at) {
    station_t station;
    int i;
    if ((int)at % nproc != rank) continue;
    memset(&station, 0, sizeof station);
    sprintf(station.name, "buoy %d", (int)at);
    station.lat = (double)at * 2.5 - 10;
    station.lon = (double)at * 7.25;
    for (i = 0; i < 4; ++i) station.depth[i] = (short)(at * 100 + (hsize_t)i);
    station.kind = (surface_t)(at % 3);
    TRY(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at));
    TRY(H5Dwrite(set, type, memory, space, list, &station));
  }
  TRY(H5Dclose(set));
  TRY(H5Sclose(memory));
  TRY(H5Sclose(space));
  TRY(H5Tclose(packed));
  TRY(H5Tclose(type));
  TRY(H5Gclose(group));
  TRY(H5Pclose(list));
}

static void write_model(const char *path) {
  static const char *const scales[] = {"time", "lat", "lon"};
  static const char *const variables[] = {"/ocean/surface/temperature", "/ocean/surface/salinity"};
  static const int zero[] = {0, 0}, one[] = {1, 1}, two[] = {2, 2};
  double lat[NLAT], times[NTIME];
  float lon[NLON];
  hsize_t t, n = NTIME;
  hid_t access, create, file, set;
  int i;
  for (i = 0; i < NLAT; ++i) lat[i] = -85 + 10 * i;
  for (i = 0; i < NLON; ++i) lon[i] = (float)(12 * i);
  for (i = 0; i < NTIME; ++i) times[i] = 6 * i;
  TRY(access = H5Pcreate(H5P_FILE_ACCESS));
  TRY(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  TRY(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST));
  TRY(create = H5Pcreate(H5P_FILE_CREATE));
  TRY(H5Pset_link_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  TRY(H5Pset_attr_creation_order(create, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  TRY(file = H5Fcreate(path, H5F_ACC_TRUNC, create, access));
  text_attribute(file, "Conventions", "CF-1.4");
  make_scale(file, "time", H5T_NATIVE_DOUBLE, 0, 1, NULL);
  make_scale(file, "lat", H5T_NATIVE_DOUBLE, NLAT, 0, lat);
  make_scale(file, "lon", H5T_NATIVE_FLOAT, NLON, 0, lon);
  make_variable(file, variables[0], "degC", 1);
  make_variable(file, variables[1], "g/kg", 0);
  for (i = 0; i < 2; ++i) attach_scales(file, variables[i], scales, 3);
  list_uses(file, "time", variables, zero, 2);
  list_uses(file, "lat", variables, one, 2);
  list_uses(file, "lon", variables, two, 2);
  for (t = 0; t < NTIME; ++t)
    for (i = 0; i < 2; ++i) write_step(file, variables[i], i, t);
  TRY(set = H5Dopen(file, "time", H5P_DEFAULT));
  TRY(H5Dset_extent(set, &n));
  if (rank == 0) TRY(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times));
  TRY(H5Dclose(set));
  write_stations(file);
  TRY(H5Lcreate_soft("/ocean/surface/temperature", file, "sst", H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Lcreate_hard(file, "/ocean/stations", file, "buoys", H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Lcreate_external("forcing.h5", "/wind", file, "wind", H5P_DEFAULT, H5P_DEFAULT));
  TRY(H5Fclose(file));
  TRY(H5Pclose(create));
  TRY(H5Pclose(access));
}

/* ---- what an analysis does ---- */

static herr_t show_link(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  static const char *const kinds[] = {"hard", "soft"};
  (void)group;
  ++*(int *)data;
  if (rank == 0)
    printf("link %s: %s, %d\n", name,
           info->type == H5L_TYPE_EXTERNAL ? "external" : kinds[info->type], (int)info->corder);
  return H5_ITER_CONT;
}

static herr_t show_object(hid_t start, const char *name, const H5O_info_t *info, void *data) {
  (void)start;
  ++*(int *)data;
  if (rank == 0)
    printf("object %s: type %d, %u references, %d attributes\n", name, (int)info->type, info->rc,
           (int)info->num_attrs);
  return 0;
}

static herr_t show_attribute(hid_t object, const char *name, const H5A_info_t *info, void *data) {
  (void)object;
  ++*(int *)data;
  if (rank == 0)
    printf("attribute %s: %d bytes, order %d\n", name, (int)info->data_size, (int)info->corder);
  return 0;
}

static void check_field(hid_t file, const char *name, int variable) {
  hsize_t dims[3], start[3] = {NTIME - 1, 1, 2}, stride[3] = {1, 3, 4}, count[3] = {1, 5, 6},
                   n = 30, i;
  float values[30], fill = 0;
  H5D_fill_value_t defined;
  hid_t set, space, memory, list;
  TRY(set = H5Dopen(file, name, H5P_DEFAULT));
  TRY(space = H5Dget_space(set));
  EXPECT(H5Sget_simple_extent_dims(space, dims, NULL) == 3 && dims[0] == NTIME);
  TRY(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL));
  TRY(memory = H5Screate_simple(1, &n, NULL));
  TRY(H5Dread(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values));
  for (i = 0; i < n; ++i) {
    hsize_t y = 1 + 3 * (i / 6), x = 2 + 4 * (i % 6);
    EXPECT(values[i] == (y < 7 && x >= 20 ? MISSING : value_of(variable, NTIME - 1, y, x)));
  }
  TRY(list = H5Dget_create_plist(set));
  TRY(H5Pfill_value_defined(list, &defined));
  TRY(H5Pget_fill_value(list, H5T_NATIVE_FLOAT, &fill));
  EXPECT(defined == H5D_FILL_VALUE_USER_DEFINED && fill == MISSING &&
         H5Pget_chunk(list, 3, dims) == 3 && dims[2] == 11);
  if (rank == 0) printf("%s: %d filters\n", name, H5Pget_nfilters(list));
  TRY(H5Pclose(list));
  TRY(H5Sclose(memory));
  TRY(H5Sclose(space));
  TRY(H5Dclose(set));
}

/* From a variable to its scales, as netCDF does on opening. */
static void follow_scales(hid_t file) {
  hvl_t lists[3];
  hid_t attribute, type, space, scale;
  char name[64];
  int i;
  TRY(attribute = H5Aopen_by_name(file, "sst", "DIMENSION_LIST", H5P_DEFAULT, H5P_DEFAULT));
  TRY(type = H5Aget_type(attribute));
  TRY(space = H5Aget_space(attribute));
  TRY(H5Aread(attribute, type, lists));
  for (i = 0; i < 3; ++i) {
    EXPECT(lists[i].len == 1);
    TRY(scale = H5Rdereference(attribute, H5R_OBJECT, lists[i].p));
    TRY(H5Iget_name(scale, name, sizeof name));
    if (rank == 0) printf("dimension %d: %s\n", i, name);
    TRY(H5Oclose(scale));
  }
  TRY(H5Dvlen_reclaim(type, space, H5P_DEFAULT, lists));
  TRY(H5Sclose(space));
  TRY(H5Tclose(type));
  TRY(H5Aclose(attribute));
}

static void expect_errors(hid_t file) {
  H5E_auto2_t report;
  void *data;
  int reports = 0;
  char text[32];
  H5E_type_t kind;
  hid_t stack, got;
  TRY(H5Eget_auto(H5E_DEFAULT, &report, &data));
  TRY(H5Eset_auto(H5E_DEFAULT, note_report, &reports));
  got = H5Dopen(file, "/ocean/currents", H5P_DEFAULT);
  EXPECT(got < 0 && reports == 1);
  got = H5Oopen(file, "wind", H5P_DEFAULT);
  EXPECT(got < 0 && reports == 2);
  TRY(H5Epush(H5E_DEFAULT, "ocean18.c", "expect_errors", 1, error_class, error_major, error_minor,
              "no %s", "wind"));
  TRY(stack = H5Eget_current_stack());
  EXPECT(H5Eget_num(stack) > 1);
  TRY(H5Epop(stack, (size_t)H5Eget_num(stack) - 1));
  EXPECT(H5Eget_num(stack) == 1);
  TRY(H5Eclose_stack(stack));
  TRY(H5Eset_auto(H5E_DEFAULT, report, data));
  TRY(H5Eget_msg(error_minor, &kind, text, sizeof text));
  EXPECT(kind == H5E_MINOR && strcmp(text, "step failed") == 0);
  EXPECT(H5Lexists(file, "sst", H5P_DEFAULT) > 0 && H5Lexists(file, "mld", H5P_DEFAULT) == 0);
}

static void read_model(const char *path) {
  hid_t access, file;
  H5L_info_t link;
  H5O_info_t object;
  H5G_info_t group;
  char target[64];
  const char *other = NULL, *inside = NULL;
  hsize_t idx = 0;
  int n = 0;
  TRY(access = H5Pcreate(H5P_FILE_ACCESS));
  TRY(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  TRY(file = H5Fopen(path, H5F_ACC_RDONLY, access));
  TRY(H5Literate(file, H5_INDEX_CRT_ORDER, H5_ITER_INC, &idx, show_link, &n));
  TRY(H5Gget_info(file, &group));
  EXPECT(group.nlinks == (hsize_t)n && group.max_corder == n);
  n = 0;
  TRY(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, show_object, &n));
  idx = 0, n = 0;
  TRY(H5Aiterate_by_name(file, "sst", H5_INDEX_NAME, H5_ITER_DEC, &idx, show_attribute, &n,
                         H5P_DEFAULT));
  TRY(H5Oget_info_by_name(file, "buoys", &object, H5P_DEFAULT));
  EXPECT(object.rc == 2 && object.type == H5O_TYPE_DATASET);
  TRY(H5Lget_info(file, "wind", &link, H5P_DEFAULT));
  TRY(H5Lget_val(file, "wind", target, sizeof target, H5P_DEFAULT));
  TRY(H5Lunpack_elink_val(target, link.u.val_size, NULL, &other, &inside));
  if (rank == 0) printf("wind: %s in %s\n", inside, other);
  check_field(file, "sst", 0);
  check_field(file, "/ocean/surface/salinity", 1);
  follow_scales(file);
  expect_errors(file);
  EXPECT(H5Fget_obj_count(file, H5F_OBJ_ALL) == 1);
  TRY(H5Fclose(file));
  TRY(H5Pclose(access));
}

int main(int argc, char **argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nproc);
  TRY(error_class = H5Eregister_class("Ocean", "ocean18", "1.8"));
  TRY(error_major = H5Ecreate_msg(error_class, H5E_MAJOR, "model"));
  TRY(error_minor = H5Ecreate_msg(error_class, H5E_MINOR, "step failed"));
  if (argc < 2) stop("usage: ocean18 FILE", __LINE__);
  write_model(argv[1]);
  read_model(argv[1]);
  TRY(H5Eunregister_class(error_class));
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d failures\n", all);
  MPI_Finalize();
  return all != 0;
}
