// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What programs know of errors and of the build by heart: texts they keep or search, the default
// report, macros of the configuration, and settings that can't be.

#include <hdf5.h>

#include <cstring>

#include "api/file_fixture.hpp"

// Names that the headers and configure scripts of codes test for.
#if !defined(H5_HAVE_ZLIB_H) || !defined(H5_HAVE_FILTER_DEFLATE) ||                                \
    !defined(H5_HAVE_SYS_FILE_H) || !defined(H5_HAVE_FLOCK) || !defined(H5_HAVE_STRDUP) ||         \
    !defined(H5_HAVE_GETTIMEOFDAY) || !defined(H5_SIZEOF_INT_FAST16_T) ||                          \
    !defined(H5_SIZEOF_UINT_LEAST64_T) || !defined(H5_FC_FUNC) || !defined(H5_USE_FILE_LOCKING) || \
    !defined(H5_WANT_DCONV_EXCEPTION) || !defined(H5_HLDLL) || !defined(H5_HLDLLVAR)
#error "a macro of the configuration is missing"
#endif
static_assert(H5_SIZEOF_INT_FAST16_T == sizeof(int_fast16_t));
static_assert(H5_SIZEOF_UINT_LEAST64_T == sizeof(uint_least64_t));
H5_HLDLL int pcio_test_of_the_macro(void);

namespace {

class ErrorEdges : public FileTest {};

H5E_error2_t kept;
herr_t keep(unsigned number, const H5E_error2_t* error, void* /*data*/) {
  if (number == 0) kept = *error;
  return 0;
}

TEST_F(ErrorEdges, TextsOutliveTheWalk) {
  EXPECT_LT(H5Fopen("/nonexistent.h5", H5F_ACC_RDONLY, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, nullptr), 0);
  std::vector<std::string> reuse;  // memory that was given back in the walk would be taken again
  for (int i = 0; i < 64; ++i) reuse.emplace_back(static_cast<std::size_t>(8 + 8 * i), 'X');
  H5E_type_t kind;
  char major[80];
  ASSERT_GT(H5Eget_msg(kept.maj_num, &kind, major, sizeof major), 0);
  EXPECT_NE(std::strstr(kept.desc, "/nonexistent.h5"), nullptr) << kept.desc;
  EXPECT_NE(std::strstr(kept.desc, "errno = 2, error message = 'No such file or directory'"),
            nullptr)
      << kept.desc;
  EXPECT_GT(std::strlen(kept.func_name), 0U);
  EXPECT_EQ(std::strchr(kept.file_name, 'X'), nullptr);
}

TEST_F(ErrorEdges, OpenErrorsSayTheNumber) {
  EXPECT_LT(H5Fcreate(path().c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, nullptr), 0);
  PCIO_ONLY(EXPECT_NE(std::strstr(kept.desc, "is open already"), nullptr) << kept.desc;)
  ASSERT_EQ(H5Fclose(file), 0);
  EXPECT_LT(H5Fcreate(path().c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT), 0);
  ASSERT_EQ(H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep, nullptr), 0);
  EXPECT_NE(std::strstr(kept.desc, "errno = 17"), nullptr) << kept.desc;
}

TEST(DefaultReport, IsTheFunctionThatPrints) {
  H5E_auto1_t first = nullptr;
  H5E_auto2_t second = nullptr;
  void* data = nullptr;
  hid_t stack = H5Ecreate_stack();
  ASSERT_EQ(H5Eget_auto2(stack, &second, &data), 0);
  EXPECT_NE(second, nullptr);
  ASSERT_EQ(H5Eclose_stack(stack), 0);
  H5E_auto2_t now = nullptr;
  ASSERT_EQ(H5Eget_auto2(H5E_DEFAULT, &now, &data), 0);
  ASSERT_EQ(H5Eset_auto2(H5E_DEFAULT, second, nullptr), 0);
  ASSERT_EQ(H5Eget_auto1(&first, &data), 0);
  EXPECT_EQ(first, reinterpret_cast<H5E_auto1_t>(H5Eprint1));
  ASSERT_EQ(H5Eset_auto2(H5E_DEFAULT, now, nullptr), 0);
}

TEST_F(ErrorEdges, NamesNeedABufferForTheirSize) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(file, "abc", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_LT(H5Aget_name(a, 1, nullptr), 0);
  EXPECT_EQ(H5Aget_name(a, 0, nullptr), 3);
  EXPECT_EQ(H5Iget_name(file, nullptr, 1), 1);
  H5Aclose(a);
}

