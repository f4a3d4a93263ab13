// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Several openings of one file: whose objects are whose, what a close does to them, what a second open
// may ask for, and what a file says about its format bounds.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

class Openings : public FileTest {
 protected:
  void TearDown() override {
    for (hid_t id : {a, b})
      if (H5Iis_valid(id) > 0) H5Fclose(id);
    FileTest::TearDown();
  }
  hid_t open_with(H5F_close_degree_t degree) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    EXPECT_EQ(H5Pset_fclose_degree(list, degree), 0);
    hid_t id = H5Fopen(path().c_str(), H5F_ACC_RDWR, list);
    H5Pclose(list);
    return id;
  }
  /// Two openings, `a` and `b`, of a file with a group /g.
  void open_twice(H5F_close_degree_t degree) {
    make_group("g");
    ASSERT_EQ(H5Fclose(file), 0);
    a = open_with(degree);
    b = open_with(degree);
    ASSERT_GT(a, 0) << first_error();
    ASSERT_GT(b, 0) << first_error();
  }
  static hid_t group(hid_t in) { return H5Gopen2(in, "g", H5P_DEFAULT); }
  static ssize_t local(hid_t id, unsigned kinds) {
    return H5Fget_obj_count(id, kinds | H5F_OBJ_LOCAL);
  }

  hid_t a = H5I_INVALID_HID;
  hid_t b = H5I_INVALID_HID;
};

/// What is in the file after a dataset got space, was closed at once or not, and the bounds were raised.
class Moments : public FileTest {
 protected:
  std::vector<char> bytes_of(bool closed_before) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_obj_track_times(list, false), 0);
    const hsize_t size = 5;
    if (H5Iis_valid(file) > 0) EXPECT_EQ(H5Fclose(file), 0);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t fixed = H5Screate_simple(1, &size, nullptr);
    hid_t dataset = H5Dcreate2(file, "d", H5T_NATIVE_INT, fixed, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    const int data[5] = {1, 2, 3, 4, 5};
    EXPECT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    if (closed_before) EXPECT_EQ(H5Dclose(dataset), 0);
    EXPECT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), 0);
    if (!closed_before) EXPECT_EQ(H5Dclose(dataset), 0);
    EXPECT_EQ(H5Fclose(file), 0);
    H5Sclose(fixed);
    H5Pclose(list);
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
};

TEST_F(Moments, WhenADatasetIsClosedDoesNotChangeHowItsSpaceIsWritten) {
  const std::vector<char> closed_late = bytes_of(false);
  EXPECT_FALSE(closed_late.empty());
  EXPECT_TRUE(closed_late == bytes_of(true));
}

TEST_F(Openings, LocalCountsAreOfWhatCameThroughTheId) {
  open_twice(H5F_CLOSE_WEAK);
  hid_t c = H5Freopen(b);
  hid_t in_b = group(b);
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  ASSERT_EQ(H5Tcommit2(in_b, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  hid_t attribute = H5Acreate2(in_b, "n", type, space, H5P_DEFAULT, H5P_DEFAULT);
  hid_t of_attribute = H5Aget_type(attribute);
  for (hid_t id : {a, b, c}) {
    const bool is_b = id == b;
    EXPECT_EQ(local(id, H5F_OBJ_FILE), 1);
    EXPECT_EQ(local(id, H5F_OBJ_GROUP), is_b ? 1 : 0);
    EXPECT_EQ(local(id, H5F_OBJ_DATATYPE), is_b ? 2 : 0);
    EXPECT_EQ(local(id, H5F_OBJ_ATTR), is_b ? 1 : 0);
    EXPECT_EQ(local(id, H5F_OBJ_ALL), is_b ? 5 : 1);
    EXPECT_EQ(H5Fget_obj_count(id, H5F_OBJ_ALL), 7);
  }
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_LOCAL | H5F_OBJ_ALL), 7);
  EXPECT_EQ(H5Fget_obj_count(a, H5F_OBJ_LOCAL), -1) << "no kind of object";
  hid_t ids[8] = {};
  EXPECT_EQ(H5Fget_obj_ids(b, H5F_OBJ_LOCAL | H5F_OBJ_GROUP, 8, ids), 1);
  EXPECT_EQ(ids[0], in_b);
  EXPECT_EQ(H5Fget_obj_ids(a, H5F_OBJ_LOCAL | H5F_OBJ_FILE, 8, ids), 1);
  EXPECT_EQ(ids[0], a);
  EXPECT_EQ(H5Aclose(attribute), 0);
  EXPECT_EQ(H5Tclose(type), 0);
  EXPECT_EQ(H5Tclose(of_attribute), 0);
  EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Gclose(in_b), 0);
  EXPECT_EQ(local(b, H5F_OBJ_ALL), 1);
  EXPECT_EQ(H5Fclose(c), 0);
}

