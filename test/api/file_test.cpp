// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files through the public calls: modes, several opens, close degrees, questions.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "api/file_fixture.hpp"

namespace {

using pcio::test::TempPath;

class Files : public FileTest {
 protected:
  static hid_t list_with_degree(H5F_close_degree_t degree) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    EXPECT_EQ(H5Pset_fclose_degree(list, degree), 0);
    return list;
  }
  static hsize_t size_of(const std::string& name) {
    std::ifstream stream(name, std::ios::binary | std::ios::ate);
    return static_cast<hsize_t>(stream.tellg());
  }
};

// ---- create and open ---------------------------------------------------------------------------

TEST_F(Files, CreateModes) {
  TempPath other("modes.h5");
  const char* name = other.str().c_str();
  hid_t id = H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  EXPECT_LT(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);  // open
  EXPECT_EQ(H5Fclose(id), 0);
  EXPECT_LT(H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate(name, 0, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate(name, H5F_ACC_TRUNC | H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate(name, H5F_ACC_RDWR, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DATASET_CREATE, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, file), 0);
  EXPECT_LT(H5Fcreate(nullptr, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate("", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fcreate("/no/such/folder/x.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);
  id = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(id, 0);
  EXPECT_EQ(H5Fclose(id), 0);
}

TEST_F(Files, OpenModes) {
  EXPECT_LT(H5Fopen("no-such-file.h5", H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fopen("", H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT), 0);
  reopen(H5F_ACC_RDONLY);
  unsigned intent = 99;
  EXPECT_EQ(H5Fget_intent(file, &intent), 0);
  EXPECT_EQ(intent, H5F_ACC_RDONLY);
  EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), 0);
  reopen(H5F_ACC_RDWR);
  EXPECT_EQ(H5Fget_intent(file, &intent), 0);
  EXPECT_EQ(intent, H5F_ACC_RDWR);
}

TEST_F(Files, WhatIsNoHdf5File) {
  TempPath text("text.h5");
  std::ofstream(text.str()) << "This is no HDF5 file, however long its text may be.";
  EXPECT_EQ(H5Fis_hdf5(text.str().c_str()), 0);
  EXPECT_LT(H5Fopen(text.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fis_hdf5("no-such-file.h5"), 0);
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_EQ(H5Fis_hdf5(path().c_str()), 1);
  PCIO_ONLY(EXPECT_EQ(H5Fis_accessible(path().c_str(), H5P_DEFAULT), 1));
}

// ---- several ids of one file -------------------------------------------------------------------

TEST_F(Files, SecondOpenSeesTheFirst) {
  hid_t second = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GT(second, 0) << first_error();
  make_group("a");
  EXPECT_EQ(H5Lexists(second, "a", H5P_DEFAULT), 1);
  hid_t third = H5Freopen(file);
  ASSERT_GT(third, 0);
  EXPECT_EQ(H5Fclose(file), 0);
  EXPECT_EQ(H5Lexists(third, "a", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Fclose(second), 0);
  EXPECT_LT(H5Lexists(second, "a", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(third, "a", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Fclose(third), 0);
  EXPECT_LT(H5Fclose(third), 0);
}

TEST_F(Files, SecondOpenHasTheSameCloseDegree) {
  for (H5F_close_degree_t degree : {H5F_CLOSE_SEMI, H5F_CLOSE_STRONG}) {
    hid_t list = list_with_degree(degree);
    EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_RDWR, list), 0);
    H5Pclose(list);
  }
  hid_t weak = list_with_degree(H5F_CLOSE_WEAK);
  hid_t second = H5Fopen(path().c_str(), H5F_ACC_RDWR, weak);
  EXPECT_GT(second, 0) << first_error();
  EXPECT_EQ(H5Fclose(second), 0);
  H5Pclose(weak);
}

TEST_F(Files, NewOnesInMemoryLeaveTheDiskAlone) {
  make_group("on disk");
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Pset_fapl_core(list, 4096, 0), 0);
  hid_t memory = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  ASSERT_GT(memory, 0) << first_error();
  EXPECT_EQ(H5Lexists(memory, "on disk", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Fclose(memory), 0);
  EXPECT_EQ(H5Lexists(file, "on disk", H5P_DEFAULT), 1);
  // One that will be written to that file is another matter.
  ASSERT_EQ(H5Pset_fapl_core(list, 4096, 1), 0);
  EXPECT_LT(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list), 0);
  H5Pclose(list);
}

TEST_F(Files, InMemoryDontGrowBeyondAllNumbers) {
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  for (const size_t increment : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 4095}) {
    ASSERT_EQ(H5Pset_fapl_core(list, increment, 0), 0);
    EXPECT_LT(H5Fcreate("none.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list), 0);
    PCIO_ONLY(EXPECT_NE(first_error().find("H5Pset_fapl_core"), std::string::npos)
              << first_error());
  }
  H5Pclose(list);
}

#ifdef PCIO_VERSION
TEST_F(Files, OfAFamilyThatIsOpenedWithAnotherSize) {
  const std::string name = path() + "-%d.h5";
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Pset_fapl_family(list, 1000000, H5P_DEFAULT), 0);
  hid_t family = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
  ASSERT_GT(family, 0) << first_error();
  EXPECT_EQ(H5Fclose(family), 0) << first_error();
  for (const hsize_t size : {1, 7, 8, 96, 100, 1024, 2000000}) {
    ASSERT_EQ(H5Pset_fapl_family(list, size, H5P_DEFAULT), 0);
    EXPECT_LT(H5Fopen(name.c_str(), H5F_ACC_RDONLY, list), 0) << size;
  }
  // A file that says of itself what can't be: see the driver information block of superblock 0.
  std::string first = path() + "-0.h5", bytes;
  {
    std::ifstream in(first, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::size_t at = bytes.find("NCSAfami");
  ASSERT_NE(at, std::string::npos);
  for (const std::uint64_t wrong : {1ULL, 90ULL, 1ULL << 62, 1ULL << 63}) {
    std::memcpy(bytes.data() + at + 8, &wrong, sizeof wrong);
    std::ofstream(first, std::ios::binary) << bytes;
    for (int i = 1; i < 5; ++i) std::ofstream(path() + "-" + std::to_string(i) + ".h5") << "more";
    ASSERT_EQ(H5Pset_fapl_family(list, H5F_FAMILY_DEFAULT, H5P_DEFAULT), 0);
    EXPECT_LT(H5Fopen(name.c_str(), H5F_ACC_RDONLY, list), 0) << wrong;
  }
  for (int i = 0; i < 5; ++i) std::remove((path() + "-" + std::to_string(i) + ".h5").c_str());
  H5Pclose(list);
}

/// One file for all, please.
TEST_F(Files, OfAFamilyWithMembersOfAnySize) {
  const std::string name = path() + "-%d.h5";
  hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  for (const hsize_t size : {~hsize_t{0}, hsize_t{1} << 63, hsize_t{1} << 62}) {
    for (const hsize_t later : {size, hsize_t{H5F_FAMILY_DEFAULT}}) {
      ASSERT_EQ(H5Pset_fapl_family(list, size, H5P_DEFAULT), 0);
      hid_t family = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, list);
      ASSERT_GT(family, 0) << first_error();
      EXPECT_EQ(H5Fclose(family), 0) << first_error();
      ASSERT_EQ(H5Pset_fapl_family(list, later, H5P_DEFAULT), 0);
      family = H5Fopen(name.c_str(), H5F_ACC_RDWR, list);
      ASSERT_GT(family, 0) << size << ": " << first_error();
      EXPECT_EQ(H5Fclose(family), 0) << first_error();
    }
  }
  std::remove((path() + "-0.h5").c_str());
  H5Pclose(list);
}
#endif

TEST_F(Files, ListOfAFileKnowsItsSuperblock) {
  const unsigned kVersions[] = {0, 2, 3};
  for (int low = 0; low < 3; ++low) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    ASSERT_EQ(H5Pset_libver_bounds(access, static_cast<H5F_libver_t>(low), H5F_LIBVER_LATEST), 0);
    ASSERT_EQ(H5Fclose(file), 0);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    reopen(H5F_ACC_RDONLY);
    hid_t list = H5Fget_create_plist(file);
    unsigned found[4] = {9, 9, 9, 9};
    EXPECT_EQ(H5Pget_version(list, &found[0], &found[1], &found[2], &found[3]), 0);
    EXPECT_EQ(found[0], kVersions[low]);
    EXPECT_EQ(found[1] + found[2] + found[3], 0U);
    H5Pclose(list);
  }
}

TEST_F(Files, ClosedIdsAreErrorsEverywhere) {
  ASSERT_EQ(H5Fclose(file), 0);
  hsize_t size;
  EXPECT_LT(H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  EXPECT_LT(H5Fget_filesize(file, &size), 0);
  EXPECT_LT(H5Freopen(file), 0);
  EXPECT_LT(H5Fget_create_plist(file), 0);
}

// ---- close degrees -----------------------------------------------------------------------------

TEST_F(Files, WeakCloseLeavesObjectsOpen) {
  hid_t group = H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Fclose(file), 0);
  hid_t inner = H5Gcreate2(group, "b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(inner, 0) << first_error();
  hid_t again = H5Iget_file_id(inner);
  EXPECT_EQ(H5Iget_type(again), H5I_FILE);
  EXPECT_EQ(H5Fclose(again), 0);
  EXPECT_EQ(H5Gclose(inner), 0);
  EXPECT_EQ(H5Gclose(group), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(H5Lexists(file, "a/b", H5P_DEFAULT), 1);
}

TEST_F(Files, SemiCloseFailsNamingWhatIsOpen) {
  EXPECT_EQ(H5Fclose(file), 0);
  hid_t list = list_with_degree(H5F_CLOSE_SEMI);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, list);
  ASSERT_GT(file, 0) << first_error();
  hid_t group = H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_LT(H5Fclose(file), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("group /a"), std::string::npos) << first_error());
  EXPECT_EQ(H5Iis_valid(file), 1);
  EXPECT_EQ(H5Gclose(group), 0);
  EXPECT_EQ(H5Fclose(file), 0) << first_error();
  EXPECT_EQ(H5Pclose(list), 0);
}

TEST_F(Files, StrongCloseClosesEverything) {
  EXPECT_EQ(H5Fclose(file), 0);
  hid_t list = list_with_degree(H5F_CLOSE_STRONG);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, list);
  make_dataset("d", 3);
  hid_t group = H5Gcreate2(file, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  hid_t attribute = H5Acreate2(dataset, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Iinc_ref(group);
  EXPECT_EQ(H5Fclose(file), 0) << first_error();
  EXPECT_EQ(H5Iis_valid(group), 0);
  EXPECT_EQ(H5Iis_valid(dataset), 0);
  EXPECT_EQ(H5Iis_valid(attribute), 0);
  EXPECT_EQ(H5Iis_valid(space), 1);
  EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Pclose(list), 0);
}

// ---- questions ---------------------------------------------------------------------------------

TEST_F(Files, CountsAndListsOpenObjects) {
  make_group("a");
  make_dataset("d", 3);
  EXPECT_EQ(H5Fget_obj_count(file, H5F_OBJ_ALL), 1);
  hid_t group = H5Gopen2(file, "a", H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  hid_t space = H5Dget_space(dataset);
  hid_t attribute = H5Acreate2(dataset, "x", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Fget_obj_count(file, H5F_OBJ_ALL), 4);
  EXPECT_EQ(H5Fget_obj_count(file, H5F_OBJ_DATASET | H5F_OBJ_ATTR), 2);
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_FILE), 1);
  hid_t ids[4] = {};
  EXPECT_EQ(H5Fget_obj_ids(file, H5F_OBJ_GROUP, 4, ids), 1);
  EXPECT_EQ(ids[0], group);
  EXPECT_EQ(H5Fget_obj_ids(file, H5F_OBJ_ALL, 2, ids), 2);
  EXPECT_LT(H5Fget_obj_count(file, 0), 0);
  EXPECT_LT(H5Fget_obj_count(group, H5F_OBJ_ALL), 0);
  EXPECT_EQ(H5Aclose(attribute), 0);
  EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_EQ(H5Gclose(group), 0);
}

TEST_F(Files, NameIsTheOneOfTheOpen) {
  make_dataset("d", 3);
  hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  auto name_of_file = [](hid_t id) {
    return text_of([&](char* buffer, size_t size) { return H5Fget_name(id, buffer, size); });
  };
  EXPECT_EQ(name_of_file(file), path());
  EXPECT_EQ(name_of_file(dataset), path());
  EXPECT_EQ(H5Dclose(dataset), 0);
  EXPECT_LT(H5Fget_name(H5T_NATIVE_INT, nullptr, 0), 0);
}

TEST_F(Files, SizesAgreeWithTheFile) {
  make_dataset("d", 1000);
  hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  std::vector<int> values(1000, 1);
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
      << first_error();
  EXPECT_EQ(H5Dclose(dataset), 0);
  reopen(H5F_ACC_RDONLY);
  hsize_t size = 0;
  EXPECT_EQ(H5Fget_filesize(file, &size), 0);
  EXPECT_EQ(size, size_of(path()));
  EXPECT_GE(H5Fget_freespace(file), 0);
  H5F_info2_t info;
  ASSERT_EQ(H5Fget_info2(file, &info), 0);
  EXPECT_EQ(info.super.version, 0U);
  EXPECT_EQ(info.super.super_size, 96U);
  EXPECT_EQ(info.super.super_ext_size, 0U);
}

/// What the file keeps to say what is free counts as metadata of free space.
TEST_F(Files, KeptFreeSpaceTakesRoom) {
  const TempPath kept("kept.h5");
  for (const bool keeps : {false, true}) {
    const hid_t list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_file_space_strategy(list, H5F_FSPACE_STRATEGY_FSM_AGGR, keeps, 1);
    hid_t one = H5Fcreate(kept.str().c_str(), H5F_ACC_TRUNC, list, H5P_DEFAULT);
    ASSERT_GT(one, 0) << first_error();
    for (const char* name : {"a", "b"})
      H5Gclose(H5Gcreate2(one, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    EXPECT_EQ(H5Ldelete(one, "a", H5P_DEFAULT), 0);
    EXPECT_EQ(H5Fclose(one), 0);
    one = H5Fopen(kept.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    H5F_info2_t info;
    ASSERT_EQ(H5Fget_info2(one, &info), 0);
    EXPECT_EQ(info.free.meta_size > 80, keeps) << info.free.meta_size;
    EXPECT_EQ(info.free.tot_space > 0, keeps);
    EXPECT_EQ(H5Fclose(one), 0);
    H5Pclose(list);
  }
}

TEST_F(Files, ImageIsTheFile) {
  make_group("a");
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  ssize_t size = H5Fget_file_image(file, nullptr, 0);
  ASSERT_GT(size, 0) << first_error();
  std::vector<char> image(static_cast<std::size_t>(size));
  EXPECT_LT(H5Fget_file_image(file, image.data(), 8), 0);
  ASSERT_EQ(H5Fget_file_image(file, image.data(), image.size()), size);
  TempPath copy("image.h5");
  std::ofstream(copy.str(), std::ios::binary).write(image.data(), size);
  hid_t other = H5Fopen(copy.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GT(other, 0) << first_error();
  EXPECT_EQ(H5Lexists(other, "a", H5P_DEFAULT), 1);
  EXPECT_EQ(H5Fclose(other), 0);
}

TEST_F(Files, ListsTellHowTheFileWasMade) {
  TempPath other("lists.h5");
  hid_t create = H5Pcreate(H5P_FILE_CREATE);
  ASSERT_EQ(H5Pset_userblock(create, 1024), 0);
  ASSERT_EQ(H5Pset_sym_k(create, 8, 6), 0);
  hid_t id = H5Fcreate(other.str().c_str(), H5F_ACC_TRUNC, create, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  EXPECT_EQ(H5Pclose(create), 0);
  EXPECT_EQ(H5Fclose(id), 0);
  id = H5Fopen(other.str().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  create = H5Fget_create_plist(id);
  hsize_t userblock = 0;
  EXPECT_EQ(H5Pget_userblock(create, &userblock), 0);
  EXPECT_EQ(userblock, 1024U);
  unsigned internal = 0, leaf = 0;
  EXPECT_EQ(H5Pget_sym_k(create, &internal, &leaf), 0);
  EXPECT_EQ(internal, 8U);
  EXPECT_EQ(leaf, 6U);
  EXPECT_EQ(H5Pclose(create), 0);
  hid_t access = H5Fget_access_plist(id);
  EXPECT_EQ(H5Pget_driver(access), H5FD_SEC2);
  H5F_close_degree_t degree = H5F_CLOSE_DEFAULT;
  EXPECT_EQ(H5Pget_fclose_degree(access, &degree), 0);
  EXPECT_EQ(degree, H5F_CLOSE_WEAK);
  EXPECT_EQ(H5Pclose(access), 0);
  EXPECT_EQ(H5Fclose(id), 0);
}

TEST_F(Files, CacheConfigurationIsStored) {
  H5AC_cache_config_t config;
  config.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  ASSERT_EQ(H5Fget_mdc_config(file, &config), 0);
  config.set_initial_size = true;
  config.initial_size = 4 * 1024 * 1024;
  ASSERT_EQ(H5Fset_mdc_config(file, &config), 0) << first_error();
  H5AC_cache_config_t back;
  back.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  ASSERT_EQ(H5Fget_mdc_config(file, &back), 0);
  EXPECT_EQ(back.initial_size, config.initial_size);
  back.version = 77;
  EXPECT_LT(H5Fget_mdc_config(file, &back), 0);
  size_t largest = 0;
  EXPECT_EQ(H5Fget_mdc_size(file, &largest, nullptr, nullptr, nullptr), 0);
  EXPECT_EQ(largest, config.initial_size);
  double rate = -1;
  EXPECT_EQ(H5Fget_mdc_hit_rate(file, &rate), 0);
  EXPECT_GE(rate, 0);
  EXPECT_EQ(H5Freset_mdc_hit_rate_stats(file), 0);
}

TEST_F(Files, BoundsDecideTheFormatOfWhatFollows) {
  make_group("old");
  ASSERT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST), 0) << first_error();
  make_group("new");
  PCIO_ONLY(EXPECT_LT(H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_V18), 0));
  PCIO_ONLY(EXPECT_LT(H5Fset_libver_bounds(file, H5F_LIBVER_EARLIEST, H5F_LIBVER_EARLIEST), 0));
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info_by_name2(file, "old", &info, H5O_INFO_ALL, H5P_DEFAULT), 0);
  EXPECT_EQ(info.hdr.version, 1U);
  ASSERT_EQ(H5Oget_info_by_name2(file, "new", &info, H5O_INFO_ALL, H5P_DEFAULT), 0);
  EXPECT_EQ(info.hdr.version, 2U);
  reopen(H5F_ACC_RDONLY);
  ASSERT_EQ(H5Oget_info_by_name2(file, "new", &info, H5O_INFO_ALL, H5P_DEFAULT), 0);
  EXPECT_EQ(info.hdr.version, 2U);
}

TEST_F(Files, HandleOfTheDriver) {
  void* handle = nullptr;
  ASSERT_EQ(H5Fget_vfd_handle(file, H5P_DEFAULT, &handle), 0) << first_error();
  ASSERT_NE(handle, nullptr);
  EXPECT_GT(*static_cast<int*>(handle), 2);
  EXPECT_LT(H5Fget_vfd_handle(file, H5P_DEFAULT, nullptr), 0);
}

PCIO_ONLY(TEST_F(Files, AtomicityIsForMpiIo) {
  EXPECT_LT(H5Fset_mpi_atomicity(file, true), 0);
  hbool_t flag = false;
  EXPECT_LT(H5Fget_mpi_atomicity(file, &flag), 0);
})

PCIO_ONLY(TEST_F(Files, SwmrIsRefusedByName) {
  EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, H5P_DEFAULT), 0);
  EXPECT_NE(first_error().find("SWMR"), std::string::npos);
})

TEST_F(Files, FileIdOfAnObject) {
  make_group("a");
  hid_t group = H5Gopen2(file, "a", H5P_DEFAULT);
  EXPECT_EQ(H5Iget_ref(file), 1);
  hid_t same = H5Iget_file_id(group);
  EXPECT_EQ(same, file);
  EXPECT_EQ(H5Iget_ref(file), 2);
  EXPECT_EQ(H5Fclose(same), 0);
  EXPECT_EQ(H5Iget_ref(file), 1);
  EXPECT_LT(H5Iget_file_id(H5T_NATIVE_INT), 0);
  EXPECT_EQ(H5Gclose(group), 0);
  EXPECT_EQ(name_of(file), "/");
}

// ---- the environment ---------------------------------------------------------------------------

PCIO_ONLY(TEST_F(Files, MistypedEnvironmentIsAnErrorAtOpen) {
  const struct {
    const char* name;
    std::vector<const char*> good;
    const char* bad;
  } kVariables[] = {{"PCIO_DURABILITY", {"", "none", "checked", "power_loss"}, "power-loss"},
                    {"PCIO_VERIFY", {"", "none", "full"}, "ful"},
                    {"PCIO_CHECK",
                     {"", "calls", "messages", "calls,messages", "messages calls", "nodes:2",
                      "nodes:1000000 calls"},
                     "calls,mesages"},
                    {"PCIO_CHECK", {"nodes:1,nodes:3"}, "nodes:0"},
                    {"PCIO_CHECK", {}, "nodes:-1"},
                    {"PCIO_CHECK", {}, "nodes:2x"},
                    {"PCIO_CHECK", {}, "nodes:N, stripe:BYTES"},
                    {"PCIO_CHECK", {}, "nodes:1000001"}};
  ASSERT_EQ(H5Fclose(file), 0);
  for (const auto& variable : kVariables) {
    for (const char* value : variable.good) {
      setenv(variable.name, value, 1);
      file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      EXPECT_GT(file, 0) << variable.name << "=" << value << ": " << first_error();
      EXPECT_EQ(H5Fclose(file), 0);
    }
    setenv(variable.name, variable.bad, 1);
    EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), 0) << variable.name;
    EXPECT_NE(first_error().find(std::string(variable.name) + "=" + variable.bad),
              std::string::npos)
        << first_error();
    // Nothing was cut off by a create that failed.
    EXPECT_LT(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), 0);
    EXPECT_GT(size_of(path()), 0U);
    unsetenv(variable.name);
  }
})

}  // namespace
