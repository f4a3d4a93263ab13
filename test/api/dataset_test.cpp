// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datasets through the public calls: creating, transfers, extents, fill values, questions, and the
// calls on memory alone.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "api/dataset_fixture.hpp"

namespace {

// ---- layouts -----------------------------------------------------------------------------------

TEST_F(Datasets, EveryLayoutKeepsItsValues) {
  hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_layout(compact, H5D_COMPACT), 0);
  struct Case {
    const char* name;
    hid_t list;
    H5D_layout_t layout;
  };
  const Case cases[] = {{"compact", compact, H5D_COMPACT},
                        {"contiguous", H5P_DEFAULT, H5D_CONTIGUOUS},
                        {"chunked", chunked({2, 3}), H5D_CHUNKED}};
  for (const Case& c : cases) {
    hid_t id = make(c.name, space_of({5, 7}), c.list);
    EXPECT_EQ(write(id, numbers(35)), 0) << first_error();
    EXPECT_EQ(read(id, 35), numbers(35));
    EXPECT_EQ(H5Dclose(id), 0);
  }
  reopen(H5F_ACC_RDONLY);
  for (const Case& c : cases) {
    EXPECT_EQ(read_back(c.name, 35), numbers(35)) << c.name;
    hid_t id = H5Dopen2(file, c.name, H5P_DEFAULT);
    hid_t list = H5Dget_create_plist(id);
    EXPECT_EQ(H5Pget_layout(list), c.layout);
    EXPECT_EQ(H5Pclose(list), 0);
    EXPECT_EQ(H5Dclose(id), 0);
  }
}

TEST_F(Datasets, CreationListComesBack) {
  hid_t list = chunked({4});
  int fill = 42;
  ASSERT_EQ(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill), 0);
  ASSERT_EQ(H5Pset_fill_time(list, H5D_FILL_TIME_ALLOC), 0);
  ASSERT_EQ(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY), 0);
  hid_t id = make("d", space_of({6}, {H5S_UNLIMITED}), list);
  EXPECT_EQ(H5Dclose(id), 0);
  reopen(H5F_ACC_RDONLY);
  id = H5Dopen2(file, "d", H5P_DEFAULT);
  list = H5Dget_create_plist(id);
  hsize_t chunk = 0;
  EXPECT_EQ(H5Pget_chunk(list, 1, &chunk), 1);
  EXPECT_EQ(chunk, 4U);
  double value = 0;
  EXPECT_EQ(H5Pget_fill_value(list, H5T_NATIVE_DOUBLE, &value), 0);
  EXPECT_EQ(value, 42.0);
  H5D_alloc_time_t alloc = H5D_ALLOC_TIME_DEFAULT;
  EXPECT_EQ(H5Pget_alloc_time(list, &alloc), 0);
  EXPECT_EQ(alloc, H5D_ALLOC_TIME_EARLY);
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(read(id, 6), Ints(6, 42));
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, CompactDataMayFillTheirMessage) {
  constexpr hsize_t most = 65524 / sizeof(int);
  const char* const names[] = {"version 1", "version 2"};
  for (const char* name : names) {
    if (name == names[1]) ASSERT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_V110), 0);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_layout(list, H5D_COMPACT), 0);
    hid_t space = space_of({most + 1});
    EXPECT_LT(H5Dcreate2(file, "more", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
    EXPECT_EQ(H5Sclose(space), 0);
    hid_t id = make(name, space_of({most}), list);
    EXPECT_EQ(write(id, numbers(most, 7)), 0);
    EXPECT_EQ(H5Dclose(id), 0);
  }
  reopen(H5F_ACC_RDONLY);
  for (const char* name : names) {
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_EQ(read(id, most), numbers(most, 7));
    EXPECT_EQ(H5Dclose(id), 0);
  }
}

