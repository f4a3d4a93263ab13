/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Property lists (room: include). Nothing here communicates, but H5Pset_fapl_mpio() and its like.
 *
 * A value is checked when it is set. What the library can not do yet is refused by name, either
 * here or where the list is used; a stored value is always returned as it was set. A setter refuses
 * the library's own default lists, and lists of another class; a list keeps its old value where a
 * setter fails. An answer's pointer may be NULL unless that is an error. Creation lists are
 * compared between the ranks by the call that gets them, with values that have no effect here.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8; additions as named.
 */
#ifndef H5Ppublic_H
#define H5Ppublic_H

#include "H5ACpublic.h"
#include "H5Dpublic.h"
#include "H5FDpublic.h"
#include "H5Fpublic.h"
#include "H5Ipublic.h"
#include "H5Lpublic.h"
#include "H5MMpublic.h"
#include "H5Opublic.h"
#include "H5Spublic.h"
#include "H5Tpublic.h"
#include "H5Zpublic.h"
#include "H5public.h"

/** \defgroup H5P H5P: property lists
 *  @{ */

#define H5P_DEFAULT 0 /**< The default list of whatever class a call wants. */

/** \name H5Pset_link_creation_order, H5Pset_attr_creation_order: bits */
/** @{ */
#define H5P_CRT_ORDER_TRACKED 0x0001 /**< The order of creation is kept. */
#define H5P_CRT_ORDER_INDEXED 0x0002 /**< It is indexed too. */
/** @} */

