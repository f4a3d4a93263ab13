/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * A particle-in-cell code in the manner of openPMD, written for parallel HDF5 1.10: paged file space, collective
 * metadata, early allocation, compressed meshes of three dimensions with ghost cells in memory, particles with patches,
 * references to regions left out, a restart on other ranks than wrote. Nothing in it knows which library it is linked
 * with; dialects.sh compares what it prints and what it leaves. Usage: plasma110 FILE
 */
#define H5_USE_110_API 1
/* Where the library was configured for the 1.8 dialect, as Debian's, these take the names of 1.8 all the same. */
#define H5Fget_info_vers 2
#include <hdf5.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define NX 12
#define NY 10
#define NZ 16
#define GHOST 2
#define PER_RANK 50
#define NITER 3

static int rank, nproc;
static int failures = 0;

typedef struct {
  double momentum[3];
  float weight;
  uint64_t id;
} electron_t;

typedef struct {
  uint64_t first, count;
  int owner;
} patch_t;

/* Where this rank's block of the mesh lies: slabs of x, the last rank may have none. */
typedef struct {
  hsize_t start[3], count[3];
} block_t;

/* ---- errors ---- */

static void fatal(const char *call, const char *file, int line) {
  fprintf(stderr, "rank %d: %s:%d: %s failed\n", rank, file, line, call);
  H5Eprint(H5E_DEFAULT, stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define H5(call)                                      \
  do {                                                \
    if ((call) < 0) fatal(#call, __FILE__, __LINE__); \
  } while (0)

#define EXPECT(condition)                                                            \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ++failures;                                                                    \
      fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, __LINE__, #condition); \
    }                                                                                \
  } while (0)

/* ---- attributes of the standard ---- */

static void write_attribute(hid_t object, const char *name, hid_t type, hsize_t n,
                            const void *value) {
  hid_t space, attribute;
  if (n == 0)
    H5(space = H5Screate(H5S_SCALAR));
  else
    H5(space = H5Screate_simple(1, &n, NULL));
  H5(attribute = H5Acreate(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  H5(H5Awrite(attribute, type, value));
  H5(H5Aclose(attribute));
  H5(H5Sclose(space));
}

static void write_string(hid_t object, const char *name, const char *value) {
  hid_t type;
  H5(type = H5Tcopy(H5T_C_S1));
  H5(H5Tset_size(type, strlen(value)));
  H5(H5Tset_cset(type, H5T_CSET_UTF8));
  write_attribute(object, name, type, 0, value);
  H5(H5Tclose(type));
}

static void write_labels(hid_t object) {
  static const char labels[3][2] = {"x", "y", "z"};
  hid_t type;
  H5(type = H5Tcopy(H5T_C_S1));
  H5(H5Tset_size(type, 2));
  write_attribute(object, "axisLabels", type, 3, labels);
  H5(H5Tclose(type));
}

/* ---- lists ---- */

static hid_t file_access(void) {
  hid_t list;
  H5(list = H5Pcreate(H5P_FILE_ACCESS));
  H5(H5Pset_fapl_mpio(list, MPI_COMM_WORLD, MPI_INFO_NULL));
  H5(H5Pset_all_coll_metadata_ops(list, 1));
  H5(H5Pset_coll_metadata_write(list, 1));
  H5(H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V110));
  H5(H5Pset_alignment(list, 4096, 512));
  return list;
}

static hid_t file_creation(void) {
  hid_t list;
  H5F_fspace_strategy_t strategy;
  hbool_t persist;
  hsize_t threshold, page;
  H5(list = H5Pcreate(H5P_FILE_CREATE));
  H5(H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_PAGE, 0, 1));
  H5(H5Pset_file_space_page_size(list, 4096));
  H5(H5Pget_file_space_strategy(list, &strategy, &persist, &threshold));
  H5(H5Pget_file_space_page_size(list, &page));
  EXPECT(strategy == H5F_FSPACE_STRATEGY_PAGE && !persist && threshold == 1 && page == 4096);
  H5(H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED));
  return list;
}

