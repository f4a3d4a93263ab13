/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * What libpcio has beyond HDF5's interface (room: include): its version, the truth about a
 * transfer, and what can be asked of one. HDF5's own calls are in hdf5.h, which this header
 * includes.
 *
 * Nothing here communicates, except pcio_agree(), and pcio_explain() of a collective transfer.
 *
 * Typical use after a collective write with the transfer list dxpl:
 *
 * \code
 * pcio_transfer_report_t r;
 * char why[256];
 * pcio_get_transfer_report(dxpl, &r, sizeof r);
 * pcio_cause_text(r.global_causes, why, sizeof why);
 * printf("%s by %s (%s), %llu bytes written; %s\n", pcio_io_mode_name(r.actual_io_mode),
 *        pcio_transport_name(r.transport), r.transport_why,
 *        (unsigned long long)r.bytes_written, why);
 * \endcode
 */
#ifndef pcio_H
#define pcio_H

#include "H5FDmpi.h"
#include "H5Ppublic.h"
#include "H5public.h"

/** \defgroup PCIO pcio.h: beyond HDF5
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/** \name Version */
/** @{ */
/**
 * Version of these headers as one number, for comparisons in \#if; PCIO_VERSION and its three
 * numbers are in H5pubconf.h.
 */
#define PCIO_VERSION_NUMBER \
  (PCIO_VERSION_MAJOR * 10000 + PCIO_VERSION_MINOR * 100 + PCIO_VERSION_PATCH)

/**
 * Version of the library that is running, not of the headers.
 *
 * \param major Set to it; may be NULL.
 * \param minor Set to it; may be NULL.
 * \param patch Set to it; may be NULL.
 * \local
 */
PCIO_DLL void pcio_version(unsigned *major, unsigned *minor, unsigned *patch);

/**
 * The same as a text.
 *
 * \return "major.minor.patch", with static storage.
 * \local
 */
PCIO_DLL const char *pcio_version_string(void);
/** @} */

/** \name What a transfer did */
/** @{ */
/** How the bytes of a transfer went between memory and file. */
typedef enum pcio_transport_t {
  PCIO_TRANSPORT_NONE = 0,     /**< Nothing was moved on this rank. */
  PCIO_TRANSPORT_DIRECT = 1,   /**< Each rank's own runs, explicit offsets. */
  PCIO_TRANSPORT_VIEW = 2,     /**< A file view and one collective MPI-IO call. */
  PCIO_TRANSPORT_EXCHANGE = 3, /**< Pieces sent to owners of file ranges, who do the I/O. */
  /** One rank read what all want, the others got it from that rank. */
  PCIO_TRANSPORT_BROADCAST = 4
} pcio_transport_t;

/** Direction of a transfer. */
typedef enum pcio_direction_t {
  PCIO_DIRECTION_NONE = 0, /**< The list has not been used yet. */
  PCIO_DIRECTION_READ = 1, /**< Reading. */
  PCIO_DIRECTION_WRITE = 2 /**< Writing. */
} pcio_direction_t;

/** What pcio_transfer_report_t.version says; grows with the structure. */
#define PCIO_TRANSFER_REPORT_VERSION 1

#define PCIO_TRAIT_REGULAR_FILE 0x1u   /**< File selection: one regular hyperslab, all or none. */
#define PCIO_TRAIT_REGULAR_MEMORY 0x2u /**< Memory selection: the same. */
#define PCIO_TRAIT_CONVERTED 0x4u      /**< Memory and file type differ: a conversion ran. */
#define PCIO_TRAIT_TRANSFORMED 0x8u    /**< A data transform ran. */
#define PCIO_TRAIT_FILTERED 0x10u      /**< The dataset has filters. */

/**
 * What the last transfer with a list asked for and what it did, on this rank. Counters count calls
 * where they are made. Modes are those of the protocol: collective means that the ranks planned
 * these bytes together, all took part, and agreed on the outcome.
 */
