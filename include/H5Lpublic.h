/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Links (room: include).
 *
 * Creating, moving, copying and deleting are metadata calls (\ref collectivity); everything else is
 * local.
 *
 * Every call follows soft, external and user-defined links on the way to what it names. A file that an
 * external link leads to is opened as H5Pset_elink_acc_flags() and H5Pset_elink_fapl() say, or as the file
 * with the link, and is open for as long as something in it is. Opening through a link is a call of one
 * rank alone: where the file with the link is open in parallel, each rank opens the other one by itself,
 * without MPI and for reading only, unless the program has it open already.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Lpublic_H
#define H5Lpublic_H

#include "H5Ipublic.h"
#include "H5Tpublic.h"
#include "H5public.h"

/** \defgroup H5L H5L: links
 *  @{ */

#define H5L_MAX_LINK_NAME_LEN UINT32_MAX /**< Longest link name in bytes. */

#define H5L_SAME_LOC 0 /**< Instead of a location: the same as the other one of the call. */

/** Kinds of links. */
typedef enum {
  H5L_TYPE_ERROR = -1,    /**< No kind: a call failed. */
  H5L_TYPE_HARD = 0,      /**< To an object. */
  H5L_TYPE_SOFT = 1,      /**< To a path. */
  H5L_TYPE_EXTERNAL = 64, /**< To a path in another file. */
  H5L_TYPE_MAX = 255      /**< Largest number of a kind. */
} H5L_type_t;
/** Largest number of a kind that needs no registration. */
#define H5L_TYPE_BUILTIN_MAX H5L_TYPE_SOFT
#define H5L_TYPE_UD_MIN H5L_TYPE_EXTERNAL /**< Smallest number of a kind that does. */

/** Facts about a link. */
typedef struct {
  H5L_type_t type;      /**< Its kind. */
  hbool_t corder_valid; /**< Nonzero: corder means something. */
  int64_t corder;       /**< Order of creation, from 0. */
  H5T_cset_t cset;      /**< Character set of the name. */
  /** Where it leads. */
  union {
    haddr_t address; /**< Of a hard link: address of the object. */
    size_t val_size; /**< Of any other link: bytes of its value, with NULs. */
  } u;               /**< Where it leads. */
} H5L_info_t;

/**
 * Called by iterations for each link.
 *
 * \param group The group from which name counts.
 * \param name Name or path of the link.
 * \param info Facts about it.
 * \param op_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5L_iterate_t)(hid_t group, const char *name, const H5L_info_t *info,
                                void *op_data);

/** Version of H5L_class_t. */
#define H5L_LINK_CLASS_T_VERS (1)
/** Version of H5L_class_0_t, whose trav_func is given no transfer list. */
#define H5L_LINK_CLASS_T_VERS_0 (0)

/**
 * A user-defined link was made.
 *
 * \param link_name Its name.
 * \param loc_group The group that it is in.
 * \param lnkdata The data that it was given, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \param lcpl_id Link creation list.
 * \return Negative: it is taken away, and the call fails.
 */
typedef herr_t (*H5L_create_func_t)(const char *link_name, hid_t loc_group, const void *lnkdata,
                                    size_t lnkdata_size, hid_t lcpl_id);
/**
 * A user-defined link was moved.
 *
 * \param new_name Its new name.
 * \param new_loc The group that it is in now.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \return Negative: the call fails; the link has moved.
 */
typedef herr_t (*H5L_move_func_t)(const char *new_name, hid_t new_loc, const void *lnkdata,
                                  size_t lnkdata_size);
/**
 * A user-defined link was copied.
 *
 * \param new_name Name of the copy.
 * \param new_loc The group that the copy is in.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \return Negative: the call fails; the copy stays.
 */
typedef herr_t (*H5L_copy_func_t)(const char *new_name, hid_t new_loc, const void *lnkdata,
                                  size_t lnkdata_size);
/**
 * Follows a user-defined link: the form of H5L_class_0_t.
 *
 * \param link_name Its name.
 * \param cur_group The group that it is in.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \param lapl_id Link access list; how many links may still be followed is in it.
 * \return An id of the file or object that it leads to, which the library closes; negative: nowhere.
 */
typedef hid_t (*H5L_traverse_0_func_t)(const char *link_name, hid_t cur_group, const void *lnkdata,
                                       size_t lnkdata_size, hid_t lapl_id);
