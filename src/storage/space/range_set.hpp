// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room storage/space: a set of bytes of a file, as ranges that never touch each other.

#pragma once

#include <array>
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

  /// Adds bytes; some of them may be there already. Where memory runs out the set is what it was.
  void insert(ByteRange range);
  /// Takes bytes away; not all of them need be there. As insert().
  void erase(ByteRange range);
  /// Gets all memory for the next four of these.
  void reserve_changes() { spares_.reserve(Spares::kMost, order_); }
  /// Memory for changes that are made later, and may then not fail.
  class Reserve;
  /// For `changes` times reserve_changes(), where each is followed by at most `ranges` new ranges.
  [[nodiscard]] Reserve reserve_later(std::size_t changes, std::size_t ranges) const;
  /// As reserve_changes(), as far as `reserve` goes. Asks for no memory.
  void take_spares(Reserve* reserve) noexcept;
  void clear();

  [[nodiscard]] bool contains(ByteRange range) const;
  /// Some of the bytes are in the set.
  [[nodiscard]] bool overlaps(ByteRange range) const;
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
  [[nodiscard]] ByteRange front() const {
    return {ranges_.begin()->first, ranges_.begin()->second};
  }
  [[nodiscard]] ByteRange back() const;
  [[nodiscard]] std::vector<ByteRange> ranges() const;

 private:
  using Map = std::map<FileAddress, std::uint64_t>;  // start to size
  using Sizes = std::set<std::pair<std::uint64_t, FileAddress>>;
  /// Nodes for ranges that come: a change that has begun needs no memory. A copy of a set gets its own.
  struct Spares {
    static constexpr std::size_t kMost = 4;
    std::array<Map::node_type, kMost> ranges;
    std::array<Sizes::node_type, kMost> sizes;
    std::size_t count = 0;
    Spares() = default;
    Spares(const Spares& /*other*/) {}
    Spares& operator=(const Spares& /*other*/) {
      count = 0;  // those of another order serve no more
      return *this;
    }
    ~Spares() = default;
    void reserve(std::size_t wanted, SizeOrder order) {
      if (count < wanted) make(wanted, order);
    }

   private:
    void make(std::size_t wanted, SizeOrder order);
  };
  [[nodiscard]] bool prolong_last(ByteRange range);
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
  Sizes by_size_;
  Spares spares_;
};

class RangeSet::Reserve {
 private:
  friend class RangeSet;
  std::vector<Map::node_type> ranges_;
  std::vector<Sizes::node_type> sizes_;  ///< as many, for a set that keeps sizes
};

/// Ranges sorted and joined where they touch; those that overlap stay apart. Needs no memory.
void join_ranges(std::vector<ByteRange>* ranges);

}  // namespace pcio
