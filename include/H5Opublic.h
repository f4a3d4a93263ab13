/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Objects whatever their kind (room: include).
 *
 * Linking, comments and changing reference counts are metadata calls (\ref collectivity); everything else
 * but H5Oflush() is local.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Opublic_H
#define H5Opublic_H

#include <sys/types.h>
#include <time.h>

#include "H5Ipublic.h"
#include "H5Lpublic.h"
#include "H5public.h"

/** \defgroup H5O H5O: objects
 *  @{ */

/** \name H5Pset_copy_object: bits */
/** @{ */
#define H5O_COPY_SHALLOW_HIERARCHY_FLAG (0x0001u) /**< Of a group only what it links itself. */
#define H5O_COPY_EXPAND_SOFT_LINK_FLAG (0x0002u)  /**< What soft links lead to. */
#define H5O_COPY_EXPAND_EXT_LINK_FLAG (0x0004u)   /**< What external links lead to. */
#define H5O_COPY_EXPAND_REFERENCE_FLAG (0x0008u)  /**< What references mean. */
#define H5O_COPY_WITHOUT_ATTR_FLAG (0x0010u)      /**< Without attributes. */
#define H5O_COPY_PRESERVE_NULL_FLAG (0x0020u)     /**< With empty messages. */
/** Committed types that are there are used. */
#define H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG (0x0040u)
#define H5O_COPY_ALL (0x007Fu) /**< All of these. */
/** @} */

/** \name Kinds of header messages that may be shared: bit (1 << message number of the format) */
/** @{ */
#define H5O_SHMESG_NONE_FLAG 0x0000       /**< None. */
#define H5O_SHMESG_SDSPACE_FLAG (1u << 1) /**< Dataspaces. */
#define H5O_SHMESG_DTYPE_FLAG (1u << 3)   /**< Datatypes. */
#define H5O_SHMESG_FILL_FLAG (1u << 5)    /**< Fill values. */
#define H5O_SHMESG_PLINE_FLAG (1u << 11)  /**< Filters. */
#define H5O_SHMESG_ATTR_FLAG (1u << 12)   /**< Attributes. */
/** All of these. */
#define H5O_SHMESG_ALL_FLAG                                                 \
  (H5O_SHMESG_SDSPACE_FLAG | H5O_SHMESG_DTYPE_FLAG | H5O_SHMESG_FILL_FLAG | \
   H5O_SHMESG_PLINE_FLAG | H5O_SHMESG_ATTR_FLAG)
#define H5O_SHMESG_MAX_NINDEXES 8     /**< Most indexes. */
#define H5O_SHMESG_MAX_LIST_SIZE 5000 /**< Most messages in a list. */
/** @} */

/** \name Flags of a version 2 object header (H5O_hdr_info_t.flags) */
/** @{ */
/** Width of the size of its first block: 0 to 3 for 1, 2, 4 and 8 bytes. */
#define H5O_HDR_CHUNK0_SIZE 0x03
#define H5O_HDR_ATTR_CRT_ORDER_TRACKED 0x04 /**< The order of attributes is kept. */
#define H5O_HDR_ATTR_CRT_ORDER_INDEXED 0x08 /**< It is indexed. */
/** Numbers of H5Pset_attr_phase_change() are in it. */
#define H5O_HDR_ATTR_STORE_PHASE_CHANGE 0x10
#define H5O_HDR_STORE_TIMES 0x20 /**< Times are in it. */
/** All of these. */
#define H5O_HDR_ALL_FLAGS                                                                  \
  (H5O_HDR_CHUNK0_SIZE | H5O_HDR_ATTR_CRT_ORDER_TRACKED | H5O_HDR_ATTR_CRT_ORDER_INDEXED | \
   H5O_HDR_ATTR_STORE_PHASE_CHANGE | H5O_HDR_STORE_TIMES)
/** @} */

/** \name Which fields of H5O_info_t to fill: bits */
/** @{ */
#define H5O_INFO_BASIC 0x0001u     /**< File number, address, kind, references. */
#define H5O_INFO_TIME 0x0002u      /**< Times. */
#define H5O_INFO_NUM_ATTRS 0x0004u /**< Number of attributes. */
#define H5O_INFO_HDR 0x0008u       /**< The object header. */
#define H5O_INFO_META_SIZE 0x0010u /**< Bytes of indexes and heaps. */
/** All of these. */
#define H5O_INFO_ALL \
  (H5O_INFO_BASIC | H5O_INFO_TIME | H5O_INFO_NUM_ATTRS | H5O_INFO_HDR | H5O_INFO_META_SIZE)
