// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Variable-length types in a program's memory: conversion, reclaiming, fill values. Files with such
// data are tested elsewhere.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

class Sequences : public QuietTest {
 protected:
  void SetUp() override {
    QuietTest::SetUp();
    text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    ints = H5Tvlen_create(H5T_NATIVE_INT);
    doubles = H5Tvlen_create(H5T_NATIVE_DOUBLE);
    list = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_vlen_mem_manager(list, &Sequences::allocate, this, &Sequences::release, this);
  }
  void TearDown() override {
    EXPECT_TRUE(out.empty()) << out.size() << " pieces of memory not given back";
    EXPECT_EQ(wrong, 0);
    for (hid_t id : {text, ints, doubles}) H5Tclose(id);
    H5Pclose(list);
    QuietTest::TearDown();
  }

  static void* allocate(size_t size, void* data) {
    auto& self = *static_cast<Sequences*>(data);
    if (self.left-- == 0) return nullptr;
    void* memory = std::malloc(size);
    self.out.insert(memory);
    return memory;
  }
  static void release(void* memory, void* data) {
    auto& self = *static_cast<Sequences*>(data);
    if (self.out.erase(memory) == 0)
      ++self.wrong;
    else
      std::free(memory);
  }

  static hid_t one(hsize_t n) { return H5Screate_simple(1, &n, nullptr); }

  hid_t text = -1, ints = -1, doubles = -1, list = -1;
  std::set<void*> out;
  int wrong = 0;
  long left = -1;
};

TEST_F(Sequences, SizesClassesAndEquality) {
  EXPECT_EQ(H5Tget_size(text), sizeof(char*));
  EXPECT_EQ(H5Tget_size(ints), sizeof(hvl_t));
  EXPECT_GT(H5Tis_variable_str(text), 0);
  EXPECT_EQ(H5Tis_variable_str(ints), 0);
  EXPECT_EQ(H5Tequal(ints, doubles), 0);
  hid_t again = H5Tvlen_create(H5T_NATIVE_INT);
  EXPECT_GT(H5Tequal(ints, again), 0);
  const hsize_t three = 3;
  hid_t array = H5Tarray_create2(text, 1, &three), nested = H5Tvlen_create(ints);
  hid_t compound = H5Tcreate(H5T_COMPOUND, 40);
  H5Tinsert(compound, "t", 4, text);
  H5Tinsert(compound, "v", 16, nested);
  EXPECT_EQ(H5Tis_variable_str(array), 0);
  for (H5T_direction_t way : {H5T_DIR_ASCEND, H5T_DIR_DESCEND}) {
    for (hid_t type : {text, ints, array, nested}) {
      hid_t native = H5Tget_native_type(type, way);
      EXPECT_GT(H5Tequal(native, type), 0);
      H5Tclose(native);
    }
    hid_t native = H5Tget_native_type(compound, way);
    EXPECT_EQ(H5Tget_size(native), 24U);
    EXPECT_EQ(H5Tget_member_offset(native, 1), 8U);
    H5Tclose(native);
  }
  for (hid_t type : {again, array, nested, compound}) H5Tclose(type);
}

TEST_F(Sequences, ConversionGivesMemoryOfItsOwn) {
  std::array<int, 3> numbers = {7, 300, -9};
  std::array<hvl_t, 3> data = {hvl_t{3, numbers.data()}, hvl_t{0, numbers.data()},
                               hvl_t{2, nullptr}};
  ASSERT_EQ(H5Tconvert(ints, doubles, 3, data.data(), nullptr, list), 0) << first_error();
  ASSERT_EQ(data[0].len, 3U);
  EXPECT_EQ(static_cast<double*>(data[0].p)[2], -9);
  for (int i : {1, 2}) {
    EXPECT_EQ(data[static_cast<size_t>(i)].len, 0U);
    EXPECT_EQ(data[static_cast<size_t>(i)].p, nullptr);
  }
  EXPECT_EQ(out.size(), 1U);
  hid_t space = one(3);
  EXPECT_EQ(H5Dvlen_reclaim(doubles, space, list, data.data()), 0) << first_error();
#ifdef PCIO_VERSION
  EXPECT_EQ(data[0].p, nullptr);
#endif

  // Equal types are no exception.
  std::array<hvl_t, 1> same = {hvl_t{3, numbers.data()}};
  ASSERT_EQ(H5Tconvert(ints, ints, 1, same.data(), nullptr, list), 0);
  EXPECT_NE(same[0].p, numbers.data());
  hid_t single = one(1);
  EXPECT_EQ(H5Dvlen_reclaim(ints, single, list, same.data()), 0);
  H5Sclose(space);
  H5Sclose(single);
}

