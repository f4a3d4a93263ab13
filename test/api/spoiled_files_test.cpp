// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files with wrong numbers in them, each of which once did harm (test/fuzz found most): calls fail, and say why.

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <vector>

#include "api/file_fixture.hpp"

namespace {

class SpoiledFiles : public FileTest {
 protected:
  /// Puts `after` in the place of each `before` in the closed file, of which there must be some; opens it again.
  template <typename Number>
  void spoil(Number before, Number after) {
    std::string bytes = closed_file();
    const std::string from = text_of_number(before), to = text_of_number(after);
    int found = 0;
    for (std::size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; ++found)
      bytes.replace(at, from.size(), to);
    ASSERT_GT(found, 0);
    open_as(bytes);
  }
  /// The same at one place.
  template <typename Number>
  void spoil_at(haddr_t at, Number after) {
    std::string bytes = closed_file();
    bytes.replace(at, sizeof after, text_of_number(after));
    open_as(bytes);
  }
  /// What `change` makes of the closed file.
  template <typename Change>
  void rewrite(Change&& change) {
    std::string bytes = closed_file();
    change(bytes);
    open_as(bytes);
  }
  pcio::test::TempPath other_{"other.h5"};

  haddr_t address_of(const char* name) {
    H5O_info_t info;
    EXPECT_EQ(H5Oget_info_by_name2(file, name, &info, H5O_INFO_BASIC, H5P_DEFAULT), 0);
    return info.addr;
  }

 private:
  template <typename Number>
  static std::string text_of_number(Number number) {
    std::string text(sizeof number, '\0');
    std::memcpy(text.data(), &number, sizeof number);
    return text;
  }
  std::string closed_file() {
    EXPECT_EQ(H5Fclose(file), 0) << first_error();
    std::ifstream in(path(), std::ios::binary);
    return {(std::istreambuf_iterator<char>(in)), {}};
  }
  void open_as(const std::string& bytes) {
    std::ofstream(path(), std::ios::binary) << bytes;
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
  }
};

/// Each is the other's member, and says that nobody else has it.
TEST_F(SpoiledFiles, GroupsThatHoldEachOtherGoOnce) {
  make_group("a");
  make_group("a/b");
  ASSERT_EQ(H5Lcreate_hard(file, "a", file, "a/b/up", H5P_DEFAULT, H5P_DEFAULT), 0);
  spoil_at<std::uint32_t>(address_of("a") + 4, 1);
  EXPECT_EQ(H5Ldelete(file, "a", H5P_DEFAULT), 0) << first_error();
  EXPECT_EQ(H5Fflush(file, H5F_SCOPE_LOCAL), 0) << first_error();
  make_group("c");
  reopen();
  EXPECT_EQ(H5Lexists(file, "c", H5P_DEFAULT), 1);
}

/// The number that the next link would get is the last one: a commit of the one behind it would lose the group.
TEST_F(SpoiledFiles, GroupsWithoutANumberForTheNextLink) {
  const hid_t list = H5Pcreate(H5P_GROUP_CREATE);
  H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, list, H5P_DEFAULT));
  H5Pclose(list);
  make_group("g/a");
  // Version, flags, the number, and no fractal heap.
  std::array<unsigned char, 18> before{0, 3, 1}, after;
  std::fill(before.begin() + 10, before.end(), 0xFF);
  after = before;
  std::fill(after.begin() + 2, after.begin() + 9, 0xFF);
  after[9] = 0x7F;
  spoil(before, after);
  EXPECT_LT(H5Gcreate2(file, "g/b", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_EQ(H5Lexists(file, "g/a", H5P_DEFAULT), 1) << first_error();
}

/// All elements of a sequence of sequences refer to one object, and those of that, too: a small file, and data
/// without end.
TEST_F(SpoiledFiles, SequencesThatShareTheirObjectsAreNotReadWithoutEnd) {
  constexpr std::size_t kEach = 400;
  std::vector<int> numbers(kEach, 7);
  std::vector<hvl_t> inner(kEach), outer(kEach);
  for (std::size_t i = 0; i < kEach; ++i) {
    inner[i] = {i == 0 ? kEach : 1, numbers.data()};
    outer[i] = {i == 0 ? kEach : 1, inner.data() + (i == 0 ? 0 : 1)};
  }
  hvl_t element{kEach, outer.data()};
  const hid_t ints = H5Tvlen_create(H5T_NATIVE_INT), lists = H5Tvlen_create(ints),
              type = H5Tvlen_create(lists), space = H5Screate(H5S_SCALAR);
  const hid_t data = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &element), 0) << first_error();
  H5Dclose(data);
  // In the two objects of so many references the first one stands for all.
  rewrite([](std::string& bytes) {
    int objects = 0;
    for (std::size_t at = bytes.find("GCOL"); at != std::string::npos;
         at = bytes.find("GCOL", at + 4)) {
      std::uint64_t size = 0, length = 0;
      std::memcpy(&size, bytes.data() + at + 8, 8);
      for (std::size_t object = at + 16; object + 16 <= at + size;
           object += 16 + (length + 7) / 8 * 8) {
        if (bytes[object] == 0 && bytes[object + 1] == 0) break;
        std::memcpy(&length, bytes.data() + object + 8, 8);
        if (length != kEach * 16) continue;
        for (std::size_t i = 1; i < kEach; ++i)
          std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(object + 16), 16,
                      bytes.begin() + static_cast<std::ptrdiff_t>(object + 16 * (i + 1)));
        ++objects;
      }
    }
    ASSERT_EQ(objects, 2);
  });
  const hid_t again = H5Dopen2(file, "d", H5P_DEFAULT);
  hvl_t read{0, nullptr};
  EXPECT_LT(H5Dread(again, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read), 0);
  EXPECT_NE(first_error().find("share their objects"), std::string::npos) << first_error();
  EXPECT_LT(H5Ocopy(file, "d", file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0);
  H5Dclose(again), H5Tclose(ints), H5Tclose(lists), H5Tclose(type), H5Sclose(space);
}

