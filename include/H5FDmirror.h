/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver that writes on another machine as well, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDmirror_H
#define H5FDmirror_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_MIRROR (H5I_INVALID_HID) /**< No driver. */

#define H5FD_MIRROR_FAPL_MAGIC 0xF8DD514C /**< First number of the structure. */
#define H5FD_MIRROR_CURR_FAPL_T_VERSION 1 /**< Version of the structure. */
#define H5FD_MIRROR_MAX_IP_LEN 32         /**< Most characters of an address. */

/** Settings of the driver. */
typedef struct H5FD_mirror_fapl_t {
  uint32_t magic;                             /**< H5FD_MIRROR_FAPL_MAGIC. */
  uint32_t version;                           /**< 1. */
  int handshake_port;                         /**< Port. */
  char remote_ip[H5FD_MIRROR_MAX_IP_LEN + 1]; /**< Address. */
} H5FD_mirror_fapl_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name The mirror driver */
/** @{ */
/**
 * The driver's id; there is none, as the library has no such driver.
 *
 * \return Negative.
 * \local
 */
H5_DLL hid_t H5FD_mirror_init(void);

/**
 * Asks for the settings.
 *
 * \param fapl_id File access list.
 * \param fa_out Not set.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pget_fapl_mirror(hid_t fapl_id, H5FD_mirror_fapl_t *fa_out);

/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \param fa Settings.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_mirror(hid_t fapl_id, H5FD_mirror_fapl_t *fa);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
