// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Filtered datasets, chunks as they lie in the file, and several datasets in one call, through the
// public calls.

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <numeric>
#include <random>
#include <tuple>

#include "api/file_fixture.hpp"

namespace {

using Ints = std::vector<int>;

class Chunks : public FileTest {
 protected:
  /// One dimension, deflated; `cache`: bytes of its chunk cache.
  hid_t make(const char* name, hsize_t size, hsize_t chunk, hsize_t most = 0,
             size_t cache = 1 << 20) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_deflate(list, 6);
    H5Pset_chunk_cache(access, 521, cache, 0.75);
    hid_t space = H5Screate_simple(1, &size, most == 0 ? nullptr : &most);
    hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, access);
    EXPECT_GT(id, 0) << first_error();
    H5Sclose(space);
    H5Pclose(list);
    H5Pclose(access);
    return id;
  }
  static herr_t write(hid_t id, const Ints& values) {
    return H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  static Ints read(hid_t id, std::size_t n) {
    Ints values(n, -1);
    EXPECT_EQ(H5Dread(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
        << first_error();
    return values;
  }
  static Ints numbers(std::size_t n, int first = 0) {
    Ints values(n);
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  [[nodiscard]] long long size_of_file() const {
    struct stat facts {};
    EXPECT_EQ(stat(path().c_str(), &facts), 0);
    return facts.st_size;
  }
};

/// What a smaller extent cut off is the fill value in the chunk as well, and what is written over the
/// whole chunk after that comes back when the dataset grows.
TEST_F(Chunks, AreReadAndWrittenWholeAtACutEdge) {
  for (const bool flushed : {false, true}) {
    const char* const name = flushed ? "flushed" : "not";
    const hsize_t chunk[2] = {4, 8}, most[2] = {H5S_UNLIMITED, H5S_UNLIMITED}, before[2] = {8, 24},
                  after[2] = {7, 10}, at[2] = {4, 8};
    const hid_t space = H5Screate_simple(2, before, most), list = H5Pcreate(H5P_DATASET_CREATE);
    const int seven = 7;
    H5Pset_chunk(list, 2, chunk);
    H5Pset_fill_value(list, H5T_NATIVE_INT, &seven);
    const hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_EQ(write(id, numbers(8 * 24)), 0);
    ASSERT_EQ(H5Dset_extent(id, after), 0);
    if (flushed) ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    uint32_t mask = 0;
    Ints raw(32, -1), wanted(32, 7);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 2; ++c) wanted[static_cast<size_t>(8 * r + c)] = 24 * (4 + r) + 8 + c;
    ASSERT_EQ(H5Dread_chunk(id, H5P_DEFAULT, at, &mask, raw.data()), 0) << first_error();
    EXPECT_EQ(raw, wanted);
    // The chunk beside it is cut in one dimension only.
    const hsize_t beside[2] = {4, 0};
    ASSERT_EQ(H5Dread_chunk(id, H5P_DEFAULT, beside, &mask, raw.data()), 0) << first_error();
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 8; ++c)
        EXPECT_EQ(raw[static_cast<size_t>(8 * r + c)], r < 3 ? 24 * (4 + r) + c : 7);
    const Ints whole = numbers(32, 500);
    ASSERT_EQ(H5Dwrite_chunk(id, H5P_DEFAULT, 0, at, 128, whole.data()), 0) << first_error();
    ASSERT_EQ(H5Dread_chunk(id, H5P_DEFAULT, at, &mask, raw.data()), 0) << first_error();
    EXPECT_EQ(raw, whole);
    ASSERT_EQ(H5Dset_extent(id, before), 0);
    const Ints all = read(id, 8 * 24);
    for (int r = 0; r < 8; ++r)
      for (int c = 0; c < 24; ++c) {
        const bool of_chunk = r >= 4 && c >= 8 && c < 16, inside = r < 7 && c < 10;
        EXPECT_EQ(all[static_cast<size_t>(24 * r + c)], of_chunk ? 500 + 8 * (r - 4) + c - 8
                                                        : inside ? 24 * r + c
                                                                 : 7)
            << r << " " << c;
      }
    H5Dclose(id);
    H5Pclose(list);
    H5Sclose(space);
  }
}

// Room: the file of ten rewrites is little larger than that of one write.
class Rewrites : public Chunks, public ::testing::WithParamInterface<size_t> {};

TEST_P(Rewrites, DoNotMakeTheFileGrow) {
  constexpr std::size_t kSize = 200000;
  hid_t id = make("d", kSize, 2000, 0, GetParam());
  std::mt19937 random(3);
  long long once = 0;
  for (int i = 0; i < 11; ++i) {
    Ints values(kSize);
    // How well a chunk can be compressed differs from chunk to chunk and from time to time.
    for (std::size_t k = 0; k < kSize; ++k)
      values[k] = static_cast<int>(random() % (16U << (k / 2000 + static_cast<unsigned>(i)) % 4));
    ASSERT_EQ(write(id, values), 0) << first_error();
    if (i == 0) {
      hsize_t bytes = H5Dget_storage_size(id);
      once = static_cast<long long>(bytes);
      EXPECT_GT(once, 0);
    }
    if (i == 10) {
      EXPECT_EQ(read(id, kSize), values);
    }
  }
  H5Dclose(id);
  ASSERT_EQ(H5Fclose(file), 0) << first_error();
  EXPECT_LE(size_of_file(), once * 12 / 10 + 20000);
}
INSTANTIATE_TEST_SUITE_P(Cache, Rewrites, ::testing::Values(0, 20000, 1 << 20, 4 << 20));

TEST_F(Chunks, CommittedRewritesPeakAtTwiceAndGiveBack) {
  constexpr std::size_t kSize = 200000;
  hid_t id = make("d", kSize, 2000);
  std::mt19937 random(4);
  long long once = 0, peak = 0;
  for (int i = 0; i < 11; ++i) {
    Ints values(kSize);
    for (int& v : values) v = static_cast<int>(random() % 256);
    ASSERT_EQ(write(id, values), 0);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0) << first_error();
    peak = std::max(peak, size_of_file());
    if (i == 0) once = size_of_file();
  }
  PCIO_ONLY(EXPECT_LE(peak, once * 22 / 10);)
  H5Dclose(id);
  ASSERT_EQ(H5Fclose(file), 0);
  PCIO_ONLY(EXPECT_LE(size_of_file(), once * 12 / 10);)
}