TEST_F(ErrorEdges, CompactDatasetsHaveTheirSpaceFromTheBeginning) {
  hid_t space = H5Screate(H5S_SCALAR);
  for (H5D_alloc_time_t time :
       {H5D_ALLOC_TIME_DEFAULT, H5D_ALLOC_TIME_EARLY, H5D_ALLOC_TIME_LATE, H5D_ALLOC_TIME_INCR}) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, time);
    H5Pset_layout(list, H5D_COMPACT);
    const std::string name = "d" + std::to_string(time);
    hid_t data =
        H5Dcreate2(file, name.c_str(), H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_EQ(data > 0, time == H5D_ALLOC_TIME_DEFAULT || time == H5D_ALLOC_TIME_EARLY) << name;
    if (data > 0) H5Dclose(data);
  }
}

htri_t apply_answer = 1;
htri_t can_apply(hid_t /*list*/, hid_t /*type*/, hid_t /*space*/) { return apply_answer; }
size_t pass(unsigned, size_t, const unsigned[], size_t bytes, size_t*, void**) { return bytes; }

TEST_F(ErrorEdges, OptionalFiltersMayBeUnfit) {
  const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, 301, 1, 1, "picky", can_apply, nullptr, pass};
  ASSERT_EQ(H5Zregister(&cls), 0);
  const hsize_t four = 4;
  hid_t space = H5Screate_simple(1, &four, nullptr);
  for (htri_t answer : {-1, 0, 1}) {
    for (unsigned flag : {unsigned{H5Z_FLAG_MANDATORY}, unsigned{H5Z_FLAG_OPTIONAL}}) {
      apply_answer = answer;
      hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      H5Pset_chunk(list, 1, &four);
      H5Pset_filter(list, 301, flag, 0, nullptr);
      hid_t data = H5Dcreate_anon(file, H5T_NATIVE_INT, space, list, H5P_DEFAULT);
      EXPECT_EQ(data > 0, answer > 0 || (answer == 0 && flag == H5Z_FLAG_OPTIONAL))
          << answer << " " << flag;
      if (data > 0) H5Dclose(data);
    }
  }
  EXPECT_EQ(H5Zunregister(301), 0);
}

#ifdef PCIO_VERSION  // libhdf5 for parallel programs refuses every page buffer; the serial one does as this
TEST_F(ErrorEdges, PageBuffersHoldPages) {
  ASSERT_EQ(H5Fclose(file), 0);
  struct Case {
    bool paged;
    size_t asked, given;  ///< given 0: refused
  };
  for (const Case& c : {Case{false, 4096, 0},
                        {true, 100, 0},
                        {true, 4095, 0},
                        {true, 4096, 4096},
                        {true, 32767, 28672}}) {
    hid_t create = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    if (c.paged) {
      H5Pset_file_space_strategy(create, H5F_FSPACE_STRATEGY_PAGE, 0, 1);
      H5Pset_file_space_page_size(create, 4096);
    }
    ASSERT_EQ(H5Pset_page_buffer_size(access, c.asked, 0, 0), 0);
    H5Fclose(H5Fcreate(path().c_str(), H5F_ACC_TRUNC, create, H5P_DEFAULT));
    for (bool creates : {false, true}) {
      file = creates ? H5Fcreate(path().c_str(), H5F_ACC_TRUNC, create, access)
                     : H5Fopen(path().c_str(), H5F_ACC_RDWR, access);
      EXPECT_EQ(file > 0, c.given > 0) << c.asked << " " << first_error();
      if (file < 0) continue;
      size_t size = 0;
      hid_t used = H5Fget_access_plist(file);
      H5Pget_page_buffer_size(used, &size, nullptr, nullptr);
      EXPECT_EQ(size, c.given);
      H5Fclose(file);
    }
  }
}
#endif

TEST_F(ErrorEdges, ObjectsTakeTheChunkCacheOfTheirList) {
  const hsize_t four = 4;
  hid_t space = H5Screate_simple(1, &four, nullptr), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &four);
  H5Dclose(H5Dcreate2(file, "d", H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT));
  hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_chunk_cache(access, 1234, 567890, 0.5);
  hid_t data = H5Oopen(file, "d", access), used = H5Dget_access_plist(data);
  size_t slots = 0, bytes = 0;
  H5Pget_chunk_cache(used, &slots, &bytes, nullptr);
  EXPECT_EQ(slots, 1234U);
  EXPECT_EQ(bytes, 567890U);
  H5Oclose(data);
}

}  // namespace
