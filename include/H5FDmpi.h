/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * How a transfer through MPI is asked for (room: include).
 * Source: values of HDF5 1.10.8; additions as named.
 */
#ifndef H5FDmpi_H
#define H5FDmpi_H

#include "H5public.h"

/* Defaults: chunks per rank from which on chunks are linked; percent of ranks per chunk. */
#define H5D_ONE_LINK_CHUNK_IO_THRESHOLD 0
#define H5D_MULTI_CHUNK_IO_COL_THRESHOLD 60

/* H5Pset_dxpl_mpio. */
typedef enum H5FD_mpio_xfer_t {
  H5FD_MPIO_INDEPENDENT = 0,
  H5FD_MPIO_COLLECTIVE = 1
} H5FD_mpio_xfer_t;

/* H5Pset_dxpl_mpio_chunk_opt: what a collective transfer does with chunks. */
typedef enum H5FD_mpio_chunk_opt_t {
  H5FD_MPIO_CHUNK_DEFAULT = 0,        /* the library chooses */
  H5FD_MPIO_CHUNK_ONE_IO = 1,         /* all chunks linked into one transfer */
  H5FD_MPIO_CHUNK_MULTI_IO = 2,       /* chunk by chunk, each collective or independent */
  H5FD_MPIO_COLL_CHUNK_ATONCE_IO = 4, /* all collective chunks in one transfer */
  H5FD_MPIO_ALL_CHUNK_IND_IO = 5,     /* every chunk independent */
  PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO = 6 /* chunk by chunk, without counting ranks */
} H5FD_mpio_chunk_opt_t;

/* H5Pset_dxpl_mpio_collective_opt. */
typedef enum H5FD_mpio_collective_opt_t {
  H5FD_MPIO_COLLECTIVE_IO = 0,
  H5FD_MPIO_INDIVIDUAL_IO = 1
} H5FD_mpio_collective_opt_t;

#include "H5FDmpio.h"

#endif