#ifdef __cplusplus
extern "C" {
#endif

/** \name Classes */
/** @{ */
#define H5P_ROOT (H5OPEN H5P_CLS_ROOT_ID_g) /**< Class of which all others are. */
/** Class: creating any object. */
#define H5P_OBJECT_CREATE (H5OPEN H5P_CLS_OBJECT_CREATE_ID_g)
#define H5P_FILE_CREATE (H5OPEN H5P_CLS_FILE_CREATE_ID_g) /**< Class: H5Fcreate(). */
#define H5P_FILE_ACCESS (H5OPEN H5P_CLS_FILE_ACCESS_ID_g) /**< Class: opening and creating files. */
/** Class: H5Dcreate2(). */
#define H5P_DATASET_CREATE (H5OPEN H5P_CLS_DATASET_CREATE_ID_g)
/** Class: opening and creating datasets. */
#define H5P_DATASET_ACCESS (H5OPEN H5P_CLS_DATASET_ACCESS_ID_g)
#define H5P_DATASET_XFER (H5OPEN H5P_CLS_DATASET_XFER_ID_g) /**< Class: transfers. */
/** Class: mounting files (H5Fmount()). */
#define H5P_FILE_MOUNT (H5OPEN H5P_CLS_FILE_MOUNT_ID_g)
#define H5P_GROUP_CREATE (H5OPEN H5P_CLS_GROUP_CREATE_ID_g) /**< Class: H5Gcreate2(). */
/** Class: opening and creating groups. */
#define H5P_GROUP_ACCESS (H5OPEN H5P_CLS_GROUP_ACCESS_ID_g)
#define H5P_DATATYPE_CREATE (H5OPEN H5P_CLS_DATATYPE_CREATE_ID_g) /**< Class: H5Tcommit2(). */
/** Class: opening and committing datatypes. */
#define H5P_DATATYPE_ACCESS (H5OPEN H5P_CLS_DATATYPE_ACCESS_ID_g)
/** Class: names of links and attributes. */
#define H5P_STRING_CREATE (H5OPEN H5P_CLS_STRING_CREATE_ID_g)
#define H5P_ATTRIBUTE_CREATE (H5OPEN H5P_CLS_ATTRIBUTE_CREATE_ID_g) /**< Class: H5Acreate2(). */
/** Class: opening and creating attributes. */
#define H5P_ATTRIBUTE_ACCESS (H5OPEN H5P_CLS_ATTRIBUTE_ACCESS_ID_g)
/** Class: copying objects, which no call does. */
#define H5P_OBJECT_COPY (H5OPEN H5P_CLS_OBJECT_COPY_ID_g)
#define H5P_LINK_CREATE (H5OPEN H5P_CLS_LINK_CREATE_ID_g) /**< Class: creating links. */
#define H5P_LINK_ACCESS (H5OPEN H5P_CLS_LINK_ACCESS_ID_g) /**< Class: following links. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5P_CLS_ROOT_ID_g;
H5_DLLVAR hid_t H5P_CLS_OBJECT_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_FILE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_FILE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_CLS_DATASET_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_DATASET_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_CLS_DATASET_XFER_ID_g;
H5_DLLVAR hid_t H5P_CLS_FILE_MOUNT_ID_g;
H5_DLLVAR hid_t H5P_CLS_GROUP_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_GROUP_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_CLS_DATATYPE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_DATATYPE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_CLS_STRING_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_ATTRIBUTE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_ATTRIBUTE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_CLS_OBJECT_COPY_ID_g;
H5_DLLVAR hid_t H5P_CLS_LINK_CREATE_ID_g;
H5_DLLVAR hid_t H5P_CLS_LINK_ACCESS_ID_g;
/** \endcond */
/** @} */

/** \name The default list of each class */
/** @{ */
#define H5P_FILE_CREATE_DEFAULT (H5OPEN H5P_LST_FILE_CREATE_ID_g) /**< For H5P_FILE_CREATE. */
#define H5P_FILE_ACCESS_DEFAULT (H5OPEN H5P_LST_FILE_ACCESS_ID_g) /**< For H5P_FILE_ACCESS. */
/** For H5P_DATASET_CREATE. */
#define H5P_DATASET_CREATE_DEFAULT (H5OPEN H5P_LST_DATASET_CREATE_ID_g)
/** For H5P_DATASET_ACCESS. */
#define H5P_DATASET_ACCESS_DEFAULT (H5OPEN H5P_LST_DATASET_ACCESS_ID_g)
#define H5P_DATASET_XFER_DEFAULT (H5OPEN H5P_LST_DATASET_XFER_ID_g) /**< For H5P_DATASET_XFER. */
#define H5P_FILE_MOUNT_DEFAULT (H5OPEN H5P_LST_FILE_MOUNT_ID_g)     /**< For H5P_FILE_MOUNT. */
#define H5P_GROUP_CREATE_DEFAULT (H5OPEN H5P_LST_GROUP_CREATE_ID_g) /**< For H5P_GROUP_CREATE. */
#define H5P_GROUP_ACCESS_DEFAULT (H5OPEN H5P_LST_GROUP_ACCESS_ID_g) /**< For H5P_GROUP_ACCESS. */
/** For H5P_DATATYPE_CREATE. */
#define H5P_DATATYPE_CREATE_DEFAULT (H5OPEN H5P_LST_DATATYPE_CREATE_ID_g)
/** For H5P_DATATYPE_ACCESS. */
#define H5P_DATATYPE_ACCESS_DEFAULT (H5OPEN H5P_LST_DATATYPE_ACCESS_ID_g)
/** For H5P_ATTRIBUTE_CREATE. */
#define H5P_ATTRIBUTE_CREATE_DEFAULT (H5OPEN H5P_LST_ATTRIBUTE_CREATE_ID_g)
/** For H5P_ATTRIBUTE_ACCESS. */
#define H5P_ATTRIBUTE_ACCESS_DEFAULT (H5OPEN H5P_LST_ATTRIBUTE_ACCESS_ID_g)
#define H5P_OBJECT_COPY_DEFAULT (H5OPEN H5P_LST_OBJECT_COPY_ID_g) /**< For H5P_OBJECT_COPY. */
#define H5P_LINK_CREATE_DEFAULT (H5OPEN H5P_LST_LINK_CREATE_ID_g) /**< For H5P_LINK_CREATE. */
#define H5P_LINK_ACCESS_DEFAULT (H5OPEN H5P_LST_LINK_ACCESS_ID_g) /**< For H5P_LINK_ACCESS. */

/** \cond BEHIND_MACROS */
H5_DLLVAR hid_t H5P_LST_FILE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_FILE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_LST_DATASET_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_DATASET_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_LST_DATASET_XFER_ID_g;
H5_DLLVAR hid_t H5P_LST_FILE_MOUNT_ID_g;
H5_DLLVAR hid_t H5P_LST_GROUP_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_GROUP_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_LST_DATATYPE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_DATATYPE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_LST_ATTRIBUTE_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_ATTRIBUTE_ACCESS_ID_g;
H5_DLLVAR hid_t H5P_LST_OBJECT_COPY_ID_g;
H5_DLLVAR hid_t H5P_LST_LINK_CREATE_ID_g;
H5_DLLVAR hid_t H5P_LST_LINK_ACCESS_ID_g;
/** \endcond */
/** @} */

/** What a collective transfer did with chunks. */
typedef enum H5D_mpio_actual_chunk_opt_mode_t {
  H5D_MPIO_NO_CHUNK_OPTIMIZATION = 0, /**< Nothing: not chunked, or not collective. */
  H5D_MPIO_LINK_CHUNK = 1,            /**< All chunks in one collective transfer. */
  H5D_MPIO_MULTI_CHUNK = 2,           /**< Chunk by chunk, each collective or independent. */
  H5D_MPIO_MULTI_CHUNK_NO_OPT = 3,    /**< Chunk by chunk, without counting ranks; of HDF5 1.8.8. */
  H5D_MPIO_COLL_CHUNK_ATONCE = 4,     /**< All collective chunks in one transfer; of the RFC. */
  H5D_MPIO_ALL_CHUNK_IND = 5          /**< Every chunk independent; of the RFC. */
} H5D_mpio_actual_chunk_opt_mode_t;

/** Whether the bytes went together or each rank for itself. */
typedef enum H5D_mpio_actual_io_mode_t {
  H5D_MPIO_NO_COLLECTIVE = 0x0,        /**< Each rank for itself. */
  H5D_MPIO_CHUNK_INDEPENDENT = 0x1,    /**< Chunks, all independent. */
  H5D_MPIO_CHUNK_COLLECTIVE = 0x2,     /**< Chunks, all collective. */
  H5D_MPIO_CHUNK_MIXED = 0x3,          /**< Chunks of both kinds. */
  H5D_MPIO_CONTIGUOUS_COLLECTIVE = 0x4 /**< A contiguous dataset, collective. */
} H5D_mpio_actual_io_mode_t;

/**
 * Why a transfer that was asked to be collective was not: bits that add up. Which of them are ever
 * set here: doc/SUPPORT.md.
 */
typedef enum H5D_mpio_no_collective_cause_t {
  H5D_MPIO_COLLECTIVE = 0x00, /**< It was collective. */
  /** The list asks for independent transfer, or individual I/O on some rank. */
  H5D_MPIO_SET_INDEPENDENT = 0x01,
  H5D_MPIO_DATATYPE_CONVERSION = 0x02, /**< Types differ; never set. */
  H5D_MPIO_DATA_TRANSFORMS = 0x04,     /**< A data transform; never set. */
  /** HDF5_MPI_OPT_TYPES=0, or MPI's derived datatypes don't work. */
  H5D_MPIO_MPI_OPT_TYPES_ENV_VAR_DISABLED = 0x08,
  H5D_MPIO_NOT_SIMPLE_OR_SCALAR_DATASPACES = 0x10,   /**< Null dataspaces; never set. */
  H5D_MPIO_NOT_CONTIGUOUS_OR_CHUNKED_DATASET = 0x20, /**< A compact dataset. */
  H5D_MPIO_PARALLEL_FILTERED_WRITES_DISABLED = 0x40, /**< Of HDF5; never set. */
  /** A rank's arguments are wrong; all fail. */
  H5D_MPIO_ERROR_WHILE_CHECKING_COLLECTIVE_POSSIBLE = 0x80,
  H5D_MPIO_NO_COLLECTIVE_MAX_CAUSE = 0x100, /**< One above the last bit of HDF5 1.10. */
  /* Ours, out of the way of bits that later versions of HDF5 may use. */
  H5D_MPIO_SET_MPIPOSIX = 0x10000,     /**< The MPI-POSIX driver. */
  H5D_MPIO_POINT_SELECTIONS = 0x20000, /**< Points are selected; never set. */
  H5D_MPIO_FILTERS = 0x40000           /**< The dataset has filters; never set. */
} H5D_mpio_no_collective_cause_t;

/** \name Callbacks of a property that a program adds to a list or class */
/** @{ */
/**
 * Callback that gets a value.
 *
 * \param name Name of the property.
 * \param size Bytes of the value.
 * \param value The value.
 * \return Negative on failure.
 */
typedef herr_t (*H5P_prp_cb1_t)(const char *name, size_t size, void *value);

/**
 * Callback that gets a value and its list.
 *
 * \param prop_id The list.
 * \param name Name of the property.
 * \param size Bytes of the value.
 * \param value The value.
 * \return Negative on failure.
 */
typedef herr_t (*H5P_prp_cb2_t)(hid_t prop_id, const char *name, size_t size, void *value);
typedef H5P_prp_cb1_t H5P_prp_create_func_t; /**< When a list is made. */
typedef H5P_prp_cb2_t H5P_prp_set_func_t;    /**< Before a value is set. */
typedef H5P_prp_cb2_t H5P_prp_get_func_t;    /**< Before a value is read. */
typedef H5P_prp_cb2_t H5P_prp_delete_func_t; /**< When the property is taken out. */
typedef H5P_prp_cb1_t H5P_prp_copy_func_t;   /**< When a list is copied. */

/**
 * Compares two values.
 *
 * \param value1 One.
 * \param value2 The other.
 * \param size Bytes of each.
 * \return Negative, 0 or positive: less, equal or more.
 */
typedef int (*H5P_prp_compare_func_t)(const void *value1, const void *value2, size_t size);
typedef H5P_prp_cb1_t H5P_prp_close_func_t; /**< When a list is closed. */
/** @} */

/** \name Callbacks of a class that a program makes, and of H5Piterate() */
/** @{ */
/**
 * A list of the class was made.
 *
 * \param prop_id The list.
 * \param create_data What H5Pcreate_class() was given.
 * \return Negative on failure.
 */
typedef herr_t (*H5P_cls_create_func_t)(hid_t prop_id, void *create_data);

/**
 * A list of the class was copied.
 *
 * \param new_prop_id The copy.
 * \param old_prop_id The list.
 * \param copy_data What H5Pcreate_class() was given.
 * \return Negative on failure.
 */
typedef herr_t (*H5P_cls_copy_func_t)(hid_t new_prop_id, hid_t old_prop_id, void *copy_data);

/**
 * A list of the class is going to be closed.
 *
 * \param prop_id The list.
 * \param close_data What H5Pcreate_class() was given.
 * \return Negative on failure.
 */
typedef herr_t (*H5P_cls_close_func_t)(hid_t prop_id, void *close_data);

/**
 * One property of a list or class.
 *
 * \param id List or class.
 * \param name Name of the property.
 * \param iter_data What H5Piterate() was given.
 * \return 0: go on; another number ends the walk.
 */
typedef herr_t (*H5P_iterate_t)(hid_t id, const char *name, void *iter_data);
/** @} */

/** \name Any list */
/** @{ */
/**
 * Makes a list with default values.
 *
 * \param cls_id Class, H5P_FILE_ACCESS or another.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Pcreate(hid_t cls_id);

/**
 * Copies a list, or a class. A communicator in it is shared with the copy, not duplicated.
 *
 * \param plist_id List or class.
 * \return A new id of the same kind; negative on failure.
 * \local
 * \differs The copy function of each class above the list's is called (libhdf5 1.10.8 calls that of
 *   the list's own class as many times).
 */
H5_DLL hid_t H5Pcopy(hid_t plist_id);

/**
 * Closes a list; H5P_DEFAULT does nothing.
 *
 * \param plist_id Property list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pclose(hid_t plist_id);

/**
 * Compares two lists (values, and what the program inserted) or two classes. Communicators are
 * equal where they come from one setting.
 *
 * \param id1 List or class.
 * \param id2 Another of the same kind.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Pequal(hid_t id1, hid_t id2);

/**
 * The class of a list.
 *
 * \param plist_id Property list.
 * \return A new id, to be closed with H5Pclose_class(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Pget_class(hid_t plist_id);

/**
 * The name of a class.
 *
 * \param pclass_id Class.
 * \return The text, freed by the caller with H5free_memory() or free(); NULL on failure.
 * \local
 */
H5_DLL char *H5Pget_class_name(hid_t pclass_id);

/**
 * The class from which a class is derived.
 *
 * \param pclass_id Class.
 * \return A new id, to be closed with H5Pclose_class(); negative on failure.
 * \local
 * \errors H5P_ROOT, which has none.
 */
H5_DLL hid_t H5Pget_class_parent(hid_t pclass_id);

/**
 * Makes a class. A list of it is made, copied and closed with the functions of all classes above it
 * too, its own first; the property functions are called before, but those of a close behind.
 *
 * \param parent Class from which the new one is derived: its lists have the parent's properties.
 *   H5P_DEFAULT: none.
 * \param name Name of the class.
 * \param create Called when a list was made; where it fails the list goes. NULL: none.
 * \param create_data Handed to create; NULL without it.
 * \param copy Called when a list was copied; where it fails the copy goes. NULL: none.
 * \param copy_data Handed to copy; NULL without it.
 * \param close Called when a list is going to be closed, whatever it returns. NULL: none.
 * \param close_data Handed to close; NULL without it.
 * \return A new id, to be closed with H5Pclose_class(); negative on failure.
 * \local
 * \errors No name; data without its function.
 */
H5_DLL hid_t H5Pcreate_class(hid_t parent, const char *name, H5P_cls_create_func_t create,
                             void *create_data, H5P_cls_copy_func_t copy, void *copy_data,
                             H5P_cls_close_func_t close, void *close_data);

/**
 * Adds a property to a class: lists made later have it. Lists and classes that there are already keep
 * the class as it was. A property of the library's classes is not compared between ranks.
 *
 * \param cls_id Class, also one of the library's.
 * \param name New name in this class.
 * \param size Bytes of the value; may be 0.
 * \param def_value The value in new lists; may be NULL where size is 0.
 * \param create Called with a copy of the value for each new list, which it may change. NULL: none.
 * \param set Called with a new value before it is set, which it may change. NULL: none.
 * \param get Called with a copy of the value before it is handed out, which it may change. NULL: none.
 * \param prp_del Called with the value before it is replaced or removed. NULL: none.
 * \param copy Called with the copy of a value when a list is copied. NULL: none.
 * \param compare Compares two values for H5Pequal(). NULL: byte by byte.
 * \param close Called with the value when a list is closed. NULL: none.
 * \return 0, or negative on failure.
 * \local
 * \errors A name that the class has; value NULL.
 * \differs A list of a library's class stays one when something is registered in that class later.
 */
H5_DLL herr_t H5Pregister2(hid_t cls_id, const char *name, size_t size, void *def_value,
                           H5P_prp_create_func_t create, H5P_prp_set_func_t set,
                           H5P_prp_get_func_t get, H5P_prp_delete_func_t prp_del,
                           H5P_prp_copy_func_t copy, H5P_prp_compare_func_t compare,
                           H5P_prp_close_func_t close);

/**
 * Takes a property out of a class; lists that have no value of their own lose it too.
 *
 * \param pclass_id Class, also one of the library's.
 * \param name Name of a property that the class itself has, not its parent.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property.
 */
H5_DLL herr_t H5Punregister(hid_t pclass_id, const char *name);

/**
 * Is the list of this class or of one derived from it? A class in which something was registered since
 * is another one, but for the library's.
 *
 * \param plist_id Property list.
 * \param pclass_id Class.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Pisa_class(hid_t plist_id, hid_t pclass_id);

/**
 * Closes the id of a class.
 *
 * \param plist_id Class, from H5Pget_class() or its like.
 * \return 0, or negative on failure.
 * \local
 * \errors A class of the library's own, such as H5P_FILE_ACCESS.
 */
H5_DLL herr_t H5Pclose_class(hid_t plist_id);
/** @} */

/** \name A property by its name */
/** @{ */
/**
 * Has the list, or the class, a property of this name?
 *
 * \param plist_id List or class.
 * \param name Name of the property, as HDF5 has it, or of one that was inserted.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Pexist(hid_t plist_id, const char *name);

/**
 * Bytes of a property's value.
 *
 * \param id List.
 * \param name Name of the property, as HDF5 has it, or of one that was inserted.
 * \param size Set to the bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property; size NULL.
 */
H5_DLL herr_t H5Pget_size(hid_t id, const char *name, size_t *size);

/**
 * Counts the properties of a list, or those that a class adds to its parent.
 *
 * \param id List or class.
 * \param nprops Set to the number.
 * \return 0, or negative on failure.
 * \local
 * \errors nprops NULL.
 */
H5_DLL herr_t H5Pget_nprops(hid_t id, size_t *nprops);

/**
 * Copies a property's value out.
 *
 * \param plist_id Property list.
 * \param name Name of the property, as HDF5 has it, or of one that was inserted.
 * \param value For the value, H5Pget_size() bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property; one that only its own getter can tell; value NULL.
 * \differs Structures of HDF5's own ("pline", "layout", "fill_value") are not handed out.
 */
H5_DLL herr_t H5Pget(hid_t plist_id, const char *name, void *value);

/**
 * Sets a property's value.
 *
 * \param plist_id Property list.
 * \param name Name of the property, as HDF5 has it, or of one that was inserted.
 * \param value The value, H5Pget_size() bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property; one that only its own setter can set; a value that its own setter
 *   refuses; value NULL; what the property's set or delete function refuses.
 * \differs Refuses what the property's own setter refuses; a setter that fails sets nothing.
 */
H5_DLL herr_t H5Pset(hid_t plist_id, const char *name, const void *value);

/**
 * Adds a property to one list; it is copied and compared with the list, but neither encoded, nor
 * compared between ranks. The functions are those of H5Pregister2().
 *
 * \param plist_id Property list.
 * \param name New name.
 * \param size Bytes of the value; may be 0.
 * \param value The value; may be NULL where size is 0.
 * \param set NULL: none.
 * \param get NULL: none.
 * \param prp_del NULL: none.
 * \param copy NULL: none.
 * \param compare NULL: byte by byte.
 * \param close NULL: none.
 * \return 0, or negative on failure.
 * \local
 * \errors A name that is there; value NULL.
 * \differs A default list does not change.
 */
H5_DLL herr_t H5Pinsert2(hid_t plist_id, const char *name, size_t size, void *value,
                         H5P_prp_set_func_t set, H5P_prp_get_func_t get,
                         H5P_prp_delete_func_t prp_del, H5P_prp_copy_func_t copy,
                         H5P_prp_compare_func_t compare, H5P_prp_close_func_t close);

/**
 * Takes a property out of one list, one of the library's too: setters and getters that are about it
 * fail then.
 *
 * \param plist_id Property list.
 * \param name Name of the property.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property; what its delete function refuses.
 * \differs A default list does not change.
 */
H5_DLL herr_t H5Premove(hid_t plist_id, const char *name);

/**
 * Copies one property from list to list, or from class to class. A list that has it gets the value,
 * through the property's delete and copy functions; one that lacks it gets the property, through its
 * create function.
 *
 * \param dst_id List or class.
 * \param src_id Another of the same kind. Of a class only what it has itself, not its parent.
 * \param name Name of the property.
 * \return 0, or negative on failure.
 * \local
 * \errors No such property; one of the library's that is no plain value, where dst_id lacks it.
 * \differs A list that has the property gets the value (libhdf5 1.10.8 loses the property); one
 *   that is missing is an error (it crashes); a property of the library's own that is no plain
 *   value goes only to lists that have it.
 */
H5_DLL herr_t H5Pcopy_prop(hid_t dst_id, hid_t src_id, const char *name);

/**
 * Calls a function for each property of a list, or for those that a class adds to its parent: first
 * those of which the list has a value of its own, then those of its class and of the classes above it.
 *
 * \param id List or class.
 * \param idx Number of the property to begin with, and after return the one that ended the walk, or
 *   their number; may be NULL.
 * \param iter_func The function.
 * \param iter_data Handed to it.
 * \return What the function returned last, 0 where there is none; negative on failure.
 * \local
 * \errors iter_func NULL.
 */
H5_DLL int H5Piterate(hid_t id, int *idx, H5P_iterate_t iter_func, void *iter_data);

/**
 * A list as bytes, those that libhdf5 1.10.8 makes. Drivers, functions, file images and what a program
 * added are left out.
 *
 * \param plist_id Property list.
 * \param buf For the bytes; NULL, or too small by nalloc: only the size is told.
 * \param nalloc Bytes that buf has; set to those that are needed.
 * \return 0, or negative on failure.
 * \local
 * \errors A fill value of variable length.
 * \differs Fill values of variable length can't be encoded (libhdf5 1.10.8 writes their pointers).
 */
H5_DLL herr_t H5Pencode(hid_t plist_id, void *buf, size_t *nalloc);

/**
 * Makes a list of what H5Pencode() made, also that of libhdf5. The bytes say themselves how many they
 * are: there must be as many.
 *
 * \param buf The bytes.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 * \errors Bytes of something else; a class of a program; a value that its setter refuses.
 */
H5_DLL hid_t H5Pdecode(const void *buf);
/** @} */

/** \name Object creation lists */
/** @{ */
/**
 * Stores from when on attributes leave the object header. Attributes are written into the header,
 * so it is kept in the file only.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param max_compact Most attributes in the header.
 * \param min_dense Fewest attributes outside it.
 * \return 0, or negative on failure.
 * \local
 * \errors max_compact below min_dense, or over 65,535.
 */
H5_DLL herr_t H5Pset_attr_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense);