/**
 * Follows a user-defined link.
 *
 * \param link_name Its name.
 * \param cur_group The group that it is in.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \param lapl_id Link access list; how many links may still be followed is in it.
 * \param dxpl_id Transfer list.
 * \return An id of the file or object that it leads to, which the library closes; negative: nowhere.
 */
typedef hid_t (*H5L_traverse_func_t)(const char *link_name, hid_t cur_group, const void *lnkdata,
                                     size_t lnkdata_size, hid_t lapl_id, hid_t dxpl_id);
/**
 * A user-defined link is going to be deleted.
 *
 * \param link_name Its name.
 * \param file The file that it is in.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \return Negative: it is not deleted, and the call fails.
 */
typedef herr_t (*H5L_delete_func_t)(const char *link_name, hid_t file, const void *lnkdata,
                                    size_t lnkdata_size);
/**
 * Tells what H5Lget_val() gives of a user-defined link.
 *
 * \param link_name Its name.
 * \param lnkdata Its data, [lnkdata_size] bytes.
 * \param lnkdata_size Bytes of lnkdata.
 * \param buf For the value; NULL: only its size is wanted.
 * \param buf_size Bytes of buf.
 * \return Bytes of the whole value; negative: the call fails.
 */
typedef ssize_t (*H5L_query_func_t)(const char *link_name, const void *lnkdata, size_t lnkdata_size,
                                    void *buf, size_t buf_size);

/** A class of links in the form before H5L_class_t. */
typedef struct {
  int version;                      /**< H5L_LINK_CLASS_T_VERS_0. */
  H5L_type_t id;                    /**< Type of its links, from H5L_TYPE_UD_MIN to H5L_TYPE_MAX. */
  const char *comment;              /**< For people. */
  H5L_create_func_t create_func;    /**< Told of new links; may be NULL. */
  H5L_move_func_t move_func;        /**< Told of moves; may be NULL. */
  H5L_copy_func_t copy_func;        /**< Told of copies; may be NULL. */
  H5L_traverse_0_func_t trav_func;  /**< Follows links. */
  H5L_delete_func_t del_func;       /**< Told before links go; may be NULL. */
  H5L_query_func_t query_func;      /**< Tells values; may be NULL. */
} H5L_class_0_t;

/** A class of links. */
typedef struct {
  int version;                    /**< H5L_LINK_CLASS_T_VERS. */
  H5L_type_t id;                  /**< Type of its links, from H5L_TYPE_UD_MIN to H5L_TYPE_MAX. */
  const char *comment;            /**< For people. */
  H5L_create_func_t create_func;  /**< Told of new links; may be NULL. */
  H5L_move_func_t move_func;      /**< Told of moves; may be NULL. */
  H5L_copy_func_t copy_func;      /**< Told of copies; may be NULL. */
  H5L_traverse_func_t trav_func;  /**< Follows links. */
  H5L_delete_func_t del_func;     /**< Told before links go; may be NULL. */
  H5L_query_func_t query_func;    /**< Tells values; may be NULL. */
} H5L_class_t;

/**
 * Asked before an external link is followed (H5Pset_elink_cb()).
 *
 * \param parent_file_name File with the link.
 * \param parent_group_name Group with the link.
 * \param child_file_name File that it names.
 * \param child_object_name Path that it names.
 * \param acc_flags How the file is to be opened, H5F_ACC_RDONLY or H5F_ACC_RDWR; may be changed.
 * \param fapl_id Access list for it, which may be changed.
 * \param op_data The caller's.
 * \return Negative: it is not followed.
 */
typedef herr_t (*H5L_elink_traverse_t)(const char *parent_file_name, const char *parent_group_name,
                                       const char *child_file_name, const char *child_object_name,
                                       unsigned *acc_flags, hid_t fapl_id, void *op_data);

