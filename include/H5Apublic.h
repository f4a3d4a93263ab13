/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Attributes (room: include).
 *
 * Creating, writing, renaming and deleting are metadata calls (\ref collectivity); everything else
 * is local. An attribute is written as a whole; its value is at most 64 KiB.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Apublic_H
#define H5Apublic_H

#include "H5Ipublic.h"
#include "H5Opublic.h"
#include "H5Tpublic.h"
#include "H5public.h"

/** \defgroup H5A H5A: attributes
 *  @{ */

/** Facts about an attribute. */
typedef struct {
  hbool_t corder_valid;     /**< Nonzero: corder means something; always so here. */
  H5O_msg_crt_idx_t corder; /**< Order of creation, from 0. */
  H5T_cset_t cset;          /**< Character set of the name. */
  hsize_t data_size;        /**< Bytes of the value in the file. */
} H5A_info_t;

/**
 * Called by H5Aiterate2() for each attribute.
 *
 * \param location_id The object.
 * \param attr_name Name of the attribute.
 * \param ainfo Facts about it.
 * \param op_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5A_operator2_t)(hid_t location_id, const char *attr_name, const H5A_info_t *ainfo,
                                  void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/** \name Create, open, close */
/** @{ */
/**
 * Creates an attribute of an object; its value is zero bytes until it is written.
 *
 * \param loc_id Object, or a file: its root group.
 * \param attr_name Name of the attribute.
 * \param type_id Type of an element; fixed size.
 * \param space_id Shape.
 * \param acpl_id Attribute creation list, or H5P_DEFAULT.
 * \param aapl_id Attribute access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \metadata
 * \errors attr_name exists; a variable-length type; a compound or enumeration without members; over
 *   64 KiB; a file opened for reading only.
 */
H5_DLL hid_t H5Acreate2(hid_t loc_id, const char *attr_name, hid_t type_id, hid_t space_id,
                        hid_t acpl_id, hid_t aapl_id);

/**
 * Creates an attribute of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param attr_name Name of the attribute.
 * \param type_id Type of an element; fixed size.
 * \param space_id Shape.
 * \param acpl_id Attribute creation list, or H5P_DEFAULT.
 * \param aapl_id Attribute access list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \metadata
 * \errors Those of H5Acreate2(); no such object.
 */
H5_DLL hid_t H5Acreate_by_name(hid_t loc_id, const char *obj_name, const char *attr_name,
                               hid_t type_id, hid_t space_id, hid_t acpl_id, hid_t aapl_id,
                               hid_t lapl_id);

/**
 * Opens an attribute by name.
 *
 * \param obj_id Object, or a file: its root group.
 * \param attr_name Name of the attribute.
 * \param aapl_id Attribute access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \local
 * \errors No such attribute; the id of an attribute for obj_id.
 */
H5_DLL hid_t H5Aopen(hid_t obj_id, const char *attr_name, hid_t aapl_id);

/**
 * Opens an attribute of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param attr_name Name of the attribute.
 * \param aapl_id Attribute access list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \local
 * \errors No such object or attribute.
 */
H5_DLL hid_t H5Aopen_by_name(hid_t loc_id, const char *obj_name, const char *attr_name,
                             hid_t aapl_id, hid_t lapl_id);

/**
 * Opens attribute number n of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param aapl_id Attribute access list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \local
 * \errors No such object; there are not so many attributes; no such index or order.
 */
H5_DLL hid_t H5Aopen_by_idx(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                            H5_iter_order_t order, hsize_t n, hid_t aapl_id, hid_t lapl_id);

/**
 * Closes an attribute.
 *
 * \param attr_id Attribute.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Aclose(hid_t attr_id);
/** @} */

