// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Dataspaces at their limits: without extent, null, without elements, with more elements than can be
// counted, and selections that go on for ever.

#include <array>
#include <cstdint>

#include "api/file_fixture.hpp"

namespace {

class SpaceEdges : public FileTest {
 protected:
  hid_t create(const char* name, hid_t space, hid_t list = H5P_DEFAULT,
               hid_t type = H5T_NATIVE_INT) {
    return H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  }
  static hid_t chunks(const std::vector<hsize_t>& dims) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_chunk(list, static_cast<int>(dims.size()), dims.data()), 0);
    return list;
  }
  std::array<int, 16> ints{};
};

TEST_F(SpaceEdges, WithoutExtentIsRefusedByAllThatNeedsOne) {
  hid_t scalar = H5Screate(H5S_SCALAR), none = H5Screate(H5S_SIMPLE), list = chunks({1});
  hid_t data = create("d", scalar);
  ASSERT_GT(data, 0) << first_error();
  EXPECT_LT(create("e", none), 0);
  EXPECT_LT(create("c", none, list), 0);
  EXPECT_LT(H5Dcreate_anon(file, H5T_NATIVE_INT, none, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Acreate2(file, "a", H5T_NATIVE_INT, none, H5P_DEFAULT, H5P_DEFAULT), 0);
  const auto write = [&](hid_t memory, hid_t space) {
    return H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, ints.data());
  };
  EXPECT_LT(write(none, H5S_ALL), 0);
  EXPECT_LT(write(H5S_ALL, none), 0);
  EXPECT_LT(write(none, none), 0);
  EXPECT_LT(H5Dread(data, H5T_NATIVE_INT, none, H5S_ALL, H5P_DEFAULT, ints.data()), 0);
  EXPECT_LT(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, none, H5P_DEFAULT, ints.data()), 0);
  EXPECT_LT(H5Dfill(nullptr, H5T_NATIVE_INT, ints.data(), H5T_NATIVE_INT, none), 0);
  EXPECT_EQ(write(H5S_ALL, H5S_ALL), 0) << first_error();
  H5Dclose(data);
}

TEST_F(SpaceEdges, WithoutElementsAttributesAskForNoConversion) {
  const hsize_t zero = 0;
  float value = 7;
  for (hid_t space : {H5Screate(H5S_NULL), H5Screate_simple(1, &zero, nullptr)}) {
    const char* name = H5Sget_simple_extent_type(space) == H5S_NULL ? "null" : "zero";
    hid_t a = H5Acreate2(file, name, H5T_C_S1, space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(a, 0) << first_error();
    EXPECT_EQ(H5Awrite(a, H5T_NATIVE_FLOAT, &value), 0) << first_error();
    EXPECT_EQ(H5Aread(a, H5T_NATIVE_FLOAT, &value), 0) << first_error();
    H5Aclose(a);
    a = H5Aopen(file, name, H5P_DEFAULT);
    EXPECT_EQ(H5Aread(a, H5T_NATIVE_FLOAT, &value), 0) << first_error();
    EXPECT_EQ(value, 7);
    H5Aclose(a);
    H5Sclose(space);
  }
  hid_t null = H5Screate(H5S_NULL), data = create("d", null, H5P_DEFAULT, H5T_C_S1);
  EXPECT_LT(H5Dwrite(data, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  H5Dclose(data);
}

struct ZeroCase {
  std::vector<hsize_t> dims, max, chunk;
  bool made;
};

// A dimension of size 0 takes chunks of any length, also where it can never grow.
TEST_F(SpaceEdges, ChunkedWithoutElementsIsADataset) {
  const hsize_t unlimited = H5S_UNLIMITED;
  const ZeroCase cases[] = {{{0}, {0}, {1}, true},           {{0}, {0}, {6}, true},
                            {{0, 5}, {0, 5}, {2, 5}, true},  {{5, 0}, {5, 0}, {2, 3}, true},
                            {{5, 0}, {5, 0}, {6, 3}, false}, {{0, 5}, {unlimited, 5}, {2, 5}, true},
                            {{0, 3}, {3, 3}, {4, 3}, true},  {{3, 3}, {3, 3}, {4, 3}, false}};
  for (H5F_libver_t low : {H5F_LIBVER_EARLIEST, H5F_LIBVER_V110}) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, low, H5F_LIBVER_V110);
    ASSERT_EQ(H5Fclose(file), 0);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    unsigned number = 0;
    for (const ZeroCase& c : cases) {
      for (H5D_alloc_time_t time : {H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_EARLY}) {
        hid_t list = chunks(c.chunk);
        H5Pset_alloc_time(list, time);
        hid_t space =
            H5Screate_simple(static_cast<int>(c.dims.size()), c.dims.data(), c.max.data());
        const std::string name = "d" + std::to_string(number++);
        hid_t data = create(name.c_str(), space, list);
        EXPECT_EQ(data > 0, c.made) << number << " " << first_error();
        if (data < 0 || !c.made) continue;
        EXPECT_EQ(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ints.data()), 0);
        EXPECT_EQ(H5Dget_storage_size(data), 0U);
        EXPECT_EQ(H5Dset_extent(data, c.dims.data()), 0);
        std::vector<hsize_t> more = c.max;
        for (hsize_t& n : more) n = n == unlimited ? 0 : n + 1;
        EXPECT_LT(H5Dset_extent(data, more.data()), 0);
        H5Dclose(data);
      }
    }
    reopen();
    while (number-- > 0) {
      const std::string name = "d" + std::to_string(number);
      if (H5Lexists(file, name.c_str(), H5P_DEFAULT) == 0) continue;
      hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
      ASSERT_GT(data, 0) << first_error();
      EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ints.data()), 0)
          << first_error();
      H5Dclose(data);
    }
  }
}

