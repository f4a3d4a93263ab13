// SPDX-License-Identifier: BSD-3-Clause
// Copyright The libpcio authors
//
// Room plan: counting the ranks of each chunk in packed counters.

#include <algorithm>

#include "base/checked.hpp"
#include "plan/marking_memory.hpp"
#include "plan/marking_methods.hpp"

namespace pcio::marking {

namespace {

constexpr std::uint64_t kAllOnes = ~std::uint64_t{0};

/// Adds one to the counters [from, to).
void add_one(std::span<std::uint64_t> words, const CounterShape& shape, std::uint64_t from,
             std::uint64_t to) {
  // One in every counter of a word: 0x0101... for 8 bits.
  const std::uint64_t ones = kAllOnes / ((std::uint64_t{1} << shape.bits) - 1);
  while (from < to) {
    const auto lane = static_cast<unsigned>(from % shape.per_word);
    const auto lanes =
        static_cast<unsigned>(std::min<std::uint64_t>(shape.per_word - lane, to - from));
    words[from / shape.per_word] += (ones >> (64 - lanes * shape.bits)) << (lane * shape.bits);
    from += lanes;
  }
}

}  // namespace

Counters::Counters(const Task& task, OrdinalRange range)
    : task_(task), shape_(task.ranks), range_(range) {}

/// Without heap: straight to the block. Else the first exchange tells whether all ranks have
/// memory, and where the touched chunks are.
Collective Counters::first() {
  const std::uint64_t words = ceil_div(range_.end - range_.first, std::uint64_t{shape_.per_word});
  const bool small = words < inline_.size();
  // No more chunks than this can pass the limit.
  const std::uint64_t most = task_.sum_chunks / (task_.limit + 1);
  const bool enough = has_memory([&] {
    if (!small) heap_.resize(std::min(words, kBlockWords) + 1);
    // Of one block; later ones may run out of memory and tell it in the last exchange.
    const std::uint64_t chunks = std::min(words, kBlockWords) * shape_.per_word;
    found_.reserve(std::min(chunks / 2 + 1, most));
  });
  failures_ = enough ? 0 : 1;
  if (small) {
    block_ = std::span(inline_).first(words + 1);
    block_start_ = range_.first;
    one_block_ = true;
    return fill_block();
  }
  block_ = heap_;
  const bool empty = task_.touched.empty();
  inline_[0] = empty ? 0 : ~task_.touched.front().first;
  inline_[1] = empty ? 0 : task_.touched.back().end();
  inline_[2] = failures_;
  phase_ = Phase::kRange;
  return {CollectiveKind::kMax, std::span(inline_).first(3), {}};
}

Collective Counters::fill_block() {
  phase_ = Phase::kBlock;
  std::fill(block_.begin(), block_.end(), 0);
  block_[0] = failures_;
  const ChunkOrdinal stop = std::min(range_.end, block_start_ + capacity());
  const auto& touched = task_.touched;
  while (interval_ < touched.size() && touched[interval_].end() <= block_start_) ++interval_;
  for (std::size_t i = interval_; i < touched.size() && touched[i].first < stop; ++i)
    add_one(block_.subspan(1), shape_, std::max(touched[i].first, block_start_) - block_start_,
            std::min(touched[i].end(), stop) - block_start_);
  return {CollectiveKind::kSum, block_, {}};
}

void Counters::take_block() {
  const std::uint64_t mask = (std::uint64_t{1} << shape_.bits) - 1;
  const bool enough = has_memory([&] {
    for (std::size_t w = 1; w < block_.size(); ++w) {
      std::uint64_t word = block_[w];
      ChunkOrdinal chunk = block_start_ + (w - 1) * std::uint64_t{shape_.per_word};
      for (; word != 0; word >>= shape_.bits, ++chunk)
        if ((word & mask) > task_.limit) append_interval(found_, {chunk, 1});
    }
  });
  if (!enough) failures_ = 1;
}

Collective Counters::next() {
  switch (phase_) {
    case Phase::kStart: return first();
    case Phase::kRange:
      failures_ = inline_[2];
      range_ = {~inline_[0], inline_[1]};
      if (failures_ > 0 || range_.end <= range_.first) break;
      block_start_ = range_.first;
      block_ = block_.first(std::min<std::uint64_t>(
          block_.size(), ceil_div(range_.end - range_.first, std::uint64_t{shape_.per_word}) + 1));
      one_block_ = capacity() >= range_.end - range_.first;
      return fill_block();
    case Phase::kBlock:
      failures_ = block_[0];
      if (failures_ > 0) break;
      take_block();
      block_start_ += capacity();
      if (block_start_ < range_.end) return fill_block();
      if (one_block_) break;
      phase_ = Phase::kOutcome;
      inline_[0] = failures_;
      return {CollectiveKind::kMax, std::span(inline_).first(1), {}};
    case Phase::kOutcome: failures_ = inline_[0]; break;
    case Phase::kDone: break;
  }
  phase_ = Phase::kDone;
  return {};
}

Result<MarkedChunks> Counters::finish() {
  if (failures_ > 0) return no_memory();
  return MarkedChunks::of(std::move(found_));
}

}  // namespace pcio::marking
