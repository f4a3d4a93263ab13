// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Filters of programs by the C API: registration, the questions at creation, failures, checksums.

#include <cstdlib>
#include <cstring>
#include <vector>

#include "api/file_fixture.hpp"

// A name that libhdf5 has in no header.
extern "C" const H5Z_class2_t H5Z_SZIP[1];

namespace {

constexpr H5Z_filter_t kFilter = 300;
constexpr hsize_t kSize = 10;
constexpr hsize_t kChunk = 5;

/// What the filter's functions saw, and what they are to answer.
struct {
  int can_apply_calls, set_local_calls, encodes, decodes;
  htri_t can_apply_answer;
  herr_t set_local_answer;
  bool fails;
  H5I_type_t types[3];
  hsize_t space_size;
  unsigned flags;
  std::vector<unsigned> values;
} seen;

htri_t can_apply(hid_t list, hid_t type, hid_t space) {
  ++seen.can_apply_calls;
  seen.types[0] = H5Iget_type(list);
  seen.types[1] = H5Iget_type(type);
  seen.types[2] = H5Iget_type(space);
  EXPECT_EQ(H5Sget_simple_extent_dims(space, &seen.space_size, nullptr), 1);
  return seen.can_apply_answer;
}

herr_t set_local(hid_t list, hid_t type, hid_t) {
  ++seen.set_local_calls;
  unsigned values[2] = {0x5A, static_cast<unsigned>(H5Tget_size(type))};
  unsigned flags = 9;
  size_t n = 0;
  EXPECT_EQ(H5Pget_filter_by_id2(list, kFilter, &flags, &n, nullptr, 0, nullptr, nullptr), 0);
  EXPECT_EQ(H5Pmodify_filter(list, kFilter, flags, 2, values), 0);
  return seen.set_local_answer;
}

/// Turns bits around and puts four bytes behind, in a buffer of its own.
size_t filter(unsigned flags, size_t n, const unsigned* values, size_t bytes, size_t* room,
              void** buffer) {
  seen.flags = flags;
  seen.values.assign(values, values + n);
  if (seen.fails) return 0;
  const bool back = (flags & H5Z_FLAG_REVERSE) != 0;
  ++(back ? seen.decodes : seen.encodes);
  size_t made = back ? bytes - 4 : bytes + 4;
  auto* out = static_cast<unsigned char*>(std::malloc(made));
  const auto* in = static_cast<const unsigned char*>(*buffer);
  for (size_t i = 0; i < made; ++i)
    out[i] = i < bytes ? static_cast<unsigned char>(in[i] ^ values[0]) : 0;
  std::free(*buffer);
  *buffer = out;
  *room = made;
  return made;
}

class Filters : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    seen = {};
    seen.can_apply_answer = 1;
    const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, kFilter,   1,         1,
                              "turned",         can_apply, set_local, filter};
    ASSERT_EQ(H5Zregister(&cls), 0) << first_error();
    for (int i = 0; i < static_cast<int>(kSize); ++i) data.push_back(3 * i);
  }
  void TearDown() override {
    FileTest::TearDown();
    H5Zunregister(kFilter);
  }

  /// Leaves the first error of the creation in `error`.
  hid_t create(unsigned flags = H5Z_FLAG_MANDATORY) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    EXPECT_EQ(H5Pset_chunk(list, 1, &kChunk), 0);
    EXPECT_EQ(H5Pset_filter(list, kFilter, flags, 0, nullptr), 0);
    hid_t space = H5Screate_simple(1, &kSize, nullptr);
    hid_t dataset = H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    error = first_error();
    H5Sclose(space);
    H5Pclose(list);
    return dataset;
  }
  herr_t write(hid_t dataset) {
    herr_t status = H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
    return status < 0 ? status : H5Dflush(dataset);
  }

  std::vector<int> data;
  std::string error;
};

