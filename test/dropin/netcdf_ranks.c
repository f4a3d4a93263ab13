/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Parallel netCDF-4 with Debian's library (room: test/dropin): each rank writes its columns of a growing variable and its part
 * of a compressed one, and reads those of the next rank.  netcdf_ranks FILE
 */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>

#define ROWS 5
#define COLUMNS 100
#define OK(call)                                                        \
  do {                                                                  \
    int status_ = (call);                                               \
    if (status_ != NC_NOERR) {                                          \
      fprintf(stderr, "line %d: %s\n", __LINE__, nc_strerror(status_)); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                     \
    }                                                                   \
  } while (0)

static void write_file(const char *name, int rank, int ranks) {
  int file, dims[2], grows, packed;
  double values[ROWS * COLUMNS];
  int numbers[COLUMNS];
  const size_t start[2] = {0, (size_t)rank * COLUMNS}, count[2] = {ROWS, COLUMNS};
  OK(nc_create_par(name, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  OK(nc_def_dim(file, "time", NC_UNLIMITED, &dims[0]));
  OK(nc_def_dim(file, "x", (size_t)ranks * COLUMNS, &dims[1]));
  OK(nc_def_var(file, "grows", NC_DOUBLE, 2, dims, &grows));
  OK(nc_def_var(file, "packed", NC_INT, 1, &dims[1], &packed));
  OK(nc_def_var_deflate(file, packed, 1, 1, 4));
  OK(nc_put_att_text(file, grows, "units", 1, "m"));
  OK(nc_enddef(file));
  OK(nc_var_par_access(file, grows, NC_COLLECTIVE));
  OK(nc_var_par_access(file, packed, NC_COLLECTIVE));
  for (int i = 0; i < ROWS * COLUMNS; ++i) values[i] = rank * 1000 + i;
  for (int i = 0; i < COLUMNS; ++i) numbers[i] = rank * COLUMNS + i;
  OK(nc_put_vara_double(file, grows, start, count, values));
  OK(nc_put_vara_int(file, packed, &start[1], &count[1], numbers));
  OK(nc_close(file));
}

static int wrong(const char *name, int other) {
  int file, grows, packed, bad = 0;
  double values[ROWS * COLUMNS];
  int numbers[COLUMNS];
  const size_t start[2] = {0, (size_t)other * COLUMNS}, count[2] = {ROWS, COLUMNS};
  OK(nc_open_par(name, NC_NOWRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file));
  OK(nc_inq_varid(file, "grows", &grows));
  OK(nc_inq_varid(file, "packed", &packed));
  OK(nc_var_par_access(file, packed, NC_COLLECTIVE));
  OK(nc_get_vara_int(file, packed, &start[1], &count[1], numbers));
  OK(nc_get_vara_double(file, grows, start, count, values));
  for (int i = 0; i < ROWS * COLUMNS; ++i) bad += values[i] != other * 1000 + i;
  for (int i = 0; i < COLUMNS; ++i) bad += numbers[i] != other * COLUMNS + i;
  OK(nc_close(file));
  return bad;
}

int main(int argc, char **argv) {
  int rank, ranks, bad;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 2) MPI_Abort(MPI_COMM_WORLD, 2);
  write_file(argv[1], rank, ranks);
  bad = wrong(argv[1], (rank + 1) % ranks);
  if (bad != 0) fprintf(stderr, "rank %d: %d values are wrong\n", rank, bad);
  MPI_Finalize();
  return bad != 0;
}
