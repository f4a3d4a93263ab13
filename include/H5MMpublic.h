/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Allocation callbacks for variable-length data in memory (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5MMpublic_H
#define H5MMpublic_H

#include "H5public.h"

typedef void *(*H5MM_allocate_t)(size_t size, void *alloc_info);
typedef void (*H5MM_free_t)(void *mem, void *free_info);

#endif
