/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Dataspaces and selections (room: include). Nothing here communicates.
 *
 * Extents, coordinates and counts are in elements, row-major, [ndims]. A selection may lie outside
 * the extent until it is used. A selection offset moves points and hyperslabs, not "all".
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Spublic_H
#define H5Spublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5S H5S: dataspaces and selections
 *  @{ */

#define H5S_ALL ((hid_t)0) /**< In a transfer: the whole extent. */

/** A maximum without limit; a count or block that goes on with the extent. */
#define H5S_UNLIMITED HSIZE_UNDEF
#define H5S_MAX_RANK 32 /**< Most dimensions of a dataspace. */

/** Kinds of dataspaces. */
typedef enum H5S_class_t {
  H5S_NO_CLASS = -1, /**< No class: a call failed. */
  H5S_SCALAR = 0,    /**< One element, no dimensions. */
  H5S_SIMPLE = 1,    /**< An array. */
  H5S_NULL = 2       /**< No elements. */
} H5S_class_t;

/** How a new selection combines with the old one. */
typedef enum H5S_seloper_t {
  H5S_SELECT_NOOP = -1,   /**< Nothing. */
  H5S_SELECT_SET = 0,     /**< The new one alone. */
  H5S_SELECT_OR = 1,      /**< Elements in either. */
  H5S_SELECT_AND = 2,     /**< Elements in both. */
  H5S_SELECT_XOR = 3,     /**< Elements in exactly one. */
  H5S_SELECT_NOTB = 4,    /**< Old without new. */
  H5S_SELECT_NOTA = 5,    /**< New without old. */
  H5S_SELECT_APPEND = 6,  /**< Points behind the old ones. */
  H5S_SELECT_PREPEND = 7, /**< Points before the old ones. */
  H5S_SELECT_INVALID = 8  /**< One above the last operator. */
} H5S_seloper_t;

/** Kinds of selections. */
typedef enum {
  H5S_SEL_ERROR = -1,     /**< No kind: a call failed. */
  H5S_SEL_NONE = 0,       /**< Nothing. */
  H5S_SEL_POINTS = 1,     /**< A list of elements. */
  H5S_SEL_HYPERSLABS = 2, /**< Blocks, regular or not. */
  H5S_SEL_ALL = 3,        /**< The whole extent. */
  H5S_SEL_N = 4           /**< Number of kinds. */
} H5S_sel_type;

#ifdef __cplusplus
extern "C" {
#endif

/** \name Create, copy, close */
/** @{ */
/**
 * Makes a dataspace of a class; a simple one has no extent until it is set.
 *
 * \param type H5S_SCALAR, H5S_SIMPLE or H5S_NULL.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors Another class.
 */
H5_DLL hid_t H5Screate(H5S_class_t type);

/**
 * Makes an array's dataspace, all of it selected.
 *
 * \param rank Number of dimensions, 0 to 32; 0 makes a scalar.
 * \param dims Extent, [rank].
 * \param maxdims Largest extent, [rank], H5S_UNLIMITED where there is none; NULL: dims.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors rank out of range; dims NULL; a dimension above its maximum, or unlimited itself. More
 *   elements than 64 bits count are refused where they are used.
 */
H5_DLL hid_t H5Screate_simple(int rank, const hsize_t dims[], const hsize_t maxdims[]);

/**
 * Copies a dataspace with its selection.
 *
 * \param space_id Dataspace.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Scopy(hid_t space_id);

/**
 * Closes a dataspace.
 *
 * \param space_id Dataspace.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Sclose(hid_t space_id);
/** @} */

/** \name Extent */
/** @{ */
/**
 * Gives a dataspace another extent. The selection stays where the number of dimensions does, and
 * becomes all where not; its offset becomes 0.
 *
 * \param space_id Dataspace.
 * \param rank Number of dimensions, 0 to 32; 0 makes a scalar.
 * \param dims Extent, [rank].
 * \param max Largest extent, [rank]; NULL: dims.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Screate_simple().
 */
H5_DLL herr_t H5Sset_extent_simple(hid_t space_id, int rank, const hsize_t dims[],
                                   const hsize_t max[]);

/**
 * Takes the extent away: the dataspace is null afterwards.
 *
 * \param space_id Dataspace.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Sset_extent_none(hid_t space_id);

/**
 * Gives a dataspace the extent of another one; selection as in H5Sset_extent_simple().
 *
 * \param dst_id Dataspace that is changed.
 * \param src_id Dataspace that is copied.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Sextent_copy(hid_t dst_id, hid_t src_id);

/**
 * Have two dataspaces the same class, extent and largest extent?
 *
 * \param space1_id Dataspace.
 * \param space2_id Another dataspace.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Sextent_equal(hid_t space1_id, hid_t space2_id);

/**
 * A dataspace with its selection as bytes, those that libhdf5 1.10.8 makes. A selection offset is left
 * out.
 *
 * \param obj_id Dataspace.
 * \param buf For the bytes; NULL, or too small by nalloc: only the size is told.
 * \param nalloc Bytes that buf has; where those are too few, or buf is NULL, set to those that are needed.
 * \return 0, or negative on failure.
 * \local
 * \errors Points, or hyperslabs that are not regular, with coordinates beyond 32 bits.
 * \differs A null dataspace that H5Sset_extent_none() made is encoded as what it is (libhdf5
 *   1.10.8: as a scalar); an offset of the selection below 0 doesn't matter.
 */
H5_DLL herr_t H5Sencode(hid_t obj_id, void *buf, size_t *nalloc);

/**
 * Makes a dataspace of what H5Sencode() made, also that of libhdf5. The bytes say themselves how
 * many they are: there must be as many.
 *
 * \param buf The bytes.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors Bytes of something else, or of a version that is not known.
 */
H5_DLL hid_t H5Sdecode(const void *buf);

/**
 * Is the dataspace an array? A scalar counts as one.
 *
 * \param space_id Dataspace.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Sis_simple(hid_t space_id);

/**
 * Number of dimensions.
 *
 * \param space_id Dataspace.
 * \return 0 to 32, or negative on failure.
 * \local
 */
H5_DLL int H5Sget_simple_extent_ndims(hid_t space_id);

/**
 * Tells extent and largest extent.
 *
 * \param space_id Dataspace.
 * \param dims For the extent, [ndims]; may be NULL.
 * \param maxdims For the largest extent, [ndims]; may be NULL.
 * \return Number of dimensions, or negative on failure.
 * \local
 */
H5_DLL int H5Sget_simple_extent_dims(hid_t space_id, hsize_t dims[], hsize_t maxdims[]);

/**
 * Number of elements in the extent.
 *
 * \param space_id Dataspace.
 * \return Elements, or negative on failure.
 * \local
 * \errors More than 63 bits count.
 */
H5_DLL hssize_t H5Sget_simple_extent_npoints(hid_t space_id);

/**
 * The class of the dataspace.
 *
 * \param space_id Dataspace.
 * \return The class; H5S_NO_CLASS on failure.
 * \local
 */
H5_DLL H5S_class_t H5Sget_simple_extent_type(hid_t space_id);
/** @} */

/** \name Making a selection */
/** @{ */
/**
 * Selects the whole extent.
 *
 * \param spaceid Dataspace.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Sselect_all(hid_t spaceid);

/**
 * Selects nothing.
 *
 * \param spaceid Dataspace.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Sselect_none(hid_t spaceid);

/**
 * Combines the selection with a regular hyperslab.
 *
 * \param space_id Dataspace.
 * \param op H5S_SELECT_SET to H5S_SELECT_NOTA.
 * \param start First element of the first block, [ndims].
 * \param stride Distance of blocks, [ndims]; NULL: 1.
 * \param count Number of blocks, [ndims].
 * \param block Elements of a block, [ndims]; NULL: 1.
 * \return 0, or negative on failure.
 * \local
 * \errors start or count NULL; another operator; a dataspace without dimensions; blocks that
 *   overlap; stride 0; more than one unlimited dimension, or a combination of one that has no end;
 *   points are selected and not H5S_SELECT_SET. The selection is then unchanged.
 */
H5_DLL herr_t H5Sselect_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                                  const hsize_t stride[], const hsize_t count[],
                                  const hsize_t block[]);

/**
 * Selects elements one by one; transfers follow the order of the list.
 *
 * \param space_id Dataspace.
 * \param op H5S_SELECT_SET, H5S_SELECT_APPEND or H5S_SELECT_PREPEND; the last two replace a
 *   selection that isn't one of elements.
 * \param num_elem Number of elements, at least 1.
 * \param coord Coordinates, [num_elem][ndims].
 * \return 0, or negative on failure.
 * \local
 * \errors No elements; another operator; a dataspace without dimensions; the coordinate
 *   H5S_UNLIMITED.
 */
H5_DLL herr_t H5Sselect_elements(hid_t space_id, H5S_seloper_t op, size_t num_elem,
                                 const hsize_t *coord);

/**
 * As H5Sselect_hyperslab(), into a new dataspace.
 *
 * \param space_id Dataspace.
 * \param op H5S_SELECT_SET to H5S_SELECT_NOTA.
 * \param start First element of the first block, [ndims].
 * \param stride Distance of blocks, [ndims]; NULL: 1.
 * \param count Number of blocks, [ndims].
 * \param block Elements of a block, [ndims]; NULL: 1.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors Those of H5Sselect_hyperslab().
 * \source HDF5 1.10.6
 */
H5_DLL hid_t H5Scombine_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                                  const hsize_t stride[], const hsize_t count[],
                                  const hsize_t block[]);

