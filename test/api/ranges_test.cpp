// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// pcio_visit_ranges: which bytes of a file belong to whom, against what other calls say.

#include <pcio.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "api/file_fixture.hpp"

namespace {

using Ranges = std::vector<pcio_range_t>;
constexpr unsigned bit(pcio_range_use_t use) { return 1U << use; }

herr_t keep(const pcio_range_t* range, void* out) {
  static_cast<Ranges*>(out)->push_back(*range);
  return 0;
}

class RangesTest : public FileTest {
 protected:
  /// A dataset of 40 x 10 ints in chunks of 4 x 10, and so that the file has it.
  void make_chunks(const char* name) {
    const hsize_t dims[] = {40, 10}, chunk[] = {4, 10};
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, dims, nullptr);
    H5Pset_chunk(list, 2, chunk);
    const hid_t set = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    std::vector<int> values(400);
    std::iota(values.begin(), values.end(), 0);
    ASSERT_EQ(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    ASSERT_EQ(H5Dclose(set) | H5Sclose(space) | H5Pclose(list), 0);
  }
  /// A dataset of texts of variable length, which lie in a heap.
  void make_texts(const char* name) {
    const hsize_t size = 3;
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, nullptr);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char* texts[] = {"one", "two", "three"};
    ASSERT_EQ(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts), 0);
    ASSERT_EQ(H5Dclose(set) | H5Sclose(space) | H5Tclose(type), 0);
  }
  static Ranges ranges_of(hid_t id, unsigned uses = 0) {
    Ranges ranges;
    EXPECT_EQ(pcio_visit_ranges(id, uses, keep, &ranges), 0) << first_error();
    return ranges;
  }
  Ranges ranges_of(const char* name, unsigned uses = 0) const {
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    Ranges ranges = ranges_of(object, uses);
    H5Oclose(object);
    return ranges;
  }
  static hsize_t bytes_of(const Ranges& ranges, pcio_range_use_t use) {
    hsize_t bytes = 0;
    for (const pcio_range_t& range : ranges)
      if (range.use == use) bytes += range.bytes;
    return bytes;
  }
};

TEST_F(RangesTest, EachByteOfANewFileIsSomebodys) {
  make_chunks("chunks");
  make_dataset("plain", 100);
  make_group("group");
  make_texts("texts");
  reopen(H5F_ACC_RDONLY);
  Ranges all = ranges_of(file);
  for (const char* name : {"/", "chunks", "plain", "group", "texts"}) {
    const Ranges one = ranges_of(name);
    all.insert(all.end(), one.begin(), one.end());
  }
  std::sort(all.begin(), all.end(),
            [](const pcio_range_t& a, const pcio_range_t& b) { return a.start < b.start; });
  hsize_t size = 0, owned = 0, behind = 0;
  ASSERT_EQ(H5Fget_filesize(file, &size), 0);
  for (const pcio_range_t& range : all) {
    EXPECT_EQ(range.version, static_cast<uint32_t>(PCIO_RANGE_VERSION));
    EXPECT_GE(range.start, behind) << range.use;
    owned += range.bytes;
    behind = range.start + range.bytes;
  }
  EXPECT_LE(behind, size);
  // Alignment and what a last piece was larger than needed: not much.
  EXPECT_GT(owned, size - size / 4);
}

TEST_F(RangesTest, TheySayWhatOtherCallsSay) {
  make_chunks("chunks");
  make_texts("texts");
  reopen(H5F_ACC_RDONLY);
  const hid_t set = H5Dopen2(file, "chunks", H5P_DEFAULT);
  H5O_info_t info{};
  ASSERT_EQ(H5Oget_info(set, &info), 0);
  const Ranges ranges = ranges_of(set);
  EXPECT_EQ(bytes_of(ranges, PCIO_RANGE_HEADER), info.hdr.space.total);
  EXPECT_EQ(bytes_of(ranges, PCIO_RANGE_DATA), H5Dget_storage_size(set));
  EXPECT_EQ(bytes_of(ranges, PCIO_RANGE_CHUNK_INDEX), info.meta_size.obj.index_size);
  for (const pcio_range_t& range : ranges) EXPECT_EQ(range.object, info.addr);
  haddr_t address = HADDR_UNDEF;
  hsize_t bytes = 0;
  ASSERT_EQ(H5Dget_chunk_info(set, H5S_ALL, 3, nullptr, nullptr, &address, &bytes), 0);
  EXPECT_TRUE(std::any_of(ranges.begin(), ranges.end(), [&](const pcio_range_t& range) {
    return range.use == PCIO_RANGE_DATA && range.start <= address &&
           range.start + range.bytes >= address + bytes;
  }));
  EXPECT_EQ(H5Dclose(set), 0);
  // A heap is 4096 bytes at the least, and only told where it is asked for.
  EXPECT_EQ(bytes_of(ranges_of("texts"), PCIO_RANGE_HEAP), 4096U);
  EXPECT_TRUE(ranges_of("chunks", bit(PCIO_RANGE_HEAP)).empty());
  const Ranges some = ranges_of("texts", bit(PCIO_RANGE_DATA));
  ASSERT_EQ(some.size(), 1U);
  EXPECT_EQ(some[0].use, PCIO_RANGE_DATA);
  for (const pcio_range_t& range : ranges_of(file)) EXPECT_EQ(range.object, HADDR_UNDEF);
}

