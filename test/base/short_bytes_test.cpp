// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "base/short_bytes.hpp"

#include <gtest/gtest.h>

namespace pcio {
namespace {

std::vector<std::byte> counting(std::size_t n) {
  std::vector<std::byte> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::byte>(i + 1);
  return bytes;
}

bool lies_inside(const ShortBytes& value) {
  const auto* const begin = reinterpret_cast<const std::byte*>(&value);
  return value.data() >= begin && value.data() < begin + sizeof value;
}

constexpr std::size_t kSizes[] = {
    0, 1, 7, 8, ShortBytes::kInside - 1, ShortBytes::kInside, ShortBytes::kInside + 1, 1000};

TEST(ShortBytes, HoldsWhatItIsMadeOf) {
  for (const std::size_t n : kSizes) {
    const ShortBytes value = counting(n);
    EXPECT_EQ(value.vector(), counting(n));
    EXPECT_EQ(value.size(), n);
    EXPECT_EQ(value.empty(), n == 0);
    EXPECT_EQ(lies_inside(value), n <= ShortBytes::kInside) << n;
  }
}

TEST(ShortBytes, CopiesAndMovesBetweenAllSizes) {
  for (const std::size_t from : kSizes)
    for (const std::size_t to : kSizes) {
      ShortBytes source = counting(from);
      ShortBytes copied = counting(to);
      copied = source;
      EXPECT_EQ(copied.vector(), counting(from));
      EXPECT_EQ(source, copied);
      ShortBytes moved = counting(to);
      moved = std::move(source);
      EXPECT_EQ(moved.vector(), counting(from));
      const ShortBytes made(std::move(moved));
      EXPECT_EQ(made, copied);
      copied = *&copied;
      EXPECT_EQ(made, copied);
    }
}

TEST(ShortBytes, WhatWasMovedFromIsEmptyOrHasAnother) {
  ShortBytes source = counting(100);
  const ShortBytes made(std::move(source));
  EXPECT_TRUE(source.empty());  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQ(made.size(), 100U);
}

TEST(ShortBytes, IsAssignedPartsOfItself) {
  for (const std::size_t n : kSizes) {
    if (n < 2) continue;
    ShortBytes value = counting(n);
    value.assign(ConstBytes(value).first(n - 1));
    EXPECT_EQ(value.vector(), counting(n - 1));
  }
}

TEST(ShortBytes, DiffersInBytesAndInLength) {
  EXPECT_FALSE(ShortBytes(counting(44)) == ShortBytes(counting(45)));
  auto other = counting(60);
  other.back() = std::byte{0};
  EXPECT_FALSE(ShortBytes(counting(60)) == ShortBytes(other));
  ShortBytes cleared = counting(60);
  cleared.clear();
  EXPECT_EQ(cleared, ShortBytes());
}

}  // namespace
}  // namespace pcio