TEST_F(Openings, AnObjectKnowsTheIdOfItsOpening) {
  open_twice(H5F_CLOSE_WEAK);
  hid_t in_a = group(a);
  hid_t in_b = group(b);
  hid_t of_a = H5Iget_file_id(in_a);
  hid_t of_b = H5Iget_file_id(in_b);
  EXPECT_EQ(of_a, a);
  EXPECT_EQ(of_b, b);
  EXPECT_EQ(H5Fclose(of_a), 0);
  EXPECT_EQ(H5Fclose(of_b), 0);
  // The id of the opening is gone: a new one, of the same opening.
  EXPECT_EQ(H5Fclose(a), 0);
  EXPECT_LE(H5Iis_valid(a), 0);
  hid_t again = H5Iget_file_id(in_a);
  EXPECT_GT(again, 0);
  EXPECT_NE(again, b);
  EXPECT_EQ(local(again, H5F_OBJ_GROUP), 1);
  EXPECT_EQ(H5Fclose(again), 0);
  EXPECT_EQ(H5Gclose(in_a), 0);
  EXPECT_EQ(H5Gclose(in_b), 0);
}

TEST_F(Openings, EachHasTheNameThatItWasMadeBy) {
  make_group("g");
  const std::string other = path() + ".other";
  std::remove(other.c_str());
  ASSERT_EQ(symlink(path().c_str(), other.c_str()), 0);
  a = H5Fopen(other.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GT(a, 0) << first_error();
  b = H5Freopen(a);
  const auto file_name_of = [](hid_t id) {
    return text_of([&](char* buffer, size_t size) { return H5Fget_name(id, buffer, size); });
  };
  const hid_t first = group(file), second = group(a);
  EXPECT_EQ(file_name_of(file), path());
  EXPECT_EQ(file_name_of(first), path());
  EXPECT_EQ(file_name_of(a), other);
  EXPECT_EQ(file_name_of(b), other);
  EXPECT_EQ(file_name_of(second), other);
  // Objects keep the name when the id of their opening has gone.
  EXPECT_EQ(H5Fclose(a), 0);
  EXPECT_EQ(file_name_of(second), other);
  const hid_t again = H5Iget_file_id(second);
  EXPECT_EQ(file_name_of(again), other);
  EXPECT_EQ(H5Fclose(again), 0);
  EXPECT_EQ(H5Gclose(first), 0);
  EXPECT_EQ(H5Gclose(second), 0);
  std::remove(other.c_str());
}

TEST_F(Openings, TypesInNoFileCountAmongAllFiles) {
  const auto count = [](hid_t id, unsigned kinds) { return H5Fget_obj_count(id, kinds); };
  const unsigned all = H5F_OBJ_ALL;
  const ssize_t before = count(all, H5F_OBJ_ALL);
  const hid_t type = H5Tcopy(H5T_NATIVE_INT), locked = H5Tcopy(type);
  EXPECT_EQ(count(all, H5F_OBJ_DATATYPE), 2);
  EXPECT_EQ(count(all, H5F_OBJ_ALL), before + 2);
  EXPECT_EQ(count(file, H5F_OBJ_DATATYPE), 0);
  EXPECT_EQ(H5Tlock(locked), 0);
  EXPECT_EQ(count(all, H5F_OBJ_DATATYPE), 1);
  hid_t found = H5I_INVALID_HID;
  EXPECT_EQ(H5Fget_obj_ids(all, H5F_OBJ_DATATYPE, 1, &found), 1);
  EXPECT_EQ(found, type);
  EXPECT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(count(file, H5F_OBJ_DATATYPE), 1);
  EXPECT_EQ(H5Tclose(type), 0);
}

TEST_F(Openings, AListWithoutRoomAsksHowManyIdsThereAre) {
  make_group("g");
  const hid_t first = group(file), second = group(file);
  hid_t found[2] = {-7, -7};
  EXPECT_EQ(H5Fget_obj_ids(file, H5F_OBJ_GROUP, 0, found), 2);
  EXPECT_EQ(found[0], -7);
  EXPECT_EQ(H5Fget_obj_ids(file, H5F_OBJ_GROUP, 1, found), 1);
  EXPECT_EQ(found[0], first);
  EXPECT_EQ(found[1], -7);
  EXPECT_LT(H5Fget_obj_ids(file, H5F_OBJ_GROUP, 0, nullptr), 0);
  EXPECT_EQ(H5Gclose(first), 0);
  EXPECT_EQ(H5Gclose(second), 0);
}

TEST_F(Openings, SemiRefusesToCloseAnIdWithObjectsOfItsOwn) {
  open_twice(H5F_CLOSE_SEMI);
  hid_t in_b = group(b);
  EXPECT_EQ(H5Fclose(b), -1);
  EXPECT_GT(H5Iis_valid(b), 0);
  EXPECT_EQ(H5Fclose(a), 0) << "the other one has none: " << first_error();
  EXPECT_EQ(H5Fclose(b), -1);
  EXPECT_EQ(H5Gclose(in_b), 0);
  EXPECT_EQ(H5Fclose(b), 0);
}

TEST_F(Openings, SemiOfAReopenedIdIsTheSame) {
  open_twice(H5F_CLOSE_SEMI);
  hid_t c = H5Freopen(a);
  hid_t in_c = group(c);
  EXPECT_EQ(H5Fclose(c), -1);
  EXPECT_EQ(H5Fclose(a), 0);
  EXPECT_EQ(H5Gclose(in_c), 0);
  EXPECT_EQ(H5Fclose(c), 0);
}

TEST_F(Openings, StrongClosesTheObjectsOfItsOwn) {
  open_twice(H5F_CLOSE_STRONG);
  hid_t in_a = group(a);
  hid_t in_b = group(b);
  EXPECT_EQ(H5Fclose(a), 0);
  EXPECT_LE(H5Iis_valid(in_a), 0);
  EXPECT_GT(H5Iis_valid(in_b), 0);
  EXPECT_EQ(H5Fclose(b), 0);
  EXPECT_LE(H5Iis_valid(in_b), 0);
}

TEST_F(Openings, WeakLeavesObjectsBehindEachId) {
  open_twice(H5F_CLOSE_WEAK);
  hid_t in_a = group(a);
  EXPECT_EQ(H5Fclose(a), 0);
  EXPECT_GT(H5Iis_valid(in_a), 0);
  EXPECT_EQ(H5Fclose(b), 0);
  EXPECT_EQ(H5Lexists(in_a, "nothing", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Gclose(in_a), 0);
  EXPECT_EQ(H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_ALL), 0);
}

TEST_F(Openings, ASecondOpenWithoutLocksIsRefusedWhereTheFirstHasThem) {
  if (std::getenv("HDF5_USE_FILE_LOCKING") != nullptr) GTEST_SKIP() << "the environment decides";
  ASSERT_EQ(H5Fclose(file), 0);
  hid_t with = H5Pcreate(H5P_FILE_ACCESS);
  hid_t without = H5Pcreate(H5P_FILE_ACCESS);
  ASSERT_EQ(H5Pset_file_locking(with, true, false), 0);
  ASSERT_EQ(H5Pset_file_locking(without, false, false), 0);
  a = H5Fopen(path().c_str(), H5F_ACC_RDWR, with);
  EXPECT_LT(H5Fopen(path().c_str(), H5F_ACC_RDWR, without), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("H5Pset_file_locking"), std::string::npos);)
  b = H5Fopen(path().c_str(), H5F_ACC_RDWR, with);
  EXPECT_GT(b, 0) << first_error();
  H5Pclose(with);
  H5Pclose(without);
}

