// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Calls whose functions of the program write the very elements that the call is about, or commit the file: nothing of what
// either wrote is lost, and no other dataset pays for it.

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <numeric>
#include <utility>

#include "api/file_fixture.hpp"

namespace {

/// Done once, by the first function of the program that is called.
std::function<void()> deed;
void act() {
  if (deed) std::exchange(deed, nullptr)();
}

H5T_conv_ret_t answer = H5T_CONV_HANDLED;
H5T_conv_ret_t on_overflow(H5T_conv_except_t, hid_t, hid_t, void*, void* target, void*) {
  act();
  const int value = 42;
  std::memcpy(target, &value, sizeof value);
  return answer;
}

/// From short to int.
herr_t widens(hid_t, hid_t, H5T_cdata_t* data, size_t n, size_t step, size_t, void* buffer, void*,
              hid_t) {
  if (data->command == H5T_CONV_INIT) data->need_bkg = H5T_BKG_NO;
  if (data->command != H5T_CONV_CONV) return 0;
  act();
  auto* const bytes = static_cast<char*>(buffer);
  for (size_t i = n; i-- > 0;) {
    short from = 0;
    std::memcpy(&from, bytes + i * (step > 0 ? step : sizeof from), sizeof from);
    const int to = from;
    std::memcpy(bytes + i * (step > 0 ? step : sizeof to), &to, sizeof to);
  }
  return 0;
}

void* allocates(size_t bytes, void*) {
  act();
  return std::calloc(1, bytes);
}
void frees(void* memory, void*) { std::free(memory); }

constexpr H5Z_filter_t kFilter = 302;
size_t passes(unsigned flags, size_t, const unsigned*, size_t bytes, size_t*, void**) {
  if ((flags & H5Z_FLAG_REVERSE) != 0) act();
  return bytes;
}

class WrittenInCalls : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    sequence = H5Tvlen_create(H5T_NATIVE_INT);
    transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_type_conv_cb(transfer, on_overflow, nullptr);
    answer = H5T_CONV_HANDLED;
  }
  void TearDown() override {
    deed = nullptr;
    H5Tclose(sequence);
    H5Pclose(transfer);
    FileTest::TearDown();
  }

  [[nodiscard]] hid_t make(const char* name, hid_t type, hsize_t n,
                           hid_t list = H5P_DEFAULT) const {
    const hid_t space = H5Screate_simple(1, &n, nullptr);
    const hid_t data = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    EXPECT_GE(data, 0);
    H5Sclose(space);
    return data;
  }
  void flush() const { EXPECT_GE(H5Fflush(file, H5F_SCOPE_LOCAL), 0); }

  /// `n` sequences of one int each: `first` and what follows.
  struct Sequences {
    Sequences(size_t n, int first) : values(n), elements(n) {
      std::iota(values.begin(), values.end(), first);
      for (size_t i = 0; i < n; ++i) elements[i] = {1, &values[i]};
    }
    std::vector<int> values;
    std::vector<hvl_t> elements;
  };
  void expect_sequences(std::vector<hvl_t>& read, int first) const {
    for (size_t i = 0; i < read.size(); ++i) {
      ASSERT_EQ(read[i].len, 1U) << i;
      ASSERT_EQ(*static_cast<int*>(read[i].p), first + static_cast<int>(i)) << i;
      std::free(read[i].p);
    }
  }

  hid_t sequence = H5I_INVALID_HID, transfer = H5I_INVALID_HID;
};

/// Elements with a sequence each, behind a filter of the program.
class WrittenInFilters : public WrittenInCalls {
 protected:
  void SetUp() override {
    WrittenInCalls::SetUp();
    const H5Z_class2_t cls = {H5Z_CLASS_T_VERS, kFilter, 1, 1, "passes", nullptr, nullptr, passes};
    ASSERT_GE(H5Zregister(&cls), 0);
    H5Tinsert(type, "v", 0, sequence);
    H5Pset_filter(list, kFilter, 0, 0, nullptr);
  }
  void TearDown() override {
    H5Pclose(list);
    H5Tclose(type);
    EXPECT_GE(H5Fclose(file), 0);
    EXPECT_GE(H5Zunregister(kFilter), 0);
    WrittenInCalls::TearDown();
  }
  hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(hvl_t)), list = H5Pcreate(H5P_DATASET_CREATE);
};

