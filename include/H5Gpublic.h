/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Groups (room: include).
 *
 * Creating, linking, moving and unlinking are metadata calls (\ref collectivity); everything else
 * is local.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5Gpublic_H
#define H5Gpublic_H

#include <sys/types.h>
#include <time.h>

#include "H5Lpublic.h"
#include "H5Opublic.h"
#include "H5Tpublic.h"
#include "H5public.h"

/** \defgroup H5G H5G: groups
 *  @{ */

/** How the links of a group lie in the file. */
typedef enum H5G_storage_type_t {
  H5G_STORAGE_TYPE_UNKNOWN = -1,     /**< Not known. */
  H5G_STORAGE_TYPE_SYMBOL_TABLE = 0, /**< A symbol table, of the earliest format. */
  H5G_STORAGE_TYPE_COMPACT = 1,      /**< In the object header. */
  H5G_STORAGE_TYPE_DENSE = 2         /**< In a heap with an index. */
} H5G_storage_type_t;

/** Facts about a group. */
typedef struct H5G_info_t {
  /** How its links lie in the file. */
  H5G_storage_type_t storage_type;
  hsize_t nlinks;     /**< Number of links. */
  int64_t max_corder; /**< Next number in the order of creation; 0 where that isn't kept. */
  hbool_t mounted;    /**< Nonzero: a file is mounted on it. */
} H5G_info_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name Create, open, close */
/** @{ */
/**
 * Creates a group and links it under a name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param lcpl_id Link creation list, or H5P_DEFAULT.
 * \param gcpl_id Group creation list, or H5P_DEFAULT.
 * \param gapl_id Group access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Gclose(); negative on failure.
 * \metadata
 * \errors name exists; a group on the path is missing, and the link creation list doesn't ask for
 *   it; a file opened for reading only.
 */
H5_DLL hid_t H5Gcreate2(hid_t loc_id, const char *name, hid_t lcpl_id, hid_t gcpl_id,
                        hid_t gapl_id);

/**
 * Creates a group without a name; it is gone when it is closed and no link was made (H5Olink()).
 *
 * \param loc_id The file, or any object in it.
 * \param gcpl_id Group creation list, or H5P_DEFAULT.
 * \param gapl_id Group access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Gclose(); negative on failure.
 * \metadata
 * \errors A file opened for reading only.
 */
H5_DLL hid_t H5Gcreate_anon(hid_t loc_id, hid_t gcpl_id, hid_t gapl_id);

/**
 * Opens a group by name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the group.
 * \param gapl_id Group access list, or H5P_DEFAULT.
 * \return A new id, to be closed with H5Gclose(); negative on failure.
 * \local
 * \errors No such name; not a group; a file on the path that can't be opened.
 */
H5_DLL hid_t H5Gopen2(hid_t loc_id, const char *name, hid_t gapl_id);

/**
 * Closes a group. The last id of anything in a file that was closed weakly closes the file, with
 * all its ranks.
 *
 * \param group_id Group.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Gclose(hid_t group_id);

/**
 * Commits everything that changed in the group's file; a file goes out as a whole (H5Fflush()).
 *
 * \param group_id Group.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Those of H5Fflush(); all ranks get them.
 */
H5_DLL herr_t H5Gflush(hid_t group_id);

/**
 * H5Orefresh() for a group.
 *
 * \param group_id Group.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5Orefresh().
 */
H5_DLL herr_t H5Grefresh(hid_t group_id);
/** @} */

/** \name Queries */
/** @{ */
/**
 * A creation list with which the group could be made again.
 *
 * \param group_id Group.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Gget_create_plist(hid_t group_id);

/**
 * Tells facts about a group.
 *
 * \param loc_id Group, or a file: its root group.
 * \param ginfo Filled.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a group; ginfo NULL.
 */
H5_DLL herr_t H5Gget_info(hid_t loc_id, H5G_info_t *ginfo);

/**
 * Tells facts about a group with a name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the group.
 * \param ginfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors No such name; not a group; ginfo NULL.
 */
H5_DLL herr_t H5Gget_info_by_name(hid_t loc_id, const char *name, H5G_info_t *ginfo, hid_t lapl_id);

