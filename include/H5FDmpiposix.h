/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The MPI-POSIX driver: MPI for agreement, POSIX calls for the bytes (room: include).
 * Its transfers are independent. Source: names and signatures are those of HDF5 1.8.
 */
#ifndef H5FDmpiposix_H
#define H5FDmpiposix_H

#include "H5Ipublic.h"
#include "H5public.h"

#ifdef H5_HAVE_PARALLEL

/** \addtogroup H5FD
 *  @{ */

/** Id of the MPI-POSIX driver; invalid without MPI. */
#define H5FD_MPIPOSIX (H5FD_mpiposix_init())

#ifdef __cplusplus
extern "C" {
#endif

/** \name The MPI-POSIX driver */
/** @{ */
/**
 * The driver's id; H5FD_MPIPOSIX calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 * \differs Not in HDF5 1.10; as in 1.8.
 * \source HDF5 1.8
 */
H5_DLL hid_t H5FD_mpiposix_init(void);

/**
 * Asks for the MPI-POSIX driver. The communicator is duplicated, so all ranks of comm make the
 * call.
 *
 * \param fapl_id File access list.
 * \param comm Communicator of the ranks that will open the file together.
 * \param use_gpfs Stored only.
 * \return 0, or negative on failure.
 * \communicates
 * \errors MPI isn't running; no communicator; not an access list (told after the ranks have met).
 * \differs Not in HDF5 1.10; as in 1.8.
 * \source HDF5 1.8
 */
H5_DLL herr_t H5Pset_fapl_mpiposix(hid_t fapl_id, MPI_Comm comm, hbool_t use_gpfs);

/**
 * Returns the communicator, duplicated for the caller to free. All its ranks make the call, unless
 * comm is NULL.
 *
 * \param fapl_id File access list.
 * \param comm Set to a duplicate; may be NULL.
 * \param use_gpfs Set to the stored flag; may be NULL.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The list asks for another driver.
 * \differs Not in HDF5 1.10; as in 1.8.
 * \source HDF5 1.8
 */
H5_DLL herr_t H5Pget_fapl_mpiposix(hid_t fapl_id, MPI_Comm *comm, hbool_t *use_gpfs);
/** @} */

#ifdef __cplusplus
}
#endif

#else
#define H5FD_MPIPOSIX (H5I_INVALID_HID) /**< Id of the MPI-POSIX driver; invalid without MPI. */
#endif

/** @} */

#endif