typedef struct pcio_transfer_report_t {
  uint32_t version;           /**< PCIO_TRANSFER_REPORT_VERSION of the library. */
  pcio_direction_t direction; /**< Reading, writing, or none yet. */

  /* asked for, by the transfer list or the environment */
  H5FD_mpio_xfer_t requested_mode; /**< Independent or collective. */
  /** How a collective transfer is to move its bytes. */
  H5FD_mpio_collective_opt_t requested_collective_opt;
  H5FD_mpio_chunk_opt_t requested_chunk_opt; /**< What it is to do with chunks. */
  uint32_t requested_chunk_opt_num;          /**< Chunks per process. */
  uint32_t requested_chunk_opt_ratio;        /**< Percent of the processes. */
  pcio_transport_t requested_transport;      /**< NONE: automatic. */

  /* done */
  /** Whether it was collective. */
  H5D_mpio_actual_io_mode_t actual_io_mode;
  /** What was done with chunks. */
  H5D_mpio_actual_chunk_opt_mode_t actual_chunk_opt_mode;
  /** How the bytes of the last step went. */
  pcio_transport_t transport;
  uint32_t local_causes;  /**< Bits of H5D_mpio_no_collective_cause_t, this rank's. */
  uint32_t global_causes; /**< The same, of all ranks together. */
  uint32_t succeeded;     /**< 1: the bytes arrived; 0: the transfer failed. */
  uint32_t verified;      /**< 1: each byte written was counted at the I/O call, or read back. */
  uint32_t traits;        /**< PCIO_TRAIT_... */

  /** Of this rank's selection, in the file's type; of variable-length elements with what they refer to. */
  uint64_t bytes_selected;
  uint64_t bytes_written;  /**< By this rank to the file, also for other ranks. */
  uint64_t bytes_read;     /**< By this rank from the file, also for other ranks. */

  /* chunks of the dataset; all 0 where it is not chunked */
  uint64_t chunks_touched;     /**< In this rank's selection. */
  uint64_t chunks_collective;  /**< Of these, by collective I/O. */
  uint64_t chunks_independent; /**< Of these, by independent I/O. */
  uint64_t chunks_untouched;   /**< The others. */

  uint64_t independent_writes; /**< MPI_File_write_at, MPI_File_write; pwrite in their place. */
  uint64_t independent_reads;  /**< MPI_File_read_at, MPI_File_read. */
  uint64_t collective_writes;  /**< MPI_File_write_at_all. */
  uint64_t collective_reads;   /**< MPI_File_read_at_all. */
  uint64_t view_changes;       /**< MPI_File_set_view. */
  uint64_t posix_writes;       /**< Write calls of the drivers that do not use MPI-IO. */
  uint64_t posix_reads;        /**< Read calls of the same. */

  /* to and from other ranks, as MPI messages or through memory that they share */
  uint64_t bytes_sent;        /**< Bytes to other ranks. */
  uint64_t bytes_received;    /**< Bytes from other ranks. */
  uint64_t messages_sent;     /**< Messages to other ranks. */
  uint64_t messages_received; /**< Messages from other ranks. */
  uint64_t exchange_rounds;   /**< Rounds in which the exchange went. */

  uint64_t nanoseconds;      /**< From call to return. */
  const char *transport_why; /**< Why this transport: a text with static storage, never NULL. */

  /* of what was sent to other ranks, what left this rank's node */
  uint64_t bytes_between_nodes;    /**< Bytes to ranks of other nodes. */
  uint64_t messages_between_nodes; /**< Messages to ranks of other nodes. */
} pcio_transfer_report_t;

/**
 * Fills a report from the last transfer with a list.
 *
 * \param dxpl_id Transfer list; H5P_DEFAULT keeps nothing.
 * \param report Filled; the structure grows at its end only.
 * \param size sizeof(pcio_transfer_report_t); no more bytes are written.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a transfer list; report NULL; size 0. The report is then unchanged.
 * \source ours
 */
PCIO_DLL herr_t pcio_get_transfer_report(hid_t dxpl_id, pcio_transfer_report_t *report,
                                         size_t size);

/**
 * The report as a JSON object (doc/REPORT.md).
 *
 * \param dxpl_id Transfer list.
 * \param buf For the text, cut, with NUL; may be NULL.
 * \param len Bytes of buf.
 * \return Length of the whole text without NUL, or negative on failure.
 * \local
 * \errors Not a transfer list.
 * \source ours
 */
PCIO_DLL ssize_t pcio_transfer_report_json(hid_t dxpl_id, char *buf, size_t len);

/** How one chunk was accessed. */
typedef struct pcio_chunk_mode_t {
  uint64_t ordinal;      /**< Row-major number in the grid of chunks of the dataset's extent. */
  H5FD_mpio_xfer_t mode; /**< H5FD_MPIO_INDEPENDENT or H5FD_MPIO_COLLECTIVE. */
} pcio_chunk_mode_t;

