/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * The POSIX driver, which is the default (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5FDsec2_H
#define H5FDsec2_H

#include "H5Ipublic.h"
#include "H5public.h"

#define H5FD_SEC2 (H5FD_sec2_init())

#ifdef __cplusplus
extern "C" {
#endif

H5_DLL hid_t H5FD_sec2_init(void);
H5_DLL herr_t H5Pset_fapl_sec2(hid_t fapl_id);

#ifdef __cplusplus
}
#endif

#endif