/** @} */

/** Kinds of objects. */
typedef enum H5O_type_t {
  H5O_TYPE_UNKNOWN = -1,       /**< Not known. */
  H5O_TYPE_GROUP = 0,          /**< A group. */
  H5O_TYPE_DATASET = 1,        /**< A dataset. */
  H5O_TYPE_NAMED_DATATYPE = 2, /**< A committed datatype. */
  H5O_TYPE_NTYPES = 3          /**< Number of kinds. */
} H5O_type_t;

/** Facts about an object header. */
typedef struct H5O_hdr_info_t {
  unsigned version; /**< 1 or 2. */
  unsigned nmesgs;  /**< Number of messages. */
  unsigned nchunks; /**< Number of blocks. */
  unsigned flags;   /**< Bits H5O_HDR_... */
  /** Its bytes. */
  struct {
    hsize_t total; /**< All. */
    hsize_t meta;  /**< For itself. */
    hsize_t mesg;  /**< Its messages: bit (1 << message number of the format). */
    hsize_t free;  /**< Not used. */
  } space;         /**< Its bytes. */
  /** Its messages: bit (1 << message number of the format). */
  struct {
    uint64_t present; /**< Kinds that are there. */
    uint64_t shared;  /**< Kinds that are shared. */
  } mesg;             /**< Its messages: bit (1 << message number of the format). */
} H5O_hdr_info_t;

/**
 * Facts about an object, in the form of 1.10 (with an address). Fields that were not asked for are
 * 0.
 */
typedef struct H5O_info_t {
  /** Number of the file; with addr it names an object uniquely. */
  unsigned long fileno;
  haddr_t addr;       /**< Address of the object in the file. */
  H5O_type_t type;    /**< Its kind. */
  unsigned rc;        /**< Number of references: hard links, and those of H5Oincr_refcount(). */
  time_t atime;       /**< Time of the last access in seconds since 1970; 0 where it isn't kept. */
  time_t mtime;       /**< Time of the last change of data; 0 where it isn't kept. */
  time_t ctime;       /**< Time of the last change of the header; 0 where it isn't kept. */
  time_t btime;       /**< Time of creation; 0 where it isn't kept. */
  hsize_t num_attrs;  /**< Number of attributes. */
  H5O_hdr_info_t hdr; /**< Its object header. */
  /** Bytes of indexes and heaps since the last flush. */
  struct {
    H5_ih_info_t obj;  /**< For links or chunks. */
    H5_ih_info_t attr; /**< For attributes. */
  } meta_size;         /**< Bytes of indexes and heaps since the last flush. */
} H5O_info_t;

typedef uint32_t H5O_msg_crt_idx_t; /**< Order of creation of a message. */

/**
 * Called by H5Ovisit() for each object.
 *
 * \param obj The object from which name counts.
 * \param name Path of the object; "." for the first one.
 * \param info Facts about it.
 * \param op_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5O_iterate_t)(hid_t obj, const char *name, const H5O_info_t *info, void *op_data);

/** What the function of H5Pset_mcdt_search_cb() wants. */
typedef enum H5O_mcdt_search_ret_t {
  H5O_MCDT_SEARCH_ERROR = -1, /**< The copy fails. */
  H5O_MCDT_SEARCH_CONT = 0,   /**< All of the file is searched for the type. */
  H5O_MCDT_SEARCH_STOP = 1    /**< The type is copied. */
} H5O_mcdt_search_ret_t;

/**
 * Asked where none of the suggested paths leads to a committed type that fits.
 *
 * \param op_data The caller's.
 * \return What is to be done.
 */
typedef H5O_mcdt_search_ret_t (*H5O_mcdt_search_cb_t)(void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/** \name Open and close */
/** @{ */
/**
 * Opens an object by name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the object.
 * \param lapl_id Link access list, that of a dataset for datasets, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Oclose(); negative on failure.
 * \local
 * \errors No such name; a file on the path that can't be opened.
 */
H5_DLL hid_t H5Oopen(hid_t loc_id, const char *name, hid_t lapl_id);

/**
 * Opens an object by its address (H5O_info_t.addr).
 *
 * \param loc_id The file, or any object in it.
 * \param addr The address.
 * \return A new id, to be closed with H5Oclose(); negative on failure.
 * \local
 * \errors No object header is there.
 */
H5_DLL hid_t H5Oopen_by_addr(hid_t loc_id, haddr_t addr);

/**
 * Opens the object behind link number n of a group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Oclose(); negative on failure.
 * \local
 * \errors No such group; there are not so many links; nothing behind it.
 */
H5_DLL hid_t H5Oopen_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                            H5_iter_order_t order, hsize_t n, hid_t lapl_id);

