/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */

/* What Fortran cannot say itself: handles of MPI, macros that are calls, functions as arguments.
 * Room: fortran, public headers only. Called by the modules and by nobody else. */

#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

hid_t pcio_fortran_predefined(const char *name);
herr_t pcio_fortran_set_fapl_mpio(hid_t list, int comm, int info);
herr_t pcio_fortran_get_fapl_mpio(hid_t list, int *comm, int *info);
herr_t pcio_fortran_set_auto(hid_t stack, int on);
herr_t pcio_fortran_print_errors(const char *name);

/* The name is written out before the macro is replaced by what it stands for. */
#define RETURN_IF_NAMED(macro) \
  if (strcmp(name, #macro) == 0) return macro

/* The id that a macro of the C interface stands for, -1 for a name that is not here. */
hid_t pcio_fortran_predefined(const char *name) {
  RETURN_IF_NAMED(H5T_C_S1);
  RETURN_IF_NAMED(H5T_FORTRAN_S1);
  RETURN_IF_NAMED(H5T_IEEE_F32BE);
  RETURN_IF_NAMED(H5T_IEEE_F32LE);
  RETURN_IF_NAMED(H5T_IEEE_F64BE);
  RETURN_IF_NAMED(H5T_IEEE_F64LE);
  RETURN_IF_NAMED(H5T_NATIVE_B16);
  RETURN_IF_NAMED(H5T_NATIVE_B32);
  RETURN_IF_NAMED(H5T_NATIVE_B64);
  RETURN_IF_NAMED(H5T_NATIVE_B8);
  RETURN_IF_NAMED(H5T_NATIVE_DOUBLE);
  RETURN_IF_NAMED(H5T_NATIVE_FLOAT);
  RETURN_IF_NAMED(H5T_NATIVE_INT);
  RETURN_IF_NAMED(H5T_NATIVE_INT16);
  RETURN_IF_NAMED(H5T_NATIVE_INT32);
  RETURN_IF_NAMED(H5T_NATIVE_INT64);
  RETURN_IF_NAMED(H5T_NATIVE_INT8);
  RETURN_IF_NAMED(H5T_STD_B16BE);
  RETURN_IF_NAMED(H5T_STD_B16LE);
  RETURN_IF_NAMED(H5T_STD_B32BE);
  RETURN_IF_NAMED(H5T_STD_B32LE);
  RETURN_IF_NAMED(H5T_STD_B64BE);
  RETURN_IF_NAMED(H5T_STD_B64LE);
  RETURN_IF_NAMED(H5T_STD_B8BE);
  RETURN_IF_NAMED(H5T_STD_B8LE);
  RETURN_IF_NAMED(H5T_STD_I16BE);
  RETURN_IF_NAMED(H5T_STD_I16LE);
  RETURN_IF_NAMED(H5T_STD_I32BE);
  RETURN_IF_NAMED(H5T_STD_I32LE);
  RETURN_IF_NAMED(H5T_STD_I64BE);
  RETURN_IF_NAMED(H5T_STD_I64LE);
  RETURN_IF_NAMED(H5T_STD_I8BE);
  RETURN_IF_NAMED(H5T_STD_I8LE);
  RETURN_IF_NAMED(H5T_STD_REF_DSETREG);
  RETURN_IF_NAMED(H5T_STD_REF_OBJ);
  RETURN_IF_NAMED(H5T_STD_U16BE);
  RETURN_IF_NAMED(H5T_STD_U16LE);
  RETURN_IF_NAMED(H5T_STD_U32BE);
  RETURN_IF_NAMED(H5T_STD_U32LE);
  RETURN_IF_NAMED(H5T_STD_U64BE);
  RETURN_IF_NAMED(H5T_STD_U64LE);
  RETURN_IF_NAMED(H5T_STD_U8BE);
  RETURN_IF_NAMED(H5T_STD_U8LE);
  RETURN_IF_NAMED(H5P_ROOT);
  RETURN_IF_NAMED(H5P_OBJECT_CREATE);
  RETURN_IF_NAMED(H5P_FILE_CREATE);
  RETURN_IF_NAMED(H5P_FILE_ACCESS);
  RETURN_IF_NAMED(H5P_DATASET_CREATE);
  RETURN_IF_NAMED(H5P_DATASET_ACCESS);
  RETURN_IF_NAMED(H5P_DATASET_XFER);
  RETURN_IF_NAMED(H5P_FILE_MOUNT);
  RETURN_IF_NAMED(H5P_GROUP_CREATE);
  RETURN_IF_NAMED(H5P_GROUP_ACCESS);
  RETURN_IF_NAMED(H5P_DATATYPE_CREATE);
  RETURN_IF_NAMED(H5P_DATATYPE_ACCESS);
  RETURN_IF_NAMED(H5P_ATTRIBUTE_CREATE);
  RETURN_IF_NAMED(H5P_LINK_CREATE);
  RETURN_IF_NAMED(H5P_LINK_ACCESS);
  RETURN_IF_NAMED(H5FD_MPIO);
  RETURN_IF_NAMED(H5FD_CORE);
  RETURN_IF_NAMED(H5FD_SEC2);
  return -1;
}

herr_t pcio_fortran_set_fapl_mpio(hid_t list, int comm, int info) {
  return H5Pset_fapl_mpio(list, MPI_Comm_f2c((MPI_Fint)comm), MPI_Info_f2c((MPI_Fint)info));
}

/* The handles are the caller's, as in C. */
herr_t pcio_fortran_get_fapl_mpio(hid_t list, int *comm, int *info) {
  MPI_Comm c_comm = MPI_COMM_NULL;
  MPI_Info c_info = MPI_INFO_NULL;
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
