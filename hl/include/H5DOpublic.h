/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Appending to datasets, and chunks as they are stored (library: libpcio_hl).
 *
 * Source: names and signatures are those of HDF5 1.10.8; what calls do was watched.
 */
#ifndef H5DOpublic_H
#define H5DOpublic_H

#include "hdf5.h"

/** \defgroup H5DO H5DO: appending to datasets
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a dataset longer in one dimension, and writes what is new. Where its length passes a boundary of
 * H5Pset_append_flush(), that call's function is called and the dataset is flushed.
 *
 * \param dset_id Dataset in chunks whose dimension can grow.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param axis Dimension, from 0.
 * \param extension By how many it grows.
 * \param memtype Type in memory.
 * \param buf The new elements, in the order of the dataset.
 * \return 0, or negative on failure.
 * \communicates
 *   The write is as dxpl_id says.
 * \errors Not a dataset or list; no such dimension; it can't grow; a null pointer.
 */
H5_HLDLL herr_t H5DOappend(hid_t dset_id, hid_t dxpl_id, unsigned axis, size_t extension, hid_t memtype,
                           const void *buf);

/**
 * H5Dwrite_chunk().
 *
 * \param dset_id Dataset in chunks.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param filters Bits of the filters that were left out.
 * \param offset Its first element.
 * \param data_size Bytes.
 * \param buf The chunk as it is stored.
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of H5Dwrite_chunk().
 */
H5_HLDLL herr_t H5DOwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t *offset,
                                size_t data_size, const void *buf);

/**
 * H5Dread_chunk().
 *
 * \param dset_id Dataset in chunks.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param offset Its first element.
 * \param filters Gets the bits of the filters that were left out.
 * \param buf Gets the chunk as it is stored.
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of H5Dread_chunk().
 */
H5_HLDLL herr_t H5DOread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t *offset, uint32_t *filters, void *buf);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
