// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// H5Ocopy where libhdf5 1.10.8 can't, or is not to be followed. What both do alike: test/api/elsewhere.

#include <gtest/gtest.h>
#include <hdf5.h>
#include <cstring>
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

/// Nothing would keep the file open that the link leads to, and the mount with it.
TEST_F(Copies, NothingIsMountedInAFileThatOnlyALinkOpens) {
  ASSERT_EQ(H5Lcreate_external(child_.str().c_str(), "/g", file, "e", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Gclose(H5Gcreate2(other_, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  ASSERT_EQ(H5Fclose(other_), 0);
  const TempPath third_path{"third.h5"};
  const hid_t third = H5Fcreate(third_path.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  make_numbers(third, "t", 40);
  EXPECT_LT(H5Fmount(file, "e", third, H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("for this call only"), std::string::npos)
            << first_error());
  const hid_t kept = H5Gopen2(file, "e", H5P_DEFAULT);
  ASSERT_EQ(H5Fmount(kept, ".", third, H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(first_of(file, "e/t"), 40);
  EXPECT_EQ(H5Funmount(kept, "."), 0) << first_error();
  H5Gclose(kept), H5Fclose(third);
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

/// What can't be copied is refused before anything is made: elements that stay where they are can't get heaps of
/// another file.
// Of 12 the first and the last are deleted: the others keep their numbers, and the next one that of the source.
TEST_F(Copies, KeepTheNumbersOfCreation) {
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE), scalar = H5Screate(H5S_SCALAR);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED);
  const hid_t group = H5Gcreate2(file, "numbered", H5P_DEFAULT, list, H5P_DEFAULT);
  const auto name = [](int i) { return std::string(1, static_cast<char>('z' - i)); };
  for (int i = 0; i < 12; ++i) {
    H5Gclose(H5Gcreate2(group, name(i).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Aclose(H5Acreate2(group, name(i).c_str(), H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
  }
  for (const int gone : {0, 11}) {
    EXPECT_EQ(H5Ldelete(group, name(gone).c_str(), H5P_DEFAULT), 0);
    EXPECT_EQ(H5Adelete(group, name(gone).c_str()), 0);
  }
  for (const hid_t to : {file, other_}) {
    EXPECT_EQ(H5Ocopy(file, "numbered", to, "copied", H5P_DEFAULT, H5P_DEFAULT), 0);
    const hid_t copied = H5Gopen2(to, "copied", H5P_DEFAULT);
    for (int i = 1; i < 13; ++i) {
      if (i >= 11) {  // the deleted last one's name
        H5Gclose(H5Gcreate2(copied, name(i).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Aclose(
            H5Acreate2(copied, name(i).c_str(), H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT));
      }
      const int number = i < 11 ? i : i + 1;
      H5L_info_t link;
      EXPECT_EQ(H5Lget_info(copied, name(i).c_str(), &link, H5P_DEFAULT), 0);
      EXPECT_EQ(link.corder, number);
      H5A_info_t attribute;
      EXPECT_EQ(H5Aget_info_by_name(copied, ".", name(i).c_str(), &attribute, H5P_DEFAULT), 0);
      EXPECT_EQ(attribute.corder, static_cast<H5O_msg_crt_idx_t>(number));
    }
    H5Gclose(copied);
  }
  H5Gclose(group);
  H5Sclose(scalar);
  H5Pclose(list);
}

TEST_F(Copies, AreRefusedAsAWhole) {
  const hsize_t one = 1;
  const hid_t type = H5Tvlen_create(H5T_NATIVE_INT), space = H5Screate_simple(1, &one, nullptr),
              list = H5Pcreate(H5P_DATASET_CREATE);
  const TempPath raw{"raw.bin"};
  H5Pset_external(list, raw.str().c_str(), 0, 64);
  make_group("g");
  const hid_t d = H5Dcreate2(file, "g/outside", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(d, 0) << first_error();
  H5Dclose(d);
  PCIO_ONLY(EXPECT_LT(H5Ocopy(file, "g", other_, "copy", H5P_DEFAULT, H5P_DEFAULT), 0));
  PCIO_ONLY(EXPECT_NE(first_error().find("heaps of its own file"), std::string::npos));
  PCIO_ONLY(EXPECT_EQ(H5Lexists(other_, "copy", H5P_DEFAULT), 0));
  H5Pclose(list), H5Sclose(space), H5Tclose(type);
}

/// In compounds and sequences, of datasets and attributes, into a file whose addresses have another size, too.
/// (libhdf5 1.10.8 does not follow those in sequences.)
TEST_F(Copies, OfRegionReferencesAtAllLevels) {
  struct Element {
    hdset_reg_ref_t ref;
    hvl_t list;
  };
  const hid_t list = H5Tvlen_create(H5T_STD_REF_DSETREG),
              type = H5Tcreate(H5T_COMPOUND, sizeof(Element)), space = H5Screate(H5S_SCALAR),
              expand = with_flags(H5O_COPY_EXPAND_REFERENCE_FLAG),
              narrow = H5Pcreate(H5P_FILE_CREATE);
  H5Tinsert(type, "ref", HOFFSET(Element, ref), H5T_STD_REF_DSETREG);
  H5Tinsert(type, "list", HOFFSET(Element, list), list);
  hdset_reg_ref_t refs[3];
  std::memset(static_cast<void*>(refs), 0, sizeof refs);
  const hid_t target = H5Dopen2(file, "d", H5P_DEFAULT), region = H5Dget_space(target);
  const hsize_t last = 2;
  H5Sselect_elements(region, H5S_SELECT_SET, 1, &last);
  ASSERT_EQ(H5Rcreate(&refs[1], file, "d", H5R_DATASET_REGION, region), 0) << first_error();
  H5Sselect_all(region);
  ASSERT_EQ(H5Rcreate(&refs[2], file, "d", H5R_DATASET_REGION, region), 0) << first_error();
  Element element{};
  std::memcpy(static_cast<void*>(&element.ref), &refs[1], sizeof element.ref);
  element.list = {3, refs};
  const hid_t d = H5Dcreate2(file, "refs", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &element), 0) << first_error();
  const hid_t a = H5Acreate2(d, "refs", type, space, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Awrite(a, type, &element), 0) << first_error();
  H5Aclose(a), H5Dclose(d);
  const TempPath third{"third.h5"};
  H5Pset_sizes(narrow, 4, 4);
  const hid_t small = H5Fcreate(third.str().c_str(), H5F_ACC_TRUNC, narrow, H5P_DEFAULT);
  make_numbers(small, "before", 0);
#ifdef PCIO_VERSION
  for (const hid_t to : {file, other_, small}) {
    ASSERT_EQ(H5Ocopy(file, "refs", to, "copied", expand, H5P_DEFAULT), 0) << first_error();
    ASSERT_EQ(H5Ocopy(file, "refs", to, "as it is", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
    for (const char* name : {"copied", "as it is"}) {
      const bool leads = to == file || std::string(name) == "copied";
      const hid_t copy = H5Dopen2(to, name, H5P_DEFAULT),
                  value = H5Aopen(copy, "refs", H5P_DEFAULT);
      for (int i = 0; i < 2; ++i) {
        Element found{};
        ASSERT_EQ(i == 0 ? H5Dread(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &found)
                         : H5Aread(value, type, &found),
                  0)
            << first_error();
        ASSERT_EQ(found.list.len, 3U);
        const auto* const in_list = static_cast<const hdset_reg_ref_t*>(found.list.p);
        EXPECT_LT(H5Rget_region(to, H5R_DATASET_REGION, &in_list[0]), 0);
        const void* const all[] = {&found.ref, &in_list[1], &in_list[2]};
        for (const void* const ref : all) {
          const hid_t got = H5Rget_region(to, H5R_DATASET_REGION, ref);
          EXPECT_EQ(got > 0, leads);
          if (!leads) continue;
          EXPECT_EQ(H5Sget_select_npoints(got), ref == all[2] ? 3 : 1);
          const hid_t there = H5Rdereference2(to, H5P_DEFAULT, H5R_DATASET_REGION, ref);
          EXPECT_EQ(first_of(there, "."), 10);
          H5O_info_t info, before;
          H5Oget_info2(there, &info, H5O_INFO_BASIC), H5Oget_info2(target, &before, H5O_INFO_BASIC);
          EXPECT_EQ(info.addr == before.addr && info.fileno == before.fileno,
                    to == file && std::string(name) == "as it is");
          H5Oclose(there), H5Sclose(got);
        }
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &found);
      }
      H5Aclose(value), H5Dclose(copy);
    }
  }
#endif
  H5Fclose(small), H5Pclose(narrow), H5Sclose(region), H5Dclose(target);
  H5Pclose(expand), H5Sclose(space), H5Tclose(type), H5Tclose(list);
}

/// Values are compared with what they refer to: those of two files are never where the others are.
TEST_F(Copies, MergeTypesWithVariableLengthAttributes) {
  const hid_t text = H5Tcopy(H5T_C_S1), scalar = H5Screate(H5S_SCALAR),
              merge = with_flags(H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG);
  H5Tset_size(text, H5T_VARIABLE);
  const auto make_type = [&](hid_t at, const char* name, const char* value) {
    const hid_t type = H5Tcopy(H5T_STD_I32LE);
    H5Tcommit2(at, name, type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t a = H5Acreate2(type, "unit", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_EQ(H5Awrite(a, text, &value), 0) << first_error();
    H5Aclose(a), H5Tclose(type);
  };
  const auto address_of = [](hid_t at, const char* name) {
    H5O_info_t info;
    EXPECT_EQ(H5Oget_info_by_name2(at, name, &info, H5O_INFO_BASIC, H5P_DEFAULT), 0) << name;
    return info.addr;
  };
  make_type(other_, "other", "metres");
  make_type(other_, "same", "seconds");
  make_type(file, "t", "seconds");
  ASSERT_EQ(H5Ocopy(file, "t", other_, "merged", merge, H5P_DEFAULT), 0) << first_error();
  ASSERT_EQ(H5Ocopy(file, "t", other_, "own", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  PCIO_ONLY(EXPECT_EQ(address_of(other_, "merged"), address_of(other_, "same")));
  EXPECT_NE(address_of(other_, "own"), address_of(other_, "same"));
  H5Pclose(merge), H5Sclose(scalar), H5Tclose(text);
}

/// In arrays, compounds and sequences, at all levels.
TEST_F(Copies, OfReferencesAtAllLevels) {
  struct Element {
    hobj_ref_t refs[2];
    hvl_t list;
  };
  const hsize_t two = 2;
  const hid_t pair = H5Tarray_create2(H5T_STD_REF_OBJ, 1, &two), list = H5Tvlen_create(pair),
              type = H5Tcreate(H5T_COMPOUND, sizeof(Element)), space = H5Screate(H5S_SCALAR),
              expand = with_flags(H5O_COPY_EXPAND_REFERENCE_FLAG);
  H5Tinsert(type, "refs", HOFFSET(Element, refs), pair);
  H5Tinsert(type, "list", HOFFSET(Element, list), list);
  make_numbers(file, "e", 30);
  hobj_ref_t refs[4] = {0, 0, 0, 0};
  ASSERT_EQ(H5Rcreate(&refs[0], file, "d", H5R_OBJECT, -1), 0);
  ASSERT_EQ(H5Rcreate(&refs[3], file, "e", H5R_OBJECT, -1), 0);
  Element element = {{refs[0], 0}, {2, refs}};
  const hid_t d = H5Dcreate2(file, "refs", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &element), 0) << first_error();
  H5Dclose(d);
  ASSERT_EQ(H5Ocopy(file, "refs", other_, "refs", expand, H5P_DEFAULT), 0) << first_error();
  ASSERT_EQ(H5Ocopy(file, "refs", other_, "none", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
#ifdef PCIO_VERSION
  for (const char* name : {"refs", "none"}) {
    const bool leads = std::string(name) == "refs";
    Element found{};
    const hid_t copy = H5Dopen2(other_, name, H5P_DEFAULT);
    ASSERT_EQ(H5Dread(copy, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &found), 0) << first_error();
    ASSERT_EQ(found.list.len, 2U);
    const auto* const in_list = static_cast<const hobj_ref_t*>(found.list.p);
    EXPECT_EQ(found.refs[0] != 0, leads);
    EXPECT_EQ(found.refs[0], in_list[0]);
    EXPECT_EQ(found.refs[1] + in_list[1] + in_list[2], 0U);
    EXPECT_EQ(in_list[3] != 0, leads);
    if (leads) {
      const hid_t target = H5Rdereference2(other_, H5P_DEFAULT, H5R_OBJECT, &in_list[3]);
      EXPECT_EQ(first_of(target, "."), 30);
      H5Oclose(target);
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &found);
    H5Dclose(copy);
  }
#endif
  H5Pclose(expand), H5Sclose(space), H5Tclose(type), H5Tclose(list), H5Tclose(pair);
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