#ifdef __cplusplus
extern "C" {
#endif

/** \name Create */
/** @{ */
/**
 * Creates a hard link to an object of the same file.
 *
 * \param cur_loc File or object from which cur_name counts, or H5L_SAME_LOC.
 * \param cur_name Path of the object.
 * \param dst_loc File or object from which dst_name counts, or H5L_SAME_LOC.
 * \param dst_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors dst_name exists; no such object; another file; both locations H5L_SAME_LOC.
 */
H5_DLL herr_t H5Lcreate_hard(hid_t cur_loc, const char *cur_name, hid_t dst_loc,
                             const char *dst_name, hid_t lcpl_id, hid_t lapl_id);

/**
 * Creates a soft link; nothing needs to be where it leads.
 *
 * \param link_target Path that it holds.
 * \param link_loc_id File or object from which link_name counts.
 * \param link_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors link_name exists.
 */
H5_DLL herr_t H5Lcreate_soft(const char *link_target, hid_t link_loc_id, const char *link_name,
                             hid_t lcpl_id, hid_t lapl_id);

/**
 * Creates an external link; nothing needs to be where it leads.
 *
 * When it is followed, the file is looked for behind each prefix of the environment variable HDF5_EXT_PREFIX
 * (with ':' between them), behind that of H5Pset_elink_prefix(), in the folder of the file with the link, and
 * as it is named. A name that begins with '/' is tried first, and then its last part in these ways.
 *
 * \param file_name File that it names.
 * \param obj_name Path in that file.
 * \param link_loc_id File or object from which link_name counts.
 * \param link_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors link_name exists.
 */
H5_DLL herr_t H5Lcreate_external(const char *file_name, const char *obj_name, hid_t link_loc_id,
                                 const char *link_name, hid_t lcpl_id, hid_t lapl_id);

/**
 * Creates a user-defined link.
 *
 * \param link_loc_id File or object from which link_name counts.
 * \param link_name Path of the new link.
 * \param link_type Its type, which has a class (H5Lregister()).
 * \param udata Data for the functions of the class, [udata_size] bytes; may be NULL where that is 0.
 * \param udata_size Bytes of udata, at most 65535.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors link_name exists; a type without a class; the class's create_func failed: there is no link then.
 * \differs A link whose class's create_func fails is taken away again (libhdf5 1.10.8 leaves it).
 */
H5_DLL herr_t H5Lcreate_ud(hid_t link_loc_id, const char *link_name, H5L_type_t link_type,
                           const void *udata, size_t udata_size, hid_t lcpl_id, hid_t lapl_id);
/** @} */

/** \name Move, copy, delete */
/** @{ */
/**
 * Moves a link within a file; open objects are known by their new path.
 *
 * \param src_loc File or object from which src_name counts, or H5L_SAME_LOC.
 * \param src_name Path of the link.
 * \param dst_loc File or object from which dst_name counts, or H5L_SAME_LOC.
 * \param dst_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such link; dst_name exists; a hard link into another file; any into a file of other ranks; a
 *   group into itself; both locations H5L_SAME_LOC.
 * \differs A group does not move to where only its own link leads (libhdf5 1.10.8 does it, and
 *   nothing reaches the group any more).
 */
H5_DLL herr_t H5Lmove(hid_t src_loc, const char *src_name, hid_t dst_loc, const char *dst_name,
                      hid_t lcpl_id, hid_t lapl_id);

/**
 * Copies a link; the object behind a hard link stays one. Other links may go into another file.
 *
 * \param src_loc File or object from which src_name counts, or H5L_SAME_LOC.
 * \param src_name Path of the link.
 * \param dst_loc File or object from which dst_name counts, or H5L_SAME_LOC.
 * \param dst_name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such link; dst_name exists; a hard link into another file; any into a file of other ranks; both
 *   locations H5L_SAME_LOC.
 */
H5_DLL herr_t H5Lcopy(hid_t src_loc, const char *src_name, hid_t dst_loc, const char *dst_name,
                      hid_t lcpl_id, hid_t lapl_id);

/**
 * Deletes a link; the object goes with its last one, when nobody has it open.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such link.
 */
H5_DLL herr_t H5Ldelete(hid_t loc_id, const char *name, hid_t lapl_id);

/**
 * Deletes link number n of a group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such group; there are not so many links; no such index or order.
 */
H5_DLL herr_t H5Ldelete_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                               H5_iter_order_t order, hsize_t n, hid_t lapl_id);
/** @} */

/** \name Queries */
/** @{ */
/**
 * Is there a link of this name? The root group counts as linked; "." does not.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors A group on the path is missing.
 */
H5_DLL htri_t H5Lexists(hid_t loc_id, const char *name, hid_t lapl_id);