// Lists of datasets are given other layouts by programs that copy or repack.
TEST_F(Datasets, AllocationTimeOfACreationListGoesWithItsLayout) {
  const struct {
    const char* name;
    H5D_layout_t layout;
    H5D_alloc_time_t time;
  } kinds[] = {{"compact", H5D_COMPACT, H5D_ALLOC_TIME_EARLY},
               {"contiguous", H5D_CONTIGUOUS, H5D_ALLOC_TIME_LATE},
               {"chunked", H5D_CHUNKED, H5D_ALLOC_TIME_INCR}};
  const hsize_t chunk = 4;
  auto set_layout = [&](hid_t list, H5D_layout_t layout) {
    return layout == H5D_CHUNKED ? H5Pset_chunk(list, 1, &chunk) : H5Pset_layout(list, layout);
  };
  auto time_of = [](hid_t list) {
    H5D_alloc_time_t time = H5D_ALLOC_TIME_ERROR;
    EXPECT_EQ(H5Pget_alloc_time(list, &time), 0);
    return time;
  };
  for (const auto& kind : kinds) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(set_layout(list, kind.layout), 0);
    hid_t id = make(kind.name, space_of({8}), H5Pcopy(list));
    hid_t back = H5Dget_create_plist(id);
    EXPECT_EQ(H5Pequal(back, list), 1) << kind.name;
    EXPECT_EQ(H5Pclose(back), 0);
    EXPECT_EQ(H5Pclose(list), 0);
    EXPECT_EQ(H5Dclose(id), 0);
  }
  reopen(H5F_ACC_RDWR);
  for (const auto& kind : kinds) {
    for (const auto& next : kinds) {
      SCOPED_TRACE(std::string(kind.name) + " to " + next.name);
      hid_t id = H5Dopen2(file, kind.name, H5P_DEFAULT);
      hid_t list = H5Dget_create_plist(id);
      EXPECT_EQ(time_of(list), kind.time);
      EXPECT_EQ(set_layout(list, next.layout), 0);
      EXPECT_EQ(time_of(list), next.time);
      EXPECT_EQ(H5Dclose(id), 0);
      id = make((std::string(kind.name) + " to " + next.name).c_str(), space_of({8}), list);
      EXPECT_EQ(H5Dget_storage_size(id), next.layout == H5D_COMPACT ? 8 * sizeof(int) : 0);
      EXPECT_EQ(H5Dclose(id), 0);
    }
  }
}

