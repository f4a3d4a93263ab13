/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Kinds of memory in a file, file images, and constants of the file drivers (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDpublic_H
#define H5FDpublic_H

#include "H5Fpublic.h"
#include "H5public.h"

/** \defgroup H5FD H5FD: file drivers
 *  @{ */

#define H5_HAVE_VFL 1 /**< There are file drivers. */

#define H5FD_VFD_DEFAULT 0 /**< Driver id that stands for the default driver. */

/** \name Uses of metadata that share one of H5F_mem_t */
/** @{ */
typedef enum H5F_mem_t H5FD_mem_t;               /**< What a piece of a file is used for. */
#define H5FD_MEM_FHEAP_HDR H5FD_MEM_OHDR         /**< Fractal heap: header. */
#define H5FD_MEM_FHEAP_IBLOCK H5FD_MEM_OHDR      /**< Fractal heap: indirect block. */
#define H5FD_MEM_FHEAP_DBLOCK H5FD_MEM_LHEAP     /**< Fractal heap: direct block. */
#define H5FD_MEM_FHEAP_HUGE_OBJ H5FD_MEM_DRAW    /**< Fractal heap: object of its own. */
#define H5FD_MEM_FSPACE_HDR H5FD_MEM_OHDR        /**< Free space: header. */
#define H5FD_MEM_FSPACE_SINFO H5FD_MEM_LHEAP     /**< Free space: sections. */
#define H5FD_MEM_SOHM_TABLE H5FD_MEM_OHDR        /**< Shared messages: table. */
#define H5FD_MEM_SOHM_INDEX H5FD_MEM_BTREE       /**< Shared messages: index. */
#define H5FD_MEM_EARRAY_HDR H5FD_MEM_OHDR        /**< Extensible array: header. */
#define H5FD_MEM_EARRAY_IBLOCK H5FD_MEM_OHDR     /**< Extensible array: index block. */
#define H5FD_MEM_EARRAY_SBLOCK H5FD_MEM_BTREE    /**< Extensible array: super block. */
#define H5FD_MEM_EARRAY_DBLOCK H5FD_MEM_LHEAP    /**< Extensible array: data block. */
#define H5FD_MEM_EARRAY_DBLK_PAGE H5FD_MEM_LHEAP /**< Extensible array: page of a data block. */
#define H5FD_MEM_FARRAY_HDR H5FD_MEM_OHDR        /**< Fixed array: header. */
#define H5FD_MEM_FARRAY_DBLOCK H5FD_MEM_LHEAP    /**< Fixed array: data block. */
#define H5FD_MEM_FARRAY_DBLK_PAGE H5FD_MEM_LHEAP /**< Fixed array: page of a data block. */
/** @} */

/** \name Which free space a driver of a program would share; for H5FD_class_t.fl_map, which nobody asks here */
/** @{ */
/** All in one. */
#define H5FD_FLMAP_SINGLE                                                           \
  {                                                                                 \
    H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, \
        H5FD_MEM_SUPER, H5FD_MEM_SUPER                                              \
  }
/** Raw data and metadata apart. */
#define H5FD_FLMAP_DICHOTOMY                                                                      \
  {                                                                                               \
    H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_SUPER, H5FD_MEM_DRAW, H5FD_MEM_DRAW, H5FD_MEM_SUPER, \
        H5FD_MEM_SUPER                                                                            \
  }
/** Each use by itself. */
#define H5FD_FLMAP_DEFAULT                                                                    \
  {                                                                                           \
    H5FD_MEM_DEFAULT, H5FD_MEM_DEFAULT, H5FD_MEM_DEFAULT, H5FD_MEM_DEFAULT, H5FD_MEM_DEFAULT, \
        H5FD_MEM_DEFAULT, H5FD_MEM_DEFAULT                                                    \
  }
/** @} */

/** \name What a driver is like: bits that its query gives */
/** @{ */
#define H5FD_FEAT_AGGREGATE_METADATA 0x00000001        /**< Gathers metadata in blocks. */
#define H5FD_FEAT_ACCUMULATE_METADATA_WRITE 0x00000002 /**< Joins writes of metadata. */
#define H5FD_FEAT_ACCUMULATE_METADATA_READ 0x00000004  /**< Joins reads of metadata. */
#define H5FD_FEAT_ACCUMULATE_METADATA \
  (H5FD_FEAT_ACCUMULATE_METADATA_WRITE | H5FD_FEAT_ACCUMULATE_METADATA_READ) /**< Both. */
#define H5FD_FEAT_DATA_SIEVE 0x00000008          /**< Raw data may be sieved. */
#define H5FD_FEAT_AGGREGATE_SMALLDATA 0x00000010 /**< Gathers small raw data in blocks. */
#define H5FD_FEAT_IGNORE_DRVRINFO 0x00000020 /**< What the file says of a driver means nothing. */
#define H5FD_FEAT_DIRTY_DRVRINFO_LOAD 0x00000040 /**< It is written anew after an open. */
#define H5FD_FEAT_POSIX_COMPAT_HANDLE 0x00000080 /**< The handle is a file descriptor. */
#define H5FD_FEAT_HAS_MPI 0x00000100             /**< MPI is used. */
#define H5FD_FEAT_ALLOCATE_EARLY 0x00000200   /**< Datasets have their space from the beginning. */
#define H5FD_FEAT_ALLOW_FILE_IMAGE 0x00000400 /**< Takes an initial image. */
#define H5FD_FEAT_CAN_USE_FILE_IMAGE_CALLBACKS \
  0x00000800                                        /**< And the program's memory functions. */
#define H5FD_FEAT_SUPPORTS_SWMR_IO 0x00001000       /**< One writer and several readers. */
#define H5FD_FEAT_USE_ALLOC_SIZE 0x00002000         /**< Sizes go to the driver as they are. */
#define H5FD_FEAT_PAGED_AGGR 0x00004000             /**< Pages have a map of their own. */
#define H5FD_FEAT_DEFAULT_VFD_COMPATIBLE 0x00008000 /**< One file, as the default driver's. */
/** @} */

/** An open file of a driver; what follows it is the driver's own. */
typedef struct H5FD_t H5FD_t;

/**
 * A driver: what a program registers (H5FDregister()). Functions that are NULL are not called; open,
 * close, get_eoa, set_eoa, get_eof, read and write are needed. Negative and NULL results are failures. The library
 * gives space to the parts of a file by itself, so that alloc, free, get_type_map and fl_map count for
 * H5FDalloc() and H5FDfree() only; all reads and writes of a file are of H5FD_MEM_DEFAULT.
 */
typedef struct H5FD_class_t {
  const char *name;                 /**< For messages. */
  haddr_t maxaddr;                  /**< No file is larger. */
  H5F_close_degree_t fc_degree;     /**< For lists that leave it open. */
  herr_t (*terminate)(void);        /**< The driver goes. */
  hsize_t (*sb_size)(H5FD_t *file); /**< Bytes for what a file is to say of its driver. */
  /** Writes them, and a name of 8 characters. */
  herr_t (*sb_encode)(H5FD_t *file, char *name, unsigned char *p);
  /** Reads what a file says, when it is opened. */
  herr_t (*sb_decode)(H5FD_t *f, const char *name, const unsigned char *p);
  size_t fapl_size;                     /**< Bytes of the settings in a list. */
  void *(*fapl_get)(H5FD_t *file);      /**< Settings of an open file. */
  void *(*fapl_copy)(const void *fapl); /**< Copies settings; NULL: bytes are copied. */
  herr_t (*fapl_free)(void *fapl);      /**< Frees what fapl_copy gave. */
  size_t dxpl_size;                     /**< Not used. */
  void *(*dxpl_copy)(const void *dxpl); /**< Not used. */
  herr_t (*dxpl_free)(void *dxpl);      /**< Not used. */
  /** Opens; flags are H5F_ACC_... bits. */
  H5FD_t *(*open)(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr);
  herr_t (*close)(H5FD_t *file);                  /**< Closes and frees. */
  int (*cmp)(const H5FD_t *f1, const H5FD_t *f2); /**< 0: the same file. */
  herr_t (*query)(const H5FD_t *f1,
                  unsigned long *flags); /**< H5FD_FEAT_... bits; f1 may be NULL. */
  herr_t (*get_type_map)(const H5FD_t *file, H5FD_mem_t *type_map);             /**< Not used. */
  haddr_t (*alloc)(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, hsize_t size); /**< H5FDalloc(). */
  herr_t (*free)(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr,
                 hsize_t size);                                   /**< H5FDfree(). */
  haddr_t (*get_eoa)(const H5FD_t *file, H5FD_mem_t type);        /**< Where given space ends. */
  herr_t (*set_eoa)(H5FD_t *file, H5FD_mem_t type, haddr_t addr); /**< Changes it. */
  haddr_t (*get_eof)(const H5FD_t *file, H5FD_mem_t type);        /**< Bytes in the file. */
  herr_t (*get_handle)(H5FD_t *file, hid_t fapl, void **file_handle); /**< H5Fget_vfd_handle(). */
  /** Reads size bytes below the end of given space. */
  herr_t (*read)(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                 void *buffer);
  /** Writes size bytes below the end of given space. */
  herr_t (*write)(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                  const void *buffer);
  herr_t (*flush)(H5FD_t *file, hid_t dxpl_id, hbool_t closing); /**< Writes what is kept back. */
  herr_t (*truncate)(H5FD_t *file, hid_t dxpl_id,
                     hbool_t closing);      /**< Bytes become those of given space. */
  herr_t (*lock)(H5FD_t *file, hbool_t rw); /**< Locks; rw: for writing. */
  herr_t (*unlock)(H5FD_t *file);           /**< Gives the lock back. */
  H5FD_mem_t fl_map[H5FD_MEM_NTYPES];       /**< H5FD_FLMAP_... */
} H5FD_class_t;

/** A piece of free space, in a list. */
typedef struct H5FD_free_t {
  haddr_t addr;             /**< Where it begins. */
  hsize_t size;             /**< Its bytes. */
  struct H5FD_free_t *next; /**< The next one, or NULL. */
} H5FD_free_t;

/** What all drivers' files begin with; the library fills it when a driver has opened a file. */
struct H5FD_t {
  hid_t driver_id;             /**< The driver. */
  const H5FD_class_t *cls;     /**< Its functions. */
  unsigned long fileno;        /**< A number that no other open has. */
  unsigned access_flags;       /**< H5F_ACC_... bits of the open. */
  unsigned long feature_flags; /**< What query gave. */
  haddr_t maxaddr;             /**< The file is not larger. */
  haddr_t base_addr;           /**< Added to addresses of H5FDread() and H5FDwrite(). */
  hsize_t threshold;           /**< Space so large is aligned. */
  hsize_t alignment;           /**< To multiples of this. */
  hbool_t paged_aggr;          /**< The file is made of pages. */
};

/** At which step the memory of a file image is being handled. */
typedef enum {
  H5FD_FILE_IMAGE_OP_NO_OP = 0,             /**< None. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_SET = 1, /**< H5Pset_file_image. */
  /** A list is copied; lists share an image here, so it never comes. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_COPY = 2,
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_GET = 3,   /**< H5Pget_file_image. */
  H5FD_FILE_IMAGE_OP_PROPERTY_LIST_CLOSE = 4, /**< The last list with the image is closed. */
  H5FD_FILE_IMAGE_OP_FILE_OPEN = 5,           /**< The memory driver opens a file. */
  H5FD_FILE_IMAGE_OP_FILE_RESIZE = 6,         /**< The memory driver's file grows or shrinks. */
  H5FD_FILE_IMAGE_OP_FILE_CLOSE = 7           /**< The memory driver closes a file. */
} H5FD_file_image_op_t;

/** The caller's own ways to get, copy, grow and free such memory; NULL: malloc and friends. */
typedef struct {
  /** Gets memory; NULL: malloc(). */
  void *(*image_malloc)(size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  /** Copies; returns dest; NULL: memcpy(). */
  void *(*image_memcpy)(void *dest, const void *src, size_t size,
                        H5FD_file_image_op_t file_image_op, void *udata);
  /** Changes the size of memory; NULL: realloc(). */
  void *(*image_realloc)(void *ptr, size_t size, H5FD_file_image_op_t file_image_op, void *udata);
  /** Frees memory, negative on failure; NULL: free(). */
  herr_t (*image_free)(void *ptr, H5FD_file_image_op_t file_image_op, void *udata);
  void *(*udata_copy)(void *udata);  /**< Copies udata. */
  herr_t (*udata_free)(void *udata); /**< Frees udata, negative on failure. */
  void *udata;                       /**< Handed to the functions. */
} H5FD_file_image_callbacks_t;

#ifdef __cplusplus
extern "C" {
#endif

/** \name Drivers of programs */
/** @{ */
/**
 * Registers a driver, for H5Pset_driver().
 *
 * \param cls The driver; it is copied, but for the text of its name.
 * \return The driver's id, to be given back with H5FDunregister(); negative on failure.
 * \local
 * \errors NULL; a needed function is missing; fl_map has numbers that are no uses.
 */
H5_DLL hid_t H5FDregister(const H5FD_class_t *cls);

/**
 * Gives a driver's id back. Lists and files that have the driver keep it.
 *
 * \param driver_id The driver.
 * \return 0, or negative on failure.
 * \local
 * \errors No driver; one of the library's own.
 */
H5_DLL herr_t H5FDunregister(hid_t driver_id);

/**
 * Asks what a driver is like before it has opened a file.
 *
 * \param driver_id The driver.
 * \param flags Set to H5FD_FEAT_... bits; 0 where the driver has no query.
 * \return 0, or negative on failure.
 * \local
 * \errors No driver; NULL.
 */
H5_DLL herr_t H5FDdriver_query(hid_t driver_id, unsigned long *flags);
/** @} */

/** \name Files as drivers see them, which know nothing of HDF5 */
/** @{ */
/**
 * Opens a file with the driver of a list. Serial drivers only.
 *
 * \param name Its name.
 * \param flags H5F_ACC_... bits, H5F_ACC_CREAT among them.
 * \param fapl_id File access list, or H5P_DEFAULT.
 * \param maxaddr The file is not to be larger; HADDR_UNDEF: as large as the driver can.
 * \return The file, to be closed with H5FDclose(); NULL on failure.
 * \local
 * \errors No name; maxaddr is zero; the driver can't open it.
 */
H5_DLL H5FD_t *H5FDopen(const char *name, unsigned flags, hid_t fapl_id, haddr_t maxaddr);
/**
 * Closes it.
 * \param file The file.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDclose(H5FD_t *file);
/**
 * Compares two files.
 * \param f1 One file, or NULL, which comes first.
 * \param f2 Another, or NULL.
 * \return 0 where both are the same, else a number that orders them.
 * \local
 */
H5_DLL int H5FDcmp(const H5FD_t *f1, const H5FD_t *f2);
/**
 * Asks what the driver of a file is like.
 * \param f The file.
 * \param flags Set to H5FD_FEAT_... bits.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL int H5FDquery(const H5FD_t *f, unsigned long *flags);
/**
 * Gives space in a file, at its end where the driver has no way of its own.
 * \param file The file.
 * \param type What it is for.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param size Bytes, one at least.
 * \return Where it begins; HADDR_UNDEF on failure.
 * \local
 */
H5_DLL haddr_t H5FDalloc(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, hsize_t size);
/**
 * Gives space back to the driver; without effect where it does not take any.
 * \param file The file.
 * \param type What it was for.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param addr Where it begins.
 * \param size Its bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDfree(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, hsize_t size);
/**
 * Asks where given space ends.
 * \param file The file.
 * \param type Of which use.
 * \return The address; HADDR_UNDEF on failure.
 * \local
 */
H5_DLL haddr_t H5FDget_eoa(H5FD_t *file, H5FD_mem_t type);
/**
 * Says where given space ends: nothing behind it is read or written.
 * \param file The file.
 * \param type Of which use.
 * \param eoa The address, at most the file's maxaddr.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDset_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t eoa);
/**
 * Asks how many bytes the file has.
 * \param file The file.
 * \param type Of which use.
 * \return Bytes; HADDR_UNDEF on failure.
 * \local
 */
H5_DLL haddr_t H5FDget_eof(H5FD_t *file, H5FD_mem_t type);
/**
 * Asks for what the driver has of the file, such as a descriptor.
 * \param file The file.
 * \param fapl File access list, or H5P_DEFAULT.
 * \param file_handle Set to the address of it.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDget_vfd_handle(H5FD_t *file, hid_t fapl, void **file_handle);
/**
 * Reads; what the file is too short for is zero.
 * \param file The file.
 * \param type What the bytes are for.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param addr The first byte.
 * \param size Bytes.
 * \param buf size bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDread(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size,
                       void *buf);
/**
 * Writes.
 * \param file The file.
 * \param type What the bytes are for.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param addr The first byte.
 * \param size Bytes.
 * \param buf size bytes.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDwrite(H5FD_t *file, H5FD_mem_t type, hid_t dxpl_id, haddr_t addr, size_t size,
                        const void *buf);
/**
 * Writes what the driver keeps back.
 * \param file The file.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param closing Whether the file is about to be closed.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDflush(H5FD_t *file, hid_t dxpl_id, hbool_t closing);
/**
 * Makes the file as long as the space that was given.
 * \param file The file.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param closing Whether the file is about to be closed.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDtruncate(H5FD_t *file, hid_t dxpl_id, hbool_t closing);
/**
 * Locks the file as a whole; never waits.
 * \param file The file.
 * \param rw Nonzero: for writing.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDlock(H5FD_t *file, hbool_t rw);
/**
 * Gives the lock back.
 * \param file The file.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5FDunlock(H5FD_t *file);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