// The last generation lies behind the hole of the one before it, or before it, as it comes; other
// datasets come between, and stay.
class CommittedRewrites : public Chunks, public ::testing::WithParamInterface<int> {};

TEST_P(CommittedRewrites, EndWhereOneWriteDoes) {
  constexpr std::size_t kSize = 100000;
  const hid_t first = make("first", kSize, 1000), second = make("second", kSize, 700);
  std::mt19937 random(5);
  long long once = 0;
  Ints values(kSize);
  for (int i = 0; i < GetParam(); ++i) {
    for (std::size_t k = 0; k < kSize; ++k)
      values[k] =
          static_cast<int>(random() % (16U << 2 * ((k / 700 + static_cast<unsigned>(i)) % 8)));
    ASSERT_EQ(write(first, values), 0);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
    ASSERT_EQ(write(second, values), 0);
    ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0) << first_error();
    if (i == 0) once = size_of_file();
  }
  H5Dclose(first);
  H5Dclose(second);
  PCIO_ONLY(const long long before = size_of_file();)
  ASSERT_EQ(H5Fclose(file), 0) << first_error();
  PCIO_ONLY(EXPECT_LE(size_of_file(), once * 12 / 10) << before;)
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  hsize_t size = 0;
  ASSERT_EQ(H5Fget_filesize(file, &size), 0);
  EXPECT_EQ(static_cast<long long>(size), size_of_file());
  for (const char* name : {"first", "second"}) {
    const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
    EXPECT_EQ(read(id, kSize), values);
    H5Dclose(id);
  }
}
INSTANTIATE_TEST_SUITE_P(Times, CommittedRewrites, ::testing::Values(1, 2, 3, 4, 10));

// What was cut off reads as the fill value when it is there again: each size inside the chunks at
// the edge in each dimension, cut in the cache and in the file.
class Regrown : public Chunks, public ::testing::WithParamInterface<std::tuple<int, bool, bool>> {};