TEST_F(Datasets, RefusedCreations) {
  hid_t space = space_of({4});
  auto create = [&](const char* name, hid_t type, hid_t shape, hid_t list) {
    return H5Dcreate2(file, name, type, shape, H5P_DEFAULT, list, H5P_DEFAULT);
  };
  make_dataset("d", 4);
  EXPECT_LT(create("d", H5T_NATIVE_INT, space, H5P_DEFAULT), 0);
  EXPECT_LT(create("", H5T_NATIVE_INT, space, H5P_DEFAULT), 0);
  EXPECT_LT(create("x/y", H5T_NATIVE_INT, space, H5P_DEFAULT), 0);
  EXPECT_LT(create("x", space, space, H5P_DEFAULT), 0);
  EXPECT_LT(create("x", H5T_NATIVE_INT, H5T_NATIVE_INT, H5P_DEFAULT), 0);
  EXPECT_LT(create("x", H5T_NATIVE_INT, space, H5P_FILE_CREATE), 0);
  hid_t wrong = chunked({2, 2});
  EXPECT_LT(create("x", H5T_NATIVE_INT, space, wrong), 0);
  EXPECT_EQ(H5Pclose(wrong), 0);
  hid_t growing = space_of({4}, {H5S_UNLIMITED});
  EXPECT_LT(create("x", H5T_NATIVE_INT, growing, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Sclose(growing), 0);
  EXPECT_EQ(H5Lexists(file, "x", H5P_DEFAULT), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, AnonymousDatasetsAndOldCalls) {
  hid_t space = space_of({3});
  hid_t id = H5Dcreate_anon(file, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  EXPECT_EQ(write(id, {1, 2, 3}), 0);
  EXPECT_EQ(H5Olink(id, file, "late", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Dclose(id), 0);
  id = H5Dcreate1(file, "old", H5T_NATIVE_INT, space, H5P_DEFAULT);
  ASSERT_GT(id, 0);
  EXPECT_EQ(H5Dclose(id), 0);
  EXPECT_EQ(H5Sclose(space), 0);
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(read_back("late", 3), (Ints{1, 2, 3}));
  id = H5Dopen1(file, "old");
  EXPECT_EQ(read(id, 3), (Ints{0, 0, 0}));
  EXPECT_EQ(H5Dclose(id), 0);
}

// ---- selections --------------------------------------------------------------------------------

TEST_F(Datasets, PartsOfFileAndMemory) {
  for (hid_t list : {hid_t{H5P_DEFAULT}, chunked({3, 2})}) {
    const char* name = list == H5P_DEFAULT ? "whole" : "chunks";
    hid_t id = make(name, space_of({4, 5}), list);
    hid_t target = box({4, 5}, {1, 2}, {2, 3});
    hid_t memory = box({3, 4}, {0, 1}, {2, 3});
    Ints values = numbers(12, 100);
    ASSERT_EQ(write(id, values, memory, target), 0) << first_error();
    Ints expected(20, 0);
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 3; ++c)
        expected[static_cast<std::size_t>((r + 1) * 5 + c + 2)] = 100 + r * 4 + c + 1;
    EXPECT_EQ(read(id, 20), expected);
    Ints back(12, -1);
    ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, memory, target, H5P_DEFAULT, back.data()), 0);
    EXPECT_EQ(back, (Ints{-1, 101, 102, 103, -1, 105, 106, 107, -1, -1, -1, -1}));
    // H5S_ALL for memory means the file's shape and selection.
    Ints wide(20, -1);
    ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, target, H5P_DEFAULT, wide.data()), 0);
    EXPECT_EQ(wide[7], 101);
    EXPECT_EQ(wide[0], -1);
    EXPECT_EQ(H5Sclose(target), 0);
    EXPECT_EQ(H5Sclose(memory), 0);
    EXPECT_EQ(H5Dclose(id), 0);
  }
}

