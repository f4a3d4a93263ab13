// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links that lead elsewhere: what errors say, rings of links, and changes in files that only a link keeps
// open. What calls answer is compared with libhdf5 in test/api/elsewhere.

#include <fstream>
#include <numeric>

#include "api/file_fixture.hpp"

namespace {

class Elsewhere : public FileTest {
 protected:
  pcio::test::TempPath other_{"other.h5"};
  hid_t space_ = H5I_INVALID_HID;

  void SetUp() override {
    FileTest::SetUp();
    space_ = H5Screate(H5S_SCALAR);
    hid_t other = H5Fcreate(other_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(other, 0);
    H5Gclose(H5Gcreate2(other, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    // A ring of links over two files.
    H5Lcreate_external(path().c_str(), "/ring", other, "ring", H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_EQ(H5Fclose(other), 0);
    external("e", "/g");
    external("ring", "/ring");
  }
  void TearDown() override {
    H5Sclose(space_);
    FileTest::TearDown();
  }
  void external(const char* name, const char* object) {
    ASSERT_EQ(
        H5Lcreate_external(other_.str().c_str(), object, file, name, H5P_DEFAULT, H5P_DEFAULT), 0)
        << first_error();
  }
  static void expect_error(herr_t status, const char* words) {
    EXPECT_LT(status, 0) << words;
    PCIO_ONLY(EXPECT_NE(first_error().find(words), std::string::npos) << first_error());
    static_cast<void>(words);
  }
};

TEST_F(Elsewhere, CommittedTypesAreFlushedAndReadAgain) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  EXPECT_LT(H5Tflush(type), 0) << "not committed";
  EXPECT_LT(H5Trefresh(type), 0);
  EXPECT_LT(H5Tflush(file), 0);
  EXPECT_LT(H5Trefresh(-1), 0);
  ASSERT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Tflush(type), 0) << first_error();
  EXPECT_EQ(H5Trefresh(type), 0) << first_error();
  std::ifstream written(path(), std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(written)), {});
  EXPECT_GT(bytes.size(), 800U) << "in the file before it is closed";
  H5Tclose(type);
}

TEST_F(Elsewhere, ErrorsNameTheArgument) {
  H5L_class_t cls = {H5L_LINK_CLASS_T_VERS,
                     static_cast<H5L_type_t>(7),
                     "",
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr,
                     nullptr};
  expect_error(H5Lregister(&cls), "argument cls: 7 is no type");
  cls.id = static_cast<H5L_type_t>(77);
  expect_error(H5Lregister(&cls), "argument cls: no function trav_func");
  cls.version = 9;
  expect_error(H5Lregister(&cls), "argument cls: version 9");
  expect_error(H5Lunregister(static_cast<H5L_type_t>(77)), "argument id: link type 77");
  expect_error(
      H5Lcreate_ud(file, "u", static_cast<H5L_type_t>(77), "x", 1, H5P_DEFAULT, H5P_DEFAULT),
      "argument link_type: link type 77 is not registered");
  PCIO_ONLY(expect_error(
      H5Lcreate_ud(file, "u", static_cast<H5L_type_t>(77), nullptr, 1, H5P_DEFAULT, H5P_DEFAULT),
      "argument udata"));
  expect_error(H5Fmount(file, "e/none", file, H5P_DEFAULT), "none");
  expect_error(H5Fmount(file, "/", file, H5P_DEFAULT), "can't be mounted in itself");
  expect_error(H5Fmount(file, "/", space_, H5P_DEFAULT), "argument child");
  expect_error(H5Funmount(file, "/"), "nothing is mounted");
  expect_error(H5Ocopy(file, nullptr, file, "x", H5P_DEFAULT, H5P_DEFAULT), "argument src_name");
  expect_error(H5Ocopy(file, "e", file, nullptr, H5P_DEFAULT, H5P_DEFAULT), "argument dst_name");
  expect_error(H5Ocopy(space_, "e", file, "x", H5P_DEFAULT, H5P_DEFAULT), "argument src_loc_id");
  expect_error(H5Ocopy(file, "e", space_, "x", H5P_DEFAULT, H5P_DEFAULT), "argument dst_loc_id");
  expect_error(H5Ocopy(file, "e", file, "x", H5P_FILE_ACCESS_DEFAULT, H5P_DEFAULT),
               "argument ocpypl_id");
  expect_error(H5Oset_comment(space_, "x"), "argument obj_id");
  PCIO_ONLY(expect_error(H5Oset_comment(file, std::string(70000, 'c').c_str()), "64 KiB"));
  expect_error(H5Odisable_mdc_flushes(file), "argument object_id");
  hid_t list = H5Pcreate(H5P_OBJECT_COPY);
  expect_error(H5Padd_merge_committed_dtype_path(list, nullptr), "argument path");
  PCIO_ONLY(expect_error(H5Pset_mcdt_search_cb(list, nullptr, &list), "argument func"));
  H5Pclose(list);
}

TEST_F(Elsewhere, RingsOfLinksEnd) {
  EXPECT_LT(H5Oopen(file, "ring", H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("too many links"), std::string::npos) << first_error());
#ifdef PCIO_VERSION
  // However many may be followed: nothing calls itself for each.
  ASSERT_EQ(H5Lcreate_soft("self/x", file, "self", H5P_DEFAULT, H5P_DEFAULT), 0);
  hid_t list = H5Pcreate(H5P_LINK_ACCESS);
  H5Pset_nlinks(list, 20000);
  EXPECT_LT(H5Oopen(file, "self", list), 0);
  H5Pset_nlinks(list, 100);
  EXPECT_LT(H5Oopen(file, "ring", list), 0);
  H5Pclose(list);
#endif
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 1);
}

TEST_F(Elsewhere, AFileThatIsNoneIsAnError) {
  std::ofstream(other_.str()) << "this is no HDF5 file";
  EXPECT_LT(H5Gopen2(file, "e", H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("not an HDF5 file"), std::string::npos));
  EXPECT_EQ(H5Lexists(file, "e", H5P_DEFAULT), 1);
  EXPECT_LT(H5Lexists(file, "e/x", H5P_DEFAULT), 0);
}

/// A fill value goes into the file to which the link leads, and no byte of the one where the call began changes.
TEST_F(Elsewhere, FillsGoWhereTheLinkLeads) {
  const hsize_t many = 20000, chunk = 1000;
  const hid_t space = H5Screate_simple(1, &many, nullptr);
  const int nine = 9;
  std::vector<int> numbers(many), read(many);
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto holds = [&](hid_t at, const char* name, const std::vector<int>& expected) {
    const hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0)
        << first_error();
    EXPECT_EQ(H5Dclose(data), 0);
    return read == expected;
  };
  hid_t data =
      H5Dcreate2(file, "own", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  ASSERT_EQ(H5Dclose(data), 0);
  H5Gclose(H5Gcreate2(file, "mnt", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  const pcio::test::TempPath mounted("mounted.h5");
  hid_t child = H5Fcreate(mounted.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Fmount(file, "mnt", child, H5P_DEFAULT), 0) << first_error();
  ASSERT_EQ(H5Fclose(child), 0);
  for (const bool in_chunks : {false, true}) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_value(list, H5T_NATIVE_INT, &nine);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    if (in_chunks) H5Pset_chunk(list, 1, &chunk);
    for (const char* where : {"e/", "mnt/"}) {
      const std::string name = std::string(where) + (in_chunks ? "chunks" : "block");
      data = H5Dcreate2(file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
      ASSERT_GT(data, 0) << first_error();
      ASSERT_EQ(H5Dclose(data), 0);
      EXPECT_TRUE(holds(file, name.c_str(), std::vector<int>(many, nine))) << name;
      EXPECT_TRUE(holds(file, "own", numbers)) << name;
    }
    H5Pclose(list);
  }
  reopen();
  EXPECT_TRUE(holds(file, "own", numbers));
  for (const std::string& name : {other_.str(), mounted.str()}) {
    const hid_t other = H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    for (const char* made : {"block", "chunks"})
      EXPECT_TRUE(holds(other, (name == other_.str() ? std::string("g/") + made : made).c_str(),
                        std::vector<int>(many, nine)))
          << name << ": " << made;
    EXPECT_EQ(H5Fclose(other), 0);
  }
  H5Sclose(space);
}

#ifdef PCIO_VERSION
/// Nobody could be told later: the call that changes the file has it written.
TEST_F(Elsewhere, ChangesThroughALinkAreInTheFile) {
  ASSERT_EQ(H5Lcreate_soft("/g", file, "e/soft", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  hid_t other = H5Fopen(other_.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GT(other, 0) << first_error();
  EXPECT_EQ(H5Lexists(other, "g/soft", H5P_DEFAULT), 1);
  // Open for reading only here, and so for the link.
  EXPECT_LT(H5Lcreate_soft("/g", file, "e/again", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_NE(first_error().find("for reading only"), std::string::npos) << first_error();
  EXPECT_EQ(H5Fclose(other), 0);
  EXPECT_EQ(H5Lcreate_soft("/g", file, "e/again", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
}
#endif

}  // namespace
