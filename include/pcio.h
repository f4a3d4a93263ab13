/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * What libpcio has beyond HDF5's interface (room: include): its version, the truth about a
 * transfer, and what can be asked of one. HDF5's own calls are in hdf5.h, which this header
 * includes.
 * Nothing here communicates, except pcio_explain of a collective transfer.
 *
 * Typical use after a collective write with the transfer list dxpl:
 *
 *     pcio_transfer_report_t r;
 *     char why[256];
 *     pcio_get_transfer_report(dxpl, &r, sizeof r);
 *     pcio_cause_text(r.global_causes, why, sizeof why);
 *     printf("%s by %s (%s), %llu bytes written; %s\n", pcio_io_mode_name(r.actual_io_mode),
 *            pcio_transport_name(r.transport), r.transport_why,
 *            (unsigned long long)r.bytes_written, why);
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
  PCIO_TRANSPORT_EXCHANGE = 3, /* pieces sent to owners of file ranges, who do the I/O */
  PCIO_TRANSPORT_BROADCAST = 4 /* one rank read what all want, the others got it from that rank */
} pcio_transport_t;

/* Direction of a transfer. */
typedef enum pcio_direction_t {
  PCIO_DIRECTION_NONE = 0, /* the list has not been used yet */
  PCIO_DIRECTION_READ = 1,
  PCIO_DIRECTION_WRITE = 2
} pcio_direction_t;

/* What pcio_transfer_report_t.version says; grows with the structure. */
#define PCIO_TRANSFER_REPORT_VERSION 1

/* Bits of pcio_transfer_report_t.traits: this rank's part of the transfer. */
#define PCIO_TRAIT_REGULAR_FILE 0x1u   /* file selection: one regular hyperslab, all or none */
#define PCIO_TRAIT_REGULAR_MEMORY 0x2u /* memory selection: the same */
#define PCIO_TRAIT_CONVERTED 0x4u      /* memory and file type differ: a conversion ran */
#define PCIO_TRAIT_TRANSFORMED 0x8u    /* a data transform ran */
#define PCIO_TRAIT_FILTERED 0x10u      /* the dataset has filters */

/*
 * What the last transfer with a list asked for and what it did, on this rank. Counters count calls
 * where they are made. Modes are those of the protocol: collective means that the ranks planned
 * these bytes together, all took part, and agreed on the outcome.
 */
typedef struct pcio_transfer_report_t {
  uint32_t version; /* PCIO_TRANSFER_REPORT_VERSION of the library */
  pcio_direction_t direction;

  /* asked for, by the transfer list or the environment */
  H5FD_mpio_xfer_t requested_mode;
  H5FD_mpio_collective_opt_t requested_collective_opt;
  H5FD_mpio_chunk_opt_t requested_chunk_opt;
  uint32_t requested_chunk_opt_num;     /* chunks per process */
  uint32_t requested_chunk_opt_ratio;   /* percent of the processes */
  pcio_transport_t requested_transport; /* NONE: automatic */

  /* done */
  H5D_mpio_actual_io_mode_t actual_io_mode;
  H5D_mpio_actual_chunk_opt_mode_t actual_chunk_opt_mode;
  pcio_transport_t transport;
  uint32_t local_causes;  /* bits of H5D_mpio_no_collective_cause_t, this rank's */
  uint32_t global_causes; /* the same, of all ranks together */
  uint32_t succeeded;     /* 1: the bytes arrived; 0: the transfer failed */
  uint32_t verified;      /* 1: each byte written was counted at the I/O call, or read back */
  uint32_t traits;        /* PCIO_TRAIT_... */

  uint64_t bytes_selected; /* of this rank's selection, in the file's type */
  uint64_t bytes_written;  /* by this rank to the file, also for other ranks */
  uint64_t bytes_read;     /* by this rank from the file, also for other ranks */

  /* chunks of the dataset; all 0 where it is not chunked */
  uint64_t chunks_touched;     /* in this rank's selection */
  uint64_t chunks_collective;  /* of these, by collective I/O */
  uint64_t chunks_independent; /* of these, by independent I/O */
  uint64_t chunks_untouched;   /* the others */

  uint64_t independent_writes; /* MPI_File_write_at, MPI_File_write */
  uint64_t independent_reads;  /* MPI_File_read_at, MPI_File_read */
  uint64_t collective_writes;  /* MPI_File_write_at_all */
  uint64_t collective_reads;   /* MPI_File_read_at_all */
  uint64_t view_changes;       /* MPI_File_set_view */
  uint64_t posix_writes;       /* write calls of the drivers that do not use MPI-IO */
  uint64_t posix_reads;        /* read calls of the same */

  /* to and from other ranks, as MPI messages or through memory that they share */
  uint64_t bytes_sent;
  uint64_t bytes_received;
  uint64_t messages_sent;
  uint64_t messages_received;
  uint64_t exchange_rounds;

  uint64_t nanoseconds;      /* from call to return */
  const char *transport_why; /* why this transport: a text with static storage, never NULL */
} pcio_transfer_report_t;

