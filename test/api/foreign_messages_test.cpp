// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Messages as other writers leave them: a file-space message that somebody didn't know, scale-offset
// parameters with garbage where nothing is said, filters without a name, filters that aren't there.
// The files are made here and changed byte by byte; they are of the old format, without checksums.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <numeric>

#include "api/file_fixture.hpp"

namespace {

class ForeignMessages : public FileTest {
 protected:
  [[nodiscard]] std::string bytes() const {
    std::ifstream in(path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put_bytes(const std::string& all) const { std::ofstream(path(), std::ios::binary) << all; }
  /// The only place of these bytes in the closed file.
  static std::size_t only_place(const std::string& all, const std::string& wanted) {
    const std::size_t at = all.find(wanted);
    EXPECT_NE(at, std::string::npos);
    EXPECT_EQ(all.find(wanted, at + 1), std::string::npos);
    return at;
  }
  static std::string words(std::initializer_list<std::uint32_t> values) {
    std::string text;
    for (std::uint32_t value : values)
      for (int i = 0; i < 4; ++i) text.push_back(static_cast<char>(value >> (8 * i)));
    return text;
  }
  hid_t chunked_list(hsize_t chunk) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_chunk(list, 1, &chunk), 0);
    return list;
  }
};

// ---- the file-space message --------------------------------------------------------------------

struct SpaceFacts {
  H5F_fspace_strategy_t strategy = H5F_FSPACE_STRATEGY_NTYPES;
  hbool_t persist = false;
  hsize_t threshold = 0;
  hsize_t page = 0;
};

SpaceFacts facts_of(hid_t file) {
  SpaceFacts facts;
  hid_t list = H5Fget_create_plist(file);
  EXPECT_EQ(H5Pget_file_space_strategy(list, &facts.strategy, &facts.persist, &facts.threshold), 0);
  EXPECT_EQ(H5Pget_file_space_page_size(list, &facts.page), 0);
  H5Pclose(list);
  return facts;
}

class SpaceMessage : public ForeignMessages, public testing::WithParamInterface<bool> {
 protected:
  static constexpr std::uint8_t kMarkIfUnknown = 0x10;
  static constexpr std::uint8_t kWasUnknown = 0x20;
  /// A file whose message `GetParam() ? keeps free space : has pages`, closed.
  void create() {
    ASSERT_EQ(H5Fclose(file), 0);
    hid_t list = H5Pcreate(H5P_FILE_CREATE);
    const bool persist = GetParam();
    ASSERT_EQ(
        H5Pset_file_space_strategy(
            list, persist ? H5F_FSPACE_STRATEGY_FSM_AGGR : H5F_FSPACE_STRATEGY_PAGE, persist, 3),
        0);
    ASSERT_EQ(H5Pset_file_space_page_size(list, 8192), 0);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, list, H5P_DEFAULT);
    make_group("g");
    make_dataset("d", 100);
    ASSERT_EQ(H5Ldelete(file, "d", H5P_DEFAULT), 0);
    ASSERT_EQ(H5Fclose(file), 0);
    H5Pclose(list);
  }
  /// Changes flags and version of the message.
  void mark(std::uint8_t flags, char version) {
    std::string all = bytes();
    // Type, size and flags of the message, three reserved bytes, the version.
    const std::string size(1, static_cast<char>(GetParam() ? 0x80 : 0x20));
    const std::size_t at = all.find(std::string("\x17\0", 2) + size + '\0');
    ASSERT_NE(at, std::string::npos);
    ASSERT_NE(all[at + 4] & kMarkIfUnknown, 0);
    all[at + 4] = static_cast<char>(all[at + 4] | flags);
    all[at + 8] = version;
    put_bytes(all);
  }
};