/// A write that fails gives no space back that the file refers to by now.
TEST_F(WrittenInCalls, AFailedWriteAfterAFlush) {
  constexpr hsize_t kMany = 1024;
  for (const bool chunked : {false, true})
    for (const bool writes : {false, true}) {
      SCOPED_TRACE(std::string(chunked ? "chunked" : "contiguous") + (writes ? ", written" : ""));
      const std::string name = std::string(chunked ? "k" : "c") + (writes ? "w" : "f");
      const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      if (chunked) H5Pset_chunk(list, 1, &kMany);
      const int fill = -1;
      H5Pset_fill_value(list, H5T_NATIVE_INT, &fill);
      const hid_t data = make(name.c_str(), H5T_NATIVE_INT, kMany, list);
      const hid_t next = make((name + "2").c_str(), H5T_NATIVE_INT, kMany, list);
      flush();
      deed = [&] {
        if (writes) {
          const hsize_t start = 0, count = 4;
          const hid_t where = H5Dget_space(data), memory = H5Screate_simple(1, &count, nullptr);
          H5Sselect_hyperslab(where, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
          const int some[4] = {7, 8, 9, 10};
          EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT, memory, where, H5P_DEFAULT, some), 0);
          H5Sclose(where);
          H5Sclose(memory);
        } else {
          flush();
        }
      };
      answer = H5T_CONV_ABORT;
      std::vector<long long> wide(kMany, 100);
      wide[6] = 1LL << 40;
      EXPECT_LT(H5Dwrite(data, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, transfer, wide.data()), 0);
      EXPECT_FALSE(deed);
      make_group((name + "g").c_str());
      flush();
      std::vector<int> others(kMany, 2000), read(kMany);
      EXPECT_GE(H5Dwrite(next, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, others.data()), 0);
      H5Dclose(data);
      H5Dclose(next);
      H5Pclose(list);
      reopen();
      const hid_t again = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
      ASSERT_GE(H5Dread(again, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
      if (writes)
        EXPECT_EQ(std::vector<int>(read.begin(), read.begin() + 4),
                  (std::vector<int>{7, 8, 9, 10}));
      EXPECT_EQ(read[1000], -1);
      EXPECT_GE(H5Dwrite(again, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
      H5Dclose(again);
      const hid_t second = H5Dopen2(file, (name + "2").c_str(), H5P_DEFAULT);
      ASSERT_GE(H5Dread(second, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
      EXPECT_EQ(read, others);
      H5Dclose(second);
    }
}

/// Objects that a write within a write let go are not let go once more, when others have their numbers.
TEST_F(WrittenInCalls, SequencesTwice) {
  constexpr size_t kMany = 400;
  Sequences one(1, 1), many(kMany, 0);
  for (const char* name : {"first", "data"}) {
    const hid_t data = make(name, sequence, 1);
    EXPECT_GE(H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, one.elements.data()), 0);
    H5Dclose(data);
  }
  H5Dclose(make("others", sequence, kMany));
  reopen();
  const hid_t data = H5Dopen2(file, "data", H5P_DEFAULT),
              others = H5Dopen2(file, "others", H5P_DEFAULT);
  deed = [&] {
    EXPECT_GE(H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, one.elements.data()), 0);
  };
  long long wide[2] = {3, 1LL << 40};
  const hvl_t element = {2, wide};
  const hid_t memory = H5Tvlen_create(H5T_NATIVE_LLONG);
  EXPECT_GE(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, transfer, &element), 0);
  EXPECT_FALSE(deed);
  EXPECT_GE(H5Dwrite(others, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, many.elements.data()), 0);
  H5Tclose(memory);
  H5Dclose(data);
  H5Dclose(others);
  reopen(H5F_ACC_RDONLY);
  const hid_t again = H5Dopen2(file, "others", H5P_DEFAULT),
              outer = H5Dopen2(file, "data", H5P_DEFAULT);
  std::vector<hvl_t> read(kMany), last(1);
  ASSERT_GE(H5Dread(again, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0)
      << first_error();
  expect_sequences(read, 0);
  ASSERT_GE(H5Dread(outer, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, last.data()), 0);
  ASSERT_EQ(last[0].len, 2U);
  EXPECT_EQ(static_cast<int*>(last[0].p)[1], 42);
  std::free(last[0].p);
  H5Dclose(again);
  H5Dclose(outer);
}

/// Also where a filter writes, while the elements are read that the others are to take the place of.
TEST_F(WrittenInFilters, SequencesTwice) {
  constexpr size_t kMany = 400;
  const hsize_t one = 1;
  H5Pset_chunk(list, 1, &one);
  hid_t data = make("data", type, 2, list);
  Sequences two(2, 1), many(kMany, 0);
  const auto write_one = [&](hsize_t at) {
    const hid_t where = H5Dget_space(data), memory = H5Screate_simple(1, &one, nullptr);
    H5Sselect_hyperslab(where, H5S_SELECT_SET, &at, nullptr, &one, nullptr);
    EXPECT_GE(H5Dwrite(data, type, memory, where, H5P_DEFAULT, &two.elements[at]), 0);
    H5Sclose(where);
    H5Sclose(memory);
  };
  write_one(1);
  write_one(0);
  H5Dclose(make("others", type, kMany));
  H5Dclose(data);
  reopen();
  data = H5Dopen2(file, "data", H5P_DEFAULT);
  const hid_t others = H5Dopen2(file, "others", H5P_DEFAULT);
  bool done = false;
  deed = [&] {
    deed = [&] {
      write_one(0);
      flush();
      done = true;
    };
  };
  EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, two.elements.data()), 0);
  EXPECT_TRUE(done);
  EXPECT_GE(H5Dwrite(others, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, many.elements.data()), 0);
  H5Dclose(data);
  H5Dclose(others);
  reopen(H5F_ACC_RDONLY);
  const hid_t again = H5Dopen2(file, "others", H5P_DEFAULT);
  std::vector<hvl_t> read(kMany);
  ASSERT_GE(H5Dread(again, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0) << first_error();
  expect_sequences(read, 0);
  H5Dclose(again);
}

TEST_F(WrittenInCalls, AttributesTwice) {
  constexpr size_t kMany = 400;
  Sequences one(1, 1), many(kMany, 0);
  const hsize_t n = kMany;
  const hid_t scalar = H5Screate(H5S_SCALAR), space = H5Screate_simple(1, &n, nullptr);
  for (const char* name : {"first", "value"}) {
    const hid_t made = H5Acreate2(file, name, sequence, scalar, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, sequence, one.elements.data()), 0);
    H5Aclose(made);
  }
  H5Aclose(H5Acreate2(file, "others", sequence, space, H5P_DEFAULT, H5P_DEFAULT));
  reopen();
  const hid_t value = H5Aopen(file, "value", H5P_DEFAULT),
              others = H5Aopen(file, "others", H5P_DEFAULT);
  ASSERT_GE(H5Tregister(H5T_PERS_HARD, "widens", H5T_NATIVE_SHORT, H5T_NATIVE_INT, widens), 0);
  deed = [&] {
    EXPECT_GE(H5Awrite(value, sequence, one.elements.data()), 0);
    flush();
  };
  short narrow[2] = {3, 4};
  const hvl_t element = {2, narrow};
  const hid_t memory = H5Tvlen_create(H5T_NATIVE_SHORT);
  EXPECT_GE(H5Awrite(value, memory, &element), 0);
  EXPECT_FALSE(deed);
  EXPECT_GE(H5Tunregister(H5T_PERS_HARD, "widens", H5T_NATIVE_SHORT, H5T_NATIVE_INT, widens), 0);
  EXPECT_GE(H5Awrite(others, sequence, many.elements.data()), 0);
  for (const hid_t id : {value, others}) H5Aclose(id);
  for (const hid_t id : {scalar, space}) H5Sclose(id);
  H5Tclose(memory);
  reopen(H5F_ACC_RDONLY);
  const hid_t again = H5Aopen(file, "others", H5P_DEFAULT);
  std::vector<hvl_t> read(kMany);
  ASSERT_GE(H5Aread(again, sequence, read.data()), 0) << first_error();
  expect_sequences(read, 0);
  H5Aclose(again);
}

/// Members that a write leaves alone keep what a write within it gave them, or it fails.
TEST_F(WrittenInCalls, SequencesThatStay) {
  struct Element {
    int number;
    hvl_t sequence;
  };
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Element)), part = H5Tcreate(H5T_COMPOUND, 8);
  H5Tinsert(type, "number", HOFFSET(Element, number), H5T_NATIVE_INT);
  H5Tinsert(type, "sequence", HOFFSET(Element, sequence), sequence);
  H5Tinsert(part, "number", 0, H5T_NATIVE_LLONG);
  int first = 10, second[2] = {70, 71};
  const Element old = {1, {1, &first}}, inner = {5, {2, second}};
  hid_t data = make("data", type, 1);
  EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &old), 0);
  flush();
  deed = [&] { EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &inner), 0); };
  const long long wide = 1LL << 40;
  PCIO_ONLY(EXPECT_LT(H5Dwrite(data, part, H5S_ALL, H5S_ALL, transfer, &wide), 0));
  H5Dclose(data);
  reopen();
  data = H5Dopen2(file, "data", H5P_DEFAULT);
  Element read = {};
  ASSERT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read), 0) << first_error();
  ASSERT_EQ(read.sequence.len, 2U);
  EXPECT_EQ(static_cast<int*>(read.sequence.p)[1], 71);
  std::free(read.sequence.p);
  H5Dclose(data);
  H5Tclose(type);
  H5Tclose(part);
}

