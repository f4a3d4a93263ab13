// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What H5Oget_info says of sizes and references, and attributes of objects that have many.

#include <algorithm>

#include "api/file_fixture.hpp"

namespace {

using Names = std::vector<std::string>;

class ObjectInfo : public FileTest {
 protected:
  H5O_info_t info_of(const char* name, unsigned fields = H5O_INFO_ALL) {
    H5O_info_t info{};
    EXPECT_EQ(H5Oget_info_by_name2(file, name, &info, fields, H5P_DEFAULT), 0) << first_error();
    return info;
  }
  unsigned references(const char* name) { return info_of(name, H5O_INFO_BASIC).rc; }
  /// A dataset of 1,000 integers in chunks of 10 that all have space.
  void make_chunks(const char* name, H5F_libver_t low, hsize_t most) {
    ASSERT_EQ(H5Fset_libver_bounds(file, low, H5F_LIBVER_LATEST), 0);
    hsize_t size = 1000;
    hsize_t chunk = 10;
    hid_t space = H5Screate_simple(1, &size, &most);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_EQ(H5Pset_chunk(list, 1, &chunk), 0);
    hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_GT(id, 0) << first_error();
    std::vector<int> values(1000, 7);
    ASSERT_EQ(H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    ASSERT_EQ(H5Dclose(id), 0);
    ASSERT_EQ(H5Pclose(list), 0);
    ASSERT_EQ(H5Sclose(space), 0);
  }
};

TEST_F(ObjectInfo, SizesOfIndexesAreWhatTheFileHas) {
  make_chunks("tree", H5F_LIBVER_EARLIEST, 1000);
  make_chunks("tree_grows", H5F_LIBVER_EARLIEST, H5S_UNLIMITED);
  make_chunks("fixed", H5F_LIBVER_LATEST, 2000);
  make_group("g");
  make_dataset("contiguous", 10);
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
    EXPECT_EQ(info_of("tree").meta_size.obj.index_size, 6288U);
    EXPECT_EQ(info_of("tree_grows").meta_size.obj.index_size, 6288U);
    EXPECT_EQ(info_of("fixed").meta_size.obj.index_size, 1646U);
    EXPECT_EQ(info_of("contiguous").meta_size.obj.index_size, 0U);
    EXPECT_EQ(info_of("g").meta_size.obj.index_size, 0U) << "its links are messages";
    // One node of the tree, one with entries; a heap of a header and a few names.
    EXPECT_EQ(info_of("/").meta_size.obj.index_size, 544U + 328U);
    EXPECT_GT(info_of("/").meta_size.obj.heap_size, 32U);
    EXPECT_LT(info_of("/").meta_size.obj.heap_size, 256U);
    EXPECT_EQ(info_of("/").meta_size.attr.index_size, 0U);
    EXPECT_EQ(info_of("tree", H5O_INFO_BASIC).meta_size.obj.index_size, 0U) << "not asked for";
    reopen();
  }
}

TEST_F(ObjectInfo, ReferencesOfWhatIsGoneToATypeDontCount) {
  hid_t type = H5Tcopy(H5T_NATIVE_INT);
  hid_t space = H5Screate(H5S_SCALAR);
  ASSERT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(references("t"), 1U);
  const auto make = [&](const char* name) {
    return H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  };
  hid_t data = make("d");
  hid_t attribute = H5Acreate2(data, "a", type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(references("t"), 3U);
  ASSERT_EQ(H5Aclose(attribute), 0);
  ASSERT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
  EXPECT_EQ(references("t"), 3U) << "it is open";
  ASSERT_EQ(H5Dclose(data), 0);
  EXPECT_EQ(references("t"), 1U);
  // Also what only a deleted group leads to.
  make_group("g");
  make_group("g/h");
  ASSERT_EQ(H5Dclose(make("g/h/d")), 0);
  ASSERT_EQ(H5Dclose(make("g/h/kept")), 0);
  ASSERT_EQ(H5Lcreate_hard(file, "g/h/kept", file, "kept", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(references("t"), 3U);
  ASSERT_EQ(H5Ldelete(file, "g", H5P_DEFAULT), 0);
  EXPECT_EQ(references("t"), 2U);
  data = H5Dcreate_anon(file, type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_EQ(references("t"), 3U);
  ASSERT_EQ(H5Dclose(data), 0);
  EXPECT_EQ(references("t"), 2U);
  ASSERT_EQ(H5Tclose(type), 0);
  ASSERT_EQ(H5Sclose(space), 0);
  reopen();
  EXPECT_EQ(references("t"), 2U);
  ASSERT_EQ(H5Ldelete(file, "kept", H5P_DEFAULT), 0);
  EXPECT_EQ(references("t"), 1U);
}

// ---- many attributes ---------------------------------------------------------------------------

class ManyAttributes : public FileTest, public testing::WithParamInterface<unsigned> {
 protected:
  static constexpr int kMany = 150;
  static constexpr H5_index_t kOrders[] = {H5_INDEX_NAME, H5_INDEX_CRT_ORDER};

  void SetUp() override {
    FileTest::SetUp();
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    ASSERT_EQ(H5Pset_attr_creation_order(list, GetParam()), 0);
    group = H5Gcreate2(file, "g", H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_GT(group, 0) << first_error();
    H5Pclose(list);
    for (int i = 0; i < kMany; ++i) make("n" + std::to_string(i * 7919 % 1000));
  }
  void TearDown() override {
    if (H5Iis_valid(group) > 0) H5Gclose(group);
    FileTest::TearDown();
  }
  void make(const std::string& name) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t id = H5Acreate2(group, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(id, 0) << first_error();
    const int value = value_of(name);
    ASSERT_EQ(H5Awrite(id, H5T_NATIVE_INT, &value), 0);
    H5Aclose(id);
    H5Sclose(space);
    names.push_back(name);
  }
  static int value_of(const std::string& name) {
    return static_cast<int>(std::hash<std::string>()(name) & 0xFFFFF);
  }
  [[nodiscard]] bool tracked() const { return GetParam() != 0; }
  [[nodiscard]] Names expected(H5_index_t by, H5_iter_order_t order) const {
    Names all = names;
    if (by == H5_INDEX_NAME) std::sort(all.begin(), all.end());
    if (order == H5_ITER_DEC) std::reverse(all.begin(), all.end());
    return all;
  }
  std::string name_at(H5_index_t by, H5_iter_order_t order, std::size_t n) {
    return text_of([&](char* buffer, size_t size) {
      return H5Aget_name_by_idx(group, ".", by, order, n, buffer, size, H5P_DEFAULT);
    });
  }
  static herr_t note(hid_t, const char* name, const H5A_info_t*, void* list) {
    static_cast<Names*>(list)->emplace_back(name);
    return 0;
  }
  static herr_t note_and_stop(hid_t, const char* name, const H5A_info_t*, void* list) {
    static_cast<Names*>(list)->emplace_back(name);
    return 1;
  }
  void expect_all() {
    EXPECT_EQ(H5Aget_num_attrs(group), static_cast<int>(names.size()));
    for (H5_index_t by : kOrders) {
      if (by == H5_INDEX_CRT_ORDER && !tracked()) continue;
      for (H5_iter_order_t order : {H5_ITER_INC, H5_ITER_DEC}) {
        const Names wanted = expected(by, order);
        for (std::size_t n : {std::size_t{0}, wanted.size() / 3, wanted.size() / 2,
                              wanted.size() - 40, wanted.size() - 1})
          EXPECT_EQ(name_at(by, order, n), wanted[n]) << n;
        EXPECT_EQ(name_at(by, order, wanted.size()), "<error>");
        Names seen;
        hsize_t idx = 40;
        EXPECT_EQ(H5Aiterate2(group, by, order, &idx, note, &seen), 0);
        EXPECT_EQ(seen, Names(wanted.begin() + 40, wanted.end()));
      }
    }
    for (const std::string& name : names) expect_value(name, value_of(name));
  }
  void expect_value(const std::string& name, int wanted) {
    hid_t id = H5Aopen(group, name.c_str(), H5P_DEFAULT);
    ASSERT_GT(id, 0) << name << ": " << first_error();
    int value = -1;
    EXPECT_EQ(H5Aread(id, H5T_NATIVE_INT, &value), 0);
    EXPECT_EQ(value, wanted) << name;
    H5Aclose(id);
  }
  void erase(std::size_t i) {
    ASSERT_EQ(H5Adelete(group, names[i].c_str()), 0) << first_error();
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
  }

  hid_t group = H5I_INVALID_HID;
  Names names;
};

TEST_P(ManyAttributes, AreFoundByNameAndNumberWhileTheyChange) {
  expect_all();
  for (std::size_t i : {149U, 100U, 75U, 3U, 0U}) erase(i);
  expect_all();
  make("again");
  make("n1");
  expect_all();
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  // More than half: what is left closes ranks.
  for (int i = 0; i < 80; ++i) erase(static_cast<std::size_t>(i) % 7);
  expect_all();
  ASSERT_EQ(H5Arename(group, names[10].c_str(), "renamed"), 0);
  EXPECT_EQ(H5Aexists(group, names[10].c_str()), 0);
  EXPECT_EQ(H5Aexists(group, "renamed"), 1);
  const int value = value_of("renamed");
  hid_t id = H5Aopen(group, "renamed", H5P_DEFAULT);
  ASSERT_EQ(H5Awrite(id, H5T_NATIVE_INT, &value), 0);
  H5Aclose(id);
  names[10] = "renamed";
  make("last");
  expect_all();
  EXPECT_EQ(H5Gclose(group), 0);
  reopen();
  group = H5Gopen2(file, "g", H5P_DEFAULT);
  expect_all();
  erase(0);
  make("after");
  expect_all();
}

TEST_P(ManyAttributes, AreIteratedOneByOne) {
  Names seen;
  hsize_t idx = 0;
  while (idx < names.size())
    ASSERT_EQ(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &idx, note_and_stop, &seen), 1);
  EXPECT_EQ(seen, expected(H5_INDEX_NAME, H5_ITER_INC));
}

INSTANTIATE_TEST_SUITE_P(Orders, ManyAttributes,
                         testing::Values(0U,
                                         unsigned{H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED}),
                         [](const auto& info) { return info.param == 0 ? "Plain" : "Tracked"; });

}  // namespace
