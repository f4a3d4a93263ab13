// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5Ocopy where libhdf5 1.10.8 can't, or is not to be followed. What both do alike: test/api/elsewhere.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

using pcio::test::TempPath;

class Copies : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    make_numbers(file, "d", 10);
    make_group("mnt");
    other_ = H5Fcreate(child_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    make_numbers(other_, "d", 20);
    intermediate_ = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(intermediate_, 1);
  }
  void TearDown() override {
    H5Pclose(intermediate_);
    if (H5Iis_valid(other_) > 0) H5Fclose(other_);
    FileTest::TearDown();
  }
  static void make_numbers(hid_t at, const char* name, int first) {
    const hsize_t three = 3;
    const int values[3] = {first, first + 1, first + 2};
    const hid_t space = H5Screate_simple(1, &three, nullptr);
    const hid_t d =
        H5Dcreate2(at, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_EQ(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(d), H5Sclose(space);
  }
  static int first_of(hid_t at, const char* name) {
    int values[3] = {-1, -1, -1};
    const hid_t d = H5Dopen2(at, name, H5P_DEFAULT);
    EXPECT_EQ(H5Dread(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0) << name;
    H5Dclose(d);
    return values[0];
  }
  static hid_t with_flags(unsigned flags) {
    const hid_t list = H5Pcreate(H5P_OBJECT_COPY);
    H5Pset_copy_object(list, flags);
    return list;
  }

  TempPath child_{"child.h5"};
  hid_t other_ = -1, intermediate_ = -1;
};

/// Nothing but the call keeps the file open that the link leads to.
TEST_F(Copies, GoThroughExternalLinks) {
  ASSERT_EQ(H5Fclose(other_), 0);
  ASSERT_EQ(H5Lcreate_external(child_.str().c_str(), "/", file, "e", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ocopy(file, "d", file, "e/x", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(first_of(file, "e/x"), 10);
  EXPECT_EQ(H5Ocopy(file, "d", file, "e/new/way/x", H5P_DEFAULT, intermediate_), 0)
      << first_error();
  EXPECT_EQ(first_of(file, "e/new/way/x"), 10);
  EXPECT_LT(H5Ocopy(file, "d", file, "e/none/x", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 1);
  other_ = H5Fopen(child_.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(first_of(other_, "new/way/x"), 10);
  // Open for reading only: nothing is made in vain.
  EXPECT_LT(H5Ocopy(file, "d", file, "e/y", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_NE(first_error().find("for reading only"), std::string::npos) << first_error();
}

TEST_F(Copies, AreMergedWithTypesBehindExternalLinks) {
  const hid_t type = H5Tcopy(H5T_STD_I32LE),
              merge = with_flags(H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
  ASSERT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Fclose(other_), 0);
  ASSERT_EQ(H5Lcreate_external(child_.str().c_str(), "/", file, "e", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ocopy(file, "t", file, "e/one", merge, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Ocopy(file, "t", file, "e/two", merge, H5P_DEFAULT), 0) << first_error();
  H5O_info_t info{};
  EXPECT_EQ(H5Oget_info_by_name(file, "e/two", &info, H5P_DEFAULT), 0);
  EXPECT_EQ(info.rc, 2U);
  H5Tclose(type), H5Pclose(merge);
}

TEST_F(Copies, GoIntoWhatIsMounted) {
  ASSERT_EQ(H5Fmount(file, "mnt", other_, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ocopy(file, "d", file, "mnt/x", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Ocopy(file, "d", file, "mnt/new/way/x", H5P_DEFAULT, intermediate_), 0)
      << first_error();
  EXPECT_LT(H5Ocopy(file, "d", file, "mnt/none/x", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(first_of(file, "mnt/new/way/x"), 10);
  EXPECT_EQ(H5Funmount(file, "mnt"), 0);
  EXPECT_EQ(first_of(other_, "x"), 10);
  EXPECT_EQ(H5Lexists(file, "mnt/new", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(other_, "none", H5P_DEFAULT), 0);
}

/// libhdf5 1.10.8 copies what has the same address in the file with the link.
TEST_F(Copies, OfSoftLinksThatLeadOverMounts) {
  const hid_t expand = with_flags(H5O_COPY_EXPAND_SOFT_LINK_FLAG);
  make_group("g");
  ASSERT_EQ(H5Fmount(file, "mnt", other_, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Lcreate_soft("/mnt/d", file, "g/soft", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Ocopy(file, "g", file, "copy", expand, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Funmount(file, "mnt"), 0);
  EXPECT_EQ(first_of(file, "copy/soft"), 20);
  H5Pclose(expand);
}

/// Rings of mounts would have no end.
TEST_F(Copies, FilesAreNotMountedInWhatIsMountedInThem) {
  const hid_t again = H5Freopen(file),
              group = H5Gcreate2(other_, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Fmount(group, ".", again, H5P_DEFAULT), 0) << first_error();
  EXPECT_LT(H5Fmount(file, "mnt", other_, H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("in what is mounted in it"), std::string::npos));
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_EQ(H5Funmount(group, "."), 0);
  EXPECT_EQ(H5Fmount(file, "mnt", other_, H5P_DEFAULT), 0) << first_error();
  H5Gclose(group);
  EXPECT_EQ(H5Fclose(again), 0);
}

/// What a smaller extent cut off is written before it is copied.
TEST_F(Copies, OfDatasetsThatWereMadeSmaller) {
  const hsize_t ten = 10, three = 3, chunk = 4, endless = H5S_UNLIMITED;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &ten, &endless);
  H5Pset_chunk(list, 1, &chunk);
  const hid_t d = H5Dcreate2(file, "cut", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const std::vector<int> values(10, 7);
  ASSERT_EQ(H5Dwrite(d, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  ASSERT_EQ(H5Dset_extent(d, &three), 0);
  EXPECT_EQ(H5Ocopy(file, "cut", file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  const hid_t copy = H5Dopen2(file, "copy", H5P_DEFAULT);
  ASSERT_EQ(H5Dset_extent(copy, &ten), 0);
  std::vector<int> found(10, -1);
  EXPECT_EQ(H5Dread(copy, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0);
  EXPECT_EQ(found, (std::vector<int>{7, 7, 7, 0, 0, 0, 0, 0, 0, 0}));
  H5Dclose(copy), H5Dclose(d), H5Sclose(space), H5Pclose(list);
}

}  // namespace