TEST_F(Filters, AreAskedWithRealIdsAndRun) {
  hid_t dataset = create();
  ASSERT_GT(dataset, 0) << first_error();
  EXPECT_EQ(seen.can_apply_calls, 1);
  EXPECT_EQ(seen.set_local_calls, 1);
  EXPECT_EQ(seen.types[0], H5I_GENPROP_LST);
  EXPECT_EQ(seen.types[1], H5I_DATATYPE);
  EXPECT_EQ(seen.types[2], H5I_DATASPACE);
  EXPECT_EQ(seen.space_size, kChunk);
  ASSERT_EQ(write(dataset), 0) << first_error();
  EXPECT_EQ(seen.encodes, 2);
  EXPECT_EQ(seen.values, (std::vector<unsigned>{0x5A, 4}));
  ASSERT_EQ(H5Dclose(dataset), 0);
  reopen();
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  std::vector<int> back(kSize, -1);
  ASSERT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0)
      << first_error();
  EXPECT_EQ(back, data);
  EXPECT_EQ(seen.decodes, 2);
  EXPECT_NE(seen.flags & H5Z_FLAG_REVERSE, 0U);
  hid_t list = H5Dget_create_plist(dataset);
  unsigned flags = 9, values[4] = {}, config = 9;
  size_t n = 4;
  char name[20];
  EXPECT_EQ(H5Pget_filter2(list, 0, &flags, &n, values, sizeof name, name, &config), kFilter);
  EXPECT_EQ(n, 2U);
  EXPECT_EQ(values[0], 0x5AU);
  EXPECT_STREQ(name, "turned");
  EXPECT_EQ(config, unsigned{H5Z_FILTER_CONFIG_ENCODE_ENABLED | H5Z_FILTER_CONFIG_DECODE_ENABLED});
  H5Pclose(list);
  H5Dclose(dataset);
}

TEST_F(Filters, AreNotUnregisteredWhileADatasetUsesThem) {
  hid_t dataset = create();
  ASSERT_GT(dataset, 0) << first_error();
  EXPECT_LT(H5Zunregister(kFilter), 0);
  H5Dclose(dataset);
  EXPECT_EQ(H5Zunregister(kFilter), 0) << first_error();
  EXPECT_EQ(H5Zfilter_avail(kFilter), 0);
  EXPECT_LT(H5Zunregister(kFilter), 0);
  EXPECT_LT(H5Zunregister(H5Z_FILTER_DEFLATE), 0);
}

/// What a failed close left in memory still needs the filter.
TEST_F(Filters, AreNotUnregisteredBeforeTheirChunksAreWritten) {
  hid_t dataset = create();
  ASSERT_GT(dataset, 0) << first_error();
  ASSERT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()), 0);
  PCIO_ONLY({
    seen.fails = true;
    // The second time without looking at what could not be written.
    EXPECT_LT(H5Dclose(dataset), 0);
    EXPECT_EQ(H5Dclose(dataset), 0) << first_error();
    EXPECT_LT(H5Zunregister(kFilter), 0);
    EXPECT_EQ(H5Zfilter_avail(kFilter), 1);
    seen.fails = false;
    EXPECT_EQ(seen.encodes, 0);
    EXPECT_EQ(H5Zunregister(kFilter), 0) << first_error();
    EXPECT_EQ(seen.encodes, 2);
    EXPECT_EQ(H5Zfilter_avail(kFilter), 0);
    reopen();
    const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, kFilter,   1,         1,
                              "turned",         can_apply, set_local, filter};
    ASSERT_EQ(H5Zregister(&cls), 0);
    dataset = H5Dopen2(file, "d", H5P_DEFAULT);
    std::vector<int> back(kSize, -1);
    EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0);
    EXPECT_EQ(back, data);
  })
  H5Dclose(dataset);
}

TEST_F(Filters, RefuseADataset) {
  seen.can_apply_answer = 0;
  EXPECT_LT(create(), 0);
  PCIO_ONLY(EXPECT_NE(error.find("turned"), std::string::npos) << error);
  seen.can_apply_answer = -1;
  EXPECT_LT(create(), 0);
  seen.can_apply_answer = 1;
  seen.set_local_answer = -1;
  EXPECT_LT(create(), 0);
  EXPECT_EQ(seen.encodes, 0);
}

TEST_F(Filters, ThatFailStopAWriteOnlyWhereTheyAreMandatory) {
  hid_t dataset = create();
  ASSERT_GT(dataset, 0) << first_error();
  seen.fails = true;
  EXPECT_LT(write(dataset), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("0"), std::string::npos) << first_error());
  seen.fails = false;
  EXPECT_EQ(write(dataset), 0) << first_error();
  H5Dclose(dataset);
  H5Ldelete(file, "d", H5P_DEFAULT);
  dataset = create(H5Z_FLAG_OPTIONAL);
  seen.fails = true;
  EXPECT_EQ(write(dataset), 0) << first_error();
  std::vector<int> back(kSize, -1);
  H5Dclose(dataset);
  reopen();
  dataset = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0);
  EXPECT_EQ(back, data);
  H5Dclose(dataset);
}

