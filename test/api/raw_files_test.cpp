// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// External raw data files through the C API: what is told of a transfer, and files that say nonsense. What
// they answer in all other ways: test/api/external_calls.c.

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <iterator>
#include <pcio.h>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

using pcio::test::TempPath;

class RawFiles : public FileTest {
 protected:
  hid_t create(hsize_t size, const std::vector<hsize_t>& bytes, hsize_t most = 0) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      EXPECT_EQ(H5Pset_external(list, (i == 0 ? first_ : second_).str().c_str(), 0, bytes[i]), 0);
    const hid_t space = H5Screate_simple(1, &size, most == 0 ? nullptr : &most);
    const hid_t dataset =
        H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
  }
  static pcio_transfer_report_t report_of(hid_t list) {
    pcio_transfer_report_t report{};
    EXPECT_EQ(pcio_get_transfer_report(list, &report, sizeof report), 0);
    return report;
  }
  pcio_transfer_report_t explain(hid_t dataset, hid_t list, pcio_direction_t direction) {
    pcio_transfer_report_t report{};
    EXPECT_EQ(pcio_explain(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, direction, &report,
                           sizeof report),
              0)
        << first_error();
    return report;
  }
  /// The bytes of the closed file, for damage.
  std::string content() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put_content(const std::string& bytes) const {
    std::ofstream(path(), std::ios::binary) << bytes;
  }

  const TempPath first_{"first.raw"}, second_{"second.raw"};
};

TEST_F(RawFiles, ReportsTellTheCallsOnThem) {
  const hid_t dataset = create(8, {12, 20}), list = H5Pcreate(H5P_DATASET_XFER);
  const std::vector<int> values(8, 3);
  const auto planned = explain(dataset, list, PCIO_DIRECTION_WRITE);
  EXPECT_FALSE(std::ifstream(first_.str()).is_open()) << "a dry run made a file";
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, values.data()), 0);
  const auto done = report_of(list);
  EXPECT_EQ(done.posix_writes, 2U);
  EXPECT_EQ(done.bytes_written, 32U);
  EXPECT_EQ(planned.posix_writes, done.posix_writes);
  EXPECT_EQ(planned.bytes_written, done.bytes_written);
  // A file that is too short is read up to its end, which takes a call more.
  std::ofstream(second_.str(), std::ios::binary | std::ios::trunc) << "1234";
  const auto expected = explain(dataset, list, PCIO_DIRECTION_READ);
  std::vector<int> found(8, -1);
  ASSERT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, found.data()), 0);
  EXPECT_EQ(found[0], 3);
  EXPECT_EQ(found[7], 0);
  EXPECT_EQ(report_of(list).posix_reads, expected.posix_reads);
  EXPECT_EQ(report_of(list).bytes_read, 16U);
  EXPECT_EQ(expected.bytes_read, 16U);
  H5Pclose(list);
  H5Dclose(dataset);
}

TEST_F(RawFiles, AreNamedWhereTheyCannotBeOpened) {
  const hid_t dataset = create(4, {16});
  std::vector<int> values(4);
  EXPECT_LT(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_NE(all_errors().find(first_.str()), std::string::npos) << all_errors();
  H5Dclose(dataset);
}

TEST_F(RawFiles, FilesThatNobodySelectsAreNotOpened) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const TempPath gone("gone.raw");
  for (const TempPath* path : {&first_, &gone, &second_})
    ASSERT_EQ(H5Pset_external(list, path->str().c_str(), 0, 8), 0);
  const hsize_t size = 6, count = 2, stride = 4, block = 2, zero = 0, four = 4;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t dataset =
      H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const std::vector<int> values = {1, 2, 3, 4, 5, 6};
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  ASSERT_EQ(std::remove(gone.str().c_str()), 0);
  ASSERT_EQ(H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, &stride, &count, &block), 0);
  const hid_t memory = H5Screate_simple(1, &four, nullptr);
  std::vector<int> read(4, 0);
  EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, read.data()), 0)
      << first_error();
  EXPECT_EQ(read, (std::vector<int>{1, 2, 5, 6}));
  for (const hid_t each : {memory, space}) H5Sclose(each);
  H5Pclose(list);
  H5Dclose(dataset);
}

TEST_F(RawFiles, DatasetsStaySmallerThanAnyFile) {
  const hid_t dataset = create(4, {H5F_UNLIMITED}, H5S_UNLIMITED);
  const hsize_t huge = hsize_t{1} << 62, few = 5;
  EXPECT_LT(H5Dset_extent(dataset, &huge), 0);
  EXPECT_EQ(H5Dset_extent(dataset, &few), 0) << first_error();
  ASSERT_EQ(H5Dclose(dataset), 0);
  ASSERT_EQ(H5Fclose(file), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t again = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_GT(again, 0) << first_error();
  H5Dclose(again);
}

// Slots of a damaged list may all name the same long text.
TEST_F(RawFiles, NamesThatNoFileHasAreRefused) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  EXPECT_LT(H5Pset_external(list, std::string(5000, 'x').c_str(), 0, 8), 0);
  ASSERT_EQ(H5Pset_external(list, std::string(4000, 'x').c_str(), 0, 8), 0);
  H5Pclose(list);
}

