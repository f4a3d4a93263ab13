/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Links (room: include).
 * Creating, moving, copying and deleting are collective by contract on a parallel file but do not
 * communicate; everything else is local.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Lpublic_H
#define H5Lpublic_H

#include "H5Ipublic.h"
#include "H5Tpublic.h"
#include "H5public.h"

/* Longest link name in bytes. */
#define H5L_MAX_LINK_NAME_LEN UINT32_MAX

/* Instead of a location: the same as the other one of the call. */
#define H5L_SAME_LOC 0

typedef enum {
  H5L_TYPE_ERROR = -1,
  H5L_TYPE_HARD = 0,
  H5L_TYPE_SOFT = 1,
  H5L_TYPE_EXTERNAL = 64,
  H5L_TYPE_MAX = 255
} H5L_type_t;
#define H5L_TYPE_BUILTIN_MAX H5L_TYPE_SOFT
#define H5L_TYPE_UD_MIN H5L_TYPE_EXTERNAL

/* u.address for a hard link, u.val_size (bytes of the value) for any other. */
typedef struct {
  H5L_type_t type;
  hbool_t corder_valid;
  int64_t corder;
  H5T_cset_t cset;
  union {
    haddr_t address;
    size_t val_size;
  } u;
} H5L_info_t;

typedef herr_t (*H5L_iterate_t)(hid_t group, const char *name, const H5L_info_t *info,
                                void *op_data);

/* Asked before an external link is followed (H5Pset_elink_cb). */
typedef herr_t (*H5L_elink_traverse_t)(const char *parent_file_name, const char *parent_group_name,
                                       const char *child_file_name, const char *child_object_name,
                                       unsigned *acc_flags, hid_t fapl_id, void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/* Create. */
H5_DLL herr_t H5Lcreate_hard(hid_t cur_loc, const char *cur_name, hid_t dst_loc,
                             const char *dst_name, hid_t lcpl_id, hid_t lapl_id);
H5_DLL herr_t H5Lcreate_soft(const char *link_target, hid_t link_loc_id, const char *link_name,
                             hid_t lcpl_id, hid_t lapl_id);
H5_DLL herr_t H5Lcreate_external(const char *file_name, const char *obj_name, hid_t link_loc_id,
                                 const char *link_name, hid_t lcpl_id, hid_t lapl_id);

/* Move, copy, delete. */
H5_DLL herr_t H5Lmove(hid_t src_loc, const char *src_name, hid_t dst_loc, const char *dst_name,
                      hid_t lcpl_id, hid_t lapl_id);
H5_DLL herr_t H5Lcopy(hid_t src_loc, const char *src_name, hid_t dst_loc, const char *dst_name,
                      hid_t lcpl_id, hid_t lapl_id);
H5_DLL herr_t H5Ldelete(hid_t loc_id, const char *name, hid_t lapl_id);
H5_DLL herr_t H5Ldelete_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                               H5_iter_order_t order, hsize_t n, hid_t lapl_id);

/* Queries. */
H5_DLL htri_t H5Lexists(hid_t loc_id, const char *name, hid_t lapl_id);
H5_DLL herr_t H5Lget_info(hid_t loc_id, const char *name, H5L_info_t *linfo, hid_t lapl_id);
H5_DLL herr_t H5Lget_info_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5L_info_t *linfo,
                                 hid_t lapl_id);
H5_DLL herr_t H5Lget_val(hid_t loc_id, const char *name, void *buf, size_t size, hid_t lapl_id);
H5_DLL herr_t H5Lget_val_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                H5_iter_order_t order, hsize_t n, void *buf, size_t size,
                                hid_t lapl_id);
H5_DLL ssize_t H5Lget_name_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, char *name, size_t size,
                                  hid_t lapl_id);
H5_DLL htri_t H5Lis_registered(H5L_type_t id);

/* Takes the value of an external link apart; the pointers go into ext_linkval. */
H5_DLL herr_t H5Lunpack_elink_val(const void *ext_linkval, size_t link_size, unsigned *flags,
                                  const char **filename, const char **obj_path);

/* Iteration over one group, and over all that can be reached from it. */
H5_DLL herr_t H5Literate(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t *idx,
                         H5L_iterate_t op, void *op_data);
H5_DLL herr_t H5Literate_by_name(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t *idx, H5L_iterate_t op,
                                 void *op_data, hid_t lapl_id);
H5_DLL herr_t H5Lvisit(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, H5L_iterate_t op,
                       void *op_data);
H5_DLL herr_t H5Lvisit_by_name(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                               H5_iter_order_t order, H5L_iterate_t op, void *op_data,
                               hid_t lapl_id);

#ifdef __cplusplus
}
#endif

#endif
