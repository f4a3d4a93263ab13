// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: which bytes of the file one structure has, through plans that hold and plans that don't.

#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "storage/space/file_space.hpp"

namespace pcio {

/// What a structure took, takes and gives up. Where memory runs out in a change no bytes are without an owner, and none
/// are released twice: the next change goes on. Collective: pure. Threads: one thread drives a file.
class BlockOwner {
 public:
  /// Bytes that the file already has for it. False where it has some of them twice.
  [[nodiscard]] bool adopt(ByteRange range) {
    const auto next = owned_.lower_bound(range.offset);
    if (next != owned_.end() && next->first < range.end()) return false;
    if (next != owned_.begin() && range.size > 0) {
      const auto before = std::prev(next);
      if (before->first + before->second > range.offset) return false;
    }
    owned_.emplace_hint(next, range.offset, range.size);
    return true;
  }
  /// Errors: NOSPACE.
  Result<FileAddress> take(std::uint64_t bytes, FileSpace& space) {
    // What may lack memory comes first: bytes that were given have an owner.
    Ranges owned{{0, bytes}}, now{{0, bytes}};
    PCIO_ASSIGN(FileAddress address, space.allocate(bytes, SpaceUse::kMetadata));
    put(owned, address, &owned_);
    put(now, address, &new_);
    return address;
  }
  /// No longer needed once what is planned is in the file.
  void drop(ByteRange range) {
    gone_.push_back(range);
    if (owned_.erase(range.offset) == 0) gone_.pop_back();
  }
  /// The plan is made: what it drops is released.
  void settle(FileSpace& space) {
    released_.reserve(released_.size() + gone_.size());
    std::reverse(gone_.begin(), gone_.end());
    for (; !gone_.empty(); gone_.pop_back()) {
      space.release(gone_.back());
      if (new_.erase(gone_.back().offset) == 0) released_.push_back(gone_.back());
    }
  }
  /// All of it is no longer needed.
  void drop_all() {
    gone_.reserve(gone_.size() + owned_.size());
    for (const auto& [address, bytes] : owned_) gone_.push_back({address, bytes});
    owned_.clear();
  }
  /// What another structure has is no longer needed either.
  void drop_all_of(const BlockOwner& other) {
    const std::vector<ByteRange> theirs = other.ranges();
    gone_.insert(gone_.end(), theirs.begin(), theirs.end());
  }
  /// As withdraw(), and what settled plans released is the structure's again: it has what the last commit has.
  void restore(FileSpace& space) {
    withdraw(space);
    gone_.clear();
    std::reverse(released_.begin(), released_.end());
    for (; !released_.empty(); released_.pop_back()) space.reclaim(released_.back());
  }
  /// The plan will not be in the file: what is new in it is given back.
  void withdraw(FileSpace& space) {
    const auto is_old = [&](const ByteRange& range) { return !new_.contains(range.offset); };
    auto dropped = gone_.end() - std::stable_partition(gone_.begin(), gone_.end(), is_old);
    for (; dropped > 0; --dropped) {
      space.release(gone_.back());
      new_.erase(gone_.back().offset);
      gone_.pop_back();
    }
    while (!new_.empty()) {
      const auto first = new_.begin();
      space.release({first->first, first->second});
      owned_.erase(first->first);
      new_.erase(first);
    }
  }
  /// The plan is in the file.
  void mark_committed() {
    new_.clear();
    released_.clear();
  }
  /// By address.
  [[nodiscard]] std::vector<ByteRange> ranges() const {
    std::vector<ByteRange> ranges;
    ranges.reserve(owned_.size() + gone_.size());
    for (const auto& [address, bytes] : owned_) ranges.push_back({address, bytes});
    for (const ByteRange& range : gone_) ranges.push_back(range);
    return ranges;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const auto& [address, bytes] : owned_) all += bytes;
    return all;
  }

 private:
  using Ranges = std::map<FileAddress, std::uint64_t>;
  static void put(Ranges& one, FileAddress address, Ranges* into) noexcept {
    auto node = one.extract(one.begin());
    node.key() = address;
    into->insert(std::move(node));
  }

  Ranges owned_;
  Ranges new_;                       ///< of these, taken since the last commit
  std::vector<ByteRange> gone_;      ///< dropped, not released yet
  std::vector<ByteRange> released_;  ///< by plans since the last commit, which has them
};

}  // namespace pcio
