// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room format: metadata cache images: entries lie over the file; damaged ones are refused.

#include "format/cache_image.hpp"

#include <gtest/gtest.h>

#include "base/bytes.hpp"

namespace pcio {
namespace {

constexpr FileAddress kEnd = 1000;

struct Entry {
  FileAddress address;
  std::uint64_t size;
  unsigned parents = 0;
};

/// An image whose entries hold their numbers, beginning with 1. `claimed`: size that it says it has; 0: its own.
std::vector<std::byte> block_of(const std::vector<Entry>& entries, std::uint64_t claimed = 0) {
  ByteWriter body;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    body.uint(0, 8);
    body.u16(entries[i].parents);
    body.u32(i);
    body.u64(entries[i].address);
    body.u64(entries[i].size);
    for (unsigned k = 0; k < entries[i].parents; ++k) body.u64(500);
    for (std::uint64_t k = 0; k < entries[i].size && k < kEnd; ++k) body.u8(i + 1);
  }
  ByteWriter out;
  for (char c : std::string_view("MDCI")) out.u8(static_cast<unsigned char>(c));
  out.u16(0);
  out.u64(claimed != 0 ? claimed : 4 + 2 + 8 + 4 + body.size() + 4);
  out.u32(entries.size());
  out.bytes(body.view());
  append_checksum(out, 0);
  return std::move(out).take();
}

Result<CacheImage> decoded(std::vector<std::byte> bytes) {
  return CacheImage::decode(std::move(bytes), {8, 8}, kEnd);
}

TEST(CacheImages, LieOverTheFile) {
  auto image = decoded(block_of({{40, 10}, {10, 5, 2}, {50, 3}, {900, 0}}));
  ASSERT_TRUE(image.has_value()) << image.error().message();
  EXPECT_EQ(image->entries().size(), 3U);
  std::vector<std::byte> bytes(60, std::byte{9});
  image->overlay(8, bytes);
  std::string seen;
  for (std::byte byte : bytes) seen += static_cast<char>('0' + std::to_integer<int>(byte));
  EXPECT_EQ(seen,
            "99"
            "22222"
            "9999999999999999999999999"
            "1111111111"
            "333"
            "999999999999999");
  bytes.assign(3, std::byte{9});
  image->overlay(45, bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(3, std::byte{1})) << "within one entry";
  image->overlay(20, bytes);
  EXPECT_EQ(bytes, std::vector<std::byte>(3, std::byte{1})) << "between entries";
}

TEST(CacheImages, ThatAreDamagedAreRefused) {
  EXPECT_FALSE(decoded(block_of({{40, 10}, {45, 10}})).has_value()) << "overlap";
  EXPECT_FALSE(decoded(block_of({{995, 10}})).has_value()) << "outside the file";
  EXPECT_FALSE(decoded(block_of({{kUndefinedAddress, 1}})).has_value());
  EXPECT_FALSE(decoded(block_of({{40, ~std::uint64_t{0}}})).has_value()) << "more than there is";
  EXPECT_FALSE(decoded(block_of({{40, 10}}, 17)).has_value()) << "another size";
  auto cut = block_of({{40, 10}});
  cut.resize(cut.size() - 1);
  EXPECT_FALSE(decoded(cut).has_value());
  EXPECT_FALSE(decoded({}).has_value());
}

}  // namespace
}  // namespace pcio