static hid_t transfer(H5FD_mpio_xfer_t mode) {
  hid_t list;
  H5(list = H5Pcreate(H5P_DATASET_XFER));
  H5(H5Pset_dxpl_mpio(list, mode));
  return list;
}

/* ---- meshes ---- */

static block_t block_of(int which) {
  int workers = nproc > 2 ? nproc - 1 : nproc;
  block_t b = {{0, 0, 0}, {0, NY, NZ}};
  if (which < workers) {
    b.start[0] = (hsize_t)(NX * which / workers);
    b.count[0] = (hsize_t)(NX * (which + 1) / workers) - b.start[0];
  }
  return b;
}

static double field_value(int iteration, hsize_t x, hsize_t y, hsize_t z) {
  return iteration * 10000 + (double)(x * 1000) + (double)(y * 20) + (double)z / 4;
}

/* The mesh in memory has ghost cells around it: the hyperslab in memory is the inner part. */
static hid_t memory_space(const block_t *b, double **values, int iteration) {
  hsize_t dims[3], start[3] = {GHOST, GHOST, GHOST}, x, y, z;
  hid_t space;
  int i;
  for (i = 0; i < 3; ++i) dims[i] = b->count[i] + 2 * GHOST;
  *values = malloc(dims[0] * dims[1] * dims[2] * sizeof(double));
  for (x = 0; x < dims[0] * dims[1] * dims[2]; ++x) (*values)[x] = -1;
  for (x = 0; x < b->count[0]; ++x)
    for (y = 0; y < NY; ++y)
      for (z = 0; z < NZ; ++z)
        (*values)[((x + GHOST) * dims[1] + y + GHOST) * dims[2] + z + GHOST] =
            field_value(iteration, b->start[0] + x, y, z);
  H5(space = H5Screate_simple(3, dims, NULL));
  if (b->count[0] > 0)
    H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, b->count, NULL));
  else
    H5(H5Sselect_none(space));
  return space;
}

static hid_t select_block(hid_t set, const block_t *b) {
  hid_t space;
  H5(space = H5Dget_space(set));
  if (b->count[0] > 0)
    H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, b->start, NULL, b->count, NULL));
  else
    H5(H5Sselect_none(space));
  return space;
}

static void write_mesh(hid_t group, const char *name, int iteration, int filtered) {
  static const double unit[7] = {1, 1, -3, -1, 0, 0, 0};
  hsize_t dims[3] = {NX, NY, NZ}, chunk[3] = {3, 4, 16};
  const double offset = 0.5, *position = &offset;
  block_t b = block_of(rank);
  double *values;
  hid_t space, memory, create, access, set, file_space, list;
  H5(space = H5Screate_simple(3, dims, NULL));
  H5(create = H5Pcreate(H5P_DATASET_CREATE));
  H5(H5Pset_chunk(create, 3, chunk));
  H5(H5Pset_obj_track_times(create, 0));
  if (filtered) {
    H5(H5Pset_shuffle(create));
    H5(H5Pset_deflate(create, 6));
  } else {
    H5(H5Pset_alloc_time(create, H5D_ALLOC_TIME_EARLY));
    H5(H5Pset_fill_time(create, H5D_FILL_TIME_NEVER));
  }
  H5(access = H5Pcreate(H5P_DATASET_ACCESS));
  H5(H5Pset_chunk_cache(access, 101, 1 << 18, 1.0));
  H5(set = H5Dcreate(group, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, create, access));
  memory = memory_space(&b, &values, iteration);
  file_space = select_block(set, &b);
  list = transfer(H5FD_MPIO_COLLECTIVE);
  H5(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, file_space, list, values));
  write_attribute(set, "unitDimension", H5T_NATIVE_DOUBLE, 7, unit);
  write_attribute(set, "position", H5T_NATIVE_DOUBLE, 0, position);
  write_labels(set);
  free(values);
  H5(H5Pclose(list));
  H5(H5Sclose(file_space));
  H5(H5Sclose(memory));
  H5(H5Dclose(set));
  H5(H5Pclose(access));
  H5(H5Pclose(create));
  H5(H5Sclose(space));
}

