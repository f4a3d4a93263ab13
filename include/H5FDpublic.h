/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Kinds of memory in a file, file images, and constants of the file drivers (room: include).
 * Drivers written by the caller are not supported, so the driver class is not here.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDpublic_H
#define H5FDpublic_H

#include "H5Fpublic.h"
#include "H5public.h"

#define H5_HAVE_VFL 1

/* Driver id that stands for the default driver. */
#define H5FD_VFD_DEFAULT 0

/* What a piece of a file is used for. */
typedef enum H5F_mem_t H5FD_mem_t;
#define H5FD_MEM_FHEAP_HDR H5FD_MEM_OHDR
#define H5FD_MEM_FHEAP_IBLOCK H5FD_MEM_OHDR
#define H5FD_MEM_FHEAP_DBLOCK H5FD_MEM_LHEAP
#define H5FD_MEM_FHEAP_HUGE_OBJ H5FD_MEM_DRAW
#define H5FD_MEM_FSPACE_HDR H5FD_MEM_OHDR
#define H5FD_MEM_FSPACE_SINFO H5FD_MEM_LHEAP
#define H5FD_MEM_SOHM_TABLE H5FD_MEM_OHDR
#define H5FD_MEM_SOHM_INDEX H5FD_MEM_BTREE
#define H5FD_MEM_EARRAY_HDR H5FD_MEM_OHDR
#define H5FD_MEM_EARRAY_IBLOCK H5FD_MEM_OHDR
#define H5FD_MEM_EARRAY_SBLOCK H5FD_MEM_BTREE
#define H5FD_MEM_EARRAY_DBLOCK H5FD_MEM_LHEAP
#define H5FD_MEM_EARRAY_DBLK_PAGE H5FD_MEM_LHEAP
#define H5FD_MEM_FARRAY_HDR H5FD_MEM_OHDR
#define H5FD_MEM_FARRAY_DBLOCK H5FD_MEM_LHEAP
#define H5FD_MEM_FARRAY_DBLK_PAGE H5FD_MEM_LHEAP

/* At which step the memory of a file image is being handled. */
typedef enum {
  H5FD_FILE_IMAGE_OP_NO_OP = 0,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET = 1,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_COPY = 2,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_GET = 3,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_CLOSE = 4,
  H5FD_FILE_IMAGE_OP_FILE_OPEN = 5,
  H5FD_FILE_IMAGE_OP_FILE_RESIZE = 6,
  H5FD_FILE_IMAGE_OP_FILE_CLOSE = 7
} H5FD_file_image_op_t;

/* The caller's own ways to get, copy, grow and free such memory; NULL: malloc and friends. */
typedef struct {
  void *(*image_malloc)(size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  void *(*image_memcpy)(void *dest, const void *src, size_t size,
                        H5FD_file_image_op_t file_image_op, void *udata);
  void *(*image_realloc)(void *ptr, size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  herr_t (*image_free)(void *ptr, H5FD_file_image_op_t file_image_op, void *udata);
  void *(*udata_copy)(void *udata);
  herr_t (*udata_free)(void *udata);
  void *udata;
} H5FD_file_image_callbacks_t;

#endif
