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

/// Of the ranks of a node, one with this share of the most bytes in a chunk may own it as well. Percent.
constexpr std::uint64_t kNearlyAsMany = 75;
/// The same of nodes: what a node has not got crosses the network. Percent.
constexpr std::uint64_t kNodeNearlyAsMany = 90;

[[nodiscard]] std::uint64_t percent_of(std::uint64_t n, std::uint64_t percent) {
  return n / 100 * percent + n % 100 * percent / 100;
}

class Sweep {
 public:
  Sweep(std::vector<RankTouch>& touches, const Machine& machine,
        const std::function<void(const OwnedSegment&)>& take)
      : touches_(touches), machine_(machine), take_(take) {
    std::sort(touches_.begin(), touches_.end(), [](const RankTouch& a, const RankTouch& b) {
      return a.touch.first != b.touch.first ? a.touch.first < b.touch.first
                                            : a.mpi_rank < b.mpi_rank;
    });
    if (machine_.nodes() > 1) limit_nodes();
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

  /// Chunks that a node may own of those that it shares with others: one and a half equal shares of its ranks.
  void limit_nodes() {
    std::uint64_t chunks = 0;
    ChunkOrdinal end = 0;
    std::vector<std::uint64_t> ranks;
    ranks.reserve(touches_.size());
    for (const RankTouch& touch : touches_) {
      if (touch.touch.count == 0) continue;
      ranks.push_back(touch.mpi_rank);
      const ChunkOrdinal first = std::max(end, touch.touch.first);
      if (touch.touch.end() <= first) continue;
      chunks += touch.touch.end() - first;
      end = touch.touch.end();
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    const std::uint64_t all = std::max<std::uint64_t>(1, ranks.size());
    // Of one rank, in halves.
    const std::uint64_t each = chunks / all * 3 + chunks % all * 3 / all;
    for (const std::uint64_t rank : ranks) node_loads_[machine_.node_of(rank)].limit += each;
    for (auto& [node, load] : node_loads_) load.limit = load.limit / 2 + 1;
  }

  /// One stretch with the same ranks in all its chunks.
  void give(ChunkOrdinal first, std::uint64_t count) {
    if (count == 0 || active_.empty()) return;
    segment_.ranks.clear();
    segment_.chunks = {first, count, 0, false};
    for (const RankTouch* touch : active_) {
      segment_.ranks.push_back(touch->mpi_rank);
      segment_.chunks.bytes += touch->touch.bytes;
      segment_.chunks.whole = segment_.chunks.whole || touch->touch.whole;
    }
    add_up_nodes();
    while (count > 0) {
      const std::uint64_t now = choose_candidates(count);
      share_out(now);
      count -= now;
      first = hand_over(first);
    }
  }
  ChunkOrdinal hand_over(ChunkOrdinal first) {
    for (const Candidate& candidate : candidates_) {
      if (candidate.chunks == 0) continue;
      loads_[candidate.mpi_rank] += candidate.chunks;
      if (machine_.nodes() > 1)
        node_loads_[machine_.node_of(candidate.mpi_rank)].chunks += candidate.chunks;
      segment_.chunks.first = first;
      segment_.chunks.count = candidate.chunks;
      segment_.owner = candidate.mpi_rank;
      take_(segment_);
      first += candidate.chunks;
    }
    return first;
  }

  /// What a node has of each chunk of a stretch.
  struct NodeShare {
    std::uint64_t node = 0;
    std::uint64_t bytes = 0;  ///< of all its ranks
    std::uint64_t most = 0;   ///< of one of them
    bool chosen = false;
  };

  void add_up_nodes() {
    nodes_.clear();
    for (const RankTouch* touch : active_)
      nodes_.push_back({machine_.node_of(touch->mpi_rank), touch->touch.bytes, touch->touch.bytes});
    std::sort(nodes_.begin(), nodes_.end(),
              [](const NodeShare& a, const NodeShare& b) { return a.node < b.node; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      if (nodes_[i].node != nodes_[last].node) {
        nodes_[++last] = nodes_[i];
        continue;
      }
      nodes_[last].bytes += nodes_[i].bytes;
      nodes_[last].most = std::max(nodes_[last].most, nodes_[i].most);
    }
    nodes_.resize(last + 1);
  }
  /// Chunks that the node may have yet; those that it alone touches are no matter of that.
  [[nodiscard]] std::uint64_t room_of(std::uint64_t node) const {
    if (nodes_.size() == 1) return std::numeric_limits<std::uint64_t>::max();
    const NodeLoad& load = node_loads_.at(node);
    return load.chunks < load.limit ? load.limit - load.chunks : 0;
  }

  /// Who may own chunks of the stretch; how many of `count` they take.
  std::uint64_t choose_candidates(std::uint64_t count) {
    std::uint64_t most = 0;
    for (const NodeShare& share : nodes_)
      if (room_of(share.node) > 0) most = std::max(most, share.bytes + 1);
    const bool nobody = most == 0;
    for (const NodeShare& share : nodes_)
      if (nobody) most = std::max(most, share.bytes + 1);
    std::uint64_t room = 0;
    for (NodeShare& share : nodes_) {
      const std::uint64_t theirs = nobody ? count : room_of(share.node);
      share.chosen = theirs > 0 && share.bytes >= percent_of(most - 1, kNodeNearlyAsMany);
      if (share.chosen) room += std::min(theirs, count - std::min(room, count));
    }
    candidates_.clear();
    for (const RankTouch* touch : active_) {
      const NodeShare& share = share_of(machine_.node_of(touch->mpi_rank));
      if (share.chosen && touch->touch.bytes >= percent_of(share.most, kNearlyAsMany))
        candidates_.push_back({loads_[touch->mpi_rank], touch->mpi_rank, 0});
    }
    return std::min(room, count);
  }
  [[nodiscard]] const NodeShare& share_of(std::uint64_t node) const {
    return *std::lower_bound(nodes_.begin(), nodes_.end(), node,
                             [](const NodeShare& a, std::uint64_t n) { return a.node < n; });
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
  const Machine& machine_;
  const std::function<void(const OwnedSegment&)>& take_;
  std::vector<const RankTouch*> active_;  ///< ascending by rank
  std::map<std::uint64_t, std::uint64_t> loads_;
  struct NodeLoad {
    std::uint64_t chunks = 0;
    std::uint64_t limit = 0;
  };
  std::map<std::uint64_t, NodeLoad> node_loads_;
  std::vector<NodeShare> nodes_;  ///< ascending; of the stretch
  std::vector<Candidate> candidates_;
  OwnedSegment segment_;
};

}  // namespace

void sweep_owners(std::vector<RankTouch>& touches, const Machine& machine,
                  const std::function<void(const OwnedSegment&)>& take) {
  Sweep(touches, machine, take).run();
}

}  // namespace pcio