TEST_F(SpaceEdges, MoreElementsThanCanBeCounted) {
  const std::array<hsize_t, 3> dims{1804289383, 846930886, 1681692777};
  hid_t space = H5Screate_simple(3, dims.data(), nullptr);
  ASSERT_GT(space, 0) << first_error();
  EXPECT_GT(H5Sselect_valid(space), 0);
  EXPECT_LT(H5Sget_simple_extent_npoints(space), 0);
  hid_t list = chunks({1, 16, 16}), data = create("d", space, list);
  ASSERT_GT(data, 0) << first_error();
  EXPECT_EQ(H5Dget_storage_size(data), 0U);
  const std::array<hsize_t, 3> start{5, 6, 7}, count{1, 2, 3};
  const hsize_t six = 6;
  hid_t memory = H5Screate_simple(1, &six, nullptr);
  EXPECT_EQ(
      H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), 0);
  EXPECT_EQ(H5Sget_select_npoints(space), 6);
  EXPECT_LT(H5Dwrite(data, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, ints.data()), 0);
  EXPECT_LT(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, ints.data()), 0);
  EXPECT_EQ(H5Dclose(data), 0);
  reopen();
  data = H5Dopen2(file, "d", H5P_DEFAULT);
  ASSERT_GT(data, 0) << first_error();
  hid_t stored = H5Dget_space(data);
  std::array<hsize_t, 3> read{};
  H5Sget_simple_extent_dims(stored, read.data(), nullptr);
  EXPECT_EQ(read, dims);
  H5Dclose(data);
  EXPECT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0) << first_error();
  H5Sselect_all(space);
  EXPECT_LT(create("contiguous", space), 0);
  EXPECT_LT(H5Acreate2(file, "a", H5T_NATIVE_CHAR, space, H5P_DEFAULT, H5P_DEFAULT), 0);
}

TEST_F(SpaceEdges, DimensionsFrom2To63AreRefused) {
  const hsize_t edge = hsize_t{1} << 63;
  const std::array<hsize_t, 2> zero{0, 0}, max{H5S_UNLIMITED, H5S_UNLIMITED};
  hid_t space = H5Screate_simple(2, zero.data(), max.data()), list = chunks({1, 1});
  hid_t data = create("d", space, list);
  for (hsize_t n : {edge, edge + 5, ~hsize_t{0} - 1}) {
    const std::array<hsize_t, 2> tall{n, 1}, wide{1, n};
    EXPECT_LT(H5Dset_extent(data, tall.data()), 0) << n;
    EXPECT_LT(H5Dset_extent(data, wide.data()), 0) << n;
    EXPECT_LT(create("big", H5Screate_simple(2, tall.data(), max.data()), list), 0) << n;
  }
  const std::array<hsize_t, 2> largest{edge - 1, 1};
  EXPECT_EQ(H5Dset_extent(data, largest.data()), 0) << first_error();
  EXPECT_EQ(H5Dclose(data), 0);
}

