/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The memory driver: the file is one block of memory (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDcore_H
#define H5FDcore_H

#include "H5Ipublic.h"
#include "H5public.h"

#define H5FD_CORE (H5FD_core_init())

#ifdef __cplusplus
extern "C" {
#endif

H5_DLL hid_t H5FD_core_init(void);

/* increment: bytes by which the block grows; backing_store: written to the named file at close. */
H5_DLL herr_t H5Pset_fapl_core(hid_t fapl_id, size_t increment, hbool_t backing_store);
H5_DLL herr_t H5Pget_fapl_core(hid_t fapl_id, size_t *increment, hbool_t *backing_store);

#ifdef __cplusplus
}
#endif

#endif
