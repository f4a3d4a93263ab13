/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Configuration of the metadata cache (room: include).
 * Codes written for HDF5 read this structure, change a few fields and write it back, so its layout
 * (1,216 bytes on LP64) and the values in it are kept; they are stored and returned.
 * Source: names, layout and values are those of HDF5 1.10.8.
 */
#ifndef H5ACpublic_H
#define H5ACpublic_H

#include "H5Cpublic.h"
#include "H5public.h"

/** \defgroup H5AC H5AC: configuration of the metadata cache
 *  @{ */

/** \name Constants */
/** @{ */
#define H5AC__CURR_CACHE_CONFIG_VERSION 1  /**< What H5AC_cache_config_t.version must be. */
#define H5AC__MAX_TRACE_FILE_NAME_LEN 1024 /**< Longest name of a trace file in bytes. */
/** Rank 0 writes metadata. */
#define H5AC_METADATA_WRITE_STRATEGY__PROCESS_0_ONLY 0
/** All ranks write metadata. */
#define H5AC_METADATA_WRITE_STRATEGY__DISTRIBUTED 1
/** @} */

/**
 * Configuration of the metadata cache: stored and returned, without effect. Sizes in bytes,
 * fractions between 0 and 1, epochs in accesses.
 */
typedef struct H5AC_cache_config_t {
  int version;               /**< H5AC__CURR_CACHE_CONFIG_VERSION. */
  hbool_t rpt_fcn_enabled;   /**< Changes of size are reported. */
  hbool_t open_trace_file;   /**< A trace is begun. */
  hbool_t close_trace_file;  /**< The trace ends. */
  /** Path of the trace. */
  char trace_file_name[H5AC__MAX_TRACE_FILE_NAME_LEN + 1];
  hbool_t evictions_enabled; /**< Entries may leave the cache. */
  hbool_t set_initial_size;  /**< initial_size counts. */
  size_t initial_size;       /**< Size to begin with. */
  double min_clean_fraction; /**< Share of the cache that is kept clean. */
  size_t max_size;           /**< Largest size. */
  size_t min_size;           /**< Smallest size. */
  long int epoch_length;     /**< Accesses between two looks at the hit rate. */
  /* growing */
  enum H5C_cache_incr_mode incr_mode; /**< How the cache grows. */
  double lower_hr_threshold;          /**< Hit rate below which it grows. */
  double increment;                   /**< Factor by which it grows. */
  hbool_t apply_max_increment;        /**< max_increment counts. */
  size_t max_increment;               /**< Most bytes by which it grows. */
  /** How it grows for a large entry. */
  enum H5C_cache_flash_incr_mode flash_incr_mode;
  double flash_multiple;              /**< Factor of that growth. */
  double flash_threshold;             /**< Share of the cache from which on an entry is large. */
  /* shrinking */
  enum H5C_cache_decr_mode decr_mode; /**< How the cache shrinks. */
  double upper_hr_threshold;          /**< Hit rate above which it shrinks. */
  double decrement;                   /**< Factor by which it shrinks. */
  hbool_t apply_max_decrement;        /**< max_decrement counts. */
  size_t max_decrement;               /**< Most bytes by which it shrinks. */
  int epochs_before_eviction;         /**< Epochs that an unused entry stays. */
  hbool_t apply_empty_reserve;        /**< empty_reserve counts. */
  double empty_reserve;               /**< Share that stays empty. */
  /* parallel */
  /** Bytes of changes after which the ranks agree on what is written. */
  size_t dirty_bytes_threshold;
  int metadata_write_strategy; /**< Who writes: H5AC_METADATA_WRITE_STRATEGY__... */
} H5AC_cache_config_t;

/** What H5AC_cache_image_config_t.version must be. */
#define H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION 1
#define H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE (-1) /**< Entries of an image stay. */
/** Most closings that an entry of an image outlives. */
#define H5AC__CACHE_IMAGE__ENTRY_AGEOUT__MAX 100

/**
 * Whether the metadata cache is kept in the file: stored and returned; no image is written.
 */
typedef struct H5AC_cache_image_config_t {
  int version;                /**< H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION. */
  hbool_t generate_image;     /**< An image is asked for. */
  hbool_t save_resize_status; /**< With the state of resizing. */
  int entry_ageout;           /**< Closings that an entry outlives. */
} H5AC_cache_image_config_t;

/** @} */

#endif
