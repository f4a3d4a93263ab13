/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* What Fortran cannot say itself: handles of MPI, macros that are calls, functions as arguments.
 * Room: fortran, public headers only. Called by the modules and by nobody else. */

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

void pcio_fortran_ids(hid_t *ids);
herr_t pcio_fortran_set_fapl_mpio(hid_t list, int comm, int info);
herr_t pcio_fortran_get_fapl_mpio(hid_t list, int *comm, int *info);
herr_t pcio_fortran_set_auto(hid_t stack, int on);
herr_t pcio_fortran_print_errors(const char *name);
void pcio_fortran_refuse(const char *routine, const char *reason);

/* The ids that macros of the C interface stand for, in the order of interface.table. */
void pcio_fortran_ids(hid_t *ids) {
#include "ids_c.inc"
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