/// H5Aread gives the value of when it was called.
TEST_F(WrittenInCalls, AnAttributeThatIsRead) {
  constexpr int kNumbers = 24000;
  const hid_t narrow = H5Tcreate(H5T_COMPOUND, 4), wide = H5Tcreate(H5T_COMPOUND, 8);
  for (const int member : {0, 1}) {
    const char* const name = member == 0 ? "a" : "b";
    H5Tinsert(narrow, name, static_cast<size_t>(2 * member), H5T_NATIVE_SHORT);
    H5Tinsert(wide, name, static_cast<size_t>(4 * member), H5T_NATIVE_INT);
  }
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  ASSERT_GE(H5Fclose(file), 0);
  file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  const hsize_t n = kNumbers / 2;
  const hid_t space = H5Screate_simple(1, &n, nullptr);
  std::vector<short> values(kNumbers), nines(kNumbers, 9);
  std::iota(values.begin(), values.end(), short{0});
  ASSERT_GE(H5Tregister(H5T_PERS_HARD, "widens", H5T_NATIVE_SHORT, H5T_NATIVE_INT, widens), 0);
  for (const bool deletes : {true, false}) {
    const hid_t value = H5Acreate2(file, "value", narrow, space, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(value, narrow, values.data()), 0);
    deed = [&] {
      const herr_t done =
          deletes ? H5Adelete(file, "value") : H5Awrite(value, narrow, nines.data());
      EXPECT_GE(done, 0);
    };
    std::vector<int> read(kNumbers, -1);
    EXPECT_GE(H5Aread(value, wide, read.data()), 0);
    EXPECT_FALSE(deed);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), values.begin()));
    H5Aclose(value);
  }
  EXPECT_GE(H5Tunregister(H5T_PERS_HARD, "widens", H5T_NATIVE_SHORT, H5T_NATIVE_INT, widens), 0);
  H5Sclose(space);
  H5Tclose(narrow);
  H5Tclose(wide);
}

