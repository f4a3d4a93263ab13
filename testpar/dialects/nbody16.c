/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * An N-body code as it was written for parallel HDF5 1.6: short argument lists, H5G calls for links, iteration and
 * comments, old error calls, a log that grows by H5Dextend, checkpoints of compounds, restart. Nothing in it knows which
 * library it is linked with; dialects.sh compares what it prints and what it leaves. Usage: nbody16 FILE
 */
#define H5_USE_16_API 1
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define NPART 240 /* particles of the whole run */
#define NSTEP 5   /* checkpoints */
#define NGRID 24  /* cells of the density field along a side */
#define NAMELEN 16

typedef struct {
  int id;
  float mass;
  double pos[3];
  double vel[3];
  char species[NAMELEN];
} particle_t;

typedef struct {
  double time, kinetic, potential;
  long steps;
} energy_t;

static int rank, nproc;
static int first, mine; /* this rank's particles */
static int failures = 0;

/* ---- errors, in the manner of the time ---- */

static void die(const char *what, int line) {
  fprintf(stderr, "rank %d, line %d: %s\n", rank, line, what);
  H5Eprint(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

#define CHECK(call)                       \
  do {                                    \
    if ((call) < 0) die(#call, __LINE__); \
  } while (0)

#define EXPECT(condition)                                                            \
  do {                                                                               \
    if (!(condition)) {                                                              \
      ++failures;                                                                    \
      fprintf(stderr, "rank %d, line %d: not so: %s\n", rank, __LINE__, #condition); \
    }                                                                                \
  } while (0)

static herr_t count_reports(void *data) {
  ++*(int *)data;
  return 0;
}

static herr_t count_frames(int n, H5E_error_t *error, void *data) {
  (void)n;
  if (error->func_name != NULL && error->desc != NULL) ++*(int *)data;
  return 0;
}

static void say(const char *format, double a, double b) {
  if (rank == 0) printf(format, a, b);
}

/* ---- types ---- */

static hid_t particle_type(void) {
  hsize_t three = 3;
  hid_t vector = H5Tarray_create(H5T_NATIVE_DOUBLE, 1, &three, NULL);
  hid_t text = H5Tcopy(H5T_C_S1);
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(particle_t));
  CHECK(H5Tset_size(text, NAMELEN));
  CHECK(H5Tinsert(type, "id", HOFFSET(particle_t, id), H5T_NATIVE_INT));
  CHECK(H5Tinsert(type, "mass", HOFFSET(particle_t, mass), H5T_NATIVE_FLOAT));
  CHECK(H5Tinsert(type, "position", HOFFSET(particle_t, pos), vector));
  CHECK(H5Tinsert(type, "velocity", HOFFSET(particle_t, vel), vector));
  CHECK(H5Tinsert(type, "species", HOFFSET(particle_t, species), text));
  CHECK(H5Tclose(text));
  CHECK(H5Tclose(vector));
  return type;
}

static hid_t energy_type(void) {
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(energy_t));
  CHECK(H5Tinsert(type, "time", HOFFSET(energy_t, time), H5T_NATIVE_DOUBLE));
  CHECK(H5Tinsert(type, "kinetic", HOFFSET(energy_t, kinetic), H5T_NATIVE_DOUBLE));
  CHECK(H5Tinsert(type, "potential", HOFFSET(energy_t, potential), H5T_NATIVE_DOUBLE));
  CHECK(H5Tinsert(type, "steps", HOFFSET(energy_t, steps), H5T_NATIVE_LONG));
  return type;
}

/* ---- attributes ---- */

static void put_double(hid_t where, const char *name, double value) {
  hid_t space = H5Screate(H5S_SCALAR), attribute;
  CHECK(attribute = H5Acreate(where, name, H5T_IEEE_F64BE, space, H5P_DEFAULT));
  CHECK(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value));
  CHECK(H5Aclose(attribute));
  CHECK(H5Sclose(space));
}

static void put_text(hid_t where, const char *name, const char *value) {
  hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1), attribute;
  CHECK(H5Tset_size(type, strlen(value) + 1));
  CHECK(attribute = H5Acreate(where, name, type, space, H5P_DEFAULT));
  CHECK(H5Awrite(attribute, type, value));
  CHECK(H5Aclose(attribute));
  CHECK(H5Tclose(type));
  CHECK(H5Sclose(space));
}

static double get_double(hid_t where, const char *name) {
  double value = 0;
  hid_t attribute;
  CHECK(attribute = H5Aopen_name(where, name));
  CHECK(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value));
  CHECK(H5Aclose(attribute));
  return value;
}

/* ---- physics: enough to have numbers ---- */

