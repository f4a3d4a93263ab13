/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* Solves the 2-D heat equation on any number of ranks and writes every time step into one chunked
 * dataset [time][y][x] that grows by one step a time, with one collective write a step. Then the
 * file is opened again and each rank checks the block that another rank wrote.
 *
 * Only the public interface is used: hdf5.h as for parallel HDF5, and, where the library is
 * libpcio, pcio.h to say what each write really did. The field is the same, bit for bit, on any
 * number of ranks: every point is computed by the same expression from the same neighbours.
 *
 *   mpirun -n 4 heat
 *   mpirun -n 4 heat --initial nc4uvt.nc:T --output t.h5 */

#include <hdf5.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>
#ifdef PCIO_VERSION
#include <pcio.h>
#endif

#define kDataset "temperature"
#define kTitle "2-D heat equation, explicit Euler, fixed edges"

/* What the user asks for. */
typedef struct {
  int steps, nx, ny;
  const char* output;
  const char* initial; /* FILE:DATASET or NULL */
} Options;

/* The part of the grid that a rank holds: rows y0..y0+ny, columns x0..x0+nx, and one row or column
 * of the neighbours' values on each side. A rank without a part has ny = nx = 0. */
typedef struct {
  int y0, x0, ny, nx;
  int north, south, west, east; /* ranks, MPI_PROC_NULL at the edge */
} Block;

/* The equation: u_t = alpha (u_xx + u_yy) on the unit square. */
typedef struct {
  double alpha, dx, dy, dt;
} Physics;

static int mpi_rank = 0, mpi_size = 1;

/* ---- errors -------------------------------------------------------------------------------- */

static herr_t keep_reason(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc != NULL) snprintf((char*)out, 200, ": %s", error->desc);
  return 0;
}

/* All ranks say whether they succeeded. If one did not, the first of those prints its message with
 * the library's reason, and the program ends on all ranks: no rank is left waiting. */
static void agree(int ok, const char* format, ...) {
  int first = ok ? mpi_size : mpi_rank, lowest = mpi_size;
  char reason[200] = "";
  MPI_Allreduce(&first, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (lowest == mpi_size) return;
  if (lowest == mpi_rank) {
    va_list list;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_reason, reason);
    fprintf(stderr, "heat: rank %d: ", mpi_rank);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fprintf(stderr, "%s\n", reason);
  }
  H5close();
  MPI_Finalize();
  exit(1);
}

static void* allocate(size_t count, size_t size) {
  void* memory = calloc(count > 0 ? count : 1, size);
  agree(memory != NULL, "no memory for %zu values", count);
  return memory;
}

/* ---- options ------------------------------------------------------------------------------- */

static void print_help(void) {
  printf(
      "usage: heat [OPTIONS]\n"
      "Solves the 2-D heat equation in parallel and writes every step to an HDF5 file.\n"
      "  --steps N           time steps [100]\n"
      "  --nx N, --ny N      points of the grid, at least 3 each [192, 128]\n"
      "  --output FILE       the file to write [heat.h5]\n"
      "  --initial FILE:SET  start from the last two dimensions of a numeric dataset of an HDF5\n"
      "                      file (of further dimensions index 0), interpolated to the grid\n"
      "  --help              this text\n");
}

static int parse_number(const char* text, int least, int* out) {
  char* end = NULL;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < least || value > 1000000) return 0;
  *out = (int)value;
  return 1;
}

/* Returns 0 and leaves the offending word in *bad if the command line is not understood. */
static int parse_options(int argc, char** argv, Options* options, const char** bad) {
  for (int i = 1; i < argc; i += 2) {
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    int good = 1;
    *bad = argv[i];
    if (strcmp(argv[i], "--steps") == 0)
      good = parse_number(value, 0, &options->steps);
    else if (strcmp(argv[i], "--nx") == 0)
      good = parse_number(value, 3, &options->nx);
    else if (strcmp(argv[i], "--ny") == 0)
      good = parse_number(value, 3, &options->ny);
    else if (strcmp(argv[i], "--output") == 0)
      options->output = value;
    else if (strcmp(argv[i], "--initial") == 0)
      options->initial = value;
    else
      return 0;
    if (!good || *value == '\0') return 0;
  }
  if (options->initial != NULL && strrchr(options->initial, ':') == NULL) {
    *bad = "--initial (FILE:DATASET is expected)";
    return 0;
  }
  return 1;
}