// ---- hyperslabs that go on for ever -------------------------------------------------------------

class Unlimited : public SpaceEdges {
 protected:
  /// Blocks of two, three apart, from 2 on.
  herr_t select(hid_t space, H5S_seloper_t op = H5S_SELECT_SET) {
    const hsize_t start = 2, stride = 3, count = H5S_UNLIMITED, block = 2;
    return H5Sselect_hyperslab(space, op, &start, &stride, &count, &block);
  }
  /// The elements 0 to 5.
  static herr_t select_six(hid_t space, H5S_seloper_t op = H5S_SELECT_SET) {
    const hsize_t start = 0, count = 6;
    return H5Sselect_hyperslab(space, op, &start, nullptr, &count, nullptr);
  }
  hid_t ten = [] {
    const hsize_t n = 10;
    return H5Screate_simple(1, &n, nullptr);
  }();
};

TEST_F(Unlimited, CanBeMadeAndAskedForButNotRead) {
  ASSERT_EQ(select(ten), 0) << first_error();
  EXPECT_EQ(static_cast<hsize_t>(H5Sget_select_npoints(ten)), H5S_UNLIMITED);
  EXPECT_EQ(H5Sselect_valid(ten), 0);
  EXPECT_GT(H5Sis_regular_hyperslab(ten), 0);
  hsize_t start = 0, stride = 0, count = 0, block = 0;
  ASSERT_EQ(H5Sget_regular_hyperslab(ten, &start, &stride, &count, &block), 0);
  EXPECT_EQ(start, 2U);
  EXPECT_EQ(stride, 3U);
  EXPECT_EQ(count, H5S_UNLIMITED);
  EXPECT_EQ(block, 2U);
  ASSERT_EQ(H5Sget_select_bounds(ten, &start, &stride), 0);
  EXPECT_EQ(start, 2U);
  EXPECT_EQ(stride, H5S_UNLIMITED);
  hsize_t list[4];
  EXPECT_LT(H5Sget_select_hyper_nblocks(ten), 0);
  EXPECT_LT(H5Sget_select_hyper_blocklist(ten, 0, 1, list), 0);
  const hsize_t zero = 0, one = 1, four = 4, many = 100;
  EXPECT_EQ(H5Sselect_intersect_block(ten, &zero, &one), 0);
  EXPECT_EQ(H5Sselect_intersect_block(ten, &four, &four), 0);
  EXPECT_GT(
      H5Sselect_intersect_block(ten, &many, &many) + H5Sselect_intersect_block(ten, &zero, &many),
      0);
  hid_t copy = H5Scopy(ten);
  EXPECT_GT(H5Sselect_shape_same(ten, copy), 0);
  make_dataset("d", 10);
  hid_t data = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_LT(H5Dread(data, H5T_NATIVE_INT, ten, ten, H5P_DEFAULT, ints.data()), 0);
  EXPECT_LT(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, ten, H5P_DEFAULT, ints.data()), 0);
  EXPECT_LT(H5Dfill(nullptr, H5T_NATIVE_INT, ints.data(), H5T_NATIVE_INT, ten), 0);
  H5Dclose(data);
}

TEST_F(Unlimited, OneDimensionAndOneOfCountAndBlock) {
  const hsize_t u = H5S_UNLIMITED, start = 2, stride = 3, one = 1, two = 2, four = 4, none = 0;
  const auto set = [&](const hsize_t& count, const hsize_t& block) {
    return H5Sselect_hyperslab(ten, H5S_SELECT_SET, &start, &stride, &count, &block);
  };
  EXPECT_EQ(set(one, u), 0) << first_error();
  EXPECT_LT(set(two, u), 0);
  EXPECT_LT(set(u, u), 0);
  EXPECT_LT(set(u, four), 0);
  EXPECT_EQ(set(u, stride), 0);
  EXPECT_EQ(set(u, none), 0);
  EXPECT_EQ(H5Sget_select_type(ten), H5S_SEL_NONE);
  const std::array<hsize_t, 2> dims{4, 4}, zero{0, 0}, steps{2, 2}, both{u, u}, half{2, u},
      empty{0, u};
  hid_t plane = H5Screate_simple(2, dims.data(), nullptr);
  const auto plane_set = [&](const std::array<hsize_t, 2>& count, H5S_seloper_t op) {
    return H5Sselect_hyperslab(plane, op, zero.data(), steps.data(), count.data(), nullptr);
  };
  EXPECT_LT(plane_set(both, H5S_SELECT_SET), 0);
  EXPECT_EQ(plane_set(empty, H5S_SELECT_SET), 0);
  EXPECT_EQ(H5Sget_select_type(plane), H5S_SEL_NONE);
  EXPECT_EQ(plane_set(half, H5S_SELECT_SET), 0);
  EXPECT_EQ(plane_set({2, 2}, H5S_SELECT_AND), 0);
  EXPECT_EQ(H5Sget_select_npoints(plane), 4);
}