TEST_F(RangesTest, TheFunctionCanStopAndFail) {
  make_chunks("chunks");
  reopen(H5F_ACC_RDONLY);
  const hid_t set = H5Dopen2(file, "chunks", H5P_DEFAULT);
  const auto stop = [](const pcio_range_t*, void* calls) -> herr_t {
    return ++*static_cast<int*>(calls) == 2 ? 7 : 0;
  };
  const auto fail = [](const pcio_range_t*, void*) -> herr_t { return -1; };
  int calls = 0;
  EXPECT_EQ(pcio_visit_ranges(set, 0, stop, &calls), 7);
  EXPECT_EQ(calls, 2);
  EXPECT_LT(pcio_visit_ranges(set, 0, fail, nullptr), 0);
  EXPECT_EQ(H5Dclose(set), 0);
}

TEST_F(RangesTest, WhatIsNotCommittedIsRefused) {
  make_chunks("chunks");
  Ranges ranges;
  EXPECT_LT(pcio_visit_ranges(file, 0, keep, &ranges), 0);
  const hid_t set = H5Dopen2(file, "chunks", H5P_DEFAULT);
  EXPECT_LT(pcio_visit_ranges(set, 0, keep, &ranges), 0);
  EXPECT_TRUE(ranges.empty());
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_EQ(bytes_of(ranges_of(set), PCIO_RANGE_DATA), 1600U);
  EXPECT_EQ(H5Dclose(set), 0);
}

/// What a heap id leads to in the file: the first bytes of an element of variable length are its count.
struct FileElement {
  std::uint32_t count;
  unsigned char id[12];
};
static_assert(sizeof(FileElement) == 16);

/// Puts `count` elements like the first one over those at `at` of a file.
void repeat_first(const std::string& path, haddr_t at, std::size_t count) {
  std::FILE* const out = std::fopen(path.c_str(), "r+b");
  FileElement first{};
  ASSERT_EQ(std::fseek(out, static_cast<long>(at), SEEK_SET), 0);
  ASSERT_EQ(std::fread(&first, sizeof first, 1, out), 1U);
  const std::vector<FileElement> all(count, first);
  ASSERT_EQ(std::fseek(out, static_cast<long>(at), SEEK_SET), 0);
  ASSERT_EQ(std::fwrite(all.data(), sizeof first, count, out), count);
  ASSERT_EQ(std::fclose(out), 0);
}

/// Each of the elements at `at` but the first leads to a collection of its own that begins within the one at `start`
/// and ends with it, by way of one object there.
void overlap_collections(const std::string& path, haddr_t at, std::size_t count, haddr_t start,
                         hsize_t size) {
  std::FILE* const out = std::fopen(path.c_str(), "r+b");
  std::vector<FileElement> all(count);
  ASSERT_EQ(std::fseek(out, static_cast<long>(at), SEEK_SET), 0);
  ASSERT_EQ(std::fread(all.data(), sizeof all[0], count, out), count);
  for (std::size_t i = 1; i < count; ++i) {
    const std::uint64_t head = start + 4096 + 64 * i;
    // Its head, an object 1 of an element, and free space.
    const std::uint64_t bytes = start + size - head, length = sizeof(FileElement);
    unsigned char made[64] = {'G', 'C', 'O', 'L', 1};
    std::memcpy(made + 8, &bytes, sizeof bytes);
    made[16] = 1;
    made[18] = 1;
    std::memcpy(made + 24, &length, sizeof length);
    const std::uint64_t free = bytes - 16 - 32;
    std::memcpy(made + 48 + 8, &free, sizeof free);
    ASSERT_EQ(std::fseek(out, static_cast<long>(head), SEEK_SET), 0);
    ASSERT_EQ(std::fwrite(made, sizeof made, 1, out), 1U);
    const std::uint32_t first = 1;
    all[i].count = 1;
    std::memcpy(all[i].id, &head, sizeof head);
    std::memcpy(all[i].id + sizeof head, &first, sizeof first);
  }
  ASSERT_EQ(std::fseek(out, static_cast<long>(at), SEEK_SET), 0);
  ASSERT_EQ(std::fwrite(all.data(), sizeof all[0], count, out), count);
  ASSERT_EQ(std::fclose(out), 0);
}

