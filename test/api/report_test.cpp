// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Reports of transfers, dry runs and the properties that go with them, through the C API, in
// serial.

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <nlohmann/json.hpp>
#include <pcio.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

class Reports : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    list_ = H5Pcreate(H5P_DATASET_XFER);
    const hsize_t dims[2] = {7, 5}, chunk[2] = {3, 2};
    space_ = H5Screate_simple(2, dims, nullptr);
    create_ = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create_, 2, chunk);
    dataset_ = H5Dcreate2(file, "data", H5T_NATIVE_INT, space_, H5P_DEFAULT, create_, H5P_DEFAULT);
    ASSERT_GE(dataset_, 0);
  }
  void TearDown() override {
    H5Dclose(dataset_);
    H5Sclose(space_);
    H5Pclose(create_);
    H5Pclose(list_);
    FileTest::TearDown();
  }
  void write_all() {
    const std::vector<int> values(35, 9);
    ASSERT_GE(H5Dwrite(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, values.data()), 0);
  }

  void reopen_all() {
    H5Dclose(dataset_);
    reopen();
    dataset_ = H5Dopen2(file, "data", H5P_DEFAULT);
  }

  hid_t list_ = -1, space_ = -1, create_ = -1, dataset_ = -1;
};

TEST_F(Reports, PropertiesAreGivenBackAndCopied) {
  pcio_transport_t transport = PCIO_TRANSPORT_VIEW;
  size_t bytes = 0;
  hbool_t keep = 1;
  EXPECT_EQ(pcio_get_dxpl_transport(list_, &transport), 0);
  EXPECT_EQ(pcio_get_dxpl_exchange_memory(list_, &bytes), 0);
  EXPECT_EQ(pcio_get_dxpl_report_chunks(list_, &keep), 0);
  EXPECT_EQ(transport, PCIO_TRANSPORT_NONE);
  EXPECT_EQ(bytes, 16U << 20);
  EXPECT_FALSE(keep);
  EXPECT_EQ(pcio_set_dxpl_transport(list_, PCIO_TRANSPORT_EXCHANGE), 0);
  EXPECT_EQ(pcio_set_dxpl_exchange_memory(list_, 1U << 20), 0);
  EXPECT_EQ(pcio_set_dxpl_report_chunks(list_, 1), 0);
  const hid_t copy = H5Pcopy(list_), fresh = H5Pcreate(H5P_DATASET_XFER);
  EXPECT_EQ(pcio_get_dxpl_transport(copy, &transport), 0);
  EXPECT_EQ(pcio_get_dxpl_exchange_memory(copy, &bytes), 0);
  EXPECT_EQ(pcio_get_dxpl_report_chunks(copy, &keep), 0);
  EXPECT_EQ(transport, PCIO_TRANSPORT_EXCHANGE);
  EXPECT_EQ(bytes, 1U << 20);
  EXPECT_TRUE(keep);
  EXPECT_GT(H5Pequal(list_, copy), 0);
  EXPECT_EQ(H5Pequal(list_, fresh), 0);
  EXPECT_EQ(pcio_get_dxpl_transport(copy, nullptr), 0);
  H5Pclose(copy);
  H5Pclose(fresh);
}

TEST_F(Reports, BadPropertiesAreRefused) {
  EXPECT_LT(pcio_set_dxpl_transport(list_, PCIO_TRANSPORT_BROADCAST), 0);

  EXPECT_LT(pcio_set_dxpl_transport(list_, number_as<pcio_transport_t>(77)), 0);
  EXPECT_LT(pcio_set_dxpl_exchange_memory(list_, (1U << 20) - 1), 0);
  EXPECT_LT(pcio_set_dxpl_transport(H5P_DEFAULT, PCIO_TRANSPORT_DIRECT), 0);
  EXPECT_LT(pcio_set_dxpl_report_chunks(create_, 1), 0);
}

TEST_F(Reports, ChunkModesComeInTwoCalls) {
  size_t count = 5;
  write_all();
  EXPECT_EQ(pcio_get_chunk_modes(list_, &count, nullptr), 0);
  EXPECT_EQ(count, 0U);  // not asked for
  pcio_set_dxpl_report_chunks(list_, 1);
  write_all();
  EXPECT_EQ(pcio_get_chunk_modes(list_, &count, nullptr), 0);
  ASSERT_EQ(count, 9U);
  std::vector<pcio_chunk_mode_t> modes(4);
  count = 3;
  modes[3].ordinal = 4711;
  EXPECT_EQ(pcio_get_chunk_modes(list_, &count, modes.data()), 0);
  EXPECT_EQ(count, 9U);
  EXPECT_EQ(modes[2].ordinal, 2U);
  EXPECT_EQ(modes[2].mode, H5FD_MPIO_INDEPENDENT);
  EXPECT_EQ(modes[3].ordinal, 4711U);
  EXPECT_LT(pcio_get_chunk_modes(list_, nullptr, modes.data()), 0);
}

