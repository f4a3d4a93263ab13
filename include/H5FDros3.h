/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver of S3 objects, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDros3_H
#define H5FDros3_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_ROS3 (H5I_INVALID_HID) /**< No driver. */

#define H5FD_CURR_ROS3_FAPL_T_VERSION 1  /**< Version of the structure. */
#define H5FD_ROS3_MAX_REGION_LEN 32      /**< Most characters of a region. */
#define H5FD_ROS3_MAX_SECRET_ID_LEN 128  /**< Most characters of an id. */
#define H5FD_ROS3_MAX_SECRET_KEY_LEN 128 /**< Most characters of a key. */

/** Settings of the driver. */
typedef struct H5FD_ros3_fapl_t {
  int32_t version;                                   /**< 1. */
  hbool_t authenticate;                              /**< Whether the rest counts. */
  char aws_region[H5FD_ROS3_MAX_REGION_LEN + 1];     /**< Region. */
  char secret_id[H5FD_ROS3_MAX_SECRET_ID_LEN + 1];   /**< Id. */
  char secret_key[H5FD_ROS3_MAX_SECRET_KEY_LEN + 1]; /**< Key. */
} H5FD_ros3_fapl_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name The ROS3 driver */
/** @{ */
/**
 * The driver's id; there is none, as the library has no such driver.
 *
 * \return Negative.
 * \local
 */
H5_DLL hid_t H5FD_ros3_init(void);

/**
 * Asks for the settings.
 *
 * \param fapl_id File access list.
 * \param fa_out Not set.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pget_fapl_ros3(hid_t fapl_id, H5FD_ros3_fapl_t *fa_out);

/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \param fa Settings.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_ros3(hid_t fapl_id, H5FD_ros3_fapl_t *fa);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