size_t grow(unsigned flags, size_t, const unsigned* values, size_t bytes, size_t* room,
            void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) return bytes / values[0];
  *room = bytes * values[0];
  *buffer = std::realloc(*buffer, *room);
  for (unsigned i = 1; i < values[0]; ++i)
    std::memcpy(static_cast<char*>(*buffer) + i * bytes, *buffer, bytes);
  return *room;
}

/// What lies behind them in the pipeline takes chunks of any size. Their class may say that it doesn't decode.
TEST_F(Filters, ThatMakeChunksLargerComeBeforeDeflate) {
  const hsize_t size = 40000, chunk = 10000;
  std::vector<int> values(size), back(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<int>(i);
  for (const unsigned decodes : {1U, 0U}) {
    const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, 302, 1, decodes, "grow", nullptr, nullptr, grow};
    ASSERT_EQ(H5Zregister(&cls), 0);
    for (const unsigned times : {2U, 5U, 50U}) {
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, nullptr);
      H5Pset_chunk(list, 1, &chunk);
      H5Pset_filter(list, 302, 0, 1, &times);
      H5Pset_deflate(list, 6);
      hid_t dataset = H5Dcreate2(file, "g", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
      EXPECT_EQ(H5Dwrite(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
      EXPECT_EQ(H5Dclose(dataset), 0);
      reopen();
      dataset = H5Dopen2(file, "g", H5P_DEFAULT);
      back.assign(size, -1);
      EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0)
          << times << " " << first_error();
      EXPECT_EQ(back, values);
      H5Dclose(dataset);
      H5Sclose(space);
      H5Pclose(list);
      H5Ldelete(file, "g", H5P_DEFAULT);
    }
  }
  EXPECT_EQ(H5Zunregister(302), 0);
}

TEST_F(Filters, AreRegisteredInBothForms) {
  const H5Z_class1_t old = {301, "old", nullptr, nullptr, filter};
  EXPECT_EQ(H5Zregister(&old), 0) << first_error();
  unsigned config = 0;
  EXPECT_EQ(H5Zget_filter_info(301, &config), 0);
  EXPECT_EQ(config, unsigned{H5Z_FILTER_CONFIG_ENCODE_ENABLED | H5Z_FILTER_CONFIG_DECODE_ENABLED});
  EXPECT_EQ(H5Zunregister(301), 0);
  H5Z_class2_t cls = {H5Z_CLASS_T_VERS, 100, 1, 1, "low", nullptr, nullptr, filter};
  EXPECT_LT(H5Zregister(&cls), 0);
  cls.id = 70000;
  EXPECT_LT(H5Zregister(&cls), 0);
  cls.id = 302;
  cls.filter = nullptr;
  EXPECT_LT(H5Zregister(&cls), 0);
  EXPECT_LT(H5Zregister(nullptr), 0);
}

/// Gives back more than the chunk when it reads, as a filter of netCDF's own tests does.
size_t padding_filter(unsigned flags, size_t, const unsigned*, size_t bytes, size_t* room,
                      void** buffer) {
  if ((flags & H5Z_FLAG_REVERSE) == 0) return bytes;
  *room = bytes + 100;
  *buffer = std::realloc(*buffer, *room);
  return *room;
}

TEST_F(Filters, MayGiveBackMoreThanTheChunk) {
  const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, 303, 1, 1, "pads", nullptr, nullptr, padding_filter};
  ASSERT_EQ(H5Zregister(&cls), 0) << first_error();
  hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &kChunk);
  H5Pset_filter(list, 303, H5Z_FLAG_MANDATORY, 0, nullptr);
  hid_t space = H5Screate_simple(1, &kSize, nullptr);
  hid_t dataset = H5Dcreate2(file, "p", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_EQ(write(dataset), 0) << first_error();
  H5Dclose(dataset);
  reopen();
  dataset = H5Dopen2(file, "p", H5P_DEFAULT);
  std::vector<int> back(kSize, -1);
  EXPECT_EQ(H5Dread(dataset, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, back.data()), 0)
      << first_error();
  EXPECT_EQ(back, data);
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(list);
  H5Zunregister(303);
}

TEST_F(Filters, UnknownOnesAreSkippedWhereTheyAreOptional) {
  EXPECT_EQ(H5Zfilter_avail(400), 0);
  for (unsigned flags : {unsigned{H5Z_FLAG_MANDATORY}, unsigned{H5Z_FLAG_OPTIONAL}}) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, &kChunk);
    EXPECT_EQ(H5Pset_filter(list, 400, flags, 0, nullptr), 0);
    EXPECT_EQ(H5Pall_filters_avail(list), 0);
    hid_t space = H5Screate_simple(1, &kSize, nullptr);
    hid_t dataset = H5Dcreate2(file, "u", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_EQ(dataset > 0, flags == H5Z_FLAG_OPTIONAL) << first_error();
    if (dataset > 0) H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
  }
}

