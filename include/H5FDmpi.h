/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * How a transfer through MPI is asked for (room: include).
 * Source: values of HDF5 1.10.8; additions as named.
 */
#ifndef H5FDmpi_H
#define H5FDmpi_H

#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

/** \name Defaults of H5Pset_dxpl_mpio_chunk_opt_num and _ratio */
/** @{ */
/** Chunks per rank from which on chunks are linked; 0: always. */
#define H5D_ONE_LINK_CHUNK_IO_THRESHOLD 0
/** Percent of the ranks that make a chunk collective. */
#define H5D_MULTI_CHUNK_IO_COL_THRESHOLD 60
/** @} */

/** Who takes part in a transfer (H5Pset_dxpl_mpio()). */
typedef enum H5FD_mpio_xfer_t {
  H5FD_MPIO_INDEPENDENT = 0, /**< This rank alone; the default. */
  H5FD_MPIO_COLLECTIVE = 1   /**< All ranks of the file. */
} H5FD_mpio_xfer_t;

/**
 * What a collective transfer does with chunks (H5Pset_dxpl_mpio_chunk_opt()).
 */
typedef enum H5FD_mpio_chunk_opt_t {
  H5FD_MPIO_CHUNK_DEFAULT = 0,        /**< The library chooses. */
  H5FD_MPIO_CHUNK_ONE_IO = 1,         /**< All chunks linked into one transfer. */
  H5FD_MPIO_CHUNK_MULTI_IO = 2,       /**< Chunk by chunk, each collective or independent. */
  H5FD_MPIO_COLL_CHUNK_ATONCE_IO = 4, /**< All collective chunks in one transfer; of the RFC. */
  H5FD_MPIO_ALL_CHUNK_IND_IO = 5,     /**< Every chunk independent; of the RFC. */
  PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO = 6 /**< Chunk by chunk, without counting ranks; ours. */
} H5FD_mpio_chunk_opt_t;

/**
 * How a collective transfer moves its bytes (H5Pset_dxpl_mpio_collective_opt()).
 */
typedef enum H5FD_mpio_collective_opt_t {
  H5FD_MPIO_COLLECTIVE_IO = 0, /**< Together. */
  H5FD_MPIO_INDIVIDUAL_IO = 1  /**< Each rank by its own calls; all still take part. */
} H5FD_mpio_collective_opt_t;

#include "H5FDmpio.h"

/** @} */

#endif