/* ---- decomposition and solver -------------------------------------------------------------- */

static int part_begin(int n, int parts, int part) { return (int)((long long)n * part / parts); }

/* Cuts the grid into as many blocks as there are ranks, as square as possible. Where the grid has
 * too few points for that, the last ranks get none and take part with empty selections. */
static Block make_block(const Options* options) {
  Block block = {0, 0, 0, 0, MPI_PROC_NULL, MPI_PROC_NULL, MPI_PROC_NULL, MPI_PROC_NULL};
  int rows = 0, columns = 0;
  for (int used = mpi_size; rows == 0; --used)
    for (int r = 1; r <= used; ++r)
      if (used % r == 0 && r <= options->ny && used / r <= options->nx &&
          (rows == 0 || abs(r - used / r) < abs(rows - columns))) {
        rows = r;
        columns = used / r;
      }
  if (mpi_rank >= rows * columns) return block;
  const int row = mpi_rank / columns, column = mpi_rank % columns;
  block.y0 = part_begin(options->ny, rows, row);
  block.x0 = part_begin(options->nx, columns, column);
  block.ny = part_begin(options->ny, rows, row + 1) - block.y0;
  block.nx = part_begin(options->nx, columns, column + 1) - block.x0;
  if (row > 0) block.north = mpi_rank - columns;
  if (row + 1 < rows) block.south = mpi_rank + columns;
  if (column > 0) block.west = mpi_rank - 1;
  if (column + 1 < columns) block.east = mpi_rank + 1;
  return block;
}

/* Index of point (y, x) of a block in its array with the frame of neighbours' values. */
static size_t at(const Block* block, int y, int x) {
  return (size_t)(y + 1) * (size_t)(block->nx + 2) + (size_t)(x + 1);
}

