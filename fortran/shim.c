/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* What Fortran cannot say itself: handles of MPI, macros that are calls, functions as arguments.
 * Room: fortran, public headers only. Called by the modules and by nobody else. */

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void pcio_fortran_ids(hid_t *ids);
hid_t pcio_fortran_type_like(hid_t type);
ssize_t pcio_fortran_obj_count(hid_t file, unsigned types);
ssize_t pcio_fortran_obj_ids(hid_t file, unsigned types, size_t most, hid_t *ids);
herr_t pcio_fortran_set_fapl_mpio(hid_t list, int comm, int info);
herr_t pcio_fortran_get_fapl_mpio(hid_t list, int *comm, int *info);
herr_t pcio_fortran_set_auto(hid_t stack, int on);
herr_t pcio_fortran_print_errors(const char *name);
void pcio_fortran_refuse(const char *routine, const char *reason);

/* Types that h5open_f has made. The program may change or close them, and they are none of its own where it counts. */
enum { MOST_TYPES = 256 };
static hid_t made_types[MOST_TYPES];
static int made_types_count;

static int is_made_type(hid_t id) {
  for (int i = 0; i < made_types_count; ++i)
    if (made_types[i] == id) return 1;
  return 0;
}

/* A copy of `type`, which the library makes for h5open_f; below 0 where there can be none. */
hid_t pcio_fortran_type_like(hid_t type) {
  int place = 0;
  while (place < made_types_count && H5Iis_valid(made_types[place]) > 0) ++place;
  if (place == MOST_TYPES) return -1;
  made_types[place] = H5Tcopy(type);
  if (place == made_types_count) ++made_types_count;
  return made_types[place];
}

/* The ids that macros of the C interface stand for, in the order of interface.table. Types are copies, once made as long as
 * they are there: programs set the size of H5T_NATIVE_CHARACTER, or close what they have used. */
void pcio_fortran_ids(hid_t *ids) {
#include "ids_c.inc"
  enum { COUNT = PCIO_FORTRAN_IDS };
  static hid_t copies[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    if (H5Iget_type(ids[i]) != H5I_DATATYPE) continue;
    if (copies[i] <= 0 || H5Iis_valid(copies[i]) <= 0) copies[i] = pcio_fortran_type_like(ids[i]);
    if (copies[i] > 0) ids[i] = copies[i];
  }
}

static int asks_for_types_of_all(hid_t file, unsigned types) {
  return file == (hid_t)H5F_OBJ_ALL && (types & H5F_OBJ_DATATYPE) != 0;
}

ssize_t pcio_fortran_obj_count(hid_t file, unsigned types) {
  ssize_t count = H5Fget_obj_count(file, types);
  for (int i = 0; i < made_types_count && count > 0 && asks_for_types_of_all(file, types); ++i)
    if (H5Iis_valid(made_types[i]) > 0) --count;
  return count;
}

ssize_t pcio_fortran_obj_ids(hid_t file, unsigned types, size_t most, hid_t *ids) {
  if (!asks_for_types_of_all(file, types)) return H5Fget_obj_ids(file, types, most, ids);
  const ssize_t all = H5Fget_obj_count(file, types);
  if (all < 0) return all;
  hid_t *const list = malloc(sizeof(hid_t) * (size_t)(all + 1));
  if (list == NULL) return -1;
  const ssize_t found = H5Fget_obj_ids(file, types, (size_t)all, list);
  ssize_t count = found < 0 ? -1 : 0;
  for (ssize_t i = 0; i < found && (size_t)count < most; ++i)
    if (!is_made_type(list[i])) ids[count++] = list[i];
  free(list);
  return count;
}

herr_t pcio_fortran_set_fapl_mpio(hid_t list, int comm, int info) {
  return H5Pset_fapl_mpio(list, MPI_Comm_f2c((MPI_Fint)comm), MPI_Info_f2c((MPI_Fint)info));
}

/* The handles are the caller's, as in C; where there are none -1, which no MPI library has. MPI may not have been started. */
herr_t pcio_fortran_get_fapl_mpio(hid_t list, int *comm, int *info) {
  MPI_Comm c_comm = MPI_COMM_NULL;
  MPI_Info c_info = MPI_INFO_NULL;
  *comm = -1;
  *info = -1;
  if (H5Pget_fapl_mpio(list, &c_comm, &c_info) < 0) return -1;
  *comm = (int)MPI_Comm_c2f(c_comm);
  *info = (int)MPI_Info_c2f(c_info);
  return 0;
}

static herr_t print_stack(hid_t stack, void *stream) {
  (void)stream;
  return H5Eprint2(stack, stderr);
}

herr_t pcio_fortran_set_auto(hid_t stack, int on) {
  return H5Eset_auto2(stack, on ? print_stack : NULL, NULL);
}

/* Appends to the file `name`; an empty name is standard error. */
herr_t pcio_fortran_print_errors(const char *name) {
  FILE *stream = *name == '\0' ? stderr : fopen(name, "a");
  if (stream == NULL) return -1;
  const herr_t status = H5Eprint2(H5E_DEFAULT, stream);
  if (stream != stderr && fclose(stream) != 0) return -1;
  return status;
}

/* An error that a subroutine found itself, on the error stack and printed as one of C is. */
void pcio_fortran_refuse(const char *routine, const char *reason) {
  H5E_auto2_t print = NULL;
  void *data = NULL;
  H5Eclear2(H5E_DEFAULT);
  H5Epush2(H5E_DEFAULT, __FILE__, routine, __LINE__, H5E_ERR_CLS, H5E_ARGS, H5E_BADVALUE, "%s", reason);
  if (H5Eget_auto2(H5E_DEFAULT, &print, &data) >= 0 && print != NULL) print(H5E_DEFAULT, data);
}
