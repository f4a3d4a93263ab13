// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Datatypes at their limits: without members, packed and locked, numbers wider than any machine's.

#include <numeric>
#include <sys/mman.h>
#include <unistd.h>

#include "api/file_fixture.hpp"

namespace {

class TypeEdges : public FileTest {};

TEST_F(TypeEdges, EnumerationsWithoutSymbolsAreStillFormed) {
  hid_t type = H5Tenum_create(H5T_STD_I16BE);
  EXPECT_EQ(H5Tset_order(type, H5T_ORDER_LE), 0) << first_error();
  EXPECT_EQ(H5Tget_order(type), H5T_ORDER_LE);
  EXPECT_EQ(H5Tset_size(type, 4), 0) << first_error();
  EXPECT_EQ(H5Tget_size(type), 4U);
  EXPECT_EQ(H5Tset_precision(type, 8), 0);
  EXPECT_EQ(H5Tset_sign(type, H5T_SGN_NONE), 0);
  const int one = 1;
  EXPECT_EQ(H5Tenum_insert(type, "ONE", &one), 0) << first_error();
  EXPECT_LT(H5Tset_order(type, H5T_ORDER_BE), 0);
  EXPECT_LT(H5Tset_size(type, 2), 0);
}

TEST_F(TypeEdges, WithoutMembersNothingIsStored) {
  hid_t type = H5Tenum_create(H5T_NATIVE_INT), space = H5Screate(H5S_SCALAR);
  EXPECT_LT(H5Tcommit2(file, "t", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Tcommit_anon(file, type, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Dcreate2(file, "d", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
  EXPECT_LT(H5Acreate2(file, "a", type, space, H5P_DEFAULT, H5P_DEFAULT), 0);
  hid_t empty = H5Tcreate(H5T_COMPOUND, 8);
  EXPECT_LT(H5Tcommit2(file, "c", empty, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
#ifdef PCIO_VERSION  // libhdf5 crashes
  ASSERT_EQ(H5Tinsert(empty, "e", 0, type), 0);
  EXPECT_LT(H5Tcommit2(file, "c", empty, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), 0);
#endif
}

// H5Tdecode is not told how long its bytes are.
TEST_F(TypeEdges, DecodingReadsNothingBehindTheBytes) {
  const long page = sysconf(_SC_PAGESIZE);
  auto* pages = static_cast<char*>(
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + page, page, PROT_NONE), 0);
  hid_t text = H5Tcopy(H5T_C_S1);
  ASSERT_EQ(H5Tset_size(text, H5T_VARIABLE), 0);
  for (hid_t type : {H5T_NATIVE_INT, H5T_NATIVE_DOUBLE, text}) {
    size_t size = 0;
    ASSERT_EQ(H5Tencode(type, nullptr, &size), 0);
    char* const at = pages + page - size;
    ASSERT_EQ(H5Tencode(type, at, &size), 0);
    hid_t again = H5Tdecode(at);
    EXPECT_GT(H5Tequal(again, type), 0);
    EXPECT_EQ(H5Tget_size(again), H5Tget_size(type)) << "in memory";
    H5Tclose(again);
  }
  H5Tclose(text);
  munmap(pages, 2 * page);
}

TEST_F(TypeEdges, PackingWhatIsPackedAlreadyIsNoChange) {
  hid_t type = H5Tcreate(H5T_COMPOUND, 60);
  H5Tinsert(type, "z", 40, H5T_NATIVE_INT);
  H5Tinsert(type, "a", 8, H5T_NATIVE_CHAR);
  hid_t loose = H5Tcopy(type);
  EXPECT_EQ(H5Tpack(type), 0);
  EXPECT_EQ(H5Tget_size(type), 5U);
  EXPECT_EQ(H5Tget_member_index(type, "a"), 0);
  EXPECT_EQ(H5Tget_member_offset(type, 0), 0U);
  EXPECT_EQ(H5Tget_member_offset(type, 1), 1U);
  H5Tlock(type);
  EXPECT_EQ(H5Tpack(type), 0) << first_error();
  H5Tlock(loose);
  EXPECT_LT(H5Tpack(loose), 0);
  EXPECT_LT(H5Tpack(H5T_NATIVE_INT), 0);
}

// Their bytes go to the file and come back; turning them around is all the conversion there is.
TEST_F(TypeEdges, NumbersOfMoreThan64BytesKeepTheirBytes) {
  const hsize_t two = 2;
  hid_t space = H5Screate_simple(1, &two, nullptr);
  for (size_t size : {16, 64, 65, 80, 200}) {
    std::vector<unsigned char> bytes(2 * size), read(2 * size), turned(2 * size);
    std::iota(bytes.begin(), bytes.end(), static_cast<unsigned char>(size));
    for (hid_t base : {H5T_STD_I64LE, H5T_IEEE_F64LE, H5T_STD_B64LE}) {
      hid_t type = H5Tcopy(base);
      ASSERT_EQ(H5Tset_size(type, size), 0) << first_error();
      ASSERT_EQ(base != H5T_IEEE_F64LE ? H5Tset_precision(type, 8 * size) : 0, 0);
      hid_t list = H5Pcreate(H5P_DATASET_CREATE);
      ASSERT_EQ(H5Pset_fill_value(list, type, bytes.data()), 0) << first_error();
      const std::string name = std::to_string(size) + "-" + std::to_string(H5Tget_class(type));
      hid_t data = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, list, H5P_DEFAULT);
      ASSERT_GT(data, 0) << first_error();
      EXPECT_EQ(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
      EXPECT_TRUE(std::equal(read.begin(), read.begin() + static_cast<long>(size), bytes.begin()));
      EXPECT_EQ(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0)
          << first_error();
      EXPECT_EQ(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), 0);
      EXPECT_EQ(read, bytes) << name;
      hid_t other = H5Tcopy(type);
      H5Tset_order(other, H5T_ORDER_BE);
      EXPECT_EQ(H5Dread(data, other, H5S_ALL, H5S_ALL, H5P_DEFAULT, turned.data()), 0)
          << name << first_error();
      EXPECT_TRUE(std::equal(turned.begin(), turned.begin() + static_cast<long>(size),
                             bytes.rbegin() + static_cast<long>(size)))
          << name;
      H5Dclose(data);
    }
  }
}

// As libhdf5 does: where there was room, the number that the program gave stays.
TEST_F(QuietTest, EncodingTellsTheSizeOnlyWhereThereIsTooLittleRoom) {
  char bytes[1000];
  const hid_t space = H5Screate(H5S_SCALAR);
  std::size_t need = 0, n = 0;
  ASSERT_EQ(H5Tencode(H5T_NATIVE_INT, nullptr, &need), 0);
  ASSERT_GT(need, 0U);
  for (const std::size_t given : {std::size_t{1000}, need, need - 1, std::size_t{0}}) {
    n = given;
    EXPECT_EQ(H5Tencode(H5T_NATIVE_INT, bytes, &n), 0);
    EXPECT_EQ(n, given >= need ? given : need);
  }
  n = 1000;
  EXPECT_EQ(H5Tencode(H5T_NATIVE_INT, nullptr, &n), 0);
  EXPECT_EQ(n, need);
  ASSERT_EQ(H5Sencode(space, nullptr, &need), 0);
  for (const std::size_t given : {std::size_t{1000}, need, need - 1, std::size_t{0}}) {
    n = given;
    EXPECT_EQ(H5Sencode(space, bytes, &n), 0);
    EXPECT_EQ(n, given >= need ? given : need);
  }
  // Of lists it always does.
  n = 1000;
  EXPECT_EQ(H5Pencode(H5P_DATASET_XFER_DEFAULT, bytes, &n), 0);
  EXPECT_LT(n, 1000U);
  EXPECT_LT(H5Tencode(H5T_NATIVE_INT, bytes, nullptr), 0);
  EXPECT_LT(H5Sencode(space, bytes, nullptr), 0);
  H5Sclose(space);
}

}  // namespace
