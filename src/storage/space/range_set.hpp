// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: a set of bytes of a file, as ranges that never touch each other.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace pcio {

/// Whether a set can be asked for a range of a given size.
enum class SizeOrder : std::uint8_t { kNone, kKept };

/// Every operation costs the logarithm of the number of ranges, and a step for each range that it
/// changes. The same calls in the same order give the same set, so ranks need not compare theirs.
class RangeSet {
 public:
  /// `page` > 0: ranges are not joined over a multiple of it.
  explicit RangeSet(SizeOrder order, std::uint64_t page = 0) : order_(order), page_(page) {}

  /// Adds bytes; some of them may be there already.
  void insert(ByteRange range);
  /// Takes bytes away; not all of them need be there.
  void erase(ByteRange range);
  void clear();

  [[nodiscard]] bool contains(ByteRange range) const;
  /// The parts of `range` that are in the set, and those that are not, ascending.
  [[nodiscard]] std::vector<ByteRange> inside(ByteRange range) const;
  [[nodiscard]] std::vector<ByteRange> outside(ByteRange range) const;
  /// Where `size` bytes (> 0) fit at a multiple of `alignment` (>= 1): in the smallest range that
  /// has room, the lowest of equals; with an alignment, in one of the smallest. kUndefinedAddress:
  /// nowhere. SizeOrder::kKept only.
  [[nodiscard]] FileAddress best_fit(std::uint64_t size, std::uint64_t alignment) const;
  /// The same in the lowest range that has room, as far as the first few hundred go; behind them as
  /// best_fit().
  [[nodiscard]] FileAddress lowest_fit(std::uint64_t size, std::uint64_t alignment) const;

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] std::size_t size() const { return ranges_.size(); }
  /// By ascending address. The set is not empty.
  [[nodiscard]] ByteRange back() const;
  [[nodiscard]] std::vector<ByteRange> ranges() const;

 private:
  using Map = std::map<FileAddress, std::uint64_t>;  // start to size
  Map::iterator put(FileAddress start, std::uint64_t size);
  Map::iterator drop(Map::iterator it);
  [[nodiscard]] bool joins_at(FileAddress border) const {
    return page_ == 0 || border % page_ != 0;
  }
  [[nodiscard]] Map::const_iterator first_reaching(FileAddress address) const;

  SizeOrder order_;
  std::uint64_t page_;
  std::uint64_t bytes_ = 0;
  Map ranges_;
  std::set<std::pair<std::uint64_t, FileAddress>> by_size_;
};

}  // namespace pcio
