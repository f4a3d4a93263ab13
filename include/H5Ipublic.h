/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Identifiers (room: include). No call here communicates.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Ipublic_H
#define H5Ipublic_H

#include "H5public.h"

/* Numbers of the 1.10 series; later series number some of these differently. */
typedef enum H5I_type_t {
  H5I_UNINIT = -2,
  H5I_BADID = -1,
  H5I_FILE = 1,
  H5I_GROUP = 2,
  H5I_DATATYPE = 3,
  H5I_DATASPACE = 4,
  H5I_DATASET = 5,
  H5I_ATTR = 6,
  H5I_REFERENCE = 7,
  H5I_VFL = 8,
  H5I_GENPROP_CLS = 9,
  H5I_GENPROP_LST = 10,
  H5I_ERROR_CLASS = 11,
  H5I_ERROR_MSG = 12,
  H5I_ERROR_STACK = 13,
  H5I_NTYPES = 14
} H5I_type_t;

/* 0 is H5P_DEFAULT, H5S_ALL and H5E_DEFAULT, and never a real identifier. */
typedef int64_t hid_t;
#define H5_SIZEOF_HID_T H5_SIZEOF_INT64_T
#define H5I_INVALID_HID (-1)

#ifdef __cplusplus
extern "C" {
#endif

/* What an identifier stands for. */
H5_DLL H5I_type_t H5Iget_type(hid_t id);
H5_DLL htri_t H5Iis_valid(hid_t id);
H5_DLL ssize_t H5Iget_name(hid_t id, char *name, size_t size);
H5_DLL hid_t H5Iget_file_id(hid_t id);

/* Reference counts; the new count is returned, and 0 closes the object. */
H5_DLL int H5Iinc_ref(hid_t id);
H5_DLL int H5Idec_ref(hid_t id);
H5_DLL int H5Iget_ref(hid_t id);

/* All identifiers of one type. */
H5_DLL herr_t H5Inmembers(H5I_type_t type, hsize_t *num_members);
H5_DLL htri_t H5Itype_exists(H5I_type_t type);

#ifdef __cplusplus
}
#endif

#endif
