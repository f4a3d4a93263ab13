// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// main() of the serial GoogleTest programs.

#include <gtest/gtest.h>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