TEST_F(Reports, JsonHasTheWholeReport) {
  pcio_set_dxpl_report_chunks(list_, 1);
  write_all();
  const ssize_t length = pcio_transfer_report_json(list_, nullptr, 0);
  ASSERT_GT(length, 0);
  std::string text(static_cast<std::size_t>(length) + 1, '?');
  EXPECT_EQ(pcio_transfer_report_json(list_, text.data(), text.size()), length);
  text.pop_back();
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["direction"], "write");
  EXPECT_EQ(json["succeeded"], true);
  EXPECT_EQ(json["counts"]["bytes_selected"], 140);
  EXPECT_EQ(json["chunk_modes"].size(), 9U);
  // A buffer that is too small gets a beginning.
  char few[8];
  EXPECT_EQ(pcio_transfer_report_json(list_, few, sizeof few), length);
  EXPECT_EQ(std::string(few), text.substr(0, 7));
}

/// Each process of a parallel program would write lines of its own.
TEST_F(Reports, FilesOfSerialDriversAreNotLogged) {
  const pcio::test::TempPath log("report.jsonl");
  ASSERT_EQ(setenv("PCIO_REPORT", log.str().c_str(), 1), 0);
  reopen_all();
  write_all();
  EXPECT_GE(H5Dclose(dataset_), 0);
  EXPECT_GE(H5Fclose(file), 0);
  unsetenv("PCIO_REPORT");
  EXPECT_NE(access(log.str().c_str(), F_OK), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset_ = H5Dopen2(file, "data", H5P_DEFAULT);
}

TEST_F(Reports, OlderProgramsGetAShorterStructure) {
  write_all();
  pcio_transfer_report_t report;
  std::memset(&report, 0x55, sizeof report);
  EXPECT_EQ(pcio_get_transfer_report(list_, &report, 8), 0);
  EXPECT_EQ(report.version, static_cast<uint32_t>(PCIO_TRANSFER_REPORT_VERSION));
  EXPECT_EQ(report.direction, PCIO_DIRECTION_WRITE);
  EXPECT_EQ(report.succeeded, 0x55555555U);
}

/// The data of compact datasets are in memory, where nothing counts what touches them.
TEST_F(Reports, ADryRunOfACompactDatasetTouchesNothing) {
  const hsize_t dims[1] = {15000};
  const hid_t space = H5Screate_simple(1, dims, nullptr), create = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_layout(create, H5D_COMPACT);
  const hid_t compact =
      H5Dcreate2(file, "compact", H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT);
  const std::vector<int> data(15000, 7);
  ASSERT_EQ(H5Dwrite(compact, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
  pcio_transfer_report_t plan;
  for (const hid_t type : {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, H5T_STD_I32BE})
    for (const pcio_direction_t direction : {PCIO_DIRECTION_WRITE, PCIO_DIRECTION_READ}) {
      EXPECT_EQ(pcio_explain(compact, type, H5S_ALL, H5S_ALL, list_, direction, &plan, sizeof plan),
                0);
      std::vector<int> seen(15000);
      ASSERT_EQ(H5Dread(compact, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, seen.data()), 0);
      EXPECT_EQ(seen, data);
    }
  H5Dclose(compact);
  H5Pclose(create);
  H5Sclose(space);
}

TEST_F(Reports, ADryRunTellsAndDoesNothing) {
  pcio_transfer_report_t plan, report;
  EXPECT_EQ(pcio_explain(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_WRITE,
                         &plan, sizeof plan),
            0);
  EXPECT_EQ(plan.bytes_written, 140U);
  EXPECT_EQ(plan.succeeded, 0U);
  EXPECT_EQ(plan.chunks_touched, 9U);
  EXPECT_EQ(H5Dget_storage_size(dataset_), 0U);  // nothing got space
  EXPECT_EQ(pcio_get_transfer_report(list_, &report, sizeof report), 0);
  EXPECT_EQ(report.direction, PCIO_DIRECTION_NONE);
  write_all();
  EXPECT_EQ(pcio_explain(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_WRITE,
                         &plan, sizeof plan),
            0);
  write_all();
  EXPECT_EQ(pcio_get_transfer_report(list_, &report, sizeof report), 0);
  EXPECT_EQ(plan.posix_writes, report.posix_writes);
  EXPECT_EQ(plan.bytes_written, report.bytes_written);
  EXPECT_STREQ(plan.transport_why, report.transport_why);
}

TEST_F(Reports, ADryRunChecksItsArguments) {
  pcio_transfer_report_t plan;
  EXPECT_LT(pcio_explain(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_NONE,
                         &plan, sizeof plan),
            0);
  EXPECT_LT(pcio_explain(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_READ,
                         nullptr, sizeof plan),
            0);
  EXPECT_LT(pcio_explain(dataset_, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_READ,
                         &plan, 0),
            0);
  EXPECT_LT(pcio_explain(dataset_, space_, H5S_ALL, H5S_ALL, list_, PCIO_DIRECTION_READ, &plan,
                         sizeof plan),
            0);
  const hsize_t few = 3;
  const hid_t memory = H5Screate_simple(1, &few, nullptr);
  EXPECT_LT(pcio_explain(dataset_, H5T_NATIVE_INT, memory, H5S_ALL, list_, PCIO_DIRECTION_READ,
                         &plan, sizeof plan),
            0);
  H5Sclose(memory);
}

}  // namespace
