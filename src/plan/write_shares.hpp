// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: how ranks share out bytes that any of them could write: fill values, blocks of a commit.
//
// A distributed file system locks units of a file. Two ranks that write one unit take its lock from each
// other, and pieces below a unit cost a lock each.

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/checked.hpp"
#include "base/types.hpp"

namespace pcio {

/// The least that is worth a writer of its own, in bytes: where the ranks share one machine's page cache, and
/// elsewhere, where a unit may be a stripe.
constexpr std::uint64_t kWriteUnitOfMachine = std::uint64_t{64} << 10;
constexpr std::uint64_t kWriteUnit = std::uint64_t{1} << 20;

/// The part of `range` that `rank` of `ranks` writes: whole units of the file, but for the ends of the range;
/// nothing for some ranks where there are fewer units. Who begins follows from the address, so that many small
/// ranges have many writers. Every byte has one writer, and so has every unit within a range.
/// Collective: pure. `unit` is above 0.
inline ByteRange write_share(const ByteRange& range, std::uint64_t unit, std::uint64_t rank,
                             std::uint64_t ranks) {
  if (range.size == 0) return {range.offset, 0};
  const std::uint64_t first = range.offset / unit;
  const std::uint64_t units = (range.end() - 1) / unit - first + 1;
  const std::uint64_t writers = std::min(ranks, units);
  const std::uint64_t turn = (rank + ranks - first % ranks) % ranks;
  if (turn >= writers) return {range.end(), 0};
  // Where the units of a turn begin. units / writers * turn first: no product is too large.
  const auto begin_of = [&](std::uint64_t t) {
    const std::uint64_t before = units / writers * t + units % writers * t / writers;
    return std::clamp((first + before) * unit, range.offset, range.end());
  };
  const std::uint64_t low = turn == 0 ? range.offset : begin_of(turn);
  const std::uint64_t high = turn + 1 == writers ? range.end() : begin_of(turn + 1);
  return {low, high - low};
}

/// Tells of blocks, one after the other by ascending address, which of `writers` writes each: about equally
/// many bytes, and all that begin in one unit of the file the same. (A block that crosses into the next unit is not
/// cut.)
class BlockWriters {
 public:
  /// `bytes`: of all blocks. No more than one writer for each unit that they would fill.
  BlockWriters(std::uint64_t bytes, std::uint64_t unit, std::uint64_t ranks)
      : bytes_(std::max<std::uint64_t>(1, bytes)),
        unit_(unit),
        writers_(std::clamp<std::uint64_t>(bytes / unit, 1, ranks)) {}

  /// The writer of the next block, below writers().
  std::uint64_t next(const ByteRange& block) {
    if (before_ == 0 || block.offset / unit_ != unit_of_last_)
      // bytes_ is of what fits in memory: the product does, too.
      writer_ = std::min(writers_ - 1, before_ * writers_ / bytes_);
    before_ += block.size;
    unit_of_last_ = block.offset / unit_;
    return writer_;
  }
  [[nodiscard]] std::uint64_t writers() const { return writers_; }

 private:
  std::uint64_t bytes_, unit_, writers_;
  std::uint64_t before_ = 0, unit_of_last_ = 0, writer_ = 0;
};

}  // namespace pcio