TEST_P(SpaceMessage, CountsUntilSomebodyWroteWhoDidntKnowIt) {
  create();
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  EXPECT_EQ(facts_of(file).page, 8192U);
  EXPECT_EQ(facts_of(file).threshold, 3U);
  ASSERT_EQ(H5Fclose(file), 0);
  for (char version : {0, 1, 77}) {
    mark(kWasUnknown, version);
    for (unsigned flags : {H5F_ACC_RDONLY, H5F_ACC_RDWR, H5F_ACC_RDONLY}) {
      file = H5Fopen(path().c_str(), flags, H5P_DEFAULT);
      ASSERT_GT(file, 0) << int{version} << ": " << first_error();
      const SpaceFacts facts = facts_of(file);
      EXPECT_EQ(facts.strategy, H5F_FSPACE_STRATEGY_FSM_AGGR);
      EXPECT_EQ(facts.persist, 0);
      EXPECT_EQ(facts.threshold, 1U);
      EXPECT_EQ(facts.page, 4096U);
      if (flags == H5F_ACC_RDWR)
        make_group(("made" + std::to_string(version)).c_str());
      else
        EXPECT_GT(H5Lexists(file, "g", H5P_DEFAULT), 0);
      ASSERT_EQ(H5Fclose(file), 0) << first_error();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SpaceMessage, testing::Bool(),
                         [](const auto& info) { return info.param ? "Kept" : "Pages"; });

// ---- scale-offset ------------------------------------------------------------------------------

TEST_F(ForeignMessages, ScaleOffsetOfFloatsHasNoSign) {
  hid_t list = chunked_list(40);
  ASSERT_EQ(H5Pset_scaleoffset(list, H5Z_SO_FLOAT_DSCALE, 4), 0);
  hsize_t size = 40;
  hid_t space = H5Screate_simple(1, &size, nullptr);
  hid_t dataset = H5Dcreate2(file, "d", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  std::vector<double> values(40);
  for (int i = 0; i < 40; ++i) values[static_cast<std::size_t>(i)] = (i - 20) * 1.25;
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
  ASSERT_EQ(H5Fclose(file), 0);
  std::string all = bytes();
  // Scale type, factor, elements, class, size, sign, order.
  const std::size_t at = only_place(all, words({0, 4, 40, 1, 8, 0, 0}));
  all.replace(at + 20, 4, words({0x08D8F1D8}));
  put_bytes(all);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  std::vector<double> read(40);
  ASSERT_EQ(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0)
      << first_error();
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(read[i], values[i], 1e-4);
  H5Dclose(dataset);
}

// ---- filters without a name --------------------------------------------------------------------

TEST_F(ForeignMessages, AFilterThatIsStoredWithoutANameHasItsOwn) {
  ASSERT_EQ(H5Fset_libver_bounds(file, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), 0);
  hid_t list = chunked_list(4);
  ASSERT_EQ(H5Pset_shuffle(list), 0);
  ASSERT_EQ(H5Pset_deflate(list, 3), 0);
  hsize_t size = 4;
  hid_t space = H5Screate_simple(1, &size, nullptr);
  H5Dclose(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  H5Sclose(space);
  H5Pclose(list);
  reopen();
  hid_t dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  list = H5Dget_create_plist(dataset);
  char name[20] = "?";
  unsigned flags = 0;
  unsigned config = 0;
  size_t count = 0;
  EXPECT_EQ(H5Pget_filter2(list, 0, &flags, &count, nullptr, sizeof name, name, &config),
            H5Z_FILTER_SHUFFLE);
  EXPECT_STREQ(name, "shuffle");
  count = 0;
  EXPECT_EQ(H5Pget_filter_by_id2(list, H5Z_FILTER_DEFLATE, &flags, &count, nullptr, sizeof name,
                                 name, &config),
            0);
  EXPECT_STREQ(name, "deflate");
  H5Pclose(list);
  H5Dclose(dataset);
}

// ---- filters that aren't there -----------------------------------------------------------------

/// Takes the first half of the bytes away, and doubles what is there.
size_t halve(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void** buffer) {
  auto* text = static_cast<char*>(*buffer);
  if ((flags & H5Z_FLAG_REVERSE) == 0) return bytes / 2;
  auto* doubled = static_cast<char*>(std::realloc(text, 2 * bytes));
  std::memcpy(doubled + bytes, doubled, bytes);
  *buffer = doubled;
  return 2 * bytes;
}

TEST_F(ForeignMessages, ChunksOfAnUnknownFilterCanBeAskedForButNotDecoded) {
  constexpr H5Z_filter_t kFilter = 305;
  const H5Z_class2_t halving = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "halve", nullptr, nullptr, halve};
  ASSERT_GE(H5Zregister(&halving), 0);
  hid_t list = chunked_list(8);
  ASSERT_EQ(H5Pset_filter(list, kFilter, H5Z_FLAG_MANDATORY, 0, nullptr), 0);
  hsize_t size = 24;
  hid_t space = H5Screate_simple(1, &size, nullptr);
  hid_t dataset = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  std::vector<int> values(16);
  std::iota(values.begin(), values.end(), 0);
  hsize_t start = 0;
  hsize_t count = 16;
  hid_t memory = H5Screate_simple(1, &count, nullptr);
  ASSERT_EQ(H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr), 0);
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()), 0);
  H5Dclose(dataset);
  ASSERT_EQ(H5Fclose(file), 0);
  ASSERT_GE(H5Zunregister(kFilter), 0);

  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  ASSERT_GT(dataset, 0) << first_error();
  EXPECT_EQ(H5Dget_storage_size(dataset), 32U);
  H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
  EXPECT_EQ(H5Dget_space_status(dataset, &status), 0) << first_error();
  EXPECT_EQ(status, H5D_SPACE_STATUS_PART_ALLOCATED);
  hsize_t chunks = 0;
  EXPECT_EQ(H5Dget_num_chunks(dataset, space, &chunks), 0) << first_error();
  EXPECT_EQ(chunks, 2U);
  hsize_t offset = 8;
  hsize_t bytes = 0;
  EXPECT_EQ(H5Dget_chunk_storage_size(dataset, &offset, &bytes), 0) << first_error();
  EXPECT_EQ(bytes, 16U);
  uint32_t mask = 9;
  std::vector<int> stored(4);
  EXPECT_EQ(H5Dread_chunk(dataset, H5P_DEFAULT, &offset, &mask, stored.data()), 0) << first_error();
  EXPECT_EQ(mask, 0U);
  EXPECT_EQ(stored, (std::vector<int>{8, 9, 10, 11}));
  haddr_t address = HADDR_UNDEF;
  EXPECT_EQ(H5Dget_chunk_info(dataset, space, 1, &start, &mask, &address, &bytes), 0);
  EXPECT_EQ(start, 8U);
  PCIO_ONLY(EXPECT_NE(address, HADDR_UNDEF);)
  H5O_info_t info;
  EXPECT_EQ(H5Oget_info(dataset, &info), 0) << first_error();
  EXPECT_GT(info.meta_size.obj.index_size, 0U);
  // Data can't be read, or written but as they lie in the file.
  EXPECT_LT(H5Dread(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()), 0);
  EXPECT_LT(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, values.data()), 0);
  offset = 16;
  EXPECT_EQ(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &offset, 16, stored.data()), 0)
      << first_error();
  EXPECT_EQ(H5Dget_storage_size(dataset), 48U);
  H5Dclose(dataset);
  ASSERT_EQ(H5Fclose(file), 0) << first_error();

  ASSERT_GE(H5Zregister(&halving), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  std::vector<int> all(24);
  EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
  EXPECT_EQ(all[3], 3);
  EXPECT_EQ(all[4], 0);
  EXPECT_EQ(all[17], 9);
  H5Dclose(dataset);
  ASSERT_GE(H5Zunregister(kFilter), 0);
  for (hid_t id : {memory, space}) H5Sclose(id);
  H5Pclose(list);
}

}  // namespace
