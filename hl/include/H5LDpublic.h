/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * For those who look after a dataset that grows: its size, the size of some of its fields, and what is new
 * (library: libpcio_hl).
 *
 * Source: names and signatures are those of HDF5 1.10.8; what calls do was watched.
 */
#ifndef H5LDpublic_H
#define H5LDpublic_H

#include "hdf5.h"

/** \defgroup H5LD H5LD: datasets that grow
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Sizes of a dataset.
 *
 * \param did Dataset.
 * \param cur_dims Gets the size of each dimension.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a dataset; a null pointer.
 */
H5_HLDLL herr_t H5LDget_dset_dims(hid_t did, hsize_t *cur_dims);

/**
 * Bytes of an element in memory, in its native type.
 *
 * \param did Dataset.
 * \param fields Members of its compound type, separated by commas, those of members behind a point: "a,b.c"; a
 *   backslash takes the meaning of the character behind it. Null: the whole element.
 * \return Their sizes, added; 0 on failure.
 * \local
 * \errors Not a dataset; no such field; an empty name.
 */
H5_HLDLL size_t H5LDget_dset_type_size(hid_t did, const char *fields);

/**
 * Reads the elements that a dataset has and had not when it was smaller, in the order in which they lie.
 *
 * \param did Dataset.
 * \param prev_dims Its sizes before.
 * \param cur_dims Its sizes now, or what of them is wanted.
 * \param fields As for H5LDget_dset_type_size(); they follow each other without gaps.
 * \param buf Gets the elements, of H5LDget_dset_type_size() bytes each.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a dataset; a null pointer; no dimension is larger than before; no such field; it is not that large.
 */
H5_HLDLL herr_t H5LDget_dset_elmts(hid_t did, const hsize_t *prev_dims, const hsize_t *cur_dims, const char *fields,
                                   void *buf);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