/**
 * The mode of each chunk that this rank touched in the last transfer with the list, ascending by
 * number. Kept only where pcio_set_dxpl_report_chunks() asked for it before the transfer.
 *
 * \param dxpl_id Transfer list.
 * \param count How many fit into modes; becomes the number of all.
 * \param modes For the modes, [count]; NULL asks for their number only.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a transfer list; count NULL.
 * \source ours
 */
PCIO_DLL herr_t pcio_get_chunk_modes(hid_t dxpl_id, size_t *count, pcio_chunk_mode_t *modes);

/**
 * Fills a report with what H5Dwrite() or H5Dread() with these arguments would do, without doing it.
 * Nothing is moved (metadata may be read), and the list keeps no report; succeeded and nanoseconds
 * are 0.
 *
 * \param dset_id Dataset.
 * \param mem_type_id Type of the elements in memory.
 * \param mem_space_id Selection in memory, or H5S_ALL.
 * \param file_space_id Selection in the dataset, or H5S_ALL.
 * \param dxpl_id Transfer list, or H5P_DEFAULT.
 * \param direction PCIO_DIRECTION_READ or PCIO_DIRECTION_WRITE.
 * \param report Filled.
 * \param size sizeof(pcio_transfer_report_t).
 * \return 0, or negative on failure.
 * \transfer
 * \errors Those of the transfer; no such direction; report NULL; size 0.
 * \source ours
 */
PCIO_DLL herr_t pcio_explain(hid_t dset_id, hid_t mem_type_id, hid_t mem_space_id,
                             hid_t file_space_id, hid_t dxpl_id, pcio_direction_t direction,
                             pcio_transfer_report_t *report, size_t size);

/**
 * Cause bits in words, separated by ", "; "collective" when there is none.
 *
 * \param causes Bits of H5D_mpio_no_collective_cause_t.
 * \param buf For the text, cut, with NUL; may be NULL.
 * \param len Bytes of buf.
 * \return Length of the whole text without NUL, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL ssize_t pcio_cause_text(uint32_t causes, char *buf, size_t len);

/**
 * Short name of a transport, for reports.
 *
 * \param transport The transport.
 * \return A text with static storage; "unknown" for a number that is none.
 * \local
 */
PCIO_DLL const char *pcio_transport_name(pcio_transport_t transport);

/**
 * Short name of an I/O mode, for reports.
 *
 * \param mode The mode.
 * \return A text with static storage; "unknown" for a number that is none.
 * \local
 */
PCIO_DLL const char *pcio_io_mode_name(H5D_mpio_actual_io_mode_t mode);

/**
 * Short name of a chunk mode, for reports.
 *
 * \param mode The mode.
 * \return A text with static storage; "unknown" for a number that is none.
 * \local
 */
PCIO_DLL const char *pcio_chunk_opt_mode_name(H5D_mpio_actual_chunk_opt_mode_t mode);
/** @} */

/** \name Dataset access lists: when chunks get their place */
/** @{ */
/**
 * Asks for late allocation. By default every unfiltered chunk of a parallel file gets its place at
 * H5Dcreate2() and H5Dset_extent(), so that independent writes always work. With this, chunks get
 * theirs in the first collective write that touches them, so what is never written takes no room;
 * an independent write to a chunk without a place is an error. H5D_ALLOC_TIME_EARLY in the creation
 * list wins. It is not stored in the file: give it at each create and open, equal on all ranks: an
 * open on some of them isn't noticed before they differ. It holds until the file is closed. Without
 * effect on serial files.
 *
 * \param dapl_id Dataset access list.
 * \param late Nonzero: late allocation.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_set_dapl_late_allocation(hid_t dapl_id, hbool_t late);

/**
 * Tells what pcio_set_dapl_late_allocation() set, or the default.
 *
 * \param dapl_id Dataset access list.
 * \param late For the answer, may be NULL: nonzero: late allocation.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dapl_late_allocation(hid_t dapl_id, hbool_t *late);
/** @} */

/** \name Transfer lists: properties beyond HDF5's; equal on all ranks in a collective transfer */
/** @{ */
/**
 * Chooses how the bytes of a collective transfer go. A transport that this build does not have
 * fails the transfer. Where ranks write the same elements views are not to be chosen with Open MPI's ompio: it loses other
 * elements beside them (what is chosen automatically does not).
 *
 * \param dxpl_id Transfer list.
 * \param transport The transport; PCIO_TRANSPORT_NONE (default): chosen automatically.
 * \return 0, or negative on failure.
 * \local
 * \errors PCIO_TRANSPORT_BROADCAST, or none.
 * \source ours
 */