/**
 * Tells what H5Pset_attr_phase_change() set, or the default.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param max_compact For the answer, may be NULL: most attributes in the header.
 * \param min_dense For the answer, may be NULL: fewest attributes outside it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_attr_phase_change(hid_t plist_id, unsigned *max_compact, unsigned *min_dense);

/**
 * Asks for the order in which attributes are created to be kept.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param crt_order_flags Bits H5P_CRT_ORDER_TRACKED, H5P_CRT_ORDER_INDEXED; others are ignored.
 * \return 0, or negative on failure.
 * \local
 * \errors Indexed without tracked.
 */
H5_DLL herr_t H5Pset_attr_creation_order(hid_t plist_id, unsigned crt_order_flags);

/**
 * Tells what H5Pset_attr_creation_order() set, or the default.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param crt_order_flags For the answer, may be NULL: bits H5P_CRT_ORDER_TRACKED,
 *   H5P_CRT_ORDER_INDEXED; others are ignored.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_attr_creation_order(hid_t plist_id, unsigned *crt_order_flags);

/**
 * Asks for times of change in object headers; on by default.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param track_times Nonzero: times are kept.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_obj_track_times(hid_t plist_id, hbool_t track_times);

/**
 * Tells what H5Pset_obj_track_times() set, or the default.
 *
 * \param plist_id List for creating a group, dataset, datatype or file.
 * \param track_times For the answer, may be NULL: nonzero: times are kept.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_obj_track_times(hid_t plist_id, hbool_t *track_times);
/** @} */

/** \name Filters, of an object creation list */
/** @{ */
/**
 * Appends a filter; whether it is there shows when a dataset is made.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param filter Number, 0 to 65,535.
 * \param flags H5Z_FLAG_OPTIONAL or H5Z_FLAG_MANDATORY.
 * \param cd_nelmts Number of parameters.
 * \param c_values Parameters, [cd_nelmts]; NULL where there are none.
 * \return 0, or negative on failure.
 * \local
 * \errors Numbers or flags out of range; a 33rd filter.
 */
H5_DLL herr_t H5Pset_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags, size_t cd_nelmts,
                            const unsigned c_values[]);

/**
 * Changes flags and parameters of a filter that is in the list.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param filter Its number; the first one is meant.
 * \param flags H5Z_FLAG_OPTIONAL or H5Z_FLAG_MANDATORY.
 * \param cd_nelmts Number of parameters.
 * \param cd_values Parameters, [cd_nelmts]; NULL where there are none.
 * \return 0, or negative on failure.
 * \local
 * \errors The filter isn't in the list; those of H5Pset_filter().
 */
H5_DLL herr_t H5Pmodify_filter(hid_t plist_id, H5Z_filter_t filter, unsigned flags,
                               size_t cd_nelmts, const unsigned cd_values[]);

/**
 * Takes a filter out.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param filter Its number; H5Z_FILTER_ALL: all of them.
 * \return 0, or negative on failure.
 * \local
 * \errors The filter isn't in the list, which isn't empty.
 */
H5_DLL herr_t H5Premove_filter(hid_t plist_id, H5Z_filter_t filter);

/**
 * Counts the filters.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \return The number, or negative on failure.
 * \local
 */
H5_DLL int H5Pget_nfilters(hid_t plist_id);

/**
 * Tells about filter number idx.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param idx Number from 0.
 * \param flags Set to its flags; may be NULL.
 * \param cd_nelmts Numbers that fit into cd_values, and after return those that there are; may be
 *   NULL.
 * \param cd_values For the parameters, [cd_nelmts]; may be NULL.
 * \param namelen Bytes of name.
 * \param name For its name, cut, with NUL; may be NULL.
 * \param filter_config Set to bits H5Z_FILTER_CONFIG_...; 0 where the filter isn't there; may be
 *   NULL.
 * \return The filter's number, or negative on failure.
 * \local
 * \errors There are not so many filters.
 */
H5_DLL H5Z_filter_t H5Pget_filter2(hid_t plist_id, unsigned idx, unsigned *flags, size_t *cd_nelmts,
                                   unsigned cd_values[], size_t namelen, char name[],
                                   unsigned *filter_config);

/**
 * Tells about the first filter of a number.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param filter_id The number.
 * \param flags Set to its flags; may be NULL.
 * \param cd_nelmts Numbers that fit into cd_values, and after return those that there are; may be
 *   NULL.
 * \param cd_values For the parameters, [cd_nelmts]; may be NULL.
 * \param namelen Bytes of name.
 * \param name For its name, cut, with NUL; may be NULL.
 * \param filter_config Set to bits H5Z_FILTER_CONFIG_...; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors The filter isn't in the list.
 */
H5_DLL herr_t H5Pget_filter_by_id2(hid_t plist_id, H5Z_filter_t filter_id, unsigned *flags,
                                   size_t *cd_nelmts, unsigned cd_values[], size_t namelen,
                                   char name[], unsigned *filter_config);

/**
 * Are all filters of the list there? Looks for plugins too.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 */
H5_DLL htri_t H5Pall_filters_avail(hid_t plist_id);

/**
 * Appends deflate (zlib streams), optional.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \param level 0 (stored only) to 9.
 * \return 0, or negative on failure.
 * \local
 * \errors Another level.
 */
H5_DLL herr_t H5Pset_deflate(hid_t plist_id, unsigned level);

/**
 * Appends a checksum of 4 bytes a chunk, mandatory.
 *
 * \param plist_id Creation list; filters of a dataset are applied in the order of the calls.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_fletcher32(hid_t plist_id);

/**
 * Appends the reordering of bytes by their place in an element, optional.
 *
 * \param plist_id Dataset creation list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_shuffle(hid_t plist_id);

/**
 * Appends szip, optional.
 *
 * \param plist_id Dataset creation list.
 * \param options_mask H5_SZIP_EC_OPTION_MASK or H5_SZIP_NN_OPTION_MASK; other bits are added and
 *   taken away as the format wants.
 * \param pixels_per_block Even, at most 32; 0 fails when a dataset is made.
 * \return 0, or negative on failure.
 * \local
 * \errors pixels_per_block odd or over 32.
 */
H5_DLL herr_t H5Pset_szip(hid_t plist_id, unsigned options_mask, unsigned pixels_per_block);

/**
 * Appends n-bit: significant bits only; optional.
 *
 * \param plist_id Dataset creation list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_nbit(hid_t plist_id);

/**
 * Appends scale-offset: distances from the least number; optional.
 *
 * \param plist_id Dataset creation list.
 * \param scale_type H5Z_SO_INT, or for floating point H5Z_SO_FLOAT_DSCALE; H5Z_SO_FLOAT_ESCALE is
 *   skipped or refused when data are written.
 * \param scale_factor Integers: bits of the distances, 0: as many as are needed. Floating point:
 *   decimal digits that are kept.
 * \return 0, or negative on failure.
 * \local
 * \errors No such type; a negative factor.
 */
H5_DLL herr_t H5Pset_scaleoffset(hid_t plist_id, H5Z_SO_scale_type_t scale_type, int scale_factor);
/** @} */

/** \name File creation lists: sizes in bytes, ik and lk in half the children of a node */
/** @{ */
/**
 * Leaves room for the program's own bytes before the superblock.
 *
 * \param plist_id File creation list.
 * \param size Bytes: 0, or a power of two from 512.
 * \return 0, or negative on failure.
 * \local
 * \errors Another size.
 */
H5_DLL herr_t H5Pset_userblock(hid_t plist_id, hsize_t size);

/**
 * Tells what H5Pset_userblock() set, or the default.
 *
 * \param plist_id File creation list.
 * \param size For the answer, may be NULL: bytes: 0, or a power of two from 512.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_userblock(hid_t plist_id, hsize_t *size);

/**
 * Sets how wide addresses and lengths are in the file; 16 is stored, and refused by H5Fcreate().
 *
 * \param plist_id File creation list.
 * \param sizeof_addr Bytes of an address: 2, 4, 8 or 16; 0 leaves it.
 * \param sizeof_size Bytes of a length: 2, 4, 8 or 16; 0 leaves it.
 * \return 0, or negative on failure.
 * \local
 * \errors Other widths.
 * \differs 16 is stored, and refused by H5Fcreate().
 */
H5_DLL herr_t H5Pset_sizes(hid_t plist_id, size_t sizeof_addr, size_t sizeof_size);

/**
 * Tells what H5Pset_sizes() set, or the default.
 *
 * \param plist_id File creation list.
 * \param sizeof_addr For the answer, may be NULL: bytes of an address: 2, 4, 8 or 16; 0 leaves it.
 * \param sizeof_size For the answer, may be NULL: bytes of a length: 2, 4, 8 or 16; 0 leaves it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_sizes(hid_t plist_id, size_t *sizeof_addr, size_t *sizeof_size);

/**
 * Sets the size of symbol table nodes in groups of the earliest format.
 *
 * \param plist_id File creation list.
 * \param ik Half the children of a B-tree node, below 32,768; 0 leaves it.
 * \param lk Half the entries of a symbol node; 0 leaves it.
 * \return 0, or negative on failure.
 * \local
 * \errors ik too large.
 */
H5_DLL herr_t H5Pset_sym_k(hid_t plist_id, unsigned ik, unsigned lk);

/**
 * Tells what H5Pset_sym_k() set, or the default.
 *
 * \param plist_id File creation list.
 * \param ik For the answer, may be NULL: half the children of a B-tree node, below 32,768; 0 leaves
 *   it.
 * \param lk For the answer, may be NULL: half the entries of a symbol node; 0 leaves it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_sym_k(hid_t plist_id, unsigned *ik, unsigned *lk);

/**
 * Sets the size of B-tree nodes for chunks in the earliest format.
 *
 * \param plist_id File creation list.
 * \param ik Half the children of a node, 1 to 32,767.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number.
 */