/**
 * Tells facts about the group behind link number n of a group.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param group_name Path of the group with the link.
 * \param idx_type Index to go along: H5_INDEX_NAME, or H5_INDEX_CRT_ORDER where that order is
 *   tracked.
 * \param order H5_ITER_INC, H5_ITER_DEC or H5_ITER_NATIVE.
 * \param n Number in that order, from 0.
 * \param ginfo Filled.
 * \param lapl_id Link access list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \local
 * \errors There are not so many links; what is linked is not a group; ginfo NULL.
 */
H5_DLL herr_t H5Gget_info_by_idx(hid_t loc_id, const char *group_name, H5_index_t idx_type,
                                 H5_iter_order_t order, hsize_t n, H5G_info_t *ginfo,
                                 hid_t lapl_id);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 */
/** @{ */
#define H5G_SAME_LOC H5L_SAME_LOC     /**< Older name of H5L_SAME_LOC. */
#define H5G_LINK_ERROR H5L_TYPE_ERROR /**< Older name of H5L_TYPE_ERROR. */
#define H5G_LINK_HARD H5L_TYPE_HARD   /**< Older name of H5L_TYPE_HARD. */
#define H5G_LINK_SOFT H5L_TYPE_SOFT   /**< Older name of H5L_TYPE_SOFT. */
#define H5G_link_t H5L_type_t         /**< Older name of H5L_type_t. */

#define H5G_NTYPES 256  /**< Number of kinds of objects that there could be. */
#define H5G_NLIBTYPES 8 /**< Number of those that are the library's. */
/** Number of those that a program could define. */
#define H5G_NUSERTYPES (H5G_NTYPES - H5G_NLIBTYPES)
/**
 * Kind number X of a program's own.
 *
 * \param X Number from 0.
 */
#define H5G_USERTYPE(X) (8 + (X))
/** @} */

/** What a name leads to. */
typedef enum H5G_obj_t {
  H5G_UNKNOWN = -1,   /**< Not known: a call failed. */
  H5G_GROUP = 0,      /**< A group. */
  H5G_DATASET = 1,    /**< A dataset. */
  H5G_TYPE = 2,       /**< A committed datatype. */
  H5G_LINK = 3,       /**< A soft link. */
  H5G_UDLINK = 4,     /**< An external link, or one of a program's own. */
  H5G_RESERVED_5 = 5, /**< Reserved. */
  H5G_RESERVED_6 = 6, /**< Reserved. */
  H5G_RESERVED_7 = 7  /**< Reserved. */
} H5G_obj_t;

/**
 * Called by H5Giterate() for each link.
 *
 * \param group The group.
 * \param name Name of the link.
 * \param op_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the iteration.
 */
typedef herr_t (*H5G_iterate_t)(hid_t group, const char *name, void *op_data);

/**
 * Facts about an object or link; fileno and objno name an object uniquely among the open files.
 */
typedef struct H5G_stat_t {
  /** Number of the file, and 0. */
  unsigned long fileno[2];
  /** Address in the file, and 0. */
  unsigned long objno[2];
  unsigned nlink;  /**< Number of hard links. */
  H5G_obj_t type;  /**< What it is. */
  time_t mtime;    /**< Time of the last change in seconds since 1970; 0 where it isn't kept. */
  size_t linklen;  /**< Bytes of a link's value, with NUL. */
  H5O_stat_t ohdr; /**< Facts about the object header. */
} H5G_stat_t;

/** \name Calls of HDF5 1.6 */
/** @{ */
/**
 * H5Gcreate2() with default lists.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the new link.
 * \param size_hint Bytes for names: compared between the ranks, otherwise without effect.
 * \return A new id, to be closed with H5Gclose(); negative on failure.
 * \metadata
 * \errors Those of H5Gcreate2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Gcreate1(hid_t loc_id, const char *name, size_t size_hint);

/**
 * H5Gopen2() with the default access list.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the group.
 * \return A new id, to be closed with H5Gclose(); negative on failure.
 * \local
 * \errors Those of H5Gopen2().
 * \source HDF5 1.6
 */
H5_DLL hid_t H5Gopen1(hid_t loc_id, const char *name);

