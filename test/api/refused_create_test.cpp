// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What an H5Fcreate leaves that is refused: what was there before, and no file of its own. Ranks: testpar/t_file_names.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <iterator>
#include <string>
#include <vector>

#include "api/quiet.hpp"
#include "support/temp_path.hpp"

#ifdef PCIO_VERSION

namespace {

namespace fs = std::filesystem;
using pcio::test::TempPath;

const std::string kBefore = "what was there";

/// Two indexes for the same messages: what is wrong with it is found when the file is there.
hid_t refused_list() {
  hid_t list = H5Pcreate(H5P_FILE_CREATE);
  EXPECT_EQ(H5Pset_shared_mesg_nindexes(list, 2), 0);
  for (const unsigned index : {0U, 1U})
    EXPECT_EQ(H5Pset_shared_mesg_index(list, index, H5O_SHMESG_DTYPE_FLAG, 50), 0);
  return list;
}

/// A driver, by the name that the file has, and the files that it is made of.
struct Case {
  const char* driver;
  std::string name;
  std::vector<std::string> files;
};

hid_t access_for(const std::string& driver) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  herr_t set = 0;
  if (driver == "stdio") set = H5Pset_fapl_stdio(list);
  if (driver == "log") set = H5Pset_fapl_log(list, nullptr, 0, 0);
  if (driver == "core") set = H5Pset_fapl_core(list, 1024, true);
  if (driver == "family") set = H5Pset_fapl_family(list, 1024, H5P_DEFAULT);
  if (driver == "split") set = H5Pset_fapl_split(list, "-m", H5P_DEFAULT, "-r", H5P_DEFAULT);
  EXPECT_EQ(set, 0) << driver;
  return list;
}

std::vector<Case> cases_in(const std::string& folder) {
  std::vector<Case> all;
  for (const char* driver : {"sec2", "stdio", "log", "core"})
    all.push_back({driver, folder + "/" + driver, {folder + "/" + driver}});
  all.push_back({"family", folder + "/family%d", {folder + "/family0", folder + "/family1"}});
  all.push_back({"split", folder + "/split", {folder + "/split-m", folder + "/split-r"}});
  return all;
}

std::string bytes_of(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class RefusedCreate : public QuietTest {
 protected:
  void SetUp() override {
    QuietTest::SetUp();
    fs::create_directory(folder());
  }
  void TearDown() override {
    fs::remove_all(folder());
    EXPECT_EQ(H5Pclose(refused_), 0);
    QuietTest::TearDown();
  }
  [[nodiscard]] std::string folder() const { return path_.str(); }
  [[nodiscard]] std::size_t files_there() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder()), fs::directory_iterator()));
  }

  TempPath path_{"refused.d"};
  hid_t refused_ = refused_list();
};

TEST_F(RefusedCreate, LeavesNoFile) {
  for (const Case& one : cases_in(folder())) {
    const hid_t access = access_for(one.driver);
    for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
      EXPECT_LT(H5Fcreate(one.name.c_str(), flags, refused_, access), 0) << one.driver;
      EXPECT_EQ(files_there(), 0U) << one.driver;
    }
    EXPECT_EQ(H5Pclose(access), 0);
  }
}

TEST_F(RefusedCreate, EmptiesNoFile) {
  for (const Case& one : cases_in(folder())) {
    const hid_t access = access_for(one.driver);
    for (const std::string& file : one.files) std::ofstream(file) << kBefore;
    for (const unsigned flags : {H5F_ACC_TRUNC, H5F_ACC_EXCL}) {
      EXPECT_LT(H5Fcreate(one.name.c_str(), flags, refused_, access), 0) << one.driver;
      for (const std::string& file : one.files) EXPECT_EQ(bytes_of(file), kBefore) << file;
    }
    // One that is not refused does.
    const hid_t made = H5Fcreate(one.name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    EXPECT_GT(made, 0) << one.driver;
    EXPECT_EQ(H5Fclose(made), 0);
    EXPECT_EQ(bytes_of(one.files.front()).find(kBefore), std::string::npos) << one.driver;
    EXPECT_EQ(bytes_of(one.files.back()).find(kBefore), std::string::npos) << one.driver;
    EXPECT_EQ(H5Pclose(access), 0);
  }
}

TEST_F(RefusedCreate, RemovesNoFileOfAnother) {
  const std::string name = folder() + "/locked";
  const hid_t open = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_LT(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fclose(open), 0);
  EXPECT_GT(H5Fis_hdf5(name.c_str()), 0);
  // Nor a link.
  const std::string link = folder() + "/link";
  fs::create_symlink(folder() + "/nowhere", link);
  EXPECT_LT(H5Fcreate(link.c_str(), H5F_ACC_TRUNC, refused_, H5P_DEFAULT), 0);
  EXPECT_TRUE(fs::is_symlink(link));
}

}  // namespace

#endif