/* A restart: the block of another rank. */
static void read_mesh(hid_t file, const char *path, int iteration) {
  block_t b = block_of((rank + 1) % nproc);
  hsize_t dims[3], inner, x, start[3], stride[3], count[3], block[3];
  double *want, *got;
  hid_t set, memory, space, list;
  int i;
  H5(set = H5Dopen(file, path, H5P_DEFAULT));
  memory = memory_space(&b, &want, iteration);
  H5(H5Sget_simple_extent_dims(memory, dims, NULL));
  inner = dims[0] * dims[1] * dims[2];
  got = malloc(inner * sizeof *got);
  for (x = 0; x < inner; ++x) got[x] = -1;
  space = select_block(set, &b);
  if (b.count[0] > 0) {
    EXPECT(H5Sis_regular_hyperslab(space) > 0);
    H5(H5Sget_regular_hyperslab(space, start, stride, count, block));
    for (i = 0; i < 3; ++i) EXPECT(count[i] * block[i] == b.count[i]);
  }
  list = transfer(H5FD_MPIO_COLLECTIVE);
  H5(H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, list, got));
  EXPECT(memcmp(want, got, inner * sizeof *got) == 0);
  free(want);
  free(got);
  H5(H5Pclose(list));
  H5(H5Sclose(space));
  H5(H5Sclose(memory));
  H5(H5Dclose(set));
}

/* ---- particles ---- */

static hid_t electron_type(void) {
  hsize_t three = 3;
  hid_t type, vector;
  H5(vector = H5Tarray_create(H5T_NATIVE_DOUBLE, 1, &three));
  H5(type = H5Tcreate(H5T_COMPOUND, sizeof(electron_t)));
  H5(H5Tinsert(type, "momentum", HOFFSET(electron_t, momentum), vector));
  H5(H5Tinsert(type, "weighting", HOFFSET(electron_t, weight), H5T_NATIVE_FLOAT));
  H5(H5Tinsert(type, "id", HOFFSET(electron_t, id), H5T_NATIVE_UINT64));
  H5(H5Tclose(vector));
  return type;
}

static electron_t electron(uint64_t id, int iteration) {
  electron_t e;
  memset(&e, 0, sizeof e);
  e.id = id;
  e.weight = (float)(id % 5);
  e.momentum[0] = (double)id + iteration;
  e.momentum[2] = -(double)id / 8;
  return e;
}

/* Particles of all ranks one after another: an exclusive scan, a dataset, and a patch for each rank. The total does not
 * depend on the number of ranks, so that files can be compared. */