struct OperatorCase {
  H5S_seloper_t op;
  hssize_t of_all, of_none, of_six, with_six;  ///< elements afterwards; kRefused
};
constexpr hssize_t kRefused = -2;
constexpr hssize_t kEndless = -1;

TEST_F(Unlimited, CombinesWhereTheResultEnds) {
  const OperatorCase cases[] = {
      {H5S_SELECT_OR, 10, kEndless, kRefused, kRefused},
      {H5S_SELECT_AND, kEndless, 0, 3, 3},
      {H5S_SELECT_XOR, kRefused, kEndless, kRefused, kRefused},
      {H5S_SELECT_NOTB, 4, 0, 3, kRefused},
      {H5S_SELECT_NOTA, 0, kEndless, kRefused, 3},
  };
  const auto expect = [&](herr_t result, hssize_t wanted, const char* what, int op) {
    EXPECT_EQ(result < 0, wanted == kRefused) << what << " " << op << " " << first_error();
    if (wanted == kRefused) return;
    EXPECT_EQ(H5Sget_select_npoints(ten), wanted) << what << " " << op;
  };
  for (const OperatorCase& c : cases) {
    H5Sselect_all(ten);
    expect(select(ten, c.op), c.of_all, "all", c.op);
    H5Sselect_none(ten);
    expect(select(ten, c.op), c.of_none, "none", c.op);
    select_six(ten);
    expect(select(ten, c.op), c.of_six, "six", c.op);
    select(ten);
    expect(select_six(ten, c.op), c.with_six, "with six", c.op);
    select(ten);
    EXPECT_LT(select(ten, c.op), 0) << c.op;
  }
}

TEST_F(SpaceEdges, EncodedSpacesComeBackAndBadBytesDoNot) {
  const hsize_t dims[2] = {4, 6}, start[2] = {1, 2}, count[2] = {2, 3};
  hid_t space = H5Screate_simple(2, dims, nullptr);
  ASSERT_EQ(H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr), 0);
  std::size_t size = 0;
  ASSERT_EQ(H5Sencode(space, nullptr, &size), 0);
  std::vector<unsigned char> bytes(size, 0xEE);
  std::size_t room = size - 1;
  EXPECT_EQ(H5Sencode(space, bytes.data(), &room), 0);
  EXPECT_EQ(room, size);
  EXPECT_EQ(bytes[0], 0xEE) << "too small: untouched";
  ASSERT_EQ(H5Sencode(space, bytes.data(), &room), 0);
  hid_t back = H5Sdecode(bytes.data());
  ASSERT_GT(back, 0) << first_error();
  EXPECT_EQ(H5Sget_select_npoints(back), 6);
  EXPECT_GT(H5Sextent_equal(back, space), 0);
  H5Sclose(back);

  EXPECT_LT(H5Sencode(space, bytes.data(), nullptr), 0);
  EXPECT_EQ(first_error(), "argument nalloc: NULL");
  EXPECT_LT(H5Sencode(-1, bytes.data(), &room), 0);
  EXPECT_NE(first_error().find("argument obj_id"), std::string::npos);
  EXPECT_LT(H5Sdecode(nullptr), 0);
  EXPECT_EQ(first_error(), "argument buf: NULL");
  for (std::size_t at : {0, 1, 2, 7, 8}) {
    std::vector<unsigned char> damaged = bytes;
    damaged[at] = 99;
    EXPECT_LT(H5Sdecode(damaged.data()), 0) << at;
  }
  H5Sclose(space);
}

}  // namespace
