// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/objects: the entries of a sorted map by their numbers.

#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

namespace pcio {

/// Finds the n-th entry of a map. Entries near an end are walked to; for others all are listed, once
/// until the map changes: who goes through a map by numbers, or deletes from one of its ends, pays for
/// each entry once.
template <class Map>
class Numbered {
 public:
  using Iterator = typename Map::const_iterator;
  /// The map has changed.
  void forget() { all_.clear(); }
  /// `n` is below the size of the map.
  Iterator nth(const Map& map, std::size_t n) {
    if (all_.size() == map.size()) return all_[n];
    if (n < kNear) return std::next(map.begin(), static_cast<std::ptrdiff_t>(n));
    if (map.size() - n <= kNear)
      return std::prev(map.end(), static_cast<std::ptrdiff_t>(map.size() - n));
    all_.clear();
    all_.reserve(map.size());
    for (Iterator it = map.begin(); it != map.end(); ++it) all_.push_back(it);
    return all_[n];
  }

 private:
  static constexpr std::size_t kNear = 32;
  std::vector<Iterator> all_;
};

/// At most `most` entries from number `n` on, in rising or falling order.
template <class Map>
std::vector<typename Map::const_iterator> entries_from(const Map& map, Numbered<Map>& numbers,
                                                       std::size_t n, std::size_t most,
                                                       bool falling) {
  std::vector<typename Map::const_iterator> found;
  if (n >= map.size()) return found;
  auto at = numbers.nth(map, falling ? map.size() - 1 - n : n);
  for (std::size_t left = std::min(most, map.size() - n); left > 0; --left) {
    found.push_back(at);
    if (left > 1) falling ? --at : ++at;
  }
  return found;
}

/// All entries behind a key, which need not be there any more, in rising or falling order.
template <class Map, class Key>
std::vector<typename Map::const_iterator> entries_behind(const Map& map, const Key& key,
                                                         bool falling) {
  std::vector<typename Map::const_iterator> found;
  if (falling)
    for (auto at = map.lower_bound(key); at != map.begin();) found.push_back(--at);
  else
    for (auto at = map.upper_bound(key); at != map.end(); ++at) found.push_back(at);
  return found;
}

}  // namespace pcio
