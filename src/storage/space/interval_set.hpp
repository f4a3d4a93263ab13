// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: a set of numbers kept as intervals.

#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace pcio {

/// Numbers in [first, end) intervals that neither overlap nor touch. A value type.
class IntervalSet {
 public:
  void add(std::uint64_t first, std::uint64_t end) {
    // What is there already asks for no memory.
    if (contains(first, end)) return;
    auto it = intervals_.upper_bound(first);
    if (it != intervals_.begin() && std::prev(it)->second >= first) --it;
    while (it != intervals_.end() && it->first <= end) {
      first = std::min(first, it->first);
      end = std::max(end, it->second);
      it = intervals_.erase(it);
    }
    intervals_.emplace_hint(it, first, end);
  }

  [[nodiscard]] bool contains(std::uint64_t first, std::uint64_t end) const {
    if (first >= end) return true;
    auto it = intervals_.upper_bound(first);
    return it != intervals_.begin() && std::prev(it)->second >= end;
  }

  /// Calls visit(first, end) for the parts of [first, end) that are not in the set, ascending.
  template <class F>
  void for_each_gap(std::uint64_t first, std::uint64_t end, F&& visit) const {
    auto it = intervals_.upper_bound(first);
    if (it != intervals_.begin()) first = std::max(first, std::prev(it)->second);
    for (; first < end; ++it) {
      const std::uint64_t next = it == intervals_.end() ? end : std::min(end, it->first);
      if (first < next) visit(first, next);
      if (it == intervals_.end()) return;
      first = std::max(first, it->second);
    }
  }

  [[nodiscard]] bool empty() const { return intervals_.empty(); }
  [[nodiscard]] const std::map<std::uint64_t, std::uint64_t>& intervals() const {
    return intervals_;
  }
  void clear() { intervals_.clear(); }

 private:
  std::map<std::uint64_t, std::uint64_t> intervals_;  // first to end
};

}  // namespace pcio
