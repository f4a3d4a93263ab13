// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Transfers through the public calls whose dataspace in the file is not the dataset's own: of another extent, of another rank.

#include <numeric>

#include "api/dataset_fixture.hpp"

namespace {

class DatasetSelections : public Datasets {};

TEST_F(DatasetSelections, SelectionsOfAnotherRankCountElementsInTheirOrder) {
  hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_layout(compact, H5D_COMPACT), 0);
  for (hid_t list : {hid_t{H5P_DEFAULT}, compact}) {
    hid_t id = make(list == compact ? "compact" : "line", space_of({3, 4}), list);
    hid_t line = box({12}, {5}, {4}), cube = box({2, 3, 2}, {0, 1, 0}, {2, 2, 1});
    ASSERT_EQ(write(id, numbers(4, 1), space_of({4}), line), 0) << first_error();
    EXPECT_EQ(read(id, 12), (Ints{0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0}));
    // Elements 2, 4, 8 and 10; memory is of the same shape where nothing else is said.
    Ints back(4, -1), shaped(12, -1);
    ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, space_of({2, 2}), cube, H5P_DEFAULT, back.data()), 0);
    EXPECT_EQ(back, (Ints{0, 0, 4, 0}));
    ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, cube, H5P_DEFAULT, shaped.data()), 0);
    EXPECT_EQ(shaped, (Ints{-1, -1, 0, -1, 0, -1, -1, -1, 4, -1, 0, -1}));
    hid_t points = space_of({12});
    const hsize_t coordinates[3] = {8, 5, 6};
    ASSERT_EQ(H5Sselect_elements(points, H5S_SELECT_SET, 3, coordinates), 0);
    ASSERT_EQ(H5Dread(id, H5T_NATIVE_INT, space_of({3}), points, H5P_DEFAULT, back.data()), 0);
    EXPECT_EQ(back, (Ints{4, 1, 2, 0}));
    hid_t scalar = H5Screate(H5S_SCALAR);
    ASSERT_EQ(write(id, Ints{9}, H5S_ALL, scalar), 0) << first_error();
    EXPECT_EQ(read(id, 12)[0], 9);
    // Of the same number of dimensions, too: elements 5 and 6, not those of the second row.
    ASSERT_EQ(write(id, numbers(2, 30), space_of({2}), box({2, 5}, {1, 0}, {1, 2})), 0);
    EXPECT_EQ(read(id, 12), (Ints{9, 0, 0, 0, 0, 30, 31, 3, 4, 0, 0, 0}));
    // Fewer than there are, all of them.
    ASSERT_EQ(write(id, numbers(6, 20), space_of({6}), space_of({6})), 0) << first_error();
    EXPECT_EQ(read(id, 12), (Ints{20, 21, 22, 23, 24, 25, 31, 3, 4, 0, 0, 0}));
    // libhdf5 writes behind the data.
    PCIO_ONLY(EXPECT_LT(write(id, numbers(4), space_of({4}), box({20}, {9}, {4})), 0));
    PCIO_ONLY(EXPECT_LT(write(id, numbers(20), space_of({20}), space_of({20})), 0));
    EXPECT_EQ(read(id, 12)[9], 0);
    EXPECT_EQ(H5Dclose(id), 0);
  }
  // Chunks are boxes.
  hid_t id = make("chunks", space_of({3, 4}), chunked({3, 2}));
  PCIO_ONLY(EXPECT_LT(write(id, numbers(4), space_of({4}), box({12}, {5}, {4})), 0));
  EXPECT_EQ(H5Dclose(id), 0);
}

TEST_F(DatasetSelections, AllOfMemoryHasTheShapeOfTheSpaceInTheFile) {
  for (const bool is_chunked : {false, true}) {
    hid_t data = make(is_chunked ? "chunked" : "contiguous", space_of({4, 4}),
                      is_chunked ? chunked({2, 3}) : H5P_DEFAULT);
    Ints values(16);
    std::iota(values.begin(), values.end(), 0);
    EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    hid_t small = space_of({2, 3});
    Ints back(12, -1);
    EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, small, H5P_DEFAULT, back.data()), 0);
    // A contiguous dataset counts its elements, a chunked one has places.
    EXPECT_EQ(back, is_chunked ? (Ints{0, 1, 2, 4, 5, 6, -1, -1, -1, -1, -1, -1})
                               : (Ints{0, 1, 2, 3, 4, 5, -1, -1, -1, -1, -1, -1}));
    EXPECT_EQ(H5Sclose(small), 0);
    EXPECT_EQ(H5Dclose(data), 0);
  }
}

TEST_F(DatasetSelections, ASelectionMustLieInItsOwnExtent) {
  for (const bool is_chunked : {false, true}) {
    hid_t data = make(is_chunked ? "chunked" : "contiguous", space_of({10}),
                      is_chunked ? chunked({4}) : H5P_DEFAULT);
    hid_t behind = box({4}, {3}, {2}), moved = box({4}, {0}, {2}), memory = space_of({2});
    const hssize_t five = 5;
    EXPECT_EQ(H5Soffset_simple(moved, &five), 0);
    Ints values(10, 7);
    for (hid_t space : {behind, moved}) {
      EXPECT_LT(H5Dread(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()), 0);
      PCIO_ONLY(EXPECT_NE(all_errors().find("is not in its extent"), std::string::npos));
    }
    EXPECT_EQ(H5Sclose(behind), 0);
    EXPECT_EQ(H5Sclose(moved), 0);
    EXPECT_EQ(H5Sclose(memory), 0);
    EXPECT_EQ(H5Dclose(data), 0);
  }
}

/// The place of the last element is more than 64 bits count: it is not one of the dataset's.
TEST_F(DatasetSelections, ExtentsOfMoreElementsThanCanBeCountedEndBehindTheData) {
  hid_t data = make("data", space_of({16})), next = make("next", space_of({2000}));
  Ints values(2000, 3);
  EXPECT_EQ(H5Dwrite(next, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  const hsize_t rows = hsize_t{1} << 60, count[2] = {2, 1}, start[2] = {16, 0},
                stride[2] = {(hsize_t{1} << 58) - 16, 1};
  hid_t wide = space_of({rows, 64}), two = space_of({2});
  EXPECT_EQ(H5Sselect_hyperslab(wide, H5S_SELECT_SET, start, stride, count, nullptr), 0);
  const int wrong[2] = {-7, -7};
  PCIO_ONLY(EXPECT_LT(H5Dwrite(data, H5T_NATIVE_INT, two, wide, H5P_DEFAULT, wrong), 0));
  Ints back(2000);
  EXPECT_EQ(H5Dread(next, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0);
  EXPECT_EQ(back, values);
  EXPECT_EQ(H5Sclose(wide), 0);
  EXPECT_EQ(H5Sclose(two), 0);
  EXPECT_EQ(H5Dclose(data), 0);
  EXPECT_EQ(H5Dclose(next), 0);
}

}  // namespace
