// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: plan_lower_end.

#include "storage/space/lower_end.hpp"

#include <algorithm>

namespace pcio {

namespace {

bool is_gain(FileAddress before, FileAddress after) {
  const std::uint64_t gain = before - std::min(before, after);
  return gain >= kLeastGain && gain >= before / kLeastGainPart;
}

/// How many of the last ranges can go, and the free space as it is then.
class Descent {
 public:
  Descent(const FileSpace& space, std::vector<MovableBytes> movable)
      : space_(space), movable_(std::move(movable)), rest_(space.reusable()), below_(rest_) {
    std::sort(movable_.begin(), movable_.end(), [](const MovableBytes& a, const MovableBytes& b) {
      return a.range.offset < b.range.offset;
    });
  }

  LowerEnd run() {
    LowerEnd plan;
    FileAddress end = space_.end_of_allocation();
    std::size_t stays = movable_.size();
    for (; stays > 0; --stays) {
      const MovableBytes& what = movable_[stays - 1];
      if (!only_holes_between(what.range.end(), end)) break;
      const FileAddress to = take_below(what.range);
      if (to == kUndefinedAddress) break;
      plan.moves.push_back({what, to});
      end = what.range.offset;
    }
    // What still is free right below goes too.
    rest_.erase({end, space_.end_of_allocation() - end});
    if (!rest_.empty() && rest_.back().end() == end) end = rest_.back().offset;
    plan.end = end;
    std::reverse(plan.moves.begin(), plan.moves.end());
    if (!is_gain(space_.end_of_allocation(), end)) return {{}, space_.end_of_allocation()};
    keep_order(&plan);
    return plan;
  }

 private:
  /// And what moved already did not go there.
  [[nodiscard]] bool only_holes_between(FileAddress from, FileAddress to) const {
    return from == to || (from < to && rest_.contains({from, to - from}));
  }

  FileAddress take_below(ByteRange range) {
    below_.erase({range.offset, space_.end_of_allocation() - range.offset});
    const FileAddress at = below_.lowest_fit(range.size, space_.alignment_of(range.size));
    if (at == kUndefinedAddress) return at;
    below_.erase({at, range.size});
    rest_.erase({at, range.size});
    return at;
  }

  /// The descent put the last chunk first. In the order that they have now they are read in fewer
  /// and longer pieces; where they fit in that order too they keep it.
  void keep_order(LowerEnd* plan) const {
    RangeSet holes = space_.reusable();
    holes.erase({plan->end, space_.end_of_allocation() - plan->end});
    std::vector<FileAddress> places;
    for (const PlannedMove& move : plan->moves) {
      const std::uint64_t size = move.what.range.size;
      const FileAddress at = holes.lowest_fit(size, space_.alignment_of(size));
      if (at == kUndefinedAddress) return;
      holes.erase({at, size});
      places.push_back(at);
    }
    for (std::size_t i = 0; i < places.size(); ++i) plan->moves[i].to = places[i];
  }

  const FileSpace& space_;
  std::vector<MovableBytes> movable_;
  RangeSet rest_;   // what stays free
  RangeSet below_;  // of that what lies before the bytes that were looked at last
};

}  // namespace

bool may_end_lower(const FileSpace& space) {
  const FileAddress end = space.end_of_allocation();
  return !space.paged() && space.settings().strategy <= FileSpaceStrategy::kPaged &&
         is_gain(end, end - space.reusable_bytes());
}

LowerEnd plan_lower_end(const FileSpace& space, std::vector<MovableBytes> movable) {
  return Descent(space, std::move(movable)).run();
}

}  // namespace pcio
