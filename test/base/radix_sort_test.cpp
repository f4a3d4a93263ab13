// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room base: radix_sort against std::stable_sort.

#include "base/radix_sort.hpp"

#include <gtest/gtest.h>
#include <random>

namespace pcio {
namespace {

struct Item {
  std::uint64_t key;
  std::size_t number;
};

TEST(RadixSort, IsAStableSort) {
  std::mt19937_64 random(7);
  for (const unsigned bits : {1U, 5U, 11U, 12U, 33U, 64U}) {
    for (const std::size_t n : {0UL, 1UL, 511UL, 512UL, 5000UL}) {
      std::vector<Item> items;
      for (std::size_t i = 0; i < n; ++i) items.push_back({random() >> (64 - bits), i});
      std::vector<Item> model = items;
      std::stable_sort(model.begin(), model.end(),
                       [](const Item& a, const Item& b) { return a.key < b.key; });
      radix_sort(items, [](const Item& item) { return item.key; });
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(items[i].key, model[i].key);
        ASSERT_EQ(items[i].number, model[i].number);
      }
    }
  }
}

}  // namespace
}  // namespace pcio
