// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Tests of selections as bytes: golden bytes of libhdf5 1.10.8, random round trips, damage.

#include "format/selection_encoding.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "space/space_model.hpp"
#include "format/test_bytes.hpp"
#include "space/unlimited.hpp"

namespace pcio {
namespace {

using test::hex;

std::vector<std::byte> encoded(const Dataspace& space) {
  ByteWriter out;
  EXPECT_TRUE(encode_selection(space, out).ok());
  return std::move(out).take();
}

Status decode(ConstBytes bytes, Dataspace* space) {
  ByteReader reader(bytes);
  return decode_selection(reader, space);
}

Dataspace space_of(const Dims& dims) { return *Dataspace::simple(dims); }

Dataspace with_slab(const Dims& dims, const RegularSlab& slab) {
  Dataspace space = space_of(dims);
  EXPECT_TRUE(space.selection().select_hyperslab(dims, SelectOp::kSet, slab).ok());
  return space;
}

// Blocks that touch are joined; the list has the first and last coordinates.
TEST(SelectionEncoding, BytesAreThoseOfLibhdf5) {
  EXPECT_EQ(encoded(space_of({10})), hex("03000000 01000000 00000000 00000000"));
  const Dataspace box = with_slab({10, 20, 30}, {{1, 2, 3}, {1, 1, 1}, {2, 3, 2}, {1, 1, 1}});
  EXPECT_EQ(encoded(box), hex("02000000 01000000 00000000 20000000 03000000 01000000"
                              "01000000 02000000 03000000 02000000 04000000 04000000"));
  Dataspace points = space_of({10, 20, 30});
  const std::uint64_t at[] = {1, 2, 3, 9, 8, 7};
  ASSERT_TRUE(points.selection().select_points(points.dims(), SelectOp::kSet, at, 2).ok());
  EXPECT_EQ(encoded(points), hex("01000000 01000000 00000000 20000000 03000000 02000000"
                                 "01000000 02000000 03000000 09000000 08000000 07000000"));
  const Dataspace far = with_slab({0x200000000, 5}, {{0x100000003, 1}, {4, 2}, {2, 2}, {1, 1}});
  EXPECT_EQ(encoded(far),
            hex("02000000 02000000 01 44000000 02000000"
                "0300000001000000 0400000000000000 0200000000000000 0100000000000000"
                "0100000000000000 0200000000000000 0200000000000000 0100000000000000"));
}

TEST(SelectionEncoding, HyperslabsThatNeverEndComeBack) {
  const Dataspace space = with_slab({10, 20}, {{1, 2}, {3, 4}, {2, kUnlimited}, {2, 1}});
  Dataspace read = space_of({10, 20});
  ASSERT_TRUE(decode(encoded(space), &read).ok());
  ASSERT_TRUE(is_unlimited(read.selection()));
  EXPECT_EQ(read.selection().regular().count[1], kUnlimited);
  EXPECT_EQ(read.selection().regular().start[0], 1u);
}

TEST(SelectionEncoding, WhatDoesNotFitInto32BitsIsRefused) {
  Dataspace space = space_of({0x200000000});
  const std::uint64_t at[] = {0x100000000};
  ASSERT_TRUE(space.selection().select_points(space.dims(), SelectOp::kSet, at, 1).ok());
  ByteWriter out;
  EXPECT_NE(encode_selection(space, out).message().find("32 bits"), std::string::npos);
  space = with_slab({0x200000000}, {{0}, {2}, {0x90000000}, {1}});  // regular: has a pattern
  EXPECT_TRUE(encode_selection(space, out).ok());
}

// Forms of later libraries: 8 and 2 bytes for a number.
TEST(SelectionEncoding, LaterVersionsAreRead) {
  Dataspace space = space_of({100, 100});
  ASSERT_TRUE(decode(hex("01000000 02000000 02 02000000 0200 0100 0200 0300 0400"), &space).ok());
  EXPECT_EQ(space.selected(), 2u);
  EXPECT_EQ(space.selection().points(), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  ASSERT_TRUE(decode(hex("02000000 03000000 00 02 02000000 0200 0100 0200 0300 0400"
                         "0500 0600 0700 0700"),
                     &space)
                  .ok());
  EXPECT_EQ(space.selected(), 9u + 6u);
  ASSERT_TRUE(decode(hex("02000000 03000000 01 02 02000000 0100 0200 0300 0100"
                         "0000 0200 0400 0200"),
                     &space)
                  .ok());
  EXPECT_EQ(space.selected(), 3u * 8u);
}

TEST(SelectionEncoding, DamageIsRefusedAndLeavesTheSpace) {
  Dataspace space = space_of({10, 10});
  const char* const damaged[] = {
      "04000000 01000000 00000000 00000000",                                      // kind
      "03000000 02000000 00000000 00000000",                                      // version
      "02000000 04000000 00000000 00000000",                                      // version
      "03000000 01000000 00000000",                                               // cut
      "02000000 01000000 00000000 10000000 01000000 01000000 00000000 01000000",  // ndims
      "02000000 01000000 00000000 10000000 02000000 FFFFFFFF 00000000 01000000",  // too many
      "02000000 01000000 00000000 18000000 02000000 01000000 05000000 00000000 04000000 00000000",
      "01000000 01000000 00000000 18000000 02000000 02000000 05000000 00000000",   // cut
      "01000000 02000000 03 02000000 00",                                          // width
      "02000000 02000000 00 44000000 02000000",                                    // not regular
      "02000000 03000000 01 02 02000000 0100 0100 0300 0200 0000 0200 0400 0200",  // overlap
  };
  for (const char* bytes : damaged) {
    EXPECT_FALSE(decode(hex(bytes), &space).ok()) << bytes;
    EXPECT_EQ(space.selection().kind(), SelectionKind::kAll);
  }
}

/// `count` blocks of random places and sizes in 4 dimensions below `extent`.
std::vector<std::byte> random_blocks(std::uint32_t count, std::uint32_t extent) {
  constexpr unsigned kDims = 4;
  ByteWriter out;
  out.u32(2), out.u32(1), out.u32(0), out.u32(8 + count * kDims * 8), out.u32(kDims),
      out.u32(count);
  std::uint64_t state = 12345;
  const auto random = [&] {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::uint32_t>(state >> 33) % extent;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t corner[kDims];
    for (std::uint32_t& x : corner) out.u32(x = random());
    for (const std::uint32_t x : corner) out.u32(x + random());
  }
  return std::move(out).take();
}

// What overlaps in a few ways is united, as libhdf5 does; hostile bytes ask for more than memory holds.
TEST(SelectionEncoding, BlocksThatOverlapInVeryManyWaysAreRefused) {
  Dataspace space = space_of({100000, 100000, 100000, 100000});
  EXPECT_TRUE(decode(random_blocks(20, 40000), &space).ok());
  EXPECT_EQ(space.selection().kind(), SelectionKind::kHyperslab);
  const Status refused = decode(random_blocks(2000, 40000), &space);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.frames().front().text.find("overlap"), std::string::npos);
}

// A list as an encoder writes it, of many blocks that don't overlap, is no such case.
TEST(SelectionEncoding, ManyBlocksThatDoNotOverlapAreRead) {
  constexpr std::uint32_t kRows = 300;
  ByteWriter out;
  out.u32(2), out.u32(1), out.u32(0), out.u32(8 + kRows * kRows * 16), out.u32(2),
      out.u32(kRows * kRows);
  for (std::uint32_t i = 0; i < kRows; ++i)
    for (std::uint32_t j = 0; j < kRows; ++j) {
      const std::uint32_t at = 7 * j + i % 5;
      out.u32(2 * i), out.u32(at), out.u32(2 * i), out.u32(at + 1);
    }
  Dataspace space = space_of({2 * kRows, 8 * kRows});
  ASSERT_TRUE(decode(std::move(out).take(), &space).ok());
  EXPECT_EQ(space.selected(), 2 * kRows * kRows);
}

std::vector<std::uint64_t> elements(const Dataspace& space) {
  std::vector<std::uint64_t> list;
  if (space.selection().kind() == SelectionKind::kPoints) return space.selection().points();
  for_each_position(space.dims(), [&](const Dims& at) {
    if (space.selection().intersects(space.dims(), {at, Dims(at.size(), 1)}))
      list.push_back(test::offset_of(space.dims(), at));
  });
  return list;
}

RC_GTEST_PROP(SelectionEncoding, ComesBackAsItWas, ()) {
  const Dims dims = test::random_dims(static_cast<unsigned>(test::pick(1, 4)), 1, 400);
  const test::Model model = test::random_selection(dims, true);
  const std::vector<std::byte> bytes = encoded(model.space);
  RC_ASSERT(*encoded_selection_size(bytes.data()) == bytes.size());
  Dataspace read = space_of(dims);
  RC_ASSERT(decode(bytes, &read).ok());
  RC_ASSERT(read.selected() == model.space.selected());
  RC_ASSERT(elements(read) == elements(model.space));
  RC_ASSERT(encoded(read) == bytes);
  RC_TAG(static_cast<int>(model.space.selection().kind()));
}

RC_GTEST_PROP(SelectionEncoding, AnyBytesAreReadOrRefused, ()) {
  const Dims dims = test::random_dims(2, 1, 100);
  std::vector<std::byte> bytes = encoded(test::random_selection(dims, true).space);
  const std::uint64_t changes = test::pick(1, 3);
  for (std::uint64_t i = 0; i < changes; ++i)
    bytes[test::pick(0, bytes.size() - 1)] = static_cast<std::byte>(test::pick(0, 255));
  if (test::pick(0, 3) == 0) bytes.resize(test::pick(0, bytes.size()));
  Dataspace read = space_of(dims);
  const Status status = decode(bytes, &read);
  if (status.ok()) RC_ASSERT(read.selection().kind() <= SelectionKind::kAll);
}

}  // namespace
}  // namespace pcio
