// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// What is in the file and what waits where, of chunks that ranks can't encode. Room: testpar, public headers only.

#ifndef PCIO_TESTPAR_UNENCODED_MODEL_HPP
#define PCIO_TESTPAR_UNENCODED_MODEL_HPP

#include <algorithm>
#include <array>
#include <climits>
#include <hdf5.h>
#include <map>
#include <utility>

#include "support.hpp"

namespace unencoded {

inline constexpr int kChunks = 4, kElements = 8, kDatasets = 4;  // the last one has no filters
inline constexpr hsize_t kAll = kChunks * kElements;
inline constexpr H5Z_filter_t kFilter = 300;
inline constexpr int kAlways = INT_MAX;
using Values = std::array<
    int, kElements>;  // of a chunk; the first says whose: 1 + chunk + 10 * dataset + 100 * version

/// How often a rank fails to encode such a chunk, and whether for want of memory.
struct Failing {
  int times = 0;
  bool memory = false;
};

/// What the ranks have of one chunk.
struct ChunkModel {
  struct Version {
    Values values;
    bool written;         // by this rank, and no copy of what all had
    bool packed = false;  // as it is to lie in the file
    int left_in = 0;      // the first call of all ranks that left it out
    [[nodiscard]] int order() const { return !written ? 0 : left_in == 0 ? INT_MAX : left_in; }
  };
  Values file{};
  std::map<int, Version> waits;  // by rank

  /// The file has `version` of `rank`: what is older waits no longer.
  void settle(int rank, const Version& version) {
    file = version.values;
    const int placed = version.order();
    std::erase_if(waits, [&](const auto& entry) {
      const int order = entry.second.order();
      return order == 0 || order < placed || (order == placed && entry.first <= rank);
    });
  }
};

/// What a call of all ranks could not write of a dataset.
struct LeftModel {
  bool any = false, lacks_memory = false, walked_again = false;
};

struct DatasetModel {
  std::array<ChunkModel, kChunks> chunks;
  std::array<std::map<int, Failing>, kChunks> fails;  // by rank
  bool linked = true;
  bool open = true;  // on all ranks
  [[nodiscard]] bool usable() const { return linked || open; }

  /// What waits goes to the file but for what fails; what lacked memory, and copies that nobody has written, are tried
  /// twice. `round`: of the call.
  LeftModel write_waiting(int round) {
    LeftModel left;
    Tries failed = walk({});
    left.walked_again = !failed.empty();
    if (left.walked_again) failed = walk(failed);
    for (const auto& [which, memory] : failed) {
      int& left_in = chunks[static_cast<std::size_t>(which.first)].waits[which.second].left_in;
      if (left_in == 0) left_in = round;
      left.lacks_memory = left.lacks_memory || memory;
    }
    left.any = !failed.empty();
    return left;
  }

 private:
  /// By chunk and rank: it failed, for want of memory or not.
  using Tries = std::map<std::pair<int, int>, bool>;

  /// What goes on failing. `before`: of the first walk; without any this is that one.
  Tries walk(const Tries& before) {
    Tries failed;
    for (int c = 0; c < kChunks; ++c) {
      ChunkModel& chunk = chunks[static_cast<std::size_t>(c)];
      int winner = -1;
      ChunkModel::Version won{};
      for (const auto& [rank, version] : chunk.waits) {
        if (!is_tried(c, rank, version, before)) {
          if (const auto earlier = before.find({c, rank}); earlier != before.end())
            failed.insert(*earlier);
        } else if (fails_now(c, rank, version)) {
          failed[{c, rank}] = fails[static_cast<std::size_t>(c)][rank].memory;
        } else if (winner < 0 || version.order() >= won.order()) {
          winner = rank;
          won = version;
        }
      }
      if (winner < 0) continue;
      chunk.settle(winner, won);
      // Nothing of what is older is missing.
      std::erase_if(failed, [&](const auto& entry) {
        return entry.first.first == c && !chunk.waits.contains(entry.first.second);
      });
    }
    return failed;
  }
  static bool is_tried(int c, int rank, const ChunkModel::Version& version, const Tries& before) {
    if (before.empty()) return version.written || rank == c % par::size();
    const auto earlier = before.find({c, rank});
    return !version.written || (earlier != before.end() && earlier->second);
  }
  bool fails_now(int c, int rank, const ChunkModel::Version& version) {
    Failing& failing = fails[static_cast<std::size_t>(c)][rank];
    if (failing.times == 0 || version.values[0] <= 0 || version.packed) return false;
    if (failing.times != kAlways) --failing.times;
    return true;
  }
};

}  // namespace unencoded

#endif
