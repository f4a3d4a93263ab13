/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver of Windows, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDwindows_H
#define H5FDwindows_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_WINDOWS (H5FD_sec2_init()) /**< As in HDF5, the POSIX driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The Windows driver */
/** @{ */
/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_windows(hid_t fapl_id);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