/**
 * Creates a hard or soft link beside another name.
 *
 * \param cur_loc_id File or object from which both names count.
 * \param type H5G_LINK_HARD or H5G_LINK_SOFT.
 * \param cur_name Path of the object; of a soft link the text that it holds.
 * \param new_name Path of the new link.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Another type; new_name exists; no such object (hard).
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Glink(hid_t cur_loc_id, H5G_link_t type, const char *cur_name,
                      const char *new_name);

/**
 * H5Glink() with a place for each name.
 *
 * \param cur_loc_id File or object from which cur_name counts.
 * \param cur_name Path of the object; of a soft link the text that it holds.
 * \param type H5G_LINK_HARD or H5G_LINK_SOFT.
 * \param new_loc_id File or object from which new_name counts, or H5G_SAME_LOC.
 * \param new_name Path of the new link.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Glink(); a hard link into another file.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Glink2(hid_t cur_loc_id, const char *cur_name, H5G_link_t type, hid_t new_loc_id,
                       const char *new_name);

/**
 * Gives a link another name.
 *
 * \param src_loc_id File or object from which both names count.
 * \param src_name Path of the link.
 * \param dst_name Its new path.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Lmove().
 * \differs A group does not move to where only its own link leads.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gmove(hid_t src_loc_id, const char *src_name, const char *dst_name);

/**
 * H5Gmove() with a place for each name.
 *
 * \param src_loc_id File or object from which src_name counts.
 * \param src_name Path of the link.
 * \param dst_loc_id File or object from which dst_name counts, or H5G_SAME_LOC.
 * \param dst_name Its new path.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Lmove().
 * \differs A group does not move to where only its own link leads.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gmove2(hid_t src_loc_id, const char *src_name, hid_t dst_loc_id,
                       const char *dst_name);

/**
 * Deletes a link; the object goes with its last one, when nobody has it open.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such link.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gunlink(hid_t loc_id, const char *name);

/**
 * H5Oset_comment_by_name() with the default access list.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the object.
 * \param comment The text; NULL or empty: the object has none any more.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Those of H5Oset_comment_by_name().
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gset_comment(hid_t loc_id, const char *name, const char *comment);

/**
 * H5Oget_comment_by_name() with the default access list.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the object.
 * \param bufsize Bytes of buf.
 * \param buf For the text, with NUL where there is room for all of it; may be NULL.
 * \return Characters of the whole text without NUL, 0 where there is none; negative on failure.
 * \local
 * \errors Those of H5Oget_comment_by_name().
 * \source HDF5 1.6
 */
H5_DLL int H5Gget_comment(hid_t loc_id, const char *name, size_t bufsize, char *buf);

/**
 * Copies the value of a soft or external link out.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param size Bytes of buf.
 * \param buf For the value, cut, with NUL; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors No such link; a hard link.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gget_linkval(hid_t loc_id, const char *name, size_t size, char *buf);

/**
 * Calls a function for each link of a group, by name.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the group.
 * \param idx Number to begin with, and after return the next one; NULL: from 0.
 * \param op Function that is called.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer that stopped it, or negative on failure.
 * \local
 * \errors op NULL, or it failed; idx below 0 or behind the last link.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Giterate(hid_t loc_id, const char *name, int *idx, H5G_iterate_t op, void *op_data);

/**
 * Counts the links of a group.
 *
 * \param loc_id Group, or a file: its root group.
 * \param num_objs Set to the number.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a group; num_objs NULL.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gget_num_objs(hid_t loc_id, hsize_t *num_objs);

/**
 * Tells facts about what a name leads to, or about the link.
 *
 * \param loc_id File or object from which the name counts; a file stands for its root group.
 * \param name Path of the link.
 * \param follow_link 0: about a soft or external link itself.
 * \param statbuf Filled; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors No such link, or nothing behind it.
 * \source HDF5 1.6
 */
H5_DLL herr_t H5Gget_objinfo(hid_t loc_id, const char *name, hbool_t follow_link,
                             H5G_stat_t *statbuf);

/**
 * The name of link number idx, by name.
 *
 * \param loc_id Group, or a file: its root group.
 * \param idx Number from 0.
 * \param name For the text, cut, with NUL; may be NULL.
 * \param size Bytes of name.
 * \return Length without NUL, or negative on failure.
 * \local
 * \errors There are not so many links.
 * \source HDF5 1.6
 */
H5_DLL ssize_t H5Gget_objname_by_idx(hid_t loc_id, hsize_t idx, char *name, size_t size);

/**
 * What link number idx leads to, by name.
 *
 * \param loc_id Group, or a file: its root group.
 * \param idx Number from 0.
 * \return The kind; H5G_UNKNOWN on failure.
 * \local
 * \errors There are not so many links.
 * \source HDF5 1.6
 */
H5_DLL H5G_obj_t H5Gget_objtype_by_idx(hid_t loc_id, hsize_t idx);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
