// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Links that lead elsewhere: what errors say, rings of links, and changes in files that only a link keeps
// open. What calls answer is compared with libhdf5 in test/api/elsewhere.

#include <fstream>

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
