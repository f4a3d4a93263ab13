// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: sweep_owners.

#include "plan/owner_sweep.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace pcio {

namespace {

/// A rank with this share of the most bytes in a chunk may own it as well. Percent.
constexpr std::uint64_t kNearlyAsMany = 75;

class Sweep {
 public:
  Sweep(std::vector<RankTouch>& touches, const std::function<void(const OwnedSegment&)>& take)
      : touches_(touches), take_(take) {
    std::sort(touches_.begin(), touches_.end(), [](const RankTouch& a, const RankTouch& b) {
      return a.touch.first != b.touch.first ? a.touch.first < b.touch.first
                                            : a.mpi_rank < b.mpi_rank;
    });
  }

  /// From one position where a touch begins or ends to the next.
  void run() {
    std::size_t next = 0;
    ChunkOrdinal at = 0;
    while (next < touches_.size() || !active_.empty()) {
      if (active_.empty()) at = touches_[next].touch.first;
      for (; next < touches_.size() && touches_[next].touch.first == at; ++next) start(next);
      ChunkOrdinal end = next < touches_.size() ? touches_[next].touch.first
                                                : std::numeric_limits<ChunkOrdinal>::max();
      for (const RankTouch* touch : active_) end = std::min(end, touch->touch.end());
      give(at, end - at);
      at = end;
      std::erase_if(active_, [at](const RankTouch* touch) { return touch->touch.end() == at; });
    }
  }

 private:
  void start(std::size_t number) {
    const RankTouch* touch = &touches_[number];
    if (touch->touch.count == 0) return;
    const auto place =
        std::lower_bound(active_.begin(), active_.end(), touch->mpi_rank,
                         [](const RankTouch* a, std::uint64_t rank) { return a->mpi_rank < rank; });
    active_.insert(place, touch);
  }

  /// One stretch with the same ranks in all its chunks.
  void give(ChunkOrdinal first, std::uint64_t count) {
    if (count == 0 || active_.empty()) return;
    segment_.ranks.clear();
    segment_.chunks = {first, count, 0, false};
    std::uint64_t most = 0;
    for (const RankTouch* touch : active_) {
      segment_.ranks.push_back(touch->mpi_rank);
      segment_.chunks.bytes += touch->touch.bytes;
      segment_.chunks.whole = segment_.chunks.whole || touch->touch.whole;
      most = std::max(most, touch->touch.bytes);
    }
    candidates_.clear();
    for (const RankTouch* touch : active_)
      if (touch->touch.bytes >= most / 100 * kNearlyAsMany + most % 100 * kNearlyAsMany / 100)
        candidates_.push_back({loads_[touch->mpi_rank], touch->mpi_rank, 0});
    share_out(count);
    for (const Candidate& candidate : candidates_) {
      if (candidate.chunks == 0) continue;
      loads_[candidate.mpi_rank] += candidate.chunks;
      segment_.chunks.first = first;
      segment_.chunks.count = candidate.chunks;
      segment_.owner = candidate.mpi_rank;
      take_(segment_);
      first += candidate.chunks;
    }
  }

  struct Candidate {
    std::uint64_t load;
    std::uint64_t mpi_rank;
    std::uint64_t chunks;
  };

  /// Gives `count` chunks to those with the fewest, up to a common level; ties to lower ranks.
  void share_out(std::uint64_t count) {
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.load != b.load ? a.load < b.load : a.mpi_rank < b.mpi_rank;
    });
    // How many of them get something: as long as raising all before to the next one's load leaves
    // chunks.
    std::size_t n = 1;
    std::uint64_t left = count;
    for (; n < candidates_.size(); ++n) {
      const std::uint64_t step = candidates_[n].load - candidates_[n - 1].load;
      if (step > 0 && left / step < n) break;
      if (step * n >= left) break;
      left -= step * n;
    }
    const std::uint64_t level = candidates_[n - 1].load;
    for (std::size_t i = 0; i < n; ++i)
      candidates_[i].chunks = level - candidates_[i].load + left / n + (i < left % n ? 1 : 0);
    std::sort(candidates_.begin(), candidates_.end(),
              [](const Candidate& a, const Candidate& b) { return a.mpi_rank < b.mpi_rank; });
  }

  std::vector<RankTouch>& touches_;
  const std::function<void(const OwnedSegment&)>& take_;
  std::vector<const RankTouch*> active_;  ///< ascending by rank
  std::map<std::uint64_t, std::uint64_t> loads_;
  std::vector<Candidate> candidates_;
  OwnedSegment segment_;
};

}  // namespace

void sweep_owners(std::vector<RankTouch>& touches,
                  const std::function<void(const OwnedSegment&)>& take) {
  Sweep(touches, take).run();
}

}  // namespace pcio
