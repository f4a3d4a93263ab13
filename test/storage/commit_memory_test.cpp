// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage: how often the close of a file of many objects asks for memory.

#include <gtest/gtest.h>

#include "support/counted_memory.hpp"
#include "support/file_session.hpp"

namespace pcio {
namespace {

using namespace test;

/// Datasets with so many attributes that their headers have a second piece.
std::uint64_t allocations_of_close(int datasets) {
  const FilePtr file = must(open_session(make_disk(), OpenMode::kTruncate));
  for (int i = 0; i < datasets; ++i) {
    const Location data = must(add_dataset(file, "/d" + std::to_string(i), {.dims = {8}}));
    for (const char* name : {"a", "b", "c", "d"})
      must(add_attribute(data, name, std::vector<std::int32_t>{1, 2, 3, 4}));
  }
  memory::begin(1);
  memory::attribute_to(0);
  const Status closed = close_session(file);
  memory::attribute_to(memory::kNobody);
  const std::uint64_t allocations = memory::allocations(0);
  memory::end();
  must(Status(closed));
  return allocations;
}

TEST(CommitMemory, IsNotAskedForPieceByPieceOfEachHeader) {
  constexpr int kFew = 200, kMany = 600;
  const std::uint64_t few = allocations_of_close(kFew), many = allocations_of_close(kMany);
  const double each = static_cast<double>(many - few) / (kMany - kFew);
  RecordProperty("allocations_of_each", std::to_string(each));
  EXPECT_LT(each, 2.5);
}

}  // namespace
}  // namespace pcio
