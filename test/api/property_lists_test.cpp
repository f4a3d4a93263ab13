// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Property lists: what test/oracle/defaults.c cannot compare with libhdf5, because ours is
// stricter, has more, or keeps pointers.

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <pcio.h>
#include <string>

#include "api/quiet.hpp"

namespace {

class PropertyLists : public QuietTest {};

TEST_F(PropertyLists, DefaultListsNeverChange) {
  EXPECT_LT(H5Pset_layout(H5P_DATASET_CREATE_DEFAULT, H5D_CHUNKED), 0);
  EXPECT_EQ(H5Pget_layout(H5P_DATASET_CREATE_DEFAULT), H5D_CONTIGUOUS);
  EXPECT_LT(H5Pset_dxpl_mpio(H5P_DATASET_XFER_DEFAULT, H5FD_MPIO_COLLECTIVE), 0);
  EXPECT_LT(H5Pset_dxpl_mpio(H5P_DEFAULT, H5FD_MPIO_COLLECTIVE), 0);
}

TEST_F(PropertyLists, OfAnotherClassAreRefusedByName) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_LT(H5Pset_layout(list, H5D_CHUNKED), 0);
  EXPECT_EQ(first_error(),
            "argument plist_id is a 'file access' property list, expected: 'dataset create'");
  H5Pclose(list);
}

TEST_F(PropertyLists, DerivedClassesHaveTheirAncestorsProperties) {
  for (hid_t cls : {H5P_DATASET_CREATE, H5P_GROUP_CREATE, H5P_FILE_CREATE, H5P_DATATYPE_CREATE}) {
    hid_t list = H5Pcreate(cls);
    EXPECT_EQ(H5Pset_attr_phase_change(list, 20, 10), 0);
    H5Pclose(list);
  }
  for (hid_t cls : {H5P_LINK_ACCESS, H5P_DATASET_ACCESS, H5P_GROUP_ACCESS, H5P_DATATYPE_ACCESS,
                    H5P_ATTRIBUTE_ACCESS}) {
    hid_t list = H5Pcreate(cls);
    EXPECT_EQ(H5Pset_nlinks(list, 3), 0);
    EXPECT_EQ(H5Pset_all_coll_metadata_ops(list, 1), 0);
    hbool_t flag = 0;
    EXPECT_EQ(H5Pget_all_coll_metadata_ops(list, &flag), 0);
    EXPECT_TRUE(flag);
    H5Pclose(list);
  }
}

TEST_F(PropertyLists, NonsenseThatHdf5TakesIsRefused) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_LT(H5Pset_fclose_degree(fapl, number_as<H5F_close_degree_t>(5)), 0);
  H5Pclose(fapl);
  hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
  EXPECT_LT(H5Pset_dxpl_mpio_chunk_opt(dxpl, number_as<H5FD_mpio_chunk_opt_t>(3)), 0);
  EXPECT_LT(H5Pset_dxpl_mpio_collective_opt(dxpl, number_as<H5FD_mpio_collective_opt_t>(2)), 0);
  EXPECT_LT(H5Pset_dxpl_mpio_chunk_opt_ratio(dxpl, 101), 0);
  H5Pclose(dxpl);
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  unsigned value = 1;
  EXPECT_LT(H5Pmodify_filter(dcpl, 300, 0, 1, &value), 0);
  H5Pclose(dcpl);
}

TEST_F(PropertyLists, FiltersOfElementsAreForDatasets) {
  for (hid_t cls : {H5P_FILE_CREATE, H5P_GROUP_CREATE, H5P_OBJECT_CREATE, H5P_DATASET_CREATE}) {
    const bool is_dataset = H5Pequal(cls, H5P_DATASET_CREATE) > 0;
    hid_t list = H5Pcreate(cls);
    EXPECT_EQ(H5Premove_filter(list, H5Z_FILTER_DEFLATE), 0) << "of none";
    EXPECT_EQ(H5Pset_deflate(list, 1), 0);
    EXPECT_LT(H5Premove_filter(list, H5Z_FILTER_SHUFFLE), 0) << "of others";
    EXPECT_EQ(H5Pset_fletcher32(list), 0);
    EXPECT_EQ(H5Pset_shuffle(list) >= 0, is_dataset);
    EXPECT_EQ(H5Pset_nbit(list) >= 0, is_dataset);
    EXPECT_EQ(H5Pset_scaleoffset(list, H5Z_SO_INT, 0) >= 0, is_dataset);
    EXPECT_EQ(H5Pset_szip(list, H5_SZIP_EC_OPTION_MASK, 8) >= 0, is_dataset);
    EXPECT_EQ(H5Pget_nfilters(list), is_dataset ? 6 : 2);
    H5Pclose(list);
  }
}

