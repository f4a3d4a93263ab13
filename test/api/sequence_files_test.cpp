// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Variable-length elements in files through the public calls: what belongs to whom when datasets and
// attributes are made, overwritten and deleted.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

using pcio::test::TempPath;
using Texts = std::vector<std::string>;

/// Closes what it holds.
struct Held {
  explicit Held(hid_t given) : id(given) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    if (id >= 0) H5Idec_ref(id);
  }
  operator hid_t() const { return id; }
  hid_t id;
};

class SequenceFiles : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, H5T_VARIABLE);
  }
  void TearDown() override {
    H5Tclose(text);
    FileTest::TearDown();
  }

  /// A creation list with early allocation, so that space is given at once.
  static hid_t early() {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    return list;
  }
  hid_t make(const char* name, hsize_t n, hid_t list = H5P_DEFAULT) {
    const Held space(H5Screate_simple(1, &n, nullptr));
    const hid_t made = H5Dcreate2(file, name, text, space, H5P_DEFAULT, list, H5P_DEFAULT);
    // Before what is closed here clears it.
    if (made < 0) error = first_error();
    return made;
  }
  herr_t write(hid_t dataset, const Texts& values) {
    std::vector<const char*> pointers;
    for (const std::string& value : values) pointers.push_back(value.c_str());
    return H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data());
  }
  void add(const char* name, const Texts& values) {
    const Held dataset(make(name, values.size()));
    ASSERT_EQ(write(dataset, values), 0) << first_error();
  }
  /// Null elements are "(null)".
  Texts read(const char* name) {
    const Held dataset(H5Dopen2(file, name, H5P_DEFAULT)), space(H5Dget_space(dataset));
    std::vector<char*> pointers(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    if (H5Dread(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0)
      return {"(error) " + first_error()};
    Texts values;
    for (char* pointer : pointers) values.emplace_back(pointer == nullptr ? "(null)" : pointer);
    H5Dvlen_reclaim(text, space, H5P_DEFAULT, pointers.data());
    return values;
  }
  void flush() { ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0) << first_error(); }
  void remove(const char* name) {
    ASSERT_EQ(H5Ldelete(file, name, H5P_DEFAULT), 0);
    flush();
  }
  static Texts large(const char* tag) {
    Texts values;
    for (char i = '0'; i < '4'; ++i)
      values.push_back(tag + std::string(1, i) + std::string(40000, 'x'));
    return values;
  }

  hid_t text = -1;
  std::string error;  ///< of the last dataset that could not be made
};

#ifdef PCIO_VERSION
TEST_F(SequenceFiles, NewSpaceRefersToNothingWhateverTheFillSays) {
  for (const bool chunked : {false, true}) {
    const Held list(early());
    const hsize_t chunk = 4;
    if (chunked) H5Pset_chunk(list, 1, &chunk);
    {
      const Held old(make("old", 4, list));
      ASSERT_EQ(write(old, large("old")), 0);
    }
    flush();
    remove("old");
    H5Pset_fill_value(list, text, nullptr);
    const Held fresh(make(chunked ? "chunked" : "plain", 4, list));
    ASSERT_GT(fresh, 0) << first_error();
    EXPECT_EQ(read(chunked ? "chunked" : "plain"), Texts(4, "(null)"));
  }
}
#endif