H5_DLL herr_t H5Pset_istore_k(hid_t plist_id, unsigned ik);

/**
 * Tells what H5Pset_istore_k() set, or the default.
 *
 * \param plist_id File creation list.
 * \param ik For the answer, may be NULL: half the children of a node, 1 to 32,767.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_istore_k(hid_t plist_id, unsigned *ik);

/**
 * Stores a number of indexes of shared header messages; H5Fcreate() refuses any but 0.
 *
 * \param plist_id File creation list.
 * \param nindexes 0 to 8.
 * \return 0, or negative on failure.
 * \local
 * \errors Over 8.
 */
H5_DLL herr_t H5Pset_shared_mesg_nindexes(hid_t plist_id, unsigned nindexes);

/**
 * Tells what H5Pset_shared_mesg_nindexes() set, or the default.
 *
 * \param plist_id File creation list.
 * \param nindexes For the answer, may be NULL: 0 to 8.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_shared_mesg_nindexes(hid_t plist_id, unsigned *nindexes);

/**
 * Stores which messages an index shares.
 *
 * \param plist_id File creation list.
 * \param index_num Number of the index, from 0.
 * \param mesg_type_flags Bits H5O_SHMESG_...
 * \param min_mesg_size Smallest message in bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many indexes.
 */
H5_DLL herr_t H5Pset_shared_mesg_index(hid_t plist_id, unsigned index_num, unsigned mesg_type_flags,
                                       unsigned min_mesg_size);

/**
 * Tells what H5Pset_shared_mesg_index() set.
 *
 * \param plist_id File creation list.
 * \param index_num Number of the index, from 0.
 * \param mesg_type_flags Set to bits H5O_SHMESG_...; may be NULL.
 * \param min_mesg_size Set to bytes; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many indexes.
 */
H5_DLL herr_t H5Pget_shared_mesg_index(hid_t plist_id, unsigned index_num,
                                       unsigned *mesg_type_flags, unsigned *min_mesg_size);

/**
 * Stores from when on an index of shared messages is a B-tree.
 *
 * \param plist_id File creation list.
 * \param max_list Most messages in a list, up to 5,000.
 * \param min_btree Fewest messages in a B-tree.
 * \return 0, or negative on failure.
 * \local
 * \errors max_list over 5,000; min_btree over max_list + 1.
 */
H5_DLL herr_t H5Pset_shared_mesg_phase_change(hid_t plist_id, unsigned max_list,
                                              unsigned min_btree);

/**
 * Tells what H5Pset_shared_mesg_phase_change() set, or the default.
 *
 * \param plist_id File creation list.
 * \param max_list For the answer, may be NULL: most messages in a list, up to 5,000.
 * \param min_btree For the answer, may be NULL: fewest messages in a B-tree.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_shared_mesg_phase_change(hid_t plist_id, unsigned *max_list,
                                              unsigned *min_btree);

/**
 * Sets how space in the file is found again.
 *
 * \param plist_id File creation list.
 * \param strategy The strategy.
 * \param persist Nonzero: free space is kept in the file; means something with the first two
 *   strategies, and is left alone with others.
 * \param threshold Smallest free piece in bytes that is remembered; as persist.
 * \return 0, or negative on failure.
 * \local
 * \errors No such strategy.
 */
H5_DLL herr_t H5Pset_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t strategy,
                                         hbool_t persist, hsize_t threshold);

/**
 * Tells what H5Pset_file_space_strategy() set, or the default.
 *
 * \param plist_id File creation list.
 * \param strategy For the answer, may be NULL: the strategy.
 * \param persist For the answer, may be NULL: nonzero: free space is kept in the file; means
 *   something with the first two strategies, and is left alone with others.
 * \param threshold For the answer, may be NULL: smallest free piece in bytes that is remembered; as
 *   persist.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_file_space_strategy(hid_t plist_id, H5F_fspace_strategy_t *strategy,
                                         hbool_t *persist, hsize_t *threshold);

/**
 * Sets the size of pages for H5F_FSPACE_STRATEGY_PAGE.
 *
 * \param plist_id File creation list.
 * \param fsp_size Bytes, 512 to 1 GiB.
 * \return 0, or negative on failure.
 * \local
 * \errors Another size.
 */
H5_DLL herr_t H5Pset_file_space_page_size(hid_t plist_id, hsize_t fsp_size);

/**
 * Tells what H5Pset_file_space_page_size() set, or the default.
 *
 * \param plist_id File creation list.
 * \param fsp_size For the answer, may be NULL: bytes, 512 to 1 GiB.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_file_space_page_size(hid_t plist_id, hsize_t *fsp_size);
/** @} */

/** \name File access lists: format, driver, locking, closing */
/** @{ */
/**
 * Sets oldest and newest format of new objects; a file above the high bound can't be opened.
 *
 * \param plist_id File access list.
 * \param low Oldest format.
 * \param high Newest format, not below low and not H5F_LIBVER_EARLIEST.
 * \return 0, or negative on failure.
 * \local
 * \errors Other bounds.
 */
H5_DLL herr_t H5Pset_libver_bounds(hid_t plist_id, H5F_libver_t low, H5F_libver_t high);

/**
 * Tells what H5Pset_libver_bounds() set, or the default.
 *
 * \param plist_id File access list.
 * \param low For the answer, may be NULL: oldest format.
 * \param high For the answer, may be NULL: newest format, not below low and not
 *   H5F_LIBVER_EARLIEST.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_libver_bounds(hid_t plist_id, H5F_libver_t *low, H5F_libver_t *high);

/**
 * The driver that the list asks for.
 *
 * \param plist_id File access list.
 * \return Id of the driver (H5FD_SEC2, H5FD_CORE, H5FD_MPIO, H5FD_MPIPOSIX), the library's own;
 *   negative on failure.
 * \local
 */
H5_DLL hid_t H5Pget_driver(hid_t plist_id);

/**
 * Asks for a driver by its id.
 *
 * \param plist_id File access list.
 * \param driver_id The driver, of H5FDregister() or one of the library's own.
 * \param driver_info Settings, which are copied as the driver's class says; of the library's own drivers
 *   only what H5Pget_driver_info() gave. NULL: none.
 * \return 0, or negative on failure.
 * \local
 * \errors No driver; settings that can't be copied; an MPI driver without settings.
 */
H5_DLL herr_t H5Pset_driver(hid_t plist_id, hid_t driver_id, const void *driver_info);

/**
 * Asks for the settings of a list's driver.
 *
 * \param plist_id File access list.
 * \return The settings, which are the list's; NULL where there are none, and on failure.
 * \local
 */
H5_DLL const void *H5Pget_driver_info(hid_t plist_id);

/**
 * Stores which kind of data H5Fget_vfd_handle() is to give the handle of.
 *
 * \param fapl_id File access list.
 * \param type The kind.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_multi_type(hid_t fapl_id, H5FD_mem_t type);

/**
 * Asks what H5Pset_multi_type() was given.
 *
 * \param fapl_id File access list.
 * \param type Set to the kind; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_multi_type(hid_t fapl_id, H5FD_mem_t *type);

/**
 * Stores a byte of a family of files, for H5Fget_vfd_handle() with this list.
 *
 * \param fapl_id File access list.
 * \param offset The byte, counted from the start of the first file.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_family_offset(hid_t fapl_id, hsize_t offset);

/**
 * Asks what H5Pset_family_offset() was given.
 *
 * \param fapl_id File access list.
 * \param offset Set to the byte; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_family_offset(hid_t fapl_id, hsize_t *offset);

/**
 * Sets what closing a file does to open objects; equal on all ranks.
 *
 * \param fapl_id File access list.
 * \param degree The degree.
 * \return 0, or negative on failure.
 * \local
 * \errors No such degree.
 */
H5_DLL herr_t H5Pset_fclose_degree(hid_t fapl_id, H5F_close_degree_t degree);

/**
 * Tells what H5Pset_fclose_degree() set, or the default.
 *
 * \param fapl_id File access list.
 * \param degree For the answer, may be NULL: the degree.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_fclose_degree(hid_t fapl_id, H5F_close_degree_t *degree);

/**
 * Sets whether files are locked; the variable HDF5_USE_FILE_LOCKING goes first.
 *
 * \param fapl_id File access list.
 * \param use_file_locking Nonzero: locks are taken.
 * \param ignore_when_disabled Stored only: a file system without locks is no error, unless the
 *   variable is TRUE.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.10.7
 */
H5_DLL herr_t H5Pset_file_locking(hid_t fapl_id, hbool_t use_file_locking,
                                  hbool_t ignore_when_disabled);

/**
 * Tells what H5Pset_file_locking() set, or the default.
 *
 * \param fapl_id File access list.
 * \param use_file_locking For the answer, may be NULL: nonzero: locks are taken.
 * \param ignore_when_disabled For the answer, may be NULL: stored only: a file system without locks
 *   is no error, unless the variable is TRUE.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.10.7
 */
H5_DLL herr_t H5Pget_file_locking(hid_t fapl_id, hbool_t *use_file_locking,
                                  hbool_t *ignore_when_disabled);

/**
 * Sets a function that is called when an object was flushed by a call of its own (H5Dflush() and its
 * like), on each rank.
 *
 * \param plist_id File access list.
 * \param func The function; NULL: none.
 * \param udata Handed to it; NULL without a function.
 * \return 0, or negative on failure.
 * \local
 * \errors Data without a function.
 */
H5_DLL herr_t H5Pset_object_flush_cb(hid_t plist_id, H5F_flush_cb_t func, void *udata);

/**
 * Tells what H5Pset_object_flush_cb() set.
 *
 * \param plist_id File access list.
 * \param func Set to the function, NULL for none; may be NULL.
 * \param udata Set to its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_object_flush_cb(hid_t plist_id, H5F_flush_cb_t *func, void **udata);

/**
 * Stores whether metadata leave memory with their object; without effect.
 *
 * \param fapl_id File access list.
 * \param evict_on_close Nonzero: asked for.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_evict_on_close(hid_t fapl_id, hbool_t evict_on_close);

/**
 * Tells what H5Pset_evict_on_close() set, or the default.
 *
 * \param fapl_id File access list.
 * \param evict_on_close For the answer, may be NULL: nonzero: asked for.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_evict_on_close(hid_t fapl_id, hbool_t *evict_on_close);

/**
 * Stores a flag about references; without effect.
 *
 * \param fapl_id File access list.
 * \param gc_ref The flag.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_gc_references(hid_t fapl_id, unsigned gc_ref);

/**
 * Tells what H5Pset_gc_references() set, or the default.
 *
 * \param fapl_id File access list.
 * \param gc_ref For the answer, may be NULL: the flag.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_gc_references(hid_t fapl_id, unsigned *gc_ref);
/** @} */

/** \name File access lists: placement and buffers, in bytes */
/** @{ */
/**
 * Places pieces of a certain size at multiples of a number; equal on all ranks.
 *
 * \param fapl_id File access list.
 * \param threshold Bytes from which on a piece is aligned.
 * \param alignment Bytes, at least 1.
 * \return 0, or negative on failure.
 * \local
 * \errors alignment 0.
 */
H5_DLL herr_t H5Pset_alignment(hid_t fapl_id, hsize_t threshold, hsize_t alignment);