static void begin_particles(particle_t *p) {
  int i;
  memset(p, 0, (size_t)mine * sizeof *p);
  for (i = 0; i < mine; ++i) {
    int id = first + i;
    p[i].id = id;
    p[i].mass = 1.0F + (float)(id % 7) / 8;
    p[i].pos[0] = (id * 37 % NPART) / (double)NPART;
    p[i].pos[1] = (id * 101 % NPART) / (double)NPART;
    p[i].pos[2] = (id * 11 % NPART) / (double)NPART;
    p[i].vel[0] = 0.25 - p[i].pos[1] / 2;
    p[i].vel[1] = p[i].pos[0] / 2 - 0.25;
    strcpy(p[i].species, id % 3 == 0 ? "gas" : id % 3 == 1 ? "star" : "dark matter");
  }
}

static energy_t move_particles(particle_t *p, int step) {
  energy_t energy = {0, 0, 0, 0};
  long sums[2] = {0, 0}, all[2];
  int i, k;
  for (i = 0; i < mine; ++i)
    for (k = 0; k < 3; ++k) {
      p[i].pos[k] += p[i].vel[k] / 16;
      p[i].pos[k] -= floor(p[i].pos[k]);
      /* Integers: their sum does not depend on the order of the ranks. */
      sums[0] += (long)(p[i].vel[k] * p[i].vel[k] * 1024);
      sums[1] -= (long)(p[i].pos[k] * 1024);
    }
  MPI_Allreduce(sums, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  energy.time = step / 16.0;
  energy.kinetic = (double)all[0] / 1024;
  energy.potential = (double)all[1] / 1024;
  energy.steps = step;
  return energy;
}

/* ---- output ---- */

static hid_t open_access(void) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(access);
  CHECK(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL));
  CHECK(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG));
  return access;
}

static hid_t collective(void) {
  hid_t list = H5Pcreate(H5P_DATASET_XFER);
  CHECK(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE));
  return list;
}

static void write_particles(hid_t group, hid_t type, const particle_t *p) {
  hsize_t all = NPART, start = (hsize_t)first, count = (hsize_t)mine;
  hid_t space = H5Screate_simple(1, &all, NULL), memory = H5Screate_simple(1, &count, NULL);
  hid_t list = collective(), set;
  CHECK(set = H5Dcreate(group, "particles", type, space, H5P_DEFAULT));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  if (mine == 0) CHECK(H5Sselect_none(space));
  CHECK(H5Dwrite(set, type, memory, space, list, p));
  CHECK(H5Gset_comment(group, "particles", "one record a particle, by id"));
  CHECK(H5Dclose(set));
  CHECK(H5Pclose(list));
  CHECK(H5Sclose(memory));
  CHECK(H5Sclose(space));
}

/* The density on a grid: rows of cells by rank, chunked, with a fill value where nobody writes. */
static void write_density(hid_t group, int step) {
  hsize_t dims[2] = {NGRID, NGRID}, chunk[2] = {5, 7}, start[2], count[2], stride[2];
  float fill = -1, *values = malloc(NGRID * NGRID * sizeof(float));
  hid_t space = H5Screate_simple(2, dims, NULL), memory, layout = H5Pcreate(H5P_DATASET_CREATE),
        set, list;
  hsize_t cells, i;
  /* Every second column, so that the others stay what the fill value says. */
  start[0] = (hsize_t)(NGRID * rank / nproc);
  start[1] = (hsize_t)(step % 2);
  stride[0] = 1, stride[1] = 2;
  count[0] = (hsize_t)(NGRID * (rank + 1) / nproc) - start[0];
  count[1] = NGRID / 2;
  cells = count[0] * count[1];
  for (i = 0; i < cells; ++i) values[i] = (float)(step * 1000) + (float)(start[0] * NGRID / 2 + i);
  CHECK(H5Pset_chunk(layout, 2, chunk));
  CHECK(H5Pset_fill_value(layout, H5T_NATIVE_FLOAT, &fill));
  CHECK(set = H5Dcreate(group, "density", H5T_IEEE_F32LE, space, layout));
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, stride, count, NULL));
  CHECK(memory = H5Screate_simple(1, &cells, NULL));
  list = collective();
  CHECK(H5Dwrite(set, H5T_NATIVE_FLOAT, memory, space, list, values));
  put_text(set, "units", "solar masses / kpc^2");
  CHECK(H5Dclose(set));
  CHECK(H5Pclose(layout));
  CHECK(H5Pclose(list));
  CHECK(H5Sclose(memory));
  CHECK(H5Sclose(space));
  free(values);
}