TEST_F(SequenceFiles, SpaceIsNeverLeftUnfilled) {
  const Held list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  EXPECT_LT(make("never", 4, list), 0);
  PCIO_ONLY(EXPECT_NE(error.find("unfilled"), std::string::npos) << error);
  H5Pset_fill_time(list, H5D_FILL_TIME_IFSET);
  const Held made(make("ifset", 4, list)), got(H5Dget_create_plist(made));
  H5D_fill_time_t time = H5D_FILL_TIME_NEVER;
  EXPECT_EQ(H5Pget_fill_time(got, &time), 0);
  EXPECT_EQ(time, H5D_FILL_TIME_ALLOC);
  // With a fill value of the program's own it is filled as well, and the time stays.
  const char* value = "full";
  ASSERT_EQ(H5Pset_fill_value(list, text, &value), 0);
  const Held early_list(H5Pcopy(list));
  H5Pset_alloc_time(early_list, H5D_ALLOC_TIME_EARLY);
  const Held own(make("own", 4, early_list)), again(H5Dget_create_plist(own));
  EXPECT_EQ(H5Pget_fill_time(again, &time), 0);
  EXPECT_EQ(time, H5D_FILL_TIME_IFSET);
  EXPECT_EQ(read("own"), Texts(4, "full"));
}

struct Entry {
  char* text;
  int number;
};

/// Datasets of entries, and fill values that have the number alone.
class EntryFiles : public SequenceFiles {
 protected:
  void SetUp() override {
    SequenceFiles::SetUp();
    entry = H5Tcreate(H5T_COMPOUND, sizeof(Entry));
    H5Tinsert(entry, "text", offsetof(Entry, text), text);
    H5Tinsert(entry, "number", offsetof(Entry, number), H5T_NATIVE_INT);
    number = H5Tcreate(H5T_COMPOUND, sizeof(int));
    H5Tinsert(number, "number", 0, H5T_NATIVE_INT);
    words = H5Tcreate(H5T_COMPOUND, sizeof(char*));
    H5Tinsert(words, "text", 0, text);
  }
  void TearDown() override {
    for (const hid_t type : {entry, number, words}) H5Tclose(type);
    SequenceFiles::TearDown();
  }
  /// A list with the fill value 9.
  hid_t filled_list() const {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    const int value = 9;
    EXPECT_EQ(H5Pset_fill_value(list, number, &value), 0) << first_error();
    return list;
  }
  std::vector<int> numbers(hid_t at, const char* name) {
    const Held dataset(H5Dopen2(at, name, H5P_DEFAULT)), space(H5Dget_space(dataset));
    std::vector<int> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), -1);
    EXPECT_EQ(H5Dread(dataset, number, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0)
        << first_error();
    return values;
  }

  hid_t entry = -1, number = -1, words = -1;
};

TEST_F(EntryFiles, FillValuesMayLackWhatIsOfVariableLength) {
  const hsize_t n = 3, most = H5S_UNLIMITED, chunk = 2;
  const Held line(H5Screate_simple(1, &n, nullptr)), growing(H5Screate_simple(1, &n, &most)),
      one(H5Screate_simple(1, &n, nullptr));
  const hsize_t at = 1;
  H5Sselect_elements(one, H5S_SELECT_SET, 1, &at);
  for (int layout = 0; layout < 6; ++layout) {
    const Held list(filled_list());
    const std::string name = std::to_string(layout);
    if (layout == 1) H5Pset_layout(list, H5D_COMPACT);
    if (layout >= 2) H5Pset_chunk(list, 1, &chunk);
    if (layout == 3 || layout == 5) H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    if (layout >= 4) H5Pset_deflate(list, 1);
    const Held dataset(H5Dcreate2(file, name.c_str(), entry, layout >= 2 ? growing : line,
                                  H5P_DEFAULT, list, H5P_DEFAULT));
    ASSERT_GT(dataset, 0) << name << first_error();
    EXPECT_EQ(numbers(file, name.c_str()), std::vector<int>(n, 9)) << name;
    // An element's text is written: its number stays, and the others are filled.
    const char* written[] = {"x", "word", "x"};
    ASSERT_EQ(H5Dwrite(dataset, words, one, one, H5P_DEFAULT, written), 0) << first_error();
    EXPECT_EQ(numbers(file, name.c_str()), std::vector<int>(n, 9)) << name;
    const hsize_t more = 7;
    if (layout >= 2) ASSERT_EQ(H5Dset_extent(dataset, &more), 0) << first_error();
  }
  reopen();
  for (int layout = 0; layout < 6; ++layout) {
    const std::string name = std::to_string(layout);
    const std::vector<int> wanted(layout >= 2 ? 7 : n, 9);
    EXPECT_EQ(numbers(file, name.c_str()), wanted) << name;
    const Held dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT)),
        list(H5Dget_create_plist(dataset));
    int value = 0;
    EXPECT_EQ(H5Pget_fill_value(list, number, &value), 0) << first_error();
    EXPECT_EQ(value, 9);
    // The list as another dataset's.
    const std::string copy = name + "copy";
    const Held made(H5Dcreate2(file, copy.c_str(), entry, layout >= 2 ? growing : line, H5P_DEFAULT,
                               list, H5P_DEFAULT));
    ASSERT_GT(made, 0) << first_error();
    EXPECT_EQ(numbers(file, copy.c_str()), std::vector<int>(n, 9)) << name;
  }
}