/**
 * Tells what H5Pset_alignment() set, or the default.
 *
 * \param fapl_id File access list.
 * \param threshold For the answer, may be NULL: bytes from which on a piece is aligned.
 * \param alignment For the answer, may be NULL: bytes, at least 1.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_alignment(hid_t fapl_id, hsize_t *threshold, hsize_t *alignment);

/**
 * Sets the size of blocks that small pieces of metadata share; equal on all ranks. It is the least: a file that gets more
 * than 16 times as much while it is open gets larger ones, up to 64 KiB.
 *
 * \param fapl_id File access list.
 * \param size Bytes; 0: pieces share none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_meta_block_size(hid_t fapl_id, hsize_t size);

/**
 * Tells what H5Pset_meta_block_size() set, or the default.
 *
 * \param fapl_id File access list.
 * \param size For the answer, may be NULL: bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_meta_block_size(hid_t fapl_id, hsize_t *size);

/**
 * Sets the size of blocks that small raw data share; equal on all ranks.
 *
 * \param fapl_id File access list.
 * \param size Bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_small_data_block_size(hid_t fapl_id, hsize_t size);

/**
 * Tells what H5Pset_small_data_block_size() set, or the default.
 *
 * \param fapl_id File access list.
 * \param size For the answer, may be NULL: bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_small_data_block_size(hid_t fapl_id, hsize_t *size);

/**
 * Stores the size of a sieve buffer; without effect.
 *
 * \param fapl_id File access list.
 * \param size Bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_sieve_buf_size(hid_t fapl_id, size_t size);

/**
 * Tells what H5Pset_sieve_buf_size() set, or the default.
 *
 * \param fapl_id File access list.
 * \param size For the answer, may be NULL: bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_sieve_buf_size(hid_t fapl_id, size_t *size);

/**
 * Stores the size of a page buffer. There is none, but a file without pages, or with larger ones,
 * can't be opened with it.
 *
 * \param plist_id File access list.
 * \param buf_size Bytes; 0: none.
 * \param min_meta_per Percent for metadata at least.
 * \param min_raw_per Percent for raw data at least.
 * \return 0, or negative on failure.
 * \local
 * \errors More than 100 percent.
 * \differs Stored; there is no page buffer.
 */
H5_DLL herr_t H5Pset_page_buffer_size(hid_t plist_id, size_t buf_size, unsigned min_meta_per,
                                      unsigned min_raw_per);

/**
 * Tells what H5Pset_page_buffer_size() set.
 *
 * \param plist_id File access list.
 * \param buf_size Set to bytes; may be NULL.
 * \param min_meta_perc Set to percent; may be NULL.
 * \param min_raw_perc Set to percent; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_page_buffer_size(hid_t plist_id, size_t *buf_size, unsigned *min_meta_perc,
                                      unsigned *min_raw_perc);
/** @} */

/** \name File access lists: caches */
/** @{ */
/**
 * Sets the cache of filtered chunks of each dataset in serial files, and in parallel ones opened
 * for reading.
 *
 * \param plist_id File access list.
 * \param mdc_nelmts No meaning since HDF5 1.8.
 * \param rdcc_nslots Most chunks; 0 keeps none.
 * \param rdcc_nbytes Most bytes.
 * \param rdcc_w0 0 to 1: share of the longest unused chunks in which fully read or written ones go
 *   first.
 * \return 0, or negative on failure.
 * \local
 * \errors rdcc_w0 outside 0 to 1.
 * \differs Rdcc_nslots is the largest number of chunks, not the size of a hash table.
 */
H5_DLL herr_t H5Pset_cache(hid_t plist_id, int mdc_nelmts, size_t rdcc_nslots, size_t rdcc_nbytes,
                           double rdcc_w0);

/**
 * Tells what H5Pset_cache() set, or the default.
 *
 * \param plist_id File access list.
 * \param mdc_nelmts Set to 0; may be NULL.
 * \param rdcc_nslots Set to a number of chunks; may be NULL.
 * \param rdcc_nbytes Set to bytes; may be NULL.
 * \param rdcc_w0 Set to a share, 0 to 1; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_cache(hid_t plist_id, int *mdc_nelmts, size_t *rdcc_nslots,
                           size_t *rdcc_nbytes, double *rdcc_w0);

/**
 * Stores a configuration of a metadata cache; without effect.
 *
 * \param plist_id File access list.
 * \param config_ptr The configuration, version set.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version; max_size below min_size; evictions off while a resize mode is
 *   on.
 */
H5_DLL herr_t H5Pset_mdc_config(hid_t plist_id, H5AC_cache_config_t *config_ptr);

/**
 * Returns the stored configuration, or HDF5's default.
 *
 * \param plist_id File access list.
 * \param config_ptr Filled; its member version must be set before.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version.
 */
H5_DLL herr_t H5Pget_mdc_config(hid_t plist_id, H5AC_cache_config_t *config_ptr);

/**
 * Stores whether a cache image is asked for; none is written.
 *
 * \param plist_id File access list.
 * \param config_ptr The configuration, version set.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version.
 */
H5_DLL herr_t H5Pset_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t *config_ptr);

/**
 * Returns the stored configuration, or HDF5's default.
 *
 * \param plist_id File access list.
 * \param config_ptr Filled; its member version must be set before.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version.
 */
H5_DLL herr_t H5Pget_mdc_image_config(hid_t plist_id, H5AC_cache_image_config_t *config_ptr);

/**
 * Stores how the metadata cache logs; without effect.
 *
 * \param plist_id File access list.
 * \param is_enabled Nonzero: asked for.
 * \param location Path of the log.
 * \param start_on_access Nonzero: from the opening on.
 * \return 0, or negative on failure.
 * \local
 * \errors No path.
 */
H5_DLL herr_t H5Pset_mdc_log_options(hid_t plist_id, hbool_t is_enabled, const char *location,
                                     hbool_t start_on_access);

/**
 * Tells what H5Pset_mdc_log_options() set.
 *
 * \param plist_id File access list.
 * \param is_enabled Set to it; may be NULL.
 * \param location For the path, cut, with NUL; untouched where none was set; may be NULL.
 * \param location_size Bytes of location, and after return those needed with the NUL, or 0; may be
 *   NULL.
 * \param start_on_access Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_mdc_log_options(hid_t plist_id, hbool_t *is_enabled, char *location,
                                     size_t *location_size, hbool_t *start_on_access);

/**
 * Stores how often metadata are read; without effect.
 *
 * \param plist_id File access list.
 * \param attempts At least 1.
 * \return 0, or negative on failure.
 * \local
 * \errors 0.
 */
H5_DLL herr_t H5Pset_metadata_read_attempts(hid_t plist_id, unsigned attempts);

/**
 * Tells what H5Pset_metadata_read_attempts() set, or the default.
 *
 * \param plist_id File access list.
 * \param attempts For the answer, may be NULL: at least 1.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_metadata_read_attempts(hid_t plist_id, unsigned *attempts);

/**
 * Stores how many files behind external links stay open until the file is closed (H5Fclear_elink_file_cache()).
 *
 * \param plist_id File access list.
 * \param efc_size Number of files.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_elink_file_cache_size(hid_t plist_id, unsigned efc_size);

/**
 * Tells what H5Pset_elink_file_cache_size() set, or the default.
 *
 * \param plist_id File access list.
 * \param efc_size For the answer, may be NULL: number of files.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_elink_file_cache_size(hid_t plist_id, unsigned *efc_size);
/** @} */

/** \name File access lists: file images and the memory driver */
/** @{ */
/**
 * Gives the content with which the memory driver begins; it is copied. Other drivers refuse it.
 *
 * \param fapl_id File access list.
 * \param buf_ptr The bytes; NULL with buf_len 0 takes an image out.
 * \param buf_len Bytes.
 * \return 0, or negative on failure.
 * \local
 * \errors Only one of the two; no memory, or the callbacks failed.
 */
H5_DLL herr_t H5Pset_file_image(hid_t fapl_id, void *buf_ptr, size_t buf_len);

/**
 * Returns a copy of the content.
 *
 * \param fapl_id File access list.
 * \param buf_ptr_ptr Set to the copy, freed with free() or the list's image_free; NULL where there
 *   is none; may be NULL.
 * \param buf_len_ptr Set to its bytes; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors No memory, or the callbacks failed.
 */
H5_DLL herr_t H5Pget_file_image(hid_t fapl_id, void **buf_ptr_ptr, size_t *buf_len_ptr);

/**
 * Sets how memory of file images is got and freed.
 *
 * \param fapl_id File access list.
 * \param callbacks_ptr The functions; udata is copied by its udata_copy.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL; an image is there already; udata without udata_copy and udata_free.
 */
H5_DLL herr_t H5Pset_file_image_callbacks(hid_t fapl_id,
                                          H5FD_file_image_callbacks_t *callbacks_ptr);

/**
 * Returns the functions.
 *
 * \param fapl_id File access list.
 * \param callbacks_ptr Filled; its udata is a copy, and the caller's to free.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL.
 */
H5_DLL herr_t H5Pget_file_image_callbacks(hid_t fapl_id,
                                          H5FD_file_image_callbacks_t *callbacks_ptr);

/**
 * Stores whether the memory driver writes back changed pages only; without effect.
 *
 * \param fapl_id File access list.
 * \param is_enabled Nonzero: asked for.
 * \param page_size Bytes, at least 1.
 * \return 0, or negative on failure.
 * \local
 * \errors page_size 0.
 */
H5_DLL herr_t H5Pset_core_write_tracking(hid_t fapl_id, hbool_t is_enabled, size_t page_size);

/**
 * Tells what H5Pset_core_write_tracking() set, or the default.
 *
 * \param fapl_id File access list.
 * \param is_enabled For the answer, may be NULL: nonzero: asked for.
 * \param page_size For the answer, may be NULL: bytes, at least 1.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_core_write_tracking(hid_t fapl_id, hbool_t *is_enabled, size_t *page_size);
/** @} */

#ifdef H5_HAVE_PARALLEL

/** \name Collective metadata */
/** @{ */
/**
 * Stores whether one rank reads metadata for all.
 *
 * By default calls that open objects or ask about them are local, and each rank reads what it needs. In a
 * list that asks for it the program promises that all ranks make such calls at the same time: rank 0 reads, and
 * sends on what it read, so that storage is asked once. That holds for opening objects and attributes (H5Dopen(),
 * H5Gopen(), H5Topen(), H5Oopen(), H5Aopen(), and the like), H5Lexists(), H5Oexists_by_name(), H5Aexists(),
 * H5Oget_info(), H5Lget_info(), H5Gget_info(), H5Literate(), each with those of its family; others stay local.
 * A rank that does not come is waited for until its next communicating call, which tells all.
 *
 * \param plist_id File access list, for all such calls on the file (equal on all ranks), or link access list or one
 *   derived from it, for single calls.
 * \param is_collective Nonzero: asked for.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_all_coll_metadata_ops(hid_t plist_id, hbool_t is_collective);

/**
 * Tells what H5Pset_all_coll_metadata_ops() set.
 *
 * \param plist_id File access list, or link access list or one derived from it.
 * \param is_collective Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_all_coll_metadata_ops(hid_t plist_id, hbool_t *is_collective);

/**
 * Stores whether metadata are written collectively; without effect, as all ranks always share that.
 *
 * \param plist_id File access list.
 * \param is_collective Nonzero: asked for.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_coll_metadata_write(hid_t plist_id, hbool_t is_collective);

/**
 * Tells what H5Pset_coll_metadata_write() set, or the default.
 *
 * \param plist_id File access list.
 * \param is_collective For the answer, may be NULL: nonzero: asked for.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_coll_metadata_write(hid_t plist_id, hbool_t *is_collective);
/** @} */
#endif

/** \name Dataset creation lists: layout; dim is [ndims], in elements */
/** @{ */
/**
 * Sets how elements lie in the file; H5D_VIRTUAL is stored, and refused when a dataset is made.
 *
 * \param plist_id Dataset creation list.
 * \param layout The layout.
 * \return 0, or negative on failure.
 * \local
 * \errors No such layout.
 */
H5_DLL herr_t H5Pset_layout(hid_t plist_id, H5D_layout_t layout);

/**
 * Tells how elements lie in the file.
 *
 * \param plist_id Dataset creation list.
 * \return The layout; H5D_LAYOUT_ERROR on failure.
 * \local
 */
H5_DLL H5D_layout_t H5Pget_layout(hid_t plist_id);