/** \name Value: the whole of it */
/** @{ */
/**
 * Writes the value. Any rank may write it alone: others read it behind the next H5Fflush() or H5Fclose(). Where
 * several ranks wrote different values, the one of a rank that wrote more than once reaches the file (what all wrote,
 * and one of them again), or of several the lowest rank's, and all ranks read that then. A value with
 * variable-length data waits for all ranks: rank 0 stores what it refers to.
 *
 * \param attr_id Attribute.
 * \param type_id Type of the elements in buf; converted from or to the attribute's.
 * \param buf Elements, row-major.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Types that don't convert; a file opened for reading only; buf NULL with elements.
 */
H5_DLL herr_t H5Awrite(hid_t attr_id, hid_t type_id, const void *buf);

/**
 * Reads the value.
 *
 * \param attr_id Attribute.
 * \param type_id Type of the elements in buf; converted from or to the attribute's.
 * \param buf For the elements, row-major.
 * \return 0, or negative on failure.
 * \local
 * \errors Types that don't convert; a variable-length type; buf NULL with elements.
 */
H5_DLL herr_t H5Aread(hid_t attr_id, hid_t type_id, void *buf);
/** @} */

/** \name Queries */
/** @{ */
/**
 * A copy of the attribute's shape.
 *
 * \param attr_id Attribute.
 * \return A new id, to be closed with H5Sclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Aget_space(hid_t attr_id);

/**
 * The type of an element; for a committed type an id of that object.
 *
 * \param attr_id Attribute.
 * \return A new id, to be closed with H5Tclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Aget_type(hid_t attr_id);

/**
 * A creation list with the character set of the name.
 *
 * \param attr_id Attribute.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Aget_create_plist(hid_t attr_id);

/**
 * The name of an attribute.
 *
 * \param attr_id Attribute.
 * \param buf_size Bytes of buf.
 * \param buf For the text, cut, with NUL; may be NULL where buf_size is 0.
 * \return Length without NUL, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Aget_name(hid_t attr_id, size_t buf_size, char *buf);

/**
 * The name of attribute number n of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of name.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Length without NUL, or negative on failure.
 * \local
 * \errors No such object; there are not so many attributes.
 */
H5_DLL ssize_t H5Aget_name_by_idx(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, char *name, size_t size,
                                  hid_t lapl_id);

/**
 * Bytes of the value.
 *
 * \param attr_id Attribute.
 * \return Bytes; 0 where there are none, and on failure.
 * \local
 */
H5_DLL hsize_t H5Aget_storage_size(hid_t attr_id);

/**
 * Tells facts about an attribute.
 *
 * \param attr_id Attribute.
 * \param ainfo Filled.
 * \return 0, or negative on failure.
 * \local
 * \errors ainfo NULL.
 * \differs The number of an attribute whose header does not track the order counts those deleted
 *   since the file was opened.
 */
H5_DLL herr_t H5Aget_info(hid_t attr_id, H5A_info_t *ainfo);

/**
 * Tells facts about an attribute of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param attr_name Name of the attribute.
 * \param ainfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such object or attribute; ainfo NULL.
 */
H5_DLL herr_t H5Aget_info_by_name(hid_t loc_id, const char *obj_name, const char *attr_name,
                                  H5A_info_t *ainfo, hid_t lapl_id);

/**
 * Tells facts about attribute number n of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param ainfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such object; there are not so many attributes; ainfo NULL.
 */
H5_DLL herr_t H5Aget_info_by_idx(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5A_info_t *ainfo,
                                 hid_t lapl_id);

/**
 * Has the object an attribute of this name?
 *
 * \param obj_id Object, or a file: its root group.
 * \param attr_name Name of the attribute.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Aexists(hid_t obj_id, const char *attr_name);

/**
 * Has an object with a name an attribute of this name?
 *
 * \param obj_id File or object from which obj_name counts.
 * \param obj_name Path of the object; "." for obj_id itself.
 * \param attr_name Name of the attribute.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors No such object.
 */
H5_DLL htri_t H5Aexists_by_name(hid_t obj_id, const char *obj_name, const char *attr_name,
                                hid_t lapl_id);
/** @} */

