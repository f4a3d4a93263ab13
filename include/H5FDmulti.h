/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver that keeps kinds of data in files of their own, which can't be opened yet (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDmulti_H
#define H5FDmulti_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_MULTI (H5FD_multi_init()) /**< Id of the multi driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The multi driver */
/** @{ */
/**
 * The driver's id; H5FD_MULTI calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_multi_init(void);

/**
 * Would ask for a file for each kind of data; the library has no such files yet.
 *
 * \param fapl_id File access list.
 * \param memb_map Which kind of data is in whose file.
 * \param memb_fapl How each file is opened.
 * \param memb_name Names, made of the name of the whole.
 * \param memb_addr Where each file begins.
 * \param relax Whether files may be missing.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there yet.
 */
H5_DLL herr_t H5Pset_fapl_multi(hid_t fapl_id, const H5FD_mem_t *memb_map, const hid_t *memb_fapl,
                                const char *const *memb_name, const haddr_t *memb_addr,
                                hbool_t relax);

/**
 * Asks what H5Pset_fapl_multi() was given.
 *
 * \param fapl_id File access list.
 * \param memb_map Not set.
 * \param memb_fapl Not set.
 * \param memb_name Not set.
 * \param memb_addr Not set.
 * \param relax Not set.
 * \return Negative.
 * \local
 * \errors Always: no list asks for the driver.
 */
H5_DLL herr_t H5Pget_fapl_multi(hid_t fapl_id, H5FD_mem_t *memb_map, hid_t *memb_fapl,
                                char **memb_name, haddr_t *memb_addr, hbool_t *relax);

/**
 * Would ask for a file for metadata and one for raw data; the library has no such files yet.
 *
 * \param fapl File access list.
 * \param meta_ext What the name of the metadata's file ends in.
 * \param meta_plist_id How it is opened.
 * \param raw_ext What the name of the raw data's file ends in.
 * \param raw_plist_id How it is opened.
 * \return Negative.
 * \local
 * \errors Always: the driver is not there yet.
 */
H5_DLL herr_t H5Pset_fapl_split(hid_t fapl, const char *meta_ext, hid_t meta_plist_id,
                                const char *raw_ext, hid_t raw_plist_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
