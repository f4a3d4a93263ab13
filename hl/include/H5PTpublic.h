/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Packet tables: datasets of one dimension that are appended to, and read in turn, with ids of their own (library:
 * libpcio_hl). What makes or changes one is made by all ranks of a parallel file, with the same packets: each writes a
 * share of them. It succeeds on all ranks, or fails on all, and the table is what it was then.
 * Of an id one thread makes one call at a time.
 *
 * Source: names and signatures are those of HDF5 1.10.8; what calls do was watched.
 */
#ifndef H5PTpublic_H
#define H5PTpublic_H

#include "hdf5.h"

/** \defgroup H5PT H5PT: packet tables
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a packet table.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there.
 * \param dtype_id Type of a packet, in memory and in the file.
 * \param chunk_size Packets in a chunk.
 * \param plist_id Dataset creation list, or H5P_DEFAULT; its chunks are chunk_size.
 * \return The table, to be closed by H5PTclose(), or negative on failure.
 * \communicates
 * \errors The name is null or taken; not a type or list; chunks of 0.
 */
H5_HLDLL hid_t H5PTcreate(hid_t loc_id, const char *dset_name, hid_t dtype_id, hsize_t chunk_size, hid_t plist_id);

/**
 * Opens a packet table, in the native type of its packets.
 *
 * \param loc_id File or group.
 * \param dset_name Dataset of one dimension.
 * \return The table, to be closed by H5PTclose(), or negative on failure.
 * \local
 * \errors No such dataset; other dimensions.
 */
H5_HLDLL hid_t H5PTopen(hid_t loc_id, const char *dset_name);

/**
 * Closes a packet table.
 *
 * \param table_id Packet table.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTclose(hid_t table_id);

/**
 * As H5PTcreate(), with deflate.
 *
 * \param loc_id File or group.
 * \param dset_name Its name there.
 * \param dtype_id Type of a packet, in memory and in the file.
 * \param chunk_size Packets in a chunk.
 * \param compression Level of deflate, 0 to 9; -1: none.
 * \return The table, to be closed by H5PTclose(), or negative on failure.
 * \communicates
 * \errors Those of H5PTcreate(); a level above 9.
 */
H5_HLDLL hid_t H5PTcreate_fl(hid_t loc_id, const char *dset_name, hid_t dtype_id, hsize_t chunk_size, int compression);

/**
 * Adds packets at the end.
 *
 * \param table_id Packet table.
 * \param nrecords Their number.
 * \param data The packets.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a packet table; a null pointer.
 * \differs Several ids of one table count its packets together: one that was opened before others appended appends
 *   behind theirs, and overwrites or cuts off nothing.
 */
H5_HLDLL herr_t H5PTappend(hid_t table_id, size_t nrecords, const void *data);

/**
 * Reads the next packets: those behind the ones that were read last.
 *
 * \param table_id Packet table.
 * \param nrecords Their number.
 * \param data Gets the packets.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table; there are not as many; a null pointer.
 */
H5_HLDLL herr_t H5PTget_next(hid_t table_id, size_t nrecords, void *data);

/**
 * Reads packets.
 *
 * \param table_id Packet table.
 * \param start The first, from 0.
 * \param nrecords Their number.
 * \param data Gets the packets.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table; it has not as many; a null pointer.
 */
H5_HLDLL herr_t H5PTread_packets(hid_t table_id, hsize_t start, size_t nrecords, void *data);

/**
 * Number of packets.
 *
 * \param table_id Packet table.
 * \param nrecords Gets the number, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTget_num_packets(hid_t table_id, hsize_t *nrecords);

/**
 * Whether an id is a packet table.
 *
 * \param table_id Packet table.
 * \return 0: it is; negative: it is not.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTis_valid(hid_t table_id);

/**
 * Whether packets are of variable length.
 *
 * \param table_id Packet table.
 * \return 1 or 0, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTis_varlen(hid_t table_id);

/**
 * The dataset of a packet table. It is the table's: it is not to be closed.
 *
 * \param table_id Packet table.
 * \return The dataset, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL hid_t H5PTget_dataset(hid_t table_id);

/**
 * The type of packets in memory. It is the table's: it is not to be closed.
 *
 * \param table_id Packet table.
 * \return The type, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL hid_t H5PTget_type(hid_t table_id);

/**
 * Lets H5PTget_next() begin anew.
 *
 * \param table_id Packet table.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTcreate_index(hid_t table_id);

/**
 * Lets H5PTget_next() go on at a packet.
 *
 * \param table_id Packet table.
 * \param pt_index The packet, from 0.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table; it has not as many.
 */
H5_HLDLL herr_t H5PTset_index(hid_t table_id, hsize_t pt_index);

/**
 * The packet that H5PTget_next() reads next.
 *
 * \param table_id Packet table.
 * \param pt_index Gets its number, from 0, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table.
 */
H5_HLDLL herr_t H5PTget_index(hid_t table_id, hsize_t *pt_index);

/**
 * Gives back what packets of variable length that were read have in memory.
 *
 * \param table_id Packet table.
 * \param bufflen Their number.
 * \param buff The packets.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a packet table; a null pointer.
 */
H5_HLDLL herr_t H5PTfree_vlen_buff(hid_t table_id, size_t bufflen, void *buff);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