TEST_F(SpoiledFiles, CopiesOfDataThatTheFileDoesNotHave) {
  const hsize_t size = 0x12348;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
  const hid_t data = H5Dcreate2(file, "d", H5T_NATIVE_CHAR, space, H5P_DEFAULT, list, H5P_DEFAULT);
  ASSERT_GT(data, 0) << first_error();
  H5Dclose(data), H5Pclose(list), H5Sclose(space);
  spoil<std::uint64_t>(size, std::uint64_t{1} << 30);
  EXPECT_LT(H5Ocopy(file, "d", file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("outside the file"), std::string::npos) << first_error());
  EXPECT_EQ(H5Lexists(file, "copy", H5P_DEFAULT), 0);
}

/// References as long as no reference is: those of a copy would lie behind its elements.
TEST_F(SpoiledFiles, CopiesOfReferencesOfOtherSizes) {
  struct {
    hid_t type;
    std::uint32_t size;
  } const kinds[] = {{H5T_STD_REF_OBJ, 8}, {H5T_STD_REF_DSETREG, 12}};
  for (const auto& [type, size] : kinds) {
    for (const std::uint32_t wrong : {1U, 4U, size - 1, size + 1}) {
      const hsize_t n = 10;
      const hid_t space = H5Screate_simple(1, &n, nullptr);
      const hid_t data = H5Dcreate2(file, "r", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
      const hid_t note = H5Acreate2(data, "r", type, space, H5P_DEFAULT, H5P_DEFAULT);
      const std::vector<char> nothing(n * size);
      ASSERT_EQ(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, nothing.data()), 0);
      ASSERT_EQ(H5Awrite(note, type, nothing.data()), 0) << first_error();
      H5Aclose(note), H5Dclose(data), H5Sclose(space);
      // Class, version and bits of the datatype, then its size.
      const std::uint64_t bits = type == H5T_STD_REF_OBJ ? 0x17 : 0x117;
      spoil<std::uint64_t>(bits | std::uint64_t{size} << 32, bits | std::uint64_t{wrong} << 32);
      const hid_t flags = H5Pcreate(H5P_OBJECT_COPY);
      for (const unsigned flag : {0U, unsigned{H5O_COPY_EXPAND_REFERENCE_FLAG}}) {
        H5Pset_copy_object(flags, flag);
        const hid_t other =
            H5Fcreate(other_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        EXPECT_LT(H5Ocopy(file, "r", other, "copy", flags, H5P_DEFAULT), 0);
        EXPECT_EQ(H5Lexists(other, "copy", H5P_DEFAULT), 0);
        EXPECT_EQ(H5Fclose(other), 0) << first_error();
      }
      H5Pclose(flags);
      ASSERT_EQ(H5Fclose(file), 0);
      file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    }
  }
}

TEST_F(SpoiledFiles, ACopyOfAGroupOneOfWhoseMembersIsGone) {
  make_group("g");
  for (int i = 0; i < 30; ++i) make_group(("g/member " + std::to_string(i)).c_str());
  make_group("g/zero");
  spoil<std::uint64_t>(address_of("g/zero"), std::uint64_t{1} << 40);
  EXPECT_LT(H5Ocopy(file, "g", file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("outside the file"), std::string::npos) << first_error());
  EXPECT_EQ(H5Lexists(file, "copy", H5P_DEFAULT), 0);
}

TEST_F(SpoiledFiles, ElementsThatAreLargerThanTheFileGetNoMemory) {
  const std::uint32_t size = 0x12348;
  const hid_t type = H5Tcreate(H5T_COMPOUND, size), part = H5Tcreate(H5T_COMPOUND, sizeof(int));
  H5Tinsert(type, "a", 0, H5T_NATIVE_INT);
  H5Tinsert(part, "a", 0, H5T_NATIVE_INT);
  const hid_t space = H5Screate(H5S_SCALAR);
  hid_t data = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int value = 5;
  ASSERT_EQ(H5Dwrite(data, part, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0) << first_error();
  H5Dclose(data);
  spoil<std::uint32_t>(size, 0xFFFF0000U | size);
  data = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_LT(H5Dread(data, part, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("elements of 4294910792 bytes"), std::string::npos)
            << first_error());
  EXPECT_EQ(value, 5);
  if (data > 0) H5Dclose(data);
  H5Tclose(type), H5Tclose(part), H5Sclose(space);
}

/// A type can be read from a dataset's header, too; a copy would have none.
TEST_F(SpoiledFiles, CopiesOfWhatHasADatasetInPlaceOfItsType) {
  const hid_t type = H5Tcopy(H5T_NATIVE_INT), space = H5Screate(H5S_SCALAR);
  const hid_t other =
      H5Dcreate2(file, "e", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_EQ(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0) << first_error();
  const hid_t data = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  make_group("g");
  const hid_t group = H5Gopen2(file, "g", H5P_DEFAULT);
  const hid_t note = H5Acreate2(group, "a", type, space, H5P_DEFAULT, H5P_DEFAULT);
  ASSERT_GT(note, 0) << first_error();
  H5Aclose(note), H5Gclose(group), H5Dclose(data), H5Dclose(other), H5Tclose(type), H5Sclose(space);
  spoil<std::uint64_t>(address_of("t"), address_of("e"));
  for (const char* name : {"d", "g"}) {
    EXPECT_LT(H5Ocopy(file, name, file, "copy", H5P_DEFAULT, H5P_DEFAULT), 0);
    PCIO_ONLY(EXPECT_NE(first_error().find("an object of another kind"), std::string::npos)
              << first_error());
    EXPECT_EQ(H5Lexists(file, "copy", H5P_DEFAULT), 0);
  }
}

TEST_F(SpoiledFiles, SequencesInElementsThatAreLargerThanTheFileGetNoMemory) {
  const std::uint32_t size = 0x12348;
  const hid_t base = H5Tvlen_create(H5T_NATIVE_INT), space = H5Screate(H5S_SCALAR);
  const hid_t type = H5Tcreate(H5T_COMPOUND, size), part = H5Tcreate(H5T_COMPOUND, sizeof(hvl_t));
  H5Tinsert(type, "a", 0, base);
  H5Tinsert(part, "a", 0, base);
  hid_t data = H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int five = 5;
  hvl_t value{1, &five};
  ASSERT_EQ(H5Dwrite(data, part, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0) << first_error();
  H5Dclose(data);
  spoil<std::uint32_t>(size, 0xFFFF0000U | size);
  data = H5Dopen2(file, "d", H5P_DEFAULT);
  EXPECT_LT(H5Dread(data, part, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
  PCIO_ONLY(EXPECT_NE(first_error().find("are outside the file"), std::string::npos)
            << first_error());
  EXPECT_EQ(value.p, &five);
  if (data > 0) H5Dclose(data);
  H5Tclose(base), H5Tclose(type), H5Tclose(part), H5Sclose(space);
}

}  // namespace