TEST_F(RawFiles, OfCompactDatasetsAreRefused) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate(H5S_SCALAR);
  H5Pset_layout(list, H5D_COMPACT);
  EXPECT_EQ(H5Pset_external(list, "x", 0, 8), 0);
  EXPECT_LT(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
  EXPECT_NE(first_error().find("external files"), std::string::npos);
  EXPECT_EQ(H5Lexists(file, "d", H5P_DEFAULT), 0);
  H5Sclose(space);
  H5Pclose(list);
}

TEST_F(RawFiles, NamesGoWithTheDataset) {
  hsize_t bytes = 0, once = 0;
  for (int i = 0; i < 5; ++i) {
    H5Dclose(create(4, {8, 8}));
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    ASSERT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    ASSERT_EQ(H5Fget_filesize(file, &bytes), 0);
    if (i == 1) once = bytes;
  }
  EXPECT_EQ(bytes, once);
}

// Each case damages what stands behind the heap or the message and must get an error, or what is there.
TEST_F(RawFiles, ListsThatSayNonsenseAreErrors) {
  H5Dclose(create(4, {8, 8}));
  H5Fclose(file);
  const std::string good = content();
  const std::size_t name = good.find(first_.str());
  const std::size_t heap = good.rfind("HEAP", name);
  ASSERT_NE(name, std::string::npos);
  // The message: version 1, slots 2 of 2, the heap's address, then the slots.
  std::string head("\1\0\0\0\2\0\2\0", 8);
  const std::size_t message = good.find(head);
  ASSERT_NE(message, std::string::npos);
  struct Damage {
    const char* what;
    std::size_t at;
    std::string bytes;
    bool fails;
  };
  const std::string ones(8, '\xff'), huge("\xff\xff\xff\xff\xff\xff\xff\x7f", 8);
  const std::vector<Damage> cases = {
      {"nothing", 0, "", false},
      {"a version to come", message, "\2", true},
      {"more slots used than there are", message + 6, "\3", true},
      {"slots behind the message", message + 4, std::string("\xff\xff\xff\xff", 4), true},
      {"a heap behind the end", message + 8, huge, true},
      {"no heap", message + 8, ones, true},
      {"a name behind the heap", message + 16, huge, true},
      {"no name", message + 16, std::string(8, '\0'), true},
      {"an offset that no file has", message + 24, ones, true},
      {"a size without end, and a file behind it", message + 32, ones, true},
      {"a size that overflows", message + 32, "\xfe" + ones.substr(1), true},
      {"not a heap", heap, "HEAR", true},
      {"a segment behind the end", heap + 24, huge, true},
      {"a segment of all bytes there are", heap + 8, ones, true},
      {"a name without an end", name, std::string(good.size() - name, 'x'), true},
  };
  for (const Damage& damage : cases) {
    SCOPED_TRACE(damage.what);
    std::string bytes = good;
    bytes.replace(damage.at, damage.bytes.size(), damage.bytes);
    put_content(bytes);
    const hid_t opened = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    if (opened < 0) continue;
    const hid_t dataset = H5Dopen2(opened, "d", H5P_DEFAULT);
    std::vector<int> values(4, 1);
    EXPECT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0,
              damage.fails);
    EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0,
              damage.fails);
    if (dataset >= 0) H5Dclose(dataset);
    H5Fclose(opened);
  }
}

}  // namespace

namespace {

TEST(AbsentDrivers, SayThatTheyAreNotThere) {
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5E_BEGIN_TRY {
    EXPECT_LT(H5Pset_fapl_splitter(list, nullptr), 0);
    EXPECT_LT(H5Pget_fapl_splitter(list, nullptr), 0);
    EXPECT_LT(H5Pset_fapl_direct(list, 0, 0, 0), 0);
    EXPECT_LT(H5Pget_fapl_direct(list, nullptr, nullptr, nullptr), 0);
    EXPECT_LT(H5Pset_fapl_hdfs(list, nullptr), 0);
    EXPECT_LT(H5Pget_fapl_hdfs(list, nullptr), 0);
    EXPECT_LT(H5Pset_fapl_ros3(list, nullptr), 0);
    EXPECT_LT(H5Pget_fapl_ros3(list, nullptr), 0);
    EXPECT_LT(H5Pset_fapl_mirror(list, nullptr), 0);
    EXPECT_LT(H5Pget_fapl_mirror(list, nullptr), 0);
    EXPECT_LT(H5Pset_fapl_windows(list), 0);
    EXPECT_LT(H5FD_splitter_init(), 0);
    EXPECT_LT(H5FD_direct_init(), 0);
    EXPECT_LT(H5FD_hdfs_init(), 0);
    EXPECT_LT(H5FD_ros3_init(), 0);
    EXPECT_LT(H5FD_mirror_init(), 0);
    // What was asked for before stays.
    EXPECT_EQ(H5Pget_driver(list), H5FD_SEC2);
  }
  H5E_END_TRY
  H5Pclose(list);
}

}  // namespace