static void exchange_frame(const Block* block, double* u) {
  MPI_Datatype column;
  if (block->ny == 0) return;
  MPI_Type_vector(block->ny, 1, block->nx + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Sendrecv(u + at(block, 0, 0), block->nx, MPI_DOUBLE, block->north, 1,
               u + at(block, block->ny, 0), block->nx, MPI_DOUBLE, block->south, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + at(block, block->ny - 1, 0), block->nx, MPI_DOUBLE, block->south, 2,
               u + at(block, -1, 0), block->nx, MPI_DOUBLE, block->north, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + at(block, 0, 0), 1, column, block->west, 3, u + at(block, 0, block->nx), 1,
               column, block->east, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(u + at(block, 0, block->nx - 1), 1, column, block->east, 4, u + at(block, 0, -1), 1,
               column, block->west, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Type_free(&column);
}

/* One explicit step; the edges of the grid keep their values. */
static void step(const Options* options, const Physics* physics, const Block* block,
                 const double* u, double* next) {
  const double cx = physics->alpha * physics->dt / (physics->dx * physics->dx);
  const double cy = physics->alpha * physics->dt / (physics->dy * physics->dy);
  for (int y = 0; y < block->ny; ++y)
    for (int x = 0; x < block->nx; ++x) {
      const size_t here = at(block, y, x);
      const int gy = block->y0 + y, gx = block->x0 + x;
      if (gy == 0 || gx == 0 || gy == options->ny - 1 || gx == options->nx - 1) {
        next[here] = u[here];
        continue;
      }
      const double uxx = (u[at(block, y, x - 1)] - 2.0 * u[here]) + u[at(block, y, x + 1)];
      const double uyy = (u[at(block, y - 1, x)] - 2.0 * u[here]) + u[at(block, y + 1, x)];
      next[here] = u[here] + (cx * uxx + cy * uyy);
    }
}

/* ---- initial field ------------------------------------------------------------------------- */

/* A warm square and a hot spot on a cold plate, from whole numbers: the same on every machine. */
static void plain_initial(const Options* options, const Block* block, double* u) {
  for (int y = 0; y < block->ny; ++y)
    for (int x = 0; x < block->nx; ++x) {
      const int gy = block->y0 + y, gx = block->x0 + x;
      double value = 0.0;
      if (4 * gy >= options->ny && 2 * gy <= options->ny && 4 * gx >= options->nx &&
          2 * gx <= options->nx)
        value = 100.0;
      if (4 * gy >= 3 * options->ny - 8 && 4 * gy <= 3 * options->ny + 8 &&
          4 * gx >= 3 * options->nx - 8 && 4 * gx <= 3 * options->nx + 8)
        value = 400.0;
      u[at(block, y, x)] = value;
    }
}

/* Where point `index` of `points` lies among `source` points over the same interval: between
 * *low and *low + 1 (or at *low where there is only one) with the weight of the second. */
static double place(int index, int points, hsize_t source, hsize_t* low) {
  const double position = (double)index * (double)(source - 1) / (double)(points - 1);
  *low = (hsize_t)position;
  if (source > 1 && *low > source - 2) *low = source - 2;
  return position - (double)*low;
}

/* The rows or columns of the source that the points first .. first+count-1 need. */
static void needed(int first, int count, int points, hsize_t source, hsize_t* begin,
                   hsize_t* size) {
  hsize_t last = 0;
  place(first, points, source, begin);
  place(first + count - 1, points, source, &last);
  *size = last - *begin + (source > 1 ? 2 : 1);
}

static void interpolate(const Options* options, const Block* block, const hsize_t source[2],
                        const hsize_t begin[2], const hsize_t size[2], const double* field,
                        double* u) {
  const hsize_t down = source[0] > 1 ? size[1] : 0, right = source[1] > 1 ? 1 : 0;
  for (int y = 0; y < block->ny; ++y)
    for (int x = 0; x < block->nx; ++x) {
      hsize_t sy = 0, sx = 0;
      const double wy = place(block->y0 + y, options->ny, source[0], &sy);
      const double wx = place(block->x0 + x, options->nx, source[1], &sx);
      const double* p = field + (sy - begin[0]) * size[1] + (sx - begin[1]);
      const double upper = (1.0 - wx) * p[0] + wx * p[right];
      const double lower = (1.0 - wx) * p[down] + wx * p[down + right];
      u[at(block, y, x)] = (1.0 - wy) * upper + wy * lower;
    }
}

/* Reads the rows and columns that this rank's block needs, in the last two dimensions. */
static void read_source(hid_t dataset, const char* name, const Options* options, const Block* block,
                        double* u) {
  hsize_t dims[H5S_MAX_RANK] = {0}, start[H5S_MAX_RANK] = {0}, count[H5S_MAX_RANK];
  hsize_t begin[2] = {0, 0}, size[2] = {0, 0};
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  const H5T_class_t kind = H5Tget_class(type);
  const int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  agree(kind == H5T_INTEGER || kind == H5T_FLOAT, "%s is not a dataset of numbers", name);
  agree(ndims >= 2 && H5Sget_simple_extent_npoints(space) > 0,
        "%s has %d dimensions; at least two with values are needed", name, ndims);
  const hsize_t* source = dims + ndims - 2;
  if (block->ny > 0) {
    needed(block->y0, block->ny, options->ny, source[0], &begin[0], &size[0]);
    needed(block->x0, block->nx, options->nx, source[1], &begin[1], &size[1]);
  }
  double* field = (double*)allocate((size_t)(size[0] * size[1]), sizeof *field);
  const hid_t memory = H5Screate_simple(2, size, NULL);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  for (int d = 0; d < ndims; ++d) count[d] = 1;
  for (int d = 0; d < 2; ++d) {
    start[ndims - 2 + d] = begin[d];
    count[ndims - 2 + d] = size[d];
  }
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  int ok = block->ny > 0 ? H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0
                         : H5Sselect_none(space) >= 0 && H5Sselect_none(memory) >= 0;
  ok = H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, field) >= 0 && ok;
  agree(ok, "cannot read %s", name);
  for (hsize_t i = 0; i < size[0] * size[1] && ok; ++i) ok = field[i] - field[i] == 0.0;
  agree(ok, "%s has values that are not finite", name);
  interpolate(options, block, source, begin, size, field, u);
  if (mpi_rank == 0)
    printf("initial field: %s, the last two of %d dimensions: %llu x %llu\n", name, ndims,
           (unsigned long long)source[0], (unsigned long long)source[1]);
  H5Pclose(transfer);
  H5Sclose(memory);
  H5Tclose(type);
  H5Sclose(space);
  free(field);
}

static void foreign_initial(const Options* options, const Block* block, double* u) {
  char* file_name = (char*)allocate(strlen(options->initial) + 1, 1);
  memcpy(file_name, options->initial, strlen(options->initial) + 1);
  char* colon = strrchr(file_name, ':');
  *colon = '\0';
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fopen(file_name, H5F_ACC_RDONLY, access);
  agree(file >= 0, "cannot open %s", file_name);
  const hid_t dataset = H5Dopen2(file, colon + 1, H5P_DEFAULT);
  agree(dataset >= 0, "no dataset %s in %s", colon + 1, file_name);
  read_source(dataset, options->initial, options, block, u);
  H5Dclose(dataset);
  agree(H5Fclose(file) >= 0, "cannot close %s", file_name);
  H5Pclose(access);
  free(file_name);
}

/* ---- the file ------------------------------------------------------------------------------ */

static int write_attribute(hid_t object, const char* name, hid_t type, hid_t space,
                           const void* value) {
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  const int ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
  return H5Aclose(attribute) >= 0 && ok;
}

static int write_text(hid_t object, const char* name, const char* text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  int ok = H5Tset_size(type, strlen(text) + 1) >= 0;
  ok = write_attribute(object, name, type, space, text) && ok;
  H5Sclose(space);
  return H5Tclose(type) >= 0 && ok;
}

static int write_attributes(hid_t file, hid_t dataset, const Options* options,
                            const Physics* physics) {
  const hsize_t two = 2;
  const int grid[2] = {options->ny, options->nx};
  const hid_t scalar = H5Screate(H5S_SCALAR), pair = H5Screate_simple(1, &two, NULL);
  int ok = write_text(file, "title", kTitle);
  ok = write_text(file, "initial", options->initial != NULL ? options->initial : "plate") && ok;
  ok = write_attribute(file, "grid", H5T_NATIVE_INT, pair, grid) && ok;
  ok = write_attribute(file, "steps", H5T_NATIVE_INT, scalar, &options->steps) && ok;
  ok = write_text(dataset, "units", "K") && ok;
  ok = write_attribute(dataset, "alpha", H5T_NATIVE_DOUBLE, scalar, &physics->alpha) && ok;
  ok = write_attribute(dataset, "dt", H5T_NATIVE_DOUBLE, scalar, &physics->dt) && ok;
  ok = write_attribute(dataset, "dx", H5T_NATIVE_DOUBLE, scalar, &physics->dx) && ok;
  ok = write_attribute(dataset, "dy", H5T_NATIVE_DOUBLE, scalar, &physics->dy) && ok;
  H5Sclose(pair);
  return H5Sclose(scalar) >= 0 && ok;
}

static hid_t create_dataset(hid_t file, const Options* options) {
  const hsize_t ny = (hsize_t)options->ny, nx = (hsize_t)options->nx;
  const hsize_t dims[3] = {0, ny, nx}, most[3] = {H5S_UNLIMITED, ny, nx};
  /* One step high, so that a step is whole chunks; the shape does not depend on the ranks. */
  const hsize_t chunk[3] = {1, ny < 64 ? ny : 64, nx < 64 ? nx : 64};
  const hid_t space = H5Screate_simple(3, dims, most), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 3, chunk);
  const hid_t dataset =
      H5Dcreate2(file, kDataset, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  H5Sclose(space);
  return dataset;
}

/* Selects time step `time` of a block in the file, and the block inside its frame in memory. */
static int select_block(const Block* block, hsize_t time, hid_t file_space, hid_t memory_space) {
  const hsize_t start[3] = {time, (hsize_t)block->y0, (hsize_t)block->x0};
  const hsize_t count[3] = {1, (hsize_t)block->ny, (hsize_t)block->nx};
  const hsize_t inside[2] = {1, 1};
  if (block->ny == 0) return H5Sselect_none(file_space) >= 0 && H5Sselect_none(memory_space) >= 0;
  return H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
         H5Sselect_hyperslab(memory_space, H5S_SELECT_SET, inside, NULL, count + 1, NULL) >= 0;
}

static hid_t make_memory_space(const Block* block) {
  const hsize_t dims[2] = {(hsize_t)block->ny + 2, (hsize_t)block->nx + 2};
  return H5Screate_simple(2, dims, NULL);
}

/* ---- what the writes did ------------------------------------------------------------------- */

/* Equal lines of following writes are printed once. */
typedef struct {
  char line[400];
  int first, last;
} Report;

static void print_report(const Report* report) {
  if (mpi_rank != 0 || report->line[0] == '\0') return;
  if (report->first == report->last)
    printf("write %d: %s\n", report->first, report->line);
  else
    printf("writes %d to %d, each: %s\n", report->first, report->last, report->line);
}

#ifdef PCIO_VERSION
/* Modes are the ranks' common ones; counters are summed over all ranks. */
static void describe_write(hid_t transfer, char* line, size_t size) {
  pcio_transfer_report_t done;
  unsigned long long mine[5], all[5] = {0, 0, 0, 0, 0};
  char causes[160] = "";
  memset(&done, 0, sizeof done);
  pcio_get_transfer_report(transfer, &done, sizeof done);
  pcio_cause_text(done.global_causes, causes, sizeof causes);
  mine[0] = done.bytes_selected;
  mine[1] = done.bytes_written;
  mine[2] = done.collective_writes;
  mine[3] = done.independent_writes;
  mine[4] = done.view_changes;
  MPI_Reduce(mine, all, 5, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  snprintf(line, size,
           "%s, %s, transport %s (%s); %llu of %llu bytes written by %llu collective and %llu "
           "independent MPI-IO calls, %llu view changes",
           pcio_io_mode_name(done.actual_io_mode),
           pcio_chunk_opt_mode_name(done.actual_chunk_opt_mode),
           pcio_transport_name(done.transport), causes, all[1], all[0], all[2], all[3], all[4]);
}
#else
static void describe_write(hid_t transfer, char* line, size_t size) {
  H5D_mpio_actual_io_mode_t mode = H5D_MPIO_NO_COLLECTIVE;
  H5D_mpio_actual_chunk_opt_mode_t option = H5D_MPIO_NO_CHUNK_OPTIMIZATION;
  H5Pget_mpio_actual_io_mode(transfer, &mode);
  H5Pget_mpio_actual_chunk_opt_mode(transfer, &option);
  snprintf(line, size, "I/O mode %d, chunk option %d", (int)mode, (int)option);
}
#endif

static void add_report(Report* report, hid_t transfer, int number) {
  Report now;
  describe_write(transfer, now.line, sizeof now.line);
  now.first = now.last = number;
  if (strcmp(now.line, report->line) == 0) {
    report->last = number;
    return;
  }
  print_report(report);
  *report = now;
}

/* ---- checksums ----------------------------------------------------------------------------- */

/* Sum over points of a mix of position and bits: the same for every decomposition. */
static uint64_t checksum(const Options* options, const Block* block, hsize_t time,
                         const double* u) {
  uint64_t sum = 0;
  for (int y = 0; y < block->ny; ++y)
    for (int x = 0; x < block->nx; ++x) {
      const uint64_t row = (uint64_t)time * (uint64_t)options->ny + (uint64_t)(block->y0 + y);
      const uint64_t index = row * (uint64_t)options->nx + (uint64_t)(block->x0 + x);
      uint64_t bits = 0;
      memcpy(&bits, &u[at(block, y, x)], sizeof bits);
      bits ^= (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
      bits *= UINT64_C(0xbf58476d1ce4e5b9);
      sum += bits ^ (bits >> 29);
    }
  return sum;
}

/* ---- the job ------------------------------------------------------------------------------- */

/* Runs all steps and writes each; sums[t] is the checksum of this rank's block at step t. */
static void solve_and_write(hid_t dataset, const Options* options, const Physics* physics,
                            const Block* block, double* u, uint64_t* sums) {
  double* next = (double*)allocate(at(block, block->ny, block->nx) + 1, sizeof *next);
  const hid_t memory = make_memory_space(block), transfer = H5Pcreate(H5P_DATASET_XFER);
  Report report = {"", 0, 0};
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  for (int t = 0; t <= options->steps; ++t) {
    const hsize_t dims[3] = {(hsize_t)t + 1, (hsize_t)options->ny, (hsize_t)options->nx};
    int ok = H5Dset_extent(dataset, dims) >= 0;
    const hid_t space = H5Dget_space(dataset);
    ok = select_block(block, (hsize_t)t, space, memory) && ok;
    ok = H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, u) >= 0 && ok;
    H5Sclose(space);
    agree(ok, "cannot write step %d", t);
    add_report(&report, transfer, t);
    sums[t] = checksum(options, block, (hsize_t)t, u);
    if (t == options->steps) break;
    exchange_frame(block, u);
    step(options, physics, block, u, next);
    memcpy(u, next, (at(block, block->ny, block->nx) + 1) * sizeof *u);
  }
  print_report(&report);
  H5Pclose(transfer);
  H5Sclose(memory);
  free(next);
}

static void write_file(const Options* options, const Physics* physics, const Block* block,
                       double* u, uint64_t* sums) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  agree(H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0, "no MPI-IO");
  const hid_t file = H5Fcreate(options->output, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  agree(file >= 0, "cannot create %s", options->output);
  const hid_t dataset = create_dataset(file, options);
  agree(dataset >= 0, "cannot create dataset %s", kDataset);
  agree(write_attributes(file, dataset, options, physics), "cannot write the attributes");
  solve_and_write(dataset, options, physics, block, u, sums);
  agree(H5Dclose(dataset) >= 0, "cannot close dataset %s", kDataset);
  agree(H5Fclose(file) >= 0, "cannot close %s", options->output);
  H5Pclose(access);
}

/* Takes the next rank's block and checksums, to check what that rank wrote. */
static Block others_block(const Options* options, const Block* mine, uint64_t* sums) {
  const int next = (mpi_rank + 1) % mpi_size, before = (mpi_rank + mpi_size - 1) % mpi_size;
  Block other = *mine;
  MPI_Sendrecv(mine, (int)sizeof *mine, MPI_BYTE, before, 5, &other, (int)sizeof other, MPI_BYTE,
               next, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(sums, options->steps + 1, MPI_UINT64_T, before, 6, next, 6, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  return other;
}

/* Reads the next rank's block of every step; returns the number of steps that are wrong here. */
static int check_steps(hid_t dataset, const Options* options, const Block* other,
                       const uint64_t* sums) {
  double* u = (double*)allocate(at(other, other->ny, other->nx) + 1, sizeof *u);
  const hid_t memory = make_memory_space(other), space = H5Dget_space(dataset);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  int wrong = 0;
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  for (int t = 0; t <= options->steps; ++t) {
    int ok = select_block(other, (hsize_t)t, space, memory);
    ok = H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, transfer, u) >= 0 && ok;
    agree(ok, "cannot read step %d", t);
    if (checksum(options, other, (hsize_t)t, u) != sums[t]) ++wrong;
  }
  H5Pclose(transfer);
  H5Sclose(space);
  H5Sclose(memory);
  free(u);
  return wrong;
}

/* Opens the file again and compares everything; ends the program on all ranks if it is not what
 * was written. */
static void verify(const Options* options, const Physics* physics, const Block* block,
                   uint64_t* sums) {
  hsize_t dims[3] = {0, 0, 0};
  double dt = 0.0;
  const Block other = others_block(options, block, sums);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
  const hid_t file = H5Fopen(options->output, H5F_ACC_RDONLY, access);
  agree(file >= 0, "cannot open %s again", options->output);
  const hid_t dataset = H5Dopen2(file, kDataset, H5P_DEFAULT);
  agree(dataset >= 0, "no dataset %s in %s", kDataset, options->output);
  const hid_t space = H5Dget_space(dataset), attribute = H5Aopen(dataset, "dt", H5P_DEFAULT);
  const int ndims = H5Sget_simple_extent_dims(space, dims, NULL);
  agree(ndims == 3 && dims[0] == (hsize_t)options->steps + 1 && dims[1] == (hsize_t)options->ny &&
            dims[2] == (hsize_t)options->nx,
        "the dataset has another shape");
  const int ok = H5Aread(attribute, H5T_NATIVE_DOUBLE, &dt) >= 0 && dt == physics->dt;
  agree(ok, "attribute dt is not what was written");
  H5Aclose(attribute);
  H5Sclose(space);
  const int wrong = check_steps(dataset, options, &other, sums);
  agree(wrong == 0, "%d steps of the next rank's block are not what was written", wrong);
  H5Dclose(dataset);
  agree(H5Fclose(file) >= 0, "cannot close %s", options->output);
  H5Pclose(access);
}

static void print_field(const Options* options, const Block* block, const double* u,
                        const uint64_t* sums) {
  double low = 1e300, high = -1e300;
  uint64_t mine = 0, all = 0;
  for (int y = 0; y < block->ny; ++y)
    for (int x = 0; x < block->nx; ++x) {
      const double value = u[at(block, y, x)];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
  for (int t = 0; t <= options->steps; ++t) mine += sums[t];
  MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &high, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  if (mpi_rank == 0)
    printf("last step: %.17g to %.17g; checksum of all steps: %016llx\n", low, high,
           (unsigned long long)all);
}

static void run(const Options* options) {
  const Block block = make_block(options);
  Physics physics = {1.0, 1.0 / (options->nx - 1), 1.0 / (options->ny - 1), 0.0};
  const double curvature = 1.0 / (physics.dx * physics.dx) + 1.0 / (physics.dy * physics.dy);
  physics.dt = 0.25 / (physics.alpha * curvature); /* half of what is stable */
  double* u = (double*)allocate(at(&block, block.ny, block.nx) + 1, sizeof *u);
  uint64_t* sums = (uint64_t*)allocate((size_t)options->steps + 1, sizeof *sums);
  if (mpi_rank == 0)
    printf("heat: %d x %d points, %d steps, %d ranks\n", options->ny, options->nx, options->steps,
           mpi_size);
  if (options->initial != NULL)
    foreign_initial(options, &block, u);
  else
    plain_initial(options, &block, u);
  write_file(options, &physics, &block, u, sums);
  print_field(options, &block, u, sums);
  verify(options, &physics, &block, sums);
  if (mpi_rank == 0)
    printf("%s: read back, each rank's block checked by another rank: all %d steps right\n",
           options->output, options->steps + 1);
  free(sums);
  free(u);
}

int main(int argc, char** argv) {
  Options options = {100, 192, 128, "heat.h5", NULL};
  const char* bad = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi_size);
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    if (mpi_rank == 0) print_help();
    MPI_Finalize();
    return 0;
  }
  if (!parse_options(argc, argv, &options, &bad)) {
    if (mpi_rank == 0) fprintf(stderr, "heat: cannot make sense of %s; try --help\n", bad);
    MPI_Finalize();
    return 2;
  }
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  run(&options);
  MPI_Finalize();
  return 0;
}
