/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Filters (room: include). Nothing here communicates; what a parallel program registers it
 * registers on every rank.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Zpublic_H
#define H5Zpublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5Z H5Z: filters
 *  @{ */

typedef int H5Z_filter_t; /**< Number of a filter. */

/** \name Filter numbers of the file format */
/** @{ */
#define H5Z_FILTER_ERROR (-1)    /**< No filter: a call failed. */
#define H5Z_FILTER_NONE 0        /**< No filter. */
#define H5Z_FILTER_DEFLATE 1     /**< Deflate, as zlib. */
#define H5Z_FILTER_SHUFFLE 2     /**< Bytes by their place in an element. */
#define H5Z_FILTER_FLETCHER32 3  /**< A checksum. */
#define H5Z_FILTER_SZIP 4        /**< Szip. */
#define H5Z_FILTER_NBIT 5        /**< Significant bits only. */
#define H5Z_FILTER_SCALEOFFSET 6 /**< Distances from the least number. */
#define H5Z_FILTER_RESERVED 256  /**< Numbers below are the library's. */
#define H5Z_FILTER_MAX 65535     /**< Largest number. */
/** @} */

/** \name H5Premove_filter, and how many there may be */
/** @{ */
#define H5Z_FILTER_ALL 0    /**< Every filter. */
#define H5Z_MAX_NFILTERS 32 /**< Most filters of a dataset. */
/** @} */

/** \name Flags of a filter in a creation list, and (upper byte) when it is run */
/** @{ */
#define H5Z_FLAG_DEFMASK 0x00ff   /**< Bits of a creation list. */
#define H5Z_FLAG_MANDATORY 0x0000 /**< A write fails where the filter does. */
#define H5Z_FLAG_OPTIONAL 0x0001  /**< A chunk goes on without the filter where it fails. */
#define H5Z_FLAG_INVMASK 0xff00   /**< Bits of a run. */
#define H5Z_FLAG_REVERSE 0x0100   /**< Reading. */
#define H5Z_FLAG_SKIP_EDC 0x0200  /**< Checksums are not verified. */
/** @} */

/** \name H5Zget_filter_info: bits */
/** @{ */
#define H5Z_FILTER_CONFIG_ENCODE_ENABLED (0x0001) /**< It can encode. */
#define H5Z_FILTER_CONFIG_DECODE_ENABLED (0x0002) /**< It can decode. */
/** @} */

/** \name Parameters of the standard filters */
/** @{ */
#define H5_SZIP_ALLOW_K13_OPTION_MASK 1 /**< Szip: K up to 13; always added. */
#define H5_SZIP_CHIP_OPTION_MASK 2      /**< Szip: as the chip did; always taken away. */
#define H5_SZIP_EC_OPTION_MASK 4        /**< Szip: entropy coding. */
#define H5_SZIP_NN_OPTION_MASK 32       /**< Szip: nearest neighbour first. */
#define H5_SZIP_MAX_PIXELS_PER_BLOCK 32 /**< Szip: most pixels of a block. */
#define H5Z_SHUFFLE_USER_NPARMS 0       /**< Shuffle: numbers that a program gives. */
#define H5Z_SHUFFLE_TOTAL_NPARMS 1      /**< Shuffle: numbers in the file. */
#define H5Z_SZIP_USER_NPARMS 2          /**< Szip: numbers that a program gives. */
#define H5Z_SZIP_TOTAL_NPARMS 4         /**< Szip: numbers in the file. */
#define H5Z_SZIP_PARM_MASK 0            /**< Szip: place of the options. */
#define H5Z_SZIP_PARM_PPB 1             /**< Szip: place of the pixels per block. */
#define H5Z_SZIP_PARM_BPP 2             /**< Szip: place of the bits per pixel. */
#define H5Z_SZIP_PARM_PPS 3             /**< Szip: place of the pixels per line. */
#define H5Z_NBIT_USER_NPARMS 0          /**< N-bit: numbers that a program gives. */
#define H5Z_SCALEOFFSET_USER_NPARMS 2   /**< Scale-offset: numbers that a program gives. */
#define H5Z_SO_INT_MINBITS_DEFAULT 0    /**< Scale-offset: as many bits as are needed. */
/** @} */

/** Ways of scale-offset. */
typedef enum H5Z_SO_scale_type_t {
  H5Z_SO_FLOAT_DSCALE = 0, /**< Floating point, by decimal digits. */
  H5Z_SO_FLOAT_ESCALE = 1, /**< Floating point, by exponents: refused, or skipped where optional. */
  H5Z_SO_INT = 2           /**< Integers. */
} H5Z_SO_scale_type_t;

/** Whether a checksum filter checks in reading. */
typedef enum H5Z_EDC_t {
  H5Z_ERROR_EDC = -1,  /**< No answer: a call failed. */
  H5Z_DISABLE_EDC = 0, /**< No. */
  H5Z_ENABLE_EDC = 1,  /**< Yes. */
  H5Z_NO_EDC = 2       /**< One above the last setting. */
} H5Z_EDC_t;

/** What a program's callback says when a filter failed. */
typedef enum H5Z_cb_return_t {
  H5Z_CB_ERROR = -1, /**< The call fails. */
  H5Z_CB_FAIL = 0,   /**< The call fails. */
  H5Z_CB_CONT = 1,   /**< The chunk goes on without the filter. */
  H5Z_CB_NO = 2      /**< One above the last answer. */
} H5Z_cb_return_t;

/**
 * Asked when a filter failed (H5Pset_filter_callback()).
 *
 * \param filter Number of the filter.
 * \param buf The bytes before it.
 * \param buf_size Their number.
 * \param op_data The caller's.
 * \return What is to be done.
 */
typedef H5Z_cb_return_t (*H5Z_filter_func_t)(H5Z_filter_t filter, void *buf, size_t buf_size,
                                             void *op_data);

/** Such a callback with its data. */
typedef struct H5Z_cb_t {
  H5Z_filter_func_t func; /**< The function. */
  void *op_data;          /**< Handed to it. */
} H5Z_cb_t;

#define H5Z_CLASS_T_VERS (1) /**< Version of H5Z_class2_t that programs fill in. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name A filter of a program or plugin */
/** @{ */
/**
 * Asked when a dataset is made: can the filter be applied?
 *
 * \param dcpl_id A copy of the creation list.
 * \param type_id Type of an element.
 * \param space_id A dataspace of the dimensions of a chunk.
 * \return Positive for yes, 0 for no, negative on failure.
 */
typedef htri_t (*H5Z_can_apply_func_t)(hid_t dcpl_id, hid_t type_id, hid_t space_id);

/**
 * Called when a dataset is made: sets parameters with H5Pmodify_filter().
 *
 * \param dcpl_id A copy of the creation list, to be changed.
 * \param type_id Type of an element.
 * \param space_id A dataspace of the dimensions of a chunk.
 * \return Negative on failure.
 */
typedef herr_t (*H5Z_set_local_func_t)(hid_t dcpl_id, hid_t type_id, hid_t space_id);

/**
 * The filter. It may free and replace *buf, with malloc() and free().
 *
 * \param flags Bits of the list and of the run (H5Z_FLAG_REVERSE: decode).
 * \param cd_nelmts Number of parameters.
 * \param cd_values Parameters, [cd_nelmts].
 * \param nbytes Bytes that are filtered.
 * \param buf_size Bytes of *buf; set where it is replaced.
 * \param buf The bytes.
 * \return Bytes in *buf afterwards; 0 on failure.
 */
typedef size_t (*H5Z_func_t)(unsigned int flags, size_t cd_nelmts, const unsigned int cd_values[],
                             size_t nbytes, size_t *buf_size, void **buf);

/** A filter of a program or plugin. */
typedef struct H5Z_class2_t {
  int version;                    /**< H5Z_CLASS_T_VERS. */
  H5Z_filter_t id;                /**< Its number. */
  unsigned encoder_present;       /**< Nonzero: it can encode. */
  unsigned decoder_present;       /**< Nonzero: it can decode. */
  const char *name;               /**< Its name; may be NULL. */
  H5Z_can_apply_func_t can_apply; /**< May be NULL: always. */
  H5Z_set_local_func_t set_local; /**< May be NULL: nothing to set. */
  H5Z_func_t filter;              /**< The filter. */
} H5Z_class2_t;
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS
/** The form of 1.6; it is told from the other by its first member. */
typedef struct H5Z_class1_t {
  H5Z_filter_t id;                /**< Its number. */
  const char *name;               /**< Its name; may be NULL. */
  H5Z_can_apply_func_t can_apply; /**< May be NULL: always. */
  H5Z_set_local_func_t set_local; /**< May be NULL: nothing to set. */
  H5Z_func_t filter;              /**< The filter. */
} H5Z_class1_t;
#endif

/** \name Register, unregister, ask */
/** @{ */
/**
 * Adds a filter, or takes the place of the one with its number.
 *
 * \param cls A H5Z_class2_t or H5Z_class1_t.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL; a number out of range; no function.
 */
H5_DLL herr_t H5Zregister(const void *cls);

/**
 * Takes a filter away.
 *
 * \param id Number, 0 to 65,535.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number; no such filter, or one of the library's own; an open dataset uses it, or
 *   chunks of a closed one still wait for it.
 */
H5_DLL herr_t H5Zunregister(H5Z_filter_t id);

/**
 * Is the filter there? Looks for plugins too.
 *
 * \param id Number, 0 to 65,535.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors Another number.
 */
H5_DLL htri_t H5Zfilter_avail(H5Z_filter_t id);

/**
 * Tells whether a filter can encode and decode.
 *
 * \param filter Number, 0 to 65,535.
 * \param filter_config_flags Set to bits H5Z_FILTER_CONFIG_...; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number; no such filter.
 */
H5_DLL herr_t H5Zget_filter_info(H5Z_filter_t filter, unsigned *filter_config_flags);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