TEST(PluginPaths, AreAListThatProgramsChange) {
  unsigned n = 99;
  while (H5PLsize(&n) >= 0 && n > 0) EXPECT_EQ(H5PLremove(0), 0);
  EXPECT_EQ(H5PLappend("/b"), 0);
  EXPECT_EQ(H5PLprepend("/a"), 0);
  EXPECT_EQ(H5PLinsert("/x", 1), 0);
  EXPECT_EQ(H5PLreplace("/y", 1), 0);
  EXPECT_EQ(H5PLsize(&n), 0);
  EXPECT_EQ(n, 3U);
  char text[8];
  EXPECT_EQ(H5PLget(1, text, sizeof text), 2);
  EXPECT_STREQ(text, "/y");
  EXPECT_EQ(H5PLget(0, nullptr, 0), 2);
  H5E_BEGIN_TRY {
    EXPECT_LT(H5PLget(3, text, sizeof text), 0);
    EXPECT_LT(H5PLremove(3), 0);
    EXPECT_LT(H5PLinsert("/z", 9), 0);
    EXPECT_LT(H5PLappend(nullptr), 0);
  }
  H5E_END_TRY
  EXPECT_EQ(H5PLset_loading_state(0), 0);
  EXPECT_EQ(H5PLget_loading_state(&n), 0);
  EXPECT_EQ(n, 0U);
  EXPECT_EQ(H5PLset_loading_state(H5PL_ALL_PLUGIN), 0);
}

/// netCDF's plugin of szip has a variable of that name, and gets the library's: it makes what a dataset's chunk is, and back.
TEST_F(Filters, SzipIsThereByItsVariable) {
  constexpr hsize_t kNumbers = 64;
  std::vector<int> numbers(kNumbers);
  for (int i = 0; i < static_cast<int>(kNumbers); ++i) numbers[static_cast<size_t>(i)] = 7 * i;
  hid_t space = H5Screate_simple(1, &kNumbers, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &kNumbers);
  ASSERT_EQ(H5Pset_szip(list, H5_SZIP_NN_OPTION_MASK, 32), 0);
  hid_t set = H5Dcreate2(file, "szip", H5T_STD_I32LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0);
  hsize_t offset = 0, stored = 0;
  ASSERT_EQ(H5Dget_chunk_storage_size(set, &offset, &stored), 0);
  std::vector<unsigned char> chunk(stored);
  uint32_t mask = 0;
  ASSERT_EQ(H5Dread_chunk(set, H5P_DEFAULT, &offset, &mask, chunk.data()), 0);
  hid_t made = H5Dget_create_plist(set);
  unsigned values[4] = {}, flags = 0;
  size_t n = 4, room = kNumbers * sizeof(int);
  ASSERT_EQ(H5Pget_filter2(made, 0, &flags, &n, values, 0, nullptr, nullptr), H5Z_FILTER_SZIP);
  void* buffer = std::malloc(room);
  memcpy(buffer, numbers.data(), room);
  EXPECT_EQ(H5Z_SZIP[0].id, H5Z_FILTER_SZIP);
  ASSERT_NE(H5Z_SZIP[0].filter, nullptr);
  ASSERT_EQ(H5Z_SZIP[0].filter(0, n, values, room, &room, &buffer), stored);
  EXPECT_EQ(memcmp(buffer, chunk.data(), stored), 0);
  // What is no szip leaves the buffer alone.
  EXPECT_EQ(H5Z_SZIP[0].filter(H5Z_FLAG_REVERSE, n, values, 3, &room, &buffer), 0u);
  EXPECT_EQ(H5Z_SZIP[0].filter(H5Z_FLAG_REVERSE, 0, values, stored, &room, &buffer), 0u);
  EXPECT_EQ(memcmp(buffer, chunk.data(), stored), 0);
  ASSERT_EQ(H5Z_SZIP[0].filter(H5Z_FLAG_REVERSE, n, values, stored, &room, &buffer),
            kNumbers * sizeof(int));
  EXPECT_EQ(memcmp(buffer, numbers.data(), kNumbers * sizeof(int)), 0);
  EXPECT_GE(room, kNumbers * sizeof(int));
  std::free(buffer);
  H5Pclose(made);
  H5Dclose(set);
  H5Pclose(list);
  H5Sclose(space);
}

}  // namespace