PCIO_DLL herr_t pcio_set_dxpl_transport(hid_t dxpl_id, pcio_transport_t transport);

/**
 * Tells what pcio_set_dxpl_transport() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param transport For the answer, may be NULL: the transport; PCIO_TRANSPORT_NONE (default):
 *   chosen automatically.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_transport(hid_t dxpl_id, pcio_transport_t *transport);

/**
 * Sets how much memory all buffers of the exchange transport take on one rank.
 *
 * \param dxpl_id Transfer list.
 * \param bytes Bytes, at least 1 MiB; default 16 MiB.
 * \return 0, or negative on failure.
 * \local
 * \errors Less than 1 MiB.
 * \source ours
 */
PCIO_DLL herr_t pcio_set_dxpl_exchange_memory(hid_t dxpl_id, size_t bytes);

/**
 * Tells what pcio_set_dxpl_exchange_memory() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param bytes For the answer, may be NULL: bytes, at least 1 MiB; default 16 MiB.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_exchange_memory(hid_t dxpl_id, size_t *bytes);

/**
 * Asks the list to keep the mode of each chunk, for pcio_get_chunk_modes(); ranks may differ.
 *
 * \param dxpl_id Transfer list.
 * \param keep Nonzero: they are kept.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_set_dxpl_report_chunks(hid_t dxpl_id, hbool_t keep);

/**
 * Tells what pcio_set_dxpl_report_chunks() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param keep For the answer, may be NULL: nonzero: they are kept.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_report_chunks(hid_t dxpl_id, hbool_t *keep);
/** @} */

/** \name File access lists: what a commit waits for */
/** @{ */
/**
 * What a commit (H5Fcreate, H5Fflush, H5Fclose) waits for. A program that is killed never loses a
 * commit, whatever the level; these are about machines and their storage (doc/COMMIT.md).
 */
typedef enum pcio_durability_t {
  PCIO_DURABILITY_NONE = 0, /**< The system writes in its own time (default). */
  /** Failed writes that the file system tells late are known before the commit counts; always so on
   *  NFS, Lustre and their like. */
  PCIO_DURABILITY_CHECKED = 1,
  /** Each step of the commit is in the storage before the next one. */
  PCIO_DURABILITY_POWER_LOSS = 2
} pcio_durability_t;

/**
 * Sets what commits wait for. The most that any rank, and the environment variable PCIO_DURABILITY
 * ("checked", "power_loss"), asks for counts.
 *
 * \param fapl_id File access list.
 * \param level The level.
 * \return 0, or negative on failure.
 * \local
 * \errors No such level.
 * \source ours
 */
PCIO_DLL herr_t pcio_set_fapl_durability(hid_t fapl_id, pcio_durability_t level);

/**
 * Tells what pcio_set_fapl_durability() set, or the default.
 *
 * \param fapl_id File access list.
 * \param level For the answer, may be NULL: the level.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_fapl_durability(hid_t fapl_id, pcio_durability_t *level);

/**
 * Sets the memory in which a rank of a parallel file keeps whole chunks with filters that it wrote
 * independently, for all datasets of the file, until all ranks meet (doc/FILTERS.md). What the
 * library keeps of each chunk beside its bytes, some 250 more, is counted, too. The least that any
 * rank asks for counts.
 *
 * \param fapl_id File access list.
 * \param bytes Bytes; 64 MiB by default; 0: none may wait.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_set_fapl_waiting_memory(hid_t fapl_id, size_t bytes);

/**
 * Tells what pcio_set_fapl_waiting_memory() set, or the default.
 *
 * \param fapl_id File access list.
 * \param bytes For the answer, may be NULL: bytes; 64 MiB by default; 0: none may wait.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_fapl_waiting_memory(hid_t fapl_id, size_t *bytes);

/**
 * How a file stands, going by its superblock and its last bytes (doc/COMMIT.md).
 */
typedef enum pcio_commit_state_t {
  PCIO_COMMIT_WHOLE = 0, /**< The last commit is what everybody reads. */
  /** Cut in a commit whose journal is whole: libpcio reads it, others refuse. */
  PCIO_COMMIT_WINDOW = 1,
  PCIO_COMMIT_TORN = 2,  /**< The same, and the superblock itself is cut. */
  PCIO_COMMIT_BROKEN = 3 /**< Cut in a commit, and there is no journal for it: not readable. */
} pcio_commit_state_t;