// ---- format bounds -----------------------------------------------------------------------------

struct Bounds {
  int low;
  int high;
};

class FormatBounds : public FileTest {
 protected:
  void create(H5F_libver_t low, bool paged) {
    ASSERT_EQ(H5Fclose(file), 0);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    ASSERT_EQ(H5Pset_libver_bounds(access, low, H5F_LIBVER_LATEST), 0);
    if (paged) {
      ASSERT_EQ(H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, true, 1), 0);
    }
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, create, access);
    ASSERT_GT(file, 0) << first_error();
    ASSERT_EQ(H5Fclose(file), 0);
    H5Pclose(access);
    H5Pclose(create);
  }
  /// The low bound that the file reports, -1 where it can't be opened.
  int low_of(int low, int high, unsigned flags) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    EXPECT_EQ(H5Pset_libver_bounds(access, static_cast<H5F_libver_t>(low),
                                   static_cast<H5F_libver_t>(high)),
              0);
    file = H5Fopen(path().c_str(), flags, access);
    H5Pclose(access);
    if (file < 0) return -1;
    hid_t list = H5Fget_access_plist(file);
    H5F_libver_t is_low = H5F_LIBVER_EARLIEST;
    H5F_libver_t is_high = H5F_LIBVER_EARLIEST;
    EXPECT_EQ(H5Pget_libver_bounds(list, &is_low, &is_high), 0);
    EXPECT_EQ(static_cast<int>(is_high), high);
    H5Pclose(list);
    EXPECT_EQ(H5Fclose(file), 0);
    return is_low;
  }
  /// Checks all bounds against {(0,1), (0,2), (1,1), (1,2), (2,2)}.
  void expect_lows(const int (&lows)[5]) {
    static constexpr Bounds kAll[] = {{0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    for (unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR})
      for (int i = 0; i < 5; ++i)
        EXPECT_EQ(low_of(kAll[i].low, kAll[i].high, flags), lows[i])
            << "bounds " << kAll[i].low << " " << kAll[i].high;
  }
};

