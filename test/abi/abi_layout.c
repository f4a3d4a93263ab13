/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright The libpcio authors */
/*
 * Layouts and numbers that compiled programs rely on, against literals (test of room include).
 * Every line fails to compile when it is wrong; running the program only reports and compares the
 * two spellings of the version. Sizes and offsets are those of LP64.
 * Source: measured with the headers of HDF5 1.10.8 on x86-64.
 */
#include <stdio.h>
#include <string.h>

#include "hdf5.h"
#include "pcio.h"

#define EQ(value, number) _Static_assert((long long)(value) == (number), #value " is " #number)
#define SIZE(type, bytes) EQ(sizeof(type), bytes)
#define AT(type, field, bytes) EQ(offsetof(type, field), bytes)

/* ---- structures ---- */
SIZE(H5AC_cache_config_t, 1216);
AT(H5AC_cache_config_t, version, 0);
AT(H5AC_cache_config_t, rpt_fcn_enabled, 4);
AT(H5AC_cache_config_t, open_trace_file, 5);
AT(H5AC_cache_config_t, close_trace_file, 6);
AT(H5AC_cache_config_t, trace_file_name, 7);
AT(H5AC_cache_config_t, evictions_enabled, 1032);
AT(H5AC_cache_config_t, set_initial_size, 1033);
AT(H5AC_cache_config_t, initial_size, 1040);
AT(H5AC_cache_config_t, min_clean_fraction, 1048);
AT(H5AC_cache_config_t, max_size, 1056);
AT(H5AC_cache_config_t, min_size, 1064);
AT(H5AC_cache_config_t, epoch_length, 1072);
AT(H5AC_cache_config_t, incr_mode, 1080);
AT(H5AC_cache_config_t, lower_hr_threshold, 1088);
AT(H5AC_cache_config_t, increment, 1096);
AT(H5AC_cache_config_t, apply_max_increment, 1104);
AT(H5AC_cache_config_t, max_increment, 1112);
AT(H5AC_cache_config_t, flash_incr_mode, 1120);
AT(H5AC_cache_config_t, flash_multiple, 1128);
AT(H5AC_cache_config_t, flash_threshold, 1136);
AT(H5AC_cache_config_t, decr_mode, 1144);
AT(H5AC_cache_config_t, upper_hr_threshold, 1152);
AT(H5AC_cache_config_t, decrement, 1160);
AT(H5AC_cache_config_t, apply_max_decrement, 1168);
AT(H5AC_cache_config_t, max_decrement, 1176);
AT(H5AC_cache_config_t, epochs_before_eviction, 1184);
AT(H5AC_cache_config_t, apply_empty_reserve, 1188);
AT(H5AC_cache_config_t, empty_reserve, 1192);
AT(H5AC_cache_config_t, dirty_bytes_threshold, 1200);
AT(H5AC_cache_config_t, metadata_write_strategy, 1208);
SIZE(H5AC_cache_image_config_t, 12);
AT(H5AC_cache_image_config_t, version, 0);
AT(H5AC_cache_image_config_t, generate_image, 4);
AT(H5AC_cache_image_config_t, save_resize_status, 5);
AT(H5AC_cache_image_config_t, entry_ageout, 8);
SIZE(H5A_info_t, 24);
AT(H5A_info_t, corder_valid, 0);
AT(H5A_info_t, corder, 4);
AT(H5A_info_t, cset, 8);
AT(H5A_info_t, data_size, 16);
SIZE(H5E_error2_t, 56);
AT(H5E_error2_t, cls_id, 0);
AT(H5E_error2_t, maj_num, 8);
AT(H5E_error2_t, min_num, 16);
AT(H5E_error2_t, line, 24);
AT(H5E_error2_t, func_name, 32);
AT(H5E_error2_t, file_name, 40);
AT(H5E_error2_t, desc, 48);
SIZE(H5E_error1_t, 48);
AT(H5E_error1_t, maj_num, 0);
AT(H5E_error1_t, min_num, 8);
AT(H5E_error1_t, func_name, 16);
AT(H5E_error1_t, file_name, 24);
AT(H5E_error1_t, line, 32);
AT(H5E_error1_t, desc, 40);
SIZE(H5FD_file_image_callbacks_t, 56);
AT(H5FD_file_image_callbacks_t, image_malloc, 0);
AT(H5FD_file_image_callbacks_t, image_memcpy, 8);
AT(H5FD_file_image_callbacks_t, image_realloc, 16);
AT(H5FD_file_image_callbacks_t, image_free, 24);
AT(H5FD_file_image_callbacks_t, udata_copy, 32);
AT(H5FD_file_image_callbacks_t, udata_free, 40);
AT(H5FD_file_image_callbacks_t, udata, 48);
SIZE(H5F_info2_t, 80);
AT(H5F_info2_t, super, 0);
AT(H5F_info2_t, free, 24);
AT(H5F_info2_t, sohm, 48);
SIZE(H5F_info1_t, 32);
AT(H5F_info1_t, super_ext_size, 0);
AT(H5F_info1_t, sohm, 8);
SIZE(H5G_info_t, 32);
AT(H5G_info_t, storage_type, 0);
AT(H5G_info_t, nlinks, 8);
AT(H5G_info_t, max_corder, 16);
AT(H5G_info_t, mounted, 24);
SIZE(H5G_stat_t, 80);
AT(H5G_stat_t, fileno, 0);
AT(H5G_stat_t, objno, 16);
AT(H5G_stat_t, nlink, 32);
AT(H5G_stat_t, type, 36);
AT(H5G_stat_t, mtime, 40);
AT(H5G_stat_t, linklen, 48);
AT(H5G_stat_t, ohdr, 56);
SIZE(H5L_info_t, 32);
AT(H5L_info_t, type, 0);
AT(H5L_info_t, corder_valid, 4);
AT(H5L_info_t, corder, 8);
AT(H5L_info_t, cset, 16);
AT(H5L_info_t, u, 24);
SIZE(H5O_hdr_info_t, 64);
AT(H5O_hdr_info_t, version, 0);
AT(H5O_hdr_info_t, nmesgs, 4);
AT(H5O_hdr_info_t, nchunks, 8);
AT(H5O_hdr_info_t, flags, 12);
AT(H5O_hdr_info_t, space, 16);
AT(H5O_hdr_info_t, mesg, 48);
SIZE(H5O_info_t, 160);
AT(H5O_info_t, fileno, 0);
AT(H5O_info_t, addr, 8);
AT(H5O_info_t, type, 16);
AT(H5O_info_t, rc, 20);
AT(H5O_info_t, atime, 24);
AT(H5O_info_t, mtime, 32);
AT(H5O_info_t, ctime, 40);
AT(H5O_info_t, btime, 48);
AT(H5O_info_t, num_attrs, 56);
AT(H5O_info_t, hdr, 64);
AT(H5O_info_t, meta_size, 128);
SIZE(H5O_stat_t, 24);
AT(H5O_stat_t, size, 0);
AT(H5O_stat_t, free, 8);
AT(H5O_stat_t, nmesgs, 16);
AT(H5O_stat_t, nchunks, 20);
SIZE(hvl_t, 16);
AT(hvl_t, len, 0);
AT(hvl_t, p, 8);
SIZE(H5Z_cb_t, 16);
AT(H5Z_cb_t, func, 0);
AT(H5Z_cb_t, op_data, 8);
SIZE(H5_ih_info_t, 16);
AT(H5_ih_info_t, index_size, 0);
AT(H5_ih_info_t, heap_size, 8);

