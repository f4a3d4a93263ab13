/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Identifiers (room: include).
 *
 * Nothing here communicates, unless the last reference to a parallel file goes (H5Fclose()).
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Ipublic_H
#define H5Ipublic_H

#include "H5public.h"

/** \defgroup H5I H5I: identifiers
 *  @{ */

/**
 * What an identifier stands for. The numbers are those of the 1.10 series; later series number some
 * of these differently.
 */
typedef enum H5I_type_t {
  H5I_UNINIT = -2,      /**< Not known yet. */
  H5I_BADID = -1,       /**< No open id. */
  H5I_FILE = 1,         /**< A file. */
  H5I_GROUP = 2,        /**< A group. */
  H5I_DATATYPE = 3,     /**< A datatype. */
  H5I_DATASPACE = 4,    /**< A dataspace. */
  H5I_DATASET = 5,      /**< A dataset. */
  H5I_ATTR = 6,         /**< An attribute. */
  H5I_REFERENCE = 7,    /**< A reference; there are no such ids. */
  H5I_VFL = 8,          /**< A file driver. */
  H5I_GENPROP_CLS = 9,  /**< A class of property lists. */
  H5I_GENPROP_LST = 10, /**< A property list. */
  H5I_ERROR_CLASS = 11, /**< A class of errors. */
  H5I_ERROR_MSG = 12,   /**< A major or minor error. */
  H5I_ERROR_STACK = 13, /**< An error stack. */
  H5I_NTYPES = 14       /**< Number of the library's types. */
} H5I_type_t;

/**
 * Frees what a program put behind an id.
 *
 * \param object What H5Iregister() was given.
 * \return Negative on failure: the id stays.
 */
typedef herr_t (*H5I_free_t)(void *object);

/** An identifier; negative: none. 0 is H5P_DEFAULT, H5S_ALL and H5E_DEFAULT, never an id. */
typedef int64_t hid_t;
#define H5_SIZEOF_HID_T H5_SIZEOF_INT64_T /**< Bytes of hid_t. */
#define H5I_INVALID_HID (-1)              /**< No id: a call failed. */

/**
 * Looks at what a program put behind an id.
 *
 * \param obj What H5Iregister() was given.
 * \param id Its id.
 * \param key What H5Isearch() was given.
 * \return Positive: this one; 0: go on; negative: the search fails.
 */
typedef int (*H5I_search_func_t)(void *obj, hid_t id, void *key);

