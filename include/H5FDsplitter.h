/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver that writes two files at once, which the library does not have (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDsplitter_H
#define H5FDsplitter_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_SPLITTER (H5FD_splitter_init()) /**< Id of the splitter driver. */

#define H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION 1 /**< Version of the structure. */
#define H5FD_SPLITTER_PATH_MAX 4096             /**< Most characters of a path. */
#define H5FD_SPLITTER_MAGIC 0x2B916880          /**< First number of the structure. */

/** Settings of the driver. */
typedef struct H5FD_splitter_vfd_config_t {
  int32_t magic;                                  /**< H5FD_SPLITTER_MAGIC. */
  unsigned int version;                           /**< H5FD_CURR_SPLITTER_VFD_CONFIG_VERSION. */
  hid_t rw_fapl_id;                               /**< How the one file is opened. */
  hid_t wo_fapl_id;                               /**< How the other one is. */
  char wo_path[H5FD_SPLITTER_PATH_MAX + 1];       /**< Path of the other one. */
  char log_file_path[H5FD_SPLITTER_PATH_MAX + 1]; /**< A log. */
  hbool_t ignore_wo_errs;                         /**< Failures of the other one do not count. */
} H5FD_splitter_vfd_config_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name The splitter driver */
/** @{ */
/**
 * The driver's id; there is none, as the library has no such driver.
 *
 * \return Negative.
 * \local
 */
H5_DLL hid_t H5FD_splitter_init(void);

/**
 * Would ask for the driver.
 *
 * \param fapl_id File access list.
 * \param config_ptr Settings.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pset_fapl_splitter(hid_t fapl_id, H5FD_splitter_vfd_config_t *config_ptr);

/**
 * Asks for the settings.
 *
 * \param fapl_id File access list.
 * \param config_ptr Not set.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there.
 */
H5_DLL herr_t H5Pget_fapl_splitter(hid_t fapl_id, H5FD_splitter_vfd_config_t *config_ptr);

/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
