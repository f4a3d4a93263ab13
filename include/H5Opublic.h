/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Objects whatever their kind (room: include).
 * Linking and changing reference counts are collective by contract on a parallel file but do not
 * communicate; everything else but H5Oflush is local.
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Opublic_H
#define H5Opublic_H

#include <time.h>

#include "H5Ipublic.h"
#include "H5Lpublic.h"
#include "H5public.h"

/* For H5Pset_copy_object. */
#define H5O_COPY_SHALLOW_HIERARCHY_FLAG (0x0001u)
#define H5O_COPY_EXPAND_SOFT_LINK_FLAG (0x0002u)
#define H5O_COPY_EXPAND_EXT_LINK_FLAG (0x0004u)
#define H5O_COPY_EXPAND_REFERENCE_FLAG (0x0008u)
#define H5O_COPY_WITHOUT_ATTR_FLAG (0x0010u)
#define H5O_COPY_PRESERVE_NULL_FLAG (0x0020u)
#define H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG (0x0040u)
#define H5O_COPY_ALL (0x007Fu)

/* Kinds of header messages that may be shared: 1 << message number of the format. */
#define H5O_SHMESG_NONE_FLAG 0x0000
#define H5O_SHMESG_SDSPACE_FLAG (1u << 1)
#define H5O_SHMESG_DTYPE_FLAG (1u << 3)
#define H5O_SHMESG_FILL_FLAG (1u << 5)
#define H5O_SHMESG_PLINE_FLAG (1u << 11)
#define H5O_SHMESG_ATTR_FLAG (1u << 12)
#define H5O_SHMESG_ALL_FLAG                                                 \
  (H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG | H5O_SHMESG_FILL_FLAG | \
   H5O_SHMESG_PLINE_FLAG | H5O_SHMESG_ATTR_FLAG)
#define H5O_SHMESG_MAX_NINDEXES 8
#define H5O_SHMESG_MAX_LIST_SIZE 5000

/* Flags of a version 2 object header (H5O_hdr_info_t.flags). */
#define H5O_HDR_CHUNK0_SIZE 0x03
#define H5O_HDR_ATTR_CRT_ORDER_TRACKED 0x04
#define H5O_HDR_ATTR_CRT_ORDER_INDEXED 0x08
#define H5O_HDR_ATTR_STORE_PHASE_CHANGE 0x10
#define H5O_HDR_STORE_TIMES 0x20
#define H5O_HDR_ALL_FLAGS                                                                  \
  (H5O_HDR_CHUNK0_SIZE | H5O_HDR_ATTR_CRT_ORDER_TRACKED | H5O_HDR_ATTR_CRT_ORDER_INDEXED | \
   H5O_HDR_ATTR_STORE_PHASE_CHANGE | H5O_HDR_STORE_TIMES)

/* Which fields of H5O_info_t to fill. */
#define H5O_INFO_BASIC 0x0001u
#define H5O_INFO_TIME 0x0002u
#define H5O_INFO_NUM_ATTRS 0x0004u
#define H5O_INFO_HDR 0x0008u
#define H5O_INFO_META_SIZE 0x0010u
#define H5O_INFO_ALL \
  (H5O_INFO_BASIC | H5O_INFO_TIME | H5O_INFO_NUM_ATTRS | H5O_INFO_HDR | H5O_INFO_META_SIZE)

typedef enum H5O_type_t {
  H5O_TYPE_UNKNOWN = -1,
  H5O_TYPE_GROUP = 0,
  H5O_TYPE_DATASET = 1,
  H5O_TYPE_NAMED_DATATYPE = 2,
  H5O_TYPE_NTYPES = 3
} H5O_type_t;

/* Facts about an object header; space in bytes, mesg as one bit per message number. */
typedef struct H5O_hdr_info_t {
  unsigned version;
  unsigned nmesgs;
  unsigned nchunks;
  unsigned flags;
  struct {
    hsize_t total;
    hsize_t meta;
    hsize_t mesg;
    hsize_t free;
  } space;
  struct {
    uint64_t present;
    uint64_t shared;
  } mesg;
} H5O_hdr_info_t;