#ifdef __cplusplus
extern "C" {
#endif

/** \name What an identifier stands for */
/** @{ */
/**
 * What an id stands for; an unknown one is no error.
 *
 * \param id Any id.
 * \return The type; H5I_BADID where the id isn't open.
 * \local
 */
H5_DLL H5I_type_t H5Iget_type(hid_t id);

/**
 * Is the id open, and the program's? Ids of the library's own count where H5Iinc_ref() gave the
 * program a reference.
 *
 * \param id Any id.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Iis_valid(hid_t id);

/**
 * The path by which an object was opened, "/" for a file; one opened by address is looked for in
 * the file.
 *
 * \param id File, group, dataset, committed datatype or attribute (whose object is meant).
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of name.
 * \return Length without NUL, 0 without a path, or negative on failure.
 * \local
 * \errors Another kind of id.
 */
H5_DLL ssize_t H5Iget_name(hid_t id, char *name, size_t size);

/**
 * An id of the file in which an object is: one more reference to one that is open. Where the object was opened by way of an
 * id of the file that is closed, or of a link, it is a new one. In a file of several ranks such a one is this rank's own: its
 * close is local, too, and it keeps the file open behind the last object only where all ranks have such, and equally many.
 *
 * \param id File, group, dataset, committed datatype or attribute.
 * \return A new id, to be closed with H5Fclose(); negative on failure.
 * \local
 * \errors Another kind of id.
 */
H5_DLL hid_t H5Iget_file_id(hid_t id);
/** @} */

/** \name Reference counts */
/** @{ */
/**
 * Adds a reference.
 *
 * \param id Any id.
 * \return The new count, or negative on failure.
 * \local
 */
H5_DLL int H5Iinc_ref(hid_t id);

/**
 * Takes a reference away; with the last one the object is closed, as its own close does: that of a
 * file takes all ranks.
 *
 * \param id Any id.
 * \return The new count, or negative on failure.
 * \local
 * \errors What closing refuses; an id of the library's own.
 */
H5_DLL int H5Idec_ref(hid_t id);

/**
 * Counts the references.
 *
 * \param id Any id.
 * \return The count, or negative on failure.
 * \local
 */
H5_DLL int H5Iget_ref(hid_t id);
/** @} */

/** \name All identifiers of one type */
/** @{ */
/**
 * Counts open ids of a type; the library's own don't count.
 *
 * \param type Type, H5I_FILE to H5I_ERROR_STACK.
 * \param num_members Set to the number; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Another type.
 */
H5_DLL herr_t H5Inmembers(H5I_type_t type, hsize_t *num_members);

/**
 * Are there ids of this type? References have none.
 *
 * \param type The type.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Itype_exists(H5I_type_t type);
/** @} */

/** \name Types of a program and what it puts behind ids of them; the library's own are refused */
/** @{ */
/**
 * Makes a type of ids. It is counted once.
 *
 * \param hash_size Without effect.
 * \param reserved Without effect.
 * \param free_func Called for an object whose last reference goes. NULL: none.
 * \return The type; H5I_BADID on failure.
 * \local
 * \errors There are 113 already.
 */
H5_DLL H5I_type_t H5Iregister_type(size_t hash_size, unsigned reserved, H5I_free_t free_func);

/**
 * Closes the ids of a type that are counted once.
 *
 * \param type Type of the program.
 * \param force True: all of them, also those whose free function fails.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Iclear_type(H5I_type_t type, hbool_t force);

/**
 * Closes all ids of a type, and ends the type however often it is counted. When the library is closed
 * types end too, but no free function is called.
 *
 * \param type Type of the program.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Idestroy_type(H5I_type_t type);

/**
 * Counts a type once more.
 *
 * \param type Type of the program.
 * \return How often it is counted now, or negative on failure.
 * \local
 */
H5_DLL int H5Iinc_type_ref(H5I_type_t type);

/**
 * Counts a type once less; at 0 H5Idestroy_type().
 *
 * \param type Type of the program.
 * \return How often it is counted now, or negative on failure.
 * \local
 */
H5_DLL int H5Idec_type_ref(H5I_type_t type);

/**
 * How often a type is counted.
 *
 * \param type Type of the program.
 * \return The number, or negative on failure.
 * \local
 */
H5_DLL int H5Iget_type_ref(H5I_type_t type);

/**
 * Puts an object behind a new id.
 *
 * \param type Type of the program.
 * \param object The object; may be NULL.
 * \return A new id, for H5Idec_ref(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Iregister(H5I_type_t type, const void *object);

/**
 * The object behind an id.
 *
 * \param id Id of the type.
 * \param type Type of the program.
 * \return The object; NULL on failure.
 * \local
 * \errors An id of another type, or none.
 */
H5_DLL void *H5Iobject_verify(hid_t id, H5I_type_t type);

/**
 * Takes an object from behind its id, which ends however often it is counted; the type's free function
 * is not called.
 *
 * \param id Id of the type.
 * \param type Type of the program.
 * \return The object; NULL on failure.
 * \local
 * \errors An id of another type, or none.
 */
H5_DLL void *H5Iremove_verify(hid_t id, H5I_type_t type);

/**
 * Looks for an object, the oldest id first. (libhdf5 1.10.8 looks at one only.)
 *
 * \param type Type of the program.
 * \param func Tells whether it is this one.
 * \param key Handed to func.
 * \return The object; NULL where there is none, and on failure.
 * \local
 * \errors func NULL, or it fails.
 * \differs Looks at all objects (libhdf5 1.10.8 at the first one).
 */
H5_DLL void *H5Isearch(H5I_type_t type, H5I_search_func_t func, void *key);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
