/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The POSIX driver, which is the default (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDsec2_H
#define H5FDsec2_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_SEC2 (H5FD_sec2_init()) /**< Id of the POSIX driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The POSIX driver */
/** @{ */
/**
 * The driver's id; H5FD_SEC2 calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_sec2_init(void);

/**
 * Asks for the POSIX driver, which is the default.
 *
 * \param fapl_id File access list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_fapl_sec2(hid_t fapl_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