static void write_particles(hid_t group, int iteration) {
  uint64_t all = 4 * PER_RANK, first = all * (uint64_t)rank / (uint64_t)nproc, i;
  patch_t patch;
  hsize_t count, start, total = all, ranks = (hsize_t)nproc, one = 1, at = (hsize_t)rank;
  electron_t *electrons;
  hid_t type = electron_type(), patches, space, memory, set, list;
  count = (hsize_t)(all * (uint64_t)(rank + 1) / (uint64_t)nproc - first);
  start = first;
  electrons = calloc(count + 1, sizeof *electrons);
  for (i = 0; i < count; ++i) electrons[i] = electron(first + i, iteration);
  H5(space = H5Screate_simple(1, &total, NULL));
  H5(memory = H5Screate_simple(1, &count, NULL));
  H5(set = H5Dcreate(group, "electrons", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  list = transfer(H5FD_MPIO_COLLECTIVE);
  H5(H5Dwrite(set, type, memory, space, list, electrons));
  H5(H5Dclose(set));
  H5(H5Sclose(memory));
  H5(H5Sclose(space));
  patch.first = first, patch.count = count, patch.owner = rank;
  H5(patches = H5Tcreate(H5T_COMPOUND, sizeof patch));
  H5(H5Tinsert(patches, "numParticlesOffset", HOFFSET(patch_t, first), H5T_NATIVE_UINT64));
  H5(H5Tinsert(patches, "numParticles", HOFFSET(patch_t, count), H5T_NATIVE_UINT64));
  H5(H5Tinsert(patches, "owner", HOFFSET(patch_t, owner), H5T_NATIVE_INT));
  H5(space = H5Screate_simple(1, &ranks, NULL));
  H5(memory = H5Screate_simple(1, &one, NULL));
  H5(set = H5Dcreate(group, "particlePatches", patches, space, H5P_DEFAULT, H5P_DEFAULT,
                     H5P_DEFAULT));
  H5(H5Sselect_elements(space, H5S_SELECT_SET, 1, &at));
  H5(H5Dwrite(set, patches, memory, space, list, &patch));
  H5(H5Dclose(set));
  H5(H5Sclose(memory));
  H5(H5Sclose(space));
  H5(H5Tclose(patches));
  H5(H5Tclose(type));
  H5(H5Pclose(list));
  free(electrons);
}

/* A tool reads some members only, in another layout, each rank alone. */
static void read_particles(hid_t file, const char *path, int iteration) {
  struct {
    float weight;
    float momentum[3];
  } some[8];
  hsize_t three = 3, start = 7, stride = 20, count = 8, i;
  hid_t set, type, vector, space, memory;
  H5(set = H5Dopen(file, path, H5P_DEFAULT));
  H5(vector = H5Tarray_create(H5T_NATIVE_FLOAT, 1, &three));
  H5(type = H5Tcreate(H5T_COMPOUND, sizeof some[0]));
  H5(H5Tinsert(type, "weighting", 0, H5T_NATIVE_FLOAT));
  H5(H5Tinsert(type, "momentum", sizeof(float), vector));
  H5(space = H5Dget_space(set));
  H5(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, &stride, &count, NULL));
  H5(memory = H5Screate_simple(1, &count, NULL));
  H5(H5Dread(set, type, memory, space, H5P_DEFAULT, some));
  for (i = 0; i < count; ++i) {
    const electron_t want = electron(7 + 20 * i, iteration);
    EXPECT(some[i].weight == want.weight && some[i].momentum[2] == (float)want.momentum[2]);
  }
  H5(H5Sclose(memory));
  H5(H5Sclose(space));
  H5(H5Tclose(vector));
  H5(H5Tclose(type));
  H5(H5Dclose(set));
}

/* ---- the run ---- */

static void write_run(const char *path) {
  hid_t access = file_access(), create = file_creation(), file, base, group, links;
  char name[64];
  int iteration;
  H5(file = H5Fcreate(path, H5F_ACC_TRUNC, create, access));
  write_string(file, "openPMD", "1.1.0");
  write_string(file, "software", "plasma110");
  H5(base = H5Gcreate(file, "data", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5(links = H5Pcreate(H5P_LINK_CREATE));
  H5(H5Pset_create_intermediate_group(links, 1));
  H5(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  for (iteration = 0; iteration < NITER; ++iteration) {
    double time = iteration * 1e-15;
    sprintf(name, "%d/fields/E", iteration * 100);
    H5(group = H5Gcreate(base, name, links, H5P_DEFAULT, H5P_DEFAULT));
    write_attribute(group, "time", H5T_NATIVE_DOUBLE, 0, &time);
    write_mesh(group, "x", iteration, 0);
    write_mesh(group, "y", iteration + 1, 1);
    H5(H5Gclose(group));
    sprintf(name, "%d/particles", iteration * 100);
    H5(group = H5Gcreate(base, name, links, H5P_DEFAULT, H5P_DEFAULT));
    write_particles(group, iteration);
    H5(H5Gclose(group));
    H5(H5Fflush(file, H5F_SCOPE_LOCAL));
  }
  H5(H5Lcreate_soft("200", base, "last", H5P_DEFAULT, H5P_DEFAULT));
  H5(H5Oset_comment_by_name(file, "data/0", "the beginning", H5P_DEFAULT));
  H5(H5Ldelete(base, "100/particles", H5P_DEFAULT));
  H5(H5Pclose(links));
  H5(H5Gclose(base));
  H5(H5Fclose(file));
  H5(H5Pclose(create));
  H5(H5Pclose(access));
}

static herr_t count_object(hid_t start, const char *name, const H5O_info_t *info, void *data) {
  (void)start;
  if (info->type == H5O_TYPE_DATASET) ++*(int *)data;
  if (rank == 0) printf("%s: type %d, %u references\n", name, (int)info->type, info->rc);
  return 0;
}

static herr_t stop_at_last(hid_t group, const char *name, const H5L_info_t *info, void *data) {
  (void)group, (void)data;
  return strcmp(name, "last") == 0 && info->type == H5L_TYPE_SOFT ? 7 : 0;
}

static herr_t count_reports(hid_t stack, void *data) {
  if (H5Eget_num(stack) > 0) ++*(int *)data;
  return 0;
}

static void look_around(hid_t file) {
  H5E_auto2_t report;
  void *data;
  char comment[32] = "";
  hsize_t idx = 0;
  unsigned intent = 9, is_v2 = 0;
  int n = 0, reports = 0;
  hid_t got, set, list;
  H5D_space_status_t status;
  H5(H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, count_object, &n,
               H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS));
  if (rank == 0) printf("%d datasets\n", n);
  EXPECT(H5Literate_by_name(file, "data", H5_INDEX_NAME, H5_ITER_INC, &idx, stop_at_last, NULL,
                            H5P_DEFAULT) == 7);
  EXPECT(H5Oget_comment_by_name(file, "data/0", comment, sizeof comment, H5P_DEFAULT) == 13);
  H5(H5Fget_intent(file, &intent));
  EXPECT(intent == H5F_ACC_RDONLY && strcmp(comment, "the beginning") == 0);
  H5(H5Eauto_is_v2(H5E_DEFAULT, &is_v2));
  EXPECT(is_v2 == 1);
  H5(H5Eget_auto(H5E_DEFAULT, &report, &data));
  H5(H5Eset_auto(H5E_DEFAULT, count_reports, &reports));
  got = H5Oopen(file, "data/100/particles", H5P_DEFAULT);
  EXPECT(got < 0 && reports == 1);
  H5E_BEGIN_TRY { got = H5Gopen(file, "data/last/fields/E/x", H5P_DEFAULT); }
  H5E_END_TRY
  EXPECT(got < 0 && reports == 1);
  H5(H5Eset_auto(H5E_DEFAULT, report, data));
  H5(set = H5Dopen(file, "data/last/fields/E/y", H5P_DEFAULT));
  H5(H5Dget_space_status(set, &status));
  H5(list = H5Dget_create_plist(set));
  if (rank == 0) printf("y: status %d, %d filters\n", (int)status, H5Pget_nfilters(list));
  EXPECT(H5Pget_layout(list) == H5D_CHUNKED);
  H5(H5Pclose(list));
  H5(H5Dclose(set));
}

static void read_run(const char *path) {
  hid_t access = file_access(), file, list;
  H5F_info2_t info;
  char name[64];
  int iteration;
  H5(file = H5Fopen(path, H5F_ACC_RDONLY, access));
  H5(H5Fget_info(file, &info));
  H5(list = H5Fget_create_plist(file));
  if (rank == 0) printf("superblock %u, free space %u\n", info.super.version, info.free.version);
  H5(H5Pclose(list));
  for (iteration = 0; iteration < NITER; ++iteration) {
    sprintf(name, "/data/%d/fields/E/x", iteration * 100);
    read_mesh(file, name, iteration);
    name[strlen(name) - 1] = 'y';
    read_mesh(file, name, iteration + 1);
    if (iteration == 1) continue;
    sprintf(name, "/data/%d/particles/electrons", iteration * 100);
    read_particles(file, name, iteration);
  }
  look_around(file);
  EXPECT(H5Fget_obj_count(file, H5F_OBJ_DATASET | H5F_OBJ_GROUP | H5F_OBJ_ATTR) == 0);
  H5(H5Fclose(file));
  H5(H5Pclose(access));
}

int main(int argc, char **argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nproc);
  if (argc < 2) fatal("usage: plasma110 FILE", __FILE__, __LINE__);
  write_run(argv[1]);
  read_run(argv[1]);
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d failures\n", all);
  MPI_Finalize();
  return all != 0;
}
