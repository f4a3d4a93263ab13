// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: RangeSet out of line.

#include "storage/space/range_set.hpp"

#include <algorithm>
#include <iterator>

#include "base/checked.hpp"

namespace pcio {

namespace {

/// Ranges that are looked at one by one for an aligned place; then one is taken that is large
/// enough wherever it begins.
constexpr int kAlignedTries = 16;
/// Ranges that are looked at from the lowest on.
constexpr int kLowestTries = 256;

}  // namespace

void RangeSet::Spares::make(std::size_t wanted, SizeOrder order) {
  while (count < wanted) {
    Map range{{0, 0}};
    Sizes size;
    if (order == SizeOrder::kKept) size.emplace(0, 0);
    ranges[count] = range.extract(range.begin());
    if (order == SizeOrder::kKept) sizes[count] = size.extract(size.begin());
    ++count;
  }
}

RangeSet::Reserve RangeSet::reserve_later(std::size_t changes, std::size_t ranges) const {
  const std::size_t wanted = Spares::kMost + changes * ranges;
  Reserve reserve;
  reserve.ranges_.reserve(wanted);
  reserve.sizes_.reserve(wanted);
  for (std::size_t i = 0; i < wanted; ++i) {
    Map range{{0, 0}};
    reserve.ranges_.push_back(range.extract(range.begin()));
    Sizes size;
    if (order_ == SizeOrder::kKept) size.emplace(0, 0);
    reserve.sizes_.push_back(size.empty() ? Sizes::node_type() : size.extract(size.begin()));
  }
  return reserve;
}

void RangeSet::take_spares(Reserve* reserve) noexcept {
  for (; spares_.count < Spares::kMost && !reserve->ranges_.empty(); ++spares_.count) {
    spares_.ranges[spares_.count] = std::move(reserve->ranges_.back());
    spares_.sizes[spares_.count] = std::move(reserve->sizes_.back());
    reserve->ranges_.pop_back();
    reserve->sizes_.pop_back();
  }
}

/// There is a spare node.
RangeSet::Map::iterator RangeSet::put(FileAddress start, std::uint64_t size) {
  const std::size_t spare = --spares_.count;
  bytes_ += size;
  if (order_ == SizeOrder::kKept) {
    Sizes::node_type node = std::move(spares_.sizes[spare]);
    node.value() = {size, start};
    by_size_.insert(std::move(node));
  }
  Map::node_type node = std::move(spares_.ranges[spare]);
  node.key() = start;
  node.mapped() = size;
  return ranges_.insert(std::move(node)).position;
}

RangeSet::Map::iterator RangeSet::drop(Map::iterator it) {
  const auto next = std::next(it);
  bytes_ -= it->second;
  Sizes::node_type size;
  if (order_ == SizeOrder::kKept) size = by_size_.extract({it->second, it->first});
  Map::node_type range = ranges_.extract(it);
  if (spares_.count < Spares::kMost) {
    spares_.sizes[spares_.count] = std::move(size);
    spares_.ranges[spares_.count] = std::move(range);
    ++spares_.count;
  }
  return next;
}

void RangeSet::clear() {
  bytes_ = 0;
  ranges_.clear();
  by_size_.clear();
}

/// The first range that ends behind `address`.
RangeSet::Map::const_iterator RangeSet::first_reaching(FileAddress address) const {
  auto it = ranges_.upper_bound(address);
  if (it != ranges_.begin() && std::prev(it)->first + std::prev(it)->second > address) --it;
  return it;
}

/// Most of what is added lies behind all the rest.
bool RangeSet::prolong_last(ByteRange range) {
  if (order_ == SizeOrder::kKept || ranges_.empty()) return false;
  const auto last = std::prev(ranges_.end());
  if (last->first + last->second != range.offset || !joins_at(range.offset)) return false;
  last->second += range.size;
  bytes_ += range.size;
  return true;
}

void RangeSet::insert(ByteRange range) {
  if (range.size == 0 || prolong_last(range)) return;
  spares_.reserve(1, order_);
  FileAddress start = range.offset;
  FileAddress end = range.end();
  auto it = ranges_.lower_bound(start);
  if (it != ranges_.begin()) {
    auto before = std::prev(it);
    const FileAddress reach = before->first + before->second;
    if (reach > start || (reach == start && joins_at(start))) it = before;
  }
  while (it != ranges_.end() && (it->first < end || (it->first == end && joins_at(end)))) {
    start = std::min(start, it->first);
    end = std::max(end, it->first + it->second);
    it = drop(it);
  }
  put(start, end - start);
}

void RangeSet::erase(ByteRange range) {
  if (range.size == 0) return;
  // A range that is cut in two leaves one node, and needs two.
  spares_.reserve(1, order_);
  auto it = ranges_.upper_bound(range.offset);
  if (it != ranges_.begin() && std::prev(it)->first + std::prev(it)->second > range.offset) --it;
  while (it != ranges_.end() && it->first < range.end()) {
    const ByteRange have{it->first, it->second};
    it = drop(it);
    if (have.offset < range.offset) put(have.offset, range.offset - have.offset);
    if (have.end() > range.end()) it = put(range.end(), have.end() - range.end());
  }
}

bool RangeSet::contains(ByteRange range) const {
  auto it = first_reaching(range.offset);
  return it != ranges_.end() && it->first <= range.offset && range.end() <= it->first + it->second;
}

bool RangeSet::overlaps(ByteRange range) const {
  auto it = first_reaching(range.offset);
  return it != ranges_.end() && it->first < range.end();
}

std::vector<ByteRange> RangeSet::inside(ByteRange range) const {
  std::vector<ByteRange> parts;
  for (auto it = first_reaching(range.offset); it != ranges_.end() && it->first < range.end();
       ++it) {
    const FileAddress from = std::max(it->first, range.offset);
    parts.push_back({from, std::min(it->first + it->second, range.end()) - from});
  }
  return parts;
}

std::vector<ByteRange> RangeSet::outside(ByteRange range) const {
  std::vector<ByteRange> parts;
  FileAddress next = range.offset;
  for (const ByteRange& part : inside(range)) {
    if (next < part.offset) parts.push_back({next, part.offset - next});
    next = part.end();
  }
  if (next < range.end()) parts.push_back({next, range.end() - next});
  return parts;
}

FileAddress RangeSet::best_fit(std::uint64_t size, std::uint64_t alignment) const {
  auto it = by_size_.lower_bound({size, 0});
  for (int tries = 0; it != by_size_.end() && tries < kAlignedTries; ++it, ++tries) {
    const FileAddress at = round_up(it->second, alignment);
    if (fits_inside(at - it->second, size, it->first)) return at;
  }
  auto enough = checked_add(size, alignment - 1);
  if (!enough) return kUndefinedAddress;
  it = by_size_.lower_bound({*enough, 0});
  return it == by_size_.end() ? kUndefinedAddress : round_up(it->second, alignment);
}

FileAddress RangeSet::lowest_fit(std::uint64_t size, std::uint64_t alignment) const {
  auto it = ranges_.begin();
  for (int tries = 0; it != ranges_.end() && tries < kLowestTries; ++it, ++tries) {
    const FileAddress at = round_up(it->first, alignment);
    if (fits_inside(at - it->first, size, it->second)) return at;
  }
  return it == ranges_.end() ? kUndefinedAddress : best_fit(size, alignment);
}

ByteRange RangeSet::back() const {
  auto last = std::prev(ranges_.end());
  return {last->first, last->second};
}

std::vector<ByteRange> RangeSet::ranges() const {
  std::vector<ByteRange> all;
  all.reserve(ranges_.size());
  for (auto [start, size] : ranges_) all.push_back({start, size});
  return all;
}

void join_ranges(std::vector<ByteRange>* ranges) {
  std::sort(ranges->begin(), ranges->end(),
            [](const ByteRange& a, const ByteRange& b) { return a.offset < b.offset; });
  std::size_t kept = 0;
  for (const ByteRange& range : *ranges) {
    if (kept > 0 && (*ranges)[kept - 1].end() == range.offset)
      (*ranges)[kept - 1].size += range.size;
    else
      (*ranges)[kept++] = range;
  }
  ranges->resize(kept);
}

}  // namespace pcio
