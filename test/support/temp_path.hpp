// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: a file name of one's own that is gone at the end.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace pcio::test {

/// A name in $PCIO_TEST_TMP or /tmp, unique in this process and among processes.
class TempPath {
 public:
  explicit TempPath(const std::string& name) {
    static int number = 0;
    const char* folder = std::getenv("PCIO_TEST_TMP");
    path_ = std::string(folder != nullptr ? folder : "/tmp") + "/pcio-" + std::to_string(getpid()) +
            "-" + std::to_string(number++) + "-" + name;
    std::remove(path_.c_str());
  }
  TempPath(const TempPath&) = delete;
  TempPath& operator=(const TempPath&) = delete;
  ~TempPath() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& str() const { return path_; }

 private:
  std::string path_;
};

}  // namespace pcio::test