/** What pcio_commit_info_t.version says; grows with the structure. */
#define PCIO_COMMIT_INFO_VERSION 1

/** Where a file and its journal end; offsets and sizes in bytes. */
typedef struct pcio_commit_info_t {
  uint32_t version;          /**< PCIO_COMMIT_INFO_VERSION of the library. */
  pcio_commit_state_t state; /**< How the file stands. */
  uint64_t file_size;        /**< Bytes. */
  uint64_t user_block;       /**< Bytes before the superblock. */
  uint64_t end_of_file;      /**< Where the file ends for a reader, user block included. */
  uint64_t journal_start;    /**< Of the journal, if there is one that counts; else 0. */
  uint64_t journal_blocks;   /**< Blocks that the commit overwrites. */
  uint64_t journal_bytes;    /**< Bytes in them. */
  uint64_t sequence;         /**< Number of the commit in the session that wrote it. */
  char why[256];             /**< For BROKEN: why there is no journal; else empty. */
} pcio_commit_info_t;

/**
 * Looks at a file on this process, without MPI, without locks, without changing it.
 *
 * \param filename Path of the file.
 * \param info Filled.
 * \param size sizeof(pcio_commit_info_t); no more bytes are written.
 * \return 0, or negative on failure.
 * \local
 * \errors The file can't be read; not HDF5; a superblock damaged in another way; info NULL; size 0.
 *   The structure is then unchanged.
 * \source ours
 */
PCIO_DLL herr_t pcio_get_commit_info(const char *filename, pcio_commit_info_t *info, size_t size);

/**
 * Completes the commit of a file in PCIO_COMMIT_WINDOW or PCIO_COMMIT_TORN, as opening it for
 * writing does: writes the journal's blocks to their places, then the superblock, and cuts the file
 * to its end, each in the storage before the next. A whole file is left alone. It may be killed and
 * repeated.
 *
 * \param filename Path of the file.
 * \return 0, or negative on failure.
 * \local
 * \errors PCIO_COMMIT_BROKEN; another program has the file open for writing; the storage fails.
 * \source ours
 */
PCIO_DLL herr_t pcio_complete_commit(const char *filename);

/* Getters for settings of a transfer list that HDF5 can only set. Any pointer may be NULL. */
/** @} */

/** \name Which bytes of a file belong to whom */
/** @{ */
/** What bytes of a file are for. */
typedef enum pcio_range_use_t {
  /** The superblock, its extension, what it says of the driver, an image of a metadata cache. */
  PCIO_RANGE_SUPERBLOCK = 0,
  PCIO_RANGE_HEADER = 1,      /**< Header of an object. */
  PCIO_RANGE_LINKS = 2,       /**< Links of a group that are not in its header. */
  PCIO_RANGE_ATTRIBUTES = 3,  /**< Attributes that are not in the header. */
  PCIO_RANGE_CHUNK_INDEX = 4, /**< What finds chunks. */
  PCIO_RANGE_DATA = 5,        /**< Elements of a dataset. */
  PCIO_RANGE_HEAP =
      6, /**< Global heaps, which several objects may share; names of external files. */
  PCIO_RANGE_SHARED_MESSAGES = 7, /**< What objects share of their headers. */
  PCIO_RANGE_FREE_LIST = 8,       /**< What says which bytes are free. */
  PCIO_RANGE_FREE = 9             /**< Bytes that are free, as the file says. */
} pcio_range_use_t;

/** What pcio_range_t.version says; grows with the structure. */
#define PCIO_RANGE_VERSION 1

/** Bytes of a file that belong to one object, or to none. */
typedef struct pcio_range_t {
  uint32_t version;     /**< PCIO_RANGE_VERSION of the library. */
  pcio_range_use_t use; /**< What they are for. */
  uint64_t start;       /**< First byte, from the start of the file, user block included. */
  uint64_t bytes;       /**< How many; may reach behind the end of a damaged file. */
  haddr_t
      object; /**< Address of the object as H5Oget_info() has it; HADDR_UNDEF: the file's own. */
} pcio_range_t;

/**
 * Called by pcio_visit_ranges() for each range.
 *
 * \param range The range; valid during the call. The structure grows at its end only.
 * \param op_data The caller's.
 * \return 0 goes on, positive stops well, negative fails the visit.
 */
