/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The memory driver: the file is one block of memory (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDcore_H
#define H5FDcore_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_CORE (H5FD_core_init()) /**< Id of the memory driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The memory driver */
/** @{ */
/**
 * The driver's id; H5FD_CORE calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_core_init(void);

/**
 * Asks for the memory driver: the file is one block of memory.
 *
 * \param fapl_id File access list.
 * \param increment Bytes by which the block grows.
 * \param backing_store Nonzero: it is written to the named file when it is closed.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store);

/**
 * Tells what H5Pset_fapl_core() set, or the default.
 *
 * \param fapl_id File access list.
 * \param increment For the answer, may be NULL: bytes by which the block grows.
 * \param backing_store For the answer, may be NULL: nonzero: it is written to the named file when
 *   it is closed.
 * \return 0, or negative on failure.
 * \local
 * \errors The list asks for another driver.
 */
H5_DLL herr_t H5Pget_fapl_core(hid_t fapl_id, size_t *increment, hbool_t *backing_store);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