/*
 * Fills *report from the transfer list dxpl_id. Pass sizeof(pcio_transfer_report_t): the structure
 * grows at its end only, and no more than `size` bytes are written. Errors: not a transfer list
 * (H5P_DEFAULT keeps nothing); size 0. *report is then unchanged.
 */
PCIO_DLL herr_t pcio_get_transfer_report(hid_t dxpl_id, pcio_transfer_report_t *report,
                                         size_t size);

/*
 * The same as a JSON object (doc/REPORT.md). Writes at most len bytes with the terminating NUL, and
 * returns the length of the whole text without it, as snprintf does. buf may be NULL when len is 0.
 */
PCIO_DLL ssize_t pcio_transfer_report_json(hid_t dxpl_id, char *buf, size_t len);

/* How one chunk was accessed. */
typedef struct pcio_chunk_mode_t {
  uint64_t ordinal;      /* row-major number in the grid of chunks of the dataset's extent */
  H5FD_mpio_xfer_t mode; /* H5FD_MPIO_INDEPENDENT or H5FD_MPIO_COLLECTIVE */
} pcio_chunk_mode_t;

/*
 * The mode of each chunk that this rank touched in the last transfer with the list, ascending by
 * ordinal. Kept only where pcio_set_dxpl_report_chunks asked for it before the transfer; else there
 * are none. With modes NULL, *count becomes their number; else *count says how many fit into modes,
 * at most so many are written, and *count becomes the number of all.
 */
PCIO_DLL herr_t pcio_get_chunk_modes(hid_t dxpl_id, size_t *count, pcio_chunk_mode_t *modes);

/*
 * What H5Dwrite or H5Dread with these arguments would do, without doing it: fills *report as
 * pcio_get_transfer_report would afterwards, but succeeded and nanoseconds are 0. Nothing is moved
 * (metadata may be read), and the list keeps no report.
 * Collective over the file where the list asks for collective transfer, else independent.
 * direction: PCIO_DIRECTION_READ or PCIO_DIRECTION_WRITE. Errors: those of the transfer.
 */
PCIO_DLL herr_t pcio_explain(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id,
                             hid_t file_space_id, hid_t dxpl_id, pcio_direction_t direction,
                             pcio_transfer_report_t *report, size_t size);

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

/*
 * A property of a dataset access list, for H5Dcreate and H5Dopen on files that several ranks write; equal
 * on all ranks. By default every unfiltered chunk gets its place in the file at H5Dcreate and
 * H5Dset_extent, so that independent writes always work. With late allocation chunks get theirs in
 * the first collective write that touches them, so what is never written takes no room; an
 * independent write to a chunk without a place is an error. H5D_ALLOC_TIME_EARLY in the creation
 * list wins. Without effect on serial files.
 */
PCIO_DLL herr_t pcio_set_dapl_late_allocation(hid_t dapl_id, hbool_t late);
PCIO_DLL herr_t pcio_get_dapl_late_allocation(hid_t dapl_id, hbool_t *late);

/*
 * Properties of a transfer list beyond HDF5's; in a collective transfer they must be equal on all
 * ranks, but for the keeping of chunk modes. Getters: any pointer may be NULL.
 *
 * transport: how the bytes of a collective transfer go; NONE (default): chosen automatically.
 *   BROADCAST can't be asked for. A transport that this build does not have fails the transfer.
 * exchange_memory: bytes of all buffers of the exchange transport on one rank; at least 1 MiB;
 *   default 16 MiB.
 * report_chunks: nonzero: the list keeps the mode of each chunk, for pcio_get_chunk_modes.
 */
