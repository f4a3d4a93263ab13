/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver that cuts a file into several of equal size (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDfamily_H
#define H5FDfamily_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_FAMILY (H5FD_family_init()) /**< Id of the family driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The family driver */
/** @{ */
/**
 * The driver's id; H5FD_FAMILY calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_family_init(void);

/**
 * Asks for a family of files: the name has one %d for the number of a file ("data%05d.h5").
 *
 * \param fapl_id File access list.
 * \param memb_size Bytes of a file; H5F_FAMILY_DEFAULT: what an existing family says.
 * \param memb_fapl_id How each file is opened, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No file access list; one of an MPI driver is refused when files are opened.
 */
H5_DLL herr_t H5Pset_fapl_family(hid_t fapl_id, hsize_t memb_size, hid_t memb_fapl_id);

/**
 * Asks what H5Pset_fapl_family() was given.
 *
 * \param fapl_id File access list.
 * \param memb_size Set to the bytes of a file; may be NULL.
 * \param memb_fapl_id Set to a new id of the list for each file, to be closed with H5Pclose(); may be
 *   NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors The list asks for another driver.
 */
H5_DLL herr_t H5Pget_fapl_family(hid_t fapl_id, hsize_t *memb_size, hid_t *memb_fapl_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