/// Elements that lie in a line are selected in any number of dimensions, as far as there are some.
TEST_F(Datasets, PointsAndScalarMemory) {
  hid_t id = make("d", space_of({10}));
  ASSERT_EQ(write(id, numbers(10)), 0);
  hid_t points = space_of({10});
  hsize_t coordinates[3] = {7, 1, 4};
  ASSERT_EQ(H5Sselect_elements(points, H5S_SELECT_SET, 3, coordinates), 0);
  hid_t three = space_of({3});
  Ints back(3);
  ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, three, points, H5P_DEFAULT, back.data()), 0);
  EXPECT_EQ(back, (Ints{7, 1, 4}));
  hid_t scalar = H5Screate(H5S_SCALAR);
  hid_t one = box({10}, {6}, {1});
  int value = 0;
  ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, scalar, one, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(value, 6);
  for (hid_t space : {points, three, scalar, one}) EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, RefusedTransfers) {
  hid_t id = make("d", space_of({4}));
  Ints values = numbers(8);
  hid_t three = space_of({3}), outside = box({8}, {6}, {2}), two = space_of({2});
  EXPECT_LT(write(id, values, three, H5S_ALL), 0);
  EXPECT_LT(write(id, values, three, two), 0);
  PCIO_ONLY(EXPECT_LT(write(id, values, two, outside), 0));  // libhdf5 writes behind the data
  EXPECT_LT(write(id, values, id, H5S_ALL), 0);
  EXPECT_LT(write(id, values, H5S_ALL, id), 0);
  EXPECT_LT(write(three, values), 0);
  EXPECT_LT(H5Dwrite(id, three, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_LT(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_FILE_CREATE, values.data()), 0);
  EXPECT_LT(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, nullptr), 0);
  EXPECT_LT(H5Dread(id, H5T_C_S1, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  EXPECT_EQ(read(id, 4), Ints(4, 0));
  ASSERT_EQ(H5Sselect_none(three), 0);
  hid_t none = space_of({4});
  ASSERT_EQ(H5Sselect_none(none), 0);
  EXPECT_EQ(H5Dwrite(id, H5T_NATIVE_INT, three, none, H5P_DEFAULT, nullptr), 0) << first_error();
  for (hid_t space : {three, outside, two, none}) EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Dclose(id), 0);
  EXPECT_LT(write(id, values), 0);
  reopen(H5F_ACC_RDONLY);
  id = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_LT(write(id, values), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, NullAndScalarSpaces) {
  hid_t none = H5Screate(H5S_NULL), scalar = H5Screate(H5S_SCALAR);
  hid_t empty = H5Dcreate2(file, "n", H5T_NATIVE_INT, none, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(empty, 0) << first_error();
  int value = 5;
  EXPECT_EQ(H5Dread(empty, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(value, 5);
  EXPECT_EQ(H5Dclose(empty), 0);
  hid_t single =
      H5Dcreate2(file, "s", H5T_NATIVE_INT, scalar, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(single, 0) << first_error();
  EXPECT_EQ(H5Dwrite(single, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  EXPECT_EQ(H5Dclose(single), 0);
  EXPECT_EQ(H5Sclose(none), 0);
  EXPECT_EQ(H5Sclose(scalar), 0);
  reopen(H5F_ACC_RDONLY);
  EXPECT_EQ(read_back("s", 1), Ints{5});
}

// ---- types -------------------------------------------------------------------------------------

TEST_F(Datasets, ValuesAreConverted) {
  hid_t space = space_of({4});
  hid_t id = H5Dcreate2(file, "d", H5T_STD_U8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(write(id, {-5, 0, 255, 300}), 0) << first_error();
  EXPECT_EQ(read(id, 4), (Ints{0, 0, 255, 255}));
  std::vector<double> doubles(4);
  ASSERT_EQ(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, doubles.data()), 0);
  EXPECT_EQ(doubles[2], 255.0);
  hid_t type = H5Dget_type(id);
  EXPECT_EQ(H5Tequal(type, H5T_STD_U8LE), 1);
  // A copy: not the dataset's own. libhdf5 gives one that can't be changed.
  PCIO_ONLY(EXPECT_EQ(H5Tset_order(type, H5T_ORDER_BE), 0));
  EXPECT_EQ(H5Tclose(type), 0);
  EXPECT_EQ(H5Dclose(id), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, PartsOfCompounds) {
  struct Pair {
    int i;
    double d;
  };
  hid_t pair = H5Tcreate(H5T_COMPOUND, sizeof(Pair));
  H5Tinsert(pair, "i", HOFFSET(Pair, i), H5T_NATIVE_INT);
  H5Tinsert(pair, "d", HOFFSET(Pair, d), H5T_NATIVE_DOUBLE);
  hid_t space = space_of({2});
  hid_t id = H5Dcreate2(file, "d", pair, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  Pair values[2] = {{1, 1.5}, {2, 2.5}};
  ASSERT_EQ(H5Dwrite(id, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0) << first_error();
  hid_t only = H5Tcreate(H5T_COMPOUND, sizeof(double));
  H5Tinsert(only, "d", 0, H5T_NATIVE_DOUBLE);
  double parts[2] = {};
  ASSERT_EQ(H5Dread(id, only, H5S_ALL, H5S_ALL, H5P_DEFAULT, parts), 0);
  EXPECT_EQ(parts[1], 2.5);
  parts[0] = 9.5;
  ASSERT_EQ(H5Dwrite(id, only, H5S_ALL, H5S_ALL, H5P_DEFAULT, parts), 0);
  ASSERT_EQ(H5Dread(id, pair, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  EXPECT_EQ(values[0].i, 1);
  EXPECT_EQ(values[0].d, 9.5);
  EXPECT_EQ(H5Dclose(id), 0);
  EXPECT_EQ(H5Tclose(only), 0);
  EXPECT_EQ(H5Tclose(pair), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

// ---- extent ------------------------------------------------------------------------------------

TEST_F(Datasets, GrowsAndShrinks) {
  hid_t list = chunked({2, 2});
  int fill = -1;
  ASSERT_EQ(H5Pset_fill_value(list, H5T_NATIVE_INT, &fill), 0);
  hid_t id = make("d", space_of({2, 3}, {H5S_UNLIMITED, 6}), list);
  ASSERT_EQ(write(id, numbers(6, 1)), 0);
  hsize_t size[2] = {3, 4};
  ASSERT_EQ(H5Dset_extent(id, size), 0) << first_error();
  EXPECT_EQ(read(id, 12), (Ints{1, 2, 3, -1, 4, 5, 6, -1, -1, -1, -1, -1}));
  size[1] = 7;
  EXPECT_LT(H5Dset_extent(id, size), 0);
  size[0] = 1;
  size[1] = 2;
  ASSERT_EQ(H5Dset_extent(id, size), 0) << first_error();
  EXPECT_EQ(read(id, 2), (Ints{1, 2}));
  // What was cut away is gone for good.
  size[0] = 2;
  size[1] = 3;
  ASSERT_EQ(H5Dset_extent(id, size), 0) << first_error();
  EXPECT_EQ(read(id, 6), (Ints{1, 2, -1, -1, -1, -1}));
  size[0] = 1;
  size[1] = 5;
  ASSERT_EQ(H5Dextend(id, size), 0);
  EXPECT_EQ(dims_of(id), (Sizes{2, 5}));
  EXPECT_EQ(H5Dclose(id), 0);
  reopen(H5F_ACC_RDONLY);
  id = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_EQ(dims_of(id), (Sizes{2, 5}));
  EXPECT_EQ(read(id, 10), (Ints{1, 2, -1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_LT(H5Dset_extent(id, size), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, FixedOnesDoNotGrow) {
  hid_t id = make("d", space_of({4}));
  hsize_t size = 5;
  EXPECT_LT(H5Dset_extent(id, &size), 0);
  EXPECT_LT(H5Dset_extent(file, &size), 0);
  EXPECT_EQ(dims_of(id), Sizes{4});
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, SpacesFromBeforeAnExtensionStillWork) {
  hid_t id = make("d", space_of({4}, {H5S_UNLIMITED}), chunked({3}));
  hid_t before = H5Dget_space(id);
  hsize_t start = 2, count = 2, size = 9;
  ASSERT_EQ(H5Sselect_hyperslab(before, H5S_SELECT_SET, &start, nullptr, &count, nullptr), 0);
  ASSERT_EQ(H5Dset_extent(id, &size), 0);
  hid_t two = space_of({2});
  EXPECT_EQ(write(id, {7, 8}, two, before), 0) << first_error();
  EXPECT_EQ(read(id, 9), (Ints{0, 0, 7, 8, 0, 0, 0, 0, 0}));
  EXPECT_EQ(H5Sclose(two), 0);
  EXPECT_EQ(H5Sclose(before), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

// ---- questions ---------------------------------------------------------------------------------

TEST_F(Datasets, StorageShowsWhatIsAllocated) {
  hid_t id = make("c", space_of({100}));
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  EXPECT_EQ(H5Dget_space_status(id, &status), 0);
  EXPECT_EQ(status, H5D_SPACE_STATUS_NOT_ALLOCATED);
  EXPECT_EQ(H5Dget_storage_size(id), 0U);
  EXPECT_EQ(H5Dget_offset(id), HADDR_UNDEF);
  ASSERT_EQ(write(id, numbers(100)), 0);
  EXPECT_EQ(H5Dget_space_status(id, &status), 0);
  EXPECT_EQ(status, H5D_SPACE_STATUS_ALLOCATED);
  EXPECT_EQ(H5Dget_storage_size(id), 400U);
  EXPECT_NE(H5Dget_offset(id), HADDR_UNDEF);
  EXPECT_EQ(H5Dclose(id), 0);
  id = make("k", space_of({100}), chunked({10}));
  hid_t part = box({100}, {0}, {25});
  hid_t memory = space_of({25});
  ASSERT_EQ(write(id, numbers(25), memory, part), 0);
  EXPECT_EQ(H5Dget_space_status(id, &status), 0);
  EXPECT_EQ(status, H5D_SPACE_STATUS_PART_ALLOCATED);
  EXPECT_EQ(H5Dget_storage_size(id), 120U);
  EXPECT_EQ(H5Dget_offset(id), HADDR_UNDEF);
  EXPECT_EQ(H5Sclose(part), 0);
  EXPECT_EQ(H5Sclose(memory), 0);
  EXPECT_EQ(H5Dflush(id), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(Datasets, AccessListComesBack) {
  hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
  ASSERT_EQ(H5Pset_chunk_cache(list, 101, 4096, 0.5), 0);
  hid_t space = space_of({8});
  hid_t create = chunked({4});
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, create, list);
  EXPECT_EQ(H5Pclose(list), 0);
  list = H5Dget_access_plist(id);
  size_t slots = 0, bytes = 0;
  double w0 = 0;
  EXPECT_EQ(H5Pget_chunk_cache(list, &slots, &bytes, &w0), 0);
  EXPECT_EQ(slots, 101U);
  EXPECT_EQ(bytes, 4096U);
  EXPECT_EQ(H5Pclose(list), 0);
  EXPECT_EQ(H5Pclose(create), 0);
  EXPECT_EQ(H5Sclose(space), 0);
  EXPECT_EQ(H5Dclose(id), 0);
}

// ---- on memory alone ---------------------------------------------------------------------------

TEST_F(Datasets, FillOfABuffer) {
  hid_t space = box({3, 4}, {1, 1}, {2, 2});
  Ints buffer(12, 0);
  double fill = 7;
  ASSERT_EQ(H5Dfill(&fill, H5T_NATIVE_DOUBLE, buffer.data(), H5T_NATIVE_INT, space), 0);
  EXPECT_EQ(buffer, (Ints{0, 0, 0, 0, 0, 7, 7, 0, 0, 7, 7, 0}));
  ASSERT_EQ(H5Sselect_all(space), 0);
  ASSERT_EQ(H5Dfill(nullptr, H5T_NATIVE_INT, buffer.data(), H5T_NATIVE_INT, space), 0);
  EXPECT_EQ(buffer, Ints(12, 0));
  EXPECT_LT(H5Dfill(&fill, H5T_NATIVE_DOUBLE, nullptr, H5T_NATIVE_INT, space), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, IterateOverABuffer) {
  hid_t space = box({3, 4}, {1, 1}, {2, 2});
  Ints buffer = numbers(12);
  std::vector<hsize_t> seen;
  auto visit = [](void* element, hid_t, unsigned ndims, const hsize_t* point, void* out) -> herr_t {
    auto& list = *static_cast<std::vector<hsize_t>*>(out);
    list.push_back(static_cast<hsize_t>(*static_cast<int*>(element)));
    for (unsigned d = 0; d < ndims; ++d) list.push_back(point[d]);
    return list.size() == 9 ? 3 : 0;
  };
  EXPECT_EQ(H5Diterate(buffer.data(), H5T_NATIVE_INT, space, visit, &seen), 3);
  EXPECT_EQ(seen, (std::vector<hsize_t>{5, 1, 1, 6, 1, 2, 9, 2, 1}));
  auto fail = [](void*, hid_t, unsigned, const hsize_t*, void*) -> herr_t { return -1; };
  EXPECT_LT(H5Diterate(buffer.data(), H5T_NATIVE_INT, space, fail, nullptr), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, GatherInPieces) {
  hid_t space = box({3, 4}, {0, 1}, {3, 2});
  Ints buffer = numbers(12);
  Ints gathered;
  auto take = [](const void* data, size_t bytes, void* out) -> herr_t {
    const int* values = static_cast<const int*>(data);
    auto& list = *static_cast<Ints*>(out);
    list.insert(list.end(), values, values + bytes / sizeof(int));
    list.push_back(-1);
    return 0;
  };
  int small[4];
  ASSERT_EQ(H5Dgather(space, buffer.data(), H5T_NATIVE_INT, sizeof small, small, take, &gathered),
            0);
  EXPECT_EQ(gathered, (Ints{1, 2, 5, 6, -1, 9, 10, -1}));
  int large[6] = {};
  ASSERT_EQ(H5Dgather(space, buffer.data(), H5T_NATIVE_INT, sizeof large, large, nullptr, nullptr),
            0);
  EXPECT_EQ(large[5], 10);
  EXPECT_LT(H5Dgather(space, buffer.data(), H5T_NATIVE_INT, sizeof small, small, nullptr, nullptr),
            0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, ScatterFromPieces) {
  struct Source {
    Ints values{1, 2, 3, 4, 5, 6};
    std::size_t at = 0, step = 4;
  } source;
  auto give = [](const void** data, size_t* bytes, void* from) -> herr_t {
    auto& s = *static_cast<Source*>(from);
    std::size_t n = std::min(s.step, s.values.size() - s.at);
    *data = s.values.data() + s.at;
    *bytes = n * sizeof(int);
    s.at += n;
    return 0;
  };
  hid_t space = box({3, 4}, {0, 1}, {3, 2});
  Ints buffer(12, 0);
  ASSERT_EQ(H5Dscatter(give, &source, H5T_NATIVE_INT, space, buffer.data()), 0) << first_error();
  EXPECT_EQ(buffer, (Ints{0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0}));
  auto nothing = [](const void** data, size_t* bytes, void*) -> herr_t {
    *data = nullptr;
    *bytes = 0;
    return 0;
  };
  EXPECT_LT(H5Dscatter(nothing, nullptr, H5T_NATIVE_INT, space, buffer.data()), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

TEST_F(Datasets, ReclaimFreesVariableLengthData) {
  hid_t inner = H5Tvlen_create(H5T_NATIVE_INT);
  hid_t nested = H5Tvlen_create(inner);
  hid_t space = space_of({2});
  hvl_t elements[2] = {};
  elements[0].len = 2;
  auto* rows = static_cast<hvl_t*>(std::calloc(2, sizeof(hvl_t)));
  rows[1].len = 3;
  rows[1].p = std::malloc(3 * sizeof(int));
  elements[0].p = rows;
  EXPECT_EQ(H5Dvlen_reclaim(nested, space, H5P_DEFAULT, elements), 0) << first_error();
  PCIO_ONLY(EXPECT_EQ(elements[0].p, nullptr));
  EXPECT_EQ(H5Tclose(nested), 0);
  EXPECT_EQ(H5Tclose(inner), 0);
  EXPECT_EQ(H5Sclose(space), 0);
}

/// What an extent cuts off is looked for among the chunks that are there, not among all that there might be.
TEST_F(Datasets, HugeSparseOnesAreCutAtOnce) {
  const hsize_t dims[] = {hsize_t{1} << 40, 100}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED},
                chunk[] = {1, 16}, less[] = {dims[0], 98}, row = dims[0] - 7;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, most);
  H5Pset_chunk(list, 2, chunk);
  const int fill = 5;
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  const hid_t data =
      H5Dcreate2(file, "sparse", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(data, 0) << first_error();
  const hsize_t start[] = {row, 0}, count[] = {1, 100};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const hid_t memory = H5Screate_simple(2, count, nullptr);
  std::vector<int> values(100, 1), read(100);
  ASSERT_EQ(H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()), 0);
  ASSERT_EQ(H5Dset_extent(data, less), 0) << first_error();
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0) << first_error();
  ASSERT_EQ(H5Dset_extent(data, dims), 0) << first_error();
  ASSERT_EQ(H5Dread(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, read.data()), 0);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(read[i], i < 98 ? 1 : 5) << i;
  H5Dclose(data), H5Sclose(memory), H5Sclose(space), H5Pclose(list);
}

}  // namespace
