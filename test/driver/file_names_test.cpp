// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors

#include "driver/file_names.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <unistd.h>

#include "support/temp_path.hpp"

namespace pcio {
namespace {

/// Random names, as the standard library takes them.
TEST(FileNames, AsTheStandardLibrary) {
  std::mt19937 random(7);
  const std::string parts[] = {"a", "b.h5", ".", "..", "", "...", "x y"};
  int roots = 0, backs = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string name = random() % 2 == 0 ? "/" : "";
    for (auto n = 1 + random() % 6; n-- > 0;) name += parts[random() % 7] + (n > 0 ? "/" : "");
    const std::filesystem::path theirs = std::filesystem::absolute(name.empty() ? "." : name);
    std::string normal = theirs.lexically_normal().string();
    if (normal.size() > 1 && normal.back() == '/') normal.pop_back();
    ASSERT_EQ(normal_name(absolute_name(name)), normal) << name;
    roots += normal == "/" ? 1 : 0;
    backs += name.find("..") != std::string::npos ? 1 : 0;
  }
  EXPECT_GT(roots, 0);
  EXPECT_GT(backs, 0);
}

TEST(FileNames, ALastingOneHasNoLinks) {
  const test::TempPath temp("names");
  const std::string folder = std::filesystem::weakly_canonical(temp.str() + ".d").string();
  std::filesystem::create_directories(folder + "/real");
  std::filesystem::create_directory_symlink("real", folder + "/link");
  EXPECT_EQ(lasting_name(folder + "/link/file"), folder + "/real/file");
  EXPECT_EQ(lasting_name("/file"), "/file");
  EXPECT_EQ(lasting_name(folder + "/none/file"), "");
  EXPECT_EQ(lasting_name(""), "");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pcio