/**
 * Sets the shape of chunks, and chunked layout.
 *
 * \param plist_id Dataset creation list.
 * \param ndims Number of dimensions, 1 to 32.
 * \param dim Elements, [ndims], each 1 to 4,294,967,295; their product too.
 * \return 0, or negative on failure.
 * \local
 * \errors Other numbers; dim NULL.
 */
H5_DLL herr_t H5Pset_chunk(hid_t plist_id, int ndims, const hsize_t dim[]);

/**
 * Tells the shape of chunks.
 *
 * \param plist_id Dataset creation list.
 * \param max_ndims Numbers that fit into dim.
 * \param dim For the first max_ndims dimensions; may be NULL.
 * \return Number of dimensions, or negative on failure.
 * \local
 * \errors The layout isn't chunked.
 */
H5_DLL int H5Pget_chunk(hid_t plist_id, int max_ndims, hsize_t dim[]);

/**
 * Sets whether chunks that the extent cuts are filtered.
 *
 * \param plist_id Dataset creation list.
 * \param opts 0 or H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS.
 * \return 0, or negative on failure.
 * \local
 * \errors Other bits; the layout isn't chunked.
 */
H5_DLL herr_t H5Pset_chunk_opts(hid_t plist_id, unsigned opts);

/**
 * Tells what H5Pset_chunk_opts() set, or the default.
 *
 * \param plist_id Dataset creation list.
 * \param opts For the answer, may be NULL: 0 or H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS.
 * \return 0, or negative on failure.
 * \local
 * \errors The layout isn't chunked.
 */
H5_DLL herr_t H5Pget_chunk_opts(hid_t plist_id, unsigned *opts);

/**
 * Adds a file for the elements of a contiguous dataset, which go there and not into the HDF5 file; the
 * files are filled one behind the other. Each process opens them by itself for each transfer, in
 * parallel files, too: nothing of them is made before it is written, what a file is too short for reads
 * as zero, and reading one that is not there fails. A dataset with such files may grow in its first
 * dimension (H5Dset_extent()), as far as the files have room. Relative names are found from the current
 * folder, or as H5Pset_efile_prefix() says.
 *
 * \param plist_id Dataset creation list.
 * \param name Path of the file.
 * \param offset Where its part begins, in bytes.
 * \param size Bytes of the part, or H5F_UNLIMITED for the last one.
 * \return 0, or negative on failure.
 * \local
 * \errors A negative offset; one behind an unlimited one; too many bytes together.
 */
H5_DLL herr_t H5Pset_external(hid_t plist_id, const char *name, off_t offset, hsize_t size);

/**
 * Tells about external file number idx.
 *
 * \param plist_id Dataset creation list.
 * \param idx Number from 0.
 * \param name_size Bytes of name.
 * \param name For the path; without NUL where it does not fit; may be NULL.
 * \param offset Set to bytes; may be NULL.
 * \param size Set to bytes; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many.
 */
H5_DLL herr_t H5Pget_external(hid_t plist_id, unsigned idx, size_t name_size, char *name,
                              off_t *offset, hsize_t *size);

/**
 * Counts the external files.
 *
 * \param plist_id Dataset creation list.
 * \return The number, or negative on failure.
 * \local
 */
H5_DLL int H5Pget_external_count(hid_t plist_id);
/** @} */

/** \name Dataset creation lists: when space is given, and what it is filled with */
/** @{ */
/**
 * Sets when a dataset gets its space. On a parallel file it is at once, but for chunks with filters
 * and late allocation (pcio_set_dapl_late_allocation()).
 *
 * \param plist_id Dataset creation list.
 * \param alloc_time The time.
 * \return 0, or negative on failure.
 * \local
 * \errors No such time; a compact dataset is then refused with any but the early one.
 */
H5_DLL herr_t H5Pset_alloc_time(hid_t plist_id, H5D_alloc_time_t alloc_time);

/**
 * Tells when a dataset gets its space, the default resolved for the list's layout.
 *
 * \param plist_id Dataset creation list.
 * \param alloc_time Set to the time; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_alloc_time(hid_t plist_id, H5D_alloc_time_t *alloc_time);

/**
 * Sets when the fill value is written.
 *
 * \param plist_id Dataset creation list.
 * \param fill_time The time.
 * \return 0, or negative on failure.
 * \local
 * \errors No such time.
 */
H5_DLL herr_t H5Pset_fill_time(hid_t plist_id, H5D_fill_time_t fill_time);

/**
 * Tells what H5Pset_fill_time() set, or the default.
 *
 * \param plist_id Dataset creation list.
 * \param fill_time For the answer, may be NULL: the time.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_fill_time(hid_t plist_id, H5D_fill_time_t *fill_time);

/**
 * Sets what elements are that were never written.
 *
 * \param plist_id Dataset creation list.
 * \param type_id Type of value; converted to the dataset's.
 * \param value One element, which is copied with what it points to; NULL: undefined, space keeps
 *   whatever it has.
 * \return 0, or negative on failure.
 * \local
 * \errors plist_id no such list; type_id no datatype.
 */
H5_DLL herr_t H5Pset_fill_value(hid_t plist_id, hid_t type_id, const void *value);

/**
 * Returns the fill value.
 *
 * \param plist_id Dataset creation list.
 * \param type_id Type wanted.
 * \param value For one element.
 * \return 0, or negative on failure.
 * \local
 * \errors Undefined; types that don't convert; value NULL.
 */
H5_DLL herr_t H5Pget_fill_value(hid_t plist_id, hid_t type_id, void *value);

/**
 * Tells which fill value the list has.
 *
 * \param plist Dataset creation list.
 * \param status Set to the answer.
 * \return 0, or negative on failure.
 * \local
 * \errors status NULL.
 */
H5_DLL herr_t H5Pfill_value_defined(hid_t plist, H5D_fill_value_t *status);

/**
 * Stores that a dataset will have no attributes; without effect.
 *
 * \param dcpl_id Dataset creation list.
 * \param minimize Nonzero: said so.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.10.5
 */
H5_DLL herr_t H5Pset_dset_no_attrs_hint(hid_t dcpl_id, hbool_t minimize);

/**
 * Tells what H5Pset_dset_no_attrs_hint() set.
 *
 * \param dcpl_id Dataset creation list.
 * \param minimize Set to it.
 * \return 0, or negative on failure.
 * \local
 * \errors minimize NULL.
 * \source HDF5 1.10.5
 */
H5_DLL herr_t H5Pget_dset_no_attrs_hint(hid_t dcpl_id, hbool_t *minimize);
/** @} */

/** \name Dataset access lists */
/** @{ */
/**
 * Sets the cache of filtered chunks of one dataset (H5Pset_cache()).
 *
 * \param dapl_id Dataset access list.
 * \param rdcc_nslots Most chunks, or H5D_CHUNK_CACHE_NSLOTS_DEFAULT.
 * \param rdcc_nbytes Most bytes, or H5D_CHUNK_CACHE_NBYTES_DEFAULT.
 * \param rdcc_w0 0 to 1, or negative (H5D_CHUNK_CACHE_W0_DEFAULT): the file's.
 * \return 0, or negative on failure.
 * \local
 * \errors rdcc_w0 above 1.
 * \differs Rdcc_nslots is the largest number of chunks, not the size of a hash table.
 */
H5_DLL herr_t H5Pset_chunk_cache(hid_t dapl_id, size_t rdcc_nslots, size_t rdcc_nbytes,
                                 double rdcc_w0);

/**
 * Tells the cache; what comes from the file shows as the default of files.
 *
 * \param dapl_id Dataset access list.
 * \param rdcc_nslots Set to a number of chunks; may be NULL.
 * \param rdcc_nbytes Set to bytes; may be NULL.
 * \param rdcc_w0 Set to a share, 0 to 1; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_chunk_cache(hid_t dapl_id, size_t *rdcc_nslots, size_t *rdcc_nbytes,
                                 double *rdcc_w0);

/**
 * Says where external files (H5Pset_external()) with relative names are. Who opens a dataset first on a
 * process decides; the environment's HDF5_EXTFILE_PREFIX goes before the list.
 *
 * \param dapl_id Dataset access list.
 * \param prefix The folder; "${ORIGIN}" at its beginning is that of the HDF5 file; NULL, "" or ".":
 *   none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_efile_prefix(hid_t dapl_id, const char *prefix);

/**
 * Adds a mapping to a virtual dataset: a part of it is a part of another dataset. The list's layout
 * becomes virtual. The source needs not be there.
 *
 * \param dcpl_id Dataset creation list.
 * \param vspace_id Selection in the virtual dataset, of its extent.
 * \param src_file_name File of the source; "." is that of the virtual dataset. "%b" in it, or in the
 *   next name, is the number of a block of a vspace_id that never ends; "%%" is a percent sign.
 * \param src_dset_name Path of the source in its file.
 * \param src_space_id Selection in the source, of as many elements, or without an end as well.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL; selections of different numbers of elements; one without an end and one with, but for
 *   "%b".
 */
H5_DLL herr_t H5Pset_virtual(hid_t dcpl_id, hid_t vspace_id, const char *src_file_name,
                             const char *src_dset_name, hid_t src_space_id);

/**
 * Asks for the number of mappings.
 *
 * \param dcpl_id Dataset creation list with a virtual layout.
 * \param count Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_virtual_count(hid_t dcpl_id, size_t *count);

/**
 * Asks for a mapping's selection in the virtual dataset.
 *
 * \param dcpl_id Dataset creation list with a virtual layout.
 * \param index Of the mapping, from 0.
 * \return A new dataspace, to be closed with H5Sclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Pget_virtual_vspace(hid_t dcpl_id, size_t index);

/**
 * Asks for a mapping's selection in its source.
 *
 * \param dcpl_id Dataset creation list with a virtual layout.
 * \param index Of the mapping, from 0.
 * \return A new dataspace, to be closed with H5Sclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Pget_virtual_srcspace(hid_t dcpl_id, size_t index);

/**
 * Copies the name of a mapping's file out.
 *
 * \param dcpl_id Dataset creation list with a virtual layout.
 * \param index Of the mapping, from 0.
 * \param name Gets the name, closed with a 0 where it fits; NULL: only its length is wanted.
 * \param size Bytes of name.
 * \return Length of the name without the 0; negative on failure.
 * \local
 */
H5_DLL ssize_t H5Pget_virtual_filename(hid_t dcpl_id, size_t index, char *name, size_t size);

/**
 * Copies the path of a mapping's source out.
 *
 * \param dcpl_id Dataset creation list with a virtual layout.
 * \param index Of the mapping, from 0.
 * \param name Gets the path, cut and closed with a 0; NULL: only its length is wanted.
 * \param size Bytes of name.
 * \return Length of the path without the 0; negative on failure.
 * \local
 */
H5_DLL ssize_t H5Pget_virtual_dsetname(hid_t dcpl_id, size_t index, char *name, size_t size);

/**
 * Says how far a virtual dataset without a fixed size reaches. Who opens it first decides.
 *
 * \param dapl_id Dataset access list.
 * \param view Up to the first source that is missing, or to the last one that is there.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_virtual_view(hid_t dapl_id, H5D_vds_view_t view);

/**
 * Asks what H5Pset_virtual_view() was given.
 *
 * \param dapl_id Dataset access list.
 * \param view Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_virtual_view(hid_t dapl_id, H5D_vds_view_t *view);

/**
 * Says beyond how many missing sources with numbers others are looked for.
 *
 * \param dapl_id Dataset access list.
 * \param gap_size Sources.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_virtual_printf_gap(hid_t dapl_id, hsize_t gap_size);

/**
 * Asks what H5Pset_virtual_printf_gap() was given.
 *
 * \param dapl_id Dataset access list.
 * \param gap_size Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_virtual_printf_gap(hid_t dapl_id, hsize_t *gap_size);

/**
 * Says where the files of a virtual dataset's sources are looked for first; then comes the folder of
 * its own file, and the current one. The environment's HDF5_VDS_PREFIX goes before the list.
 *
 * \param dapl_id Dataset access list.
 * \param prefix The folder; "${ORIGIN}" at its beginning is that of the HDF5 file; NULL: none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_virtual_prefix(hid_t dapl_id, const char *prefix);

/**
 * Copies the folder of H5Pset_virtual_prefix() out.
 *
 * \param dapl_id Dataset access list.
 * \param prefix Gets the folder, cut and closed with a 0; NULL: only its length is wanted.
 * \param size Bytes of prefix.
 * \return Length of the folder without the 0, 0 for none; negative on failure.
 * \local
 */