/**
 * Closes an object. The last id of anything in a file that was closed weakly closes the file, with
 * all its ranks.
 *
 * \param object_id Group, dataset or datatype, which may be a transient one.
 * \return 0, or negative on failure.
 * \local
 * \errors Another kind of id; a predefined or locked datatype.
 */
H5_DLL herr_t H5Oclose(hid_t object_id);

/**
 * Does a link lead to an object?
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the object.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors No such link.
 */
H5_DLL htri_t H5Oexists_by_name(hid_t loc_id, const char *name, hid_t lapl_id);
/** @} */

/** \name Facts */
/** @{ */
/**
 * Tells all facts about an object.
 *
 * \param loc_id Object, or a file: its root group.
 * \param oinfo Filled.
 * \return 0, or negative on failure.
 * \local
 * \errors oinfo NULL.
 * \differs Sizes of indexes and heaps are those in the file since the last flush; of extensible arrays the addresses
 * of secondary blocks are among them (libhdf5 1.10.8 leaves these out).
 */
H5_DLL herr_t H5Oget_info(hid_t loc_id, H5O_info_t *oinfo);

/**
 * Tells all facts about an object with a name.
 *
 * \param loc_id File or object from which the name counts.
 * \param name Path of the object.
 * \param oinfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such name; oinfo NULL.
 */
H5_DLL herr_t H5Oget_info_by_name(hid_t loc_id, const char *name, H5O_info_t *oinfo, hid_t lapl_id);

/**
 * Tells all facts about the object behind link number n of a group.
 *
 * \param loc_id File or object from which group_name counts.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param oinfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such group; there are not so many links; nothing behind it; oinfo NULL.
 */
H5_DLL herr_t H5Oget_info_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                 hid_t lapl_id);

/**
 * H5Oget_info() under the name of 1.10.3 and later.
 *
 * \param loc_id Object, or a file: its root group.
 * \param oinfo Filled.
 * \return 0, or negative on failure.
 * \local
 * \errors oinfo NULL.
 */
H5_DLL herr_t H5Oget_info1(hid_t loc_id, H5O_info_t *oinfo);

/**
 * H5Oget_info_by_name() under the name of 1.10.3 and later.
 *
 * \param loc_id File or object from which the name counts.
 * \param name Path of the object.
 * \param oinfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such name; oinfo NULL.
 */
H5_DLL herr_t H5Oget_info_by_name1(hid_t loc_id, const char *name, H5O_info_t *oinfo,
                                   hid_t lapl_id);

/**
 * H5Oget_info_by_idx() under the name of 1.10.3 and later.
 *
 * \param loc_id File or object from which group_name counts.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param oinfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Oget_info_by_idx().
 */
H5_DLL herr_t H5Oget_info_by_idx1(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                  hid_t lapl_id);

/**
 * Tells some facts about an object.
 *
 * \param loc_id Object, or a file: its root group.
 * \param oinfo Filled.
 * \param fields Bits H5O_INFO_...
 * \return 0, or negative on failure.
 * \local
 * \errors oinfo NULL; bits that mean nothing.
 * \source HDF5 1.10.3
 */
H5_DLL herr_t H5Oget_info2(hid_t loc_id, H5O_info_t *oinfo, unsigned fields);

/**
 * Tells some facts about an object with a name.
 *
 * \param loc_id File or object from which the name counts.
 * \param name Path of the object.
 * \param oinfo Filled.
 * \param fields Bits H5O_INFO_...
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such name; oinfo NULL; bits that mean nothing.
 * \source HDF5 1.10.3
 */
H5_DLL herr_t H5Oget_info_by_name2(hid_t loc_id, const char *name, H5O_info_t *oinfo,
                                   unsigned fields, hid_t lapl_id);

/**
 * Tells some facts about the object behind link number n of a group.
 *
 * \param loc_id File or object from which group_name counts.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param oinfo Filled.
 * \param fields Bits H5O_INFO_...
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Oget_info_by_idx(); bits that mean nothing.
 * \source HDF5 1.10.3
 */
H5_DLL herr_t H5Oget_info_by_idx2(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, H5O_info_t *oinfo,
                                  unsigned fields, hid_t lapl_id);
