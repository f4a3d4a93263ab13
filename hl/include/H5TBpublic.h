/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/**
 * \file
 * Tables: one-dimensional datasets of a compound type whose fields attributes name, with a title, and fill values if
 * wanted (library: libpcio_hl). Names and values of the attributes are those of the HDF5 Table Specification.
 * What makes or changes a table is made by all ranks of a parallel file, with the same records: each reads and writes a
 * share of them, in collective transfers. It succeeds on all of them, or fails on all, and the table is what it was then.
 * So a rank with a wrong argument, or without memory, leaves nobody waiting.
 *
 * Source: names and signatures are those of HDF5 1.10.8; what calls do was watched.
 */
#ifndef H5TBpublic_H
#define H5TBpublic_H

#include "hdf5.h"

/** \defgroup H5TB H5TB: tables: datasets of records, whose fields attributes name
 *  @{ */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes a table.
 *
 * \param table_title Its title.
 * \param loc_id File or group.
 * \param dset_name Its name there.
 * \param nfields Number of fields.
 * \param nrecords Number of records.
 * \param type_size Bytes of a record.
 * \param field_names Names of the fields [nfields].
 * \param field_offset Where they begin in a record [nfields].
 * \param field_types Their types [nfields].
 * \param chunk_size Records in a chunk.
 * \param fill_data A record of fill values, or null.
 * \param compress Not 0: deflate, level 6.
 * \param buf The records [nrecords], or null.
 * \return 0, or negative on failure.
 * \communicates
 * \errors A null pointer; the name is taken; fields that overlap or have one name. There is no table then.
 */
H5_HLDLL herr_t H5TBmake_table(const char *table_title, hid_t loc_id, const char *dset_name, hsize_t nfields, hsize_t nrecords, size_t type_size, const char *field_names[], const size_t *field_offset, const hid_t *field_types, hsize_t chunk_size, void *fill_data, int compress, const void *buf);

/**
 * Adds records at the end.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param nrecords Their number.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf The records.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a table; a null pointer; sizes that the fields can't have.
 */
H5_HLDLL herr_t H5TBappend_records(hid_t loc_id, const char *dset_name, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, const void *buf);

/**
 * Overwrites records.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param start The first, from 0.
 * \param nrecords Their number.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf The records.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table; it has not as many records; a null pointer.
 */
H5_HLDLL herr_t H5TBwrite_records(hid_t loc_id, const char *dset_name, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, const void *buf);

/**
 * Overwrites some fields of records.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param field_names Their names, separated by commas. Offsets and sizes belong to them in the order of the table,
 *   whatever the order of the names, as in HDF5.
 * \param start The first record, from 0.
 * \param nrecords Number of records.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf The records.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table; a name that no field has; it has not as many records; a null pointer.
 */
H5_HLDLL herr_t H5TBwrite_fields_name(hid_t loc_id, const char *dset_name, const char *field_names, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, const void *buf);

/**
 * As H5TBwrite_fields_name(), by numbers of fields.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param nfields How many fields.
 * \param field_index Their numbers, from 0 [nfields]; offsets and sizes are in this order.
 * \param start The first record, from 0.
 * \param nrecords Number of records.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf The records.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5TBwrite_fields_name().
 */
H5_HLDLL herr_t H5TBwrite_fields_index(hid_t loc_id, const char *dset_name, hsize_t nfields, const int *field_index, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, const void *buf);

/**
 * Reads all records.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param dst_size Bytes of a record in memory.
 * \param dst_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param dst_buf Gets the records.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table; a null pointer.
 */
H5_HLDLL herr_t H5TBread_table(hid_t loc_id, const char *dset_name, size_t dst_size, const size_t *dst_offset, const size_t *dst_sizes, void *dst_buf);

/**
 * Reads some fields of records. As H5TBwrite_fields_name().
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param field_names Their names, separated by commas.
 * \param start The first record, from 0.
 * \param nrecords Number of records.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf Gets the records.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5TBwrite_fields_name().
 */
H5_HLDLL herr_t H5TBread_fields_name(hid_t loc_id, const char *dset_name, const char *field_names, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, void *buf);

/**
 * Reads some fields of records. As H5TBwrite_fields_index().
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param nfields How many fields.
 * \param field_index Their numbers, from 0 [nfields].
 * \param start The first record, from 0.
 * \param nrecords Number of records.
 * \param type_size Bytes of a record in memory.
 * \param field_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf Gets the records.
 * \return 0, or negative on failure.
 * \local
 * \errors Those of H5TBwrite_fields_name().
 */
H5_HLDLL herr_t H5TBread_fields_index(hid_t loc_id, const char *dset_name, hsize_t nfields, const int *field_index, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *field_offset, const size_t *dst_sizes, void *buf);

/**
 * Reads records.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param start The first, from 0.
 * \param nrecords Their number.
 * \param type_size Bytes of a record in memory.
 * \param dst_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf Gets the records.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table; it has not as many records; a null pointer.
 */