/**
 * Combines the hyperslabs of two dataspaces, into a new one.
 *
 * \param space1_id Dataspace.
 * \param op H5S_SELECT_OR to H5S_SELECT_NOTA.
 * \param space2_id Another dataspace.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors Another operator; other selections than hyperslabs; dimensions that differ in number.
 * \source HDF5 1.10.6
 */
H5_DLL hid_t H5Scombine_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id);

/**
 * Combines the hyperslab of one dataspace with that of another.
 *
 * \param space1_id Dataspace that is changed.
 * \param op H5S_SELECT_OR to H5S_SELECT_NOTA.
 * \param space2_id Another dataspace.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Scombine_select().
 * \source HDF5 1.10.6
 */
H5_DLL herr_t H5Smodify_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id);

/**
 * Gives a dataspace the selection of another one, with its offset.
 *
 * \param dst_id Dataspace that is changed.
 * \param src_id Dataspace that is copied.
 * \return 0, or negative on failure.
 * \local
 * \errors Dimensions that differ in number, unless all or none is selected.
 * \source HDF5 1.10.6
 */
H5_DLL herr_t H5Sselect_copy(hid_t dst_id, hid_t src_id);

/**
 * Moves a selection by minus an offset.
 *
 * \param spaceid Dataspace.
 * \param offset Elements, [ndims], taken away from every coordinate.
 * \return 0, or negative on failure.
 * \local
 * \errors offset NULL; nothing is selected; a coordinate would be below 0.
 * \source HDF5 1.10.6
 */
