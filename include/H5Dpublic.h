/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Datasets (room: include).
 *
 * Dimensions are row-major: the last one changes fastest. Offsets and extents are in elements,
 * sizes in bytes. What "local", "metadata", "communicates" and "transfer" mean for the ranks of a
 * parallel file: see \ref collectivity.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8, H5Dread_multi and H5Dwrite_multi
 * of 1.14.
 */
#ifndef H5Dpublic_H
#define H5Dpublic_H

#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5D H5D: datasets
 *  @{ */

/** \name Constants */
/** @{ */
/** H5Pset_chunk_cache: number of chunks as in the file's access list. */
#define H5D_CHUNK_CACHE_NSLOTS_DEFAULT ((size_t)-1)
/** H5Pset_chunk_cache: bytes as in the file's access list. */
#define H5D_CHUNK_CACHE_NBYTES_DEFAULT ((size_t)-1)
/** H5Pset_chunk_cache: preemption as in the file's access list. */
#define H5D_CHUNK_CACHE_W0_DEFAULT (-1.0)

/** H5Pset_chunk_opts: chunks that the extent cuts are stored unfiltered. */
#define H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS (0x0002u)
/** @} */

/** How the elements of a dataset lie in the file. */
typedef enum H5D_layout_t {
  /** No layout: a call failed. */
  H5D_LAYOUT_ERROR = -1,
  H5D_COMPACT = 0, /**< In the object header; at most 65,516 bytes. */
  /** One block; the default. */
  H5D_CONTIGUOUS = 1,
  H5D_CHUNKED = 2, /**< Blocks of equal shape, which can be filtered, and the extent can change. */
  H5D_VIRTUAL = 3, /**< Put together from other datasets: known, refused when it is used. */
  H5D_NLAYOUTS = 4 /**< Number of layouts. */
} H5D_layout_t;

/** Kinds of index that find the chunks of a dataset in the file. */
typedef enum H5D_chunk_index_t {
  H5D_CHUNK_IDX_BTREE = 0,  /**< Version 1 B-tree, of the earliest format. */
  H5D_CHUNK_IDX_SINGLE = 1, /**< One chunk, no index. */
  H5D_CHUNK_IDX_NONE = 2,   /**< Implicit: chunks lie behind each other. */
  H5D_CHUNK_IDX_FARRAY = 3, /**< Fixed array: no dimension is unlimited. */
  H5D_CHUNK_IDX_EARRAY = 4, /**< Extensible array: one dimension is unlimited. */
  H5D_CHUNK_IDX_BT2 = 5,    /**< Version 2 B-tree: two or more dimensions are unlimited. */
  H5D_CHUNK_IDX_NTYPES = 6  /**< Number of kinds. */
} H5D_chunk_index_t;

/** When a dataset gets its space in the file. */
typedef enum H5D_alloc_time_t {
  H5D_ALLOC_TIME_ERROR = -1,  /**< No time: a call failed. */
  H5D_ALLOC_TIME_DEFAULT = 0, /**< Compact early, contiguous late, chunked incremental. */
  H5D_ALLOC_TIME_EARLY = 1,   /**< When the dataset is created. */
  H5D_ALLOC_TIME_LATE = 2,    /**< With the first write. */
  H5D_ALLOC_TIME_INCR = 3     /**< Chunk by chunk, as they are written. */
} H5D_alloc_time_t;

/** How much of a dataset has space in the file. */
typedef enum H5D_space_status_t {
  H5D_SPACE_STATUS_ERROR = -1,        /**< No status: a call failed. */
  H5D_SPACE_STATUS_NOT_ALLOCATED = 0, /**< None of it. */
  /** Some chunks; also all of them, where filters made them smaller. */
  H5D_SPACE_STATUS_PART_ALLOCATED = 1,
  H5D_SPACE_STATUS_ALLOCATED = 2 /**< All of it. */
} H5D_space_status_t;

/** How far a virtual dataset reaches whose sources are missing here and there. */
typedef enum H5D_vds_view_t {
  H5D_VDS_ERROR = -1,        /**< No view. */
  H5D_VDS_FIRST_MISSING = 0, /**< Up to the first source that is missing. */
  H5D_VDS_LAST_AVAILABLE = 1 /**< Up to the last source that is there. */
} H5D_vds_view_t;

/** When the fill value is written to new space. */
typedef enum H5D_fill_time_t {
  /** No time: a call failed. */
  H5D_FILL_TIME_ERROR = -1,
  /** Whenever space is given. */
  H5D_FILL_TIME_ALLOC = 0,
  /** Never: what was never written reads as anything. */
  H5D_FILL_TIME_NEVER = 1,
  H5D_FILL_TIME_IFSET = 2 /**< When space is given, if the program set a fill value; the default. */
} H5D_fill_time_t;

/** Which fill value a creation list has. */
typedef enum H5D_fill_value_t {
  H5D_FILL_VALUE_ERROR = -1,      /**< No answer: a call failed. */
  H5D_FILL_VALUE_UNDEFINED = 0,   /**< None: the program set NULL. */
  H5D_FILL_VALUE_DEFAULT = 1,     /**< Zero bytes. */
  H5D_FILL_VALUE_USER_DEFINED = 2 /**< The program's. */
} H5D_fill_value_t;

/**
 * Called by the High Level library's H5DOappend() when a dataset grew over a boundary.
 *
 * \param dataset_id The dataset.
 * \param cur_dims Its extent, [ndims].
 * \param op_data What H5Pset_append_flush() was given.
 * \return Negative on failure.
 */
typedef herr_t (*H5D_append_cb_t)(hid_t dataset_id, hsize_t *cur_dims, void *op_data);

/**
 * Called by H5Diterate() for one element.
 *
 * \param elem The element in the caller's buffer; it may be changed.
 * \param type_id Type of the element, as given to H5Diterate().
 * \param ndim Number of dimensions.
 * \param point Coordinates of the element, [ndim].
 * \param operator_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5D_operator_t)(void *elem, hid_t type_id, unsigned ndim, const hsize_t *point,
                                 void *operator_data);

/**
 * Called by H5Dscatter() for the next piece of source elements.
 *
 * \param src_buf Set to the piece, which must stay until the next call.
 * \param src_buf_bytes_used Set to its length in bytes: whole elements, at least one, not more than
 *   are left.
 * \param op_data The caller's.
 * \return Negative fails the scatter.
 */
typedef herr_t (*H5D_scatter_func_t)(const void **src_buf, size_t *src_buf_bytes_used,
                                     void *op_data);

/**
 * Called by H5Dgather() with each full buffer, and the rest.
 *
 * \param dst_buf The buffer that was given to H5Dgather().
 * \param dst_buf_bytes_used Bytes in it, whole elements.
 * \param op_data The caller's.
 * \return Negative fails the gather.
 */
typedef herr_t (*H5D_gather_func_t)(const void *dst_buf, size_t dst_buf_bytes_used, void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/** \name Create, open, close */
/** @{ */
/**
 * Creates a dataset and links it under a name. On a parallel file it gets all its space now; but
 * for chunks with filters, and for all chunks where the access list asks for late allocation
 * (pcio_set_dapl_late_allocation()). Where other bytes than zero must fill new space, all ranks
 * write them, and the call communicates.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param type_id Type of an element; stored as it is, or as a link to a type committed in this
 *   file.
 * \param space_id Shape now and at most; its selection means nothing.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param dcpl_id Dataset creation list (layout, chunks, filters, fill value), or H5P_DEFAULT.
 * \param dapl_id Dataset access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Dclose(); negative on failure.
 * \metadata
 * \errors name exists; chunks without H5Pset_chunk() or of other dimensions; extendible, or filters, without chunks; compact and over 65,516 bytes;
 *   chunks over 4 GiB; external files without room for all elements there may be; a
 *   filter that is not there. Nothing is created.
 */
H5_DLL hid_t H5Dcreate2(hid_t loc_id, const char *name, hid_t type_id, hid_t space_id,
                        hid_t lcpl_id, hid_t dcpl_id, hid_t dapl_id);

/**
 * Creates a dataset without a name; it is gone when it is closed and no link was made (H5Olink()).
 * Space and fill values are those of H5Dcreate2().
 *
 * \param loc_id The file, or any object in it.
 * \param type_id Type of an element.
 * \param space_id Shape now and at most.
 * \param dcpl_id Dataset creation list, or H5P_DEFAULT.
 * \param dapl_id Dataset access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Dclose(); negative on failure.
 * \metadata
 * \errors Those of H5Dcreate2(), but for the name.
 */
H5_DLL hid_t H5Dcreate_anon(hid_t loc_id, hid_t type_id, hid_t space_id, hid_t dcpl_id,
                            hid_t dapl_id);

/**
 * Opens a dataset by name. Of a chunk cache in dapl_id the first open of a dataset decides.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the dataset; links into other files are not followed.
 * \param dapl_id Dataset access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Dclose(); negative on failure.
 * \local
 * \errors No such name; not a dataset; a header that is damaged or not understood.
 */
H5_DLL hid_t H5Dopen2(hid_t loc_id, const char *name, hid_t dapl_id);

/**
 * Closes an id of a dataset. With the last one chunks in the cache go to the file; the last id of
 * anything in a file that was closed weakly closes the file, with all its ranks.
 *
 * \param dset_id Dataset.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a dataset; a chunk can't be written (it stays in memory, for the flush or close of
 *   the file); the file's last close failed.
 */
H5_DLL herr_t H5Dclose(hid_t dset_id);
/** @} */

/** \name Raw data */
/** @{ */
/**
 * Reads the selected elements into memory, converted to the memory type. Elements that were never
 * written read as the fill value.
 *
 * \param dset_id Dataset.
 * \param mem_type_id Type of the elements in buf.
 * \param mem_space_id Shape of buf and selection in it, or H5S_ALL: as the file's.
 * \param file_space_id Selection in the dataset, or H5S_ALL: all of it, or in a smaller extent of
 *   the same number of dimensions that part. Of a contiguous or compact dataset, in another extent: the elements at
 *   the places of the selection, counted row-major in its own extent, whatever number of dimensions that has.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param buf Elements of mem_space_id, row-major; NULL only where nothing is selected.
 * \return 0, or negative on failure.
 * \transfer
 * \errors Types that don't convert; selections of different size or outside the extent;
 *   variable-length data; an external file that is not there; a chunk that its filters refuse; a short read. In a
 *   collective read all ranks get the error, and buf is then of no meaning.
 * \differs Members of compounds that the file's type lacks stay as they are in memory (libhdf5
 *   1.10.8 zeroes some).
 */
H5_DLL herr_t H5Dread(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                      hid_t dxpl_id, void *buf);

/**
 * Writes the selected elements from memory, converted to the dataset's type. A write that did not
 * reach the file is an error.
 *
 * \param dset_id Dataset.
 * \param mem_type_id Type of the elements in buf.
 * \param mem_space_id Shape of buf and selection in it, or H5S_ALL: as the file's.
 * \param file_space_id Selection in the dataset, or H5S_ALL: all of it. In another extent: as for H5Dread().
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param buf Elements of mem_space_id, row-major; never changed; NULL only where nothing is
 *   selected.
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of H5Dread(); a file opened for reading only; an independent write to space that
 *   isn't there yet on a parallel file. In a collective write all ranks get the error. Where ranks
 *   write the same element, either value may stay.
 */
H5_DLL herr_t H5Dwrite(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id, hid_t file_space_id,
                       hid_t dxpl_id, const void *buf);
/** @} */

/** \name Shape */
/** @{ */
/**
 * Makes a chunked dataset larger or smaller; what is cut off is gone. On a parallel file it
 * communicates where new space must be filled with other bytes than zero.
 *
 * \param dset_id Dataset.
 * \param size New extent in elements, [ndims]; equal on all ranks.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Not chunked; a dimension above its maximum; size NULL.
 * \differs New elements have the fill value also within a chunk whose elements one call has written all
 * (libhdf5 1.10.8 leaves zeros there, or anything).
 */
H5_DLL herr_t H5Dset_extent(hid_t dset_id, const hsize_t size[]);
/** @} */

/** \name Queries */
/** @{ */
/**
 * A copy of the dataset's shape, all of it selected.
 *
 * \param dset_id Dataset.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 * \errors A virtual dataset with an unlimited dimension.
 */
H5_DLL hid_t H5Dget_space(hid_t dset_id);

/**
 * Tells how much of the dataset has space in the file.
 *
 * \param dset_id Dataset.
 * \param allocation Set to the answer; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Dget_space_status(hid_t dset_id, H5D_space_status_t *allocation);

/**
 * The type of an element in the dataset; for a committed type an id of that object.
 *
 * \param dset_id Dataset.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Dget_type(hid_t dset_id);

/**
 * A creation list with which the dataset could be made again.
 *
 * \param dset_id Dataset.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Dget_create_plist(hid_t dset_id);

/**
 * An access list with what the dataset was opened with and the chunk cache that it has.
 *
 * \param dset_id Dataset.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Dget_access_plist(hid_t dset_id);

/**
 * Bytes that the elements take in the file, filters counted, indexes not.
 *
 * \param dset_id Dataset.
 * \return Bytes; 0 where there are none, and on failure.
 * \local
 */
H5_DLL hsize_t H5Dget_storage_size(hid_t dset_id);

/**
 * Where contiguous elements lie, counted in bytes from the start of the file, a user block
 * included.
 *
 * \param dset_id Dataset.
 * \return The offset; HADDR_UNDEF for other layouts, without space, and on failure.
 * \local
 * \differs Counts from the start of the file (libhdf5 1.10.8 leaves a user block out).
 */
H5_DLL haddr_t H5Dget_offset(hid_t dset_id);

/**
 * Prints where a dataset's data is, to the standard output, in HDF5's form.
 *
 * \param dset_id Dataset.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Ddebug(hid_t dset_id);

/**
 * Makes a dataset one that libraries of format 1.8 read: its chunks are listed by a version 1 B-tree, and its layout message
 * is of version 3. The next commit (H5Fflush(), H5Fclose()) writes that. Virtual datasets stay as they are. Ranks of a parallel
 * file meet, and write chunks that wait in memory.
 *
 * \param dset_id Dataset of a file opened for writing.
 * \return 0, or negative on failure.
 * \communicates
 * \errors An index that can't be read, by one rank or more: then none has converted anything.
 * \differs chunks cut by the edge that have no filters (H5Pset_chunk_opts()) stay readable (libhdf5
 *   1.10.8 reads other values)
 */
H5_DLL herr_t H5Dformat_convert(hid_t dset_id);
/** @} */

/** \name Out to the file */
/** @{ */
/**
 * Commits everything that changed in the dataset's file; a file goes out as a whole (H5Fflush()).
 *
 * \param dset_id Dataset.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Those of H5Fflush(); all ranks get them.
 */
H5_DLL herr_t H5Dflush(hid_t dset_id);

/**
 * H5Orefresh() for a dataset.
 *
 * \param dset_id Dataset.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Orefresh().
 */
H5_DLL herr_t H5Drefresh(hid_t dset_id);
/** @} */

/** \name Several datasets in one call */
/** @{ */
/**
 * Reads from several datasets of one file. All arguments are checked, in a collective call on all
 * ranks, before anything moves.
 *
 * \param count Number of datasets. Collectively 0 takes part where the process has one parallel
 *   file open, and fails on all ranks if others give any.
 * \param dset_id Datasets, [count]; collectively the same in the same order on all ranks.
 * \param mem_type_id Types in memory, [count].
 * \param mem_space_id Selections in memory or H5S_ALL, [count].
 * \param file_space_id Selections in the datasets or H5S_ALL, [count].
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param buf Buffers, [count], each as in H5Dread().
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of H5Dread() for any of them; datasets of several files; lists that differ between
 *   the ranks. After a failed independent call the datasets before the failing one are done, after
 *   a collective one any of them may be.
 * \differs Not in HDF5 1.10; as in 1.14.
 * \source HDF5 1.14
 */
H5_DLL herr_t H5Dread_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[],
                            hid_t mem_space_id[], hid_t file_space_id[], hid_t dxpl_id,
                            void *buf[]);

/**
 * Writes to several datasets of one file; all else as in H5Dread_multi().
 *
 * \param count Number of datasets; 0 as in H5Dread_multi().
 * \param dset_id Datasets, [count]; collectively the same in the same order on all ranks.
 * \param mem_type_id Types in memory, [count].
 * \param mem_space_id Selections in memory or H5S_ALL, [count].
 * \param file_space_id Selections in the datasets or H5S_ALL, [count].
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param buf Buffers, [count], each as in H5Dwrite().
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of H5Dwrite() for any of them; those of H5Dread_multi().
 * \differs Not in HDF5 1.10; as in 1.14.
 * \source HDF5 1.14
 */
H5_DLL herr_t H5Dwrite_multi(size_t count, hid_t dset_id[], hid_t mem_type_id[],
                             hid_t mem_space_id[], hid_t file_space_id[], hid_t dxpl_id,
                             const void *buf[]);
/** @} */

/** \name Chunks as they lie in the file */
/** @{ */
/**
 * Writes one chunk past conversion and filters. Collectively each rank gives a chunk of its own;
 * where several give the same one, one of them stays whole.
 *
 * \param dset_id Chunked dataset.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param filters Bit i set: filter i was not applied to these bytes.
 * \param offset First element of the chunk, [ndims]; NULL with data_size 0: this rank gives none
 *   (collective).
 * \param data_size Bytes of the chunk; without filters exactly those of a chunk.
 * \param buf The bytes.
 * \return 0, or negative on failure.
 * \transfer
 * \errors Not chunked; no corner of a chunk in the extent; a wrong size; read-only file;
 *   independent on a parallel file, without filters, where the chunk has no space.
 * \differs A dataset without filters takes a whole chunk only (libhdf5 1.10.8 writes beyond it); a chunk
 *   that decodes to too few bytes can't be read (libhdf5 1.10.8 gives other memory for the rest);
 *   collective calls are possible.
 */
H5_DLL herr_t H5Dwrite_chunk(hid_t dset_id, hid_t dxpl_id, uint32_t filters, const hsize_t *offset,
                             size_t data_size, const void *buf);

/**
 * Reads one chunk past filters and conversion.
 *
 * \param dset_id Chunked dataset.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param offset First element of the chunk, [ndims].
 * \param filters Set to the mask: bit i set means that filter i was not applied.
 * \param buf For the chunk's stored bytes, as many as H5Dget_chunk_storage_size() says.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; no corner of a chunk in the extent; not in the file; NULL.
 */
H5_DLL herr_t H5Dread_chunk(hid_t dset_id, hid_t dxpl_id, const hsize_t *offset, uint32_t *filters,
                            void *buf);

/**
 * Counts the chunks that are in the file, of the whole dataset whatever is selected.
 *
 * \param dset_id Chunked dataset.
 * \param fspace_id A dataspace, which is checked only, or H5S_ALL.
 * \param nchunks Set to the number.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; nchunks NULL.
 */
H5_DLL herr_t H5Dget_num_chunks(hid_t dset_id, hid_t fspace_id, hsize_t *nchunks);

/**
 * Tells about chunk number chk_idx of those that H5Dget_num_chunks() counts.
 *
 * \param dset_id Chunked dataset.
 * \param fspace_id A dataspace, which is checked only, or H5S_ALL.
 * \param chk_idx Number from 0.
 * \param offset Set to its first element, [ndims]; may be NULL.
 * \param filter_mask Set to the mask of filters that were not applied; may be NULL.
 * \param addr Set to its byte offset from the start of the file, HADDR_UNDEF while it waits in
 *   memory; may be NULL.
 * \param size Set to its stored bytes; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; no chunk has that number; all answers NULL.
 * \differs Addresses count from the start of the file (libhdf5 1.10.8 leaves a user block out).
 */
H5_DLL herr_t H5Dget_chunk_info(hid_t dset_id, hid_t fspace_id, hsize_t chk_idx, hsize_t *offset,
                                unsigned *filter_mask, haddr_t *addr, hsize_t *size);

/**
 * Tells about the chunk at an offset; one that is not in the file has address HADDR_UNDEF and size
 * 0.
 *
 * \param dset_id Chunked dataset.
 * \param offset First element of the chunk, [ndims].
 * \param filter_mask Set to the mask, left alone without a chunk; may be NULL.
 * \param addr Set to its byte offset from the start of the file; may be NULL.
 * \param size Set to its stored bytes; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; no corner of a chunk; all answers NULL.
 * \differs Addresses count from the start of the file (libhdf5 1.10.8 leaves a user block out).
 */
H5_DLL herr_t H5Dget_chunk_info_by_coord(hid_t dset_id, const hsize_t *offset,
                                         unsigned *filter_mask, haddr_t *addr, hsize_t *size);

/**
 * Bytes that one chunk takes in the file.
 *
 * \param dset_id Chunked dataset.
 * \param offset First element of the chunk, [ndims].
 * \param chunk_bytes Set to the bytes; 0 where the chunk is not there.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; no corner of a chunk; NULL.
 */
H5_DLL herr_t H5Dget_chunk_storage_size(hid_t dset_id, const hsize_t *offset, hsize_t *chunk_bytes);

/**
 * Tells which kind of index finds the chunks.
 *
 * \param did Chunked dataset.
 * \param idx_type Set to the kind.
 * \return 0, or negative on failure.
 * \local
 * \errors Not chunked; idx_type NULL.
 */
H5_DLL herr_t H5Dget_chunk_index_type(hid_t did, H5D_chunk_index_t *idx_type);

/**
 * Called by H5Dchunk_iter() for each chunk in the file.
 *
 * \param offset First element of the chunk, [ndims].
 * \param filter_mask Bit i set: filter i was not applied.
 * \param addr Byte offset from the start of the file.
 * \param size Stored bytes.
 * \param op_data The caller's.
 * \return H5_ITER_CONT goes on, positive stops well, negative fails the iteration.
 */
typedef int (*H5D_chunk_iter_op_t)(const hsize_t *offset, unsigned filter_mask, haddr_t addr,
                                   hsize_t size, void *op_data);

/**
 * Calls a function for each chunk in the file.
 *
 * \param dset_id Chunked dataset.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param cb The function.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer of cb, or negative on failure.
 * \local
 * \errors Not chunked; cb NULL; cb failed.
 * \differs Not in HDF5 1.10.8; as in 1.14.
 * \source HDF5 1.14
 */
H5_DLL herr_t H5Dchunk_iter(hid_t dset_id, hid_t dxpl_id, H5D_chunk_iter_op_t cb, void *op_data);
/** @} */

/** \name On memory only */
/** @{ */
/**
 * Calls a function for each selected element of a buffer, in row-major order of the selection.
 *
 * \param buf Elements, row-major.
 * \param type_id Type of the elements in the buffer.
 * \param space_id Shape of the buffer and selection in it.
 * \param op The function.
 * \param operator_data Handed to the function; may be NULL.
 * \return 0, the first answer of op that isn't, or negative on failure.
 * \local
 * \errors op or buf NULL; a selection outside its extent; op failed.
 */
H5_DLL herr_t H5Diterate(void *buf, hid_t type_id, hid_t space_id, H5D_operator_t op,
                         void *operator_data);

/**
 * Puts one value into all selected elements of a buffer.
 *
 * \param fill The value, one element of fill_type_id; NULL: zero bytes.
 * \param fill_type_id Type of fill; converted to buf_type_id.
 * \param buf Elements, row-major.
 * \param buf_type_id Type of the elements in buf.
 * \param space_id Shape of the buffer and selection in it.
 * \return 0, or negative on failure.
 * \local
 * \errors buf NULL; types that don't convert; a selection outside its extent.
 */
H5_DLL herr_t H5Dfill(const void *fill, hid_t fill_type_id, void *buf, hid_t buf_type_id,
                      hid_t space_id);

/**
 * Puts elements that a function hands out into the selected places of a buffer.
 *
 * \param op Asked for the next piece until all places are filled.
 * \param op_data Handed to the function; may be NULL.
 * \param type_id Type of the elements in the buffer.
 * \param dst_space_id Shape of dst_buf and selection in it.
 * \param dst_buf Elements, row-major.
 * \return 0, or negative on failure.
 * \local
 * \errors op or dst_buf NULL; op failed, or gave no whole elements or too many.
 */
H5_DLL herr_t H5Dscatter(H5D_scatter_func_t op, void *op_data, hid_t type_id, hid_t dst_space_id,
                         void *dst_buf);

/**
 * Packs the selected elements of a buffer into another one.
 *
 * \param src_space_id Shape of src_buf and selection in it.
 * \param src_buf Elements, row-major.
 * \param type_id Type of the elements in the buffer.
 * \param dst_buf_size Bytes of dst_buf; at least one element.
 * \param dst_buf Filled again and again.
 * \param op Called with each filling; may be NULL where everything fits at once.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors A buffer NULL; dst_buf_size too small; op failed.
 */
H5_DLL herr_t H5Dgather(hid_t src_space_id, const void *src_buf, hid_t type_id, size_t dst_buf_size,
                        void *dst_buf, H5D_gather_func_t op, void *op_data);

/**
 * Frees what the variable-length elements of a buffer point to, and clears them.
 *
 * \param type_id Type of the elements in the buffer.
 * \param space_id Shape of the buffer and selection in it.
 * \param dxpl_id Transfer list whose H5Pset_vlen_mem_manager() frees, or H5P_DEFAULT: free().
 * \param buf Elements, row-major; with a fixed-size type nothing is done.
 * \return 0, or negative on failure.
 * \local
 * \errors buf NULL; a selection outside its extent.
 */
H5_DLL herr_t H5Dvlen_reclaim(hid_t type_id, hid_t space_id, hid_t dxpl_id, void *buf);

/**
 * Counts the memory that a read of variable-length elements would give out besides their buffer. The
 * elements are read for that.
 *
 * \param dataset_id Dataset.
 * \param type_id Type that they would be read as.
 * \param space_id Selection in the dataset; not H5S_ALL.
 * \param size For the number of bytes, with the NUL of each string; 0 for a fixed-size type.
 * \return 0, or negative on failure.
 * \local
 * \errors size NULL; types that don't convert; damaged data.
 */
H5_DLL herr_t H5Dvlen_get_buf_size(hid_t dataset_id, hid_t type_id, hid_t space_id, hsize_t *size);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name Names from before H5Dwrite_chunk() and H5Dread_chunk()
 *
 * Transfer properties by which the chunk calls of the High Level library were once passed on. No transfer list
 * has them, here as in HDF5 1.10.8; the names are there for programs that look for them. */
/** @{ */
#define H5D_XFER_DIRECT_CHUNK_WRITE_FLAG_NAME "direct_chunk_flag"             /**< Write a chunk. */
#define H5D_XFER_DIRECT_CHUNK_WRITE_FILTERS_NAME "direct_chunk_filters"       /**< Its filter mask. */
#define H5D_XFER_DIRECT_CHUNK_WRITE_OFFSET_NAME "direct_chunk_offset"         /**< Where it begins. */
#define H5D_XFER_DIRECT_CHUNK_WRITE_DATASIZE_NAME "direct_chunk_datasize"     /**< Its bytes. */
#define H5D_XFER_DIRECT_CHUNK_READ_FLAG_NAME "direct_chunk_read_flag"         /**< Read a chunk. */
#define H5D_XFER_DIRECT_CHUNK_READ_OFFSET_NAME "direct_chunk_read_offset"     /**< Where it begins. */
#define H5D_XFER_DIRECT_CHUNK_READ_FILTERS_NAME "direct_chunk_read_filters"   /**< Its filter mask. */
/** @} */

/** \name The forms of HDF5 1.6 */
/** @{ */
#define H5D_CHUNK_BTREE H5D_CHUNK_IDX_BTREE /**< Older name of H5D_CHUNK_IDX_BTREE. */

/**
 * H5Dcreate2() with default link creation and access lists.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param type_id Type of an element.
 * \param space_id Shape now and at most.
 * \param dcpl_id Dataset creation list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Dclose(); negative on failure.
 * \metadata
 * \errors Those of H5Dcreate2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Dcreate1(hid_t loc_id, const char *name, hid_t type_id, hid_t space_id,
                        hid_t dcpl_id);

/**
 * H5Dopen2() with the default access list.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the dataset.
 * \return A new id, to be closed with H5Dclose(); negative on failure.
 * \local
 * \errors Those of H5Dopen2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Dopen1(hid_t loc_id, const char *name);

/**
 * H5Dset_extent() that never makes a dimension smaller.
 *
 * \param dset_id Dataset.
 * \param size Wanted extent in elements, [ndims].
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Dset_extent().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Dextend(hid_t dset_id, const hsize_t size[]);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
