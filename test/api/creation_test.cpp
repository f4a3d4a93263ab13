// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What new objects are that their lists don't say all of: missing groups, filters of data that has none,
// references in narrow files.

#include <array>

#include "api/file_fixture.hpp"

namespace {

class Creation : public FileTest {
 protected:
  /// A dataset with the filters of the list; 1-dimensional, or a single element.
  hid_t make(const char* name, hid_t type, hid_t list, bool single = false) {
    const hsize_t ten = 10;
    const hid_t space = single ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &ten, nullptr);
    const hid_t made = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Sclose(space);
    return made;
  }
  static hid_t text_type() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
  }
  void create_narrow() {
    ASSERT_EQ(H5Fclose(file), 0);
    const hid_t list = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_sizes(list, 4, 4);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, list, H5P_DEFAULT);
    H5Pclose(list);
    ASSERT_GT(file, 0) << first_error();
  }
};

/// `index` of what the group's list says of links: order, most compact, least dense, entries, name length.
std::array<unsigned, 5> link_facts(hid_t file, const char* path) {
  std::array<unsigned, 5> facts{};
  const hid_t group = H5Gopen2(file, path, H5P_DEFAULT), list = H5Gget_create_plist(group);
  H5Pget_link_creation_order(list, &facts[0]);
  H5Pget_link_phase_change(list, &facts[1], &facts[2]);
  H5Pget_est_link_info(list, &facts[3], &facts[4]);
  H5Pclose(list);
  H5Gclose(group);
  return facts;
}

TEST_F(Creation, MissingGroupsAreWhatTheGroupAboveIs) {
  const hid_t group_list = H5Pcreate(H5P_GROUP_CREATE), links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_link_creation_order(group_list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(group_list, H5P_CRT_ORDER_TRACKED);
  H5Pset_link_phase_change(group_list, 3, 2);
  H5Pset_est_link_info(group_list, 5, 6);
  H5Pset_create_intermediate_group(links, 1);
  H5Gclose(H5Gcreate2(file, "new", H5P_DEFAULT, group_list, H5P_DEFAULT));
  make_group("old");
  for (const char* name : {"new/a/b/last", "old/a/last"})
    H5Gclose(H5Gcreate2(file, name, links, H5P_DEFAULT, H5P_DEFAULT));
  using Facts = std::array<unsigned, 5>;
  for (const bool again : {false, true}) {
    if (again) reopen();
    EXPECT_EQ(link_facts(file, "new/a"), (Facts{3, 3, 2, 5, 6}));
    EXPECT_EQ(link_facts(file, "new/a/b"), (Facts{3, 3, 2, 5, 6}));
    EXPECT_EQ(link_facts(file, "new/a/b/last"), (Facts{0, 8, 6, 4, 8}));
    EXPECT_EQ(link_facts(file, "old/a"), (Facts{0, 8, 6, 4, 8}));
  }
  const hid_t group = H5Gopen2(file, "new/a", H5P_DEFAULT), list = H5Gget_create_plist(group);
  unsigned order = 9;
  EXPECT_EQ(H5Pget_attr_creation_order(list, &order), 0);
  EXPECT_EQ(order, 0U);
  H5Pclose(list);
  H5Gclose(group);
  H5Pclose(links);
  H5Pclose(group_list);
}

TEST_F(Creation, OptionalFiltersOfWhatHasNoChunksAreOnlyNoted) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), text = text_type();
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 3);
  const hid_t one = make("text", text, list), two = make("single", H5T_NATIVE_INT, list, true);
  ASSERT_GT(one, 0) << first_error();
  ASSERT_GT(two, 0) << first_error();
  const int seven = 7;
  int back = 0;
  EXPECT_EQ(H5Dwrite(two, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &seven), 0);
  EXPECT_EQ(H5Dread(two, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &back), 0);
  EXPECT_EQ(back, 7);
  const hid_t noted = H5Dget_create_plist(one);
  size_t values = 9;
  EXPECT_EQ(H5Pget_nfilters(noted), 2);
  EXPECT_EQ(H5Pget_filter2(noted, 0, nullptr, &values, nullptr, 0, nullptr, nullptr),
            H5Z_FILTER_SHUFFLE);
  EXPECT_EQ(values, 0U);
  EXPECT_LT(make("plain", H5T_NATIVE_INT, list), 0);
  H5Pset_fletcher32(list);
  EXPECT_LT(make("text2", text, list), 0);
  H5Pclose(noted);
  H5Dclose(two);
  H5Dclose(one);
  H5Tclose(text);
  H5Pclose(list);
}

TEST_F(Creation, ChunksOfVariableLengthDataAreNotShuffled) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), text = text_type();
  const hsize_t chunk = 5, at = 0;
  H5Pset_chunk(list, 1, &chunk);
  H5Pset_shuffle(list);
  const hid_t dataset = make("text", text, list);
  ASSERT_GT(dataset, 0) << first_error();
  const char* values[10] = {"one", "two", "", "four", "five", "six", "seven", "eight", "9", "10"};
  EXPECT_EQ(H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  unsigned mask = 0;
  EXPECT_EQ(H5Dget_chunk_info_by_coord(dataset, &at, &mask, nullptr, nullptr), 0);
  EXPECT_EQ(mask, 1U);  // as libhdf5, to which a shuffle without parameters is damage
  H5Dclose(dataset);
  H5Tclose(text);
  H5Pclose(list);
}

TEST_F(Creation, ReferencesAreAsLargeInNarrowFiles) {
  create_narrow();
  const hid_t dataset = make("references", H5T_STD_REF_OBJ, H5P_DEFAULT);
  std::array<hobj_ref_t, 10> to{}, back{};
  for (hobj_ref_t& one : to) ASSERT_EQ(H5Rcreate(&one, file, "/", H5R_OBJECT, -1), 0);
  EXPECT_EQ(H5Dwrite(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, to.data()), 0)
      << first_error();
  EXPECT_EQ(H5Dget_storage_size(dataset), 80U);
  EXPECT_EQ(H5Dread(dataset, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0);
  EXPECT_EQ(back, to);
  H5Dclose(dataset);
}

TEST_F(Creation, NamesOfRawFilesAreCountedBeforeTheyAreWritten) {
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(list, "raw.bin", 0, 40);
  const hid_t dataset = make("raw", H5T_NATIVE_INT, list);
  H5O_info_t before{}, after{};
  EXPECT_EQ(H5Oget_info(dataset, &before), 0) << first_error();
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_EQ(H5Oget_info(dataset, &after), 0);
  EXPECT_GT(after.meta_size.obj.heap_size, 0U);
  EXPECT_EQ(before.meta_size.obj.heap_size, after.meta_size.obj.heap_size);
  H5Dclose(dataset);
  H5Pclose(list);
}

}  // namespace