typedef herr_t (*pcio_range_op_t)(const pcio_range_t *range, void *op_data);

/**
 * Calls a function for each range of bytes that an object has in the file, as the last commit left them; all that
 * says where they are is read whole, with its checksums. Ranges have no order. In a sound file no byte is in two of
 * them, but for global heaps: each object that has something in a heap tells all of it. With PCIO_RANGE_HEAP
 * all elements are read where they refer to heaps. What lies in none of the ranges of the file, and of all objects that
 * links lead to, is lost, or free without a list that says so.
 *
 * \param obj_id Group, dataset or committed type; or a file: what belongs to no object, the root group not included.
 * \param uses Bits 1 << PCIO_RANGE_...: only these are told, and read; 0: all.
 * \param op The function; called when all was read, also where that failed: with what was found.
 * \param op_data Handed to the function; may be NULL.
 * \return 0, the positive answer of op, or negative on failure.
 * \local
 * \errors No such id; op NULL; bits that are no use; changes that no commit has written (H5Fflush()); what is
 *   damaged; op failed.
 * \source ours
 */
PCIO_DLL herr_t pcio_visit_ranges(hid_t obj_id, unsigned uses, pcio_range_op_t op, void *op_data);
/** @} */

/** \name The ranks of a file */
/** @{ */
/**
 * Which of the ranks that have a file open together this process is.
 *
 * \param loc_id File, or any id in it.
 * \param rank Set to this process's number, from 0; may be NULL.
 * \param ranks Set to their number; 0: the file was not opened by an MPI driver. May be NULL.
 * \return 0, or negative on failure.
 * \local
 * \errors The id leads to no file.
 * \source ours
 */
PCIO_DLL herr_t pcio_get_ranks(hid_t loc_id, int *rank, int *ranks);

/**
 * Lets all ranks of a file know whether each of them has succeeded in what it did by itself, so that they
 * go on, or give up, together. Nothing of the file changes, and where a rank has failed the file is as good
 * as before. A rank that has failed keeps its error stack, whose first entry the others get with its number.
 *
 * \param loc_id File, or any id in it.
 * \param mine This rank's own outcome: negative where it has failed.
 * \param value Any number, to be compared.
 * \param least Set to the smallest value of all ranks; may be NULL.
 * \param most Set to the largest value of all ranks; may be NULL.
 * \return 0 where no rank has failed; negative on all ranks otherwise.
 * \communicates
 * \errors A rank has failed; the ranks are in different calls; the id leads to no file.
 * \source ours
 */
PCIO_DLL herr_t pcio_agree(hid_t loc_id, herr_t mine, uint64_t value, uint64_t *least,
                           uint64_t *most);
/** @} */
#ifdef H5_HAVE_PARALLEL

/** \name Transfer lists: getters for settings that HDF5 can only set */
/** @{ */
/**
 * Tells what H5Pset_dxpl_mpio_collective_opt() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param opt_mode Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_mpio_collective_opt(hid_t dxpl_id,
                                                  H5FD_mpio_collective_opt_t *opt_mode);

/**
 * Tells what H5Pset_dxpl_mpio_chunk_opt() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param opt_mode Set to it; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt(hid_t dxpl_id, H5FD_mpio_chunk_opt_t *opt_mode);

/**
 * Tells what H5Pset_dxpl_mpio_chunk_opt_num() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param num_chunk_per_proc Set to chunks per rank; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt_num(hid_t dxpl_id, unsigned *num_chunk_per_proc);

/**
 * Tells what H5Pset_dxpl_mpio_chunk_opt_ratio() set, or the default.
 *
 * \param dxpl_id Transfer list.
 * \param percent_num_proc_per_chunk Set to percent of the ranks; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_dxpl_mpio_chunk_opt_ratio(hid_t dxpl_id,
                                                   unsigned *percent_num_proc_per_chunk);
/** @} */
#endif

/**
 * Tells what H5Pset_filter_callback() set.
 *
 * \param dxpl_id Transfer list.
 * \param func Set to the function or NULL; may be NULL.
 * \param op_data Set to its data; may be NULL.
 * \return 0, or negative on failure.
 * \local
 * \source ours
 */
PCIO_DLL herr_t pcio_get_filter_callback(hid_t dxpl_id, H5Z_filter_func_t *func, void **op_data);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