H5_DLL herr_t H5Sselect_adjust(hid_t spaceid, const hssize_t *offset);

/**
 * Sets the offset by which points and hyperslabs are moved when they are used.
 *
 * \param space_id Dataspace.
 * \param offset Elements, [ndims], added to every coordinate.
 * \return 0, or negative on failure.
 * \local
 * \errors offset NULL; a dataspace without dimensions.
 */
H5_DLL herr_t H5Soffset_simple(hid_t space_id, const hssize_t *offset);
/** @} */

/** \name Queries of a selection */
/** @{ */
/**
 * The kind of selection.
 *
 * \param spaceid Dataspace.
 * \return The kind; H5S_SEL_ERROR on failure.
 * \local
 */
H5_DLL H5S_sel_type H5Sget_select_type(hid_t spaceid);

/**
 * Number of selected elements.
 *
 * \param spaceid Dataspace.
 * \return Elements, or negative on failure; (hssize_t)H5S_UNLIMITED for an unlimited hyperslab.
 * \local
 * \errors More than 63 bits count.
 */
H5_DLL hssize_t H5Sget_select_npoints(hid_t spaceid);

/**
 * Tells the smallest box around the selection, its offset added.
 *
 * \param spaceid Dataspace.
 * \param start For the first coordinates, [ndims].
 * \param end For the last ones, [ndims]; H5S_UNLIMITED in an unlimited dimension.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL; nothing is selected; the offset leads below 0.
 */