TEST_P(Regrown, ReadTheFillValueWhereTheyWereCut) {
  const auto [ndims, from_file, user_fill] = GetParam();
  constexpr hsize_t kFull[] = {9, 7, 11}, kChunkOf[] = {4, 3, 5};
  const hsize_t most[] = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  const int fill = user_fill ? 77 : 0;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(ndims, kFull, most);
  H5Pset_chunk(list, ndims, kChunkOf);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 1);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  std::size_t elements = 1;
  for (int d = 0; d < ndims; ++d) elements *= kFull[d];
  int number = 0, compared = 0;
  for (int axis = 0; axis < (1 << ndims); ++axis)
    for (hsize_t size = 1; size <= 11; ++size) {
      hsize_t cut[3] = {kFull[0], kFull[1], kFull[2]};
      for (int d = 0; d < ndims; ++d)
        if ((axis >> d & 1) != 0) cut[d] = std::min(size, kFull[d]);
      const std::string name = "d" + std::to_string(number++);
      hid_t id =
          H5Dcreate2(file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
      auto again = [&, from_file = from_file] {
        if (!from_file) return;
        ASSERT_EQ(H5Dclose(id), 0);
        id = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
      };
      ASSERT_EQ(write(id, numbers(elements, 100)), 0);
      again();
      ASSERT_EQ(H5Dset_extent(id, cut), 0) << first_error();
      again();
      ASSERT_EQ(H5Dset_extent(id, kFull), 0) << first_error();
      const Ints found = read(id, elements);
      for (std::size_t i = 0; i < elements; ++i) {
        bool inside = true;
        std::size_t rest = i;
        for (int d = ndims; d-- > 0; rest /= kFull[d]) inside = inside && rest % kFull[d] < cut[d];
        ASSERT_EQ(found[i], inside ? static_cast<int>(i) + 100 : fill)
            << i << " after " << cut[0] << ", " << cut[1] << ", " << cut[2];
        compared += inside ? 0 : 1;
      }
      H5Dclose(id);
    }
  EXPECT_GT(compared, 20);
  H5Sclose(space);
  H5Pclose(list);
}
INSTANTIATE_TEST_SUITE_P(Dims, Regrown,
                         ::testing::Combine(::testing::Values(1, 2, 3), ::testing::Bool(),
                                            ::testing::Bool()));

// Space that is given at once and can't be written: the dataset has the size that it had.
class FullDisk : public Chunks, public ::testing::WithParamInterface<bool> {};