#ifdef PCIO_VERSION  // libhdf5 frees what it did not give
TEST_F(Sequences, TextAndNumbersBecomeEachOther) {
  std::array<char*, 2> data = {const_cast<char*>("a\xc8"), nullptr};
  std::array<hvl_t, 2> numbers{};
  std::memcpy(numbers.data(), data.data(), sizeof data);
  ASSERT_EQ(H5Tconvert(text, ints, 2, numbers.data(), nullptr, list), 0) << first_error();
  ASSERT_EQ(numbers[0].len, 2U);
  EXPECT_EQ(static_cast<int*>(numbers[0].p)[1], 0xc8);
  EXPECT_EQ(numbers[1].len, 0U);
  std::array<hvl_t, 2> first = numbers;
  ASSERT_EQ(H5Tconvert(ints, text, 2, numbers.data(), nullptr, list), 0) << first_error();
  std::memcpy(data.data(), numbers.data(), sizeof data);
  EXPECT_STREQ(data[0], "a\xc8");
  EXPECT_EQ(data[1], nullptr);
  hid_t space = one(2);
  EXPECT_EQ(H5Dvlen_reclaim(ints, space, list, first.data()), 0);
  EXPECT_EQ(H5Dvlen_reclaim(text, space, list, data.data()), 0);
  H5Sclose(space);
}

#endif

