/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Datasets (room: include).
 * On a parallel file create and set_extent are collective by contract; read and write are
 * collective over the file's communicator when the transfer list says so (H5Pset_dxpl_mpio), else
 * local. Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Dpublic_H
#define H5Dpublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/* In a dataset access list: take the value of the file access list. */
#define H5D_CHUNK_CACHE_NSLOTS_DEFAULT ((size_t)-1)
#define H5D_CHUNK_CACHE_NBYTES_DEFAULT ((size_t)-1)
#define H5D_CHUNK_CACHE_W0_DEFAULT (-1.0)

/* For H5Pset_chunk_opts. */
#define H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS (0x0002u)

typedef enum H5D_layout_t {
  H5D_LAYOUT_ERROR = -1,
  H5D_COMPACT = 0,
  H5D_CONTIGUOUS = 1,
  H5D_CHUNKED = 2,
  H5D_VIRTUAL = 3,
  H5D_NLAYOUTS = 4
} H5D_layout_t;

typedef enum H5D_chunk_index_t {
  H5D_CHUNK_IDX_BTREE = 0,
  H5D_CHUNK_IDX_SINGLE = 1,
  H5D_CHUNK_IDX_NONE = 2,
  H5D_CHUNK_IDX_FARRAY = 3,
  H5D_CHUNK_IDX_EARRAY = 4,
  H5D_CHUNK_IDX_BT2 = 5,
  H5D_CHUNK_IDX_NTYPES = 6
} H5D_chunk_index_t;

typedef enum H5D_alloc_time_t {
  H5D_ALLOC_TIME_ERROR = -1,
  H5D_ALLOC_TIME_DEFAULT = 0,
  H5D_ALLOC_TIME_EARLY = 1,
  H5D_ALLOC_TIME_LATE = 2,
  H5D_ALLOC_TIME_INCR = 3
} H5D_alloc_time_t;

typedef enum H5D_space_status_t {
  H5D_SPACE_STATUS_ERROR = -1,
  H5D_SPACE_STATUS_NOT_ALLOCATED = 0,
  H5D_SPACE_STATUS_PART_ALLOCATED = 1,
  H5D_SPACE_STATUS_ALLOCATED = 2
} H5D_space_status_t;

typedef enum H5D_fill_time_t {
  H5D_FILL_TIME_ERROR = -1,
  H5D_FILL_TIME_ALLOC = 0,
  H5D_FILL_TIME_NEVER = 1,
  H5D_FILL_TIME_IFSET = 2
} H5D_fill_time_t;

typedef enum H5D_fill_value_t {
  H5D_FILL_VALUE_ERROR = -1,
  H5D_FILL_VALUE_UNDEFINED = 0,
  H5D_FILL_VALUE_DEFAULT = 1,
  H5D_FILL_VALUE_USER_DEFINED = 2
} H5D_fill_value_t;

/* H5Diterate: one element and its coordinates point[ndim]. */
typedef herr_t (*H5D_operator_t)(void *elem, hid_t type_id, unsigned ndim, const hsize_t *point,
                                 void *operator_data);
/* H5Dscatter asks for the next piece of source data; H5Dgather hands a full buffer over. */
typedef herr_t (*H5D_scatter_func_t)(const void **src_buf, size_t *src_buf_bytes_used,
                                     void *op_data);
typedef herr_t (*H5D_gather_func_t)(const void *dst_buf, size_t dst_buf_bytes_used, void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/* Create, open, close. */
H5_DLL hid_t H5Dcreate2(hid_t loc_id, const char *name, hid_t type_id, hid_t space_id,
                        hid_t lcpl_id, hid_t dcpl_id, hid_t dapl_id);
H5_DLL hid_t H5Dcreate_anon(hid_t loc_id, hid_t type_id, hid_t space_id, hid_t dcpl_id,
                            hid_t dapl_id);
H5_DLL hid_t H5Dopen2(hid_t loc_id, const char *name, hid_t dapl_id);
H5_DLL herr_t H5Dclose(hid_t dset_id);

/* Raw data. Either space may be H5S_ALL. A write that did not reach the file is an error. */
H5_DLL herr_t H5Dread(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                      hid_t dxpl_id, void *buf);
H5_DLL herr_t H5Dwrite(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                       hid_t dxpl_id, const void *buf);

/* Shape; on a parallel file every rank must ask for the same one. */
H5_DLL herr_t H5Dset_extent(hid_t dset_id, const hsize_t size[]);

/* Queries; local. */
H5_DLL hid_t H5Dget_space(hid_t dset_id);
H5_DLL herr_t H5Dget_space_status(hid_t dset_id, H5D_space_status_t *allocation);
H5_DLL hid_t H5Dget_type(hid_t dset_id);
H5_DLL hid_t H5Dget_create_plist(hid_t dset_id);
H5_DLL hid_t H5Dget_access_plist(hid_t dset_id);
H5_DLL hsize_t H5Dget_storage_size(hid_t dset_id);
H5_DLL haddr_t H5Dget_offset(hid_t dset_id);

/* Out to the file: collective over the file's communicator. */
H5_DLL herr_t H5Dflush(hid_t dset_id);

/* Several datasets of one file in one call; collective where the transfer list says so, and then all
 * ranks give the same datasets in the same order. Nothing moves where any argument is wrong. */
H5_DLL herr_t H5Dread_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[],
                            hid_t mem_space_id[], hid_t file_space_id[], hid_t dxpl_id, void *buf[]);