PCIO_DLL herr_t pcio_set_dxpl_transport(hid_t dxpl_id, pcio_transport_t transport);
PCIO_DLL herr_t pcio_get_dxpl_transport(hid_t dxpl_id, pcio_transport_t *transport);
PCIO_DLL herr_t pcio_set_dxpl_exchange_memory(hid_t dxpl_id, size_t bytes);
PCIO_DLL herr_t pcio_get_dxpl_exchange_memory(hid_t dxpl_id, size_t *bytes);
PCIO_DLL herr_t pcio_set_dxpl_report_chunks(hid_t dxpl_id, hbool_t keep);
PCIO_DLL herr_t pcio_get_dxpl_report_chunks(hid_t dxpl_id, hbool_t *keep);

/*
 * What a commit (H5Fcreate, H5Fflush, H5Fclose) waits for. A program that is killed never loses a
 * commit, whatever the level; these are about machines and their storage.
 */
typedef enum pcio_durability_t {
  PCIO_DURABILITY_NONE = 0,      /* the system writes in its own time (default) */
  PCIO_DURABILITY_CHECKED = 1,   /* failed writes that the file system tells late are known before the
                                    commit counts; always so on NFS, Lustre and their like */
  PCIO_DURABILITY_POWER_LOSS = 2 /* each step of the commit is in the storage before the next one */
} pcio_durability_t;

/*
 * Property of a file access list. The most that any rank, and the environment variable
 * PCIO_DURABILITY ("checked", "power_loss"), asks for counts. Errors: no such level.
 */
PCIO_DLL herr_t pcio_set_fapl_durability(hid_t fapl_id, pcio_durability_t level);
PCIO_DLL herr_t pcio_get_fapl_durability(hid_t fapl_id, pcio_durability_t *level);

/*
 * Property of a file access list. Memory in which a rank of a parallel file keeps whole chunks with
 * filters that it wrote independently, for all datasets of the file, until all ranks meet
 * (doc/FILTERS.md); bytes, 64 MiB by default, 0: none may wait. The least that any rank asks for
 * counts.
 */
PCIO_DLL herr_t pcio_set_fapl_waiting_memory(hid_t fapl_id, size_t bytes);
PCIO_DLL herr_t pcio_get_fapl_waiting_memory(hid_t fapl_id, size_t *bytes);

/* How a file stands, going by its superblock and its last bytes (doc/COMMIT.md). */
typedef enum pcio_commit_state_t {
  PCIO_COMMIT_WHOLE = 0,  /* the last commit is what everybody reads */
  PCIO_COMMIT_WINDOW = 1, /* cut in a commit whose journal is whole: libpcio reads it, others refuse */
  PCIO_COMMIT_TORN = 2,   /* the same, and the superblock itself is cut */
  PCIO_COMMIT_BROKEN = 3  /* cut in a commit, and there is no journal for it: not readable */
} pcio_commit_state_t;

/* What pcio_commit_info_t.version says; grows with the structure. */
#define PCIO_COMMIT_INFO_VERSION 1

typedef struct pcio_commit_info_t {
  uint32_t version;          /* PCIO_COMMIT_INFO_VERSION of the library */
  pcio_commit_state_t state;
  uint64_t file_size;        /* bytes */
  uint64_t user_block;       /* bytes before the superblock */
  uint64_t end_of_file;      /* where the file ends for a reader, user block included */
  uint64_t journal_start;    /* of the journal, if there is one that counts; else 0 */
  uint64_t journal_blocks;   /* blocks that the commit overwrites */
  uint64_t journal_bytes;    /* bytes in them */
  uint64_t sequence;         /* number of the commit in the session that wrote it */
  char why[256];             /* for BROKEN: why there is no journal; else empty */
} pcio_commit_info_t;

/*
 * Looks at a file on this process, without MPI, without locks, without changing it. Pass sizeof
 * (pcio_commit_info_t): no more than `size` bytes are written. Errors: the file can't be read; it is
 * not an HDF5 file; its superblock is damaged in another way. *info is then unchanged.
 */
PCIO_DLL herr_t pcio_get_commit_info(const char *filename, pcio_commit_info_t *info, size_t size);

/*
 * Completes the commit of a file in WINDOW or TORN, as opening it for writing does: writes the
 * journal's blocks to their places, then the superblock, and cuts the file to its end, each in the
 * storage before the next. A WHOLE file is left alone. May be killed and repeated. Local to this
 * process. Errors: BROKEN; another program has the file open for writing; the storage fails.
 */
PCIO_DLL herr_t pcio_complete_commit(const char *filename);

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
