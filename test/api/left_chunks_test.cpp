// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: chunks of serial files that can't be encoded, and what goes on beside them: copies of other objects, and
// closes that wait for memory.

#include <filesystem>
#include <functional>
#include <new>

#include "api/file_fixture.hpp"

#ifdef PCIO_VERSION

namespace {

constexpr H5Z_filter_t kFilter = 301;

/// False: the filter fails. May throw, as a filter in C++ does that lacks memory.
std::function<bool()> on_encode;

size_t filter(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  if ((flags & H5Z_FLAG_REVERSE) != 0 || !on_encode) return bytes;
  return on_encode() ? bytes : 0;
}

class LeftChunks : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    const H5Z_class2_t one = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "left", nullptr, nullptr, filter};
    ASSERT_EQ(H5Zregister(&one), 0);
  }
  void TearDown() override {
    on_encode = nullptr;
    FileTest::TearDown();
    H5Zunregister(kFilter);
  }
  /// Chunks of four elements.
  hid_t make(const char* name, hsize_t elements, bool filtered) const {
    const hsize_t most = H5S_UNLIMITED, chunk = 4;
    const hid_t space = H5Screate_simple(1, &elements, &most);
    const hid_t create = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(create, 1, &chunk);
    if (filtered) H5Pset_filter(create, kFilter, 0, 0, nullptr);
    const hid_t data =
        H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, create, H5P_DEFAULT);
    EXPECT_GT(data, 0);
    H5Sclose(space);
    H5Pclose(create);
    return data;
  }
  static herr_t write(hid_t data, std::vector<int> values) {
    return H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  static std::vector<int> read(hid_t from, const char* name, std::size_t count) {
    std::vector<int> values(count, -1);
    const hid_t data = H5Dopen2(from, name, H5P_DEFAULT);
    EXPECT_EQ(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
        << first_error();
    H5Dclose(data);
    return values;
  }
};

TEST_F(LeftChunks, AreNoneOfACopysBusiness) {
  const hid_t bad = make("bad", 8, true), good = make("good", 8, false);
  ASSERT_EQ(write(bad, {1, 1, 1, 1, 2, 2, 2, 2}), 0);
  ASSERT_EQ(write(good, {1, 2, 3, 4, 5, 6, 7, 8}), 0);
  // The next copy flushes: what was cut off owes its fill value.
  hsize_t size = 6;
  ASSERT_EQ(H5Dset_extent(good, &size), 0);
  on_encode = [] { return false; };
  EXPECT_EQ(H5Ocopy(file, "good", file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0) << all_errors();
  EXPECT_EQ(read(file, "copy", 6), (std::vector<int>{1, 2, 3, 4, 5, 6}));
  EXPECT_LT(H5Ocopy(file, "bad", file, "none", H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_NE(all_errors().find("the chunk that begins at (0)"), std::string::npos) << all_errors();
  EXPECT_NE(all_errors().find("\"/bad\""), std::string::npos) << all_errors();
  EXPECT_EQ(H5Lexists(file, "none", H5P_DEFAULT), 0);
  on_encode = nullptr;
  EXPECT_EQ(H5Ocopy(file, "bad", file, "none", H5P_DEFAULT, H5P_DEFAULT), 0) << all_errors();
  EXPECT_EQ(read(file, "none", 8), (std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(H5Dclose(bad) | H5Dclose(good), 0);
}

TEST_F(LeftChunks, AreTriedOnceMoreWhereMemoryLacks) {
  const hid_t data = make("d", 8, true);
  ASSERT_EQ(write(data, {1, 1, 1, 1, 2, 2, 2, 2}), 0);
  int lacks = 2;
  on_encode = [&] { return lacks-- > 0 ? throw std::bad_alloc() : true; };
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0) << all_errors();
  EXPECT_LT(lacks, 0);
  EXPECT_EQ(H5Dclose(data), 0);
}

TEST_F(LeftChunks, KeepAFileOpenWhileMemoryLacks) {
  const hid_t data = make("d", 8, true);
  ASSERT_EQ(write(data, {1, 1, 1, 1, 2, 2, 2, 2}), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  ASSERT_EQ(write(data, {3, 3, 3, 3, 4, 4, 4, 4}), 0);
  on_encode = []() -> bool { throw std::bad_alloc(); };
  EXPECT_LT(H5Dclose(data), 0);
  make_dataset("other", 3);
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT(H5Fclose(file), 0);
    EXPECT_NE(all_errors().find("they wait in memory"), std::string::npos) << all_errors();
    EXPECT_GT(H5Iis_valid(file), 0);
    // All else is in the file.
    const std::string copy = path() + ".copy";
    std::filesystem::copy_file(path(), copy, std::filesystem::copy_options::overwrite_existing);
    const hid_t now = H5Fopen(copy.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    EXPECT_EQ(read(now, "d", 8), (std::vector<int>{1, 1, 1, 1, 2, 2, 2, 2}));
    EXPECT_EQ(H5Lexists(now, "other", H5P_DEFAULT), 1);
    EXPECT_EQ(H5Fclose(now), 0);
    std::filesystem::remove(copy);
  }
  // It goes on being a file.
  make_dataset("third", 3);
  on_encode = nullptr;
  EXPECT_EQ(H5Fclose(file), 0) << all_errors();
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_EQ(read(file, "d", 8), (std::vector<int>{3, 3, 3, 3, 4, 4, 4, 4}));
  EXPECT_EQ(H5Lexists(file, "third", H5P_DEFAULT), 1);
}

}  // namespace

#endif
