/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Kinds of metadata cache resizing, used inside H5AC_cache_config_t (room: include).
 * Source: names and values are those of HDF5 1.10.8.
 */
#ifndef H5Cpublic_H
#define H5Cpublic_H

#include "H5public.h"

/** \addtogroup H5AC
 *  @{ */

/** How the metadata cache grows. */
enum H5C_cache_incr_mode {
  H5C_incr__off = 0,      /**< Not by itself. */
  H5C_incr__threshold = 1 /**< Where the hit rate is low. */
};

/** How the metadata cache grows for a large entry. */
enum H5C_cache_flash_incr_mode {
  H5C_flash_incr__off = 0,      /**< Not. */
  H5C_flash_incr__add_space = 1 /**< By a multiple of the entry. */
};

/** How the metadata cache shrinks. */
enum H5C_cache_decr_mode {
  H5C_decr__off = 0,                   /**< Not by itself. */
  H5C_decr__threshold = 1,             /**< Where the hit rate is high. */
  H5C_decr__age_out = 2,               /**< Entries leave that were not used for long. */
  H5C_decr__age_out_with_threshold = 3 /**< So, where the hit rate is high. */
};

/** @} */

#endif
