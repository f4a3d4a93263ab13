/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver without the system's cache, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDdirect_H
#define H5FDdirect_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_DIRECT (H5I_INVALID_HID) /**< No driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The direct driver */
/** @{ */
/**
 * The driver's id; there is none, as the library has no such driver.
 *
 * \return Negative.
 * \local
 */
H5_DLL hid_t H5FD_direct_init(void);

/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \param alignment Of memory, in bytes.
 * \param block_size Of the file system, in bytes.
 * \param cbuf_size Bytes of a buffer.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_direct(hid_t fapl_id, size_t alignment, size_t block_size,
                                 size_t cbuf_size);

/**
 * Asks for the settings.
 *
 * \param fapl_id File access list.
 * \param boundary Not set.
 * \param block_size Not set.
 * \param cbuf_size Not set.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pget_fapl_direct(hid_t fapl_id, size_t *boundary, size_t *block_size,
                                 size_t *cbuf_size);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