#ifdef PCIO_VERSION  // libhdf5 1.10 has zeros where elements have another size
TEST_F(EntryFiles, CopiesHaveFillValuesWithoutObjects) {
  const hsize_t n = 3, most = H5S_UNLIMITED, chunk = 2, more = 6;
  const Held space(H5Screate_simple(1, &n, &most)), list(filled_list()),
      sizes(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_chunk(list, 1, &chunk);
  H5Dclose(H5Dcreate2(file, "d", entry, space, H5P_DEFAULT, list, H5P_DEFAULT));
  // Elements have other sizes there.
  H5Pset_sizes(sizes, 4, 4);
  const TempPath to("copied.h5");
  const Held other(H5Fcreate(to.str().c_str(), H5F_ACC_TRUNC, sizes, H5P_DEFAULT));
  for (const hid_t into : {file, static_cast<hid_t>(other)}) {
    ASSERT_EQ(H5Ocopy(file, "d", into, "copy", H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
    EXPECT_EQ(numbers(into, "copy"), std::vector<int>(n, 9));
    const Held copy(H5Dopen2(into, "copy", H5P_DEFAULT));
    ASSERT_EQ(H5Dset_extent(copy, &more), 0) << first_error();
    EXPECT_EQ(numbers(into, "copy"), std::vector<int>(more, 9));
  }
}
#endif

TEST_F(EntryFiles, FillValuesWithoutAWayAreRefused) {
  const Held list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate(H5S_SCALAR));
  const int value = 9;
  ASSERT_EQ(H5Pset_fill_value(list, H5T_NATIVE_INT, &value), 0);
  for (const hid_t type : {text, entry})
    EXPECT_LT(H5Dcreate2(file, "d", type, space, H5P_DEFAULT, list, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "d", H5P_DEFAULT), 0);
}

TEST_F(EntryFiles, FillValuesOfZeroBytesAreConverted) {
  const Held in_memory(H5Tenum_create(H5T_NATIVE_INT)), in_file(H5Tenum_create(H5T_NATIVE_SCHAR));
  const int none = 0;
  const signed char four = 4;
  H5Tenum_insert(in_memory, "A", &none);
  H5Tenum_insert(in_file, "A", &four);
  struct Source {
    int letter;
    char* text;
  };
  const Held from(H5Tcreate(H5T_COMPOUND, sizeof(Source))), to(H5Tcreate(H5T_COMPOUND, 16)),
      letter(H5Tcreate(H5T_COMPOUND, 1)), list(H5Pcreate(H5P_DATASET_CREATE));
  H5Tinsert(from, "letter", offsetof(Source, letter), in_memory);
  H5Tinsert(from, "text", offsetof(Source, text), text);
  H5Tinsert(to, "letter", 0, in_file);
  H5Tinsert(to, "text", 8, text);
  H5Tinsert(letter, "letter", 0, in_file);
  const Source value{0, nullptr};
  ASSERT_EQ(H5Pset_fill_value(list, from, &value), 0) << first_error();
  const hsize_t n = 2;
  const Held space(H5Screate_simple(1, &n, nullptr)),
      dataset(H5Dcreate2(file, "d", to, space, H5P_DEFAULT, list, H5P_DEFAULT));
  ASSERT_GT(dataset, 0) << first_error();
  signed char read[] = {0, 0};
  ASSERT_EQ(H5Dread(dataset, letter, H5S_ALL, H5S_ALL, H5P_DEFAULT, read), 0) << first_error();
  EXPECT_EQ(read[0], 4);
  EXPECT_EQ(read[1], 4);
}

#ifdef PCIO_VERSION  // libhdf5 1.10 has no such call
TEST_F(SequenceFiles, MoveAmongSeveralDatasets) {
  const Texts values{"one", "", "three"}, others{"a", "b", std::string(5000, 'c')};
  const Held one(make("one", 3)), two(make("two", 3));
  const char* texts[2][3];
  for (std::size_t i = 0; i < 3; ++i) {
    texts[0][i] = values[i].c_str();
    texts[1][i] = others[i].c_str();
  }
  hid_t sets[] = {one, two}, types[] = {text, text}, spaces[] = {H5S_ALL, H5S_ALL};
  const void* out[] = {texts[0], nullptr};
  EXPECT_LT(H5Dwrite_multi(2, sets, types, spaces, spaces, H5P_DEFAULT, out), 0);
  EXPECT_EQ(read("one"), Texts(3, "(null)"));
  out[1] = texts[1];
  ASSERT_EQ(H5Dwrite_multi(2, sets, types, spaces, spaces, H5P_DEFAULT, out), 0) << first_error();
  reopen();
  EXPECT_EQ(read("one"), values);
  EXPECT_EQ(read("two"), others);
}
#endif

#ifdef PCIO_VERSION
TEST_F(SequenceFiles, WhatASmallerExtentCutsOffLeavesItsRoom) {
  for (const bool filtered : {false, true}) {
    const char* const name = filtered ? "filtered" : "plain";
    const Held list(H5Pcreate(H5P_DATASET_CREATE));
    const hsize_t chunk[] = {3, 4}, dims[] = {7, 9}, most[] = {H5S_UNLIMITED, 20}, less[] = {4, 6};
    H5Pset_chunk(list, 2, chunk);
    if (filtered) H5Pset_deflate(list, 1);
    const Held space(H5Screate_simple(2, dims, most));
    const Held dataset(H5Dcreate2(file, name, text, space, H5P_DEFAULT, list, H5P_DEFAULT));
    Texts values;
    for (char i = 0; i < 63; ++i) values.push_back(std::string(40000, static_cast<char>('0' + i)));
    ASSERT_EQ(write(dataset, values), 0) << first_error();
    flush();
    const hssize_t before = H5Fget_freespace(file);
    ASSERT_EQ(H5Dset_extent(dataset, less), 0) << first_error();
    flush();
    EXPECT_GT(H5Fget_freespace(file) - before, 39 * 40000);
    // Neither more than was cut off, nor is it seen again.
    ASSERT_EQ(H5Dset_extent(dataset, dims), 0) << first_error();
    flush();
    add(filtered ? "more filtered" : "more", large("m"));
    for (std::size_t i = 0; i < values.size(); ++i)
      if (i / 9 >= less[0] || i % 9 >= less[1]) values[i] = "(null)";
    EXPECT_EQ(read(name), values);
  }
}
#endif

/// What the first write leaves out is filled, in whatever extent it was selected.
TEST_F(SequenceFiles, WhatIsNotSelectedInAnotherExtentIsFilled) {
  const char* fill = "fill";
  const char* values[] = {"a", "b", "c"};
  const Held list(H5Pcreate(H5P_DATASET_CREATE));
  ASSERT_EQ(H5Pset_fill_value(list, text, &fill), 0);
  const hsize_t some[] = {1, 3}, more[] = {2, 8}, start[] = {0, 4};
  const Held all_of_few(H5Screate_simple(2, some, nullptr));
  const Held few_of_many(H5Screate_simple(2, more, nullptr));
  ASSERT_EQ(H5Sselect_hyperslab(few_of_many, H5S_SELECT_SET, start, nullptr, some, nullptr), 0);
  for (const bool all : {true, false}) {
    const char* const name = all ? "all of few" : "few of many";
    {
      const Held dataset(make(name, 9, list));
      ASSERT_EQ(
          H5Dwrite(dataset, text, all_of_few, all ? all_of_few : few_of_many, H5P_DEFAULT, values),
          0)
          << first_error();
    }
    Texts expected(9, fill);
    std::copy_n(values, 3, expected.begin() + (all ? 0 : 4));
    EXPECT_EQ(read(name), expected);
  }
}

struct Note {
  int number;
  const char* text;
};

/// Elements of which a write leaves out a member own what it refers to: the fill value stays when they go.
TEST_F(SequenceFiles, MembersThatAWriteLeavesOutAreTheElementsOwn) {
  const Held type(H5Tcreate(H5T_COMPOUND, sizeof(Note))), number(H5Tcopy(H5T_NATIVE_INT)),
      numbers(H5Tcreate(H5T_COMPOUND, sizeof(int)));
  H5Tinsert(type, "number", offsetof(Note, number), number);
  H5Tinsert(type, "text", offsetof(Note, text), text);
  H5Tinsert(numbers, "number", 0, number);
  for (const bool filtered : {false, true}) {
    const hsize_t n = 8, most = H5S_UNLIMITED, chunk = 4, less = 2;
    const Note fill = {9, "fill"};
    const Held list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(1, &n, &most));
    H5Pset_chunk(list, 1, &chunk);
    H5Pset_fill_value(list, type, &fill);
    if (filtered) H5Pset_deflate(list, 1);
    const Held dataset(H5Dcreate2(file, filtered ? "filtered" : "plain", type, space, H5P_DEFAULT,
                                  list, H5P_DEFAULT));
    const int values[] = {0, 1, 2, 3, 4, 5, 6, 7};
    ASSERT_EQ(H5Dwrite(dataset, numbers, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0)
        << first_error();
    ASSERT_EQ(H5Dset_extent(dataset, &less), 0) << first_error();
    flush();
    add(filtered ? "more" : "some", {"what gets the room"});
    ASSERT_EQ(H5Dset_extent(dataset, &n), 0) << first_error();
    Note read[8];
    ASSERT_EQ(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read), 0) << first_error();
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(read[i].number, i < 2 ? i : 9);
      EXPECT_STREQ(read[i].text, "fill");
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, read);
  }
}

