/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The MPI-IO driver, and the transfer settings for it (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDmpio_H
#define H5FDmpio_H

#include "H5FDmpi.h"
#include "H5Ipublic.h"
#include "H5public.h"

#ifdef H5_HAVE_PARALLEL

#define H5FD_MPIO (H5FD_mpio_init())

#ifdef __cplusplus
extern "C" {
#endif

/* Kept because codes name it; file datatypes are chosen by the library. */
H5_DLLVAR hbool_t H5FD_mpi_opt_types_g;

H5_DLL hid_t H5FD_mpio_init(void);

/* File access: communicator and info are duplicated; get returns duplicates for the caller to free.
 */
H5_DLL herr_t H5Pset_fapl_mpio(hid_t fapl_id, MPI_Comm comm, MPI_Info info);
H5_DLL herr_t H5Pget_fapl_mpio(hid_t fapl_id, MPI_Comm *comm, MPI_Info *info);

/* Transfer: independent or collective. */
H5_DLL herr_t H5Pset_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t xfer_mode);
H5_DLL herr_t H5Pget_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t *xfer_mode);

/* Transfer: how. The getters are in pcio.h, HDF5 has none. */
H5_DLL herr_t H5Pset_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t opt_mode);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t opt_mode);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned num_chunk_per_proc);
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned percent_num_proc_per_chunk);

#ifdef __cplusplus
}
#endif

#else
#define H5FD_MPIO (H5I_INVALID_HID)
#endif

#endif