/* The log of energies grows by a record a step; rank 0 writes it alone. */
static void append_energy(hid_t file, hid_t type, const energy_t *energy, int step) {
  hsize_t size = (hsize_t)step + 1, at = (hsize_t)step, one = 1;
  hid_t set, space, memory;
  CHECK(set = H5Dopen(file, "energies"));
  CHECK(H5Dextend(set, &size));
  CHECK(space = H5Dget_space(set));
  CHECK(memory = H5Screate_simple(1, &one, NULL));
  if (rank == 0) {
    CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &at, NULL, &one, NULL));
    CHECK(H5Dwrite(set, type, memory, space, H5P_DEFAULT, energy));
  }
  CHECK(H5Sclose(memory));
  CHECK(H5Sclose(space));
  CHECK(H5Dclose(set));
}

static void make_log(hid_t file, hid_t type) {
  hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = 4;
  hid_t space = H5Screate_simple(1, &none, &unlimited), layout = H5Pcreate(H5P_DATASET_CREATE), set;
  CHECK(H5Pset_chunk(layout, 1, &chunk));
  CHECK(set = H5Dcreate(file, "energies", type, space, layout));
  CHECK(H5Dclose(set));
  CHECK(H5Pclose(layout));
  CHECK(H5Sclose(space));
}

static void write_run(const char *path, particle_t *p) {
  hid_t access = open_access(), file, type = particle_type(), energies = energy_type(), group,
        committed;
  char name[32];
  int step;
  CHECK(file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access));
  CHECK(group = H5Gcreate(file, "types", 0));
  CHECK(committed = H5Tcopy(type));
  CHECK(H5Tcommit(group, "particle", committed));
  CHECK(H5Gclose(group));
  put_text(file, "code", "nbody 1.6");
  put_double(file, "boxsize", 100);
  make_log(file, energies);
  for (step = 0; step < NSTEP; ++step) {
    const energy_t energy = move_particles(p, step);
    sprintf(name, "step%04d", step);
    CHECK(group = H5Gcreate(file, name, 256));
    put_double(group, "time", energy.time);
    write_particles(group, committed, p);
    write_density(group, step);
    CHECK(H5Gclose(group));
    append_energy(file, energies, &energy, step);
    CHECK(H5Fflush(file, H5F_SCOPE_GLOBAL));
  }
  /* The last one has a second name, one is renamed, one goes away. */
  CHECK(H5Glink(file, H5G_LINK_SOFT, name, "latest"));
  CHECK(H5Glink(file, H5G_LINK_HARD, "/types/particle", "record"));
  CHECK(H5Gmove(file, "step0000", "initial"));
  CHECK(H5Gunlink(file, "step0001"));
  CHECK(H5Tclose(committed));
  CHECK(H5Tclose(energies));
  CHECK(H5Tclose(type));
  CHECK(H5Fclose(file));
  CHECK(H5Pclose(access));
}

/* ---- restart ---- */

static herr_t show_member(hid_t group, const char *name, void *data) {
  H5G_stat_t facts;
  static const char *const kinds[] = {"link", "group", "dataset", "type"};
  CHECK(H5Gget_objinfo(group, name, 0, &facts));
  ++*(int *)data;
  if (rank == 0)
    printf("  %s: %s, %u hard links\n", name, kinds[facts.type == H5G_LINK ? 0 : facts.type + 1],
           facts.type == H5G_LINK ? 0 : facts.nlink);
  return 0;
}

static herr_t show_attribute(hid_t where, const char *name, void *data) {
  (void)where;
  strcat(strcat((char *)data, name), " ");
  return 0;
}

static void read_particles(hid_t file, const particle_t *want) {
  hsize_t start = (hsize_t)first, count = (hsize_t)mine, dims[1] = {0};
  hid_t type = particle_type(), set, space, memory, list = collective();
  particle_t *got = calloc((size_t)mine + 1, sizeof *got);
  char comment[64] = "";
  int i, perm[1] = {0};
  hid_t member, stored;
  CHECK(set = H5Dopen(file, "latest/particles"));
  CHECK(space = H5Dget_space(set));
  EXPECT(H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_npoints(space) == NPART);
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL));
  if (mine == 0) CHECK(H5Sselect_none(space));
  CHECK(memory = H5Screate_simple(1, &count, NULL));
  CHECK(H5Dread(set, type, memory, space, list, got));
  for (i = 0; i < mine; ++i)
    EXPECT(got[i].id == want[i].id && memcmp(got[i].pos, want[i].pos, sizeof got[i].pos) == 0 &&
           strcmp(got[i].species, want[i].species) == 0);
  CHECK(stored = H5Dget_type(set));
  EXPECT(H5Tcommitted(stored) > 0 && H5Tget_nmembers(stored) == 5 &&
         H5Tget_member_index(stored, "velocity") == 3);
  CHECK(member = H5Tget_member_type(stored, 3));
  EXPECT(H5Tget_class(member) == H5T_ARRAY && H5Tget_array_dims(member, dims, perm) == 1 &&
         dims[0] == 3);
  CHECK(H5Gget_comment(file, "latest/particles", sizeof comment, comment));
  if (rank == 0) printf("comment: %s\n", comment);
  CHECK(H5Tclose(member));
  CHECK(H5Tclose(stored));
  CHECK(H5Tclose(type));
  CHECK(H5Sclose(memory));
  CHECK(H5Sclose(space));
  CHECK(H5Pclose(list));
  CHECK(H5Dclose(set));
  free(got);
}