/// What is read goes on lying where it was found while others are written.
TEST_F(WrittenInCalls, SequencesThatAreRead) {
  constexpr size_t kFew = 8, kLong = 100, kMany = 400;
  const hid_t data = make("data", sequence, kFew), others = make("others", sequence, kMany);
  std::vector<std::vector<int>> values, long_ones(kMany, std::vector<int>(50, 5000));
  std::vector<hvl_t> elements, large, read(kFew);
  for (size_t i = 0; i < kFew; ++i) values.emplace_back(kLong, static_cast<int>(i));
  for (auto& value : values) elements.push_back({value.size(), value.data()});
  for (auto& value : long_ones) large.push_back({value.size(), value.data()});
  EXPECT_GE(H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0);
  H5Pset_vlen_mem_manager(transfer, allocates, nullptr, frees, nullptr);
  deed = [&] {
    EXPECT_GE(H5Dwrite(others, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, large.data()), 0);
  };
  ASSERT_GE(H5Dread(data, sequence, H5S_ALL, H5S_ALL, transfer, read.data()), 0);
  EXPECT_FALSE(deed);
  for (size_t i = 0; i < kFew; ++i) {
    const auto* const found = static_cast<int*>(read[i].p);
    EXPECT_EQ(std::vector<int>(found, found + read[i].len), values[i]);
    std::free(read[i].p);
  }
  H5Dclose(data);
  H5Dclose(others);
}

