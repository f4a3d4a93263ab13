/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Dimension scales: datasets that say what lies along a dimension of others (library: libpcio_hl).
 * Everything they consist of is attributes, so on a parallel file what writes is a metadata call.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8; the attributes those of the HDF5
 * Dimension Scale Specification.
 */
#ifndef H5DSpublic_H
#define H5DSpublic_H

#include "hdf5.h"

/** \defgroup H5DS H5DS: dimension scales
 *  @{ */

#define DIMENSION_SCALE_CLASS "DIMENSION_SCALE" /**< Value of a scale's attribute CLASS. */
#define DIMENSION_LIST "DIMENSION_LIST"         /**< A dataset's attribute: its scales by dimension. */
#define REFERENCE_LIST "REFERENCE_LIST"         /**< A scale's attribute: datasets that use it. */
#define DIMENSION_LABELS "DIMENSION_LABELS"     /**< A dataset's attribute: a label for each dimension. */

/** Called for a scale: 0 goes on, anything else ends the iteration and is what it returns. */
typedef herr_t (*H5DS_iterate_t)(hid_t dset, unsigned dim, hid_t scale, void *visitor_data);

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Attaches a scale to a dimension. A dataset that is no scale yet becomes one, without a name.
 * Nothing happens if it is attached there already.
 *
 * \param did Dataset; it must not be a scale. A scalar one counts as one of one dimension.
 * \param dsid Scale, of the same file.
 * \param idx Dimension, from 0.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a dataset; the same dataset twice; did a scale; dsid with scales of its own, or in another
 *   file; no such dimension.
 * \differs What is attached already is not noted twice.
 */
H5_HLDLL herr_t H5DSattach_scale(hid_t did, hid_t dsid, unsigned int idx);

/**
 * Detaches a scale from a dimension. It stays a scale.
 *
 * \param did Dataset.
 * \param dsid Scale.
 * \param idx Dimension, from 0.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Those of H5DSattach_scale(); not attached there.
 */
H5_HLDLL herr_t H5DSdetach_scale(hid_t did, hid_t dsid, unsigned int idx);

/**
 * Makes a dataset a dimension scale, or gives a scale another name.
 *
 * \param dsid Dataset.
 * \param dimname Name, or NULL for none.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Not a dataset; one that has scales itself.
 */
H5_HLDLL herr_t H5DSset_scale(hid_t dsid, const char *dimname);

/**
 * Tells how many scales a dimension has.
 *
 * \param did Dataset.
 * \param dim Dimension, from 0.
 * \return Their number, negative on failure.
 * \local
 * \errors Not a dataset; no such dimension; an attribute of a wrong kind.
 */
H5_HLDLL int H5DSget_num_scales(hid_t did, unsigned int dim);

/**
 * Gives a dimension a label.
 *
 * \param did Dataset.
 * \param idx Dimension, from 0.
 * \param label Text.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a dataset; no such dimension; label NULL.
 */
H5_HLDLL herr_t H5DSset_label(hid_t did, unsigned int idx, const char *label);

/**
 * Gets the label of a dimension.
 *
 * \param did Dataset.
 * \param idx Dimension, from 0.
 * \param label For the text, or NULL.
 * \param size Bytes at label.
 * \return Length of the whole label, 0 if there is none, negative on failure.
 * \local
 * \errors Not a dataset; no such dimension; an attribute of a wrong kind.
 */
H5_HLDLL ssize_t H5DSget_label(hid_t did, unsigned int idx, char *label, size_t size);

/**
 * Gets the name that H5DSset_scale() gave.
 *
 * \param did Scale.
 * \param name For the text, or NULL.
 * \param size Bytes at name.
 * \return Length of the whole name, 0 if there is none, negative on failure.
 * \local
 * \errors Not a scale; an attribute of a wrong kind.
 */
H5_HLDLL ssize_t H5DSget_scale_name(hid_t did, char *name, size_t size);

/**
 * Tells whether a dataset is a dimension scale.
 *
 * \param did Dataset.
 * \return 1 or 0, negative on failure.
 * \local
 * \errors Not a dataset.
 */
H5_HLDLL htri_t H5DSis_scale(hid_t did);

/**
 * Calls a function for each scale of a dimension, in the order of attaching.
 *
 * \param did Dataset.
 * \param dim Dimension, from 0.
 * \param idx Number of the first to be visited, and of the last that was; NULL: begin with the first.
 * \param visitor Function.
 * \param visitor_data Handed to it.
 * \return What the function returned last, or 0; negative on failure.
 * \local
 * \errors Not a dataset; no such dimension; no scale of number idx; visitor NULL; a reference to nothing.
 */
H5_HLDLL herr_t H5DSiterate_scales(hid_t did, unsigned int dim, int *idx, H5DS_iterate_t visitor,
                                   void *visitor_data);

/**
 * Tells whether a scale is attached to a dimension.
 *
 * \param did Dataset; it must not be a scale.
 * \param dsid Scale.
 * \param idx Dimension, from 0.
 * \return 1 or 0, negative on failure.
 * \local
 * \errors Not a dataset; the same dataset twice; did a scale; no such dimension.
 */
H5_HLDLL htri_t H5DSis_attached(hid_t did, hid_t dsid, unsigned int idx);

#ifdef __cplusplus
}
#endif
/** @} */

#endif
