// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What tests of several threads have in common.
//
// Nothing here waits for time: who must wait waits for an event, and a wait that never ends is the failure.

#pragma once

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "api/file_fixture.hpp"

/// The calls of one thread, in the thread; errors of it are not printed.
inline void quietly(const std::function<void()>& act) {
  H5E_auto2_t function = nullptr;
  void* data = nullptr;
  H5Eget_auto2(H5E_DEFAULT, &function, &data);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  act();
  H5Eset_auto2(H5E_DEFAULT, function, data);
}

/// Runs `act(number)` in so many threads and waits for them.
inline void in_threads(unsigned count, const std::function<void(unsigned)>& act) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&act, i] { quietly([&] { act(i); }); });
  for (std::thread& thread : threads) thread.join();
}

inline void add_group(hid_t at, const char* name) {
  const hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GT(group, 0);
  EXPECT_EQ(H5Gclose(group), 0);
}

inline bool opens(hid_t at, const char* name) {
  const hid_t object = H5Oopen(at, name, H5P_DEFAULT);
  return object > 0 && H5Oclose(object) >= 0;
}

inline std::vector<int> content(hid_t at, const char* name) {
  std::vector<int> values(10, -1);
  const hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
  return values;
}

inline void fill(hid_t at, const char* name, int value) {
  const std::vector<int> values(10, value);
  const hid_t data = H5Dopen2(at, name, H5P_DEFAULT);
  EXPECT_GE(H5Dwrite(data, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  H5Dclose(data);
}

/// `file` and another one, both with groups /a, /b, /c.
class Threads : public FileTest {
 protected:
  void SetUp() override {
    FileTest::SetUp();
    other = H5Fcreate(other_.str().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(other, 0);
    for (hid_t at : {file, other})
      for (const char* name : {"a", "b", "c"}) add_group(at, name);
  }
  void TearDown() override {
    if (H5Iis_valid(other) > 0) H5Fclose(other);
    FileTest::TearDown();
  }
  hid_t other = -1;
  pcio::test::TempPath other_{"other.h5"};
};

/// What failed in this thread, for what is no fixture.
struct ErrorText : QuietTest {
  void TestBody() override {}
  using QuietTest::first_error;
};
inline std::string what_failed() { return ErrorText::first_error(); }
