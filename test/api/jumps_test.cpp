// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room lib: a conversion that is left by longjmp, which no program may do. The call is never over: its thread goes on, and the
// file is closed when the program ends.

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <unistd.h>

#include "api/file_fixture.hpp"

#ifdef PCIO_VERSION

namespace {

std::jmp_buf before_the_call;

H5T_conv_ret_t jump(H5T_conv_except_t, hid_t, hid_t, void*, void*, void*) {
  std::longjmp(before_the_call, 1);
}

/// Ends the process; 0 where all calls behind the jump did what they are for.
[[noreturn]] void jump_out_of_a_write(const std::string& path) {
  // A thread that waits for itself fails the test.
  alarm(60);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t count = 4;
  const hid_t space = H5Screate_simple(1, &count, nullptr), list = H5Pcreate(H5P_DATASET_XFER);
  const hid_t data =
      H5Dcreate2(file, "d", H5T_STD_I8LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Pset_type_conv_cb(list, jump, nullptr);
  const int large[] = {1000, 1000, 1000, 1000}, small[] = {1, 2, 3, 4};
  int found[4] = {};
  if (setjmp(before_the_call) == 0) {  // NOLINT(cert-err52-cpp): that is what is tested
    H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, list, large);
    std::_Exit(2);
  }
  bool good = H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, small) >= 0;
  good = good && H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0;
  good = good && std::equal(found, found + 4, small);
  good = good && H5Gclose(H5Gcreate2(file, "g", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0;
  good = good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
  good = good && H5Gclose(H5Gcreate2(file, "h", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)) >= 0;
  good = good && H5Dclose(data) >= 0 && H5Fclose(file) >= 0;
  std::exit(good ? 0 : 1);
}

TEST_F(FileTest, AJumpOutOfAConversionLeavesTheNextCallsAlone) {
  const std::string other = path() + ".jump";
  ASSERT_EQ(H5Fclose(file), 0);
  EXPECT_EXIT(jump_out_of_a_write(other), ::testing::ExitedWithCode(0), "");
  const hid_t made = H5Fopen(other.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GT(made, 0) << first_error();
  for (const char* name : {"d", "g", "h"}) EXPECT_EQ(H5Lexists(made, name, H5P_DEFAULT), 1) << name;
  EXPECT_EQ(H5Fclose(made), 0);
  ::unlink(other.c_str());
}

}  // namespace

#endif
