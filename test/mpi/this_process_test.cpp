// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room mpi: which process this is.

#include "mpi/this_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pcio {
namespace {

TEST(ThisProcess, IsTheChildInAChild) {
  EXPECT_EQ(this_process(), ::getpid());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) ::_exit(this_process() == ::getpid() ? 0 : 1);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(this_process(), ::getpid());
}

}  // namespace
}  // namespace pcio
