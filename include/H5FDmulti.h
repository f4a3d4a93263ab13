/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * The driver that keeps kinds of data in files of their own (room: include).
 * Source: names, signatures and values are those of HDF5 1.10.8.
 */
#ifndef H5FDmulti_H
#define H5FDmulti_H

#include "H5FDpublic.h"
#include "H5Ipublic.h"
#include "H5public.h"

/** \addtogroup H5FD
 *  @{ */

#define H5FD_MULTI (H5FD_multi_init()) /**< Id of the multi driver. */

#ifdef __cplusplus
extern "C" {
#endif

/** \name The multi driver */
/** @{ */
/**
 * The driver's id; H5FD_MULTI calls it.
 *
 * \return The id, the library's own; negative on failure.
 * \local
 */
H5_DLL hid_t H5FD_multi_init(void);

/**
 * Asks for one address space whose parts are files, by the kind of what lies in them.
 *
 * A file is named, placed and opened as its kind of data says; the kinds that share it name one of them in \p memb_map. Each
 * of the arrays has H5FD_MEM_NTYPES places, and may be NULL. The file of H5FD_MEM_SUPER begins at 0. What a file set says of
 * itself counts for more than the list with which it is opened. The files of the MPI drivers can't be such parts.
 *
 * \param fapl_id File access list.
 * \param memb_map For each kind of data in whose file it is, H5FD_MEM_DEFAULT for its own; NULL: all in their own.
 * \param memb_fapl How each file is opened: of these lists the driver counts; NULL: by H5P_DEFAULT.
 * \param memb_name Their names, where \c \%s stands for the name that is opened; NULL: \c \%s-X.h5, where X is s, b, r, g, l,
 *        or o.
 * \param memb_addr Bytes: the address where each file begins; NULL: as far apart as can be.
 * \param relax True: files but the first may be missing where the set is only read; who reads in them gets an error.
 * \return Negative on failure.
 * \local
 * \errors A place that is needed has no name, no list, or another kind than there are. What files can't be opened
 *   together (names or addresses that are equal) the open says.
 * \differs global heaps are with raw data, as libhdf5 has them in fact; what is neither raw data nor an object header lies in
 *   the file of H5FD_MEM_BTREE, H5FD_MEM_LHEAP or H5FD_MEM_OHDR that has the lowest addresses; a file that is shorter than the
 *   set says is an error of the open
 */
H5_DLL herr_t H5Pset_fapl_multi(hid_t fapl_id, const H5FD_mem_t *memb_map, const hid_t *memb_fapl,
                                const char *const *memb_name, const haddr_t *memb_addr,
                                hbool_t relax);

/**
 * Asks what H5Pset_fapl_multi() or H5Pset_fapl_split() was given.
 *
 * \param fapl_id File access list.
 * \param memb_map H5FD_MEM_NTYPES places, or NULL: in whose file each kind of data is.
 * \param memb_fapl The same, or NULL: new ids to be closed with H5Pclose(); H5I_INVALID_HID where there was no list.
 * \param memb_name The same, or NULL: names to be freed with free(); NULL where there was none.
 * \param memb_addr The same, or NULL: bytes.
 * \param relax Or NULL: whether files may be missing.
 * \return Negative on failure.
 * \local
 * \errors The list asks for another driver.
 */
H5_DLL herr_t H5Pget_fapl_multi(hid_t fapl_id, H5FD_mem_t *memb_map, hid_t *memb_fapl,
                                char **memb_name, haddr_t *memb_addr, hbool_t *relax);

/**
 * Asks for a file for metadata and one for raw data, by the multi driver; they may be missing where they are only read.
 *
 * \param fapl File access list.
 * \param meta_ext What the name of the metadata's file ends in, or all of it with \c \%s for the name that is opened; NULL:
 *        \c .meta.
 * \param meta_plist_id How it is opened, or H5P_DEFAULT.
 * \param raw_ext The same of the raw data's file; NULL: \c .raw.
 * \param raw_plist_id How it is opened, or H5P_DEFAULT.
 * \return Negative on failure.
 * \local
 * \errors No file access lists.
 */
H5_DLL herr_t H5Pset_fapl_split(hid_t fapl, const char *meta_ext, hid_t meta_plist_id,
                                const char *raw_ext, hid_t raw_plist_id);
/** @} */

#ifdef __cplusplus
}
#endif

/** @} */

#endif
