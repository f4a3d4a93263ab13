/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Kinds of memory in a file, file images, and constants of the file drivers (room: include).
 * Drivers written by the caller are not supported, so the driver class is not here.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDpublic_H
#define H5FDpublic_H

#include "H5Fpublic.h"
#include "H5public.h"

/** \defgroup H5FD H5FD: file drivers
 *  @{ */

#define H5_HAVE_VFL 1 /**< There are file drivers. */

#define H5FD_VFD_DEFAULT 0 /**< Driver id that stands for the default driver. */

/** \name Uses of metadata that share one of H5F_mem_t */
/** @{ */
typedef enum H5F_mem_t H5FD_mem_t;               /**< What a piece of a file is used for. */
#define H5FD_MEM_FHEAP_HDR H5FD_MEM_OHDR         /**< Fractal heap: header. */
#define H5FD_MEM_FHEAP_IBLOCK H5FD_MEM_OHDR      /**< Fractal heap: indirect block. */
#define H5FD_MEM_FHEAP_DBLOCK H5FD_MEM_LHEAP     /**< Fractal heap: direct block. */
#define H5FD_MEM_FHEAP_HUGE_OBJ H5FD_MEM_DRAW    /**< Fractal heap: object of its own. */
#define H5FD_MEM_FSPACE_HDR H5FD_MEM_OHDR        /**< Free space: header. */
#define H5FD_MEM_FSPACE_SINFO H5FD_MEM_LHEAP     /**< Free space: sections. */
#define H5FD_MEM_SOHM_TABLE H5FD_MEM_OHDR        /**< Shared messages: table. */
#define H5FD_MEM_SOHM_INDEX H5FD_MEM_BTREE       /**< Shared messages: index. */
#define H5FD_MEM_EARRAY_HDR H5FD_MEM_OHDR        /**< Extensible array: header. */
#define H5FD_MEM_EARRAY_IBLOCK H5FD_MEM_OHDR     /**< Extensible array: index block. */
#define H5FD_MEM_EARRAY_SBLOCK H5FD_MEM_BTREE    /**< Extensible array: super block. */
#define H5FD_MEM_EARRAY_DBLOCK H5FD_MEM_LHEAP    /**< Extensible array: data block. */
#define H5FD_MEM_EARRAY_DBLK_PAGE H5FD_MEM_LHEAP /**< Extensible array: page of a data block. */
#define H5FD_MEM_FARRAY_HDR H5FD_MEM_OHDR        /**< Fixed array: header. */
#define H5FD_MEM_FARRAY_DBLOCK H5FD_MEM_LHEAP    /**< Fixed array: data block. */
#define H5FD_MEM_FARRAY_DBLK_PAGE H5FD_MEM_LHEAP /**< Fixed array: page of a data block. */
/** @} */

/** At which step the memory of a file image is being handled. */
typedef enum {
  H5FD_FILE_IMAGE_OP_NO_OP = 0,             /**< None. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET = 1, /**< H5Pset_file_image. */
  /** A list is copied; lists share an image here, so it never comes. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_COPY = 2,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_GET = 3,   /**< H5Pget_file_image. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_CLOSE = 4, /**< The last list with the image is closed. */
  H5FD_FILE_IMAGE_OP_FILE_OPEN = 5,           /**< The memory driver opens a file. */
  H5FD_FILE_IMAGE_OP_FILE_RESIZE = 6,         /**< The memory driver's file grows or shrinks. */
  H5FD_FILE_IMAGE_OP_FILE_CLOSE = 7           /**< The memory driver closes a file. */
} H5FD_file_image_op_t;

/** The caller's own ways to get, copy, grow and free such memory; NULL: malloc and friends. */
typedef struct {
  /** Gets memory; NULL: malloc(). */
  void *(*image_malloc)(size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  /** Copies; returns dest; NULL: memcpy(). */
  void *(*image_memcpy)(void *dest, const void *src, size_t size,
                        H5FD_file_image_op_t file_image_op, void *udata);
  /** Changes the size of memory; NULL: realloc(). */
  void *(*image_realloc)(void *ptr, size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  /** Frees memory, negative on failure; NULL: free(). */
  herr_t (*image_free)(void *ptr, H5FD_file_image_op_t file_image_op, void *udata);
  void *(*udata_copy)(void *udata);  /**< Copies udata. */
  herr_t (*udata_free)(void *udata); /**< Frees udata, negative on failure. */
  void *udata;                       /**< Handed to the functions. */
} H5FD_file_image_callbacks_t;

/** @} */

#endif
