/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Kinds of metadata cache resizing, used inside H5AC_cache_config_t (room: include).
 * Source: names and values are those of HDF5 1.10.8.
 */
#ifndef H5Cpublic_H
#define H5Cpublic_H

#include "H5public.h"

enum H5C_cache_incr_mode { H5C_incr__off = 0, H5C_incr__threshold = 1 };

enum H5C_cache_flash_incr_mode { H5C_flash_incr__off = 0, H5C_flash_incr__add_space = 1 };

enum H5C_cache_decr_mode {
  H5C_decr__off = 0,
  H5C_decr__threshold = 1,
  H5C_decr__age_out = 2,
  H5C_decr__age_out_with_threshold = 3
};

#endif
