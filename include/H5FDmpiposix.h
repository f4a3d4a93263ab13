/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The MPI-POSIX driver: MPI for agreement, POSIX calls for the bytes (room: include).
 * Its transfers are independent. Source: names and signatures are those of HDF5 1.8.
 */
#ifndef H5FDmpiposix_H
#define H5FDmpiposix_H

#include "H5Ipublic.h"
#include "H5public.h"

#ifdef H5_HAVE_PARALLEL

#define H5FD_MPIPOSIX (H5FD_mpiposix_init())

#ifdef __cplusplus
extern "C" {
#endif

H5_DLL hid_t H5FD_mpiposix_init(void);

/* use_gpfs is stored and returned. get returns a duplicate of the communicator, to be freed. */
H5_DLL herr_t H5Pset_fapl_mpiposix(hid_t fapl_id, MPI_Comm comm, hbool_t use_gpfs);
H5_DLL herr_t H5Pget_fapl_mpiposix(hid_t fapl_id, MPI_Comm *comm, hbool_t *use_gpfs);

#ifdef __cplusplus
}
#endif

#else
#define H5FD_MPIPOSIX (H5I_INVALID_HID)
#endif

#endif
