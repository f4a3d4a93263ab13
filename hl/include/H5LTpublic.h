/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Datasets and attributes in one call each, types as text, images of files (library: libpcio_hl).
 * What makes or changes something is a metadata call on a parallel file, with the same arguments on all ranks; what
 * reads or writes elements is independent there.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8, the text of types is that of HDF5's Data
 * Description Language; what calls do was watched.
 */
#ifndef H5LTpublic_H
#define H5LTpublic_H

#include "hdf5.h"

/** \defgroup H5LT H5LT: datasets, attributes and types in one call
 *  @{ */

#define H5LT_FILE_IMAGE_OPEN_RW 0x0001      /**< The image may be changed. */
#define H5LT_FILE_IMAGE_DONT_COPY 0x0002    /**< The caller's buffer itself is the file, and freed with it. */
#define H5LT_FILE_IMAGE_DONT_RELEASE 0x0004 /**< With DONT_COPY: the buffer stays the caller's. */
#define H5LT_FILE_IMAGE_ALL 0x0007          /**< All of these. */

/** What a text that describes a type is written in. Only the Data Description Language is understood. */
typedef enum H5LT_lang_t {
  H5LT_LANG_ERR = -1, /**< None. */
  H5LT_DDL = 0,       /**< Data Description Language. */
  H5LT_C = 1,         /**< C. */
  H5LT_FORTRAN = 2,   /**< Fortran. */
  H5LT_NO_LANG = 3    /**< Behind the last. */
} H5LT_lang_t;

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a dataset and writes all of it.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param type_id Type in memory and in the file.
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                 hid_t type_id, const void *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_CHAR.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_char(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const char *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_SHORT.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_short(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const short *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_INT.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_int(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const int *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_LONG.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_long(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const long *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_FLOAT.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_float(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const float *buffer);
/**
 * H5LTmake_dataset() of H5T_NATIVE_DOUBLE.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param rank Number of dimensions; 0: a scalar.
 * \param dims Their sizes [rank].
 * \param buffer Elements; null: nothing is written.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; a rank or type that no dataset can have.
 */
H5_HLDLL herr_t H5LTmake_dataset_double(hid_t loc_id, const char *dset_name, int rank, const hsize_t *dims,
                                     const double *buffer);
/**
 * H5LTmake_dataset() of one string with its null character, of that length.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there; groups on the way must exist.
 * \param buf Its text.
 * \return 0, or negative on failure.
 * \communicates
 * \errors The name is null or taken; no such group; the text is null.
 */
H5_HLDLL herr_t H5LTmake_dataset_string(hid_t loc_id, const char *dset_name, const char *buf);

/**
 * Reads all of a dataset.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param type_id Type in memory.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset(hid_t loc_id, const char *dset_name, hid_t type_id, void *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_CHAR.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_char(hid_t loc_id, const char *dset_name, char *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_SHORT.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_short(hid_t loc_id, const char *dset_name, short *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_INT.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_int(hid_t loc_id, const char *dset_name, int *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_LONG.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_long(hid_t loc_id, const char *dset_name, long *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_FLOAT.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_float(hid_t loc_id, const char *dset_name, float *buffer);
/**
 * H5LTread_dataset() as H5T_NATIVE_DOUBLE.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buffer Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_double(hid_t loc_id, const char *dset_name, double *buffer);
/**
 * H5LTread_dataset() in the dataset's own type.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param buf Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTread_dataset_string(hid_t loc_id, const char *dset_name, char *buf);

/**
 * Number of dimensions of a dataset; 0: a scalar.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param rank Gets the number; unchanged on failure.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such dataset.
 */
H5_HLDLL herr_t H5LTget_dataset_ndims(hid_t loc_id, const char *dset_name, int *rank);

/**
 * Sizes and type of a dataset.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset.
 * \param dims Gets the size of each dimension, or null.
 * \param type_class Gets the class of the type, or null.
 * \param type_size Gets the size of an element in bytes, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors The name is null; no such dataset.
 */
H5_HLDLL herr_t H5LTget_dataset_info(hid_t loc_id, const char *dset_name, hsize_t *dims, H5T_class_t *type_class,
                                     size_t *type_size);

/**
 * Whether a group itself has a link of this name, to a dataset or anything else. Names are not followed.
 *
 * \param loc_id File or group.
 * \param name Name of the link; one with a slash is none.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors Not a file or group; the name is null.
 */
H5_HLDLL herr_t H5LTfind_dataset(hid_t loc_id, const char *name);

/**
 * Gives an object an attribute of one string, in place of one that it has of that name.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param attr_data Its text; the attribute has room for it and its null character.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_string(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const char *attr_data);
/**
 * Gives an object an attribute of one dimension, of H5T_NATIVE_CHAR, in place of one that it has of that name.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_char(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const char *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_UCHAR.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_uchar(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const unsigned char *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_SHORT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_short(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const short *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_USHORT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_ushort(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const unsigned short *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_INT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_int(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const int *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_UINT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_uint(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const unsigned int *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_LONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_long(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const long *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_LLONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_long_long(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const long long *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_ULONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_ulong(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const unsigned long *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_FLOAT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_float(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const float *buffer, size_t size);
/**
 * H5LTset_attribute_char() of H5T_NATIVE_DOUBLE.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param buffer Elements [size].
 * \param size Their number.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A null pointer; no such object.
 */
H5_HLDLL herr_t H5LTset_attribute_double(hid_t loc_id, const char *obj_name, const char *attr_name,
                                         const double *buffer, size_t size);

/**
 * Reads an attribute.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param mem_type_id Type in memory.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute(hid_t loc_id, const char *obj_name, const char *attr_name, hid_t mem_type_id,
                                  void *data);
/**
 * H5LTget_attribute() in the attribute's own type.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_string(hid_t loc_id, const char *obj_name, const char *attr_name, char *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_CHAR.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_char(hid_t loc_id, const char *obj_name, const char *attr_name, char *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_UCHAR.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_uchar(hid_t loc_id, const char *obj_name, const char *attr_name, unsigned char *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_SHORT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_short(hid_t loc_id, const char *obj_name, const char *attr_name, short *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_USHORT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_ushort(hid_t loc_id, const char *obj_name, const char *attr_name, unsigned short *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_INT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_int(hid_t loc_id, const char *obj_name, const char *attr_name, int *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_UINT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_uint(hid_t loc_id, const char *obj_name, const char *attr_name, unsigned int *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_LONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_long(hid_t loc_id, const char *obj_name, const char *attr_name, long *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_LLONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_long_long(hid_t loc_id, const char *obj_name, const char *attr_name, long long *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_ULONG.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_ulong(hid_t loc_id, const char *obj_name, const char *attr_name, unsigned long *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_FLOAT.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_float(hid_t loc_id, const char *obj_name, const char *attr_name, float *data);
/**
 * H5LTget_attribute() as H5T_NATIVE_DOUBLE.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param data Where its elements go, all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute; a type that its own doesn't convert to.
 */
H5_HLDLL herr_t H5LTget_attribute_double(hid_t loc_id, const char *obj_name, const char *attr_name, double *data);

/**
 * Number of dimensions of an attribute; 0: a scalar.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param rank Gets the number; unchanged on failure.
 * \return 0, or negative on failure.
 * \local
 * \errors A null pointer; no such object or attribute.
 */
H5_HLDLL herr_t H5LTget_attribute_ndims(hid_t loc_id, const char *obj_name, const char *attr_name, int *rank);

/**
 * Sizes and type of an attribute.
 *
 * \param loc_id File or object.
 * \param obj_name Object; ".": that of loc_id.
 * \param attr_name Attribute.
 * \param dims Gets the size of each dimension, or null.
 * \param type_class Gets the class of the type, or null.
 * \param type_size Gets the size of an element in bytes, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors A name is null; no such object or attribute.
 */
H5_HLDLL herr_t H5LTget_attribute_info(hid_t loc_id, const char *obj_name, const char *attr_name, hsize_t *dims,
                                       H5T_class_t *type_class, size_t *type_size);

/**
 * Makes the type that a text in HDF5's Data Description Language describes: names of predefined types, H5T_STRING,
 * H5T_OPAQUE, H5T_COMPOUND (offsets may be left out: members follow each other), H5T_ARRAY, H5T_VLEN, H5T_ENUM,
 * H5T_REFERENCE, each in the other. What follows the type is not looked at.
 *
 * \param text The text.
 * \param lang_type H5LT_DDL.
 * \return The type, to be closed by H5Tclose(), or negative on failure.
 * \local
 * \errors Another language; what is not understood, with the place where that begins; more than 64 types in each
 *   other.
 * \differs Reads references, bit fields and negative values, and refuses what it does not understand (libhdf5_hl repeats
 *   some of it for ever).
 */
H5_HLDLL hid_t H5LTtext_to_dtype(const char *text, H5LT_lang_t lang_type);

/**
 * Describes a type in HDF5's Data Description Language.
 *
 * \param dtype Type.
 * \param str Gets the text and a null character, cut where *len has no room for it; null: only the length is
 *   asked for.
 * \param lang_type H5LT_DDL.
 * \param len With str null gets the bytes that the text needs with its null character; else has the bytes of str.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a type; another language; len is null.
 * \differs Values of enumerations are whole (libhdf5_hl cuts them to 32 bits), and there may be none (it crashes).
 */
H5_HLDLL herr_t H5LTdtype_to_text(hid_t dtype, char *str, H5LT_lang_t lang_type, size_t *len);

/**
 * Whether an object has an attribute of this name.
 *
 * \param loc_id File or object.
 * \param name Attribute.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors Not an object; the name is null.
 */
H5_HLDLL herr_t H5LTfind_attribute(hid_t loc_id, const char *name);

/**
 * Whether a path leads somewhere, link by link.
 *
 * \param loc_id File or object.
 * \param path Path; ".": the object of loc_id.
 * \param check_object_valid Whether the last link must lead to an object; else it must be there.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors Not a file or object; the path is null or empty; it goes through something that is no group.
 * \differs A link that leads nowhere makes what is behind it invalid; "/." is the root; an empty path is an error.
 */
H5_HLDLL htri_t H5LTpath_valid(hid_t loc_id, const char *path, hbool_t check_object_valid);

/**
 * Opens a file that is in memory, with the driver H5FD_CORE. Nothing is written to storage.
 *
 * \param buf_ptr The image; with H5LT_FILE_IMAGE_DONT_COPY and without H5LT_FILE_IMAGE_DONT_RELEASE from malloc().
 * \param buf_size Its bytes.
 * \param flags H5LT_FILE_IMAGE_*, or-ed.
 * \return The file, or negative on failure.
 * \local
 * \errors No image; flags that don't exist: the buffer is the caller's then. Not a file of HDF5: a buffer that was
 * given away is released, as a close of the file would have done.
 */
H5_HLDLL hid_t H5LTopen_file_image(void *buf_ptr, size_t buf_size, unsigned flags);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
