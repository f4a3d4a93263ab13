// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Files with wrong numbers in them, each of which once did harm (test/fuzz found most): calls fail, and say why.

#include <array>
#include <cstring>
#include <fstream>

#include "api/file_fixture.hpp"

namespace {

class SpoiledFiles : public FileTest {
 protected:
  /// Puts `after` in the place of each `before` in the closed file, of which there must be some; opens it again.
  template <typename Number>
  void spoil(Number before, Number after) {
    ASSERT_EQ(H5Fclose(file), 0) << first_error();
    std::ifstream in(path(), std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    std::string from(sizeof before, '\0'), to(sizeof after, '\0');
    std::memcpy(from.data(), &before, sizeof before);
    std::memcpy(to.data(), &after, sizeof after);
    int found = 0;
    for (std::size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; ++found)
      bytes.replace(at, from.size(), to);
    ASSERT_GT(found, 0);
    std::ofstream(path(), std::ios::binary) << bytes;
    file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
  }
  haddr_t address_of(const char* name) {
    H5O_info_t info;
    EXPECT_EQ(H5Oget_info_by_name2(file, name, &info, H5O_INFO_BASIC, H5P_DEFAULT), 0);
    return info.addr;
  }
};

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

}  // namespace