TEST_F(FormatBounds, AnOldFileKeepsWhatIsAskedFor) {
  create(H5F_LIBVER_EARLIEST, false);
  expect_lows({0, 0, 1, 1, 2});
}

TEST_F(FormatBounds, AFileRaisesTheLowBoundToWhatItIs) {
  create(H5F_LIBVER_V18, false);
  expect_lows({1, 1, 1, 1, 2});
}

TEST_F(FormatBounds, AFileAboveTheHighBoundIsNotOpened) {
  create(H5F_LIBVER_V110, false);
  expect_lows({-1, 2, -1, 2, 2});
}

TEST_F(FormatBounds, AFileSpaceMessageNeedsTheHighBoundOfItsRelease) {
  create(H5F_LIBVER_EARLIEST, true);
  expect_lows({-1, 1, -1, 1, 2});
}

TEST_F(FormatBounds, NewObjectsAreOfTheRaisedFormat) {
  create(H5F_LIBVER_V18, false);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  make_group("g");
  H5O_info_t info;
  ASSERT_EQ(H5Oget_info_by_name2(file, "g", &info, H5O_INFO_HDR, H5P_DEFAULT), 0);
  EXPECT_EQ(info.hdr.version, 2U);
  EXPECT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18), 0);
}

}  // namespace
