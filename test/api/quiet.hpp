// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Fixture of tests that make errors on purpose: nothing is printed, the text can be asked for.

#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <string>

class QuietTest : public ::testing::Test {
 protected:
  void SetUp() override {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  void TearDown() override { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

  /// Text of the innermost error of the last call; "" where it succeeded.
  static std::string first_error() {
    const std::string all = all_errors();
    return all.substr(0, all.find('\n'));
  }
  /// Texts of all of them, the innermost first, a line each.
  static std::string all_errors() {
    std::string text;
    H5Ewalk2(
        H5E_DEFAULT, H5E_WALK_UPWARD,
        [](unsigned, const H5E_error2_t* error, void* out) -> herr_t {
          *static_cast<std::string*>(out) += std::string(error->desc) + "\n";
          return 0;
        },
        &text);
    return text;
  }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// An enumerator that does not exist, as a C program may pass one. That is undefined in C++, so the
/// sanitizer must look away here; it must have nothing to say about the library.
template <class Enum>
__attribute__((no_sanitize("undefined"))) Enum number_as(int number) {
  static_assert(sizeof(Enum) == sizeof number);
  Enum value;
  std::memcpy(&value, &number, sizeof value);
  return value;
}
