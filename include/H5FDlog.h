/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The POSIX driver that writes down what it does (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDlog_H
#define H5FDlog_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_LOG (H5FD_log_init()) /**< Id of the log driver. */
/** Truncations. */
#define H5FD_LOG_TRUNCATE 0x00000001
/** All that changes no bytes. */
#define H5FD_LOG_META_IO (H5FD_LOG_TRUNCATE)
/** Each read. */
#define H5FD_LOG_LOC_READ 0x00000002
/** Each write. */
#define H5FD_LOG_LOC_WRITE 0x00000004
/** Seeks; there are none. */
#define H5FD_LOG_LOC_SEEK 0x00000008
/** All three. */
#define H5FD_LOG_LOC_IO (H5FD_LOG_LOC_READ | H5FD_LOG_LOC_WRITE | H5FD_LOG_LOC_SEEK)
/** How often each byte was read. */
#define H5FD_LOG_FILE_READ 0x00000010
/** How often each byte was written. */
#define H5FD_LOG_FILE_WRITE 0x00000020
/** Both. */
#define H5FD_LOG_FILE_IO (H5FD_LOG_FILE_READ | H5FD_LOG_FILE_WRITE)
/** What bytes are for; not known to the driver here. */
#define H5FD_LOG_FLAVOR 0x00000040
/** Number of reads. */
#define H5FD_LOG_NUM_READ 0x00000080
/** Number of writes. */
#define H5FD_LOG_NUM_WRITE 0x00000100
/** Number of seeks. */
#define H5FD_LOG_NUM_SEEK 0x00000200
/** Number of truncations. */
#define H5FD_LOG_NUM_TRUNCATE 0x00000400
/** All four. */
#define H5FD_LOG_NUM_IO \
  (H5FD_LOG_NUM_READ | H5FD_LOG_NUM_WRITE | H5FD_LOG_NUM_SEEK | H5FD_LOG_NUM_TRUNCATE)
/** Time of the open. */
#define H5FD_LOG_TIME_OPEN 0x00000800
/** Time of asking for the identity. */
#define H5FD_LOG_TIME_STAT 0x00001000
/** Time of reads. */
#define H5FD_LOG_TIME_READ 0x00002000
/** Time of writes. */
#define H5FD_LOG_TIME_WRITE 0x00004000
/** Time of seeks. */
#define H5FD_LOG_TIME_SEEK 0x00008000
/** Time of truncations. */
#define H5FD_LOG_TIME_TRUNCATE 0x00010000
/** Time of the close. */
#define H5FD_LOG_TIME_CLOSE 0x00020000
/** All times. */
#define H5FD_LOG_TIME_IO                                                                \
  (H5FD_LOG_TIME_OPEN | H5FD_LOG_TIME_STAT | H5FD_LOG_TIME_READ | H5FD_LOG_TIME_WRITE | \
   H5FD_LOG_TIME_SEEK | H5FD_LOG_TIME_TRUNCATE | H5FD_LOG_TIME_CLOSE)
/** Space given out; not known to the driver here. */
#define H5FD_LOG_ALLOC 0x00040000
/** Space given back; not known to the driver here. */
#define H5FD_LOG_FREE 0x00080000
/** Everything. */
#define H5FD_LOG_ALL                                                                       \
  (H5FD_LOG_FREE | H5FD_LOG_ALLOC | H5FD_LOG_TIME_IO | H5FD_LOG_NUM_IO | H5FD_LOG_FLAVOR | \
   H5FD_LOG_FILE_IO | H5FD_LOG_LOC_IO | H5FD_LOG_META_IO)

#ifdef __cplusplus
extern "C" {
#endif

/** \name The log driver */
/** @{ */
/**
 * The driver's id; H5FD_LOG calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_log_init(void);

/**
 * Asks for the POSIX driver with a log.
 *
 * \param fapl_id File access list.
 * \param logfile Written anew at each open; NULL: standard error.
 * \param flags H5FD_LOG_... bits; 0: no log.
 * \param buf_size So many bytes of the file are counted one by one (H5FD_LOG_FILE_IO).
 * \return 0, or negative on failure.
 * \local
 */
H5_DLL herr_t H5Pset_fapl_log(hid_t fapl_id, const char *logfile, unsigned long long flags,
                              size_t buf_size);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
