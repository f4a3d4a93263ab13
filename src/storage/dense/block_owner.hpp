// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/dense: which bytes of the file one structure has, through plans that hold and plans that don't.

#pragma once

#include <iterator>
#include <map>
#include <vector>

#include "storage/space/file_space.hpp"

namespace pcio {

/// What a structure took, takes and gives up. Collective: pure. Threads: one thread drives a file.
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
    PCIO_ASSIGN(FileAddress address, space.allocate(bytes, SpaceUse::kMetadata));
    owned_.emplace(address, bytes);
    new_.emplace(address, bytes);
    return address;
  }
  /// No longer needed once what is planned is in the file.
  void drop(ByteRange range) {
    if (owned_.erase(range.offset) > 0) gone_.push_back(range);
  }
  /// The plan is made: what it drops is released.
  void settle(FileSpace& space) {
    for (const ByteRange& range : gone_) {
      space.release(range);
      if (new_.erase(range.offset) == 0) released_.push_back(range);
    }
    gone_.clear();
  }
  /// All of it is no longer needed.
  void drop_all() {
    for (const auto& [address, bytes] : owned_) gone_.push_back({address, bytes});
    owned_.clear();
  }
  /// As withdraw(), and what settled plans released is the structure's again: it has what the last commit has.
  void restore(FileSpace& space) {
    withdraw(space);
    gone_.clear();
    for (const ByteRange& range : released_) space.reclaim(range);
    released_.clear();
  }
  /// The plan will not be in the file: what is new in it is given back.
  void withdraw(FileSpace& space) {
    for (const auto& [address, bytes] : new_) {
      space.release({address, bytes});
      owned_.erase(address);
    }
    std::erase_if(gone_, [&](const ByteRange& range) { return new_.contains(range.offset); });
    new_.clear();
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
  std::map<FileAddress, std::uint64_t> owned_;
  std::map<FileAddress, std::uint64_t> new_;  ///< of these, taken since the last commit
  std::vector<ByteRange> gone_;               ///< dropped, not released yet
  std::vector<ByteRange> released_;           ///< by plans since the last commit, which has them
};

}  // namespace pcio
