/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * What a plugin exports (room: include). Included by plugins, not by hdf5.h.
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5PLextern_H
#define H5PLextern_H

#include "hdf5.h"

/** \addtogroup H5PL
 *  @{ */

#if defined(__GNUC__)
/** Goes before what a plugin exports. */
#define H5PLUGIN_DLL __attribute__((visibility("default")))
#else
#define H5PLUGIN_DLL /**< Goes before what a plugin exports. */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** \name What a plugin exports */
/** @{ */
/**
 * Written by a plugin: what it is.
 *
 * \return H5PL_TYPE_FILTER.
 * \local
 */
H5PLUGIN_DLL H5PL_type_t H5PLget_plugin_type(void);

/**
 * Written by a plugin: its filter.
 *
 * \return A H5Z_class2_t that stays.
 * \local
 */
H5PLUGIN_DLL const void *H5PLget_plugin_info(void);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
