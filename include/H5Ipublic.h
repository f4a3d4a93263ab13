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

/** An identifier; negative: none. 0 is H5P_DEFAULT, H5S_ALL and H5E_DEFAULT, never an id. */
typedef int64_t hid_t;
#define H5_SIZEOF_HID_T H5_SIZEOF_INT64_T /**< Bytes of hid_t. */
#define H5I_INVALID_HID (-1)              /**< No id: a call failed. */

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
 * An id of the file in which an object is: one more reference to one that is open.
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

#ifdef __cplusplus
}
#endif

/** @} */

#endif
