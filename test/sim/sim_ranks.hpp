// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Test support: files of simulated ranks through the rooms' doors, and what must hold of them.

#pragma once

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "driver/mpi_settings.hpp"
#include "sim/sim_world.hpp"
#include "support/file_session.hpp"

namespace pcio::test {

using sim::SimCall;
using sim::SimFault;
using sim::SimOptions;
using sim::SimWorld;

/// A world with a folder for each rank, in which all name one simulated file.
class SimRanks {
 public:
  explicit SimRanks(const SimOptions& options)
      : world_(options), ranks_(options.ranks), root_(new_root()) {
    std::filesystem::create_directories(folder(0));
    for (int r = 1; r < ranks_; ++r) std::filesystem::create_directory_symlink("r0", folder(r));
  }
  SimRanks(const SimRanks&) = delete;
  SimRanks& operator=(const SimRanks&) = delete;
  ~SimRanks() { std::filesystem::remove_all(root_); }

  [[nodiscard]] SimWorld& world() { return world_; }
  [[nodiscard]] int size() const { return ranks_; }
  [[nodiscard]] std::string path(int rank) const { return folder(rank) + "/sim.h5"; }
  [[nodiscard]] std::vector<std::byte>& bytes() { return world_.file("sim.h5"); }

  /// Opens the file on this rank. Collective: over the ranks.
  Result<FilePtr> open(int rank, OpenMode mode) {
    PCIO_ASSIGN(const MpioSettings settings, MpioSettings::create(MPI_COMM_WORLD, MPI_INFO_NULL));
    OpenWith with;
    with.path = path(rank);
    return open_session(settings, mode, with);
  }

  /// What must be left to MPI, because it gave it to some ranks and not to others.
  void expect_left(std::string what) { left_ = std::move(what); }
  /// body(rank) as every rank: each one's result. The test fails where ranks don't come to the end
  /// together, and where something was made and not freed.
  std::vector<Status> run(const std::function<Status(int)>& body) {
    std::vector<Status> results(static_cast<std::size_t>(ranks_));
    const std::string kept =
        world_.run([&](int rank) { results[static_cast<std::size_t>(rank)] = body(rank); });
    EXPECT_EQ(kept, "");
    if (kept.empty()) {
      EXPECT_EQ(world_.leaks(), left_);
    }
    return results;
  }
  /// The same where nothing may fail.
  void must_run(const std::function<Status(int)>& body) {
    for (const Status& result : run(body)) EXPECT_TRUE(result.ok()) << result.message();
  }

 private:
  [[nodiscard]] std::string folder(int rank) const { return root_ + "/r" + std::to_string(rank); }
  /// In memory where there is such a place: files are synced, and a disk takes its time for that.
  static std::string new_root() {
    static int number = 0;
    const char* const asked = std::getenv("PCIO_TEST_TMP");
    const std::string disk = asked != nullptr ? asked : "/tmp";
    return (::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : disk) + "/pcio-sim-" +
           std::to_string(::getpid()) + "-" + std::to_string(number++);
  }
  SimWorld world_;
  int ranks_;
  std::string root_;
  std::string left_;
};

/// All ranks succeed, or all fail. Returns whether they succeeded.
inline bool all_alike(const std::vector<Status>& results) {
  const auto good = std::count_if(results.begin(), results.end(),
                                  [](const Status& result) { return result.ok(); });
  EXPECT_TRUE(good == 0 || good == static_cast<std::ptrdiff_t>(results.size()))
      << good << " of " << results.size() << " ranks succeeded";
  return good == static_cast<std::ptrdiff_t>(results.size());
}

/// All frames of a failure, innermost first.
inline std::string whole_text(const Status& status) {
  std::string text;
  for (const ErrorFrame& frame : status.frames()) text += frame.text + "\n";
  return text;
}

}  // namespace pcio::test
