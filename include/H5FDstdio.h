/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver of the C library's streams (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDstdio_H
#define H5FDstdio_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_STDIO (H5FD_stdio_init()) /**< Id of the stdio driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The stdio driver */
/** @{ */
/**
 * The driver's id; H5FD_STDIO calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_stdio_init(void);

/**
 * Asks for the C library's streams; they have no buffer, and files are those of the POSIX driver.
 *
 * \param fapl_id File access list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_fapl_stdio(hid_t fapl_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