/// Of what is written while it is read other datasets' values are not told.
TEST_F(WrittenInCalls, SequencesThatAreReadAndWritten) {
  constexpr size_t kFew = 8, kMany = 400;
  const hid_t data = make("data", sequence, kFew), others = make("others", sequence, kMany);
  Sequences few(kFew, 1), many(kMany, 5000);
  EXPECT_GE(H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, few.elements.data()), 0);
  flush();
  H5Pset_vlen_mem_manager(transfer, allocates, nullptr, frees, nullptr);
  deed = [&] {
    EXPECT_GE(H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, few.elements.data()), 0);
    flush();
    EXPECT_GE(H5Dwrite(others, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, many.elements.data()), 0);
  };
  std::vector<hvl_t> read(kFew);
  const hid_t wide = H5Tvlen_create(H5T_NATIVE_LLONG);
  PCIO_ONLY(EXPECT_LT(H5Dread(data, wide, H5S_ALL, H5S_ALL, transfer, read.data()), 0));
  PCIO_ONLY(for (const hvl_t& value : read) EXPECT_EQ(value.p, nullptr));
  H5Tclose(wide);
  H5Dclose(data);
  H5Dclose(others);
}

/// A filter that cuts a dataset which is being cut is told that this can't be.
TEST_F(WrittenInFilters, AnExtentThatIsChanged) {
  const hsize_t n = 16, chunk = 4, most = H5S_UNLIMITED, none = 0, less = 10;
  H5Pset_chunk(list, 1, &chunk);
  const hid_t space = H5Screate_simple(1, &n, &most);
  hid_t data = H5Dcreate2(file, "data", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  Sequences all(n, 0);
  EXPECT_GE(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.elements.data()), 0);
  H5Dclose(data);
  reopen();
  data = H5Dopen2(file, "data", H5P_DEFAULT);
  deed = [&] { PCIO_ONLY(EXPECT_LT(H5Dset_extent(data, &none), 0)); };
  EXPECT_GE(H5Dset_extent(data, &less), 0);
  EXPECT_FALSE(deed);
  std::vector<hvl_t> read(less);
  ASSERT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
  expect_sequences(read, 0);
  H5Dclose(data);
  H5Sclose(space);
}

/// References that are in the file by a flush within the call lead to what is there, whenever the program is killed.
TEST_F(WrittenInCalls, AKillBehindAFlush) {
  ASSERT_GE(H5Fclose(file), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    const hid_t data = make("data", sequence, 4, list);
    Sequences old(4, 1);
    bool done = H5Dwrite(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, old.elements.data()) >= 0;
    deed = [&] { done = H5Fflush(file, H5F_SCOPE_LOCAL) >= 0 && done; };
    long long wide[4] = {1LL << 40, 43, 44, 45};
    hvl_t elements[4];
    for (int i = 0; i < 4; ++i) elements[i] = {1, &wide[i]};
    const hid_t memory = H5Tvlen_create(H5T_NATIVE_LLONG);
    done = H5Dwrite(data, memory, H5S_ALL, H5S_ALL, transfer, elements) >= 0 && done && !deed;
    _exit(done ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, "data", H5P_DEFAULT);
  std::vector<hvl_t> read(4);
  ASSERT_GE(H5Dread(data, sequence, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0)
      << first_error();
  expect_sequences(read, 42);
  H5Dclose(data);
}

}  // namespace