H5_DLL ssize_t H5Pget_virtual_prefix(hid_t dapl_id, char *prefix, size_t size);

/**
 * Tells the folder.
 *
 * \param dapl_id Dataset access list.
 * \param prefix For the text, cut, with NUL; untouched where none was set; may be NULL.
 * \param size Bytes of prefix.
 * \return Length without NUL, 0 where none was set, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Pget_efile_prefix(hid_t dapl_id, char *prefix, size_t size);
/** @} */

/** \name Transfer lists */
/** @{ */
/**
 * Sets how much memory a conversion takes; buffers of the program are stored, not used.
 *
 * \param plist_id Transfer list.
 * \param size Bytes, at least 1; one element is always taken.
 * \param tconv The program's buffer, or NULL.
 * \param bkg The program's background, or NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors size 0.
 * \differs The program's buffers are stored, not used.
 */
H5_DLL herr_t H5Pset_buffer(hid_t plist_id, size_t size, void *tconv, void *bkg);

/**
 * Tells what H5Pset_buffer() set.
 *
 * \param plist_id Transfer list.
 * \param tconv Set to the buffer; may be NULL.
 * \param bkg Set to the background; may be NULL.
 * \return Bytes; 0 on failure.
 * \local
 */
H5_DLL size_t H5Pget_buffer(hid_t plist_id, void **tconv, void **bkg);

/**
 * Stores a flag; members that a write doesn't name are always kept.
 *
 * \param plist_id Transfer list.
 * \param status The flag.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_preserve(hid_t plist_id, hbool_t status);

/**
 * Tells the flag.
 *
 * \param plist_id Transfer list.
 * \return 0 or 1, or negative on failure.
 * \local
 */
H5_DLL int H5Pget_preserve(hid_t plist_id);

/**
 * Sets a function that is asked about values that don't fit in a conversion.
 *
 * \param dxpl_id Transfer list.
 * \param op The function; NULL: none.
 * \param operate_data Handed to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t op, void *operate_data);

/**
 * Tells what H5Pset_type_conv_cb() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param op For the answer, may be NULL: the function; NULL: none.
 * \param operate_data For the answer, may be NULL: handed to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_type_conv_cb(hid_t dxpl_id, H5T_conv_except_func_t *op, void **operate_data);

/**
 * Sets how variable-length data in memory are got and freed; H5Dvlen_reclaim() uses the second.
 *
 * \param plist_id Transfer list.
 * \param alloc_func Gets memory; NULL: malloc().
 * \param alloc_info Handed to it; may be NULL.
 * \param free_func Frees memory; NULL: free().
 * \param free_info Handed to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t alloc_func, void *alloc_info,
                                      H5MM_free_t free_func, void *free_info);

/**
 * Tells what H5Pset_vlen_mem_manager() set, or the default.
 *
 * \param plist_id Transfer list.
 * \param alloc_func For the answer, may be NULL: gets memory; NULL: malloc().
 * \param alloc_info For the answer, may be NULL: handed to it; may be NULL.
 * \param free_func For the answer, may be NULL: frees memory; NULL: free().
 * \param free_info For the answer, may be NULL: handed to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_vlen_mem_manager(hid_t plist_id, H5MM_allocate_t *alloc_func,
                                      void **alloc_info, H5MM_free_t *free_func, void **free_info);

/**
 * Stores how B-tree nodes are split; without effect.
 *
 * \param plist_id Transfer list.
 * \param left Share at the left end, 0 to 1.
 * \param middle Share in the middle, 0 to 1.
 * \param right Share at the right end, 0 to 1.
 * \return 0, or negative on failure.
 * \local
 * \errors A share outside 0 to 1.
 */
H5_DLL herr_t H5Pset_btree_ratios(hid_t plist_id, double left, double middle, double right);

/**
 * Tells what H5Pset_btree_ratios() set, or the default.
 *
 * \param plist_id Transfer list.
 * \param left For the answer, may be NULL: share at the left end, 0 to 1.
 * \param middle For the answer, may be NULL: share in the middle, 0 to 1.
 * \param right For the answer, may be NULL: share at the right end, 0 to 1.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_btree_ratios(hid_t plist_id, double *left, double *middle, double *right);

/**
 * Sets whether checksums of chunks are verified in reading; on by default.
 *
 * \param plist_id Transfer list.
 * \param check H5Z_ENABLE_EDC or H5Z_DISABLE_EDC.
 * \return 0, or negative on failure.
 * \local
 * \errors Another value.
 */
H5_DLL herr_t H5Pset_edc_check(hid_t plist_id, H5Z_EDC_t check);

/**
 * Tells whether checksums are verified.
 *
 * \param plist_id Transfer list.
 * \return The setting; H5Z_ERROR_EDC on failure.
 * \local
 */
H5_DLL H5Z_EDC_t H5Pget_edc_check(hid_t plist_id);

/**
 * Sets a function that decides when a filter fails; pcio_get_filter_callback() returns it.
 *
 * \param plist_id Transfer list.
 * \param func The function; NULL: none.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_filter_callback(hid_t plist_id, H5Z_filter_func_t func, void *op_data);

/**
 * Stores a number of vectors; without effect.
 *
 * \param plist_id Transfer list.
 * \param size At least 1.
 * \return 0, or negative on failure.
 * \local
 * \errors 0.
 */
H5_DLL herr_t H5Pset_hyper_vector_size(hid_t plist_id, size_t size);

/**
 * Tells what H5Pset_hyper_vector_size() set.
 *
 * \param fapl_id Transfer list, whatever its name says.
 * \param size Set to the number; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_hyper_vector_size(hid_t fapl_id, size_t *size);

/**
 * Sets an expression that is computed for each element, in the type in memory.
 *
 * \param plist_id Transfer list.
 * \param expression Of + - * /, parentheses, numbers and one variable (a letter, perhaps with
 *   digits); doc/SUPPORT.md.
 * \return 0, or negative on failure.
 * \local
 * \errors An expression that isn't one; the old one is kept.
 * \differs A surplus closing parenthesis is an error (libhdf5 1.10.8 ignores the rest); a sign may
 *   stand before parentheses, and integers divided by zero are an error (it ends the process).
 */
H5_DLL herr_t H5Pset_data_transform(hid_t plist_id, const char *expression);

/**
 * Returns the expression.
 *
 * \param plist_id Transfer list.
 * \param expression For the text, cut, with NUL; may be NULL.
 * \param size Bytes of expression.
 * \return Length without NUL, or negative on failure.
 * \local
 * \errors None was set.
 */
H5_DLL ssize_t H5Pget_data_transform(hid_t plist_id, char *expression, size_t size);
/** @} */

#ifdef H5_HAVE_PARALLEL

/** \name Transfer lists: what the last transfer really did (pcio.h has more) */
/** @{ */
/**
 * Tells what the last transfer with this list did with chunks.
 *
 * \param plist_id Transfer list.
 * \param actual_chunk_opt_mode Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_mpio_actual_chunk_opt_mode(
    hid_t plist_id, H5D_mpio_actual_chunk_opt_mode_t *actual_chunk_opt_mode);

/**
 * Tells whether the last transfer with this list was collective.
 *
 * \param plist_id Transfer list.
 * \param actual_io_mode Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_mpio_actual_io_mode(hid_t plist_id, H5D_mpio_actual_io_mode_t *actual_io_mode);

/**
 * Tells why the last transfer with this list was not collective.
 *
 * \param plist_id Transfer list.
 * \param local_no_collective_cause Set to this rank's bits; may be NULL.
 * \param global_no_collective_cause Set to the bits of all ranks; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \differs Most of what HDF5 1.10 does independently is done collectively: the table of causes in
 *   doc/SUPPORT.md.
 */
H5_DLL herr_t H5Pget_mpio_no_collective_cause(hid_t plist_id, uint32_t *local_no_collective_cause,
                                              uint32_t *global_no_collective_cause);
/** @} */
#endif

/** \name Group creation lists */
/** @{ */
/**
 * Asks for the order in which links are created to be kept.
 *
 * \param plist_id Group (or file) creation list.
 * \param crt_order_flags Bits H5P_CRT_ORDER_TRACKED, H5P_CRT_ORDER_INDEXED; others are ignored.
 * \return 0, or negative on failure.
 * \local
 * \errors Indexed without tracked.
 */
H5_DLL herr_t H5Pset_link_creation_order(hid_t plist_id, unsigned crt_order_flags);

/**
 * Tells what H5Pset_link_creation_order() set, or the default.
 *
 * \param plist_id Group (or file) creation list.
 * \param crt_order_flags For the answer, may be NULL: bits H5P_CRT_ORDER_TRACKED,
 *   H5P_CRT_ORDER_INDEXED; others are ignored.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_link_creation_order(hid_t plist_id, unsigned *crt_order_flags);

/**
 * Stores from when on links leave the object header. Links are written into the header, so it is
 * kept in the file only.
 *
 * \param plist_id Group (or file) creation list.
 * \param max_compact Most links in the header.
 * \param min_dense Fewest links outside it.
 * \return 0, or negative on failure.
 * \local
 * \errors max_compact below min_dense, or over 65,535.
 */
H5_DLL herr_t H5Pset_link_phase_change(hid_t plist_id, unsigned max_compact, unsigned min_dense);

/**
 * Tells what H5Pset_link_phase_change() set, or the default.
 *
 * \param plist_id Group (or file) creation list.
 * \param max_compact For the answer, may be NULL: most links in the header.
 * \param min_dense For the answer, may be NULL: fewest links outside it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_link_phase_change(hid_t plist_id, unsigned *max_compact, unsigned *min_dense);

/**
 * Estimates how many links a group gets.
 *
 * \param plist_id Group (or file) creation list.
 * \param est_num_entries Number of links, at most 65,535.
 * \param est_name_len Bytes of a name, at most 65,535.
 * \return 0, or negative on failure.
 * \local
 * \errors Larger numbers.
 */
H5_DLL herr_t H5Pset_est_link_info(hid_t plist_id, unsigned est_num_entries, unsigned est_name_len);

/**
 * Tells what H5Pset_est_link_info() set, or the default.
 *
 * \param plist_id Group (or file) creation list.
 * \param est_num_entries For the answer, may be NULL: number of links, at most 65,535.
 * \param est_name_len For the answer, may be NULL: bytes of a name, at most 65,535.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_est_link_info(hid_t plist_id, unsigned *est_num_entries,
                                   unsigned *est_name_len);

/**
 * Stores a size for a group's names; without effect.
 *
 * \param plist_id Group (or file) creation list.
 * \param size_hint Bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_local_heap_size_hint(hid_t plist_id, size_t size_hint);

/**
 * Tells what H5Pset_local_heap_size_hint() set, or the default.
 *
 * \param plist_id Group (or file) creation list.
 * \param size_hint For the answer, may be NULL: bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_local_heap_size_hint(hid_t plist_id, size_t *size_hint);
/** @} */