TEST_F(Sequences, WhatHasNoWayIsRefused) {
  std::array<std::byte, 64> data{};
  hid_t fixed = H5Tcopy(H5T_C_S1);
  H5Tset_size(fixed, 8);
  hid_t of_fixed = H5Tvlen_create(fixed);
  EXPECT_LT(H5Tconvert(text, fixed, 1, data.data(), nullptr, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tconvert(fixed, text, 1, data.data(), nullptr, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tconvert(H5T_NATIVE_INT, ints, 1, data.data(), nullptr, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tconvert(ints, of_fixed, 1, data.data(), nullptr, H5P_DEFAULT), 0);
  H5Tclose(of_fixed);
  H5Tclose(fixed);
}

struct Mixed {
  char* name;
  hvl_t rows;  // of sequences of ints
};

#ifdef PCIO_VERSION  // libhdf5 leaves what it gave out before the failure
TEST_F(Sequences, AFailureGivesEverythingBackAndChangesNothing) {
  std::array<int, 2> numbers = {1, 2};
  std::array<hvl_t, 2> rows = {hvl_t{2, numbers.data()}, hvl_t{1, numbers.data()}};
  hid_t nested = H5Tvlen_create(ints), wide = H5Tvlen_create(doubles);
  hid_t from = H5Tcreate(H5T_COMPOUND, sizeof(Mixed)), to = H5Tcreate(H5T_COMPOUND, sizeof(Mixed));
  for (hid_t type : {from, to}) {
    H5Tinsert(type, "name", HOFFSET(Mixed, name), text);
    H5Tinsert(type, "rows", HOFFSET(Mixed, rows), type == from ? nested : wide);
  }
  const std::array<Mixed, 2> before = {Mixed{const_cast<char*>("x"), {2, rows.data()}},
                                       Mixed{const_cast<char*>("yy"), {1, rows.data()}}};
  int failures = 0;
  for (long allowed = 0;; ++allowed) {
    std::array<Mixed, 2> data = before;
    left = allowed;
    const herr_t converted = H5Tconvert(from, to, 2, data.data(), nullptr, list);
    left = -1;
    if (converted == 0) {
      EXPECT_EQ(static_cast<double*>(static_cast<hvl_t*>(data[1].rows.p)[0].p)[1], 2);
      hid_t space = one(2);
      EXPECT_EQ(H5Treclaim(to, space, list, data.data()), 0) << first_error();
      H5Sclose(space);
      break;
    }
    ++failures;
    EXPECT_EQ(first_error().find("no memory for a variable-length element"), 0U) << first_error();
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(std::memcmp(data.data(), before.data(), sizeof data), 0);
  }
  EXPECT_EQ(failures, 7);  // two names, two rows of rows, three rows
  for (hid_t type : {from, to, nested, wide}) H5Tclose(type);
}

TEST_F(Sequences, ReclaimNamesItsArguments) {
  hid_t space = one(1);
  std::array<hvl_t, 1> data{};
  EXPECT_LT(H5Treclaim(ints, space, list, nullptr), 0);
  EXPECT_NE(first_error().find("buf"), std::string::npos) << first_error();
  EXPECT_LT(H5Treclaim(space, space, list, data.data()), 0);
  EXPECT_NE(first_error().find("type_id"), std::string::npos) << first_error();
  EXPECT_LT(H5Treclaim(ints, ints, list, data.data()), 0);
  EXPECT_NE(first_error().find("space_id"), std::string::npos) << first_error();
  EXPECT_LT(H5Treclaim(ints, space, ints, data.data()), 0);
  EXPECT_NE(first_error().find("plist_id"), std::string::npos) << first_error();
  EXPECT_EQ(H5Treclaim(H5T_NATIVE_INT, space, list, data.data()), 0);
  H5Sclose(space);
}
#endif

TEST_F(Sequences, FilledElementsOwnWhatTheyPointTo) {
  std::array<int, 2> numbers = {4, 5};
  hvl_t value{2, numbers.data()};
  std::array<hvl_t, 5> data{};
  hid_t space = one(5);
  const hsize_t start = 1, count = 3;
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  ASSERT_EQ(H5Dfill(&value, ints, data.data(), doubles, space), 0) << first_error();
  EXPECT_EQ(data[0].p, nullptr);
  EXPECT_EQ(static_cast<double*>(data[3].p)[1], 5);
  EXPECT_NE(data[1].p, data[2].p);
  EXPECT_EQ(H5Dvlen_reclaim(doubles, space, H5P_DEFAULT, data.data()), 0);
  H5Sclose(space);
}

#ifdef PCIO_VERSION  // libhdf5 reads what is not there
TEST_F(Sequences, AFillThatFailsLeavesWhatItDidNotReach) {
  std::array<int, 2> numbers = {4, 5};
  const hvl_t endless{SIZE_MAX / 4, numbers.data()};
  std::array<hvl_t, 2> data = {hvl_t{2, numbers.data()}, hvl_t{1, numbers.data()}};
  hid_t space = one(2);
  EXPECT_LT(H5Dfill(&endless, ints, data.data(), doubles, space), 0);
  EXPECT_EQ(data[0].p, numbers.data());
  EXPECT_EQ(data[1].len, 1U);
  H5Sclose(space);
}
#endif

TEST_F(Sequences, FillValuesOfListsAreCopies) {
  hid_t one_list = H5Pcreate(H5P_DATASET_CREATE);
  std::string word = "warm";
  char* pointer = word.data();
  ASSERT_EQ(H5Pset_fill_value(one_list, text, &pointer), 0) << first_error();
  word = "cold";
  hid_t copy = H5Pcopy(one_list);
#ifdef PCIO_VERSION  // libhdf5 compares pointers
  EXPECT_GT(H5Pequal(one_list, copy), 0);
#endif
  H5Pclose(one_list);
  for (int again = 0; again < 2; ++again) {
    char* read = nullptr;
    ASSERT_EQ(H5Pget_fill_value(copy, text, &read), 0) << first_error();
    EXPECT_STREQ(read, "warm");
    std::free(read);
  }
  H5D_fill_value_t state = H5D_FILL_VALUE_ERROR;
  EXPECT_EQ(H5Pfill_value_defined(copy, &state), 0);
  EXPECT_EQ(state, H5D_FILL_VALUE_USER_DEFINED);
  H5Pclose(copy);

  std::array<int, 2> numbers = {1, 2};
  hvl_t value{2, numbers.data()};
  hid_t other = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_fill_value(other, ints, &value), 0);
  numbers[1] = 77;
  hvl_t read{};
  ASSERT_EQ(H5Pget_fill_value(other, doubles, &read), 0) << first_error();
  ASSERT_EQ(read.len, 2U);
  EXPECT_EQ(static_cast<double*>(read.p)[1], 2);
  std::free(read.p);
  hid_t third = H5Pcreate(H5P_DATASET_CREATE);
  ASSERT_EQ(H5Pset_fill_value(third, ints, &value), 0);
#ifdef PCIO_VERSION
  EXPECT_EQ(H5Pequal(other, third), 0);
  numbers[1] = 2;
  ASSERT_EQ(H5Pset_fill_value(third, ints, &value), 0);
  EXPECT_GT(H5Pequal(other, third), 0);
#endif
  H5Pclose(other);
  H5Pclose(third);
}

class StoredSequences : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
    ints = H5Tvlen_create(H5T_NATIVE_INT);
    const hsize_t three = 3;
    space = H5Screate_simple(1, &three, nullptr);
    words = H5Dcreate2(file, "words", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    rows = H5Dcreate2(file, "rows", ints, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(rows, 0) << first_error();
    const std::array<const char*, 3> letters = {"abc", nullptr, ""};
    ASSERT_EQ(H5Dwrite(words, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()), 0);
    std::array<hvl_t, 3> data = {hvl_t{2, numbers.data()}, hvl_t{0, nullptr},
                                 hvl_t{1, numbers.data()}};
    ASSERT_EQ(H5Dwrite(rows, ints, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
  }
  void TearDown() override {
    for (hid_t type : {text, ints}) H5Tclose(type);
    H5Sclose(space);
    for (hid_t dataset : {words, rows}) H5Dclose(dataset);
    FileTest::TearDown();
  }

  hid_t text = -1, ints = -1, space = -1, words = -1, rows = -1;
  std::array<int, 2> numbers = {5, 6};
};

TEST_F(StoredSequences, MemoryOfAReadIsCounted) {
  hsize_t size = 99;
  EXPECT_EQ(H5Dvlen_get_buf_size(words, text, space, &size), 0) << first_error();
  EXPECT_EQ(size, 5U);
  EXPECT_EQ(H5Dvlen_get_buf_size(rows, ints, space, &size), 0) << first_error();
  EXPECT_EQ(size, 3 * sizeof(int));
  hid_t wide = H5Tvlen_create(H5T_NATIVE_LLONG), part = H5Scopy(space);
  EXPECT_EQ(H5Dvlen_get_buf_size(rows, wide, space, &size), 0);
  EXPECT_EQ(size, 3 * sizeof(long long));
  const hsize_t start = 1, count = 2;
  H5Sselect_hyperslab(part, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  EXPECT_EQ(H5Dvlen_get_buf_size(words, text, part, &size), 0);
  EXPECT_EQ(size, 1U);
  H5Sselect_none(part);
  EXPECT_EQ(H5Dvlen_get_buf_size(words, text, part, &size), 0);
  EXPECT_EQ(size, 0U);
  hid_t plain = H5Dcreate2(file, "i", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(H5Dvlen_get_buf_size(plain, H5T_NATIVE_INT, space, &size), 0);
  EXPECT_EQ(size, 0U);
  EXPECT_LT(H5Dvlen_get_buf_size(words, H5T_NATIVE_INT, space, &size), 0);
  EXPECT_LT(H5Dvlen_get_buf_size(words, text, H5S_ALL, &size), 0);
  EXPECT_LT(H5Dvlen_get_buf_size(words, space, space, &size), 0);
  EXPECT_LT(H5Dvlen_get_buf_size(file, text, space, &size), 0);
#ifdef PCIO_VERSION
  EXPECT_LT(H5Dvlen_get_buf_size(words, text, space, nullptr), 0);
  EXPECT_NE(first_error().find("argument size"), std::string::npos) << first_error();
#endif
  H5Dclose(plain);
  H5Tclose(wide);
  H5Sclose(part);
}

}  // namespace
