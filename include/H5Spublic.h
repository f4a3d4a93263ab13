/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Dataspaces and selections (room: include). Nothing here communicates.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Spublic_H
#define H5Spublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/* In a transfer: the whole extent. */
#define H5S_ALL ((hid_t)0)

#define H5S_UNLIMITED HSIZE_UNDEF
#define H5S_MAX_RANK 32

typedef enum H5S_class_t {
  H5S_NO_CLASS = -1,
  H5S_SCALAR = 0,
  H5S_SIMPLE = 1,
  H5S_NULL = 2
} H5S_class_t;

/* How a new selection combines with the old one. */
typedef enum H5S_seloper_t {
  H5S_SELECT_NOOP = -1,
  H5S_SELECT_SET = 0,
  H5S_SELECT_OR = 1,
  H5S_SELECT_AND = 2,
  H5S_SELECT_XOR = 3,
  H5S_SELECT_NOTB = 4, /* old without new */
  H5S_SELECT_NOTA = 5, /* new without old */
  H5S_SELECT_APPEND = 6,
  H5S_SELECT_PREPEND = 7,
  H5S_SELECT_INVALID = 8
} H5S_seloper_t;

typedef enum {
  H5S_SEL_ERROR = -1,
  H5S_SEL_NONE = 0,
  H5S_SEL_POINTS = 1,
  H5S_SEL_HYPERSLABS = 2,
  H5S_SEL_ALL = 3,
  H5S_SEL_N = 4
} H5S_sel_type;

#ifdef __cplusplus
extern "C" {
#endif

/* Create, copy, close. dims and maxdims are [rank]; maxdims NULL means dims. */
H5_DLL hid_t H5Screate(H5S_class_t type);
H5_DLL hid_t H5Screate_simple(int rank, const hsize_t dims[], const hsize_t maxdims[]);
H5_DLL hid_t H5Scopy(hid_t space_id);
H5_DLL herr_t H5Sclose(hid_t space_id);

/* Extent. */
H5_DLL herr_t H5Sset_extent_simple(hid_t space_id, int rank, const hsize_t dims[],
                                   const hsize_t max[]);
H5_DLL herr_t H5Sset_extent_none(hid_t space_id);
H5_DLL herr_t H5Sextent_copy(hid_t dst_id, hid_t src_id);
H5_DLL htri_t H5Sextent_equal(hid_t space1_id, hid_t space2_id);
H5_DLL htri_t H5Sis_simple(hid_t space_id);
H5_DLL int H5Sget_simple_extent_ndims(hid_t space_id);
H5_DLL int H5Sget_simple_extent_dims(hid_t space_id, hsize_t dims[], hsize_t maxdims[]);
H5_DLL hssize_t H5Sget_simple_extent_npoints(hid_t space_id);
H5_DLL H5S_class_t H5Sget_simple_extent_type(hid_t space_id);

/* Making a selection. stride and block NULL mean 1; coord is [num_elem][rank], row-major. */
H5_DLL herr_t H5Sselect_all(hid_t spaceid);
H5_DLL herr_t H5Sselect_none(hid_t spaceid);
H5_DLL herr_t H5Sselect_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                                  const hsize_t stride[], const hsize_t count[],
                                  const hsize_t block[]);
H5_DLL herr_t H5Sselect_elements(hid_t space_id, H5S_seloper_t op, size_t num_elem,
                                 const hsize_t *coord);
H5_DLL hid_t H5Scombine_hyperslab(hid_t space_id, H5S_seloper_t op, const hsize_t start[],
                                  const hsize_t stride[], const hsize_t count[],
                                  const hsize_t block[]);
H5_DLL hid_t H5Scombine_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id);
H5_DLL herr_t H5Smodify_select(hid_t space1_id, H5S_seloper_t op, hid_t space2_id);
H5_DLL herr_t H5Sselect_copy(hid_t dst_id, hid_t src_id);
H5_DLL herr_t H5Sselect_adjust(hid_t spaceid, const hssize_t *offset);
H5_DLL herr_t H5Soffset_simple(hid_t space_id, const hssize_t *offset);

/* Queries of a selection. */
H5_DLL H5S_sel_type H5Sget_select_type(hid_t spaceid);
H5_DLL hssize_t H5Sget_select_npoints(hid_t spaceid);
H5_DLL herr_t H5Sget_select_bounds(hid_t spaceid, hsize_t start[], hsize_t end[]);
H5_DLL htri_t H5Sselect_valid(hid_t spaceid);
H5_DLL htri_t H5Sis_regular_hyperslab(hid_t spaceid);
H5_DLL htri_t H5Sget_regular_hyperslab(hid_t spaceid, hsize_t start[], hsize_t stride[],
                                       hsize_t count[], hsize_t block[]);
H5_DLL hssize_t H5Sget_select_hyper_nblocks(hid_t spaceid);
H5_DLL herr_t H5Sget_select_hyper_blocklist(hid_t spaceid, hsize_t startblock, hsize_t numblocks,
                                            hsize_t buf[]);
H5_DLL hssize_t H5Sget_select_elem_npoints(hid_t spaceid);
H5_DLL herr_t H5Sget_select_elem_pointlist(hid_t spaceid, hsize_t startpoint, hsize_t numpoints,
                                           hsize_t buf[]);

/* Two selections together. */
H5_DLL htri_t H5Sselect_shape_same(hid_t space1_id, hid_t space2_id);
H5_DLL htri_t H5Sselect_intersect_block(hid_t space_id, const hsize_t *start, const hsize_t *end);
H5_DLL hid_t H5Sselect_project_intersection(hid_t src_space_id, hid_t dst_space_id,
                                            hid_t src_intersect_space_id);

#ifdef __cplusplus
}
#endif

#endif