/// What is selected is where the offset moves it; what is named twice is one element.
TEST_F(SequenceFiles, AsManyElementsAsThereAreNeedNotBeAll) {
  const char* const fill = "fill";
  const char* const values[] = {"a", "b", "c", "d"};
  const hsize_t n = 8, chunk = 4, start = 0, count = 4, twice[] = {0, 0, 1, 2};
  const hssize_t offset = 2;
  const Held memory(H5Screate_simple(1, &count, nullptr));
  int made = 0;
  for (const bool points : {false, true})
    for (const char* const layout : {"contiguous", "chunked", "filtered"}) {
      const bool contiguous = *layout == 'c' && layout[1] == 'o';
      const std::string name = layout + std::to_string(made++);
      const Held list(H5Pcreate(H5P_DATASET_CREATE));
      H5Pset_fill_value(list, text, &fill);
      if (!contiguous) H5Pset_chunk(list, 1, &chunk);
      if (*layout == 'f') H5Pset_deflate(list, 1);
      Texts expected(contiguous ? 4 : n, fill);
      {
        const Held dataset(make(name.c_str(), expected.size(), list)), space(H5Dget_space(dataset));
        if (points) {
          H5Sselect_elements(space, H5S_SELECT_SET, 4, twice);
        } else {
          H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
          if (!contiguous) H5Soffset_simple(space, &offset);
        }
        ASSERT_EQ(H5Dwrite(dataset, text, memory, space, H5P_DEFAULT, values), 0) << first_error();
      }
      if (points)
        std::copy_n(values + 1, 3, expected.begin());
      else
        std::copy_n(values, 4, expected.begin() + (contiguous ? 0 : 2));
      EXPECT_EQ(read(name.c_str()), expected) << name;
    }
}