/** @} */

/** \name Every object that can be reached by hard links, each once, depth first */
/** @{ */
/**
 * Calls a function for each object, with all facts. A group that doesn't keep the order of creation
 * is walked by name.
 *
 * \param obj_id Object to begin with, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; no such index or order.
 */
H5_DLL herr_t H5Ovisit(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                       void *op_data);

/**
 * H5Ovisit() from an object with a name; op gets an id of that object.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object to begin with.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Ovisit(); no such name.
 */
H5_DLL herr_t H5Ovisit_by_name(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                               H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                               hid_t lapl_id);

/**
 * H5Ovisit() under the name of 1.10.3 and later.
 *
 * \param obj_id Object to begin with, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Ovisit().
 */
H5_DLL herr_t H5Ovisit1(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                        void *op_data);

/**
 * H5Ovisit_by_name() under the name of 1.10.3 and later.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object to begin with.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Ovisit_by_name().
 */
H5_DLL herr_t H5Ovisit_by_name1(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                                hid_t lapl_id);

/**
 * H5Ovisit() with some facts.
 *
 * \param obj_id Object to begin with, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param fields Bits H5O_INFO_...
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Ovisit(); bits that mean nothing.
 * \source HDF5 1.10.3
 */
H5_DLL herr_t H5Ovisit2(hid_t obj_id, H5_index_t idx_type, H5_iter_order_t order, H5O_iterate_t op,
                        void *op_data, unsigned fields);

/**
 * H5Ovisit_by_name() with some facts.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object to begin with.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param fields Bits H5O_INFO_...
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Ovisit_by_name(); bits that mean nothing.
 * \source HDF5 1.10.3
 */
H5_DLL herr_t H5Ovisit_by_name2(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                H5_iter_order_t order, H5O_iterate_t op, void *op_data,
                                unsigned fields, hid_t lapl_id);
/** @} */

/** \name Link to an open object, reference counts by hand, out to the file */
/** @{ */
/**
 * Creates a hard link to an open object, which may have had none.
 *
 * \param obj_id Object.
 * \param new_loc_id File or object from which new_name counts, or H5L_SAME_LOC.
 * \param new_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors new_name exists; another file.
 */
H5_DLL herr_t H5Olink(hid_t obj_id, hid_t new_loc_id, const char *new_name, hid_t lcpl_id,
                      hid_t lapl_id);

/**
 * Adds a reference, so that the object stays without a link.
 *
 * \param object_id Group, dataset or committed datatype.
 * \return 0, or negative on failure.
 * \metadata
 */
H5_DLL herr_t H5Oincr_refcount(hid_t object_id);

/**
 * Takes a reference away; the object goes with the last one, when nobody has it open.
 *
 * \param object_id Group, dataset or committed datatype.
 * \return 0, or negative on failure.
 * \metadata
 * \errors There is none left.
 */
H5_DLL herr_t H5Odecr_refcount(hid_t object_id);

/**
 * Commits everything that changed in the object's file; a file goes out as a whole (H5Fflush()).
 *
 * \param obj_id The file, or any object in it.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Those of H5Fflush(); all ranks get them.
 */
H5_DLL herr_t H5Oflush(hid_t obj_id);

/**
 * Reads again what another program may have changed in an object, in a file that is only read. In a file
 * that is open for writing nothing is newer than what this program has, and nothing is done.
 *
 * \param oid The file, or any object in it.
 * \return 0, or negative on failure.
 * \local
 * \errors The object can't be read any more; it is what it was before.
 */
H5_DLL herr_t H5Orefresh(hid_t oid);

/**
 * Keeps metadata of an object from going out by themselves. They never do: they go out with a flush or
 * close of the file, and then all together. What is set here is told by H5Oare_mdc_flushes_disabled().
 *
 * \param object_id Group, dataset or committed datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors Disabled already; an id of something else.
 * \differs Stored; metadata go out with a flush or close, and then all together.
 */
H5_DLL herr_t H5Odisable_mdc_flushes(hid_t object_id);

/**
 * Takes H5Odisable_mdc_flushes() back, as the last close of the object does.
 *
 * \param object_id Group, dataset or committed datatype.
 * \return 0, or negative on failure.
 * \local
 * \errors Not disabled; an id of something else.
 */
H5_DLL herr_t H5Oenable_mdc_flushes(hid_t object_id);