H5_DLL herr_t H5Sget_select_bounds(hid_t spaceid, hsize_t start[], hsize_t end[]);

/**
 * Is every selected element, its offset added, in the extent?
 *
 * \param spaceid Dataspace.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Sselect_valid(hid_t spaceid);

/**
 * Is the hyperslab one pattern of start, stride, count and block?
 *
 * \param spaceid Dataspace.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors Not a hyperslab.
 * \source HDF5 1.10
 */
H5_DLL htri_t H5Sis_regular_hyperslab(hid_t spaceid);

/**
 * Tells the pattern of a regular hyperslab.
 *
 * \param spaceid Dataspace.
 * \param start For it, [ndims]; may be NULL.
 * \param stride For it, [ndims]; may be NULL.
 * \param count For it, [ndims]; may be NULL.
 * \param block For it, [ndims]; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a hyperslab, or not a regular one.
 * \source HDF5 1.10
 */
H5_DLL htri_t H5Sget_regular_hyperslab(hid_t spaceid, hsize_t start[], hsize_t stride[],
                                       hsize_t count[], hsize_t block[]);

/**
 * Number of blocks of a hyperslab.
 *
 * \param spaceid Dataspace.
 * \return Blocks, or negative on failure.
 * \local
 * \errors Not a hyperslab, or an unlimited one.
 */
H5_DLL hssize_t H5Sget_select_hyper_nblocks(hid_t spaceid);

/**
 * Lists blocks of a hyperslab in row-major order of their starts; the list ends early where there
 * are not so many.
 *
 * \param spaceid Dataspace.
 * \param startblock Number of the first one, from 0.
 * \param numblocks How many.
 * \param buf For first and last coordinates, [numblocks][2][ndims].
 * \return 0, or negative on failure.
 * \local
 * \errors buf NULL; not a hyperslab, or an unlimited one.
 */
H5_DLL herr_t H5Sget_select_hyper_blocklist(hid_t spaceid, hsize_t startblock, hsize_t numblocks,
                                            hsize_t buf[]);

/**
 * Number of elements that are selected one by one.
 *
 * \param spaceid Dataspace.
 * \return Elements, or negative on failure.
 * \local
 * \errors Not a selection of elements.
 */
H5_DLL hssize_t H5Sget_select_elem_npoints(hid_t spaceid);

/**
 * Lists elements that are selected one by one, in the order of the list; it ends early where there
 * are not so many.
 *
 * \param spaceid Dataspace.
 * \param startpoint Number of the first one, from 0.
 * \param numpoints How many.
 * \param buf For coordinates, [numpoints][ndims].
 * \return 0, or negative on failure.
 * \local
 * \errors buf NULL; not a selection of elements.
 */
H5_DLL herr_t H5Sget_select_elem_pointlist(hid_t spaceid, hsize_t startpoint, hsize_t numpoints,
                                           hsize_t buf[]);
/** @} */

/** \name Two selections together */
/** @{ */
/**
 * Have two selections the same shape, wherever they are? Leading dimensions of one element don't
 * count.
 *
 * \param space1_id Dataspace.
 * \param space2_id Another dataspace.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \source HDF5 1.10.6
 */
H5_DLL htri_t H5Sselect_shape_same(hid_t space1_id, hid_t space2_id);

/**
 * Is an element of a block selected?
 *
 * \param space_id Dataspace.
 * \param start First coordinates of the block, [ndims].
 * \param end Last coordinates, [ndims].
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors NULL; the block ends before it starts; the offset leads below 0.
 * \source HDF5 1.10.6
 */
H5_DLL htri_t H5Sselect_intersect_block(hid_t space_id, const hsize_t *start, const hsize_t *end);

/**
 * Finds which elements of the destination stand for those of the source that are also selected in a
 * third dataspace.
 *
 * \param src_space_id Source.
 * \param dst_space_id Destination, of as many selected elements.
 * \param src_intersect_space_id Third dataspace, of the source's extent.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors Numbers of elements that differ; extents that differ; a selection outside its extent.
 * \source HDF5 1.10.6
 */
H5_DLL hid_t H5Sselect_project_intersection(hid_t src_space_id, hid_t dst_space_id,
                                            hid_t src_intersect_space_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
