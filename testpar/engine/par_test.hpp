// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Frame of the parallel engine tests: checks that name their rank, and one exit status for all
// ranks.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <mpi.h>

#include "base/status.hpp"

namespace pcio::test {

/// One per program, in main, around everything: MPI_Init, counting, MPI_Finalize.
class ParallelTest {
 public:
  ParallelTest(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    // Started by another MPI library's launcher, this would be a world of size 1.
    const char* wanted = std::getenv("PCIO_TEST_NP");
    check(wanted == nullptr || std::atoi(wanted) == size_,
          "the number of ranks is the one asked for");
  }

  void check(bool good, const std::string& what) {
    if (good) return;
    ++failures_;
    std::fprintf(stderr, "rank %d: FAILED: %s\n", rank_, what.c_str());
  }
  void check(const Status& status, const std::string& what) {
    if (!status.ok()) check(false, what + ": " + status.message());
  }
  /// The outermost or innermost text of `status` contains `part`.
  void check_says(const Status& status, const std::string& part, const std::string& what) {
    std::string all;
    for (const ErrorFrame& frame : status.frames()) all += frame.text + " | ";
    check(!status.ok() && all.find(part) != std::string::npos,
          what + ": wanted \"" + part + "\" in \"" + all + "\"");
  }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// A name that all ranks share, in $PCIO_TEST_TMP or /tmp.
  [[nodiscard]] std::string shared_path(const std::string& name) const {
    const char* folder = std::getenv("PCIO_TEST_TMP");
    char text[512] = {};
    if (rank_ == 0)
      std::snprintf(text, sizeof text, "%s/pcio-par-%d-%s", folder != nullptr ? folder : "/tmp",
                    static_cast<int>(MPI_Wtime() * 1000) & 0xFFFFFF, name.c_str());
    MPI_Bcast(text, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
    return text;
  }
  void remove_shared(const std::string& path) const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::remove(path.c_str());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  /// Finalizes; the exit status is the same on all ranks.
  int finish() {
    int all = 0;
    MPI_Allreduce(&failures_, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 0 ? 0 : 1;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  int failures_ = 0;
};

}  // namespace pcio::test
