// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: blocks of intervals.

#include "plan/interval_union.hpp"

namespace pcio {

namespace {

/// The intervals of one block one after the other.
struct Reader {
  std::span<const std::uint64_t> words;
  std::size_t at = 0;
  [[nodiscard]] bool done() const { return at == words[interval_block::kCount]; }
  [[nodiscard]] std::uint64_t first() const { return words[interval_block::kHeader + 2 * at]; }
  [[nodiscard]] std::uint64_t end() const { return words[interval_block::kHeader + 2 * at + 1]; }
};

/// A block being made: intervals come in ascending order of their first chunk.
class Writer {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): written as far as it is read.
  explicit Writer(std::uint64_t reach) : reach_(reach) {}
  void add(std::uint64_t first, std::uint64_t end) {
    if (first >= reach_) return;
    end = std::min(end, reach_);
    if (count_ > 0 && first <= ends_[count_ - 1]) {
      ends_[count_ - 1] = std::max(ends_[count_ - 1], end);
    } else if (count_ == interval_block::kIntervals) {
      reach_ = first;
    } else {
      firsts_[count_] = first;
      ends_[count_++] = end;
    }
  }
  void put(std::span<std::uint64_t> words) const {
    words[interval_block::kCount] = count_;
    words[interval_block::kReach] = reach_;
    for (std::size_t i = 0; i < count_; ++i) {
      words[interval_block::kHeader + 2 * i] = firsts_[i];
      words[interval_block::kHeader + 2 * i + 1] = ends_[i];
    }
  }

 private:
  std::uint64_t reach_;
  std::size_t count_ = 0;
  std::uint64_t firsts_[interval_block::kIntervals];
  std::uint64_t ends_[interval_block::kIntervals];
};

}  // namespace

void interval_block::fill(std::span<std::uint64_t> words, std::span<const OrdinalInterval> mine,
                          ChunkOrdinal from) {
  std::fill(words.begin(), words.end(), 0);
  Writer writer(interval_block::kEverything);
  auto it = std::partition_point(mine.begin(), mine.end(),
                                 [&](const OrdinalInterval& i) { return i.end() <= from; });
  // One more than fits, so that the block knows how far it reaches.
  for (std::size_t n = 0; it != mine.end() && n <= interval_block::kIntervals; ++it, ++n)
    writer.add(std::max(it->first, from), it->end());
  writer.put(words);
}

void MergeIntervals::operator()(std::span<std::uint64_t> into,
                                std::span<const std::uint64_t> from) const noexcept {
  Reader a{into};
  Reader b{from};
  Writer writer(std::min(into[interval_block::kReach], from[interval_block::kReach]));
  while (!a.done() || !b.done()) {
    Reader& next = b.done() || (!a.done() && a.first() <= b.first()) ? a : b;
    writer.add(next.first(), next.end());
    ++next.at;
  }
  writer.put(into);
}

}  // namespace pcio