TEST_F(RangesTest, ElementsThatAllReferToMuchEndInAnError) {
  constexpr std::size_t kElements = 4096;
  constexpr std::size_t kReferences = 2048;
  make_dataset("plain", 4);
  const hid_t target = H5Dopen2(file, "plain", H5P_DEFAULT), region = H5Dget_space(target);
  std::vector<hdset_reg_ref_t> references(kReferences);
  ASSERT_EQ(H5Rcreate(&references[0], file, "plain", H5R_DATASET_REGION, region), 0);
  for (hdset_reg_ref_t& one : references) std::memcpy(&one, &references[0], sizeof one);
  const hsize_t size = kElements;
  const hid_t type = H5Tvlen_create(H5T_STD_REF_DSETREG),
              space = H5Screate_simple(1, &size, nullptr);
  const hid_t set = H5Dcreate2(file, "many", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  std::vector<hvl_t> elements(kElements, hvl_t{0, nullptr});
  elements[0] = {kReferences, references.data()};
  ASSERT_EQ(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0)
      << first_error();
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_GT(bytes_of(ranges_of(set, bit(PCIO_RANGE_HEAP)), PCIO_RANGE_HEAP), kReferences * 12);
  const haddr_t at = H5Dget_offset(set);
  ASSERT_EQ(H5Dclose(set) | H5Dclose(target) | H5Sclose(region) | H5Sclose(space) | H5Tclose(type),
            0);
  ASSERT_EQ(H5Fclose(file), 0);
  // Of one file of some 100 KiB: eight million references.
  repeat_first(path(), at, kElements);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t many = H5Dopen2(file, "many", H5P_DEFAULT);
  Ranges ranges;
  EXPECT_LT(pcio_visit_ranges(many, bit(PCIO_RANGE_HEAP), keep, &ranges), 0);
  EXPECT_NE(first_error().find("too many others"), std::string::npos) << first_error();
  EXPECT_EQ(H5Dclose(many), 0);
}

/// An object of a heap belongs to one element: more than the file has room for are not looked for.
TEST_F(RangesTest, ElementsThatAllOwnTheSameEndInAnError) {
  constexpr std::size_t kElements = 512, kInside = 2048;
  const hsize_t size = kElements;
  const hid_t one = H5Tvlen_create(H5T_NATIVE_INT), type = H5Tvlen_create(one),
              space = H5Screate_simple(1, &size, nullptr);
  const hid_t set = H5Dcreate2(file, "many", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int value = 7;
  std::vector<hvl_t> inside(kInside, hvl_t{1, &value}), elements(kElements, hvl_t{0, nullptr});
  elements[0] = {kInside, inside.data()};
  ASSERT_EQ(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_GT(bytes_of(ranges_of(set, bit(PCIO_RANGE_HEAP)), PCIO_RANGE_HEAP), kInside * 24);
  const haddr_t at = H5Dget_offset(set);
  ASSERT_EQ(H5Dclose(set) | H5Sclose(space) | H5Tclose(type) | H5Tclose(one) | H5Fclose(file), 0);
  repeat_first(path(), at, kElements);
  file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t many = H5Dopen2(file, "many", H5P_DEFAULT);
  Ranges ranges;
  EXPECT_LT(pcio_visit_ranges(many, bit(PCIO_RANGE_HEAP), keep, &ranges), 0);
  EXPECT_NE(first_error().find("more objects than the file has room for"), std::string::npos)
      << first_error();
  EXPECT_EQ(H5Dclose(many), 0);
  EXPECT_EQ(H5Ldelete(file, "many", H5P_DEFAULT) | H5Fflush(file, H5F_SCOPE_GLOBAL), 0)
      << first_error();
}

TEST_F(RangesTest, CollectionsThatOverlapEndInAnError) {
  make_texts("texts");
  hid_t set = H5Dopen2(file, "texts", H5P_DEFAULT);
  const haddr_t at = H5Dget_offset(set);
  ASSERT_EQ(H5Dclose(set), 0);
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  const Ranges heaps = ranges_of("texts", bit(PCIO_RANGE_HEAP));
  ASSERT_EQ(heaps.size(), 1U);
  ASSERT_EQ(H5Fclose(file), 0);
  // A collection in the first object of the other one, or where its free space is.
  std::FILE* const out = std::fopen(path().c_str(), "r+b");
  std::vector<unsigned char> head(16);
  const auto begin = static_cast<long>(heaps[0].start);
  ASSERT_EQ(std::fseek(out, begin, SEEK_SET) | (std::fread(head.data(), 16, 1, out) == 1 ? 0 : 1),
            0);
  const long inside = begin + 1024;
  ASSERT_EQ(std::fseek(out, inside, SEEK_SET), 0);
  ASSERT_EQ(std::fwrite(head.data(), 16, 1, out), 1U);
  const auto address = static_cast<std::uint64_t>(inside);
  ASSERT_EQ(std::fseek(out, static_cast<long>(at) + 16 + 4, SEEK_SET), 0);
  ASSERT_EQ(std::fwrite(&address, sizeof address, 1, out), 1U);
  ASSERT_EQ(std::fclose(out), 0);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  set = H5Dopen2(file, "texts", H5P_DEFAULT);
  Ranges ranges;
  EXPECT_LT(pcio_visit_ranges(set, bit(PCIO_RANGE_HEAP), keep, &ranges), 0);
  EXPECT_NE(first_error().find("begins in the one"), std::string::npos) << first_error();
  EXPECT_EQ(H5Dclose(set), 0);
}

/// Elements whose elements lie in heads of collections that each go to the end of the same one.
TEST_F(RangesTest, NestedCollectionsThatOverlapEndInAnError) {
  constexpr hsize_t kElements = 40;
  const hid_t inner = H5Tvlen_create(H5T_NATIVE_CHAR), type = H5Tvlen_create(inner);
  const hid_t space = H5Screate_simple(1, &kElements, nullptr);
  const hid_t set = H5Dcreate2(file, "nested", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  // Four MiB, in whose middle all others get their heads.
  std::vector<char> large(4 << 20, 0);
  hvl_t one{1, large.data()};
  hvl_t big{large.size(), large.data()};
  std::vector<hvl_t> elements(kElements, hvl_t{1, &one});
  elements[0] = {1, &big};
  ASSERT_EQ(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()), 0)
      << first_error();
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  const haddr_t at = H5Dget_offset(set);
  Ranges heaps = ranges_of(set, bit(PCIO_RANGE_HEAP));
  ASSERT_EQ(H5Dclose(set) | H5Sclose(space) | H5Tclose(inner) | H5Tclose(type), 0);
  ASSERT_EQ(H5Fclose(file), 0);
  const auto larger = std::max_element(
      heaps.begin(), heaps.end(), [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  overlap_collections(path(), at, kElements, larger->start, larger->bytes);
  file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t nested = H5Dopen2(file, "nested", H5P_DEFAULT);
  Ranges ranges;
  EXPECT_LT(pcio_visit_ranges(nested, bit(PCIO_RANGE_HEAP), keep, &ranges), 0);
  EXPECT_NE(first_error().find("begins in the one"), std::string::npos) << first_error();
  EXPECT_EQ(H5Dclose(nested), 0);
}

TEST_F(RangesTest, BadArgumentsAreNamed) {
  Ranges ranges;
  ASSERT_EQ(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
  EXPECT_LT(pcio_visit_ranges(file, 0, nullptr, &ranges), 0);
  EXPECT_NE(first_error().find("op"), std::string::npos);
  EXPECT_LT(pcio_visit_ranges(file, 1U << 20, keep, &ranges), 0);
  EXPECT_NE(first_error().find("uses"), std::string::npos);
  EXPECT_LT(pcio_visit_ranges(H5T_NATIVE_INT, 0, keep, &ranges), 0);
  EXPECT_LT(pcio_visit_ranges(H5P_DEFAULT, 0, keep, &ranges), 0);
  EXPECT_TRUE(ranges.empty());
}

}  // namespace
