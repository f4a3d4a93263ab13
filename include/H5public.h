/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
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

#ifdef H5_HAVE_PARALLEL
/* The C++ bindings of MPI are gone from the standard and clash with C headers: keep them out. */
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the HDF5 interface. The library's own version is PCIO_VERSION in pcio.h. */
#define H5_VERS_MAJOR 1
#define H5_VERS_MINOR 10
#define H5_VERS_RELEASE 8
#define H5_VERS_SUBRELEASE ""
#define H5_VERS_INFO "HDF5 library version: 1.10.8"

/* Comparison of (major, minor, release) with the version above, for #if. */
#define H5_VERSION_GE(Maj, Min, Rel) \
  (H5_VERS_MAJOR > (Maj) ||          \
   (H5_VERS_MAJOR == (Maj) &&        \
    (H5_VERS_MINOR > (Min) || (H5_VERS_MINOR == (Min) && H5_VERS_RELEASE >= (Rel)))))
#define H5_VERSION_LE(Maj, Min, Rel) \
  (H5_VERS_MAJOR < (Maj) ||          \
   (H5_VERS_MAJOR == (Maj) &&        \
    (H5_VERS_MINOR < (Min) || (H5_VERS_MINOR == (Min) && H5_VERS_RELEASE <= (Rel)))))

/* Aborts the program when it was compiled with other headers than the library's. */
#define H5check() H5check_version(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE)

/* Negative: failure. For htri_t besides: 0 false, positive true. */
typedef int herr_t;
typedef int htri_t;
typedef bool hbool_t;

/* Sizes in elements or bytes, and file addresses in bytes. */
typedef unsigned long long hsize_t;
typedef signed long long hssize_t;
#define H5_SIZEOF_HSIZE_T H5_SIZEOF_LONG_LONG
#define H5_SIZEOF_HSSIZE_T H5_SIZEOF_LONG_LONG
#define HSIZE_UNDEF ULLONG_MAX
#define PRIdHSIZE H5_PRINTF_LL_WIDTH "d"
#define PRIiHSIZE H5_PRINTF_LL_WIDTH "i"
#define PRIoHSIZE H5_PRINTF_LL_WIDTH "o"
#define PRIuHSIZE H5_PRINTF_LL_WIDTH "u"
#define PRIxHSIZE H5_PRINTF_LL_WIDTH "x"
#define PRIXHSIZE H5_PRINTF_LL_WIDTH "X"

#if H5_SIZEOF_LONG >= 8
typedef unsigned long haddr_t;
#define HADDR_UNDEF ULONG_MAX
#define H5_SIZEOF_HADDR_T H5_SIZEOF_LONG
#define PCIO_HADDR_WIDTH "l"
#ifdef H5_HAVE_PARALLEL
#define HADDR_AS_MPI_TYPE MPI_UNSIGNED_LONG
#endif
#else
typedef unsigned long long haddr_t;
#define HADDR_UNDEF ULLONG_MAX
#define H5_SIZEOF_HADDR_T H5_SIZEOF_LONG_LONG
#define PCIO_HADDR_WIDTH H5_PRINTF_LL_WIDTH
#ifdef H5_HAVE_PARALLEL
#define HADDR_AS_MPI_TYPE MPI_UNSIGNED_LONG_LONG
#endif
#endif
#define HADDR_MAX (HADDR_UNDEF - 1)
#define PRIdHADDR PCIO_HADDR_WIDTH "d"
#define PRIoHADDR PCIO_HADDR_WIDTH "o"
#define PRIuHADDR PCIO_HADDR_WIDTH "u"
#define PRIxHADDR PCIO_HADDR_WIDTH "x"
#define PRIXHADDR PCIO_HADDR_WIDTH "X"
#define H5_PRINTF_HADDR_FMT "%" PRIuHADDR

/* Order in which an iteration goes, and the index that it goes along. */
typedef enum {
  H5_ITER_UNKNOWN = -1,
  H5_ITER_INC = 0,
  H5_ITER_DEC = 1,
  H5_ITER_NATIVE = 2,
  H5_ITER_N = 3
} H5_iter_order_t;

typedef enum H5_index_t {
  H5_INDEX_UNKNOWN = -1,
  H5_INDEX_NAME = 0,
  H5_INDEX_CRT_ORDER = 1,
  H5_INDEX_N = 2
} H5_index_t;

/* What an iteration callback returns. */
#define H5_ITER_ERROR (-1)
#define H5_ITER_CONT (0)
#define H5_ITER_STOP (1)

/* Bytes that an index and its heap take in the file. */
typedef struct H5_ih_info_t {
  hsize_t index_size;
  hsize_t heap_size;
} H5_ih_info_t;

/* Inside the library the predefined ids are used bare; everywhere else a use opens the library. */
#undef H5OPEN
#undef H5CHECK
#if defined(H5private_H) || defined(PCIO_INSIDE)
#define H5OPEN
#define H5CHECK
#else
#define H5OPEN H5open(),
#define H5CHECK H5check(),
#endif

/* Library as a whole. None of these communicates; H5open is legal before MPI_Init. */
H5_DLL herr_t H5open(void);
H5_DLL herr_t H5close(void);
H5_DLL herr_t H5dont_atexit(void);
H5_DLL herr_t H5garbage_collect(void);
H5_DLL herr_t H5set_free_list_limits(int reg_global_lim, int reg_list_lim, int arr_global_lim,
                                     int arr_list_lim, int blk_global_lim, int blk_list_lim);
H5_DLL herr_t H5get_libversion(unsigned *majnum, unsigned *minnum, unsigned *relnum);
H5_DLL herr_t H5check_version(unsigned majnum, unsigned minnum, unsigned relnum);
H5_DLL herr_t H5is_library_threadsafe(hbool_t *is_ts);

/* Memory that the library hands out or takes over. */
H5_DLL herr_t H5free_memory(void *mem);
H5_DLL void *H5allocate_memory(size_t size, hbool_t clear);
H5_DLL void *H5resize_memory(void *mem, size_t size);

#ifdef __cplusplus
}
#endif

#endif
