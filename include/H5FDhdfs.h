/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver of Hadoop's file system, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDhdfs_H
#define H5FDhdfs_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_HDFS (H5I_INVALID_HID) /**< No driver. */

#define H5FD__CURR_HDFS_FAPL_T_VERSION 1     /**< Version of the structure. */
#define H5FD__HDFS_NODE_NAME_SPACE 128       /**< Most characters of a node's name. */
#define H5FD__HDFS_USER_NAME_SPACE 128       /**< Most characters of a user's name. */
#define H5FD__HDFS_KERB_CACHE_PATH_SPACE 128 /**< Most characters of a path. */

/** Settings of the driver. */
typedef struct H5FD_hdfs_fapl_t {
  int32_t version;                                                  /**< 1. */
  char namenode_name[H5FD__HDFS_NODE_NAME_SPACE + 1];               /**< Node. */
  int32_t namenode_port;                                            /**< Its port. */
  char user_name[H5FD__HDFS_USER_NAME_SPACE + 1];                   /**< User. */
  char kerberos_ticket_cache[H5FD__HDFS_KERB_CACHE_PATH_SPACE + 1]; /**< Path. */
  int32_t stream_buffer_size;                                       /**< Bytes. */
} H5FD_hdfs_fapl_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name The HDFS driver */
/** @{ */
/**
 * The driver's id; there is none, as the library has no such driver.
 *
 * \return Negative.
 * \local
 */
H5_DLL hid_t H5FD_hdfs_init(void);

/**
 * Asks for the settings.
 *
 * \param fapl_id File access list.
 * \param fa_out Not set.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pget_fapl_hdfs(hid_t fapl_id, H5FD_hdfs_fapl_t *fa_out);

/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \param fa Settings.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_hdfs(hid_t fapl_id, H5FD_hdfs_fapl_t *fa);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