/* ---- basic types ---- */
SIZE(hid_t, 8);
SIZE(herr_t, 4);
SIZE(hbool_t, 1);
SIZE(htri_t, 4);
SIZE(hsize_t, 8);
SIZE(hssize_t, 8);
SIZE(haddr_t, 8);
SIZE(hobj_ref_t, 8);
SIZE(hdset_reg_ref_t, 12);
SIZE(hvl_t, 16);
SIZE(H5T_class_t, 4);
SIZE(H5F_libver_t, 4);
SIZE(H5D_layout_t, 4);
SIZE(H5I_type_t, 4);
SIZE(ssize_t, 8);
SIZE(off_t, 8);
EQ((hid_t)-1 < 0, 1);
EQ((haddr_t)-1 > 0, 1);
EQ((hsize_t)-1 > 0, 1);
EQ((hssize_t)-1 < 0, 1);

#include "abi_enumerations.h"

/* ---- constants ---- */
EQ(H5AC_METADATA_WRITE_STRATEGY__DISTRIBUTED, 1);
EQ(H5AC_METADATA_WRITE_STRATEGY__PROCESS_0_ONLY, 0);
EQ(H5AC__CACHE_IMAGE__ENTRY_AGEOUT__MAX, 100);
EQ(H5AC__CACHE_IMAGE__ENTRY_AGEOUT__NONE, -1);
EQ(H5AC__CURR_CACHE_CONFIG_VERSION, 1);
EQ(H5AC__CURR_CACHE_IMAGE_CONFIG_VERSION, 1);
EQ(H5AC__MAX_TRACE_FILE_NAME_LEN, 1024);
EQ(H5D_CHUNK_CACHE_NBYTES_DEFAULT, -1);
EQ(H5D_CHUNK_CACHE_NSLOTS_DEFAULT, -1);
EQ(H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS, 2);
EQ(H5D_MULTI_CHUNK_IO_COL_THRESHOLD, 60);
EQ(H5D_ONE_LINK_CHUNK_IO_THRESHOLD, 0);
EQ(H5E_DEFAULT, 0);
EQ(H5FD_VFD_DEFAULT, 0);
EQ(H5F_FAMILY_DEFAULT, 0);
EQ(H5F_OBJ_ALL, 31);
EQ(H5F_OBJ_ATTR, 16);
EQ(H5F_OBJ_DATASET, 2);
EQ(H5F_OBJ_DATATYPE, 8);
EQ(H5F_OBJ_FILE, 1);
EQ(H5F_OBJ_GROUP, 4);
EQ(H5F_OBJ_LOCAL, 32);
EQ(H5F_UNLIMITED, -1);
EQ(H5G_NLIBTYPES, 8);
EQ(H5G_NTYPES, 256);
EQ(H5G_NUSERTYPES, 248);
EQ(H5I_INVALID_HID, -1);
EQ(H5L_MAX_LINK_NAME_LEN, 4294967295);
EQ(H5L_SAME_LOC, 0);
EQ(H5O_COPY_ALL, 127);
EQ(H5O_COPY_EXPAND_EXT_LINK_FLAG, 4);
EQ(H5O_COPY_EXPAND_REFERENCE_FLAG, 8);
EQ(H5O_COPY_EXPAND_SOFT_LINK_FLAG, 2);
EQ(H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG, 64);
EQ(H5O_COPY_PRESERVE_NULL_FLAG, 32);
EQ(H5O_COPY_SHALLOW_HIERARCHY_FLAG, 1);
EQ(H5O_COPY_WITHOUT_ATTR_FLAG, 16);
EQ(H5O_HDR_ALL_FLAGS, 63);
EQ(H5O_HDR_ATTR_CRT_ORDER_INDEXED, 8);
EQ(H5O_HDR_ATTR_CRT_ORDER_TRACKED, 4);
EQ(H5O_HDR_ATTR_STORE_PHASE_CHANGE, 16);
EQ(H5O_HDR_CHUNK0_SIZE, 3);
EQ(H5O_HDR_STORE_TIMES, 32);
EQ(H5O_INFO_ALL, 31);
EQ(H5O_INFO_BASIC, 1);
EQ(H5O_INFO_HDR, 8);
EQ(H5O_INFO_META_SIZE, 16);
EQ(H5O_INFO_NUM_ATTRS, 4);
EQ(H5O_INFO_TIME, 2);
EQ(H5O_SHMESG_ALL_FLAG, 6186);
EQ(H5O_SHMESG_ATTR_FLAG, 4096);
EQ(H5O_SHMESG_DTYPE_FLAG, 8);
EQ(H5O_SHMESG_FILL_FLAG, 32);
EQ(H5O_SHMESG_MAX_LIST_SIZE, 5000);
EQ(H5O_SHMESG_MAX_NINDEXES, 8);
EQ(H5O_SHMESG_NONE_FLAG, 0);
EQ(H5O_SHMESG_PLINE_FLAG, 2048);
EQ(H5O_SHMESG_SDSPACE_FLAG, 2);
EQ(H5P_CRT_ORDER_INDEXED, 2);
EQ(H5P_CRT_ORDER_TRACKED, 1);
EQ(H5P_DEFAULT, 0);
EQ(H5S_ALL, 0);
EQ(H5S_MAX_RANK, 32);
EQ(H5S_UNLIMITED, -1);
EQ(H5T_OPAQUE_TAG_MAX, 256);
EQ(H5T_VARIABLE, -1);
EQ(H5Z_FILTER_ALL, 0);
EQ(H5Z_FILTER_CONFIG_DECODE_ENABLED, 2);
EQ(H5Z_FILTER_CONFIG_ENCODE_ENABLED, 1);
EQ(H5Z_FILTER_DEFLATE, 1);
EQ(H5Z_FILTER_ERROR, -1);
EQ(H5Z_FILTER_FLETCHER32, 3);
EQ(H5Z_FILTER_MAX, 65535);
EQ(H5Z_FILTER_NBIT, 5);
EQ(H5Z_FILTER_NONE, 0);
EQ(H5Z_FILTER_RESERVED, 256);
EQ(H5Z_FILTER_SCALEOFFSET, 6);
EQ(H5Z_FILTER_SHUFFLE, 2);
EQ(H5Z_FILTER_SZIP, 4);
EQ(H5Z_FLAG_DEFMASK, 255);
EQ(H5Z_FLAG_INVMASK, 65280);
EQ(H5Z_FLAG_MANDATORY, 0);
EQ(H5Z_FLAG_OPTIONAL, 1);
EQ(H5Z_FLAG_REVERSE, 256);
EQ(H5Z_FLAG_SKIP_EDC, 512);
EQ(H5Z_MAX_NFILTERS, 32);
EQ(H5Z_NBIT_USER_NPARMS, 0);
EQ(H5Z_SCALEOFFSET_USER_NPARMS, 2);
EQ(H5Z_SHUFFLE_TOTAL_NPARMS, 1);
EQ(H5Z_SHUFFLE_USER_NPARMS, 0);
EQ(H5Z_SO_INT_MINBITS_DEFAULT, 0);
EQ(H5Z_SZIP_PARM_BPP, 2);
EQ(H5Z_SZIP_PARM_MASK, 0);
EQ(H5Z_SZIP_PARM_PPB, 1);
EQ(H5Z_SZIP_PARM_PPS, 3);
EQ(H5Z_SZIP_TOTAL_NPARMS, 4);
EQ(H5Z_SZIP_USER_NPARMS, 2);
EQ(H5_HAVE_VFL, 1);
EQ(H5_ITER_CONT, 0);
EQ(H5_ITER_ERROR, -1);
EQ(H5_ITER_STOP, 1);
EQ(H5_SZIP_ALLOW_K13_OPTION_MASK, 1);
EQ(H5_SZIP_CHIP_OPTION_MASK, 2);
EQ(H5_SZIP_EC_OPTION_MASK, 4);
EQ(H5_SZIP_MAX_PIXELS_PER_BLOCK, 32);
EQ(H5_SZIP_NN_OPTION_MASK, 32);
EQ(H5_VERS_MAJOR, 1);
EQ(H5_VERS_MINOR, 10);
EQ(H5_VERS_RELEASE, 8);

