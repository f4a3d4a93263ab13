/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Basic types, version and library-wide calls (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5public_H
#define H5public_H

#include "H5pubconf.h"
#include "H5version.h"
#include "H5api_adpt.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/** \defgroup H5 H5: the library as a whole
 *  @{ */

#ifdef H5_HAVE_PARALLEL
/* The C++ bindings of MPI are gone from the standard and clash with C headers: keep them out. */
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1 /**< Keeps the C++ bindings of MPICH out of mpi.h. */
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1 /**< Keeps the C++ bindings of Open MPI out of mpi.h. */
#endif
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** \name Version of the HDF5 interface; the library's own is PCIO_VERSION */
/** @{ */
#define H5_VERS_MAJOR 1                             /**< Major number. */
#define H5_VERS_MINOR 10                            /**< Minor number. */
#define H5_VERS_RELEASE 8                           /**< Release number. */
#define H5_VERS_SUBRELEASE ""                       /**< What follows the release number. */
#define H5_VERS_INFO "HDF5 library version: 1.10.8" /**< The same in words. */

/**
 * Is the version above at least this one? For \#if.
 *
 * \param Maj Major number.
 * \param Min Minor number.
 * \param Rel Release number.
 */
#define H5_VERSION_GE(Maj, Min, Rel) \
  (H5_VERS_MAJOR > (Maj) ||          \
   (H5_VERS_MAJOR == (Maj) &&        \
    (H5_VERS_MINOR > (Min) || (H5_VERS_MINOR == (Min) && H5_VERS_RELEASE >= (Rel)))))
/**
 * Is the version above at most this one? For \#if.
 *
 * \param Maj Major number.
 * \param Min Minor number.
 * \param Rel Release number.
 */
#define H5_VERSION_LE(Maj, Min, Rel) \
  (H5_VERS_MAJOR < (Maj) ||          \
   (H5_VERS_MAJOR == (Maj) &&        \
    (H5_VERS_MINOR < (Min) || (H5_VERS_MINOR == (Min) && H5_VERS_RELEASE <= (Rel)))))

/**
 * Aborts the program when it was compiled with headers that don't go with the library
 * (H5check_version()).
 */
#define H5check() H5check_version(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)
/** @} */

/** \name Basic types */
/** @{ */
typedef int herr_t;   /**< Negative: failure. */
typedef int htri_t;   /**< Positive: yes; 0: no; negative: failure. */
typedef bool hbool_t; /**< Yes or no. */

typedef unsigned long long hsize_t;            /**< A size in elements or bytes. */
typedef signed long long hssize_t;             /**< A size or offset with sign. */
#define H5_SIZEOF_HSIZE_T H5_SIZEOF_LONG_LONG  /**< Bytes of hsize_t. */
#define H5_SIZEOF_HSSIZE_T H5_SIZEOF_LONG_LONG /**< Bytes of hssize_t. */
#define HSIZE_UNDEF ULLONG_MAX                 /**< No size. */
#define PRIdHSIZE H5_PRINTF_LL_WIDTH "d"       /**< printf() a hssize_t, as \%d. */
#define PRIiHSIZE H5_PRINTF_LL_WIDTH "i"       /**< printf() a hssize_t, as \%i. */
#define PRIoHSIZE H5_PRINTF_LL_WIDTH "o"       /**< printf() a hsize_t, as \%o. */
#define PRIuHSIZE H5_PRINTF_LL_WIDTH "u"       /**< printf() a hsize_t, as \%u. */
#define PRIxHSIZE H5_PRINTF_LL_WIDTH "x"       /**< printf() a hsize_t, as \%x. */
#define PRIXHSIZE H5_PRINTF_LL_WIDTH "X"       /**< printf() a hsize_t, as \%X. */
/** @} */

#if H5_SIZEOF_LONG >= 8

/** \name Addresses in a file */
/** @{ */
typedef unsigned long haddr_t;           /**< A place in a file, in bytes. */
#define HADDR_UNDEF ULONG_MAX            /**< No place. */
#define H5_SIZEOF_HADDR_T H5_SIZEOF_LONG /**< Bytes of haddr_t. */
#define PCIO_HADDR_WIDTH "l"             /**< Width modifier of printf() for haddr_t. */
/** @} */
#ifdef H5_HAVE_PARALLEL
#define HADDR_AS_MPI_TYPE MPI_UNSIGNED_LONG /**< MPI's type for haddr_t. */
#endif
#else

/** \name Addresses in a file */
/** @{ */
typedef unsigned long long haddr_t;           /**< A place in a file, in bytes. */
#define HADDR_UNDEF ULLONG_MAX                /**< No place. */
#define H5_SIZEOF_HADDR_T H5_SIZEOF_LONG_LONG /**< Bytes of haddr_t. */
#define PCIO_HADDR_WIDTH H5_PRINTF_LL_WIDTH   /**< Width modifier of printf() for haddr_t. */
/** @} */
#ifdef H5_HAVE_PARALLEL
#define HADDR_AS_MPI_TYPE MPI_UNSIGNED_LONG_LONG /**< MPI's type for haddr_t. */
#endif
#endif
#define HADDR_MAX (HADDR_UNDEF - 1)       /**< Largest place. */
#define PRIdHADDR PCIO_HADDR_WIDTH "d"    /**< printf() a haddr_t, as \%d. */
#define PRIoHADDR PCIO_HADDR_WIDTH "o"    /**< printf() a haddr_t, as \%o. */
#define PRIuHADDR PCIO_HADDR_WIDTH "u"    /**< printf() a haddr_t, as \%u. */
#define PRIxHADDR PCIO_HADDR_WIDTH "x"    /**< printf() a haddr_t, as \%x. */
#define PRIXHADDR PCIO_HADDR_WIDTH "X"    /**< printf() a haddr_t, as \%X. */
#define H5_PRINTF_HADDR_FMT "%" PRIuHADDR /**< A whole format for haddr_t. */

/** \name Iteration */
/** @{ */
/** Order in which an iteration goes. */
typedef enum {
  H5_ITER_UNKNOWN = -1, /**< No order. */
  H5_ITER_INC = 0,      /**< Increasing. */
  H5_ITER_DEC = 1,      /**< Decreasing. */
  H5_ITER_NATIVE = 2,   /**< Whatever is fastest; here increasing. */
  H5_ITER_N = 3         /**< Number of orders. */
} H5_iter_order_t;

/** Index that an iteration goes along. */
typedef enum H5_index_t {
  H5_INDEX_UNKNOWN = -1,  /**< No index. */
  H5_INDEX_NAME = 0,      /**< Names. */
  H5_INDEX_CRT_ORDER = 1, /**< Order of creation. */
  H5_INDEX_N = 2          /**< Number of indexes. */
} H5_index_t;

#define H5_ITER_ERROR (-1) /**< Callback: the iteration fails. */
#define H5_ITER_CONT (0)   /**< Callback: go on. */
#define H5_ITER_STOP (1)   /**< Callback: stop well. */

/** Bytes that an index and its heap take in the file. */
typedef struct H5_ih_info_t {
  hsize_t index_size; /**< Bytes of the index. */
  hsize_t heap_size;  /**< Bytes of the heap. */
} H5_ih_info_t;

/* Inside the library the predefined ids are used bare; everywhere else a use opens the library. */
#undef H5OPEN
#undef H5CHECK
/** @} */
#if defined(H5private_H) || defined(PCIO_INSIDE)

/** \name What predefined ids and flags call before they are used */
/** @{ */
#define H5OPEN  /**< Opens the library; nothing inside it. */
#define H5CHECK /**< Compares versions; nothing inside the library. */
/** @} */
#else

/** \name What predefined ids and flags call before they are used */
/** @{ */
#define H5OPEN H5open(),   /**< Opens the library; nothing inside it. */
#define H5CHECK H5check(), /**< Compares versions; nothing inside the library. */
/** @} */
#endif

/** \name Library as a whole */
/** @{ */
/**
 * Opens the library, as every other call does. It is legal before MPI_Init(), and makes no MPI
 * call.
 *
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5open(void);

/**
 * Closes everything that is open, and forgets all ids; the next call opens the library again.
 * Without parallel files it is local.
 *
 * \return 0, or negative on failure.
 * \communicates
 * \errors None are returned: what could not be committed is told on stderr, so close files
 *   first.
 */
H5_DLL herr_t H5close(void);

/**
 * Keeps the library from closing what is open when the process ends.
 *
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5dont_atexit(void);

/**
 * Does nothing; there are no free lists.
 *
 * \return 0, or negative on failure.
 * \local
 * \differs There are no free lists.
 */
H5_DLL herr_t H5garbage_collect(void);

/**
 * Does nothing; there are no free lists.
 *
 * \param reg_global_lim Ignored.
 * \param reg_list_lim Ignored.
 * \param arr_global_lim Ignored.
 * \param arr_list_lim Ignored.
 * \param blk_global_lim Ignored.
 * \param blk_list_lim Ignored.
 * \return 0, or negative on failure.
 * \local
 * \differs There are no free lists.
 */
H5_DLL herr_t H5set_free_list_limits(int reg_global_lim, int reg_list_lim, int arr_global_lim,
                                     int arr_list_lim, int blk_global_lim, int blk_list_lim);

/** Memory that the library has: H5get_alloc_stats(). */
typedef struct H5_alloc_stats_t {
  unsigned long long total_alloc_bytes; /**< Bytes allocated so far. */
  size_t curr_alloc_bytes;              /**< Bytes allocated now. */
  size_t peak_alloc_bytes;              /**< Most bytes at a time. */
  size_t max_block_size;                /**< Bytes of the largest block. */
  size_t total_alloc_blocks_count;      /**< Blocks allocated so far. */
  size_t curr_alloc_blocks_count;       /**< Blocks allocated now. */
  size_t peak_alloc_blocks_count;       /**< Most blocks at a time. */
} H5_alloc_stats_t;

/**
 * Tells what memory the library has; nothing is counted, as in a libhdf5 that is not built for it.
 *
 * \param stats Set to zeros; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5get_alloc_stats(H5_alloc_stats_t *stats);

/**
 * Tells what is in free lists; there are none.
 *
 * \param reg_size Set to 0; may be NULL.
 * \param arr_size Set to 0; may be NULL.
 * \param blk_size Set to 0; may be NULL.
 * \param fac_size Set to 0; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \differs There are no free lists: all sizes are 0.
 */
H5_DLL herr_t H5get_free_list_sizes(size_t *reg_size, size_t *arr_size, size_t *blk_size,
                                    size_t *fac_size);

/**
 * Tells the version of the HDF5 interface that the library has.
 *
 * \param majnum Set to the major number; may be NULL.
 * \param minnum Set to the minor number; may be NULL.
 * \param relnum Set to the release number; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5get_libversion(unsigned *majnum, unsigned *minnum, unsigned *relnum);

/**
 * Aborts the program unless it was compiled with headers of HDF5 1.10; those of 1.10.0, .1, .2 and .4
 * don't go with the library either. HDF5_DISABLE_VERSION_CHECK=1 warns only, 2 is silent.
 *
 * \param majnum Major number of the headers.
 * \param minnum Minor number.
 * \param relnum Release number.
 * \return 0.
 * \local
 */
H5_DLL herr_t H5check_version(unsigned majnum, unsigned minnum, unsigned relnum);

/**
 * Tells whether threads may call the library at the same time. They may: calls on one file are made one
 * after the other, those on others meanwhile; the error stack is each thread's own. Those on files
 * of several ranks take turns below MPI_THREAD_MULTIPLE.
 *
 * \param is_ts Set to 1; may be NULL.
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5is_library_threadsafe(hbool_t *is_ts);
/** @} */

/** \name Memory that the library hands out or takes over */
/** @{ */
/**
 * Frees memory that the library handed out.
 *
 * \param mem The memory; may be NULL.
 * \return 0.
 * \local
 */
H5_DLL herr_t H5free_memory(void *mem);

/**
 * Gets memory that the library may free.
 *
 * \param size Bytes.
 * \param clear Nonzero: all bytes are 0.
 * \return The memory; NULL for 0 bytes, and on failure.
 * \local
 */
H5_DLL void *H5allocate_memory(size_t size, hbool_t clear);

/**
 * Changes the size of such memory.
 *
 * \param mem The memory; NULL: none yet.
 * \param size Bytes; 0 frees it.
 * \return The memory; NULL for 0 bytes, and on failure.
 * \local
 */
H5_DLL void *H5resize_memory(void *mem, size_t size);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