/* The 1.10 form: address, not token. (fileno, addr) names an object uniquely. */
typedef struct H5O_info_t {
  unsigned long fileno;
  haddr_t addr;
  H5O_type_t type;
  unsigned rc;
  time_t atime;
  time_t mtime;
  time_t ctime;
  time_t btime;
  hsize_t num_attrs;
  H5O_hdr_info_t hdr;
  struct {
    H5_ih_info_t obj;
    H5_ih_info_t attr;
  } meta_size;
} H5O_info_t;

/* Creation order of a message. */
typedef uint32_t H5O_msg_crt_idx_t;

typedef herr_t (*H5O_iterate_t)(hid_t obj, const char *name, const H5O_info_t *info, void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/* Open and close. */
H5_DLL hid_t H5Oopen(hid_t loc_id, const char *name, hid_t lapl_id);
H5_DLL hid_t H5Oopen_by_addr(hid_t loc_id, haddr_t addr);
H5_DLL hid_t H5Oopen_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                            H5_iter_order_t order, hsize_t n, hid_t lapl_id);
H5_DLL herr_t H5Oclose(hid_t object_id);
H5_DLL htri_t H5Oexists_by_name(hid_t loc_id, const char *name, hid_t lapl_id);

/* Facts: all fields, or those named by `fields`. */
H5_DLL herr_t H5Oget_info(hid_t loc_id, H5O_info_t *oinfo);
H5_DLL herr_t H5Oget_info_by_name(hid_t loc_id, const char *name, H5O_info_t *oinfo, hid_t lapl_id);
H5_DLL herr_t H5Oget_info_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                 hid_t lapl_id);
H5_DLL herr_t H5Oget_info1(hid_t loc_id, H5O_info_t *oinfo);
H5_DLL herr_t H5Oget_info_by_name1(hid_t loc_id, const char *name, H5O_info_t *oinfo,
                                   hid_t lapl_id);
H5_DLL herr_t H5Oget_info_by_idx1(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                  hid_t lapl_id);
H5_DLL herr_t H5Oget_info2(hid_t loc_id, H5O_info_t *oinfo, unsigned fields);
H5_DLL herr_t H5Oget_info_by_name2(hid_t loc_id, const char *name, H5O_info_t *oinfo,
                                   unsigned fields, hid_t lapl_id);
H5_DLL herr_t H5Oget_info_by_idx2(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                  unsigned fields, hid_t lapl_id);

/* Every object that can be reached, each once. */
H5_DLL herr_t H5Ovisit(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                       void *op_data);
H5_DLL herr_t H5Ovisit_by_name(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                               H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                               hid_t lapl_id);
H5_DLL herr_t H5Ovisit1(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                        void *op_data);
H5_DLL herr_t H5Ovisit_by_name1(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                                hid_t lapl_id);
H5_DLL herr_t H5Ovisit2(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                        void *op_data, unsigned fields);
H5_DLL herr_t H5Ovisit_by_name2(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                                unsigned fields, hid_t lapl_id);

/* Link to an open object, and its reference count by hand. */
H5_DLL herr_t H5Olink(hid_t obj_id, hid_t new_loc_id, const char *new_name, hid_t lcpl_id,
                      hid_t lapl_id);
H5_DLL herr_t H5Oincr_refcount(hid_t object_id);
H5_DLL herr_t H5Odecr_refcount(hid_t object_id);

/* Out to the file: collective over the file's communicator. */
H5_DLL herr_t H5Oflush(hid_t obj_id);

#ifndef H5_NO_DEPRECATED_SYMBOLS

typedef struct H5O_stat_t {
  hsize_t size;
  hsize_t free;
  unsigned nmesgs;
  unsigned nchunks;
} H5O_stat_t;

#endif

#ifdef __cplusplus
}
#endif

#endif
