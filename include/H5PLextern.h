/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What a plugin exports (room: include). Included by plugins, not by hdf5.h.
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5PLextern_H
#define H5PLextern_H

#include "hdf5.h"

#if defined(__GNUC__)
#define H5PLUGIN_DLL __attribute__((visibility("default")))
#else
#define H5PLUGIN_DLL
#endif

#ifdef __cplusplus
extern "C" {
#endif

H5PLUGIN_DLL H5PL_type_t H5PLget_plugin_type(void);
H5PLUGIN_DLL const void *H5PLget_plugin_info(void);

#ifdef __cplusplus
}
#endif

#endif
