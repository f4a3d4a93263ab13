// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Which bytes of a file are whose, out of line. Room: tools, public headers only.

#include "space.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <pcio.h>

namespace check {

namespace {

constexpr const char* kUses[] = {"superblock",         "header",    "links", "attributes",
                                 "chunk index",        "data",      "heap",  "shared messages",
                                 "list of free space", "free space"};

/// Several may tell them: heaps, and what belongs to an object that two ranks have found.
bool may_be_told_twice(const OwnedRange& range) {
  return range.use != PCIO_RANGE_DATA && range.use != PCIO_RANGE_CHUNK_INDEX &&
         range.use != PCIO_RANGE_FREE;
}

class Space {
 public:
  Space(const Bounds& bounds, Findings* found) : bounds_(bounds), found_(*found) {
    for (const Named& named : found->names) paths_.emplace(named.address, named.path);
  }

  SpaceUse check() {
    take_loose();
    take_once();
    std::uint64_t reached = bounds_.begin;
    const OwnedRange* furthest = nullptr;
    for (const OwnedRange& range : found_.ranges) {
      const std::uint64_t end = check_end(range);
      if (range.start > reached) add_gap(reached, std::min(range.start, bounds_.end));
      if (furthest != nullptr && range.start < furthest->start + furthest->bytes)
        tell_overlap(*furthest, range);
      if (range.use == PCIO_RANGE_FREE) use_.free_ranges.emplace_back(range.start, range.bytes);
      // What is told twice counts once.
      const std::uint64_t from = std::max(range.start, reached);
      if (end > from) use_.bytes[range.use] += end - from;
      reached = std::max(reached, end);
      if (furthest == nullptr || range.start + range.bytes > furthest->start + furthest->bytes)
        furthest = &range;
    }
    add_gap(reached, bounds_.end);
    tell_unlisted();
    return std::move(use_);
  }

 private:
  static constexpr std::uint64_t kMostOverlaps = 1000;

  /// Objects that only references lead to are there if nobody else has their bytes; else they were deleted.
  void take_loose() {
    std::map<std::uint64_t, std::uint64_t> taken;  // starts and ends
    std::map<std::uint64_t, std::vector<OwnedRange>> loose;
    std::vector<OwnedRange> ranges;
    for (const OwnedRange& range : found_.ranges)
      if (range.loose)
        loose[range.object].push_back(range);
      else
        ranges.push_back(range);
    if (loose.empty()) return;
    for (const OwnedRange& range : ranges) take(range, &taken);
    for (auto& [object, own] : loose) {
      const bool gone = std::any_of(own.begin(), own.end(), [&](const OwnedRange& range) {
        return range.use != PCIO_RANGE_HEAP && is_taken(range, taken);
      });
      if (gone) {
        found_.note("reference", path(own.front()),
                    "the object is referred to, but its bytes are no longer its own");
        continue;
      }
      for (OwnedRange& range : own) {
        range.loose = false;
        take(range, &taken);
        ranges.push_back(range);
      }
    }
    found_.ranges = std::move(ranges);
  }

  static void take(const OwnedRange& range, std::map<std::uint64_t, std::uint64_t>* taken) {
    std::uint64_t& end = (*taken)[range.start];
    end = std::max(end, range.start + range.bytes);
  }

  /// Ranges of sound files don't lie within each other: the last one that begins before is looked at.
  static bool is_taken(const OwnedRange& range,
                       const std::map<std::uint64_t, std::uint64_t>& taken) {
    const auto behind = taken.lower_bound(range.start + range.bytes);
    return behind != taken.begin() && std::prev(behind)->second > range.start;
  }

  /// By start; heaps that several objects have, and objects that several ranks have found, once.
  void take_once() {
    std::vector<OwnedRange>& ranges = found_.ranges;
    for (OwnedRange& range : ranges)
      if (range.use == PCIO_RANGE_HEAP) range.object = HADDR_UNDEF;
    std::sort(ranges.begin(), ranges.end());
    const auto same = [](const OwnedRange& a, const OwnedRange& b) {
      return a == b && may_be_told_twice(a);
    };
    ranges.erase(std::unique(ranges.begin(), ranges.end(), same), ranges.end());
  }

  std::string owner(const OwnedRange& range) const {
    const auto at = paths_.find(range.object);
    const char* const use = use_in_words(range.use);
    return at == paths_.end() ? std::string(use) : fmt::format("{} of {}", use, at->second);
  }

  std::string path(const OwnedRange& range) const {
    const auto at = paths_.find(range.object);
    return at == paths_.end() ? std::string() : at->second;
  }

  /// Where it ends within the file.
  std::uint64_t check_end(const OwnedRange& range) {
    const std::uint64_t end = range.start + range.bytes;
    if (end <= bounds_.end) return end;
    found_.wrong("end", path(range),
                 fmt::format("{}: {} bytes at {} reach behind the end of the file at {}",
                             use_in_words(range.use), range.bytes, range.start, bounds_.end),
                 range.start, range.bytes);
    return std::max(bounds_.end, std::min(range.start, bounds_.end));
  }

  void tell_overlap(const OwnedRange& first, const OwnedRange& second) {
    if (++overlaps_ > kMostOverlaps) return;
    const std::uint64_t end = std::min(first.start + first.bytes, second.start + second.bytes);
    found_.wrong("overlap", path(second),
                 fmt::format("{} bytes at {} belong to {} and to {}", end - second.start,
                             second.start, owner(first), owner(second)),
                 second.start, end - second.start);
  }

  void tell_unlisted() {
    if (overlaps_ > kMostOverlaps) found_.unlisted[1] += overlaps_ - kMostOverlaps;
  }

  void add_gap(std::uint64_t from, std::uint64_t to) {
    if (to <= from) return;
    use_.unowned += to - from;
    use_.gaps.emplace_back(from, to - from);
  }

  Bounds bounds_;
  Findings& found_;
  std::map<std::uint64_t, std::string> paths_;
  SpaceUse use_;
  std::uint64_t overlaps_ = 0;
};

}  // namespace

const char* use_in_words(unsigned use) { return use < std::size(kUses) ? kUses[use] : "bytes"; }

std::uint64_t SpaceUse::metadata() const {
  std::uint64_t all = 0;
  for (std::size_t use = 0; use < bytes.size(); ++use)
    if (use != PCIO_RANGE_DATA && use != PCIO_RANGE_HEAP && use != PCIO_RANGE_FREE)
      all += bytes[use];
  return all;
}

SpaceUse check_space(const Bounds& bounds, Findings* found) { return Space(bounds, found).check(); }

}  // namespace check