/**
 * Tells facts about a link.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param linfo Filled; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such link.
 */
H5_DLL herr_t H5Lget_info(hid_t loc_id, const char *name, H5L_info_t *linfo, hid_t lapl_id);

/**
 * Tells facts about link number n of a group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param linfo Filled; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such group; there are not so many links; no such index or order.
 */
H5_DLL herr_t H5Lget_info_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5L_info_t *linfo,
                                 hid_t lapl_id);

/**
 * Copies the value of a soft or external link out; of the latter a byte of version and flags, file
 * and path, each with its NUL.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param buf For the value, cut, with NUL; may be NULL.
 * \param size Bytes of buf.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such link; a hard link.
 */
H5_DLL herr_t H5Lget_val(hid_t loc_id, const char *name, void *buf, size_t size, hid_t lapl_id);

/**
 * Copies the value of link number n of a group out.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param buf For the value, cut, with NUL; may be NULL.
 * \param size Bytes of buf.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such group; there are not so many links; a hard link.
 */
H5_DLL herr_t H5Lget_val_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                H5_iter_order_t order, hsize_t n, void *buf, size_t size,
                                hid_t lapl_id);

/**
 * The name of link number n of a group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of name.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return Length without NUL, or negative on failure.
 * \local
 * \errors No such group; there are not so many links.
 */
H5_DLL ssize_t H5Lget_name_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                  H5_iter_order_t order, hsize_t n, char *name, size_t size,
                                  hid_t lapl_id);

/**
 * Makes a class of links known to this process, in place of one with the same type. The library has one for
 * external links (H5L_TYPE_EXTERNAL), which may be replaced.
 *
 * \param cls The class, which is copied; or a H5L_class_0_t, as its version says.
 * \return 0, or negative on failure.
 * \local
 * \errors Another version; a type that is not between H5L_TYPE_UD_MIN and H5L_TYPE_MAX; no trav_func.
 */
H5_DLL herr_t H5Lregister(const H5L_class_t *cls);

/**
 * Takes a class away: its links stay, but can't be made or followed.
 *
 * \param id Type of its links.
 * \return 0, or negative on failure.
 * \local
 * \errors No such class.
 */
H5_DLL herr_t H5Lunregister(H5L_type_t id);

/**
 * Is this kind of link registered? External links are, the built-in ones need not be.
 *
 * \param id Kind, 0 to H5L_TYPE_MAX.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors Another number.
 */
H5_DLL htri_t H5Lis_registered(H5L_type_t id);

/**
 * Takes the value of an external link apart; the texts stay in it.
 *
 * \param ext_linkval The value, from H5Lget_val().
 * \param link_size Its bytes.
 * \param flags Set to the flags, 0; may be NULL.
 * \param filename Set to the file; may be NULL.
 * \param obj_path Set to the path; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL; no value of an external link.
 */
H5_DLL herr_t H5Lunpack_elink_val(const void *ext_linkval, size_t link_size, unsigned *flags,
                                  const char **filename, const char **obj_path);
/** @} */

/** \name Iteration over one group, and over all that can be reached from it */
/** @{ */
/**
 * Calls a function for each link of a group. Links that it deletes are left out.
 *
 * \param grp_id Group, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; idx behind the last link; an order of creation that isn't kept.
 */
H5_DLL herr_t H5Literate(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, hsize_t *idx,
                         H5L_iterate_t op, void *op_data);

/**
 * H5Literate() for a group with a name; op gets an id of that group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Literate(); no such group.
 */
H5_DLL herr_t H5Literate_by_name(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t *idx, H5L_iterate_t op,
                                 void *op_data, hid_t lapl_id);

/**
 * Calls a function for each link that can be reached from a group by hard links, depth first; each
 * group is entered once. One that doesn't keep the order of creation is walked by name.
 *
 * \param grp_id Group, or a file: its root group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; no such index or order.
 */
H5_DLL herr_t H5Lvisit(hid_t grp_id, H5_index_t idx_type, H5_iter_order_t order, H5L_iterate_t op,
                       void *op_data);

/**
 * H5Lvisit() for a group with a name; op gets an id of that group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors Those of H5Lvisit(); no such group.
 */
H5_DLL herr_t H5Lvisit_by_name(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                               H5_iter_order_t order, H5L_iterate_t op, void *op_data,
                               hid_t lapl_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