/** \name Link and string creation lists */
/** @{ */
/**
 * Asks for groups that are missing on the path of a new link to be made.
 *
 * \param plist_id Link creation list.
 * \param crt_intmd Nonzero: they are made.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_create_intermediate_group(hid_t plist_id, unsigned crt_intmd);

/**
 * Tells what H5Pset_create_intermediate_group() set, or the default.
 *
 * \param plist_id Link creation list.
 * \param crt_intmd For the answer, may be NULL: nonzero: they are made.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_create_intermediate_group(hid_t plist_id, unsigned *crt_intmd);

/**
 * Sets the character set of the name.
 *
 * \param plist_id Link or attribute creation list.
 * \param encoding H5T_CSET_ASCII or H5T_CSET_UTF8.
 * \return 0, or negative on failure.
 * \local
 * \errors Another one.
 */
H5_DLL herr_t H5Pset_char_encoding(hid_t plist_id, H5T_cset_t encoding);

/**
 * Tells what H5Pset_char_encoding() set, or the default.
 *
 * \param plist_id Link or attribute creation list.
 * \param encoding For the answer, may be NULL: H5T_CSET_ASCII or H5T_CSET_UTF8.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_char_encoding(hid_t plist_id, H5T_cset_t *encoding);
/** @} */

/** \name Link access lists */
/** @{ */
/**
 * Sets how many links other than hard ones a path may lead through.
 *
 * \param plist_id Link access list, or one derived from it.
 * \param nlinks At least 1.
 * \return 0, or negative on failure.
 * \local
 * \errors 0.
 */
H5_DLL herr_t H5Pset_nlinks(hid_t plist_id, size_t nlinks);

/**
 * Tells what H5Pset_nlinks() set, or the default.
 *
 * \param plist_id Link access list, or one derived from it.
 * \param nlinks For the answer, may be NULL: at least 1.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_nlinks(hid_t plist_id, size_t *nlinks);

/**
 * Stores a folder in which files behind external links are looked for (H5Lcreate_external()).
 *
 * \param plist_id Link access list, or one derived from it.
 * \param prefix The folder; NULL: none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_elink_prefix(hid_t plist_id, const char *prefix);

/**
 * Tells the folder.
 *
 * \param plist_id Link access list, or one derived from it.
 * \param prefix For the text, cut, with NUL; untouched where none was set; may be NULL.
 * \param size Bytes of prefix.
 * \return Length without NUL, 0 where none was set, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Pget_elink_prefix(hid_t plist_id, char *prefix, size_t size);

/**
 * Stores a copy of an access list with which files behind external links are opened; in place of an MPI
 * driver they get H5Pset_fapl_sec2()'s, and their close degree is H5F_CLOSE_WEAK.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \param fapl_id File access list; H5P_DEFAULT: none.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_elink_fapl(hid_t lapl_id, hid_t fapl_id);

/**
 * Returns a copy of the access list.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \return A new id, to be closed with H5Pclose(), or H5P_DEFAULT; negative on failure.
 * \local
 */
H5_DLL hid_t H5Pget_elink_fapl(hid_t lapl_id);

/**
 * Stores how files behind external links are opened. Those of a file that several ranks have open are opened
 * for reading only, whatever is stored.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \param flags H5F_ACC_RDONLY, H5F_ACC_RDWR (either with its SWMR bit) or H5F_ACC_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors Other flags.
 */
H5_DLL herr_t H5Pset_elink_acc_flags(hid_t lapl_id, unsigned flags);

/**
 * Tells what H5Pset_elink_acc_flags() set, or the default.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \param flags For the answer, may be NULL: H5F_ACC_RDONLY, H5F_ACC_RDWR (either with its SWMR bit)
 *   or H5F_ACC_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_elink_acc_flags(hid_t lapl_id, unsigned *flags);

/**
 * Stores a function that is asked before an external link is followed, and may change how the file is opened.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \param func The function; NULL: none.
 * \param op_data Handed to it; NULL without a function.
 * \return 0, or negative on failure.
 * \local
 * \errors Data without a function.
 */
H5_DLL herr_t H5Pset_elink_cb(hid_t lapl_id, H5L_elink_traverse_t func, void *op_data);

/**
 * Tells what H5Pset_elink_cb() set, or the default.
 *
 * \param lapl_id Link access list, or one derived from it.
 * \param func For the answer, may be NULL: the function; NULL: none.
 * \param op_data For the answer, may be NULL: handed to it; NULL without a function.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_elink_cb(hid_t lapl_id, H5L_elink_traverse_t *func, void **op_data);
/** @} */

/** \name Growing datasets */
/** @{ */
/**
 * Stores what the High Level library's H5DOappend() does when a dataset grows over a boundary.
 *
 * \param dapl_id Dataset access list.
 * \param ndims Dimensions, 1 to 32.
 * \param boundary Elements, [ndims], below 2^32; 0: none in that dimension.
 * \param func Called then; NULL: none.
 * \param udata Handed to it; NULL without a function.
 * \return 0, or negative on failure.
 * \local
 * \errors Another number of dimensions; boundary NULL; data without a function.
 */
H5_DLL herr_t H5Pset_append_flush(hid_t dapl_id, unsigned ndims, const hsize_t boundary[],
                                  H5D_append_cb_t func, void *udata);

/**
 * Tells what H5Pset_append_flush() set.
 *
 * \param dapl_id Dataset access list.
 * \param dims Numbers that boundary has.
 * \param boundary Set to the boundaries, [dims], 0 beyond those that were set; may be NULL.
 * \param func Set to the function, NULL for none; may be NULL.
 * \param udata Set to its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_append_flush(hid_t dapl_id, unsigned dims, hsize_t boundary[],
                                  H5D_append_cb_t *func, void **udata);
/** @} */

/** \name Object copy lists */
/** @{ */
/**
 * Stores how H5Ocopy() copies objects.
 *
 * \param plist_id Object copy list.
 * \param copy_options Bits H5O_COPY_...
 * \return 0, or negative on failure.
 * \local
 * \errors Other bits.
 */
H5_DLL herr_t H5Pset_copy_object(hid_t plist_id, unsigned copy_options);

/**
 * Tells what H5Pset_copy_object() set, or the default.
 *
 * \param plist_id Object copy list; no call copies objects.
 * \param copy_options For the answer, may be NULL: bits H5O_COPY_.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_copy_object(hid_t plist_id, unsigned *copy_options);

/**
 * Suggests a path for committed types, with H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG: of a type, or of an object
 * that uses one, in the file that is copied to. Where a type there is equal to one that would be copied, with
 * equal attributes, the copies use that one. Paths are tried in the order in which they were added, and then
 * all of the file.
 *
 * \param plist_id Object copy list.
 * \param path The path.
 * \return 0, or negative on failure.
 * \local
 * \errors No path.
 */
H5_DLL herr_t H5Padd_merge_committed_dtype_path(hid_t plist_id, const char *path);

/**
 * Forgets the suggested paths.
 *
 * \param plist_id Object copy list.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pfree_merge_committed_dtype_paths(hid_t plist_id);

/**
 * Stores a function that is asked before all of a file is searched for a committed type.
 *
 * \param plist_id Object copy list.
 * \param func The function; NULL: none.
 * \param op_data Handed to it; NULL without a function.
 * \return 0, or negative on failure.
 * \local
 * \errors Data without a function.
 */
H5_DLL herr_t H5Pset_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t func, void *op_data);

/**
 * Tells what H5Pset_mcdt_search_cb() set.
 *
 * \param plist_id Object copy list.
 * \param func For the function, may be NULL; NULL in it where none was set.
 * \param op_data For its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pget_mcdt_search_cb(hid_t plist_id, H5O_mcdt_search_cb_t *func, void **op_data);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
#define H5P_NO_CLASS H5P_ROOT /**< Older name of H5P_ROOT. */

/**
 * H5Pset_file_space_strategy() by older names.
 *
 * \param plist_id File creation list.
 * \param strategy The strategy; H5F_FILE_SPACE_DEFAULT leaves it.
 * \param threshold Smallest free piece in bytes that is remembered; 0 leaves it.
 * \return 0, or negative on failure.
 * \local
 * \errors No such strategy.
 * \source HDF5 1.10.0
 */
H5_DLL herr_t H5Pset_file_space(hid_t plist_id, H5F_file_space_type_t strategy, hsize_t threshold);

/**
 * H5Pget_file_space_strategy() by older names.
 *
 * \param plist_id File creation list.
 * \param strategy Set to the strategy; may be NULL.
 * \param threshold Set to the threshold; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Pages, which have no older name.
 * \source HDF5 1.10.0
 */
H5_DLL herr_t H5Pget_file_space(hid_t plist_id, H5F_file_space_type_t *strategy,
                                hsize_t *threshold);

/**
 * H5Pregister2() without a way to compare.
 *
 * \param cls_id Class, also one of the library's.
 * \param name New name in this class.
 * \param size Bytes of the value; may be 0.
 * \param def_value The value in new lists; may be NULL where size is 0.
 * \param prp_create NULL: none.
 * \param prp_set NULL: none.
 * \param prp_get NULL: none.
 * \param prp_del NULL: none.
 * \param prp_copy NULL: none.
 * \param prp_close NULL: none.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Pregister2().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Pregister1(hid_t cls_id, const char *name, size_t size, void *def_value,
                           H5P_prp_create_func_t prp_create, H5P_prp_set_func_t prp_set,
                           H5P_prp_get_func_t prp_get, H5P_prp_delete_func_t prp_del,
                           H5P_prp_copy_func_t prp_copy, H5P_prp_close_func_t prp_close);

/**
 * H5Pinsert2() without a way to compare.
 *
 * \param plist_id Property list.
 * \param name New name.
 * \param size Bytes of the value; may be 0.
 * \param value The value; may be NULL where size is 0.
 * \param prp_set NULL: none.
 * \param prp_get NULL: none.
 * \param prp_delete NULL: none.
 * \param prp_copy NULL: none.
 * \param prp_close NULL: none.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Pinsert2().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Pinsert1(hid_t plist_id, const char *name, size_t size, void *value,
                         H5P_prp_set_func_t prp_set, H5P_prp_get_func_t prp_get,
                         H5P_prp_delete_func_t prp_delete, H5P_prp_copy_func_t prp_copy,
                         H5P_prp_close_func_t prp_close);

/**
 * H5Pget_filter2() without configuration.
 *
 * \param plist_id Creation list.
 * \param filter Number of the filter in the list, from 0.
 * \param flags Set to its flags; may be NULL.
 * \param cd_nelmts Numbers that fit into cd_values, and after return those that there are; may be
 *   NULL.
 * \param cd_values For the parameters, [cd_nelmts]; may be NULL.
 * \param namelen Bytes of name.
 * \param name For its name, cut, with NUL; may be NULL.
 * \return The filter's number, or negative on failure.
 * \local
 * \errors There are not so many filters.
 * \source HDF5 1.6
 */
H5_DLL H5Z_filter_t H5Pget_filter1(hid_t plist_id, unsigned filter, unsigned *flags,
                                   size_t *cd_nelmts, unsigned cd_values[], size_t namelen,
                                   char name[]);

/**
 * H5Pget_filter_by_id2() without configuration.
 *
 * \param plist_id Creation list.
 * \param id The filter's number.
 * \param flags Set to its flags; may be NULL.
 * \param cd_nelmts Numbers that fit into cd_values, and after return those that there are; may be
 *   NULL.
 * \param cd_values For the parameters, [cd_nelmts]; may be NULL.
 * \param namelen Bytes of name.
 * \param name For its name, cut, with NUL; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors The filter isn't in the list.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Pget_filter_by_id1(hid_t plist_id, H5Z_filter_t id, unsigned *flags,
                                   size_t *cd_nelmts, unsigned cd_values[], size_t namelen,
                                   char name[]);

/**
 * Tells versions of parts of a file.
 *
 * \param plist_id Creation list of a file (H5Fget_create_plist()).
 * \param boot Set to the superblock's; 0 in other lists; may be NULL.
 * \param freelist Set to 0; may be NULL.
 * \param stab Set to 0; may be NULL.
 * \param shhdr Set to 0; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Pget_version(hid_t plist_id, unsigned *boot, unsigned *freelist, unsigned *stab,
                             unsigned *shhdr);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
