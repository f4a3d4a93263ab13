// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Splitting of large counts, and errors of MPI as statuses, without MPI_Init.

#include "mpi/large_count.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "base/types.hpp"
#include "mpi/environment.hpp"
#include "mpi/info.hpp"

namespace pcio::mpi {
namespace {

TEST(ForEachPiece, CoversEverythingInOrder) {
  for (std::uint64_t total : {std::uint64_t{0}, std::uint64_t{1}, kMaxCallBytes, kMaxCallBytes + 1,
                              5 * kMaxCallBytes, 5 * kMaxCallBytes - 1}) {
    std::uint64_t next = 0;
    std::uint64_t pieces = 0;
    ASSERT_TRUE(for_each_piece(total, kMaxCallBytes, [&](std::uint64_t start, std::uint64_t n) {
                  EXPECT_EQ(start, next);
                  EXPECT_TRUE(n > 0 && n <= kMaxCallBytes);
                  next = start + n;
                  ++pieces;
                  return Status();
                }).ok());
    EXPECT_EQ(next, total);
    EXPECT_EQ(pieces, (total + kMaxCallBytes - 1) / kMaxCallBytes);
  }
}

TEST(ForEachPiece, StopsAtTheFirstFailure) {
  int pieces = 0;
  Status seen = for_each_piece(10, 3, [&](std::uint64_t, std::uint64_t) -> Status {
    if (++pieces == 2) return PCIO_ERROR(IO, WRITEERROR, "no");
    return Status();
  });
  EXPECT_FALSE(seen.ok());
  EXPECT_EQ(pieces, 2);
}

TEST(Environment, WithoutMpiNothingIsTouched) {
  EXPECT_FALSE(is_active());
  EXPECT_FALSE(require_active().ok());
  EXPECT_EQ(thread_level(), MPI_THREAD_SINGLE);
  EXPECT_TRUE(Info::duplicate(MPI_INFO_NULL).has_value());
  std::uint64_t number = at_finalize([] {});
  forget_at_finalize(number);
  forget_at_finalize(number);
}

}  // namespace
}  // namespace pcio::mpi