/* ---- our own: the report grows at its end only ---- */
SIZE(pcio_transfer_report_t, 248);
AT(pcio_transfer_report_t, version, 0);
AT(pcio_transfer_report_t, direction, 4);
AT(pcio_transfer_report_t, requested_mode, 8);
AT(pcio_transfer_report_t, requested_collective_opt, 12);
AT(pcio_transfer_report_t, requested_chunk_opt, 16);
AT(pcio_transfer_report_t, requested_chunk_opt_num, 20);
AT(pcio_transfer_report_t, requested_chunk_opt_ratio, 24);
AT(pcio_transfer_report_t, requested_transport, 28);
AT(pcio_transfer_report_t, actual_io_mode, 32);
AT(pcio_transfer_report_t, actual_chunk_opt_mode, 36);
AT(pcio_transfer_report_t, transport, 40);
AT(pcio_transfer_report_t, local_causes, 44);
AT(pcio_transfer_report_t, global_causes, 48);
AT(pcio_transfer_report_t, succeeded, 52);
AT(pcio_transfer_report_t, verified, 56);
AT(pcio_transfer_report_t, traits, 60);
AT(pcio_transfer_report_t, bytes_selected, 64);
AT(pcio_transfer_report_t, bytes_written, 72);
AT(pcio_transfer_report_t, bytes_read, 80);
AT(pcio_transfer_report_t, chunks_touched, 88);
AT(pcio_transfer_report_t, chunks_collective, 96);
AT(pcio_transfer_report_t, chunks_independent, 104);
AT(pcio_transfer_report_t, chunks_untouched, 112);
AT(pcio_transfer_report_t, independent_writes, 120);
AT(pcio_transfer_report_t, independent_reads, 128);
AT(pcio_transfer_report_t, collective_writes, 136);
AT(pcio_transfer_report_t, collective_reads, 144);
AT(pcio_transfer_report_t, view_changes, 152);
AT(pcio_transfer_report_t, posix_writes, 160);
AT(pcio_transfer_report_t, posix_reads, 168);
AT(pcio_transfer_report_t, bytes_sent, 176);
AT(pcio_transfer_report_t, bytes_received, 184);
AT(pcio_transfer_report_t, messages_sent, 192);
AT(pcio_transfer_report_t, messages_received, 200);
AT(pcio_transfer_report_t, exchange_rounds, 208);
AT(pcio_transfer_report_t, nanoseconds, 216);
AT(pcio_transfer_report_t, transport_why, 224);
AT(pcio_transfer_report_t, bytes_between_nodes, 232);
AT(pcio_transfer_report_t, messages_between_nodes, 240);
SIZE(pcio_chunk_mode_t, 16);
AT(pcio_chunk_mode_t, ordinal, 0);
AT(pcio_chunk_mode_t, mode, 8);
EQ(PCIO_TRANSFER_REPORT_VERSION, 1);
EQ(PCIO_TRAIT_REGULAR_FILE, 1);
EQ(PCIO_TRAIT_REGULAR_MEMORY, 2);
EQ(PCIO_TRAIT_CONVERTED, 4);
EQ(PCIO_TRAIT_TRANSFORMED, 8);
EQ(PCIO_TRAIT_FILTERED, 16);
EQ(PCIO_TRANSPORT_NONE, 0);
EQ(PCIO_TRANSPORT_DIRECT, 1);
EQ(PCIO_TRANSPORT_VIEW, 2);
EQ(PCIO_TRANSPORT_EXCHANGE, 3);
EQ(PCIO_TRANSPORT_BROADCAST, 4);
EQ(PCIO_DIRECTION_NONE, 0);
EQ(PCIO_DIRECTION_READ, 1);
EQ(PCIO_DIRECTION_WRITE, 2);

int main(void) {
  char numbers[64];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", PCIO_VERSION_MAJOR, PCIO_VERSION_MINOR,
           PCIO_VERSION_PATCH);
  /* A suffix such as -rc1 may follow in the string. */
  if (strncmp(PCIO_VERSION, numbers, strlen(numbers)) != 0) {
    printf("PCIO_VERSION is %s, but its numbers are %s\n", PCIO_VERSION, numbers);
    return 1;
  }
  if (strcmp(H5_VERSION, "1.10.8") != 0 ||
      strcmp(H5_VERS_INFO, "HDF5 library version: 1.10.8") != 0)
    return 1;
  puts("layouts and numbers are those of HDF5 1.10.8");
  return 0;
}