/// A write that can't be gives no space.
TEST_F(SequenceFiles, WhatHasNoWayIsFoundBeforeAnythingIsFilled) {
  const char* const fill = "fill";
  const hsize_t n = 8, chunk = 4, start = 1, count = 5;
  const Held list(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_fill_value(list, text, &fill);
  H5Pset_chunk(list, 1, &chunk);
  const Held dataset(make("chunked", n, list)), space(H5Dget_space(dataset)),
      memory(H5Screate_simple(1, &count, nullptr));
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const int numbers[] = {1, 2, 3, 4, 5};
  EXPECT_LT(H5Dwrite(dataset, H5T_NATIVE_INT, memory, space, H5P_DEFAULT, numbers), 0);
  EXPECT_EQ(H5Dget_storage_size(dataset), 0);
}

/// What a dataset may have at the most is counted in the file's form, which is larger than memory's or smaller.
TEST_F(SequenceFiles, LayoutsHaveRoomForWhatIsInTheFile) {
  const Held numbers(H5Tvlen_create(H5T_NATIVE_INT));
  for (const hsize_t width : {8U, 4U}) {
    const Held creation(H5Pcreate(H5P_FILE_CREATE));
    H5Pset_sizes(creation, width, width);
    const TempPath temp("sizes.h5"), raw("raw");
    const Held made(H5Fcreate(temp.str().c_str(), H5F_ACC_TRUNC, creation, H5P_DEFAULT));
    const hsize_t size = 4 + width + 4, elements = 15;
    int count = 0;
    const auto makes = [&](hid_t type, hsize_t n, const Held& list) {
      const Held space(H5Screate_simple(1, &n, nullptr));
      const Held dataset(H5Dcreate2(made, std::to_string(count++).c_str(), type, space, H5P_DEFAULT,
                                    list, H5P_DEFAULT));
      return dataset >= 0;
    };
    for (const hid_t type : {text, numbers.id}) {
      for (const hsize_t more : {0, 1}) {
        const Held external(H5Pcreate(H5P_DATASET_CREATE)), compact(H5Pcreate(H5P_DATASET_CREATE)),
            chunked(H5Pcreate(H5P_DATASET_CREATE));
        H5Pset_external(external, raw.str().c_str(), 0, elements * size - more);
        EXPECT_EQ(makes(type, elements, external), more == 0) << width;
        H5Pset_layout(compact, H5D_COMPACT);
        EXPECT_EQ(makes(type, 65524 / size + more, compact), more == 0) << width;
        const hsize_t chunk = 0xFFFFFFFFU / size + more;
        H5Pset_chunk(chunked, 1, &chunk);
        EXPECT_EQ(makes(type, chunk, chunked), more == 0) << width;
      }
    }
  }
}

/// What has no chunk needs no fill, however much of it there is.
TEST_F(SequenceFiles, OnlyChunksThatAreThereAreFilledWhereAnExtentGrows) {
  for (const bool filtered : {false, true}) {
    const char* const name = filtered ? "filtered" : "plain";
    const Held list(H5Pcreate(H5P_DATASET_CREATE));
    const hsize_t chunk[] = {2, 4}, dims[] = {3, 3}, most[] = {H5S_UNLIMITED, H5S_UNLIMITED};
    const char* const fill = "none";
    H5Pset_chunk(list, 2, chunk);
    H5Pset_fill_value(list, text, &fill);
    if (filtered) H5Pset_deflate(list, 1);
    const Held space(H5Screate_simple(2, dims, most));
    const Held dataset(H5Dcreate2(file, name, text, space, H5P_DEFAULT, list, H5P_DEFAULT));
    ASSERT_EQ(write(dataset, Texts(9, "old")), 0) << first_error();
    // Of those that are there it takes the new elements, whichever way it comes to them.
    for (const hsize_t* const now :
         {(const hsize_t[]){4, 4}, (const hsize_t[]){1ULL << 30, 1ULL << 20},
          (const hsize_t[]){5, 5}}) {
      ASSERT_EQ(H5Dset_extent(dataset, now), 0) << first_error();
      flush();
    }
    Texts values(25, "none");
    for (std::size_t i = 0; i < 25; ++i)
      if (i / 5 < 3 && i % 5 < 3) values[i] = "old";
    EXPECT_EQ(read(name), values);
  }
}

TEST_F(SequenceFiles, DenseAttributesOfDeletedObjectsLeaveTheirRoom) {
  ASSERT_EQ(H5Fclose(file), 0);
  const Held access(H5Pcreate(H5P_FILE_ACCESS)), one(H5Screate(H5S_SCALAR));
  H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  make_group("g");
  const std::string value(20000, 'z');
  for (int i = 0; i < 20; ++i) {
    const Held owner(H5Gopen2(file, "g", H5P_DEFAULT));
    const std::string name = "a" + std::to_string(i);
    const Held attribute(H5Acreate2(owner, name.c_str(), text, one, H5P_DEFAULT, H5P_DEFAULT));
    const char* const pointer = value.c_str();
    ASSERT_EQ(H5Awrite(attribute, text, &pointer), 0) << first_error();
  }
  flush();
  remove("g");
  PCIO_ONLY(EXPECT_GT(H5Fget_freespace(file), 400000));
}

#ifdef PCIO_VERSION
/// Bytes of a file.
struct Bytes {
  explicit Bytes(const std::string& path) : file(std::fopen(path.c_str(), "r+b")) {}
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;
  ~Bytes() { std::fclose(file); }
  std::string at(haddr_t address, std::size_t size) {
    std::string bytes(size, '\0');
    std::fseek(file, static_cast<long>(address), SEEK_SET);
    EXPECT_EQ(std::fread(bytes.data(), 1, size, file), size);
    return bytes;
  }
  void put(haddr_t address, const std::string& bytes) {
    std::fseek(file, static_cast<long>(address), SEEK_SET);
    EXPECT_EQ(std::fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
  }
  std::FILE* file;
};

// As other libraries leave such space: it holds what was there before.
TEST_F(SequenceFiles, WhatAnUnfilledDatasetRefersToIsNotItsOwn) {
  const Texts values = large("c");
  haddr_t owner = 0, unfilled = 0, header = 0;
  {
    const Held list(early()), first(make("c", 4, list)), second(make("b", 4, list));
    ASSERT_EQ(write(first, values), 0);
    ASSERT_EQ(write(second, Texts(4, "b")), 0);
    owner = H5Dget_offset(first);
    unfilled = H5Dget_offset(second);
    H5O_info_t info;
    ASSERT_EQ(H5Oget_info2(second, &info, H5O_INFO_BASIC), 0);
    header = info.addr;
  }
  ASSERT_EQ(H5Fclose(file), 0);
  {
    Bytes bytes(path());
    bytes.put(unfilled, bytes.at(owner, 64));
    // Version 2 of the message: allocated early, filled at allocation.
    const std::string all = bytes.at(header, 256);
    const std::size_t at =
        std::min(all.find(std::string("\2\1\0\1", 4)), all.find(std::string("\2\1\2\1", 4)));
    ASSERT_NE(at, std::string::npos);
    bytes.put(header + at + 2, "\1");
  }
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  {
    const Held second(H5Dopen2(file, "b", H5P_DEFAULT));
    ASSERT_EQ(write(second, Texts(4, "new")), 0) << first_error();
  }
  flush();
  add("d", large("d"));
  flush();
  EXPECT_EQ(read("c"), values);
  remove("b");
  add("e", large("e"));
  EXPECT_EQ(read("c"), values);
}
#endif

/// Memory of a read, which comes to an end.
struct CountedMemory {
  long left = -1, out = 0;
  static void* allocate(size_t size, void* data) {
    auto& self = *static_cast<CountedMemory*>(data);
    if (self.left-- == 0) return nullptr;
    ++self.out;
    return std::malloc(size);
  }
  static void release(void* memory, void* data) {
    --static_cast<CountedMemory*>(data)->out;
    std::free(memory);
  }
};

/// More elements than are read together, of rows and whole chunks, to every other place in memory.
TEST_F(SequenceFiles, VeryManyElementsAreReadInParts) {
  const hsize_t dims[2] = {70001, 3}, chunk[2] = {9000, 2}, start[2] = {7, 1},
                count[2] = {69990, 2};
  const hsize_t n = count[0] * count[1], room = 2 * n, first = 1, stride = 2;
  const auto text_of = [](hsize_t i) { return "text " + std::to_string(i); };
  Texts values;
  std::vector<const char*> pointers;
  for (hsize_t i = 0; i < dims[0] * dims[1]; ++i) values.push_back(i % 11 == 5 ? "" : text_of(i));
  for (hsize_t i = 0; i < values.size(); ++i)
    pointers.push_back(i % 13 == 6 ? nullptr : values[i].c_str());
  for (const bool chunked : {false, true}) {
    const Held list(H5Pcreate(H5P_DATASET_CREATE)), space(H5Screate_simple(2, dims, nullptr)),
        memory(H5Screate_simple(1, &room, nullptr)), how(H5Pcreate(H5P_DATASET_XFER));
    if (chunked) H5Pset_chunk(list, 2, chunk);
    const Held set(H5Dcreate2(file, chunked ? "chunked" : "contiguous", text, space, H5P_DEFAULT,
                              list, H5P_DEFAULT));
    ASSERT_EQ(H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()), 0);
    flush();
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
    H5Sselect_hyperslab(memory, H5S_SELECT_SET, &first, &stride, &n, nullptr);
    CountedMemory counted;
    H5Pset_vlen_mem_manager(how, &CountedMemory::allocate, &counted, &CountedMemory::release,
                            &counted);
    char untouched = 0;
    std::vector<char*> found(room, &untouched);
    ASSERT_EQ(H5Dread(set, text, memory, space, how, found.data()), 0) << first_error();
    long wrong = 0, given = 0;
    for (hsize_t i = 0; i < n; ++i) {
      const hsize_t at = (start[0] + i / count[1]) * dims[1] + start[1] + i % count[1];
      const char* const have = found[2 * i + 1];
      given += have != nullptr ? 1 : 0;
      const bool same = pointers[at] == nullptr || have == nullptr
                            ? pointers[at] == have
                            : std::strcmp(pointers[at], have) == 0;
      wrong += same && found[2 * i] == &untouched ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(counted.out, given);
    ASSERT_EQ(H5Dvlen_reclaim(text, memory, how, found.data()), 0);
    EXPECT_EQ(counted.out, 0);
    for (const long most : {0L, 300L, 100000L, given - 1}) {
      counted.left = most;
      EXPECT_LT(H5Dread(set, text, memory, space, how, found.data()), 0);
      EXPECT_EQ(counted.out, 0) << most;
      wrong = 0;
      for (hsize_t i = 0; i < n; ++i)
        wrong += found[2 * i] == &untouched && found[2 * i + 1] == nullptr ? 0 : 1;
      EXPECT_EQ(wrong, 0) << most;
    }
  }
}

}  // namespace