H5_DLL herr_t H5Dwrite_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[],
                             hid_t mem_space_id[], hid_t file_space_id[], hid_t dxpl_id,
                             const void *buf[]);

/* Chunks as they lie in the file. `filters` and `filter_mask`: bit i set = filter i was skipped.
 * H5Dwrite_chunk is collective over a parallel file where the transfer list says so: each rank gives
 * a chunk, or a size of 0 and no offset. Addresses count from the start of the file. */
H5_DLL herr_t H5Dwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t *offset,
                             size_t data_size, const void *buf);
H5_DLL herr_t H5Dread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t *offset, uint32_t *filters,
                            void *buf);
H5_DLL herr_t H5Dget_num_chunks(hid_t dset_id, hid_t fspace_id, hsize_t *nchunks);
H5_DLL herr_t H5Dget_chunk_info(hid_t dset_id, hid_t fspace_id, hsize_t chk_idx, hsize_t *offset,
                                unsigned *filter_mask, haddr_t *addr, hsize_t *size);
H5_DLL herr_t H5Dget_chunk_info_by_coord(hid_t dset_id, const hsize_t *offset,
                                         unsigned *filter_mask, haddr_t *addr, hsize_t *size);
H5_DLL herr_t H5Dget_chunk_storage_size(hid_t dset_id, const hsize_t *offset, hsize_t *chunk_bytes);
H5_DLL herr_t H5Dget_chunk_index_type(hid_t did, H5D_chunk_index_t *idx_type);

/* Called for each chunk in the file; H5_ITER_CONT goes on, a negative value fails. */
typedef int (*H5D_chunk_iter_op_t)(const hsize_t *offset, unsigned filter_mask, haddr_t addr,
                                   hsize_t size, void *op_data);
H5_DLL herr_t H5Dchunk_iter(hid_t dset_id, hid_t dxpl_id, H5D_chunk_iter_op_t cb, void *op_data);

/* On memory only. */
H5_DLL herr_t H5Diterate(void *buf, hid_t type_id, hid_t space_id, H5D_operator_t op,
                         void *operator_data);
H5_DLL herr_t H5Dfill(const void *fill, hid_t fill_type_id, void *buf, hid_t buf_type_id,
                      hid_t space_id);
H5_DLL herr_t H5Dscatter(H5D_scatter_func_t op, void *op_data, hid_t type_id, hid_t dst_space_id,
                         void *dst_buf);
H5_DLL herr_t H5Dgather(hid_t src_space_id, const void *src_buf, hid_t type_id, size_t dst_buf_size,
                        void *dst_buf, H5D_gather_func_t op, void *op_data);
H5_DLL herr_t H5Dvlen_reclaim(hid_t type_id, hid_t space_id, hid_t dxpl_id, void *buf);

#ifndef H5_NO_DEPRECATED_SYMBOLS

#define H5D_CHUNK_BTREE H5D_CHUNK_IDX_BTREE

/* The forms of HDF5 1.6. H5Dextend never shrinks. */
H5_DLL hid_t H5Dcreate1(hid_t loc_id, const char *name, hid_t type_id, hid_t space_id,
                        hid_t dcpl_id);
H5_DLL hid_t H5Dopen1(hid_t loc_id, const char *name);
H5_DLL herr_t H5Dextend(hid_t dset_id, const hsize_t size[]);

#endif

#ifdef __cplusplus
}
#endif

#endif
