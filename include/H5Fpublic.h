/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Files (room: include).
 *
 * Create, open, flush and close of a parallel file take all ranks of the communicator in the access
 * list, and begin with one agreement: a failure on one rank is an error on all. Queries are local.
 * See \ref collectivity.
 *
 * Source: names, signatures and values are those of HDF5 1.10.8; H5Fis_accessible is of 1.12.
 */
#ifndef H5Fpublic_H
#define H5Fpublic_H

#include "H5ACpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \defgroup H5F H5F: files
 *  @{ */

/** \name How to create or open */
/** @{ */
#define H5F_ACC_RDONLY (H5CHECK H5OPEN 0x0000u) /**< H5Fopen: to read only. */
#define H5F_ACC_RDWR (H5CHECK H5OPEN 0x0001u)   /**< H5Fopen: to read and write. */
#define H5F_ACC_TRUNC (H5CHECK H5OPEN 0x0002u)  /**< H5Fcreate: an existing file is emptied. */
/** H5Fcreate: an existing file is an error; the default of H5Fcreate. */
#define H5F_ACC_EXCL (H5CHECK H5OPEN 0x0004u)
/** Has no use in any call; H5Fcreate() refuses it. */
#define H5F_ACC_CREAT (H5CHECK H5OPEN 0x0010u)
#define H5F_ACC_SWMR_WRITE (H5CHECK 0x0020u) /**< Single writer with readers: refused. */
#define H5F_ACC_SWMR_READ (H5CHECK 0x0040u)  /**< H5Fopen: to read beside a single writer. */
/** H5Pset_elink_acc_flags: as the file that holds the link. */
#define H5F_ACC_DEFAULT (H5CHECK H5OPEN 0xffffu)
/** @} */

/** \name Which open objects to count or list: bits */
/** @{ */
#define H5F_OBJ_FILE (0x0001u)     /**< Ids of files. */
#define H5F_OBJ_DATASET (0x0002u)  /**< Ids of datasets. */
#define H5F_OBJ_GROUP (0x0004u)    /**< Ids of groups. */
#define H5F_OBJ_DATATYPE (0x0008u) /**< Ids of committed datatypes. */
#define H5F_OBJ_ATTR (0x0010u)     /**< Ids of attributes. */
/** Ids of all kinds; instead of a file: of all files. */
#define H5F_OBJ_ALL \
  (H5F_OBJ_FILE | H5F_OBJ_DATASET | H5F_OBJ_GROUP | H5F_OBJ_DATATYPE | H5F_OBJ_ATTR)
#define H5F_OBJ_LOCAL (0x0020u) /**< Only those that came from the same opening as the given id. */
/** @} */

/** \name Constants */
/** @{ */
#define H5F_FAMILY_DEFAULT 0 /**< Bytes of a file: what the family says. */
/** Size of an external file that has no end. */
#define H5F_UNLIMITED HSIZE_UNDEF
/** @} */
#ifdef H5_HAVE_PARALLEL
/** Key of an MPI info object; nothing looks at it. */
#define H5F_MPIO_DEBUG_KEY "H5F_mpio_debug_key"
#endif

/**
 * How far a flush goes; both mean the same where no file is mounted.
 */
typedef enum H5F_scope_t {
  H5F_SCOPE_LOCAL = 0, /**< The file itself. */
  H5F_SCOPE_GLOBAL = 1 /**< The file and what is mounted. */
} H5F_scope_t;

/** What closing a file does to objects in it that are still open. */
typedef enum H5F_close_degree_t {
  H5F_CLOSE_DEFAULT = 0, /**< Weak; semi under the MPI drivers. */
  H5F_CLOSE_WEAK = 1,    /**< The file stays open until they are closed. */
  H5F_CLOSE_SEMI = 2,    /**< The close fails. */
  H5F_CLOSE_STRONG = 3   /**< They are closed too. */
} H5F_close_degree_t;

/** Oldest and newest format that new objects may use. */
typedef enum H5F_libver_t {
  H5F_LIBVER_ERROR = -1,   /**< No version: a call failed. */
  H5F_LIBVER_EARLIEST = 0, /**< The oldest format that holds the object. */
  H5F_LIBVER_V18 = 1,      /**< Formats of HDF5 1.8. */
  H5F_LIBVER_V110 = 2,     /**< Formats of HDF5 1.10. */
  H5F_LIBVER_NBOUNDS = 3   /**< Number of bounds. */
} H5F_libver_t;
#define H5F_LIBVER_LATEST H5F_LIBVER_V110 /**< The newest one there is. */

/** What a piece of a file is used for (H5FD_mem_t). */
typedef enum H5F_mem_t {
  H5FD_MEM_NOLIST = -1, /**< Not kept as free space. */
  H5FD_MEM_DEFAULT = 0, /**< Any use. */
  H5FD_MEM_SUPER = 1,   /**< The superblock. */
  H5FD_MEM_BTREE = 2,   /**< B-trees. */
  H5FD_MEM_DRAW = 3,    /**< Raw data of datasets. */
  H5FD_MEM_GHEAP = 4,   /**< The global heap. */
  H5FD_MEM_LHEAP = 5,   /**< Local heaps. */
  H5FD_MEM_OHDR = 6,    /**< Object headers. */
  H5FD_MEM_NTYPES = 7   /**< Number of uses. */
} H5F_mem_t;

/** A piece of free space. */
typedef struct H5F_sect_info_t {
  haddr_t addr; /**< Where it begins, in bytes from the superblock. */
  hsize_t size; /**< Its bytes. */
} H5F_sect_info_t;

/** How space in a file is found again. */
typedef enum H5F_fspace_strategy_t {
  /** Free space is tracked; small pieces share blocks; the default. */
  H5F_FSPACE_STRATEGY_FSM_AGGR = 0,
  H5F_FSPACE_STRATEGY_PAGE = 1,  /**< Space in pages of equal size; free space is tracked. */
  H5F_FSPACE_STRATEGY_AGGR = 2,  /**< Small pieces share blocks; free space is not tracked. */
  H5F_FSPACE_STRATEGY_NONE = 3,  /**< Neither. */
  H5F_FSPACE_STRATEGY_NTYPES = 4 /**< Number of strategies. */
} H5F_fspace_strategy_t;

/** Older names of the strategies: H5Pset_file_space(). */
typedef enum H5F_file_space_type_t {
  H5F_FILE_SPACE_DEFAULT = 0,     /**< The file's own. */
  H5F_FILE_SPACE_ALL_PERSIST = 1, /**< Tracked, and kept in the file. */
  H5F_FILE_SPACE_ALL = 2,         /**< Tracked while the file is open. */
  H5F_FILE_SPACE_AGGR_VFD = 3,    /**< Aggregators only. */
  H5F_FILE_SPACE_VFD = 4,         /**< None. */
  H5F_FILE_SPACE_NTYPES = 5       /**< Number of names. */
} H5F_file_space_type_t;

#define H5F_NUM_METADATA_READ_RETRY_TYPES 21 /**< Kinds of metadata that are read again. */

/** How often metadata was read again: H5Fget_metadata_read_retry_info(). */
typedef struct H5F_retry_info_t {
  unsigned nbins; /**< Numbers in each of the lists. */
  uint32_t *retries[H5F_NUM_METADATA_READ_RETRY_TYPES]; /**< By kind; NULL: never. */
} H5F_retry_info_t;

/**
 * Called when an object was flushed.
 *
 * \param object_id The object.
 * \param udata What H5Pset_object_flush_cb() was given.
 * \return Negative on failure.
 */
typedef herr_t (*H5F_flush_cb_t)(hid_t object_id, void *udata);

/** Bytes that the parts of a file's own metadata take. */
typedef struct H5F_info2_t {
  /** The superblock. */
  struct {
    unsigned version;       /**< Version in the file; of free space and shared messages 0. */
    hsize_t super_size;     /**< Bytes of the superblock. */
    hsize_t super_ext_size; /**< Bytes of the superblock's extension; 0 without one. */
  } super;                  /**< The superblock. */
  /** Free space. */
  struct {
    unsigned version;  /**< Version in the file; of free space and shared messages 0. */
    hsize_t meta_size; /**< Bytes of the lists of free space; always 0. */
    hsize_t tot_space; /**< Free bytes that can be used again. */
  } free;              /**< Free space. */
  /** Shared header messages; all 0 in files that share none. */
  struct {
    unsigned version;       /**< Version in the file; of free space and shared messages 0. */
    hsize_t hdr_size;       /**< Bytes of their table. */
    H5_ih_info_t msgs_info; /**< Bytes of their indexes and heaps. */
  } sohm;                   /**< Shared header messages. */
} H5F_info2_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name Is it an HDF5 file? */
/** @{ */
/**
 * Looks for the signature of HDF5 at every place where it may be.
 *
 * \param filename Path of the file.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors The file can't be read.
 */
H5_DLL htri_t H5Fis_hdf5(const char *filename);

/**
 * H5Fis_hdf5(), with the POSIX driver whatever the list says.
 *
 * \param filename Path of the file.
 * \param fapl_id File access list, which is checked only, or H5P_DEFAULT.
 * \return Positive for yes, 0 for no, negative on failure.
 * \local
 * \errors The file can't be read; not an access list.
 * \differs Not in HDF5 1.10; as in 1.12.
 * \source HDF5 1.12
 */
H5_DLL htri_t H5Fis_accessible(const char *filename, hid_t fapl_id);
/** @} */

/** \name Life of a file */
/** @{ */
/**
 * Creates a file and commits it, so that anybody can open it from here on. With a serial driver it
 * is local.
 *
 * \param filename Path of the file; its last part is equal on all ranks.
 * \param flags H5F_ACC_TRUNC or H5F_ACC_EXCL; 0 means the latter.
 * \param fcpl_id File creation list, equal on all ranks, or H5P_DEFAULT.
 * \param fapl_id File access list, or H5P_DEFAULT: the POSIX driver, this rank alone. Driver, close
 *   degree, version bounds, alignment and block sizes are equal on all ranks.
 * \return A new id, to be closed with H5Fclose(); negative on failure.
 * \communicates
 * \errors Both flags, or others; the file exists (H5F_ACC_EXCL); it is open already, but by MPI only for writing; sizes
 *   other than 2, 4 or 8 bytes; shared message indexes; ranks that differ (the message names what and
 *   which). All ranks get the error. A file that this call has made goes again (see doc/SUPPORT.md).
 */
H5_DLL hid_t H5Fcreate(const char *filename, unsigned flags, hid_t fcpl_id, hid_t fapl_id);

/**
 * Opens a file, or makes one more opening of one that this process has open. With a serial driver
 * it is local. What was cut in a commit is read from its journal; opening to write completes it.
 * An empty file that is opened for writing becomes a new one, as by H5Fcreate() with default lists.
 *
 * \param filename Path of the file; its last part is equal on all ranks.
 * \param flags H5F_ACC_RDONLY or H5F_ACC_RDWR. H5F_ACC_SWMR_READ beside H5F_ACC_RDONLY: another program may
 *   be the file's single writer (as libhdf5 writes, H5Fstart_swmr_write()); what it added is seen after
 *   H5Drefresh(). Metadata that it is in the middle of are read again, up to
 *   H5Pset_metadata_read_attempts() times, 100 by default. One process, serial drivers.
 * \param fapl_id File access list, as in H5Fcreate(). A serial driver and H5F_ACC_RDONLY for a file that this process
 *   has open by MPI: an opening of its own, which reads what was flushed before it, and of what is flushed later
 *   perhaps nothing or an error, as space is used again; open it anew then. By MPI it may also be opened for writing,
 *   or created anew, beside such a reader, and beside one that was opened by MPI for reading (a program may have
 *   forgotten to close it). Links, sources and mounts of other files find the opening that all ranks have; where there is
 *   none, no opening that is older than what this process has committed by MPI since.
 * \return A new id, to be closed with H5Fclose(); negative on failure.
 * \communicates
 * \errors No such file; not HDF5, or damaged; another program writes it; H5F_ACC_SWMR_WRITE or creation flags; a
 *   version above the high bound; family or multi files without their driver; open already in another way; ranks
 *   that differ. All ranks get the error.
 * \differs A second open of a file without locks is refused where the first has them (libhdf5
 *   1.10.8: also where neither has any).
 */
H5_DLL hid_t H5Fopen(const char *filename, unsigned flags, hid_t fapl_id);

/**
 * Makes one more opening of an open file; nothing is read and nothing is communicated. All ranks do
 * it alike, as each close of a file takes all of them.
 *
 * \param file_id File.
 * \return A new id, to be closed with H5Fclose(); negative on failure.
 * \local
 * \differs Does not wait for other ranks; the close of what it gave does.
 */
H5_DLL hid_t H5Freopen(hid_t file_id);

/**
 * Lets go of the files that links of this one led to and that were to stay open
 * (H5Pset_elink_file_cache_size()).
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of closing the files.
 */
H5_DLL herr_t H5Fclear_elink_file_cache(hid_t file_id);

/**
 * Mounts a file on a group of another one: paths that come to the group go on at the root of the child, and
 * absolute paths in the child begin at the root of the topmost file, as do names under the child's file id.
 * The child stays open until it is unmounted or the other file is closed. In parallel files all ranks mount
 * alike; both must be open in parallel, or neither.
 *
 * \param loc File or object from which the name counts.
 * \param name Path of the group.
 * \param child The file that is mounted.
 * \param plist File mount list, or H5P_DEFAULT.
 * \return 0, or negative on failure.
 * \metadata
 * \errors Not a group; mounted already; a file in itself, or in what is mounted in it.
 * \differs Mounts end when the file with the group is closed, also where something mounted is open
 *   (libhdf5 1.10.8 keeps both open).
 */
H5_DLL herr_t H5Fmount(hid_t loc, const char *name, hid_t child, hid_t plist);

/**
 * Takes a mount away. The child is closed where nothing else keeps it open, and what is mounted in it with it.
 *
 * In a parallel file all ranks meet: where an object of a child that would be closed is open on one of them,
 * the mount stays. So it is when the file with the group is closed.
 *
 * \param loc File or object from which the name counts.
 * \param name Path of the group, or of the root of what is mounted on it.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Nothing is mounted there; parallel files: open objects, an id of the child that only some ranks have.
 */
H5_DLL herr_t H5Funmount(hid_t loc, const char *name);

/**
 * Commits everything that changed: afterwards a killed program loses none of it. With a serial
 * driver it is local.
 *
 * \param object_id The file, or any object in it.
 * \param scope H5F_SCOPE_LOCAL, or H5F_SCOPE_GLOBAL: also what is mounted in it, and what it is mounted in.
 * \return 0, or negative on failure.
 * \communicates
 * \errors No such scope; writing failed; metadata calls that differed between the ranks. All ranks get the error; the
 *   commit before stays. A chunk that its filters can't encode is named in the error: all else is committed, the file
 *   has the chunk as it was, and it is tried again by the next flush or close. A conversion or a filter calls it
 *   within a call of all ranks, or a filter while the file is flushed.
 */
H5_DLL herr_t H5Fflush(hid_t object_id, H5F_scope_t scope);

/**
 * Closes an id of a file. All ranks come also where other ids of the file stay; the last one
 * commits and closes the file, as the close degree says. It is local with a serial driver, where it
 * only takes one of several references to the id away (H5Iinc_ref(), H5Iget_file_id()), and where
 * it leaves the file open behind its objects (H5F_CLOSE_WEAK).
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Objects are open under H5F_CLOSE_SEMI (named in the message); the commit failed. The id
 *   then stays, unless all ranks had to give the file up. Chunks that their filters can't encode are named in the error: all
 *   else is committed, and the file is closed without them; where they only lack memory the id stays, and a later call tries again.
 */
H5_DLL herr_t H5Fclose(hid_t file_id);
/** @} */

/** \name Queries */
/** @{ */
/**
 * A creation list with what the file was made with.
 *
 * \param file_id File.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Fget_create_plist(hid_t file_id);

/**
 * An access list as the file uses it: with its close degree, raised low bound and whole pages.
 *
 * \param file_id File.
 * \return A new id, to be closed with H5Pclose(); negative on failure.
 * \local
 */
H5_DLL hid_t H5Fget_access_plist(hid_t file_id);

/**
 * Tells how the file was opened.
 *
 * \param file_id File.
 * \param intent Set to H5F_ACC_RDWR or H5F_ACC_RDONLY; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Fget_intent(hid_t file_id, unsigned *intent);

/**
 * The path by which a file was opened; of several openings each has its own.
 *
 * \param obj_id The file, or any object in it: the path of the opening by which that was reached.
 * \param name For the text, cut to size with its NUL; may be NULL.
 * \param size Bytes of name.
 * \return Length of the path without NUL, or negative on failure.
 * \local
 */
H5_DLL ssize_t H5Fget_name(hid_t obj_id, char *name, size_t size);

/**
 * Tells the bytes of a file's own metadata.
 *
 * \param obj_id The file, or any object in it.
 * \param file_info Set to the facts.
 * \return 0, or negative on failure.
 * \local
 * \errors file_info NULL.
 */
H5_DLL herr_t H5Fget_info2(hid_t obj_id, H5F_info2_t *file_info);

/**
 * Counts open ids of a file, or of all files.
 *
 * \param file_id File, or H5F_OBJ_ALL: all files, and of datatypes also those that are in none, unless they are
 *   locked (H5Tlock()).
 * \param types Bits H5F_OBJ_...
 * \return The number, or negative on failure.
 * \local
 * \errors No kind of object in types.
 */
H5_DLL ssize_t H5Fget_obj_count(hid_t file_id, unsigned types);

/**
 * Lists open ids of a file, or of all files; they are not to be closed on its account.
 *
 * \param file_id File, or H5F_OBJ_ALL, as for H5Fget_obj_count().
 * \param types Bits H5F_OBJ_...
 * \param max_objs Ids that fit into the list; 0: nothing is written to it.
 * \param obj_id_list For the ids, [max_objs].
 * \return Number of ids in the list, with max_objs 0 of those that there are; negative on failure.
 * \local
 * \errors No kind of object in types; obj_id_list NULL.
 */
H5_DLL ssize_t H5Fget_obj_ids(hid_t file_id, unsigned types, size_t max_objs, hid_t *obj_id_list);

/**
 * The driver's own handle of the file, as long as it is open.
 *
 * \param file_id File.
 * \param fapl File access list, which is checked only, or H5P_DEFAULT.
 * \param file_handle Set to a pointer to the descriptor (int), the MPI_File, or the address of the
 *   memory. On file systems of one machine (tmpfs, ext4, XFS and their like; not of a file made with
 *   H5F_ACC_EXCL), and on several machines with caches of their own (NFS, GlusterFS), each rank's MPI_File
 *   is its own, over MPI_COMM_SELF: nothing on it waits for other ranks, nor shares a file pointer with them.
 * \return 0, or negative on failure.
 * \local
 * \differs On such file systems the MPI_File is this rank's alone; libhdf5's is that of all ranks.
 * \errors file_handle NULL.
 */
H5_DLL herr_t H5Fget_vfd_handle(hid_t file_id, hid_t fapl, void **file_handle);

/**
 * Where the file ends: of a file opened for writing the end of what is allocated, else the larger
 * of that and its real size.
 *
 * \param file_id File.
 * \param size Set to the bytes, a user block included.
 * \return 0, or negative on failure.
 * \local
 * \errors size NULL.
 */
H5_DLL herr_t H5Fget_filesize(hid_t file_id, hsize_t *size);

/**
 * The end of what is allocated in the file.
 *
 * \param file_id File.
 * \param eoa Set to the byte offset, a user block included; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Fget_eoa(hid_t file_id, haddr_t *eoa);

/**
 * Bytes in the file that new data may take before it grows.
 *
 * \param file_id File.
 * \return Bytes, or negative on failure.
 * \local
 */
H5_DLL hssize_t H5Fget_freespace(hid_t file_id);

/**
 * Lists the free pieces of the file that serve one use.
 *
 * \param file_id File.
 * \param type Use; H5FD_MEM_DEFAULT: all. Without pages, pieces from 2 KiB on are raw data's,
 *   smaller ones the superblock's.
 * \param nsects Pieces that fit into sect_info.
 * \param sect_info For the first nsects pieces; may be NULL.
 * \return Number of all such pieces, or negative on failure.
 * \local
 * \errors No such use; nsects 0 with sect_info given.
 */
H5_DLL ssize_t H5Fget_free_sections(hid_t file_id, H5F_mem_t type, size_t nsects,
                                    H5F_sect_info_t *sect_info);

/**
 * Copies the whole file into memory; everything is committed first.
 *
 * \param file_id File.
 * \param buf_ptr For the bytes; NULL asks for their number only.
 * \param buf_len Bytes of buf_ptr.
 * \return Bytes of the image, or negative on failure.
 * \local
 * \errors A parallel file; buf_len too small.
 */
H5_DLL ssize_t H5Fget_file_image(hid_t file_id, void *buf_ptr, size_t buf_len);

/**
 * A number that is equal for two ids exactly when they are of the same open file.
 *
 * \param file_id File.
 * \param fileno Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \differs Not in HDF5 1.10; as in 1.12.
 */
H5_DLL herr_t H5Fget_fileno(hid_t file_id, unsigned long *fileno);
/** @} */

/** \name Format of objects created from now on */
/** @{ */
/**
 * Changes the format bounds of an open file.
 *
 * \param file_id File.
 * \param low Oldest format.
 * \param high Newest format, not below low and not H5F_LIBVER_EARLIEST.
 * \return 0, or negative on failure.
 * \metadata
 * \errors No such bounds; opened for reading only.
 */
H5_DLL herr_t H5Fset_libver_bounds(hid_t file_id, H5F_libver_t low, H5F_libver_t high);
/** @} */

/** \name Metadata cache: the configuration is stored and returned, and has no effect */
/** @{ */
/**
 * Returns the configuration, which has no effect here.
 *
 * \param file_id File.
 * \param config_ptr Filled; its member version must be set before.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version.
 * \differs What H5Fset_mdc_config() stored; nothing follows it.
 */
H5_DLL herr_t H5Fget_mdc_config(hid_t file_id, H5AC_cache_config_t *config_ptr);

/**
 * Stores a configuration, which has no effect here.
 *
 * \param file_id File.
 * \param config_ptr The configuration, version set.
 * \return 0, or negative on failure.
 * \local
 * \errors NULL, or another version; max_size below min_size; evictions off while a resize mode is
 *   on.
 * \differs Stored; nothing follows it.
 */
H5_DLL herr_t H5Fset_mdc_config(hid_t file_id, H5AC_cache_config_t *config_ptr);

/**
 * Always 0: there is no cache that could miss.
 *
 * \param file_id File.
 * \param hit_rate_ptr Set to 0.
 * \return 0, or negative on failure.
 * \local
 * \errors hit_rate_ptr NULL.
 * \differs Always 0: all metadata that were read stay in memory.
 */
H5_DLL herr_t H5Fget_mdc_hit_rate(hid_t file_id, double *hit_rate_ptr);

/**
 * Does nothing but check the id.
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Freset_mdc_hit_rate_stats(hid_t file_id);

/**
 * Sizes that the stored configuration names; nothing counts as being in the cache.
 *
 * \param file_id File.
 * \param max_size_ptr Set to the initial size in bytes; may be NULL.
 * \param min_clean_size_ptr Set to the clean share of it in bytes; may be NULL.
 * \param cur_size_ptr Set to 0; may be NULL.
 * \param cur_num_entries_ptr Set to 0; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Fget_mdc_size(hid_t file_id, size_t *max_size_ptr, size_t *min_clean_size_ptr,
                              size_t *cur_size_ptr, int *cur_num_entries_ptr);
/** @} */

#ifdef H5_HAVE_PARALLEL

/** \name MPI atomicity */
/** @{ */
/**
 * Sets the atomicity of the MPI file: whether overlapping accesses of ranks are sequential.
 *
 * In atomic mode a transfer of one dataset is seen by the other ranks of this file as a whole or not at all,
 * however many MPI calls it takes, and what was written is seen as soon as the call has returned. It is done
 * by locks on ranges of the file (fcntl), not by MPI's atomic mode, which does nothing in Open MPI's ompio: other programs,
 * and MPI calls on the handle of H5Fget_vfd_handle(), are not kept away. Collective transfers are moved by
 * each rank for itself. What is written independently to chunks with filters is seen when all ranks meet.
 *
 * \param file_id File.
 * \param flag Wanted setting; equal on all ranks.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not opened by the MPI-IO driver; ranks that differ; a file system without locks.
 */
H5_DLL herr_t H5Fset_mpi_atomicity(hid_t file_id, hbool_t flag);

/**
 * Tells the atomicity of the MPI file.
 *
 * \param file_id File.
 * \param flag Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Not opened by the MPI-IO driver.
 */
H5_DLL herr_t H5Fget_mpi_atomicity(hid_t file_id, hbool_t *flag);
/** @} */
#endif

/** \name The metadata cache's log, page buffer and image: there is neither cache nor buffer here */
/** @{ */
/**
 * Begins the log that H5Pset_mdc_log_options() named. It says when it ran; there are no actions of a
 * cache that could be in it.
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \local
 * \errors No log in the access list; it can't be written.
 * \differs The log says when it ran, and nothing else.
 */
H5_DLL herr_t H5Fstart_mdc_logging(hid_t file_id);

/**
 * Ends the log.
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \local
 * \errors It is not running.
 */
H5_DLL herr_t H5Fstop_mdc_logging(hid_t file_id);

/**
 * Tells whether there is a log, and whether it is running.
 *
 * \param file_id File.
 * \param is_enabled Set to whether the access list names one; may be NULL.
 * \param is_currently_logging Set to whether it is running; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Fget_mdc_logging_status(hid_t file_id, hbool_t *is_enabled,
                                        hbool_t *is_currently_logging);

/**
 * Tells what went through the page buffer that H5Pset_page_buffer_size() asked for: nothing.
 *
 * \param file_id File.
 * \param accesses Set to 0, [2]: metadata, raw data.
 * \param hits Set to 0, [2].
 * \param misses Set to 0, [2].
 * \param evictions Set to 0, [2].
 * \param bypasses Set to 0, [2].
 * \return 0, or negative on failure.
 * \local
 * \errors The access list asks for none; a pointer NULL.
 * \differs Nothing goes through a page buffer: all numbers are 0.
 */
H5_DLL herr_t H5Fget_page_buffering_stats(hid_t file_id, unsigned accesses[2], unsigned hits[2],
                                          unsigned misses[2], unsigned evictions[2],
                                          unsigned bypasses[2]);

/**
 * Begins the counts of H5Fget_page_buffering_stats() again.
 *
 * \param file_id File.
 * \return 0, or negative on failure.
 * \local
 * \errors The access list asks for no page buffer.
 */
H5_DLL herr_t H5Freset_page_buffering_stats(hid_t file_id);

/**
 * Tells how often metadata had to be read again: never.
 *
 * \param file_id File.
 * \param info Set to the number of bins that H5Pset_metadata_read_attempts() leads to, and no lists.
 * \return 0, or negative on failure.
 * \local
 * \errors info NULL.
 * \differs Nothing is read again: all numbers are 0.
 */
H5_DLL herr_t H5Fget_metadata_read_retry_info(hid_t file_id, H5F_retry_info_t *info);

/**
 * Tells where a metadata cache image is: nowhere.
 *
 * \param file_id File.
 * \param image_addr Set to HADDR_UNDEF; may be NULL.
 * \param image_size Set to 0; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors Both NULL.
 * \differs There is no image: nothing is cached.
 */
H5_DLL herr_t H5Fget_mdc_image_info(hid_t file_id, haddr_t *image_addr, hsize_t *image_size);
/** @} */

/** \name Hints, and the format of an open file */
/** @{ */
/**
 * Says that datasets made from here on get no attributes. Headers have no room to spare in any case.
 *
 * \param file_id File.
 * \param minimize True: no attributes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Fset_dset_no_attrs_hint(hid_t file_id, hbool_t minimize);

/**
 * Tells what H5Fset_dset_no_attrs_hint() set.
 *
 * \param file_id File.
 * \param minimize Set to it.
 * \return 0, or negative on failure.
 * \local
 * \errors minimize NULL.
 */
H5_DLL herr_t H5Fget_dset_no_attrs_hint(hid_t file_id, hbool_t *minimize);

/**
 * H5Fset_libver_bounds() with both bounds H5F_LIBVER_LATEST, or the lower one H5F_LIBVER_EARLIEST.
 *
 * \param file_id File, opened for writing.
 * \param latest_format True: the latest.
 * \return 0, or negative on failure.
 * \metadata
 */
H5_DLL herr_t H5Fset_latest_format(hid_t file_id, hbool_t latest_format);

/**
 * Makes the file's allocated space end later; nothing is written there.
 *
 * \param file_id File, opened for writing.
 * \param increment Bytes.
 * \return 0, or negative on failure.
 * \metadata
 */
H5_DLL herr_t H5Fincrement_filesize(hid_t file_id, hsize_t increment);

/**
 * Refused: nothing is written for readers of a file that is being written.
 *
 * \param file_id File.
 * \return Negative.
 * \local
 * \errors Always.
 */
H5_DLL herr_t H5Fstart_swmr_write(hid_t file_id);

/**
 * Makes a file one that libraries of format 1.8 read: its superblock is of version 2 at most, and nothing in it tells of file
 * space, which is handled as by default from then on. Datasets: H5Dformat_convert(). The next commit (H5Fflush(), H5Fclose())
 * writes that.
 *
 * \param fid File, opened for writing.
 * \return 0, or negative on failure.
 * \metadata
 * \errors A file that is only read.
 */
H5_DLL herr_t H5Fformat_convert(hid_t fid);
/** @} */

#ifndef H5_NO_DEPRECATED_SYMBOLS

/** \name The forms of HDF5 1.6 and 1.8 */
/** @{ */
#define H5F_ACC_DEBUG (H5CHECK H5OPEN 0x0000u) /**< No meaning; accepted. */

/** As H5F_info2_t, without superblock and free space. */
typedef struct H5F_info1_t {
  hsize_t super_ext_size; /**< Bytes of the superblock's extension; 0 without one. */
  /** Shared header messages; all 0 in files that share none. */
  struct {
    hsize_t hdr_size;       /**< Bytes of their table. */
    H5_ih_info_t msgs_info; /**< Bytes of their indexes and heaps. */
  } sohm;                   /**< Shared header messages. */
} H5F_info1_t;

/**
 * Tells the bytes of the superblock's extension and of shared header messages.
 *
 * \param obj_id The file, or any object in it.
 * \param file_info Set to the facts.
 * \return 0, or negative on failure.
 * \local
 * \errors file_info NULL.
 * \source HDF5 1.8
 */
H5_DLL herr_t H5Fget_info1(hid_t obj_id, H5F_info1_t *file_info);
/** @} */

#endif

#ifdef __cplusplus
}
#endif

/** @} */

#endif