static void read_log(hid_t file) {
  hid_t type = energy_type(), set, space;
  hsize_t size = 0, limit = 0;
  energy_t energies[NSTEP];
  int i;
  CHECK(set = H5Dopen(file, "energies"));
  CHECK(space = H5Dget_space(set));
  EXPECT(H5Sget_simple_extent_dims(space, &size, &limit) == 1 && size == NSTEP &&
         limit == H5S_UNLIMITED);
  CHECK(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, energies));
  for (i = 0; i < NSTEP; ++i) say("energies: %g %g\n", energies[i].kinetic, energies[i].potential);
  CHECK(H5Sclose(space));
  CHECK(H5Dclose(set));
  CHECK(H5Tclose(type));
}

/* What a careful code does: tries, in silence, and gives its own report otherwise. */
static void try_what_is_missing(hid_t file) {
  H5E_auto_t report = NULL;
  void *data = NULL;
  int reports = 0, frames = 0;
  hid_t got;
  CHECK(H5Eget_auto(&report, &data));
  CHECK(H5Eset_auto(count_reports, &reports));
  EXPECT((got = H5Gopen(file, "no such group")) < 0);
  EXPECT(reports == 1);
  CHECK(H5Eset_auto(NULL, NULL));
  EXPECT((got = H5Dopen(file, "step0001/particles")) < 0);
  EXPECT(reports == 1);
  CHECK(H5Ewalk(H5E_WALK_DOWNWARD, count_frames, &frames));
  EXPECT(frames > 0);
  CHECK(H5Eclear());
  CHECK(H5Eset_auto(report, data));
  H5E_BEGIN_TRY { got = H5Aopen_name(file, "nothing"); }
  H5E_END_TRY;
  EXPECT(got < 0);
}

static void read_run(const char *path, const particle_t *p) {
  hid_t access = open_access(), file, group;
  char names[256] = "", target[64] = "";
  hsize_t objects = 0;
  int members = 0, from = 0;
  CHECK(file = H5Fopen(path, H5F_ACC_RDONLY, access));
  CHECK(H5Giterate(file, "/", &from, show_member, &members));
  CHECK(group = H5Gopen(file, "/"));
  CHECK(H5Gget_num_objs(group, &objects));
  EXPECT((hsize_t)members == objects && H5Aget_num_attrs(group) == 2);
  CHECK(H5Aiterate(group, NULL, show_attribute, names));
  CHECK(H5Gget_objname_by_idx(group, 0, target, sizeof target));
  if (rank == 0) printf("attributes: %s\nfirst: %s\n", names, target);
  CHECK(H5Gget_linkval(group, "latest", sizeof target, target));
  if (rank == 0) printf("latest: %s\n", target);
  CHECK(H5Gclose(group));
  CHECK(group = H5Gopen(file, "latest"));
  say("time %g of a box of %g\n", get_double(group, "time"), get_double(file, "boxsize"));
  CHECK(H5Gclose(group));
  read_particles(file, p);
  read_log(file);
  try_what_is_missing(file);
  CHECK(H5Fclose(file));
  CHECK(H5Pclose(access));
}

int main(int argc, char **argv) {
  particle_t *particles;
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nproc);
  if (argc < 2) die("usage: nbody16 FILE", __LINE__);
  CHECK(H5open());
  /* With more than two ranks the last one has nothing. */
  {
    int workers = nproc > 2 ? nproc - 1 : nproc;
    first = rank < workers ? NPART * rank / workers : NPART;
    mine = (rank < workers ? NPART * (rank + 1) / workers : NPART) - first;
  }
  particles = calloc((size_t)mine + 1, sizeof *particles);
  begin_particles(particles);
  write_run(argv[1], particles);
  read_run(argv[1], particles);
  free(particles);
  CHECK(H5close());
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d failures\n", all);
  MPI_Finalize();
  return all != 0;
}
