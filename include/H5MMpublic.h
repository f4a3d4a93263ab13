/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Allocation callbacks for variable-length data in memory (room: include).
 * Source: names and signatures are those of HDF5 1.10.8.
 */
#ifndef H5MMpublic_H
#define H5MMpublic_H

#include "H5public.h"

/** \defgroup H5MM H5MM: memory callbacks
 *  @{ */

/**
 * Gets memory for variable-length data (H5Pset_vlen_mem_manager()).
 *
 * \param size Bytes.
 * \param alloc_info The caller's.
 * \return The memory; NULL on failure.
 */
typedef void *(*H5MM_allocate_t)(size_t size, void *alloc_info);

/**
 * Frees such memory.
 *
 * \param mem The memory.
 * \param free_info The caller's.
 */
typedef void (*H5MM_free_t)(void *mem, void *free_info);

/** @} */

#endif
