/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The MPI-IO driver, and the transfer settings for it (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDmpio_H
#define H5FDmpio_H

#include "H5FDmpi.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#ifdef H5_HAVE_PARALLEL

#define H5FD_MPIO (H5FD_mpio_init()) /**< Id of the MPI-IO driver; invalid without MPI. */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Kept because codes name it; it means nothing, file datatypes are chosen by the library.
 */
H5_DLLVAR hbool_t H5FD_mpi_opt_types_g;

/** \name The MPI-IO driver */
/** @{ */
/**
 * The driver's id; H5FD_MPIO calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_mpio_init(void);

/**
 * Asks for the MPI-IO driver. Communicator and info are duplicated, so all ranks of comm make the
 * call, and MPI runs.
 *
 * \param fapl_id File access list.
 * \param comm Communicator of the ranks that will open the file together.
 * \param info Hints for MPI-IO, or MPI_INFO_NULL.
 * \return 0, or negative on failure.
 * \communicates
 * \errors MPI isn't running; no communicator; not an access list (told after the ranks have met).
 */
H5_DLL herr_t H5Pset_fapl_mpio(hid_t fapl_id, MPI_Comm comm, MPI_Info info);

/**
 * Returns communicator and info, duplicated for the caller to free. All ranks of the communicator
 * make the call, unless comm is NULL.
 *
 * \param fapl_id File access list.
 * \param comm Set to a duplicate; may be NULL.
 * \param info Set to a duplicate; may be NULL.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The list asks for another driver.
 */
H5_DLL herr_t H5Pget_fapl_mpio(hid_t fapl_id, MPI_Comm *comm, MPI_Info *info);
/** @} */

/** \name Transfer lists: independent or collective, and how (getters: pcio.h) */
/** @{ */
/**
 * Sets who takes part in transfers with this list; equal on all ranks that transfer together.
 *
 * \param dxpl_id Transfer list.
 * \param xfer_mode H5FD_MPIO_INDEPENDENT (default) or H5FD_MPIO_COLLECTIVE.
 * \return 0, or negative on failure.
 * \local
 * \errors Another mode.
 */
H5_DLL herr_t H5Pset_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t xfer_mode);

/**
 * Tells what H5Pset_dxpl_mpio() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param xfer_mode For the answer, may be NULL: H5FD_MPIO_INDEPENDENT (default) or
 *   H5FD_MPIO_COLLECTIVE.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_dxpl_mpio(hid_t dxpl_id, H5FD_mpio_xfer_t *xfer_mode);

/**
 * Sets how a collective transfer moves its bytes.
 *
 * \param dxpl_id Transfer list.
 * \param opt_mode H5FD_MPIO_COLLECTIVE_IO (default) or H5FD_MPIO_INDIVIDUAL_IO.
 * \return 0, or negative on failure.
 * \local
 * \errors Another way.
 */
H5_DLL herr_t H5Pset_dxpl_mpio_collective_opt(hid_t dxpl_id, H5FD_mpio_collective_opt_t opt_mode);

/**
 * Sets what a collective transfer does with chunks.
 *
 * \param dxpl_id Transfer list.
 * \param opt_mode The way; equal on all ranks.
 * \return 0, or negative on failure.
 * \local
 * \errors Another way.
 */
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t opt_mode);

/**
 * Sets from when on chunks are linked into one transfer, where the library chooses.
 *
 * \param dxpl_id Transfer list.
 * \param num_chunk_per_proc Chunks per rank, on average; default 0.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned num_chunk_per_proc);

/**
 * Sets from when on a chunk is collective, chunk by chunk.
 *
 * \param dxpl_id Transfer list.
 * \param percent_num_proc_per_chunk Percent of the ranks that touch it, 0 to 100; default 60.
 * \return 0, or negative on failure.
 * \local
 * \errors Over 100.
 */
H5_DLL herr_t H5Pset_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id, unsigned percent_num_proc_per_chunk);
/** @} */

#ifdef __cplusplus
}
#endif

#else
#define H5FD_MPIO (H5I_INVALID_HID) /**< Id of the MPI-IO driver; invalid without MPI. */
#endif

/** @} */

#endif
