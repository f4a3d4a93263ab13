// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "base/never_destroyed.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace pcio {
namespace {

struct Counted {
  static inline int made = 0, gone = 0;
  int number;
  explicit Counted(int n) : number(n) { ++made; }
  ~Counted() { ++gone; }
};

TEST(NeverDestroyed, ItsValueOutlivesItsHolder) {
  {
    NeverDestroyed<Counted> held(7);
    EXPECT_EQ((*held).number, 7);
    (*held).number = 8;
    EXPECT_EQ((*held).number, 8);
  }
  EXPECT_EQ(Counted::made, 1);
  EXPECT_EQ(Counted::gone, 0);
}

TEST(NeverDestroyed, ItsValueLiesInIt) {
  static NeverDestroyed<std::vector<std::string>> held;
  const auto* const place = reinterpret_cast<const std::byte*>(&*held);
  const auto* const begin = reinterpret_cast<const std::byte*>(&held);
  EXPECT_TRUE(place >= begin && place < begin + sizeof held);
  (*held).emplace_back("text");
  EXPECT_EQ((*held).size(), 1U);
}

TEST(NeverDestroyed, ItsValueMayBeConstant) {
  static NeverDestroyed<const std::vector<int>> none;
  EXPECT_TRUE((*none).empty());
}

}  // namespace
}  // namespace pcio
