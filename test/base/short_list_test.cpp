// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Lists of few values, against std::vector.

#include "base/short_list.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <span>

namespace pcio {
namespace {

using List = ShortList<std::uint64_t, 3>;

void expect_equal(const List& list, const std::vector<std::uint64_t>& model) {
  ASSERT_EQ(list.size(), model.size());
  EXPECT_EQ(list.empty(), model.empty());
  const std::span<const std::uint64_t> all(list);
  EXPECT_TRUE(std::equal(all.begin(), all.end(), model.begin(), model.end()));
}

TEST(ShortList, IsAVectorWhateverIsDone) {
  std::mt19937_64 random(20261126);
  unsigned grown = 0, cut_to_few = 0, cut_to_many = 0;
  for (int round = 0; round < 300; ++round) {
    List list;
    std::vector<std::uint64_t> model;
    for (int step = 0; step < 40; ++step) {
      switch (random() % 5) {
        case 0: {
          const std::size_t keep = random() % (model.size() + 1);
          if (model.size() > 3) ++(keep > 3 ? cut_to_many : cut_to_few);
          list.keep_first(keep);
          model.resize(keep);
          break;
        }
        case 1: {
          List copy(list);
          expect_equal(copy, model);
          EXPECT_EQ(copy, list);
          copy.push_back(1);
          EXPECT_FALSE(copy == list);
          break;
        }
        case 2: {
          List other{7, 8};
          std::swap(list, other);
          expect_equal(other, model);
          list = std::move(other);
          break;
        }
        default:
          list.push_back(step);
          model.push_back(step);
          grown += model.size() == 4 ? 1 : 0;
      }
      expect_equal(list, model);
      if (!model.empty()) {
        const std::size_t at = random() % model.size();
        list[at] = model[at] = random();
      }
    }
  }
  EXPECT_GT(grown, 100U);
  EXPECT_GT(cut_to_few, 100U);
  EXPECT_GT(cut_to_many, 50U);
}

}  // namespace
}  // namespace pcio