/**
 * Tells whether H5Odisable_mdc_flushes() holds for an object.
 *
 * \param object_id Group, dataset or committed datatype.
 * \param are_disabled 1 where it does, else 0.
 * \return 0, or negative on failure.
 * \local
 * \errors An id of something else.
 */
H5_DLL herr_t H5Oare_mdc_flushes_disabled(hid_t object_id, hbool_t *are_disabled);
/** @} */

/** \name Copy */
/** @{ */
/**
 * Copies an object with its attributes and data, and a group with all that its hard links lead to, within a
 * file or into another one. Chunks are copied as they lie in the file, without their filters. Objects with
 * several links are copied once.
 *
 * References to objects mean, within a file, what they meant before; in another file they become 0, or with
 * H5O_COPY_EXPAND_REFERENCE_FLAG lead to copies; those that no link leads to get one in the root group,
 * "~obj_pointed_by_" with the address of the copy. Soft and external links are copied as they are or,
 * with their flags and where they lead somewhere, become copies of what they lead to. What is mounted on a group
 * is not copied with what the group is in. Datasets in external files, and virtual ones, are copied with their
 * lists of files and mappings, names as they are; their elements stay where they are.
 *
 * In a parallel file the ranks meet when each has read what there is to copy, and share the copying of data.
 * The source's file is flushed before where data of it wait in the memory of one of them.
 *
 * \param src_loc_id File or object from which src_name counts, perhaps of another file.
 * \param src_name Path of the object.
 * \param dst_loc_id File or object from which dst_name counts.
 * \param dst_name Path of the copy.
 * \param ocpypl_id Object copy list, or H5P_DEFAULT.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \return 0, or negative on failure: there is no copy then.
 * \communicates
 * \differs Follows references in sequences, too; fill values of variable length are copied (libhdf5 1.10.8 leaves them
 *   ids of the other file); refuses such elements in external files, between files.
 * \errors dst_name exists; no such object; a part of the source that can't be read, or a chunk of it that its filters can't
 *   encode and that waits in memory (such of other datasets don't matter); parallel files whose ranks found different things to copy.
 */
H5_DLL herr_t H5Ocopy(hid_t src_loc_id, const char *src_name, hid_t dst_loc_id,
                      const char *dst_name, hid_t ocpypl_id, hid_t lcpl_id);
/** @} */

/** \name Comments */
/** @{ */
/**
 * Gives an object a comment in place of the one it has.
 *
 * \param obj_id File (its root group), object, or attribute (the object that it belongs to).
 * \param comment The text; NULL or empty: the object has none any more.
 * \return 0, or negative on failure.
 * \metadata
 * \errors More than 64 KiB; a file opened for reading only.
 */
H5_DLL herr_t H5Oset_comment(hid_t obj_id, const char *comment);

/**
 * H5Oset_comment() for an object that is named.
 *
 * \param loc_id File or object from which the name counts.
 * \param name Path of the object.
 * \param comment The text; NULL or empty: the object has none any more.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Oset_comment(); no such object.
 */
H5_DLL herr_t H5Oset_comment_by_name(hid_t loc_id, const char *name, const char *comment,
                                     hid_t lapl_id);

/**
 * Copies the comment of an object out.
 *
 * \param obj_id File (its root group), object, or attribute (the object that it belongs to).
 * \param comment For the text, with NUL where there is room for all of it; may be NULL.
 * \param bufsize Bytes of comment.
 * \return Characters of the whole text without NUL, 0 where there is none; negative on failure.
 * \local
 * \errors A damaged object header.
 */
H5_DLL ssize_t H5Oget_comment(hid_t obj_id, char *comment, size_t bufsize);

/**
 * H5Oget_comment() for an object that is named.
 *
 * \param loc_id File or object from which the name counts.
 * \param name Path of the object.
 * \param comment For the text, with NUL where there is room for all of it; may be NULL.
 * \param bufsize Bytes of comment.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Characters of the whole text without NUL, 0 where there is none; negative on failure.
 * \local
 * \errors Those of H5Oget_comment(); no such object.
 */
H5_DLL ssize_t H5Oget_comment_by_name(hid_t loc_id, const char *name, char *comment, size_t bufsize,
                                      hid_t lapl_id);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
/** Facts about an object header in H5G_stat_t. */
typedef struct H5O_stat_t {
  hsize_t size;     /**< All its bytes. */
  hsize_t free;     /**< Those not used. */
  unsigned nmesgs;  /**< Number of messages. */
  unsigned nchunks; /**< Number of blocks. */
} H5O_stat_t;
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
