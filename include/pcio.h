/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What libpcio has beyond HDF5's interface (room: include): its version, and the truth about a
 * transfer. Nothing here communicates. HDF5's own calls are in hdf5.h, which this header includes.
 *
 * Typical use after a collective write with the transfer list dxpl:
 *
 *     pcio_transfer_summary_t s;
 *     char why[256];
 *     pcio_get_transfer_summary(dxpl, &s, sizeof s);
 *     pcio_cause_text(s.global_causes, why, sizeof why);
 *     printf("%s by %s, %llu bytes; %s\n", pcio_io_mode_name(s.actual_io_mode),
 *            pcio_transport_name(s.transport), (unsigned long long)s.bytes_done, why);
 */
#ifndef pcio_H
#define pcio_H

#include "H5FDmpi.h"
#include "H5Ppublic.h"
#include "H5public.h"

#ifdef __cplusplus
extern "C" {
#endif

/* PCIO_VERSION and its three numbers are in H5pubconf.h; this is for comparisons in #if. */
#define PCIO_VERSION_NUMBER \
  (PCIO_VERSION_MAJOR * 10000 + PCIO_VERSION_MINOR * 100 + PCIO_VERSION_PATCH)

/*
 * Version of the library that is running, not of the headers. Any pointer may be NULL.
 * The string has static storage.
 */
PCIO_DLL void pcio_version(unsigned *major, unsigned *minor, unsigned *patch);
PCIO_DLL const char *pcio_version_string(void);

/* How the bytes of a transfer went between memory and file. */
typedef enum pcio_transport_t {
  PCIO_TRANSPORT_NONE = 0,    /* nothing was moved on this rank */
  PCIO_TRANSPORT_DIRECT = 1,  /* each rank's own runs, explicit offsets */
  PCIO_TRANSPORT_VIEW = 2,    /* a file view and one collective MPI-IO call */
  PCIO_TRANSPORT_EXCHANGE = 3 /* pieces sent to owners of file ranges, who do the I/O */
} pcio_transport_t;

/* Direction of a transfer. */
typedef enum pcio_direction_t {
  PCIO_DIRECTION_NONE = 0, /* the list has not been used yet */
  PCIO_DIRECTION_READ = 1,
  PCIO_DIRECTION_WRITE = 2
} pcio_direction_t;

/*
 * What the last transfer with a list asked for and what it did, on this rank. Counters count calls
 * where they are made. Modes are those of the protocol: collective means that the ranks planned
 * these bytes together, all took part, and agreed on the outcome.
 */
typedef struct pcio_transfer_summary_t {
  pcio_direction_t direction;
  H5FD_mpio_xfer_t requested_mode;
  H5D_mpio_actual_io_mode_t actual_io_mode;
  H5D_mpio_actual_chunk_opt_mode_t actual_chunk_opt_mode;
  pcio_transport_t transport;
  uint32_t local_causes;       /* bits of H5D_mpio_no_collective_cause_t, this rank's */
  uint32_t global_causes;      /* the same, of all ranks together */
  uint32_t succeeded;          /* 1: the bytes arrived; 0: the transfer failed */
  uint64_t bytes_selected;     /* bytes of this rank's selection, in the file's type */
  uint64_t bytes_done;         /* bytes this rank moved to or from the file, also for others */
  uint64_t chunks_touched;     /* chunks in this rank's selection; 0 if not chunked */
  uint64_t independent_writes; /* MPI_File_write_at, MPI_File_write */
  uint64_t independent_reads;  /* MPI_File_read_at, MPI_File_read */
  uint64_t collective_writes;  /* MPI_File_write_at_all */
  uint64_t collective_reads;   /* MPI_File_read_at_all */
  uint64_t view_changes;       /* MPI_File_set_view */
  uint64_t posix_writes;       /* write calls of the drivers that do not use MPI-IO */
  uint64_t posix_reads;        /* read calls of the same */
} pcio_transfer_summary_t;

/*
 * Fills *summary from the transfer list dxpl_id. Pass sizeof(pcio_transfer_summary_t): the
 * structure grows at its end only, and no more than `size` bytes are written. Errors: not a
 * transfer list (H5P_DEFAULT keeps nothing); size 0. *summary is then unchanged.
 */
PCIO_DLL herr_t pcio_get_transfer_summary(hid_t dxpl_id, pcio_transfer_summary_t *summary,
                                          size_t size);

/*
 * Cause bits in words, separated by ", "; "collective" when there is none.
 * Writes at most len bytes with the terminating NUL, and returns the length of the whole text
 * without it, as snprintf does. buf may be NULL when len is 0.
 */
PCIO_DLL ssize_t pcio_cause_text(uint32_t causes, char *buf, size_t len);

/* Short names for reports, with static storage; "unknown" for a number that is none. */
PCIO_DLL const char *pcio_transport_name(pcio_transport_t transport);
PCIO_DLL const char *pcio_io_mode_name(H5D_mpio_actual_io_mode_t mode);
PCIO_DLL const char *pcio_chunk_opt_mode_name(H5D_mpio_actual_chunk_opt_mode_t mode);

/* Getters for settings of a transfer list that HDF5 can only set. Any pointer may be NULL. */
#ifdef H5_HAVE_PARALLEL
PCIO_DLL herr_t pcio_get_dxpl_mpio_collective_opt(hid_t dxpl_id,
                                                  H5FD_mpio_collective_opt_t *opt_mode);
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t *opt_mode);
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned *num_chunk_per_proc);
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id,
                                                   unsigned *percent_num_proc_per_chunk);
#endif
PCIO_DLL herr_t pcio_get_filter_callback(hid_t dxpl_id, H5Z_filter_func_t *func, void **op_data);

#ifdef __cplusplus
}
#endif

#endif