/** \name Change of names, and deletion */
/** @{ */
/**
 * Gives an attribute another name; open ids go on meaning it.
 *
 * \param loc_id Object, or a file: its root group.
 * \param old_name Name of the attribute.
 * \param new_name Its new name.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such attribute; new_name exists.
 */
H5_DLL herr_t H5Arename(hid_t loc_id, const char *old_name, const char *new_name);

/**
 * H5Arename() for an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param old_attr_name Name of the attribute.
 * \param new_attr_name Its new name.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Arename(); no such object.
 */
H5_DLL herr_t H5Arename_by_name(hid_t loc_id, const char *obj_name, const char *old_attr_name,
                                const char *new_attr_name, hid_t lapl_id);

/**
 * Deletes an attribute.
 *
 * \param loc_id Object, or a file: its root group.
 * \param attr_name Name of the attribute.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such attribute.
 */
H5_DLL herr_t H5Adelete(hid_t loc_id, const char *attr_name);

/**
 * Deletes an attribute of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param attr_name Name of the attribute.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such object or attribute.
 */
H5_DLL herr_t H5Adelete_by_name(hid_t loc_id, const char *obj_name, const char *attr_name,
                                hid_t lapl_id);

/**
 * Deletes attribute number n of an object with a name.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such object; there are not so many attributes.
 */
H5_DLL herr_t H5Adelete_by_idx(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                               H5_iter_order_t order, hsize_t n, hid_t lapl_id);
/** @} */

/** \name Iteration */
/** @{ */
/**
 * Calls a function for each attribute of an object. Attributes that it deletes are left out.
 *
 * \param loc_id Object, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; idx behind the last attribute; no such index or order.
 */
H5_DLL herr_t H5Aiterate2(hid_t loc_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t *idx,
                          H5A_operator2_t op, void *op_data);

/**
 * H5Aiterate2() for an object with a name; op gets an id of that object.
 *
 * \param loc_id File or object from which obj_name counts.
 * \param obj_name Path of the object, counted from loc_id; "." for that itself.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Aiterate2(); no such object.
 */
H5_DLL herr_t H5Aiterate_by_name(hid_t loc_id, const char *obj_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t *idx, H5A_operator2_t op,
                                 void *op_data, hid_t lapl_id);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
/**
 * Called by H5Aiterate1() for each attribute.
 *
 * \param location_id The object.
 * \param attr_name Name of the attribute.
 * \param operator_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5A_operator1_t)(hid_t location_id, const char *attr_name, void *operator_data);

/**
 * H5Acreate2() with the default access list.
 *
 * \param loc_id Object, or a file: its root group.
 * \param name Name of the attribute.
 * \param type_id Type of an element; fixed size.
 * \param space_id Shape.
 * \param acpl_id Attribute creation list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \metadata
 * \errors Those of H5Acreate2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Acreate1(hid_t loc_id, const char *name, hid_t type_id, hid_t space_id,
                        hid_t acpl_id);

/**
 * H5Aopen() with the default access list.
 *
 * \param loc_id Object, or a file: its root group.
 * \param name Name of the attribute.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \local
 * \errors No such attribute.
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Aopen_name(hid_t loc_id, const char *name);

/**
 * Opens attribute number idx in the order of creation.
 *
 * \param loc_id Object, or a file: its root group.
 * \param idx Number from 0.
 * \return A new id, to be closed with H5Aclose(); negative on failure.
 * \local
 * \errors There are not so many attributes.
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Aopen_idx(hid_t loc_id, unsigned idx);

/**
 * Counts the attributes of an object.
 *
 * \param loc_id Object, or a file: its root group.
 * \return The number, or negative on failure.
 * \local
 * \source HDF5 1.6
 */
H5_DLL int H5Aget_num_attrs(hid_t loc_id);

/**
 * H5Aiterate2() in the order of creation, without facts.
 *
 * \param loc_id Object, or a file: its root group.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; idx behind the last attribute.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Aiterate1(hid_t loc_id, unsigned *idx, H5A_operator1_t op, void *op_data);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
