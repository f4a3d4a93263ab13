// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files of the multi and split drivers through the C API: what libpcio says otherwise than libhdf5, or
// where libhdf5 can't be asked. The rest: test/api/driver_calls.c. Kills: test/storage/split_kill_test.cpp.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <iterator>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

using pcio::test::TempPath;

class SplitFiles : public QuietTest {
 protected:
  SplitFiles() { EXPECT_EQ(H5Pset_fapl_split(list_, ".m", H5P_DEFAULT, ".r", H5P_DEFAULT), 0); }
  ~SplitFiles() override {
    H5Pclose(list_);
    std::remove(meta().c_str());
    std::remove(raw().c_str());
  }
  [[nodiscard]] const char* name() const { return name_.str().c_str(); }
  [[nodiscard]] std::string meta() const { return name_.str() + ".m"; }
  [[nodiscard]] std::string raw() const { return name_.str() + ".r"; }

  void make(H5F_libver_t low) {
    H5Pset_libver_bounds(list_, low, H5F_LIBVER_LATEST);
    const hid_t file = H5Fcreate(name(), H5F_ACC_TRUNC, H5P_DEFAULT, list_);
    ASSERT_GT(file, 0);
    const hsize_t size = 100;
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t dataset =
        H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const std::vector<int> values(100, 7);
    EXPECT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Dclose(dataset);
    H5Sclose(space);
    EXPECT_EQ(H5Fclose(file), 0);
  }
  /// Elements of "d" that are right; -1: not opened or read.
  int read() {
    int right = -1;
    H5E_BEGIN_TRY {
      const hid_t file = H5Fopen(name(), H5F_ACC_RDONLY, list_);
      const hid_t dataset = file > 0 ? H5Dopen2(file, "d", H5P_DEFAULT) : -1;
      std::vector<int> values(100);
      if (dataset > 0 &&
          H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) == 0)
        right = static_cast<int>(std::count(values.begin(), values.end(), 7));
      if (dataset > 0) H5Dclose(dataset);
      if (file > 0) H5Fclose(file);
    }
    H5E_END_TRY
    return right;
  }

  const TempPath name_{"split"};
  const hid_t list_ = H5Pcreate(H5P_FILE_ACCESS);
};

/// A file that another driver has made has no place for what this one says of itself.
TEST_F(SplitFiles, MadeByAnotherDriverAreWritten) {
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST}) {
    const hid_t plain = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(plain, low, H5F_LIBVER_LATEST);
    for (const std::string& part : {meta(), raw()})
      EXPECT_EQ(H5Fclose(H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, plain)), 0);
    H5Pclose(plain);
    hid_t file = H5Fopen(name(), H5F_ACC_RDWR, list_);
    ASSERT_GT(file, 0);
    EXPECT_EQ(H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), 0);
    EXPECT_EQ(H5Fclose(file), 0);
    file = H5Fopen(name(), H5F_ACC_RDONLY, list_);
    EXPECT_GT(H5Lexists(file, "g", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Fclose(file), 0);
  }
}

TEST_F(SplitFiles, HaveNoImage) {
  make(H5F_LIBVER_EARLIEST);
  const hid_t file = H5Fopen(name(), H5F_ACC_RDONLY, list_);
  H5E_BEGIN_TRY { EXPECT_LT(H5Fget_file_image(file, nullptr, 0), 0); }
  H5E_END_TRY
  EXPECT_NE(first_error().find("split into several"), std::string::npos) << first_error();
  EXPECT_EQ(H5Fclose(file), 0);
}

/// libhdf5 1.10.8 gives zeros for what is gone.
TEST_F(SplitFiles, ThatAreShorterThanTheyShouldBeAreRefused) {
  make(H5F_LIBVER_EARLIEST);
  EXPECT_EQ(read(), 100);
  std::filesystem::resize_file(raw(), 100);
  EXPECT_EQ(read(), -1);
  H5E_BEGIN_TRY { EXPECT_LT(H5Fopen(name(), H5F_ACC_RDONLY, list_), 0); }
  H5E_END_TRY
  EXPECT_NE(first_error().find("truncated file"), std::string::npos) << first_error();
}

TEST_F(SplitFiles, GiveBackWhatIsFreeAtTheirEnds) {
  make(H5F_LIBVER_V110);
  const auto before = std::filesystem::file_size(raw());
  for (int round = 0; round < 2; ++round) {
    const hid_t file = H5Fopen(name(), H5F_ACC_RDWR, list_);
    if (round == 0) {
      const hsize_t size = 100000;
      const hid_t space = H5Screate_simple(1, &size, nullptr);
      const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_alloc_time(plist, H5D_ALLOC_TIME_EARLY);
      H5Dclose(H5Dcreate2(file, "big", H5T_NATIVE_INT, space, H5P_DEFAULT, plist, H5P_DEFAULT));
      H5Pclose(plist);
      H5Sclose(space);
    } else {
      EXPECT_EQ(H5Ldelete(file, "big", H5P_DEFAULT), 0);
    }
    EXPECT_EQ(H5Fclose(file), 0);
    EXPECT_EQ(read(), 100);
    if (round == 0) {
      EXPECT_GE(std::filesystem::file_size(raw()), before + 400000);
    }
  }
  EXPECT_EQ(std::filesystem::file_size(raw()), before);
}

/// Every byte of superblock and driver information in turn: an error, or the data.
TEST_F(SplitFiles, WithDamagedInformationAreRefusedOrRead) {
  int refused = 0, sound = 0, wrong = 0;
  for (const H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
    make(low);
    std::ifstream in(meta(), std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(in), {}};
    const std::size_t most = std::min<std::size_t>(whole.size(), 220);
    for (std::size_t at = 8; at < most; ++at) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (at % 2 == 0 ? 0x81 : 0xff));
      std::ofstream(meta(), std::ios::binary) << bytes;
      const int right = read();
      ++(right < 0 ? refused : right == 100 ? sound : wrong);
    }
  }
  std::printf("split: refused %d, read %d, other data %d\n", refused, sound, wrong);
  EXPECT_GT(refused, 100);
  EXPECT_GT(sound, 20);
}

}  // namespace