H5_HLDLL herr_t H5TBread_records(hid_t loc_id, const char *dset_name, hsize_t start, hsize_t nrecords, size_t type_size, const size_t *dst_offset, const size_t *dst_sizes, void *buf);

/**
 * Number of fields and records.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param nfields Gets the number of fields, or null.
 * \param nrecords Gets the number of records, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table.
 */
H5_HLDLL herr_t H5TBget_table_info(hid_t loc_id, const char *dset_name, hsize_t *nfields, hsize_t *nrecords);

/**
 * Names, sizes and offsets of the fields, in memory as a C compiler would lay them out.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param field_names Each gets a name, with room for 255 characters; null: not asked for.
 * \param field_sizes Gets the bytes of each field, or null.
 * \param field_offsets Gets where each begins, or null.
 * \param type_size Gets the bytes of a record, or null.
 * \return 0, or negative on failure.
 * \local
 * \errors Not a table.
 */
H5_HLDLL herr_t H5TBget_field_info(hid_t loc_id, const char *dset_name, char *field_names[], size_t *field_sizes, size_t *field_offsets, size_t *type_size);

/**
 * Takes records out; those behind move up.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param start The first, from 0.
 * \param nrecords Their number.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a table; it has not as many records.
 */
H5_HLDLL herr_t H5TBdelete_record(hid_t loc_id, const char *dset_name, hsize_t start, hsize_t nrecords);

/**
 * Puts records between others.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param start The number that the first will have, from 0.
 * \param nrecords Their number.
 * \param dst_size Bytes of a record in memory.
 * \param dst_offset Where each field begins there.
 * \param dst_sizes Bytes of each field there.
 * \param buf The records.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a table; start is behind the last record; a null pointer.
 */
H5_HLDLL herr_t H5TBinsert_record(hid_t loc_id, const char *dset_name, hsize_t start, hsize_t nrecords, size_t dst_size, const size_t *dst_offset, const size_t *dst_sizes, void *buf);

/**
 * Copies records of one table between those of another one.
 *
 * \param loc_id File or group.
 * \param dset_name1 Table with the records.
 * \param start1 The first of them, from 0.
 * \param nrecords Their number.
 * \param dset_name2 Table that gets them.
 * \param start2 The number that the first will have there, from 0.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not tables; the first has not as many records; start2 is behind the last record of the second.
 */
H5_HLDLL herr_t H5TBadd_records_from(hid_t loc_id, const char *dset_name1, hsize_t start1, hsize_t nrecords, const char *dset_name2, hsize_t start2);

/**
 * Makes a table of the records of two others, with the title "Merge table".
 *
 * \param loc_id1 File or group of the first, and of the new one.
 * \param dset_name1 First table.
 * \param loc_id2 File or group of the second.
 * \param dset_name2 Second table.
 * \param dset_name3 Name of the new one.
 * \return 0, or negative on failure: nothing was made then.
 * \communicates
 * \errors Not tables; their fields differ; the name is taken.
 * \differs Where it fails there is no half-made table.
 */
H5_HLDLL herr_t H5TBcombine_tables(hid_t loc_id1, const char *dset_name1, hid_t loc_id2, const char *dset_name2, const char *dset_name3);

/**
 * Gives all records a field more. The table is written anew, with its other attributes and its filters, and takes the
 * place of the old one once it is whole.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param field_name Name of the field.
 * \param field_type Its type, in memory and in the file.
 * \param position The number that it will have, from 0.
 * \param fill_data Its fill value, or null.
 * \param buf Its values, one for each record; null: fill_data, or zeros.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a table; it has a field of that name, or fewer fields; a null pointer.
 * \differs Filters, fill values and other attributes of the table stay.
 */
H5_HLDLL herr_t H5TBinsert_field(hid_t loc_id, const char *dset_name, const char *field_name, hid_t field_type, hsize_t position, const void *fill_data, const void *buf);

/**
 * Takes a field out of all records, as H5TBinsert_field().
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param field_name Its name.
 * \return 0, or negative on failure.
 * \communicates
 * \errors Not a table; no such field; it is the only one.
 * \differs As H5TBinsert_field().
 */
H5_HLDLL herr_t H5TBdelete_field(hid_t loc_id, const char *dset_name, const char *field_name);

/**
 * The title of a table.
 *
 * \param loc_id The table's dataset.
 * \param table_title Gets the title and a null character.
 * \return 0, or negative on failure.
 * \local
 * \errors It has none.
 */
H5_HLDLL herr_t H5TBAget_title(hid_t loc_id, char *table_title);

/**
 * The fill values of a table.
 *
 * \param loc_id File or group.
 * \param dset_name Table.
 * \param dset_id Its dataset.
 * \param dst_buf Gets a record as it is in the file.
 * \return 1; 0: it has none; negative on failure.
 * \local
 * \errors Not a table; a null pointer.
 */
H5_HLDLL htri_t H5TBAget_fill(hid_t loc_id, const char *dset_name, hid_t dset_id, unsigned char *dst_buf);

#ifdef __cplusplus
}
#endif

/** @} */

#endif