TEST_F(PropertyLists, TransferHintsAreGivenBack) {
  hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
  H5FD_mpio_chunk_opt_t opt = H5FD_MPIO_CHUNK_ONE_IO;
  H5FD_mpio_collective_opt_t collective = H5FD_MPIO_INDIVIDUAL_IO;
  unsigned number = 9;
  unsigned ratio = 9;
  pcio_get_dxpl_mpio_chunk_opt(dxpl, &opt);
  pcio_get_dxpl_mpio_collective_opt(dxpl, &collective);
  pcio_get_dxpl_mpio_chunk_opt_num(dxpl, &number);
  pcio_get_dxpl_mpio_chunk_opt_ratio(dxpl, &ratio);
  EXPECT_EQ(opt, H5FD_MPIO_CHUNK_DEFAULT);
  EXPECT_EQ(collective, H5FD_MPIO_COLLECTIVE_IO);
  EXPECT_EQ(number, 0U);
  EXPECT_EQ(ratio, 60U);
  for (auto each :
       {H5FD_MPIO_CHUNK_ONE_IO, H5FD_MPIO_CHUNK_MULTI_IO, H5FD_MPIO_COLL_CHUNK_ATONCE_IO,
        H5FD_MPIO_ALL_CHUNK_IND_IO, PCIO_MPIO_CHUNK_MULTI_NO_OPT_IO}) {
    EXPECT_EQ(H5Pset_dxpl_mpio_chunk_opt(dxpl, each), 0);
    pcio_get_dxpl_mpio_chunk_opt(dxpl, &opt);
    EXPECT_EQ(opt, each);
  }
  H5Pclose(dxpl);
}

TEST_F(PropertyLists, AFreshTransferListReportsNothing) {
  hid_t dxpl = H5Pcreate(H5P_DATASET_XFER);
  pcio_transfer_report_t report;
  std::memset(&report, 0x55, sizeof report);
  EXPECT_EQ(pcio_get_transfer_report(dxpl, &report, sizeof report), 0);
  EXPECT_EQ(report.direction, PCIO_DIRECTION_NONE);
  EXPECT_EQ(report.transport, PCIO_TRANSPORT_NONE);
  EXPECT_EQ(report.bytes_written, 0U);
  EXPECT_LT(pcio_get_transfer_report(dxpl, &report, 0), 0);
  EXPECT_LT(pcio_get_transfer_report(H5P_DEFAULT, &report, sizeof report), 0);
  H5Pclose(dxpl);
}

TEST_F(PropertyLists, MpiDriversNeedMpiInit) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_LT(H5Pset_fapl_mpio(fapl, MPI_COMM_WORLD, MPI_INFO_NULL), 0);
  EXPECT_EQ(H5Pget_driver(fapl), H5FD_SEC2);
  MPI_Comm comm;
  EXPECT_LT(H5Pget_fapl_mpio(fapl, &comm, nullptr), 0);
  H5Pclose(fapl);
}

TEST_F(PropertyLists, FillValuesAreConverted) {
  hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
  short value = -300;
  ASSERT_EQ(H5Pset_fill_value(dcpl, H5T_NATIVE_SHORT, &value), 0);
  value = 0;  // the list has a copy
  signed char byte = 0;
  double number = 0;
  EXPECT_EQ(H5Pget_fill_value(dcpl, H5T_NATIVE_DOUBLE, &number), 0);
  EXPECT_EQ(number, -300);
  EXPECT_EQ(H5Pget_fill_value(dcpl, H5T_NATIVE_SCHAR, &byte), 0);
  EXPECT_EQ(byte, -128);
  hid_t copy = H5Pcopy(dcpl);
  EXPECT_EQ(H5Pequal(copy, dcpl), 1);
  H5Pclose(dcpl);
  EXPECT_EQ(H5Pget_fill_value(copy, H5T_NATIVE_SHORT, &value), 0);
  EXPECT_EQ(value, -300);
  H5Pclose(copy);
}

