// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Opening, closing, versions, memory; all of it without MPI_Init.

#include <cstdlib>
#include <cstring>
#include <string>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <pcio.h>

#include <mpi.h>

#include "api/quiet.hpp"
#include "support/temp_path.hpp"

namespace {

class Library : public QuietTest {};

TEST_F(Library, NeedsNoMpiInit) {
  int initialized = 1;
  MPI_Initialized(&initialized);
  EXPECT_EQ(initialized, 0);
  EXPECT_EQ(H5open(), 0);
  EXPECT_EQ(H5open(), 0);
}

TEST_F(Library, TellsItsVersions) {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  EXPECT_EQ(H5get_libversion(&major, &minor, &release), 0);
  EXPECT_EQ(major, 1U);
  EXPECT_EQ(minor, 10U);
  EXPECT_EQ(release, 8U);
  EXPECT_EQ(H5check(), 0);
  pcio_version(&major, &minor, &release);
  std::string text =
      std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release);
  EXPECT_EQ(text, pcio_version_string());
}

TEST_F(Library, AbortsOnForeignHeadersUnlessToldOtherwise) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  // Other releases of the same interface, older and newer.
  for (unsigned release : {3U, 5U, 6U, 7U, 8U, 9U, 11U, 1000U})
    EXPECT_EQ(H5check_version(1, 10, release), 0) << release;
  for (unsigned release : {0U, 1U, 2U, 4U})
    EXPECT_DEATH(H5check_version(1, 10, release), "compiled with headers of HDF5 1.10.") << release;
  EXPECT_DEATH(H5check_version(1, 8, 8), "compiled with headers of HDF5 1.8.8");
  EXPECT_DEATH(H5check_version(1, 12, 0), "compiled with headers of HDF5 1.12.0");
  setenv("HDF5_DISABLE_VERSION_CHECK", "2", 1);
  EXPECT_EQ(H5check_version(1, 12, 0), 0);
  unsetenv("HDF5_DISABLE_VERSION_CHECK");
}

TEST_F(Library, ClosesAndOpensAgain) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  hid_t old_class = H5P_CLS_FILE_ACCESS_ID_g;
  EXPECT_EQ(H5close(), 0);
  EXPECT_EQ(H5P_CLS_FILE_ACCESS_ID_g, H5I_INVALID_HID);
  H5E_BEGIN_TRY { EXPECT_LT(H5Pclose(list), 0); }
  H5E_END_TRY
  hid_t again = H5Pcreate(H5P_FILE_ACCESS);
  EXPECT_GT(again, 0);
  EXPECT_NE(H5P_CLS_FILE_ACCESS_ID_g, old_class);
  EXPECT_EQ(H5Pget_driver(again), H5FD_SEC2);
  EXPECT_EQ(H5Pclose(again), 0);
}

/// What has no name any more goes with the library, and with it the links that it counts, whatever ids are left.
TEST_F(Library, ClosesUnlinkedObjectsThatAreOpen) {
  const pcio::test::TempPath temp("unlinked.h5");
  const std::string& name = temp.str();
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t gone = H5Gcreate2(file, "gone", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t stays = H5Gcreate2(file, "stays", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(stays, 0);
  EXPECT_EQ(H5Lcreate_hard(file, "stays", gone, "also", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ldelete(file, "gone", H5P_DEFAULT), 0);
  EXPECT_EQ(H5close(), 0);
  const hid_t again = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  H5O_info_t info{};
  EXPECT_EQ(H5Oget_info_by_name(again, "stays", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.rc, 1U);
  EXPECT_EQ(H5Fclose(again), 0);
}

TEST_F(Library, GivesAndTakesMemory) {
  EXPECT_EQ(H5allocate_memory(0, 1), nullptr);
  auto* bytes = static_cast<unsigned char*>(H5allocate_memory(100, 1));
  ASSERT_NE(bytes, nullptr);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(bytes[i], 0);
  bytes[7] = 9;
  bytes = static_cast<unsigned char*>(H5resize_memory(bytes, 1000));
  EXPECT_EQ(bytes[7], 9);
  EXPECT_EQ(H5free_memory(bytes), 0);
  EXPECT_EQ(H5free_memory(nullptr), 0);
  EXPECT_EQ(H5resize_memory(nullptr, 0), nullptr);
}

TEST_F(Library, TuningCallsOfOldSucceed) {
  EXPECT_EQ(H5garbage_collect(), 0);
  EXPECT_EQ(H5set_free_list_limits(-1, -1, -1, -1, -1, -1), 0);
  hbool_t safe = 0;
  EXPECT_EQ(H5is_library_threadsafe(&safe), 0);
  EXPECT_TRUE(safe);
}

TEST_F(Library, KnowsItsFilters) {
  unsigned config = 99;
  EXPECT_EQ(H5Zfilter_avail(H5Z_FILTER_DEFLATE), 1);
  EXPECT_EQ(H5Zget_filter_info(H5Z_FILTER_DEFLATE, &config), 0);
  EXPECT_NE(config & H5Z_FILTER_CONFIG_DECODE_ENABLED, 0U);
  EXPECT_LT(H5Zget_filter_info(300, &config), 0);
}

TEST_F(Library, NamesWhatATransferDid) {
  char text[64];
  EXPECT_EQ(pcio_cause_text(0, text, sizeof text), 10);
  EXPECT_STREQ(text, "collective");
  ssize_t length = pcio_cause_text(H5D_MPIO_DATATYPE_CONVERSION | H5D_MPIO_FILTERS | 0x800000, text,
                                   sizeof text);
  EXPECT_STREQ(text, "datatype conversion, filters, unknown cause 8388608");
  EXPECT_EQ(length, static_cast<ssize_t>(std::strlen(text)));
  EXPECT_STREQ(pcio_transport_name(PCIO_TRANSPORT_EXCHANGE), "exchange");
  EXPECT_STREQ(pcio_io_mode_name(H5D_MPIO_CHUNK_MIXED), "chunk mixed");
  EXPECT_STREQ(pcio_chunk_opt_mode_name(number_as<H5D_mpio_actual_chunk_opt_mode_t>(77)),
               "unknown");
}

}  // namespace