TEST_P(FullDisk, LeavesTheOldExtent) {
  const hsize_t chunk = 1000, small = 2500, large = 900000, most = H5S_UNLIMITED;
  const int fill = 5;
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &small, &most);
  H5Pset_chunk(list, 1, &chunk);
  if (GetParam()) H5Pset_fletcher32(list);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  ASSERT_EQ(write(id, numbers(small, 3)), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  rlimit before{}, tight{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  tight = before;
  tight.rlim_cur = 200000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const herr_t grown = H5Dset_extent(id, &large);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_LT(grown, 0);
  const hid_t now = H5Dget_space(id);
  EXPECT_EQ(H5Sget_simple_extent_npoints(now), static_cast<hssize_t>(small));
  EXPECT_EQ(read(id, small), numbers(small, 3));
  // With room it can grow.
  const hsize_t more = 4200;
  ASSERT_EQ(H5Dset_extent(id, &more), 0) << first_error();
  Ints wanted = numbers(small, 3);
  wanted.resize(more, fill);
  EXPECT_EQ(read(id, more), wanted);
  for (hid_t other : {now, space}) H5Sclose(other);
  H5Pclose(list);
  H5Dclose(id);
  reopen();
  id = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_EQ(read(id, more), wanted);
  H5Dclose(id);
}
PCIO_ONLY(INSTANTIATE_TEST_SUITE_P(Filtered, FullDisk, ::testing::Bool());)
#ifndef PCIO_VERSION
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(FullDisk);
#endif

// What a commit leaves behind the end is not the file's.
TEST_F(Chunks, TheSizeAfterAFlushIsThatOfTheData) {
  hid_t id = make("d", 1000, 100);
  ASSERT_EQ(write(id, numbers(1000)), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  ASSERT_EQ(write(id, numbers(1000, 5)), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  hsize_t size = 0;
  haddr_t end = 0;
  ASSERT_EQ(H5Fget_filesize(file, &size), 0);
  ASSERT_EQ(H5Fget_eoa(file, &end), 0);
  EXPECT_EQ(size, end);
  PCIO_ONLY(EXPECT_LT(static_cast<long long>(size), size_of_file());)
  H5Dclose(id);
}

TEST_F(Chunks, ClosedDatasetsAreInTheFile) {
  hid_t id = make("d", 1000, 100);
  ASSERT_EQ(write(id, numbers(1000)), 0);
  ASSERT_EQ(H5Dclose(id), 0) << first_error();
  reopen(H5F_ACC_RDONLY);
  id = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_EQ(read(id, 1000), numbers(1000));
  H5Dclose(id);
}

TEST_F(Chunks, TwoIdsOfADatasetShareItsChunks) {
  hid_t id = make("d", 1000, 100);
  hid_t other = H5Dopen2(file, "d", H5P_DEFAULT);
  ASSERT_EQ(write(id, numbers(1000)), 0);
  EXPECT_EQ(read(other, 1000), numbers(1000));
  ASSERT_EQ(H5Dclose(id), 0);
  EXPECT_EQ(read(other, 1000), numbers(1000));
  H5Dclose(other);
}

TEST_F(Chunks, DirectWritesReplaceWhatIsCached) {
  hid_t id = make("d", 200, 100);
  ASSERT_EQ(write(id, numbers(200)), 0);
  const Ints other(100, 9);
  const hsize_t at = 100;
  ASSERT_EQ(H5Dwrite_chunk(id, H5P_DEFAULT, 1, &at, 400, other.data()), 0) << first_error();
  Ints expected = numbers(200);
  std::fill(expected.begin() + 100, expected.end(), 9);
  EXPECT_EQ(read(id, 200), expected);
  uint32_t mask = 0;
  Ints raw(100);
  ASSERT_EQ(H5Dread_chunk(id, H5P_DEFAULT, &at, &mask, raw.data()), 0);
  EXPECT_EQ(mask, 1U);
  EXPECT_EQ(raw, other);
  H5Dclose(id);
}

/// A chunk that was put has the bytes that it needs, and may have more behind them.
TEST_F(Chunks, DirectWritesMayBeLonger) {
  hsize_t size = 100, at = 0;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &size);
  H5Pset_shuffle(list);
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  for (const std::size_t n : {100U, 125U, 200U}) {
    hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    ASSERT_EQ(H5Dwrite_chunk(id, H5P_DEFAULT, 1, &at, 4 * n, numbers(200).data()), 0);
    EXPECT_EQ(H5Dclose(id), 0);
    reopen();
    id = H5Dopen2(file, "d", H5P_DEFAULT);
    Ints expected = numbers(100);
    EXPECT_EQ(read(id, 100), expected);
    const hsize_t one = 1, third = 3;
    const hid_t part = H5Dget_space(id), row = H5Screate_simple(1, &one, nullptr);
    H5Sselect_hyperslab(part, H5S_SELECT_SET, &third, nullptr, &one, nullptr);
    const int five = -5;
    EXPECT_EQ(H5Dwrite(id, H5T_NATIVE_INT, row, part, H5P_DEFAULT, &five), 0) << first_error();
    expected[3] = -5;
    EXPECT_EQ(H5Dclose(id), 0);
    id = H5Dopen2(file, "d", H5P_DEFAULT);
    EXPECT_EQ(read(id, 100), expected);
    H5Dclose(id);
    H5Sclose(row);
    H5Sclose(part);
    H5Ldelete(file, "d", H5P_DEFAULT);
  }
  H5Sclose(space);
  H5Pclose(list);
}

#ifdef PCIO_VERSION

int add_chunk(const hsize_t* offset, unsigned mask, haddr_t address, hsize_t size, void* data) {
  auto& seen = *static_cast<std::vector<hsize_t>*>(data);
  EXPECT_NE(address, HADDR_UNDEF);
  EXPECT_GT(size, 0U);
  EXPECT_EQ(mask, 0U);
  seen.push_back(offset[0]);
  return seen.size() == 3 ? H5_ITER_STOP : H5_ITER_CONT;
}

TEST_F(Chunks, IterationTellsAllUntilItIsStopped) {
  hid_t id = make("d", 250, 100);
  ASSERT_EQ(write(id, numbers(250)), 0);
  std::vector<hsize_t> seen;
  EXPECT_EQ(H5Dchunk_iter(id, H5P_DEFAULT, add_chunk, &seen), H5_ITER_STOP);
  EXPECT_EQ(seen, (std::vector<hsize_t>{0, 100, 200}));
  EXPECT_LT(H5Dchunk_iter(id, H5P_DEFAULT, nullptr, &seen), 0);
  EXPECT_LT(H5Dchunk_iter(file, H5P_DEFAULT, add_chunk, &seen), 0);
  H5Dclose(id);
}

TEST_F(Chunks, AChunkWithoutFiltersHasOneSize) {
  hsize_t size = 10, chunk = 5, at = 5;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  hid_t space = H5Screate_simple(1, &size, nullptr);
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  const Ints values = numbers(5, 50);
  EXPECT_LT(H5Dwrite_chunk(id, H5P_DEFAULT, 0, &at, 24, values.data()), 0);
  EXPECT_NE(first_error().find("20 bytes"), std::string::npos) << first_error();
  EXPECT_EQ(H5Dwrite_chunk(id, H5P_DEFAULT, 0, &at, 20, values.data()), 0);
  EXPECT_EQ(read(id, 10), (Ints{0, 0, 0, 0, 0, 50, 51, 52, 53, 54}));
  H5Dclose(id);
  H5Sclose(space);
  H5Pclose(list);
}

/// Indexes of the newest format, whose fields are as wide as they need be: what they can't say no commit could write, and
/// with it all else would be lost.
class NewestChunks : public Chunks {
 protected:
  void SetUp() override {
    Chunks::SetUp();
    H5Fclose(file);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    ASSERT_GT(file, 0) << first_error();
    make_group("kept");
  }
  void check_all_else_is_kept() {
    EXPECT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0) << first_error();
    reopen(H5F_ACC_RDONLY);
    EXPECT_GT(H5Lexists(file, "kept", H5P_DEFAULT), 0);
  }
};

TEST_F(NewestChunks, AChunkTooLargeForItsIndexIsRefused) {
  for (const hsize_t most : {hsize_t{0}, hsize_t{H5S_UNLIMITED}}) {
    const char* const name = most == 0 ? "fixed" : "growing";
    hid_t id = make(name, 100, 25, most);
    const hsize_t at = 25;
    const std::vector<char> bytes(70000, 1);
    EXPECT_LT(H5Dwrite_chunk(id, H5P_DEFAULT, 0, &at, bytes.size(), bytes.data()), 0);
    EXPECT_NE(first_error().find("70000 bytes"), std::string::npos) << first_error();
    EXPECT_EQ(write(id, numbers(100)), 0) << first_error();
    EXPECT_EQ(read(id, 100), numbers(100));
    H5Dclose(id);
  }
  check_all_else_is_kept();
}

TEST_F(NewestChunks, MoreChunksThanAnIndexCanNumberAreRefused) {
  hsize_t size = 1, most = H5S_UNLIMITED, chunk = 1;
  const hsize_t large = hsize_t{5} << 30;
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &chunk);
  hid_t space = H5Screate_simple(1, &large, &most);
  EXPECT_LT(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
  H5Sclose(space);
  space = H5Screate_simple(1, &size, &most);
  hid_t id = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(id, 0) << first_error();
  EXPECT_LT(H5Dset_extent(id, &large), 0);
  EXPECT_EQ(write(id, {7}), 0) << first_error();
  H5Dclose(id);
  H5Sclose(space);
  H5Pclose(list);
  check_all_else_is_kept();
}

TEST_F(Chunks, SeveralDatasetsInOneCall) {
  hid_t ids[3] = {make("a", 100, 30), make("b", 50, 50), make("c", 7, 2)};
  hid_t types[3] = {H5T_NATIVE_INT, H5T_NATIVE_INT, H5T_NATIVE_INT};
  hid_t all[3] = {H5S_ALL, H5S_ALL, H5S_ALL};
  const Ints values[3] = {numbers(100), numbers(50, 1000), numbers(7, 70)};
  const void* from[3] = {values[0].data(), values[1].data(), values[2].data()};
  ASSERT_EQ(H5Dwrite_multi(3, ids, types, all, all, H5P_DEFAULT, from), 0) << first_error();
  Ints back[3] = {Ints(100), Ints(50), Ints(7)};
  void* to[3] = {back[0].data(), back[1].data(), back[2].data()};
  ASSERT_EQ(H5Dread_multi(3, ids, types, all, all, H5P_DEFAULT, to), 0) << first_error();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(back[i], values[i]);
  EXPECT_EQ(H5Dwrite_multi(0, nullptr, nullptr, nullptr, nullptr, H5P_DEFAULT, nullptr), 0);
  EXPECT_LT(H5Dwrite_multi(1, nullptr, types, all, all, H5P_DEFAULT, from), 0);
  for (hid_t id : ids) H5Dclose(id);
}

TEST_F(Chunks, NothingMovesWhereOneDatasetIsWrong) {
  hid_t ids[2] = {make("a", 10, 5), make("b", 10, 5)};
  hid_t types[2] = {H5T_NATIVE_INT, H5T_C_S1};
  hid_t all[2] = {H5S_ALL, H5S_ALL};
  const Ints values = numbers(10, 1);
  const void* from[2] = {values.data(), values.data()};
  EXPECT_LT(H5Dwrite_multi(2, ids, types, all, all, H5P_DEFAULT, from), 0);
  EXPECT_EQ(read(ids[0], 10), Ints(10, 0));
  types[1] = H5T_NATIVE_INT;
  hid_t bad[2] = {ids[0], file};
  EXPECT_LT(H5Dwrite_multi(2, bad, types, all, all, H5P_DEFAULT, from), 0);
  EXPECT_EQ(read(ids[0], 10), Ints(10, 0));
  for (hid_t id : ids) H5Dclose(id);
}

#endif

}  // namespace