TEST_F(PropertyLists, BuiltInPropertiesHaveNames) {
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  unsigned long long alignment = 4096;
  size_t size = 0;
  EXPECT_EQ(H5Pexist(fapl, "align"), 1);
  EXPECT_EQ(H5Pexist(fapl, "layout"), 0);
  EXPECT_EQ(H5Pget_size(fapl, "align", &size), 0);
  EXPECT_EQ(size, sizeof alignment);
  EXPECT_EQ(H5Pset(fapl, "align", &alignment), 0);
  hsize_t threshold = 0;
  hsize_t got = 0;
  H5Pget_alignment(fapl, &threshold, &got);
  EXPECT_EQ(got, 4096U);
  EXPECT_EQ(H5Pget_nprops(fapl, &size), 0);
  EXPECT_EQ(size, 40U);  // as libhdf5 1.10.8
  H5Pclose(fapl);
}

TEST_F(PropertyLists, ExternalLinksKeepACopyOfTheirFileList) {
  hid_t lapl = H5Pcreate(H5P_LINK_ACCESS);
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_alignment(fapl, 1, 512);
  EXPECT_EQ(H5Pset_elink_fapl(lapl, fapl), 0);
  H5Pclose(fapl);
  hid_t again = H5Pget_elink_fapl(lapl);
  hsize_t alignment = 0;
  H5Pget_alignment(again, nullptr, &alignment);
  EXPECT_EQ(alignment, 512U);
  H5Pclose(again);
  H5Pclose(lapl);
}

// ---- file images with the application's memory functions ----------------------------------------

struct Counters {
  int allocated = 0;
  int freed = 0;
  int copies_of_data = 0;
  int grown_from_nothing = 0;
  int freed_data = 0;
};
Counters counters;

void* count_malloc(size_t size, H5FD_file_image_op_t, void*) {
  ++counters.allocated;
  return std::malloc(size);
}
herr_t count_free(void* bytes, H5FD_file_image_op_t, void*) {
  ++counters.freed;
  std::free(bytes);
  return 0;
}
/// Of a file that is created the first call has no memory yet.
void* count_realloc(void* bytes, size_t size, H5FD_file_image_op_t op, void*) {
  EXPECT_EQ(op, H5FD_FILE_IMAGE_OP_FILE_RESIZE);
  if (bytes == nullptr) ++counters.grown_from_nothing;
  return std::realloc(bytes, size);
}
void* copy_data(void* data) {
  ++counters.copies_of_data;
  return data;
}
herr_t free_data(void*) {
  ++counters.freed_data;
  return 0;
}

TEST_F(PropertyLists, FileImagesLiveInTheApplicationsMemory) {
  counters = {};
  int tag = 1;
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5FD_file_image_callbacks_t callbacks{count_malloc, nullptr,   nullptr, count_free,
                                        copy_data,    free_data, &tag};
  ASSERT_EQ(H5Pset_file_image_callbacks(fapl, &callbacks), 0);
  char bytes[] = "image";
  ASSERT_EQ(H5Pset_file_image(fapl, bytes, sizeof bytes), 0);
  EXPECT_LT(H5Pset_file_image_callbacks(fapl, &callbacks), 0);
  hid_t copy = H5Pcopy(fapl);
  void* image = nullptr;
  size_t size = 0;
  ASSERT_EQ(H5Pget_file_image(copy, &image, &size), 0);
  EXPECT_EQ(size, sizeof bytes);
  EXPECT_STREQ(static_cast<char*>(image), "image");
  count_free(image, H5FD_FILE_IMAGE_OP_NO_OP, nullptr);
  H5Pclose(fapl);
  H5Pclose(copy);
  EXPECT_EQ(counters.allocated, counters.freed);
  EXPECT_EQ(counters.copies_of_data, counters.freed_data);
}

TEST_F(PropertyLists, AFileInMemoryIsMadeByTheApplicationsRealloc) {
  counters = {};
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS);
  H5FD_file_image_callbacks_t callbacks{count_malloc, nullptr, count_realloc, count_free,
                                        nullptr,      nullptr, nullptr};
  ASSERT_EQ(H5Pset_fapl_core(fapl, 4096, 0), 0);
  ASSERT_EQ(H5Pset_file_image_callbacks(fapl, &callbacks), 0);
  hid_t file = H5Fcreate("in_memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  ASSERT_GT(file, 0);
  EXPECT_EQ(H5Fclose(file), 0);
  H5Pclose(fapl);
  EXPECT_EQ(counters.grown_from_nothing, 1);
  EXPECT_EQ(counters.allocated, 0);
  EXPECT_EQ(counters.freed, 1);
}

}  // namespace
