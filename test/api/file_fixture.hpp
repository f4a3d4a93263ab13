// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Fixture of tests on a new file: `file` is open and closed at the end if the test did not do it.
//
// These tests also compile against libhdf5, where they must pass too but for what PCIO_ONLY guards.

#pragma once

#include <string>
#include <vector>

#include "api/quiet.hpp"
#include "support/temp_path.hpp"

class FileTest : public QuietTest {
 protected:
  void SetUp() override {
    QuietTest::SetUp();
    file = H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
  }
  void TearDown() override {
    if (H5Iis_valid(file) > 0) H5Fclose(file);
    QuietTest::TearDown();
  }
  [[nodiscard]] const std::string& path() const { return temp_.str(); }

  /// Closes and opens again, so that what follows is read from the file.
  void reopen(unsigned flags = H5F_ACC_RDWR) {
    ASSERT_EQ(H5Fclose(file), 0) << first_error();
    file = H5Fopen(path().c_str(), flags, H5P_DEFAULT);
    ASSERT_GT(file, 0) << first_error();
  }

  /// A group that is closed at once.
  void make_group(const char* name) {
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(group, 0) << first_error();
    ASSERT_EQ(H5Gclose(group), 0);
  }
  /// A dataset of ints that is closed at once.
  void make_dataset(const char* name, hsize_t size) {
    hid_t space = H5Screate_simple(1, &size, nullptr);
    hid_t dataset =
        H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GT(dataset, 0) << first_error();
    ASSERT_EQ(H5Dclose(dataset), 0);
    ASSERT_EQ(H5Sclose(space), 0);
  }
  /// What a call with a name buffer gives: the text, asked for in two steps.
  template <class Call>
  static std::string text_of(Call&& call) {
    ssize_t length = call(nullptr, 0);
    if (length < 0) return "<error>";
    if (length == 0) return "";
    std::vector<char> buffer(static_cast<std::size_t>(length) + 1, '#');
    EXPECT_EQ(call(buffer.data(), buffer.size()), length);
    return std::string(buffer.data());
  }
  static std::string name_of(hid_t id) {
    return text_of([&](char* buffer, size_t size) { return H5Iget_name(id, buffer, size); });
  }

  hid_t file = H5I_INVALID_HID;

 private:
  pcio::test::TempPath temp_{"api.h5"};
};

/// What is true of libpcio and not of libhdf5: texts of errors, and what is refused or stricter.
#ifdef PCIO_VERSION
#define PCIO_ONLY(...) __VA_ARGS__
#else
#define PCIO_ONLY(...)
#endif
