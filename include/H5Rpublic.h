/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * References to objects and to regions of datasets, as stored in datasets and attributes (room: include).
 * Local, but for making those to regions.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Rpublic_H
#define H5Rpublic_H

#include "H5Gpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5R H5R: references
 *  @{ */

#define H5R_OBJ_REF_BUF_SIZE sizeof(haddr_t)            /**< Bytes of a reference to an object. */
#define H5R_DSET_REG_REF_BUF_SIZE (sizeof(haddr_t) + 4) /**< Bytes of a reference to a region. */

/** Kinds of references. */
typedef enum {
  H5R_BADTYPE = -1,       /**< No kind. */
  H5R_OBJECT = 0,         /**< To an object. */
  H5R_DATASET_REGION = 1, /**< To a region of a dataset. */
  H5R_MAXTYPE = 2         /**< Number of kinds. */
} H5R_type_t;

typedef haddr_t hobj_ref_t; /**< An object's address in the file. */
/** A region's place in the global heap of the file. */
typedef unsigned char hdset_reg_ref_t[H5R_DSET_REG_REF_BUF_SIZE];

#ifdef __cplusplus
extern "C" {
#endif

/** \name Make and follow */
/** @{ */
/**
 * Makes a reference to an object, or to a region of a dataset.
 *
 * What a reference to a region leads to is stored in the file at once, where it stays: copies of the
 * reference may be in any number of elements, and nobody knows of the last one. So each such call takes
 * space, and on a parallel file it is made by all ranks with the same arguments.
 *
 * \param ref For the reference, one element: hobj_ref_t or hdset_reg_ref_t.
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the object.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param space_id For a region: its selection, of as many dimensions as the dataset has, without the
 *   offset of H5Soffset_simple(); it may lie outside of the extent. For an object: not looked at.
 * \return 0, or negative on failure.
 * \communicates To an object: local.
 * \errors No such name; another kind; ref NULL; for a region also: not a dataset, or one in another file; no
 *   dataspace or one of other dimensions; a file for reading only.
 */
H5_DLL herr_t H5Rcreate(void *ref, hid_t loc_id, const char *name, H5R_type_t ref_type,
                        hid_t space_id);

/**
 * Opens the object that a reference means.
 *
 * \param obj_id The file, or any object in it.
 * \param oapl_id Object access list, or H5P_DEFAULT.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \return A new id, to be closed with H5Oclose(); negative on failure.
 * \local
 * \errors A reference to nothing, to no object, or to one that was deleted; another kind; ref NULL.
 * \source HDF5 1.10
 */
H5_DLL hid_t H5Rdereference2(hid_t obj_id, hid_t oapl_id, H5R_type_t ref_type, const void *ref);

/**
 * Gives the extent of a dataset with a region of it selected.
 *
 * \param dataset The file, or any object in it.
 * \param ref_type H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \return A new dataspace, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors A reference to nothing, or to no dataset; a selection that can't be read; another kind; ref NULL.
 */
H5_DLL hid_t H5Rget_region(hid_t dataset, H5R_type_t ref_type, const void *ref);

/**
 * Tells the kind of the object that a reference means.
 *
 * \param id The file, or any object in it.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \param obj_type Set to the kind; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Rdereference2().
 */
H5_DLL herr_t H5Rget_obj_type2(hid_t id, H5R_type_t ref_type, const void *ref,
                               H5O_type_t *obj_type);

/**
 * Finds a path to the object that a reference means, by a walk through the file.
 *
 * \param loc_id The file, or any object in it.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of name.
 * \return Length without NUL; 0 where no path leads there, or nothing is there; negative on failure.
 * \local
 * \errors A region that can't be found in its heap; another kind; ref NULL.
 */
H5_DLL ssize_t H5Rget_name(hid_t loc_id, H5R_type_t ref_type, const void *ref, char *name,
                           size_t size);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
/**
 * H5Rdereference2() with the default access list.
 *
 * \param obj_id The file, or any object in it.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \return A new id, to be closed with H5Oclose(); negative on failure.
 * \local
 * \errors Those of H5Rdereference2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Rdereference1(hid_t obj_id, H5R_type_t ref_type, const void *ref);

/**
 * Tells the kind of the object that a reference means.
 *
 * \param id The file, or any object in it.
 * \param ref_type H5R_OBJECT or H5R_DATASET_REGION.
 * \param ref The reference, one element.
 * \return The kind; H5G_UNKNOWN on failure.
 * \local
 * \errors Those of H5Rdereference2().
 * \source HDF5 1.6
 */
H5_DLL H5G_obj_t H5Rget_obj_type1(hid_t id, H5R_type_t ref_type, const void *ref);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
